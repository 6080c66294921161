#!/usr/bin/env bash
# Every C file is formatted as clang-format would.
#
#   format.sh SOURCE_FOLDER
set -u
cd "$1" || exit 1
command -v clang-format >/dev/null || {
    echo "skipped: clang-format is not installed"
    exit 77
}
find app base composite datasets examples grid io render tests trace -name '*.[ch]' -print0 |
    xargs -0 clang-format --dry-run -Werror
