/*
 * One step of several particles, a lane for each. A file that includes this header has
 * defined LANES and KERNEL, and is compiled with the options of one instruction set.
 * Vectors are those of the compiler. The result of a lane never depends on the others and
 * is rounded alike for every width.
 */
#include "batch.h"

#include <stdint.h>
#include <string.h>

typedef double vreal __attribute__((vector_size(8 * LANES)));
typedef int64_t vmask __attribute__((vector_size(8 * LANES)));

/* In every function's loop. */
#define IN_LOOP static inline __attribute__((always_inline))

IN_LOOP vreal spread(double a)
{
    return (vreal){0} + a;
}

IN_LOOP vreal load(const double *from)
{
    vreal a;
    memcpy(&a, from, sizeof a);
    return a;
}

IN_LOOP void store(double *to, vreal a)
{
    memcpy(to, &a, sizeof a);
}

IN_LOOP vreal magnitude(vreal a)
{
    return (vreal)((vmask)a & INT64_MAX);
}

/* Component `c` of a vertex of each lane's cell. */
IN_LOOP vreal gather(const float *base, const int64_t *at, int c)
{
    vreal a;
    for (int n = 0; n < LANES; n++) {
        a[n] = (double)base[at[n] + c];
    }
    return a;
}

/* ---- Maps -------------------------------------------------------------------------- */

/* A trilinear map of `width` components (trace/map.h): of cells to space, or of cells to
 * the flow. */
typedef struct lanes_map {
    vreal of[8][TRACE_ADAMS_WIDTH];
} lanes_map;

/* Turns values at eight corners, numbered di + 2 dj + 4 dk, into coefficients. */
IN_LOOP void make_map(const vreal corner[8], int c, lanes_map *map)
{
    const vreal *v = corner;
    map->of[0][c] = v[0];
    map->of[1][c] = v[1] - v[0];
    map->of[2][c] = v[2] - v[0];
    map->of[3][c] = v[4] - v[0];
    map->of[4][c] = (v[3] - v[2]) - map->of[1][c];
    map->of[5][c] = (v[6] - v[4]) - map->of[2][c];
    map->of[6][c] = (v[5] - v[4]) - map->of[1][c];
    map->of[7][c] = ((v[7] - v[6]) - (v[5] - v[4])) - map->of[4][c];
}

IN_LOOP vreal map_value(const lanes_map *map, int c, const vreal local[3])
{
    const vreal r = local[0], s = local[1], t = local[2];
    return map->of[0][c] + r * (map->of[1][c] + s * (map->of[4][c] + t * map->of[7][c])) +
           s * (map->of[2][c] + t * map->of[5][c]) +
           t * (map->of[3][c] + r * map->of[6][c]);
}

/* Derivatives of the place by r, s and t, as normals: the rows of the inverse times the
 * determinant. */
typedef struct lanes_inverse {
    vreal normal[3][3], share; /* 1 / determinant */
} lanes_inverse;

