/* Which fields can be made from which, and the message when one cannot. */
#include "grid/recipe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

enum { MOST_FIELDS = 12 };

static const grid_terms air = {.gamma = 1.4, .gas_constant = 287.0};

/* Fields with these names, separated by spaces; "name@" lives in cells. Returns their
 * number. */
static int make_fields(const char *names, grid_field *fields)
{
    int count = 0;
    memset(fields, 0, MOST_FIELDS * sizeof *fields);
    while (*names != '\0') {
        size_t length = strcspn(names, " ");
        assert_true(count < MOST_FIELDS && length < GRID_NAME_SIZE);
        grid_field *field = &fields[count++];
        bool in_cells = names[length - 1] == '@';
        memcpy(field->name, names, in_cells ? length - 1 : length);
        field->location = in_cells ? GRID_CELL : GRID_VERTEX;
        names += length + (names[length] == ' ');
    }
    return count;
}

static grid_recipe *create(const char *name, const char *names)
{
    grid_field fields[MOST_FIELDS];
    int count = make_fields(names, fields);
    grid_recipe *recipe = NULL;
    base_fail_set_message("");
    if (grid_recipe_create(name, count, fields, air, &recipe) != STATUS_OK) {
        fail_msg("%s from %s: expected a recipe, got: %s", name, names,
                 base_fail_message());
    }
    return recipe;
}

/* Expects `name` to be made from just the fields `inputs` of those in the file. */
static void expect_inputs(const char *name, const char *file, const char *inputs)
{
    grid_field fields[MOST_FIELDS], wanted[MOST_FIELDS];
    make_fields(file, fields);
    int count = make_fields(inputs, wanted);
    grid_recipe *recipe = create(name, file);
    int found = 0;
    for (int input = 0; input < grid_recipe_input_count(recipe); input++) {
        for (int n = 0; n < count; n++) {
            found += strcmp(fields[grid_recipe_input(recipe, input)].name,
                            wanted[n].name) == 0;
        }
    }
    if (found != count || grid_recipe_input_count(recipe) != count) {
        fail_msg("%s from %s: expected the inputs %s, %d of %d inputs are such", name,
                 file, inputs, found, grid_recipe_input_count(recipe));
    }
    grid_recipe_destroy(&recipe);
    assert_null(recipe);
}

static void a_field_of_the_file_is_its_own_recipe(void **state)
{
    (void)state;
    expect_inputs("smoke", "density smoke", "smoke");
}

static void a_field_of_the_file_wins_over_a_derived_one(void **state)
{
    (void)state;
    expect_inputs("mach", "density mach pressure velocity_x velocity_y velocity_z",
                  "mach");
    expect_inputs("velocity_x", "density momentum_x velocity_x", "velocity_x");
    expect_inputs(
        "velocity_magnitude",
        "density momentum_x momentum_y momentum_z velocity_x velocity_y velocity_z",
        "velocity_x velocity_y velocity_z");
    expect_inputs("temperature",
                  "density energy momentum_x momentum_y momentum_z pressure",
                  "density pressure");
}

#define CONSERVED "density momentum_x momentum_y momentum_z energy"

static void conserved_variables_stand_in_for_velocity_and_pressure(void **state)
{
    (void)state;
    expect_inputs("velocity_y", CONSERVED, "density momentum_y");
    expect_inputs("velocity_magnitude", CONSERVED,
                  "density momentum_x momentum_y momentum_z");
    expect_inputs("vorticity_magnitude", CONSERVED,
                  "density momentum_x momentum_y momentum_z");
    expect_inputs("pressure", CONSERVED, CONSERVED);
    expect_inputs("temperature", CONSERVED, CONSERVED);
    expect_inputs("mach", CONSERVED, CONSERVED);
    expect_inputs("density_gradient_magnitude", CONSERVED, "density");
    expect_inputs("pressure", "density energy velocity_x velocity_y velocity_z",
                  "density energy velocity_x velocity_y velocity_z");
}

