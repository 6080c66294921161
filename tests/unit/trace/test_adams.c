/* Short steps: as exact as they claim to be, and the same bits for every width. */
#include "../render/check.h"
#include "flow.h"
#include "support/random.h"

#include "trace/particle.h"

#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

enum { COUNT = 2 * TRACE_LANES };

/* Particles on the warped ring, which turn about its axis in short steps. */
typedef struct carousel {
    flow f;
    trace_locator *locator;
    trace_rule rule;
    trace_records records;
    trace_particle particles[COUNT];
    trace_lanes_all lanes;
    double seeds[COUNT][3];
} carousel;

static carousel *carousel_open(flow_vertex *vertex, int64_t up, flow_field *field)
{
    const int64_t n[1][3] = {{12, 50, up + 1}};
    carousel *c = calloc(1, sizeof *c);
    c->f = flow_create(1, n, vertex, 1, 0);
    c->f.layout->blocks[0].closed[1] = true;
    flow_set(&c->f, field, 0.0);
    trace_velocity_turn(c->f.velocity);
    flow_set(&c->f, field, 0.0);
    trace_velocity_settle(c->f.velocity);
    assert_int_equal(trace_locator_create(c->f.store, &c->locator), STATUS_OK);
    c->rule = (trace_rule){.locator = c->locator,
                           .velocity = c->f.velocity,
                           .tolerance = 1e-5,
                           .most_length = INFINITY,
                           .most_steps = INT64_MAX};
    assert_int_equal(trace_lanes_reserve(&c->lanes, COUNT / TRACE_LANES), STATUS_OK);
    uint64_t state = 5;
    for (int p = 0; p < COUNT; p++) {
        const double radius = random_between(&state, 1.1, 1.85);
        const double angle = random_between(&state, 0.0, 2.0 * pi);
        const double x[3] = {radius * cos(angle), radius * sin(angle),
                             random_between(&state, 0.1, 0.9)};
        int64_t needed;
        trace_particle seed = trace_particle_seek(p, x);
        assert_true(trace_particle_advance(&c->rule, &seed, &c->records, &needed));
        c->particles[p] = trace_particle_release(p, x, &seed.cell, 0.0, 1.0);
        memcpy(c->seeds[p], x, sizeof x);
    }
    return c;
}

static void carousel_close(carousel *c)
{
    trace_records_clear(&c->records);
    trace_lanes_clear(&c->lanes);
    trace_locator_destroy(&c->locator);
    flow_destroy(&c->f);
    free(c);
}

/* Advances a particle, which enters its lane if it can. */
static void advance(const trace_rule *rule, trace_particle *particles,
                    const trace_lanes_all *lanes, int n, trace_records *records)
{
    int64_t needed;
    assert_true(trace_particle_advance(rule, &particles[n], records, &needed));
    trace_adams_enter(rule, n, particles, lanes);
}

/* Steps to `time`; returns how many particles were moved together. */
static int carousel_step(carousel *c, double time, bool together)
{
    int moved = 0;
    c->rule.before = c->rule.now;
    c->rule.now = c->rule.end = time;
    if (together && trace_adams_suits(&c->rule)) {
        trace_adams_move(&c->rule, 0, COUNT, c->particles, &c->lanes, &c->records);
    }
    for (int p = 0; p < COUNT; p++) {
        const int lane = p % TRACE_LANES;
        const trace_lanes lanes = trace_lanes_at(&c->lanes, p / TRACE_LANES);
        if (trace_lanes_has(&c->lanes, p)) {
            moved++;
            continue;
        }
        advance(&c->rule, c->particles, &c->lanes, p, &c->records);
        check_count("state", (uint64_t)p, TRACE_ARRIVED, c->particles[p].state);
        if (!together && trace_lanes_has(&c->lanes, p)) {
            trace_lanes_leave(&lanes, lane, time, &c->particles[p]);
        }
    }
    return moved;
}

