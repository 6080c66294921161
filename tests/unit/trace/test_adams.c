/* Short steps: as exact as they claim to be, and the same bits for every width. */
#include "../render/check.h"
#include "flow.h"
#include "support/random.h"

#include "trace/adams/batch.h"
#include "trace/particle.h"

#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

enum { COUNT = 40 };

/* Particles on the warped ring, which turn about its axis in short steps. */
typedef struct carousel {
    flow f;
    trace_locator *locator;
    trace_rule rule;
    trace_records records;
    trace_particle particles[COUNT];
    double seeds[COUNT][3];
} carousel;

static carousel *carousel_open(void)
{
    const int64_t n[1][3] = {{12, 50, 20}};
    carousel *c = calloc(1, sizeof *c);
    c->f = flow_create(1, n, flow_warped_ring, 1, 0);
    c->f.layout->blocks[0].closed[1] = true;
    flow_set(&c->f, flow_rotation, 0.0);
    trace_velocity_turn(c->f.velocity);
    flow_set(&c->f, flow_rotation, 0.0);
    assert_int_equal(trace_locator_create(c->f.store, &c->locator), STATUS_OK);
    c->rule = (trace_rule){.locator = c->locator,
                           .velocity = c->f.velocity,
                           .tolerance = 1e-5,
                           .most_length = INFINITY,
                           .most_steps = INT64_MAX};
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
    trace_locator_destroy(&c->locator);
    flow_destroy(&c->f);
    free(c);
}

/* Steps to `time`; returns how many particles were moved together. */
static int carousel_step(carousel *c, double time, bool together)
{
    int moved = 0;
    c->rule.before = c->rule.now;
    c->rule.now = c->rule.end = time;
    if (together) {
        trace_adams_move(&c->rule, COUNT, c->particles, &c->records);
    }
    for (int p = 0; p < COUNT; p++) {
        int64_t needed;
        moved += c->particles[p].state == TRACE_ARRIVED && c->particles[p].time == time;
        assert_true(
            trace_particle_advance(&c->rule, &c->particles[p], &c->records, &needed));
        check_count("state", (uint64_t)p, TRACE_ARRIVED, c->particles[p].state);
    }
    return moved;
}

/* Within a turn the errors of all steps add up to less than the tolerance of one. */
static void check_turn(bool together, double least)
{
    enum { STEPS = 2000 };
    carousel *c = carousel_open();
    int moved = 0;
    for (int step = 1; step <= STEPS; step++) {
        moved +=
            carousel_step(c, step < STEPS ? 2.0 * pi * step / STEPS : 2.0 * pi, together);
    }
    for (int p = 0; p < COUNT; p++) {
        const double *x = c->particles[p].x, *seed = c->seeds[p];
        check_within("distance to the seed", (uint64_t)p, 0.0, 1e-5,
                     sqrt((x[0] - seed[0]) * (x[0] - seed[0]) +
                          (x[1] - seed[1]) * (x[1] - seed[1]) +
                          (x[2] - seed[2]) * (x[2] - seed[2])));
        check_count("steps", (uint64_t)p, STEPS, c->particles[p].steps);
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
    int64_t needed;
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
    flow_set(&f, hurrying, 0.0);
    for (int step = 1; step <= 40; step++) {
        trace_velocity_turn(f.velocity);
        flow_set(&f, hurrying, 0.01 * step);
        rule.before = 0.01 * (step - 1);
        rule.now = rule.end = 0.01 * step;
        trace_adams_move(&rule, 1, &p, &records);
        assert_true(trace_particle_advance(&rule, &p, &records, &needed));
    }
    check_near("x", 0, 0.1 + 0.1 * 0.4 + 0.1 * 0.4 * 0.4, p.x[0], 1e-7);
    check_near("value", 0, 4.0, p.value, 1e-5);
    trace_records_clear(&records);
    trace_locator_destroy(&locator);
    flow_destroy(&f);
}

/* ---- Widths ------------------------------------------------------------------------ */

enum { CELLS = 64 };

/* Random cells and flows; some are folded, thin or not numbers. */
static void fill_batch(uint64_t seed, float vertex[CELLS][4], trace_adams_batch *b)
{
    uint64_t state = seed;
    const double size = seed % 3 == 0 ? 1e-3 : 1.0;
    for (int n = 0; n < CELLS; n++) {
        for (int c = 0; c < 4; c++) {
            vertex[n][c] = (float)random_between(&state, -0.2, 0.2);
        }
        for (int c = 0; c < 3; c++) {
            vertex[n][c] += (float)(n >> c & 1);
        }
        vertex[n][2] *= (float)size;
    }
    vertex[CELLS - 1][0] = seed % 5 == 0 ? NAN : 1.0f;
    *b = (trace_adams_batch){.vertices = &vertex[0][0],
                             .flow = &vertex[0][0],
                             .width = 3 + (int)(seed & 1),
                             .step = 0.05,
                             .tolerance = 1e-2,
                             .margin = 1e-7};
    for (int n = 0; n < TRACE_ADAMS_BATCH; n++) {
        const int cell = 8 * (int)random_between(&state, 0.0, CELLS / 8 - 1e-9);
        for (int corner = 0; corner < 8; corner++) {
            b->at[corner][n] = 4 * (cell + corner);
            b->flow_at[corner][n] = b->width * (cell + corner);
        }
        for (int c = 0; c < 3; c++) {
            const double most = c == 2 ? 0.9 * size : 0.9;
            b->x[c][n] = random_between(&state, 0.1 * most, most);
            b->velocity[c][n] = random_between(&state, -0.1, 0.1) * most;
            b->bend[c][n] = random_between(&state, -0.1, 0.1) * most;
        }
        b->past[n] = 0.04;
    }
}

static void all_widths_give_the_same_bits(void **state)
{
    (void)state;
    float vertex[CELLS][4];
    int good = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        trace_adams_batch start, plain;
        memset(&start, 0, sizeof start);
        fill_batch(seed, vertex, &start);
        plain = start;
        trace_adams_plain(&plain);
        for (trace_adams_kernel *const *kernel = trace_adams_kernels(); *kernel;
             kernel++) {
            trace_adams_batch other = start;
            (*kernel)(&other);
            for (int n = 0; n < TRACE_ADAMS_BATCH; n++) {
                check_count("good", seed, plain.good[n] != 0, other.good[n] != 0);
                for (int c = 0; c < 3 && plain.good[n]; c++) {
                    assert_memory_equal(&plain.to[c][n], &other.to[c][n], sizeof(double));
                    assert_memory_equal(&plain.velocity[c][n], &other.velocity[c][n],
                                        sizeof(double));
                    assert_memory_equal(&plain.value[n], &other.value[n], sizeof(double));
                }
            }
        }
        for (int n = 0; n < TRACE_ADAMS_BATCH; n++) {
            good += plain.good[n] != 0;
        }
    }
    assert_true(good > 500 && good < 200 * TRACE_ADAMS_BATCH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_steps_add_up_to_a_turn),
        cmocka_unit_test(steps_of_single_particles_do_so_too),
        cmocka_unit_test(the_present_flow_counts_at_the_end_of_a_step),
        cmocka_unit_test(all_widths_give_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
