/* Compares the reference renderer with closed forms. */
#include "reference/cell.h"
#include "reference/reference.h"
#include "support/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { SEED = 20240611 };

static const double pi = 3.14159265358979323846;

static void expect_close(const char *what, double actual, double expected,
                         double tolerance)
{
    if (!(fabs(actual - expected) <= tolerance)) {
        fail_msg("%s: expected %.12g +- %g, got %.12g (seed %d)", what, expected,
                 tolerance, actual, SEED);
    }
}

/* ---- grids and scenes -------------------------------------------------------------- */

typedef vec3 (*place_function)(double u, double v, double w);
typedef double (*field_function)(vec3 point);

static vec3 place_box(double u, double v, double w)
{
    /* Uneven spacing: the trilinear map of the whole block differs from those of its
     * cells. */
    return vec3_make(2.0 * u * u + u, 1.5 * v, w + 0.3 * sin(pi * w));
}

/* Half a ring of radii 1 and 2, 1.5 high. */
static vec3 place_ring(double u, double v, double w)
{
    return vec3_make((1.0 + v) * cos(pi * u), (1.0 + v) * sin(pi * u), 1.5 * w);
}

static double constant_field(vec3 point)
{
    (void)point;
    return 0.5;
}

static double linear_field(vec3 point)
{
    return 0.1 + 0.2 * point.v[0] + 0.15 * point.v[1] - 0.1 * point.v[2];
}

static void fill_block(reference_block *block, place_function place, field_function field)
{
    assert_int_equal(reference_block_allocate(block, true), STATUS_OK);
    const int64_t *n = block->n;
    for (int64_t v = 0; v < n[0] * n[1] * n[2]; v++) {
        int64_t i = v % n[0], j = v / n[0] % n[1], k = v / n[0] / n[1];
        vec3 point = place((double)i / (double)(n[0] - 1), (double)j / (double)(n[1] - 1),
                           (double)k / (double)(n[2] - 1));
        for (int axis = 0; axis < 3; axis++) {
            block->x[axis][v] = point.v[axis];
        }
        block->iblank[v] = 1;
        if (!block->cell_values) {
            block->scalar[v] = field(point);
        }
    }
}

/* A scene that owns its grid; one block of ni x nj x nk vertices. */
typedef struct stage {
    reference_grid grid;
    reference_locator *locator;
    reference_scene scene;
} stage;

static const double grey[1][4] = {{0.0, 0.25, 0.5, 1.0}};
static const double half_opaque[1][2] = {{0.0, 0.5}};

static void stage_open(stage *s)
{
    assert_int_equal(reference_locator_create(&s->grid, &s->locator), STATUS_OK);
    s->scene = (reference_scene){
        .grid = &s->grid,
        .locator = s->locator,
        .transfer = {.ncolors = 1,
                     .colors = grey,
                     .nopacities = 1,
                     .opacities = half_opaque,
                     .range = {0.0, 1.0},
                     .unit_length = 2.0},
        .camera = {.position = {{-3.0, -4.0, 5.0}},
                   .look_at = {{0.5, 0.5, 0.5}},
                   .up = {{0.0, 0.0, 1.0}},
                   .fov = 40.0,
                   .columns = 16,
                   .rows = 12},
        .step = 0.01,
    };
}

static void stage_make(stage *s, int64_t ni, int64_t nj, int64_t nk, place_function place,
                       field_function field)
{
    assert_int_equal(reference_grid_create(1, &s->grid), STATUS_OK);
    s->grid.blocks[0] = (reference_block){.n = {ni, nj, nk}};
    fill_block(&s->grid.blocks[0], place, field);
    stage_open(s);
}

static void stage_close(stage *s)
{
    reference_locator_destroy(&s->locator);
    reference_grid_clear(&s->grid);
}

/* A ray from a random point of a sphere around `middle` to a random point near it. */
static reference_ray random_ray(uint64_t *random, vec3 middle, double radius,
                                double spread)
{
    double height = random_between(random, -1.0, 1.0);
    double angle = random_between(random, 0.0, 2.0 * pi);
    double across = sqrt(1.0 - height * height);
    vec3 origin =
        vec3_add(middle, vec3_make(radius * across * cos(angle),
                                   radius * across * sin(angle), radius * height));
    vec3 target = vec3_add(middle, vec3_make(random_between(random, -spread, spread),
                                             random_between(random, -spread, spread),
                                             random_between(random, -spread, spread)));
    return (reference_ray){origin, vec3_normalize(vec3_sub(target, origin))};
}

