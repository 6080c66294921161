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

/* What the compiler should know of the cells and the flow of a step: lanes.h. */
typedef enum shape { SHAPE_ANY, SHAPE_FLAT, SHAPE_PLANAR } shape;

/* Along z nothing changes in a planar flow. */
IN_LOOP int axes_of(shape of)
{
    return of == SHAPE_PLANAR ? 2 : 3;
}

/* ---- Places ------------------------------------------------------------------------ */

/* A place in the cell of each lane. */
typedef struct places {
    vreal from[3];  /* from the lowest vertex to the place */
    vreal by[3][3]; /* its derivatives by the local coordinates */
} places;

IN_LOOP vreal factor(const trace_guess *guess, int number, int axis, int first)
{
    return load(trace_guess_map(guess, trace_map_row(number, axis)) + first);
}

/* The place at local coordinates r, s, t. */
IN_LOOP void find_place(const trace_guess *guess, int first, const vreal local[3],
                        int axis, places *out)
{
    const vreal r = local[0], s = local[1], t = local[2];
    const vreal of_s = factor(guess, TRACE_MAP_S, axis, first),
                of_t = factor(guess, TRACE_MAP_T, axis, first),
                of_rs = factor(guess, TRACE_MAP_RS, axis, first),
                of_st = factor(guess, TRACE_MAP_ST, axis, first),
                of_rst = factor(guess, TRACE_MAP_RST, axis, first);
    const vreal rise = factor(guess, TRACE_MAP_RT, axis, first) + s * of_rst,
                along = of_s + t * of_st;
    out->by[0][axis] = (factor(guess, TRACE_MAP_R, axis, first) + s * of_rs) + t * rise;
    out->by[1][axis] = along + r * (of_rs + t * of_rst);
    out->by[2][axis] = (of_t + s * of_st) + r * rise;
    out->from[axis] = r * out->by[0][axis] + (s * along + t * of_t);
}

/* The same in a flat cell, along x and y: the same values. */
IN_LOOP void find_place_in_plane(const trace_guess *guess, int first,
                                 const vreal local[3], int axis, places *out)
{
    const vreal of_s = factor(guess, TRACE_MAP_S, axis, first),
                of_rs = factor(guess, TRACE_MAP_RS, axis, first);
    out->by[0][axis] = factor(guess, TRACE_MAP_R, axis, first) + local[1] * of_rs;
    out->by[1][axis] = of_s + local[0] * of_rs;
    out->by[2][axis] = (vreal){0};
    out->from[axis] = local[0] * out->by[0][axis] + local[1] * of_s;
}

