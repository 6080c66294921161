/* Particles that make short steps: their states in lanes, for the kernels of adams/. */
#include "particle.h"

#include "base/lanes/choose.h"

#include <math.h>
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

bool trace_adams_may_move(const trace_rule *rule, const trace_particle *p)
{
    return trace_particle_goes_on(rule, p) && p->past > 0.0 && trace_adams_suits(rule) &&
           p->time == rule->before;
}

bool trace_adams_suits(const trace_rule *rule)
{
    return rule->velocity && !rule->is_frozen && rule->end == rule->now &&
           rule->before < rule->now;
}

/* ---- Lanes ------------------------------------------------------------------------- */

void trace_lanes_empty(trace_lanes *lanes, int lane)
{
    for (int c = 0; c < 3; c++) {
        lanes->x[c][lane] = 0.0;
        lanes->velocity[c][lane] = lanes->bend[c][lane] = 0.0F;
        lanes->guess[c][lane] = 0.0F;
    }
    lanes->past[lane] = 1.0F;
    lanes->value[lane] = 0.0F;
    lanes->cell[lane] = -1;
    lanes->row[lane] = lanes->plane[lane] = 0;
}

/* Lets a lane be in a cell. */
static void set_cell(const trace_corners *corners, int lane, int32_t cell[TRACE_LANES],
                     int32_t row[TRACE_LANES], int32_t plane[TRACE_LANES])
{
    const int64_t *vertex = corners->vertex; /* below GRID_STORE_MOST_VERTICES */
    cell[lane] = (int32_t)vertex[0];
    row[lane] = (int32_t)(vertex[2] - vertex[0]);
    plane[lane] = (int32_t)(vertex[4] - vertex[0]);
}

/* Puts a particle into an empty lane if its cell is on this rank. */
static void enter(const grid_store *store, const trace_particle *p, trace_lanes *lanes,
                  int lane)
{
    trace_corners corners;
    if (trace_cell_look(store, &p->cell, &corners) != TRACE_PRESENT) {
        return;
    }
    for (int c = 0; c < 3; c++) {
        lanes->x[c][lane] = p->x[c];
        lanes->velocity[c][lane] = (float)p->velocity[c];
        lanes->bend[c][lane] = (float)p->bend[c];
        lanes->guess[c][lane] = (float)p->place.local[c];
    }
    lanes->past[lane] = (float)p->past;
    lanes->value[lane] = (float)p->value;
    set_cell(&corners, lane, lanes->cell, lanes->row, lanes->plane);
}

void trace_lanes_read(const trace_lanes *lanes, int lane, double time, trace_particle *p)
{
    p->time = time;
    for (int c = 0; c < 3; c++) {
        p->x[c] = lanes->x[c][lane];
        p->velocity[c] = (double)lanes->velocity[c][lane];
        p->bend[c] = (double)lanes->bend[c][lane];
        p->place.local[c] = (double)lanes->guess[c][lane];
    }
    p->past = (double)lanes->past[lane];
    p->value = (double)lanes->value[lane];
}

void trace_lanes_leave(trace_lanes *lanes, int lane, double time, trace_particle *p)
{
    trace_lanes_read(lanes, lane, time, p);
    trace_lanes_empty(lanes, lane);
}

void trace_lanes_move(trace_lanes *from, int lane, trace_lanes *to, int to_lane)
{
    for (int c = 0; c < 3; c++) {
        to->x[c][to_lane] = from->x[c][lane];
        to->velocity[c][to_lane] = from->velocity[c][lane];
        to->bend[c][to_lane] = from->bend[c][lane];
        to->guess[c][to_lane] = from->guess[c][lane];
    }
    to->past[to_lane] = from->past[lane];
    to->value[to_lane] = from->value[lane];
    to->cell[to_lane] = from->cell[lane];
    to->row[to_lane] = from->row[lane];
    to->plane[to_lane] = from->plane[lane];
    trace_lanes_empty(from, lane);
}

/* ---- Trials ------------------------------------------------------------------------ */

/* A step of eight particles in the making. */
typedef struct attempt {
    trace_adams_trial trial;
    trace_cell cell[TRACE_LANES]; /* of those that have left their own cell */
    bool has_moved[TRACE_LANES];
} attempt;