/* The interval of a ray inside the box [0, hi]; false if it misses. */
static bool cut_box(reference_ray ray, vec3 hi, double *near, double *far)
{
    *near = 0.0;
    *far = INFINITY;
    for (int axis = 0; axis < 3; axis++) {
        double t0 = -ray.origin.v[axis] / ray.direction.v[axis];
        double t1 = (hi.v[axis] - ray.origin.v[axis]) / ray.direction.v[axis];
        *near = fmax(*near, fmin(t0, t1));
        *far = fmin(*far, fmax(t0, t1));
    }
    return *near < *far;
}

/* ---- pictures with known answers --------------------------------------------------- */

static void a_constant_field_in_a_box_is_as_opaque_as_it_is_deep(void **state)
{
    (void)state;
    stage s;
    uint64_t random = SEED;
    stage_make(&s, 6, 4, 5, place_box, constant_field);
    for (int n = 0; n < 100; n++) {
        reference_ray ray = random_ray(&random, vec3_make(1.5, 0.75, 0.5), 5.0, 0.45);
        reference_pixel pixel = reference_ray_render(&s.scene, ray);
        double near, far;
        assert_true(cut_box(ray, vec3_make(3.0, 1.5, 1.0), &near, &far));
        double alpha = 1.0 - pow(0.5, (far - near) / 2.0);
        expect_close("length", pixel.length, far - near, 1e-7);
        expect_close("entry", pixel.entry, near, 1e-7);
        expect_close("exit", pixel.exit, far, 1e-7);
        expect_close("alpha", 1.0 - pixel.transmittance, alpha, 1e-7);
        expect_close("red", pixel.rgb[0], 0.25 * alpha, 1e-7);
        expect_close("blue", pixel.rgb[2], alpha, 1e-7);
        assert_int_equal(pixel.runs, 1);
    }
    stage_close(&s);
}

/* Extinction 1.5 s and colour (s, 1 - s, 0.5) over scalars 0 to 1. */
static const double ramp_colors[2][4] = {{0.0, 0.0, 1.0, 0.5}, {1.0, 1.0, 0.0, 0.5}};
static const double ramp_extinction[2][2] = {{0.0, 0.0}, {1.0, 1.5}};

static void use_ramp(reference_transfer *transfer)
{
    transfer->ncolors = 2;
    transfer->colors = ramp_colors;
    transfer->nopacities = 2;
    transfer->opacities = ramp_extinction;
    transfer->opacities_are_extinction = true;
    transfer->unit_length = 1.0;
}

/* Red of the ramp along a segment with a scalar that is linear from s0 to s1, all between
 * 0 and 1: Simpson's rule on the emission times the exact transmittance so far. */
static double ramp_red(double s0, double s1, double length)
{
    enum { PANELS = 2000 };
    double sum = 0.0;
    for (int p = 0; p <= PANELS; p++) {
        double t = length * p / PANELS;
        double s = s0 + (s1 - s0) * p / PANELS;
        double transmittance = exp(-1.5 * t * 0.5 * (s0 + s));
        int weight = p == 0 || p == PANELS ? 1 : 2 + 2 * (p % 2);
        sum += weight * 1.5 * s * s * transmittance;
    }
    return sum * length / (3.0 * PANELS);
}

static void a_linear_field_through_a_ramp_matches_quadrature(void **state)
{
    (void)state;
    stage s;
    uint64_t random = SEED;
    stage_make(&s, 4, 5, 3, place_box, linear_field);
    use_ramp(&s.scene.transfer);
    s.scene.step = 0.002;
    for (int n = 0; n < 40; n++) {
        reference_ray ray = random_ray(&random, vec3_make(1.5, 0.75, 0.5), 5.0, 0.45);
        reference_pixel pixel = reference_ray_render(&s.scene, ray);
        double near, far;
        assert_true(cut_box(ray, vec3_make(3.0, 1.5, 1.0), &near, &far));
        double s0 = linear_field(vec3_add(ray.origin, vec3_scale(ray.direction, near)));
        double s1 = linear_field(vec3_add(ray.origin, vec3_scale(ray.direction, far)));
        double depth = 1.5 * (far - near) * 0.5 * (s0 + s1);
        expect_close("transmittance", pixel.transmittance, exp(-depth), 1e-6);
        expect_close("red", pixel.rgb[0], ramp_red(s0, s1, far - near), 1e-6);
    }
    stage_close(&s);
}

/* ---- geometry ---------------------------------------------------------------------- */

