/* Particles that make short steps: their states in lanes, for the kernels of adams/. */
#include "particle.h"

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
        lanes->guess.x[c][lane] = 0.0;
        lanes->velocity[c][lane] = lanes->bend[c][lane] = 0.0F;
        lanes->guess.local[c][lane] = lanes->guess.corner[c][lane] = 0.0F;
    }
    for (int n = 0; n < TRACE_MAP_ROWS; n++) {
        lanes->guess.map.row[n][lane] = 0.0F;
    }
    lanes->past[lane] = 1.0F;
    lanes->common.has &= ~(1U << lane);
    lanes->value[lane] = 0.0F;
    lanes->guess.cell[lane] = -1;
    lanes->guess.row[lane] = lanes->guess.plane[lane] = 0;
}

/* The time of the step before. */
static float get_past(const trace_lanes *lanes, int lane)
{
    return lanes->common.past > 0.0F ? lanes->common.past : lanes->past[lane];
}

static void put_past(float past, trace_lanes *lanes, int lane)
{
    for (int n = 0; n < TRACE_LANES && lanes->common.past > 0.0F; n++) {
        lanes->past[n] = lanes->common.past;
    }
    lanes->past[lane] = past;
    lanes->common.past = 0.0F;
}

/* Notes that there is a particle in a lane. */
static void fill_lane(trace_lanes *lanes, int lane)
{
    lanes->common.has |= 1U << lane;
    lanes->common.is_planar = false; /* not known */
}

/* Sets the map of the cell with these vertices. */
static void set_map(const grid_store *store, const int64_t vertex[8], int lane,
                    trace_adams_map *map)
{
    for (int c = 0; c < 3; c++) {
        float v[8];
        for (int n = 0; n < 8; n++) {
            v[n] = store->vertex[vertex[n]][c];
        }
        const float r = v[1] - v[0], s = v[2] - v[0], rs = (v[3] - v[2]) - r;
        const float r_above = v[5] - v[4], rs_above = (v[7] - v[6]) - r_above;
        map->row[trace_map_row(TRACE_MAP_R, c)][lane] = r;
        map->row[trace_map_row(TRACE_MAP_S, c)][lane] = s;
        map->row[trace_map_row(TRACE_MAP_RS, c)][lane] = rs;
        map->row[trace_map_row(TRACE_MAP_T, c)][lane] = v[4] - v[0];
        map->row[trace_map_row(TRACE_MAP_RT, c)][lane] = r_above - r;
        map->row[trace_map_row(TRACE_MAP_ST, c)][lane] = (v[6] - v[4]) - s;
        map->row[trace_map_row(TRACE_MAP_RST, c)][lane] = rs_above - rs;
    }
}

void trace_guess_set_cell(const grid_store *store, const trace_corners *corners, int lane,
                          trace_adams_guess *guess)
{
    const int64_t *vertex = corners->vertex; /* below GRID_STORE_MOST_VERTICES */
    guess->cell[lane] = (int32_t)vertex[0];
    guess->row[lane] = (int32_t)(vertex[2] - vertex[0]);
    guess->plane[lane] = (int32_t)(vertex[4] - vertex[0]);
    for (int c = 0; c < 3; c++) {
        const float corner = store->vertex[vertex[0]][c];
        guess->x[c][lane] += (double)guess->corner[c][lane] - (double)corner;
        guess->corner[c][lane] = corner;
    }
    set_map(store, vertex, lane, &guess->map);
}

/* The position of a particle along an axis. */
static double get_x(const trace_lanes *lanes, int lane, int axis)
{
    const trace_adams_guess *guess = &lanes->guess;
    return (double)guess->corner[axis][lane] + guess->x[axis][lane];
}

/* The cell of the guess of a lane. */
static trace_cell get_cell(const trace_lanes *lanes, int lane)
{
    const trace_lane_cell *index = &lanes->index[lane];
    return (trace_cell){index->block, {index->at[0], index->at[1], index->at[2]}};
}

