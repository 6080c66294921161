#include "other.h"

#include "base/log.h"
#include "base/parallel/parallel.h"
#include "io/source.h"
#include "io/source_kind.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Fields and steps -------------------------------------------------------------- */

/* The same field of the other data, at the same places; -1: there is none. */
static int find_field(const io_source *other, const grid_field *field)
{
    const grid_field *all = io_source_fields(other);
    int n = io_source_field_count(other) - 1;
    while (n >= 0 && (strcmp(all[n].name, field->name) != 0 ||
                      all[n].location != field->location)) {
        n--;
    }
    return n;
}

/* The step of this number, else of this time, else the only one; -1: there is none. */
static int find_step(const io_source *other, const io_step *step)
{
    const int count = io_source_step_count(other);
    const io_step *steps = io_source_steps(other);
    int by_number = -1, by_time = -1;
    for (int n = 0; n < count; n++) {
        by_number = steps[n].number == step->number ? n : by_number;
        by_time =
            fabs(steps[n].time - step->time) <= 1e-9 * fabs(step->time) ? n : by_time;
    }
    return by_number >= 0 ? by_number : count == 1 ? 0 : by_time;
}

static int find_number(const io_source *other, int64_t number)
{
    int n = io_source_step_count(other) - 1;
    while (n >= 0 && io_source_steps(other)[n].number != number) {
        n--;
    }
    return n;
}

/* Says how steps belong together, if it is not by their number. */
static void tell(const io_source *source, const io_other_config *config)
{
    const io_step *own = io_source_steps(source);
    const io_step *theirs = io_source_steps(source->other.source);
    for (int n = 0; n < io_source_step_count(source) && config->step < 0; n++) {
        const int its = source->other.steps[n];
        if (its >= 0 && theirs[its].number != own[n].number) {
            base_log_note("step %" PRId64 " of '%s' stands beside step %" PRId64
                          " of '%s', %s",
                          own[n].number, io_source_path(source), theirs[its].number,
                          io_source_path(source->other.source),
                          io_source_step_count(source->other.source) == 1
                              ? "which has no other"
                              : "which has the same time");
            return;
        }
    }
}

static status match(io_source *source, const io_other_config *config)
{
    const int nfields = io_source_field_count(source);
    const int nsteps = io_source_step_count(source);
    io_source *other = source->other.source;
    const int fixed = config->step >= 0 ? find_number(other, config->step) : -1;
    source->other.fields = malloc(((size_t)nfields + 1) * sizeof(int));
    source->other.steps = malloc(((size_t)nsteps + 1) * sizeof(int));
    if (!source->other.fields || !source->other.steps) {
        return base_fail_memory(0, "the steps of other data");
    }
    if (config->step >= 0 && fixed < 0) {
        return base_fail(STATUS_USAGE,
                         "data.other.step: '%s' has no step %" PRId64
                         ": 'karman info' lists its %d steps",
                         io_source_path(other), config->step,
                         io_source_step_count(other));
    }
    for (int n = 0; n < nfields; n++) {
        source->other.fields[n] = find_field(other, &io_source_fields(source)[n]);
        source->catalog.fields[n].lacks_other = source->other.fields[n] < 0;
    }
    int matched = 0;
    for (int n = 0; n < nsteps; n++) {
        source->other.steps[n] =
            fixed >= 0 ? fixed : find_step(other, &io_source_steps(source)[n]);
        matched += source->other.steps[n] >= 0;
    }
    if (matched == 0 && nsteps > 0) {
        return base_fail(STATUS_USAGE,
                         "data.other: no step of '%s' has the number or the time of one "
                         "of '%s': data.other.step names one for all",
                         io_source_path(other), io_source_path(source));
    }
    if (parallel_rank(source->comm) == 0) {
        tell(source, config);
    }
    return STATUS_OK;
}

/* ---- The grid ---------------------------------------------------------------------- */

/* Coordinates may differ by so much of the greatest one near: both are float32. */
static const double tolerance = 1e-6;

static status compare_sizes(const io_source *a, const io_source *b)
{
    const grid_block *mine = io_source_blocks(a), *theirs = io_source_blocks(b);
    const int count = io_source_block_count(a);
    if (count != io_source_block_count(b)) {
        return base_fail(STATUS_INPUT,
                         "data.other: '%s' has %d blocks and '%s' %d: a difference takes "
                         "the same grid",
                         io_source_path(a), count, io_source_path(b),
                         io_source_block_count(b));
    }
    for (int n = 0; n < count; n++) {
        if (memcmp(mine[n].n, theirs[n].n, sizeof mine[n].n) != 0) {
            return base_fail(STATUS_INPUT,
                             "data.other: block '%s' has %" PRId64 " x %" PRId64
                             " x %" PRId64 " vertices in '%s' and %" PRId64 " x %" PRId64
                             " x %" PRId64 " in '%s': a difference takes the same grid",
                             mine[n].name, mine[n].n[0], mine[n].n[1], mine[n].n[2],
                             io_source_path(a), theirs[n].n[0], theirs[n].n[1],
                             theirs[n].n[2], io_source_path(b));
        }
    }
    return STATUS_OK;
}