/* Length of a ray inside the prism over a convex quadrilateral of the x-y plane, 1.5
 * high. */
static double prism_length(const double corner[4][2], reference_ray ray)
{
    double near = -ray.origin.v[2] / ray.direction.v[2];
    double far = (1.5 - ray.origin.v[2]) / ray.direction.v[2];
    double t0 = fmin(near, far), t1 = fmax(near, far);
    for (int c = 0; c < 4; c++) {
        const double *a = corner[c], *b = corner[(c + 1) % 4];
        double nx = a[1] - b[1], ny = b[0] - a[0]; /* inwards: corners turn to the left */
        double distance = nx * (ray.origin.v[0] - a[0]) + ny * (ray.origin.v[1] - a[1]);
        double speed = nx * ray.direction.v[0] + ny * ray.direction.v[1];
        if (speed > 0.0) {
            t0 = fmax(t0, -distance / speed);
        } else {
            t1 = fmin(t1, -distance / speed);
        }
    }
    return fmax(t1 - t0, 0.0);
}

/* Length of a ray inside the half ring of `cells` straight-sided sectors. */
static double ring_length(int cells, reference_ray ray)
{
    double sum = 0.0;
    for (int cell = 0; cell < cells; cell++) {
        double a = pi * cell / cells, b = pi * (cell + 1) / cells;
        const double corner[4][2] = {{cos(a), sin(a)},
                                     {2.0 * cos(a), 2.0 * sin(a)},
                                     {2.0 * cos(b), 2.0 * sin(b)},
                                     {cos(b), sin(b)}};
        sum += prism_length(corner, ray);
    }
    return sum;
}

static void the_paths_through_a_ring_add_up_sector_by_sector(void **state)
{
    (void)state;
    stage s;
    uint64_t random = SEED;
    int met = 0, exact = 0;
    stage_make(&s, 8, 3, 4, place_ring, constant_field);
    for (int n = 0; n < 100; n++) {
        reference_ray ray = random_ray(&random, vec3_make(0.0, 1.0, 0.75), 6.0, 1.5);
        double expected = ring_length(7, ray);
        reference_pixel pixel = reference_ray_render(&s.scene, ray);
        expect_close("length", pixel.length, expected, 2e-3);
        met += expected > 0.0;
        exact += expected > 0.0 && fabs(pixel.length - expected) < 1e-7;
    }
    /* Rays that graze an edge within a step may miss a piece; hardly any does. */
    if (met < 40 || exact < met - 3) {
        fail_msg("%d of %d rays exact (seed %d)", exact, met, SEED);
    }
    stage_close(&s);
}

static void a_ray_through_a_hole_has_two_runs(void **state)
{
    (void)state;
    stage s;
    stage_make(&s, 33, 3, 4, place_ring, constant_field);
    reference_ray ray = {{{-4.0, 0.3, 0.5}}, {{1.0, 0.0, 0.0}}};
    reference_pixel pixel = reference_ray_render(&s.scene, ray);
    assert_int_equal(pixel.runs, 2);
    expect_close("entry and exit mirror each other", pixel.entry, 8.0 - pixel.exit, 1e-7);
    expect_close("length", pixel.length, 2.0 * (sqrt(4.0 - 0.09) - sqrt(1.0 - 0.09)),
                 0.02);
    stage_close(&s);
}

/* Corners of a unit cell, each shifted at random; bitwise the same for the same state. */
static void warped_cell(uint64_t *random, double amount, vec3 corner[8])
{
    for (int c = 0; c < 8; c++) {
        corner[c] = vec3_make((c & 1) + random_between(random, -amount, amount),
                              (c >> 1 & 1) + random_between(random, -amount, amount),
                              (c >> 2) + random_between(random, -amount, amount));
    }
}

static vec3 map_point(const vec3 corner[8], const double u[3])
{
    double weight[8];
    vec3 sum = vec3_make(0.0, 0.0, 0.0);
    reference_cell_weights(u, weight);
    for (int c = 0; c < 8; c++) {
        sum = vec3_add(sum, vec3_scale(corner[c], weight[c]));
    }
    return sum;
}

