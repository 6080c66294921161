#!/usr/bin/env bash
# clang-tidy finds nothing in any C file that is compiled; .clang-tidy has the checks.
#
#   tidy.sh SOURCE_FOLDER BUILD_FOLDER
#
# BUILD_FOLDER has compile_commands.json, which CMake writes as it configures. Generated files
# (pages as arrays of bytes) are left out. So is each file that passed in the last run, if neither
# it nor any file that it includes has changed since.
set -u
source=$1 build=$2
command -v clang-tidy >/dev/null || {
    echo "skipped: clang-tidy is not installed"
    exit 77
}
# Clang looks for OpenMP's header only in its own folder.
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

# The checks and the version of clang-tidy of the last run without findings. The file's time is the
# start of that run: newer files have changed since.
right=$build/tidy_right
begun=$(mktemp "$build/tidy_begun.XXXXXX")
trap 'rm -f "$begun"' EXIT
list() {
    sed -n 's/^ *"\(command\|file\)": //p' "$build/compile_commands.json" | sort
    cat .clang-tidy
    clang-tidy --version
}
list >"$build/tidy_list"
if [ -e "$right" ] && cmp -s "$right" "$build/tidy_list" &&
    deps=$(ninja -C "$build" -t deps 2>/dev/null) && [ -n "$deps" ]; then
    # The first path after "object: #deps…" is the C file; the others are the files that it
    # includes.
    stale=$(find . -path ./build -prune -o -name '*.[ch]' -newer "$right" -print | sed 's|^\./||')
    files=$(awk -v source="$source/" '
        NR == FNR { changed[$0] = 1; stale[$0] = 1; next }
        /: #deps/ { file = ""; next }
        NF == 1 {
            path = $1
            if (path ~ /^[.]/) { sub(/^([.][.]\/)+/, "", path) }
            if (index(path, source) == 1) { path = substr(path, length(source) + 1) }
            if (path ~ /^include\//) { sub(/^include\/[^\/]+\//, "", path) }
            if (file == "") { file = path }
            if (path in changed) { stale[file] = 1 }
        }
        END { for (file in stale) { print source file } }' <(echo "$stale") <(echo "$deps") |
        grep -xF -f - <(echo "$files") || true)
    [ -n "$files" ] || { echo "no file has changed, nothing found"; exit 0; }
fi
# Two at a time, as ctest runs the tests.
if found=$(xargs -d '\n' -P 2 -n 12 clang-tidy -p "$build" --quiet <<<"$files" 2>&1); then
    echo "$(wc -l <<<"$files") files, nothing found"
    cp "$build/tidy_list" "$right"
    touch -r "$begun" "$right"
else
    grep -v 'generated\.$' <<<"$found"
    exit 1
fi
