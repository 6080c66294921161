#!/usr/bin/env bash
# Missing values are not drawn. One warning has their number, field, blocks and step, the same on
# any number of ranks. Another message reports a field without values. Text chunks of pictures have
# the range of the drawn field.
#
#   missing.sh KARMAN DATASET MAKE_MISSING FOLDER LAUNCHER…      (DATASET: karman-dataset)
set -u
karman=$1 dataset=$2 make_missing=$3 folder=$4
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

# config FILE STEPS LAYER: a config with one layer.
config() {
    cat >case.yaml <<TEXT
data: {file: $1.h5, steps: $2}
image: {width: 64, height: 48, samples: 1}
camera: {position: [9, -30, 17], look_at: [9, 6, 2], up: [0, 0, 1], fov: 40}
layers:
  - $3
output: {frames: f_%d.png}
TEXT
}

# draws ARGUMENT…: draws case.yaml; warnings are in warnings.txt.
draws() {
    timeout 300 "${launcher[@]}" "$karman" render case.yaml --threads 1 "$@" \
        </dev/null >stdout.txt 2>stderr.txt ||
        complain "render $*: exit code $?: $(cat stderr.txt)"
    grep -F 'karman: warning: ' stderr.txt | sed 's/^karman: warning: //' >warnings.txt
}

# warned WHAT EXPECTED…: the warnings are these, a line each.
warned() {
    local what=$1
    shift
    printf '%s\n' "$@" | sed '/^$/d' >expected.txt
    cmp -s expected.txt warnings.txt ||
        complain "$what: expected the warnings '$(cat expected.txt)', got '$(cat warnings.txt)'"
}

# says PICTURE KEYWORD TEXT: checks a text chunk, whose length must be that of its text.
says() {
    local got
    got=$(tr '\0' '\n' <"$1" | grep -a -A 1 "tEXt$2\$" | sed -n 2p | head -c ${#3})
    [ "$got" = "$3" ] || complain "$1: expected '$2' '$3', got '$got'"
}

where=': volumes are transparent there, surfaces have their nan_color'
volume='colors: viridis, opacity: [[0, 0.2], [1, 0.5]]'
"$make_missing" missing.h5 0 || exit 1
"$dataset" nan-field --output nan-field.h5 >dataset.txt 2>&1 || exit 1

# A file of several steps: a warning for the first step with missing values, and one for a step
# without any value.
config missing '[0, 2]' "volume: {field: p, range: [0, 1], $volume}"
draws
warned "steps" "the field 'p' is missing at 36 vertices of block 'a' at step 1$where" \
    "the field 'p' has no finite value at step 2: nothing of it can be drawn"
says f_1.png 'karman range' '0 1'

# Files as they appear: one warning for all of them.
mkdir run
cp missing.h5 run/out_0.h5
"$make_missing" run/out_1.h5 3 || exit 1
touch run/stop
draws --follow run --set data.steps=all
warned "follow" "the field 'p' is missing at 36 vertices of block 'a' at step 1$where" \
    "the field 'p' has no finite value at step 2: nothing of it can be drawn"
[ -s f_5.png ] || complain "follow: expected six pictures, got: $(cat stdout.txt)"

# The same count for all layers of a field, on any distribution of ranks.
config missing 1 "volume: {field: p, range: auto, $volume}"
some="the field 'p' is missing at 36 vertices of block 'a' at step 1$where"
draws --set partition=screen
warned "screen" "$some"
says f_1.png 'karman range' '0 1'
draws --set layers.0.volume.interpolation=trilinear --set 'partition={kind: object, balance: cost}'
warned "trilinear" "$some"
config missing 1 'isosurface: {field: p, value: 0.25, color_by: packed}'
draws
warned "isosurface" "$some" \
    "the field 'packed' is missing at 72 vertices of the blocks 'a', 'b' at step 1$where"
says f_1.png 'karman field' 'packed'
says f_1.png 'karman range' '0 1'

# Fills of the config, and numbers beyond float32.
config missing 0 "contour: {field: raw, plane: {point: [0, 0, 2.5], normal: [0, 0, 1]}}"
draws --set data.fill=-999
warned "data.fill" "the field 'raw' is missing at 72 vertices of block 'b' at step 0$where"
says f_0.png 'karman field' 'raw'
says f_0.png 'karman range' '0 1'
draws
warned "no data.fill" "the field 'raw' is missing at 36 vertices of block 'b' at step 0$where"
says f_0.png 'karman range' '-999 1'
draws --set 'data.fill=[-999, 0, 2]'
warned "a list" "the field 'raw' is missing at 144 vertices of the blocks 'a', 'b' at step 0$where"

# Pictures without a volume name their field; those without a field say that there is none.
config missing 0 'isosurface: {field: p, values: [0.25, 0.75], color: [1, 0, 0]}'
draws
says f_0.png 'karman field' 'p'
says f_0.png 'karman range' '0.25 0.75'
says f_0.png 'karman frame' 'step 0, time 0, range 0.25 0.75, colours '
config missing 0 'contour: {field: p, k: 2, style: lines, levels: [0.25, 0.5], color: [1, 0, 0]}'
draws
says f_0.png 'karman range' '0.25 0.5'
config missing 0 'object: {k: 0, color_by: packed, range: [-1, 2]}'
draws
says f_0.png 'karman field' 'packed'
says f_0.png 'karman range' '-1 2'
config missing 0 'object: {k: 0}'
draws
warned "an object" ''
says f_0.png 'karman field' 'none'
says f_0.png 'karman range' 'none'

# Nothing is visible because values are missing: the layer says so, and no warning blames the
# camera.
config missing 2 'isosurface: {field: p, value: 0.25, color: [1, 1, 1]}'
draws
warned "no value" "the field 'p' has no finite value at step 2: nothing of it can be drawn" \
    "case.yaml:5: layers.0.isosurface shows nothing at step 2: its field has no finite value there"

# No range can be found without values: the sentence names the field.
config missing 2 "volume: {field: p, range: auto, $volume}"
timeout 300 "${launcher[@]}" "$karman" render case.yaml </dev/null >stdout.txt 2>stderr.txt &&
    complain "a range of nothing is found"
grep -qF "the field 'p' of 'missing.h5' has no finite value" stderr.txt ||
    complain "a range of nothing: expected the field's name, got: $(cat stderr.txt)"

# In cells.
config nan-field 0 "volume: {field: cell_broken, range: [0, 1], $volume}"
draws
warned "cells" "the field 'cell_broken' is missing in 250 cells of block 'box' at step 0$where"

"$karman" info missing.h5 >stdout.txt 2>&1
grep -q 'p  *at vertices, missing -999 ' stdout.txt &&
    grep -q 'packed  *at vertices, missing -32768, packed x 0.00526315789 + 0.5  0 to 1 ' stdout.txt ||
    complain "info: expected fills and packing, got: $(cat stdout.txt)"

[ "$failures" -eq 0 ] && echo "all as expected"
exit $((failures > 0))
