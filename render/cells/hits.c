#include "hits.h"

#include "base/array.h"

void render_hits_push(walk_hits *hits, const walk_hit *hit)
{
    walk_hit *items =
        base_array_reserve(hits->items, &hits->capacity, hits->count + 1, sizeof *items);
    if (!items) {
        hits->failed = true;
        return;
    }
    hits->items = items;
    hits->items[hits->count++] = *hit;
}
