#!/usr/bin/env bash
# Several pictures of a step from one load of the data, and databases of Cinema.
#
#   pictures.sh KARMAN SAME_PICTURES DATA_SET FOLDER LAUNCHER…
set -u
karman=$1 same=$2 data=$3 folder=$4
shift 4
launcher=("$@")
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder" || exit 1
failures=0

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# draw ARGUMENT…: draws on all ranks.
draw() {
    timeout 600 "${launcher[@]}" "$karman" render "$@" >stdout.txt 2>stderr.txt ||
        fail "exit code $? of render $*: $(cat stderr.txt)"
}

# alike A B: two pictures are the same.
alike() {
    "$same" "$1" "$2" >same.txt 2>&1 || fail "$1 and $2 differ: $(cat same.txt)"
}

# refused TEXT ARGUMENT…: one message with TEXT, and exit code 2.
refused() {
    local text=$1 got
    shift
    timeout 600 "${launcher[@]}" "$karman" render views.yaml "$@" >stdout.txt 2>stderr.txt
    got=$?
    [ "$got" -eq 2 ] || fail "render $*: expected exit code 2, got $got"
    [ "$(grep -cF -- "$text" stderr.txt)" -eq 1 ] || fail "render $*: expected '$text', got $(cat stderr.txt)"
}

cat >one.yaml <<TEXT
data: {file: $data}
image: {width: 120, height: 90, background: [1, 1, 1], samples: 1}
layers:
  - isosurface: {field: vorticity_magnitude, value: 0.6, color_by: pressure}
  - outline: {}
output: {frames: f_%02d.png}
TEXT
cp one.yaml views.yaml
cat >>views.yaml <<TEXT
pictures:
  - {name: front, camera: front}
  - {name: slice, camera: {view: top, zoom: 2}, layers: [{contour: {field: pressure, z: 2}}], image: {width: 90}}
  - {name: cloud, layers: [{volume: {field: pressure}}]}
TEXT

# Each picture of each step is that of a config of its own.
draw views.yaml
[ "$(echo f_*.png | wc -w)" -eq 18 ] || fail "expected 18 pictures: $(echo f_*.png)"
draw one.yaml --view front --set output.frames=s_%02d.png
for step in 0 3 5; do alike "f_front_0$step.png" "s_0$step.png"; done
draw one.yaml --view top --zoom 2 --set output.frames=s_%02d.png --set image.width=90 \
    --set 'layers=[{contour: {field: pressure, z: 2}}]'
for step in 0 3 5; do alike "f_slice_0$step.png" "s_0$step.png"; done
draw one.yaml --set output.frames=s_%02d.png --set 'layers=[{volume: {field: pressure}}]'
for step in 0 3 5; do alike "f_cloud_0$step.png" "s_0$step.png"; done
rm f_slice_03.png
draw views.yaml --resume
[ "$(grep -c 'is complete$' stdout.txt)" -eq 17 ] || fail "--resume: expected 17 complete pictures: $(cat stdout.txt)"
mkdir part
draw views.yaml --frames 1-5/2:1 --set output.frames=part/f_%02d.png
[ "$(cd part && echo *)" = "f_cloud_02.png f_cloud_04.png f_front_02.png f_front_04.png f_slice_02.png f_slice_04.png" ] ||
    fail "--frames 1-5/2:1 drew $(cd part && echo *)"
alike part/f_slice_04.png f_slice_04.png

# Databases of Cinema: the folder has the pictures, and a table with a row for each.
draw views.yaml --set data.steps=last --orbit 2 --set output.frames=null --set output.cinema=views.cdb
cat >expected.csv <<TEXT
step,time,picture,phi,FILE
5,4.16666666667,front,0,front_000000.png
5,4.16666666667,front,180,front_000001.png
5,4.16666666667,slice,0,slice_000000.png
5,4.16666666667,slice,180,slice_000001.png
5,4.16666666667,cloud,0,cloud_000000.png
5,4.16666666667,cloud,180,cloud_000001.png
TEXT
diff expected.csv views.cdb/data.csv || fail "views.cdb/data.csv is another one"
[ "$(find views.cdb -name '*.png' | wc -l)" -eq 6 ] || fail "expected 6 pictures in views.cdb: $(ls views.cdb)"
draw one.yaml --set data.steps=last --view front --set output.frames=last.png
alike views.cdb/front_000000.png last.png
draw one.yaml --set output.frames=null --set output.cinema=steps.cdb \
    --set 'keys={clip: [[0, [{point: [0, 0, 0], normal: [1, 0, 0]}]], [5, [{point: [2, 0, 0], normal: [1, 0, 0]}]]], layers.0.isosurface.value: [[0, 0.5], [5, 1]]}'
[ "$(tail -1 steps.cdb/data.csv | cut -d, -f1,2)" = 5,4.16666666667 ] || fail "steps.cdb: $(cat steps.cdb/data.csv)"
[ "$(head -1 steps.cdb/data.csv)" = "step,time,layers.0.isosurface.value,FILE" ] || fail "steps.cdb: $(head -1 steps.cdb/data.csv)"

refused "pictures.0 needs a name" --set 'pictures=[{camera: front}]'
refused "pictures.1.name is that of picture 0" --set 'pictures=[{name: a}, {name: a}]'
refused "pictures.0: partition is that of all pictures" --set 'pictures=[{name: a, partition: screen}]'
refused "pictures.0: camra is no key" --set 'pictures=[{name: a, camra: front}]'
refused "leave output.frames out" --set output.cinema=x.cdb
refused "is a film of one picture" --set output.movie=x.apng
echo "$failures failures"
[ "$failures" -eq 0 ]
