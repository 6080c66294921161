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
        trace_lanes *lanes = &c->lanes.of[p / TRACE_LANES];
        if (trace_lanes_has(&c->lanes, p)) {
            moved++;
            continue;
        }
        advance(&c->rule, c->particles, &c->lanes, p, &c->records);
        check_count("state", (uint64_t)p, TRACE_ARRIVED, c->particles[p].state);
        if (!together && trace_lanes_has(&c->lanes, p)) {
            trace_lanes_leave(lanes, lane, time, &c->particles[p]);
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
            trace_lanes_leave(&c->lanes.of[p / TRACE_LANES], p % TRACE_LANES, c->rule.now,
                              &c->particles[p]);
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
    trace_lanes_leave(&lanes.of[0], 0, rule.now, &p);
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

/* One cell a lane. The particle begins in it, about where it is guessed to come to. */
static void fill_lanes(uint64_t seed, float vertex[CELLS * 8][4], trace_lanes *lanes)
{
    uint64_t state = seed;
    const double size = seed % 3 == 0 ? 1e-3 : 1.0;
    memset(lanes, 0, sizeof *lanes);
    for (int n = 0; n < TRACE_LANES; n++) {
        float(*cell)[4] = vertex + 8 * n;
        fill_cell(seed, &state, size, cell);
        for (int c = 0; c < 3; c++) {
            const double most = c == 2 ? size : 1.0;
            lanes->velocity[c][n] = (float)(random_between(&state, -0.01, 0.01) * most);
            lanes->bend[c][n] = (float)(random_between(&state, -0.1, 0.1) * most);
            lanes->guess.local[c][n] = (float)random_between(&state, 0.1, 0.9);
        }
        for (int c = 0; c < 3; c++) {
            for (int corner = 0; corner < 8; corner++) {
                const double r = lanes->guess.local[0][n], s = lanes->guess.local[1][n],
                             t = lanes->guess.local[2][n];
                lanes->guess.x[c][n] +=
                    (double)cell[corner][c] * (corner & 1 ? r : 1.0 - r) *
                    (corner & 2 ? s : 1.0 - s) * (corner & 4 ? t : 1.0 - t);
            }
        }
        lanes->past[n] = 0.04F;
    }
    vertex[CELLS * 8 - 1][0] = seed % 5 == 0 ? NAN : 1.0F;
    for (int n = 0; n < TRACE_LANES; n++) {
        trace_corners corners;
        for (int v = 0; v < 8; v++) {
            corners.vertex[v] = 8 * n + v;
        }
        trace_guess_set_cell(&(grid_store){.vertex = vertex}, &corners, n, &lanes->guess);
        lanes->guess.cell[n] = random_between(&state, 0.0, 1.0) < 0.9 ? 8 * n : -1;
    }
}

static void all_instruction_sets_give_the_same_bits(void **state)
{
    (void)state;
    float vertex[CELLS * 8][4], field[CELLS * 8 * 4 + TRACE_ADAMS_PADDING];
    int good = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        uint64_t random = seed;
        trace_lanes start, plain;
        trace_adams_outcome first = {0};
        fill_lanes(seed, vertex, &start);
        for (int n = 0; n < CELLS * 8 * 4 + TRACE_ADAMS_PADDING; n++) {
            field[n] = (float)random_between(&random, -0.01, 0.01);
        }
        const trace_adams_step step = {.flow = field,
                                       .width = 3 + (int)(seed & 1),
                                       .time = 0.05,
                                       .tolerance = 1e-2F};
        plain = start;
        const int all = trace_adams_plain(&step, &plain.guess, &plain, &first);
        for (trace_adams_kernel *const *kernel = trace_adams_kernels(); *kernel;
             kernel++) {
            trace_lanes other = start;
            trace_adams_outcome second = {0};
            check_count("all", seed, all,
                        (*kernel)(&step, &other.guess, &other, &second));
            assert_memory_equal(&plain, &other, sizeof plain);
            check_count("good", seed, first.good, second.good);
        }
        for (int n = 0; n < TRACE_LANES; n++) {
            const bool is_good =
                all ? start.guess.cell[n] >= 0 : (int)(first.good >> n & 1);
            good += is_good;
            assert_true(is_good || plain.guess.x[0][n] == start.guess.x[0][n]);
            assert_true(!is_good || start.guess.cell[n] >= 0);
        }
    }
    assert_true(good > 500 && good < 180 * TRACE_LANES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_steps_add_up_to_a_turn),
        cmocka_unit_test(steps_of_single_particles_do_so_too),
        cmocka_unit_test(the_present_flow_counts_at_the_end_of_a_step),
        cmocka_unit_test(all_instruction_sets_give_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
