#include "priority.h"

#include "base/words.h"

#include <stdlib.h>
#include <string.h>

/* A block and its rank among all blocks. */
typedef struct ranked_block {
    int block;
    int declared; /* its index in the list of names; their count if not named */
    double cell_size;
} ranked_block;

/* Mean volume of a cell: that of the bricks' bounds, over their cells. */
static double mean_cell_size(const grid_layout *layout, int block)
{
    const grid_block *b = &layout->blocks[block];
    int64_t count = b->bricks[0] * b->bricks[1] * b->bricks[2];
    double space = 0.0, cells = 0.0;
    for (int64_t n = b->first_brick; n < b->first_brick + count; n++) {
        const grid_brick_info *info = &layout->bricks[n];
        if (info->cells > 0) {
            vec3 size = vec3_sub(grid_brick_bounds(info).hi, grid_brick_bounds(info).lo);
            space += size.v[0] * size.v[1] * size.v[2];
            cells += (double)info->cells;
        }
    }
    return cells > 0.0 ? space / cells : 0.0;
}

static int compare_blocks(const void *left, const void *right)
{
    const ranked_block *a = left, *b = right;
    if (a->declared != b->declared) {
        return a->declared - b->declared;
    }
    if (a->cell_size != b->cell_size) {
        return a->cell_size < b->cell_size ? -1 : 1;
    }
    return a->block - b->block;
}

static int find_block(const grid_layout *layout, const char *name)
{
    for (int block = 0; block < layout->nblocks; block++) {
        if (strcmp(layout->blocks[block].name, name) == 0) {
            return block;
        }
    }
    return -1;
}

static status fail_unknown(const grid_layout *layout, const char *name)
{
    const char **names = malloc(((size_t)layout->nblocks + 1) * sizeof *names);
    char known[512] = "", hint[GRID_NAME_SIZE + 32] = "";
    for (int block = 0; names && block < layout->nblocks; block++) {
        names[block] = layout->blocks[block].name;
    }
    if (names) {
        base_words_list(layout->nblocks, names, sizeof known, known);
        base_words_hint(name, layout->nblocks, names, sizeof hint, hint);
    }
    free(names);
    return base_fail(STATUS_USAGE, "data.priority: there is no block '%.64s'%s, only %s",
                     name, hint, known);
}

/* Notes the index of each name in `blocks`, which is in the layout's order. */
static status declare(const grid_layout *layout, int count, char *const *names,
                      ranked_block *blocks)
{
    for (int n = 0; n < count; n++) {
        int block = find_block(layout, names[n]);
        if (block < 0) {
            return fail_unknown(layout, names[n]);
        }
        if (blocks[block].declared < count) {
            return base_fail(STATUS_USAGE,
                             "data.priority has block '%s' twice: name it once",
                             names[n]);
        }
        for (int copy = block; copy <= grid_layout_last_copy(layout, block); copy++) {
            blocks[copy].declared = n;
        }
    }
    return STATUS_OK;
}

status grid_layout_rank_blocks(grid_layout *layout, int count, char *const *names)
{
    size_t size = (size_t)layout->nblocks * sizeof(ranked_block);
    ranked_block *blocks = malloc(size + 1);
    if (!blocks) {
        return base_fail_memory(size, "the priorities of blocks");
    }
    for (int b = 0; b < layout->nblocks; b++) {
        blocks[b] = (ranked_block){b, count, mean_cell_size(layout, b)};
    }
    status s = declare(layout, count, names, blocks);
    if (s == STATUS_OK) {
        qsort(blocks, (size_t)layout->nblocks, sizeof *blocks, compare_blocks);
        for (int b = 0; b < layout->nblocks; b++) {
            layout->blocks[blocks[b].block].priority = b;
        }
    }
    free(blocks);
    return s;
}
