/* Particles that make short steps: their states in lanes, for the kernels of adams/. */
#include "particle.h"

#include "adams/ahead.h"
#include "base/lanes/choose.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

trace_adams_kernel *const *trace_adams_kernels(void)
{
    static trace_adams_kernel *const all[] = {
#ifdef KARMAN_X86_KERNELS
        trace_adams_avx512, trace_adams_avx2,
#endif
#ifdef KARMAN_FOUR_KERNELS
        trace_adams_four,
#endif
        trace_adams_plain, NULL};
    return all + lanes_missing();
}

/* ---- Lanes ------------------------------------------------------------------------- */

/* Puts a particle into an empty lane if its cell is on this rank. */
static void enter(const grid_store *store, const trace_particle *p,
                  const trace_lanes *lanes, int lane)
{
    trace_corners corners;
    if (trace_cell_look(store, &p->cell, &corners) != TRACE_PRESENT) {
        return;
    }
    for (int c = 0; c < 3; c++) {
        trace_guess_x(&lanes->guess, c)[lane] = p->x[c];
        lanes->rest->cell[lane].corner[c] = 0.0F;
        trace_lanes_velocity(lanes, c)[lane] = (float)p->velocity[c];
        trace_lanes_bend(lanes, c)[lane] = (float)p->bend[c];
        trace_guess_local(&lanes->guess, c)[lane] = (float)p->place.local[c];
    }
    trace_lanes_put_past((float)p->past, lanes, lane);
    lanes->value->value[lane] = (float)p->value;
    trace_guess_set_cell(store, &corners, lane, &lanes->guess);
    trace_lanes_put_cell(&p->cell, lanes, lane);
    trace_lanes_fill(lanes, lane);
}

void trace_lanes_read(const trace_lanes *lanes, int lane, double time, trace_particle *p)
{
    p->time = time;
    p->cell = trace_lanes_cell(lanes, lane);
    for (int c = 0; c < 3; c++) {
        p->x[c] = trace_lanes_x(lanes, lane, c);
        p->velocity[c] = (double)trace_lanes_velocity(lanes, c)[lane];
        p->bend[c] = (double)trace_lanes_bend(lanes, c)[lane];
        p->place.local[c] = (double)trace_guess_local(&lanes->guess, c)[lane];
    }
    p->past = (double)trace_lanes_past(lanes, lane);
    p->value = (double)lanes->value->value[lane];
}

void trace_lanes_leave(const trace_lanes *lanes, int lane, double time, trace_particle *p)
{
    trace_lanes_read(lanes, lane, time, p);
    trace_lanes_empty(lanes, lane);
}

/* ---- Trials ------------------------------------------------------------------------ */

/* A step of a block of particles in the making. */
typedef struct attempt {
    trace_guess_parts parts;
    trace_guess guess;            /* these parts: of those that have not made it */
    trace_adams_outcome outcome;  /* of the last trial */
    trace_cell cell[TRACE_LANES]; /* of those that have left their own cell */
    uint32_t has_moved;           /* bits of these */
} attempt;

static bool has_lane(uint32_t bits, int lane)
{
    return bits >> lane & 1;
}

/* Whether lane n may be tried again after the first trial: prepare() finds out. */
static bool may_go_on(const grid_store *store, const trace_lanes *lanes, int n,
                      const trace_adams_outcome *outcome)
{
    const trace_cell own = trace_lanes_cell(lanes, n);
    trace_cell next = own;
    bool has_left = false;
    for (int c = 0; c < outcome->axes; c++) {
        const int side = trace_ahead_side(outcome->local[c][n]);
        next.at[c] += side;
        has_left |= side != 0;
    }
    return has_left ? trace_ahead_share_brick(store->layout, &own, &next)
                    : !has_lane(outcome->is_near, n);
}

/* The same for any of some lanes. */
static bool may_any_go_on(const grid_store *store, const trace_lanes *lanes,
                          uint32_t left, const trace_adams_outcome *outcome)
{
    bool any = false;
    for (uint32_t bits = left; bits && !any; bits &= bits - 1) {
        any = may_go_on(store, lanes, trace_lanes_first(bits), outcome);
    }
    return any;
}

/* Prepares another trial of lane n: with a better guess, or in another cell of the
 * brick. Cells of other bricks may be on another rank, but all ranks must do the same.
 * Returns false if the step cannot be made this way. */
static bool prepare(const grid_store *store, const trace_lanes *lanes, int n, attempt *a)
{
    const trace_cell own = trace_lanes_cell(lanes, n);
    trace_cell next = has_lane(a->has_moved, n) ? a->cell[n] : own;
    trace_corners corners;
    for (int c = 0; c < a->outcome.axes; c++) {
        trace_guess_local(&a->guess, c)[n] = a->outcome.local[c][n];
        if (!isfinite(a->outcome.local[c][n])) {
            return false;
        }
    }
    if (!trace_ahead_leave_cell(&a->guess, n, a->outcome.axes, &next)) {
        return !has_lane(a->outcome.is_near, n); /* its error was too large */
    }
    if (!trace_ahead_share_brick(store->layout, &own, &next) ||
        trace_cell_look(store, &next, &corners) != TRACE_PRESENT) {
        return false;
    }
    a->cell[n] = next;
    a->has_moved |= 1U << n;
    trace_guess_set_cell(store, &corners, n, &a->guess);
    return true;
}

