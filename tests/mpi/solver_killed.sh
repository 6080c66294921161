#!/usr/bin/env bash
# Whenever the solver is killed, all checkpoints written before are complete, and the solver
# continues from the last one with the same results. A full disk leaves them complete, too.
#
#   solver_killed.sh SOLVER KILL_AT CHECK_STEPS CONFIG FOLDER MPIEXEC
#
# KILL_AT: the solver with kill_at.c, which kills itself.
set -u
solver=$1 kill_at=$2 check=$3 config=$4 folder=$5 mpiexec=$6
rm -rf "$folder"
mkdir -p "$folder/former" "$folder/right"
cd "$folder" || exit 1
folder=$(pwd -P)
failures=0

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# run FOLDER STEPS COMMAND...
run() {
    local where=$1 steps=$2
    shift 2
    "$@" "$config" --set grid.cylinder.ni=24 --set grid.cylinder.nj=10 \
        --set grid.cylinder.stretching=1.5 --set "time={cfl: 1, steps: $steps}" \
        --set "output={file: $folder/$where/flow.h5, every: 1, monitor_every: 1}" "${resume[@]}"
}

# last FOLDER: prints the last step of the series; checks all steps, and files of single steps.
last() {
    local file
    for file in "$1"/flow_0*.h5; do
        [ ! -e "$file" ] || "$check" right/flow.h5 "$file" >/dev/null || return 1
    done
    "$check" right/flow.h5 "$1/flow.h5"
}

resume=()
run former 2 "$solver" >log.txt 2>&1 && run right 5 "$solver" >log.txt 2>&1 || { cat log.txt; exit 1; }

# start_over: the former checkpoints, 1 and 2.
start_over() {
    rm -rf case
    cp -r former case
    resume=(--set "restart=$folder/case/flow.h5")
}

# goes_on NAME: continues from the files that a kill has left.
goes_on() {
    local step
    step=$(last case) || { fail "$1: checkpoints are not whole"; return; }
    [ "$step" -ge 2 ] || fail "$1: step 2 is gone, the last one is $step"
    run case 5 "$solver" >log.txt 2>&1 || fail "$1: it does not go on: $(cat log.txt)"
    step=$(last case) && [ "$step" -eq 5 ] || fail "$1: the end is not right"
    ! compgen -G 'case/*.part' >/dev/null && ! compgen -G 'case/*.tmp' >/dev/null ||
        fail "$1: left behind: $(ls case)"
}

# At a random one of all moments at which it changes a file.
start_over
KILL_COUNT=count run case 5 "$mpiexec" -n 1 "$kill_at" >log.txt 2>&1 || { cat log.txt; exit 1; }
moments=$(cat count)
[ "$moments" -ge 30 ] || fail "only $moments moments"
seed=20261123
RANDOM=$seed
for round in $(seq 6); do
    ranks=$((1 + round % 2))
    start_over
    export KILL_AT=$((1 + RANDOM % moments)) KILL_RANK=$((RANDOM % ranks))
    run case 5 "$mpiexec" -n "$ranks" "$kill_at" >log.txt 2>&1 && [ "$ranks" -eq 1 ] &&
        fail "moment $KILL_AT of $moments does not come"
    name="seed $seed, round $round, $ranks ranks, killed rank $KILL_RANK at moment $KILL_AT of $moments"
    unset KILL_AT KILL_RANK
    goes_on "$name"
done

# From outside, at a random time.
for round in 1 2; do
    start_over
    run case 1000000 "$mpiexec" -n 2 "$solver" >log.txt 2>&1 &
    launcher=$!
    until [ -e case/flow_000003.h5 ] || ! kill -0 "$launcher" 2>/dev/null; do
        sleep 0.02
    done
    sleep "0.$((100 + RANDOM % 200))"
    # The last processes below the shell in the background: behind mpiexec, and MPICH's proxy, come the ranks.
    pids=$launcher
    while below=$(pgrep -d, -P "$pids"); do
        pids=$below
    done
    [ "$pids" != "$launcher" ] && kill -KILL ${pids//,/ } || { fail "round $round: no ranks: $(cat log.txt)"; kill "$launcher"; }
    wait "$launcher" && fail "round $round: the solver came to its end"
    step=$(last case) && [ "$step" -ge 3 ] || fail "round $round: checkpoints are not whole"
done

# Disks with so many KiB free, less than the next steps need.
full=0
mkdir small
for free in 20 96; do
    mount -t tmpfs -o size=600k tmpfs small 2>/dev/null || break
    full=1
    start_over
    mv case small && ln -s small/case case
    head -c "$(($(df --output=avail -k small | tail -1) - free))k" /dev/zero >small/filler
    run case 5 timeout 300 "$mpiexec" -n "$((1 + free / 4 % 2))" "$solver" >log.txt 2>&1
    [ $? -eq 1 ] && [ "$(grep -c "error: .*'$folder/case/flow.*: " log.txt)" -eq 1 ] ||
        fail "$free KiB free: it says $(cat log.txt)"
    ! compgen -G 'case/*.part' >/dev/null || fail "$free KiB free: left behind: $(ls case)"
    rm small/filler
    goes_on "$free KiB free"
    rm case
    umount small
done
[ "$full" -eq 1 ] || echo "skipped: a full disk (this needs the right to mount a tmpfs)"

echo "$failures failures"
[ "$failures" -eq 0 ]
