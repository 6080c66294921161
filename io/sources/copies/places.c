#include "places.h"

#include "io/view.h"

#include <stdlib.h>
#include <string.h>

static bool is_for(const grid_copies *level, const char *block)
{
    bool is = level->nblocks == 0;
    for (int n = 0; n < level->nblocks && !is; n++) {
        is = strcmp(level->blocks[n], block) == 0;
    }
    return is;
}

static status check_names(const io_source *data, const grid_copies *level, int number)
{
    const grid_block *blocks = io_source_blocks(data);
    for (int n = 0; n < level->nblocks; n++) {
        bool is_there = false;
        for (int b = 0; b < io_source_block_count(data); b++) {
            is_there = is_there || strcmp(blocks[b].name, level->blocks[n]) == 0;
        }
        if (!is_there) {
            return base_fail(STATUS_USAGE,
                             "data.copies.%d.blocks: there is no block '%.64s' in '%s'",
                             number, level->blocks[n], io_source_path(data));
        }
    }
    return STATUS_OK;
}

grid_view copies_view(const copies_places *places, const int at[], int levels)
{
    grid_view view = {.on = false};
    for (int level = 0; level < levels; level++) {
        grid_view_add_copy(&view, &places->levels[level], at[level]);
    }
    return view;
}

/* The copies that an entry makes of a block. */
static int count_of(const copies_places *places, int block, int level)
{
    return places->copied[block][level] ? places->counts[level] : 1;
}

int copies_index(const copies_places *places, int block, const int at[])
{
    int index = 0;
    for (int level = places->nlevels - 1; level >= 0; level--) {
        const int count = count_of(places, block, level);
        if (at[level] >= count) {
            return -1;
        }
        index = index * count + at[level];
    }
    return places->first[block] + index;
}

/* Fills in the copies of a block. */
static void fill_block(copies_places *places, int block)
{
    for (int n = places->first[block]; n < places->first[block + 1]; n++) {
        copies_place *place = &places->all[n];
        int rest = n - places->first[block];
        place->block = block;
        for (int level = 0; level < places->nlevels; level++) {
            const int count = count_of(places, block, level);
            place->at[level] = rest % count;
            rest /= count;
        }
        place->view = copies_view(places, place->at, places->nlevels);
    }
}

/* Counts the copies of all blocks. */
static status count_places(const io_source *data, copies_places *places)
{
    enum { MOST = 1 << 24 };
    int64_t total = 0;
    for (int b = 0; b < places->nblocks; b++) {
        int64_t count = 1;
        places->first[b] = (int)total;
        for (int level = 0; level < places->nlevels; level++) {
            const grid_copies *of = &places->levels[level];
            places->copied[b][level] = is_for(of, io_source_blocks(data)[b].name);
            count *= count_of(places, b, level);
        }
        total += count;
        if (total > MOST) {
            return base_fail(STATUS_USAGE,
                             "data.copies makes more than %d blocks of '%s'", (int)MOST,
                             io_source_path(data));
        }
    }
    places->first[places->nblocks] = (int)total;
    return STATUS_OK;
}

status copies_places_create(const io_data_config *config, const io_source *data,
                            copies_places *out)
{
    const int nblocks = io_source_block_count(data);
    const size_t count = (size_t)nblocks + 1;
    status s = STATUS_OK;
    *out = (copies_places){.nlevels = config->ncopies, .nblocks = nblocks};
    for (int level = 0; level < out->nlevels; level++) {
        out->levels[level] = config->copies[level];
        out->counts[level] = grid_copies_count(&out->levels[level]);
        out->closes[level] = grid_copies_close(&out->levels[level]);
        s = s == STATUS_OK ? check_names(data, &out->levels[level], level) : s;
    }
    out->copied = calloc(count, sizeof *out->copied);
    out->first = calloc(count, sizeof *out->first);
    if (s == STATUS_OK && (!out->copied || !out->first)) {
        s = base_fail_memory(count * sizeof *out->first, "the list of copies");
    }
    s = s == STATUS_OK ? count_places(data, out) : s;
    if (s != STATUS_OK) {
        return s;
    }
    out->all = calloc((size_t)out->first[nblocks] + 1, sizeof *out->all);
    if (!out->all) {
        return base_fail_memory((size_t)out->first[nblocks] * sizeof *out->all,
                                "the list of copies");
    }
    for (int b = 0; b < nblocks; b++) {
        fill_block(out, b);
    }
    return STATUS_OK;
}

void copies_places_clear(copies_places *places)
{
    free(places->copied);
    free(places->first);
    free(places->all);
    *places = (copies_places){.nlevels = 0};
}
