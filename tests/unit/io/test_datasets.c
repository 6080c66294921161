/* Data sets as functions: cells that are not folded, seams that close, fields as
 * documented. */
#include "datasets/dataset.h"
#include "datasets/write.h"
#include "grid/brick.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* A vertex as readers of a float32 file see it. */
static dataset_vertex vertex_of(const dataset *set, const int64_t size[3], int block,
                                int64_t i, int64_t j, int64_t k)
{
    const int64_t at[3] = {i, j, k};
    dataset_vertex v = set->vertex(size, block, at);
    for (int c = 0; c < 3; c++) {
        v.position.v[c] = dataset_float32(v.position.v[c]);
    }
    return v;
}

static void evaluate(const dataset *set, vec3 p, double time, double values[8])
{
    assert_in_range(set->nfields, 1, GRID_RECIPE_MAX_INPUTS);
    set->evaluate(p, time, values);
}

/* Corners of a cell: c[di + 2 dj + 4 dk]. */
static void cell_corners(const dataset *set, const int64_t size[3], int block,
                         const int64_t at[3], double c[8][3])
{
    for (int n = 0; n < 8; n++) {
        dataset_vertex v = vertex_of(set, size, block, at[0] + (n & 1),
                                     at[1] + (n >> 1 & 1), at[2] + (n >> 2));
        memcpy(c[n], v.position.v, sizeof c[n]);
    }
}

static vec3 edge(double c[8][3], int from, int to)
{
    return vec3_make(c[to][0] - c[from][0], c[to][1] - c[from][1], c[to][2] - c[from][2]);
}

/* The Jacobian at a corner: triple product of the edges along i, j and k there. */
static double corner_jacobian(double c[8][3], int corner)
{
    vec3 e[3];
    for (int axis = 0; axis < 3; axis++) {
        int lower = corner & ~(1 << axis);
        e[axis] = edge(c, lower, lower | 1 << axis);
    }
    return vec3_dot(vec3_cross(e[0], e[1]), e[2]);
}

/* Corners that lie on the pole's axis have no volume around them. */
static bool is_collapsed(const dataset *set, const int64_t at[3], int corner)
{
    return set == &dataset_pole && at[0] + (corner & 1) == 0;
}

static void check_cell(const dataset *set, const int64_t size[3], int block,
                       const int64_t at[3])
{
    double c[8][3];
    cell_corners(set, size, block, at, c);
    for (int corner = 0; corner < 8; corner++) {
        double jacobian = corner_jacobian(c, corner);
        bool good = is_collapsed(set, at, corner) ? jacobian == 0.0 : jacobian > 0.0;
        if (!good) {
            fail_msg("%s, block %d, cell (%d, %d, %d), corner %d: the Jacobian is %g",
                     set->name, block, (int)at[0], (int)at[1], (int)at[2], corner,
                     jacobian);
        }
    }
}

/* Calls `visit` for each cell of each block. */
static void visit_cells(const dataset *set, const int64_t size[3],
                        void (*visit)(const dataset *, const int64_t[3], int,
                                      const int64_t[3]))
{
    for (int block = 0; block < set->nblocks; block++) {
        int64_t n[3];
        dataset_block_size(set, size, block, n);
        for (int64_t k = 0; k < n[2] - 1; k++) {
            for (int64_t j = 0; j < n[1] - 1; j++) {
                for (int64_t i = 0; i < n[0] - 1; i++) {
                    visit(set, size, block, (const int64_t[3]){i, j, k});
                }
            }
        }
    }
}

static void cells_are_right_handed_at_any_size(void **state)
{
    (void)state;
    for (int place = 0; dataset_at(place); place++) {
        const dataset *set = dataset_at(place);
        const int64_t *least = set->minimum, *usual = set->size;
        const int64_t odd[3] = {least[0] + 7, least[1] + 2, least[2] + 5};
        visit_cells(set, usual, check_cell);
        visit_cells(set, least, check_cell);
        visit_cells(set, odd, check_cell);
    }
}

static double summed_volume;

static void add_volume(const dataset *set, const int64_t size[3], int block,
                       const int64_t at[3])
{
    double c[8][3];
    cell_corners(set, size, block, at, c);
    summed_volume += grid_cell_volume((const double(*)[3])c);
}

static void expect_volume(const dataset *set, double expected, double tolerance)
{
    summed_volume = 0.0;
    visit_cells(set, set->size, add_volume);
    if (!(fabs(summed_volume - expected) <= tolerance * expected)) {
        fail_msg("%s: expected a volume of %.9g, got %.9g", set->name, expected,
                 summed_volume);
    }
}

