/* Answers queries on a sample: extremes, weights, quantiles. */
#include "base/parallel/parallel.h"
#include "sample.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Each pass divides the range by about a thousand, so three passes find nine digits. */
enum { PASSES = 3 };

/* ---- Runs -------------------------------------------------------------------------- */

/* Points of a run, and runs that a thread takes at once. */
enum { RUN = 512, AT_ONCE = 16 };

static int64_t count_runs(const auto_sample *sample)
{
    return (sample->count + RUN - 1) / RUN;
}

/* Widens bounds by a number; NaN does not count. */
static void widen(float *lo, float *hi, float x)
{
    *lo = x < *lo ? x : *lo;
    *hi = x > *hi ? x : *hi;
}

/* Points without a present cell around never count. */
static void index_places(const auto_sample *sample, int64_t number, auto_run *its)
{
    *its = (auto_run){.lo = {INFINITY, INFINITY, INFINITY},
                      .hi = {-INFINITY, -INFINITY, -INFINITY}};
    for (int64_t n = number * RUN; n < sample->count && n < (number + 1) * RUN; n++) {
        for (int axis = 0; axis < 3 && sample->cells[n] > 0; axis++) {
            float least = 0.0f;
            widen(&its->lo[axis], &its->hi[axis], sample->place[n][axis]);
            widen(&least, &its->reach[axis],
                  sample->in_cells ? sample->reach[n][axis] : 0.0f);
        }
        its->volume += sample->volume[n];
        its->cells += sample->cells[n];
    }
}

/* The least and greatest of a run's values; all numbers, if not all are finite. */
static void index_values(const auto_sample *sample, int64_t number, const float *values,
                         float span[2])
{
    bool are_finite = true;
    span[0] = INFINITY;
    span[1] = -INFINITY;
    for (int64_t n = number * RUN; n < sample->count && n < (number + 1) * RUN; n++) {
        if (sample->cells[n] > 0) {
            are_finite = are_finite & (fabsf(values[n]) <= FLT_MAX);
            widen(&span[0], &span[1], values[n]);
        }
    }
    span[0] = are_finite ? span[0] : -INFINITY;
    span[1] = are_finite ? span[1] : INFINITY;
}

void auto_sample_index(auto_sample *sample)
{
    const int64_t count = count_runs(sample);
    const size_t steps = (size_t)sample->nsteps;
    free(sample->runs);
    free(sample->span);
    sample->runs = malloc((size_t)count * sizeof *sample->runs);
    sample->span = malloc((size_t)count * steps * sizeof *sample->span);
    if (!sample->runs || !sample->span) {
        free(sample->runs);
        sample->runs = NULL;
        return;
    }
#pragma omp parallel for
    for (int64_t number = 0; number < count; number++) {
        index_places(sample, number, &sample->runs[number]);
        for (int step = 0; step < sample->nsteps; step++) {
            index_values(sample, number, sample->values + step * sample->count,
                         sample->span[step * count + number]);
        }
    }
}

auto_sample auto_sample_at(const auto_sample *sample, int step)
{
    auto_sample one = *sample;
    one.nsteps = 1;
    one.values += step * sample->count;
    one.span = sample->span ? sample->span + step * count_runs(sample) : NULL;
    return one;
}

/* A run of points at a step, for a query. Which of its points count? */
typedef enum run_count { RUN_NONE, RUN_SOME, RUN_ALL } run_count;
typedef struct run {
    const auto_sample *sample;
    const auto_query *query;
    int64_t number, first;
    int count, step;
    run_count counting, by_value, by_place; /* the first is the least */
    double bounds[2];                       /* of values or places: x lies within */
    const int64_t *weight;                  /* [count]: 0: the point does not count */
    double x[RUN];
    int64_t own[RUN]; /* memory for weights */
} run;

static run_count least_of(run_count a, run_count b)
{
    return a < b ? a : b;
}

/* Which points have values that the query asks for: those far enough from `around`. */
static run_count count_by_value(const auto_query *query, const float span[2])
{
    const double lo = (double)span[0] - query->around;
    const double hi = (double)span[1] - query->around;
    if (!(isfinite(lo) && isfinite(hi))) {
        return RUN_SOME;
    }
    return lo > query->beyond || -hi > query->beyond                ? RUN_ALL
           : fabs(lo) <= query->beyond && fabs(hi) <= query->beyond ? RUN_NONE
           : query->beyond < 0.0                                    ? RUN_ALL
                                                                    : RUN_SOME;
}

