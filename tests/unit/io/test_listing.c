/* Guesses at the meaning of the data sets of a file. */
#include "io/sources/listing/guess.h"
#include "io/sources/listing/section.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A data set of floats: axes as HDF5 has them; 0 ends them. */
typedef struct made {
    const char *path;
    int64_t n[5];
} made;

enum { NONE = -1 };

static io_listing *listing_of(const made *sets)
{
    io_listing *listing = NULL;
    assert_int_equal(io_listing_create("a.h5", &listing), STATUS_OK);
    for (int set = 0; sets[set].path; set++) {
        io_object *object;
        assert_int_equal(io_listing_add(listing, IO_OBJECT_DATASET, sets[set].path,
                                        "float32", &object),
                         STATUS_OK);
        object->is_number = true;
        while (object->rank < 5 && sets[set].n[object->rank] > 0) {
            object->n[object->rank] = sets[set].n[object->rank];
            object->rank++;
        }
    }
    io_listing_sort(listing);
    return listing;
}

static io_guess *guess_of(const made *sets)
{
    io_listing *listing = listing_of(sets);
    io_guess *guess = NULL;
    assert_int_equal(io_guess_create(listing, &guess), STATUS_OK);
    io_listing_destroy(&listing);
    return guess;
}

/* Path of the field of this name, or "". */
static const char *path_of(const io_guess *guess, const char *name)
{
    for (int n = 0; n < guess->nfields; n++) {
        if (strcmp(guess->fields[n].name, name) == 0) {
            return guess->fields[n].path;
        }
    }
    return "";
}

static void coordinates_are_told_by_shape_and_name(void **state)
{
    static const char *const spellings[][3] = {
        {"/x", "/y", "/z"},
        {"/g/X", "/g/Y", "/g/Z"},
        {"/CoordinateX", "/CoordinateY", "/CoordinateZ"},
        {"/x_grid", "/y_grid", "/z_grid"},
        {"/grid/node_x", "/grid/node_y", "/grid/node_z"},
        {"/coords/xc", "/coords/yc", "/coords/zc"},
        {"/Zone/X/data", "/Zone/Y/data", "/Zone/Z/data"}};
    (void)state;
    for (size_t n = 0; n < sizeof spellings / sizeof spellings[0]; n++) {
        const made sets[] = {{spellings[n][0], {3, 4, 5}},
                             {spellings[n][1], {3, 4, 5}},
                             {spellings[n][2], {3, 4, 5}},
                             {0}};
        io_guess *guess = guess_of(sets);
        assert_int_equal(guess->ngrids, 1);
        for (int axis = 0; axis < 3; axis++) {
            assert_string_equal(guess->grids[0].paths[axis], spellings[n][axis]);
            assert_int_equal(guess->grids[0].n[axis], 5 - axis);
        }
        io_guess_destroy(&guess);
    }
}

static void arrays_that_differ_are_no_coordinates(void **state)
{
    static const made cases[][5] = {
        {{"/x", {3, 4, 5}}, {"/y", {3, 4, 5}}, {0}},
        {{"/x", {3, 4, 5}}, {"/y", {3, 4, 5}}, {"/z", {3, 4, 4}}, {0}},
        {{"/a/x", {3, 4, 5}}, {"/b/y", {3, 4, 5}}, {"/c/z", {3, 4, 5}}, {0}},
        {{"/x", {3, 4, 5}}, {"/yc", {3, 4, 5}}, {"/zc", {3, 4, 5}}, {0}},
        {{"/u", {3, 4, 5}}, {"/v", {3, 4, 5}}, {"/w", {3, 4, 5}}, {0}},
        {{"/x", {1, 1, 5}}, {"/y", {1, 1, 5}}, {"/z", {1, 1, 5}}, {0}},
        {{"/x", {5}}, {"/y", {4}}, {"/z", {3, 4, 6}}, {"/p", {3, 4, 5}}, {0}}};
    (void)state;
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        io_guess *guess = guess_of(cases[n]);
        assert_int_equal(guess->ngrids, 0);
        assert_int_equal(guess->chosen, NONE);
        assert_true(strlen(guess->reason) > 20);
        io_guess_destroy(&guess);
    }
}

#define GRID                                                                             \
    {"/x", {3, 4, 5}}, {"/y", {3, 4, 5}},                                                \
    {                                                                                    \
        "/z",                                                                            \
        {                                                                                \
            3, 4, 5                                                                      \
        }                                                                                \
    }

