/*
 * One step of a block of particles, a lane for each. A file that includes this header has
 * defined KERNEL, and is compiled with the options of one instruction set; WIDE for
 * vectors of 64 bytes rather than 32; PLAIN if the compiler may not know
 * __builtin_shufflevector. The result of a lane never depends on the others, and has the
 * same bits for every instruction set.
 */
#include "flow.h"
#include "lanes.h"
#include "vectors.h"

/* ---- Places ------------------------------------------------------------------------ */

/* A place in the cell of each lane. */
typedef struct places {
    vreal from[3];  /* from the lowest vertex to the place */
    vreal by[3][3]; /* its derivatives by the local coordinates */
} places;

IN_LOOP vreal factor(const trace_adams_map *map, int number, int axis, int first)
{
    return load(map->row[trace_map_row(number, axis)] + first);
}

/* The place at local coordinates r, s, t. */
IN_LOOP void find_place(const trace_adams_map *map, int first, const vreal local[3],
                        int axis, places *out)
{
    const vreal r = local[0], s = local[1], t = local[2];
    const vreal of_s = factor(map, TRACE_MAP_S, axis, first),
                of_t = factor(map, TRACE_MAP_T, axis, first),
                of_rs = factor(map, TRACE_MAP_RS, axis, first),
                of_st = factor(map, TRACE_MAP_ST, axis, first),
                of_rst = factor(map, TRACE_MAP_RST, axis, first);
    const vreal rise = factor(map, TRACE_MAP_RT, axis, first) + s * of_rst,
                along = of_s + t * of_st;
    out->by[0][axis] = (factor(map, TRACE_MAP_R, axis, first) + s * of_rs) + t * rise;
    out->by[1][axis] = along + r * (of_rs + t * of_rst);
    out->by[2][axis] = (of_t + s * of_st) + r * rise;
    out->from[axis] = r * out->by[0][axis] + (s * along + t * of_t);
}

/* The same in a flat cell, along x and y: the same values. */
IN_LOOP void find_place_in_plane(const trace_adams_map *map, int first,
                                 const vreal local[3], int axis, places *out)
{
    const vreal of_s = factor(map, TRACE_MAP_S, axis, first),
                of_rs = factor(map, TRACE_MAP_RS, axis, first);
    out->by[0][axis] = factor(map, TRACE_MAP_R, axis, first) + local[1] * of_rs;
    out->by[1][axis] = of_s + local[0] * of_rs;
    out->by[2][axis] = (vreal){0};
    out->from[axis] = local[0] * out->by[0][axis] + local[1] * of_s;
}

