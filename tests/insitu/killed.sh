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
for signal in KILL TERM; do
    "$mpiexec" -n 2 "$solver" insitu.yaml >"$signal.log" 2>&1 &
    launcher=$!
    # However long it takes: ctest ends what hangs.
    until [ -e run/frames/duct_000004.png ] || ! kill -0 "$launcher" 2>/dev/null; do
        sleep 0.02
    done
    test -e run/frames/duct_000004.png
    # Both ranks at once; the launcher then ends by itself.
    pids=$(pgrep -P "$(pgrep -P "$launcher" | head -1)" || true)
    test -n "$pids"
    # shellcheck disable=SC2086
    kill -"$signal" $pids
    wait "$launcher" && { echo "FAILED: the solver came to its end"; exit 1; }
    ! grep -q '"finished"' run/status.json
    for picture in run/frames/*.png; do
        # The last chunk of a PNG file, with its CRC.
        test "$(tail -c 8 "$picture" | od -An -tx1 | tr -d ' \n')" = 49454e44ae426082 ||
            { echo "FAILED: $picture is not whole"; exit 1; }
    done
    ls run/frames | wc -l
    rm run/frames/*.png
done
echo "killed, and every picture is whole"
