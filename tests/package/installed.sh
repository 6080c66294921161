#!/usr/bin/env bash
# The targets of quickstart.sh, and CMake's configuration, make all files of the build folder that
# `cmake --install` takes: an installation works right after ./quickstart.sh.
#
#   installed.sh SOURCE_FOLDER BUILD_FOLDER
set -eu
source=$1 build=$2
[ -e "$build/build.ninja" ] || {
    echo "skipped: this build is not Ninja's, which tells what a target needs"
    exit 77
}
read -r -a targets < <(sed -n 's/^targets=(\(.*\))$/\1/p' "$source/quickstart.sh")
[ "${#targets[@]}" -gt 0 ] || { echo "FAILED: quickstart.sh has no line targets=(...)"; exit 1; }

# The words of all commands that build the targets, and the files without a rule: CMake wrote those.
words=$(ninja -C "$build" -t commands "${targets[@]}" | tr -s ' ' '\n' | sed "s|^$build/||" | sort -u)
configured() { { [ -f "$build/$1" ] || [ -L "$build/$1" ]; } && ! ninja -C "$build" -t query "$1" >/dev/null 2>&1; }
taken=$(find "$build" \( -name CMakeFiles -o -path "$build/tests" \) -prune -o -name cmake_install.cmake -exec cat {} + |
    grep -oE "\"$build/[^\";\$]+\"" | tr -d '"' | sed "s|^$build/||" |
    grep -v 'cmake_install.cmake$' | sort -u)
failures=0 checked=0
for file in $taken; do
    if ! configured "$file" && ! grep -qxF "${file%/}" <<<"$words"; then
        echo "FAILED: $file is installed, but '${targets[*]}' does not build it"
        failures=$((failures + 1))
    fi
    checked=$((checked + 1))
done
echo "$checked files of the build folder are installed, $failures of them are not built"
[ "$checked" -gt 4 ] && [ "$failures" -eq 0 ]