static run_count count_by_place(const box3 *box, const auto_run *its)
{
    run_count counting = RUN_ALL;
    for (int axis = 0; axis < 3 && box; axis++) {
        const double lo = (double)its->lo[axis], hi = (double)its->hi[axis];
        const bool is_out = hi < box->lo.v[axis] || lo > box->hi.v[axis];
        const bool is_in = lo >= box->lo.v[axis] && hi <= box->hi.v[axis];
        counting = least_of(counting, is_out ? RUN_NONE : is_in ? RUN_ALL : RUN_SOME);
    }
    return counting;
}

static void begin_run(const auto_sample *sample, const auto_query *query, int step,
                      int64_t number, run *r)
{
    const int64_t left = sample->count - number * RUN;
    r->sample = sample;
    r->query = query;
    r->number = number;
    r->first = number * RUN;
    r->count = left < RUN ? (int)left : RUN;
    r->step = step;
    r->counting = r->by_value = r->by_place = RUN_SOME;
    r->bounds[0] = -INFINITY;
    r->bounds[1] = INFINITY;
    if (!sample->runs) {
        return;
    }
    const auto_run *its = &sample->runs[number];
    const float *span = sample->span[step * count_runs(sample) + number];
    r->by_value = count_by_value(query, span);
    r->by_place = count_by_place(query->within, its);
    r->counting = least_of(r->by_value, r->by_place);
    const int axis = query->axis;
    const double reach = axis < 0 ? 0.0 : (double)its->reach[axis];
    r->bounds[0] = (double)(axis < 0 ? span[0] : its->lo[axis]) - reach;
    r->bounds[1] = (double)(axis < 0 ? span[1] : its->hi[axis]) + reach;
}

static const float *values_of(const run *r)
{
    return r->sample->values + r->step * r->sample->count + r->first;
}

/* Finds the values or places of all points. */
static void find_x(run *r)
{
    const int axis = r->query->axis, end = r->query->end;
    const float *values = values_of(r);
    const float(*place)[3] = (const float(*)[3])r->sample->place + r->first;
    for (int n = 0; n < r->count; n++) {
        r->x[n] = (double)(axis < 0 ? values[n] : place[n][axis]);
    }
    for (int n = 0; n < r->count && axis >= 0 && r->sample->in_cells; n++) {
        r->x[n] += end * (double)r->sample->reach[r->first + n][axis];
    }
}

/* Removes the weights of points that do not count. These loops have no branches, so that
 * the compiler makes vectors of them. */
static void remove_weights(run *r)
{
    const double around = r->query->around, beyond = r->query->beyond;
    const box3 *box = r->query->within;
    const float *values = values_of(r);
    const float(*place)[3] = (const float(*)[3])r->sample->place + r->first;
    for (int n = 0; n < r->count && r->by_value != RUN_ALL; n++) {
        const double value = (double)values[n];
        const bool counts =
            (fabs(value) <= (double)FLT_MAX) & (fabs(value - around) > beyond);
        r->own[n] = counts ? r->own[n] : 0;
    }
    for (int axis = 0; axis < 3 && box && r->by_place != RUN_ALL; axis++) {
        const double lo = box->lo.v[axis], hi = box->hi.v[axis];
        for (int n = 0; n < r->count; n++) {
            const double x = (double)place[n][axis];
            r->own[n] = (x >= lo) & (x <= hi) ? r->own[n] : 0;
        }
    }
}

/* Finds the weights of all points. */
static void weigh(run *r)
{
    const int64_t *volume = r->sample->volume + r->first;
    const bool is_own = r->query->by_cells || r->counting != RUN_ALL;
    for (int n = 0; n < r->count && is_own; n++) {
        r->own[n] = r->query->by_cells ? r->sample->cells[r->first + n] : volume[n];
    }
    if (r->counting != RUN_ALL) {
        remove_weights(r);
    }
    r->weight = is_own ? r->own : volume;
}

/* The sum of the weights. */
static int64_t weigh_whole(run *r)
{
    int64_t sum = 0;
    if (r->counting == RUN_ALL) {
        const auto_run *its = &r->sample->runs[r->number];
        return r->query->by_cells ? its->cells : its->volume;
    }
    weigh(r);
    for (int n = 0; n < r->count; n++) {
        sum += r->weight[n];
    }
    return sum;
}

