#!/usr/bin/env bash
# A series with a still view keeps the ways of rays: its pictures are those of single steps.
#
#   kept_ways.sh KARMAN SAME_PICTURES DATA_SET FOLDER LAUNCHER…
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
cat >series.yaml <<TEXT
data: {file: $data}
image: {width: 160, height: 120}
camera: {position: [-1.5, -9.5, 7.5], look_at: [2.6, 0.2, 1.6]}
layers:
  - volume: {field: vorticity_magnitude, range: [0, 3], opacity: [[0, 0], [0.05, 0], [1, 0.6]]}
  - object: {j: 0, color_by: pressure, range: [-1, 1]}
output: {frames: series_%02d.png, timings: timings.json}
TEXT
# draw CONFIG_VALUE…: draws all steps, and says whether ways were kept in the end.
draw() {
    timeout 300 "${launcher[@]}" "$karman" render series.yaml --quiet "$@" >out.txt 2>&1 ||
        complain "render $*: $(cat out.txt)"
    grep '"kept_bytes": \[' timings.json | tail -1 | grep -q '[1-9]'
}
launcher=("$@")
off=$(($# > 0)) # several ranks may differ by a count
# compare CONFIG_VALUE…: a series keeps ways, and its pictures are those of single steps.
compare() {
    draw "$@" || complain "$* keeps no ways"
    for step in 2 9; do
        timeout 300 "$karman" render series.yaml --quiet "$@" \
            --set "data.steps=[$step]" --set "output.frames=alone_%02d.png" \
            --set "output.timings=alone.json" >out.txt 2>&1 || complain "step $step: $(cat out.txt)"
        "$same" "series_0$step.png" "alone_0$step.png" $off || complain "$*: step $step differs"
    done
}
compare --set image.samples=1 --set layers.0.volume.interpolation=linear
compare --set image.samples=adaptive --set layers.0.volume.interpolation=quadratic
"$same" series_02.png series_09.png 1 >/dev/null && complain "all steps look alike"
draw --set layers.0.volume.interpolation=trilinear && complain "trilinear keeps ways"
draw --set data.steps='[0, 15]' && complain "ways are kept for 16 pictures"
echo "$failures failures"
[ "$failures" -eq 0 ]
