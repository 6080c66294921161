#include "past.h"

#include <stdlib.h>

void io_load_past_clear(io_load_past *past)
{
    free(past->measures);
    *past = (io_load_past){.measures = NULL};
}

status io_load_carry(const io_source *source, const grid_layout *before, int step,
                     const grid_layout *layout, grid_store *store)
{
    const size_t bytes = ((size_t)layout->nbricks + 1) * sizeof *store->slot;
    int32_t *slot = malloc(bytes);
    if (!slot) {
        return base_fail_memory(bytes, "the bricks of a grid");
    }
    for (int64_t n = 0; n < layout->nbricks; n++) {
        slot[n] = -1;
    }
    for (int b = 0; b < layout->nblocks; b++) {
        const int old = io_source_same_block(source, step, b);
        const int64_t first = layout->blocks[b].first_brick;
        const int64_t end =
            b + 1 < layout->nblocks ? layout->blocks[b + 1].first_brick : layout->nbricks;
        for (int64_t n = first; n < end && old >= 0; n++) {
            const int32_t at = store->slot[before->blocks[old].first_brick + n - first];
            slot[n] = at;
            if (at >= 0) {
                store->bricks[at].number = n;
                store->bricks[at].place.block = b;
            }
        }
    }
    free(store->slot);
    store->slot = slot;
    store->layout = layout;
    return STATUS_OK;
}