/* Begins a step of the particles from lane `first` on; returns whether there are any. */
static bool begin(const trace_lanes *lanes, int first, trace_adams_trial *trial)
{
    int32_t any = 0;
    for (int n = 0; n < TRACE_LANES; n++) {
        const int32_t has = lanes->cell[n] >= 0 && n >= first ? -1 : 0;
        trial->takes_part[n] = has;
        trial->cell[n] = lanes->cell[n] & has; /* any cell: its results are not taken */
        trial->row[n] = lanes->row[n] & has;
        trial->plane[n] = lanes->plane[n] & has;
        any |= has;
    }
    memcpy(trial->local, lanes->guess, sizeof trial->local);
    return any != 0;
}

/* Goes on to the neighbour of `cell` that local coordinates point to, which then are
 * those in it; along each axis one cell at most. Returns whether they were outside. */
static bool leave_cell(trace_adams_trial *trial, int n, trace_cell *cell)
{
    bool has_left = false;
    for (int c = 0; c < 3; c++) {
        float *local = &trial->local[c][n];
        const int side = *local > 1.0F + TRACE_ADAMS_MARGIN ? 1
                         : *local < -TRACE_ADAMS_MARGIN     ? -1
                                                            : 0;
        cell->at[c] += side;
        *local = fminf(fmaxf(*local - (float)side, 0.0F), 1.0F);
        has_left |= side != 0;
    }
    return has_left;
}

/* Whether two cells lie in the same brick: the second may lie outside of the block. */
static bool share_brick(const grid_layout *layout, const trace_cell *a,
                        const trace_cell *b)
{
    const int64_t *n = layout->blocks[a->block].n;
    for (int c = 0; c < 3; c++) {
        if (b->at[c] < 0 || b->at[c] >= n[c] - 1 ||
            a->at[c] / GRID_BRICK_CELLS != b->at[c] / GRID_BRICK_CELLS) {
            return false;
        }
    }
    return true;
}

/* Prepares another trial of lane n: with a better guess, or in another cell of the
 * brick. Cells of other bricks may be on another rank, but all ranks must do the same.
 * Returns false if the step cannot be made this way. */
static bool prepare(const grid_store *store, const trace_particle *p, int n, attempt *a)
{
    trace_adams_trial *trial = &a->trial;
    trace_cell next = a->has_moved[n] ? a->cell[n] : p->cell;
    trace_corners corners;
    for (int c = 0; c < 3; c++) {
        if (!isfinite(trial->local[c][n])) {
            return false;
        }
    }
    if (!leave_cell(trial, n, &next)) {
        return !trial->is_near[n]; /* its error was too large */
    }
    if (!share_brick(store->layout, &p->cell, &next) ||
        trace_cell_look(store, &next, &corners) != TRACE_PRESENT) {
        return false;
    }
    a->cell[n] = next;
    a->has_moved[n] = true;
    set_cell(&corners, n, trial->cell, trial->row, trial->plane);
    return true;
}

/* Prepares all lanes that have not made the step; returns whether any goes on. */
static bool prepare_all(const grid_store *store, const trace_particle *particles,
                        attempt *a)
{
    trace_adams_trial *trial = &a->trial;
    bool any = false;
    for (int n = 0; n < TRACE_LANES; n++) {
        if (trial->takes_part[n] && trial->good[n]) {
            trial->takes_part[n] = 0;
        } else if (trial->takes_part[n]) {
            trial->takes_part[n] = prepare(store, &particles[n], n, a) ? -1 : 0;
            any |= trial->takes_part[n] != 0;
        }
    }
    return any;
}

/* ---- Steps ------------------------------------------------------------------------- */

/* Notes those that have made the step in a trial: they leave `left`, and get the cells
 * that they have come to. */
static void note_good(attempt *a, trace_lanes *lanes, trace_particle *particles,
                      int32_t left[TRACE_LANES])
{
    for (int n = 0; n < TRACE_LANES; n++) {
        left[n] &= ~a->trial.good[n];
        if (a->trial.good[n] && a->has_moved[n]) {
            particles[n].cell = a->cell[n];
            lanes->cell[n] = a->trial.cell[n];
            lanes->row[n] = a->trial.row[n];
            lanes->plane[n] = a->trial.plane[n];
        }
    }
}

/* Makes the step of those that take part. Returns whether all have made it; left: masks
 * of those that have not. */
static bool make_step(const grid_store *store, const trace_adams_step *step, attempt *a,
                      trace_lanes *lanes, trace_particle *particles,
                      int32_t left[TRACE_LANES])
{
    enum { MOST_TRIALS = 5 };
    trace_adams_kernel *kernel = trace_adams_kernels()[0];
    if (kernel(step, lanes, &a->trial)) {
        return true;
    }
    memset(a->has_moved, 0, sizeof a->has_moved);
    memcpy(left, a->trial.takes_part, sizeof a->trial.takes_part);
    note_good(a, lanes, particles, left);
    for (int n = 1; n < MOST_TRIALS && prepare_all(store, particles, a); n++) {
        kernel(step, lanes, &a->trial);
        note_good(a, lanes, particles, left);
    }
    return false;
}

