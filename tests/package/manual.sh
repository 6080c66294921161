#!/usr/bin/env bash
# Each program and command, and configs too, has a man page; it lists all options of --help; man
# reports no error in it.
#
#   manual.sh MANUAL_FOLDER KARMAN SOLVER DATASET
set -u
manual=$1 karman=$2 solver=$3 dataset=$4
for tool in groff help2man; do
    command -v $tool >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
done
failures=0
fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# shows PAGE: checks it and prints it as text.
shows() {
    local said
    said=$(groff -k -man -ww -Tutf8 -P-cbou "$manual/$1" 2>&1 >"$text") || fail "groff: $1"
    [ -z "$said" ] || fail "$1: $said"
}

# compare PAGE COMMAND...: the page has each option that --help prints.
compare() {
    local page=$1 option
    shift
    shows "$page"
    for option in $("$@" --help | grep -oE '^ {2,6}(-., )?--[a-z0-9-]+' | grep -oE -- '--[a-z0-9-]+'); do
        grep -qE -- "^ +(-., )?$option(=| |\$)" "$text" || fail "$page lacks $option"
    done
}

text=$(mktemp)
trap 'rm -f "$text"' EXIT
commands=$("$karman" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
[ "$(wc -w <<<"$commands")" -ge 8 ] || fail "karman --help lists the commands: $commands"
compare karman.1 "$karman"
for command in $commands; do
    grep -qE "^ +$command( |\$)" "$text" || fail "karman.1 lacks $command"
done
for command in $commands; do
    compare "karman-$command.1" "$karman" "$command"
    grep -q "karman $command" "$text" || fail "karman-$command.1 has no synopsis"
done
compare karman-solver.1 "$solver"
compare karman-dataset.1 "$dataset"
grep -A1 boundary-layer "$text" | grep -q flow || fail "karman-dataset.1 lists no data sets"

shows karman-config.5
for key in $("$karman" help config | sed -n 's/^  \([a-z_]*\) .*/\1/p' | sort -u); do
    grep -qE "^ +$key( |\$)" "$text" || fail "karman-config.5 lacks $key"
done
echo "$failures failures"
[ "$failures" -eq 0 ]
