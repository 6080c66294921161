/* Particles that make short steps: their states in lanes, for the kernels of adams/. */
#include "particle.h"

#include "adams/ahead.h"
#include "base/lanes/choose.h"

#include <math.h>
#include <stddef.h>

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
static void enter(const grid_store *store, const trace_particle *p, trace_lanes *lanes,
                  int lane)
{
    trace_corners corners;
    if (trace_cell_look(store, &p->cell, &corners) != TRACE_PRESENT) {
        return;
    }
    for (int c = 0; c < 3; c++) {
        lanes->guess.x[c][lane] = p->x[c];
        lanes->guess.in[lane].corner[c] = 0.0F;
        lanes->velocity[c][lane] = (float)p->velocity[c];
        lanes->bend[c][lane] = (float)p->bend[c];
        lanes->guess.local[c][lane] = (float)p->place.local[c];
    }
    lanes->past[lane] = (float)p->past;
    lanes->value[lane] = (float)p->value;
    trace_guess_set_cell(store, &corners, lane, &lanes->guess);
    trace_lanes_put_cell(&p->cell, lanes, lane);
    lanes->has |= 1U << lane;
}

void trace_lanes_read(const trace_lanes *lanes, int lane, double time, trace_particle *p)
{
    p->time = time;
    p->cell = trace_lanes_cell(lanes, lane);
    for (int c = 0; c < 3; c++) {
        p->x[c] = trace_lanes_x(lanes, lane, c);
        p->velocity[c] = (double)lanes->velocity[c][lane];
        p->bend[c] = (double)lanes->bend[c][lane];
        p->place.local[c] = (double)lanes->guess.local[c][lane];
    }
    p->past = (double)lanes->past[lane];
    p->value = (double)lanes->value[lane];
}

void trace_lanes_leave(trace_lanes *lanes, int lane, double time, trace_particle *p)
{
    trace_lanes_read(lanes, lane, time, p);
    trace_lanes_empty(lanes, lane);
}

/* ---- Trials ------------------------------------------------------------------------ */

/* A step of a block of particles in the making. */
typedef struct attempt {
    trace_guess guess;            /* of those that have not made it */
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
    for (int c = 0; c < 3; c++) {
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
    for (int c = 0; c < 3; c++) {
        a->guess.local[c][n] = a->outcome.local[c][n];
        if (!isfinite(a->outcome.local[c][n])) {
            return false;
        }
    }
    if (!trace_ahead_leave_cell(&a->guess, n, &next)) {
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
        go_on |= a->guess.cell[n] >= 0 && prepare(store, lanes, n, a) ? 1U << n : 0;
    }
    for (int n = 0; n < TRACE_LANES; n++) {
        a->guess.cell[n] = has_lane(go_on, n) ? a->guess.cell[n] : -1;
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
        bits |= guess->cell[n] >= 0 ? 1U << n : 0;
    }
    return bits;
}

/* Notes those that have made the step in a trial, and the cells that they have come to.
 */
static void note_good(const attempt *a, uint32_t good, trace_lanes *lanes, fates *out)
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
    a->guess = lanes->guess;
    for (int n = 0; n < first; n++) {
        a->guess.cell[n] = -1;
    }
    return &a->guess;
}

/* Makes the step of lanes from `first` on, as far as it can be made. */
static fates make_step(const grid_store *store, const trace_adams_step *step, int first,
                       trace_lanes *lanes)
{
    enum { MOST_TRIALS = 5 };
    trace_adams_kernel *kernel = trace_adams_kernels()[0];
    attempt a;
    fates out = {0, 0};
    const trace_guess *guess = begin(lanes, first, &a);
    if (kernel(step, guess, lanes, &a.outcome)) {
        return out;
    }
    out.left = lanes->has & ~0U << first & ~a.outcome.good;
    out.leaves = a.outcome.leaves;
    if (!may_any_go_on(store, lanes, out.left, &a.outcome)) {
        return out;
    }
    if (guess != &a.guess) {
        a.guess = *guess;
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

/* Records the points of a particle that has made the step. `before`: its lane then. */
static void record_step(const trace_rule *rule, const trace_lanes *before,
                        const trace_lanes *after, int n, trace_particle *p,
                        trace_records *records)
{
    trace_arrival to = {.value = (double)after->value[n]};
    for (int c = 0; c < 3; c++) {
        to.x[c] = trace_lanes_x(after, n, c);
        to.velocity[c] = (double)after->velocity[c][n];
    }
    trace_lanes_read(before, n, rule->before, p);
    trace_particle_arrive(rule, p, &to, records);
}

/* Lets those that have not made the step leave their lanes. */
static void let_out(const trace_rule *rule, uint32_t left, trace_lanes *lanes,
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
                        trace_lanes *lanes, trace_particle *particles,
                        trace_records *records)
{
    fates f = {0, 0};
    trace_lanes before;
    const uint32_t have = lanes->has & ~0U << first;
    if (!have) {
        return f;
    }
    if (rule->leaves_trail) {
        before = *lanes;
    }
    f = make_step(trace_locator_store(rule->locator), step, first, lanes);
    let_out(rule, f.left, lanes, particles);
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
    trace_lanes *lanes = &all->of[n / TRACE_LANES];
    const trace_particle *p = &particles[n];
    const int lane = (int)(n % TRACE_LANES);
    if (!has_lane(lanes->has, lane) && p->state == TRACE_ARRIVED && p->past > 0.0) {
        enter(trace_locator_store(rule->locator), p, lanes, lane);
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

/* Lets those whose next step is guessed to leave their cell have the next cell, ahead of
 * that step; those that go to other ranks leave their lanes. */
static void go_ahead(const trace_rule *rule, uint32_t leaves, trace_lanes *lanes,
                     trace_particle *particles)
{
    const grid_store *store = trace_locator_store(rule->locator);
    for (; leaves; leaves &= leaves - 1) {
        const int n = trace_lanes_first(leaves);
        trace_cell next;
        if (!trace_ahead_go(store, lanes, n, &next)) {
            trace_lanes_leave(lanes, n, rule->end, &particles[n]);
            particles[n].cell = next;
        }
    }
}

void trace_adams_move(const trace_rule *rule, int64_t begin, int64_t end,
                      trace_particle *particles, const trace_lanes_all *all,
                      trace_records *records)
{
    trace_adams_step step = {.time = rule->end - rule->before,
                             .tolerance = (float)rule->tolerance};
    step.flow = trace_velocity_now(rule->velocity, &step.width);
    for (int64_t n = begin / TRACE_LANES; n * TRACE_LANES < end; n++) {
        const int64_t start = n * TRACE_LANES, next = start + TRACE_LANES;
        const int64_t from = start > begin ? start : begin;
        trace_lanes *lanes = &all->of[n];
        let_in(rule, from, next < end ? next : end, particles, all);
        const fates f = move_lanes(rule, &step, (int)(from - start), lanes,
                                   &particles[start], records);
        go_ahead(rule, f.leaves, lanes, &particles[start]);
    }
}
