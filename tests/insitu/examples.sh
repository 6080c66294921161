#!/usr/bin/env bash
# The example solvers draw themselves, the same in both languages and on any number of ranks.
#
#   examples.sh SAME_PICTURES CONFIG FOLDER MPIEXEC RANKS:PROGRAM...
set -eu
same=$1 config=$2 folder=$3 mpiexec=$4
shift 4
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
first=
for run in "$@"; do
    ranks=${run%%:*} program=${run#*:}
    name=$ranks-$(basename "$program")
    sed "s#run: .*#run: $name#" "$config" >"$name.yaml"
    "$mpiexec" -n "$ranks" "$program" "$name.yaml"
    test "$(ls "$name/frames" | wc -l)" -eq 9
    first=${first:-$name}
    for picture in duct_000010 duct_000060 above_000040; do
        "$same" "$name/frames/$picture.png" "$first/frames/$picture.png"
    done
    grep -q solver.spreading "$name/parameters.json"
done
echo "$# runs drew the same"
