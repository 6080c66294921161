/* Derived fields: exact where they must be, second order elsewhere, the same in every
 * patch. */
#include "grid/derive/derivation.h"
#include "grid/recipe.h"

#include "patches.h"
#include "support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

static bool is_nan(float value)
{
    return isnan(value);
}

static double length3(double x, double y, double z)
{
    return sqrt(x * x + y * y + z * z);
}

/* ---- linear fields ---------------------------------------------------------------- */

/* Checks everything that is derived from the gradient of velocity against a known one. */
static void expect_gradient_fields(const block *b, double a[3][3], double tolerance)
{
    const double vorticity[3] = {a[2][1] - a[1][2], a[0][2] - a[2][0], a[1][0] - a[0][1]};
    double omega = 0.0, strain = 0.0;
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            omega += 0.25 * (a[r][c] - a[c][r]) * (a[r][c] - a[c][r]);
            strain += 0.25 * (a[r][c] + a[c][r]) * (a[r][c] + a[c][r]);
        }
    }
    expect_everywhere(b, "vorticity_x", vorticity[0], tolerance);
    expect_everywhere(b, "vorticity_y", vorticity[1], tolerance);
    expect_everywhere(b, "vorticity_z", vorticity[2], tolerance);
    expect_everywhere(b, "vorticity_magnitude",
                      length3(vorticity[0], vorticity[1], vorticity[2]), tolerance);
    expect_everywhere(b, "q_criterion", 0.5 * (omega - strain), 10.0 * tolerance);
}

static void gradients_of_linear_fields_are_exact_on_warped_grids(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (int round = 0; round < 10; round++) {
        block b = create_block(3 + round, 12 - round, 4);
        double matrix[3][3];
        place_jittered(&b, &seed);
        for (int entry = 0; entry < 9; entry++) {
            matrix[entry / 3][entry % 3] = 0.25 * (random_below(&seed, 33) - 16);
        }
        add_linear_velocity(&b, matrix);
        expect_gradient_fields(&b, matrix, 1e-5);
        destroy_block(&b);
    }
}

static void two_vertices_along_an_axis_are_enough(void **state)
{
    (void)state;
    uint64_t seed = 12;
    block b = create_block(2, 2, 2);
    double matrix[3][3] = {{1.0, 2.0, -1.0}, {0.5, 0.0, 3.0}, {-2.0, 0.25, 1.0}};
    place_jittered(&b, &seed);
    add_linear_velocity(&b, matrix);
    expect_gradient_fields(&b, matrix, 1e-5);
    destroy_block(&b);
}

