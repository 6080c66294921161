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

# A first picture with layers of its own needs none of all pictures.
sed '/^layers/,/outline/d; s/f_%02d/own/' one.yaml >bare.yaml
for layer in 'volume: {field: pressure}' 'contour: {field: pressure, z: 2}'; do
    (cat bare.yaml && echo "pictures: [{name: a, layers: [{$layer}]}]") >own.yaml
    draw own.yaml --set data.steps=last
    draw bare.yaml --set data.steps=last --set "layers=[{$layer}]" --set output.frames=alone.png
    alike own_a.png alone.png
done

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

# Cells of one picture: side by side, and an inset over both.
cat >cut.py <<'PYTHON'
import sys, zlib, struct
def read(path):
    data, at, stream = open(path, "rb").read(), 8, b""
    while at < len(data):
        size, name = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if name == b"IHDR":
            width, height, bits, kind = struct.unpack(">IIBB", body[:10])
            assert (bits, kind) == (8, 2)
        stream += body if name == b"IDAT" else b""
        at += 12 + size
    raw, rows, step = zlib.decompress(stream), [], 3 * width
    for n in range(height):
        kind, line = raw[n * (step + 1)], bytearray(raw[n * (step + 1) + 1:(n + 1) * (step + 1)])
        up = rows[-1] if rows else bytes(step)
        for i in range(step):
            a, b, c = line[i - 3] if i > 2 else 0, up[i], up[i - 3] if i > 2 else 0
            p = a + b - c
            best = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            line[i] = (line[i] + (0, a, b, (a + b) // 2, best)[kind]) & 255
        rows.append(bytes(line))
    return rows
whole, part, x, y = read(sys.argv[1]), read(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
skip = int(sys.argv[5]) if len(sys.argv) > 5 else 0  # the last rows, which an inset covers
for n, row in enumerate(part[:len(part) - skip]):
    assert whole[y + n][3 * x:3 * x + len(row)] == row, "row %d of %s" % (n, sys.argv[2])
PYTHON
cells='pictures=[{name: left, place: [0, 0, 0.5, 1], camera: front}, {name: right, place: [0.5, 0, 0.5, 1],
    layers: [{contour: {field: pressure, z: 2}}], camera: top}, {name: inset, place: [0.4, 0, 0.2, 0.3], camera: iso}]'
draw one.yaml --set data.steps=last --set image.width=200 --orbit 2 --set "$cells" --set output.frames=c_%02d.png \
    --set output.movie=cells.apng
[ "$(echo c_*.png)" = "c_00.png c_01.png" ] || fail "expected 2 pictures of cells: $(echo c_*.png)"
[ -e cells.apng ] || fail "there is no film of cells"
draw one.yaml --set data.steps=last --view front --set image.width=100 --set output.frames=left.png
draw one.yaml --set data.steps=last --view top --set image.width=100 --set output.frames=right.png \
    --set 'layers=[{contour: {field: pressure, z: 2}}]'
draw one.yaml --set data.steps=last --view iso --set image.width=40 --set image.height=27 --set output.frames=inset.png
python3 cut.py c_00.png left.png 0 0 27 || fail "the left cell is another picture"
python3 cut.py c_00.png right.png 100 0 27 || fail "the right cell is another picture"
python3 cut.py c_00.png inset.png 80 63 || fail "the inset is another picture"

refused "pictures.0.place: give x, y, width and height" --set 'pictures=[{name: a, place: [0.5, 0, 0.6, 1]}]'
refused "'pictures' have places in one" --set "$cells" --set output.float=f_%d.h5
refused "pictures.0 needs a name" --set 'pictures=[{camera: front}]'
refused "pictures.1.name is that of picture 0" --set 'pictures=[{name: a}, {name: a}]'
refused "pictures.0: partition is that of all pictures" --set 'pictures=[{name: a, partition: screen}]'
refused "pictures.0: camra is no key" --set 'pictures=[{name: a, camra: front}]'
refused "leave output.frames out" --set output.cinema=x.cdb
refused "is a film of one picture" --set output.movie=x.apng
echo "$failures failures"
[ "$failures" -eq 0 ]
