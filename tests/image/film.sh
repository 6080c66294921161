#!/usr/bin/env bash
# Films: an orbit, keyframes, keys over frames, many frames of a step, movies, and an end by SIGTERM.
#
#   film.sh KARMAN SAME_PICTURES DATA_SET FOLDER LAUNCHER…
set -u
karman=$1 same=$2 data=$3 folder=$4
shift 4
launcher=("$@")
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder" || exit 1
failures=0

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# draw ARGUMENT…: draws on all ranks.
draw() {
    timeout 600 "${launcher[@]}" "$karman" render "$@" >stdout.txt 2>stderr.txt ||
        fail "exit code $? of render $*: $(cat stderr.txt)"
}

# alike A B: two pictures are the same.
alike() {
    "$same" "$1" "$2" >same.txt 2>&1 || fail "$1 and $2 differ: $(cat same.txt)"
}

# refused CODE TEXT ARGUMENT…: one message with TEXT, and an exit code.
refused() {
    local code=$1 text=$2 got
    shift 2
    timeout 600 "${launcher[@]}" "$karman" render film.yaml "$@" >stdout.txt 2>stderr.txt
    got=$?
    [ "$got" -eq "$code" ] || fail "render $*: expected exit code $code, got $got"
    [ "$(grep -cF -- "$text" stderr.txt)" -eq 1 ] || fail "render $*: expected '$text', got $(cat stderr.txt)"
}

cat >film.yaml <<TEXT
data: {file: $data, steps: last}
image: {width: 120, height: 90, background: [1, 1, 1], samples: 1}
camera: {position: [9, -9, 7], look_at: [3, 0, 2], up: [0, 0, 1], fov: 50}
layers:
  - isosurface: {field: vorticity_magnitude, value: 0.6, color_by: pressure, range: [-1, 1]}
  - outline: {}
output: {frames: f_%02d.png}
TEXT

# An orbit of one step: each frame is the picture of the turned camera. Data are loaded once.
draw film.yaml --orbit 4
[ "$(grep -c '^frame ' stdout.txt)" -eq 4 ] || fail "expected 4 frames: $(cat stdout.txt)"
grep -q '^--orbit 4: film: {frames: 4}, camera: {path: {orbit: 360}}\|film.frames=4' stdout.txt ||
    fail "expected the keys of --orbit: $(head -1 stdout.txt)"
draw film.yaml --azimuth 90 --set output.frames=still.png
alike f_01.png still.png
draw film.yaml --set output.frames=still.png
alike f_00.png still.png
cp f_03.png keep.png && rm f_03.png
draw film.yaml --orbit 4 --resume
[ "$(grep -c 'is complete$' stdout.txt)" -eq 3 ] || fail "--resume: expected 3 complete frames: $(cat stdout.txt)"
cmp f_03.png keep.png || fail "--resume drew another frame 3"
rm f_0?.png
draw film.yaml --orbit 4 --frames 1-3/2:1
[ "$(echo f_0?.png)" = f_02.png ] || fail "--frames 1-3/2:1 drew $(echo f_0?.png)"
draw film.yaml --orbit 4 --set partition=screen --set output.frames=s_%02d.png
alike s_02.png f_02.png
rm f_0?.png s_0?.png

# Keyframes and other keys; the last frame is where the last keyframe is.
film=(--set 'camera.path.keyframes=[{at: 0, position: [9, -9, 7]}, {at: 2, position: [2, -12, 3], fov: 30, hold: 1},
    {at: 5, position: [14, 1, 2], fov: 40}]' --set 'keys={layers.0.isosurface.value: [[0, 0.6], [5, 1.1]]}')
draw film.yaml "${film[@]}"
[ "$(echo f_0?.png | wc -w)" -eq 6 ] || fail "expected 6 frames of keyframes, got $(echo f_0?.png)"
draw film.yaml --set output.frames=still.png --set camera.position=[2,-12,3] --set camera.fov=30 \
    --set layers.0.isosurface.value=0.8
alike f_02.png still.png
draw film.yaml --set output.frames=still.png --set camera.position=[2,-12,3] --set camera.fov=30 \
    --set layers.0.isosurface.value=0.9
alike f_03.png still.png
draw film.yaml --set output.frames=still.png --set camera.position=[14,1,2] --set camera.fov=40 \
    --set layers.0.isosurface.value=1.1
alike f_05.png still.png

# Frames over steps and over time, with particles whose past matters: the camera moves, and they stay.
cat >steps.yaml <<TEXT
data: {file: $data}
image: {width: 120, height: 90, samples: 1}
camera: {position: [9, -9, 7], look_at: [3, 0, 2], up: [0, 0, 1], fov: 50}
layers:
  - particles: {mode: streak, seeds: [{line: [[-1, -0.6, 2], [-1, 0.6, 2]], count: 5}], color_by: age, range: [0, 5], style: lines, line_width: 2}
  - contour: {field: pressure, z: 2, range: [-1, 1]}