/* ---- Sums and extremes ------------------------------------------------------------- */

/* Most runs do not change the extremes. */
static void extend(run *r, double *least, double *most)
{
    if (r->counting == RUN_NONE || (r->bounds[0] >= *least && r->bounds[1] <= *most)) {
        return;
    }
    find_x(r);
    weigh(r);
    for (int n = 0; n < r->count; n++) {
        const bool counts = r->weight[n] > 0;
        *least = counts && r->x[n] < *least ? r->x[n] : *least;
        *most = counts && r->x[n] > *most ? r->x[n] : *most;
    }
}

void auto_sample_extremes(const auto_sample *sample, const auto_query *query,
                          double range[2])
{
    const int64_t runs = count_runs(sample);
    double least = INFINITY, most = -INFINITY;
#pragma omp parallel for schedule(dynamic, AT_ONCE) reduction(min                        \
                                                              : least) reduction(max     \
                                                                                 : most)
    for (int64_t n = 0; n < runs * sample->nsteps; n++) {
        run r;
        begin_run(sample, query, (int)(n / runs), n % runs, &r);
        extend(&r, &least, &most);
    }
    parallel_allreduce(&least, &range[0], 1, MPI_DOUBLE, MPI_MIN, sample->comm);
    parallel_allreduce(&most, &range[1], 1, MPI_DOUBLE, MPI_MAX, sample->comm);
}

int64_t auto_sample_weight(const auto_sample *sample, const auto_query *query)
{
    const int64_t runs = count_runs(sample);
    int64_t sum = 0, all;
#pragma omp parallel for schedule(dynamic, AT_ONCE) reduction(+ : sum)
    for (int64_t n = 0; n < runs * sample->nsteps; n++) {
        run r;
        begin_run(sample, query, (int)(n / runs), n % runs, &r);
        sum += r.counting == RUN_NONE ? 0 : weigh_whole(&r);
    }
    parallel_allreduce(&sum, &all, 1, MPI_INT64_T, MPI_SUM, sample->comm);
    return all;
}

double auto_sample_missing(const auto_sample *sample)
{
    static const auto_query everything = {.axis = -1, .beyond = -1.0};
    const int64_t runs = count_runs(sample);
    int64_t sums[2] = {0, 0}, all[2];
#pragma omp parallel for schedule(dynamic, AT_ONCE) reduction(+ : sums[:2])
    for (int64_t i = 0; i < runs * sample->nsteps; i++) {
        run r;
        begin_run(sample, &everything, (int)(i / runs), i % runs, &r);
        const int64_t present = weigh_whole(&r);
        sums[0] += present;
        for (int n = 0; n < r.count && r.counting != RUN_ALL; n++) {
            sums[1] += r.weight[n] > 0 ? 0 : sample->volume[r.first + n];
        }
    }
    parallel_allreduce(sums, all, 2, MPI_INT64_T, MPI_SUM, sample->comm);
    const double volume = (double)(all[0] + all[1]);
    return volume > 0.0 ? (double)all[1] / volume : 0.0;
}

/* ---- Bins -------------------------------------------------------------------------- */

/* Some ranges, and the weights in equal bins of each. A further bin takes what lies
 * outside. */
enum { BINS = AUTO_BINS + 1 };
typedef struct binned_ranges {
    int count;
    double range[2][2];    /* [count] */
    int64_t bins[2][BINS]; /* [count] */
} binned_ranges;

static int bin_of(double x, const double range[2], double scale)
{
    const bool is_within = (x >= range[0]) & (x <= range[1]);
    const int bin = is_within ? (int)((x - range[0]) * scale) : AUTO_BINS;
    return is_within & (bin >= AUTO_BINS) ? AUTO_BINS - 1 : bin;
}

/* Counts a run. *is_ready: its x and weights were found. */
static void count_run(run *r, const double range[2], bool *is_ready, int64_t bins[BINS])
{
    const double scale = AUTO_BINS / (range[1] - range[0]);
    const int lowest = bin_of(r->bounds[0], range, scale);
    int bin[RUN];
    if (r->bounds[1] < range[0] || r->bounds[0] > range[1]) {
        return;
    }
    if (lowest < AUTO_BINS && lowest == bin_of(r->bounds[1], range, scale)) {
        bins[lowest] += weigh_whole(r);
        return;
    }
    if (!*is_ready) {
        find_x(r);
        weigh(r);
        *is_ready = true;
    }
    for (int n = 0; n < r->count; n++) {
        bin[n] = bin_of(r->x[n], range, scale);
    }
    for (int n = 0; n < r->count; n++) {
        bins[bin[n]] += r->weight[n];
    }
}

