/* Comparing the values that parts have of vertices, or cells, that others own. */
#include "base/parallel/parallel.h"
#include "memory.h"
#include "pack.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* ---- Slabs ------------------------------------------------------------------------- */

static int64_t count_of(const io_box *box)
{
    return box->n[0] * box->n[1] * box->n[2];
}

/* What a part has before (side 0, 2, 4) or behind (1, 3, 5) what it owns, along i, j, k.
 */
static io_box slab_of(const memory_read *read, const memory_extent *part, int side)
{
    const io_box whole = {{0, 0, 0}, {INT32_MAX, INT32_MAX, INT32_MAX}};
    const io_box *own = &part->own[read->in_cells];
    io_box slab = memory_intersect(read, part, &whole);
    const int axis = side / 2;
    const int64_t end = slab.lo[axis] + slab.n[axis];
    if (side % 2 == 0) {
        slab.n[axis] = slab.n[axis] > 0 ? own->lo[axis] - slab.lo[axis] : 0;
    } else {
        slab.lo[axis] = own->lo[axis] + own->n[axis];
        slab.n[axis] = end > slab.lo[axis] ? end - slab.lo[axis] : 0;
    }
    return slab;
}

/* Finds the nth slab of a rank and the number of its part; false if the rank has fewer.
 */
static bool find_slab(const memory_read *read, int rank, int n, int *part, io_box *slab)
{
    const memory_state *state = read->state;
    for (*part = state->first[rank]; *part < state->first[rank + 1]; ++*part) {
        for (int side = 0; side < 6; side++) {
            *slab = slab_of(read, &state->extents[*part], side);
            if (count_of(slab) > 0 && n-- == 0) {
                return true;
            }
        }
    }
    *slab = (io_box){{0, 0, 0}, {0, 0, 0}};
    return false;
}

static bool any_has_slab(const memory_read *read, int n)
{
    int part;
    io_box slab;
    bool any = false;
    for (int rank = 0; rank < read->state->ranks && !any; rank++) {
        any = find_slab(read, rank, n, &part, &slab);
    }
    return any;
}

/* ---- Values ------------------------------------------------------------------------ */

static double value_at(const memory_read *read, const void *values, int64_t n)
{
    return read->size == sizeof(double) ? ((const double *)values)[n]
                                        : (double)((const float *)values)[n];
}

/* The value of this rank's part. */
static double value_of(const memory_read *read, const io_memory_part *part,
                       const int64_t at[3])
{
    const io_memory_array *array = memory_array_of(read, part);
    const io_box box = {{at[0], at[1], at[2]}, {1, 1, 1}};
    double value = 0.0;
    memory_put_values(read, array, memory_row_of(part, array, &box, 0, 0), 1, &value);
    return value_at(read, &value, 0);
}

static void place_of(const io_box *box, int64_t n, int64_t at[3])
{
    at[0] = box->lo[0] + n % box->n[0];
    at[1] = box->lo[1] + n / box->n[0] % box->n[1];
    at[2] = box->lo[2] + n / (box->n[0] * box->n[1]);
}

/* The difference that rounding may make: ranks may compute the same value in other ways.
 */
static double tolerance(const memory_read *read, const io_memory_part *part)
{
    const io_box box = {{part->lo[0], part->lo[1], part->lo[2]},
                        {part->n[0] - read->in_cells, part->n[1] - read->in_cells,
                         part->n[2] - read->in_cells}};
    double least = INFINITY, greatest = -INFINITY;
    for (int64_t n = 0, count = count_of(&box); n < count; n++) {
        int64_t at[3];
        place_of(&box, n, at);
        const double value = value_of(read, part, at);
        least = fmin(least, value);
        greatest = fmax(greatest, value);
    }
    return 1e-5 * (greatest - least) + 1e-6 * fmax(fabs(least), fabs(greatest));
}

/* ---- Comparing --------------------------------------------------------------------- */

/* The first difference so far, by index. */
typedef struct comparison {
    int64_t before; /* values of earlier blocks */
    int64_t key;    /* number of the value among those of all blocks; INT64_MAX: none */
    io_memory_difference first;
} comparison;

