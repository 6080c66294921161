/* Arrays that grow while items are appended. */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include <stddef.h>
#include <stdint.h>

/**
 * Moves `items` (NULL: none yet) to where `count` items of `size` bytes have room.
 * *capacity, in items, is set to the room there is then: at least twice as much as
 * before, so that appending takes linear time. NULL, and nothing has changed, where
 * memory does not suffice or so many bytes cannot be counted. Local.
 */
void *base_array_grow(void *items, int64_t *capacity, int64_t count, size_t size);

/* `items`, grown where they have no room for `count`, 1 or more; else like
 * base_array_grow. */
static inline void *base_array_reserve(void *items, int64_t *capacity, int64_t count,
                                       size_t size)
{
    return count <= *capacity ? items : base_array_grow(items, capacity, count, size);
}

#endif
