#!/usr/bin/env bash
# karman collectives: its output, and one sentence with exit code 2 for bad input.
#
#   collectives.sh KARMAN FOLDER
set -u
karman=$1 folder=$2
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder" || exit 1
failures=0 cases=0

complain() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# run CODE [ARGUMENT…]: runs the command, with its output in stdout.txt and stderr.txt.
run() {
    local code=$1 got
    shift
    cases=$((cases + 1))
    timeout 300 "$karman" collectives "$@" >stdout.txt 2>stderr.txt
    got=$?
    if [ "$got" -ne "$code" ]; then
        complain "'$*': expected exit code $code, got $got: $(head -c 500 stderr.txt)"
    fi
}

# reject FRAGMENT [ARGUMENT…]: wrong usage gives one sentence with the fragment, and no more.
reject() {
    local fragment=$1
    shift
    run 2 "$@"
    if [ "$(grep -c 'karman: error: ' stderr.txt)" -ne 1 ] || ! grep -qF -- "$fragment" stderr.txt; then
        complain "'$*': expected a message with '$fragment', got: $(cat stderr.txt)"
    fi
    if [ -s stdout.txt ]; then
        complain "'$*': expected nothing on standard output, got: $(head -3 stdout.txt)"
    fi
}

# show TEXT [ARGUMENT…]: the output has this line once, whatever its blanks.
show() {
    local text=$1
    shift
    run 0 "$@"
    if [ "$(tr -s ' ' <stdout.txt | grep -cxF -- "$text")" -ne 1 ]; then
        complain "'$*': expected the line '$text' once, got: $(head -40 stdout.txt)"
    fi
}

# json FILTER EXPECTED [ARGUMENT…]: the result of jq's FILTER on the output, if jq is installed.
skipped=0
json() {
    local filter=$1 expected=$2 got
    shift 2
    run 0 "$@" --format json
    if ! command -v jq >/dev/null; then
        skipped=1
        return
    fi
    got=$(jq -c "$filter" stdout.txt)
    if [ "$got" != "$expected" ]; then
        complain "'$* --format json': $filter: expected $expected, got $got"
    fi
}

unit=(--alpha 1 --beta 0.3 --gamma 0)

# The table, and the comparison of two broadcasts with the crossover of the paper.
run 0
if [ "$(grep -c '^  algorithm ' stdout.txt)" -ne 10 ] || [ "$(grep -cE ' (s|ms|us)$' stdout.txt)" -ne 37 ]; then
    complain "expected 37 algorithms of 10 collectives, got: $(cat stdout.txt)"
fi
show " binomial ⌈lg p⌉(α + nβ) 3α + 24β 10.2 s 10.2 s" broadcast "${unit[@]}"
show " scatter-allgather 2⌈lg p⌉α + 2(p − 1)bβ 6α + 14β 10.2 s 10.2 s" broadcast "${unit[@]}"
show "binomial = scatter-allgather where α = 10/3 β" broadcast
show " from n = 1055 scatter-allgather" broadcast

# One algorithm: messages, critical path, late ranks, segments, ports.
show "walk 3α + 24β = 91.64 us" broadcast binomial
show "path 0 -> 1, 0 -> 2, 0 -> 4" broadcast binomial
show " 1 -> 3 30.55 us to 61.09 us copy [0, 8)" broadcast binomial
show "problem p = 5 ranks, n = 5 elements, root 3" scatter chain --ranks 5 --root 3
show "walk 3α + 24β from 100 us on = 191.6 us" broadcast binomial --late 0:100us
show "walk 11α + 110β = 337.5 us" broadcast chain --ranks 3 --count 100 --segment 10
show "walk 4α + 32β = 122.2 us" broadcast sequential --ports 2
show "order operands are combined in the order of ranks" allreduce recursive-doubling
show "walk 7α + 700β = 257.9 us" broadcast binomial --nodes 4,4,3 --count 100
show "walk 3α′ + 300β′ = 3.3 us" broadcast binomial --nodes 1x8 --count 100
show "nodes of 2,2,2,2 ranks, which share its ports; α′ = 2 us a message within a node, β′ = 0 s an element" \
    allgather ring --nodes 4x2 --near-alpha 2us --near-beta 0
show "path none" alltoall bruck --ranks 1
show "messages 0" allgather ring --count 0