/* Records the points of a particle that has made the step. `before`: its lane then. */
static void record_step(const trace_rule *rule, const trace_lanes *before,
                        const trace_lanes *after, int n, trace_particle *p,
                        trace_records *records)
{
    trace_arrival to = {.value = (double)after->value[n]};
    for (int c = 0; c < 3; c++) {
        to.x[c] = after->x[c][n];
        to.velocity[c] = (double)after->velocity[c][n];
    }
    trace_lanes_read(before, n, rule->before, p);
    trace_particle_arrive(rule, p, &to, records);
}

/* Lets those that have not made the step leave their lanes. */
static void let_out(const trace_rule *rule, const int32_t left[TRACE_LANES],
                    trace_lanes *lanes, trace_particle *particles)
{
    for (int n = 0; n < TRACE_LANES; n++) {
        if (left[n]) {
            trace_lanes_leave(lanes, n, rule->before, &particles[n]);
        }
    }
}

/* The step of eight particles, a lane for each; those before lane `first` have made it
 * already. */
static void move_lanes(const trace_rule *rule, const trace_adams_step *step, int first,
                       trace_lanes *lanes, trace_particle *particles,
                       trace_records *records)
{
    int32_t left[TRACE_LANES] = {0}, part[TRACE_LANES] = {0};
    trace_lanes before;
    attempt a;
    if (!begin(lanes, first, &a.trial)) {
        return;
    }
    if (rule->leaves_trail) {
        before = *lanes;
        memcpy(part, a.trial.takes_part, sizeof part);
    }
    if (!make_step(trace_locator_store(rule->locator), step, &a, lanes, particles,
                   left)) {
        let_out(rule, left, lanes, particles);
    }
    for (int n = 0; n < TRACE_LANES && rule->leaves_trail; n++) {
        if (part[n] && !left[n]) {
            record_step(rule, &before, lanes, n, &particles[n], records);
        }
    }
}

void trace_adams_enter(const trace_rule *rule, int64_t n, trace_particle *particles,
                       trace_lanes *all)
{
    trace_lanes *lanes = &all[n / TRACE_LANES];
    const trace_particle *p = &particles[n];
    const int lane = (int)(n % TRACE_LANES);
    if (lanes->cell[lane] < 0 && p->state == TRACE_ARRIVED && p->past > 0.0) {
        enter(trace_locator_store(rule->locator), p, lanes, lane);
    }
}

/* Lets those into their lanes that may make the step. */
static void let_in(const trace_rule *rule, int64_t begin, int64_t end,
                   trace_particle *particles, trace_lanes *lanes)
{
    for (int64_t n = begin; n < end; n++) {
        if (!trace_lanes_has(lanes, n) && trace_adams_may_move(rule, &particles[n])) {
            trace_adams_enter(rule, n, particles, lanes);
        }
    }
}

/* Tells the processor that lanes will be needed. Between two steps a solver fills the
 * caches, and waiting for them would take as long as the steps. */
static void fetch(const trace_lanes *lanes)
{
    enum { LINE = 64 };
    const char *first = (const char *)lanes;
    for (size_t n = 0; n < sizeof *lanes; n += LINE) {
        __builtin_prefetch(first + n, 1);
    }
}

void trace_adams_move(const trace_rule *rule, int64_t begin, int64_t end,
                      trace_particle *particles, trace_lanes *lanes,
                      trace_records *records)
{
    enum { AHEAD = 8 };
    if (begin >= end) {
        return;
    }
    const int64_t last = (end - 1) / TRACE_LANES;
    const grid_store *store = trace_locator_store(rule->locator);
    trace_adams_step step = {.vertices = &store->vertex[0][0],
                             .time = rule->end - rule->before,
                             .tolerance = (float)rule->tolerance};
    step.flow = trace_velocity_now(rule->velocity, &step.width);
    for (int64_t n = begin / TRACE_LANES; n <= last; n++) {
        const int64_t from = n * TRACE_LANES > begin ? n * TRACE_LANES : begin;
        fetch(&lanes[n + AHEAD < last ? n + AHEAD : last]);
        let_in(rule, from, n < last ? (n + 1) * TRACE_LANES : end, particles, lanes);
        move_lanes(rule, &step, (int)(from % TRACE_LANES), &lanes[n],
                   &particles[n * TRACE_LANES], records);
    }
}
