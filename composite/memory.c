#include "memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool must_fail(composite_memory *memory)
{
    return memory->until_failure > 0 && --memory->until_failure == 0;
}

status composite_memory_grow(composite_memory *memory, void *array, int64_t *capacity,
                             int64_t count, size_t size, const char *what)
{
    if (count <= *capacity) {
        return STATUS_OK;
    }
    /* Doubling keeps the cost of appending one by one linear. */
    int64_t wanted = count > 2 * *capacity ? count : 2 * *capacity;
    size_t bytes = (size_t)wanted * size;
    /* memcpy, as pointers to different types are not one type that void ** could name. */
    void *old;
    memcpy(&old, array, sizeof old);
    void *grown = must_fail(memory) ? NULL : realloc(old, bytes);
    if (!grown) {
        return base_fail_memory(bytes, what);
    }
    memcpy(array, &grown, sizeof grown);
    *capacity = wanted;
    return STATUS_OK;
}
