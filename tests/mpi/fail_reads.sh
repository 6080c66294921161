#!/usr/bin/env bash
# Each read of a frame, a resumed frame, a conversion and a list of contents fails once.
#
#   fail_reads.sh FAILING_READS MAKE_DATA_SET FOLDER ERROR
set -u
failing=$1 make_data_set=$2 folder=$3 error=$4
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder" || exit 1
"$make_data_set" karman --size 9,5,4 --steps 2 --output data.h5 >/dev/null || exit 1
cat >config.yaml <<TEXT
data: {file: data.h5, steps: last}
image: {width: 16, height: 12, samples: 1}
camera: {position: [9, -9, 7], look_at: [3, 0, 2], up: [0, 0, 1], fov: 60}
layers: [{volume: {field: pressure, range: auto, colors: viridis, opacity: [[0, 0.2], [1, 0.5]]}}]
output: {frames: out.png}
TEXT
failures=0
"$failing" "$error" render config.yaml --quiet || failures=1
"$failing" "$error" render config.yaml --quiet --resume || failures=1
"$failing" "$error" info data.h5 || failures=1
"$failing" "$error" convert data.h5 out.h5 --force || failures=1
sed 's/data.h5/data.xdmf/' config.yaml >xdmf.yaml
"$failing" "$error" render xdmf.yaml --quiet || failures=1
"$failing" "$error" info data.xdmf || failures=1
exit $failures
