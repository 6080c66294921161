#!/usr/bin/env bash
# Two data sets: differences on one grid, and side by side.
#
#   beside.sh KARMAN SAME_PICTURES MAKE_DATA KARMAN_DATASET PYTHON FOLDER LAUNCHER…
set -u
karman=$1 same=$2 make=$3 dataset=$4 python=$5 folder=$6
shift 6
launcher=("$@")
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder" || exit 1
failures=0

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# run ARGUMENT…: runs karman on all ranks.
run() {
    timeout 300 "${launcher[@]}" "$karman" "$@" >stdout.txt 2>stderr.txt ||
        fail "exit code $? of $*: $(cat stderr.txt)"
}

# refused CODE TEXT ARGUMENT…: one message with TEXT, and an exit code.
refused() {
    local code=$1 text=$2 got
    shift 2
    timeout 300 "${launcher[@]}" "$karman" "$@" >stdout.txt 2>stderr.txt
    got=$?
    [ "$got" -eq "$code" ] || fail "$*: expected exit code $code, got $got"
    [ "$(grep -cF -- "$text" stderr.txt)" -eq 1 ] || fail "$*: expected '$text', got $(cat stderr.txt)"
}

# printed TEXT: the last command printed it.
printed() {
    grep -qF -- "$1" stdout.txt || fail "expected '$1', got $(cat stdout.txt)"
}

# Of b.h5 the pressure is less by half of x, and velocity_x 1.25 times as large; c.h5 has another y, d.h5 other sizes;
# e.h5 has steps 10 to 13 with the times of b.h5, and no velocity_z; f.h5
# has steps 20 and 21 of other times. g.h5 has another grid.
"$python" -c "import h5py" 2>/dev/null || exit 77
"$python" "$make" "$dataset" . || exit 1

# ---- Differences ----

cat >d.yaml <<TEXT
data: {file: a.h5, other: {file: b.h5}, steps: last}
image: {width: 200, height: 160}
derive: {d: "pressure - other(pressure)", r: "velocity_x / other(velocity_x)"}
layers: [{contour: {field: d, k: 4}}]
annotations: {}
output: {frames: d.png}
TEXT
run probe d.yaml --at 3,1,2 --fields d,r,mach2 --derive "mach2=other(x) - x"
printed ",1.5,0.8"
run probe a.h5 --at 3,1,2 --set data.other=e.h5 --fields "pressure - other(pressure)" --steps all
[ "$(grep -c ',1\.5' stdout.txt)" -eq 4 ] || fail "steps by time: $(cat stdout.txt)"
grep -qF "step 0 of 'a.h5' stands beside step 10 of 'e.h5', which has the same time" stderr.txt || fail "no note of steps: $(cat stderr.txt)"
run probe a.h5 --at 3,1,2 --set data.other.step=0 --fields "pressure - other(pressure)" --steps 0
printed ",cylinder" && [ "$(tail -1 stdout.txt | sed 's/.*,//')" = 0 ] || fail "a step less itself: $(cat stdout.txt)"
# Derivatives of derivatives and means: x / 2 has no second derivative, and other(mean()) is that of the steps beside.
cat >rows.py <<TEXT
import csv, sys
rows = list(csv.DictReader(open('stdout.txt')))
names = list(rows[0])[-(len(sys.argv) - 1):]
for row in rows:
    for name, wanted in zip(names, sys.argv[1:]):
        assert abs(float(row[name]) - float(wanted)) < 2e-4, (name, wanted, row)
TEXT
for other in b.h5 e.h5; do
    run probe a.h5 --at 3,1,2 --set "data.other=$other" --steps all --derive "dd=grad(mag(grad(pressure - other(pressure)))).x" \
        --derive "l=grad(vorticity_z).x - grad(grad(velocity_y).x).x + grad(grad(other(velocity_x) / 1.25).y).x" \
        --derive "m=mean(pressure) - other(mean(pressure))" --derive "n=mean(pressure - other(pressure))" \
        --derive "r=mean(velocity_x) / mean(other(velocity_x))" --derive "t=other(mean(time)) - mean(time) + other(time) - time" \
        --fields dd,l,m,n,r,t
    "$python" rows.py 0 0 1.5 1.5 0.8 0 || fail "made fields beside $other"
