/* Arrays that grow while items are appended. */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include <stddef.h>
#include <stdint.h>

/* Grows `items` (NULL: none yet) so that it holds `count` items of `size` bytes. The new
 * capacity in items, *capacity, is at least twice the old one, so that appending takes
 * linear time. Returns NULL and changes nothing if memory runs out or the bytes cannot be
 * counted. Local. */
void *base_array_grow(void *items, int64_t *capacity, int64_t count, size_t size);

/* Returns `items`, grown by base_array_grow if it cannot hold `count` (at least 1)
 * items. */
static inline void *base_array_reserve(void *items, int64_t *capacity, int64_t count,
                                       size_t size)
{
    return count <= *capacity ? items : base_array_grow(items, capacity, count, size);
}

/* Compares doubles, for qsort: ascending. */
static inline int base_array_compare_doubles(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

#endif
