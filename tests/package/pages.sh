#!/usr/bin/env bash
# The code of the pages for authors of solvers compiles, and runs, with an installed karman: C with
# pkg-config, Fortran in a project of Fortran alone with find_package.
#
#   pages.sh SOURCE_FOLDER BUILD_FOLDER WORK_FOLDER MPIEXEC
set -eu
source=$1 build=$2 work=$3 mpiexec=$4
rm -rf "$work"
mkdir -p "$work/fortran"
prefix=$work/prefix
cmake --install "$build" --prefix "$prefix" >"$work/install.log"
cd "$work"

# block PAGE LANGUAGE: the page's block of code in that language; fails unless there is exactly one.
block() {
    local page=$source/docs/user/$1
    [ "$(grep -c "^\`\`\`$2\$" "$page")" -eq 1 ] || { echo "FAILED: not one block of $2 in $1" >&2; exit 1; }
    sed -n "/^\`\`\`$2\$/,/^\`\`\`\$/p" "$page" | sed '1d;$d'
}
block ten-lines.md yaml >pictures.yaml
block ten-lines.md c >solver.c
block ten-lines.md fortran >fortran/solver.f90
block ten-lines.md cmake >fortran/CMakeLists.txt
block from-catalyst-and-ascent.md yaml >mapped.yaml

# run NAME PROGRAM PICTURES: on two ranks; its pictures go to NAME.
run() {
    rm -rf run
    [ "$3" = pictures.yaml ] || cp "$3" pictures.yaml
    "$mpiexec" -n 2 "$2"
    for step in 5 10 15 20; do
        [ -s "run/frames/frame_$(printf %06d $step).png" ] || { echo "FAILED: $1 lacks step $step"; exit 1; }
    done
    mv run "$1"
}

# Ten lines are ten: the statements about karman, beside the include.
for file in solver.c fortran/solver.f90; do
    count=$(grep -cE '^ *(karman_|.*= karman_|.*\(karman_|use karman|type\(c_ptr\) ::)' $file)
    [ "$count" -le 10 ] || { echo "FAILED: $file has $count statements about karman"; exit 1; }
done

export LD_LIBRARY_PATH=$prefix/lib:$prefix/lib/$(gcc -print-multiarch)
libdir=$(dirname "$(find "$prefix" -name karman.pc)")
flags=$(PKG_CONFIG_PATH=$libdir pkg-config --cflags --libs karman)
# shellcheck disable=SC2086
gcc -Wall -Werror solver.c -o solver-c $flags -lm
run of-c ./solver-c pictures.yaml
cp pictures.yaml kept.yaml
run mapped ./solver-c mapped.yaml
cp kept.yaml pictures.yaml
if [ ! -e "$prefix/include/karman.mod" ]; then
    echo "skipped: the part in Fortran, as there is no Fortran compiler"
    exit 0
fi
cmake -S fortran -B project -DCMAKE_PREFIX_PATH="$prefix" >cmake.log
cmake --build project >build.log
run of-fortran ./project/solver pictures.yaml
for step in 5 10 15 20; do
    cmp of-c/frames/frame_"$(printf %06d $step)".png of-fortran/frames/frame_"$(printf %06d $step)".png
done
echo "the code of the pages draws, in C and in Fortran"