static void a_component_of_vorticity_needs_two_of_velocity(void **state)
{
    (void)state;
    expect_inputs("vorticity_z", "velocity_x velocity_y", "velocity_x velocity_y");
    expect_inputs("vorticity_x", "velocity_y velocity_z", "velocity_y velocity_z");
    expect_inputs("vorticity_y", "velocity_x velocity_z", "velocity_x velocity_z");
}

/* Expects where a result lives and how many layers around it are needed. */
static void expect_place(const char *name, const char *file, grid_location location,
                         int layers)
{
    grid_recipe *recipe = create(name, file);
    if (grid_recipe_location(recipe) != location ||
        grid_recipe_ghost_layers(recipe) != layers) {
        fail_msg("%s from %s: expected location %d and %d layers, got %d and %d", name,
                 file, (int)location, layers, (int)grid_recipe_location(recipe),
                 grid_recipe_ghost_layers(recipe));
    }
    grid_recipe_destroy(&recipe);
}

static void results_live_where_their_inputs_do_and_gradients_at_vertices(void **state)
{
    (void)state;
    expect_place("smoke", "smoke", GRID_VERTEX, 0);
    expect_place("smoke", "smoke@", GRID_CELL, 0);
    expect_place("velocity_x", "density momentum_x", GRID_VERTEX, 0);
    expect_place("velocity_x", "density@ momentum_x@", GRID_CELL, 0);
    expect_place("velocity_x", "density@ momentum_x", GRID_VERTEX, 1);
    expect_place("density_gradient_magnitude", "density", GRID_VERTEX, 2);
    expect_place("density_gradient_magnitude", "density@", GRID_VERTEX, 3);
    expect_place("q_criterion", "velocity_x velocity_y@ velocity_z", GRID_VERTEX, 3);
}

/* Expects `name` not to be derivable, and all pieces ([npieces]) to be in the message. */
static void expect_failure(const char *name, const char *file, int npieces,
                           const char *const *pieces)
{
    grid_field fields[MOST_FIELDS];
    int count = make_fields(file, fields);
    grid_recipe *recipe = NULL;
    base_fail_set_message("");
    assert_int_equal(grid_recipe_create(name, count, fields, air, &recipe), STATUS_INPUT);
    assert_null(recipe);
    for (int n = 0; n < npieces; n++) {
        if (strstr(base_fail_message(), pieces[n]) == NULL) {
            fail_msg("expected '%s' in the message, got: %s", pieces[n],
                     base_fail_message());
        }
    }
    base_fail_set_message("");
}

static void an_unknown_name_lists_what_there_is(void **state)
{
    (void)state;
    static const char *const pieces[] = {
        "there is no field 'soot'", "the data has: density, velocity_x",
        "fields that can be derived: density_gradient_magnitude"};
    expect_failure("soot", "density velocity_x", 3, pieces);
    static const char *const nothing[] = {
        "the data has: no fields",
        "fields that can be derived: cell_volume, cell_skewness, cell_aspect_ratio"};
    expect_failure("soot", "", 2, nothing);
}

static void a_name_that_is_nearly_right_is_suggested(void **state)
{
    (void)state;
    static const char *const derived[] = {"did you mean 'vorticity_magnitude'?"};
    expect_failure("vorticty_magnitude", "density", 1, derived);
    expect_failure("vorticity_mag", "density", 1, derived);
    static const char *const in_file[] = {
        "there is no field 'smoky' (did you mean 'smoke'?); the data has: smoke"};
    expect_failure("smoky", "smoke", 1, in_file);
}

static void a_name_that_is_far_off_is_not_guessed_at(void **state)
{
    (void)state;
    grid_field field;
    grid_recipe *recipe = NULL;
    memset(&field, 0, sizeof field);
    memcpy(field.name, "smoke", sizeof "smoke");
    base_fail_set_message("");
    assert_int_equal(grid_recipe_create("entropy", 1, &field, air, &recipe),
                     STATUS_INPUT);
    assert_null(strstr(base_fail_message(), "did you mean"));
    base_fail_set_message("");
}

