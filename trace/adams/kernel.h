/*
 * One step of eight particles, a lane for each. A file that includes this header has
 * defined KERNEL, and is compiled with the options of one instruction set; PLAIN if the
 * compiler may not know __builtin_shufflevector. The result of a lane never depends on
 * the others, and has the same bits for every instruction set.
 */
#include "lanes.h"

#include <stdbool.h>
#include <string.h>

/* Vectors never cross the border of a function that is not inlined. */
#pragma GCC diagnostic ignored "-Wpsabi"

typedef float vreal __attribute__((vector_size(32)));
typedef int32_t vmask __attribute__((vector_size(32)));
typedef uint32_t vcount __attribute__((vector_size(32)));
typedef float vhalf __attribute__((vector_size(16)));
typedef double vwide __attribute__((vector_size(32)));

/* In every function's loop. */
#define IN_LOOP static inline __attribute__((always_inline))

IN_LOOP vreal load(const float *from)
{
    vreal a;
    memcpy(&a, from, sizeof a);
    return a;
}

IN_LOOP void store(float *to, vreal a)
{
    memcpy(to, &a, sizeof a);
}

IN_LOOP vmask load_mask(const int32_t *from)
{
    vmask a;
    memcpy(&a, from, sizeof a);
    return a;
}

IN_LOOP vreal magnitude(vreal a)
{
    return (vreal)((vmask)a & INT32_MAX);
}

IN_LOOP vreal select(vmask mask, vreal yes, vreal no)
{
    return (vreal)(((vmask)yes & mask) | ((vmask)no & ~mask));
}

/* ---- Permutations ------------------------------------------------------------------ */

/* A vertex has up to four numbers. A vector holds those of two lanes: n and n + PAIRS. */
enum { PAIRS = TRACE_LANES / 2 };

#ifdef PLAIN

IN_LOOP vreal join(vhalf low, vhalf high)
{
    vreal a;
    memcpy(&a, &low, sizeof low);
    memcpy((char *)&a + sizeof low, &high, sizeof high);
    return a;
}

IN_LOOP vhalf half(vreal a, int which)
{
    vhalf b;
    memcpy(&b, (const char *)&a + (size_t)which * sizeof b, sizeof b);
    return b;
}

/* Four times the number of lane n, then that of lane n + PAIRS. */
IN_LOOP vreal spread(vreal a, int n)
{
    vreal b;
    for (int c = 0; c < 8; c++) {
        b[c] = a[n + c / PAIRS * PAIRS];
    }
    return b;
}

/* Turns each half of 4 x 4 numbers: vectors of pairs become vectors of components. */
IN_LOOP void transpose(vreal row[4])
{
    vreal column[4];
    for (int n = 0; n < 8; n++) {
        for (int c = 0; c < 4; c++) {
            column[c][n] = row[n % 4][c + n / 4 * 4];
        }
    }
    memcpy(row, column, sizeof column);
}

#else

IN_LOOP vreal join(vhalf low, vhalf high)
{
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}

IN_LOOP vhalf half(vreal a, int which)
{
    return which == 0 ? __builtin_shufflevector(a, a, 0, 1, 2, 3)
                      : __builtin_shufflevector(a, a, 4, 5, 6, 7);
}

/* Four times the number of lane n, then that of lane n + PAIRS. */
IN_LOOP vreal spread(vreal a, int n)
{
    return n == 0   ? __builtin_shufflevector(a, a, 0, 0, 0, 0, 4, 4, 4, 4)
           : n == 1 ? __builtin_shufflevector(a, a, 1, 1, 1, 1, 5, 5, 5, 5)
           : n == 2 ? __builtin_shufflevector(a, a, 2, 2, 2, 2, 6, 6, 6, 6)
                    : __builtin_shufflevector(a, a, 3, 3, 3, 3, 7, 7, 7, 7);
}

