#!/usr/bin/env bash
# Whichever allocation of libkarman fails, on whichever rank: the program goes on to its end, all
# its ranks hear the same, and no part of a picture is left.
#
#   fail_insitu.sh PROGRAM FOLDER STRIDE MPIEXEC
#
# Every STRIDE-th allocation fails, an odd number: two ranks take turns.
set -u
program=$1 folder=$2 stride=$3 mpiexec=$4
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder" || exit 1
failures=0 number=0 succeeded=0 told=0
# Some failures are absorbed (an order, say): so many successes in a row mean the end.
while [ "$succeeded" -lt 10 ] && [ "$failures" -lt 5 ]; do
    number=$((number + stride))
    KARMAN_FAIL_RANK=$((number % 2)) KARMAN_FAIL_ALLOCATION=$number \
        timeout 300 "$mpiexec" -n 2 "$program" run >log.txt 2>&1
    code=$?
    left=$(find . -name '*.tmp' | wc -l)
    if [ "$code" -ne 0 ] || [ "$left" -ne 0 ]; then
        echo "FAILED: allocation $number of rank $((number % 2)): $code, $left: $(cat log.txt)"
        failures=$((failures + 1))
    elif [ "$(find run/frames -name '*.png' 2>/dev/null | wc -l)" -eq 3 ] &&
        grep -q 'failures 0' log.txt; then
        succeeded=$((succeeded + 1))
    elif ! grep -q 'failures 0' log.txt; then
        told=$((told + 1)) succeeded=0
    fi
    rm -rf run
done
echo "$number allocations, every $stride-th failed: $told times the program was told, $failures failures"
[ "$failures" -eq 0 ] && [ "$told" -gt 5 ]
