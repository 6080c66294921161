/* The blocks of grids that change from step to step: which of a step is which of another.
 */
#include "builder.h"

#include "base/array.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How a block is found again: by its key, or by its place in the list. */
enum { BY_KEY, BY_PLACE, WAYS };

/* What is known of a block of the catalogue. Those of one key, or of one place, are a
 * chain. */
struct io_array_known {
    char key[GRID_NAME_SIZE];
    int place;      /* in the list of its first step */
    int last;       /* the last step that it was seen at */
    int next[WAYS]; /* in the chain; -1: none */
    /* of the first one in a chain: */
    int end[WAYS];  /* the last one */
    int step[WAYS]; /* all before this one were seen at this step or later: */
    int start[WAYS];
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

static bool has_size(const io_array_builder *builder, int block, const int64_t n[3])
{
    return memcmp(builder->catalog->blocks[block].n, n, 3 * sizeof *n) == 0;
}

static bool has_key(const io_array_wanted *want, int way)
{
    return way == BY_KEY ? want->key[0] != '\0' : want->place >= 0;
}

static uint64_t key_of(const io_array_wanted *want, int way)
{
    return way == BY_KEY ? base_lookup_name(want->key) : (uint64_t)want->place;
}

/* The first block in the chain of a key or a place; -1: there is none. */
static int find_first(const io_array_builder *builder, const io_array_wanted *want,
                      int way)
{
    if (!has_key(want, way)) {
        return -1;
    }
    const uint64_t key = key_of(want, way);
    int64_t at = 0, b = base_lookup_next(&builder->by[way], key, &at);
    while (b >= 0 && way == BY_KEY && strcmp(builder->known[b].key, want->key) != 0) {
        b = base_lookup_next(&builder->by[way], key, &at);
    }
    return (int)b;
}

/* The block of a key, or of a place whose name is none or has another number; and, with
 * `n`, of a size. -1: there is none. */
static int find_by(const io_array_builder *builder, const io_array_wanted *want,
                   const int64_t *n, int way)
{
    struct io_array_known *known = builder->known;
    const int first = find_first(builder, want, way);
    if (first < 0) {
        return -1;
    }
    if (want->step > known[first].step[way]) {
        known[first].step[way] = want->step;
        known[first].start[way] = first;
    }
    int *start = &known[first].start[way];
    while (*start >= 0 && is_used(builder, *start, known[first].step[way])) {
        *start = known[*start].next[way];
    }
    int b = *start;
    while (b >= 0 && (is_used(builder, b, want->step) ||
                      (way == BY_PLACE && !are_alike(known[b].key, want->key)) ||
                      (n && !has_size(builder, b, n)))) {
        b = known[b].next[way];
    }
    return b;
}

static int find(const io_array_builder *builder, const io_array_wanted *want,
                const int64_t *n)
{
    const int found = find_by(builder, want, n, BY_KEY);
    return found >= 0 ? found : find_by(builder, want, n, BY_PLACE);
}

/* Appends a block to the chain of its key, or of its place. */
static status link_block(io_array_builder *builder, const io_array_wanted *want,
                         int block, int way)
{
    struct io_array_known *known = builder->known;
    const int first = find_first(builder, want, way);
    if (first >= 0) {
        int *start = &known[first].start[way];
        known[known[first].end[way]].next[way] = block;
        known[first].end[way] = block;
        *start = *start < 0 ? block : *start;
        return STATUS_OK;
    }
    known[block].start[way] = known[block].end[way] = block;
    return has_key(want, way)
               ? base_lookup_add(&builder->by[way], key_of(want, way), block)
               : STATUS_OK;
}

/* Notes what is known of the block that was added last. */
static status note_block(io_array_builder *builder, const io_array_wanted *want)
{
    const int count = builder->catalog->nblocks;
    const struct io_array_known unseen = {
        .place = want->place, .last = INT_MAX, .next = {-1, -1}};
    while (builder->nknown < count) {
        if (base_array_add(builder->known, builder->nknown, unseen, "a list of blocks") !=
            STATUS_OK) {
            return STATUS_MEMORY;
        }
    }
    struct io_array_known *its = &builder->known[count - 1];
    snprintf(its->key, sizeof its->key, "%.*s", GRID_NAME_SIZE - 1, want->key);
    if (want->step < 0) {
        return STATUS_OK;
    }
    its->last = -1;
    const status s = link_block(builder, want, count - 1, BY_KEY);
    return s == STATUS_OK ? link_block(builder, want, count - 1, BY_PLACE) : s;
}

/* Adds a block: of another size than one before it, or a new one. */
static status add_wanted(io_array_builder *builder, const io_array_wanted *want,
                         int *index)
{
    const int before = want->step < 0 ? -1 : find(builder, want, NULL);
    grid_block block = {.has_iblank = false};
    memcpy(block.n, want->n, sizeof block.n);
    if (before >= 0) {
        memcpy(block.name, builder->catalog->blocks[before].name, sizeof block.name);
    } else {
        io_array_builder_name(builder, want->title, want->kind, want->number, block.name);
    }
    const status s = io_array_builder_add_block(builder, &block, index);
    return s == STATUS_OK ? note_block(builder, want) : s;
}

status io_array_builder_mark(io_array_builder *builder, int block, int step)
{
    return base_array_add(builder->marks, builder->nmarks, ((io_array_mark){block, step}),
                          "the blocks of steps");
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
