/*
 * A field's values are float32 numbers. Percentiles come from two histograms of their
 * bits, ordered as the numbers are: first of the upper half, then of the lower half
 * within the bin of each percentile. Bins count parts of the volume as integers, which
 * add up the same in any order.
 */
#include "statistics.h"

#include "base/parallel/parallel.h"
#include "io/load/load.h"
#include "measure.h"
#include "sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const int frame_statistics_percents[FRAME_STATISTICS_PERCENTILES] = {1,  5,  25, 50,
                                                                     75, 95, 99};

enum { HALF = 1 << 16, SHARES = 46 /* the volume of a step is 2^46 units */ };

/* A field's numbers in the making. */
typedef struct finding {
    MPI_Comm comm;
    io_source *source;
    const grid_recipe *recipe;
    int nsteps;
    const int *steps;
    grid_layout *layout; /* of the last step's grid */
    frame_measure *measure;
    int grid;       /* its number; -1: none yet */
    double unit;    /* of shares of the volume */
    int64_t *upper; /* [HALF]: of the volume, by the upper half of the bits */
    int64_t *lower; /* [FRAME_STATISTICS_PERCENTILES][HALF]: within their bins */
    int bin[FRAME_STATISTICS_PERCENTILES];        /* of `upper` */
    int64_t before[FRAME_STATISTICS_PERCENTILES]; /* volume below that bin */
    int64_t bins[FRAME_STATISTICS_BINS];
    double all;          /* the volume, with or without values */
    double size, total;  /* the volume with values, and their integral over it */
    measure_sum squares; /* the integral of their squares */
    double range[2];     /* least value and least negative value; then the range */
} finding;

/* ---- Numbers as integers ----------------------------------------------------------- */

/* Ascends as the numbers do; both zeros have one. */
static uint32_t key_of(float value)
{
    const float plain = value + 0.0f;
    uint32_t bits;
    memcpy(&bits, &plain, sizeof bits);
    return bits >> 31 ? ~bits : bits | UINT32_C(1) << 31;
}

