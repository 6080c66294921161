#!/usr/bin/env bash
# karman schedule: its output, and one sentence with exit code 2 for bad input.
#
#   schedule.sh KARMAN FOLDER LAUNCHER…      (LAUNCHER: "mpiexec -n 3", or nothing)
set -u
karman=$1 folder=$2
shift 2
launcher=("$@")
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
    timeout 300 "${launcher[@]}" "$karman" schedule "$@" >stdout.txt 2>stderr.txt
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
    if [ "$(grep -c 'karman: error: ' stderr.txt)" -ne 1 ]; then
        complain "'$*': expected one message, got: $(cat stderr.txt)"
    fi
    if ! grep -qF -- "$fragment" stderr.txt; then
        complain "'$*': expected a message with '$fragment', got: $(cat stderr.txt)"
    fi
    if [ -s stdout.txt ]; then
        complain "'$*': expected nothing on standard output, got: $(head -3 stdout.txt)"
    fi
}

# show TEXT [ARGUMENT…]: the output has this line once.
show() {
    local text=$1
    shift
    run 0 "$@"
    if [ "$(grep -cxF -- "$text" stdout.txt)" -ne 1 ]; then
        complain "'$*': expected the line '$text' once, got: $(head -40 stdout.txt)"
    fi
}

# count NUMBER PATTERN: so many lines of the last output match.
count() {
    local got
    got=$(grep -cE -- "$2" stdout.txt)
    if [ "$got" -ne "$1" ]; then
        complain "expected $1 lines with '$2', got $got: $(head -40 stdout.txt)"
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

small=(direct-send --ranks 3 --pixels 9)

# finish: prints the result, and ends the script.
finish() {
    echo "$cases cases, $failures failures"
    [ "$failures" -eq 0 ] || exit 1
    if [ "$skipped" -eq 1 ]; then
        echo "skipped: there is no jq to read JSON (Debian: jq)"
        exit 77
    fi
    exit 0
}

# Only one rank does the work: the others must not disturb it, and must end with its exit code.
if [ ${#launcher[@]} -gt 0 ]; then
    show "direct-send, 3 ranks" "${small[@]}"
    run 0 radix-k --ranks 12 --check
    count 1 '^radix-k, 12 ranks[^:]*: right: [0-9]+ rounds?, [0-9]+ messages?, '
    json '[.rounds[] | [.round, (.messages | length)]]' '[[0,6]]' "${small[@]}"
    reject "about 17 billion messages" direct-send --ranks 131072
    reject "needs an algorithm"
    reject "leave out --check" tree --ranks 2 --html page.html --check
reject "--picture goes with --html" tree --ranks 2 --picture none.yaml
reject "at most 64 ranks" tree --ranks 65 --html page.html --picture none.yaml
reject "--no-such" tree --ranks 2 --no-such
    reject "group" tree --ranks 12 --group 3 --check
    finish
fi

# Text.
show "direct-send, 3 ranks" "${small[@]}"
show "image     9 pixels, operator over, root 0" "${small[@]}"
show "messages  6; of one position in one round at most 4" "${small[@]}"
show "pixels    18 sent; one position sends at most 6 and receives at most 6" "${small[@]}"
show "round 0: 6 messages" "${small[@]}"
show "  2 -> 0  pixels [0, 3)  run [2, 3)" "${small[@]}"
count 6 '^  [0-2] -> [0-2]  pixels '
show "image     6 pixels, operator nearest, root 1" direct-send --ranks 2 --width 2 \
    --height 3 --operator nearest --root 1
show "radix-k, 12 ranks, factors 4 x 3" radix-k --ranks 12 --factors 4,3
count 60 ' -> '
show "radix-k, 12 ranks, factors 4 x 3 (chosen)" radix-k --ranks 12
show "tod-tree, 40 ranks, group 20 (chosen), fan_in 4 (chosen)" tod-tree --ranks 40
show "tree, 12 ranks, fan_in 3" tree --ranks 12 --fan-in 3
show "serial, 1 rank" serial --ranks 1
count 0 ' -> '

# One position: the messages are listed in the order of merging.
show "messages  2 sent, 2 received" direct-send --ranks 3 --pixels 9 --position 2
show "  receives 1 -> 2  pixels [6, 9)  run [1, 2)" direct-send --ranks 3 --pixels 9 --position 2
if [ "$(grep receives stdout.txt | cut -c 12)" != $'1\n0' ]; then
    complain "expected position 2 to merge 1, then 0, got: $(cat stdout.txt)"
fi
show "messages  17 sent, 17 received" binary-swap --ranks 131072 --position 131071
show "messages  131071 sent, 131071 received" direct-send --ranks 131072 --position 70000

# Proofs of every algorithm; also of those that this script does not name.
run 0 --list
count 1 '^binary-swap$'
count 1 '^  parameters: --group, --fan-in$'
for algorithm in $(grep '^[^ ]' stdout.txt); do
    for ranks in 1 2 7 12 64; do
        run 0 "$algorithm" --ranks "$ranks" --check
        count 1 "^$algorithm, $ranks ranks?[^:]*: right: [0-9]+ rounds?, [0-9]+ messages?, "
        run 0 "$algorithm" --ranks "$ranks" --check --operator nearest --root $((ranks / 2))
    done
    for nodes in 1x8 8x1 2x4 4,4,3 1,5,2; do
        run 0 "$algorithm" --nodes "$nodes" --check
        run 0 "$algorithm" --nodes "$nodes" --check --operator nearest --gather 16 --root 3
    done
done
run 0 radix-k --ranks 12 --factors 4,3 --check
count 1 '^radix-k, 12 ranks, factors 4 x 3: right: 2 rounds, 60 messages, '
run 0 direct-send --ranks 300 --check
count 1 '^direct-send, 300 ranks: right: 1 round, 89700 messages, '

# JSON.
json '[.algorithm, .ranks, .pixels, .operator, .root, .parameters]' \
    '["direct-send",3,9,"over",0,{}]' "${small[@]}"
json '.totals' '{"rounds":1,"messages":6,"pixels":18,"most_pixels_sent":6,"most_pixels_received":6,"most_messages":4,"gather_messages":0,"gather_pixels":0}' \
    "${small[@]}"
json '[.rounds[] | [.round, (.messages | length)]]' '[[0,6]]' "${small[@]}"
json '[.rounds[].messages[] | select(.src == 2 and .dst == 0)]' \
    '[{"src":2,"dst":0,"pixels":[0,3],"run":[2,3]}]' "${small[@]}"
json '.parameters' '{"factors":[4,3]}' radix-k --ranks 12 --factors 4,3
json '[.rounds[].messages | length]' '[24,36]' radix-k --ranks 12 --factors 3,4
json '[.parameters, .chosen]' '[{"factors":[4,3]},["factors"]]' radix-k --ranks 12
json '[.parameters, .chosen]' '[{"group":5,"fan_in":4},["fan_in"]]' tod-tree --ranks 12 --group 5 --check
json '.rounds' '[]' tree --ranks 1
json '[.position, .totals.messages_sent, .totals.messages_received]' '[1,2,2]' \
    "${small[@]}" --position 1
json '[.right, .totals.messages, has("rounds")]' '[true,6,false]' "${small[@]}" --check
json '[.[] | select(.name == "tod-tree") | .parameters]' '[["group","fan_in"]]' --list

# The picture on its way to the root: messages, too.
gather=(direct-send --ranks 3 --pixels 9 --gather 16 --root 1)
run 0 "${gather[@]}" --check
count 1 '^direct-send, 3 ranks: right: 1 round, 6 messages, '
show "gather    2 of the messages, with 9 finished pixels of 16 bytes" "${gather[@]}"
show "gather: 2 messages" "${gather[@]}"
show "  2 -> 1  pixels [4, 9)  run [0, 3)" "${gather[@]}"
show "messages  2 sent, 4 received" direct-send --ranks 3 --pixels 9 --gather 3 --root 2 --position 2
json '[.totals.messages, .totals.gather_messages, (.gather | length), (.rounds | length)]' \
    '[6,2,2,1]' "${gather[@]}"
json '[.totals.messages_received, .totals.gather_messages, [.gather[].src]]' '[2,2,[0,2]]' \
    "${gather[@]}" --position 1
json '[.totals.gather_messages, .gather[0].dst]' '[1,1]' "${gather[@]}" --position 0

# In front and behind the root merges last, and sends nothing.
for root in 0 4; do
    alone=(direct-send --ranks 5 --pixels 60 --gather 16 --root "$root")
    run 0 "${alone[@]}" --check
    count 1 '^direct-send, 5 ranks: right: 2 rounds, 16 messages, 240 pixels sent; '
    json '[.totals.messages_sent, .totals.messages_received, .totals.pixels_received, .totals.gather_messages]' \
        '[0,4,60,0]' "${alone[@]}" --position "$root"
done
run 0 direct-send --ranks 5 --pixels 60 --gather 16 --root 2 --check
count 1 '^direct-send, 5 ranks: right: 1 round, 20 messages, '
json '.gather' '[]' "${small[@]}"
json '[.totals.messages, .totals.gather_messages]' '[1,0]' tree --ranks 2 --gather 3
reject "give --gather 0, or another position" direct-send --ranks 131072 --gather 3 --position 0
run 0 direct-send --ranks 131072 --gather 3 --position 1

# Nodes: each link carries each pixel once, and ranks of a node merge without it.
nodes=(--nodes 2x4 --pixels 800 --gather 0)
run 0 direct-send "${nodes[@]}" --check
count 1 '^direct-send, 8 ranks on 2 nodes: right: 2 rounds, 32 messages, '
show "nodes     ranks of a node merge in round 0, then direct-send runs among 2 teams" \
    direct-send "${nodes[@]}"
show "node 1    4 ranks; over its link: 400 pixels sent, 400 received; at most 0.0 MB in one direction" \
    direct-send "${nodes[@]}"
show "nodes     direct-send runs among all ranks" direct-send "${nodes[@]}" --flat
show "node 1    4 ranks; over its link: 1600 pixels sent, 1600 received; at most 0.0 MB in one direction" \
    direct-send "${nodes[@]}" --flat
json '[.teams, [.nodes[] | [.ranks, .pixels_sent, .most_bytes]]]' '[2,[[4,400,6400],[4,400,6400]]]' \
    direct-send "${nodes[@]}"
json '[.ranks, .teams, [.nodes[].ranks]]' '[11,3,[4,4,3]]' radix-k --nodes 4,4,3 --check
json '[.nodes[] | [.finished_sent, .finished_received]]' '[[0,400],[400,0]]' binary-swap \
    --nodes 2x2 --pixels 800
json '[.teams, .nodes[0].pixels_sent]' '[null,1600]' direct-send "${nodes[@]}" --flat
reject "give nodes and the ranks of each, like 2x4" tree --nodes 2x --check
reject "give nodes and the ranks of each, like 2x4" tree --nodes 4,,3 --check
reject "give nodes and the ranks of each, like 2x4" tree --nodes 0x4 --check
reject "give nodes and the ranks of each, like 2x4" tree --nodes 1048576x2 --check
reject "--nodes 2x4 are 8 ranks, but --ranks is 9: leave out --ranks" tree --nodes 2x4 --ranks 9
reject "--flat goes with --nodes" tree --ranks 9 --flat
reject "runs among 3 teams" radix-k --nodes 4,4,3 --factors 4,3

# Too much.
reject "about 17 billion messages" direct-send --ranks 131072
reject "--position" direct-send --ranks 131072
reject "about 17 billion messages" direct-send --ranks 131072 --check
reject "messages" direct-send --ranks 1048576 --check
reject "messages" direct-send --ranks 1048576 --format json

# Wrong usage.
reject "needs an algorithm"
reject "there is no compositing algorithm 'magic': there are direct-send, binary-swap, " \
    magic --ranks 4
reject "'radxi-k' (did you mean 'radix-k'?)" radxi-k --ranks 4
reject "give --ranks" direct-send
reject "'serial' follows 'tree'" tree serial --ranks 3
reject "leave out 'tree'" tree --list
reject "--ranks 0: give a whole number from 1 to 1048576" tree --ranks 0
for wrong in -3 +3 1048577 4x x '' ' 4' 2.5 99999999999999999999; do
    reject "--ranks $wrong: give a whole number" tree "--ranks=$wrong"
done
reject "--pixels 0" tree --ranks 2 --pixels 0
reject "--width 9999999" tree --ranks 2 --width 9999999 --height 2
reject "give both" tree --ranks 2 --width 3
reject "give both" tree --ranks 2 --height 3
reject "not both" tree --ranks 2 --width 3 --height 2 --pixels 6
reject "--operator under: give 'over' or 'nearest'" tree --ranks 2 --operator under
reject "--format xml: give 'text' or 'json'" tree --ranks 2 --format xml
reject "positions go from 0 to 1" tree --ranks 2 --root 2
reject "positions go from 0 to 1" tree --ranks 2 --position 2
reject "leave out --position" tree --ranks 2 --position 1 --check
reject "leave out --check" tree --ranks 2 --html page.html --check
reject "--picture goes with --html" tree --ranks 2 --picture none.yaml
reject "at most 64 ranks" tree --ranks 65 --html page.html --picture none.yaml
reject "--no-such" tree --ranks 2 --no-such
reject "--ranks" tree --ranks

# Wrong parameters.
reject "12" radix-k --ranks 13 --factors 4,3
reject "factors" binary-swap --ranks 12 --factors 4,3
for wrong in 4, ,3 4x3 4,,3 1,12 0 -4,-3 '' 4,3,; do
    reject "--factors $wrong: give" radix-k --ranks 12 "--factors=$wrong"
done
reject "--factors" radix-k --ranks 12 "--factors=$(seq -s, 2 40)"
reject "--group 0" tod-tree --ranks 12 --group 0
reject "group" tod-tree --ranks 12 --group 13
reject "--fan-in 1: give a whole number from 2" tree --ranks 12 --fan-in 1
reject "fan_in" direct-send --ranks 12 --fan-in 3
reject "group" tree --ranks 12 --group 3 --check
reject "factors" tree --ranks 12 --factors 3,4 --position 1

# Schedules of files: all that --format json writes are right, and changed ones are not.
for how in "radix-k --ranks 12 --factors 4,3" "tree --ranks 7 --root 3 --operator nearest" \
    "binary-swap --ranks 11 --root 10 --gather 3" "direct-send --nodes 4,4,3" "2-3-swap --ranks 9 --gather 16" \
    "tod-tree --nodes 2x3 --flat" "chain --ranks 5" "serial --ranks 1"; do
    # shellcheck disable=SC2086
    run 0 $how --pixels 600 --format json
    cp stdout.txt given.json
    # shellcheck disable=SC2086
    run 0 $how --pixels 600 --check
    sed 's/^.*: right/right/' stdout.txt | grep -v '^node' >expected.txt
    run 0 --check given.json
    sed 's/^.*: right/right/' stdout.txt | diff -q - expected.txt >/dev/null ||
        complain "'$how': a file is proved otherwise: $(cat stdout.txt expected.txt)"
done
# wrong FRAGMENT SED: the file, changed so, is refused.
wrong() {
    sed "$2" right.json >given.json
    run 1 --check given.json
    grep -qF -- "$1" stderr.txt || complain "'$2': expected '$1', got: $(cat stderr.txt)"
}
run 0 radix-k --ranks 4 --factors 2,2 --pixels 8 --gather 3 --format json
cp stdout.txt right.json
wrong "in round 1, position 0 sends position 2 the pixels" '0,/"run": \[0, 2\]/s//"run": [0, 1]/'
wrong "round 0, message 1: its positions or pixels" 's/"src": 1, "dst": 0, "pixels": \[0, 4\]/"src": 4, "dst": 0, "pixels": [0, 4]/'
wrong "of 5 positions: the rest is missing" 's/"ranks":4/"ranks":5/'
wrong "after its gathering, position 1 still has the pixels" '/"src": 1, "dst": 0, .*"run": \[0, 4\]/d'
wrong "round 0, message 0: Object item not found: run" '0,/, "run": \[0, 1\]/s///'
wrong "schedule --format json" 's/"over"/"under"/'
wrong "a number does not ascend" 's/"round": 1/"round": 0/'
wrong "line 2: " 's/.*/{/;1q'
reject "leave out all options" --check right.json --ranks 4

# Help.
run 0 --help
for option in ranks factors group fan-in width height pixels operator root check position \
    format list html picture; do
    count 1 "^ +(-., )? *--$option[= ]"
done
timeout 300 "${launcher[@]}" "$karman" --help >stdout.txt 2>&1
count 1 '^  schedule '

finish
