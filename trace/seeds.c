#include "seeds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int64_t most_seeds = 100000000;

/* The frame of a shape: seeds lie at `corner` plus fractions of the sides. */
typedef struct frame {
    double corner[3];
    double side[3][3];
    int64_t counts[3];
} frame;

static void set_side(frame *f, int n, const double from[3], const double to[3])
{
    for (int axis = 0; axis < 3; axis++) {
        f->side[n][axis] = to[axis] - from[axis];
    }
}

static frame frame_of(const trace_seeds *seeds)
{
    const double(*p)[3] = seeds->points;
    const int sides = seeds->shape == TRACE_LINE    ? 1
                      : seeds->shape == TRACE_PLANE ? 2
                                                    : 3;
    frame f = {.counts = {1, 1, 1}};
    memcpy(f.corner, p[0], sizeof f.corner);
    for (int n = 0; n < sides; n++) {
        f.counts[n] = seeds->counts[n];
        if (seeds->shape == TRACE_BOX) {
            f.side[n][n] = p[1][n] - p[0][n];
        } else {
            set_side(&f, n, p[0], p[n + 1]);
        }
    }
    return f;
}

static double share_of(int64_t at, int64_t count)
{
    return count > 1 ? (double)at / (double)(count - 1) : 0.5;
}

static void find_seed(const frame *f, int64_t number, double point[3])
{
    memcpy(point, f->corner, sizeof f->corner);
    for (int n = 0; n < 3; n++) {
        const double share = share_of(number % f->counts[n], f->counts[n]);
        number /= f->counts[n];
        for (int axis = 0; axis < 3; axis++) {
            point[axis] += share * f->side[n][axis];
        }
    }
}

static status check_points(const trace_seeds *seeds)
{
    static const int64_t wanted[] = {1, 2, 3, 2};
    const bool enough = seeds->shape == TRACE_POINTS
                            ? seeds->npoints >= 1
                            : seeds->npoints == wanted[seeds->shape];
    if (!enough) {
        return base_fail(STATUS_USAGE,
                         "seeds of particles: %lld points are given; points need at "
                         "least 1, a line or box 2, a plane 3",
                         (long long)seeds->npoints);
    }
    for (int64_t n = 0; n < 3 * seeds->npoints; n++) {
        if (!isfinite(seeds->points[n / 3][n % 3])) {
            return base_fail(STATUS_USAGE,
                             "seeds of particles: coordinates must be finite numbers");
        }
    }
    return STATUS_OK;
}

static status count_seeds(const trace_seeds *seeds, int64_t *count)
{
    if (seeds->shape == TRACE_POINTS) {
        *count = seeds->npoints;
        return STATUS_OK;
    }
    const frame f = frame_of(seeds);
    *count = 1;
    for (int n = 0; n < 3; n++) {
        if (f.counts[n] < 1 || f.counts[n] > most_seeds / *count) {
            return base_fail(STATUS_USAGE,
                             "seeds of particles: there must be at least 1 along each "
                             "side and at most %lld in all",
                             (long long)most_seeds);
        }
        *count *= f.counts[n];
    }
    return STATUS_OK;
}

status trace_seeds_list(const trace_seeds *seeds, int64_t *count, double (**points)[3])
{
    int64_t wanted = 0;
    status s = check_points(seeds);
    if (s == STATUS_OK) {
        s = count_seeds(seeds, &wanted);
    }
    if (s != STATUS_OK) {
        return s;
    }
    const size_t bytes = (size_t)wanted * sizeof **points;
    double(*list)[3] = malloc(bytes);
    if (!list) {
        return base_fail_memory(bytes, "the seeds of particles");
    }
    if (seeds->shape == TRACE_POINTS) {
        memcpy(list, seeds->points, bytes);
    } else {
        const frame f = frame_of(seeds);
        for (int64_t n = 0; n < wanted; n++) {
            find_seed(&f, n, list[n]);
        }
    }
    *count = wanted;
    *points = list;
    return STATUS_OK;
}
