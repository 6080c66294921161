#!/usr/bin/env bash
# Hard grids as users meet them. The last line of render says that no ray was lost. A grid of two
# dimensions is refused with one clear sentence and exit code 1.
#
#   hard.sh KARMAN DATA_FOLDER OUT_FOLDER LAUNCHER…
set -u
karman=$1 data=$2 out=$3/cli
shift 3
launcher=("$@")
rm -rf "$out"
mkdir -p "$out"
cd "$out" || exit 1
failures=0

complain() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# run NAME FIELD POSITION LOOK_AT: renders; output in stdout.txt and stderr.txt.
run() {
    cat >"$1.yaml" <<TEXT
data: {file: '$data/$1.h5', steps: 0}
image: {width: 40, height: 30, samples: 1}
camera: {position: $3, look_at: $4, fov: 45}
layers:
  - volume: {field: $2, range: [0, 1], colors: viridis, opacity: [[0, 0.02], [1, 0.05]]}
output: {frames: '$1.png'}
TEXT
    timeout 300 "${launcher[@]}" "$karman" render "$1.yaml" >stdout.txt 2>stderr.txt
}

expect_done() {
    local code
    run "$@"
    code=$?
    [ "$code" -eq 0 ] || complain "$1: expected exit code 0, got $code: $(cat stderr.txt)"
    tail -n 1 stdout.txt | grep -q ', 0 lost rays, last picture ' ||
        complain "$1: expected '0 lost rays' on the last line, got: $(cat stdout.txt stderr.txt)"
    [ -s "$1.png" ] || complain "$1: there is no picture"
}

expect_done ball wave '[2, -3, 1]' '[0, 0, 0]'
expect_done c-grid cell_wave '[2, -6, 6]' '[1, 0, 0.5]'
expect_done o-grid wave '[2, -4, 4]' '[0, 0, 0.5]'
expect_done orientations wave '[2, -4, 2]' '[0, 0, 0]'
expect_done wall speed '[0.5, 1, 2]' '[0.5, 0.2, 0.2]'
expect_done far wave '[1000002, -1000003, 1000002]' '[1e6, -1e6, 1e6]'
expect_done inverted wave '[2, -4, 2]' '[0, 0, 0]'
expect_done mismatched wave '[2, -2, 3]' '[0.9, 0.9, 0.5]'
expect_done overset wave '[2, -4, 4]' '[0, 0, 0.5]'
expect_done nan-field broken '[2, -4, 2]' '[0, 0, 0]'
grep -q 'cells without a number' <(cat stdout.txt stderr.txt) ||
    complain "nan-field: the last line does not count cells without a number"
run flat wave '[2, -4, 2]' '[0, 0, 0]'
grep -q 'two dimensions, in which this shows nothing: take contour: {field: wave, k: 0}' stderr.txt ||
    complain "flat: a volume of a sheet is not refused: $(cat stdout.txt stderr.txt)"

[ "$failures" -eq 0 ] && echo "all as expected"
exit $((failures > 0))
