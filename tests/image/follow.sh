#!/usr/bin/env bash
# New checkpoints that appear by rename are drawn as they appear, with the pictures of a plain
# render.
#
#   follow.sh KARMAN SPLIT_STEPS DATA_SET FOLDER LAUNCHER…
set -u
karman=$1 split=$2 data=$3 folder=$4
shift 4
launcher=("$@")
rm -rf "$folder"
mkdir -p "$folder/pool" "$folder/run" "$folder/other"
cd "$folder" || exit 1
folder=$(pwd -P)
"$split" "$data" pool 8 || exit 1 # out_8.h5 to out_13.h5, which the alphabet has otherwise
cat >config.yaml <<TEXT
data: {file: "out_*.h5"}
image: {width: 96, height: 72, samples: 1}
camera: {position: [9, -9, 7], look_at: [3, 0, 2], up: [0, 0, 1], fov: 60}
layers:
  - volume: {field: pressure, range: [-1, 1], colors: viridis, opacity: [[0, 0.2], [1, 0.5]]}
output: {frames: f_%02d.png, timings: t.json}
TEXT
failures=0
follower=

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# put NAME [FILE]: a checkpoint appears as a solver should write it, by rename.
put() {
    cp "pool/${2:-$1}" "run/$1.part" && mv "run/$1.part" "run/$1"
}

# await FILE: waits until it exists, without a time limit: ctest ends a hang.
await() {
    until [ -e "$1" ]; do
        kill -0 "$follower" 2>/dev/null || { fail "$1 does not come: $(cat stderr.txt)"; return; }
        sleep 0.05
    done
}

start() {
    "${launcher[@]}" "$karman" render config.yaml --follow run "$@" >stdout.txt 2>stderr.txt &
    follower=$!
}

# finish CODE: waits for the end of the follower.
finish() {
    local code
    wait "$follower"
    code=$?
    [ "$code" -eq "$1" ] || fail "exit code $code instead of $1: $(cat stderr.txt)"
}

# expect CODE ARGUMENT…: runs render.
expect() {
    local code
    timeout 300 "${launcher[@]}" "$karman" render "${@:2}" >stdout.txt 2>stderr.txt
    code=$?
    [ "$code" -eq "$1" ] || fail "render ${*:2}: exit code $code: $(cat stderr.txt)"
}

# While it runs: files in an unusual order, some files that are not checkpoints, a broken one.
start
put out_8.h5
await f_00.png
put out_9.h5
echo hidden >run/.out_99.h5
echo other >run/restart.h5
head -c 3000 pool/out_10.h5 >pool/broken.h5
put out_9b.h5 broken.h5
put out_11.h5
put out_10.h5
await f_03.png
rm run/out_9b.h5
put out_12.h5
put out_13.h5
await f_05.png
touch run/stop
finish 0
grep -q 'out_9b.h5 is skipped' stderr.txt || fail "nothing is said of the broken file"
[ "$(grep -c warning stderr.txt)" -eq 1 ] || fail "warnings: $(cat stderr.txt)"
[ "$(grep -c '^frame .*, time ' stdout.txt)" -eq 6 ] || fail "not six frames: $(cat stdout.txt)"
[ "$(grep -c '^run/out_8.h5: 1 block, .* frames to f_%02d.png as data appear$' stdout.txt)" -eq 1 ] ||
    fail "the first line does not say once what will happen: $(cat stdout.txt)"
[ -s t-out_8.json ] && [ -s t-out_13.json ] || fail "there are no timings"
for n in $(seq 8 13); do
    cmp "pool/out_$n.h5" "run/out_$n.h5" || fail "out_$n.h5 has changed"
done

# The same pictures as those of a plain render, to the last byte: the first, the one out of order,
# and the last.
for n in 8 10 13; do
    expect 0 config.yaml --set "data.file=\"$folder/run/out_$n.h5\"" --set output.frames=plain_%02d.png
    picture=$(printf '%02d.png' $((n - 8)))
    cmp "f_$picture" "plain_$picture" || fail "step $((n - 8)) differs"
done

# A second call finds all of them; the file `stop` still ends it.
expect 0 config.yaml --follow run --resume
[ "$(grep -c 'is complete$' stdout.txt)" -eq 6 ] || fail "frames were drawn twice: $(cat stdout.txt)"
rm run/stop