static void a_solid_body_turns_with_twice_its_angular_velocity(void **state)
{
    (void)state;
    uint64_t seed = 13;
    block b = create_block(7, 6, 5);
    double matrix[3][3] = {{0.0, -0.75, 0.0}, {0.75, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    place_jittered(&b, &seed);
    add_linear_velocity(&b, matrix);
    expect_everywhere(&b, "vorticity_z", 1.5, 1e-5);
    expect_everywhere(&b, "vorticity_magnitude", 1.5, 1e-5);
    expect_everywhere(&b, "q_criterion", 0.75 * 0.75, 1e-5);
    destroy_block(&b);
}

static void shear_has_no_q_and_strain_a_negative_one(void **state)
{
    (void)state;
    uint64_t seed = 14;
    block shear = create_block(5, 5, 5), strain = create_block(5, 5, 5);
    double shear_matrix[3][3] = {{0.0, 2.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    double strain_matrix[3][3] = {{1.0, 0.0, 0.0}, {0.0, -1.0, 0.0}, {0.0, 0.0, 0.0}};
    place_jittered(&shear, &seed);
    place_jittered(&strain, &seed);
    add_linear_velocity(&shear, shear_matrix);
    add_linear_velocity(&strain, strain_matrix);
    expect_everywhere(&shear, "q_criterion", 0.0, 1e-5);
    expect_everywhere(&shear, "vorticity_z", -2.0, 1e-5);
    expect_everywhere(&strain, "q_criterion", -1.0, 1e-5);
    expect_everywhere(&strain, "vorticity_magnitude", 0.0, 1e-5);
    destroy_block(&shear);
    destroy_block(&strain);
}

static void the_gradient_of_density_is_exact_for_a_linear_one(void **state)
{
    (void)state;
    uint64_t seed = 15;
    block b = create_block(6, 5, 7);
    place_jittered(&b, &seed);
    float *density = add_field(&b, "density", GRID_VERTEX);
    for (size_t v = 0; v < count3(b.n); v++) {
        density[v] = 20.0f + b.x[0][v] - 2.0f * b.x[1][v] + 2.0f * b.x[2][v];
    }
    expect_everywhere(&b, "density_gradient_magnitude", 3.0, 1e-5);
    destroy_block(&b);
}

/* ---- order of convergence --------------------------------------------------------- */

/* A stretched quarter of an annulus that winds along z. */
static void place_curved(const double u[3], double p[3])
{
    double radius = 1.0 + u[0] + 0.3 * u[0] * u[0];
    double angle = 1.5 * u[1] + 0.4 * u[2];
    p[0] = radius * cos(angle);
    p[1] = radius * sin(angle);
    p[2] = 1.2 * u[2] + 0.2 * u[0] * u[1];
}

/* Largest error of vorticity_z of a smooth velocity on n^3 vertices. */
static double curved_error(int n)
{
    block b = create_block(n, n, n);
    place_vertices(&b, place_curved);
    float *u = add_field(&b, "velocity_x", GRID_VERTEX);
    float *v = add_field(&b, "velocity_y", GRID_VERTEX);
    for (size_t at = 0; at < count3(b.n); at++) {
        double x = (double)b.x[0][at], y = (double)b.x[1][at], z = (double)b.x[2][at];
        u[at] = (float)(sin(2.0 * y) * cos(z));
        v[at] = (float)(sin(x + z) * exp(0.5 * y));
    }
    float *values = compute(&b, "vorticity_z");
    double error = 0.0;
    for (size_t at = 0; at < count3(b.n); at++) {
        double x = (double)b.x[0][at], y = (double)b.x[1][at], z = (double)b.x[2][at];
        double exact = cos(x + z) * exp(0.5 * y) - 2.0 * cos(2.0 * y) * cos(z);
        error = fmax(error, fabs((double)values[at] - exact));
    }
    free(values);
    destroy_block(&b);
    return error;
}

static void halving_the_cells_quarters_the_error_of_vorticity(void **state)
{
    (void)state;
    double coarse = curved_error(15), middle = curved_error(29), fine = curved_error(57);
    double first = coarse / middle, second = middle / fine;
    if (!(first > 3.4 && first < 4.6 && second > 3.7 && second < 4.3)) {
        fail_msg("expected errors that fall by about 4, got %g, %g, %g", coarse, middle,
                 fine);
    }
}

/* ---- conserved variables ---------------------------------------------------------- */

static void conserved_variables_give_pressure_temperature_and_mach(void **state)
{
    (void)state;
    /* rho = 1.25, u = (30, -40, 120), p = 101325 */
    const double density = 1.25, velocity[3] = {30.0, -40.0, 120.0}, p = 101325.0;
    const double energy = p / 0.4 + 0.5 * density * 130.0 * 130.0;
    for (int where = 0; where < 2; where++) {
        grid_location location = where == 0 ? GRID_VERTEX : GRID_CELL;
        static const char *const names[5] = {"density", "momentum_x", "momentum_y",
                                             "momentum_z", "energy"};
        const double state_of_gas[5] = {density, density * velocity[0],
                                        density * velocity[1], density * velocity[2],
                                        energy};
        block b = create_block(4, 3, 3);
        size_t count = where == 0 ? 4 * 3 * 3 : 3 * 2 * 2;
        for (int field = 0; field < 5; field++) {
            float *values = add_field(&b, names[field], location);
            for (size_t v = 0; v < count; v++) {
                values[v] = (float)state_of_gas[field];
            }
        }
        const struct {
            const char *name;
            double expected;
        } wanted[] = {{"velocity_x", 30.0},
                      {"velocity_y", -40.0},
                      {"velocity_z", 120.0},
                      {"velocity_magnitude", 130.0},
                      {"pressure", p},
                      {"temperature", p / (density * 287.0)},
                      {"mach", 130.0 / sqrt(1.4 * p / density)}};
        for (int n = 0; n < 7; n++) {
            float *values = compute(&b, wanted[n].name);
            for (size_t v = 0; v < count; v++) {
                expect_near(values[v], wanted[n].expected,
                            1e-6 * fabs(wanted[n].expected), wanted[n].name, v);
            }
            free(values);
        }
        destroy_block(&b);
    }
}

/* ---- cells ------------------------------------------------------------------------ */

/* Adds a density in cells: 1 + x of the middle of a unit cell. */
static float *add_cell_density(block *b)
{
    float *density = add_field(b, "density", GRID_CELL);
    for (int k = 0; k + 1 < b->n[2]; k++) {
        for (int j = 0; j + 1 < b->n[1]; j++) {
            for (int i = 0; i + 1 < b->n[0]; i++) {
                const int n[3] = {b->n[0] - 1, b->n[1] - 1, b->n[2] - 1};
                density[index3(n, i, j, k)] = (float)i + 1.5f;
            }
        }
    }
    return density;
}

static void place_unit_cells(block *b)
{
    size_t v = 0;
    for (int k = 0; k < b->n[2]; k++) {
        for (int j = 0; j < b->n[1]; j++) {
            for (int i = 0; i < b->n[0]; i++, v++) {
                b->x[0][v] = (float)i;
                b->x[1][v] = (float)j;
                b->x[2][v] = (float)k;
            }
        }
    }
}

static void gradients_of_cell_fields_are_taken_between_vertex_averages(void **state)
{
    (void)state;
    block b = create_block(8, 4, 4);
    place_unit_cells(&b);
    add_cell_density(&b);
    float *values = compute(&b, "density_gradient_magnitude");
    for (int i = 2; i < 6; i++) {
        size_t at = index3(b.n, i, 1, 2);
        expect_near(values[at], 1.0, 1e-6, "gradient inside", at);
    }
    /* Averages at i = 0, 1, 2 are 1.5, 2, 3: half a cell is missing on the boundary. */
    size_t end = index3(b.n, 0, 1, 2);
    expect_near(values[end], -1.5 * 1.5 + 2.0 * 2.0 - 0.5 * 3.0, 1e-6,
                "gradient at the end", end);
    free(values);
    destroy_block(&b);
}

static void a_cell_field_keeps_its_values(void **state)
{
    (void)state;
    block b = create_block(5, 4, 3);
    place_unit_cells(&b);
    float *density = add_cell_density(&b);
    float *values = compute(&b, "density");
    assert_memory_equal(values, density, 4 * 3 * 2 * sizeof *values);
    free(values);
    float *part =
        compute_box(&b, "density", (const int[3]){1, 1, 0}, (const int[3]){3, 3, 2}, 1);
    for (int cell = 0; cell < 4; cell++) {
        assert_true(part[cell] == 2.5f + (float)(cell % 2));
    }
    free(part);
    destroy_block(&b);
}

static void absent_cells_are_left_out_of_averages(void **state)
{
    (void)state;
    block b = create_block(4, 4, 4);
    place_unit_cells(&b);
    float *density = add_field(&b, "density", GRID_CELL);
    float *momentum =
        add_field(&b, "momentum_x", GRID_VERTEX); /* so that they meet at vertices */
    for (size_t v = 0; v < count3(b.n); v++) {
        momentum[v] = 6.0f;
    }
    for (int cell = 0; cell < 27; cell++) {
        density[cell] = cell % 3 == 0 ? 1e30f : 3.0f;
    }
    for (int k = 0; k < 4; k++) {
        for (int j = 0; j < 4; j++) {
            b.blanked[index3(b.n, 0, j, k)] = 1;
        }
    }
    float *values = compute(&b, "velocity_x");
    for (int i = 1; i < 4; i++) {
        size_t at = index3(b.n, i, 2, 1);
        expect_near(values[at], 2.0, 1e-6, "momentum per averaged density", at);
    }
    assert_true(is_nan(values[index3(b.n, 0, 2, 1)]));
    free(values);
    destroy_block(&b);
}

static void a_vertex_among_absent_cells_does_not_disturb_its_neighbours(void **state)
{
    (void)state;
    block b = create_block(8, 5, 5);
    place_unit_cells(&b);
    add_cell_density(&b);
    /* Together these take all cells around (2, 2, 2), and not all around (3, 2, 2). */
    b.blanked[index3(b.n, 1, 2, 2)] = 1;
    b.blanked[index3(b.n, 2, 1, 2)] = 1;
    b.blanked[index3(b.n, 2, 3, 2)] = 1;
    float *values = compute(&b, "density_gradient_magnitude");
    assert_true(is_nan(values[index3(b.n, 2, 2, 2)]));
    assert_false(is_nan(values[index3(b.n, 3, 2, 2)]));
    free(values);
    destroy_block(&b);
}

/* ---- blanked vertices, poles and singular places ---------------------------------- */

static void blanked_vertices_do_not_disturb_gradients_beside_them(void **state)
{
    (void)state;
    uint64_t seed = 16;
    block b = create_block(9, 8, 7);
    double matrix[3][3] = {{1.0, 2.0, -1.0}, {0.5, 0.0, 3.0}, {-2.0, 0.25, 1.0}};
    place_jittered(&b, &seed);
    add_linear_velocity(&b, matrix);
    for (int k = 2; k < 5; k++) {
        for (int j = 3; j < 5; j++) {
            for (int i = 3; i < 7; i++) {
                size_t at = index3(b.n, i, j, k);
                b.blanked[at] = 1;
                b.values[0][at] = 1e30f;
                b.values[1][at] = NAN;
                b.x[0][at] = -1e30f;
            }
        }
    }
    expect_gradient_fields(&b, matrix, 1e-5);
    float *values = compute(&b, "vorticity_x");
    assert_true(is_nan(values[index3(b.n, 4, 3, 3)]));
    free(values);
    destroy_block(&b);
}

static void a_vertex_that_is_nowhere_does_not_disturb_its_neighbours(void **state)
{
    (void)state;
    uint64_t seed = 17;
    block b = create_block(5, 5, 5);
    double matrix[3][3] = {{1.0, 2.0, -1.0}, {0.5, 0.0, 3.0}, {-2.0, 0.25, 1.0}};
    place_jittered(&b, &seed);
    add_linear_velocity(&b, matrix);
    size_t nowhere = index3(b.n, 2, 2, 2);
    b.x[1][nowhere] = NAN;
    float *values = compute(&b, "vorticity_x");
    assert_true(is_nan(values[nowhere]));
    free(values);
    b.blanked[nowhere] = 1; /* left out by expect_everywhere; the others must be right */
    expect_gradient_fields(&b, matrix, 1e-5);
    destroy_block(&b);
}

static void a_vertex_without_neighbours_has_no_gradient(void **state)
{
    (void)state;
    block b = create_block(5, 5, 5);
    place_unit_cells(&b);
    float *density = add_field(&b, "density", GRID_VERTEX);
    density[0] = 1.0f;
    b.blanked[index3(b.n, 1, 2, 2)] = 1;
    b.blanked[index3(b.n, 3, 2, 2)] = 1;
    float *values = compute(&b, "density_gradient_magnitude");
    assert_true(is_nan(values[index3(b.n, 2, 2, 2)]));
    assert_false(is_nan(values[index3(b.n, 2, 2, 1)]));
    free(values);
    destroy_block(&b);
}

/* Vertices of a slanted plane, with so many digits that the determinant of its edges,
 * which is zero, comes out as a rounding error. */
static void place_slanted(block *b, uint64_t *seed)
{
    place_jittered(b, seed);
    for (size_t v = 0; v < count3(b->n); v++) {
        b->x[0][v] += (float)random_below(seed, 1024) / 1048576.0f;
        b->x[1][v] += (float)random_below(seed, 1024) / 1048576.0f;
        b->x[2][v] = b->x[0][v] + b->x[1][v];
    }
}

static void a_flat_grid_has_no_gradient(void **state)
{
    (void)state;
    uint64_t seed = 20;
    block b = create_block(4, 4, 4);
    place_slanted(&b, &seed);
    add_field(&b, "density", GRID_VERTEX);
    float *values = compute(&b, "density_gradient_magnitude");
    for (size_t v = 0; v < count3(b.n); v++) {
        assert_true(is_nan(values[v]));
    }
    free(values);
    destroy_block(&b);
}

/* Half a ball around the z axis, whose poles are lines of collapsed edges; sin(pi) is not
 * quite zero, so that they are only nearly collapsed at one end. */
static void place_ball(const double u[3], double p[3])
{
    const double pi = 3.14159265358979323846;
    double radius = 1.0 + u[0], polar = pi * u[1], azimuth = pi * u[2];
    p[0] = radius * sin(polar) * cos(azimuth);
    p[1] = radius * sin(polar) * sin(azimuth);
    p[2] = radius * cos(polar);
}

static void gradients_at_poles_are_right(void **state)
{
    (void)state;
    block b = create_block(6, 9, 10);
    double matrix[3][3] = {{1.0, 2.0, -1.0}, {0.5, 0.0, 3.0}, {-2.0, 0.25, 1.0}};
    place_vertices(&b, place_ball);
    add_linear_velocity(&b, matrix);
    expect_gradient_fields(&b, matrix, 1e-4);
    destroy_block(&b);
}

/* ---- closed axes ------------------------------------------------------------------ */

static void place_ring(const double u[3], double p[3])
{
    const double pi = 3.14159265358979323846;
    double angle = u[0] == 1.0 ? 0.0 : 2.0 * pi * u[0];
    p[0] = (1.0 + u[1]) * cos(angle);
    p[1] = (1.0 + u[1]) * sin(angle);
    p[2] = u[2];
}

static block create_ring(grid_location location)
{
    block b = create_block(33, 9, 4);
    b.closed_i = true;
    place_vertices(&b, place_ring);
    float *u = add_field(&b, "velocity_x", location),
          *v = add_field(&b, "velocity_y", location);
    const int less = location == GRID_CELL;
    const int n[3] = {b.n[0] - less, b.n[1] - less, b.n[2] - less};
    for (int k = 0; k < n[2]; k++) {
        for (int j = 0; j < n[1]; j++) {
            for (int i = 0; i < n[0]; i++) {
                size_t from = index3(b.n, i, j, k), to = index3(n, i, j, k);
                double x = (double)b.x[0][from], y = (double)b.x[1][from];
                u[to] = (float)(-y * x * x);
                v[to] = (float)(x + y * y);
            }
        }
    }
    return b;
}

/* The seam of an O-grid is where others show one: both its sides must get the same value,
 * from neighbours on both sides of it. */
static void a_closed_axis_has_no_seam(void **state)
{
    (void)state;
    for (int where = 0; where < 2; where++) {
        block b = create_ring(where == 0 ? GRID_VERTEX : GRID_CELL);
        float *whole = compute(&b, "vorticity_z");
        for (int k = 0; k < b.n[2]; k++) {
            for (int j = 0; j < b.n[1]; j++) {
                float first = whole[index3(b.n, 0, j, k)];
                float last = whole[index3(b.n, b.n[0] - 1, j, k)];
                assert_memory_equal(&first, &last, sizeof first);
            }
        }
        free(whole);
        destroy_block(&b);
    }
}

static void the_stencil_on_a_seam_is_central(void **state)
{
    (void)state;
    block b = create_ring(GRID_VERTEX);
    block open = b;
    open.closed_i = false;
    float *closed_values = compute(&b, "vorticity_z"),
          *open_values = compute(&open, "vorticity_z");
    size_t at = index3(b.n, 0, 4, 2);
    double x = (double)b.x[0][at], exact = 1.0 + x * x;
    double closed_error = fabs((double)closed_values[at] - exact);
    double open_error = fabs((double)open_values[at] - exact);
    if (!(closed_error < 0.6 * open_error)) {
        fail_msg("expected a smaller error across the seam, got %g against %g",
                 closed_error, open_error);
    }
    free(closed_values);
    free(open_values);
    destroy_block(&b);
}

/* ---- patches ---------------------------------------------------------------------- */

/* A block of random vertices, blanked here and there, with all that can be needed. */
static block create_messy(grid_location location, bool closed, uint64_t *seed)
{
    static const char *const names[5] = {"density", "momentum_x", "momentum_y",
                                         "momentum_z", "energy"};
    block b = create_block(26, 14, 12);
    place_jittered(&b, seed);
    b.closed_i = closed;
    for (size_t v = 0; v < count3(b.n); v++) {
        b.blanked[v] = random_below(seed, 12) == 0;
    }
    for (int field = 0; field < 5; field++) {
        grid_location where = field == 4 ? GRID_VERTEX : location;
        float *values = add_field(&b, names[field], where);
        size_t count = where == GRID_VERTEX ? count3(b.n) : 25 * 13 * 11;
        for (size_t v = 0; v < count; v++) {
            values[v] = (float)random_between(seed, 1.0, 2.0);
        }
    }
    return b;
}

/* Compares a field computed on one patch bitwise with the field of the whole block. */
static void compare_patch(const block *b, const char *name, const float *whole,
                          uint64_t *seed)
{
    int lo[3], n[3];
    for (int axis = 0; axis < 3; axis++) {
        lo[axis] = random_below(seed, b->n[axis] - 1);
        n[axis] = 2 + random_below(seed, b->n[axis] - 1 - lo[axis]);
    }
    float *part = compute_box(b, name, lo, n, random_below(seed, 2));
    for (int k = 0; k < n[2]; k++) {
        for (int j = 0; j < n[1]; j++) {
            for (int i = 0; i < n[0]; i++) {
                float expected = whole[index3(b->n, lo[0] + i, lo[1] + j, lo[2] + k)];
                float actual = part[index3(n, i, j, k)];
                if (memcmp(&expected, &actual, sizeof expected) != 0 &&
                    !(isnan(expected) && isnan(actual))) {
                    fail_msg(
                        "%s at %d %d %d: expected %.9g, got %.9g in a patch (seed 18)",
                        name, lo[0] + i, lo[1] + j, lo[2] + k, (double)expected,
                        (double)actual);
                }
            }
        }
    }
    free(part);
}

static void a_value_does_not_depend_on_the_patch_it_is_computed_in(void **state)
{
    (void)state;
    static const char *const names[] = {"vorticity_x", "vorticity_magnitude",
                                        "q_criterion", "density_gradient_magnitude",
                                        "pressure",    "mach"};
    uint64_t seed = 18;
    for (int variant = 0; variant < 4; variant++) {
        block b =
            create_messy(variant % 2 == 0 ? GRID_VERTEX : GRID_CELL, variant >= 2, &seed);
        for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
            float *whole = compute(&b, names[n]);
            for (int round = 0; round < 8; round++) {
                compare_patch(&b, names[n], whole, &seed);
            }
            free(whole);
        }
        destroy_block(&b);
    }
}

/* ---- kernels ----------------------------------------------------------------------- */

/* Leaves all vertices to the code for one of them. */
static void no_slopes(derive_kind kind, const derive_row *row, derive_row_slopes *scratch,
                      derive_row_results *out)
{
    (void)kind;
    (void)scratch;
    memset(out->regular, 0, (size_t)row->count * sizeof *out->regular);
}

/* Compares rows of each kernel with the same vertices one by one. */
static void compare_kernels(const block *b, const char *name)
{
    const size_t bytes = count3(b->n) * sizeof(float);
    grid_recipe *recipe = create_recipe(b, name);
    cut_patch c =
        cut(b, recipe, (const int[3]){0, 0, 0}, b->n, grid_recipe_ghost_layers(recipe));
    derive_kernel singly = derive_plain;
    singly.slopes = no_slopes;
    float *expected = malloc(bytes), *actual = malloc(bytes);
    derive_compute(&singly, recipe, &c.patch, NULL, expected);
    for (int kernel = 0; derive_kernels()[kernel]; kernel++) {
        derive_compute(derive_kernels()[kernel], recipe, &c.patch, NULL, actual);
        assert_memory_equal(expected, actual, bytes);
    }
    free(expected);
    free(actual);
    free_patch(&c);
    grid_recipe_destroy(&recipe);
}

static void rows_of_kernels_have_the_bits_of_single_vertices(void **state)
{
    (void)state;
    static const char *const names[] = {
        "vorticity_x", "vorticity_y",         "vorticity_z",
        "q_criterion", "vorticity_magnitude", "density_gradient_magnitude"};
    uint64_t seed = 29;
    for (int variant = 0; variant < 6; variant++) {
        const grid_location where = variant % 2 == 0 ? GRID_VERTEX : GRID_CELL;
        block b = create_messy(where, variant == 2 || variant == 3, &seed);
        if (variant >= 4) {
            memset(b.blanked, GRID_POINT_PLAIN, count3(b.n));
            b.x[1][index3(b.n, 3, 4, 5)] = NAN;
            b.values[1][index3(b.n, 9, 4, 5)] = INFINITY;
        }
        for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
            compare_kernels(&b, names[n]);
        }
        destroy_block(&b);
    }
    block ball = create_block(6, 9, 10);
    double matrix[3][3] = {{1.0, 2.0, -1.0}, {0.5, 0.0, 3.0}, {-2.0, 0.25, 1.0}};
    place_vertices(&ball, place_ball);
    add_linear_velocity(&ball, matrix);
    compare_kernels(&ball, "q_criterion");
    destroy_block(&ball);
}

static void a_patch_without_blanking_needs_no_mask(void **state)
{
    (void)state;
    uint64_t seed = 19;
    block b = create_block(5, 5, 5);
    double matrix[3][3] = {{0.0, 2.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    place_jittered(&b, &seed);
    add_linear_velocity(&b, matrix);
    grid_recipe *recipe = create_recipe(&b, "vorticity_z");
    cut_patch c = cut(&b, recipe, (const int[3]){0, 0, 0}, b.n, 0);
    c.patch.blanked = NULL;
    float out[125];
    grid_recipe_compute(recipe, &c.patch, out);
    for (size_t v = 0; v < 125; v++) {
        expect_near(out[v], -2.0, 1e-5, "vorticity_z", v);
    }
    free_patch(&c);
    grid_recipe_destroy(&recipe);
    destroy_block(&b);
}

static void present_cells_need_no_coordinates(void **state)
{
    (void)state;
    uint64_t seed = 23;
    block b = create_messy(GRID_CELL, false, &seed);
    memset(b.blanked, GRID_POINT_PLAIN, count3(b.n) * sizeof *b.blanked);
    float *whole = NULL;
    grid_recipe *recipe = create_recipe(&b, "velocity_y");
    grid_recipe_move_to_vertices(recipe);
    for (int bare = 0; bare < 2; bare++) {
        cut_patch c = cut(&b, recipe, (const int[3]){0, 0, 0}, b.n,
                          grid_recipe_ghost_layers(recipe));
        const float *const x = c.patch.x, *const y = c.patch.y, *const z = c.patch.z;
        float *out = calloc(count3(b.n), sizeof *out);
        c.patch.blanked = bare ? NULL : c.patch.blanked;
        c.patch.x = bare ? NULL : x;
        c.patch.y = bare ? NULL : y;
        c.patch.z = bare ? NULL : z;
        grid_recipe_compute(recipe, &c.patch, out);
        if (bare) {
            assert_memory_equal(whole, out, count3(b.n) * sizeof *out);
        }
        free(whole);
        whole = out;
        c.patch.x = x;
        c.patch.y = y;
        c.patch.z = z;
        free_patch(&c);
    }
    free(whole);
    grid_recipe_destroy(&recipe);
    destroy_block(&b);
}

/* ---- several recipes -------------------------------------------------------------- */

enum { SEVERAL = 4 };
static const char *const several[SEVERAL] = {"velocity_x", "velocity_y", "velocity_z",
                                             "pressure"};

/* A block of cells, all present, with conserved variables. */
static block create_conserved(const int n[3], uint64_t *seed)
{
    static const char *const names[] = {"density", "momentum_x", "momentum_y",
                                        "momentum_z", "energy"};
    block b = create_block(n[0], n[1], n[2]);
    const size_t cells = (size_t)(n[0] - 1) * (size_t)(n[1] - 1) * (size_t)(n[2] - 1);
    place_jittered(&b, seed);
    for (int field = 0; field < 5; field++) {
        float *values = add_field(&b, names[field], GRID_CELL);
        for (size_t cell = 0; cell < cells; cell++) {
            values[cell] = 0.3f + 0.01f * (float)random_below(seed, 100);
        }
    }
    return b;
}

/* The sum over the cells around a vertex, in the order of their indices. */
static double sum_cells(const block *b, int field, const int at[3])
{
    const int n[3] = {b->n[0] - 1, b->n[1] - 1, b->n[2] - 1};
    double sum = 0.0;
    for (int corner = 0; corner < 8; corner++) {
        const int i = at[0] - 1 + (corner & 1), j = at[1] - 1 + (corner >> 1 & 1);
        const int k = at[2] - 1 + (corner >> 2);
        if (i >= 0 && j >= 0 && k >= 0 && i < n[0] && j < n[1] && k < n[2]) {
            sum += (double)b->values[field][index3(n, i, j, k)];
        }
    }
    return sum;
}

/* A result as float32: a finite one beyond its range is the largest number. */
static float field_of(double value)
{
    const bool is_beyond = isfinite(value) && fabs(value) > (double)FLT_MAX;
    return (float)(is_beyond ? copysign((double)FLT_MAX, value) : value);
}

static void expect_velocity(const block *b, float *const out[3])
{
    int at[3];
    for (at[2] = 0; at[2] < b->n[2]; at[2]++) {
        for (at[1] = 0; at[1] < b->n[1]; at[1]++) {
            for (at[0] = 0; at[0] < b->n[0]; at[0]++) {
                const size_t v = index3(b->n, at[0], at[1], at[2]);
                for (int axis = 0; axis < 3; axis++) {
                    const double u = sum_cells(b, 1 + axis, at) / sum_cells(b, 0, at);
                    assert_true(out[axis][v] == field_of(u));
                    assert_int_equal(signbit(out[axis][v]) != 0, signbit(u) != 0);
                }
            }
        }
    }
}

/* A patch of the whole block, with or without coordinates. */
static grid_patch patch_all(const block *b, bool has_places)
{
    grid_patch patch = {.n = {b->n[0], b->n[1], b->n[2]},
                        .core_n = {b->n[0], b->n[1], b->n[2]},
                        .x = has_places ? b->x[0] : NULL,
                        .y = has_places ? b->x[1] : NULL,
                        .z = has_places ? b->x[2] : NULL};
    for (int field = 0; field < b->nfields; field++) {
        patch.inputs[field] = b->values[field];
    }
    return patch;
}

static void expect_alone(const grid_patch *patch, const grid_recipe_use *use,
                         const float *out)
{
    const size_t count = count3(patch->n);
    float *alone = calloc(count, sizeof *alone);
    grid_patch own = *patch;
    for (int i = 0; i < grid_recipe_input_count(use->recipe); i++) {
        own.inputs[i] = patch->inputs[use->inputs[i]];
    }
    grid_recipe_compute(use->recipe, &own, alone);
    assert_memory_equal(alone, out, count * sizeof *alone);
    free(alone);
}

/* Compares planes of rows of each kernel, and each row alone, with the results. */
static void expect_kernels(const grid_patch *patch, const grid_recipe_use *uses,
                           float *const out[SEVERAL])
{
    const size_t size = (size_t)patch->n[0] * (size_t)patch->n[1];
    float *rows[SEVERAL];
    for (int n = 0; n < SEVERAL; n++) {
        rows[n] = calloc(size, sizeof *rows[n]);
    }
    for (int kernel = 0; derive_kernels()[kernel]; kernel++) {
        for (int k = 0; k < patch->n[2]; k++) {
            for (int j = 0; j < patch->n[1]; j++) {
                const derive_plane plane = {.at = {0, j, k},
                                            .count = patch->n[0],
                                            .rows = j == 0 ? patch->n[1] : 1,
                                            .stride = (size_t)patch->n[0]};
                derive_kernels()[kernel]->pointwise(SEVERAL, uses, patch, &plane, rows);
                for (int n = 0; n < SEVERAL; n++) {
                    assert_memory_equal(rows[n], out[n] + index3(patch->n, 0, j, k),
                                        (size_t)(plane.rows * plane.count) *
                                            sizeof(float));
                }
            }
        }
    }
    for (int n = 0; n < SEVERAL; n++) {
        free(rows[n]);
    }
}

/* Where both planes are said to be alike, the first one alone gets the same values. */
static void expect_planes(const grid_patch *patch, const grid_recipe_use *uses,
                          float *const out[SEVERAL])
{
    const bool are_alike = grid_recipe_planes_are_alike(SEVERAL, uses, patch);
    assert_int_equal(are_alike, patch->n[2] == 2 && patch->n[0] > 2 && !patch->x);
    if (!are_alike) {
        return;
    }
    const size_t plane = (size_t)patch->n[0] * (size_t)patch->n[1];
    grid_patch low = *patch;
    float *one[SEVERAL];
    low.core_n[2] = 1;
    for (int n = 0; n < SEVERAL; n++) {
        one[n] = calloc(plane, sizeof *one[n]);
    }
    grid_recipe_compute_all(SEVERAL, uses, &low, one);
    for (int n = 0; n < SEVERAL; n++) {
        assert_memory_equal(one[n], out[n], plane * sizeof *one[n]);
        assert_memory_equal(one[n], out[n] + plane, plane * sizeof *one[n]);
        free(one[n]);
    }
}

static void check_together(const block *b, bool has_places)
{
    const grid_patch patch = patch_all(b, has_places);
    grid_recipe *recipes[SEVERAL];
    grid_recipe_use uses[SEVERAL] = {{.recipe = NULL}};
    float *out[SEVERAL];
    for (int n = 0; n < SEVERAL; n++) {
        recipes[n] = create_recipe(b, several[n]);
        grid_recipe_move_to_vertices(recipes[n]);
        out[n] = calloc(count3(b->n), sizeof *out[n]);
        uses[n].recipe = recipes[n];
        for (int i = 0; i < grid_recipe_input_count(recipes[n]); i++) {
            uses[n].inputs[i] = grid_recipe_input(recipes[n], i);
        }
    }
    grid_recipe_compute_all(SEVERAL, uses, &patch, out);
    expect_velocity(b, out);
    expect_planes(&patch, uses, out);
    if (patch.n[0] > 2) {
        expect_kernels(&patch, uses, out);
    }
    for (int n = 0; n < SEVERAL; n++) {
        expect_alone(&patch, &uses[n], out[n]);
        free(out[n]);
        grid_recipe_destroy(&recipes[n]);
    }
}

static void recipes_computed_together_have_the_values_of_each_alone(void **state)
{
    (void)state;
    static const int sizes[][3] = {{17, 9, 2}, {3, 2, 2},  {2, 4, 3},
                                   {18, 4, 5}, {22, 3, 2}, {65, 7, 2}};
    uint64_t seed = 31;
    for (size_t size = 0; size < sizeof sizes / sizeof *sizes; size++) {
        block b = create_conserved(sizes[size], &seed);
        check_together(&b, true);
        check_together(&b, false);
        destroy_block(&b);
    }
}

/* Momenta along z that vanish, wholly or but for one cell, with a sign, or beside
 * densities that are not positive. */
static void velocities_of_momenta_that_vanish_have_the_right_sign(void **state)
{
    (void)state;
    enum { NONE, ONE, SIGNED, NEGATIVE, CASES };
    const int size[3] = {35, 6, 2};
    const size_t cells = 34 * 5;
    uint64_t seed = 7;
    for (int n = 0; n < CASES; n++) {
        block b = create_conserved(size, &seed);
        for (size_t cell = 0; cell < cells; cell++) {
            b.values[3][cell] = n == SIGNED ? -0.0f : 0.0f;
        }
        b.values[3][cells / 2] = n == ONE ? 0.25f : b.values[3][cells / 2];
        b.values[0][cells / 3] = n == NEGATIVE ? -9.0f : b.values[0][cells / 3];
        check_together(&b, false);
        destroy_block(&b);
    }
}

/* Quotients beyond the range of float32, of finite and of infinite size, among others. */
static void velocities_beyond_the_range_of_numbers_are_the_largest(void **state)
{
    (void)state;
    const int size[3] = {35, 6, 2}, cells = 34 * 5;
    uint64_t seed = 11;
    block b = create_conserved(size, &seed);
    for (int cell = cells / 2; cell < cells / 2 + 3; cell++) {
        b.values[1][cell] = 3e38F;
        b.values[2][cell] = -3e38F;
    }
    for (int j = 1; j < 3; j++) {
        for (int i = 4; i < 6; i++) { /* no density around a vertex */
            b.values[0][j * 34 + i] = 0.0F;
        }
    }
    for (int cell = 0; cell < cells; cell++) {
        b.values[0][cell] *= 1e-3F;
    }
    check_together(&b, false);
    destroy_block(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients_of_linear_fields_are_exact_on_warped_grids),
        cmocka_unit_test(two_vertices_along_an_axis_are_enough),
        cmocka_unit_test(a_solid_body_turns_with_twice_its_angular_velocity),
        cmocka_unit_test(shear_has_no_q_and_strain_a_negative_one),
        cmocka_unit_test(the_gradient_of_density_is_exact_for_a_linear_one),
        cmocka_unit_test(halving_the_cells_quarters_the_error_of_vorticity),
        cmocka_unit_test(conserved_variables_give_pressure_temperature_and_mach),
        cmocka_unit_test(gradients_of_cell_fields_are_taken_between_vertex_averages),
        cmocka_unit_test(a_cell_field_keeps_its_values),
        cmocka_unit_test(absent_cells_are_left_out_of_averages),
        cmocka_unit_test(present_cells_need_no_coordinates),
        cmocka_unit_test(a_vertex_among_absent_cells_does_not_disturb_its_neighbours),
        cmocka_unit_test(blanked_vertices_do_not_disturb_gradients_beside_them),
        cmocka_unit_test(a_vertex_that_is_nowhere_does_not_disturb_its_neighbours),
        cmocka_unit_test(a_vertex_without_neighbours_has_no_gradient),
        cmocka_unit_test(a_flat_grid_has_no_gradient),
        cmocka_unit_test(gradients_at_poles_are_right),
        cmocka_unit_test(a_closed_axis_has_no_seam),
        cmocka_unit_test(the_stencil_on_a_seam_is_central),
        cmocka_unit_test(a_value_does_not_depend_on_the_patch_it_is_computed_in),
        cmocka_unit_test(rows_of_kernels_have_the_bits_of_single_vertices),
        cmocka_unit_test(a_patch_without_blanking_needs_no_mask),
        cmocka_unit_test(recipes_computed_together_have_the_values_of_each_alone),
        cmocka_unit_test(velocities_of_momenta_that_vanish_have_the_right_sign),
        cmocka_unit_test(velocities_beyond_the_range_of_numbers_are_the_largest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
