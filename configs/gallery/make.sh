#!/bin/sh
# Makes the pictures of docs/gallery.md in out/gallery:
#
#     configs/gallery/make.sh BUILD [NAME…]
#
# BUILD is the folder with karman, karman-dataset and karman-solver. Without names it makes all
# pictures. Data that are missing are made first; the run of karman-solver takes some ten minutes of
# one core. Pictures of public samples are left out where these are missing: the environment variable
# KARMAN_SAMPLES names a folder that has them, in any folder below it.
set -eu

build=$(cd "${1:?"usage: $0 BUILD [NAME…]"}" && pwd)
shift
cd "$(dirname "$0")/../.."
out=out/gallery
mkdir -p "$out"

# data NAME COMMAND…: makes out/gallery/NAME by a command that takes it as its last argument.
data() {
    file=$out/$1
    shift
    if [ ! -e "$file" ]; then
        echo "making $file"
        "$@" "$file.new"
        mv "$file.new" "$file"
    fi
}

dataset() {
    name=$1
    shift
    "$build/karman-dataset" "$name" "$@"
}

# The data of a config.
make_data() {
    case $1 in
    wake-* | arrows) data karman.h5 dataset karman --steps 2 --size 385,129,33 --output ;;
    boundary-layer) data boundary-layer.h5 dataset boundary-layer --size 193,97,33 --output ;;
    ring) data annulus.h5 dataset annulus --size 97,65,33 --output ;;
    vanes) data vanes.h5 dataset vanes --size 121,41,33 --output ;;
    overset) data overset.h5 dataset overset --output ;;
    vortex-street)
        if [ ! -e "$out/cylinder.done" ]; then
            echo "making $out/cylinder.h5"
            "$build/karman-solver" configs/cylinder.yaml --set time.end=70 \
                --set output.every=8000 --set "output.file=../$out/cylinder.h5" \
                --set "output.monitors=../$out/monitors.csv"
            touch "$out/cylinder.done"
        fi
        ;;
    esac
}

# sample FILE…: links public samples into out/gallery; fails where one is missing.
sample() {
    for file; do
        found=$(find "${KARMAN_SAMPLES:-/nowhere}/" -name "$file" 2>/dev/null | head -n 1)
        [ -n "$found" ] || return 1
        ln -sf "$(realpath "$found")" "$out/$file"
    done
}

# Whether the data of a config are there, or can be made.
has_data() {
    case $1 in
    combustor*) sample combxyz.bin combq.bin ;;
    airfoil*) sample cfl3d-multi.cgns ;;
    esac
}

if [ $# -eq 0 ]; then
    set -- $(cd configs/gallery && ls -- *.yaml | sed 's/\.yaml$//')
fi
for name; do
    if has_data "$name"; then
        make_data "$name"
        echo "drawing $out/$name.png"
        "$build/karman" render "configs/gallery/$name.yaml" --quiet
    else
        echo "left out: $name, as its sample is not in KARMAN_SAMPLES"
    fi
done
