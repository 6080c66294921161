#!/usr/bin/env bash
# `karman info` on files that other programs have written: the config that it prints works.
#
#   data.sh KARMAN DATA FOLDER
set -u
karman=$1 data=$2 folder=$3
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder" || exit 1
failures=0

complain() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# paste FILE NAME: writes the config that info prints as NAME.yaml.
paste() {
    timeout 300 "$karman" info "$1" >"$2.txt" 2>&1 || complain "$2: $(cat "$2.txt")"
    sed -n '/^data:/,$p' "$2.txt" >"$2.yaml"
    cat >>"$2.yaml" <<TEXT
image: {width: 48, height: 36}
camera: {position: [-25, -40, 80], look_at: [8, 0, 30], up: [0, 0, 1], fov: 30}
layers: [{volume: {field: density, range: [0.2, 0.7], colors: viridis, opacity: [[0, 0.2], [1, 0.5]]}}]
output: {frames: $2-%d.png}
TEXT
}

paste "$data/comb.h5" comb
grep -q 'density: .*/flow/density' comb.yaml || complain "no density: $(cat comb.yaml)"
timeout 300 "$karman" render comb.yaml --quiet || complain "comb.yaml cannot be drawn"
[ -s comb-0.png ] || complain "no picture of the combustor"

paste "$data/cgns/cfl3d-multi.cgns" cgns
grep -qF 'a CGNS file (zones: 4 structured, 0 unstructured)' cgns.txt || complain "the zones: $(head -3 cgns.txt)"
grep -qF 'There are 4 grids' cgns.txt || complain "the grids"
grep -qF 'with ghost cells that karman cannot leave out' cgns.txt || complain "rind cells"
timeout 300 "$karman" info cgns.yaml >said.txt 2>&1 || complain "cgns.yaml: $(cat said.txt)"
grep -qF '2 x 275 x 45 vertices' said.txt || complain "the zone: $(cat said.txt)"

for file in "$data"/plot3d/*; do
    timeout 300 "$karman" info "$file" >said.txt 2>&1 && complain "$file is no HDF5"
    grep -qF 'a PLOT3D file' said.txt || complain "$file: $(cat said.txt)"
done
[ "$failures" -eq 0 ]
