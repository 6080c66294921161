#!/usr/bin/env bash
# Output that cannot be printed is an error, and is not lost silently.
#
#   full_output.sh KARMAN
set -u
message=$("$1" --version 2>&1 >/dev/full)
code=$?
if [ "$code" -ne 1 ] || ! grep -qF "standard output" <<<"$message"; then
    echo "expected exit code 1 and a word on standard output, got $code: $message"
    exit 1
fi
