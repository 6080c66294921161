#!/usr/bin/env bash
# What `karman convert` writes for VTK: the same bytes from any number of ranks, and the same
# values, types, iblank and units when karman reads it.
#
#   vtk.sh KARMAN SAME_PICTURES MAKE_DATA_SET FOLDER MPIEXEC…
set -u
karman=$1 same=$2 make_data_set=$3 folder=$4
shift 4
mpiexec=("$@")
rm -rf "$folder"
mkdir -p "$folder/three"
cd "$folder" || exit 1
failures=0
small=(--quiet --set image.width=120 --set image.height=75)

complain() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# run WHAT COMMAND…: complains about a failure.
run() {
    local what=$1
    shift
    timeout 300 "$@" >said.txt 2>&1 || complain "$what: $(cat said.txt)"
}

# check NAME END [OPTION…]: a data set of that name up to the +, to files of VTK with this ending.
check() {
    local name=$1 end=$2
    shift 2
    "$make_data_set" "${name%%+*}" "$@" --output "$name.h5" >/dev/null || exit 1
    run "$name" "$karman" convert "$name.h5" "$name-1.h5"
    run "$name" "$karman" convert "$name.h5" -o "$name.vtm"
    [ -s "$name.$end" ] || complain "there is no $name.$end"
    run "$name on 3 ranks" "${mpiexec[@]}" -n 3 "$karman" convert "$name.h5" "three/$name.vtm"
    diff -r "$name" "three/$name" || complain "$name: other bytes from 3 ranks"
    cmp "$name.$end" "three/$name.$end" || complain "$name.$end: other bytes from 3 ranks"
    run "$name back" "${mpiexec[@]}" -n 3 "$karman" convert "$name.$end" "$name-2.h5"
    cmp "$name-1.h5" "$name-2.h5" || complain "$name: other bytes when it is read from VTK"
    for file in "$name-1.h5" "$name.$end"; do
        run "$file" "$karman" render "$file" "${small[@]}" --output "$file.png"
    done
    "$same" "$name-1.h5.png" "$name.$end.png" 0 || complain "$name looks different through VTK"
}
check karman pvd --size 9,7,5 --steps 3
check karman+double vtm --size 9,7,5 --steps 1 --double
check iblank-sphere vtm --size 12,12,12 --steps 1
find . -name '*.tmp*' -o -name '.*.vts*' | grep . && complain "temporary files are left"
grep -q 'Name="vtkGhostType"' iblank-sphere/*.vts || complain "no vtkGhostType for ParaView"

timeout 300 "$karman" convert karman.h5 karman.vtm >said.txt 2>&1 && complain "karman.pvd was replaced"
grep -qF -- "karman.pvd' exists: --force replaces it" said.txt || complain "a file that exists: $(cat said.txt)"
run "--force" "$karman" convert karman.h5 karman.vtm --force
timeout 300 "$karman" convert karman.vtm none.vtm >said.txt 2>&1 && complain "there is no karman.vtm"
mkdir full
run "one step" "$karman" convert karman.h5 -o full/last.vtm --steps last --fields pressure
[ -s full/last.vtm ] || complain "one step has no .vtm"

# Nothing is left of files that cannot be written.
(
    ulimit -f 4
    timeout 300 "$karman" convert karman.h5 full/short.vtm >said.txt 2>&1
) && complain "files beyond the limit are written"
find full -name '*.vts' -path '*short*' | grep . && complain "something is left: $(cat said.txt)"

# Units.
printf 'VARIABLES = "x", "y", "z", "p [Pa]"\nZONE I=2, J=2, K=2, DATAPACKING=POINT\n' >units.dat
for k in 0 1; do for j in 0 1; do for i in 0 1; do echo "$i $j $k $((i + 2 * j))"; done; done; done >>units.dat
run "units" "$karman" convert units.dat units.vtm
timeout 300 "$karman" info units.vtm >said.txt 2>&1
grep -q 'pressure .* Pa ' said.txt || complain "units are lost: $(cat said.txt)"

# A grid that moves: each step has its own files.
sed 's/^1 1 1 3$/1 1 2 3/' units.dat >units-1.dat
cp units.dat units-0.dat
run "a grid that moves" "$karman" convert 'units-%d.dat' moving.vtm
timeout 300 "$karman" info moving.pvd --json >said.txt 2>&1
grep -q '"steps"' said.txt || complain "moving.pvd: $(cat said.txt)"
run "its last step" "$karman" convert moving.pvd moving-1.h5 --steps 1
run "its last step" "$karman" convert units-1.dat moving-2.h5
h5diff moving-1.h5 moving-2.h5 /grid /grid 2>/dev/null || ! command -v h5diff >/dev/null ||
    complain "the grid of the last step is another one"
[ "$failures" -eq 0 ]
