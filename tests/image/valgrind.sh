#!/usr/bin/env bash
# Renders one small picture on one rank under valgrind: no invalid access, nothing uninitialized,
# and no lost memory that karman allocated.
#
#   valgrind.sh KARMAN DATA_SET FOLDER SUPPRESSIONS
set -u
karman=$1 data=$2 folder=$3 suppressions=$4
command -v valgrind >/dev/null || {
    echo "skipped: valgrind is not installed"
    exit 77
}
mkdir -p "$folder"
cat >"$folder/config.yaml" <<TEXT
data: {file: $data, steps: 0}
image: {width: 24, height: 18, samples: 1}
camera: {position: [9, -9, 7], look_at: [3, 0, 2], up: [0, 0, 1], fov: 60}
layers:
  - volume: {field: vorticity_magnitude, range: auto, colors: viridis, opacity: [[0, 0.2], [1, 0.5]]}
output: {frames: f_%d.png, float: f_%d.h5, timings: timings.json, tile_costs: true}
TEXT
timeout 800 valgrind --quiet --error-exitcode=9 --leak-check=full \
    --errors-for-leak-kinds=definite --show-leak-kinds=definite \
    --suppressions="$suppressions" "$karman" render "$folder/config.yaml"
