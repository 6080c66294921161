#!/usr/bin/env bash
# The example of a guide is the file that the suite runs.
#
#   guide.sh GUIDE.md FILE.c
if ! diff <(sed -n '/^```c$/,/^```$/p' "$1" | sed '1d;$d') "$2"; then
    echo "the example in $1 (left) is not $2 (right)"
    exit 1
fi
