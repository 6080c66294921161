#include "share.h"

#include "base/array.h"

#include <string.h>

static void *items_of(const parallel_list *list)
{
    void *items;
    memcpy(&items, list->items, sizeof items);
    return items;
}

static void broadcast(MPI_Comm comm, const parallel_list *list)
{
    enum { MOST_BYTES = 1 << 26 };
    char *bytes = items_of(list);
    const int64_t size = list->count * (int64_t)list->size;
    for (int64_t at = 0; at < size; at += MOST_BYTES) {
        const int part = (int)(size - at < MOST_BYTES ? size - at : MOST_BYTES);
        parallel_bcast(bytes + at, part, MPI_BYTE, 0, comm);
    }
}

status parallel_share(MPI_Comm comm, status s, int nlists, const parallel_list lists[],
                      const char *what)
{
    const bool is_first = parallel_rank(comm) == 0;
    for (int n = 0; n < nlists && s == STATUS_OK && !is_first; n++) {
        const parallel_list *list = &lists[n];
        s = list->count < 0
                ? s
                : base_array_extend(list->items, 0, list->count, list->size, what);
    }
    s = parallel_agree(comm, s);
    for (int n = 0; n < nlists && s == STATUS_OK; n++) {
        broadcast(comm, &lists[n]);
    }
    return s;
}

status parallel_share_text(MPI_Comm comm, status s, char **text, int64_t *bytes,
                           const char *what)
{
    const bool is_first = parallel_rank(comm) == 0;
    int64_t count = is_first && *text ? *bytes : -1;
    parallel_bcast(&count, 1, MPI_INT64_T, 0, comm);
    if (!is_first && count >= 0 && s == STATUS_OK) {
        *text = NULL;
        s = base_array_extend(text, 0, count + 1, 1, what);
    }
    const parallel_list list = {text, count, 1};
    s = parallel_agree(comm, s);
    if (s == STATUS_OK) {
        broadcast(comm, &list);
    }
    if (s == STATUS_OK && !is_first && count >= 0) {
        (*text)[count] = '\0';
    }
    *bytes = count;
    return s;
}
