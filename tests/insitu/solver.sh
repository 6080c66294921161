#!/usr/bin/env bash
# karman-solver draws itself: its pictures are those that karman renders from its checkpoints.
#
#   solver.sh SOLVER KARMAN SAME_PICTURES CONFIG FOLDER MPIEXEC RANKS
set -eu
solver=$1 karman=$2 same=$3 config=$4 folder=$5 mpiexec=$6 ranks=$7
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
cat >pictures.yaml <<'TEXT'
data: {file: flow.h5}
image: {width: 120, height: 90, samples: 1}
camera: {position: [3, -6, 4], look_at: [1, 0, 0.5], fov: 35}
layers:
  - volume: {field: vorticity_magnitude, range: [0, 3], opacity: [[0, 0], [0.05, 0.1], [1, 0.9]], shade: {follows: shadow}}
  - contour: {field: mach, k: 0, range: step, levels: 8, opacity: 0.6, lit: true}
lights: [{direction: [0.4, 0.8, -1]}, {headlight: true, intensity: 0.3}]
lighting:
  shadows: {resolution: 128, volume_resolution: 16}
  occlusion: {directions: 8, resolution: 32, volume_resolution: 8}
output: {frames: checkpoint_%06d.png}
in_situ:
  every: 4
  pictures:
    - {name: object, output: {frames: object_%06d.png}}
    - {name: screen, output: {frames: screen_%06d.png}, partition: screen}
TEXT
"$mpiexec" -n "$ranks" "$solver" "$config" --set in_situ="$folder/pictures.yaml" \
    --set grid.cylinder.ni=40 --set grid.cylinder.nj=24 --set grid.cylinder.stretching=1.24 \
    --set flow.disturbance=0.5 --set "time={cfl: 1, steps: 8}" \
    --set "output={file: $folder/flow.h5, every: 4, monitors: $folder/flow.csv, monitor_every: 2}"
test -s flow.xdmf
"$karman" render --quiet pictures.yaml
for step in 000004 000008; do
    "$same" "object_$step.png" "checkpoint_$step.png"
    "$same" "screen_$step.png" "checkpoint_$step.png"
done
test "$(wc -l <karman_run/monitors.jsonl)" -eq 4
grep -q '"finished"' karman_run/status.json
grep -q solver.cfl karman_run/parameters.json
echo "pictures of the running solver on $ranks ranks are those of its checkpoints"
