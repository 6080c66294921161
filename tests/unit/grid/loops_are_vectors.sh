#!/bin/sh
# loops_are_vectors.sh OBJECT…: whether a compiler made SIMD of all arithmetic in the kernels of
# grid/cells_kernel.h, among these objects. A branch in a loop is enough that it does not, and
# nothing but time shows it.
if ! command -v objdump >/dev/null; then
    echo "skipped: there is no objdump (Debian: binutils)"
    exit 77
fi
seen=0
for object in "$@"; do
    case $object in *cells_avx2* | *cells_avx512*) ;; *) continue ;; esac
    seen=$((seen + 1))
    code=$(objdump -d "$object")
    vectors=$(echo "$code" | grep -cE 'v(add|mul|sub)pd')
    single=$(echo "$code" | grep -cE 'v(add|mul|sub)sd')
    if [ "$vectors" -lt 50 ] || [ "$single" -gt 9 ]; then
        echo "$object: $vectors operations on vectors (expected: 50 or more), $single on single" \
            "numbers (expected: 9 or less)"
        exit 1
    fi
done
echo "$seen objects"
[ "$seen" -eq 2 ]
