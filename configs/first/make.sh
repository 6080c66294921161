#!/bin/sh
# Makes the pictures of docs/first-pictures.md in out/first: what `karman render FILE` draws of data files
# without a config.
#
#     configs/first/make.sh BUILD
#
# BUILD is the folder with karman and karman-dataset. The environment variable KARMAN_SAMPLES names a folder
# that has public samples, in any folder below it: those that are there are drawn, too.
set -eu

build=$(cd "${1:?"usage: $0 BUILD"}" && pwd)
cd "$(dirname "$0")/../.."
out=out/first
mkdir -p "$out"

draw() { # draw NAME FILE OPTION…
    name=$1 file=$2
    shift 2
    "$build/karman" render "$file" -o "$out/$name.png" --quiet --set image.width=480 --set image.height=300 "$@"
    echo "$out/$name.png"
}

own() { # own NAME SET OPTION…: a data set of karman's own
    name=$1 set=$2
    shift 2
    [ -e "$out/$name.h5" ] || "$build/karman-dataset" "$set" --output "$out/$name.h5" "$@" >"$out/dataset.txt"
    draw "$name" "$out/$name.h5"
}

own wake karman
own coarse-wake karman --size 49,25,7
own two-planes karman --size 193,97,2
own boundary-layer boundary-layer --size 129,65,17
own wall wall
own ring annulus
own blob warped-box
own two-blocks two-blocks
own pole pole
own hole iblank-sphere
own ball ball
own c-grid c-grid
own o-grid o-grid
own overset overset
own orientations orientations
own mismatched mismatched
own flat flat
own missing nan-field
draw pressure "$out/wake.h5" --field pressure
draw paper "$out/wake.h5" --set look=paper

for sample in combxyz.bin multi-bin.xyz multi-bin-2D.xyz plot3dg.bin cfl3d-multi.cgns sqnz_s.adf.cgns wing.cgns \
    cyl_129x81.fmt rotstat.fmt sphere3.g RectGrid_bin.case SampleStructGrid.vtk 3DSMesh.xmf; do
    found=$(find "${KARMAN_SAMPLES:-/nowhere}/" -name "$sample" 2>"$out/find.txt" | head -n 1)
    [ -z "$found" ] || draw "sample-${sample%%.*}" "$found"
done
