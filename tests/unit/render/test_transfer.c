/* Transfer functions, against their definition in closed form and a fine quadrature. */
#include "render/transfer/transfer.h"

#include "check.h"

#include "support/random.h"

#include <float.h>
#include <string.h>

enum { MOST_POINTS = 8 };

static const double alpha_cap = 0.9999;

/* Integration may stop where less than this shines through. */
static const double darkness = 2e-7;

/* A transfer function's points, with room for them. */
typedef struct recipe {
    double colors[MOST_POINTS][4];
    double opacities[MOST_POINTS][2];
    render_transfer_points points;
} recipe;

/* Completes a recipe whose points are in place; positions are data. */
static void finish(recipe *r, int ncolors, int nopacities, bool extinction)
{
    r->points = (render_transfer_points){.ncolors = ncolors,
                                         .colors = (const double(*)[4])r->colors,
                                         .nopacities = nopacities,
                                         .opacities = (const double(*)[2])r->opacities,
                                         .opacities_are_extinction = extinction,
                                         .positions_are_data = true,
                                         .unit_length = 1.0};
}

static render_transfer *create(const recipe *r)
{
    render_transfer *transfer = NULL;
    if (render_transfer_create(&r->points, &transfer) != STATUS_OK) {
        fail_msg("no transfer function: %s", base_fail_message());
    }
    return transfer;
}

/* ---- The definition, in the open --------------------------------------------------- */

/* Linear interpolation in points [count][width] at s; from_above chooses at a step. */
static double interpolate(int count, int width, const double *list, int column, double s)
{
    if (s <= list[0]) {
        return list[column];
    }
    for (int i = 1; i < count; i++) {
        const double *a = list + (i - 1) * width, *b = list + i * width;
        if (s < b[0]) {
            return a[column] + (b[column] - a[column]) * (s - a[0]) / (b[0] - a[0]);
        }
    }
    return list[(count - 1) * width + column];
}

static double defined_color(const recipe *r, int channel, double s)
{
    return interpolate(r->points.ncolors, 4, r->colors[0], channel + 1, s);
}

static double defined_extinction(const recipe *r, double s)
{
    double value = interpolate(r->points.nopacities, 2, r->opacities[0], 1, s);
    if (!r->points.opacities_are_extinction) {
        value = -log1p(-fmin(value, alpha_cap));
    }
    return value / r->points.unit_length;
}

/* Integral over u from 0 to `u` of extinction whose control value goes linearly from v0
 * to v1 over u in 0..1. */
static long double defined_depth(const recipe *r, long double v0, long double v1,
                                 long double u)
{
    long double unit = r->points.unit_length, v = v0 + (v1 - v0) * u;
    if (r->points.opacities_are_extinction) {
        return 0.5L * (v0 + v) * u / unit;
    }
    if (fabsl(v1 - v0) < 1e-9L) {
        return -log1pl(-0.5L * (v0 + v)) * u / unit;
    }
    long double at = (1.0L - v) * log1pl(-v) + v, at0 = (1.0L - v0) * log1pl(-v0) + v0;
    return (at - at0) / ((v1 - v0) * unit);
}

/* The ends of a stretch of a segment between neighbouring control points, and its length.
 */
typedef struct stretch {
    double s0, s1, length;
} stretch;

/* The control value (alpha or extinction) at u in 0..1 of a stretch, which no step cuts.
 */
static double control_value(const recipe *r, const stretch *part, double u)
{
    double s = part->s0 + (part->s1 - part->s0) * u;
    double value = interpolate(r->points.nopacities, 2, r->opacities[0], 1, s);
    return r->points.opacities_are_extinction ? value : fmin(value, alpha_cap);
}

/* The place along a stretch (u in 0..1) behind which almost no light shines through, or
 * 1. */
static long double find_dark(const recipe *r, long double v0, long double v1,
                             double length)
{
    const long double dark = 40.0L;
    long double lo = 0.0L, hi = 1.0L;
    for (int n = 0; n < 60 && length * defined_depth(r, v0, v1, hi) > dark; n++) {
        long double middle = 0.5L * (lo + hi);
        if (length * defined_depth(r, v0, v1, middle) > dark) {
            hi = middle;
        } else {
            lo = middle;
        }
    }
    return hi;
}

