#!/usr/bin/env bash
# Grids that move, blocks that change their size, come and go, converted: the values are those of the data.
#
#   converted.sh KARMAN SCRIPTS FOLDER PYTHON HAS_XML MPIEXEC…
set -u
karman=$1 scripts=$2 folder=$3 python=$4 has_xml=$5
shift 5
mpiexec=("$@")
rm -rf "$folder"
mkdir -p "$folder/move" "$folder/size"
"$python" -c 'import vtkmodules, h5py' 2>/dev/null || python=/usr/bin/python3
"$python" "$scripts/write_moving.py" "$folder/move" || exit $?
"$python" "$scripts/write_sizes.py" "$folder/size" || exit $?
failures=0 cases=0

complain() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# converts FOLDER FILE OUT [loose]: on one rank and three alike, with the values of each step.
converts() {
    cases=$((cases + 1))
    cd "$folder/$1" || exit 1
    local stem=${3%.*} form file
    for form in one three; do
        rm -rf "$form" && mkdir "$form"
    done
    timeout 60 "$karman" convert "$2" "one/$3" >said.txt 2>&1 || complain "$2 to $3: $(cat said.txt)"
    timeout 60 "${mpiexec[@]}" -n 3 "$karman" convert "$2" "three/$3" >said.txt 2>&1 ||
        complain "$2 to $3 on 3 ranks: $(cat said.txt)"
    diff -r one three >said.txt 2>&1 || complain "$2 to $3: ranks differ: $(cat said.txt)"
    for file in "one/$3" "one/$stem.xdmf"; do
        [ -e "$file" ] || continue
        "$python" "$scripts/read_converted.py" "$file" . ${4:+"$4"} >said.txt 2>&1
        local status=$?
        [ $status -eq 77 ] && cat said.txt && exit 77
        [ $status -eq 0 ] || complain "$2 to $file: $(cat said.txt)"
    done
    for file in "one/$3" "one/$stem.xdmf"; do
        [ -e "$file" ] && [ "$has_xml" = yes ] || continue
        timeout 60 "$karman" info "$2" | sed -n '/^moving/,$p' | sed 's/^moving.*grids;/moving/; /^boundary/d; /, family/d; s/, without.*//' >expected.txt
        timeout 60 "$karman" info "$file" | sed -n '/^moving/,$p' | sed 's/^moving.*grids;/moving/; s/, without.*//' >said.txt
        diff expected.txt said.txt >/dev/null || complain "info of $file: $(diff expected.txt said.txt)"
    done
}

# refuses FOLDER FILE: one sentence with a way out, and nothing is written.
refuses() {
    cases=$((cases + 1))
    cd "$folder/$1" || exit 1
    rm -rf refused && mkdir refused
    timeout 60 "${mpiexec[@]}" -n 3 "$karman" convert "$2" refused/out.h5 >said.txt 2>&1 && complain "$2 to HDF5: it works"
    [ "$(grep -c . said.txt)" -eq 1 ] || complain "$2: one line wanted: $(cat said.txt)"
    grep -qF -- '-o flow.pvd' said.txt || complain "$2: no way out in: $(cat said.txt)"
    [ -z "$(ls refused)" ] || complain "$2 leaves $(ls refused)"
}

for file in moving.cgns 'flow_%d.h5'; do
    converts move "$file" out.h5
    converts move "$file" out.pvd
done
cp "$folder/move/one/out.pvd" "$folder/move/again.pvd" && cp -r "$folder/move/one/out" "$folder/move/out"
[ "$has_xml" = no ] || converts move again.pvd out.h5

files=('flow_%d.h5' 'flow_%d.cgns' 'flow.case' 'flow.dat loose')
[ "$has_xml" = no ] || files+=('flow.xdmf' 'flow.pvd')
for pair in "${files[@]}"; do
    read -r file loose <<<"$pair"
    [ "$file" = 'flow_%d.cgns' ] && loose=loose
    converts size "$file" out.pvd $loose
    refuses size "$file"
done

# Zones that CGNS names for each step.
for file in zones.cgns narrow.cgns; do
    converts size/zones $file out.pvd
    refuses size/zones $file
done
cases=$((cases + 1))
timeout 60 "$karman" info zones.cgns >said.txt 2>&1
for line in 'step 1: Guest 10 x 9 x 8' 'step 2: Bar_b 31 x 10 x 13, without Bar_a' 'step 3: Bar_c 19 x 14 x 9' 'family Blade'; do
    grep -qF -- "$line" said.txt || complain "info zones.cgns: no '$line' in: $(cat said.txt)"
done

# karman's own layout with coordinates of a step: a block that rests has them once.
cd "$folder" && mkdir own && cd own || exit 1
"$python" - <<'PYTHON'
import h5py
import numpy as np
k, j, i = np.meshgrid(np.arange(4.0), np.arange(5.0), np.arange(6.0), indexing="ij")
def write(file, group, step, block):
    at = (step if block == "Bar" and step < 3 else 2 if block == "Bar" else 10)
    for name, values in {"x": i + at, "y": j + 0.1 * at * i, "z": k, "iblank": (i + at) % 5 > 0}.items():
        file[f"{group}/{block}/{name}"] = values.astype("i4" if name == "iblank" else "f8")
with h5py.File("own.h5", "w") as own:
    for step in range(4):
        with h5py.File(f"at_{step}.h5", "w") as alone:
            for block in ("Bar", "Still"):
                write(alone, "grid", step, block)
                ghosts = np.where(alone[f"grid/{block}/iblank"][...] == 0, 2, 0)
                alone[f"grid/{block}/vtkGhostType"] = ghosts.astype("u1")
                if step == 0:
                    write(own, "grid", step, block)
                elif block == "Bar" and step < 3:
                    write(own, f"grids/{step:04d}", step, block)
                alone[f"flow/{step}/{block}/pressure"] = own[f"flow/{step:04d}/{block}/pressure"] = i * j + step
        with h5py.File(f"at_{step}.h5", "a") as alone:
            alone[f"flow/{step}"].attrs["time"] = own[f"flow/{step:04d}"].attrs["time"] = 0.25 * step
wrong = {"step": "grids/0007/Bar/x", "block": "grids/0001/Foo/x", "gone": "grids/0003/Bar/x"}
for name, path in wrong.items():
    with h5py.File("own.h5") as own, h5py.File(f"{name}.h5", "w") as file:
        for key in own:
            own.copy(key, file)
        file[path] = i
PYTHON
converts own own.h5 out.h5
cp one/out.h5 kept.h5
converts own own.h5 out.pvd
cases=$((cases + 1))
"$python" - <<'PYTHON' || complain "coordinates at rest are written again"
import h5py
with h5py.File("own.h5") as own, h5py.File("kept.h5") as kept:
    assert [list(kept["grids"][step]) for step in sorted(kept["grids"])] == [["Bar"], ["Bar"]], list(kept["grids"])
    assert kept.attrs["karman_format"] == 2 and sorted(kept["grid"]) == sorted(own["grid"])
PYTHON
for pair in "step|a step '0007'" "block|a block 'Foo'" "gone|'/grids/0003/Bar/y'"; do
    cases=$((cases + 1))
    timeout 60 "${mpiexec[@]}" -n 2 "$karman" render "${pair%%|*}.h5" >said.txt 2>&1 && complain "$pair: it works"
    [ "$(grep -c . said.txt)" -eq 1 ] && grep -qF -- "${pair#*|}" said.txt || complain "$pair: $(cat said.txt)"
done

echo "$cases cases, $failures failures"
[ "$failures" -eq 0 ]
