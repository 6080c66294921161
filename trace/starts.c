#include "starts.h"

#include "base/log.h"
#include "base/parallel/parallel.h"
#include "exchange.h"

#include <math.h>
#include <stdlib.h>

/* A search for seeds. Each seed is a particle that does not move. */
typedef struct seeking {
    MPI_Comm comm;
    const grid_layout *layout;
    trace_crowd crowd;
} seeking;

/* Adds the n-th seed to the crowd, to be found; skips a seed beyond its block. */
static status add_grid_seed(seeking *s, const trace_seeds *seeds, int64_t n,
                            const double at[3])
{
    const grid_block *block = &s->layout->blocks[seeds->block];
    trace_cell cell = {.block = seeds->block};
    double local[3];
    for (int axis = 0; axis < 3; axis++) {
        const double last = (double)(block->n[axis] - 1);
        if (!(at[axis] >= 0.0 && at[axis] <= last)) {
            return STATUS_OK;
        }
        const double lower = fmin(floor(at[axis]), last - 1.0);
        cell.at[axis] = (int64_t)lower;
        local[axis] = at[axis] - lower;
    }
    const trace_particle seed = trace_particle_place(n, &cell, local);
    return trace_crowd_add(&s->crowd, &seed);
}

static status add_seed(seeking *s, const trace_seeds *seeds, int64_t n,
                       const double at[3])
{
    if (seeds->in_grid) {
        return add_grid_seed(s, seeds, n, at);
    }
    const trace_particle seed = trace_particle_seek(n, at);
    return trace_crowd_add(&s->crowd, &seed);
}

/* Adds the seeds that this rank begins to search: every size-th one. */
static status add_seeds(seeking *s, const trace_seeds *seeds, int64_t *count)
{
    double(*points)[3] = NULL;
    if (seeds->in_grid && (seeds->block < 0 || seeds->block >= s->layout->nblocks)) {
        return base_fail(STATUS_USAGE,
                         "seeds of particles: there is no block %d; the grid has %d, "
                         "counted from 0",
                         seeds->block, s->layout->nblocks);
    }
    status result = trace_seeds_list(seeds, count, &points);
    const int size = parallel_size(s->comm);
    for (int64_t n = parallel_rank(s->comm); n < *count && result == STATUS_OK;
         n += size) {
        result = add_seed(s, seeds, n, points[n]);
    }
    free(points);
    return result;
}

static int compare_starts(const void *a, const void *b)
{
    const trace_start *one = a, *other = b;
    return (one->number > other->number) - (one->number < other->number);
}

/* Tells all ranks the cells of the seeds in this rank's crowd. */
static status share_starts(const seeking *s, trace_starts *out)
{
    int64_t count = 0;
    const size_t bytes = ((size_t)s->crowd.count + 1) * sizeof(trace_start);
    trace_start *mine = malloc(bytes);
    status result = mine ? STATUS_OK : base_fail_memory(bytes, "the seeds of particles");
    result = parallel_agree(s->comm, result);
    for (int64_t n = 0; result == STATUS_OK && n < s->crowd.count; n++) {
        const trace_particle *p = &s->crowd.items[n];
        if (p->state == TRACE_ARRIVED) {
            mine[count++] =
                (trace_start){p->number, p->cell, {p->x[0], p->x[1], p->x[2]}};
        }
    }
    if (result == STATUS_OK) {
        void *all = NULL;
        result =
            trace_exchange_gather(s->comm, sizeof *mine, count, mine, &out->count, &all);
        out->items = all;
    }
    free(mine);
    if (result == STATUS_OK) {
        qsort(out->items, (size_t)out->count, sizeof *out->items, compare_starts);
    }
    return result;
}

/* Warns of seeds outside of all cells; fails if all are. A few corners of a plane or a
 * box often lie outside of a bent grid. The same on every rank. */
static status judge_starts(const grid_layout *layout, const trace_seeds *seeds,
                           const trace_starts *starts)
{
    const bool fills = seeds->shape == TRACE_PLANE || seeds->shape == TRACE_BOX;
    if (starts->count == 0) {
        const vec3 lo = vec3_add(layout->bounds.lo, layout->origin);
        const vec3 hi = vec3_add(layout->bounds.hi, layout->origin);
        return base_fail(STATUS_USAGE,
                         "seeds of particles: none of the %lld lies in a cell of the "
                         "grid, which spans [%g, %g, %g] to [%g, %g, %g]",
                         (long long)starts->nseeds, lo.v[0], lo.v[1], lo.v[2], hi.v[0],
                         hi.v[1], hi.v[2]);
    }
    if (fills ? 2 * starts->count < starts->nseeds : starts->count < starts->nseeds) {
        base_log_warning("seeds of particles: %lld of %lld lie in no cell of the grid",
                         (long long)(starts->nseeds - starts->count),
                         (long long)starts->nseeds);
    }
    return STATUS_OK;
}

status trace_starts_find(MPI_Comm comm, const trace_locator *locator, const int *holders,
                         const trace_seeds *seeds, trace_starts *out)
{
    seeking s = {.comm = comm, .layout = trace_locator_store(locator)->layout};
    const trace_rule rule = {.locator = locator};
    trace_records none = {0}; /* searches leave no records */
    trace_starts found = {0};
    status result = parallel_agree(comm, add_seeds(&s, seeds, &found.nseeds));
    if (result == STATUS_OK) {
        result = trace_exchange_run(comm, holders, &rule, &s.crowd, &none);
    }
    if (result == STATUS_OK) {
        result = share_starts(&s, &found);
    }
    if (result == STATUS_OK) {
        result = judge_starts(s.layout, seeds, &found);
    }
    trace_crowd_clear(&s.crowd);
    if (result != STATUS_OK) {
        trace_starts_clear(&found);
        return result;
    }
    *out = found;
    return STATUS_OK;
}

void trace_starts_clear(trace_starts *starts)
{
    free(starts->items);
    *starts = (trace_starts){0};
}
