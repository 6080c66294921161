#!/usr/bin/env bash
# `range: step`: each picture is that of its step alone, between the least and the greatest value.
#
#   step_range.sh KARMAN SAME_PICTURES DATA_SET FOLDER LAUNCHER…
set -u
karman=$1 same=$2 data=$3 folder=$4
shift 4
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder" || exit 1
failures=0
complain() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}
cat >step.yaml <<TEXT
data: {file: $data}
image: {width: 120, height: 90, samples: 1}
camera: {position: [-1.5, -9.5, 7.5], look_at: [2.6, 0.2, 1.6]}
layers:
  - volume: {field: vorticity_magnitude, range: step, opacity: [[0, 0], [0.1, 0], [1, 0.4]]}
  - contour: {field: pressure, k: 0, range: step, levels: 8, style: both}
  - object: {j: 0, color_by: pressure, range: step}
  - particles: {seeds: [{line: [[-1.5, -1, 1], [-1.5, 1, 2]], count: 4}], mode: path, color_by: pressure, range: step}
annotations: {scalar_bar: {layer: 1}}
output: {frames: step_%02d.png}
TEXT
sed 's/range: step/range: min-max/; /particles/d' step.yaml >alone.yaml
timeout 300 "$@" "$karman" render step.yaml --quiet >out.txt 2>&1 || complain "step.yaml: $(cat out.txt)"
timeout 300 "$@" "$karman" render step.yaml --resume >out.txt 2>&1 || complain "--resume: $(cat out.txt)"
[ "$(grep -c 'is complete$' out.txt)" -eq 6 ] || complain "--resume draws again: $(cat out.txt)"
# Path lines of one step alone would be others.
sed -i '/particles/d' step.yaml
timeout 300 "$@" "$karman" render step.yaml --quiet >out.txt 2>&1 || complain "step.yaml: $(cat out.txt)"
for step in 0 3 5; do
    timeout 300 "$karman" render alone.yaml --quiet --set "data.steps=[$step]" \
        --set "output.frames=alone_%02d.png" >out.txt 2>&1 || complain "step $step: $(cat out.txt)"
    "$same" "step_0$step.png" "alone_0$step.png" 1 || complain "step $step alone is another picture"
done
"$same" step_00.png step_05.png 1 >/dev/null && complain "all steps look alike"
echo "$failures failures"
[ "$failures" -eq 0 ]
