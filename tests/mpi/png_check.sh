#!/usr/bin/env bash
# pngcheck, which reads PNG without libpng, finds no fault in the pictures that the tests have left,
# and detects a broken strip.
#
#   png_check.sh FOLDER
set -u
command -v pngcheck >/dev/null || {
    echo "skipped: there is no pngcheck (Debian: apt-get install pngcheck)"
    exit 77
}
failures=0 pictures=0
shopt -s nullglob
for picture in "$1"/*/*.png; do
    pictures=$((pictures + 1))
    pngcheck -q "$picture" || failures=$((failures + 1))
done
[ "$pictures" -gt 0 ] || { echo "FAILED: there are no pictures in $1"; failures=1; }

broken=$(mktemp)
trap 'rm -f "$broken"' EXIT
for picture in "$1"/*/37x23.png; do
    cp "$picture" "$broken"
    printf 'broken' | dd of="$broken" bs=1 seek=700 conv=notrunc status=none
    ! pngcheck -q "$broken" >/dev/null ||
        { echo "FAILED: a broken $picture was not noticed"; failures=$((failures + 1)); }
done
echo "$pictures pictures, $failures failures"
[ "$failures" -eq 0 ]
