#!/usr/bin/env bash
# A program in Fortran saves its particles and, on another number of ranks, goes on with them: the
# pictures are those of the run that was never interrupted.
#
#   particles.sh PROGRAM SAME_PICTURES FOLDER MPIEXEC
set -eu
program=$1 same=$2 folder=$3 mpiexec=$4
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
cat >view.yaml <<'END'
image: {width: 160, height: 160, samples: 1}
camera: {position: [2.4, -2.2, 1.9], look_at: [0.5, 0.5, 0.5], fov: 35}
layers:
  - particles:
      mode: path
      every: 2
      trail: 4
      radius: 0.08
      seeds: [{line: [[0.3, 0.3, 0.1], [0.7, 0.6, 0.1]], count: 12}]
in_situ: {run: run, pictures: [{name: view}]}
END
"$mpiexec" -n 2 "$program" view.yaml 0 6
mv run/frames whole
test -s run/particles/000003.h5
"$mpiexec" -n 3 "$program" view.yaml 3 6
for step in 3 4 5 6; do
    "$same" "run/frames/view_00000$step.png" "whole/view_00000$step.png"
done
# Without that file they set out anew.
rm run/particles/000003.h5
if "$mpiexec" -n 1 "$program" view.yaml 3 6; then
    echo "the lack of a checkpoint went unnoticed"
    exit 1
fi
echo "the particles went on"