/* Arcs are polygons: the area between two of them is that of its triangles. The domes of
 * `pole` shift columns of cells and keep their volumes, but for the bend of their faces.
 */
static void volumes_are_those_of_the_shapes(void **state)
{
    (void)state;
    double parts = (double)(dataset_annulus.size[1] - 1);
    expect_volume(&dataset_annulus, 1.5 * parts * sin(1.5 * pi / parts), 1e-6);
    parts = (double)(dataset_pole.size[1] - 1);
    expect_volume(&dataset_pole, 0.75 * parts * sin(2.0 * pi / parts), 1e-6);
    /* The circle of radius 8.5 without that of the cylinder, polygons of uneven sides. */
    expect_volume(&dataset_karman, 4.0 * pi * (8.5 * 8.5 - 0.25), 5e-3);
    /* A box of 2 x 2 x 2 whose sides are bent outwards and inwards by the same amounts.
     */
    expect_volume(&dataset_iblank_sphere, 8.0, 1e-2);
    expect_volume(&dataset_boundary_layer,
                  3.0 - 0.12 * sqrt(pi * 0.18) * (1.0 - 0.6 / pi), 2e-3);
}

static void expect_same_point(const dataset *set, const int64_t size[3],
                              const int64_t a[4], const int64_t b[4])
{
    dataset_vertex p = set->vertex(size, (int)a[3], a),
                   q = set->vertex(size, (int)b[3], b);
    double u[8], v[8];
    if (memcmp(&p.position, &q.position, sizeof p.position) != 0) {
        fail_msg(
            "%s: vertex (%d, %d, %d) of block %d should be (%d, %d, %d) of block %d, bit "
            "by bit",
            set->name, (int)a[0], (int)a[1], (int)a[2], (int)a[3], (int)b[0], (int)b[1],
            (int)b[2], (int)b[3]);
    }
    evaluate(set, p.position, 0.7, u);
    evaluate(set, q.position, 0.7, v);
    assert_memory_equal(u, v, (size_t)set->nfields * sizeof u[0]);
}

static void the_o_grid_closes_bit_by_bit(void **state)
{
    (void)state;
    const int64_t *n = dataset_karman.size;
    for (int64_t k = 0; k < n[2]; k++) {
        for (int64_t j = 0; j < n[1]; j++) {
            expect_same_point(&dataset_karman, n, (const int64_t[4]){0, j, k, 0},
                              (const int64_t[4]){n[0] - 1, j, k, 0});
        }
    }
}

static void the_pole_closes_and_collapses_bit_by_bit(void **state)
{
    (void)state;
    const int64_t *n = dataset_pole.size;
    for (int64_t k = 0; k < n[2]; k++) {
        for (int64_t i = 0; i < n[0]; i++) {
            expect_same_point(&dataset_pole, n, (const int64_t[4]){i, 0, k, 0},
                              (const int64_t[4]){i, n[1] - 1, k, 0});
        }
        for (int64_t j = 0; j < n[1]; j++) {
            expect_same_point(&dataset_pole, n, (const int64_t[4]){0, 0, k, 0},
                              (const int64_t[4]){0, j, k, 0});
        }
    }
}

static void the_two_blocks_share_their_interface_bit_by_bit(void **state)
{
    (void)state;
    const int64_t sizes[2][3] = {{19, 15, 13}, {4, 7, 9}};
    for (int s = 0; s < 2; s++) {
        const int64_t *n = sizes[s];
        int64_t second[3];
        dataset_block_size(&dataset_two_blocks, n, 1, second);
        assert_int_equal(second[0], n[2]);
        assert_int_equal(second[1], n[1]);
        assert_int_equal(second[2], n[0]);
        for (int64_t k = 0; k < n[2]; k++) {
            for (int64_t j = 0; j < n[1]; j++) {
                expect_same_point(&dataset_two_blocks, n,
                                  (const int64_t[4]){n[0] - 1, j, k, 0},
                                  (const int64_t[4]){k, n[1] - 1 - j, 0, 1});
            }
        }
    }
}

static int find_field(const dataset *set, const char *name)
{
    for (int f = 0; f < set->nfields; f++) {
        if (strcmp(set->fields[f].name, name) == 0) {
            return f;
        }
    }
    return -1;
}

static void linear_fields_are_linear(void **state)
{
    (void)state;
    int found = 0;
    for (int place = 0; dataset_at(place); place++) {
        const dataset *set = dataset_at(place);
        int field = find_field(set, "linear");
        double values[8];
        for (int p = 0; field >= 0 && p < 100; p++) {
            vec3 at = vec3_make(0.13 * p, -0.07 * p, 0.31 * p - 4.0);
            evaluate(set, at, 0.0, values);
            double expected = 1.0 + at.v[0] / 2.0 + at.v[1] / 4.0 + at.v[2] / 8.0;
            assert_true(values[field] == expected);
        }
        found += field >= 0;
    }
    assert_int_equal(found, 5);
}

