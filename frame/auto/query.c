/* Answers queries on a sample: extremes, weights, quantiles. */
#include "base/parallel/parallel.h"
#include "sample.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Each pass divides the range by about a thousand, so three passes find nine digits. */
enum { PASSES = 3 };

static bool is_within(const auto_sample *sample, const auto_query *query, int64_t point)
{
    const box3 *box = query->within;
    const float *place = sample->place[point];
    for (int axis = 0; box && axis < 3; axis++) {
        const double x = (double)place[axis];
        if (!(x >= box->lo.v[axis] && x <= box->hi.v[axis])) {
            return false;
        }
    }
    return true;
}

/* The value or place of a point at a step for the query. */
static double coordinate_of(const auto_sample *sample, const auto_query *query,
                            int64_t point, int step)
{
    if (query->axis < 0) {
        return (double)sample->values[step * sample->count + point];
    }
    const double place = (double)sample->place[point][query->axis];
    return sample->in_cells
               ? place + query->end * (double)sample->reach[point][query->axis]
               : place;
}

/* The weight of a point at a step for the query; 0: it does not count. */
static int64_t weight_of(const auto_sample *sample, const auto_query *query,
                         int64_t point, int step)
{
    const int64_t weight = query->by_cells ? sample->cells[point] : sample->volume[point];
    const float value = sample->values[step * sample->count + point];
    const bool counts = weight != 0 && fabsf(value) <= FLT_MAX &&
                        fabs((double)value - query->around) > query->beyond &&
                        is_within(sample, query, point);
    return counts ? weight : 0;
}

/* Most points do not change the extremes: whether one counts is asked last. */
void auto_sample_extremes(const auto_sample *sample, const auto_query *query,
                          double range[2])
{
    double least = INFINITY, most = -INFINITY;
    for (int step = 0; step < sample->nsteps; step++) {
#pragma omp parallel for reduction(min : least) reduction(max : most)
        for (int64_t point = 0; point < sample->count; point++) {
            const double x = coordinate_of(sample, query, point, step);
            if ((x < least || x > most) && weight_of(sample, query, point, step) > 0) {
                least = x < least ? x : least;
                most = x > most ? x : most;
            }
        }
    }
    parallel_allreduce(&least, &range[0], 1, MPI_DOUBLE, MPI_MIN, sample->comm);
    parallel_allreduce(&most, &range[1], 1, MPI_DOUBLE, MPI_MAX, sample->comm);
}

int64_t auto_sample_weight(const auto_sample *sample, const auto_query *query)
{
    int64_t sum = 0, all;
    for (int step = 0; step < sample->nsteps; step++) {
#pragma omp parallel for reduction(+ : sum)
        for (int64_t point = 0; point < sample->count; point++) {
            sum += weight_of(sample, query, point, step);
        }
    }
    parallel_allreduce(&sum, &all, 1, MPI_INT64_T, MPI_SUM, sample->comm);
    return all;
}

double auto_sample_missing(const auto_sample *sample)
{
    int64_t sums[2] = {0, 0}, all[2];
    for (int step = 0; step < sample->nsteps; step++) {
        const float *values = sample->values + step * sample->count;
        int64_t volume = 0, missing = 0;
#pragma omp parallel for reduction(+ : volume, missing)
        for (int64_t point = 0; point < sample->count; point++) {
            volume += sample->volume[point];
            missing += fabsf(values[point]) <= FLT_MAX ? 0 : sample->volume[point];
        }
        sums[0] += volume;
        sums[1] += missing;
    }
    parallel_allreduce(sums, all, 2, MPI_INT64_T, MPI_SUM, sample->comm);
    return all[0] > 0 ? (double)all[1] / (double)all[0] : 0.0;
}

/* Some ranges, and the weights in equal bins of each. */
typedef struct binned_ranges {
    int count;
    double range[2][2];         /* [count] */
    int64_t bins[2][AUTO_BINS]; /* [count] */
} binned_ranges;

/* Counts for all ranges in one pass over the points. Collective. */
static void count_ranges(const auto_sample *sample, const auto_query *query,
                         binned_ranges *all)
{
    enum { MOST = 2 * AUTO_BINS };
    int64_t mine[MOST] = {0};
    double scale[2] = {0.0, 0.0};
    for (int n = 0; n < all->count; n++) {
        scale[n] = AUTO_BINS / (all->range[n][1] - all->range[n][0]);
    }
    for (int step = 0; step < sample->nsteps; step++) {
#pragma omp parallel for reduction(+ : mine[:MOST])
        for (int64_t point = 0; point < sample->count; point++) {
            const double x = coordinate_of(sample, query, point, step);
            for (int n = 0; n < all->count; n++) {
                if (x >= all->range[n][0] && x <= all->range[n][1]) {
                    const int bin = (int)((x - all->range[n][0]) * scale[n]);
                    mine[n * AUTO_BINS + (bin < AUTO_BINS ? bin : AUTO_BINS - 1)] +=
                        weight_of(sample, query, point, step);
                }
            }
        }
    }
    parallel_allreduce(mine, all->bins, all->count * AUTO_BINS, MPI_INT64_T, MPI_SUM,
                       sample->comm);
}

void auto_sample_count(const auto_sample *sample, const auto_query *query,
                       const double range[2], int64_t bins[AUTO_BINS])
{
    binned_ranges all = {.count = 1, .range = {{range[0], range[1]}}};
    count_ranges(sample, query, &all);
    memcpy(bins, all.bins[0], sizeof all.bins[0]);
}

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
