#!/usr/bin/env bash
# A copy of the installed folder examples/solver builds with an installed karman, and nothing else of it.
# It computes and draws the same bits as the karman-solver that is installed.
#
#   solver_alone.sh BUILD_FOLDER WORK_FOLDER MPIEXEC
set -eu
build=$1 work=$2 mpiexec=$3
rm -rf "$work"
mkdir -p "$work"
cd "$work"
prefix=$work/prefix
cmake --install "$build" --prefix "$prefix" >install.log
cp -r "$prefix/share/karman/examples/solver" copy
[ "$(grep -rhoE '#include [<"]karman[^>"]*' copy | sort -u)" = '#include <karman.h' ]
cmake -S copy -B built -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_FLAGS='-Wall -Werror' >cmake.log
cmake --build built >build.log

cp "$prefix/share/karman/configs/cylinder.yaml" .
cat >pictures.yaml <<'TEXT'
image: {width: 64, height: 48}
camera: {position: [3, -6, 4], look_at: [1, 0, 0.5], fov: 35}
layers: [{volume: {field: density, range: [0.9, 1.1], opacity: [[0, 0.9], [0.5, 0], [1, 0.9]]}}]
in_situ: {run: run, every: 2}
TEXT
run() {
    rm -rf run
    "$mpiexec" -n 2 "$2" cylinder.yaml --set "time={cfl: 1, steps: 4}" --set in_situ=pictures.yaml \
        --set "grid.cylinder={radius: 0.5, far: 30, span: 1, ni: 24, nj: 16, nk: 1, stretching: 1.2}" \
        --set "output={file: $1/flow.h5, every: 2, monitors: $1/flow.csv, monitor_every: 1}"
    cp run/frames/*.png "$1"
}
run ours "$prefix/bin/karman-solver"
run copied built/karman-solver
[ "$(find copied -name '*.png' | wc -l)" -eq 3 ]
for file in ours/*.csv ours/*.xdmf ours/flow_*.h5 ours/*.png; do
    cmp "$file" "copied/${file#ours/}"
done
echo "the copied solver computes and draws what the installed one does"