/* Within a turn the errors of all steps add up to less than the tolerance of one. */
static void check_turn(bool together, double least)
{
    enum { STEPS = 2000 };
    carousel *c = carousel_open(flow_warped_ring, 19, flow_rotation);
    int moved = 0;
    for (int step = 1; step <= STEPS; step++) {
        moved +=
            carousel_step(c, step < STEPS ? 2.0 * pi * step / STEPS : 2.0 * pi, together);
    }
    for (int p = 0; p < COUNT; p++) {
        const double *x = c->particles[p].x, *seed = c->seeds[p];
        if (trace_lanes_has(&c->lanes, p)) {
            const trace_lanes lanes = trace_lanes_at(&c->lanes, p / TRACE_LANES);
            trace_lanes_leave(&lanes, p % TRACE_LANES, c->rule.now, &c->particles[p]);
        }
        check_within("distance to the seed", (uint64_t)p, 0.0, 1e-5,
                     sqrt((x[0] - seed[0]) * (x[0] - seed[0]) +
                          (x[1] - seed[1]) * (x[1] - seed[1]) +
                          (x[2] - seed[2]) * (x[2] - seed[2])));
        check_near("time", (uint64_t)p, 2.0 * pi, c->particles[p].time, 1e-12);
    }
    assert_true((double)moved >= least * STEPS * COUNT);
    carousel_close(c);
}

static void short_steps_add_up_to_a_turn(void **state)
{
    (void)state;
    check_turn(true, 0.9);
}

/* Without the batches every step crosses cells one by one. */
static void steps_of_single_particles_do_so_too(void **state)
{
    (void)state;
    check_turn(false, 0.0);
}

/* Neither the velocity nor the number depends on z. */
static void flat_rotation(const double x[3], double time, double out[4])
{
    flow_rotation(x, time, out);
    out[3] = x[0];
}

/* A flow without a velocity along z, in flat cells: the same bits whether kernels know
 * that or not. */
static void planar_flows_take_a_shorter_way_to_the_same_bits(void **state)
{
    enum { STEPS = 200 };
    (void)state;
    carousel *known = carousel_open(flow_ring, 1, flat_rotation),
             *unknown = carousel_open(flow_ring, 1, flat_rotation);
    int moved = 0, planar = 0;
    for (int step = 1; step <= STEPS; step++) {
        const double time = 0.1 * pi * step / STEPS;
        moved += carousel_step(known, time, true);
        for (int p = 0; p < COUNT; p += TRACE_LANES) {
            planar += known->lanes.plane[p / TRACE_LANES].common.is_planar;
            unknown->lanes.plane[p / TRACE_LANES].common.is_planar = false;
        }
        carousel_step(unknown, time, true);
    }
    assert_true(moved > STEPS * COUNT * 3 / 4);
    assert_true(planar > STEPS);
    for (int p = 0; p < COUNT; p++) {
        assert_true(trace_lanes_has(&known->lanes, p));
        const trace_lanes one = trace_lanes_at(&known->lanes, p / TRACE_LANES),
                          other = trace_lanes_at(&unknown->lanes, p / TRACE_LANES);
        trace_lanes_leave(&one, p % TRACE_LANES, known->rule.now, &known->particles[p]);
        trace_lanes_leave(&other, p % TRACE_LANES, unknown->rule.now,
                          &unknown->particles[p]);
        assert_memory_equal(&known->particles[p], &unknown->particles[p],
                            sizeof *known->particles);
    }
    carousel_close(known);
    carousel_close(unknown);
}

/* Acceleration by time alone: both formulae are exact but for the steps' error. */
static void hurrying(const double x[3], double time, double out[4])
{
    (void)x;
    out[0] = 0.1 + 0.2 * time;
    out[1] = out[2] = 0.0;
    out[3] = 10.0 * time;
}