output: {frames: p_%02d.png}
TEXT
draw steps.yaml
mkdir still && mv p_0?.png still/
draw steps.yaml --set film.frames=12 --set 'keys={camera.azimuth: [[0, 0], [10, 0], [11, 45]]}'
for step in 0 1 2 3 4 5; do
    alike "p_$(printf %02d $((2 * step))).png" "still/p_0$step.png"
done
draw steps.yaml --azimuth 45 --set output.frames=q_%02d.png
alike p_11.png q_05.png
rm p_??.png
draw steps.yaml --set film.over=time --set 'keys={camera.azimuth: [[0, 0], [4.1666666667, 45]]}'
alike p_05.png q_05.png
alike p_00.png still/p_00.png

# Movies.
draw film.yaml "${film[@]}" --resume --set output.movie=film.apng
python3 - film.apng 6 <<'PYTHON' || fail "film.apng is no film of 6 frames"
import struct, sys, zlib
data, at, names, frames = open(sys.argv[1], "rb").read(), 8, [], 0
while at < len(data):
    size, name = struct.unpack(">I4s", data[at:at + 8])
    body = data[at + 8:at + 8 + size]
    assert struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0] == zlib.crc32(name + body), name
    if name == b"acTL":
        frames = struct.unpack(">I", body[:4])[0]
    names.append(name)
    at += 12 + size
assert frames == names.count(b"fcTL") == int(sys.argv[2]) and names.count(b"fdAT") >= frames - 1, names
assert names[-1] == b"IEND" and names.index(b"acTL") < names.index(b"IDAT"), names
PYTHON
if command -v ffprobe >/dev/null; then
    draw film.yaml "${film[@]}" --set image.width=121 --set output.frames=null --set output.movie=film.mp4
    got=$(ffprobe -v error -show_entries stream=codec_name,width,height,pix_fmt,nb_frames,r_frame_rate -of csv=p=0 film.mp4)
    [ "$got" = h264,122,90,yuv420p,25/1,6 ] || fail "film.mp4 is $got"
else
    echo "SKIPPED: films by ffmpeg, which is not installed"
fi
mkdir tools && printf '#!/bin/sh\necho "Unknown encoder libx264" >&2\nexit 1\n' >tools/ffmpeg && chmod +x tools/ffmpeg
PATH=$PWD/tools:$PATH refused 1 "ffmpeg cannot make 'none.mp4': Unknown encoder libx264" --set output.movie=none.mp4
if [ "${#launcher[@]}" -eq 0 ]; then
    PATH=$PWD/nowhere "$karman" render film.yaml --set output.movie=none.mp4 >stdout.txt 2>stderr.txt
    [ $? -eq 1 ] || fail "without ffmpeg: expected exit code 1"
    grep -q "needs the program ffmpeg, which is not installed" stderr.txt || fail "without ffmpeg: $(cat stderr.txt)"
fi
grep -q '^frame' stdout.txt && fail "without ffmpeg a frame was drawn"
[ -z "$(find . -name '*.tmp')" ] || fail "temporary files are left: $(find . -name '*.tmp')"

# One message about each mistake.
refused 2 "keys, at 0: unknown key 'fow' in camera: did you mean 'fov'?" --set 'keys={camera.fow: [[0, 1], [3, 2]]}'
refused 2 "image.width is the same in all frames" --set 'keys={image.width: [[0, 10], [3, 20]]}'
refused 2 "give places that ascend" --set 'keys={camera.zoom: [[3, 1], [0, 2]]}'
refused 2 "fov must be between 0 and 180 degrees" --set 'camera.path.keyframes=[{at: 0, fov: 0}]'
refused 2 "where the keyframe before ends" --set 'camera.path.keyframes=[{at: 0, fov: 20, hold: 4}, {at: 3, fov: 30}]'
refused 2 "the data have one step: use frames" --set film.over=time --set 'keys={camera.zoom: [[0, 1], [3, 2]]}'
refused 2 "give one of them" --orbit 4 --set 'keys={camera.azimuth: [[0, 1], [3, 2]]}'
refused 2 "leave it out with parts of --frames" --orbit 4 --frames 0-3/2:1 --set output.movie=film.apng

# SIGTERM finishes the frame; --resume draws the others.
rm -f f_0?.png
"${launcher[@]}" "$karman" render film.yaml --orbit 40 --set image.width=400 --set image.height=300 >stdout.txt 2>stderr.txt &
job=$!
until [ -e f_01.png ] || ! kill -0 $job 2>/dev/null; do sleep 0.05; done
rank=$job # one of them, the last: batch systems signal one or all
if [ "${#launcher[@]}" -gt 0 ] && [ "$(ps -o comm= -p $job)" != karman ]; then
    rank=$(pgrep -P "$(pgrep -P $job | head -1)" | tail -1)
fi
kill -TERM "$rank"
wait $job
[ $? -eq 3 ] || fail "SIGTERM: expected exit code 3"
drawn=$(find . -name 'f_??.png' | wc -l)
[ "$(grep -c "SIGTERM: ended after $drawn of 40 frames" stderr.txt)" -eq 1 ] || fail "SIGTERM: $drawn frames, $(cat stderr.txt)"
echo "$failures failures"
[ "$failures" -eq 0 ]
