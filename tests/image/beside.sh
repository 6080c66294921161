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
# has steps 20 and 21 of other times.
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

#BESIDE
echo "$failures failures"
[ "$failures" -eq 0 ]
