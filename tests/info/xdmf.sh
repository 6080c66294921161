#!/usr/bin/env bash
# What `karman convert` writes opens through its XDMF file: with the same bytes of picture as
# from the HDF5 file, and converted again with the same bytes of HDF5.
#
#   xdmf.sh KARMAN SAME_PICTURES MAKE_DATA_SET FOLDER MPIEXEC…
set -u
karman=$1 same=$2 make_data_set=$3 folder=$4
shift 4
mpiexec=("$@")
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder" || exit 1
failures=0
small=(--quiet --set image.width=120 --set image.height=75)

complain() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# check NAME [OPTION…]: a data set of that name up to the +, written with these options.
check() {
    local name=$1
    shift
    "$make_data_set" "${name%%+*}" "$@" --output "$name.h5" >/dev/null || exit 1
    timeout 300 "$karman" convert "$name.h5" "$name-1.h5" >said.txt 2>&1 || complain "$name: $(cat said.txt)"
    timeout 300 "${mpiexec[@]}" -n 3 "$karman" convert "$name-1.xdmf" "$name-2.h5" >said.txt 2>&1 ||
        complain "$name is not converted from XDMF: $(cat said.txt)"
    cmp "$name-1.h5" "$name-2.h5" || complain "$name: other bytes when it is read by XDMF"
    sed "s/$name-2/$name-1/" "$name-2.xdmf" | cmp - "$name-1.xdmf" || complain "$name: another XDMF file"
    for end in h5 xdmf; do
        timeout 300 "$karman" render "$name-1.$end" "${small[@]}" --output "$name-$end.png" >said.txt 2>&1 ||
            complain "$name-1.$end: $(cat said.txt)"
    done
    "$same" "$name-h5.png" "$name-xdmf.png" 0 || complain "$name looks different through XDMF"
}
check karman --size 9,7,5 --steps 3
check karman+double --size 9,7,5 --double
check iblank-sphere --size 12,12,12
timeout 300 "$karman" info iblank-sphere-1.xdmf >said.txt 2>&1 || complain "iblank: $(cat said.txt)"
grep -q 'cells .* [1-9][0-9]* blanked' said.txt || complain "nothing is blanked: $(cat said.txt)"
grep -q 'Name="vtkGhostType" Center="Node"' iblank-sphere-1.xdmf || complain "no vtkGhostType for ParaView"
# From vtkGhostType alone.
sed '/Name="iblank"/,/<\/Attribute>/d' iblank-sphere-1.xdmf >iblank-sphere-3.xdmf
timeout 300 "$karman" info iblank-sphere-3.xdmf 2>&1 | sed 's/sphere-3/sphere-1/' >hidden.txt
cmp said.txt hidden.txt || complain "vtkGhostType is another iblank: $(cat hidden.txt)"

# Units stay.
cat >units.dat <<TEXT
VARIABLES = "x", "y", "z", "p [Pa]"
ZONE I=2, J=2, K=2, DATAPACKING=POINT
0 0 0 1
1 0 0 2
0 1 0 3
1 1 0 4
0 0 1 5
1 0 1 6
0 1 1 7
1 1 1 8
TEXT
timeout 300 "$karman" convert units.dat units.h5 >said.txt 2>&1 || complain "units: $(cat said.txt)"
for end in h5 xdmf; do
    timeout 300 "$karman" info "units.$end" >said.txt 2>&1
    grep -q 'pressure .* Pa ' said.txt || complain "units.$end has lost its units: $(cat said.txt)"
done

# What karman cannot draw: one sentence, whatever the command.
cat >tetra.xmf <<TEXT
<Xdmf><Domain><Grid><Topology TopologyType="Tetrahedron" NumberOfElements="1"/></Grid></Domain></Xdmf>
TEXT

for words in "info tetra.xmf" "init tetra.xmf" "convert tetra.xmf no.h5" "check tetra.xmf" "render tetra.xmf"; do
    # shellcheck disable=SC2086
    timeout 300 "$karman" $words >said.txt 2>&1 && complain "karman $words succeeds"
    grep -qF "has no structured grid but one of the kind Tetrahedron: let ParaView put it on an image" said.txt ||
        complain "karman $words: $(cat said.txt)"
done
[ "$failures" -eq 0 ]