/* Colour that a step of optical depth tau emits, its extinction taken as constant. */
static double emit(double c0, double c1, long double tau)
{
    long double absorbed = -expm1l(-tau);
    long double mean = tau < 1e-9L ? 1.0L - 0.5L * tau : absorbed / tau;
    return (double)(c1 * absorbed + (c0 - c1) * (1.0L - mean));
}

/*
 * Adds a stretch in many small steps; the transmittance at the steps is exact. The values
 * at the ends come from inside the stretch, so that steps of the transfer function at an
 * end do not matter.
 */
static void add_stretch(const recipe *r, const stretch *part, double rgb[3],
                        long double *transmittance)
{
    enum { STEPS = 2000 };
    long double a = control_value(r, part, 0.25), b = control_value(r, part, 0.75);
    long double v0 = fmaxl(a - 0.5L * (b - a), 0.0L),
                v1 = fmaxl(b + 0.5L * (b - a), 0.0L);
    long double end = find_dark(r, v0, v1, part->length), before = 0.0L;
    double change = part->s1 - part->s0;
    for (int i = 1; i <= STEPS; i++) {
        double u0 = (double)end * (i - 1) / STEPS, u1 = (double)end * i / STEPS;
        double middle = part->s0 + change * 0.5 * (u0 + u1);
        long double tau = part->length * defined_depth(r, v0, v1, end * i / STEPS);
        for (int c = 0; c < 3; c++) {
            double color = defined_color(r, c, middle);
            double rise = defined_color(r, c, middle + 0.4 * change * (u1 - u0)) - color;
            rise *= 1.25;
            rgb[c] += (double)(*transmittance * expl(-before)) *
                      emit(color - rise, color + rise, tau - before);
        }
        before = tau;
    }
    *transmittance *= expl(-part->length * defined_depth(r, v0, v1, 1.0L));
}

static void add_cut(double s0, double s1, double position, int *count, double *cuts)
{
    double share = (position - s0) / (s1 - s0);
    if (share > 0.0 && share < 1.0) {
        cuts[(*count)++] = share;
    }
}

/* Places at which a segment passes control points, or alpha passes its cap: shares of its
 * length, ascending, from 0 to 1. */
static int list_cuts(const recipe *r, double s0, double s1, double *cuts)
{
    int count = 0;
    cuts[count++] = 0.0;
    for (int i = 0; i < r->points.ncolors && s0 != s1; i++) {
        add_cut(s0, s1, r->colors[i][0], &count, cuts);
    }
    for (int i = 0; i < r->points.nopacities && s0 != s1; i++) {
        add_cut(s0, s1, r->opacities[i][0], &count, cuts);
        const double *a = r->opacities[i > 0 ? i - 1 : 0], *b = r->opacities[i];
        if (!r->points.opacities_are_extinction &&
            (a[1] > alpha_cap) != (b[1] > alpha_cap)) {
            double share = (alpha_cap - a[1]) / (b[1] - a[1]);
            add_cut(s0, s1, a[0] + share * (b[0] - a[0]), &count, cuts);
        }
    }
    cuts[count++] = 1.0;
    for (int i = 1; i < count; i++) {
        for (int k = i; k > 0 && cuts[k] < cuts[k - 1]; k--) {
            double swap = cuts[k];
            cuts[k] = cuts[k - 1];
            cuts[k - 1] = swap;
        }
    }
    return count;
}

static void integrate_definition(const recipe *r, double s0, double s1, double length,
                                 double rgb[3], double *transmittance)
{
    double cuts[3 * MOST_POINTS + 2];
    int count = list_cuts(r, s0, s1, cuts);
    long double through = 1.0L;
    memset(rgb, 0, 3 * sizeof *rgb);
    for (int i = 1; i < count; i++) {
        stretch part = {s0 + (s1 - s0) * cuts[i - 1], s0 + (s1 - s0) * cuts[i],
                        length * (cuts[i] - cuts[i - 1])};
        add_stretch(r, &part, rgb, &through);
    }
    *transmittance = (double)through;
}

/* ---- Random functions and segments ------------------------------------------------- */