/* Prepares the lanes in *left, those that have not made the step; returns whether any
 * goes on. */
static bool prepare_all(const grid_store *store, const trace_lanes *lanes, uint32_t left,
                        attempt *a)
{
    uint32_t go_on = 0;
    for (uint32_t bits = left; bits; bits &= bits - 1) {
        const int n = trace_lanes_first(bits);
        go_on |=
            a->guess.plane->cell[n] >= 0 && prepare(store, lanes, n, a) ? 1U << n : 0;
    }
    for (int n = 0; n < TRACE_LANES; n++) {
        a->guess.plane->cell[n] = has_lane(go_on, n) ? a->guess.plane->cell[n] : -1;
    }
    return go_on != 0;
}

/* ---- Steps ------------------------------------------------------------------------- */

/* What became of a block of particles: bits. */
typedef struct fates {
    uint32_t left;   /* they have not made the step */
    uint32_t leaves; /* their next step is guessed to leave the cell */
} fates;

/* Bits of the lanes with guesses. */
static uint32_t find_guesses(const trace_guess *guess)
{
    uint32_t bits = 0;
    for (int n = 0; n < TRACE_LANES; n++) {
        bits |= guess->plane->cell[n] >= 0 ? 1U << n : 0;
    }
    return bits;
}

/* Notes those that have made the step in a trial, and the cells that they have come to.
 */
static void note_good(const attempt *a, uint32_t good, const trace_lanes *lanes,
                      fates *out)
{
    out->left &= ~good;
    out->leaves |= a->outcome.leaves;
    for (uint32_t bits = good & a->has_moved; bits; bits &= bits - 1) {
        const int n = trace_lanes_first(bits);
        trace_lanes_put_cell(&a->cell[n], lanes, n);
        trace_guess_copy_cell(&a->guess, n, &lanes->guess, n);
    }
}

/* The guesses of lanes from `first` on. */
static const trace_guess *begin(const trace_lanes *lanes, int first, attempt *a)
{
    if (first == 0) {
        return &lanes->guess;
    }
    trace_guess_copy(&lanes->guess, &a->guess);
    for (int n = 0; n < first; n++) {
        a->guess.plane->cell[n] = -1;
    }
    return &a->guess;
}

/* Makes the step of lanes from `first` on, as far as it can be made. */
static fates make_step(const grid_store *store, const trace_adams_step *step, int first,
                       const trace_lanes *lanes)
{
    enum { MOST_TRIALS = 5 };
    trace_adams_kernel *kernel = trace_adams_kernels()[0];
    attempt a;
    fates out = {0, 0};
    a.guess = trace_guess_of(&a.parts);
    const trace_guess *guess = begin(lanes, first, &a);
    if (kernel(step, guess, lanes, &a.outcome)) {
        return out;
    }
    out.left = *lanes->has & ~0U << first & ~a.outcome.good;
    out.leaves = a.outcome.leaves;
    if (!may_any_go_on(store, lanes, out.left, &a.outcome)) {
        return out;
    }
    if (guess != &a.guess) {
        trace_guess_copy(guess, &a.guess);
    }
    a.has_moved = 0;
    for (int n = 1; n < MOST_TRIALS && prepare_all(store, lanes, out.left, &a); n++) {
        const uint32_t tried = find_guesses(&a.guess);
        const bool all = kernel(step, &a.guess, lanes, &a.outcome);
        a.outcome.leaves = all ? 0 : a.outcome.leaves;
        note_good(&a, all ? tried : a.outcome.good, lanes, &out);
        a.outcome.good = all ? tried : a.outcome.good;
    }
    return out;
}

/* Notes whether the lanes are at rest along z, so that planar steps will do: they have
 * all made this one. */
static void note_planar(const trace_adams_step *step, int first, const trace_lanes *lanes)
{
    static const float none[TRACE_LANES];
    bool *is_planar = &lanes->plane->common.is_planar;
    if (*is_planar != step->is_planar) {
        *is_planar = step->is_planar && first == 0 &&
                     memcmp(lanes->height->velocity, none, sizeof none) == 0 &&
                     memcmp(lanes->height->bend, none, sizeof none) == 0;
    }
}

/* Records the points of a particle that has made the step. `before`: its lane then. */
static void record_step(const trace_rule *rule, const trace_lanes *before,
                        const trace_lanes *after, int n, trace_particle *p,
                        trace_records *records)
{
    trace_arrival to = {.value = (double)after->value->value[n]};
    for (int c = 0; c < 3; c++) {
        to.x[c] = trace_lanes_x(after, n, c);
        to.velocity[c] = (double)trace_lanes_velocity(after, c)[n];
    }
    trace_lanes_read(before, n, rule->before, p);
    trace_particle_arrive(rule, p, &to, records);
}