/* Counts for all ranges in one pass over the points. Collective. */
static void count_ranges(const auto_sample *sample, const auto_query *query,
                         binned_ranges *all)
{
    enum { MOST = 2 * BINS };
    const int64_t runs = count_runs(sample);
    int64_t mine[MOST] = {0};
#pragma omp parallel for schedule(dynamic, AT_ONCE) reduction(+ : mine[:MOST])
    for (int64_t i = 0; i < runs * sample->nsteps; i++) {
        run r;
        bool is_ready = false;
        begin_run(sample, query, (int)(i / runs), i % runs, &r);
        for (int n = 0; n < all->count && r.counting != RUN_NONE; n++) {
            count_run(&r, all->range[n], &is_ready, mine + n * BINS);
        }
    }
    parallel_allreduce(mine, all->bins, all->count * BINS, MPI_INT64_T, MPI_SUM,
                       sample->comm);
}

void auto_sample_count(const auto_sample *sample, const auto_query *query,
                       const double range[2], int64_t bins[AUTO_BINS])
{
    binned_ranges all = {.count = 1, .range = {{range[0], range[1]}}};
    count_ranges(sample, query, &all);
    memcpy(bins, all.bins[0], AUTO_BINS * sizeof *bins);
}

/* ---- Quantiles --------------------------------------------------------------------- */

static int64_t sum_bins(const int64_t bins[AUTO_BINS])
{
    int64_t sum = 0;
    for (int bin = 0; bin < AUTO_BINS; bin++) {
        sum += bins[bin];
    }
    return sum;
}

/* The bin in which the accumulated weight reaches `wanted`. *below becomes the weight of
 * the bins before it. */
static int find_bin(const int64_t bins[AUTO_BINS], double wanted, int64_t *below)
{
    int bin = 0;
    *below = 0;
    while (bin + 1 < AUTO_BINS && (double)(*below + bins[bin]) < wanted) {
        *below += bins[bin++];
    }
    return bin;
}

/* A quantile between two bounds. */
typedef struct bracket {
    double range[2];
    double wanted; /* the weight from range[0] up to the quantile */
} bracket;

/* Makes it the bin that has the quantile. */
static void narrow(const int64_t bins[AUTO_BINS], bracket *b)
{
    const double width = (b->range[1] - b->range[0]) / AUTO_BINS;
    int64_t below;
    const int bin = find_bin(bins, b->wanted, &below);
    b->wanted -= (double)below;
    b->range[0] += bin * width;
    b->range[1] =
        bin + 1 < AUTO_BINS ? fmin(b->range[1], b->range[0] + width) : b->range[1];
}

/* Narrows those that are not points yet. Collective. */
static void narrow_both(const auto_sample *sample, const auto_query *query,
                        bracket both[2])
{
    binned_ranges all = {.count = 0};
    bracket *open[2];
    for (int n = 0; n < 2; n++) {
        if (both[n].range[1] > both[n].range[0]) {
            memcpy(all.range[all.count], both[n].range, sizeof both[n].range);
            open[all.count++] = &both[n];
        }
    }
    if (all.count > 0) {
        count_ranges(sample, query, &all);
    }
    for (int n = 0; n < all.count; n++) {
        narrow(all.bins[n], open[n]);
    }
}

void auto_sample_quantiles(const auto_sample *sample, const auto_query *query,
                           const double parts[2], double found[2])
{
    double range[2];
    int64_t bins[AUTO_BINS];
    auto_sample_extremes(sample, query, range);
    if (!(range[0] < range[1])) {
        found[0] = found[1] = range[0] == range[1] ? range[0] : NAN;
        return;
    }
    auto_sample_count(sample, query, range, bins);
    bracket both[2];
    for (int n = 0; n < 2; n++) {
        both[n] = (bracket){{range[0], range[1]}, parts[n] * (double)sum_bins(bins)};
        narrow(bins, &both[n]);
    }
    for (int pass = 1; pass < PASSES; pass++) {
        narrow_both(sample, query, both);
    }
    /* Outwards: a value that fills a far field may be an end, and has to lie within. */
    found[0] = both[0].range[0];
    found[1] = both[1].range[1];
}
