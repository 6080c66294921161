#!/usr/bin/env bash
# Programs detect the launcher of another MPI, and say so once, before they write anything. A
# process that is alone on purpose continues.
#
#   start.sh KARMAN SOLVER DATASET ONE_THREAD HOST DATA FOLDER MPIEXEC
set -u
karman=$1 solver=$2 dataset=$3 one_thread=$4 host=$5 data=$6 folder=$7 mpiexec=$8
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder" || exit 1
failures=0
cat >picture.yaml <<TEXT
data: {file: $data, steps: 0}
image: {width: 24, height: 16, samples: 1}
camera: {position: [9, -9, 7], look_at: [3, 0, 2], up: [0, 0, 1], fov: 60}
layers: [{outline: {}}]
output: {frames: picture.png}
TEXT

fail() {
    echo "FAILED: $*: $(cat said.txt)"
    failures=$((failures + 1))
}

# refuses TEXTS VARIABLE=VALUE... COMMAND...: exit code 2, with the texts (separated by |) in one
# line; without any output if TEXTS are empty.
refuses() {
    local texts=$1 code text
    shift
    env "$@" >said.txt 2>&1 </dev/null
    code=$?
    [ "$code" -eq 2 ] || fail "$*: exit code $code"
    [ "$(wc -l <said.txt)" -eq "$([ -n "$texts" ] && echo 1 || echo 0)" ] || fail "$*: lines"
    while [ -n "$texts" ] && IFS= read -r text; do
        grep -qF -- "$text" said.txt || fail "$*: nothing is said of '$text'"
    done < <(tr '|' '\n' <<<"$texts")
    ! compgen -G '*.png' >/dev/null && ! [ -e data.h5 ] || fail "$*: something was written"
}

# works VARIABLE=VALUE... COMMAND...
works() {
    env "$@" >said.txt 2>&1 </dev/null || fail "$*: exit code $?"
    ! grep -q 'error' said.txt || fail "$*: it complains"
}

# This MPI's launcher of steps.
step_launcher="'srun --mpi=pmix'"
if "$mpiexec" --version 2>/dev/null | grep -q HYDRA; then
    step_launcher="'srun --mpi=pmi2'"
fi
open_mpi=(OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_RANK=0)
step=(SLURM_STEP_ID=0 SLURM_NTASKS=8 SLURM_STEP_NUM_TASKS=8 SLURM_PROCID=0)
render=("$karman" render picture.yaml --quiet)

# Launchers of others; the first process speaks.
refuses "karman: error: Open MPI's mpiexec started 4 processes|'$mpiexec -n 4'|unset OMPI_COMM_WORLD_SIZE" \
    "${open_mpi[@]}" "${render[@]}"
refuses "" "${open_mpi[@]}" OMPI_COMM_WORLD_RANK=3 "${render[@]}"
refuses "karman: error: srun started 8 processes|$step_launcher|'$mpiexec -n 8'|unset SLURM_STEP_NUM_TASKS" \
    "${step[@]}" "${render[@]}"
refuses "" "${step[@]}" SLURM_PROCID=7 "${render[@]}"
refuses "karman: error: MPICH's mpiexec started 3 processes|'$mpiexec -n 3'" PMI_SIZE=3 PMI_RANK=0 "${render[@]}"
refuses "" PMI_SIZE=3 PMI_RANK=2 "${render[@]}"
refuses "Open MPI" "${step[@]}" "${open_mpi[@]}" "$karman" info "$data"
refuses "srun" "${step[@]}" "$karman" compare picture.yaml --ranks 1 --out comparison
refuses "karman-solver: error: srun started 8" "${step[@]}" "$solver" no.yaml
refuses "karman-dataset: Open MPI's mpiexec started 4" "${open_mpi[@]}" "$dataset" pole --output data.h5
for other in mpiexec.openmpi mpiexec.mpich; do
    if [ "$(basename "$mpiexec")" != $other ] && command -v $other >/dev/null; then
        OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
            timeout 120 $other -n 3 "${render[@]}" >said.txt 2>&1 && fail "$other"
        # No message at all if the launcher has ended the first process before it could print one.
        [ "$(grep -c "karman: error" said.txt)" -le 1 ] || fail "$other: several speak"
        ! compgen -G '*.png' >/dev/null || fail "$other: a picture"
    fi
done

# A single process on purpose: in a batch script, in a step of one task, as the only one of its
# launcher in a larger job, without the variable. Then several processes of one MPI.
works SLURM_JOB_ID=9 SLURM_NTASKS=8 SLURM_PROCID=0 "$karman" info "$data"
works "${step[@]}" SLURM_STEP_NUM_TASKS=1 "$karman" info "$data"
works "${step[@]}" OMPI_COMM_WORLD_SIZE=1 OMPI_COMM_WORLD_RANK=0 "$karman" info "$data"
works "${step[@]}" "$mpiexec" -n 1 "$karman" info "$data"
works "${step[@]}" "${open_mpi[@]}" "$mpiexec" -n 2 "$karman" info "$data"
works "${step[@]}" env -u SLURM_STEP_NUM_TASKS "$karman" info "$data"
works "${open_mpi[@]}" "$mpiexec" -n 1 "$karman" compare picture.yaml --quiet \
    --ranks 1 --partitions screen --algorithms direct-send --out comparison
# Commands that need no MPI, and programs of others, which are not checked.
works "${step[@]}" "$karman" render --help
works "${step[@]}" "$karman" schedule tree --ranks 4
works "${step[@]}" "$host" funneled run

# An MPI without threads, and a program that asks for none: libkarman warns once, and continues.
"$mpiexec" -n 2 "$one_thread" no.yaml >said.txt 2>&1 && fail "one thread: it goes on"
[ "$(grep -c 'error: MPI provides MPI_THREAD_SINGLE only' said.txt)" -eq 1 ] || fail "one thread"
works "$mpiexec" -n 2 "$host" single run
[ "$(grep -c 'warning: MPI was initialised with MPI_THREAD_SINGLE' said.txt)" -eq 1 ] || fail "single"
works "$mpiexec" -n 2 "$host" funneled run
! [ -s said.txt ] || fail "funneled: it warns"

echo "$failures failures"
[ "$failures" -eq 0 ]