static void every_point_of_a_warped_cell_is_found_where_it_is(void **state)
{
    (void)state;
    uint64_t random = SEED;
    for (int n = 0; n < 2000; n++) {
        vec3 corner[8];
        double u[3], found[3] = {0.0, 0.0, 0.0};
        warped_cell(&random, 0.2, corner);
        for (int axis = 0; axis < 3; axis++) {
            u[axis] = random_between(&random, 0.0, 1.0);
        }
        if (!reference_cell_find(corner, map_point(corner, u), false, true, found)) {
            fail_msg("cell %d: the point at %g %g %g was not found (seed %d)", n, u[0],
                     u[1], u[2], SEED);
        }
        for (int axis = 0; axis < 3; axis++) {
            expect_close("parameter", found[axis], u[axis], 1e-8);
        }
    }
}

static void a_wall_cell_of_aspect_ratio_ten_thousand_is_inverted(void **state)
{
    (void)state;
    uint64_t random = SEED;
    vec3 corner[8];
    warped_cell(&random, 0.1, corner);
    for (int c = 0; c < 8; c++) {
        corner[c].v[1] *= 1e-4;
        corner[c].v[1] += 100.0 + 0.01 * corner[c].v[0];
    }
    for (int n = 0; n < 500; n++) {
        double u[3], found[3];
        for (int axis = 0; axis < 3; axis++) {
            u[axis] = random_between(&random, 0.0, 1.0);
        }
        assert_true(
            reference_cell_find(corner, map_point(corner, u), false, false, found));
        expect_close("parameter across", found[1], u[1], 1e-8);
    }
}

static void a_point_just_beyond_a_face_is_outside(void **state)
{
    (void)state;
    uint64_t random = SEED;
    for (int n = 0; n < 2000; n++) {
        vec3 corner[8];
        double u[3], found[3];
        warped_cell(&random, 0.1, corner);
        for (int axis = 0; axis < 3; axis++) {
            u[axis] = random_between(&random, 0.0, 1.0);
        }
        u[n % 3] = n & 4 ? 1.0 + 1e-6 : -1e-6;
        if (reference_cell_find(corner, map_point(corner, u), false, true, found)) {
            fail_msg("cell %d: found at %g %g %g (seed %d)", n, found[0], found[1],
                     found[2], SEED);
        }
    }
}

/* The intersection of a ray and a triangle (Moeller and Trumbore 1997). */
static bool meet_triangle(reference_ray ray, vec3 a, vec3 b, vec3 c, double *t)
{
    vec3 ab = vec3_sub(b, a), ac = vec3_sub(c, a), ao = vec3_sub(ray.origin, a);
    vec3 p = vec3_cross(ray.direction, ac), q = vec3_cross(ao, ab);
    double determinant = vec3_dot(ab, p);
    double u = vec3_dot(ao, p) / determinant;
    double v = vec3_dot(ray.direction, q) / determinant;
    *t = vec3_dot(ac, q) / determinant;
    return u >= 0.0 && v >= 0.0 && u + v <= 1.0;
}

/* Widens [range[0], range[1]] by the intersections of the ray with side `side` of face
 * axis, cut finely. */
static void meet_face(const vec3 corner[8], int axis, int side, reference_ray ray,
                      double range[2])
{
    enum { CUTS = 48 };
    for (int quad = 0; quad < CUTS * CUTS; quad++) {
        int row = quad / CUTS, column = quad % CUTS;
        vec3 p[4];
        for (int c = 0; c < 4; c++) {
            double u[3];
            u[axis] = side;
            u[(axis + 1) % 3] = (double)(column + (c & 1)) / CUTS;
            u[(axis + 2) % 3] = (double)(row + (c >> 1)) / CUTS;
            p[c] = map_point(corner, u);
        }
        double t;
        for (int half = 0; half < 2; half++) {
            if (meet_triangle(ray, p[0], p[half ? 2 : 1], p[3], &t)) {
                range[0] = fmin(range[0], t);
                range[1] = fmax(range[1], t);
            }
        }
    }
}

static vec3 the_warped_cell[8];

static vec3 place_warped(double u, double v, double w)
{
    return the_warped_cell[(u > 0.5) + 2 * (v > 0.5) + 4 * (w > 0.5)];
}

static void a_path_through_a_warped_cell_matches_its_finely_cut_faces(void **state)
{
    (void)state;
    uint64_t random = SEED;
    for (int n = 0; n < 10; n++) {
        stage s;
        warped_cell(&random, 0.2, the_warped_cell);
        stage_make(&s, 2, 2, 2, place_warped, constant_field);
        reference_ray ray = random_ray(&random, vec3_make(0.5, 0.5, 0.5), 4.0, 0.2);
        double range[2] = {INFINITY, -INFINITY};
        for (int face = 0; face < 6; face++) {
            meet_face(the_warped_cell, face / 2, face % 2, ray, range);
        }
        reference_pixel pixel = reference_ray_render(&s.scene, ray);
        expect_close("entry", pixel.entry, range[0], 2e-4);
        expect_close("exit", pixel.exit, range[1], 2e-4);
        stage_close(&s);
    }
}