/* Turns each half of 4 x 4 numbers: vectors of pairs become vectors of components. */
IN_LOOP void transpose(vreal row[4])
{
    const vreal a = row[0], b = row[1], c = row[2], d = row[3];
    const vreal low01 = __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13),
                low23 = __builtin_shufflevector(c, d, 0, 8, 1, 9, 4, 12, 5, 13),
                high01 = __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15),
                high23 = __builtin_shufflevector(c, d, 2, 10, 3, 11, 6, 14, 7, 15);
    row[0] = __builtin_shufflevector(low01, low23, 0, 1, 8, 9, 4, 5, 12, 13);
    row[1] = __builtin_shufflevector(low01, low23, 2, 3, 10, 11, 6, 7, 14, 15);
    row[2] = __builtin_shufflevector(high01, high23, 0, 1, 8, 9, 4, 5, 12, 13);
    row[3] = __builtin_shufflevector(high01, high23, 2, 3, 10, 11, 6, 7, 14, 15);
}

#endif

/* Numbers of all lanes in double precision. */
typedef struct wide {
    vwide half[2];
} wide;

/* a + factor * b */
IN_LOOP wide add_widely(const double *a, double factor, vreal b)
{
    wide sum;
    for (int n = 0; n < 2; n++) {
        vwide from;
        memcpy(&from, a + 4 * n, sizeof from);
        sum.half[n] = from + factor * __builtin_convertvector(half(b, n), vwide);
    }
    return sum;
}

/* a - b */
IN_LOOP vreal subtract_widely(const wide *a, vreal b)
{
    vhalf difference[2];
    for (int n = 0; n < 2; n++) {
        difference[n] = __builtin_convertvector(
            a->half[n] - __builtin_convertvector(half(b, n), vwide), vhalf);
    }
    return join(difference[0], difference[1]);
}

/* ---- Cells ------------------------------------------------------------------------- */

/* The cells of all lanes as indices of numbers: of the vertices at which the edges along
 * i begin, (j, k) = 00, 10, 01, 11. They fit into 32 bits (GRID_STORE_MOST_VERTICES). */
typedef struct edges {
    uint32_t at[4][TRACE_LANES];
} edges;

/* `width`: numbers of a vertex. */
IN_LOOP edges find_edges(const trace_adams_trial *trial, int width)
{
    const vcount size = (vcount){0} + (uint32_t)width;
    const vcount low = size * (vcount)load_mask(trial->cell),
                 row = size * (vcount)load_mask(trial->row),
                 plane = size * (vcount)load_mask(trial->plane);
    const vcount at[4] = {low, low + row, low + plane, low + row + plane};
    edges e;
    memcpy(e.at, at, sizeof at);
    __asm__(""
            : "+m"(e)); /* to be read from memory: moves between registers are slower */
    return e;
}

/* Loads four numbers at the beginnings of an edge of lanes n and n + PAIRS. Those at its
 * end lie behind them. */
IN_LOOP vreal load_pair(const float *from, const edges *e, int edge, int n)
{
    vhalf low, high;
    memcpy(&low, from + e->at[edge][n], sizeof low);
    memcpy(&high, from + e->at[edge][n + PAIRS], sizeof high);
    return join(low, high);
}

/* Positions in the cells of all lanes: three axes, and one that is void. */
typedef struct places {
    vreal corner[4]; /* of the lowest vertex */
    vreal value[4];  /* from there to the place */
    vreal by[3][4];  /* derivatives by the local coordinates */
} places;

/*
 * Trilinear interpolation along r, then along s, then along t. Differences come first, so
 * that no digits are lost in cells far from the origin:
 *
 *     e45 ---- e67
 *      |        |  t
 *     e01 ---- e23
 *          s
 */
IN_LOOP void interpolate_place(const trace_adams_step *step,
                               const trace_adams_trial *trial, const edges *e, int n,
                               places *out)
{
    const float *from = step->vertices, *end = from + 4;
    const vreal r = spread(load(trial->local[0]), n),
                s = spread(load(trial->local[1]), n),
                t = spread(load(trial->local[2]), n);
    const vreal v0 = load_pair(from, e, 0, n), v2 = load_pair(from, e, 1, n),
                v4 = load_pair(from, e, 2, n), v6 = load_pair(from, e, 3, n);
    const vreal d01 = load_pair(end, e, 0, n) - v0, d23 = load_pair(end, e, 1, n) - v2,
                d45 = load_pair(end, e, 2, n) - v4, d67 = load_pair(end, e, 3, n) - v6;
    const vreal e01 = r * d01, e23 = (v2 - v0) + r * d23, e45 = (v4 - v0) + r * d45,
                e67 = (v6 - v0) + r * d67;
    const vreal by_s = e23 - e01, by_s_above = e67 - e45, by_r = d01 + s * (d23 - d01);
    const vreal lower = e01 + s * by_s;
    const vreal by_t = (e45 + s * by_s_above) - lower;
    out->corner[n] = v0;
    out->value[n] = lower + t * by_t;
    out->by[0][n] = by_r + t * ((d45 + s * (d67 - d45)) - by_r);
    out->by[1][n] = by_s + t * (by_s_above - by_s);
    out->by[2][n] = by_t;
}