done
run integrate d.yaml --fields d,x --steps 0
"$python" -c "
import csv
row = list(csv.DictReader(open('stdout.txt')))[0]
assert abs(2 * float(row['integral(d)']) / float(row['integral(x)']) - 1) < 1e-6, row" || fail "the integral of a difference"

# Ranges of differences have 0 in the middle, and colours on both sides of it.
run render d.yaml --print-config
grep -qE "range: \[-([0-9.]+), \1\]" stdout.txt || fail "no symmetric range: $(cat stdout.txt)"
grep -qF "cool-to-warm" stdout.txt || fail "no diverging colours: $(cat stdout.txt)"
run render a.h5 --minus b.h5 --field pressure --print-config
printed 'pressure_difference'
printed 'pressure - other(pressure)'
run render a.h5 --minus b.h5 --set 'layers=[{contour: {field: pressure, k: 4}}]' --set image.width=64 --set annotations={} -o same.png
grep -qF "changes nothing here: all layers name their fields" stderr.txt || fail "nothing says that --minus changes nothing: $(cat stderr.txt)"
run render d.yaml --quiet
grep -qF "changes nothing" stderr.txt && fail "a difference is said to change nothing"
timeout 300 "$karman" render d.yaml --quiet --set output.frames=one.png >stdout.txt 2>stderr.txt
cmp d.png one.png || fail "the picture is another than on one rank"

refused 1 "y of vertex 5, 4, 3 of block 'cylinder' is" render d.yaml --set data.other=c.h5
refused 1 "a difference takes the same grid" render d.yaml --set data.other=d.h5
refused 2 "has no step 9" render d.yaml --set data.other.step=9
refused 1 "data.other: " render d.yaml --set data.other=missing.h5
refused 2 "there are no other data" render d.yaml --set data.other=null
refused 2 "the other data lack this field" probe a.h5 --at 3,1,2 --set data.other=e.h5 --fields "other(velocity_z)"
refused 2 "no step of 'f.h5' has the number or the time" render a.h5 --minus f.h5

# ---- Side by side ----

# half.py PICTURE PART: the left or right half of a picture, or all of it, as lines of bytes.
cat >half.py <<'PYTHON'
import struct, sys, zlib