static float value_of(uint32_t key)
{
    const uint32_t bits = key >> 31 ? key & ~(UINT32_C(1) << 31) : ~key;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Cells of the wrong orientation have no share. */
static int64_t share_of(const finding *f, double weight)
{
    return weight > 0.0 ? llround(weight / f->unit) : 0;
}

/* ---- Both passes ------------------------------------------------------------------- */

/* frame_measure_visitor: squares, extremes and the upper halves. */
static void count_upper(void *context, const frame_measure_values *values)
{
    finding *f = context;
    double squares = 0.0;
    for (int n = 0; n < values->count; n++) {
        const float value = values->value[(ptrdiff_t)n * values->stride];
        const double weight = values->weight[n];
        if (weight == 0.0 || !isfinite(value)) {
            continue;
        }
        squares += weight * (double)value * (double)value;
        f->range[0] = fmin(f->range[0], (double)value);
        f->range[1] = fmin(f->range[1], -(double)value);
        f->upper[key_of(value) >> 16] += share_of(f, weight);
    }
    measure_sum_add(&f->squares, squares);
}

/* frame_measure_visitor: the lower halves, and the bins that are shown. */
static void count_lower(void *context, const frame_measure_values *values)
{
    finding *f = context;
    const double span = f->range[1] - f->range[0];
    for (int n = 0; n < values->count; n++) {
        const float value = values->value[(ptrdiff_t)n * values->stride];
        const int64_t share = isfinite(value) ? share_of(f, values->weight[n]) : 0;
        if (share == 0) {
            continue;
        }
        const uint32_t key = key_of(value);
        for (int p = 0; p < FRAME_STATISTICS_PERCENTILES; p++) {
            if ((int)(key >> 16) == f->bin[p]) {
                f->lower[(ptrdiff_t)p * HALF + (ptrdiff_t)(key & (HALF - 1))] += share;
            }
        }
        const double part = span > 0.0 ? ((double)value - f->range[0]) / span : 0.0;
        const int bin = (int)(part * FRAME_STATISTICS_BINS);
        f->bins[bin < FRAME_STATISTICS_BINS ? bin : FRAME_STATISTICS_BINS - 1] += share;
    }
}

/* Takes the grid of a step. Collective. */
static status take_grid(finding *f, int step)
{
    const int grid = f->nsteps > 0 ? io_source_grid(f->source, step) : 0;
    const frame_measure_place place = {.kind = FRAME_MEASURE_SHARES, .block = -1};
    if (grid == f->grid) {
        return STATUS_OK;
    }
    frame_measure_destroy(&f->measure);
    grid_layout_destroy(&f->layout);
    f->grid = grid;
    const status s = f->nsteps > 0 ? io_load_grid_of(f->comm, f->source, step, &f->layout)
                                   : io_load_layout(f->comm, f->source, &f->layout);
    return s == STATUS_OK
               ? frame_measure_create(f->comm, f->source, f->layout, &place, &f->measure)
               : s;
}

/* Loads the field at a step, and adds up volumes and integrals. Collective. */
static status sum_step(finding *f, int step)
{
    frame_measure_sums values, volume;
    status s = frame_measure_find(f->measure, f->recipe, step, &values);
    s = s == STATUS_OK ? frame_measure_find(f->measure, NULL, step, &volume) : s;
    if (s == STATUS_OK) {
        f->size += values.size;
        f->total += values.total;
        f->unit = f->all == 0.0 ? fabs(volume.size) / ldexp(1.0, SHARES) : f->unit;
        f->all += volume.size;
    }
    return s;
}

/* Visits all values. The first pass also finds the volume. Collective. */
static status pass_over(finding *f, bool is_first, frame_measure_visitor *visit)
{
    status s = STATUS_OK;
    for (int n = 0; n < (f->nsteps > 0 ? f->nsteps : 1) && s == STATUS_OK; n++) {
        const int step = f->nsteps > 0 ? f->steps[n] : 0;
        const bool is_loaded = is_first || f->nsteps <= 1;
        s = take_grid(f, step);
        s = s == STATUS_OK && is_first ? sum_step(f, step) : s;
        s = s == STATUS_OK ? frame_measure_visit(f->measure, is_loaded ? NULL : f->recipe,
                                                 step, visit, f)
                           : s;
    }
    return s;
}

/* ---- Results ----------------------------------------------------------------------- */

/* Adds up counts of all ranks. Collective. */
static void add_ranks(MPI_Comm comm, int64_t count, int64_t *values)
{
    enum { AT_ONCE = 4096 };
    int64_t sum[AT_ONCE];
    for (int64_t n = 0; n < count; n += AT_ONCE) {
        const int part = count - n < AT_ONCE ? (int)(count - n) : AT_ONCE;
        parallel_allreduce(values + n, sum, part, MPI_INT64_T, MPI_SUM, comm);
        memcpy(values + n, sum, (size_t)part * sizeof *sum);
    }
}

/* The first of HALF counts at which they reach a goal; *before: the sum below it. */
static int find_bin(const int64_t *counts, int64_t goal, int64_t *before)
{
    int bin = 0;
    *before = 0;
    while (bin < HALF - 1 && *before + counts[bin] < goal) {
        *before += counts[bin++];
    }
    return bin;
}

/* The volume up to a percentile, in units; at least one. */
static int64_t goal_of(int64_t all, int percent)
{
    const int64_t goal = all / 100 * percent + (all % 100 * percent + 99) / 100;
    return goal > 1 ? goal : 1;
}

static status find_upper(finding *f, frame_statistics *out)
{
    double all[2];
    status s = pass_over(f, true, count_upper);
    if (s != STATUS_OK) {
        return s;
    }
    measure_sum_share(f->comm, 1, &f->squares);
    parallel_allreduce(f->range, all, 2, MPI_DOUBLE, MPI_MIN, f->comm);
    f->range[0] = all[0];
    f->range[1] = -all[1];
    add_ranks(f->comm, HALF, f->upper);
    out->missing = f->all != 0.0 ? fmax(1.0 - f->size / f->all, 0.0) : 0.0;
    if (f->range[0] <= f->range[1]) {
        out->least = f->range[0];
        out->greatest = f->range[1];
        out->mean = f->total / f->size;
        out->rms = sqrt(measure_sum_value(&f->squares) / f->size);
    }
    return s;
}

/* Finds percentiles and bins; the first pass has found something. */
static status find_lower(finding *f, frame_statistics *out)
{
    int64_t all = 0;
    for (int n = 0; n < HALF; n++) {
        all += f->upper[n];
    }
    for (int p = 0; p < FRAME_STATISTICS_PERCENTILES; p++) {
        f->bin[p] =
            find_bin(f->upper, goal_of(all, frame_statistics_percents[p]), &f->before[p]);
    }
    const status s = pass_over(f, false, count_lower);
    if (s != STATUS_OK || all == 0) {
        return s;
    }
    add_ranks(f->comm, (int64_t)FRAME_STATISTICS_PERCENTILES * HALF, f->lower);
    add_ranks(f->comm, FRAME_STATISTICS_BINS, f->bins);
    for (int p = 0; p < FRAME_STATISTICS_PERCENTILES; p++) {
        int64_t unused;
        const int low =
            find_bin(f->lower + (ptrdiff_t)p * HALF,
                     goal_of(all, frame_statistics_percents[p]) - f->before[p], &unused);
        out->percentiles[p] = (double)value_of((uint32_t)f->bin[p] << 16 | (uint32_t)low);
    }
    for (int n = 0; n < FRAME_STATISTICS_BINS; n++) {
        out->bins[n] = (double)f->bins[n] / (double)all;
    }
    return s;
}

status frame_statistics_find(MPI_Comm comm, io_source *source, const grid_recipe *recipe,
                             int nsteps, const int *steps, frame_statistics *out)
{
    finding f = {.comm = comm,
                 .source = source,
                 .recipe = recipe,
                 .nsteps = nsteps,
                 .steps = steps,
                 .grid = -1,
                 .range = {INFINITY, INFINITY}};
    const double nan = (double)NAN;
    frame_statistics found = {.least = nan, .greatest = nan, .mean = nan, .rms = nan};
    for (int p = 0; p < FRAME_STATISTICS_PERCENTILES; p++) {
        found.percentiles[p] = nan;
    }
    f.upper = calloc(HALF, sizeof *f.upper);
    f.lower = calloc((size_t)FRAME_STATISTICS_PERCENTILES * HALF, sizeof *f.lower);
    status s = f.upper && f.lower ? STATUS_OK : base_fail_memory(HALF * 64, "statistics");
    s = parallel_agree(comm, s);
    s = s == STATUS_OK ? find_upper(&f, &found) : s;
    s = s == STATUS_OK && f.range[0] <= f.range[1] ? find_lower(&f, &found) : s;
    if (s == STATUS_OK) {
        *out = found;
    }
    free(f.upper);
    free(f.lower);
    frame_measure_destroy(&f.measure);
    grid_layout_destroy(&f.layout);
    return s;
}