static void a_field_that_others_come_from_is_not_taken_for_these(void **state)
{
    (void)state;
    static const char *const pieces[] = {
        "there is no field 'density'; the data has: pressure;"};
    expect_failure("density", "pressure", 1, pieces);
}

static void a_known_name_says_what_is_missing_for_it(void **state)
{
    (void)state;
    static const char *const velocity[] = {
        "the data has no field vorticity_magnitude,",
        "without velocity_z (or density and momentum_z);"};
    expect_failure("vorticity_magnitude", "velocity_x velocity_y", 2, velocity);
    static const char *const density[] = {"without density;", "the data has: pressure"};
    expect_failure("temperature", "pressure", 2, density);
    static const char *const pressure[] = {
        "without pressure (or density, momentum_x, momentum_y, momentum_z and "
        "energy);"};
    expect_failure("pressure", "density momentum_x momentum_y momentum_z", 1, pressure);
}

static void nothing_is_listed_as_missing_twice(void **state)
{
    (void)state;
    static const char *const pieces[] = {
        "without velocity_x (or density and momentum_x), velocity_y (or density and "
        "momentum_y), velocity_z (or density and momentum_z);"};
    expect_failure("mach", "density energy", 1, pieces);
    static const char *const density[] = {"momentum_z), pressure (or density, "};
    expect_failure("mach", "smoke", 1, density);
}

static void a_message_with_very_many_fields_is_cut_off_safely(void **state)
{
    (void)state;
    static grid_field fields[500];
    for (int n = 0; n < 500; n++) {
        snprintf(fields[n].name, sizeof fields[n].name, "a_rather_long_field_name_%d", n);
    }
    grid_recipe *recipe = NULL;
    base_fail_set_message("");
    assert_int_equal(grid_recipe_create("soot", 500, fields, air, &recipe), STATUS_INPUT);
    assert_non_null(strstr(base_fail_message(),
                           "_13, …; fields that can be derived: cell_volume, "
                           "cell_skewness, cell_aspect_ratio"));
    base_fail_set_message("");
}

static void all_names_that_can_be_derived_are_listed(void **state)
{
    (void)state;
    grid_field fields[MOST_FIELDS];
    int count = make_fields(CONSERVED, fields);
    int listed = 0;
    const char *name;
    for (; (name = grid_recipe_derivable(count, fields, listed)) != NULL; listed++) {
        grid_recipe *recipe = create(name, CONSERVED);
        grid_recipe_destroy(&recipe);
    }
    assert_int_equal(listed, 14 + 3);
    count = make_fields(CONSERVED " pressure mach", fields);
    assert_null(grid_recipe_derivable(count, fields, 12 + 3));
    assert_non_null(grid_recipe_derivable(count, fields, 11 + 3));
    count = make_fields("smoke cell_skewness", fields);
    assert_string_equal(grid_recipe_derivable(count, fields, 0), "cell_volume");
    assert_string_equal(grid_recipe_derivable(count, fields, 1), "cell_aspect_ratio");
    assert_null(grid_recipe_derivable(count, fields, 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_field_of_the_file_is_its_own_recipe),
        cmocka_unit_test(a_field_of_the_file_wins_over_a_derived_one),
        cmocka_unit_test(conserved_variables_stand_in_for_velocity_and_pressure),
        cmocka_unit_test(a_component_of_vorticity_needs_two_of_velocity),
        cmocka_unit_test(results_live_where_their_inputs_do_and_gradients_at_vertices),
        cmocka_unit_test(an_unknown_name_lists_what_there_is),
        cmocka_unit_test(a_name_that_is_nearly_right_is_suggested),
        cmocka_unit_test(a_name_that_is_far_off_is_not_guessed_at),
        cmocka_unit_test(a_field_that_others_come_from_is_not_taken_for_these),
        cmocka_unit_test(a_known_name_says_what_is_missing_for_it),
        cmocka_unit_test(nothing_is_listed_as_missing_twice),
        cmocka_unit_test(a_message_with_very_many_fields_is_cut_off_safely),
        cmocka_unit_test(all_names_that_can_be_derived_are_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
