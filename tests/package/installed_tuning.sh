#!/usr/bin/env bash
# The installation's tuning file: the program and libkarman find it wherever the installation lies, and
# the user's file goes before it.
#
#   installed_tuning.sh SOURCE_FOLDER BUILD_FOLDER WORK_FOLDER DATA_SET MPIEXEC
set -eu
source=$1 build=$2 work=$3 data=$4 mpiexec=$5
rm -rf "$work"
mkdir -p "$work/home"
prefix=$work/prefix
cmake --install "$build" --prefix "$prefix" >"$work/install.log"
cd "$work"
export HOME=$work/home
unset XDG_CONFIG_HOME
# Rules hold for one transport. karman sets this variable by itself, another program does not.
export UCX_RNDV_THRESH=1m
karman() { "$mpiexec" -n 2 "$prefix/bin/karman" "$@"; }

cat >config.yaml <<TEXT
data: {file: $data, steps: 0}
image: {width: 32, height: 24, samples: 1}
camera: {position: [9, -9, 7], look_at: [3, 0, 2], up: [0, 0, 1], fov: 60}
layers:
  - volume: {field: pressure, range: auto, colors: viridis, opacity: [[0, 0.2], [1, 0.5]]}
output: {frames: picture.png, timings: timings.json}
TEXT

# rule FILE ALGORITHM: a tuning file for two ranks of this machine. 769 pixels tell it from any other.
rule() {
    mkdir -p "$(dirname "$1")"
    cat >"$1" <<TEXT
{"karman_tuning": 1, "machines": [{$(sed -n '/"signature"/,/}/p' signed.json)
"rules": [{"ranks": 2, "nodes": 1, "ranks_a_node": 2, "target": "bytes", "pixels": 769, "activity": 0.5,
"algorithm": "$2", "factors": [], "group": 0, "fan_in": 0, "by_nodes": false, "segment": 0, "seconds": 1,
"auto_seconds": 2, "spread": 0}]}]}
TEXT
}

# expect FILE TEXT...: the check of the config is by this file, and has the text.
expect() {
    karman tune --check config.yaml >check.txt
    for text in "$@"; do
        grep -qF -- "$text" check.txt || { echo "FAILED: expected '$text' in: $(cat check.txt)"; exit 1; }
    done
}

karman tune --sizes 32 --budget 60 --out signed.json >tune.txt
karman tune --check config.yaml >check.txt
! grep -qF "769 pixels" check.txt || { echo "FAILED: a rule before there is one: $(cat check.txt)"; exit 1; }

installed=$prefix/etc/karman/tuning.json
rule "$installed" chain
expect "$installed: 32 x 24 pixels to bytes, 2 ranks on 1 node" "chain (measured, for 769 pixels"
karman render --quiet config.yaml
grep -qF '"reason": "tuned"' timings.json || { echo "FAILED: the program goes without the file"; exit 1; }

# libkarman in another program, which is not in the installation.
libdir=$(dirname "$(find "$prefix" -name karman.pc)")
# shellcheck disable=SC2046
gcc "$source/tests/package/consumer/consumer.c" -o consumer \
    $(PKG_CONFIG_PATH=$libdir pkg-config --cflags --libs karman)
rm timings.json
LD_LIBRARY_PATH=$(dirname "$libdir") "$mpiexec" -n 2 ./consumer config.yaml consumer.png
cmp picture.png consumer.png
grep -qF '"reason": "tuned"' timings.json || { echo "FAILED: libkarman goes without the file"; exit 1; }

rule "$HOME/.config/karman/tuning.json" binary-swap
expect "$HOME/.config/karman/tuning.json: 32 x 24 pixels" "binary-swap (measured, for 769 pixels"
echo "the installation's tuning file is found, and the user's goes before it"
