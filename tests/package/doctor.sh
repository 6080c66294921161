#!/usr/bin/env bash
# karman doctor: its lines on one and three ranks, and the problems that it names.
#
#   doctor.sh KARMAN MPIEXEC
set -u
karman=$1 mpiexec=$2 failures=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export TMPDIR=$folder/scratch
mkdir "$TMPDIR"

fail() {
    echo "FAILED: $*:"
    cat "$folder/said"
    failures=$((failures + 1))
}

# says CODE PATTERN COMMAND...: exit code, and a line with the pattern.
says() {
    local code=$1 pattern=$2 got
    shift 2
    "$@" >"$folder/said" 2>&1 </dev/null
    got=$?
    [ "$got" -eq "$code" ] || fail "$*: exit code $got"
    grep -qE -- "$pattern" "$folder/said" || fail "$*: nothing is said of '$pattern'"
}

ok='^  result +no problems found$'
for ranks in 1 3; do
    says 0 "$ok" "$mpiexec" -n $ranks "$karman" doctor
    for line in "karman [0-9.]+, commit" "  MPI .* launcher is $mpiexec\$" "  libraries +HDF5 " "  machine " \
        "  ranks +$ranks on 1 node; " "  memory .* free\$" "  folders .* in $TMPDIR\$" "  limits +stacks " \
        "  environment +locale " "  picture .* one rank draws the same\$"; do
        [ "$(grep -cE "^$line" "$folder/said")" -eq 1 ] || fail "$ranks ranks: not one line with '$line'"
    done
    [ "$(grep -cvE '^  note ' "$folder/said")" -eq 11 ] || fail "$ranks ranks: lines"
done
says 0 "$ok" "$karman" doctor
says 0 "  environment .*; OMP_NUM_THREADS=1; " env OMP_NUM_THREADS=1 UCX_TLS=posix,self "$karman" doctor
says 1 "  problem +.*no-such-folder.*TMPDIR" env TMPDIR=/no-such-folder "$karman" doctor
says 1 "  problem +a rank may use 1 cores, and has up to 2 threads: .*OMP_NUM_THREADS" \
    env OMP_NUM_THREADS=2 taskset -c 0 "$karman" doctor
says 1 "  problem +this is one rank, and the batch job has 4 tasks" env SLURM_NTASKS=4 "$karman" doctor
says 2 "srun started 8 processes" env SLURM_STEP_NUM_TASKS=8 SLURM_PROCID=0 "$karman" doctor
says 2 "'picture.yaml' is one argument too many" "$karman" doctor picture.yaml
[ -z "$(ls "$TMPDIR")" ] || fail "files stay: $(ls "$TMPDIR")"
echo "$failures failures"
[ "$failures" -eq 0 ]