static void the_present_flow_counts_at_the_end_of_a_step(void **state)
{
    (void)state;
    const int64_t n[1][3] = {{9, 9, 9}};
    const double x[3] = {0.1, 0.5, 0.52};
    trace_lanes_all lanes = {0};
    flow f = flow_create(1, n, flow_boxes, 1, 0);
    trace_records records = {0};
    trace_locator *locator = NULL;
    assert_int_equal(trace_locator_create(f.store, &locator), STATUS_OK);
    trace_rule rule = {.locator = locator,
                       .velocity = f.velocity,
                       .tolerance = 1e-5,
                       .most_length = INFINITY,
                       .most_steps = INT64_MAX};
    trace_particle p =
        trace_particle_release(0, x, &(trace_cell){0, {0, 4, 4}}, 0.0, 1.0);
    assert_int_equal(trace_lanes_reserve(&lanes, 1), STATUS_OK);
    flow_set(&f, hurrying, 0.0);
    for (int step = 1; step <= 40; step++) {
        trace_velocity_turn(f.velocity);
        flow_set(&f, hurrying, 0.01 * step);
        rule.before = 0.01 * (step - 1);
        rule.now = rule.end = 0.01 * step;
        trace_adams_move(&rule, 0, 1, &p, &lanes, &records);
        if (!trace_lanes_has(&lanes, 0)) {
            advance(&rule, &p, &lanes, 0, &records);
        }
    }
    assert_true(trace_lanes_has(&lanes, 0));
    const trace_lanes block = trace_lanes_at(&lanes, 0);
    trace_lanes_leave(&block, 0, rule.now, &p);
    trace_lanes_clear(&lanes);
    check_near("x", 0, 0.1 + 0.1 * 0.4 + 0.1 * 0.4 * 0.4, p.x[0], 1e-7);
    check_near("value", 0, 4.0, p.value, 1e-5);
    trace_records_clear(&records);
    trace_locator_destroy(&locator);
    flow_destroy(&f);
}

/* ---- Instruction sets -------------------------------------------------------------- */

enum { CELLS = TRACE_LANES };

/* A random cell with a flow, or one that is folded, thin, far away or not a number. */
static void fill_cell(uint64_t seed, uint64_t *state, double size, float vertex[8][4])
{
    const float far = seed % 7 == 0 ? 1000.0F : 0.0F;
    for (int n = 0; n < 8; n++) {
        for (int c = 0; c < 4; c++) {
            vertex[n][c] = (float)random_between(state, -0.2, 0.2);
        }
        for (int c = 0; c < 3; c++) {
            vertex[n][c] += (float)(n >> c & 1);
        }
        vertex[n][0] += far;
        vertex[n][2] *= (float)size;
    }
}

/* Lets x and y of a cell not depend on k, and z depend on k alone. */
static void flatten_cell(float vertex[8][4])
{
    for (int n = 0; n < 4; n++) {
        vertex[n + 4][0] = vertex[n][0];
        vertex[n + 4][1] = vertex[n][1];
        vertex[n][2] = vertex[0][2];
        vertex[n + 4][2] = vertex[4][2];
    }
}

/* One cell a lane. The particle begins in it, about where it is guessed to come to. */
static void fill_lanes(uint64_t seed, bool is_flat, float vertex[CELLS * 8][4],
                       trace_lanes_parts *parts)
{
    const trace_lanes own = trace_lanes_of(parts), *lanes = &own;
    uint64_t state = seed;
    const double size = seed % 3 == 0 ? 1e-3 : 1.0;
    memset(parts, 0, sizeof *parts);
    for (int n = 0; n < TRACE_LANES; n++) {
        float(*cell)[4] = vertex + 8 * n;
        fill_cell(seed, &state, size, cell);
        if (is_flat) {
            flatten_cell(cell);
        }
        for (int c = 0; c < 3; c++) {
            const double most = c == 2 ? size : 1.0;
            trace_lanes_velocity(lanes, c)[n] =
                (float)(random_between(&state, -0.01, 0.01) * most);
            trace_lanes_bend(lanes, c)[n] =
                (float)(random_between(&state, -0.1, 0.1) * most);
            trace_guess_local(&lanes->guess, c)[n] =
                (float)random_between(&state, 0.1, 0.9);
        }
        for (int c = 0; c < 3; c++) {
            for (int corner = 0; corner < 8; corner++) {
                const double r = trace_guess_local(&lanes->guess, 0)[n],
                             s = trace_guess_local(&lanes->guess, 1)[n],
                             t = trace_guess_local(&lanes->guess, 2)[n];
                trace_guess_x(&lanes->guess, c)[n] +=
                    (double)cell[corner][c] * (corner & 1 ? r : 1.0 - r) *
                    (corner & 2 ? s : 1.0 - s) * (corner & 4 ? t : 1.0 - t);
            }
        }
        lanes->rest->past[n] = 0.04F;
    }
    vertex[CELLS * 8 - 1][0] = seed % 5 == 0 ? NAN : 1.0F;
    if (is_flat) {
        flatten_cell(vertex + (CELLS - 1) * 8);
    }
    for (int n = 0; n < TRACE_LANES; n++) {
        trace_corners corners;
        for (int v = 0; v < 8; v++) {
            corners.vertex[v] = 8 * n + v;
        }
        trace_guess_set_cell(&(grid_store){.vertex = vertex}, &corners, n, &lanes->guess);
        lanes->plane->guess.cell[n] = random_between(&state, 0.0, 1.0) < 0.9 ? 8 * n : -1;
    }
}