static double bent_field(vec3 point)
{
    return 0.5 + 0.4 * sin(3.0 * point.v[0]) * cos(2.0 * point.v[1]);
}

static void halving_the_step_quarters_the_error(void **state)
{
    (void)state;
    stage s;
    uint64_t random = SEED;
    double red[3];
    const double step[3] = {0.04, 0.02, 0.0005};
    /* One cell: the field has no kinks in it, so the order of the integration shows. */
    warped_cell(&random, 0.2, the_warped_cell);
    stage_make(&s, 2, 2, 2, place_warped, bent_field);
    use_ramp(&s.scene.transfer);
    reference_ray ray = random_ray(&random, vec3_make(0.5, 0.5, 0.5), 4.0, 0.2);
    for (int n = 0; n < 3; n++) {
        s.scene.step = step[n];
        red[n] = reference_ray_render(&s.scene, ray).rgb[0];
    }
    expect_close("error of the coarse step", red[0], red[2], 1e-3);
    expect_close("error at twice the step / error", (red[0] - red[2]) / (red[1] - red[2]),
                 4.0, 1.0);
    stage_close(&s);
}

/* ---- Missing cells ----------------------------------------------------------------- */

static void a_blanked_vertex_takes_its_cells_out(void **state)
{
    (void)state;
    stage s;
    stage_make(&s, 4, 2, 2, place_box, constant_field);
    s.grid.blocks[0].iblank[1] = 0;
    reference_locator_destroy(&s.locator);
    stage_open(&s);
    /* Only the third cell, from x = 14/9 on, is left. */
    reference_ray ray = {{{-1.0, 0.7, 0.4}}, {{1.0, 0.0, 0.0}}};
    reference_pixel pixel = reference_ray_render(&s.scene, ray);
    expect_close("length", pixel.length, 3.0 - 14.0 / 9.0, 1e-7);
    stage_close(&s);
}

static void a_vertex_that_is_not_a_number_takes_its_cells_out(void **state)
{
    (void)state;
    stage s;
    stage_make(&s, 4, 2, 2, place_box, constant_field);
    s.grid.blocks[0].x[1][0] = NAN;
    reference_locator_destroy(&s.locator);
    stage_open(&s);
    reference_ray ray = {{{-1.0, 0.7, 0.4}}, {{1.0, 0.0, 0.0}}};
    expect_close("length", reference_ray_render(&s.scene, ray).length, 3.0 - 5.0 / 9.0,
                 1e-7);
    stage_close(&s);
}

static void a_grid_without_cells_is_transparent(void **state)
{
    (void)state;
    stage s;
    stage_make(&s, 2, 2, 2, place_box, constant_field);
    s.grid.blocks[0].iblank[3] = 0;
    reference_locator_destroy(&s.locator);
    stage_open(&s);
    reference_ray ray = {{{-1.0, 0.7, 0.4}}, {{1.0, 0.0, 0.0}}};
    reference_pixel pixel = reference_ray_render(&s.scene, ray);
    assert_int_equal(pixel.runs, 0);
    expect_close("transmittance", pixel.transmittance, 1.0, 0.0);
    stage_close(&s);
}

static void a_scalar_that_is_not_a_number_is_transparent_but_has_length(void **state)
{
    (void)state;
    stage s;
    stage_make(&s, 2, 2, 2, place_box, constant_field);
    s.grid.blocks[0].scalar[5] = NAN;
    reference_ray ray = {{{-1.0, 0.7, 0.4}}, {{1.0, 0.0, 0.0}}};
    reference_pixel pixel = reference_ray_render(&s.scene, ray);
    expect_close("transmittance", pixel.transmittance, 1.0, 0.0);
    expect_close("length", pixel.length, 3.0, 1e-7);
    stage_close(&s);
}

