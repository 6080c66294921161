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

/* The weight of a point at a step, and its value or place for the query; weight 0: the
 * point does not count. */
static int64_t look(const auto_sample *sample, const auto_query *query, int64_t point,
                    int step, double *found)
{
    const int64_t weight = query->by_cells ? sample->cells[point] : sample->volume[point];
    const float value = sample->values[step * sample->count + point];
    if (weight == 0 || !(fabsf(value) <= FLT_MAX) ||
        !(fabs((double)value - query->around) > query->beyond) ||
        !is_within(sample, query, point)) {
        return 0;
    }
    *found = query->axis < 0 ? (double)value : (double)sample->place[point][query->axis];
    return weight;
}

void auto_sample_extremes(const auto_sample *sample, const auto_query *query,
                          double range[2])
{
    double least = INFINITY, most = -INFINITY;
    for (int step = 0; step < sample->nsteps; step++) {
#pragma omp parallel for reduction(min : least) reduction(max : most)
        for (int64_t point = 0; point < sample->count; point++) {
            double x = 0.0;
            if (look(sample, query, point, step, &x) > 0) {
                least = fmin(least, x);
                most = fmax(most, x);
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
            double x = 0.0;
            sum += look(sample, query, point, step, &x);
        }
    }
    parallel_allreduce(&sum, &all, 1, MPI_INT64_T, MPI_SUM, sample->comm);
    return all;
}

void auto_sample_count(const auto_sample *sample, const auto_query *query,
                       const double range[2], int64_t bins[AUTO_BINS])
{
    int64_t mine[AUTO_BINS] = {0};
    const double scale = AUTO_BINS / (range[1] - range[0]);
    for (int step = 0; step < sample->nsteps; step++) {
#pragma omp parallel for reduction(+ : mine[:AUTO_BINS])
        for (int64_t point = 0; point < sample->count; point++) {
            double x = 0.0;
            const int64_t weight = look(sample, query, point, step, &x);
            if (weight > 0 && x >= range[0] && x <= range[1]) {
                const int bin = (int)((x - range[0]) * scale);
                mine[bin < AUTO_BINS ? bin : AUTO_BINS - 1] += weight;
            }
        }
    }
    parallel_allreduce(mine, bins, AUTO_BINS, MPI_INT64_T, MPI_SUM, sample->comm);
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

double auto_sample_quantile(const auto_sample *sample, const auto_query *query,
                            double part)
{
    double range[2];
    int64_t bins[AUTO_BINS], below = 0;
    auto_sample_extremes(sample, query, range);
    double wanted = 0.0;
    if (!(range[0] <= range[1])) {
        return NAN;
    }
    for (int pass = 0; pass < PASSES && range[1] > range[0]; pass++) {
        auto_sample_count(sample, query, range, bins);
        wanted = pass == 0 ? part * (double)sum_bins(bins) : wanted;
        const double width = (range[1] - range[0]) / AUTO_BINS;
        const int bin = find_bin(bins, wanted, &below);
        wanted -= (double)below;
        range[0] += bin * width;
        range[1] = fmin(range[1], range[0] + width);
    }
    return 0.5 * (range[0] + range[1]);
}
