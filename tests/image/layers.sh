#!/usr/bin/env bash
# Layers that cannot be drawn as requested: one clear message, the right exit code on all ranks, and
# no hang. An invisible layer gives one warning with the reason. If a config names blocks, only they
# are drawn. --resume in the middle of the particles' paths draws the same bytes.
#
#   layers.sh KARMAN DATASET MAKE_BROKEN FOLDER LAUNCHER…      (DATASET: karman-dataset)
set -u
karman=$1 dataset=$2 make_broken=$3 folder=$4
shift 4
launcher=("$@")
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder" || exit 1
failures=0 cases=0

complain() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# run ARGUMENT…: draws case.yaml; its exit code is in $got.
run() {
    timeout 300 "${launcher[@]}" "$karman" render case.yaml --threads 1 "$@" \
        </dev/null >stdout.txt 2>stderr.txt
    got=$?
}

# config FILE LAYER [MORE]: a config with one layer.
config() {
    cat >case.yaml <<TEXT
data: {file: $1.h5}
image: {width: 64, height: 48, samples: 1}
camera: {position: [9, -9, 7], look_at: [2, 2, 2], up: [0, 0, 1], fov: 60}
layers:
  - $2
output: {frames: f_%d.png}
${3:-}
TEXT
}

# refused CODE FRAGMENT FILE LAYER [MORE]: one message with the fragment, and this exit code.
refused() {
    local code=$1 fragment=$2
    shift 2
    cases=$((cases + 1))
    config "$@"
    run
    [ "$got" -eq "$code" ] || complain "$2: expected exit code $code, got $got: $(cat stderr.txt)"
    [ "$(grep -c 'karman: error: ' stderr.txt)" -eq 1 ] ||
        complain "$2: expected one message, got: $(cat stderr.txt)"
    grep -F 'karman: error: ' stderr.txt | grep -qF -- "$fragment" ||
        complain "$2: expected a message with '$fragment', got: $(cat stderr.txt)"
}

# warned FRAGMENT FILE LAYER [MORE]: draws, and one warning has the fragment.
warned() {
    local fragment=$1 count
    shift
    cases=$((cases + 1))
    config "$@"
    run
    [ "$got" -eq 0 ] || complain "$2: expected exit code 0, got $got: $(cat stderr.txt)"
    count=$(grep -F 'karman: warning: ' stderr.txt | grep -cF -- "$fragment")
    [ "$count" -eq 1 ] || complain "$2: expected '$fragment' once, got: $(cat stderr.txt)"
}

for kind in sound lost-field same-times; do
    "$make_broken" "$kind" "$kind.h5" || exit 1
done
"$dataset" two-blocks --output two.h5 >dataset.txt 2>&1 || exit 1
"$dataset" karman --size 41,21,6 --steps 4 --output street.h5 >dataset.txt 2>&1 || exit 1
seeds='seeds: [{points: [[1, 1, 1], [2, 2, 2]]}], velocity: [u, v, w]'

