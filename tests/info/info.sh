#!/usr/bin/env bash
# `karman info` on files that do not have karman's own layout, and on files that are not HDF5. One
# rank and several print the same, and the section that it prints for a config works.
#
#   info.sh KARMAN MAKE_LAYOUTS FOLDER LAUNCHER...      (LAUNCHER: "mpiexec -n 3")
set -u
karman=$1 make_layouts=$2 folder=$3
shift 3
launcher=("$@")
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder" || exit 1
failures=0 cases=0

complain() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# info KIND FRAGMENT...: makes the file KIND.h5; info prints each fragment.
info() {
    local kind=$1 fragment
    shift
    cases=$((cases + 1))
    "$make_layouts" "$kind" "$kind.h5" || exit 1
    timeout 300 "$karman" info "$kind.h5" >"$kind.txt" 2>&1 || complain "$kind: $(cat "$kind.txt")"
    timeout 300 "${launcher[@]}" "$karman" info "$kind.h5" >several.txt 2>&1 || complain "$kind: ranks"
    cmp -s "$kind.txt" several.txt || complain "$kind: several ranks print something else"
    for fragment in "$@"; do
        grep -qF -- "$fragment" "$kind.txt" || complain "$kind: no '$fragment' in: $(cat "$kind.txt")"
    done
    timeout 300 "$karman" info --json "$kind.h5" >"$kind.json" || complain "$kind: --json"
    grep -qF '"data_sets": [' "$kind.json" || complain "$kind: no data sets in its JSON"
}

# draws KIND FIELD PICTURES: the config that info prints draws so many pictures.
draws() {
    local kind=$1 field=$2 pictures=$3
    sed -n '/^data:/,$p' "$kind.txt" >"$kind.yaml"
    cat >>"$kind.yaml" <<TEXT
image: {width: 24, height: 18}
camera: {position: [9, -9, 7], look_at: [2, 1.5, 1], up: [0, 0, 1], fov: 40}
layers: [{contour: {field: $field, k: 0, range: [0, 9], colors: viridis}}]
output: {frames: $kind-%04d.png}
TEXT
    timeout 300 "$karman" render "$kind.yaml" --quiet >said.txt 2>&1 || complain "$kind: $(cat said.txt)"
    [ "$(find . -name "$kind-*.png" | wc -l)" -eq "$pictures" ] || complain "$kind: pictures: $(ls)"
    timeout 300 "$karman" info "$kind.yaml" >said.txt 2>&1 || complain "$kind.yaml: $(cat said.txt)"
}

# refuses COMMAND FILE FRAGMENT...: prints one message with the file's name and the fragments.
refuses() {
    local command=$1 file=$2 fragment said
    shift 2
    cases=$((cases + 1))
    said=$(timeout 300 "${launcher[@]}" "$karman" "$command" "$file" 2>&1 >/dev/null) &&
        complain "$command $file: it works"
    [ "$(grep -c . <<<"$said")" -eq 1 ] || complain "$command $file: one line wanted: $said"
    for fragment in "karman: error: " "$@"; do
        [[ $said == *"$fragment"* ]] || complain "$command $file: no '$fragment' in: $said"
    done
}

# Layouts that a config can name.
info readme 'layout    not karman' '/flow/0010/rho  3 x 4 x 5, float32' 'units = "m"' 'time = 0.5' \
    '5 x 4 x 3 vertices: /grid/x, /grid/y, /grid/z' 'at vertices, /flow/%04d/rho (2 steps)' \
    'density:    /flow/%04d/rho' "momentum_x: '/flow/%04d/m[0]'" "momentum_z: '/flow/%04d/m[2]'"
draws readme density 2
draws readme velocity_magnitude 2
info points "x:      '/mesh/coordinates[0]'" 'iblank: /mesh/IBLANK' 'pressure:      /out/p_%d' \
    "wall_distance: '/mean/wall distance'" 'mean_pressure: /mean/p' 'in cells, /out/p_%d (2 steps)'
