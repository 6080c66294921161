/*
 * One step of a block of particles, a lane for each. A file that includes this header has
 * defined KERNEL, and is compiled with the options of one instruction set. The result of
 * a lane never depends on the others, and has the same bits for every instruction set.
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

IN_LOOP vreal factor(const trace_guess *guess, int number, int axis, int first)
{
    return load(guess->map[number][axis] + first);
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

IN_LOOP void find_places(const trace_guess *guess, int first, const vreal local[3],
                         places *out)
{
    for (int axis = 0; axis < 3; axis++) {
        find_place(guess, first, local, axis, out);
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

IN_LOOP void find_inverse(const places *at, inverse_map *out)
{
    const vreal *r = at->by[0], *s = at->by[1], *t = at->by[2];
    cross(s, t, out->normal[0]);
    cross(t, r, out->normal[1]);
    cross(r, s, out->normal[2]);
    out->determinant = dot(r, out->normal[0]);
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
    return (size >= 1e-30F) & (size <= 1e30F);
}

/* ---- The step ---------------------------------------------------------------------- */

/* The work at lanes `first` to `first` + SPAN - 1. */
typedef struct task {
    const trace_adams_step *step;
    const trace_guess *guess;
    trace_lanes *lanes;
    int first;
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
    vmask all = {0};
    for (int c = 0; c < 3; c++) {
        all |= ~(magnitude(cells[c]) <= most);
    }
    return ~all;
}

IN_LOOP vmask is_inside(const vreal local[3])
{
    const float least = -TRACE_ADAMS_MARGIN, most = 1.0F + TRACE_ADAMS_MARGIN;
    vmask outside = {0};
    for (int c = 0; c < 3; c++) {
        outside |= ~((local[c] >= least) & (local[c] <= most));
    }
    return ~outside;
}

/* Zero where a step of Newton's method is as short as rounding. So a particle that does
 * not move along k keeps its place there. */
IN_LOOP vreal settle(vreal cells)
{
    const float least = 1.0F / (1 << 22);
    return choose(magnitude(cells) <= least, (vreal){0}, cells);
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
    find_places(t.guess, t.first, local, &at);
    find_inverse(&at, inverse);
    for (int c = 0; c < 3; c++) {
        const vwide x = load_wide(t.guess->x[c] + t.first);
        const vreal v = load(t.lanes->velocity[c] + t.first),
                    bend = load(t.lanes->bend[c] + t.first);
        to->mean[c] = v + 0.5F * h * bend;
        off[c] = (__builtin_convertvector(x, vreal) - at.from[c]) + h * to->mean[c];
    }
    pull(inverse, off, cells);
    for (int c = 0; c < 3; c++) {
        to->local[c] = local[c] + (c < 2 ? cells[c] : settle(cells[c]));
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
    pull(inverse, turn, cells);
    for (int c = 0; c < 3; c++) {
        to->good &= magnitude(weight * cells[c]) <= t.step->tolerance;
        to->local[c] += (0.5F - weight) * cells[c];
    }
    to->good &= is_inside(to->local);
}

/* Takes the lanes over that are good. */
IN_LOOP void take_good(task t, const arrival *to)
{
    trace_lanes *lanes = t.lanes;
    const float h = (float)t.step->time, rate = 1.0F / h;
    for (int c = 0; c < 3; c++) {
        double *x = lanes->guess.x[c] + t.first;
        float *v = lanes->velocity[c] + t.first;
        const vwide mean = __builtin_convertvector(to->mean[c], vwide);
        put_wide(x, to->good, load_wide(t.guess->x[c] + t.first) + t.step->time * mean);
        put(lanes->bend[c] + t.first, to->good, (to->flow[c] - load(v)) * rate);
        put(v, to->good, to->flow[c]);
        put(lanes->guess.local[c] + t.first, to->good, to->next[c]);
    }
    put(lanes->past + t.first, to->good, (vreal){0} + h);
    if (t.step->width > 3) {
        put(lanes->value + t.first, to->good, to->flow[3]);
    }
}

/* Corrects the step, and takes it over. Returns whether all that take part are good and
 * stay in their cells. */
IN_LOOP int finish(task t, const inverse_map *inverse, arrival *to)
{
    vreal drift[3];
    const vmask takes_part = are_present(t.guess->cell + t.first);
    correct(t, inverse, to);
    to->good &= takes_part;
    pull(inverse, to->flow, drift);
    for (int c = 0; c < 3; c++) {
        to->next[c] = to->local[c] + (float)t.step->time * drift[c];
    }
    take_good(t, to);
    return is_all((to->good & is_inside(to->next)) | ~takes_part);
}

enum { PARTS = TRACE_LANES / SPAN };

/* Tells what became of lanes of which some are not good, or leave their cells. */
IN_LOOP void tell(const arrival to[PARTS], trace_adams_outcome *outcome)
{
    outcome->good = outcome->leaves = outcome->is_near = 0;
    for (int n = 0; n < PARTS; n++) {
        const int first = n * SPAN;
        for (int c = 0; c < 3; c++) {
            store(outcome->local[c] + first, to[n].local[c]);
        }
        outcome->good |= bits_of(to[n].good) << first;
        outcome->is_near |= bits_of(to[n].is_near) << first;
        outcome->leaves |= bits_of(to[n].good & ~is_inside(to[n].next)) << first;
    }
}

int KERNEL(const trace_adams_step *step, const trace_guess *guess, trace_lanes *lanes,
           trace_adams_outcome *outcome)
{
    arrival to[PARTS];
    int stay = 1;
    for (int n = 0; n < PARTS; n++) {
        const task t = {step, guess, lanes, n * SPAN};
        inverse_map inverse;
        predict(t, &inverse, &to[n]);
        if (step->width == 3) {
            find_flow(step, 3, guess, t.first, to[n].local, to[n].flow);
        } else {
            find_flow(step, 4, guess, t.first, to[n].local, to[n].flow);
        }
        stay &= finish(t, &inverse, &to[n]);
    }
    if (!stay) {
        tell(to, outcome);
    }
    return stay;
}