IN_LOOP void find_places(const trace_adams_map *map, int first, bool is_flat,
                         const vreal local[3], places *out)
{
    for (int axis = 0; axis < 3; axis++) {
        if (!is_flat) {
            find_place(map, first, local, axis, out);
        } else if (axis < 2) {
            find_place_in_plane(map, first, local, axis, out);
        } else {
            const vreal of_t = factor(map, TRACE_MAP_T, axis, first);
            out->by[0][axis] = out->by[1][axis] = (vreal){0};
            out->by[2][axis] = of_t;
            out->from[axis] = local[2] * of_t;
        }
    }
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

IN_LOOP void find_inverse(const places *at, bool is_flat, inverse_map *out)
{
    const vreal *r = at->by[0], *s = at->by[1], *t = at->by[2], none = {0};
    if (is_flat) { /* the same with zeros left out */
        out->normal[0][0] = s[1] * t[2];
        out->normal[0][1] = none - s[0] * t[2];
        out->normal[1][0] = none - t[2] * r[1];
        out->normal[1][1] = t[2] * r[0];
        out->normal[2][2] = r[0] * s[1] - r[1] * s[0];
        out->determinant = r[0] * out->normal[0][0] + r[1] * out->normal[0][1];
    } else {
        cross(s, t, out->normal[0]);
        cross(t, r, out->normal[1]);
        cross(r, s, out->normal[2]);
        out->determinant = dot(r, out->normal[0]);
    }
    out->share = 1.0F / out->determinant;
}

/* Lengths in cells of a vector in space. */
IN_LOOP void pull(const inverse_map *inverse, bool is_flat, const vreal vector[3],
                  vreal cells[3])
{
    for (int c = 0; c < 3; c++) {
        const vreal *normal = inverse->normal[c];
        const vreal along = !is_flat ? dot(vector, normal)
                            : c < 2  ? vector[0] * normal[0] + vector[1] * normal[1]
                                     : vector[2] * normal[2];
        cells[c] = along * inverse->share;
    }
}

/* Whether the determinant is in the range of numbers whose products are precise. */
IN_LOOP vmask is_regular(const inverse_map *inverse)
{
    const vreal size = magnitude(inverse->determinant);
    return (size > 1e-30F) & (size < 1e30F);
}

/* ---- The step ---------------------------------------------------------------------- */

/* The work at lanes `first` to `first` + SPAN - 1. */
typedef struct task {
    const trace_adams_step *step;
    const trace_adams_guess *guess;
    trace_lanes *lanes;
    int first;
    bool is_flat; /* that of the step, known to the compiler */
} task;

/* The end of a step. */
typedef struct arrival {
    vreal mean[3]; /* velocity on the way */
    vreal local[3], flow[4];
    vreal next[3]; /* the guess for the next step */
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

/* Finds the place where the step's velocity is read, by one step of Newton's method from
 * a guess. */
IN_LOOP void predict(task t, inverse_map *inverse, arrival *to)
{
    const float h = (float)t.step->time;
    vreal local[3], off[3], cells[3];
    places at;
    for (int c = 0; c < 3; c++) {
        local[c] = load(t.guess->local[c] + t.first);
    }
    find_places(&t.guess->map, t.first, t.is_flat, local, &at);
    find_inverse(&at, t.is_flat, inverse);
    for (int c = 0; c < 3; c++) {
        const vreal v = load(t.lanes->velocity[c] + t.first),
                    bend = load(t.lanes->bend[c] + t.first);
        to->mean[c] = v + 0.5F * h * bend;
        off[c] = (load_narrow(t.guess->x[c] + t.first) - at.from[c]) + h * to->mean[c];
    }
    pull(inverse, t.is_flat, off, cells);
    for (int c = 0; c < 3; c++) {
        to->local[c] = local[c] + cells[c];
    }
    to->is_near = is_short(cells);
    to->good = to->is_near & is_regular(inverse);
}

/* Corrects the step with the velocity at that place. */
IN_LOOP void correct(task t, const inverse_map *inverse, arrival *to)
{
    const float h = (float)t.step->time;
    const vreal weight = h / (6.0F * (h + load(t.lanes->past + t.first)));
    vreal turn[3], cells[3];
    for (int c = 0; c < 3; c++) {
        const vreal v = load(t.lanes->velocity[c] + t.first),
                    bend = load(t.lanes->bend[c] + t.first);
        const vreal change = (to->flow[c] - v) - h * bend;
        turn[c] = h * change;
        to->mean[c] += (0.5F - weight) * change;
    }
    pull(inverse, t.is_flat, turn, cells);
    for (int c = 0; c < 3; c++) {
        to->good &= magnitude(weight * cells[c]) <= t.step->tolerance;
        to->local[c] += (0.5F - weight) * cells[c];
    }
    to->good &= is_inside(to->local);
}

/* Whether all lanes of a mask are set. */
IN_LOOP int is_all(vmask mask)
{
#ifdef WIDE
    return _mm512_movepi32_mask((__m512i)mask) == 0xffff;
#else
    int64_t parts[SPAN / 2], all = -1;
    memcpy(parts, &mask, sizeof parts);
    for (int n = 0; n < SPAN / 2; n++) {
        all &= parts[n];
    }
    return all == -1;
#endif
}

/* A new value for the lanes that are good. */
IN_LOOP void put(float *at, const arrival *to, bool all, vreal a)
{
    store(at, all ? a : choose(to->good, a, load(at)));
}

/* The same for numbers in double precision. */
IN_LOOP void put_widely(double *at, const arrival *to, bool all, const wide *a)
{
    double lane[SPAN];
    if (all) {
        memcpy(at, a, sizeof *a);
        return;
    }
    memcpy(lane, a, sizeof *a);
    for (int n = 0; n < SPAN; n++) {
        at[n] = to->good[n] ? lane[n] : at[n];
    }
}

/* Takes the lanes that are good over; `all`: all are. */
IN_LOOP void take(task t, const arrival *to, bool all)
{
    const float h = (float)t.step->time, rate = 1.0F / h;
    trace_lanes *lanes = t.lanes;
    for (int c = 0; c < 3; c++) {
        const vreal before = load(lanes->velocity[c] + t.first);
        const wide there = add_widely(t.guess->x[c] + t.first, t.step->time, to->mean[c]);
        put_widely(lanes->guess.x[c] + t.first, to, all, &there);
        put(lanes->velocity[c] + t.first, to, all, to->flow[c]);
        put(lanes->bend[c] + t.first, to, all, (to->flow[c] - before) * rate);
        put(lanes->guess.local[c] + t.first, to, all, to->next[c]);
    }
    put(lanes->past + t.first, to, all, (vreal){0} + h);
    if (t.step->width > 3) {
        put(lanes->value + t.first, to, all, to->flow[3]);
    }
}

/* Tells what became of the lanes. */
IN_LOOP void tell(const arrival *to, int first, trace_adams_outcome *outcome)
{
    const vmask leaves = to->good & ~is_inside(to->next);
    for (int c = 0; c < 3; c++) {
        store(outcome->local[c] + first, to->local[c]);
    }
    memcpy(outcome->good + first, &to->good, sizeof to->good);
    memcpy(outcome->is_near + first, &to->is_near, sizeof to->is_near);
    memcpy(outcome->leaves + first, &leaves, sizeof leaves);
}

/* Corrects the step, and takes it over. Returns whether all that take part are good and
 * stay in their cells. */
IN_LOOP int finish(task t, const inverse_map *inverse, arrival *to)
{
    const vmask takes_part = load_mask(t.guess->cell + t.first) >= 0;
    vreal drift[3];
    correct(t, inverse, to);
    to->good &= takes_part;
    pull(inverse, t.is_flat, to->flow, drift);
    for (int c = 0; c < 3; c++) {
        to->next[c] = to->local[c] + (float)t.step->time * drift[c];
    }
    if (is_all(to->good)) {
        take(t, to, true);
    } else {
        take(t, to, false);
    }
    return is_all((to->good & is_inside(to->next)) | ~takes_part);
}

enum { PARTS = TRACE_LANES / SPAN };

/* The work at one part after the other. */
IN_LOOP task task_of(task t, int part)
{
    t.first = part * SPAN;
    return t;
}

/* Finds the flow at the ends of a step. */
IN_LOOP void find_flows(task t, int width, arrival to[PARTS])
{
#pragma GCC unroll 1
    for (int n = 0; n < PARTS; n++) {
        find_flow(t.step, t.guess, n * SPAN, (flow_shape){width, t.is_flat}, to[n].local,
                  to[n].flow);
    }
}

/* The work goes in stages, so that the processor may work at several vectors at once. */
IN_LOOP int move(task t, trace_adams_outcome *outcome)
{
    inverse_map inverse[PARTS];
    arrival to[PARTS];
    int all = 1;
#pragma GCC unroll 1
    for (int n = 0; n < PARTS; n++) {
        predict(task_of(t, n), &inverse[n], &to[n]);
    }
    if (t.step->width == 3) {
        find_flows(t, 3, to);
    } else {
        find_flows(t, 4, to);
    }
#pragma GCC unroll 1
    for (int n = 0; n < PARTS; n++) {
        all &= finish(task_of(t, n), &inverse[n], &to[n]);
    }
#pragma GCC unroll 1
    for (int n = 0; n < PARTS && !all; n++) {
        tell(&to[n], n * SPAN, outcome);
    }
    return all;
}

int KERNEL(const trace_adams_step *step, const trace_adams_guess *guess,
           trace_lanes *lanes, trace_adams_outcome *outcome)
{
    return step->is_flat ? move((task){step, guess, lanes, 0, true}, outcome)
                         : move((task){step, guess, lanes, 0, false}, outcome);
}