/* Lets those that have not made the step leave their lanes. */
static void let_out(const trace_rule *rule, uint32_t left, const trace_lanes *lanes,
                    trace_particle *particles)
{
    for (; left; left &= left - 1) {
        const int n = trace_lanes_first(left);
        trace_lanes_leave(lanes, n, rule->before, &particles[n]);
    }
}

/* The step of a block of particles, a lane for each; those before lane `first` have made
 * it already. */
static fates move_lanes(const trace_rule *rule, const trace_adams_step *step, int first,
                        const trace_lanes *lanes, trace_particle *particles,
                        trace_records *records)
{
    fates f = {0, 0};
    trace_lanes_parts parts;
    trace_lanes before;
    const uint32_t have = *lanes->has & ~0U << first;
    if (!have) {
        return f;
    }
    if (rule->leaves_trail) {
        before = trace_lanes_of(&parts);
        trace_lanes_copy(lanes, &before);
    }
    f = make_step(trace_locator_store(rule->locator), step, first, lanes);
    let_out(rule, f.left, lanes, particles);
    note_planar(step, first, lanes);
    for (uint32_t bits = rule->leaves_trail ? have & ~f.left : 0; bits;
         bits &= bits - 1) {
        const int n = trace_lanes_first(bits);
        record_step(rule, &before, lanes, n, &particles[n], records);
    }
    return f;
}

/* ---- Blocks ------------------------------------------------------------------------ */

void trace_adams_enter(const trace_rule *rule, int64_t n, trace_particle *particles,
                       const trace_lanes_all *all)
{
    const trace_lanes lanes = trace_lanes_at(all, n / TRACE_LANES);
    const trace_particle *p = &particles[n];
    const int lane = (int)(n % TRACE_LANES);
    if (!has_lane(*lanes.has, lane) && p->state == TRACE_ARRIVED && p->past > 0.0) {
        enter(trace_locator_store(rule->locator), p, &lanes, lane);
    }
}

/* Lets those into their lanes that may make the step. */
static void let_in(const trace_rule *rule, int64_t begin, int64_t end,
                   trace_particle *particles, const trace_lanes_all *lanes)
{
    for (int64_t n = begin; n < end && !trace_lanes_are_full(lanes, begin); n++) {
        if (!trace_lanes_has(lanes, n) && trace_adams_may_move(rule, &particles[n])) {
            trace_adams_enter(rule, n, particles, lanes);
        }
    }
}

/* Inlined: a compiler may take a function that only fetches for one that does nothing. */
static inline __attribute__((always_inline)) void fetch_bytes(const void *from,
                                                              size_t size)
{
    enum { LINE = 64 };
    for (size_t n = 0; n < size; n += 2 * LINE) {
        __builtin_prefetch((const char *)from + n, 1);
    }
}

/* Tells the processor that a block will be needed. */
static inline __attribute__((always_inline)) void
fetch(const trace_lanes_all *all, int64_t n, const trace_adams_step *step)
{
    fetch_bytes(&all->plane[n], sizeof *all->plane);
    if (!step->is_planar) {
        fetch_bytes(&all->height[n], sizeof *all->height);
    }
    if (!step->is_flat) {
        fetch_bytes(&all->space[n], sizeof *all->space);
    }
    if (step->width > 3) {
        fetch_bytes(&all->value[n], sizeof *all->value);
    }
}

/* trace_depart: the particle goes on in a lane of another rank. */
static void depart(const trace_departure *departure, double time)
{
    const trace_departure *d = departure;
    trace_particle *p = &d->particles[d->lane];
    trace_lanes_leave(&d->lanes, d->lane, time, p);
    p->cell = d->next;
}

void trace_adams_move(const trace_rule *rule, int64_t begin, int64_t end,
                      trace_particle *particles, const trace_lanes_all *all,
                      trace_records *records)
{
    enum { AHEAD = 4 };
    if (begin >= end) {
        return;
    }
    const int64_t last = (end - 1) / TRACE_LANES;
    const trace_flow flow = trace_velocity_now(rule->velocity);
    const trace_adams_step step = {.flow = flow.values,
                                   .width = flow.width,
                                   .is_flat = flow.is_flat,
                                   .is_planar = flow.is_planar,
                                   .time = rule->end - rule->before,
                                   .tolerance = (float)rule->tolerance};
    trace_departures list;
    list.store = trace_locator_store(rule->locator);
    list.depart = depart;
    list.time = rule->end;
    list.is_flat = flow.has_flat_grid;
    list.is_full = flow.has_full_grid;
    list.count = 0;
    for (int64_t n = begin / TRACE_LANES; n <= last; n++) {
        const int64_t from = n * TRACE_LANES > begin ? n * TRACE_LANES : begin;
        const trace_lanes lanes = trace_lanes_at(all, n);
        fetch(all, n + AHEAD < last ? n + AHEAD : last, &step);
        let_in(rule, from, n < last ? (n + 1) * TRACE_LANES : end, particles, all);
        const fates f = move_lanes(rule, &step, (int)(from % TRACE_LANES), &lanes,
                                   &particles[n * TRACE_LANES], records);
        trace_departures_note(f.leaves, &lanes, &particles[n * TRACE_LANES], &list);
    }
    trace_departures_go(&list);
}