/* The rank whose value of a vertex, or cell, counts. */
static int find_owner(const memory_read *read, const int64_t at[3])
{
    const memory_state *state = read->state;
    const io_box box = {{at[0], at[1], at[2]}, {1, 1, 1}};
    int owner = -1;
    for (int rank = state->ranks - 1, owns = 0; rank >= 0; rank--) {
        for (int p = state->first[rank]; p < state->first[rank + 1]; p++) {
            const io_box own = memory_intersect_own(read, &state->extents[p], &box);
            const io_box all = memory_intersect(read, &state->extents[p], &box);
            owner = own.n[0] > 0 || (all.n[0] > 0 && !owns) ? rank : owner;
            owns |= own.n[0] > 0;
        }
    }
    return owner;
}

/* Compares a slab of this rank's part with its owners' values. */
static void compare_slab(const memory_read *read, const io_memory_part *part,
                         const io_box *slab, const int64_t size[3], const void *owners,
                         comparison *c)
{
    double allowed = -1.0;
    for (int64_t n = 0, count = count_of(slab); n < count; n++) {
        int64_t at[3];
        place_of(slab, n, at);
        const double value = value_of(read, part, at), other = value_at(read, owners, n);
        const int64_t key = c->before + at[0] + size[0] * (at[1] + size[1] * at[2]);
        if (value == other || (isnan(value) && isnan(other)) || key >= c->key) {
            continue;
        }
        allowed = allowed < 0.0 ? tolerance(read, part) : allowed;
        if (!(fabs(value - other) <= allowed)) {
            c->key = key;
            c->first = (io_memory_difference){.block = read->block,
                                              .array = read->array,
                                              .at = {at[0], at[1], at[2]},
                                              .rank = read->state->rank,
                                              .owner = find_owner(read, at),
                                              .value = value,
                                              .owners = other};
        }
    }
}

/* Compares the nth slabs of all ranks. Collective. */
static status compare_slabs(io_source *source, const memory_read *read, int n,
                            comparison *c)
{
    const memory_state *state = read->state;
    io_box slab;
    int part;
    const bool has = find_slab(read, state->rank, n, &part, &slab);
    const size_t bytes = (size_t)count_of(&slab) * read->size;
    void *owners = malloc(bytes + 1);
    status s = parallel_agree(
        source->comm, owners ? STATUS_OK : base_fail_memory(bytes, "shared values"));
    if (s == STATUS_OK) {
        s = io_memory_read(source, 0, read->block, read->array, &slab, owners);
    }
    if (s == STATUS_OK && has) {
        compare_slab(read, &state->parts[part - state->first[state->rank]], &slab,
                     source->catalog.blocks[read->block].n, owners, c);
    }
    free(owners);
    return s;
}

/* Tells all ranks the first difference of all. Collective. */
static void share_first(MPI_Comm comm, comparison *c)
{
    int64_t key = c->key;
    parallel_allreduce(&key, &c->key, 1, MPI_INT64_T, MPI_MIN, comm);
    int mine = key == c->key ? parallel_rank(comm) : INT_MAX, rank;
    if (c->key < INT64_MAX) {
        parallel_allreduce(&mine, &rank, 1, MPI_INT, MPI_MIN, comm);
        parallel_bcast(&c->first, (int)sizeof c->first, MPI_BYTE, rank, comm);
    }
}

status io_memory_compare(io_source *source, int array, bool *found,
                         io_memory_difference *first)
{
    comparison c = {.key = INT64_MAX};
    bool any = false;
    status s = STATUS_OK;
    for (int b = 0; b < source->catalog.nblocks && s == STATUS_OK; b++) {
        const memory_read read = memory_read_of(source, b, array, NULL);
        for (int n = 0; s == STATUS_OK && any_has_slab(&read, n); n++) {
            any = true;
            s = compare_slabs(source, &read, n, &c);
        }
        const int64_t *size = source->catalog.blocks[b].n;
        c.before += size[0] * size[1] * size[2];
    }
    if (s == STATUS_OK && any) {
        share_first(source->comm, &c);
    }
    if (s == STATUS_OK) {
        *found = c.key < INT64_MAX;
        *first = c.first;
    }
    return s;
}