IN_LOOP void cross(const vreal a[3], const vreal b[3], vreal out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

IN_LOOP vreal dot(const vreal a[3], const vreal b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

IN_LOOP void find_inverse(const lanes_map *map, const vreal local[3], lanes_inverse *out)
{
    const vreal r = local[0], s = local[1], t = local[2];
    vreal column[3][3];
    for (int c = 0; c < 3; c++) {
        const vreal rs = map->of[4][c] + t * map->of[7][c];
        column[0][c] = map->of[1][c] + s * rs + t * map->of[6][c];
        column[1][c] = map->of[2][c] + r * rs + t * map->of[5][c];
        column[2][c] =
            map->of[3][c] + s * (map->of[5][c] + r * map->of[7][c]) + r * map->of[6][c];
    }
    cross(column[1], column[2], out->normal[0]);
    cross(column[2], column[0], out->normal[1]);
    cross(column[0], column[1], out->normal[2]);
    out->share = 1.0 / dot(column[0], out->normal[0]);
}

/* Lengths in cells of a vector in space. */
IN_LOOP void pull(const lanes_inverse *inverse, const vreal vector[3], vreal cells[3])
{
    for (int c = 0; c < 3; c++) {
        cells[c] = dot(vector, inverse->normal[c]) * inverse->share;
    }
}

/* ---- The step ---------------------------------------------------------------------- */

/* Newton's method from the middle of the cell, with as many steps as cells need that are
 * nearly parallelepipeds. Its last step tells whether that was enough: the error is
 * smaller than the square of that. */
IN_LOOP vmask find_local(const lanes_map *map, lanes_inverse *inverse, vreal local[3])
{
    enum { STEPS = 3 };
    vmask is_there = (vmask){0} - 1;
    local[0] = local[1] = local[2] = spread(0.5);
    for (int n = 0; n < STEPS; n++) {
        const vreal off[3] = {map_value(map, 0, local), map_value(map, 1, local),
                              map_value(map, 2, local)};
        vreal cells[3];
        find_inverse(map, local, inverse);
        pull(inverse, off, cells);
        for (int c = 0; c < 3; c++) {
            local[c] = local[c] - cells[c];
            is_there =
                n == STEPS - 1 ? is_there & (magnitude(cells[c]) <= 1e-4) : is_there;
        }
    }
    return is_there;
}

IN_LOOP vmask is_inside(const vreal local[3], double margin)
{
    vmask inside = (vmask){0} - 1;
    for (int c = 0; c < 3; c++) {
        inside &= (local[c] >= -margin) & (local[c] <= 1.0 + margin);
    }
    return inside;
}

/* The corners of the cells relative to the predicted places. */
IN_LOOP void load_cells(const trace_adams_batch *b, int first, const vreal there[3],
                        lanes_map *map)
{
    vreal corner[3][8];
    for (int n = 0; n < 8; n++) {
        for (int c = 0; c < 3; c++) {
            corner[c][n] = gather(b->vertices, b->at[n] + first, c) - there[c];
        }
    }
    for (int c = 0; c < 3; c++) {
        make_map(corner[c], c, map);
    }
}

IN_LOOP void load_flow(const trace_adams_batch *b, int first, lanes_map *map)
{
    vreal corner[TRACE_ADAMS_WIDTH][8];
    for (int n = 0; n < 8; n++) {
        for (int c = 0; c < TRACE_ADAMS_WIDTH; c++) {
            corner[c][n] =
                c < b->width ? gather(b->flow, b->flow_at[n] + first, c) : spread(0.0);
        }
    }
    for (int c = 0; c < TRACE_ADAMS_WIDTH; c++) {
        make_map(corner[c], c, map);
    }
}

IN_LOOP void step_lanes(trace_adams_batch *b, int first)
{
    const double h = b->step;
    vreal there[3], local[3], velocity[3], bent[3], cells[3];
    lanes_map cell, flow;
    lanes_inverse inverse;
    for (int c = 0; c < 3; c++) {
        there[c] = load(b->x[c] + first) + h * (load(b->velocity[c] + first) +
                                                (0.5 * h) * load(b->bend[c] + first));
    }
    load_cells(b, first, there, &cell);
    load_flow(b, first, &flow);
    vmask good = find_local(&cell, &inverse, local) & is_inside(local, b->margin);
    const vreal weight = h * h * h / (6.0 * (h + load(b->past + first)));
    for (int c = 0; c < 3; c++) {
        velocity[c] = map_value(&flow, c, local);
        bent[c] =
            (velocity[c] - load(b->velocity[c] + first)) / h - load(b->bend[c] + first);
    }
    pull(&inverse, bent, cells);
    for (int c = 0; c < 3; c++) {
        good &= magnitude(weight * cells[c]) <= b->tolerance;
        local[c] += (0.5 * h * h - weight) * cells[c];
        there[c] += (0.5 * h * h - weight) * bent[c];
        store(b->to[c] + first, there[c]);
    }
    good &= is_inside(local, b->margin);
    for (int c = 0; c < 3; c++) {
        const vreal before = load(b->velocity[c] + first);
        velocity[c] = map_value(&flow, c, local);
        store(b->bend[c] + first, (velocity[c] - before) / h);
        store(b->velocity[c] + first, velocity[c]);
    }
    store(b->value + first, map_value(&flow, TRACE_ADAMS_WIDTH - 1, local));
    memcpy(b->good + first, &good, sizeof good);
}

void KERNEL(trace_adams_batch *batch)
{
    for (int first = 0; first < TRACE_ADAMS_BATCH; first += LANES) {
        step_lanes(batch, first);
    }
}
