/* Allocation that tests can make fail. Private to composite/. */
#ifndef COMPOSITE_MEMORY_H
#define COMPOSITE_MEMORY_H

#include "base/status.h"

#include <stdint.h>

/* Counts allocations, so that tests can make any one of them fail. */
typedef struct composite_memory {
    int64_t until_failure; /* 0: never; n: the n-th allocation from now fails, once */
} composite_memory;

/*
 * Grows *array (a pointer to any object type, NULL at first) to hold at least `count`
 * items of `size` bytes; *capacity is the number of items it can hold. Contents stay.
 * Local. Errors: STATUS_MEMORY, with *array unchanged; `what` names it in the message.
 */
status composite_memory_grow(composite_memory *memory, void *array, int64_t *capacity,
                             int64_t count, size_t size, const char *what);

#endif
