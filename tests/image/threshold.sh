#!/usr/bin/env bash
# A threshold of x cuts as a clipping plane across x does, within one count: all kinds of layers, also
# where blocks meet or overlap, whatever the partition; several spans of a ray; isosurfaces at the limits
# close a body; whole cells and boxes of cells; shadows. Bad keys give a sentence.
#
#   threshold.sh KARMAN DATASET SAME FOLDER LAUNCHER…      (DATASET: karman-dataset)
set -u
karman=$1 dataset=$2 same=$3 folder=$4
shift 4
launcher=("$@")
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder" || exit 1
failures=0

complain() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

partition=object view='position: [-3.1, -4.2, 2.6], look_at: [0, 0, 0]' samples=1
# draw NAME FILE LAYERS [MORE]: draws NAME.png.
draw() {
    cat >"$1.yaml" <<TEXT
data: {file: $2.h5}
derive: {px: "x + 0", pz: "z + 0", py: "y + 0", blob: "exp(-4 * ((x - 0.1)^2 + y^2 + (z + 0.2)^2))", square: "x * x", sparse: "if(x^2 >= 0.25, blob, nan)", part: "if(i >= 3 && i <= 9 && j >= 2 && k <= 8, blob, nan)", ball: "0.5 - radius", one: "1 + 0 * x", radius: "sqrt(x^2 + y^2 + z^2)"}
image: {width: 144, height: 112, samples: $samples}
camera: {$view, up: [0, 0, 1], fov: 34}
partition: $partition
layers: ${list:-[$(echo "{$3}" | sed "s/}, \([a-z_]*: {\)/}}, {\1/g")]}
output: {frames: $1.png}
${4:-}
TEXT
    timeout 300 ${alone:-"${launcher[@]}"} "$karman" render "$1.yaml" --threads 1 --quiet \
        </dev/null >stdout.txt 2>stderr.txt || complain "$3: exit code $?: $(cat stderr.txt)"
    grep -q 'hardly more than one colour\|nothing but background\|shows nothing' stderr.txt &&
        complain "$3: $(cat stderr.txt)"
}

# alike FILE LAYERS MORE LAYERS MORE: both give one picture, with something in it.
alike() {
    draw one "$1" "$2" "$3"
    draw other "$1" "$4" "$5"
    "$same" one.png other.png "${counts:-1}" || complain "$2 $3 and $4 $5: pictures differ"
}

above='threshold: {field: px, above: 0.125}'
plane='clip: [{point: [0.125, 0, 0], normal: [1, 0, 0]}]'
# cuts FILE LAYERS [MORE]: the threshold is the plane.
cuts() {
    alike "$1" "$2, $above" "${3:-}" "$2" "$plane
${3:-}"
}

# wide FILE LAYERS: a threshold that leaves everything changes nothing.
wide() {
    alike "$1" "$2, threshold: {field: radius, above: 0, below: 100}" '' "$2" ''
}

# alone FILE LAYERS [MORE]: these ranks draw what one process draws.
alone() {
    draw one "$1" "$2" "${3:-}"
    alone=env draw other "$1" "$2" "${3:-}"
    "$same" one.png other.png 1 || complain "$2: pictures of ranks differ"
}

# refused FRAGMENT LAYERS: a message with the fragment.
refused() {
    local before=$failures
    draw one box "$2" >failed.txt
    failures=$before
    grep -qF -- "$1" stderr.txt || complain "$2: expected '$1', got: $(cat stderr.txt)"
}

"$dataset" nan-field --output box.h5 --size 17,15,13 --double >dataset.txt 2>&1 || { cat dataset.txt; exit 1; }
"$dataset" overset --output overset.h5 --size 25,25,5 --double >dataset.txt 2>&1 || { cat dataset.txt; exit 1; }
"$dataset" two-blocks --output two.h5 --size 13,11,9 --double >dataset.txt 2>&1 || { cat dataset.txt; exit 1; }
clear='opacity: [[0, 0.2], [0.5, 0.6], [1, 0.9]], unit_length: 0.4'
cloud="volume: {field: blob, range: [0, 1], interpolation: linear, $clear}"
lit="volume: {field: blob, range: [0, 1], interpolation: linear, shade: {}, $clear}"
trilinear="volume: {field: blob, range: [0, 1], interpolation: trilinear, $clear}"
iso='isosurface: {field: blob, values: [0.2, 0.6], color_by: pz, range: [-1, 1], opacity: 0.6}'
faces='object: {k: 0, color_by: py, range: [-1, 1], style: both}, contour: {field: blob, z: 0.2, range: [0, 1], style: both}'
lines='particles: {velocity: [pz, px, px], seeds: [{line: [[-0.6, -0.5, -0.4], [0.6, 0.5, 0.4]], count: 5}], radius: 0.04, direction: both, length: 0.7}'
shadows='lights: [{direction: [0.4, 0.8, -1]}]
lighting: {shadows: {resolution: 256, volume_resolution: 32}}'