draws points pressure 2
info blocks '7 x 4 x 3 vertices: /b2/x' 'There are 2 blocks' 'density: /b%s/rho'
grep -q ': */b1/rho' blocks.txt && complain "blocks: a field of another block: $(cat blocks.txt)"
draws blocks density 1
"$make_layouts" own own.h5
timeout 300 "$karman" info own.h5 >own.txt 2>&1 || complain "own: $(cat own.txt)"
grep -q '^blocks *2$' own.txt || complain "own: two blocks wanted: $(cat own.txt)"
info cgns 'a CGNS file (zones: 1 structured, 0 unstructured)' \
    "x: '/Base/Zone 1/GridCoordinates/CoordinateX/ data'" \
    "density:    '/Base/Zone 1/FlowSolution/Density/ data'" 'momentum_x: '
draws cgns density 1
info links '/dangling' 'a link to /nowhere, which is not there' '/soft' 'a link to /grid' \
    'a link to /t of file '"'gone.h5'"', which is not there' \
    'a link to /t of file '"'/'"', which is not there' "in file 'elsewhere.h5'" \
    'the same as /' 'the same as /grid/twin' 'and 11 others, to /flow/step12/rho' 'density:     /flow/step%d/rho' \
    'temperature: /other/t'
draws links temperature 12

# Files in another folder, and a pattern of them; times under other names than "time".
mkdir sub
cp readme.h5 sub/flow_0001.h5
for file in sub/flow_0001.h5 'sub/flow_%04d.h5' "$PWD/sub/flow_0001.h5"; do
    cases=$((cases + 1))
    timeout 300 "${launcher[@]}" "$karman" info "$file" >sub.txt 2>&1 || complain "$file: $(cat sub.txt)"
    grep -qE 'density +at vertices  [0-9.-]+ to' sub.txt || complain "$file: no ranges in: $(cat sub.txt)"
    grep -qF 'time 1.5' sub.txt || complain "$file: no time in: $(cat sub.txt)"
done

# Layouts that a config cannot name: one sentence, in info and in render.
info vtkhdf 'a VTKHDF file (UnstructuredGrid): its grid is unstructured' '/VTKHDF/Points' '20 x 3, float32'
info fluent 'a file of Ansys Fluent: its grid is unstructured'
info cgns-unstructured 'zones: 0 structured, 1 unstructured): its grid is unstructured'
info exodus 'an Exodus file: its grid is unstructured'
info rectilinear 'a netCDF-4 file' '5 x 4 x 3 vertices: /x, /y, /z' 'pressure: /p' ' Pa'
draws rectilinear pressure 1
info lists 'no array of numbers has three axes'
info plane '5 x 4 x 1 vertices: /x, /y' '/p[step] (2 steps)' 'cells     12: '
draws plane pressure 2
for layer in "isosurface: {field: pressure, value: 0.5}" "volume: {field: pressure, range: [0, 9]}"; do
    cases=$((cases + 1))
    timeout 300 "${launcher[@]}" "$karman" render plane.yaml --set "layers=[{$layer}]" --quiet >said.txt 2>&1
    grep -qF 'two dimensions, in which this shows nothing: take contour: {field: pressure, k: 0' said.txt ||
        complain "a sheet refuses $layer: $(cat said.txt)"
done
grep -q '^ *z:' plane.txt && complain "plane: a z in: $(cat plane.txt)"
info plane-misfit 'x and y have two axes, but not of equal shape'
info first "x: '/xyz[0,:]'" 'no field is there'
info nameless 'no array is called like a coordinate' 'name them in data.grid'
info stepless 'pressure: /flow/mean/box/p'
info types 'compound {re, im}' 'uint8' 'int64 big-endian' '/texts' 'words = "a text of two lines"' \
    'pair = (1 of compound {re, im})'
info empty 'data sets 0' 'there is no array of numbers to draw'
for kind in vtkhdf fluent cgns-unstructured exodus cgns points rectilinear stepless; do
    echo "data: {file: $kind.h5}" >"own-$kind.yaml"
    sed -n '/^image:/,$p' readme.yaml >>"own-$kind.yaml"
