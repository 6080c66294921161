#!/usr/bin/env bash
# A full /dev/shm does not stop a solver that draws itself: its pictures are those of one
# rank, which shares no memory.
#
#   full_shm.sh FULL_SHM SAME_PICTURES FOLDER MPIEXEC
set -euo pipefail
program=$1 same=$2 folder=$3 mpiexec=$4

# A /dev/shm of our own that holds what MPI takes and little else.
if [ "${5:-}" != inside ]; then
    for way in "unshare --mount" "unshare --map-root-user --mount"; do
        if $way mount -t tmpfs -o size=64m tmpfs /dev/shm 2>/dev/null; then
            exec $way "$0" "$@" inside
        fi
    done
    echo "skipped: a /dev/shm of one's own takes rights that are missing here" >&2
    exit 77
fi

rm -rf "$folder"
mkdir -p "$folder"
mount -t tmpfs -o size=64m tmpfs /dev/shm
# Open MPI's own buffers would be touched for the first time when nothing is left.
export OMPI_MCA_btl_vader_backing_directory=$folder
for ranks in 1 2 4; do
    "$mpiexec" -n "$ranks" "$program" "$folder/$ranks" 2>"$folder/messages" || {
        cat "$folder/messages" >&2
        exit 1
    }
    rm /dev/shm/filler
    for frame in frame_000000.png frame_000001.png; do
        "$same" "$folder/$ranks/frames/$frame" "$folder/1/frames/$frame"
    done
done
