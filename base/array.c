#include "array.h"

#include <stdlib.h>

/* The least capacity: few lists stay shorter. */
enum { FIRST = 64 };

void *base_array_grow(void *items, int64_t *capacity, int64_t count, size_t size)
{
    /* Pointers into an array are subtracted, so PTRDIFF_MAX bounds its bytes. */
    const int64_t most = (int64_t)((uint64_t)PTRDIFF_MAX / size);
    if (count < 0 || count > most) {
        return NULL;
    }
    int64_t wanted = *capacity > most / 2 ? most : 2 * *capacity;
    wanted = wanted > count ? wanted : count;
    wanted = wanted > FIRST ? wanted : FIRST < most ? FIRST : most;
    void *grown = realloc(items, (size_t)wanted * size);
    if (grown) {
        *capacity = wanted;
    }
    return grown;
}