static void random_positions(uint64_t *state, int count, int width, double *list)
{
    double position = random_between(state, 0.0, 0.3);
    for (int i = 0; i < count; i++) {
        list[i * width] = position;
        /* One in four makes a step. */
        position += random_below(state, 4) == 0 ? 0.0 : random_between(state, 0.01, 0.4);
    }
}

/* One in three at the lower end, one in nine at the upper. */
static double random_value(uint64_t *state, double most)
{
    if (random_below(state, 3) == 0) {
        return 0.0;
    }
    return random_below(state, 6) == 0 ? most : random_between(state, 0.0, most);
}

static void randomize(uint64_t *state, bool extinction, recipe *r)
{
    int ncolors = 1 + random_below(state, MOST_POINTS);
    int nopacities = 1 + random_below(state, MOST_POINTS);
    random_positions(state, ncolors, 4, r->colors[0]);
    random_positions(state, nopacities, 2, r->opacities[0]);
    double most = extinction ? exp(random_between(state, -2.0, 6.0)) : 1.0;
    for (int i = 0; i < ncolors; i++) {
        for (int c = 1; c < 4; c++) {
            r->colors[i][c] = random_value(state, 1.0);
        }
    }
    for (int i = 0; i < nopacities; i++) {
        r->opacities[i][1] = random_value(state, most);
    }
    finish(r, ncolors, nopacities, extinction);
    r->points.unit_length = exp(random_between(state, -3.0, 3.0));
}

/* A segment: scalars at its ends, and length. */
typedef struct segment {
    double s0, s1, length;
} segment;

/* Up, down, tiny or none, within a piece or across all, short or long. */
static segment random_segment(uint64_t *state, double unit_length)
{
    segment seg;
    double change = exp(random_between(state, -30.0, 2.0));
    seg.s0 = random_between(state, -0.3, 2.0);
    switch (random_below(state, 4)) {
    case 0:
        seg.s1 = seg.s0;
        break;
    case 1:
        seg.s1 = seg.s0 + change;
        break;
    case 2:
        seg.s1 = seg.s0 - change;
        break;
    default:
        seg.s1 = random_between(state, -0.3, 2.0);
    }
    seg.length = unit_length * exp(random_between(state, -6.0, 5.0));
    return seg;
}

/* ---- Against the definition -------------------------------------------------------- */

static void compare(const recipe *r, const render_transfer *transfer, segment seg,
                    uint64_t seed, double tolerance)
{
    double rgb[3], through, expected_rgb[3], expected_through;
    render_transfer_integrate(transfer, seg.s0, seg.s1, seg.length, rgb, &through);
    integrate_definition(r, seg.s0, seg.s1, seg.length, expected_rgb, &expected_through);
    check_near("transmittance", seed, expected_through, through,
               expected_through < darkness ? darkness : tolerance);
    for (int c = 0; c < 3; c++) {
        check_near("colour", seed, expected_rgb[c], rgb[c], fmax(tolerance, 1e-6));
    }
}

static void compare_random(uint64_t first_seed, bool extinction, double tolerance)
{
    enum { FUNCTIONS = 60, SEGMENTS = 6 };
    for (uint64_t seed = first_seed; seed < first_seed + FUNCTIONS; seed++) {
        uint64_t state = seed;
        recipe r;
        randomize(&state, extinction, &r);
        render_transfer *transfer = create(&r);
        for (int n = 0; n < SEGMENTS; n++) {
            compare(&r, transfer, random_segment(&state, r.points.unit_length), seed,
                    tolerance);
        }
        render_transfer_destroy(&transfer);
    }
}

static void random_extinctions_are_integrated_exactly(void **unused)
{
    (void)unused;
    compare_random(1000, true, 1e-9);
}

static void random_opacities_are_integrated_to_two_millionths(void **unused)
{
    (void)unused;
    compare_random(2000, false, 2e-6);
}

static void faint_ramps_of_opacity_stay_right_over_long_segments(void **unused)
{
    (void)unused;
    for (int n = 0; n < 8; n++) {
        double most = pow(10.0, -0.5 * n);
        recipe r = {.colors = {{0.0, 1.0, 0.5, 0.0}},
                    .opacities = {{0.0, 0.0}, {1.0, most}}};
        finish(&r, 1, 2, false);
        render_transfer *transfer = create(&r);
        compare(&r, transfer, (segment){0.0, 1.0, 2.0 / most}, (uint64_t)n, 2e-6);
        compare(&r, transfer, (segment){0.7, 0.1, 5.0 / most}, (uint64_t)n, 2e-6);
        render_transfer_destroy(&transfer);
    }
}