static void put_cell(const trace_cell *cell, trace_lanes *lanes, int lane)
{
    const int64_t *at = cell->at; /* below GRID_STORE_MOST_VERTICES */
    lanes->index[lane] = (trace_lane_cell){
        (int32_t)cell->block, {(int32_t)at[0], (int32_t)at[1], (int32_t)at[2]}};
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
        lanes->guess.x[c][lane] = p->x[c];
        lanes->guess.corner[c][lane] = 0.0F;
        lanes->velocity[c][lane] = (float)p->velocity[c];
        lanes->bend[c][lane] = (float)p->bend[c];
        lanes->guess.local[c][lane] = (float)p->place.local[c];
    }
    put_past((float)p->past, lanes, lane);
    lanes->value[lane] = (float)p->value;
    trace_guess_set_cell(store, &corners, lane, &lanes->guess);
    put_cell(&p->cell, lanes, lane);
    fill_lane(lanes, lane);
}

void trace_lanes_read(const trace_lanes *lanes, int lane, double time, trace_particle *p)
{
    p->time = time;
    p->cell = get_cell(lanes, lane);
    for (int c = 0; c < 3; c++) {
        p->x[c] = get_x(lanes, lane, c);
        p->velocity[c] = (double)lanes->velocity[c][lane];
        p->bend[c] = (double)lanes->bend[c][lane];
        p->place.local[c] = (double)lanes->guess.local[c][lane];
    }
    p->past = (double)get_past(lanes, lane);
    p->value = (double)lanes->value[lane];
}

void trace_lanes_leave(trace_lanes *lanes, int lane, double time, trace_particle *p)
{
    trace_lanes_read(lanes, lane, time, p);
    trace_lanes_empty(lanes, lane);
}

static void copy_cell(const trace_adams_guess *from, int lane, trace_adams_guess *to,
                      int to_lane)
{
    to->cell[to_lane] = from->cell[lane];
    to->row[to_lane] = from->row[lane];
    to->plane[to_lane] = from->plane[lane];
    for (int c = 0; c < 3; c++) {
        to->corner[c][to_lane] = from->corner[c][lane];
    }
    for (int n = 0; n < TRACE_MAP_ROWS; n++) {
        to->map.row[n][to_lane] = from->map.row[n][lane];
    }
}

void trace_lanes_move(trace_lanes *from, int lane, trace_lanes *to, int to_lane)
{
    for (int c = 0; c < 3; c++) {
        to->velocity[c][to_lane] = from->velocity[c][lane];
        to->bend[c][to_lane] = from->bend[c][lane];
        to->guess.local[c][to_lane] = from->guess.local[c][lane];
        to->guess.x[c][to_lane] = from->guess.x[c][lane];
    }
    put_past(get_past(from, lane), to, to_lane);
    to->value[to_lane] = from->value[lane];
    to->index[to_lane] = from->index[lane];
    copy_cell(&from->guess, lane, &to->guess, to_lane);
    fill_lane(to, to_lane);
    trace_lanes_empty(from, lane);
}

/* ---- Trials ------------------------------------------------------------------------ */

/* A step of a block of particles in the making. */
typedef struct attempt {
    trace_adams_guess guess;      /* of those that have not made it */
    trace_adams_outcome outcome;  /* of the last trial */
    trace_cell cell[TRACE_LANES]; /* of those that have left their own cell */
    uint32_t has_moved;           /* bits of these */
} attempt;

/* The lowest lane of some bits, which are not zero. */
static int first_lane(uint32_t bits)
{
    return __builtin_ctz(bits);
}

static bool has_lane(uint32_t bits, int lane)
{
    return bits >> lane & 1;
}

/* Goes on to the neighbour of `cell` that local coordinates point to, which then are
 * those in it; along each axis one cell at most. Returns whether they were outside. */
