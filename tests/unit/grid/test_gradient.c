/* Gradients of fields at vertices, for shading. */
#include "patches.h"

#include "support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* A field and its gradient on a box of vertices. */
typedef struct slopes {
    float *values;
    float (*gradient)[3];
} slopes;

static slopes compute_slopes(const block *b, const char *name, const int core_lo[3],
                             const int core_n[3], int more_layers)
{
    grid_recipe *recipe = create_recipe(b, name);
    int layers = grid_recipe_gradient_layers(recipe) + more_layers;
    cut_patch c = cut(b, recipe, core_lo, core_n, layers);
    slopes s = {calloc(count3(core_n), sizeof *s.values),
                calloc(count3(core_n), sizeof *s.gradient)};
    assert_non_null(s.values);
    assert_non_null(s.gradient);
    grid_recipe_compute_gradients(recipe, &c.patch, s.values, s.gradient);
    free_patch(&c);
    grid_recipe_destroy(&recipe);
    return s;
}

static slopes compute_all(const block *b, const char *name)
{
    return compute_slopes(b, name, (const int[3]){0, 0, 0}, b->n, 0);
}

static void free_slopes(slopes *s)
{
    free(s->values);
    free(s->gradient);
}

static void expect_gradient(const float *gradient, const double expected[3],
                            double tolerance, size_t at)
{
    static const char *const names[3] = {"d/dx", "d/dy", "d/dz"};
    for (int axis = 0; axis < 3; axis++) {
        expect_near(gradient[axis], expected[axis], tolerance, names[axis], at);
    }
}

/* Adds a linear field at the vertices. */
static void add_linear(block *b, const double slope[3])
{
    float *values = add_field(b, "linear", GRID_VERTEX);
    for (size_t v = 0; v < count3(b->n); v++) {
        double sum = 0.0;
        for (int axis = 0; axis < 3; axis++) {
            sum += slope[axis] * (double)b->x[axis][v];
        }
        values[v] = (float)sum;
    }
}

static const double some_slope[3] = {0.5, -0.25, 0.75};

static void the_gradient_of_a_linear_field_is_exact_on_a_warped_grid(void **state)
{
    (void)state;
    uint64_t seed = 21;
    static const int sizes[][3] = {{9, 7, 5}, {2, 2, 2}, {2, 17, 3}};
    for (size_t size = 0; size < sizeof sizes / sizeof sizes[0]; size++) {
        block b = create_block(sizes[size][0], sizes[size][1], sizes[size][2]);
        place_jittered(&b, &seed);
        add_linear(&b, some_slope);
        slopes s = compute_all(&b, "linear");
        for (size_t v = 0; v < count3(b.n); v++) {
            expect_gradient(s.gradient[v], some_slope, 1e-5, v);
        }
        free_slopes(&s);
        destroy_block(&b);
    }
}

static void blanked_vertices_are_not_looked_at(void **state)
{
    (void)state;
    uint64_t seed = 22;
    block b = create_block(8, 7, 6);
    place_jittered(&b, &seed);
    add_linear(&b, some_slope);
    static const double none[3] = {0.0, 0.0, 0.0};
    const size_t holes[] = {index3(b.n, 3, 3, 3), index3(b.n, 0, 3, 2),
                            index3(b.n, 7, 6, 5)};
    for (int n = 0; n < 3; n++) {
        b.blanked[holes[n]] = 1;
        b.values[0][holes[n]] = 1e6f;
    }
    slopes s = compute_all(&b, "linear");
    for (size_t v = 0; v < count3(b.n); v++) {
        expect_gradient(s.gradient[v], b.blanked[v] ? none : some_slope, 1e-5, v);
    }
    free_slopes(&s);
    destroy_block(&b);
}

