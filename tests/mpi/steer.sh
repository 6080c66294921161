#!/usr/bin/env bash
# karman steer from end to end: it inspects, changes, halts, steps and stops a running program, and
# then repeats the run from its log.
#
#   steer.sh KARMAN TARGET FOLDER LAUNCHER…
set -u
karman=$1 target=$2 folder=$3
shift 3
launcher=("$@")
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder" || exit 1
failures=0

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# expect CODE TEXT ARGUMENT…: runs karman steer; its output must contain the text. Answers have no
# time limit.
expect() {
    local code patience=(--wait 250)
    case " $* " in *' --wait '*) patience=() ;; esac
    timeout 300 "$karman" steer "${@:3}" "${patience[@]}" >out.txt 2>&1
    code=$?
    [ "$code" -eq "$1" ] || fail "steer ${*:3}: exit code $code instead of $1: $(cat out.txt)"
    grep -qF -- "$2" out.txt || fail "steer ${*:3}: '$2' is not in: $(cat out.txt)"
}

# await COMMAND…: waits until COMMAND succeeds or the program has ended; ctest ends a hang.
await() {
    until "$@"; do
        kill -0 "$program" 2>/dev/null || { fail "this does not come: $*"; return; }
        sleep 0.05
    done
}

# has_lines FILE NUMBER
has_lines() {
    [ "$(wc -l <"$1")" -ge "$2" ]
}

# Prints the number of steps that the program reports as done.
steps_done() {
    sed -n 's/.*"cycle": *\([0-9]*\).*/\1/p' run/status.json
}

expect 1 'no run directory' run status
expect 1 'no run directory' run halt
"${launcher[@]}" "$target" run 1000000 >first.txt 2>first-err.txt &
program=$!
await [ -e run/parameters.json ]

expect 0 'running' run status
expect 0 'steer_target' run status
expect 0 'camera.position' run list
# Each column of the list begins where its title does.
awk 'NR == 1 { type = index($0, "type"); limits = index($0, "limits") }
     NR > 1 && (substr($0, type - 1, 1) != " " || substr($0, type, 1) == " " ||
                substr($0, limits - 1, 1) != " ") { print; bad = 1 }
     END { exit bad || NR < 3 }' out.txt || fail "the columns of the list are torn"
expect 0 '"alive": true' run status --json
expect 0 'rate is 0.5' run set rate 0.5
expect 0 'camera.position is 1, -2.5, 3' run set camera.position 1,-2.5,3
expect 0 'camera.position is -1, 0.1, 3' run set camera.position -1,0.1,3 --wait 250
expect 0 'method is heun' run set method heun
expect 2 "did you mean 'rate'" run set raet 0.5
expect 2 '0 to 1' run set rate 2
expect 2 'takes a number' run set rate nan
expect 2 '3 numbers' run set camera.position 1,2
expect 2 'euler, heun' run set method rk4
expect 2 "did you mean 'halt'" run hlat
expect 2 'takes no arguments' run halt now
expect 1 "send 'halt'" run step
expect 0 'halted' run halt
expect 0 '"state": "halted"' run status --json
before=$(steps_done)
await has_lines first.txt "$before" # the launcher passes output on with some delay
sleep 0.1
[ "$(wc -l <first.txt)" -eq "$before" ] || fail "it does not wait"
expect 0 '3 steps' run step 3
await has_lines first.txt $((before + 3))
sleep 0.1
[ "$(wc -l <first.txt)" -eq $((before + 3)) ] || fail "these were not three steps"
expect 0 'rate is 0.125' run set rate 0.125
expect 0 'a picture' run redraw
expect 0 'running' run resume
sleep 0.05
expect 0 'sent' run set rate 0.75 --wait 0
sleep 0.1
# Many ranks, one order; a second program cannot use the directory.
timeout 300 "${launcher[@]}" "$karman" steer run set rate 0.375 >out.txt 2>&1 || fail "$(cat out.txt)"
[ "$(grep -c '"value":0.375' run/log.jsonl)" -eq 1 ] || fail "the order was given more than once"
timeout 300 "${launcher[@]}" "$target" run 5 >out.txt 2>&1 && fail "two programs share a directory"
grep -q 'is alive' out.txt || fail "$(cat out.txt)"
expect 1 'has not ended' run replay run/log.jsonl
expect 0 'stopping' run stop
wait "$program" || fail "the program failed: $(cat first-err.txt)"
expect 0 'finished' run status
expect 1 'has ended' run halt
[ -s first-err.txt ] && fail "it says: $(cat first-err.txt)"

# A run repeated from its log gives the same results, to the last bit.
expect 1 'cannot be read' again replay nowhere.jsonl
expect 0 'repeats' again replay run/log.jsonl
timeout 800 "${launcher[@]}" "$target" again 1000000 >second.txt 2>second-err.txt ||
    fail "it cannot be repeated: $(cat second-err.txt)"
cmp first.txt second.txt || fail "the repeated run differs"
[ -e again/replayed.jsonl ] || fail "the log would be repeated once more"

# A killed program is recognized as dead; the next program takes its place.
"$target" run 1000000 >third.txt 2>&1 &
program=$!
await [ -s third.txt ]
kill -9 "$program"
wait "$program" 2>/dev/null
expect 0 'killed' run status
expect 1 'has ended' run halt
timeout 300 "${launcher[@]}" "$target" run 5 >out.txt 2>&1 || fail "it is not taken over: $(cat out.txt)"
[ -s run/earlier/002/log.jsonl ] || fail "what the killed run left is gone"
echo "$failures failures"
[ "$failures" -eq 0 ]
