#!/usr/bin/env bash
# A karman without the laboratory of messages renders the same bytes, and names what it lacks.
#
#     without_messages.sh KARMAN WITHOUT DATA FOLDER
set -euo pipefail
karman=$1 without=$2 data=$3 folder=$4
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder"

for program in karman without; do
    "${!program}" render --quiet "$data" --set image='{width: 160, height: 100}' -o $program.png
done
cmp karman.png without.png
for command in compare schedule collectives simulate tune; do
    if "$without" $command 2> error.txt || ! grep -q "there is no command '$command'" error.txt; then
        echo "without_messages.sh: karman without messages has the command $command: $(cat error.txt)"
        exit 1
    fi
done
if "$without" render "$data" --html page.html 2> error.txt || ! grep -q KARMAN_MESSAGES error.txt; then
    echo "without_messages.sh: --html does not say what it needs: $(cat error.txt)"
    exit 1
fi
