/* Transfer functions integrated for many rays at a time, for every instruction set that
 * this processor has: against the exact integrals, and against each other. */
#include "test_transfer_lanes.h"

#include "check.h"

#include "support/random.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RAYS = 37, STEPS = 120, SEGMENTS = RAYS * STEPS, COLORS = 256, MOST_PARTS = 4 };

/* Largest difference of the table from the exact function. */
static const double most_error = 1e-4;

/* By how much the parts of a way may differ from the whole. */
#define CUT_ERROR 1e-5

/* A segment whose exact value is below minus this is not compared further; it must only
 * be as large. */
static const double most_taken_back = 5e6;

/* Scalars are known to this share of the table's range: a few units in the last place. */
static const double blur = 0x1p-21;

/* ---- Transfer functions ------------------------------------------------------------ */

enum {
    LINEAR,
    ALPHA_LINEAR,
    STEPPED,
    SPIKE,
    CONSTANT,
    RAMPS,
    HATS,
    OPAQUE,
    ONE_STEP,
    FAR_AWAY,
    KINDS
};

typedef struct recipe {
    int count;
    double opacities[8][2];
    bool is_extinction;
    double offset; /* added to all scalars */
} recipe;

/* All lie between 0 and 1, plus the offset. */
static const recipe recipes[KINDS] = {
    [LINEAR] = {2, {{0, 0}, {1, 2}}, true, 0},
    [ALPHA_LINEAR] = {2, {{0, 0}, {1, 0.9}}, false, 0},
    [STEPPED] = {6,
                 {{0, 0.1}, {0.3, 0.1}, {0.3, 0.8}, {0.7, 0.8}, {0.7, 0}, {1, 0}},
                 0,
                 0},
    [SPIKE] = {5, {{0, 0}, {0.5, 0}, {0.5001, 50}, {0.5002, 0}, {1, 0}}, true, 0},
    [CONSTANT] = {1, {{0.5, 0.3}}, false, 0},
    [RAMPS] = {6,
               {{0, 0}, {0.07, 0}, {0.12, 0.12}, {0.3, 0.25}, {0.6, 0.6}, {1, 0.92}},
               0,
               0},
    [HATS] = {7,
              {{0, 0}, {0.2, 0}, {0.3, 0.9}, {0.4, 0}, {0.6, 0}, {0.7, 0.99}, {0.8, 0}},
              0,
              0},
    [OPAQUE] = {4, {{0, 0}, {0.4, 1}, {0.6, 1}, {1, 0.2}}, false, 0},
    [ONE_STEP] = {2, {{0.5, 0.1}, {0.5, 0.6}}, false, 0},
    [FAR_AWAY] = {3, {{0, 0.1}, {0.5, 2}, {1, 0.1}}, true, 1000},
};

/* A smooth colour map of many points. */
static void fill_colors(double offset, double colors[COLORS][4])
{
    for (int i = 0; i < COLORS; i++) {
        double x = i / (COLORS - 1.0);
        colors[i][0] = offset + x;
        colors[i][1] = 0.5 + 0.5 * sin(3.0 * x);
        colors[i][2] = 0.2 + 0.7 * x * x;
        colors[i][3] = 0.5 + 0.4 * cos(6.0 * x);
    }
}

static render_transfer *create(int kind)
{
    static double colors[COLORS][4];
    double opacities[8][2];
    const recipe *r = &recipes[kind];
    fill_colors(r->offset, colors);
    memcpy(opacities, r->opacities, sizeof opacities);
    for (int i = 0; i < r->count; i++) {
        opacities[i][0] += r->offset;
    }
    const render_transfer_points points = {.ncolors = COLORS,
                                           .colors = (const double(*)[4])colors,
                                           .nopacities = r->count,
                                           .opacities = (const double(*)[2])opacities,
                                           .opacities_are_extinction = r->is_extinction,
                                           .positions_are_data = true,
                                           .unit_length = 1.0};
    render_transfer *transfer = NULL;
    if (render_transfer_create(&points, &transfer) != STATUS_OK) {
        fail_msg("no transfer function: %s", base_fail_message());
    }
    return transfer;
}

/* ---- Segments ---------------------------------------------------------------------- */

/* Rays on their way: how far the scalar moves at most in a step, and how long one is. */
typedef struct walk {
    double most_change, length;
} walk;

static const walk walks[] = {
    {1e-6, 0.02}, {5e-4, 0.005}, {5e-4, 1.0}, {0.02, 0.05},
    {0.02, 1.0},  {0.2, 0.05},   {0.3, 5.0},
};
enum { WALKS = sizeof walks / sizeof *walks };