static void colour_is_right_where_extinction_rises_with_it(void **unused)
{
    (void)unused;
    recipe r = {.colors = {{0.0, 0.0, 1.0, 0.0}, {1.0, 1.0, 0.0, 0.0}},
                .opacities = {{0.0, 0.0}, {1.0, 1.0}}};
    finish(&r, 2, 2, true);
    render_transfer *transfer = create(&r);
    for (int n = 0; n < 24; n++) {
        double length = 0.01 * pow(1.5, n);
        compare(&r, transfer, (segment){0.0, 1.0, length}, (uint64_t)n, 1e-9);
        compare(&r, transfer, (segment){1.0, 0.0, length}, (uint64_t)n, 1e-9);
    }
    render_transfer_destroy(&transfer);
}

static void a_constant_slab_has_the_opacity_of_its_definition(void **unused)
{
    (void)unused;
    for (int n = 0; n < 20; n++) {
        double alpha = n / 20.0, unit = 0.25 + n, thickness = 0.1 * (n + 1);
        recipe r = {.colors = {{0.0, 0.25, 0.5, 1.0}}, .opacities = {{0.0, alpha}}};
        finish(&r, 1, 1, false);
        r.points.unit_length = unit;
        render_transfer *transfer = create(&r);
        double rgb[3], through;
        render_transfer_integrate(transfer, 0.3, 0.3, thickness, rgb, &through);
        double expected = pow(1.0 - alpha, thickness / unit);
        check_near("transmittance", 0, expected, through, 1e-12);
        for (int c = 0; c < 3; c++) {
            check_near("colour", 0, r.colors[0][c + 1] * (1.0 - expected), rgb[c], 1e-12);
        }
        render_transfer_destroy(&transfer);
    }
}

static void full_opacity_is_capped(void **unused)
{
    (void)unused;
    recipe r = {.colors = {{0.0, 1.0, 1.0, 1.0}}, .opacities = {{0.0, 1.0}}};
    finish(&r, 1, 1, false);
    render_transfer *transfer = create(&r);
    double rgb[3], through;
    render_transfer_integrate(transfer, 0.0, 1.0, 0.5, rgb, &through);
    check_near("transmittance", 0, sqrt(1.0 - alpha_cap), through, 1e-12);
    render_transfer_destroy(&transfer);
}

static void constant_extinction_with_linear_colour_has_its_closed_form(void **unused)
{
    (void)unused;
    recipe r = {.colors = {{0.0, 0.0, 1.0, 0.5}, {1.0, 1.0, 0.0, 0.5}},
                .opacities = {{0.0, 3.0}}};
    finish(&r, 2, 1, true);
    render_transfer *transfer = create(&r);
    for (int n = 0; n < 40; n++) {
        double length = exp(0.5 * n - 15.0), tau = 3.0 * length;
        double rgb[3], through;
        render_transfer_integrate(transfer, 0.0, 1.0, length, rgb, &through);
        /* Integral of u tau exp(-tau u); for small tau its series. */
        double red = tau < 1e-3 ? tau * (0.5 - tau / 3.0 + tau * tau / 8.0)
                                : (1.0 - exp(-tau) * (1.0 + tau)) / tau;
        check_near("transmittance", 0, exp(-tau), through, 1e-12);
        check_near("red", 0, red, rgb[0], 1e-9);
        check_near("green", 0, -expm1(-tau) - red, rgb[1], 1e-9);
        check_near("blue", 0, -0.5 * expm1(-tau), rgb[2], 1e-9);
    }
    render_transfer_destroy(&transfer);
}

/* ---- Properties -------------------------------------------------------------------- */

