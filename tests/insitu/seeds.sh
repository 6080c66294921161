#!/usr/bin/env bash
# The orders of karman steer set, move and clear the seeds of a solver that is halted.
#
#   seeds.sh KARMAN SOLVER SOLVER.yaml FOLDER MPIEXEC RANKS
set -u
karman=$1 solver=$2 config=$3 folder=$4 mpiexec=$5 ranks=$6
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder" || exit 1
failures=0

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# expect CODE TEXT ARGUMENT…: runs karman steer; its output must contain the text.
expect() {
    timeout 120 "$karman" steer "${@:3}" --wait 100 >out.txt 2>&1
    local code=$?
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

# moves NUMBER: lets the solver make a step, after which so many particles are on the way.
moves() {
    cycle=$((cycle + 1))
    expect 0 '1 step' run step
    await grep -q "\"cycle\": *$cycle\\b" run/status.json
    # Numbers are published a few times a second.
    local tries=0 count=
    while [ "$tries" -lt 200 ]; do
        count=$(sed -n 's/.*"particles": *\([0-9]*\).*/\1/p' run/monitors.jsonl | tail -1)
        [ "${count:-0}" = "$1" ] && return
        expect 0 '' run status
        sleep 0.05
        tries=$((tries + 1))
    done
    fail "at step $cycle there are ${count:-no} particles, not $1"
}

# points NUMBER: a list of so many seeds.
points() {
    awk -v n="$1" 'BEGIN { printf "[{points: [";
        for (i = 0; i < n; i++) printf "%s[%.4f, %.4f, 0.5]", i ? ", " : "", 2 + 0.01 * i, 0.3;
        printf "]}]" }'
}

cat >view.yaml <<'END'
image: {width: 32, height: 24}
camera: {position: [6, -17, 9], look_at: [6, 0, 0.5], up: [0, 0, 1], fov: 30}
layers: [{particles: {mode: path, trail: 0, radius: 0.1, seeds: []}}]
in_situ: {run: run, mode: halt, every: 1000}
END
"$mpiexec" -n "$ranks" "$solver" "$config" --set grid.cylinder.ni=24 --set grid.cylinder.nj=10 \
    --set grid.cylinder.stretching=1.5 --set 'output={every: 0}' --set time='{cfl: 1, steps: 100}' \
    --set in_situ="$folder/view.yaml" >solver.txt 2>&1 &
program=$!
await [ -e run/parameters.json ]
await grep -q halted run/status.json
cycle=$(sed -n 's/.*"cycle": *\([0-9]*\).*/\1/p' run/status.json)

seeds=layers.0.particles.seeds
expect 0 "$seeds is" run set $seeds '[{points: [[2, 0.3, 0.5], [2, -0.3, 0.5]]}]'
moves 2
expect 0 "$seeds is" run set $seeds '[{line: [[3, -1, 0.5], [3, 1, 0.5]], count: 3}]'
moves 5
# Longer than a parameter may be, but not than a change.
expect 2 'with the order change' run set $seeds "$(points 300)"
moves 5
expect 0 'changed' run change "$seeds=$(points 300)"
moves 305
expect 2 'send several orders' run change "$seeds=$(points 2000)"
expect 0 'changed' run change "$seeds=[]"
moves 305
expect 0 "$seeds" run list
expect 1 'expected a list of 3' run set $seeds '[{points: [[2, 0.3]]}]'
expect 0 "$seeds is" run set $seeds "$(points 100)"
moves 405
expect 0 '' run stop
wait "$program" || fail "the solver ended with $?: $(cat solver.txt)"
[ "$failures" -eq 0 ] && echo "seeds were set, moved and cleared"
exit "$failures"
