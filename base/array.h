/* Arrays that grow while items are appended. */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include "status.h"

#include <stdint.h>

/*
 * Lists that only grow here need no capacity: one of `count` items has room for the next
 * power of two, at least 64. `list` is a pointer to items, NULL if there are none yet,
 * and `count` an integer; both are evaluated several times. `what` names the items if
 * memory runs out; NULL: the caller says it. Local. Errors: STATUS_MEMORY; then nothing
 * has changed.
 */

/* Appends an item, and counts it. A compound literal needs parentheses. */
#define base_array_add(list, count, item, what)                                          \
    ((status)(base_array_room(list, count, 1, what) == STATUS_OK                         \
                  ? ((list)[count] = (item), (count)++, STATUS_OK)                       \
                  : STATUS_MEMORY))

/* Makes room for `more` items behind the last, at list[count]. */
#define base_array_room(list, count, more, what)                                         \
    base_array_extend(&(list), (count), (more), sizeof *(list), (what))

/* The same: list is the address of the pointer to items of `size` bytes. */
status base_array_extend(void *list, int64_t count, int64_t more, size_t size,
                         const char *what);

/* Grows `items` (NULL: none yet) so that it holds `count` items of `size` bytes. The new
 * capacity in items, *capacity, is at least twice the old one, so that appending takes
 * linear time. Returns NULL and changes nothing if memory runs out or the bytes cannot be
 * counted. For lists that are emptied and filled again. Local. */
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