done
refuses render own-vtkhdf.yaml "vtkhdf.h5' is a VTKHDF file (UnstructuredGrid): its grid is unstructured"
refuses render own-fluent.yaml 'Ansys Fluent: its grid is unstructured'
refuses render own-cgns-unstructured.yaml 'its grid is unstructured'
refuses render own-exodus.yaml 'an Exodus file'
# A config that names a file alone draws what was guessed, as the command line does.
for pair in cgns:density rectilinear:pressure points:pressure stepless:pressure; do
    cases=$((cases + 1))
    timeout 60 "${launcher[@]}" "$karman" render "own-${pair%:*}.yaml" --set "layers.0.contour.field=${pair#*:}" \
        >said.txt 2>&1 || complain "own-${pair%:*}.yaml: $(cat said.txt)"
    [ "$(grep -c 'grid and fields are guessed' said.txt)" -eq 1 ] || complain "own-${pair%:*}.yaml: $(cat said.txt)"
done

# Files that are not HDF5.
printf 'CDF\001aaaa' >classic.nc
printf '@(#)ADF Database Version B02012>' >adf.cgns
printf '<?xml version="1.0"?>\n<VTKFile type="UnstructuredGrid">\n' >a.vtu
printf '# vtk DataFile Version 3.0\n' >a.vtk
printf 'FoamFile\n{\n    version 2.0;\n}\n' >points
printf '<Xdmf Version="3.0">\n' >a.xdmf
printf 'just words\n' >words.txt
printf 'TITLE = "a"\n' >a.dat
printf '\037\213\010\000' >a.h5.gz
printf '\001\002\003\000' >unknown.bin
# PLOT3D: text with its solution beside it, a solution alone, a truncated Fortran file.
printf '2 2 2\n 0 1 0 1 0 1 0 1\n 0 0 1 1 0 0 1 1\n 4*0. 4*1.0D0\n' >text.xyz
printf '2 2 2\n 0.5 2 1e6 0.25\n 8*1.5 24*0.25\n 1 2 3 4 5 6 7 8\n' >text.q
printf '1 2 3\n words' >words.xyz
{
    printf '\014\000\000\000\002\000\000\000\002\000\000\000\002\000\000\000\014\000\000\000'
    printf '\140\000\000\000' && head -c 90 /dev/zero
} >records.xyz
{ # two records of 80 bytes
    for _ in 1 2; do printf '\120\000\000\000' && head -c 80 /dev/zero && printf '\120\000\000\000'; done
} >raw.dat
: >empty.h5
mkdir folder.h5
mkfifo pipe.h5
head -c 1500 links.h5 >truncated.h5
refuses info classic.nc "netCDF file 'classic.nc' has a damaged or unfinished header"
refuses info adf.cgns "adf.cgns' is cut off or damaged: it has 32 bytes"
refuses info a.vtu 'a VTK file (UnstructuredGrid): karman draws structured grids only'
refuses info a.vtk 'neither ASCII nor BINARY'
refuses info points 'a file of OpenFOAM'
refuses info a.xdmf 'XDMF'
refuses info words.txt "text; a config's name ends in .yaml"
refuses info a.dat "Tecplot file 'a.dat' has no variables named X and Y"
refuses info a.h5.gz 'compressed by gzip'
refuses info raw.dat '2 Fortran records of 80 bytes, which do not say the sizes of a grid'
refuses info unknown.bin 'is not an HDF5 file, or its start is missing'
for mode in '' --json; do
    # shellcheck disable=SC2086
    timeout 300 "${launcher[@]}" "$karman" info $mode text.xyz >text.txt 2>&1 || complain "text.xyz: $(cat text.txt)"
    for fragment in 'PLOT3D, single-block, text' 'text.q (text)' 'angle of attack 2, Reynolds number 1e+06'; do
        grep -qF "$fragment" text.txt || complain "text.xyz $mode: no '$fragment' in: $(cat text.txt)"
    done
done
refuses info text.q "is a PLOT3D solution, and its grid is 'text.xyz'"
mkdir alone && cp text.q alone
refuses info alone/text.q 'is a PLOT3D solution, but data.file takes a grid'
refuses info words.xyz 'words'
refuses info records.xyz "file 'records.xyz' is truncated"
refuses info empty.h5 'is not an HDF5 file but empty'
refuses info folder.h5 "folder 'folder.h5' holds no data file"
refuses info pipe.h5 "'pipe.h5' is a pipe"
refuses info missing.h5 "'missing.h5' cannot be opened: No such file"
refuses info truncated.h5 "'truncated.h5' is truncated"

echo "$cases cases, $failures failures"
[ "$failures" -eq 0 ]