static void check_split(const render_transfer *transfer, segment seg, double share,
                        uint64_t seed)
{
    double whole[3], front[3], back[3], through, front_through, back_through;
    double middle = seg.s0 + share * (seg.s1 - seg.s0);
    render_transfer_integrate(transfer, seg.s0, seg.s1, seg.length, whole, &through);
    render_transfer_integrate(transfer, seg.s0, middle, share * seg.length, front,
                              &front_through);
    render_transfer_integrate(transfer, middle, seg.s1, (1.0 - share) * seg.length, back,
                              &back_through);
    check_near("transmittance", seed, through, front_through * back_through,
               through < darkness ? darkness : 1e-9);
    for (int c = 0; c < 3; c++) {
        check_near("colour", seed, whole[c], front[c] + front_through * back[c], 2e-6);
    }
}

static void cutting_a_segment_changes_nothing(void **unused)
{
    (void)unused;
    for (uint64_t seed = 3000; seed < 3400; seed++) {
        uint64_t state = seed;
        recipe r;
        randomize(&state, seed % 2 == 0, &r);
        render_transfer *transfer = create(&r);
        for (int n = 0; n < 50; n++) {
            segment seg = random_segment(&state, r.points.unit_length);
            double share = random_below(&state, 8)
                               ? random_between(&state, 0.0, 1.0)
                               : exp(random_between(&state, -30.0, 0.0));
            check_split(transfer, seg, share, seed);
        }
        render_transfer_destroy(&transfer);
    }
}

static void results_lie_between_clear_and_the_brightest_colour(void **unused)
{
    (void)unused;
    for (uint64_t seed = 4000; seed < 4200; seed++) {
        uint64_t state = seed;
        recipe r;
        randomize(&state, seed % 2 == 0, &r);
        render_transfer *transfer = create(&r);
        for (int n = 0; n < 50; n++) {
            segment seg = random_segment(&state, r.points.unit_length);
            double rgb[3], through;
            render_transfer_integrate(transfer, seg.s0, seg.s1, seg.length, rgb,
                                      &through);
            check_within("transmittance", seed, 0.0, 1.0, through);
            for (int c = 0; c < 3; c++) {
                check_within("colour", seed, -1e-6, 1.0 - through + 1e-6, rgb[c]);
            }
        }
        render_transfer_destroy(&transfer);
    }
}

static void values_agree_with_the_control_points(void **unused)
{
    (void)unused;
    for (uint64_t seed = 5000; seed < 5200; seed++) {
        uint64_t state = seed;
        recipe r;
        bool extinction = seed % 2 == 0;
        randomize(&state, extinction, &r);
        render_transfer *transfer = create(&r);
        for (int n = 0; n < 50; n++) {
            double s = random_between(&state, -0.5, 2.5), rgb[3], k;
            render_transfer_evaluate(transfer, s, rgb, &k);
            double expected = defined_extinction(&r, s);
            double tolerance = extinction ? 1e-9 * (1.0 + expected) : 2e-6;
            check_near("extinction", seed, expected, k,
                       tolerance / fmin(r.points.unit_length, 1.0));
            for (int c = 0; c < 3; c++) {
                check_near("colour", seed, defined_color(&r, c, s), rgb[c], 1e-9);
            }
        }
        render_transfer_destroy(&transfer);
    }
}

static void values_outside_the_points_take_the_end_values(void **unused)
{
    (void)unused;
    recipe r = {.colors = {{0.0, 0.25, 0.0, 0.0}, {1.0, 0.75, 1.0, 1.0}},
                .opacities = {{0.25, 2.0}, {0.5, 7.0}}};
    finish(&r, 2, 2, true);
    render_transfer *transfer = create(&r);
    const double scalars[] = {-DBL_MAX, -1e30, -1.0, 2.0, 1e30, DBL_MAX};
    for (int n = 0; n < 6; n++) {
        double rgb[3], k;
        render_transfer_evaluate(transfer, scalars[n], rgb, &k);
        check_near("extinction", 0, n < 3 ? 2.0 : 7.0, k, 0.0);
        check_near("red", 0, n < 3 ? 0.25 : 0.75, rgb[0], 0.0);
    }
    double rgb[3], through;
    render_transfer_integrate(transfer, -1e6, -10.0, 0.1, rgb, &through);
    check_near("transmittance below", 0, exp(-0.2), through, 1e-12);
    render_transfer_integrate(transfer, 1e6, 10.0, 0.1, rgb, &through);
    check_near("transmittance above", 0, exp(-0.7), through, 1e-12);
    render_transfer_destroy(&transfer);
}

