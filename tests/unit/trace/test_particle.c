/* One particle on its way: known orbits, and where it stops. */
#include "../render/check.h"
#include "flow.h"
#include "support/random.h"

#include "trace/particle.h"

#include <string.h>

static const double pi = 3.14159265358979323846;

/* Everything that moves a particle through a flow. */
typedef struct journey {
    flow *f;
    trace_locator *locator;
    trace_rule rule;
    trace_records records;
} journey;

/* From time 0 to `end`, the flow being that of now. */
static journey journey_of(flow *f, double end)
{
    journey j = {.f = f};
    assert_int_equal(trace_locator_create(f->store, &j.locator), STATUS_OK);
    j.rule = (trace_rule){.locator = j.locator,
                          .velocity = f->velocity,
                          .now = end,
                          .is_frozen = true,
                          .end = end,
                          .tolerance = 1e-5,
                          .most_length = INFINITY,
                          .most_steps = INT64_MAX,
                          .leaves_trail = true};
    return j;
}

static void journey_end(journey *j)
{
    trace_records_clear(&j->records);
    trace_locator_destroy(&j->locator);
}

/* Lets a particle go at x, which must lie in the grid, until it arrives or ends. */
static trace_particle travel(journey *j, const double x[3], double direction)
{
    int64_t needed;
    trace_particle seed = trace_particle_seek(0, x);
    assert_true(trace_particle_advance(&j->rule, &seed, &j->records, &needed));
    assert_int_equal(seed.state, TRACE_ARRIVED);
    trace_particle p = trace_particle_release(0, x, &seed.cell, 0.0, direction);
    assert_true(trace_particle_advance(&j->rule, &p, &j->records, &needed));
    return p;
}

static double distance(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

/* The grid's velocity is exact in its vertices but for rounding to float32, and trilinear
 * interpolation is exact for linear fields; so only the integration errs. */
static void check_turns(flow_vertex *ring, const int64_t n[1][3], double direction)
{
    flow f = flow_create(1, n, ring, 1, 0);
    f.layout->blocks[0].closed[1] = true;
    flow_set(&f, flow_rotation, 0.0);
    journey j = journey_of(&f, 2.0 * pi);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        uint64_t state = seed;
        const double radius = random_between(&state, 1.1, 1.85);
        const double angle = random_between(&state, 0.0, 2.0 * pi);
        const double x[3] = {radius * cos(angle), radius * sin(angle),
                             random_between(&state, 0.1, 0.9)};
        const trace_particle p = travel(&j, x, direction);
        check_count("state", seed, TRACE_ARRIVED, p.state);
        check_within("distance to the seed", seed, 0.0, 1e-5 * radius, distance(x, p.x));
        /* The way is counted in chords. */
        check_near("length of the way", seed, 2.0 * pi * radius, p.length, 0.1 * radius);
    }
    journey_end(&j);
    flow_destroy(&f);
}

static void a_particle_in_rotation_returns_after_a_turn(void **state)
{
    (void)state;
    const int64_t n[1][3] = {{17, 65, 9}};
    check_turns(flow_ring, n, 1.0);
}

static void it_returns_across_the_seam_of_a_warped_grid(void **state)
{
    (void)state;
    const int64_t n[1][3] = {{12, 50, 20}};
    check_turns(flow_warped_ring, n, 1.0);
}

static void it_returns_against_the_flow(void **state)
{
    (void)state;
    const int64_t n[1][3] = {{12, 50, 20}};
    check_turns(flow_warped_ring, n, -1.0);
}

static void it_returns_on_a_coarse_grid(void **state)
{
    (void)state;
    const int64_t n[1][3] = {{3, 19, 3}};
    check_turns(flow_ring, n, 1.0);
}

/* The last plane of vertices misses the first by a thousandth of a cell, one way or the
 * other, as in files of few digits. */
static double seam_gap;

static bool gaping_ring(int block, const int64_t at[3], const int64_t n[3], double xyz[3])
{
    flow_ring(block, at, n, xyz);
    if (at[1] == n[1] - 1) {
        xyz[1] = xyz[0] * tan(-seam_gap * 2.0 * pi / (double)(n[1] - 1));
    }
    return true;
}

static void seams_that_gape_are_crossed(void **state)
{
    (void)state;
    const int64_t n[1][3] = {{9, 41, 5}};
    for (seam_gap = -1e-3; seam_gap < 2e-3; seam_gap += 2e-3) {
        flow f = flow_create(1, n, gaping_ring, 1, 0);
        f.layout->blocks[0].closed[1] = true;
        flow_set(&f, flow_rotation, 0.0);
        journey j = journey_of(&f, 2.0 * pi);
        for (int k = 0; k < 8; k++) {
            const double angle = 2.0 * pi * k / 8.0;
            const double x[3] = {1.4 * cos(angle), 1.4 * sin(angle), 0.3};
            const trace_particle p = travel(&j, x, 1.0);
            check_count("state", (uint64_t)k, TRACE_ARRIVED, p.state);
            check_within("distance to the seed", (uint64_t)k, 0.0, 1e-3,
                         distance(x, p.x));
        }
        journey_end(&j);
        flow_destroy(&f);
    }
}