/* The first trial of a block. */
static int try_step(trace_adams_kernel *kernel, const trace_adams_step *step,
                    trace_lanes_parts *parts, trace_adams_outcome *outcome)
{
    const trace_lanes lanes = trace_lanes_of(parts);
    return kernel(step, &lanes.guess, &lanes, outcome);
}

static void all_instruction_sets_give_the_same_bits(void **state)
{
    (void)state;
    float vertex[CELLS * 8][4], field[CELLS * 8 * 4 + TRACE_ADAMS_PADDING];
    int good = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        uint64_t random = seed;
        trace_lanes_parts start, plain;
        trace_adams_outcome first = {0};
        fill_lanes(seed, false, vertex, &start);
        for (int n = 0; n < CELLS * 8 * 4 + TRACE_ADAMS_PADDING; n++) {
            field[n] = (float)random_between(&random, -0.01, 0.01);
        }
        const trace_adams_step step = {.flow = field,
                                       .width = 3 + (int)(seed & 1),
                                       .time = 0.05,
                                       .tolerance = 1e-2F};
        plain = start;
        const int all = try_step(trace_adams_plain, &step, &plain, &first);
        for (trace_adams_kernel *const *kernel = trace_adams_kernels(); *kernel;
             kernel++) {
            trace_lanes_parts other = start;
            trace_adams_outcome second = {0};
            check_count("all", seed, all, try_step(*kernel, &step, &other, &second));
            assert_memory_equal(&plain, &other, sizeof plain);
            check_count("good", seed, first.good, second.good);
        }
        for (int n = 0; n < TRACE_LANES; n++) {
            const bool is_good =
                all ? start.plane.guess.cell[n] >= 0 : (int)(first.good >> n & 1);
            good += is_good;
            assert_true(is_good ||
                        plain.plane.guess.x[0][n] == start.plane.guess.x[0][n]);
            assert_true(!is_good || start.plane.guess.cell[n] >= 0);
        }
    }
    assert_true(good > 500 && good < 180 * TRACE_LANES);
}

/* In flat cells kernels may leave out all that vanishes. */
static void check_flat_cells(bool is_planar)
{
    float vertex[CELLS * 8][4], field[CELLS * 8 * 4 + TRACE_ADAMS_PADDING];
    int good = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        uint64_t random = seed;
        const int width = 3 + (int)(seed & 1);
        trace_lanes_parts start, long_way;
        trace_adams_outcome first = {0};
        fill_lanes(seed, true, vertex, &start);
        if (is_planar) {
            memset(start.height.velocity, 0, sizeof start.height.velocity);
            memset(start.height.bend, 0, sizeof start.height.bend);
            start.plane.common.is_planar = true;
        }
        for (int n = 0; n < CELLS * 8 * width + TRACE_ADAMS_PADDING; n++) {
            const bool is_above = n / width % 8 >= 4 && n < CELLS * 8 * width;
            field[n] = is_above ? field[n - 4 * width]
                                : (float)random_between(&random, -0.01, 0.01);
            field[n] = is_planar && n % width == 2 ? 0.0F : field[n];
        }
        trace_adams_step step = {
            .flow = field, .width = width, .time = 0.05, .tolerance = 1e-2F};
        long_way = start;
        const int all = try_step(trace_adams_plain, &step, &long_way, &first);
        step.is_flat = true;
        step.is_planar = is_planar;
        for (trace_adams_kernel *const *kernel = trace_adams_kernels(); *kernel;
             kernel++) {
            trace_lanes_parts other = start;
            trace_adams_outcome second = {0};
            check_count("all", seed, all, try_step(*kernel, &step, &other, &second));
            assert_memory_equal(&long_way, &other, sizeof other);
            check_count("good", seed, first.good, second.good);
        }
        for (int n = 0; n < TRACE_LANES; n++) {
            good += all ? start.plane.guess.cell[n] >= 0 : (int)(first.good >> n & 1);
        }
    }
    assert_true(good > 500 && good < 195 * TRACE_LANES);
}

