#include "io/live_kept.h"

#include <stdlib.h>
#include <string.h>

/* Reads of a step that are remembered, and how long those are that do not come again. */
enum { MOST_READS = 4096, PATIENCE = 4 };

typedef struct kept_read {
    uint64_t key;
    int64_t used; /* when it was asked for last, in reads */
    int64_t step; /* when it was asked for first, in steps */
    char *data;   /* NULL: of no other step so far */
} kept_read;

struct live_kept {
    int ranks, count, last;
    int64_t clock;    /* reads so far */
    int64_t step;     /* steps so far */
    kept_read *reads; /* [MOST_READS]: no more of them is written to than is used */
};

status io_live_kept_create(int ranks, live_kept **out)
{
    const size_t bytes = MOST_READS * sizeof(kept_read);
    live_kept *kept = malloc(sizeof *kept);
    kept_read *reads = malloc(bytes);
    if (!kept || !reads) {
        free(kept);
        free(reads);
        return base_fail_memory(bytes, "the coordinates of other ranks");
    }
    *kept = (live_kept){.ranks = ranks, .reads = reads};
    *out = kept;
    return STATUS_OK;
}

void io_live_kept_destroy(live_kept **kept)
{
    for (int n = 0; *kept && n < (*kept)->count; n++) {
        free((*kept)->reads[n].data);
    }
    if (*kept) {
        free((*kept)->reads);
    }
    free(*kept);
    *kept = NULL;
}

/* FNV-1a over eight bytes at a time; 64 bits, of a few thousand reads at most. */
static uint64_t hash(uint64_t key, const int64_t *values, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        key = (key ^ (uint64_t)values[n]) * UINT64_C(1099511628211);
        key ^= key >> 29;
    }
    return key;
}

static uint64_t key_of(const live_kept *kept, int block, int array, const double *origin,
                       const io_box *boxes)
{
    int64_t what[] = {block, array, origin != NULL, 0};
    if (origin) {
        memcpy(&what[3], origin, sizeof what[3]);
    }
    uint64_t key = hash(UINT64_C(14695981039346656037), what, 4);
    for (int rank = 0; rank < kept->ranks; rank++) {
        key = hash(hash(key, boxes[rank].lo, 3), boxes[rank].n, 3);
    }
    return key;
}

/* Forgets what has not been asked for in a long time: parts of space have moved. */
static void forget_old(live_kept *kept)
{
    const int64_t patience = PATIENCE * (int64_t)(kept->count + 64);
    int left = 0;
    for (int n = 0; n < kept->count; n++) {
        if (kept->clock - kept->reads[n].used > patience) {
            free(kept->reads[n].data);
        } else {
            kept->reads[left++] = kept->reads[n];
        }
    }
    kept->count = left;
}

void io_live_kept_next_step(live_kept *kept)
{
    kept->step++;
}

live_known io_live_kept_find(live_kept *kept, int block, int array, const double *origin,
                             const io_box *boxes, const char **data)
{
    const uint64_t key = key_of(kept, block, array, origin, boxes);
    kept->clock++;
    if (kept->clock % 64 == 0) {
        forget_old(kept);
    }
    for (int n = 0; n < kept->count; n++) {
        kept_read *read = &kept->reads[n];
        if (read->key == key) {
            read->used = kept->clock;
            kept->last = n;
            *data = read->data;
            return read->data                ? LIVE_IS_KEPT
                   : read->step < kept->step ? LIVE_SEEN
                                             : LIVE_NEW;
        }
    }
    if (kept->count == MOST_READS) {
        return LIVE_FULL;
    }
    kept->reads[kept->count++] = (kept_read){key, kept->clock, kept->step, NULL};
    return LIVE_NEW;
}

void io_live_kept_put(live_kept *kept, char *data)
{
    kept->reads[kept->last].data = data;
}
