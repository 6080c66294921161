#!/usr/bin/env bash
# All commands that need no MPI work where MPI cannot start, as on a login node without a network.
# Under a launcher, only one rank does the work.
#
#   without_mpi.sh KARMAN SOLVER DATASET CONFIG LAUNCHER
set -u
karman=$1 solver=$2 dataset=$3 config=$4 launcher=$5
failures=0

# works CODE TEXT COMMAND...: COMMAND exits with CODE and prints TEXT once.
works() {
    local wanted=$1 text=$2 said code
    shift 2
    # MPICH's launcher may die of SIGPIPE (141) if programs end before it has written to them.
    for _ in 1 2 3 4 5; do
        said=$("$@" 2>&1 </dev/null)
        code=$?
        [ "$code" -eq 141 ] || break
    done
    if [ "$code" -ne "$wanted" ] || [ "$(grep -cF -- "$text" <<<"$said")" -ne 1 ]; then
        echo "FAILED: $*: expected exit code $wanted and, once, '$text', got $code and: $said"
        failures=$((failures + 1))
    fi
}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# No transport of UCX, no provider of libfabric, and no process manager at the place where PMI looks
# for one.
alone=(env UCX_TLS=none FI_PROVIDER=none PMI_PORT=none PMI_ID=0)
if "${alone[@]}" "$karman" info "$config" >"$folder/said" 2>&1 || grep -q "karman: error" "$folder/said"; then
    echo "FAILED: MPI starts all the same, so this test shows nothing: $(cat "$folder/said")"
    exit 1
fi
for start in "" "$launcher -n 3"; do
    # shellcheck disable=SC2206 # words are wanted
    run=(${start:-"${alone[@]}"})
    works 0 "Usage: karman COMMAND" "${run[@]}" "$karman" --help
    works 0 "karman " "${run[@]}" "$karman" --version
    for line in commit MPI HDF5 OpenMP options instructions compiler; do
        works 0 "  $line  " "${run[@]}" "$karman" --version
    done
    works 2 "no command is given" "${run[@]}" "$karman"
    works 2 "no command 'zzz': see 'karman --help'" "${run[@]}" "$karman" zzz
    works 2 "no command 'rendre': did you mean 'render'?" "${run[@]}" "$karman" rendre
    for file in wake.yaml data/wake.H5 "$0"; do
        works 2 "no command '$file': did you mean 'karman render $file'?" "${run[@]}" "$karman" "$file"
    done
    for command in render info compare steer live schedule collectives simulate tune example completion help; do
        works 0 "Usage: karman $command" "${run[@]}" "$karman" "$command" --help
    done
    works 0 "4 ranks" "${run[@]}" "$karman" schedule radix-k --ranks 4 --position 0
    works 0 "walk      3α + 24β" "${run[@]}" "$karman" collectives broadcast binomial
    works 2 "no compositing algorithm" "${run[@]}" "$karman" schedule none --ranks 4
    works 1 "is no run directory" "${run[@]}" "$karman" steer "$folder" status
    works 0 "Usage: karman-solver" "${run[@]}" "$solver" --help
    works 2 "name a config file" "${run[@]}" "$solver"
    works 0 "Usage: karman-dataset" "${run[@]}" "$dataset" --help
    works 2 "name a data set" "${run[@]}" "$dataset"
done
works 2 "needs a run directory" "${alone[@]}" "$karman" live
works 2 "call it without mpiexec" "$launcher" -n 3 "$karman" live "$folder"
echo "$failures failures"
[ "$failures" -eq 0 ]