# Without a range, that of the first file counts. If a file replaces another, only new steps are
# drawn.
mv run/*.h5 other
sed -i 's/range: \[-1, 1\], //' config.yaml
rm -f f_*.png
put out_8.h5
start
await f_00.png
put out_8.h5 out_9.h5 # with a link to itself: broken
cp other/out_8.h5 run/.grid.tmp && mv run/.grid.tmp run/out_8.h5
put out_9.h5
await f_01.png
put out_9.h5 out_11.h5
await f_03.png
touch run/stop
finish 0
rm run/stop
grep -q 'layers.0.volume.range is auto' stderr.txt || fail "the range is not told: $(cat stderr.txt)"
ranges=$(for picture in f_*.png; do grep -a -o 'range [-0-9.e]* [-0-9.e]*' "$picture" | head -1; done | sort -u)
[ "$(echo "$ranges" | wc -l)" -eq 1 ] || fail "ranges differ: $ranges"
[ "$(grep -c '^frame .*, time ' stdout.txt)" -eq 3 ] || fail "not three frames: $(cat stdout.txt)"

# Selected steps; a file without one of them is no failure.
rm -f f_*.png run/*.h5
cp other/out_*.h5 run
expect 0 config.yaml --follow run --until 0.1 --set 'data.steps=[1, 5, 2]' --set layers.0.volume.range='[-1, 1]'
[ "$(echo f_*.png)" = "f_01.png f_03.png f_05.png" ] || fail "wrong steps: $(echo f_*.png)"
rm -f f_*.png # no file has both steps of a list
expect 0 config.yaml --follow run --until 0.1 --set 'data.steps={list: [2, 5]}' --set layers.0.volume.range='[-1, 1]'
[ "$(echo f_*.png)" = "f_02.png f_05.png" ] || fail "wrong steps of a list: $(echo f_*.png)"
[ -s stderr.txt ] && fail "it says: $(cat stderr.txt)"

# Killed in the middle: pictures are complete, and checkpoints unchanged.
rm -f f_*.png run/*.h5
cp other/out_*.h5 run
start --set image.width=640 --set image.height=480
await f_01.png
ranks=$(pgrep -P "$(pgrep -P "$follower" | head -1)" 2>/dev/null) # of the launcher, by its proxy
kill -9 "$follower"
wait "$follower" 2>/dev/null
for rank in $ranks; do # they are on their way out, too
    while grep -q '^State:[[:space:]]*[^ZX]' "/proc/$rank/status" 2>/dev/null; do sleep 0.05; done
done
shopt -s nullglob
for picture in f_??.png; do
    [ "$(tail -c 8 "$picture" | head -c 4)" = IEND ] || fail "$picture is not whole"
done
for n in $(seq 8 13); do
    cmp "pool/out_$n.h5" "run/out_$n.h5" || fail "out_$n.h5 has changed"
done

# SIGTERM ends it after a frame.
rm -f run/*.h5 f_*.png
put out_8.h5
"$karman" render config.yaml --follow run >stdout.txt 2>stderr.txt & # launchers have codes of their own
follower=$!
await f_00.png
kill -TERM "$follower"
finish 3

expect 1 config.yaml --follow missing
expect 2 config.yaml --follow run --until 0.1 --set output.frames=one.png
expect 2 config.yaml --until 3
expect 2 config.yaml --follow run --until soon
expect 2 config.yaml --follow run --set camera.fov=wide
rm -f run/*.h5
put out_1.h5 broken.h5
expect 1 config.yaml --follow run --until 0.2
grep -q 'not one file' stderr.txt || fail "nothing is said: $(cat stderr.txt)"
# Particles go on from file to file: the pictures are those of one file with all steps.
rm -rf run f_*.png
mkdir run
cat >config.yaml <<TEXT
data: {file: "out_*.h5"}
image: {width: 96, height: 72, samples: 1}
camera: {position: [9, -9, 7], look_at: [3, 0, 2], up: [0, 0, 1], fov: 60}
layers:
  - particles: {mode: path, every: 2, trail: 3, radius: 0.1, seeds: [{line: [[-1.5, -1, 1], [-1.5, 1, 3]], count: 9}]}
  - particles: {mode: streak, radius: 0.05, seeds: [{points: [[-1, 0.5, 2], [-1, -0.5, 2]]}]}
output: {frames: f_%02d.png, float: f_%02d.h5}
TEXT
start
for n in $(seq 8 13); do
    put "out_$n.h5"
    await "$(printf 'f_%02d.png' $((n - 8)))"
done
touch run/stop
finish 0
expect 0 config.yaml --set "data.file=\"$data\"" --set output.frames=plain_%02d.png \
    --set output.float=plain_%02d.h5
for n in $(seq 0 5); do
    picture=$(printf '%02d.h5' "$n")
    cmp "f_$picture" "plain_$picture" || fail "particles of step $n differ"
done

echo "$failures failures"
[ "$failures" -eq 0 ]