static void the_annulus_has_its_known_fields(void **state)
{
    (void)state;
    double values[8];
    evaluate(&dataset_annulus, vec3_make(-1.2, 0.9, 0.4), 0.0, values);
    assert_true(values[find_field(&dataset_annulus, "constant")] == 0.5);
    double radius = values[find_field(&dataset_annulus, "radius")];
    assert_true(fabs(radius - 1.5) < 1e-15);
}

static void iblank_cuts_out_a_ball(void **state)
{
    (void)state;
    const dataset *set = &dataset_iblank_sphere;
    const int64_t n[3] = {41, 41, 41};
    double blanked = 0.0;
    for (int64_t v = 0; v < n[0] * n[1] * n[2]; v++) {
        dataset_vertex at =
            vertex_of(set, n, 0, v % n[0], v / n[0] % n[1], v / (n[0] * n[1]));
        double radius = vec3_length(at.position);
        if (fabs(radius - 0.45) > 1e-6) {
            assert_int_equal(at.blanked, radius < 0.45);
        }
        blanked += at.blanked;
    }
    double expected = 4.0 / 3.0 * pi * pow(0.45 * 20.0, 3.0);
    assert_true(fabs(blanked - expected) < 0.05 * expected);
}

static void wall_cells_are_ten_thousand_times_longer_than_high(void **state)
{
    (void)state;
    const dataset *set = &dataset_boundary_layer;
    double c[8][3];
    cell_corners(set, set->size, 0, (const int64_t[3]){0, 0, 0}, c);
    double ratio = vec3_length(edge(c, 0, 1)) / vec3_length(edge(c, 0, 2));
    if (ratio < 9e3 || ratio > 1.3e4) {
        fail_msg("expected an aspect ratio of about 1e4, got %g", ratio);
    }
}

/* At the wall of `karman` and `boundary-layer` the fluid stands still. */
static void fluid_sticks_to_walls(void **state)
{
    (void)state;
    const dataset *sets[] = {&dataset_karman, &dataset_boundary_layer};
    for (int s = 0; s < 2; s++) {
        const int64_t *n = sets[s]->size;
        for (int64_t i = 0; i < n[0]; i++) {
            double values[8];
            vec3 at = vertex_of(sets[s], n, 0, i, 0, n[2] / 3).position;
            evaluate(sets[s], at, 1.3, values);
            double speed = vec3_length(vec3_make(values[0], values[1], values[2]));
            /* Rounding moves the vertex off the wall by some 1e-8. */
            if (speed > 1e-4) {
                fail_msg("%s, i = %d: expected no speed at the wall, got %g",
                         sets[s]->name, (int)i, speed);
            }
        }
    }
}

/* Central differences of the velocity: gradient[c][d] is that of component c along axis
 * d. */
static void velocity_gradient(vec3 p, double time, double gradient[3][3])
{
    const double h = 1e-4;
    for (int d = 0; d < 3; d++) {
        vec3 above = p, below = p;
        double up[8], down[8];
        above.v[d] += h;
        below.v[d] -= h;
        evaluate(&dataset_karman, above, time, up);
        evaluate(&dataset_karman, below, time, down);
        for (int c = 0; c < 3; c++) {
            gradient[c][d] = (up[c] - down[c]) / (2.0 * h);
        }
    }
}

/* Points all over the grid, without the cylinder's skin. */
static vec3 sample_point(int p)
{
    const int64_t n[3] = {2000, 41, 23};
    const int64_t at[3] = {p * 17 % n[0], 1 + p * 7 % 40, p * 5 % n[2]};
    return dataset_karman.vertex(n, 0, at).position;
}

static void the_karman_flow_is_free_of_divergence(void **state)
{
    (void)state;
    for (int p = 0; p < 500; p++) {
        vec3 at = sample_point(p);
        double g[3][3];
        velocity_gradient(at, 0.37 * p, g);
        double divergence = g[0][0] + g[1][1] + g[2][2], scale = 1.0;
        for (int n = 0; n < 9; n++) {
            scale += fabs(g[n / 3][n % 3]);
        }
        if (fabs(divergence) > 1e-5 * scale) {
            fail_msg("point %d (%g, %g, %g): the divergence is %g", p, at.v[0], at.v[1],
                     at.v[2], divergence);
        }
    }
}

