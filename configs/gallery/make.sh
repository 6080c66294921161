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

# The data of a config, by the command in its first lines.
make_data() {
    command=$(sed -n 's/^#     karman-dataset //p' "configs/gallery/$1.yaml")
    file=${command##* }
    if [ -n "$command" ] && [ ! -e "$file" ]; then
        echo "making $file"
        # shellcheck disable=SC2086
        "$build/karman-dataset" $command.new
        mv "$file.new" "$file"
    fi
    if [ "$1" = vortex-street ] && [ ! -e "$out/cylinder.done" ]; then
        echo "making $out/cylinder.h5"
        "$build/karman-solver" configs/cylinder.yaml --set time.end=70 --set output.every=8000 \
            --set "output.file=../$out/cylinder.h5" --set "output.monitors=../$out/monitors.csv"
        touch "$out/cylinder.done"
    fi
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