static void fields_get_the_names_that_recipes_know(void **state)
{
    static const struct {
        const char *path, *name;
    } cases[] = {{"/rho", "density"},
                 {"/Density", "density"},
                 {"/P", "pressure"},
                 {"/u", "velocity_x"},
                 {"/VelocityY", "velocity_y"},
                 {"/vel_z", "velocity_z"},
                 {"/MomentumX", "momentum_x"},
                 {"/rhov", "momentum_y"},
                 {"/EnergyStagnationDensity", "energy"},
                 {"/e", "e"},
                 {"/Temp", "temperature"},
                 {"/wall distance", "wall_distance"},
                 {"/VorticityZ", "vorticity_z"},
                 {"/Y_O2", "Y_O2"},
                 {"/values", "values"},
                 {"/mach/values", "mach"},
                 {"/%", ""}};
    (void)state;
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        const made sets[] = {GRID, {cases[n].path, {3, 4, 5}}, {0}};
        io_guess *guess = guess_of(sets);
        assert_int_equal(guess->nfields, cases[n].name[0] != '\0');
        if (guess->nfields > 0) {
            assert_string_equal(guess->fields[0].name, cases[n].name);
            assert_string_equal(guess->fields[0].path, cases[n].path);
        }
        io_guess_destroy(&guess);
    }
}

static void components_become_fields(void **state)
{
    static const made sets[] = {GRID,
                                {"/Velocity", {3, 4, 5, 3}},
                                {"/q", {2, 3, 4, 5}},
                                {"/Y", {3, 4, 5, 2}},
                                {"/many", {3, 4, 5, 40}},
                                {0}};
    (void)state;
    io_guess *guess = guess_of(sets);
    assert_int_equal(guess->nfields, 3 + 5 + 2);
    assert_string_equal(path_of(guess, "velocity_z"), "/Velocity[2]");
    assert_string_equal(path_of(guess, "energy"), "/q[4]");
    assert_string_equal(path_of(guess, "Y_1"), "/Y[1]");
    io_guess_destroy(&guess);
}

static void digits_number_steps(void **state)
{
    static const struct {
        made sets[8];
        const char *name, *path;
        int nsteps;
    } cases[] = {
        {{GRID, {"/flow/0010/p", {3, 4, 5}}, {"/flow/0200/p", {3, 4, 5}}, {0}},
         "pressure",
         "/flow/%04d/p",
         2},
        {{GRID, {"/t9/p", {3, 4, 5}}, {"/t10/p", {3, 4, 5}}, {0}},
         "pressure",
         "/t%d/p",
         2},
        {{GRID, {"/flow/7/p", {3, 4, 5}}, {0}}, "pressure", "/flow/%d/p", 1},
        {{GRID, {"/step007/p", {3, 4, 5}}, {0}}, "pressure", "/step%03d/p", 1},
        {{GRID, {"/step1/frame2/p", {3, 4, 5}}, {0}}, "pressure", "/step1/frame%d/p", 1},
        {{GRID, {"/p_0100", {3, 4, 5}}, {"/p_0200", {3, 4, 5}}, {0}},
         "pressure",
         "/p_%04d",
         2},
        {{GRID, {"/p/0", {3, 4, 5}}, {"/p/1", {3, 4, 5}}, {0}}, "pressure", "/p/%d", 2},
        {{GRID, {"/run2/s001/p", {3, 4, 5}}, {"/run2/s002/p", {3, 4, 5}}, {0}},
         "pressure",
         "/run2/s%03d/p",
         2},
        /* Species, and a group that has a number in its name. */
        {{GRID, {"/Y1", {3, 4, 5}}, {"/Y2", {3, 4, 5}}, {0}}, "Y1", "/Y1", 0},
        {{GRID, {"/part2/p", {3, 4, 5}}, {0}}, "pressure", "/part2/p", 0},
    };
    (void)state;
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        io_guess *guess = guess_of(cases[n].sets);
        assert_string_equal(path_of(guess, cases[n].name), cases[n].path);
        assert_int_equal(guess->fields[0].nsteps, cases[n].nsteps);
        io_guess_destroy(&guess);
    }
}

static void the_largest_block_is_chosen_with_its_fields(void **state)
{
    static const made sets[] = {{"/grid/1/x", {3, 4, 5}},
                                {"/grid/1/y", {3, 4, 5}},
                                {"/grid/1/z", {3, 4, 5}},
                                {"/grid/2/x", {3, 4, 6}},
                                {"/grid/2/y", {3, 4, 6}},
                                {"/grid/2/z", {3, 4, 6}},
                                {"/grid/2/iblank", {3, 4, 6}},
                                {"/flow/05/1/p", {3, 4, 5}},
                                {"/flow/05/2/p", {3, 4, 6}},
                                {"/flow/05/2/T", {2, 3, 5}},
                                {0}};
    (void)state;
    io_guess *guess = guess_of(sets);
    assert_int_equal(guess->ngrids, 2);
    assert_string_equal(guess->grids[guess->chosen].paths[0], "/grid/2/x");
    assert_string_equal(guess->grids[guess->chosen].iblank, "/grid/2/iblank");
    assert_int_equal(guess->nfields, 2);
    assert_string_equal(path_of(guess, "pressure"), "/flow/%02d/2/p");
    assert_string_equal(path_of(guess, "temperature"), "/flow/%02d/2/T");
    io_guess_destroy(&guess);
}

