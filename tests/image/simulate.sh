#!/usr/bin/env bash
# karman simulate: its output, and one sentence with exit code 2 or 1 for bad input.
#
#   simulate.sh KARMAN FOLDER MPIEXEC…
set -u
karman=$1 folder=$2
shift 2
launcher=("$@")
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder" || exit 1
failures=0

complain() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# run CODE [ARGUMENT…]
run() {
    local code=$1 got
    shift
    timeout 300 "$karman" simulate "$@" >stdout.txt 2>stderr.txt
    got=$?
    [ "$got" -eq "$code" ] ||
        complain "'$*': expected exit code $code, got $got: $(head -c 500 stderr.txt)"
}

# reject CODE FRAGMENT [ARGUMENT…]: one sentence with the fragment, and nothing on standard output.
reject() {
    local code=$1 fragment=$2
    shift 2
    run "$code" "$@"
    [ "$(grep -c 'karman: error: ' stderr.txt)" -eq 1 ] ||
        complain "'$*': expected one message, got: $(cat stderr.txt)"
    grep -qF -- "$fragment" stderr.txt ||
        complain "'$*': expected a message with '$fragment', got: $(cat stderr.txt)"
    [ ! -s stdout.txt ] || complain "'$*': expected no output, got: $(head -3 stdout.txt)"
}

# shows TEXT: the last output has it.
shows() {
    grep -qF -- "$1" stdout.txt || complain "expected '$1' in: $(head -30 stdout.txt)"
}

# ---- Predictions ----

# Half of 1000 pixels, 16 bytes each, at 1 us a byte; then 500 merges of 1 us.
run 0 binary-swap --ranks 2 --width 100 --height 10 --gather none --segment none \
    --machine alpha=0,beta=1us,gamma=1us
shows "time      8.5 ms"
run 0 binary-swap --ranks 2 --width 100 --height 10 --gather none --late 1:20 --segment none \
    --machine alpha=0,beta=1us,gamma=1us
shows "time      28.5 ms"
run 0 all --nodes 2x4
for algorithm in direct-send radix-k tod-tree serial; do
    shows "$algorithm  "
done
# With all algorithms each has the segments of its own, as alone.
pieces=(--ranks 8 --width 512 --height 512 --gather 16 --machine alpha=20us,mixed=1 --format json)
run 0 all "${pieces[@]}"
cp stdout.txt all.json
for algorithm in direct-send binary-swap; do
    run 0 "$algorithm" "${pieces[@]}"
    python3 -c "
import json, sys
alone = json.load(open('stdout.txt'))['results'][0]
among = [one for one in json.load(open('all.json'))['results'] if one['algorithm'] == '$algorithm'][0]
sys.exit(alone != among)" || complain "$algorithm: expected the same alone and among all: $(head -c 500 stdout.txt)"
done
run 0 all --ranks 6 --activity kd --format csv
shows "algorithm,parameters,ranks,width,height,seconds"
shows 'radix-k,"factors 6",6,1920,1080,'
run 0 radix-k --ranks 12 --factors 4,3 --format json --timeline trace.json
shows '"parameters": "factors 4 x 3"'
python3 -c "
import json
trace = json.load(open('trace.json'))['traceEvents']
assert sum(e['name'] == 'send' for e in trace) > 60, trace[:5]
json.load(open('stdout.txt'))" || complain "trace or output is no JSON"
run 0 direct-send --ranks 131072 --width 4096 --height 2048
shows "17179738112 "

# Each of 8.9 million messages.
run 0 radix-k --ranks 16384 --factors 512,32 --width 1024 --height 1024
shows "8896511,"

# ---- Bad input ----