static void along_x(const double x[3], double time, double out[4])
{
    (void)time;
    out[0] = 0.25;
    out[1] = out[2] = 0.0;
    out[3] = x[0];
}

static void a_particle_crosses_into_the_next_block(void **state)
{
    (void)state;
    const int64_t n[2][3] = {{9, 20, 6}, {18, 7, 5}};
    const double x[3] = {0.3, 0.37, 0.61};
    flow f = flow_create(2, n, flow_boxes, 1, 0);
    flow_set(&f, along_x, 0.0);
    journey j = journey_of(&f, 5.0);
    const trace_particle p = travel(&j, x, 1.0);
    check_count("state", 0, TRACE_ARRIVED, p.state);
    check_count("block", 0, 1, p.cell.block);
    check_near("x", 0, 1.55, p.x[0], 1e-9);
    check_near("y", 0, 0.37, p.x[1], 1e-9);
    check_near("value", 0, 1.55, p.value, 1e-6);
    journey_end(&j);
    flow_destroy(&f);
}

static bool box_with_hole(int block, const int64_t at[3], const int64_t n[3],
                          double xyz[3])
{
    flow_boxes(block, at, n, xyz);
    return at[0] != 6 || at[1] != 4 || at[2] != 4;
}

/* A particle stops in front of x = `stop`, nearer than a thousandth of a cell. */
static void check_stop(flow_vertex *vertex, const double x[3], double stop)
{
    const int64_t n[1][3] = {{9, 9, 9}};
    flow f = flow_create(1, n, vertex, 1, 0);
    flow_set(&f, along_x, 0.0);
    journey j = journey_of(&f, 50.0);
    const trace_particle p = travel(&j, x, 1.0);
    check_count("state", 0, TRACE_ENDED, p.state);
    check_within("x", 0, stop - 1.1e-3 / 8.0, stop + 1e-6, p.x[0]);
    const trace_record *last = &j.records.items[j.records.count - 1];
    check_count("the last record", 0, 1, last->ended);
    check_near("its x", 0, p.x[0], last->x[0], 0.0);
    journey_end(&j);
    flow_destroy(&f);
}

static void particles_stop_at_the_end_of_the_grid(void **state)
{
    (void)state;
    const double x[3] = {0.1, 0.52, 0.47};
    check_stop(flow_boxes, x, 1.0);
}

static void particles_stop_in_front_of_holes(void **state)
{
    (void)state;
    const double x[3] = {0.1, 0.52, 0.47};
    check_stop(box_with_hole, x, 5.0 / 8.0);
}

/* Towards a wall at x = 1 where the velocity is zero: x = 1 - exp(-t). */
static void to_the_wall(const double x[3], double time, double out[4])
{
    (void)time;
    out[0] = 1.0 - x[0];
    out[1] = out[2] = out[3] = 0.0;
}

static void particles_never_pass_a_wall_without_slip(void **state)
{
    (void)state;
    const int64_t n[1][3] = {{9, 9, 9}};
    const double x[3] = {0.0, 0.5, 0.5};
    flow f = flow_create(1, n, flow_boxes, 1, 0);
    flow_set(&f, to_the_wall, 0.0);
    journey j = journey_of(&f, 6.0);
    const trace_particle p = travel(&j, x, 1.0);
    check_count("state", 0, TRACE_ARRIVED, p.state);
    check_near("x", 0, 1.0 - exp(-6.0), p.x[0], 1e-6);
    journey_end(&j);
    flow_destroy(&f);
}

static void hurrying(const double x[3], double time, double out[4])
{
    (void)x;
    out[0] = time;
    out[1] = out[2] = 0.0;
    out[3] = 10.0 * time;
}

static void the_flow_is_linear_in_time_between_two_steps(void **state)
{
    (void)state;
    const int64_t n[1][3] = {{9, 9, 9}};
    const double x[3] = {0.1, 0.5, 0.5};
    flow f = flow_create(1, n, flow_boxes, 1, 0);
    flow_set(&f, hurrying, 0.25);
    trace_velocity_turn(f.velocity);
    flow_set(&f, hurrying, 1.25);
    journey j = journey_of(&f, 1.25);
    j.rule.is_frozen = false;
    j.rule.before = 0.25;
    trace_particle p =
        trace_particle_release(0, x, &(trace_cell){0, {0, 4, 4}}, 0.25, 1.0);
    int64_t needed;
    assert_true(trace_particle_advance(&j.rule, &p, &j.records, &needed));
    check_count("state", 0, TRACE_ARRIVED, p.state);
    check_near("x", 0, 0.1 + 0.5 * (1.25 * 1.25 - 0.25 * 0.25), p.x[0], 1e-9);
    check_near("value", 0, 12.5, p.value, 1e-5);
    check_near("first value", 0, 2.5, j.records.items[0].value, 1e-5);
    journey_end(&j);
    flow_destroy(&f);
}