data, at, stream = open(sys.argv[1], "rb").read(), 8, b""
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
first, last = {"left": (0, step // 2), "right": (step // 2, step), "all": (0, step)}[sys.argv[2]]
sys.stdout.write("\n".join(row[first:last].hex() for row in rows))
PYTHON

# same_half PICTURE SIDE PICTURE SIDE: these parts of two pictures are the same.
same_half() {
    "$python" half.py "$1" "$2" >mine.txt && "$python" half.py "$3" "$4" >its.txt || fail "$1 or $3 is no picture"
    cmp mine.txt its.txt >/dev/null || fail "the part '$2' of $1 is another than '$4' of $3"
}

cat >s.yaml <<TEXT
data: {file: a.h5, steps: last}
image: {width: 240, height: 90, samples: 1}
layers: [{contour: {field: pressure, k: 3}}, {outline: {}}]
pictures: [{name: l, place: [0, 0, 0.5, 1]}, {name: r, place: [0.5, 0, 0.5, 1], data: g.h5}]
annotations: {scalar_bar: true}
output: {frames: s.png}
TEXT
run render s.yaml
[ "$(grep -c '^frame ' stdout.txt)" -eq 1 ] || fail "expected one frame: $(cat stdout.txt)"
timeout 300 "$karman" render s.yaml --quiet --set output.frames=one.png >stdout.txt 2>stderr.txt
cmp s.png one.png || fail "two data sets are another picture than on one rank"

# One range and one camera for both, whichever comes first; those of each alone are others.
run render s.yaml --quiet --set data.file=g.h5 --set pictures.1.data=a.h5 --set output.frames=swapped.png
same_half s.png left swapped.png right
same_half s.png right swapped.png left
run render s.yaml --quiet --set pictures=null --set image.width=120 --set output.frames=alone.png
"$python" half.py s.png left >mine.txt && "$python" half.py alone.png all >its.txt
cmp -s mine.txt its.txt && fail "the first picture does not show the range of both"

# With a range and a camera each cell is the picture of its own data.
look=(--set 'layers.0.contour.range=[-1, 2]' --set 'camera={position: [9, -19, 12], look_at: [8, 0, 2]}')
run render s.yaml --quiet "${look[@]}"
for side in left right; do
    run render s.yaml --quiet "${look[@]}" --set pictures=null --set image.width=120 --set output.frames=alone.png \
        --set "data.file=$([ $side = left ] && echo a.h5 || echo g.h5)"
    same_half s.png $side alone.png all
done
# Keys of a cell are its own; data with a step of their own, and data with the same steps by another number.
run render s.yaml --quiet --set 'pictures.1.data={steps: 0}' --set output.frames=s_%d.png --set data.steps=all
run render s.yaml --quiet "${look[@]}" --set 'pictures.1.data=e.h5' --set output.frames=t_%d.png --set data.steps=all
for step in 0 1 2 3; do same_half s_$step.png right s_0.png left; done
[ "$(echo t_?.png)" = "t_0.png t_1.png t_2.png t_3.png" ] || fail "frames beside e.h5: $(echo t_?.png)"
run render s.yaml --quiet "${look[@]}" --set 'pictures.1.data={file: e.h5, steps: 11}' --set output.frames=u.png --set data.steps=0
grep -qF "step 0 (time 0) of 'a.h5' stands beside step 11" stderr.txt || fail "no note of another time: $(cat stderr.txt)"
same_half u.png left t_0.png left
same_half u.png right t_1.png right
run render s.yaml --quiet "${look[@]}" --orbit 4 --frames 1 --set output.frames=o_%d.png
run render s.yaml --quiet "${look[@]}" --azimuth 90 --set pictures=null --set image.width=120 --set data.file=g.h5 --set output.frames=alone.png
same_half o_1.png right alone.png all

# Without a config: the same layers, and the config that is printed draws the same picture.
run render a.h5 g.h5 --slice k=3 --field pressure --set image.width=320 --set image.height=100
sed '/^a.h5: /,$d' stdout.txt >again.yaml
run render again.yaml --quiet --set output.frames=again.png
"$same" a-g.png again.png || fail "the printed config draws another picture"
cp a.h5 a2.h5
run render a.h5 a2.h5 --quiet --set image.width=320 --set image.height=100 --set annotations.title=same \
    --set pictures.0.annotations=null --set pictures.1.annotations=null
same_half a-a2.png left a-a2.png right

refused 1 "file 'missing.h5' cannot be opened" render a.h5 missing.h5
refused 2 "s.yaml holds no data" render a.h5 s.yaml
refused 1 "the data are those of 'e.h5'" render a.h5 e.h5
refused 2 "2 steps of 'f.h5' and 4 of 'a.h5' have no times in common" render s.yaml --set data.steps=all \
    --set 'pictures.1.data=f.h5' --set output.frames=s_%d.png
refused 2 "unknown key 'fil' in data" render s.yaml --set 'pictures.1.data={fil: g.h5}'
ln -sf g.h5 g.png
refused 2 "would overwrite g.h5, which is read" render s.yaml --set output.frames=g.png
echo "$failures failures"
[ "$failures" -eq 0 ]