/* One step in 16 does not begin where the last one ended, in one in 16 nothing changes,
 * one in 16 goes backwards, and one in 16 is left out. */
static void random_rays(uint64_t seed, double offset, walk how,
                        lane_segment segments[SEGMENTS])
{
    uint64_t state = seed;
    for (int ray = 0; ray < RAYS; ray++) {
        float s = (float)(offset + random_between(&state, -0.1, 1.1));
        for (int step = 0; step < STEPS; step++) {
            int event = random_below(&state, 16);
            if (event == 0) {
                s = (float)(offset + random_between(&state, -0.1, 1.1));
            }
            double change = random_between(&state, -how.most_change, how.most_change);
            double next = (double)s + (event == 1 ? 0.0 : change);
            bool is_near = next > offset - 0.2 && next < offset + 1.2;
            lane_segment *segment = &segments[step * RAYS + ray];
            *segment = (lane_segment){
                .s0 = s,
                .s1 = is_near ? (float)next : s,
                .length = (float)(how.length * random_between(&state, 0.2, 1.8)),
                .is_active = event != 3};
            segment->length *= event == 2 ? -1.0f : 1.0f;
            s = segment->s1;
        }
    }
}

/* ---- Against the exact integral ---------------------------------------------------- */

typedef struct exact_light {
    double value[4]; /* emitted, absorbed */
} exact_light;

static exact_light integrate(const render_transfer *transfer, double s0, double s1,
                             double length)
{
    exact_light out;
    double through;
    render_transfer_integrate(transfer, s0, s1, length, out.value, &through);
    out.value[3] = 1.0 - through;
    return out;
}

/* By how much the exact result changes where scalars are a little different. */
static void add_blur(const render_transfer *transfer, const lane_segment *segment,
                     const exact_light *exact, double slack[4])
{
    for (int n = 0; n < 9; n++) {
        double size = blur * fmax(1.0, fabs((double)segment->s0));
        exact_light other = integrate(transfer, segment->s0 + (n % 3 - 1) * size,
                                      segment->s1 + (n / 3 - 1) * size, segment->length);
        for (int c = 0; c < 4; c++) {
            slack[c] = fmax(slack[c], 1.5 * fabs(other.value[c] - exact->value[c]));
        }
    }
}

static double result_value(const lane_result *result, int channel)
{
    return channel < 3 ? (double)result->emitted[channel] : (double)result->absorbed;
}

/* Returns the largest error. Negative values may be large; then errors are relative. */
static double compare(const render_transfer *transfer, const lane_segment *segment,
                      const lane_result *result, double tolerance, uint64_t seed)
{
    exact_light exact = integrate(transfer, segment->s0, segment->s1, segment->length);
    double slack[4] = {0}, most = 0.0;
    if (exact.value[3] < -most_taken_back) {
        check_within("absorbed", seed, -INFINITY, -most_taken_back,
                     (double)result->absorbed);
        return 0.0;
    }
    double size = fmax(1.0, fabs(exact.value[3]));
    for (int c = 0; c < 4; c++) {
        double error = fabs(result_value(result, c) - exact.value[c]);
        most = fmax(most, error / size);
        if (!(error <= tolerance * size)) {
            add_blur(transfer, segment, &exact, slack);
            check_near(c < 3 ? "emitted" : "absorbed", seed, exact.value[c],
                       result_value(result, c), tolerance * size + slack[c]);
        }
    }
    return most;
}

static void results_agree_with_the_exact_integral(void **runner_state)
{
    const lane_runner *runner = *runner_state;
    static lane_segment segments[SEGMENTS];
    static lane_result results[SEGMENTS];
    for (int kind = 0; kind < KINDS; kind++) {
        render_transfer *transfer = create(kind);
        for (int w = 0; w < WALKS; w++) {
            uint64_t seed = (uint64_t)(1000 + 100 * kind + w);
            random_rays(seed, recipes[kind].offset, walks[w], segments);
            runner->advance(transfer, RAYS, STEPS, segments, results);
            double sum = 0.0;
            for (int i = 0; i < SEGMENTS; i++) {
                if (segments[i].is_active) {
                    sum += compare(transfer, &segments[i], &results[i], most_error, seed);
                }
            }
            bool is_smooth = kind == LINEAR || kind == ALPHA_LINEAR || kind == RAMPS;
            check_within("mean error", seed, 0.0, is_smooth ? 2e-6 : 1e-4,
                         sum / SEGMENTS);
        }
        render_transfer_destroy(&transfer);
    }
}

