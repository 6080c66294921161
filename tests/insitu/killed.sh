#!/usr/bin/env bash
# Whoever kills the solver finds whole pictures only, and may go on in the same directory.
#
#   killed.sh SOLVER EXAMPLE_CONFIG FOLDER MPIEXEC
set -eu
solver=$1 config=$2 folder=$3 mpiexec=$4
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
sed -e 's#run: .*#run: run#' -e 's/every: [0-9]*/every: 1/' -e 's/when: .*//' "$config" >insitu.yaml

# Starts the solver and sends a signal to both ranks at once in the midst of its pictures; the launcher
# then ends by itself. False where the solver came to its end first, as it may on a busy machine.
kill_solver() {
    "$mpiexec" -n 2 "$solver" insitu.yaml >"$1.log" 2>&1 &
    local launcher=$! pids
    # However long it takes: ctest ends what hangs.
    until [ -e run/frames/duct_000004.png ] || ! kill -0 "$launcher" 2>/dev/null; do
        sleep 0.02
    done
    # Children of the launcher (Open MPI), or of its proxy (MPICH).
    pids=$(pgrep -P "$launcher,$(pgrep -d, -P "$launcher")" -f "^$solver " 2>/dev/null || true)
    # shellcheck disable=SC2086
    kill -"$1" $pids 2>/dev/null || true
    ! wait "$launcher"
}

for signal in KILL TERM; do
    tries=0
    until kill_solver "$signal"; do
        tries=$((tries + 1))
        test "$tries" -lt 5 || { echo "FAILED: the solver always comes to its end"; exit 1; }
        rm -f run/frames/*.png
    done
    test -e run/frames/duct_000004.png || { echo "FAILED: no pictures: $(cat "$signal.log")"; exit 1; }
    if grep -q '"finished"' run/status.json; then
        echo "FAILED: the solver says that it has come to its end"
        exit 1
    fi
    for picture in run/frames/*.png; do
        # The last chunk of a PNG file, with its CRC.
        test "$(tail -c 8 "$picture" | od -An -tx1 | tr -d ' \n')" = 49454e44ae426082 ||
            { echo "FAILED: $picture is not whole"; exit 1; }
    done
    ls run/frames | wc -l
    rm run/frames/*.png
done
echo "killed, and every picture is whole"
