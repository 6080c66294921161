#include "parts.h"

#include "base/array.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ensight_part *ensight_parts_find(const ensight_parts *parts, int set, int64_t number,
                                 int step)
{
    for (int64_t n = 0; n < parts->count; n++) {
        ensight_part *one = &parts->items[n];
        if (one->set == set && one->number == number && one->is_there[step]) {
            return one;
        }
    }
    return NULL;
}

/* Adds a part of a new block. */
static status add(ensight_parts *parts, const ensight_part *wanted)
{
    uint8_t *is_there = calloc((size_t)parts->nsteps, 1);
    if (!is_there || base_array_room(parts->items, parts->count, 1, NULL) != STATUS_OK) {
        free(is_there);
        return base_fail_memory(sizeof *parts->items, "the parts of an EnSight file");
    }
    ensight_part *added = &parts->items[parts->count++];
    *added = *wanted;
    added->is_there = is_there;
    for (size_t n = 0; n < sizeof added->latest / sizeof added->latest[0]; n++) {
        added->latest[n].file = IO_ARRAY_LACKS;
    }
    return STATUS_OK;
}

status ensight_parts_take(ensight_parts *parts, io_array_builder *builder,
                          const char *title, int step, ensight_part *wanted,
                          ensight_part **out)
{
    char key[GRID_NAME_SIZE];
    snprintf(key, sizeof key, "%d/%" PRId64, wanted->set, wanted->number);
    io_array_wanted want = {.key = key,
                            .title = title,
                            .kind = "part",
                            .number = wanted->number,
                            .step = parts->rest ? -1 : step,
                            .place = -1};
    memcpy(want.n, wanted->n, sizeof want.n);
    status s = io_array_builder_find_block(builder, &want, &wanted->block);
    int64_t at = 0;
    while (at < parts->count && parts->items[at].block != wanted->block) {
        at++;
    }
    if (s == STATUS_OK && at == parts->count) {
        s = add(parts, wanted);
    }
    if (s == STATUS_OK) {
        *out = &parts->items[at];
        memset((*out)->is_there + step, 1, parts->rest ? (size_t)parts->nsteps : 1);
    }
    return s;
}

void ensight_parts_clear(ensight_parts *parts)
{
    for (int64_t n = 0; n < parts->count; n++) {
        free(parts->items[n].is_there);
    }
    free(parts->items);
    *parts = (ensight_parts){.count = 0};
}
