#include "hard_chord.h"

#include <stdlib.h>

/* Part [from, to] of a ray. */
typedef struct interval {
    double from, to;
} interval;

/* The intervals of a ray. */
typedef struct gathering {
    reference_ray ray;
    size_t count, room;
    interval *intervals;
} gathering;

static int64_t vertex_at(const reference_block *block, int64_t i, int64_t j, int64_t k)
{
    return i + block->n[0] * (j + block->n[1] * k);
}

bool hard_chord_applies(const reference_block *block)
{
    int64_t plane = block->n[0] * block->n[1];
    for (int64_t v = plane; v < plane * block->n[2]; v++) {
        if (block->x[0][v] != block->x[0][v - plane] ||
            block->x[1][v] != block->x[1][v - plane] ||
            !(block->x[2][v] > block->x[2][v - plane])) {
            return false;
        }
    }
    return true;
}

static status append(gathering *g, double from, double to)
{
    if (!(to > from)) {
        return STATUS_OK;
    }
    if (g->count == g->room) {
        size_t room = 2 * g->room + 64;
        interval *larger = realloc(g->intervals, room * sizeof *larger);
        if (!larger) {
            return base_fail_memory(room * sizeof *larger, "the chords of a ray");
        }
        g->intervals = larger;
        g->room = room;
    }
    g->intervals[g->count++] = (interval){from, to};
    return STATUS_OK;
}

/* The interval of the ray between the planes of the block's lowest and highest z, in
 * front of the eye. */
static interval clip_to_slab(reference_ray ray, double lowest, double highest)
{
    interval inside = {0.0, INFINITY};
    double origin = ray.origin.v[2], slope = ray.direction.v[2];
    if (slope == 0.0) {
        return origin >= lowest && origin < highest ? inside : (interval){0.0, 0.0};
    }
    double a = (lowest - origin) / slope, b = (highest - origin) / slope;
    inside.from = fmax(inside.from, fmin(a, b));
    inside.to = fmin(inside.to, fmax(a, b));
    return inside;
}

/* A corner of a cell seen along the ray: its distance to the left, and along the ray. */
typedef struct corner {
    double left, along; /* along in the ray's own length */
} corner;

static corner view_corner(reference_ray ray, double x, double y)
{
    double dx = ray.direction.v[0], dy = ray.direction.v[1];
    double rx = x - ray.origin.v[0], ry = y - ray.origin.v[1];
    return (corner){dx * ry - dy * rx, (dx * rx + dy * ry) / (dx * dx + dy * dy)};
}

static void sort_four(double *t, int count)
{
    for (int n = 1; n < count; n++) {
        for (int m = n; m > 0 && t[m] < t[m - 1]; m--) {
            double swap = t[m];
            t[m] = t[m - 1];
            t[m - 1] = swap;
        }
    }
}

/* Adds the interval of the ray inside a quadrilateral, convex or not, and inside the
 * slab. */
static status add_quadrilateral(gathering *g, const corner c[4], interval slab)
{
    double t[4];
    int count = 0;
    for (int n = 0; n < 4; n++) {
        const corner *a = &c[n], *b = &c[(n + 1) % 4];
        if ((a->left < 0.0) != (b->left < 0.0)) {
            double share = a->left / (a->left - b->left);
            t[count++] = a->along + share * (b->along - a->along);
        }
    }
    sort_four(t, count);
    status s = STATUS_OK;
    for (int n = 0; n + 1 < count && s == STATUS_OK; n += 2) {
        s = append(g, fmax(t[n], slab.from), fmin(t[n + 1], slab.to));
    }
    return s;
}

static bool is_blanked(const reference_block *block, int64_t i, int64_t j)
{
    for (int c = 0; block->iblank && c < 4; c++) {
        if (block->iblank[vertex_at(block, i + (c & 1), j + (c >> 1), 0)] == 0) {
            return true;
        }
    }
    return false;
}

static status add_block(gathering *g, const reference_block *block)
{
    static const int around[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    const int64_t *n = block->n;
    interval slab = clip_to_slab(g->ray, block->x[2][0],
                                 block->x[2][vertex_at(block, 0, 0, n[2] - 1)]);
    status s = STATUS_OK;
    for (int64_t j = 0; j < n[1] - 1; j++) {
        for (int64_t i = 0; i < n[0] - 1 && s == STATUS_OK; i++) {
            corner c[4];
            for (int m = 0; m < 4; m++) {
                int64_t v = vertex_at(block, i + around[m][0], j + around[m][1], 0);
                c[m] = view_corner(g->ray, block->x[0][v], block->x[1][v]);
            }
            s = is_blanked(block, i, j) ? s : add_quadrilateral(g, c, slab);
        }
    }
    return s;
}

static int compare_intervals(const void *a, const void *b)
{
    double x = ((const interval *)a)->from, y = ((const interval *)b)->from;
    return x < y ? -1 : x > y;
}

static hard_chord add_up(gathering *g)
{
    hard_chord chord = {0.0, 0.0};
    double reached = 0.0;
    if (g->count > 0) {
        qsort(g->intervals, g->count, sizeof *g->intervals, compare_intervals);
    }
    for (size_t n = 0; n < g->count; n++) {
        interval part = g->intervals[n];
        chord.sum += part.to - part.from;
        chord.joined += fmax(0.0, part.to - fmax(part.from, reached));
        reached = fmax(reached, part.to);
    }
    return chord;
}

status hard_chord_measure(const reference_grid *grid, reference_ray ray, hard_chord *out)
{
    gathering g = {.ray = ray};
    status s = STATUS_OK;
    for (int b = 0; b < grid->nblocks && s == STATUS_OK; b++) {
        s = add_block(&g, &grid->blocks[b]);
    }
    if (s == STATUS_OK) {
        *out = add_up(&g);
    }
    free(g.intervals);
    return s;
}