/* Blocks of one shape: a field belongs to the block whose group it shares. */
static void fields_of_equal_blocks_stay_apart(void **state)
{
    static const made sets[] = {
        {"/a/x", {3, 4, 5}}, {"/a/y", {3, 4, 5}}, {"/a/z", {3, 4, 5}},
        {"/a/p", {3, 4, 5}}, {"/b/x", {3, 4, 5}}, {"/b/y", {3, 4, 5}},
        {"/b/z", {3, 4, 5}}, {"/b/T", {3, 4, 5}}, {0}};
    (void)state;
    io_guess *guess = guess_of(sets);
    assert_int_equal(guess->ngrids, 2);
    assert_int_equal(guess->chosen, 0);
    assert_int_equal(guess->nfields, 1);
    assert_string_equal(guess->fields[0].path, "/a/p");
    io_guess_destroy(&guess);
}

static void twins_get_names_of_their_own(void **state)
{
    static const made sets[] = {GRID,
                                {"/flow/0010/p", {3, 4, 5}},
                                {"/mean/p", {3, 4, 5}},
                                {"/mean/P", {3, 4, 5}},
                                {0}};
    (void)state;
    io_guess *guess = guess_of(sets);
    assert_string_equal(path_of(guess, "pressure"), "/flow/%04d/p");
    assert_string_equal(path_of(guess, "mean_pressure"), "/mean/P");
    assert_string_equal(path_of(guess, "mean_pressure_2"), "/mean/p");
    io_guess_destroy(&guess);
}

static void fields_beyond_the_most_are_left_out(void **state)
{
    enum { MANY = IO_GUESS_MOST_FIELDS + 10 };
    static char paths[MANY][16];
    made sets[MANY + 4] = {GRID};
    (void)state;
    for (int n = 0; n < MANY; n++) {
        snprintf(paths[n], sizeof paths[n], "/s%c%c", 'a' + n / 26, 'a' + n % 26);
        sets[3 + n] = (made){paths[n], {3, 4, 5}};
    }
    io_guess *guess = guess_of(sets);
    assert_int_equal(guess->nfields, IO_GUESS_MOST_FIELDS);
    assert_true(guess->is_cut);
    io_guess_destroy(&guess);
}

static void sections_are_quoted_where_yaml_needs_it(void **state)
{
    static const made sets[] = {
        GRID, {"/it's/Velocity", {3, 4, 5, 3}}, {"/flow/0010/rho", {3, 4, 5}}, {0}};
    (void)state;
    io_guess *guess = guess_of(sets);
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    io_section_write(out, "a file.h5", guess);
    fclose(out);
    assert_string_equal(text, "data:\n"
                              "  file: 'a file.h5'\n"
                              "  grid:\n"
                              "    x: /x\n"
                              "    y: /y\n"
                              "    z: /z\n"
                              "  fields:\n"
                              "    density:    /flow/%04d/rho\n"
                              "    velocity_x: '/it''s/Velocity[0]'\n"
                              "    velocity_y: '/it''s/Velocity[1]'\n"
                              "    velocity_z: '/it''s/Velocity[2]'\n");
    free(text);
    io_guess_destroy(&guess);
}

static void long_series_are_folded(void **state)
{
    static const made sets[] = {{"/t9/p", {3, 4, 5}},
                                {"/t10/p", {3, 4, 5}},
                                {"/t11/p", {3, 4, 5}},
                                {"/t12/p", {3, 4, 5}},
                                {"/t12/q", {3, 4, 5}},
                                {"/t9/q", {3, 4, 5}},
                                {0}};
    (void)state;
    io_listing *listing = listing_of(sets);
    assert_int_equal(io_listing_fold(listing), STATUS_OK);
    assert_string_equal(listing->objects[0].path, "/t9/p");
    assert_int_equal(listing->objects[0].alike, 3);
    assert_string_equal(listing->objects[listing->objects[0].last_alike].path, "/t12/p");
    int shown = 0;
    for (int n = 0; n < listing->nobjects; n++) {
        shown += !listing->objects[n].is_folded;
    }
    assert_int_equal(shown, 3);
    io_listing_destroy(&listing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coordinates_are_told_by_shape_and_name),
        cmocka_unit_test(arrays_that_differ_are_no_coordinates),
        cmocka_unit_test(fields_get_the_names_that_recipes_know),
        cmocka_unit_test(components_become_fields),
        cmocka_unit_test(digits_number_steps),
        cmocka_unit_test(the_largest_block_is_chosen_with_its_fields),
        cmocka_unit_test(fields_of_equal_blocks_stay_apart),
        cmocka_unit_test(twins_get_names_of_their_own),
        cmocka_unit_test(fields_beyond_the_most_are_left_out),
        cmocka_unit_test(sections_are_quoted_where_yaml_needs_it),
        cmocka_unit_test(long_series_are_folded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