IN_LOOP void find_places(const trace_adams_step *step, const trace_adams_trial *trial,
                         places *out)
{
    const edges e = find_edges(trial, 4);
#pragma GCC unroll 4
    for (int n = 0; n < PAIRS; n++) {
        interpolate_place(step, trial, &e, n, out);
    }
    transpose(out->corner);
    transpose(out->value);
    transpose(out->by[0]);
    transpose(out->by[1]);
    transpose(out->by[2]);
}

/* a + share * (b - a) */
IN_LOOP vreal blend(vreal a, vreal b, vreal share)
{
    return a + share * (b - a);
}

/* The flow at a place: u, v, w and the field. */
IN_LOOP void find_flow(const trace_adams_step *step, const trace_adams_trial *trial,
                       const vreal local[3], vreal flow[4])
{
    const float *from = step->flow, *end = from + step->width;
    const edges e = find_edges(trial, step->width);
#pragma GCC unroll 4
    for (int n = 0; n < PAIRS; n++) {
        const vreal r = spread(local[0], n), s = spread(local[1], n),
                    t = spread(local[2], n);
        vreal edge[4];
#pragma GCC unroll 4
        for (int m = 0; m < 4; m++) {
            edge[m] = blend(load_pair(from, &e, m, n), load_pair(end, &e, m, n), r);
        }
        flow[n] = blend(blend(edge[0], edge[1], s), blend(edge[2], edge[3], s), t);
    }
    transpose(flow);
}

/* The inverse of the derivatives of the place: its rows times the determinant. */
typedef struct inverse_map {
    vreal normal[3][3], determinant, share; /* share: 1 / determinant */
} inverse_map;

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

IN_LOOP void find_inverse(const places *at, inverse_map *out)
{
    cross(at->by[1], at->by[2], out->normal[0]);
    cross(at->by[2], at->by[0], out->normal[1]);
    cross(at->by[0], at->by[1], out->normal[2]);
    out->determinant = dot(at->by[0], out->normal[0]);
    out->share = 1.0F / out->determinant;
}

/* Lengths in cells of a vector in space. */
IN_LOOP void pull(const inverse_map *inverse, const vreal vector[3], vreal cells[3])
{
    for (int c = 0; c < 3; c++) {
        cells[c] = dot(vector, inverse->normal[c]) * inverse->share;
    }
}

/* Whether the determinant is in the range of numbers whose products are precise. */
IN_LOOP vmask is_regular(const inverse_map *inverse)
{
    const vreal size = magnitude(inverse->determinant);
    return (size > 1e-30F) & (size < 1e30F);
}

/* ---- The step ---------------------------------------------------------------------- */

/* The end of a step. */
typedef struct arrival {
    vreal mean[3]; /* velocity on the way */
    vreal local[3], flow[4];
    vmask is_near, good;
} arrival;

/* Whether a place was found: a short way from the guess. The error of Newton's step is
 * of the order of its square. */
IN_LOOP vmask is_short(const vreal cells[3])
{
    const float most = 1.0F / 256.0F;
    return (magnitude(cells[0]) <= most) & (magnitude(cells[1]) <= most) &
           (magnitude(cells[2]) <= most);
}

IN_LOOP vmask is_inside(const vreal local[3])
{
    vmask inside = (vmask){0} - 1;
    for (int c = 0; c < 3; c++) {
        inside &=
            (local[c] >= -TRACE_ADAMS_MARGIN) & (local[c] <= 1.0F + TRACE_ADAMS_MARGIN);
    }
    return inside;
}