static bool leave_cell(trace_adams_guess *guess, int n, trace_cell *cell)
{
    bool has_left = false;
    for (int c = 0; c < 3; c++) {
        float *local = &guess->local[c][n];
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
static bool prepare(const grid_store *store, const trace_lanes *lanes, int n, attempt *a)
{
    const trace_cell own = get_cell(lanes, n);
    trace_cell next = has_lane(a->has_moved, n) ? a->cell[n] : own;
    trace_corners corners;
    for (int c = 0; c < 3; c++) {
        a->guess.local[c][n] = a->outcome.local[c][n];
        if (!isfinite(a->guess.local[c][n])) {
            return false;
        }
    }
    if (!leave_cell(&a->guess, n, &next)) {
        return !has_lane(a->outcome.is_near, n); /* its error was too large */
    }
    if (!share_brick(store->layout, &own, &next) ||
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
        const int n = first_lane(bits);
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
static uint32_t find_guesses(const trace_adams_guess *guess)
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
        const int n = first_lane(bits);
        put_cell(&a->cell[n], lanes, n);
        copy_cell(&a->guess, n, &lanes->guess, n);
    }
}

/* The guesses of lanes from `first` on. */
static const trace_adams_guess *begin(const trace_lanes *lanes, int first, attempt *a)
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
    const trace_adams_guess *guess = begin(lanes, first, &a);
    if (kernel(step, guess, lanes, &a.outcome)) {
        return out;
    }
    out.left = lanes->common.has & ~0U << first & ~a.outcome.good;
    out.leaves = a.outcome.leaves;
    if (!out.left) {
        return out;
    }
    a.guess = *guess;
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
static void note_planar(const trace_adams_step *step, int first, trace_lanes *lanes)
{
    static const float none[TRACE_LANES];
    bool *is_planar = &lanes->common.is_planar;
    if (*is_planar != step->is_planar) {
        *is_planar = step->is_planar && first == 0 &&
                     memcmp(lanes->velocity[2], none, sizeof none) == 0 &&
                     memcmp(lanes->bend[2], none, sizeof none) == 0;
    }
}

/* Records the points of a particle that has made the step. `before`: its lane then. */
static void record_step(const trace_rule *rule, const trace_lanes *before,
                        const trace_lanes *after, int n, trace_particle *p,
                        trace_records *records)
{
    trace_arrival to = {.value = (double)after->value[n]};
    for (int c = 0; c < 3; c++) {
        to.x[c] = get_x(after, n, c);
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
        const int n = first_lane(left);
        trace_lanes_leave(lanes, n, rule->before, &particles[n]);
    }
}

/* Copies what record_step needs of a block before its step. */
static void copy_points(const trace_lanes *lanes, trace_lanes *out)
{
    memcpy(out, lanes, offsetof(trace_lanes, guess.map));
    memcpy(out->guess.corner, lanes->guess.corner, sizeof out->guess.corner);
    memcpy(out->past, lanes->past, sizeof out->past);
    out->common = lanes->common;
}

/* The step of a block of particles, a lane for each; those before lane `first` have made
 * it already. */
static fates move_lanes(const trace_rule *rule, const trace_adams_step *step, int first,
                        trace_lanes *lanes, trace_particle *particles,
                        trace_records *records)
{
    fates f = {0, 0};
    trace_lanes before;
    const uint32_t have = lanes->common.has & ~0U << first;
    if (!have) {
        return f;
    }
    if (rule->leaves_trail) {
        copy_points(lanes, &before);
    }
    f = make_step(trace_locator_store(rule->locator), step, first, lanes);
    let_out(rule, f.left, lanes, particles);
    note_planar(step, first, lanes);
    for (uint32_t bits = rule->leaves_trail ? have & ~f.left : 0; bits;
         bits &= bits - 1) {
        const int n = first_lane(bits);
        record_step(rule, &before, lanes, n, &particles[n], records);
    }
    return f;
}

/* ---- Cells ahead ------------------------------------------------------------------- */

/* The particles of a block whose next step is guessed to leave the cell. */
typedef struct departures {
    trace_lanes *lanes;
    int count, of[TRACE_LANES];
} departures;

/* Lists the departures of a block, and tells the processor that their cells will be
 * needed. */
static void list_departures(const fates *f, trace_lanes *lanes, departures *out)
{
    out->lanes = lanes;
    out->count = 0;
    for (uint32_t bits = f->leaves; bits; bits &= bits - 1) {
        const int lane = first_lane(bits);
        out->of[out->count++] = lane;
        __builtin_prefetch(&lanes->index[lane], 1);
    }
}

/* Moves the guesses of departures to the next cells, where these lie in the same bricks.
 * Their next steps take a single trial then. */
static void look_ahead(const grid_store *store, const departures *list)
{
    for (int n = 0; n < list->count; n++) {
        const int lane = list->of[n];
        trace_adams_guess *guess = &list->lanes->guess;
        const float local[3] = {guess->local[0][lane], guess->local[1][lane],
                                guess->local[2][lane]};
        const trace_cell own = get_cell(list->lanes, lane);
        trace_cell next = own;
        trace_corners corners;
        if (leave_cell(guess, lane, &next) && share_brick(store->layout, &own, &next) &&
            trace_cell_look(store, &next, &corners) == TRACE_PRESENT) {
            put_cell(&next, list->lanes, lane);
            trace_guess_set_cell(store, &corners, lane, guess);
            continue;
        }
        for (int c = 0; c < 3; c++) {
            guess->local[c][lane] = local[c];
        }
    }
}

/* ---- Blocks ------------------------------------------------------------------------ */

void trace_adams_enter(const trace_rule *rule, int64_t n, trace_particle *particles,
                       trace_lanes *all)
{
    trace_lanes *lanes = &all[n / TRACE_LANES];
    const trace_particle *p = &particles[n];
    const int lane = (int)(n % TRACE_LANES);
    if (!has_lane(lanes->common.has, lane) && p->state == TRACE_ARRIVED &&
        p->past > 0.0) {
        enter(trace_locator_store(rule->locator), p, lanes, lane);
    }
}

/* Lets those into their lanes that may make the step. */
static void let_in(const trace_rule *rule, int64_t begin, int64_t end,
                   trace_particle *particles, trace_lanes *lanes)
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
    for (size_t n = 0; n < size; n += LINE) {
        __builtin_prefetch((const char *)from + n, 1);
    }
}

/* Tells the processor that lanes will be needed. Between two steps a solver fills the
 * caches, and waiting for them would take as long as the steps. */
static inline __attribute__((always_inline)) void fetch(const trace_lanes *lanes,
                                                        const trace_adams_step *step)
{
    const size_t axes = step->is_planar ? 2 : 3;
    const trace_adams_guess *guess = &lanes->guess;
    const size_t rows = step->is_flat ? TRACE_MAP_FLAT_ROWS : TRACE_MAP_ROWS;
    fetch_bytes(&lanes->common, sizeof lanes->common);
    fetch_bytes(lanes->velocity, axes * sizeof *lanes->velocity);
    fetch_bytes(lanes->bend, axes * sizeof *lanes->bend);
    fetch_bytes(guess->x, axes * sizeof *guess->x);
    fetch_bytes(guess->local, axes * sizeof *guess->local);
    fetch_bytes(guess->cell, sizeof guess->cell);
    fetch_bytes(guess->row, sizeof guess->row);
    fetch_bytes(guess->map.row, rows * sizeof *guess->map.row);
    if (!step->is_flat) {
        fetch_bytes(guess->plane, sizeof guess->plane);
    }
    if (step->width > 3) {
        fetch_bytes(lanes->value, sizeof lanes->value);
    }
}

void trace_adams_move(const trace_rule *rule, int64_t begin, int64_t end,
                      trace_particle *particles, trace_lanes *lanes,
                      trace_records *records)
{
    enum { AHEAD = 4 };
    if (begin >= end) {
        return;
    }
    const int64_t last = (end - 1) / TRACE_LANES;
    const grid_store *store = trace_locator_store(rule->locator);
    const trace_flow flow = trace_velocity_now(rule->velocity);
    const trace_adams_step step = {.flow = flow.values,
                                   .width = flow.width,
                                   .is_flat = flow.is_flat,
                                   .is_planar = flow.is_planar,
                                   .time = rule->end - rule->before,
                                   .tolerance = (float)rule->tolerance};
    departures some = {.count = 0};
    for (int64_t n = begin / TRACE_LANES; n <= last; n++) {
        const int64_t from = n * TRACE_LANES > begin ? n * TRACE_LANES : begin;
        fetch(&lanes[n + AHEAD < last ? n + AHEAD : last], &step);
        let_in(rule, from, n < last ? (n + 1) * TRACE_LANES : end, particles, lanes);
        const fates f = move_lanes(rule, &step, (int)(from % TRACE_LANES), &lanes[n],
                                   &particles[n * TRACE_LANES], records);
        look_ahead(store, &some);
        list_departures(&f, &lanes[n], &some);
    }
    look_ahead(store, &some);
}
