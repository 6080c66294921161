#!/usr/bin/env bash
# Files that other programs have written: `karman info` knows them, and they are drawn.
#
#   data.sh KARMAN SAME_PICTURES DATA FOLDER MPIEXEC…
set -u
karman=$1 same=$2 data=$3 folder=$4
shift 4
mpiexec=("$@")
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
image: {width: 48, height: 36, samples: 1}
camera: {position: [-25, -40, 80], look_at: [8, 0, 30], up: [0, 0, 1], fov: 30}
layers: [{volume: {field: density, range: [0.2, 0.7], colors: viridis, opacity: [[0, 0.2], [1, 0.5]]}}]
output: {frames: $2-%d.png}
TEXT
}

paste "$data/comb.h5" comb
grep -q 'density: .*/flow/density' comb.yaml || complain "no density: $(cat comb.yaml)"
timeout 300 "$karman" render comb.yaml --quiet || complain "comb.yaml cannot be drawn"
[ -s comb-0.png ] || complain "no picture of the combustor"

# Four zones of CFL3D, with rind cells around the values: several ranks draw the same as one.
timeout 300 "$karman" info "$data/cgns/cfl3d-multi.cgns" >said.txt 2>&1 || complain "cgns: $(cat said.txt)"
for fragment in 'CGNS, base '"'Base'"', 4 structured zones' '2 x 275 x 45 vertices, iblank' '1401     time 0' \
    'density              in cells  0.706341 to 1.01972'; do
    grep -qF "$fragment" said.txt || complain "cgns: no '$fragment' in: $(cat said.txt)"
done
cat >cgns.yaml <<TEXT
data: {file: $data/cgns/cfl3d-multi.cgns}
image: {width: 96, height: 64, samples: 1}
camera: {position: [0.5, 6, 0.2], look_at: [0.5, -0.5, 0], up: [0, 0, 1], fov: 24}
layers:
  - volume: {field: mach, range: [0, 0.35], opacity: [[0, 0.5], [1, 0.5]], unit_length: 0.5}
  - object: {walls: true, color: [1, 1, 1]}
output: {frames: cgns.png}
TEXT
timeout 300 "$karman" render cgns.yaml --quiet || complain "cgns.yaml cannot be drawn"
# same_on_ranks NAME: NAME.yaml has given NAME.png on one rank; others draw the same.
same_on_ranks() {
    for ranks in 2 3 5 8; do
        timeout 300 "${mpiexec[@]}" -n $ranks "$karman" render "$1.yaml" --quiet --set "output.frames=$1-$ranks.png" ||
            complain "$1.yaml cannot be drawn on $ranks ranks"
        "$same" "$1.png" "$1-$ranks.png" 1 || complain "$1 on $ranks ranks"
    done
}
same_on_ranks cgns

# Two blocks of PLOT3D.
cat >multi.yaml <<TEXT
data: {file: $data/plot3d/multi-bin.xyz}
image: {width: 96, height: 64, samples: 1}
layers:
  - volume: {field: pressure, opacity: [[0, 0.2], [1, 0.6]]}
  - outline: {}
output: {frames: multi.png}
TEXT
timeout 300 "$karman" render multi.yaml --quiet || complain "multi.yaml cannot be drawn"
same_on_ranks multi

# The combustor's own files give the same pixels as the copy in HDF5, from any number of ranks.
cat >copy.yaml <<TEXT
data:
  file: $data/comb.h5
  grid: {x: /grid/x, y: /grid/y, z: /grid/z}
  fields:
    density: /flow/density
    momentum_x: /flow/momentum_x
    momentum_y: /flow/momentum_y
    momentum_z: /flow/momentum_z
image: {width: 96, height: 64, samples: 1}
layers: [{volume: {field: velocity_magnitude, range: [0, 1000], opacity: [[0, 0], [1, 0.6]]}}]
output: {frames: copy.png}
TEXT
sed -e '/^  grid:/,/^    momentum_z/d' -e "s|comb.h5|plot3d/combxyz.bin|" -e 's/copy.png/own.png/' copy.yaml >own.yaml
for ranks in 1 3; do
    for config in copy own; do
        timeout 300 "${mpiexec[@]}" -n "$ranks" "$karman" render $config.yaml --quiet ||
            complain "$config.yaml cannot be drawn on $ranks ranks"
    done
    "$same" copy.png own.png 0 || complain "the combustor of PLOT3D on $ranks ranks"
done