static void flat_cells_take_a_shorter_way_to_the_same_bits(void **state)
{
    (void)state;
    check_flat_cells(false);
}

static void steps_in_a_plane_take_a_shorter_way_to_the_same_bits(void **state)
{
    (void)state;
    check_flat_cells(true);
}

/* ---- Flat flows -------------------------------------------------------------------- */

/* Velocities that do not depend on z, and do, beyond the lower half. */
static void even_flow(const double x[3], double time, double out[4])
{
    out[0] = x[0] + time;
    out[1] = out[3] = x[1];
    out[2] = 1.0;
}

static void planar_flow(const double x[3], double time, double out[4])
{
    even_flow(x, time, out);
    out[2] = 0.0;
}

/* The sign of zero would change bits. */
static void signed_flow(const double x[3], double time, double out[4])
{
    even_flow(x, time, out);
    out[2] = x[0] > 1.0 ? -0.0 : 0.0;
}

static void uneven_flow(const double x[3], double time, double out[4])
{
    even_flow(x, time, out);
    out[2] = x[0] > 1.0 && x[2] > 0.5 ? 2.0 : 1.0;
}

/* Whether a ring of some cells up, and a flow, are found to be flat. */
static bool is_flat(flow_vertex *vertex, int64_t up, flow_field *field)
{
    const int64_t n[1][3] = {{20, 40, up + 1}};
    flow f = flow_create(1, n, vertex, 1, 0);
    flow_set(&f, field, 0.0);
    assert_false(trace_velocity_now(f.velocity).is_flat);
    trace_velocity_settle(f.velocity);
    const bool flat = trace_velocity_now(f.velocity).is_flat;
    assert_int_equal(trace_velocity_now(f.velocity).is_planar,
                     flat && field == planar_flow);
    trace_velocity_turn(f.velocity);
    assert_false(trace_velocity_now(f.velocity).is_flat); /* not known yet */
    flow_destroy(&f);
    return flat;
}

/* x and y depend on k at a single vertex. */
static bool dented_ring(int block, const int64_t at[3], const int64_t n[3], double xyz[3])
{
    const bool is_there = flow_ring(block, at, n, xyz);
    xyz[0] += at[0] == 7 && at[1] == 30 && at[2] == 1 ? 1e-3 : 0.0;
    return is_there;
}

/* z depends on i. */
static bool sloping_ring(int block, const int64_t at[3], const int64_t n[3],
                         double xyz[3])
{
    const bool is_there = flow_ring(block, at, n, xyz);
    xyz[2] += 1e-3 * (double)at[0];
    return is_there;
}

static void flat_flows_are_found(void **state)
{
    (void)state;
    assert_true(is_flat(flow_ring, 1, even_flow));
    assert_true(is_flat(flow_ring, 1, planar_flow));
    assert_true(is_flat(flow_ring, 1, signed_flow));
    assert_false(is_flat(flow_ring, 2, planar_flow));
    assert_false(is_flat(flow_ring, 1, uneven_flow));
    assert_false(is_flat(flow_ring, 2, even_flow));
    assert_false(is_flat(dented_ring, 1, even_flow));
    assert_false(is_flat(sloping_ring, 1, even_flow));
}

