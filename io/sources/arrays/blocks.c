/* The blocks of grids that change from step to step: which of a step is which of another.
 */
#include "builder.h"

#include "base/array.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is known of a block of the catalogue. */
struct io_array_known {
    char key[GRID_NAME_SIZE];
    int place; /* in the list of its first step */
    int last;  /* the last step that it was seen at */
};

/* Whether two keys differ in numbers alone, as those of steps do, or one is none. */
static bool are_alike(const char *a, const char *b)
{
    if (*a == '\0' || *b == '\0') {
        return true;
    }
    for (;; a++, b++) {
        while (isdigit((unsigned char)*a)) {
            a++;
        }
        while (isdigit((unsigned char)*b)) {
            b++;
        }
        if (*a != *b || *a == '\0') {
            return *a == *b;
        }
    }
}

/* Whether a block was there at this step or later, or at all of them. */
static bool is_used(const io_array_builder *builder, int block, int step)
{
    return block >= builder->nknown || builder->known[block].last >= step;
}

static bool has_key(const io_array_builder *builder, int block, const char *key)
{
    return strcmp(builder->known[block].key, key) == 0;
}

static bool has_size(const io_array_builder *builder, int block, const int64_t n[3])
{
    return memcmp(builder->catalog->blocks[block].n, n, 3 * sizeof *n) == 0;
}

/* The block of a key and, with `n`, of a size; -1: there is none. */
static int find_key(const io_array_builder *builder, const io_array_wanted *want,
                    const int64_t *n)
{
    for (int b = 0; b < builder->catalog->nblocks && want->key[0] != '\0'; b++) {
        if (!is_used(builder, b, want->step) && has_key(builder, b, want->key) &&
            (!n || has_size(builder, b, n))) {
            return b;
        }
    }
    return -1;
}

/* The block of a place in the list, whose name is none or has another number. */
static int find_place(const io_array_builder *builder, const io_array_wanted *want,
                      const int64_t *n)
{
    for (int b = 0; b < builder->catalog->nblocks && want->place >= 0; b++) {
        if (!is_used(builder, b, want->step) && builder->known[b].place == want->place &&
            are_alike(builder->known[b].key, want->key) &&
            (!n || has_size(builder, b, n))) {
            return b;
        }
    }
    return -1;
}

static int find(const io_array_builder *builder, const io_array_wanted *want,
                const int64_t *n)
{
    const int found = find_key(builder, want, n);
    return found >= 0 ? found : find_place(builder, want, n);
}

/* Adds a block: of another size than one before it, or a new one. */
static status add_wanted(io_array_builder *builder, const io_array_wanted *want,
                         int *index)
{
    const int before = find(builder, want, NULL);
    grid_block block = {.has_iblank = false};
    memcpy(block.n, want->n, sizeof block.n);
    if (before >= 0) {
        memcpy(block.name, builder->catalog->blocks[before].name, sizeof block.name);
    } else {
        io_array_builder_name(builder, want->title, want->kind, want->number, block.name);
    }
    const status s = io_array_builder_add_block(builder, &block, index);
    const int count = builder->catalog->nblocks;
    struct io_array_known *all =
        base_array_reserve(builder->known, &builder->known_capacity, count, sizeof *all);
    if (!all) {
        return base_fail_memory((size_t)count * sizeof *all, "a list of blocks");
    }
    builder->known = all;
    for (; builder->nknown < count; builder->nknown++) {
        struct io_array_known *its = &all[builder->nknown];
        its->place = want->place;
        its->last = want->step < 0 ? INT_MAX : -1;
        snprintf(its->key, sizeof its->key, "%.*s", GRID_NAME_SIZE - 1, want->key);
    }
    return s;
}

status io_array_builder_mark(io_array_builder *builder, int block, int step)
{
    io_array_mark *marks = base_array_reserve(builder->marks, &builder->mark_capacity,
                                              builder->nmarks + 1, sizeof *marks);
    if (!marks) {
        return base_fail_memory((size_t)builder->nmarks * sizeof *marks,
                                "the blocks of steps");
    }
    builder->marks = marks;
    marks[builder->nmarks++] = (io_array_mark){block, step};
    return STATUS_OK;
}

status io_array_builder_find_block(io_array_builder *builder, const io_array_wanted *want,
                                   int *index)
{
    *index = want->step < 0 ? -1 : find(builder, want, want->n);
    const status s = *index < 0 ? add_wanted(builder, want, index) : STATUS_OK;
    if (s != STATUS_OK || want->step < 0) {
        return s;
    }
    builder->known[*index].last = want->step;
    return io_array_builder_mark(builder, *index, want->step);
}