static void a_steady_flow_is_the_same_at_all_times(void **state)
{
    (void)state;
    const int64_t n[1][3] = {{9, 9, 9}};
    const double x[3] = {0.1, 0.5, 0.5};
    flow f = flow_create(1, n, flow_boxes, 1, 0);
    trace_velocity_destroy(&f.velocity);
    assert_int_equal(trace_velocity_create(f.store, false, false, &f.velocity),
                     STATUS_OK);
    flow_set(&f, along_x, 0.0);
    trace_velocity_turn(f.velocity);
    journey j = journey_of(&f, 2.0);
    j.rule.is_frozen = false;
    const trace_particle p = travel(&j, x, 1.0);
    check_count("state", 0, TRACE_ARRIVED, p.state);
    check_near("x", 0, 0.6, p.x[0], 1e-9);
    check_near("value", 0, 0.0, p.value, 0.0);
    journey_end(&j);
    flow_destroy(&f);
}

static void nowhere_to_go(const double x[3], double time, double out[4])
{
    along_x(x, time, out);
    out[1] = x[0] > 0.7 ? NAN : 0.0;
}

static void particles_stop_where_the_velocity_is_not_a_number(void **state)
{
    (void)state;
    const int64_t n[1][3] = {{9, 9, 9}};
    const double x[3] = {0.1, 0.52, 0.47};
    flow f = flow_create(1, n, flow_boxes, 1, 0);
    flow_set(&f, nowhere_to_go, 0.0);
    journey j = journey_of(&f, 50.0);
    const trace_particle p = travel(&j, x, 1.0);
    check_count("state", 0, TRACE_ENDED, p.state);
    check_within("x", 0, 0.625 - 1e-3, 0.625 + 1e-6, p.x[0]);
    journey_end(&j);
    flow_destroy(&f);
}

static void lines_end_at_their_length_and_at_rest(void **state)
{
    (void)state;
    const int64_t n[1][3] = {{12, 50, 20}};
    const double x[3] = {1.5, 0.0, 0.5};
    flow f = flow_create(1, n, flow_warped_ring, 1, 0);
    f.layout->blocks[0].closed[1] = true;
    journey j = journey_of(&f, INFINITY);
    trace_particle p = travel(&j, x, 1.0); /* all velocities are zero */
    check_count("state at rest", 0, TRACE_ENDED, p.state);
    check_count("steps at rest", 0, 0, p.steps);
    flow_set(&f, flow_rotation, 0.0);
    j.rule.most_length = 3.25;
    p = travel(&j, x, 1.0);
    check_count("state", 0, TRACE_ENDED, p.state);
    check_near("length", 0, 3.25, p.length, 0.01);
    j.rule.most_length = INFINITY;
    j.rule.most_steps = 17;
    p = travel(&j, x, 1.0);
    check_count("steps", 0, 17, p.steps);
    journey_end(&j);
    flow_destroy(&f);
}

/* Points between steps lie on the circle far better than the chords do. */
static void trails_are_round(void **state)
{
    (void)state;
    const int64_t n[1][3] = {{3, 19, 3}};
    const double x[3] = {1.5, 0.0, 0.5};
    flow f = flow_create(1, n, flow_ring, 1, 0);
    f.layout->blocks[0].closed[1] = true;
    flow_set(&f, flow_rotation, 0.0);
    journey j = journey_of(&f, 6.0);
    const trace_particle p = travel(&j, x, 1.0);
    assert_true(j.records.count > p.steps + 20);
    for (int64_t r = 0; r < j.records.count; r++) {
        const trace_record *record = &j.records.items[r];
        check_count("place", 0, r, record->place);
        check_near("radius", (uint64_t)r, 1.5, hypot(record->x[0], record->x[1]), 1e-3);
        check_near("angle", (uint64_t)r, 0.0,
                   sin(atan2(record->x[1], record->x[0]) - record->time), 1e-3);
    }
    journey_end(&j);
    flow_destroy(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_particle_in_rotation_returns_after_a_turn),
        cmocka_unit_test(it_returns_across_the_seam_of_a_warped_grid),
        cmocka_unit_test(it_returns_against_the_flow),
        cmocka_unit_test(it_returns_on_a_coarse_grid),
        cmocka_unit_test(seams_that_gape_are_crossed),
        cmocka_unit_test(a_particle_crosses_into_the_next_block),
        cmocka_unit_test(particles_stop_at_the_end_of_the_grid),
        cmocka_unit_test(particles_stop_in_front_of_holes),
        cmocka_unit_test(particles_never_pass_a_wall_without_slip),
        cmocka_unit_test(the_flow_is_linear_in_time_between_two_steps),
        cmocka_unit_test(a_steady_flow_is_the_same_at_all_times),
        cmocka_unit_test(particles_stop_where_the_velocity_is_not_a_number),
        cmocka_unit_test(lines_end_at_their_length_and_at_rest),
        cmocka_unit_test(trails_are_round),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
