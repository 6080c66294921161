#!/usr/bin/env bash
# Each read of a frame, a resumed frame, a conversion and a list of contents fails once, or each opening
# of a data file.
#
#   fail_reads.sh FAILING_READS KARMAN MAKE_DATA_SET FOLDER ERROR
set -u
failing=$1 karman=$2 make_data_set=$3 folder=$4 error=$5
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

# A grid of PLOT3D and its solution, a file of VTK, and one of HDF5 whose layout is guessed.
python3 - <<'PROGRAM' || exit 1
import struct
ni, nj, nk = 5, 4, 3
nodes = [(i, j, k) for k in range(nk) for j in range(nj) for i in range(ni)]
sizes = struct.pack("<4i", 1, ni, nj, nk)
with open("data.xyz", "wb") as f:
    f.write(sizes + struct.pack(f"<{3 * len(nodes)}f", *(n[axis] for axis in range(3) for n in nodes)))
with open("data.q", "wb") as f:
    values = [(1, .1 * i, .2 * j, .3, 2 + k)[v] for v in range(5) for i, j, k in nodes]
    f.write(sizes + struct.pack(f"<{4 + len(values)}f", .5, 1, 1e6, 3, *values))
PROGRAM
"$karman" convert data.h5 data.vtm --steps last >/dev/null || exit 1
/usr/bin/python3 - <<'PROGRAM' || exit 1
import h5py
with h5py.File("data.h5") as own, h5py.File("data-guessed.h5", "w") as guessed:
    for name, values in next(iter(own["grid"].values())).items():
        guessed[name] = values[()]
    guessed["p"] = guessed["x"][()] + 1
PROGRAM
for file in data.xdmf data.xyz data.vtm data-guessed.h5; do
    sed "s/data.h5/$file/" config.yaml >of_format.yaml
    "$failing" "$error" render of_format.yaml --quiet || failures=1
    "$failing" "$error" info "$file" || failures=1
    "$failing" "$error" convert "$file" out.h5 --force || failures=1
done
exit $failures
