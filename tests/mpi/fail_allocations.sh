#!/usr/bin/env bash
# If any allocation fails on any rank, all ranks end with one message, and none hangs.
#
#   fail_allocations.sh KARMAN MAKE_DATA_SET FOLDER STRIDE MPIEXEC [later]
#
# KARMAN is linked with fail_allocation.c. Every STRIDE-th allocation fails. STRIDE is odd, so that
# two ranks take turns. With `later`, bricks are loaded when they become visible.
set -u
karman=$1 make_data_set=$2 folder=$3 stride=$4 mpiexec=$5 mode=${6:-}
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder" || exit 1
if [ "$mode" = later ]; then
    size=49,33,4 steps=3 field='pressure, range: [-1.6, 0.5]' opacity='[[0, 0.9], [0.59, 0]]'
    output='frames: f_%d.png'
else
    size=9,5,4 steps=2 field='q_criterion, range: auto' opacity='[[0, 0.2], [1, 0.5]]'
    output='frames: f_%d.png, float: f_%d.h5'
fi
"$make_data_set" karman --size $size --steps $steps --output data.h5 || exit 1
cat >config.yaml <<TEXT
data: {file: data.h5}
image: {width: 16, height: 12}
camera: {position: [9, -9, 7], look_at: [3, 0, 2], up: [0, 0, 1], fov: 60}
layers:
  - volume: {field: $field, colors: viridis, opacity: $opacity}
output: {$output, timings: timings.json}
TEXT

# Stops after the last allocation of both ranks. Some may fail without harm.
failures=0 number=0 succeeded=0
while [ "$succeeded" -lt 4 ] && [ "$failures" -lt 5 ]; do
    number=$((number + stride))
    KARMAN_FAIL_RANK=$((number % 2)) KARMAN_FAIL_ALLOCATION=$number \
        timeout 300 "$mpiexec" -n 2 "$karman" render --quiet config.yaml >log.txt 2>&1
    code=$?
    if [ "$code" -eq 0 ]; then
        succeeded=$((succeeded + 1))
        continue
    fi
    succeeded=0
    if [ "$code" -ne 1 ] || [ "$(grep -c 'karman: error: .*not enough memory' log.txt)" -ne 1 ] ||
        [ -n "$(find . -name '*.tmp')" ]; then
        echo "FAILED: allocation $number of rank $((number % 2)): exit code $code: $(cat log.txt)"
        failures=$((failures + 1))
    fi
done
echo "$number allocations, every $stride-th failed, $failures failures"
if [ "$mode" = later ]; then
    loaded=$(sed -n 's/.*"bricks_loaded": \([0-9][0-9]*\),*$/\1/p' timings.json | sort -n | uniq | wc -l)
    [ "$loaded" -eq 2 ] || { echo "FAILED: no brick came with a later step"; exit 1; }
fi
[ "$failures" -eq 0 ] && [ "$number" -gt 50 ]