/* Finds the place where the step's velocity is read, by one step of Newton's method. */
IN_LOOP void predict(const trace_adams_step *step, const trace_lanes *lanes,
                     const trace_adams_trial *trial, inverse_map *inverse, arrival *to)
{
    const float half_step = 0.5F * (float)step->time;
    places at;
    vreal off[3], cells[3];
    find_places(step, trial, &at);
    find_inverse(&at, inverse);
    for (int c = 0; c < 3; c++) {
        to->mean[c] = load(lanes->velocity[c]) + half_step * load(lanes->bend[c]);
        const wide there = add_widely(lanes->x[c], step->time, to->mean[c]);
        off[c] = subtract_widely(&there, at.corner[c]) - at.value[c];
    }
    pull(inverse, off, cells);
    for (int c = 0; c < 3; c++) {
        to->local[c] = load(trial->local[c]) + cells[c];
    }
    to->is_near = is_short(cells);
    to->good = to->is_near & is_regular(inverse);
}

/* Corrects the step with the velocity at that place. */
IN_LOOP void correct(const trace_adams_step *step, const trace_lanes *lanes,
                     const inverse_map *inverse, arrival *to)
{
    const float h = (float)step->time;
    const vreal weight = h / (6.0F * (h + load(lanes->past)));
    vreal turn[3], cells[3];
    for (int c = 0; c < 3; c++) {
        turn[c] =
            h * ((to->flow[c] - load(lanes->velocity[c])) - h * load(lanes->bend[c]));
        to->mean[c] += (0.5F - weight) / h * turn[c];
    }
    pull(inverse, turn, cells);
    for (int c = 0; c < 3; c++) {
        to->good &= magnitude(weight * cells[c]) <= step->tolerance;
        to->local[c] += (0.5F - weight) * cells[c];
    }
    to->good &= is_inside(to->local);
}

/* Whether all lanes of a mask are set. */
IN_LOOP int is_all(vmask mask)
{
    int64_t parts[4];
    memcpy(parts, &mask, sizeof parts);
    return (parts[0] & parts[1] & parts[2] & parts[3]) == -1;
}

/* A new value for the lanes that are good. */
IN_LOOP void put(float *at, const arrival *to, bool all, vreal a)
{
    store(at, all ? a : select(to->good, a, load(at)));
}

/* Takes the lanes that are good over; `all`: all are. */
IN_LOOP void take(const trace_adams_step *step, const inverse_map *inverse,
                  const arrival *to, bool all, trace_lanes *lanes)
{
    const float h = (float)step->time, rate = 1.0F / h;
    vreal drift[3];
    pull(inverse, to->flow, drift);
    for (int c = 0; c < 3; c++) {
        const vreal before = load(lanes->velocity[c]);
        const vreal mean = all ? to->mean[c] : select(to->good, to->mean[c], (vreal){0});
        const wide there = add_widely(lanes->x[c], step->time, mean);
        memcpy(lanes->x[c], &there, sizeof there);
        put(lanes->velocity[c], to, all, to->flow[c]);
        put(lanes->bend[c], to, all, (to->flow[c] - before) * rate);
        put(lanes->guess[c], to, all, to->local[c] + h * drift[c]);
    }
    put(lanes->past, to, all, (vreal){0} + h);
    put(lanes->value, to, all, step->width > 3 ? to->flow[3] : (vreal){0});
}

/* Tells what became of the lanes that are not good. */
IN_LOOP void tell(const arrival *to, trace_adams_trial *trial)
{
    for (int c = 0; c < 3; c++) {
        store(trial->local[c], to->local[c]);
    }
    memcpy(trial->is_near, &to->is_near, sizeof to->is_near);
}

int KERNEL(const trace_adams_step *step, trace_lanes *lanes, trace_adams_trial *trial)
{
    inverse_map inverse;
    arrival to;
    predict(step, lanes, trial, &inverse, &to);
    find_flow(step, trial, to.local, to.flow);
    correct(step, lanes, &inverse, &to);
    const vmask takes_part = load_mask(trial->takes_part);
    to.good &= takes_part;
    memcpy(trial->good, &to.good, sizeof to.good);
    if (is_all(to.good)) {
        take(step, &inverse, &to, true, lanes);
        return 1;
    }
    take(step, &inverse, &to, false, lanes);
    tell(&to, trial);
    return is_all(to.good | ~takes_part);
}
