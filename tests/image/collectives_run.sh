#!/usr/bin/env bash
# karman collectives --run: every algorithm ends with the result that MPI promises, on real ranks.
#
#   collectives_run.sh KARMAN FOLDER RANKS [LAUNCHER…]
set -u
karman=$1 folder=$2 ranks=$3
shift 3
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder" || exit 1
failures=0

complain() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# run [ARGUMENT…]: on all ranks.
run() {
    timeout 300 "${launcher[@]}" "$karman" collectives "$@" --run >stdout.txt 2>stderr.txt ||
        complain "'$*' on $ranks ranks: $(head -c 500 stdout.txt stderr.txt)"
}

launcher=("$@")
operations=$("$karman" collectives -f json | grep -oE '"collective": ?"[a-z-]+"' | sed 's/.*"\([a-z-]*\)"$/\1/' | sort -u)
[ "$(wc -w <<<"$operations")" -eq 10 ] || complain "expected 10 collectives, got: $operations"
for operation in $operations; do
    root=()
    [[ $operation =~ ^(broadcast|scatter|gather|reduce)$ ]] && root=(--root $((ranks - 1)))
    run "$operation" --count 1
    run "$operation" --count 1003 "${root[@]}" --format json
    grep -q "\"algorithm\":\"mpi\"" stdout.txt || complain "$operation: expected the time of MPI's own: $(cat stdout.txt)"
    known=$("$karman" collectives "$operation" -f json | grep -oE '"formula"' | wc -l)
    times=$(grep -oE '"seconds":[0-9.e-]+' stdout.txt | wc -l)
    [ "$times" -gt 2 ] || complain "$operation: expected times of several of $known algorithms, got $times"
done
run broadcast chain --count 70001 --segment 512
grep -q "MPI's own" stdout.txt || complain "expected a line of MPI's own, got: $(cat stdout.txt)"
run scan --count 0

# Wrong usage: one sentence of rank 0.
for arguments in "" "gather --ranks 3" "gather --nodes 2x4" "gather --check" "scan --root 0" "scan --count 999999999"; do
    # shellcheck disable=SC2086
    timeout 300 "${launcher[@]}" "$karman" collectives $arguments --run >stdout.txt 2>stderr.txt
    code=$?
    [ "$code" -eq 2 ] && [ "$(grep -c 'karman: error: ' stderr.txt)" -eq 1 ] ||
        complain "'$arguments': expected exit code 2 and one sentence, got $code: $(cat stderr.txt)"
done
echo "$failures failures"
[ "$failures" -eq 0 ]
