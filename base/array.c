#include "array.h"

#include <stdlib.h>
#include <string.h>

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

/* The room of a list. */
static int64_t room_of(int64_t count)
{
    int64_t room = FIRST;
    while (room < count && room <= INT64_MAX / 2) {
        room *= 2;
    }
    return room;
}

status base_array_extend(void *list, int64_t count, int64_t more, size_t size,
                         const char *what)
{
    void *items, *grown = NULL;
    memcpy(&items, list, sizeof items);
    const int64_t most = (int64_t)((uint64_t)PTRDIFF_MAX / size);
    const int64_t room = more <= most - count ? room_of(count + more) : most;
    if (items && room == room_of(count)) {
        return STATUS_OK;
    }
    if (room < most) {
        grown = realloc(items, (size_t)room * size);
    }
    if (!grown) {
        return what ? base_fail_memory((size_t)room * size, what) : STATUS_MEMORY;
    }
    memcpy(list, &grown, sizeof grown);
    return STATUS_OK;
}