static void the_karman_flow_repeats_after_a_period(void **state)
{
    (void)state;
    for (int p = 0; p < 500; p++) {
        double now[8], later[8];
        vec3 at = sample_point(p);
        evaluate(&dataset_karman, at, 0.0, now);
        evaluate(&dataset_karman, at, dataset_karman.period, later);
        for (int f = 0; f < 4; f++) {
            if (fabs(now[f] - later[f]) > 1e-6) {
                fail_msg("point %d, field %d: %.9g at first, %.9g a period later", p, f,
                         now[f], later[f]);
            }
        }
    }
}

/* Along y = +-0.65 behind the cylinder: where the vorticity peaks, the pressure is low.
 */
static void the_wake_has_vortices_with_low_pressure(void **state)
{
    (void)state;
    double strongest = 0.0, least = 0.0, greatest = 0.0;
    vec3 core = vec3_make(0.0, 0.0, 0.0);
    for (int p = 0; p < 400; p++) {
        vec3 at = vec3_make(4.0 + 0.02 * p, 0.6, 1.0);
        double g[3][3];
        velocity_gradient(at, 0.0, g);
        double vorticity = g[1][0] - g[0][1];
        least = fmin(least, vorticity);
        greatest = fmax(greatest, vorticity);
        if (fabs(vorticity) > strongest) {
            strongest = fabs(vorticity);
            core = at;
        }
    }
    /* The upper row turns clockwise. */
    assert_true(least < -1.0 && least > -3.0);
    assert_true(greatest < 0.2);
    double inside[8], beside[8];
    evaluate(&dataset_karman, core, 0.0, inside);
    evaluate(&dataset_karman, vec3_make(core.v[0], 4.0, 1.0), 0.0, beside);
    assert_true(inside[3] < beside[3] - 0.1);
}

static void steps_divide_the_period(void **state)
{
    (void)state;
    assert_true(dataset_time(&dataset_karman, 0, 20) == 0.0);
    assert_true(fabs(dataset_time(&dataset_karman, 19, 20) - 4.75) < 1e-12);
    assert_true(fabs(dataset_time(&dataset_karman, 1, 2) - 2.5) < 1e-12);
    assert_true(dataset_time(&dataset_annulus, 3, 10) == 3.0);
}

static void the_catalogue_finds_data_sets_by_name(void **state)
{
    (void)state;
    int count = 0;
    for (; dataset_at(count); count++) {
        assert_ptr_equal(dataset_find(dataset_at(count)->name), dataset_at(count));
    }
    assert_int_equal(count, 8);
    assert_null(dataset_find("kar"));
    assert_null(dataset_at(-1));
}

static void sizes_that_cannot_be_are_refused(void **state)
{
    (void)state;
    const int64_t big = (int64_t)1 << 40;
    const int64_t sizes[][3] = {{8, 41, 11}, {81, 0, 11},        {81, 41, -5},
                                {81, 41, 1}, {big, big, big},    {100000, 100000, 11},
                                {2, 41, 11}, {81, 41, 1LL << 33}};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        dataset_options options = {.size = {sizes[s][0], sizes[s][1], sizes[s][2]},
                                   .steps = 1};
        base_fail_set_message("");
        assert_int_equal(dataset_options_check(&dataset_karman, &options), STATUS_USAGE);
        assert_non_null(strstr(base_fail_message(), "size"));
    }
    dataset_options options = dataset_default_options(&dataset_karman);
    assert_int_equal(dataset_options_check(&dataset_karman, &options), STATUS_OK);
    options.steps = 0;
    base_fail_set_message("");
    assert_int_equal(dataset_options_check(&dataset_karman, &options), STATUS_USAGE);
    base_fail_set_message("");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_are_right_handed_at_any_size),
        cmocka_unit_test(volumes_are_those_of_the_shapes),
        cmocka_unit_test(the_o_grid_closes_bit_by_bit),
        cmocka_unit_test(the_pole_closes_and_collapses_bit_by_bit),
        cmocka_unit_test(the_two_blocks_share_their_interface_bit_by_bit),
        cmocka_unit_test(linear_fields_are_linear),
        cmocka_unit_test(the_annulus_has_its_known_fields),
        cmocka_unit_test(iblank_cuts_out_a_ball),
        cmocka_unit_test(wall_cells_are_ten_thousand_times_longer_than_high),
        cmocka_unit_test(fluid_sticks_to_walls),
        cmocka_unit_test(the_karman_flow_is_free_of_divergence),
        cmocka_unit_test(the_karman_flow_repeats_after_a_period),
        cmocka_unit_test(the_wake_has_vortices_with_low_pressure),
        cmocka_unit_test(steps_divide_the_period),
        cmocka_unit_test(the_catalogue_finds_data_sets_by_name),
        cmocka_unit_test(sizes_that_cannot_be_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