# Places that do not exist.
refused 2 "j = 5 lies outside of the block 'b', whose vertices go from 0 to 4" sound 'object: {j: 5}'
refused 2 "k = -5.5 lies outside of the block 'b'" sound 'contour: {field: s, k: -5.5}'
refused 2 "its two vertices may agree along one axis only" sound 'object: {from: [1, 1, 0], to: [1, 1, 3]}'
wings=('object: {block: wing, walls: true}')
if [ ${#launcher[@]} -eq 0 ]; then # ranks look for blocks alike in all layers
    wings+=('isosurface: {block: wing, field: wave, value: 0.5}'
        'contour: {block: wing, field: wave, plane: {point: [0, 1, 0.5], normal: [1, 0, 0]}}'
        'grid: {block: wing}' 'outline: {block: wing}')
fi
for layer in "${wings[@]}"; do
    refused 2 "there is no block 'wing', only first, second" two "$layer"
done
refused 2 "normal must be a direction that is not 0" sound \
    'contour: {field: s, plane: {point: [1, 1, 1], normal: [0, 0, 0]}}'

# Fields and steps that do not exist.
refused 1 "the data has no field pressure, and it cannot be derived" sound 'object: {k: 0, color_by: pressure}'
refused 1 "the data has no field velocity_x, and it cannot be derived" sound 'object: {k: 0, lic: {}}'
refused 1 "the data has no field velocity_x, and it cannot be derived" sound 'particles: {seeds: [{points: [[1, 1, 1]]}]}'
refused 1 "step 1 of file 'lost-field.h5' has no field 's'" lost-field 'isosurface: {field: s, value: 9}'
refused 1 "step 1 of file 'lost-field.h5' has no field 's'" lost-field \
    "particles: {$seeds, mode: path, color_by: s, range: [0, 1]}"
refused 1 "times that ascend" same-times "particles: {$seeds, mode: path}"

# Values; every rank reads them alike.
if [ ${#launcher[@]} -eq 0 ]; then
    refused 2 "isosurface.value must be at most 3.4e+38 away from 0" sound \
        'isosurface: {field: s, value: 1e39}'
    refused 2 "which are the same in float32" sound \
        'contour: {field: s, k: 1, levels: [1, 1.00000000001]}'
    refused 2 "unknown colour map 'virdis': did you mean 'viridis'" sound \
        'contour: {field: s, k: 1, colors: virdis}'
fi
refused 2 "none of the 1 lies in a cell of the grid" sound \
    'particles: {seeds: [{points: [[9, 9, 9]]}], velocity: [s, s, s]}'
refused 2 "choose a layer with a colour map" sound 'contour: {field: s, k: 1}
  - outline: {}' 'annotations: {scalar_bar: {layer: 1}}'

# Nothing to see.
warned "the plane does not meet the grid, which lies in x 0 to 4" sound \
    'contour: {field: s, plane: {point: [9, 0, 0], normal: [1, 0, 0]}}'
warned "the plane does not meet the block 'second'" two \
    'contour: {block: second, field: wave, plane: {point: [-1.8, 1, 0.5], normal: [1, 0, 0]}}'
warned "there are no walls" sound 'object: {walls: true}'
warned "its field takes none of the values there" sound 'isosurface: {field: s, value: 1000}'
warned "its opacity is 0" sound 'object: {k: 0, opacity: 0}'
# unwarned LAYER…: draws them in a sound file without a warning.
unwarned() {
    cases=$((cases + 1))
    config sound "$1"
    run
    [ "$got$(grep -c 'karman: warning: ' stderr.txt)" = 00 ] || complain "$1: expected no warning: $(cat stderr.txt)"
}

# At the same place.
top='plane: {point: [0, 0, 4], normal: [0, 0, 1]}'
warned "layers.0.object is hidden at step 0: layers.1.contour covers it" sound "object: {k: -1}
  - contour: {field: s, $top}"
warned "layers.0.contour is hidden at step 0: layers.2.object covers it" sound "contour: {field: s, $top}
  - object: {k: -1, opacity: 0.5}
  - object: {k: -1}"
unwarned "contour: {field: s, k: -1, style: both}
  - object: {k: -1}"
unwarned "object: {k: -1}
  - contour: {field: s, $top, opacity: 0.5}"
unwarned "object: {k: -1}
  - object: {from: [0, 0, -1], to: [2, 2, -1]}"

warned "1 of 2 lie in no cell of the grid" sound \
    'particles: {seeds: [{points: [[1, 1, 1], [9, 9, 9]]}], velocity: [s, s, s], radius: 0.3}'
warned "6 of 8 lie in no cell of the grid" sound \
    'particles: {seeds: [{box: [[1, 1, 1], [9, 9, 2]], count: [4, 2, 1]}], velocity: [s, s, s], radius: 0.3}'
unwarned 'particles: {seeds: [{box: [[1, 1, 1], [5, 3, 2]], count: [3, 1, 1]}], velocity: [s, s, s], radius: 0.3}'
warned "nothing but background" sound 'outline: {}' 'clip: [{point: [9, 0, 0], normal: [1, 0, 0]}]'

# The parts of a layer in the two blocks differ, and neither is the whole.
look='--set camera={position: [3.2, -4.5, 3.6], look_at: [0, 1, 0.5], fov: 40}'
for layer in 'isosurface: {field: wave, value: 0.5BLOCK}' \
    'contour: {field: wave, plane: {point: [0, 1, 0.5], normal: [0.2, 0.1, 1]}BLOCK}'; do
    cases=$((cases + 1))
    for block in '' ', block: first' ', block: second'; do
        config two "${layer/BLOCK/$block}"
        run "${look%% *}" "${look#* }"
        [ "$got" -eq 0 ] || complain "$layer: exit code $got: $(cat stderr.txt)"
        # Without the text, which contains the config: only sizes and checksums of the pixels'
        # chunks.
        cp f_0.png "part$block.png"
    done
    sums=$(for block in '' ', block: first' ', block: second'; do
        LC_ALL=C grep -aobF IDAT "part$block.png" | head -1 | cut -d: -f1 | {
            read -r begin
            tail -c "+$begin" "part$block.png" | cksum
        }
    done | sort -u | wc -l)
    [ "$sums" -eq 3 ] || complain "$layer: parts of blocks do not differ"
    grep -q "nothing but background" stderr.txt && complain "$layer: nothing is seen in a block"
done

# pixels PNG: a checksum of the pixels, without the text, which contains the config.
pixels() {
    [ -s "$1" ] || complain "there is no $1"
    LC_ALL=C grep -aobF IDAT "$1" | head -1 | cut -d: -f1 | {
        read -r begin
        tail -c "+$begin" "$1" | cksum
    }
}

# A hidden layer leaves the picture that a config without it draws; so does the volume, and all.
volume='volume: {field: s, range: [0, 9], opacity: [[0, 0.1], [1, 0.6]]}'
mesh='object: {k: 0, color_by: s, range: [0, 9]}'
for pair in "{$volume}
  - {$mesh, shown: false}|{$volume}" "{$volume, shown: false}
  - {$mesh}|{$mesh}"; do
    cases=$((cases + 1))
    for side in with without; do
        [ $side = with ] && config sound "${pair%|*}" || config sound "${pair#*|}"
        run
        [ "$got" -eq 0 ] || complain "$side a hidden layer: exit code $got: $(cat stderr.txt)"
        cp f_0.png "$side.png"
    done
    [ "$(pixels with.png)" = "$(pixels without.png)" ] || complain "a hidden layer is seen: $pair"
done
cases=$((cases + 1))
config sound "{$volume, shown: false}" 'annotations: {scalar_bar: true, title: nothing}'
run
[ "$got" -eq 0 ] && ! grep -q 'nothing but background' stderr.txt ||
    complain "nothing shown: exit code $got: $(cat stderr.txt)"

# Opacity by gradient: the methods agree to the last bit, a factor that does not depend on the gradient
# is one of the extinction, and wrong points are refused.
thin="$volume" && thin="${thin%\}}, opacity_by_gradient: "
for look in 'volume: {field: s, range: [0, 9], extinction: [[0, 0.1], [1, 0.9]]}|' \
    'volume: {field: s, range: [0, 9], extinction: [[0, 0.2], [1, 1.8]], opacity_by_gradient: [[3, 0.5]]}|' \
    "$thin[[0, 0.1], [3, 2]]}|1" "$thin[[0, 0.1], [3, 2]], method: auto}|2" \
    "$thin[[0, 0.1], [3, 2]], method: raycast}|3" "$volume|4"; do
    cases=$((cases + 1))
    config sound "${look%|*}"
    run
    [ "$got" -eq 0 ] || complain "$look: exit code $got: $(cat stderr.txt)"
    pixels f_0.png >>looks.txt
done
mapfile -t looks <looks.txt
[ "${looks[0]}" = "${looks[1]}" ] || complain "a constant factor is not one of the extinction"
[ "${looks[2]}" = "${looks[3]}" ] && [ "${looks[2]}" = "${looks[4]}" ] ||
    complain "opacity by gradient depends on the method"
[ "${looks[2]}" != "${looks[5]}" ] || complain "opacity by gradient changes nothing"
refused 2 "positions must ascend" sound "$thin[[2, 1], [1, 0]]}"
refused 2 "must be at least 0" sound "$thin[[0, -1]]}"
refused 2 "'planes' does not weigh opacity by the gradient" sound "$thin[[0, 1]], method: planes}"
refused 2 "must have factors of at most" sound "$thin[[0, 1e9]]}"
refused 2 "expected at most 32 entries" sound "$thin[$(printf '[%d, 1], ' $(seq 33))[40, 1]]}"
refused 2 "unknown key 'opacity_by_gradient'" sound \
    'isosurface: {field: s, value: 3, opacity_by_gradient: [[0, 1]]}'

# --resume continues with the particles at their places.
cat >case.yaml <<TEXT
data: {file: street.h5}
image: {width: 96, height: 64, samples: 1}
camera: {position: [-1.5, -12.5, 9.5], look_at: [4.6, 0.2, 1.6], up: [0, 0, 1], fov: 30}
layers:
  - particles: {seeds: [{plane: [[-1.2, -0.6, 1], [-1.2, 0.6, 1], [-1.2, -0.6, 3]], count: [7, 5]}], mode: path, every: 1, radius: 0.1, color_by: age}
  - particles: {seeds: [{line: [[2, -0.6, 1], [2, 0.6, 3]], count: 15}], mode: streak, radius: 0.1}
output: {frames: p_%d.png}
TEXT
cases=$((cases + 1))
run
mkdir before && mv p_?.png before/
cp before/p_0.png before/p_2.png .
run --resume
[ "$(grep -c 'is complete$' stdout.txt)" -eq 2 ] || complain "--resume: $(cat stdout.txt stderr.txt)"
for step in 0 1 2 3; do
    cmp "p_$step.png" "before/p_$step.png" || complain "--resume: step $step is another picture"
done

echo "$cases cases, $failures failures"
[ "$failures" -eq 0 ]
