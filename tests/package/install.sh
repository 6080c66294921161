#!/usr/bin/env bash
# The installed files are enough: the program finds its colour maps, and other people's programs
# build against libkarman with CMake and with pkg-config.
#
#   install.sh SOURCE_FOLDER BUILD_FOLDER WORK_FOLDER DATA_SET
set -eu
source=$1 build=$2 work=$3 data=$4
rm -rf "$work"
mkdir -p "$work"
prefix=$work/prefix
cmake --install "$build" --prefix "$prefix" >"$work/install.log"

cat >"$work/config.yaml" <<TEXT
data: {file: $data, steps: 0}
image: {width: 32, height: 24}
camera: {position: [9, -9, 7], look_at: [3, 0, 2], up: [0, 0, 1], fov: 60}
layers:
  - volume: {field: pressure, range: auto, colors: viridis, opacity: [[0, 0.2], [1, 0.5]]}
output: {frames: program.png}
TEXT
cd "$work"
"$prefix/bin/karman" --version
# libkarman defines no function of UCX or MPI, as it is a guest in other programs. karman's programs
# have the progress function, with which waits yield, and no other one.
functions() { nm -D --defined-only "$1" | grep -oE ' (ucp|ucs|uct|MPI|PMPI)_.*' || true; }
test -z "$(functions "$(find "$prefix" -name libkarman.so)")"
for program in karman karman-solver; do
    test "$(functions "$prefix/bin/$program")" = " ucp_worker_progress"
done
yield=$(find "$prefix" -name libkarman-yield.so)
LD_PRELOAD=$yield "$prefix/bin/karman" info "$data" >info.txt
"$prefix/bin/karman" render --quiet config.yaml
test -s program.png

export LD_LIBRARY_PATH=$prefix/lib:$prefix/lib/$(gcc -print-multiarch)
cmake -S "$source/tests/package/consumer" -B consumer -DCMAKE_PREFIX_PATH="$prefix" >cmake.log
cmake --build consumer >build.log
./consumer/consumer config.yaml cmake.png
cmp program.png cmake.png

# A program that uses libkarman may write numbers with a decimal comma. This makes a locale with
# one.
printf 'LC_NUMERIC\ndecimal_point ","\nthousands_sep ""\ngrouping -1\nEND LC_NUMERIC\n' >comma.txt
mkdir locales
localedef --quiet --force --inputfile=comma.txt "$work/locales/comma" || true # other categories are missing
test "$(LOCPATH=$work/locales LC_ALL=comma /usr/bin/printf %.1f 0,5)" = 0,5
LOCPATH=$work/locales LC_ALL=comma ./consumer/consumer config.yaml comma.png
cmp program.png comma.png

libdir=$(dirname "$(find "$prefix" -name karman.pc)")
flags=$(PKG_CONFIG_PATH=$libdir pkg-config --cflags --libs karman)
# shellcheck disable=SC2086
gcc "$source/tests/package/consumer/consumer.c" -o pkg-config-consumer $flags
./pkg-config-consumer config.yaml pkg-config.png
cmp program.png pkg-config.png
# libkarman finds the colour maps installed beside it, and no others.
cp "$prefix/share/karman/colormaps/viridis.json" "$prefix/share/karman/colormaps/mine.json"
sed 's/viridis/mine/' config.yaml >mine.yaml
./pkg-config-consumer mine.yaml mine.png
# Samples whose data are not installed tell by a sentence how to get these.
for sample in "$prefix"/share/karman/configs/*.yaml "$prefix"/share/karman/configs/gallery/*.yaml; do
    name=$(basename "$sample" .yaml)
    said=$("$prefix/bin/karman" render "$sample" 2>&1) && { echo "FAILED: $sample needs no data"; exit 1; }
    if [ "$(grep -c . <<<"$said")" -ne 1 ] ||
        ! grep -qE "'karman example $name' makes|the first lines of this sample say|karman-solver |in_situ" <<<"$said"; then
        echo "FAILED: $sample does not say how to draw it: $said"
        exit 1
    fi
done
(cd "$work" && "$prefix/bin/karman" example overset samples >example.log && cd samples &&
    ../prefix/bin/karman render overset.yaml --quiet --set image.width=64 --set image.height=36 && test -s overset.png)
echo "installed, and linked with CMake and pkg-config"

# Another person's solver that draws itself.
sed 's#run: .*#run: run#' "$prefix/share/karman/examples/insitu.yaml" >insitu.yaml
# shellcheck disable=SC2086
gcc "$prefix/share/karman/examples/solver.c" -o solver $flags -lm
./solver insitu.yaml
test -s run/frames/duct_000060.png
if [ -e "$prefix/include/karman.mod" ]; then
    mv run run-c
    # shellcheck disable=SC2086
    "$(sed -n 's/^MPI_Fortran_COMPILER:[^=]*=//p' "$build/CMakeCache.txt")" "$prefix/share/karman/examples/solver.f90" \
        -o solver-fortran -I"$prefix/include" -L"$(dirname "$libdir")" -lkarman_fortran $flags
    ./solver-fortran insitu.yaml
    cmp run/frames/duct_000060.png run-c/frames/duct_000060.png
fi
echo "a solver outside draws itself"