static void infinite_scalars_take_the_end_values(void **unused)
{
    (void)unused;
    recipe r = {.colors = {{0.0, 0.25, 0.0, 0.0}, {1.0, 0.75, 1.0, 1.0}},
                .opacities = {{0.25, 2.0}, {0.5, 7.0}}};
    finish(&r, 2, 2, true);
    render_transfer *transfer = create(&r);
    double rgb[3], k;
    render_transfer_evaluate(transfer, -INFINITY, rgb, &k);
    check_near("extinction at minus infinity", 0, 2.0, k, 0.0);
    render_transfer_evaluate(transfer, INFINITY, rgb, &k);
    check_near("extinction at infinity", 0, 7.0, k, 0.0);
    render_transfer_destroy(&transfer);
}

static void positions_are_fractions_of_the_range(void **unused)
{
    (void)unused;
    recipe r = {.colors = {{0.0, 0.0, 0.0, 0.0}, {1.0, 1.0, 1.0, 1.0}},
                .opacities = {{0.0, 0.0}, {0.5, 0.0}, {0.5, 4.0}, {1.0, 4.0}}};
    finish(&r, 2, 4, true);
    r.points.positions_are_data = false;
    r.points.range[0] = -10.0;
    r.points.range[1] = 30.0;
    r.points.unit_length = 2.0;
    render_transfer *transfer = create(&r);
    double rgb[3], k;
    render_transfer_evaluate(transfer, 0.0, rgb, &k);
    check_near("red at 0", 0, 0.25, rgb[0], 1e-12);
    check_near("extinction below the step", 0, 0.0, k, 0.0);
    render_transfer_evaluate(transfer, 10.5, rgb, &k);
    check_near("extinction above the step", 0, 2.0, k, 1e-12);
    render_transfer_destroy(&transfer);
}

/* ---- Errors ------------------------------------------------------------------------ */

static recipe sound_recipe(void)
{
    recipe r = {.colors = {{0.0, 0.0, 0.5, 1.0}, {1.0, 1.0, 0.5, 0.0}},
                .opacities = {{0.0, 0.0}, {1.0, 0.5}}};
    finish(&r, 2, 2, false);
    return r;
}

/* The sharpness of a triangular peak of extinction over the range 0 to 2. */
static double sharpness_of_peak(double width)
{
    recipe r = {.colors = {{0.0, 1.0, 1.0, 1.0}, {2.0, 1.0, 1.0, 1.0}},
                .opacities = {{0.0, 0.0},
                              {1.0 - 0.5 * width, 0.0},
                              {1.0, 7.0},
                              {1.0 + 0.5 * width, 0.0},
                              {2.0, 0.0}}};
    finish(&r, 2, 5, true);
    render_transfer *transfer = create(&r);
    const double sharpness = render_transfer_sharpness(transfer);
    render_transfer_destroy(&transfer);
    return sharpness;
}

static void sharpness_is_four_over_the_width_of_a_peak(void **unused)
{
    (void)unused;
    check_near("a wide peak", 0, 4.0 / 0.5, sharpness_of_peak(1.0), 1e-9);
    check_near("a narrow peak", 0, 4.0 / 0.01, sharpness_of_peak(0.02), 1e-6);
}

static void check_refused(const char *what, recipe *r)
{
    r->points.colors = (const double(*)[4])r->colors;
    r->points.opacities = (const double(*)[2])r->opacities;
    render_transfer *transfer = NULL;
    base_fail_set_message("");
    status s = render_transfer_create(&r->points, &transfer);
    if (s == STATUS_OK) {
        render_transfer_destroy(&transfer);
        fail_msg("%s: expected an error, the points were accepted", what);
    }
    assert_int_equal(s, STATUS_USAGE);
    assert_null(transfer);
    assert_string_not_equal(base_fail_message(), "");
    base_fail_set_message("");
}

static void lists_without_points_are_refused(void **unused)
{
    (void)unused;
    recipe r = sound_recipe();
    r.points.ncolors = 0;
    check_refused("no colours", &r);
    r = sound_recipe();
    r.points.nopacities = 0;
    check_refused("no opacities", &r);
}