for partition in object screen; do
    cuts box "$cloud"
    cuts box "$lit"
    cuts box "$trilinear"
    cuts box "$iso"
    cuts box "$faces, $lines"
    cuts box "$cloud, $iso, $faces"
    samples=4 cuts box "$cloud, $faces"
    samples=adaptive cuts box "$lit, $iso"
    counts=3 cuts box "$lit, $faces" "$shadows"
    alike box "$cloud, threshold: {field: square, above: 0.25, cells: true}" '' \
        "${cloud/blob/sparse}" ''
    alike box "$cloud, threshold: {field: square, above: 0.25}" '' "${cloud/blob/sparse}" ''
    alike box "$lit, $iso, threshold: {field: square, above: 0.25, cells: true}" '' \
        "$lit, $iso, threshold: {field: square, above: 0.25}" ''
    alike box "$cloud, threshold: {from: [3, 2, 0], to: [9, -1, 8]}" '' "${cloud/blob/part}" ''
    alike box "$cloud, $above, threshold: {field: px, below: 0.5}" '' \
        "$cloud, threshold: {field: px, above: 0.125, below: 0.5}" ''
    for file in overset two; do
        [ $file = two ] && size='cell_volume, above: 0.001' || size='cell_wave, above: 0.4'
        wide $file "volume: {field: wave, range: [0, 1], interpolation: linear, $clear}"
        wide $file 'isosurface: {field: wave, value: 0.5}, grid: {k: 0}, contour: {field: wave, range: [0, 1], k: 2}, object: {i: 0}'
        alone $file "volume: {field: wave, range: [0, 1], $clear}, isosurface: {field: wave, value: 0.6}, object: {k: 0}, threshold: {field: wave, above: 0.3, below: 0.7}"
        alone $file "volume: {field: wave, range: [0, 1], shade: {}, $clear}, threshold: {field: $size, cells: true}"
    done
    alone two 'object: {walls: auto}, contour: {field: wave, j: 3}, threshold: {block: second, from: [2, 0, 1], to: [8, 6, -1]}'
done

# Boxes and spheres cut as planes and thresholds do.
cuboid='clip: [{box: [[-0.5, -1.2, -1.1], [0.7, 0.4, 0.3]]}]'
six='clip: [{point: [-0.5, 0, 0], normal: [2, 0, 0]}, {point: [0.7, 0, 0], normal: [-1, 0, 0]}, {point: [0, -1.2, 0], normal: [0, 1, 0]}, {point: [0, 0.4, 0], normal: [0, -1, 0]}, {point: [0, 0, -1.1], normal: [0, 0, 1]}, {point: [0, 0, 0.3], normal: [0, 0, -1]}]'
sphere='clip: [{point: [0, 0, 0], radius: 0.5}]'
for partition in object screen; do
    for layers in "$cloud" "$lit, $faces, $iso"; do
        alike box "$layers" "$cuboid" "$layers" "$six"
        alone box "$layers" "${sphere/0.5/1.1}"
    done
    alone overset "volume: {field: wave, range: [0, 1], $clear}, grid: {k: 0}" "${sphere/0.5/1.2}"
done
"$dataset" nan-field --output fine.h5 --size 65,65,65 >dataset.txt 2>&1 || exit 1
counts=4 alike fine 'volume: {field: one, range: [0, 2], opacity: [[0, 0.2], [1, 0.2]], unit_length: 0.4}' "$sphere" \
    'volume: {field: one, range: [0, 2], opacity: [[0, 0.2], [1, 0.2]], unit_length: 0.4}, threshold: {field: ball, above: 0}' ''

# The surface at the limit closes the body: nothing of it is missing, and nothing shines through.
hull='isosurface: {field: ball, value: 0, color: [0.9, 0.6, 0.2]}'
alike box "$hull, $cloud, contour: {field: blob, x: 0}, threshold: {field: ball, above: 0}" '' "$hull" ''
alike box "$hull, threshold: {field: ball, below: 0}" '' "$hull" ''

# Layers that stay whole; thresholds that are not shown.
draw one box "$faces, $above"
draw other box "$faces"
"$same" one.png other.png 1 >same.txt && complain 'a threshold cuts nothing'
layers="[{object: {k: 0, color_by: py}, whole: true}, {volume: {field: blob, $clear}, whole: true}"
list="$layers, {$above}]" draw one box ''
list="$layers]" draw other box ''
"$same" one.png other.png 1 || complain 'a threshold cuts layers that are whole'
list="[{$iso}, {$above, shown: false}]" draw one box ''
list="[{$iso}]" draw other box ''
"$same" one.png other.png 1 || complain 'a threshold cuts that is not shown'

refused 'needs a field with above, below or both' 'threshold: {field: px}'
refused 'needs a field with above, below or both' 'threshold: {above: 3}'
refused 'must not be less than above, has 1 after 3' 'threshold: {field: px, above: 3, below: 1}'
refused "there is no field 'pxx'" 'threshold: {field: pxx, above: 3}'
refused 'i = 40 lies outside of the block' 'threshold: {from: [0, 0, 0], to: [40, 2, 2]}'
exit $failures
