#include "player.h"

#include "base/parallel/parallel.h"
#include "io/source.h"

#include "support/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = 64, MOST_FIELDS = 16, CUTS = 3 };

/* An array of a part as this program keeps it. */
typedef struct kept {
    karman_array array;
    char *memory;
    size_t bytes;
} kept;

typedef struct part {
    int block, owner;
    int64_t lo[3], n[3];
    kept xyz[3], iblank, fields[MOST_FIELDS];
} part;

struct player {
    io_source *source;
    int nparts;
    part parts[MOST_PARTS]; /* of all ranks */
    int rank;
};

static void fail_on(status s)
{
    if (s != STATUS_OK) {
        fprintf(stderr, "%s\n", base_fail_message());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static void *allocate(size_t bytes)
{
    void *memory = calloc(bytes + 1, 1);
    if (!memory) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return memory;
}

/* ---- Parts ------------------------------------------------------------------------- */

/* Cuts a box of a block in two again and again; the plane between is in both. */
static void cut(player *p, int block, const int64_t lo[3], const int64_t n[3], int levels,
                uint64_t *state)
{
    const int axis = random_below(state, 3);
    const int owner = random_below(state, parallel_size(MPI_COMM_WORLD));
    if (levels == 0 || n[axis] < 4) {
        part *mine = &p->parts[p->nparts++];
        *mine = (part){.block = block, .owner = owner};
        memcpy(mine->lo, lo, sizeof mine->lo);
        memcpy(mine->n, n, sizeof mine->n);
        return;
    }
    int64_t left[3], right[3], upper[3];
    memcpy(left, n, sizeof left);
    memcpy(right, n, sizeof right);
    memcpy(upper, lo, sizeof upper);
    left[axis] = 2 + random_below(state, (int)n[axis] - 3);
    right[axis] = n[axis] - left[axis] + 1;
    upper[axis] = lo[axis] + left[axis] - 1;
    cut(p, block, lo, left, levels - 1, state);
    cut(p, block, upper, right, levels - 1, state);
}

player *player_open(const char *path, unsigned seed)
{
    const io_data_config config = {.file = (char *)(uintptr_t)path,
                                   .all_steps = true,
                                   .terms = {.gamma = 1.4, .gas_constant = 1.0}};
    uint64_t state = seed;
    player *p = allocate(sizeof *p);
    p->rank = parallel_rank(MPI_COMM_WORLD);
    fail_on(io_source_open(MPI_COMM_WORLD, &config, &p->source));
    for (int block = 0; block < io_source_block_count(p->source); block++) {
        const int64_t lo[3] = {0, 0, 0};
        cut(p, block, lo, io_source_blocks(p->source)[block].n, CUTS, &state);
    }
    return p;
}

static void drop(kept *k)
{
    if (k->memory) {
        memset(k->memory, 0xff, k->bytes); /* NaN */
    }
    free(k->memory);
    *k = (kept){.memory = NULL};
}

void player_close(player **p)
{
    for (int n = 0; n < (*p)->nparts; n++) {
        part *mine = &(*p)->parts[n];
        for (int axis = 0; axis < 3; axis++) {
            drop(&mine->xyz[axis]);
        }
        drop(&mine->iblank);
        for (int f = 0; f < MOST_FIELDS; f++) {
            drop(&mine->fields[f]);
        }
    }
    io_source_close(&(*p)->source);
    free(*p);
    *p = NULL;
}

int player_steps(const player *p)
{
    return io_source_step_count(p->source);
}

int64_t player_cycle(const player *p, int step)
{
    return io_source_steps(p->source)[step].number;
}

double player_time(const player *p, int step)
{
    return io_source_steps(p->source)[step].time;
}

/* ---- Arrays ------------------------------------------------------------------------ */

static double value_of(int array, const void *values, int64_t at)
{
    return array >= 0                 ? (double)((const float *)values)[at]
           : array == IO_ARRAY_IBLANK ? (double)((const int32_t *)values)[at]
                                      : ((const double *)values)[at];
}

static void put(char *memory, int type, int64_t at, double value)
{
    if (type == KARMAN_FLOAT64) {
        ((double *)(void *)memory)[at] = value;
    } else if (type == KARMAN_FLOAT32) {
        ((float *)(void *)memory)[at] = (float)value;
    } else {
        ((int32_t *)(void *)memory)[at] = (int32_t)value;
    }
}

/*
 * Keeps values ([n[2]][n[1]][n[0]]) in one of four ways, by turns: packed; packed with
 * ghosts before and behind; k fastest; every other value, with ghosts. What is no value
 * is NaN, or -1.
 */
static kept keep(const int64_t n[3], int type, int way, int array, const void *values)
{
    const bool has_ghosts = way % 2 == 1;
    kept k = {.array = {.type = type}};
    int64_t w[3], stride[3];
    for (int axis = 0; axis < 3; axis++) {
        k.array.ghosts_before[axis] = has_ghosts ? axis + 1 : 0;
        k.array.ghosts_after[axis] = has_ghosts ? 2 - axis : 0;
        w[axis] = n[axis] + k.array.ghosts_before[axis] + k.array.ghosts_after[axis];
    }
    const int64_t last = way == 2 ? 1 : way == 3 ? 2 * w[0] * w[1] : w[0] * w[1];
    stride[0] = way == 2 ? w[1] * w[2] : way == 3 ? 2 : 1;
    stride[1] = way == 2 ? w[2] : stride[0] * w[0];
    stride[2] = last;
    k.bytes = (size_t)(w[0] * w[1] * w[2] * (way == 3 ? 2 : 1)) *
              (type == KARMAN_FLOAT64 ? 8 : 4);
    k.memory = allocate(k.bytes);
    memset(k.memory, 0xff, k.bytes);
    for (int64_t v = 0; v < n[0] * n[1] * n[2]; v++) {
        const int64_t i = v % n[0] + k.array.ghosts_before[0];
        const int64_t j = v / n[0] % n[1] + k.array.ghosts_before[1];
        const int64_t l = v / (n[0] * n[1]) + k.array.ghosts_before[2];
        put(k.memory, type, i * stride[0] + j * stride[1] + l * stride[2],
            value_of(array, values, v));
    }
    if (way >= 2) { /* the others are packed, and say so by no strides */
        memcpy(k.array.stride, stride, sizeof stride);
    }
    k.array.data = k.memory;
    return k;
}

/* Reads an array of a part; all ranks take part, its owner keeps it. */
static kept read_array(player *p, const part *mine, int step, int array, int way)
{
    const bool is_mine = mine->owner == p->rank;
    const int less =
        array >= 0 && io_source_fields(p->source)[array].location == GRID_CELL;
    const int64_t n[3] = {mine->n[0] - less, mine->n[1] - less, mine->n[2] - less};
    io_box box = {{0, 0, 0}, {0, 0, 0}};
    if (is_mine) {
        memcpy(box.lo, mine->lo, sizeof box.lo);
        memcpy(box.n, n, sizeof box.n);
    }
    double *values = allocate((size_t)(n[0] * n[1] * n[2]) * sizeof *values);
    fail_on(io_source_read(p->source, step, mine->block, array, &box, values));
    const bool wide = array < 0 ? io_source_double_coordinates(p->source) : way > 1;
    const int type = array == IO_ARRAY_IBLANK ? KARMAN_INT32
                     : wide                   ? KARMAN_FLOAT64
                                              : KARMAN_FLOAT32;
    kept k = {.memory = NULL};
    if (is_mine) {
        k = keep(n, type, way, array, values);
    }
    free(values);
    return k;
}

/* ---- Describing -------------------------------------------------------------------- */

static void complain(int code)
{
    if (code != KARMAN_DONE) {
        fprintf(stderr, "%s\n", karman_message());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

void player_describe(player *p, karman_session *session)
{
    int number = 0;
    for (int n = 0; n < p->nparts; n++) {
        part *mine = &p->parts[n];
        const grid_block *block = &io_source_blocks(p->source)[mine->block];
        for (int axis = 0; axis < 3; axis++) {
            mine->xyz[axis] = read_array(p, mine, 0, IO_ARRAY_X + axis, (n + axis) % 4);
        }
        if (block->has_iblank) {
            mine->iblank = read_array(p, mine, 0, IO_ARRAY_IBLANK, (n + 1) % 4);
        }
        if (mine->owner != p->rank) {
            continue;
        }
        karman_block description = {.name = block->name,
                                    .x = mine->xyz[0].array,
                                    .y = mine->xyz[1].array,
                                    .z = mine->xyz[2].array,
                                    .iblank = mine->iblank.array};
        memcpy(description.size, block->n, sizeof description.size);
        memcpy(description.first, mine->lo, sizeof description.first);
        memcpy(description.count, mine->n, sizeof description.count);
        complain(karman_set_block(session, number++, &description));
    }
}

void player_play(player *p, karman_session *session, int step)
{
    int number = 0;
    for (int n = 0; n < p->nparts; n++) {
        part *mine = &p->parts[n];
        for (int f = 0; f < io_source_field_count(p->source); f++) {
            const grid_field *field = &io_source_fields(p->source)[f];
            kept fresh = read_array(p, mine, step, f, (n + f) % 4);
            if (mine->owner == p->rank && session) {
                complain(karman_set_field(session, number, field->name,
                                          field->location == GRID_CELL ? KARMAN_ELEMENT
                                                                       : KARMAN_VERTEX,
                                          &fresh.array));
            }
            drop(&mine->fields[f]);
            mine->fields[f] = fresh;
        }
        number += mine->owner == p->rank;
    }
}
