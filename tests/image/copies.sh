#!/usr/bin/env bash
# One passage with data.copies gives the pictures of the whole ring, written out as blocks, within
# one count: all kinds of layers, streamlines that go on in the next copy, fields in cells. Mirrored
# copies are mirror images. Bad keys give a sentence.
#
#   copies.sh KARMAN DATASET SAME FOLDER LAUNCHER…      (DATASET: karman-dataset)
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

camera='camera: {position: [-1.9, -1.1, 1.6], look_at: [0.25, 0, 0], up: [0, 1, 0], fov: 50}'

# draw NAME DATA LAYERS: draws NAME.png from a data section.
draw() {
    cat >"$1.yaml" <<TEXT
data: $2
image: {width: 160, height: 120, samples: 1}
$camera
layers: $3
output: {frames: $1.png}
TEXT
    timeout 300 "${launcher[@]}" "$karman" render "$1.yaml" --threads 1 --quiet \
        </dev/null >stdout.txt 2>stderr.txt || complain "$3: exit code $?: $(cat stderr.txt)"
}

# alike WHOLE PART LAYERS [OTHERS]: both data give one picture, with something in it.
alike() {
    draw whole "$1" "$3"
    draw part "$2" "${4:-$3}"
    "$same" whole.png part.png 1 || complain "$3: pictures differ"
    grep -q 'hardly more than one colour\|nothing but background\|shows nothing' stderr.txt &&
        complain "$3: $(cat stderr.txt)"
}

for set in vanes vane-ring; do
    "$dataset" $set --output $set.h5 --size 33,9,9 --double >dataset.txt 2>&1 || exit 1
done
ring='{file: vane-ring.h5}'
wheel='{file: vanes.h5, copies: {rotate: {axis: x, count: 24}}}'
clear='opacity: [[0, 0.1], [0.4, 0.5], [1, 0.7]], unit_length: 0.2'

alike "$ring" "$wheel" "[{volume: {field: pressure, range: [0.3, 1.2], $clear}}]"
alike "$ring" "$wheel" "[{volume: {field: cell_pressure, range: [0.3, 1.2], interpolation: trilinear, $clear}}]"
alike "$ring" "$wheel" "[{volume: {field: velocity_y, range: [-2, 2], $clear}}]"
alike "$ring" "$wheel" "[{volume: {field: vorticity_magnitude, range: [0, 40], $clear}}]"
alike "$ring" "$wheel" '[{isosurface: {field: pressure, values: [0.7, 1.05], color_by: velocity_magnitude, range: [0, 2], lit: true}}]'
alike "$ring" "$wheel" '[{isosurface: {field: cell_pressure, value: 0.8, color: [0.9, 0.6, 0.2], lit: true}}]'
alike "$ring" "$wheel" '[{contour: {field: velocity_z, range: [-2, 2], levels: 9, line_width: 2, plane: {point: [0.5, 0, 0], normal: [1, 0.1, 0]}}}]'
alike "$ring" "$wheel" '[{object: {k: 0, color_by: pressure, range: [0.3, 1.2], lit: true}}, {grid: {j: 0, line_width: 1}}, {outline: {}}]' \
    '[{object: {block: passage, k: 0, color_by: pressure, range: [0.3, 1.2], lit: true}}, {grid: {block: passage, j: 0, line_width: 1}}, {outline: {block: passage}}]'
# Small steps of the integration: where a line's points lie depends on rounding.
lines() {
    echo "[{particles: {mode: stream, seeds: [$1], radius: 0.03, length: 3, tolerance: 1e-11, max_steps: 100000, color_by: velocity_magnitude, range: [0, 2.2]}}]"
}
upper='{line: [[-0.2, 0.6, 0.1], [-0.2, 0.95, 0.2]], count: 4}'
lower='{line: [[-0.2, -0.6, -0.25], [-0.2, -0.95, 0.05]], count: 6}'
alike "$ring" "$wheel" "$(lines "$upper, $lower")"
draw one '{file: vanes.h5}' "$(lines "$upper")"
draw many "$wheel" "$(lines "$upper")"
"$same" one.png many.png 1 >same.txt && complain "streamlines do not leave the data's own passage"

# A mirrored whole is its own mirror image.
"$dataset" boundary-layer --output layer.h5 --size 25,17,5 --double >dataset.txt 2>&1 || exit 1
whole='{file: layer.h5, copies: {reflect: {normal: z, at: 1}}}'
image='{file: layer.h5, copies: {reflect: {normal: z, at: 1}}, transform: {reflect: z, shift: [0, 0, 2]}}'
camera='camera: {position: [-2.5, 3, 4], look_at: [0.6, 0.2, 1], up: [0, 1, 0], fov: 40}'
alike "$whole" "$image" "[{volume: {field: velocity_x, range: [0, 1], shade: {}, $clear}}]"
alike "$whole" "$image" '[{isosurface: {field: velocity_x, values: [0.5, 0.9], color: [0.9, 0.6, 0.2], lit: true}}]'
alike "$whole" "$image" '[{object: {j: 0, color_by: vorticity_magnitude, range: [0, 40], lit: true}}, {grid: {j: 0, line_width: 1}}]'
alike "$whole" "$image" '[{contour: {field: velocity_magnitude, plane: {point: [0.3, 0, 0], normal: [1, 0, 0.2]}, range: [0, 1], levels: 9}}]'

# info counts copies; names stand for them.
printf 'data: %s\noutput: {frames: none.png}\n' "$wheel" >info.yaml
"$karman" info info.yaml >stdout.txt 2>&1
grep -q '^blocks  *24$' stdout.txt && grep -q 'passage .*33 x 9 x 9 vertices, 24 copies' stdout.txt &&
    grep -q '^copies  *24, every 15 degrees about (1, 0, 0)$' stdout.txt ||
    complain "info: expected 24 copies, got: $(cat stdout.txt)"

# refused FRAGMENT COPIES
refused() {
    printf 'data: {file: vanes.h5, copies: %s}\noutput: {frames: none.png}\n' "$2" >bad.yaml
    timeout 300 "${launcher[@]}" "$karman" render bad.yaml </dev/null >stdout.txt 2>stderr.txt
    local code=$?
    [ "$code" -eq 2 ] || complain "$2: expected exit code 2, got $code"
    [ "$(grep -c 'karman: error: ' stderr.txt)" -eq 1 ] && grep -qF -- "$1" stderr.txt ||
        complain "$2: expected a message with '$1', got: $(cat stderr.txt)"
}
refused 'needs one of rotate, reflect and shift' '{blocks: passage}'
refused 'needs one of rotate, reflect and shift' '{reflect: {normal: y}, shift: {by: [1, 0, 0], count: 2}}'
refused 'rotate needs count, or an angle other than 0' '{rotate: {axis: x}}'
refused 'is not a whole part of 360 degrees' '{rotate: {axis: x, angle: 7}}'
refused 'more than a whole turn' '{rotate: {axis: x, angle: 30, count: 13}}'
refused 'expected x, y, z, or [x, y, z]' '{rotate: {axis: w, count: 4}}'
refused "there is no block 'rotor'" '{blocks: rotor, reflect: {normal: y}}'

[ "$failures" -eq 0 ] && echo "all as expected"
exit $((failures > 0))
