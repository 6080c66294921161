/* Fields that are defined by expressions: their values, their places, their faults. */
#include "grid/derive/derivation.h"
#include "grid/recipe.h"

#include "patches.h"
#include "support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Defines the field `mine` by a text, for recipes from now on. */
static void define(const char *text)
{
    static grid_definition definition;
    definition = (grid_definition){"mine", (char *)(uintptr_t)text};
    define_fields(1, &definition);
}

/* ---- Numbers ----------------------------------------------------------------------- */

/* A block with fields a, b and c at vertices. */
static block create_abc(void)
{
    block b = create_block(5, 4, 3);
    uint64_t seed = 3;
    place_jittered(&b, &seed);
    for (int f = 0; f < 3; f++) {
        float *values = add_field(&b, (const char *[]){"a", "b", "c"}[f], GRID_VERTEX);
        for (size_t v = 0; v < count3(b.n); v++) {
            values[v] = 0.25f * (float)(1 + random_below(&seed, 40));
        }
    }
    return b;
}

typedef double formula(double a, double b, double c);

/* Expects the text to be the formula, at each vertex. */
static void expect_formula(const char *text, formula *expected)
{
    block b = create_abc();
    define(text);
    float *values = compute(&b, "mine");
    for (size_t v = 0; v < count3(b.n); v++) {
        const double x = (double)b.values[0][v], y = (double)b.values[1][v];
        const double z = (double)b.values[2][v], value = expected(x, y, z);
        if (isnan(value) ? !isnan(values[v])
                         : !(fabs((double)values[v] - value) <= 1e-6 * fabs(value))) {
            fail_msg("%s of %g, %g, %g: expected %g, got %g", text, x, y, z, value,
                     (double)values[v]);
        }
    }
    free(values);
    destroy_block(&b);
}

static double sums(double a, double b, double c)
{
    return a - b - c + a * b / c;
}

static double powers(double a, double b, double c)
{
    return -pow(a, 2.0) + pow(2.0, pow(b, 0.5)) * pow(c, -1.0);
}

static double choices(double a, double b, double c)
{
    return a > b && !(c >= 5.0) ? fmin(a, c) : fmax(b, c) + (a < 3.0 || c < 3.0);
}

static double functions(double a, double b, double c)
{
    return sin(a) + log(b) * exp(-c) + atan2(a, b) + sqrt(fabs(a - c)) + floor(b);
}

static double clamped(double a, double b, double c)
{
    return fmin(fmax(a, 2.0), 4.0) + (b - 3.0 * floor(b / 3.0)) + (c > 4.0 ? 1.0 : -1.0);
}

static double lengths(double a, double b, double c)
{
    return sqrt(a * a + b * b + c * c) + a * c - b * b + a * a / (a + b);
}

static double missing(double a, double b, double c)
{
    (void)c;
    return a > b ? (double)NAN : a;
}

static void operators_bind_as_in_mathematics(void **state)
{
    (void)state;
    expect_formula("a - b - c + a * b / c", sums);
    expect_formula("-a^2 + 2 ** b^.5 * c^-1", powers);
    expect_formula("if(a > b && !(c >= 5), min(a, c), max(b, c) + (a < 3 || c < 3))",
                   choices);
    expect_formula(
        "sin(a) + log(b) * exp(-c) + atan2(a, b) + sqrt(abs(a - c)) + floor(b)",
        functions);
    expect_formula("clamp(a, 2, 4) + mod(b, 3) + sign(c - 4.0001)", clamped);
}

static void vectors_have_lengths_products_and_components(void **state)
{
    (void)state;
    expect_formula("mag([a, b, c]) + cross([a, b, 0], vec(b, c, 0)).z + "
                   "dot([a, 1, 2], [a, 0, 0]) / (a + b)",
                   lengths);
    expect_formula("mag(unit([a, b, c])) * sqrt(dot([a, b, c], [a, b, c])) + (2 * [c, a, "
                   "0]).x * a / 2 - b * b + a^2 / (a + b)",
                   lengths);
}