IN_LOOP void find_places(const trace_guess *guess, int first, shape of,
                         const vreal local[3], places *out)
{
    for (int axis = 0; axis < 3; axis++) {
        if (of == SHAPE_ANY) {
            find_place(guess, first, local, axis, out);
        } else if (axis < 2) {
            find_place_in_plane(guess, first, local, axis, out);
        } else {
            const vreal of_t = factor(guess, TRACE_MAP_T, axis, first);
            out->by[0][axis] = out->by[1][axis] = (vreal){0};
            out->by[2][axis] = of_t;
            out->from[axis] = of == SHAPE_PLANAR ? (vreal){0} : local[2] * of_t;
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

IN_LOOP void find_inverse(const places *at, shape of, inverse_map *out)
{
    const vreal *r = at->by[0], *s = at->by[1], *t = at->by[2], none = {0};
    if (of != SHAPE_ANY) { /* the same with zeros left out */
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
IN_LOOP void pull(const inverse_map *inverse, shape of, const vreal vector[3],
                  vreal cells[3])
{
    for (int c = 0; c < axes_of(of); c++) {
        const vreal *normal = inverse->normal[c];
        const vreal along = of == SHAPE_ANY ? dot(vector, normal)
                            : c < 2 ? vector[0] * normal[0] + vector[1] * normal[1]
                                    : vector[2] * normal[2];
        cells[c] = along * inverse->share;
    }
}

/* Whether the determinant is in the range of numbers whose products are precise. */
IN_LOOP vmask is_regular(const inverse_map *inverse)
{
    const vreal size = magnitude(inverse->determinant);
    return both(are_at_most((vreal){0} + 1e-30F, size),
                are_at_most(size, (vreal){0} + 1e30F));
}

/* ---- The step ---------------------------------------------------------------------- */

/* The work at lanes `first` to `first` + SPAN - 1. */
typedef struct task {
    const trace_adams_step *step;
    trace_guess guess; /* not by address: then it stays in registers */
    trace_lanes lanes;
    int first;
    shape of; /* known to the compiler */
} task;

/* The end of a step. */
typedef struct arrival {
    vreal weight;  /* h / (6 (h + H)) */
    vreal mean[3]; /* velocity on the way */
    vreal local[3], flow[4];
    vreal next[3]; /* the guess for the next step */
    vmask is_near, good, takes_part;
} arrival;

/* Whether a place was found: a short way from the guess. The error of Newton's step is
 * of the order of its square. */
IN_LOOP vmask is_short(shape of, const vreal cells[3])
{
    const float most = 1.0F / 256.0F;
    vmask all = full_mask();
    for (int c = 0; c < axes_of(of); c++) {
        all = both(all, are_at_most(magnitude(cells[c]), (vreal){0} + most));
    }
    return all;
}

IN_LOOP vmask is_inside(shape of, const vreal local[3])
{
    const vreal least = (vreal){0} - TRACE_ADAMS_MARGIN,
                most = (vreal){0} + (1.0F + TRACE_ADAMS_MARGIN);
    vmask inside = full_mask();
    for (int c = 0; c < axes_of(of); c++) {
        inside =
            both(inside, both(are_at_most(least, local[c]), are_at_most(local[c], most)));
    }
    return inside;
}

/* Zero where a step of Newton's method is as short as rounding. So a particle that does
 * not move along k keeps its place there, and planar flows may leave it out. */
IN_LOOP vreal settle(vreal cells)
{
    const float least = 1.0F / (1 << 22);
    return choose(are_at_most(magnitude(cells), (vreal){0} + least), (vreal){0}, cells);
}

/* Finds the place where the step's velocity is read, by one step of Newton's method from
 * a guess. */
IN_LOOP void predict(task t, inverse_map *inverse, arrival *to)
{
    const float h = (float)t.step->time;
    vreal local[3], off[3], cells[3];
    places at;
    for (int c = 0; c < axes_of(t.of); c++) {
        local[c] = load(trace_guess_local(&t.guess, c) + t.first);
    }
    find_places(&t.guess, t.first, t.of, local, &at);
    find_inverse(&at, t.of, inverse);
    for (int c = 0; c < axes_of(t.of); c++) {
        const vreal v = load(trace_lanes_velocity(&t.lanes, c) + t.first),
                    bend = load(trace_lanes_bend(&t.lanes, c) + t.first);
        to->mean[c] = v + 0.5F * h * bend;
        off[c] = (load_narrow(trace_guess_x(&t.guess, c) + t.first) - at.from[c]) +
                 h * to->mean[c];
    }
    pull(inverse, t.of, off, cells);
    for (int c = 0; c < axes_of(t.of); c++) {
        to->local[c] = local[c] + (c < 2 ? cells[c] : settle(cells[c]));
    }
    to->is_near = is_short(t.of, cells);
    to->good = both(to->is_near, is_regular(inverse));
}

/* Corrects the step with the velocity at that place. */
IN_LOOP void correct(task t, const inverse_map *inverse, arrival *to)
{
    const float h = (float)t.step->time;
    const vreal weight = to->weight;
    vreal turn[3], cells[3];
    for (int c = 0; c < axes_of(t.of); c++) {
        const vreal v = load(trace_lanes_velocity(&t.lanes, c) + t.first),
                    bend = load(trace_lanes_bend(&t.lanes, c) + t.first);
        const vreal change = (to->flow[c] - v) - h * bend;
        turn[c] = h * change;
        to->mean[c] += (0.5F - weight) * change;
    }
    pull(inverse, t.of, turn, cells);
    for (int c = 0; c < axes_of(t.of); c++) {
        to->good = both(to->good, are_at_most(magnitude(weight * cells[c]),
                                              (vreal){0} + t.step->tolerance));
        to->local[c] += (0.5F - weight) * cells[c];
    }
    to->good = both(to->good, is_inside(t.of, to->local));
}

/* Positions after a step along an axis, in double precision: half of the lanes. */
IN_LOOP vwide find_x(task t, const arrival *to, int axis, int which)
{
    return add_widely(trace_guess_x(&t.guess, axis) + t.first, t.step->time,
                      to->mean[axis], which);
}

/* The mean acceleration in the step along an axis. */
IN_LOOP vreal find_bend(task t, const arrival *to, int axis)
{
    const float rate = 1.0F / (float)t.step->time;
    return (to->flow[axis] - load(trace_lanes_velocity(&t.lanes, axis) + t.first)) * rate;
}

/* Takes all lanes over. */
IN_LOOP void take_all(task t, const arrival *to)
{
    const trace_lanes *lanes = &t.lanes;
    for (int c = 0; c < axes_of(t.of); c++) {
        double *x = trace_guess_x(&lanes->guess, c) + t.first;
        for (int n = 0; n < 2; n++) {
            const vwide half = find_x(t, to, c, n);
            memcpy(x + SPAN / 2 * n, &half, sizeof half);
        }
        store(trace_lanes_bend(lanes, c) + t.first, find_bend(t, to, c));
        store(trace_lanes_velocity(lanes, c) + t.first, to->flow[c]);
        store(trace_guess_local(&lanes->guess, c) + t.first, to->next[c]);
    }
    if (t.step->width > 3) {
        store(lanes->value->value + t.first, to->flow[3]);
    }
}

/* A new value for the lanes that are good. */
IN_LOOP void put(float *at, vmask good, vreal a)
{
    store(at, choose(good, a, load(at)));
}

/* Takes the lanes over that are good. */
IN_LOOP void take_good(task t, const arrival *to)
{
    const trace_lanes *lanes = &t.lanes;
    const uint32_t good = bits_of(to->good);
    for (int c = 0; c < axes_of(t.of); c++) {
        const vwide halves[2] = {find_x(t, to, c, 0), find_x(t, to, c, 1)};
        double x[SPAN];
        memcpy(x, halves, sizeof x);
        for (int n = 0; n < SPAN; n++) {
            double *at = &trace_guess_x(&lanes->guess, c)[t.first + n];
            *at = good >> n & 1 ? x[n] : *at;
        }
        put(trace_lanes_bend(lanes, c) + t.first, to->good, find_bend(t, to, c));
        put(trace_lanes_velocity(lanes, c) + t.first, to->good, to->flow[c]);
        put(trace_guess_local(&lanes->guess, c) + t.first, to->good, to->next[c]);
    }
    if (t.step->width > 3) {
        put(lanes->value->value + t.first, to->good, to->flow[3]);
    }
}

/* Corrects the step, and takes it over. Returns whether all that take part are good and
 * stay in their cells. */
IN_LOOP int finish(task t, const inverse_map *inverse, arrival *to)
{
    vreal drift[3];
    to->takes_part = are_present(t.guess.plane->cell + t.first);
    correct(t, inverse, to);
    to->good = both(to->good, to->takes_part);
    pull(inverse, t.of, to->flow, drift);
    for (int c = 0; c < axes_of(t.of); c++) {
        to->next[c] = to->local[c] + (float)t.step->time * drift[c];
    }
    if (is_all(to->good)) {
        take_all(t, to);
    } else {
        take_good(t, to);
    }
    return is_all(
        either(both(to->good, is_inside(t.of, to->next)), opposite(to->takes_part)));
}

enum { PARTS = TRACE_LANES / SPAN };

/* The work at one part after the other. */
IN_LOOP task task_of(task t, int part)
{
    t.first = part * SPAN;
    return t;
}

/* Finds the weights of all lanes. */
IN_LOOP void find_weights(task t, arrival to[])
{
    const float h = (float)t.step->time, past = t.lanes.plane->common.past;
    const float common = h / (6.0F * (h + past));
#pragma GCC unroll 1
    for (int n = 0; n < PARTS; n++) {
        to[n].weight = (vreal){0} + common;
    }
#pragma GCC unroll 1
    for (int n = 0; n < PARTS && !(past > 0.0F); n++) {
        to[n].weight = h / (6.0F * (h + load(t.lanes.rest->past + n * SPAN)));
    }
}

/* Finds the flow at the ends of a step. */
IN_LOOP void find_flows(task t, int width, arrival to[PARTS])
{
#pragma GCC unroll 1
    for (int n = 0; n < PARTS; n++) {
        find_flow(t.step, &t.guess, n * SPAN, (flow_shape){width, t.of != SHAPE_ANY},
                  to[n].local, to[n].flow);
    }
}

/* Notes the time of the step for the lanes that have made it. Writes to memory that is in
 * no cache if they differ. */
IN_LOOP void note_time(task t, const arrival to[PARTS])
{
    const vreal h = (vreal){0} + (float)t.step->time;
    const float common = t.lanes.plane->common.past;
    bool are_good = t.guess.plane == t.lanes.guess.plane; /* in the first trial */
    for (int n = 0; n < PARTS; n++) {
        are_good &= is_all(either(to[n].good, opposite(to[n].takes_part)));
    }
    for (int n = 0; n < PARTS && !are_good; n++) {
        float *past = t.lanes.rest->past + n * SPAN;
        store(past,
              choose(to[n].good, h, common > 0.0F ? (vreal){0} + common : load(past)));
    }
    t.lanes.plane->common.past = are_good ? (float)t.step->time : 0.0F;
}

/* Tells what became of lanes of which some are not good, or leave their cells. */
IN_LOOP void tell(task t, const arrival to[PARTS], trace_adams_outcome *outcome)
{
    outcome->good = outcome->leaves = outcome->is_near = 0;
    outcome->axes = axes_of(t.of);
    for (int n = 0; n < PARTS; n++) {
        const int first = n * SPAN;
        const vmask good = to[n].good;
        const vmask leaves = both(good, opposite(is_inside(t.of, to[n].next)));
        for (int c = 0; c < axes_of(t.of); c++) {
            store(outcome->local[c] + first, to[n].local[c]);
        }
        outcome->good |= bits_of(good) << first;
        outcome->is_near |= bits_of(to[n].is_near) << first;
        outcome->leaves |= bits_of(leaves) << first;
    }
    note_time(t, to);
}

/* The work goes in stages, so that the processor may work at several vectors at once. */
IN_LOOP int move(task t, trace_adams_outcome *outcome)
{
    inverse_map inverse[PARTS];
    arrival to[PARTS];
    int stay = 1;
    find_weights(t, to);
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
        stay &= finish(task_of(t, n), &inverse[n], &to[n]);
    }
    if (stay && t.guess.plane == t.lanes.guess.plane) {
        t.lanes.plane->common.past = (float)t.step->time;
    } else {
        tell(t, to, outcome);
    }
    return stay;
}

IN_LOOP int move_shape(task t, shape of, trace_adams_outcome *outcome)
{
    t.of = of;
    return move(t, outcome);
}

int KERNEL(const trace_adams_step *step, const trace_guess *guess,
           const trace_lanes *lanes, trace_adams_outcome *outcome)
{
    const task t = {.step = step, .guess = *guess, .lanes = *lanes};
    return step->is_planar && lanes->plane->common.is_planar
               ? move_shape(t, SHAPE_PLANAR, outcome)
           : step->is_flat ? move_shape(t, SHAPE_FLAT, outcome)
                           : move_shape(t, SHAPE_ANY, outcome);
}