# Converted files are the same from any number of ranks, and give the same pictures.
# same_when_converted FILE NAME: draws FILE and its conversion.
same_when_converted() {
    local small=(--quiet --set image.width=240 --set image.height=150)
    for ranks in 1 3; do
        timeout 300 "${mpiexec[@]}" -n $ranks "$karman" convert "$1" "$2-$ranks.h5" >said.txt 2>&1 ||
            complain "$2 is not converted on $ranks ranks: $(cat said.txt)"
    done
    cmp "$2-1.h5" "$2-3.h5" || complain "$2: ranks write other bytes"
    timeout 300 "$karman" render "$1" "${small[@]}" --output "$2-before.png" >said.txt 2>&1 || complain "$2: $(cat said.txt)"
    timeout 300 "$karman" render "$2-1.h5" "${small[@]}" --output "$2-after.png" >said.txt 2>&1 || complain "$2: $(cat said.txt)"
    "$same" "$2-before.png" "$2-after.png" 0 || complain "$2 looks different when it is converted"
    "$karman" --version | grep -q xml || return
    timeout 300 "$karman" render "$2-1.xdmf" "${small[@]}" --output "$2-xdmf.png" >said.txt 2>&1 || complain "$2: $(cat said.txt)"
    "$same" "$2-after.png" "$2-xdmf.png" 0 || complain "$2 looks different through XDMF"
}
same_when_converted "$data/plot3d/combxyz.bin" combustor
same_when_converted "$data/cgns/cfl3d-multi.cgns" wing
[ -s wing-1.xdmf ] || complain "there is no XDMF file beside wing-1.h5"
timeout 300 "$karman" convert "$data/cgns/cfl3d-multi.cgns" wing-1.h5 >said.txt 2>&1 && complain "wing-1.h5 was replaced"
grep -qF -- '--force' said.txt || complain "a file that exists: $(cat said.txt)"
timeout 300 "$karman" convert "$data/cgns/cfl3d-multi.cgns" no.h5 --steps 3:4 >said.txt 2>&1 && complain "there is no step 3"
grep -qF -- '--steps 3:4: selects no step' said.txt || complain "no step: $(cat said.txt)"

timeout 300 "$karman" info "$data/plot3d/multi-bin.xyz" >said.txt 2>&1 || complain "multi-bin: $(cat said.txt)"
grep -qF 'multi-block, float64, little-endian, Fortran records' said.txt || complain "the form: $(cat said.txt)"
grep -qF 'Mach number 2.95' said.txt || complain "the Mach number: $(cat said.txt)"
grep -qF 'time 1.3911' said.txt || complain "the time: $(cat said.txt)"
timeout 300 "$karman" info "$data/plot3d/combq.bin" >said.txt 2>&1 && complain "a solution is no grid"
grep -qF 'is a PLOT3D solution' said.txt || complain "a solution: $(cat said.txt)"
# ParaView's list of PLOT3D files: two steps, the second with values of another name.
mkdir lists
cp "$data/plot3d/multi-bin.xyz" "$data/plot3d/multi-bin.q" lists
cp "$data/plot3d/multi-bin.q" "lists/more%d.q"
printf '{"auto-detect-format": true, "filenames": [{"time": 0.5, "xyz": "multi-bin.xyz", "q": "multi-bin.q"},
 {"time": 2, "xyz": "multi-bin.xyz", "q": "more%%d.q"}]}' >lists/list.p3d
timeout 300 "$karman" info lists/list.p3d >said.txt 2>&1 || complain "a list: $(cat said.txt)"
for fragment in '0        time 0.5' '1        time 2'; do
    grep -qF "$fragment" said.txt || complain "a list: no '$fragment' in: $(cat said.txt)"
done
small=(--quiet --set image.width=240 --set image.height=150)
timeout 300 "$karman" render "$data/plot3d/multi-bin.xyz" "${small[@]}" --output one.png || complain "multi-bin"
timeout 300 "${mpiexec[@]}" -n 3 "$karman" render lists/list.p3d "${small[@]}" --set data.steps=last --output last.png ||
    complain "a list on 3 ranks"
"$same" one.png last.png 1 || complain "a list looks different"
printf '{"filenames": [{"time": 0, "q": "multi-bin.q", "xyz": 7}]}' >lists/bad.p3d
timeout 300 "${mpiexec[@]}" -n 3 "$karman" render lists/bad.p3d >said.txt 2>&1 && complain "a list without a grid was drawn"
grep -qF "has an entry without its grid" said.txt || complain "a bad list: $(cat said.txt)"
printf '{"filenames": [{"time": 0, "xyz": "multi-bin.xyz", "function": "none.f"}]}' >lists/lacking.p3d
timeout 300 "$karman" info lists/lacking.p3d >said.txt 2>&1 && complain "a list without its functions was read"
grep -qF "'lists/none.f', which it names, is missing" said.txt || complain "a list without a file: $(cat said.txt)"
[ "$failures" -eq 0 ]