static void what_is_compared_with_a_missing_value_is_missing(void **state)
{
    (void)state;
    expect_formula("if(if(a > b, nan, a) > -1, a, 7)", missing);
}

/* Fills a field with random values. */
static void fill(const block *b, float *values, grid_location location, uint64_t *seed)
{
    const int less = location == GRID_CELL ? 1 : 0;
    const int n[3] = {b->n[0] - less, b->n[1] - less, b->n[2] - less};
    for (size_t v = 0; v < count3(n); v++) {
        values[v] = 0.01f * (float)random_below(seed, 300);
    }
}

/* ---- Gradients --------------------------------------------------------------------- */

static void gradients_are_those_of_derived_fields(void **state)
{
    (void)state;
    static const struct {
        const char *text, *name;
        bool has_kernel; /* of the derived field: the bits are the same */
    } pairs[] = {{"mag(curl(velocity))", "vorticity_magnitude", true},
                 {"sqrt(vorticity_x^2 + vorticity_y^2 + vorticity_z^2)",
                  "vorticity_magnitude", false},
                 {"curl(velocity).y", "vorticity_y", true},
                 {"grad(velocity_z).y - grad(velocity_y).z", "vorticity_x", true},
                 {"q([velocity_x, velocity_y, velocity_z])", "q_criterion", true},
                 {"mag(grad(velocity_x * velocity_y))",
                  "mag(grad(velocity_x * velocity_y)) * 1", false},
                 {"vorticity_magnitude + 0 * lambda2", "vorticity_magnitude", false}};
    uint64_t seed = 5;
    block b = create_block(23, 9, 21);
    place_jittered(&b, &seed);
    for (int axis = 0; axis < 3; axis++) {
        static const char *const names[] = {"velocity_x", "velocity_y", "velocity_z"};
        const grid_location location = axis == 1 ? GRID_CELL : GRID_VERTEX;
        fill(&b, add_field(&b, names[axis], location), location, &seed);
    }
    b.blanked = calloc(count3(b.n), 1);
    b.blanked[index3(b.n, 4, 4, 10)] = GRID_POINT_BLANKED;
    for (size_t n = 0; n < sizeof pairs / sizeof pairs[0]; n++) {
        define(pairs[n].text);
        float *values = compute(&b, "mine");
        define(pairs[n].name);
        float *expected = compute(&b, "mine");
        if (pairs[n].has_kernel) {
            assert_memory_equal(values, expected, count3(b.n) * sizeof *values);
        }
        for (size_t v = 0; v < count3(b.n); v++) {
            assert_int_equal(isnan(values[v]), isnan(expected[v]));
            if (!isnan(values[v])) {
                const double e = (double)expected[v];
                expect_near(values[v], e, 1e-6 * (1000.0 + fabs(e)), pairs[n].text, v);
            }
        }
        free(values);
        free(expected);
    }
    destroy_block(&b);
}

/* Eigenvalues of S^2 + Omega^2: those of a solid body are -w^2, -w^2 and 0; those of a
 * strain are the squares of its rates. */
