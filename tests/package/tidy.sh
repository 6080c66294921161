#!/usr/bin/env bash
# clang-tidy finds nothing in any C file that is compiled; .clang-tidy has the checks.
#
#   tidy.sh SOURCE_FOLDER BUILD_FOLDER
#
# BUILD_FOLDER has compile_commands.json, which CMake writes as it configures. Files that the build
# makes (pages as arrays of bytes) are left out.
set -u
source=$1 build=$2
command -v clang-tidy >/dev/null || {
    echo "skipped: clang-tidy is not installed"
    exit 77
}
# Clang looks for OpenMP's header in its own folder alone.
probe=$build/tidy_probe.c
echo '#include <omp.h>' >"$probe"
clang-tidy --checks='-*,bugprone-*' --quiet "$probe" -- -fopenmp >/dev/null 2>&1 || {
    echo "skipped: clang has no omp.h (Debian: libomp-dev)"
    exit 77
}
files=$(sed -n 's/^ *"file": "\(.*\.c\)",\{0,1\}$/\1/p' "$build/compile_commands.json" |
    grep -vF "$build/" | sort -u)
if [ -z "$files" ]; then
    echo "FAILED: $build/compile_commands.json names no C file of $source"
    exit 1
fi
cd "$source" || exit 1
# Two at a time, as the tests are run.
if found=$(xargs -d '\n' -P 2 -n 12 clang-tidy -p "$build" --quiet <<<"$files" 2>&1); then
    echo "$(wc -l <<<"$files") files, nothing found"
else
    grep -v 'generated\.$' <<<"$found"
    exit 1
fi
