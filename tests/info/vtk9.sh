#!/usr/bin/env bash
# VTK's own reader finds the values that karman converted, bit by bit.
#
#   vtk9.sh KARMAN MAKE_DATA_SET SCRIPT FOLDER PYTHON
set -u
karman=$1 make_data_set=$2 script=$3 folder=$4 python=$5
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder" || exit 1
"$python" -c 'import vtkmodules, h5py' 2>/dev/null || python=/usr/bin/python3
failures=0
# check NAME STEP FILE [OPTION…]: a data set of that name up to the +.
check() {
    local name=$1 step=$2 file=$3
    shift 3
    "$make_data_set" "${name%%+*}" "$@" --output "$name.h5" >/dev/null || exit 1
    "$karman" convert "$name.h5" "$name-1.h5" >/dev/null && "$karman" convert "$name.h5" "$name.vtm" >/dev/null ||
        exit 1
    "$python" "$script" "$file" "$name-1.h5" "$step"
    local status=$?
    [ "$status" -eq 77 ] && exit 77
    [ "$status" -eq 0 ] || failures=$((failures + 1))
}
check karman 0001 karman/0001.vtm --size 9,7,5 --steps 3
check karman+double 0000 karman+double.vtm --size 9,7,5 --steps 1 --double
check iblank-sphere 0000 iblank-sphere.vtm --size 12,12,12 --steps 1
[ "$failures" -eq 0 ]