# Proofs of all, also of those that this script does not name.
for ranks in 1 2 7 64; do
    run 0 --check --ranks "$ranks" --count 100
    if [ "$(grep -cE "^[a-z-]+ [a-z-]+, $ranks ranks?: right: " stdout.txt)" -ne 37 ]; then
        complain "expected 37 proofs for $ranks ranks, got: $(cat stdout.txt)"
    fi
done
show "reduce chain, 3 ranks: right: 2 rounds, 2 messages, 6 elements sent, combined in the order of ranks" \
    reduce chain --check --ranks 3
show "reduce chain, 3 ranks: right: 2 rounds, 2 messages, 6 elements sent" reduce chain --check --ranks 3 --root 1

# JSON.
json '[.algorithms[] | .cost.alpha, .walk.beta]' '[7,56,7,56,4,32,3,24,6,14]' broadcast
json '[.fastest[].count]' '[1,1055]' broadcast
json '[.messages[] | [.round, .src, .dst, .pieces[0].elements, .critical]]' \
    '[[0,0,1,[0,2],true],[1,1,2,[0,2],true]]' broadcast chain --ranks 3 --count 2
json '[.nodes, (.messages[] | .near), .walk.near_alpha]' '[[0,0,1],true,false,0]' broadcast binomial --nodes 2,1
json '[.[] | .right] | unique' '[true]' --check

# Bad input.
reject "no collective 'shout': give one of broadcast, scatter," shout
reject "broadcast has no algorithm 'ring': give one of sequential," broadcast ring
reject "'c' follows 'b'" a b c
reject "--ranks 65: give a whole number from 1 to 64" --ranks 65
reject "--root 8: 8 ranks have the numbers 0 to 7" broadcast --root 8
reject "allgather has no root" allgather --root 1
reject "broadcast binomial has no segments" broadcast binomial --segment 3
reject "give at least 25" broadcast --segment 1 --count 100000
reject "--late 9:1: give ranks from 0 to 7" --late 9:1
reject "--late 1: give ranks" --late 1
reject "--nodes 4,x: give nodes and the ranks of each" --nodes 4,x
reject "--nodes 5x13 are 65 ranks: give at most 64" --nodes 5x13
reject "--nodes 2x4 are 8 ranks, but --ranks is 9: leave out --ranks" --nodes 2x4 --ranks 9
reject "--near-alpha fast: give a time" --near-alpha fast
reject "--alpha fast: give a time" --alpha fast
reject "--format xml: give 'text' or 'json'" --format xml
reject "--html writes a page" --html page.html --check
run 1 --html /dev/null/page.html

# A page that cannot be written: one sentence, nothing half-written, and devices stay what they are.
ln -s /dev/full full.html
mkdir folder.html
for page in full.html folder.html "$(printf '%0300d' 0).html"; do
    run 1 --html "$page"
    if [ "$(wc -l <stderr.txt)" -ne 1 ] || ! grep -q "^karman: error: cannot write '$page': " stderr.txt; then
        complain "--html $page: expected one sentence that names it, got: $(cat stderr.txt)"
    fi
done
if [ ! -L full.html ] || [ -n "$(find . -name '*.tmp')" ]; then
    complain "expected that a device stays in its place and no temporary file remains: $(ls)"
fi
echo before >kept.html
(
    ulimit -f 20 # blocks of 1024 bytes: less than a page has
    trap '' XFSZ
    run 1 --html kept.html
    exit "$failures"
) || failures=$((failures + 1))
if [ "$(cat kept.html)" != before ] || [ -n "$(find . -name '*.tmp')" ]; then
    complain "a page for which there is no room leaves the file before as it was: $(ls)"
fi
reject "--nope" --nope

# A page.
run 0 reduce rabenseifner --ranks 5 --html page.html
if [ -s stdout.txt ] || ! grep -q '"alg":"rabenseifner"' page.html; then
    complain "expected a page that begins with rabenseifner, and no output: $(head -c 300 stdout.txt)"
fi

python3 "$(dirname "$0")/collectives_formulas.py" "$karman" || failures=$((failures + 1))

echo "$cases cases, $failures failures"
[ "$failures" -eq 0 ] || exit 1
if [ "$skipped" -eq 1 ]; then
    echo "skipped: there is no jq to read JSON (Debian: jq)"
    exit 77
fi
