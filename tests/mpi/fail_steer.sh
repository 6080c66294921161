#!/usr/bin/env bash
# If any allocation of a run directory fails on any rank, the program runs to its end, or all ranks
# end with one message. None hangs.
#
#   fail_steer.sh TARGET FOLDER STRIDE MPIEXEC
#
# TARGET is linked with fail_allocation.c. Every STRIDE-th allocation fails. STRIDE is odd, so that
# two ranks take turns.
set -u
target=$1 folder=$2 stride=$3 mpiexec=$4
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder" || exit 1

failures=0 number=0 refused=0 unharmed=0
while [ "$unharmed" -lt 6 ] && [ "$failures" -lt 5 ]; do
    number=$((number + stride))
    rm -rf run
    mkdir -p run/orders
    echo '{"order": "halt"}' >run/orders/old.json
    echo '{"event":"order","accepted":true,"cycle":2,"batch":3,"order":{"order":"set","name":"rate","value":0.5}}' >run/replay.jsonl
    KARMAN_FAIL_RANK=$((number % 2)) KARMAN_FAIL_ALLOCATION=$number \
        timeout 300 "$mpiexec" -n 2 "$target" run 4 >out.txt 2>log.txt
    code=$?
    if [ "$code" -eq 0 ] && [ "$(wc -l <out.txt)" -eq 4 ]; then
        unharmed=$((unharmed + 1))
    elif [ "$code" -eq 1 ] && [ "$(grep -c 'error: not enough memory' log.txt)" -eq 1 ]; then
        refused=$((refused + 1)) unharmed=0
    else
        echo "FAILED: allocation $number of rank $((number % 2)): exit code $code: $(cat log.txt)"
        failures=$((failures + 1))
    fi
done
echo "$number allocations, every $stride-th failed: $refused ended the program, $failures failures"
[ "$failures" -eq 0 ] && [ "$refused" -gt 2 ]
