#!/usr/bin/env bash
# The collectives need no more of the C library than memory, sorting and sentences: a page compiles them for a browser.
#
#   freestanding.sh LIBRARY      (libkarman_collective.a)
set -u
# Names that begin with two underscores belong to the compiler and its sanitizers.
allowed='malloc|calloc|free|memcpy|memset|memmove|memcmp|strcmp|qsort|v?snprintf|fmax|fmin|__.*|_GLOBAL_OFFSET_TABLE_'
ours='(collective|browser|replay|composite)_.*|simulate_(create|destroy|run|run_messages|machine_usual)|base_array_grow|base_fail|base_fail_(memory|message)'
needed=$(nm -u "$1" | awk 'NF == 2 { print $2 }' | sort -u) || exit 1
[ -n "$needed" ] || { echo "FAILED: nm lists no names of $1"; exit 1; }
found=$(grep -vxE "$allowed|$ours" <<<"$needed")
[ -z "$found" ] || { echo "FAILED: the collectives need $found"; exit 1; }
echo "the collectives need $(grep -cxE "$allowed" <<<"$needed") functions of the C library"