static void thin_segments_are_right_relative_to_themselves(void **runner_state)
{
    const lane_runner *runner = *runner_state;
    static lane_segment segments[SEGMENTS];
    static lane_result results[SEGMENTS];
    render_transfer *transfer = create(LINEAR);
    for (int n = 0; n < 12; n++) {
        double length = pow(10.0, -n);
        random_rays((uint64_t)n + 1, 0.0, (walk){0.01, length}, segments);
        runner->advance(transfer, RAYS, STEPS, segments, results);
        for (int i = 0; i < SEGMENTS; i++) {
            /* Near zero extinction it is the scalar's last digits that count. */
            if (segments[i].is_active && segments[i].s0 > 0.3f && segments[i].s0 < 0.9f) {
                exact_light exact = integrate(transfer, segments[i].s0, segments[i].s1,
                                              segments[i].length);
                double size = fabs(exact.value[3]);
                if (size > 1e-9) { /* else the exact one has lost digits */
                    check_near("absorbed", (uint64_t)n, exact.value[3],
                               (double)results[i].absorbed, 2e-6 * size + 2e-16);
                }
            }
        }
    }
    render_transfer_destroy(&transfer);
}

/* ---- Widths ------------------------------------------------------------------------ */

static void all_widths_give_the_same_bits(void **runner_state)
{
    const lane_runner *runner = *runner_state;
    static lane_segment segments[SEGMENTS];
    static lane_result results[SEGMENTS], expected[SEGMENTS];
    for (int kind = 0; kind < KINDS; kind++) {
        render_transfer *transfer = create(kind);
        for (int w = 0; w < WALKS; w++) {
            random_rays((uint64_t)(3000 + 100 * kind + w), recipes[kind].offset, walks[w],
                        segments);
            lane_runner_plain.advance(transfer, RAYS, STEPS, segments, expected);
            runner->advance(transfer, RAYS, STEPS, segments, results);
            for (int i = 0; i < SEGMENTS; i++) {
                if (memcmp(&results[i], &expected[i], sizeof *results) != 0) {
                    fail_msg("%s: kind %d, walk %d, segment %d (%.9g to %.9g, length "
                             "%.9g): expected red %.9g, absorbed %.9g, came %.9g, %.9g",
                             runner->name, kind, w, i, (double)segments[i].s0,
                             (double)segments[i].s1, (double)segments[i].length,
                             (double)expected[i].emitted[0], (double)expected[i].absorbed,
                             (double)results[i].emitted[0], (double)results[i].absorbed);
                }
            }
        }
        render_transfer_destroy(&transfer);
    }
}

static void lanes_that_are_left_out_give_zeros(void **runner_state)
{
    const lane_runner *runner = *runner_state;
    lane_segment segments[3] = {
        {.s0 = 0.2f, .s1 = 0.5f, .length = 0.1f, .is_active = true},
        {.s0 = NAN, .s1 = INFINITY, .length = NAN},
        {.s0 = 0.5f, .s1 = 0.7f, .length = 0.1f, .is_active = true}};
    lane_result results[3], alone;
    render_transfer *transfer = create(RAMPS);
    runner->advance(transfer, 1, 3, segments, results);
    runner->advance(transfer, 1, 1, &segments[2], &alone);
    for (int c = 0; c < 4; c++) {
        check_near("left out", 0, 0.0, result_value(&results[1], c), 0.0);
        check_near("after it", 0, result_value(&alone, c), result_value(&results[2], c),
                   0.0);
    }
    render_transfer_destroy(&transfer);
}

/* ---- Properties -------------------------------------------------------------------- */

/* A way of random length, and shares at which it is cut: some of the parts are short. */
static lane_segment random_way(double offset, uint64_t *state, int count, float *shares)
{
    const walk how = walks[random_below(state, WALKS)];
    const double s0 = offset + random_between(state, 0.0, 1.0);
    const double change = random_between(state, -how.most_change, how.most_change);
    double sum = 0.0, size[MOST_PARTS];
    for (int n = 0; n < count; n++) {
        size[n] = exp(random_between(state, -8.0, 0.0));
        sum += size[n];
    }
    double share = 0.0;
    for (int n = 0; n < count; n++) {
        share += size[n] / sum;
        shares[n] = n + 1 == count ? 1.0f : (float)share;
    }
    return (lane_segment){(float)s0, (float)(s0 + change),
                          (float)(how.length * random_between(state, 0.2, 1.8)), true};
}

