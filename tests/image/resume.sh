#!/usr/bin/env bash
# A killed job leaves complete pictures only, and --resume draws only the missing ones.
#
#   resume.sh KARMAN DATA_SET FOLDER LAUNCHER…
set -u
karman=$1 data=$2 folder=$3
shift 3
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder" || exit 1
cat >config.yaml <<TEXT
data: {file: $data}
image: {width: 160, height: 120}
camera: {position: [9, -9, 7], look_at: [3, 0, 2], up: [0, 0, 1], fov: 60}
layers:
  - volume: {field: pressure, range: [-1, 1], colors: viridis, opacity: [[0, 0.2], [1, 0.5]]}
output: {frames: f_%02d.png}
TEXT
failures=0

# expect DRAWN KEPT ARGUMENT…: runs render and checks the numbers of pictures drawn and kept.
expect() {
    local drawn=$1 kept=$2
    shift 2
    timeout 600 "${launcher[@]}" "$karman" render config.yaml "$@" >stdout.txt 2>stderr.txt ||
        { echo "FAILED: exit code $?: $(cat stderr.txt)"; failures=$((failures + 1)); }
    local got_kept got_drawn
    got_kept=$(grep -c 'is complete$' stdout.txt)
    got_drawn=$(grep -c '^frame .*, time ' stdout.txt)
    if [ "$got_drawn" -ne "$drawn" ] || [ "$got_kept" -ne "$kept" ]; then
        echo "FAILED: render $*: expected $drawn drawn and $kept kept, got $got_drawn and $got_kept"
        failures=$((failures + 1))
    fi
    local first
    first=$(head -1 stdout.txt)
    if [[ ! $first =~ ^"$data: 1 block, "[0-9,]+" cells, 6 steps; "[1-9][0-9]*" rank"s?" x "[1-9].*" thread"s?\
" on 1 node; 160 x 120 pixels, 6 frames to f_%02d.png"$ ]]; then
        echo "FAILED: render $*: expected the first line to say what will happen, got: $first"
        failures=$((failures + 1))
    fi
}

launcher=("$@")
expect 6 0
grep -q '^frame 6/6: step 5, time [0-9.]*, [0-9.]* s, f_05.png$' stdout.txt ||
    { echo "FAILED: expected a line of the last frame: $(cat stdout.txt)"; failures=$((failures + 1)); }
"${launcher[@]}" "$karman" render config.yaml --resume --quiet >stdout.txt 2>stderr.txt
[ -s stdout.txt ] && { echo "FAILED: --quiet prints: $(cat stdout.txt)"; failures=$((failures + 1)); }
cp -r . ../"$(basename "$folder")-before"
expect 0 6 --resume
mkdir whole && mv f_0?.png whole/ # an array draws the same pictures: every second frame, and the others
expect 2 0 --frames 1-4/2:0
expect 1 2 --frames 1-5/2:0 --resume
expect 3 0 --frames 0-4/2:0
for picture in f_0?.png; do
    cmp "$picture" "whole/$picture" || failures=$((failures + 1))
done
rm -r whole
head -c 2000 f_02.png >half.png && mv half.png f_02.png # cut off
rm f_04.png
printf 'x' | dd of=f_05.png bs=1 seek=900 conv=notrunc status=none # damaged
expect 3 3 --resume
for picture in f_0?.png; do
    cmp "$picture" "../$(basename "$folder")-before/$picture" || failures=$((failures + 1))
done
rm -rf "../$(basename "$folder")-before"
expect 6 0 --resume --set camera.fov=50
expect 6 0 --resume --set camera.fov=50 --set output.float=f_%02d.h5 # the float images are missing
rm f_03.h5
expect 1 5 --resume --set camera.fov=50 --set output.float=f_%02d.h5
expect 6 0
if "$karman" --version | grep -q "^  options .*text"; then
    expect 6 0 --resume --set output.figure=f_%02d.pdf # the figures are missing
    head -c 5 f_03.pdf | grep -q '^%PDF-' || { echo "FAILED: f_03.pdf is no PDF file"; failures=$((failures + 1)); }
    rm f_03.pdf
    expect 1 5 --resume --set output.figure=f_%02d.pdf
fi

# Killed in the middle: each picture that exists is complete.
rm -f f_*.png
"${launcher[@]}" "$karman" render config.yaml --set image.width=800 --set image.height=600 \
    >/dev/null 2>&1 &
job=$!
# Without a time limit: ctest ends a hang.
until [ -e f_01.png ] || ! kill -0 $job 2>/dev/null; do
    sleep 0.05
done
# Those of the launcher, by its proxy.
ranks=$(pgrep -P "$(pgrep -P $job | head -1)" 2>/dev/null)
kill -9 $job 2>/dev/null
wait $job 2>/dev/null
for rank in $ranks; do # they finish the current write, and end
    while grep -q '^State:[[:space:]]*[^ZX]' "/proc/$rank/status" 2>/dev/null; do sleep 0.05; done
done
[ -e f_01.png ] || { echo "FAILED: the job drew nothing before it was killed"; failures=$((failures + 1)); }
shopt -s nullglob
for picture in f_??.png; do
    [ "$(tail -c 8 "$picture" | head -c 4)" = IEND ] || {
        echo "FAILED: $picture is not whole"
        failures=$((failures + 1))
    }
done
echo "$failures failures"
[ "$failures" -eq 0 ]