static void where_there_is_no_gradient_it_is_zero(void **state)
{
    (void)state;
    static const double none[3] = {0.0, 0.0, 0.0};
    uint64_t seed = 23;
    block flat = create_block(5, 5, 5), holed = create_block(5, 5, 5);
    place_jittered(&flat, &seed);
    place_jittered(&holed, &seed);
    add_linear(&flat, some_slope);
    add_linear(&holed, some_slope);
    memset(flat.x[2], 0, count3(flat.n) * sizeof(float));
    holed.values[0][index3(holed.n, 2, 2, 2)] = NAN;
    slopes s = compute_all(&flat, "linear"), t = compute_all(&holed, "linear");
    for (size_t v = 0; v < count3(flat.n); v++) {
        expect_gradient(s.gradient[v], none, 0.0, v);
    }
    expect_gradient(t.gradient[index3(holed.n, 3, 2, 2)], none, 0.0, 0);
    expect_gradient(t.gradient[index3(holed.n, 4, 4, 4)], some_slope, 1e-5, 0);
    free_slopes(&s);
    free_slopes(&t);
    destroy_block(&flat);
    destroy_block(&holed);
}

static void place_ring(const double u[3], double p[3])
{
    double radius = 1.0 + u[1], angle = 2.0 * pi * u[0] + 0.3;
    p[0] = radius * cos(angle);
    p[1] = radius * sin(angle);
    p[2] = u[2];
}

/* On a seam both planes have the central difference; an open one has it on neither. */
static void a_closed_axis_has_no_seam(void **state)
{
    (void)state;
    for (int closed = 0; closed < 2; closed++) {
        block b = create_block(17, 5, 4);
        b.closed_i = closed == 1;
        place_vertices(&b, place_ring);
        float *values = add_field(&b, "xy", GRID_VERTEX);
        for (size_t v = 0; v < count3(b.n); v++) {
            values[v] = b.x[0][v] * b.x[1][v];
        }
        slopes s = compute_all(&b, "xy");
        double apart = 0.0;
        for (int j = 0; j < b.n[1]; j++) {
            const float *first = s.gradient[index3(b.n, 0, j, 1)];
            const float *last = s.gradient[index3(b.n, b.n[0] - 1, j, 1)];
            apart = fmax(apart, fabs((double)first[0] - (double)last[0]));
            apart = fmax(apart, fabs((double)first[1] - (double)last[1]));
        }
        assert_true(closed ? apart < 1e-4 : apart > 1e-2);
        free_slopes(&s);
        destroy_block(&b);
    }
}

static void cell_fields_have_the_gradient_of_their_vertex_averages(void **state)
{
    (void)state;
    block b = create_block(7, 6, 5);
    float *values = add_field(&b, "cells", GRID_CELL);
    size_t v = 0, c = 0;
    for (int k = 0; k < b.n[2]; k++) {
        for (int j = 0; j < b.n[1]; j++) {
            for (int i = 0; i < b.n[0]; i++, v++) {
                b.x[0][v] = (float)i;
                b.x[1][v] = (float)j * 0.5f;
                b.x[2][v] = (float)k * 2.0f;
                if (i + 1 < b.n[0] && j + 1 < b.n[1] && k + 1 < b.n[2]) {
                    values[c++] = (float)(3 * i - j + 4 * k);
                }
            }
        }
    }
    static const double expected[3] = {3.0, -2.0, 2.0};
    slopes s = compute_all(&b, "cells");
    for (size_t n = 0; n < c; n++) {
        assert_true(s.values[n] == values[n]);
    }
    for (int k = 2; k < b.n[2] - 2; k++) {
        for (int j = 2; j < b.n[1] - 2; j++) {
            for (int i = 2; i < b.n[0] - 2; i++) {
                size_t at = index3(b.n, i, j, k);
                expect_gradient(s.gradient[at], expected, 1e-6, at);
            }
        }
    }
    free_slopes(&s);
    destroy_block(&b);
}

/* ---- cuts ------------------------------------------------------------------------- */

/* A block that is longer than a brick, with holes, at random values. */
static block create_random(uint64_t *seed, bool closed)
{
    block b = create_block(23, 6, 5);
    b.closed_i = closed;
    if (closed) {
        place_vertices(&b, place_ring);
    } else {
        place_jittered(&b, seed);
    }
    static const char *const names[] = {"velocity_x", "velocity_y", "velocity_z"};
    for (int n = 0; n < 3; n++) {
        float *values = add_field(&b, names[n], GRID_VERTEX);
        for (size_t v = 0; v < count3(b.n); v++) {
            values[v] = (float)random_between(seed, -1.0, 1.0);
        }
    }
    float *cells = add_field(&b, "cells", GRID_CELL);
    for (int c = 0; c < (b.n[0] - 1) * (b.n[1] - 1) * (b.n[2] - 1); c++) {
        cells[c] = (float)random_between(seed, -1.0, 1.0);
    }
    for (int n = 0; n < 12; n++) {
        /* Not on the seam, whose planes would differ. */
        b.blanked[index3(b.n, 1 + random_below(seed, b.n[0] - 2),
                         random_below(seed, b.n[1]), random_below(seed, b.n[2]))] = 1;
    }
    return b;
}