/* Puts a flow at all bricks. `plane`: values of planes are given apart, or once. */
static void put_flow(const flow *f, flow_field *field, bool plane)
{
    const grid_store *store = f->store;
    float values[TRACE_COMPONENTS][17 * 17 * 17];
    for (int64_t b = 0; b < store->nbricks; b++) {
        const grid_brick *brick = &store->bricks[b];
        const int *n = brick->place.n;
        const int64_t row = n[0] + 1, size = row * (n[1] + 1);
        for (int64_t v = 0; v < size * (n[2] + 1); v++) {
            const float *at = brick->vertex[v];
            const double x[3] = {(double)at[0], (double)at[1], (double)at[2]};
            double out[4];
            field(x, 0.0, out);
            for (int c = 0; c < TRACE_COMPONENTS; c++) {
                values[c][v] = (float)out[c];
            }
        }
        trace_velocity_put(f->velocity, brick,
                           &(trace_components){TRACE_U,
                                               TRACE_FIELD,
                                               row,
                                               plane ? size : 0,
                                               {values[0], values[1], values[2]}});
    }
    trace_velocity_settle(f->velocity);
}

/* Compares samples of two flows in all cells. */
static void expect_same_flow(const trace_velocity *a, const trace_velocity *b)
{
    const double local[3] = {0.3, 0.6, 0.9};
    const grid_store *store = trace_velocity_store(a);
    for (int64_t n = 0; n < store->nbricks; n++) {
        const grid_brick_place *place = &store->bricks[n].place;
        for (int i = 0; i < place->n[0]; i++) {
            for (int j = 0; j < place->n[1]; j++) {
                const trace_cell cell = trace_cell_of_brick(place, i, j, 0);
                trace_corners corners;
                assert_int_equal(trace_cell_look(store, &cell, &corners), TRACE_PRESENT);
                const trace_sample one = trace_velocity_sample(a, &corners, local, 1.0);
                const trace_sample other = trace_velocity_sample(b, &corners, local, 1.0);
                assert_memory_equal(one.velocity, other.velocity, sizeof one.velocity);
            }
        }
    }
}

/* Of a flow that does not depend on k, a plane suffices. */
static void flat_flows_may_be_put_once(void **state)
{
    (void)state;
    flow_field *const fields[] = {even_flow, planar_flow, signed_flow};
    const int64_t n[1][3] = {{20, 40, 2}};
    for (int flat = 0; flat < 2; flat++) {
        flow f = flow_create(1, n, flat ? flow_ring : sloping_ring, 1, 0);
        for (int number = 0; number < 3; number++) {
            trace_velocity *whole = NULL, *once = NULL;
            assert_int_equal(trace_velocity_create(f.store, false, false, &whole),
                             STATUS_OK);
            assert_int_equal(trace_velocity_create(f.store, false, false, &once),
                             STATUS_OK);
            put_flow(&(flow){f.layout, f.store, whole}, fields[number], true);
            put_flow(&(flow){f.layout, f.store, once}, fields[number], false);
            expect_same_flow(whole, once);
            const trace_flow a = trace_velocity_now(whole), b = trace_velocity_now(once);
            assert_int_equal(a.is_flat, flat);
            assert_int_equal(a.is_flat, b.is_flat);
            assert_int_equal(a.is_planar, b.is_planar);
            trace_velocity_destroy(&whole);
            trace_velocity_destroy(&once);
        }
        flow_destroy(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_steps_add_up_to_a_turn),
        cmocka_unit_test(steps_of_single_particles_do_so_too),
        cmocka_unit_test(planar_flows_take_a_shorter_way_to_the_same_bits),
        cmocka_unit_test(the_present_flow_counts_at_the_end_of_a_step),
        cmocka_unit_test(all_instruction_sets_give_the_same_bits),
        cmocka_unit_test(flat_cells_take_a_shorter_way_to_the_same_bits),
        cmocka_unit_test(steps_in_a_plane_take_a_shorter_way_to_the_same_bits),
        cmocka_unit_test(flat_flows_are_found),
        cmocka_unit_test(flat_flows_may_be_put_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
