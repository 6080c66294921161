#!/usr/bin/env bash
# Thousands of blocks are read as they were written, from each format.
#
#   many.sh KARMAN SCRIPT FOLDER PYTHON
set -u
karman=$1 script=$2 folder=$3 python=$4
rm -rf "$folder"
mkdir -p "$folder"
"$python" -c 'import h5py' 2>/dev/null || python=/usr/bin/python3
"$python" "$script" --check --karman "$karman" --blocks 1500 --size 3 --folder "$folder"