/* However a way is cut, its parts show what it shows as a whole: much closer than either
 * comes to the exact integral. */
static void cutting_a_segment_changes_nothing(void **runner_state)
{
    const lane_runner *runner = *runner_state;
    uint64_t state = 77;
    for (int kind = 0; kind < KINDS; kind++) {
        render_transfer *transfer = create(kind);
        for (int n = 0; n < 4000; n++) {
            float shares[MOST_PARTS];
            const int count = 2 + random_below(&state, MOST_PARTS - 1);
            const lane_segment way =
                random_way(recipes[kind].offset, &state, count, shares);
            lane_result whole, parts[MOST_PARTS];
            runner->advance(transfer, 1, 1, &way, &whole);
            runner->cut(transfer, &way, count, shares, parts);
            double sum[4] = {0}, through = 1.0;
            for (int i = 0; i < count; i++) {
                for (int c = 0; c < 4; c++) {
                    sum[c] += through * result_value(&parts[i], c);
                }
                through *= 1.0 - (double)parts[i].absorbed;
            }
            for (int c = 0; c < 4; c++) {
                check_near("cut", (uint64_t)(10000 * kind + n), result_value(&whole, c),
                           sum[c], CUT_ERROR);
            }
        }
        render_transfer_destroy(&transfer);
    }
}

static void going_back_takes_back(void **runner_state)
{
    const lane_runner *runner = *runner_state;
    uint64_t state = 99;
    for (int kind = 0; kind < KINDS; kind++) {
        render_transfer *transfer = create(kind);
        for (int n = 0; n < 500; n++) {
            float s[2], length = (float)random_between(&state, 0.0, 0.5);
            for (int end = 0; end < 2; end++) {
                s[end] = (float)(recipes[kind].offset + random_between(&state, 0.0, 1.0));
            }
            lane_segment there_and_back[2] = {{s[0], s[1], length, true},
                                              {s[1], s[0], -length, true}};
            lane_result results[2];
            runner->advance(transfer, 1, 2, there_and_back, results);
            double through = 1.0 - (double)results[0].absorbed;
            for (int c = 0; c < 4; c++) {
                check_near("there and back", (uint64_t)n, 0.0,
                           result_value(&results[0], c) +
                               through * result_value(&results[1], c),
                           2e-5);
            }
        }
        render_transfer_destroy(&transfer);
    }
}

static void spikes_thinner_than_a_segment_are_not_missed(void **runner_state)
{
    const lane_runner *runner = *runner_state;
    render_transfer *transfer = create(SPIKE);
    uint64_t state = 5;
    for (int n = 0; n < 2000; n++) {
        float s0 = (float)random_between(&state, 0.0, 0.49);
        float s1 = (float)random_between(&state, 0.51, 1.0);
        lane_segment segment = {n % 2 ? s0 : s1, n % 2 ? s1 : s0, 10.0f, true};
        lane_result result;
        runner->advance(transfer, 1, 1, &segment, &result);
        /* The area of the spike is 50 * 0.0002 / 2. */
        double depth = 10.0 * 0.005 / ((double)s1 - (double)s0);
        check_near("absorbed", (uint64_t)n, -expm1(-depth), (double)result.absorbed,
                   1e-6);
    }
    render_transfer_destroy(&transfer);
}

static void a_value_at_a_step_is_that_above(void **runner_state)
{
    const lane_runner *runner = *runner_state;
    render_transfer *transfer = create(STEPPED);
    const float at[] = {0.3f, 0.7f};
    for (int n = 0; n < 2; n++) {
        /* The float may lie just below the step: the next one does not. */
        float s = nextafterf(at[n], 2.0f);
        lane_segment segment = {s, s, 0.5f, true};
        lane_result result;
        runner->advance(transfer, 1, 1, &segment, &result);
        check_near("absorbed", (uint64_t)n, n ? 0.0 : 1.0 - pow(0.2, 0.5),
                   (double)result.absorbed, 1e-6);
    }
    render_transfer_destroy(&transfer);
}

