#!/usr/bin/env bash
# If any allocation for a page fails, on any rank, all ranks end with one message, and no page remains.
#
#   fail_pages.sh KARMAN MAKE_DATA_SET FOLDER STRIDE MPIEXEC
#
# KARMAN is linked with fail_allocation.c. Of karman render every STRIDE-th allocation fails, of the others all.
# STRIDE is odd, so that two ranks take turns.
set -u
karman=$1 make_data_set=$2 folder=$3 stride=$4 mpiexec=$5
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder" || exit 1
"$make_data_set" karman --size 9,5,4 --steps 1 --output data.h5 || exit 1
cat >config.yaml <<TEXT
data: {file: data.h5}
image: {width: 16, height: 12}
camera: {position: [9, -9, 7], look_at: [3, 0, 2], up: [0, 0, 1], fov: 60}
layers:
  - volume: {field: pressure, range: [-1.6, 0.5], colors: viridis, opacity: [[0, 0.2], [1, 0.5]]}
output: {frames: f_%d.png}
TEXT
failures=0

# short RANKS STRIDE [ARGUMENT…]: every STRIDE-th allocation fails, until the last one of each rank.
short() {
    local ranks=$1 stride=$2 number=0 succeeded=0 code
    shift 2
    while [ "$succeeded" -lt "$ranks" ] && [ "$failures" -lt 5 ]; do
        number=$((number + stride))
        rm -f page.html
        KARMAN_FAIL_RANK=$((number % ranks)) KARMAN_FAIL_ALLOCATION=$number \
            timeout 300 "$mpiexec" -n "$ranks" "$karman" "$@" --html page.html >log.txt 2>&1
        code=$?
        if [ "$code" -eq 0 ] && [ -s page.html ]; then
            succeeded=$((succeeded + 1))
        elif [ "$code" -ne 1 ] || [ "$(grep -c 'karman: error: .*memory' log.txt)" -ne 1 ] ||
            [ -e page.html ] || [ -n "$(find . -name '*.tmp')" ]; then
            echo "FAILED: $*: allocation $number of rank $((number % ranks)): exit code $code: $(cat log.txt)"
            failures=$((failures + 1))
        fi
    done
    echo "$*: $number allocations"
}

short 1 1 collectives reduce binomial --nodes 4,4,3
short 1 1 schedule radix-k --ranks 8
short 1 11 schedule radix-k --nodes 4,4,3
short 1 19 schedule direct-send --ranks 70
short 2 "$stride" render --quiet config.yaml
[ "$failures" -eq 0 ]
