#!/usr/bin/env bash
# Partition by parts of the picture: whole series, small and empty pictures, limits of memory.
#
#   screen.sh KARMAN DATA PLATE FOLDER MPIEXEC RANKS
#
# DATA: a karman grid of six steps; PLATE: a boundary-layer grid.
set -u
karman=$1 data=$2 plate=$3 folder=$4 mpiexec=$5 ranks=$6
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder" || exit 1
failures=0

complain() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# draw RANKS NAME [KEY=VALUE…]: renders case.yaml into NAME; the exit code is karman's.
draw() {
    local count=$1 name=$2 arguments=()
    shift 2
    for assignment in "output.frames=$name/f_%04d.png" "$@"; do
        arguments+=(--set "$assignment")
    done
    local launcher=()
    [ "$count" -eq 1 ] || launcher=("$mpiexec" -n "$count")
    timeout 300 "${launcher[@]}" "$karman" render case.yaml "${arguments[@]}" \
        >stdout.txt 2>stderr.txt
}

# same NAME [KEY=VALUE…]: one rank and all ranks must write the same bytes.
same() {
    local name=$1
    shift
    draw 1 "$name-1" "$@" || complain "$name on one rank: $(cat stderr.txt)"
    draw "$ranks" "$name-n" "$@" || complain "$name: $(cat stderr.txt)"
    [ "$(find "$name-1" -name '*.png' | wc -l)" -gt 0 ] || complain "$name: no pictures"
    for picture in "$name"-1/*.png; do
        cmp "$picture" "$name-n/${picture##*/}" || complain "$name: ranks change the picture"
    done
}

# refuse FRAGMENT [KEY=VALUE…]: all ranks must fail with one message.
refuse() {
    local fragment=$1
    shift
    draw "$ranks" refused "$@"
    [ $? -eq 2 ] || complain "expected exit code 2 for '$fragment': $(cat stderr.txt)"
    [ "$(grep -c 'karman: error: ' stderr.txt)" -eq 1 ] ||
        complain "expected one message: $(cat stderr.txt)"
    grep -qF -- "$fragment" stderr.txt ||
        complain "expected a message with '$fragment', got: $(cat stderr.txt)"
    [ -z "$(find . -path './refused/*')" ] || complain "'$fragment': something was left behind"
}

# Most of the field is clear, so that rectangles move after the first picture.
cat >case.yaml <<TEXT
data: {file: $data, steps: [0, 2, 4]}
image: {width: 120, height: 90, samples: 1, background: [0.1, 0.2, 0.3]}
camera: {position: [0, -28, 13], look_at: [5, 0, 1.5], up: [0, 0, 1], fov: 40}
layers:
  - volume: {field: vorticity_magnitude, range: auto, colors: viridis, unit_length: 3,
             opacity: [[0, 0], [0.3, 0], [0.5, 0.8], [1, 0.9]]}
  - isosurface: {field: q_criterion, value: 0.2, opacity: 0.5}
  - contour: {field: pressure, k: 0, levels: 8, opacity: 0.5}
  - particles: {seeds: [{line: [[-1.5, -1, 1], [-1.5, 1, 2]], count: 5}], mode: streak,
                radius: 0.1}
partition: screen
output: {frames: f_%04d.png}
TEXT

same cost
grep -q 'draw nothing' stderr.txt && complain "expected all ranks to draw: $(cat stderr.txt)"
same area 'partition={kind: screen, balance: area}'
same tiny image.width=20 image.height=18
same pixel image.width=1 image.height=1
[ "$(grep -c "$((ranks - 1)) of $ranks ranks draw nothing of 1 x 1 pixels" stderr.txt)" -eq 1 ] ||
    complain "expected one warning of idle ranks, got: $(cat stderr.txt)"
same flat image.width=300 image.height=1
same clear 'layers=[{contour: {field: pressure, k: 0, levels: 8}}]'

# A camera that looks away from the grid.
same away 'camera.look_at=[0, -60, 13]' 'layers.3.particles.radius=0.01' data.steps=0
grep -q 'shows nothing but background' stderr.txt ||
    complain "expected a warning, got: $(cat stderr.txt)"

# The memory that a rank would need, and the number of ranks that would suffice.
refuse 'no number of ranks up to 4096' 'memory=1 KiB'
refuse 'no number of ranks up to 4096' 'memory=1 KiB' partition=object
cat >case.yaml <<TEXT
data: {file: $plate}
image: {width: 320, height: 128, samples: 1}
camera: {position: [0.5, 0.5, 10], look_at: [0.5, 0.5, 0], up: [0, 1, 0],
         projection: orthographic, height: 1.3}
layers:
  - volume: {field: velocity_magnitude, opacity: [[0, 0.1], [1, 0.5]]}
output: {frames: f_%04d.png}
TEXT
for partition in screen object; do
    # One rank needs about half a MiB.
    draw 1 fits "partition=$partition" 'memory=1 MiB' ||
        complain "memory that is there: $(cat stderr.txt)"
    draw 1 limited "partition=$partition" 'memory=340 KiB' &&
        complain "$partition: one rank fits into less than it takes"
    wanted=$(sed -n 's/.*use about \([0-9]*\) ranks, not 1.*/\1/p' stderr.txt)
    [ "${wanted:-0}" -ge 2 ] || complain "expected a number of ranks: $(cat stderr.txt)"
    draw "${wanted:-2}" limited "partition=$partition" 'memory=340 KiB' ||
        complain "$partition: $wanted ranks do not do: $(cat stderr.txt)"
done

[ "$failures" -eq 0 ] || exit 1
echo "parts of the picture: all is well on $ranks ranks"