static void bad_positions_are_refused(void **unused)
{
    (void)unused;
    recipe r = sound_recipe();
    r.opacities[1][0] = -0.1;
    check_refused("descending opacities", &r);
    r = sound_recipe();
    r.colors[1][0] = -0.1;
    check_refused("descending colours", &r);
    r = sound_recipe();
    r.colors[1][0] = NAN;
    check_refused("a position that is not a number", &r);
    r = sound_recipe();
    r.opacities[1][0] = INFINITY;
    check_refused("an infinite position", &r);
    r = sound_recipe();
    r.colors[0][0] = -1e308;
    r.opacities[1][0] = 1e308;
    check_refused("positions whose distance is no number", &r);
    r = sound_recipe();
    r.points.positions_are_data = false;
    r.points.range[1] = 1e10;
    r.colors[1][0] = 1e300;
    check_refused("a position whose scalar is no number", &r);
}

static void bad_opacities_are_refused(void **unused)
{
    (void)unused;
    const double values[] = {-0.01, 1.01, NAN, INFINITY};
    for (int n = 0; n < 4; n++) {
        recipe r = sound_recipe();
        r.opacities[1][1] = values[n];
        check_refused("opacity", &r);
    }
    const double extinctions[] = {-0.01, NAN, INFINITY};
    for (int n = 0; n < 3; n++) {
        recipe r = sound_recipe();
        r.points.opacities_are_extinction = true;
        r.opacities[1][1] = extinctions[n];
        check_refused("extinction", &r);
    }
}

static void bad_colours_are_refused(void **unused)
{
    (void)unused;
    const double values[] = {-0.01, 1.01, NAN, INFINITY};
    for (int n = 0; n < 4; n++) {
        recipe r = sound_recipe();
        r.colors[1][2] = values[n];
        check_refused("colour", &r);
    }
}

static void bad_ranges_and_unit_lengths_are_refused(void **unused)
{
    (void)unused;
    const double ranges[][2] = {{1.0, 1.0}, {2.0, 1.0},      {NAN, 1.0},
                                {0.0, NAN}, {0.0, INFINITY}, {-INFINITY, 0.0}};
    for (int n = 0; n < 6; n++) {
        recipe r = sound_recipe();
        r.points.positions_are_data = false;
        memcpy(r.points.range, ranges[n], sizeof ranges[n]);
        check_refused("range", &r);
    }
    const double units[] = {0.0, -1.0, NAN, INFINITY};
    for (int n = 0; n < 4; n++) {
        recipe r = sound_recipe();
        r.points.unit_length = units[n];
        check_refused("unit length", &r);
    }
}

static void destroying_nothing_is_fine(void **unused)
{
    (void)unused;
    render_transfer *transfer = NULL;
    render_transfer_destroy(&transfer);
    assert_null(transfer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_constant_slab_has_the_opacity_of_its_definition),
        cmocka_unit_test(full_opacity_is_capped),
        cmocka_unit_test(constant_extinction_with_linear_colour_has_its_closed_form),
        cmocka_unit_test(colour_is_right_where_extinction_rises_with_it),
        cmocka_unit_test(faint_ramps_of_opacity_stay_right_over_long_segments),
        cmocka_unit_test(random_extinctions_are_integrated_exactly),
        cmocka_unit_test(random_opacities_are_integrated_to_two_millionths),
        cmocka_unit_test(cutting_a_segment_changes_nothing),
        cmocka_unit_test(results_lie_between_clear_and_the_brightest_colour),
        cmocka_unit_test(values_agree_with_the_control_points),
        cmocka_unit_test(sharpness_is_four_over_the_width_of_a_peak),
        cmocka_unit_test(values_outside_the_points_take_the_end_values),
        cmocka_unit_test(infinite_scalars_take_the_end_values),
        cmocka_unit_test(positions_are_fractions_of_the_range),
        cmocka_unit_test(lists_without_points_are_refused),
        cmocka_unit_test(bad_positions_are_refused),
        cmocka_unit_test(bad_opacities_are_refused),
        cmocka_unit_test(bad_colours_are_refused),
        cmocka_unit_test(bad_ranges_and_unit_lengths_are_refused),
        cmocka_unit_test(destroying_nothing_is_fine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