static void lambda2_is_the_middle_eigenvalue(void **state)
{
    (void)state;
    double turning[3][3] = {{0.0, -0.75, 0.0}, {0.75, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    double strain[3][3] = {{1.0, 0.0, 0.0}, {0.0, 0.5, 0.0}, {0.0, 0.0, -1.5}};
    uint64_t seed = 6;
    for (int n = 0; n < 2; n++) {
        block b = create_block(7, 6, 5);
        place_jittered(&b, &seed);
        add_linear_velocity(&b, n == 0 ? turning : strain);
        expect_everywhere(&b, "lambda2", n == 0 ? -0.75 * 0.75 : 1.0, 1e-5);
        destroy_block(&b);
    }
}

static void a_quantity_that_is_differentiated_may_be_an_expression(void **state)
{
    (void)state;
    uint64_t seed = 7;
    block b = create_block(9, 8, 7);
    place_jittered(&b, &seed);
    float *density = add_field(&b, "density", GRID_VERTEX);
    for (size_t v = 0; v < count3(b.n); v++) {
        density[v] = expf(0.25f * b.x[0][v] - 0.5f * b.x[1][v]);
    }
    define("grad(log(density)).x + div([log(density), 2 * log(density), 0])");
    expect_everywhere(&b, "mine", 0.25 + 0.25 - 1.0, 1e-5);
    destroy_block(&b);
}

static void kernels_give_the_same_bits(void **state)
{
    (void)state;
    block b = create_abc();
    define("grad(a * b).x * sin(c) + mag(cross(grad(b), grad(c))) + a^0.3");
    grid_recipe *recipe = create_recipe(&b, "mine");
    const int lo[3] = {0, 0, 0};
    cut_patch c = cut(&b, recipe, lo, b.n, 0);
    float first[60], out[60];
    for (const derive_kernel *const *k = derive_kernels(); *k; k++) {
        derive_compute(*k, recipe, &c.patch, NULL, k == derive_kernels() ? first : out);
        if (k != derive_kernels()) {
            assert_memory_equal(first, out, sizeof out);
        }
    }
    free_patch(&c);
    grid_recipe_destroy(&recipe);
    destroy_block(&b);
}

static void a_value_does_not_depend_on_the_patch(void **state)
{
    (void)state;
    uint64_t seed = 8;
    block b = create_block(40, 21, 12);
    place_jittered(&b, &seed);
    fill(&b, add_field(&b, "p", GRID_CELL), GRID_CELL, &seed);
    define("mag(grad(p * p)) + p");
    float *whole = compute(&b, "mine");
    const int lo[3] = {7, 3, 2}, n[3] = {20, 12, 7};
    for (int more = 0; more < 3; more++) {
        float *part = compute_box(&b, "mine", lo, n, more);
        for (int v = 0; v < n[0] * n[1] * n[2]; v++) {
            const int i = lo[0] + v % n[0], j = lo[1] + v / n[0] % n[1];
            const float *at = &whole[index3(b.n, i, j, lo[2] + v / (n[0] * n[1]))];
            assert_memory_equal(&part[v], at, sizeof *at);
        }
        free(part);
    }
    free(whole);
    destroy_block(&b);
}

/* ---- Places ------------------------------------------------------------------------ */

static void expect_place(const char *text, grid_location location, int layers)
{
    block b = create_block(3, 3, 3);
    add_field(&b, "vertex", GRID_VERTEX);
    add_field(&b, "cell", GRID_CELL);
    define(text);
    grid_recipe *recipe = create_recipe(&b, "mine");
    assert_int_equal(grid_recipe_location(recipe), location);
    assert_int_equal(grid_recipe_ghost_layers(recipe), layers);
    grid_recipe_destroy(&recipe);
    destroy_block(&b);
}

static void results_live_where_their_inputs_do(void **state)
{
    (void)state;
    expect_place("cell * 2", GRID_CELL, 0);
    expect_place("cell * time", GRID_CELL, 0);
    expect_place("cell * vertex", GRID_VERTEX, 1);
    expect_place("cell * x", GRID_VERTEX, 1);
    expect_place("vertex * i", GRID_VERTEX, 0);
    expect_place("grad(vertex).x", GRID_VERTEX, 2);
    expect_place("grad(cell).x * time", GRID_VERTEX, 3);
    expect_place("grad(mag(grad(vertex))).x", GRID_VERTEX, 4);
    expect_place("div(grad(cell))", GRID_VERTEX, 5);
    expect_place("grad(div(grad(vertex))).z", GRID_VERTEX, 6);
    expect_place("cell - mean(cell)", GRID_CELL, 0);
    expect_place("mean(cell * time, 3)", GRID_CELL, 0);
    expect_place("grad(mean(vertex)).x", GRID_VERTEX, 2);
}

static void own_names_go_before_fields_and_mean_them_within(void **state)
{
    (void)state;
    block b = create_abc();
    static grid_definition two[] = {
        {(char *)(uintptr_t) "a", (char *)(uintptr_t) "a * 10"},
        {(char *)(uintptr_t) "d", (char *)(uintptr_t) "a + 1"}};
    define_fields(2, two);
    float *a = compute(&b, "a"), *d = compute(&b, "d");
    for (size_t v = 0; v < count3(b.n); v++) {
        expect_near(a[v], 10.0 * (double)b.values[0][v], 1e-6, "a", v);
        expect_near(d[v], 10.0 * (double)b.values[0][v] + 1.0, 1e-6, "d", v);
    }
    free(a);
    free(d);
    destroy_block(&b);
}

/* ---- Faults ------------------------------------------------------------------------ */

typedef struct fault {
    const char *text, *message;
} fault;

static const fault faults[] = {
    {"mag(a", "after 'mag(a': ')' is missing"},
    {"a b", "at 'b' (column 3): an operator is missing"},
    {"a +* b", "at '* b' (column 4): a field, a number or '(' is missing"},
    {"2x", "at '2x' (column 1): is no number"},
    {"atan2(a)", "at ')' (column 8): ',' is missing"},
    {"sin(a, b)", "sin takes 1 argument"},
    {"sine(a)", "there is no function sine (did you mean"},
    {"dnsity + a", "there is no field 'dnsity' (did you mean 'density'?)"},
    {"curl(velo).x", "there is no field 'velo'"},
    {"mach * 2", "mach cannot be derived without velocity_x"},
    {"grad(a)", "this is a vector"},
    {"grad([a, b, c]).x", "a number is needed, and this is a vector"},
    {"div(a)", "a vector is needed, and this is a number"},
    {"mag(grad(a) * grad(b))", "vectors are multiplied by dot() or cross()"},
    {"grad(grad(grad(grad(a).x).x).x).x", "derivatives lie too deep in each other"},
    {"mean(grad(a).x)", "mean() takes no derivatives"},
    {"mean(a - mean(a))", "mean() takes no mean() of others"},
    {"mean(a, 5, 4)", "at '5, 4)' (column 9): the first step is behind the last one"},
    {"mean(a, b)", "mean() takes numbers of steps here"},
    {"mean(a, 1, 2, 3)", "mean takes 3 arguments"},
    {"grad(a).w", "a component is .x, .y or .z"},
    {"3 + 4", "has no field"},
    {"mine + 1", "mine is defined by itself"},
    {"'a", "the quote has no end"},
    {"", "something is missing"},
    {"other(a)", "there are no other data"},
    {"previous(previous(a))", "goes back by one step only"},
    {"previous(other(a))", "previous() and other() do not stand in each other"},
};

static void faults_name_their_place(void **state)
{
    (void)state;
    block b = create_abc();
    float *density = add_field(&b, "density", GRID_VERTEX);
    density[0] = 1.0f;
    for (size_t n = 0; n < sizeof faults / sizeof faults[0]; n++) {
        grid_recipe *recipe = NULL;
        grid_definition mine = {(char *)(uintptr_t) "mine",
                                (char *)(uintptr_t)faults[n].text};
        const grid_terms terms = {1.4, 1.0, false, 1, &mine};
        base_fail_set_message("");
        assert_int_equal(grid_recipe_create("mine", b.nfields, b.fields, terms, &recipe),
                         STATUS_USAGE);
        assert_null(recipe);
        if (!strstr(base_fail_message(), faults[n].message) ||
            strncmp(base_fail_message(), "derive.mine: ", 13) != 0) {
            fail_msg("'%s': expected '%s' in the message, got: %s", faults[n].text,
                     faults[n].message, base_fail_message());
        }
    }
    base_fail_set_message("");
    destroy_block(&b);
}

/* Long and deep texts are refused, and definitions that double each other's work. */
static void what_is_too_much_is_refused(void **state)
{
    (void)state;
    char deep[400], wide[2000] = "a";
    memset(deep, '(', sizeof deep - 1);
    deep[sizeof deep - 1] = '\0';
    for (int n = 0; n < 300; n++) {
        memcpy(wide + strlen(wide), "+a*b", 5);
    }
    static char names[30][8], texts[30][24];
    grid_definition all[30];
    for (int n = 0; n < 30; n++) {
        snprintf(names[n], sizeof names[n], "d%d", n);
        snprintf(texts[n], sizeof texts[n], n < 29 ? "d%d + sin(d%d)" : "a", n + 1,
                 n + 1);
        all[n] = (grid_definition){names[n], texts[n]};
    }
    block b = create_abc();
    for (int n = 0; n < 3; n++) {
        grid_definition mine = {names[0], n == 0 ? deep : wide};
        const grid_terms terms = {1.4, 1.0, false, n < 2 ? 1 : 30, n < 2 ? &mine : all};
        grid_recipe *recipe = NULL;
        base_fail_set_message("");
        assert_int_equal(grid_recipe_create("d0", b.nfields, b.fields, terms, &recipe),
                         STATUS_USAGE);
    }
    base_fail_set_message("");
    destroy_block(&b);
}

static void differences_are_known(void **state)
{
    static const struct {
        const char *text;
        bool is;
    } all[] = {{"a - other(a)", true},
               {"previous(a) - a", true},
               {"(a - other(a)) / time", true},
               {"mean(a) - other(mean(a, 3))", true},
               {"-2 * (mag(v) - mag(other(v)))", true},
               {"(v - other(v)).x", true},
               {"mag(v - other(v))", false},
               {"a - mean(a)", true},
               {"(a - mean(a, 2, 9)) / mean(a, 2, 9)", true},
               {"other(a) - previous(a)", true},
               {"other(a) - other(b)", false},
               {"mean(a) - mean(b)", false},
               {"a - b", false},
               {"other(a)", false},
               {"a -", false}};
    (void)state;
    for (size_t n = 0; n < sizeof all / sizeof all[0]; n++) {
        grid_definition mine = {(char *)(uintptr_t) "mine",
                                (char *)(uintptr_t)all[n].text};
        const grid_terms terms = {1.4, 1.0, true, 1, &mine};
        base_fail_set_message("");
        if (grid_recipe_is_difference("mine", terms) != all[n].is) {
            fail_msg("'%s' is %s difference", all[n].text, all[n].is ? "a" : "no");
        }
        assert_string_equal(base_fail_message(), "");
    }
}

static void other_data_are_found_by_the_function(void **state)
{
    static const struct {
        const char *text;
        bool takes;
    } all[] = {{"mother - 'other'", false},
               {"a + mean(other(a))", true},
               {"other", false},
               {"other(", false}};
    (void)state;
    for (size_t n = 0; n < sizeof all / sizeof all[0]; n++) {
        grid_definition two[] = {
            {(char *)(uintptr_t) "one", (char *)(uintptr_t) "a + b"},
            {(char *)(uintptr_t) "mine", (char *)(uintptr_t)all[n].text}};
        const grid_terms terms = {1.4, 1.0, true, 2, two};
        base_fail_set_message("");
        if (grid_terms_take_other(&terms) != all[n].takes) {
            fail_msg("'%s' %s other()", all[n].text,
                     all[n].takes ? "takes" : "does not take");
        }
        assert_string_equal(base_fail_message(), "");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators_bind_as_in_mathematics),
        cmocka_unit_test(vectors_have_lengths_products_and_components),
        cmocka_unit_test(what_is_compared_with_a_missing_value_is_missing),
        cmocka_unit_test(gradients_are_those_of_derived_fields),
        cmocka_unit_test(lambda2_is_the_middle_eigenvalue),
        cmocka_unit_test(a_quantity_that_is_differentiated_may_be_an_expression),
        cmocka_unit_test(kernels_give_the_same_bits),
        cmocka_unit_test(a_value_does_not_depend_on_the_patch),
        cmocka_unit_test(results_live_where_their_inputs_do),
        cmocka_unit_test(own_names_go_before_fields_and_mean_them_within),
        cmocka_unit_test(faults_name_their_place),
        cmocka_unit_test(differences_are_known),
        cmocka_unit_test(other_data_are_found_by_the_function),
        cmocka_unit_test(what_is_too_much_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
