#!/usr/bin/env bash
# The tables of docs/user/solver.md are the keys that `karman-solver --keys` lists: path, type, default,
# and a meaning that begins the same. Rows of sections, which have no value, are left out.
#
#   solver_keys.sh SOLVER PAGE
set -eu
solver=$1 page=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$solver" --keys | sort >"$folder/keys.txt"
awk -F ' [|] ' '
    /^## / { section = substr($0, 4) == "Keys" ? "" : substr($0, 4) "." ; name = section }
    /^[*][*]/ { split($0, words, "[*][*]"); name = section words[2] "." (/is a list/ ? "#." : "") }
    /^[|] `/ && $2 != "mapping" && $2 != "list" {
        gsub(/^[|] `|`$/, "", $1)
        sub(/ [|]$/, "", $4)
        print name $1 " | " $2 " | " $3 " | " $4
    }' "$page" | sort >"$folder/page.txt"
failures=0
while IFS= read -r key <&3 && IFS= read -r row <&4; do
    [ "${row:0:${#key}}" = "$key" ] || { echo "FAILED: the key is  $key"; echo "the page has  $row"; failures=1; }
done 3<"$folder/keys.txt" 4<"$folder/page.txt"
count=$(wc -l <"$folder/keys.txt")
[ "$count" -gt 20 ] && [ "$(wc -l <"$folder/page.txt")" -eq "$count" ] || { echo "FAILED: not $count rows"; failures=1; }
exit $failures
