#!/usr/bin/env bash
# The archive of the source has all files of the project and no others, and builds from an empty folder.
#
#   source_archive.sh SOURCE_FOLDER BUILD_FOLDER WORK_FOLDER CPACK
set -euo pipefail
source=$1 build=$2 work=$3 cpack=$4
unset LD_PRELOAD
git -C "$source" rev-parse HEAD >/dev/null 2>&1 || { echo "skipped: the source is no checkout of git"; exit 77; }
rm -rf "$work"
mkdir -p "$work"
cd "$work"
"$cpack" --config "$build/CPackSourceConfig.cmake" -B "$work" >cpack.log
tar -xzf karman-*.tar.gz
archive=$(find . -maxdepth 1 -type d -name 'karman-*')
# Untracked files that git does not ignore belong to the work in progress.
git -C "$source" ls-files --cached --others --exclude-standard --deduplicate | sort >expected.txt
(cd "$archive" && find . ! -type d -printf '%P\n' | sort) >packed.txt
diff expected.txt packed.txt
cmake -S "$archive" -B built -G Ninja -DCMAKE_BUILD_TYPE=Release -DKARMAN_TESTS=OFF >cmake.log
cmake --build built --target room.base >build.log
echo "$(wc -l <packed.txt) files"
