#!/usr/bin/env bash
# CGNS files in ADF that other programs have written: karman knows them, converts and draws them.
#
#   adf.sh KARMAN SAME_PICTURES DATA FOLDER MPIEXEC…
set -u
karman=$1 same=$2 data=$3 folder=$4
shift 4
mpiexec=("$@")
rm -rf "$folder"
mkdir -p "$folder/below"
cd "$folder" || exit 1
failures=0

complain() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# says FILE FRAGMENT…: `karman info` prints each fragment.
says() {
    timeout 300 "$karman" info "$data/$1" >said.txt 2>&1
    for fragment in "${@:2}"; do
        grep -qF "$fragment" said.txt || complain "$1: no '$fragment' in: $(cat said.txt)"
    done
}
says sqnz_s.adf.cgns "CGNS in ADF, base 'SQNZ', 12 structured zones" 'dom1_3_2_2              17 x 9 x 9 vertices, iblank' \
    'density              in cells  0.160092 to 0.973551' '32, 12 of them walls' 'needs     1 node of 64 GB'
says block_4x2x3.cgns 'SOLID 1                  4 x 2 x 3 vertices' 'y from -1 to 0'
says tryHoleFix.cgns '9 structured zones' 'sphere-part3.7           7 x 13 x 2 vertices' 'x from 0.346367791 to 0.654376194'
says wing.cgns '9 structured zones' 'z from -0.00788124837 to 14.058998'
says naca1DNS.cgns 'are lines of vertices'

# Converted files are the same from any number of ranks; pictures too, from any folder.
small=(--quiet --set image.width=240 --set image.height=150)
for name in sqnz_s.adf block_4x2x3 tryHoleFix wing; do
    for ranks in 1 3; do
        timeout 300 "${mpiexec[@]}" -n $ranks "$karman" convert "$data/$name.cgns" "$name-$ranks.h5" >said.txt 2>&1 ||
            complain "$name is not converted on $ranks ranks: $(cat said.txt)"
    done
    cmp "$name-1.h5" "$name-3.h5" || complain "$name: ranks write other bytes"
    timeout 300 "$karman" render "$name-1.h5" "${small[@]}" --output "$name-1.png" >said.txt 2>&1 ||
        complain "$name: $(cat said.txt)"
    cp "$data/$name.cgns" . # a relative path, and the working folder is not that of the file
    (cd below && timeout 300 "${mpiexec[@]}" -n 3 "$karman" render "../$name.cgns" "${small[@]}" --output "../$name-3.png") \
        >said.txt 2>&1 || complain "$name on 3 ranks: $(cat said.txt)"
    "$same" "$name-1.png" "$name-3.png" 1 || complain "$name looks different when it is converted"
done

# Boundary conditions by family, type and name: the walls, and the same on other ranks.
# boundary NAME RANKS PLACE
boundary() {
    timeout 300 "${mpiexec[@]}" -n "$2" "$karman" render "$data/sqnz_s.adf.cgns" "${small[@]}" --output "$1.png" \
        --set "layers=[{object: {$3, color: [0.7, 0.7, 0.7]}}]" >said.txt 2>&1
}
boundary walls 1 'walls: true' || complain "walls: $(cat said.txt)"
boundary family 3 'family: wall' || complain "a family: $(cat said.txt)"
boundary inflow 1 'family: inflow' || complain "a family that is no wall: $(cat said.txt)"
boundary type 1 'bc: wallinviscid' || complain "a type: $(cat said.txt)"
boundary name 1 'bc: paroi1' || complain "a name: $(cat said.txt)"
"$same" walls.png family.png 1 || complain "a family of walls"
"$same" walls.png type.png 0 || complain "a type of walls"
"$same" walls.png name.png 0 >/dev/null && complain "one of two walls"
boundary none 1 'family: hub' && complain "there is no such family"
grep -qF "there is no family 'hub': the data have 'inflow', 'sym', 'wall', 'outflow'" said.txt ||
    complain "no such family: $(cat said.txt)"

# A file that was cut off.
head -c 700000 "$data/sqnz_s.adf.cgns" >cut.cgns
timeout 300 "${mpiexec[@]}" -n 3 "$karman" render cut.cgns >said.txt 2>&1 && complain "cut.cgns was drawn"
grep -qF "cut.cgns' is cut off or damaged" said.txt || complain "cut.cgns: $(cat said.txt)"
[ "$failures" -eq 0 ]