reject 2 "needs an algorithm" --ranks 4
reject 2 "no compositing algorithm 'radix'" radix --ranks 4
reject 2 "needs the number of ranks" tree
reject 2 "--ranks 0: give a whole number" tree --ranks 0
reject 2 "--width and --height belong together" tree --ranks 4 --width 5
reject 2 "--flat goes with --nodes" tree --ranks 4 --flat
reject 2 "are 8 ranks, but --ranks is 4" tree --ranks 4 --nodes 2x4
reject 2 "--root 4" tree --ranks 4 --root 4
reject 2 "--gather 17: give a whole number from 0 to 16, or 'none'" tree --ranks 4 --gather 17
reject 2 "have the product 12" radix-k --ranks 8 --factors 4,3
reject 2 "leave them out with 'all'" all --ranks 8 --factors 4,2
reject 2 "--timeline goes with one algorithm" all --ranks 8 --timeline t.json
reject 2 "--late 9:1" tree --ranks 4 --late 9:1
reject 2 "--late 1:-3" tree --ranks 4 --late 1:-3
reject 2 "is not understood" tree --ranks 4 --machine speed=4
reject 2 "no port to send by" tree --ranks 4 --machine ports=0
reject 2 "cannot be read as a machine file" tree --ranks 4 --machine nothing.json
reject 1 "has no timings of a run" tree --ranks 4 --activity nothing.json
reject 1 "has no timings of a run" --compare nothing.json
reject 2 "leave out --ranks" --compare nothing.json --ranks 4
reject 2 "more than 64 million messages" radix-k --ranks 131072 --factors 1024,128
reject 2 "at least 2 of them" --measure m.json
echo '{"karman_machine": 1, "alpha": "fast"}' >broken.json
reject 2 "'alpha' has an impossible value" tree --ranks 4 --machine broken.json
echo '{"karman_machine": 1, "window": 0.005, "socket_alpha": 0, "socket_beta": 1e-9}' >former.json
run 0 tree --ranks 4 --machine former.json
[ "$(cat stderr.txt)" = "karman: warning: former.json: 'socket_beta' has no effect: schedules know no sockets" ] ||
    complain "expected one warning, got: $(cat stderr.txt)"
echo '{"frames": [{}]}' >frames.json
reject 1 "a frame has no numbers of its ranks" tree --ranks 4 --activity frames.json
reject 1 "cannot be compared" --compare frames.json

# ---- Machines and runs ----

timeout 600 "${launcher[@]}" "$karman" simulate --measure machine.json >stdout.txt 2>stderr.txt ||
    complain "measuring failed: $(cat stderr.txt)"
shows "machine.json: 1 node"
run 0 all --ranks 4 --machine machine.json
python3 - <<'PYTHON'
import json
ranks = {"active_x0": [0, 0], "active_y0": [0, 0], "active_x1": [64, 64], "active_y1": [64, 64],
         "active_pixels": [4096, 4096], "position": [1, 0],
         "begin": {"composite": [5.0, 5.01]}, "wall": {"composite": [0.05, 0.04]}}
json.dump({"ranks": 2, "nodes": 2, "frames": [{"picture": "a.png", "ranks": ranks}],
           "composite": {"width": 64, "height": 64, "algorithm": "binary-swap", "factors": [],
                         "group": 0, "fan_in": 0, "by_nodes": False, "gather_bytes": 0}},
          open("timings.json", "w"))
PYTHON
sed 's/"composite": {/&"samples": 0, /' timings.json >adaptive.json
reject 1 "draw it with --set image.samples=1" --compare adaptive.json
# Half of 4096 pixels at 1 us a byte, from the late rank on: 32.768 ms.
run 0 --compare timings.json --machine alpha=0,beta=1us,gamma=0 --segment none
shows "together         32.768        40.000"
shows "composite        42.768        50.000"

# Two nodes of two ranks, with rank 0 behind. The schedule went around rank 3, the neighbour of rank 2:
# its image crosses the link by itself, 4096 pixels of 16 us, when it has come.
python3 - <<'PYTHON'
import json
ranks = {"active_x0": [0] * 4, "active_y0": [0] * 4, "active_x1": [64] * 4, "active_y1": [64] * 4,
         "active_pixels": [4096] * 4, "position": [3, 2, 1, 0], "node": [0, 0, 1, 1],
         "begin": {"composite": [5, 5, 5, 5.2]}, "wall": {"composite": [0.3] * 4}}
how = {"algorithm": "direct-send around late ranks", "by_nodes": True, "late": [0]}
json.dump({"ranks": 4, "nodes": 2, "frames": [{"ranks": ranks, "composite": how}],
           "composite": {"width": 64, "height": 64, "gather_bytes": 16}}, open("around.json", "w"))
PYTHON
run 0 --compare around.json --machine alpha=0,beta=1us,gamma=0,near_alpha=0 --segment none
shows "together         65.536       300.000"
shows "composite       265.536"

[ "$failures" -eq 0 ] && echo "karman simulate does as its manual says"
exit $((failures > 0))