/* Compares the gradients of a box with those of each vertex computed on its own. */
static void compare_box(const block *b, const char *name, const slopes *each,
                        const int lo[3], const int n[3], int more_layers)
{
    slopes box = compute_slopes(b, name, lo, n, more_layers);
    size_t v = 0;
    for (int k = 0; k < n[2]; k++) {
        for (int j = 0; j < n[1]; j++) {
            for (int i = 0; i < n[0]; i++, v++) {
                size_t at = index3(b->n, lo[0] + i, lo[1] + j, lo[2] + k);
                if (memcmp(box.gradient[v], each->gradient[at], 3 * sizeof(float)) != 0) {
                    fail_msg("%s at %d, %d, %d: one cut gives %.9g, another %.9g", name,
                             lo[0] + i, lo[1] + j, lo[2] + k,
                             (double)each->gradient[at][0], (double)box.gradient[v][0]);
                }
            }
        }
    }
    free_slopes(&box);
}

/* The gradient of every vertex from a patch of its own. */
static slopes compute_each(const block *b, const char *name)
{
    slopes each = {NULL, calloc(count3(b->n), sizeof *each.gradient)};
    assert_non_null(each.gradient);
    static const int one[3] = {1, 1, 1};
    size_t v = 0;
    for (int k = 0; k < b->n[2]; k++) {
        for (int j = 0; j < b->n[1]; j++) {
            for (int i = 0; i < b->n[0]; i++, v++) {
                slopes s = compute_slopes(b, name, (const int[3]){i, j, k}, one, 0);
                memcpy(each.gradient[v], s.gradient[0], 3 * sizeof(float));
                free_slopes(&s);
            }
        }
    }
    return each;
}

static void a_gradient_does_not_depend_on_how_the_block_is_cut(void **state)
{
    (void)state;
    static const char *const names[] = {"velocity_x", "velocity_magnitude",
                                        "vorticity_magnitude", "cells"};
    uint64_t seed = 24;
    for (int closed = 0; closed < 2; closed++) {
        block b = create_random(&seed, closed == 1);
        for (int name = 0; name < 4; name++) {
            slopes each = compute_each(&b, names[name]);
            for (int trial = 0; trial < 12; trial++) {
                int lo[3], n[3];
                for (int axis = 0; axis < 3; axis++) {
                    int most = b.n[axis] < 17 ? b.n[axis] : 17;
                    n[axis] = 1 + random_below(&seed, most);
                    lo[axis] = random_below(&seed, b.n[axis] - n[axis] + 1);
                }
                compare_box(&b, names[name], &each, lo, n, trial % 3);
            }
            free_slopes(&each);
        }
        destroy_block(&b);
    }
}

static void the_field_has_the_same_bits_as_without_a_gradient(void **state)
{
    (void)state;
    uint64_t seed = 25;
    block b = create_random(&seed, true);
    static const int lo[3] = {6, 0, 0}, n[3] = {17, 6, 5};
    slopes s = compute_slopes(&b, "vorticity_magnitude", lo, n, 0);
    float *alone = compute_box(&b, "vorticity_magnitude", lo, n, 0);
    assert_memory_equal(s.values, alone, count3(n) * sizeof *alone);
    free(alone);
    free_slopes(&s);
    destroy_block(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_gradient_of_a_linear_field_is_exact_on_a_warped_grid),
        cmocka_unit_test(blanked_vertices_are_not_looked_at),
        cmocka_unit_test(where_there_is_no_gradient_it_is_zero),
        cmocka_unit_test(a_closed_axis_has_no_seam),
        cmocka_unit_test(cell_fields_have_the_gradient_of_their_vertex_averages),
        cmocka_unit_test(a_gradient_does_not_depend_on_how_the_block_is_cut),
        cmocka_unit_test(the_field_has_the_same_bits_as_without_a_gradient),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
