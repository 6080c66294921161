#!/usr/bin/env bash
# Bad input gives one clear message and the right exit code on all ranks, hangs nowhere and leaves
# no half-written files.
#
#   errors.sh KARMAN MAKE_BROKEN FOLDER LAUNCHER…      (LAUNCHER: "mpiexec -n 3", or nothing)
set -u
karman=$1 make_broken=$2 folder=$3
shift 3
launcher=("$@")
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder" || exit 1
failures=0 cases=0

complain() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# Writes a sound config into case.yaml; arguments are KEY=VALUE overrides of its parts.
config() {
    local file=sound.h5 field=s image='{width: 40, height: 30}' frames=out/f_%04d.png
    local camera='{position: [9, -9, 7], look_at: [2, 2, 2], up: [0, 0, 1], fov: 40}'
    local range=auto extra=''
    if [ $# -gt 0 ]; then local "$@"; fi
    cat >case.yaml <<TEXT
data: {file: $file}
image: $image
camera: $camera
layers:
  - volume: {field: $field, range: $range, colors: viridis, opacity: [[0, 0.2], [1, 0.5]]}
output: {frames: $frames}
$extra
TEXT
}

# expect CODE FRAGMENT [ARGUMENT…]: runs render on case.yaml.
expect() {
    local code=$1 fragment=$2 got
    shift 2
    cases=$((cases + 1))
    timeout 300 "${launcher[@]}" "$karman" render case.yaml "$@" >stdout.txt 2>stderr.txt
    got=$?
    if [ "$got" -ne "$code" ]; then
        complain "'$fragment': expected exit code $code, got $got: $(cat stderr.txt)"
    fi
    if [ "$code" -ne 0 ] && [ "$(grep -c 'karman: error: ' stderr.txt)" -ne 1 ]; then
        complain "'$fragment': expected one message, got: $(cat stderr.txt)"
    fi
    if ! grep -qF -- "$fragment" stderr.txt && [ -n "$fragment" ]; then
        complain "expected a message with '$fragment', got: $(cat stderr.txt)"
    fi
    if [ "$code" -ne 0 ] && [ -n "$(find . -name '*.png*' -o -name '*.tmp*')" ]; then
        complain "'$fragment': something was left behind: $(find . -name '*.png*' -o -name '*.tmp*')"
        find . -name '*.png*' -delete
    fi
}

for kind in sound one-cell no-grid no-y wrong-shape text-field all-nan some-nan no-finite two-steps; do
    "$make_broken" "$kind" "$kind.h5" || exit 1
done
head -c 3000 sound.h5 >truncated.h5
cp sound.h5 sound-before.h5
echo "this is no HDF5 file, but text" >text.h5
: >empty.h5
mkdir folder.h5

# The file.
config file=missing.h5 && expect 1 "case.yaml:1: data.file: file 'missing.h5' cannot be opened"
config file=text.h5 && expect 1 text.h5
config file=empty.h5 && expect 1 empty.h5
config file=folder.h5 && expect 1 folder.h5
config file=truncated.h5 && expect 1 truncated.h5
config file=no-grid.h5 && expect 1 no-grid.h5
config file=no-y.h5 && expect 1 y
config file=wrong-shape.h5 && expect 1 wrong-shape.h5
config file=text-field.h5 && expect 1 text-field.h5
config file=all-nan.h5 && expect 1 "case.yaml:1: data.file: the grid of 'all-nan.h5' has nothing to draw"
config field=vorticity && expect 1 "case.yaml:5: layers.0.volume.field: there is no field 'vorticity'"
config file=no-finite.h5 && expect 1 "case.yaml:5: layers.0.volume.field: the field 's' of 'no-finite.h5' has no finite value"

# The config: every rank reads it alike, so that a few of these suffice on several ranks.
config image='{widht: 40, height: 30}' && expect 2 "widht"
if [ ${#launcher[@]} -eq 0 ]; then
    config image='{widht: 40, height: 30}' && expect 2 "width"
    config image='{width: wide, height: 30}' && expect 2 "wide"
    config image='{width: 0, height: 0}' && expect 2 "image"
    config image='{width: 100000000, height: 100000000}' && expect 2 "image"
    config camera='{position: [2, 2, 2], look_at: [2, 2, 2], up: [0, 0, 1]}' && expect 2 "camera"
    config camera='{position: [2, 2, 9], look_at: [2, 2, 2], up: [0, 0, 1]}' && expect 2 "up"
    config camera='{position: [9, 2, 9], look_at: [2, 2, 2], up: [0, 0, 1], fov: 180}' && expect 2 "fov"
    config range='[2, 1]' && expect 2 "range"
    config extra='composite: {algorithm: magic}' && expect 2 "case.yaml:7: composite.algorithm: there is no 'magic', only"
    config extra='composite: {algorithm: bianry-swap}' && expect 2 "(did you mean 'binary-swap'?)"
    config extra='composite: {algorithm: tree, group: 3}' && expect 2 "case.yaml:7: composite.group: the"
    config extra='memory: 1 KiB' && expect 2 "case.yaml:7: memory: the bricks of a rank may take"
    config && expect 2 "data.priority: there is no block 'c'" --set 'data.priority=[c]'
    config && expect 2 "--set layers.0={object: {k: 9}}: layers.0.object.k: k = 9 lies outside" \
        --set 'layers.0={object: {k: 9}}'
    config extra='colour: blue' && expect 2 "colour"
    config extra='partition: pixels' && expect 2 "expected object, screen"
    config extra='partition: {kind: object, balance: area}' && expect 2 "partition.balance"
    config extra='memory: 4' && expect 2 "such as 4 GiB"
    config && expect 2 "--set" --set nothing
    config && expect 2 "--threads" --threads 0
    config && expect 2 "--no-such" --no-such-option
fi
config && expect 2 "image.widht" --set image.widht=3
config && expect 2 "--set data.steps=7: data.steps: sound.h5 has no step 7: its only step is 0" --set data.steps=7
config && expect 2 "data.steps: selects no step of sound.h5" --set data.steps=[7,9]
config file=two-steps.h5 && expect 2 "two-steps.h5 has no step 3: it has 2 steps from 0 to 5, the nearest are 0 and 5" \
    --set 'data.steps={list: [0, 3]}'
printf 'data: [unclosed\n' >case.yaml && expect 2 "case.yaml"
printf 'grid: {file: g.h5}\nflow: {reynolds: 9}\n' >case.yaml
expect 2 "case.yaml is a config of karman-solver: mpiexec -n 2 karman-solver case.yaml"
: >case.yaml && expect 2 "case.yaml"
rm case.yaml && expect 1 "case.yaml"

# The output.
: >blocked
config frames=blocked/f_%04d.png && expect 1 "case.yaml:6: output.frames: cannot write 'blocked/f_0000.png': Not a directory"
mkdir picture.PNG
config frames=picture.PNG && expect 2 "case.yaml:6: output.frames: 'picture.PNG' is a folder: choose another name"
rmdir picture.PNG
config frames=film.mp4 && expect 2 "is 'film.mp4', a film, and names pictures: write output.movie: 'film.mp4'"
config file=two-steps.h5 frames=one.png &&
    expect 2 "case.yaml:6: output.frames: must hold %d or %0Nd for the step, such as %04d, where several steps are drawn, is 'one.png'"
if [ "$(id -u)" -eq 0 ] && setpriv --reuid=65534 --clear-groups test -r case.yaml; then
    mkdir shut && chmod 755 shut
    run=("${launcher[@]}")
    launcher+=(setpriv --reuid=65534 --clear-groups)
    config frames=shut/f_%04d.png && expect 1 "case.yaml:6: output.frames: cannot write 'shut/f_0000.png': Permission denied"
    config frames=shut/deep/f_%04d.png && expect 1 "cannot make the folder 'shut/deep' for 'shut/deep/f_0000.png': Permission denied"
    chmod 600 no-y.h5
    config file=no-y.h5 && expect 1 "data.file: file 'no-y.h5' cannot be opened: Permission denied"
    launcher=("${run[@]}")
else
    echo "skipped: permissions (they take root, and a folder that others may read)"
fi
config frames=/proc/no-such-folder/f_%04d.png && expect 1 "/proc/no-such-folder"
config frames=out/f_%s.png && expect 2 "frames"
config && expect 1 "/proc/no-such-folder" --set output.timings=/proc/no-such-folder/t.json
config && expect 2 "output.float: would overwrite sound.h5" --set data.steps=0 --set output.float=sound.h5
ln -sf case.yaml case.json
config && expect 2 "output.timings: would overwrite case.yaml" --set output.timings=case.json
cmp -s sound.h5 sound-before.h5 || complain "an output went over the data"
if mkdir full && mount -t tmpfs -o size=64k tmpfs full 2>/dev/null; then
    config frames=full/f_%04d.png image='{width: 900, height: 900}'
    head -c 60000 /dev/urandom >full/filler
    expect 1 "full/"
    umount full
else
    echo "skipped: a full disk (this needs the right to mount a tmpfs)"
fi

# Unusual input that is right.
config file=some-nan.h5 && expect 0 "warning"
config file=one-cell.h5 && expect 0 ""
config frames=one.png && expect 0 ""
config file=two-steps.h5 && expect 0 "" --set data.steps=last
[ -s out/f_0005.png ] || complain "no picture of the last step"
config camera='{position: [9, -9, 7], look_at: [99, -99, 7], up: [0, 0, 1]}' && expect 0 "nothing but background"
config && expect 0 ""
[ -s out/f_0000.png ] || complain "no picture where there should be one"

echo "$cases cases, $failures failures"
[ "$failures" -eq 0 ]