static void huge_scalars_take_the_end_values(void **runner_state)
{
    const lane_runner *runner = *runner_state;
    /* The last two begin on the flank of SPIKE; length per scalar has no float32. */
    const float ends[][2] = {{-1e30f, -2e30f},  {-1e30f, 0.5f},   {1e30f, 0.5f},
                             {-1e30f, 1e30f},   {1e30f, 1e30f},   {-FLT_MAX, -FLT_MAX},
                             {0.50015f, 1e35f}, {1e35f, 0.50015f}};
    for (int kind = 0; kind < KINDS; kind++) {
        render_transfer *transfer = create(kind);
        for (size_t n = 0; n < sizeof ends / sizeof *ends; n++) {
            lane_segment segment = {ends[n][0], ends[n][1], 0.5f, true};
            lane_result result;
            runner->advance(transfer, 1, 1, &segment, &result);
            compare(transfer, &segment, &result, 1e-5,
                    100u * (uint64_t)kind + (uint64_t)n);
        }
        render_transfer_destroy(&transfer);
    }
}

/* ---- Which way --------------------------------------------------------------------- */

static void clear_segments_are_found_and_give_zeros(void **runner_state)
{
    const lane_runner *runner = *runner_state;
    static lane_segment segments[SEGMENTS];
    static lane_result results[SEGMENTS];
    for (int kind = 0; kind < KINDS; kind++) {
        render_transfer *transfer = create(kind);
        random_rays((uint64_t)kind + 1, recipes[kind].offset, walks[3], segments);
        runner->advance(transfer, RAYS, STEPS, segments, results);
        int clear = 0;
        for (int i = 0; i < SEGMENTS; i++) {
            clear += results[i].is_clear;
            for (int c = 0; c < 4 && results[i].is_clear; c++) {
                check_near("clear", (uint64_t)i, 0.0, result_value(&results[i], c), 0.0);
            }
        }
        int least = kind == SPIKE ? SEGMENTS * 3 / 4 : kind == HATS ? SEGMENTS / 5 : 0;
        int most =
            kind == CONSTANT || kind == ONE_STEP || kind == FAR_AWAY ? 0 : SEGMENTS;
        check_within("clear segments", (uint64_t)kind, least, most, clear);
        render_transfer_destroy(&transfer);
    }
}

static void only_what_is_hard_is_integrated_exactly(void **runner_state)
{
    const lane_runner *runner = *runner_state;
    static lane_segment segments[SEGMENTS];
    static lane_result results[SEGMENTS];
    const int kinds[] = {RAMPS, SPIKE};
    for (int n = 0; n < 2; n++) {
        render_transfer *transfer = create(kinds[n]);
        random_rays(4, 0.0, walks[3], segments);
        runner->advance(transfer, RAYS, STEPS, segments, results);
        int count = 0;
        for (int i = 0; i < SEGMENTS; i++) {
            if (results[i].is_exact) {
                count++;
                compare(transfer, &segments[i], &results[i], 1e-7, (uint64_t)i);
            }
        }
        check_within("integrated exactly", (uint64_t)n, n ? 1 : 0, n ? SEGMENTS / 20 : 0,
                     count);
        render_transfer_destroy(&transfer);
    }
}

/* ---- All instruction sets ---------------------------------------------------------- */

#ifdef LANES_X86
static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2");
}

static bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
}
#endif

static int run(const lane_runner *runner, bool is_there)
{
    void *state = (void *)(uintptr_t)runner;
    if (!is_there) {
        printf("skipped: this processor does not run %s\n", runner->name);
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(results_agree_with_the_exact_integral, state),
        cmocka_unit_test_prestate(thin_segments_are_right_relative_to_themselves, state),
        cmocka_unit_test_prestate(all_widths_give_the_same_bits, state),
        cmocka_unit_test_prestate(lanes_that_are_left_out_give_zeros, state),
        cmocka_unit_test_prestate(cutting_a_segment_changes_nothing, state),
        cmocka_unit_test_prestate(going_back_takes_back, state),
        cmocka_unit_test_prestate(spikes_thinner_than_a_segment_are_not_missed, state),
        cmocka_unit_test_prestate(a_value_at_a_step_is_that_above, state),
        cmocka_unit_test_prestate(huge_scalars_take_the_end_values, state),
        cmocka_unit_test_prestate(clear_segments_are_found_and_give_zeros, state),
        cmocka_unit_test_prestate(only_what_is_hard_is_integrated_exactly, state),
    };
    return cmocka_run_group_tests_name(runner->name, tests, NULL, NULL);
}

int main(void)
{
    int failed = run(&lane_runner_plain, true);
#ifdef LANES_OF_FOUR
    failed += run(&lane_runner_four, true);
#endif
#ifdef LANES_X86
    failed += run(&lane_runner_avx2, has_avx2());
    failed += run(&lane_runner_avx512, has_avx512());
#endif
    return failed;
}
