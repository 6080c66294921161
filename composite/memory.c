#include "memory.h"

#include "base/array.h"

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
    /* memcpy, as `array` points to a pointer of any type, which is no void *. */
    void *old;
    memcpy(&old, array, sizeof old);
    void *grown = must_fail(memory) ? NULL : base_array_grow(old, capacity, count, size);
    if (!grown) {
        return base_fail_memory((size_t)count * size, what);
    }
    memcpy(array, &grown, sizeof grown);
    return STATUS_OK;
}