/* The planes of vertices that a rank compares at once. */
typedef struct planes {
    io_box box;
    size_t count;
    double *values; /* [2 count]: of both sources */
} planes;

static status compare_values(const io_source *source, const planes *p, int block,
                             int axis)
{
    const double *mine = p->values, *theirs = p->values + p->count;
    double most = 0.0;
    for (size_t n = 0; n < p->count; n++) {
        most = fabs(mine[n]) > most ? fabs(mine[n]) : most;
    }
    for (size_t n = 0; n < p->count; n++) {
        if (fabs(mine[n] - theirs[n]) > tolerance * most) {
            const int64_t row = (int64_t)n / p->box.n[0], j = row % p->box.n[1];
            return base_fail(STATUS_INPUT,
                             "data.other: %c of vertex %" PRId64 ", %" PRId64 ", %" PRId64
                             " of block '%s' is %g in '%s' and %g in '%s': "
                             "a difference takes the same grid",
                             "xyz"[axis], (int64_t)n % p->box.n[0], j,
                             p->box.lo[2] + row / p->box.n[1],
                             io_source_blocks(source)[block].name, mine[n],
                             io_source_path(source), theirs[n],
                             io_source_path(source->other.source));
        }
    }
    return STATUS_OK;
}

/* Reads and compares a coordinate in this rank's planes. A rank without memory takes
 * part. Collective. */
static status compare_planes(io_source *source, int block, int axis, planes *p)
{
    const io_box nothing = {{0, 0, 0}, {0, 0, 0}};
    const size_t count = (size_t)(p->box.n[0] * p->box.n[1] * p->box.n[2]);
    status s = STATUS_OK;
    p->values = malloc((2 * count + 1) * sizeof *p->values);
    p->count = p->values ? count : 0;
    if (!p->values) {
        s = base_fail_memory(2 * count * sizeof *p->values, "coordinates");
    }
    for (int n = 0; n < 2; n++) {
        const status read =
            io_source_read(n == 0 ? source : source->other.source, IO_GRID_STEP, block,
                           IO_ARRAY_X + axis, p->values ? &p->box : &nothing,
                           p->values ? p->values + (size_t)n * count : NULL);
        s = s == STATUS_OK ? read : s;
    }
    s = s == STATUS_OK ? compare_values(source, p, block, axis) : s;
    free(p->values);
    return s;
}

static status compare_block(io_source *source, int block)
{
    const int rank = parallel_rank(source->comm), ranks = parallel_size(source->comm);
    const int64_t *size = io_source_blocks(source)[block].n;
    const int64_t most = 1 << 20; /* vertices at a time */
    const int64_t step = size[0] * size[1] < most ? most / (size[0] * size[1]) : 1;
    status s = STATUS_OK;
    for (int64_t k = 0; k < size[2]; k += step * ranks) {
        const int64_t first = k + rank * step, left = size[2] - first;
        const int64_t depth = left < 0 ? 0 : left < step ? left : step;
        planes p = {.box = {{0, 0, depth > 0 ? first : 0}, {size[0], size[1], depth}}};
        for (int axis = 0; axis < 3; axis++) {
            const status one = compare_planes(source, block, axis, &p);
            s = s == STATUS_OK ? one : s;
        }
    }
    return s;
}

static status check(io_source *source)
{
    status s = parallel_agree(source->comm, compare_sizes(source, source->other.source));
    for (int block = 0; block < io_source_block_count(source) && s == STATUS_OK;
         block++) {
        s = parallel_agree(source->comm, compare_block(source, block));
    }
    return s;
}

status io_other_take(io_source *source, io_source **other, const io_other_config *config)
{
    source->other.source = *other;
    source->other.check = check;
    *other = NULL;
    status s = io_source_add_rest(source->other.source);
    s = s == STATUS_OK ? match(source, config) : s;
    s = parallel_agree(source->comm, s);
    const int its =
        s == STATUS_OK && io_source_step_count(source) > 0 ? source->other.steps[0] : -1;
    if (its >= 0) {
        s = io_source_choose_grid(source->other.source, its);
    }
    source->reads_alone = source->reads_alone && source->other.source->reads_alone;
    return s == STATUS_OK ? check(source) : s;
}