static void cell_values_hold_in_the_whole_cell(void **state)
{
    (void)state;
    stage s;
    assert_int_equal(reference_grid_create(1, &s.grid), STATUS_OK);
    s.grid.blocks[0] = (reference_block){.n = {4, 2, 2}, .cell_values = true};
    fill_block(&s.grid.blocks[0], place_box, constant_field);
    const double values[3] = {0.0, 1.0, 0.5};
    for (int c = 0; c < 3; c++) {
        s.grid.blocks[0].scalar[c] = values[c];
    }
    stage_open(&s);
    use_ramp(&s.scene.transfer);
    s.scene.step = 0.0005;
    reference_ray ray = {{{-1.0, 0.7, 0.4}}, {{1.0, 0.0, 0.0}}};
    double depth = 1.5 * (9.0 / 9.0) + 0.75 * (13.0 / 9.0);
    expect_close("transmittance", reference_ray_render(&s.scene, ray).transmittance,
                 exp(-depth), 1e-4);
    stage_close(&s);
}

static double low_field(vec3 point)
{
    (void)point;
    return 0.0;
}

static void of_overlapping_blocks_the_first_counts(void **state)
{
    (void)state;
    stage s;
    assert_int_equal(reference_grid_create(2, &s.grid), STATUS_OK);
    s.grid.blocks[0] = (reference_block){.n = {2, 2, 2}};
    s.grid.blocks[1] = (reference_block){.n = {2, 2, 2}};
    fill_block(&s.grid.blocks[0], place_box, constant_field);
    fill_block(&s.grid.blocks[1], place_box, low_field);
    for (int v = 0; v < 8; v++) {
        s.grid.blocks[1].x[0][v] += 1.0;
    }
    stage_open(&s);
    use_ramp(&s.scene.transfer);
    s.scene.step = 0.0005;
    /* x from 0 to 3 in the first block, up to 4 in the second, which is transparent. Both
     * directions, since the search starts in the block of the previous sample. */
    for (int way = -1; way <= 1; way += 2) {
        reference_ray ray = {{{2.0 - 4.0 * way, 0.7, 0.4}}, {{way, 0.0, 0.0}}};
        reference_pixel pixel = reference_ray_render(&s.scene, ray);
        expect_close("length", pixel.length, 4.0, 1e-7);
        expect_close("transmittance", pixel.transmittance, exp(-0.75 * 3.0), 1e-4);
    }
    stage_close(&s);
}

static void a_picture_holds_the_rays_of_its_camera(void **state)
{
    (void)state;
    stage s;
    stage_make(&s, 5, 4, 3, place_box, linear_field);
    use_ramp(&s.scene.transfer);
    enum { COUNT = 16 * 12 };
    double points[COUNT][2];
    reference_pixel pixels[COUNT];
    for (int p = 0; p < COUNT; p++) {
        int column = p % 16, row = p / 16;
        points[p][0] = column + 0.5;
        points[p][1] = row + 0.5;
    }
    s.scene.step = 0.05;
    reference_scene_render(&s.scene, COUNT, (const double(*)[2])points, pixels);
    int hit = 0;
    for (int p = 0; p < COUNT; p++) {
        reference_ray ray =
            reference_camera_ray(&s.scene.camera, points[p][0], points[p][1]);
        reference_pixel alone = reference_ray_render(&s.scene, ray);
        expect_close("red", pixels[p].rgb[0], alone.rgb[0], 0.0);
        hit += pixels[p].runs > 0;
    }
    assert_true(hit > COUNT / 10 && hit < COUNT);
    stage_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_constant_field_in_a_box_is_as_opaque_as_it_is_deep),
        cmocka_unit_test(a_linear_field_through_a_ramp_matches_quadrature),
        cmocka_unit_test(halving_the_step_quarters_the_error),
        cmocka_unit_test(the_paths_through_a_ring_add_up_sector_by_sector),
        cmocka_unit_test(a_ray_through_a_hole_has_two_runs),
        cmocka_unit_test(every_point_of_a_warped_cell_is_found_where_it_is),
        cmocka_unit_test(a_wall_cell_of_aspect_ratio_ten_thousand_is_inverted),
        cmocka_unit_test(a_point_just_beyond_a_face_is_outside),
        cmocka_unit_test(a_path_through_a_warped_cell_matches_its_finely_cut_faces),
        cmocka_unit_test(a_blanked_vertex_takes_its_cells_out),
        cmocka_unit_test(a_vertex_that_is_not_a_number_takes_its_cells_out),
        cmocka_unit_test(a_grid_without_cells_is_transparent),
        cmocka_unit_test(a_scalar_that_is_not_a_number_is_transparent_but_has_length),
        cmocka_unit_test(cell_values_hold_in_the_whole_cell),
        cmocka_unit_test(of_overlapping_blocks_the_first_counts),
        cmocka_unit_test(a_picture_holds_the_rays_of_its_camera),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
