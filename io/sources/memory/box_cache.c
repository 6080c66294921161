#include "box_cache.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

/* The most reads to remember, and the patience with reads that do not recur. */
enum { MOST_READS = 4096, PATIENCE = 4 };

typedef struct kept_read {
    uint64_t hash;
    int64_t used; /* when it was last asked for, in reads */
    int64_t step; /* when it was first asked for, in steps */
    char *data;   /* NULL: asked for in one step only so far */
    /* The read itself, once there are data: other reads may have the same hash. */
    int block, array;
    bool has_origin;
    double origin;
    io_box *boxes; /* [ranks], or NULL */
} kept_read;

struct memory_kept {
    int ranks, count, last;
    int64_t clock;    /* reads so far */
    int64_t step;     /* steps so far */
    kept_read *reads; /* [MOST_READS]: only the used ones are written to */
};

status io_memory_kept_create(int ranks, memory_kept **out)
{
    const size_t bytes = MOST_READS * sizeof(kept_read);
    memory_kept *kept = malloc(sizeof *kept);
    kept_read *reads = malloc(bytes);
    if (!kept || !reads) {
        free(kept);
        free(reads);
        return base_fail_memory(bytes, "the coordinates of other ranks");
    }
    *kept = (memory_kept){.ranks = ranks, .reads = reads};
    *out = kept;
    return STATUS_OK;
}

static void clear(kept_read *read)
{
    free(read->data);
    free(read->boxes);
}

void io_memory_kept_destroy(memory_kept **kept)
{
    for (int n = 0; *kept && n < (*kept)->count; n++) {
        clear(&(*kept)->reads[n]);
    }
    if (*kept) {
        free((*kept)->reads);
    }
    free(*kept);
    *kept = NULL;
}

uint64_t io_memory_kept_hash(const memory_kept *kept, const memory_asked *asked)
{
    int64_t what[] = {asked->block, asked->array, asked->origin != NULL, 0};
    if (asked->origin) {
        memcpy(&what[3], asked->origin, sizeof what[3]);
    }
    uint64_t hash = base_hash_words(BASE_HASH_START, what, sizeof what);
    for (int rank = 0; rank < kept->ranks; rank++) {
        hash = base_hash_words(hash, asked->boxes[rank].lo, sizeof asked->boxes[rank].lo);
        hash = base_hash_words(hash, asked->boxes[rank].n, sizeof asked->boxes[rank].n);
    }
    return hash;
}

/* Whether a kept read is the one asked for. */
static bool is_same(const memory_kept *kept, const kept_read *read,
                    const memory_asked *asked)
{
    const size_t bytes = (size_t)kept->ranks * sizeof *read->boxes;
    return read->block == asked->block && read->array == asked->array &&
           read->has_origin == (asked->origin != NULL) &&
           (!asked->origin ||
            memcmp(&read->origin, asked->origin, sizeof read->origin) == 0) &&
           memcmp(read->boxes, asked->boxes, bytes) == 0;
}

/* Drops reads that have not recurred for a long time: the distribution has changed. */
static void forget_old(memory_kept *kept)
{
    const int64_t patience = PATIENCE * (int64_t)(kept->count + 64);
    int left = 0;
    for (int n = 0; n < kept->count; n++) {
        if (kept->clock - kept->reads[n].used > patience) {
            clear(&kept->reads[n]);
        } else {
            kept->reads[left++] = kept->reads[n];
        }
    }
    kept->count = left;
}

void io_memory_kept_next_step(memory_kept *kept)
{
    kept->step++;
}

memory_known io_memory_kept_find(memory_kept *kept, const memory_asked *asked,
                                 const char **data)
{
    const uint64_t hash = io_memory_kept_hash(kept, asked);
    kept->clock++;
    if (kept->clock % 64 == 0) {
        forget_old(kept);
    }
    for (int n = 0; n < kept->count; n++) {
        kept_read *read = &kept->reads[n];
        if (read->hash == hash && (!read->data || is_same(kept, read, asked))) {
            read->used = kept->clock;
            kept->last = n;
            *data = read->data;
            return read->data                ? MEMORY_IS_KEPT
                   : read->step < kept->step ? MEMORY_SEEN
                                             : MEMORY_NEW;
        }
    }
    if (kept->count == MOST_READS) {
        return MEMORY_FULL;
    }
    kept->reads[kept->count++] =
        (kept_read){.hash = hash, .used = kept->clock, .step = kept->step};
    return MEMORY_NEW;
}

status io_memory_kept_prepare(memory_kept *kept, const memory_asked *asked)
{
    kept_read *read = &kept->reads[kept->last];
    const size_t bytes = (size_t)kept->ranks * sizeof *read->boxes;
    if (!read->boxes) {
        read->boxes = malloc(bytes);
    }
    if (!read->boxes) {
        return base_fail_memory(bytes, "the boxes of other ranks");
    }
    memcpy(read->boxes, asked->boxes, bytes);
    read->block = asked->block;
    read->array = asked->array;
    read->has_origin = asked->origin != NULL;
    read->origin = asked->origin ? *asked->origin : 0.0;
    return STATUS_OK;
}

void io_memory_kept_put(memory_kept *kept, char *data)
{
    kept->reads[kept->last].data = data;
}
