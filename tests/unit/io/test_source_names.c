/* Paths of the config: taken apart, matched and put together again. */
#include "io/sources/hdf5/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

typedef struct pattern_case {
    const char *text;
    const char *step_name;
    const char *path;      /* put together at that step */
    const char *step_path; /* up to the name with the step */
    int component;
} pattern_case;

static const pattern_case patterns[] = {
    {"/grid/x", "", "/grid/x", "", -1},
    {"grid/x", "", "/grid/x", "", -1},
    {"/mesh/xyz[2]", "", "/mesh/xyz", "", 2},
    {"/flow/%d/p", "7", "/flow/7/p", "/flow/7", -1},
    {"/flow/%04d/v[0]", "0007", "/flow/0007/v", "/flow/0007", 0},
    {"/flow/s%d.dat/p", "12", "/flow/s12.dat/p", "/flow/s12.dat", -1},
    {"/p%d", "3", "/p3", "/p3", -1},
    {"/a/b/p_%02d", "03", "/a/b/p_03", "/a/b/p_03", -1},
    {"/odd]name", "", "/odd]name", "", -1},
    {"/odd[x]", "", "/odd[x]", "", -1},
};

static void paths_are_put_together_again(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof patterns / sizeof patterns[0]; n++) {
        const pattern_case *c = &patterns[n];
        io_pattern pattern;
        char path[IO_PATH_SIZE];
        assert_int_equal(io_pattern_parse("data.fields.p", c->text, &pattern), STATUS_OK);
        assert_int_equal(pattern.axes.component, c->component);
        assert_int_equal(pattern.has_step, c->step_name[0] != '\0');
        io_pattern_expand(&pattern, c->step_name, path);
        assert_string_equal(path, c->path);
        if (pattern.has_step) {
            io_pattern_expand_step(&pattern, c->step_name, path);
            assert_string_equal(path, c->step_path);
        }
    }
}

static void paths_that_cannot_be_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"",
                                      "/flow/%s/%s",
                                      "/flow/%d/%d",
                                      "/flow/%3d/p",
                                      "/flow/%0d/p",
                                      "/flow/%099d/p",
                                      "/100%",
                                      "/flow/%ld"};
    for (size_t n = 0; n < sizeof bad / sizeof bad[0]; n++) {
        io_pattern pattern;
        base_fail_set_message("");
        assert_int_equal(io_pattern_parse("data.fields.p", bad[n], &pattern),
                         STATUS_USAGE);
        assert_non_null(strstr(base_fail_message(), "data.fields.p"));
    }
    base_fail_set_message("");
}

static void paths_as_long_as_a_buffer_are_refused(void **state)
{
    (void)state;
    char text[IO_PATH_SIZE + 8];
    io_pattern pattern;
    char path[IO_PATH_SIZE];
    for (size_t length = 1; length < sizeof text; length++) {
        memset(text, 'a', length);
        text[length] = '\0';
        if (length > 3) {
            memcpy(text + length / 2, "%d", 2);
        }
        base_fail_set_message("");
        if (io_pattern_parse("data.grid.x", text, &pattern) == STATUS_OK) {
            io_pattern_expand(&pattern, "0123456789012345678901234567890", path);
            assert_in_range(strlen(path), length, IO_PATH_SIZE - 1);
        } else {
            assert_true(length + IO_STEP_NAME_SIZE + 1 >= IO_PATH_SIZE);
        }
    }
    base_fail_set_message("");
}

typedef struct axes_case {
    const char *text;
    size_t length; /* bytes before the brackets; 0: the brackets mean nothing */
    int component, nlead, lead, ntrail, trail;
} axes_case;

static const axes_case axes_cases[] = {
    {"/v", 2, -1, 0, 0, 0, 0},
    {"/v[2]", 2, 2, 0, 0, 0, 0},
    {"/v[2,:]", 2, -1, 1, 2, 0, 0},
    {"/v[2, ...]", 2, -1, 1, 2, 0, 0},
    {"/v[:,2]", 2, -1, 0, 0, 1, 2},
    {"/v[:,:,:,2]", 2, -1, 0, 0, 1, 2},
    {"/u[step]", 2, -1, 1, IO_AXIS_STEP, 0, 0},
    {"/u[:,step]", 2, -1, 0, 0, 1, IO_AXIS_STEP},
    {"/u[step][3]", 2, 3, 1, IO_AXIS_STEP, 0, 0},
    {"/u[step,3]", 2, 3, 1, IO_AXIS_STEP, 0, 0},
    {"/u[step,3,:]", 2, -1, 2, IO_AXIS_STEP, 0, 0},
    {"/u[]", 0, 0, 0, 0, 0, 0},
    {"/u[x]", 0, 0, 0, 0, 0, 0},
    {"/u]", 0, 0, 0, 0, 0, 0},
    {"/u[-1]", 0, 0, 0, 0, 0, 0},
    {"/u[1][2]", 0, 0, 0, 0, 0, 0},
    {"/u[step][step]", 0, 0, 0, 0, 0, 0},
    {"/u[:,1,:]", 0, 0, 0, 0, 0, 0},
    {"/u[1234567]", 0, 0, 0, 0, 0, 0},
    {"/u[0,1,2,3,:]", 0, 0, 0, 0, 0, 0},
};

static void brackets_name_the_axes_beside_those_of_the_grid(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof axes_cases / sizeof axes_cases[0]; n++) {
        const axes_case *c = &axes_cases[n];
        size_t length = 0;
        io_axes axes;
        const bool works = io_axes_parse(c->text, &length, &axes);
        if (works != (c->length > 0) ||
            (works && (length != c->length || axes.component != c->component ||
                       axes.nlead != c->nlead || axes.ntrail != c->ntrail ||
                       (c->nlead > 0 && axes.lead[0] != c->lead) ||
                       (c->ntrail > 0 && axes.trail[0] != c->trail)))) {
            fail_msg("%s: %s, component %d, %d before, %d behind", c->text,
                     works ? "taken" : "refused", axes.component, axes.nlead,
                     axes.ntrail);
        }
    }
}

static void names_of_blocks_are_found(void **state)
{
    (void)state;
    io_pattern pattern, one;
    io_block_place place;
    char block[GRID_NAME_SIZE], path[IO_PATH_SIZE];
    assert_int_equal(io_pattern_parse("data.grid.x", "/g/zone%s_a/xyz[1]", &pattern),
                     STATUS_OK);
    io_pattern_find_blocks(&pattern, &place);
    assert_string_equal(place.group, "/g");
    assert_string_equal(place.rest, "/xyz");
    assert_true(io_block_place_match(&place, "zone12_a", block));
    assert_string_equal(block, "12");
    assert_false(io_block_place_match(&place, "zone_a", block));
    assert_false(io_block_place_match(&place, "zone12_b", block));
    assert_int_equal(io_pattern_parse("data.fields.p", "/t%d/%s/p", &pattern), STATUS_OK);
    io_pattern_in_block(&pattern, "inlet", &one);
    io_pattern_expand(&one, "7", path);
    assert_string_equal(path, "/t7/inlet/p");
}

typedef struct match_case {
    const char *text, *name;
    bool matches;
    int64_t number;
} match_case;

static const match_case matches[] = {
    {"/flow/%d/p", "0", true, 0},
    {"/flow/%d/p", "0042", true, 42},
    {"/flow/%d/p", "42x", false, 0},
    {"/flow/%d/p", "x42", false, 0},
    {"/flow/%d/p", "", false, 0},
    {"/flow/%d/p", "-3", false, 0},
    {"/flow/%d/p", "999999999999999999", true, 999999999999999999},
    {"/flow/%d/p", "9999999999999999999", false, 0},
    {"/flow/%d/p", "0000000000000000000007", true, 7},
    {"/flow/%04d/p", "0042", true, 42},
    {"/flow/%04d/p", "12345", true, 12345},
    {"/flow/%04d/p", "42", false, 0},
    {"/flow/s%d.dat/p", "s42.dat", true, 42},
    {"/flow/s%d.dat/p", "s42.dot", false, 0},
    {"/flow/s%d.dat/p", "s42", false, 0},
    {"/p%d", "p10", true, 10},
    {"/grid/x", "x", false, 0},
};

static void names_of_steps_are_found(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof matches / sizeof matches[0]; n++) {
        const match_case *c = &matches[n];
        io_pattern pattern;
        io_named_step step;
        assert_int_equal(io_pattern_parse("data.fields.p", c->text, &pattern), STATUS_OK);
        bool found = io_pattern_match(&pattern, c->name, &step);
        if (found != c->matches) {
            fail_msg("%s against %s: expected %d, got %d", c->name, c->text, c->matches,
                     found);
        }
        if (found) {
            assert_int_equal(step.step.number, c->number);
        }
    }
}

static void steps_come_out_in_order_and_once(void **state)
{
    (void)state;
    static const char *const names[] = {"0010", "0002", "0100", "0002"};
    io_named_step steps[4];
    io_catalog catalog = {0};
    for (int n = 0; n < 4; n++) {
        assert_true(io_step_name_parse(names[n], &steps[n]));
    }
    assert_int_equal(io_catalog_set_steps(&catalog, "a.h5", 4, steps), STATUS_OK);
    assert_int_equal(catalog.nsteps, 3);
    assert_int_equal(catalog.steps[0].number, 2);
    assert_int_equal(catalog.steps[1].number, 10);
    assert_int_equal(catalog.steps[2].number, 100);
    assert_string_equal(catalog.step_names[1], "0010");
    io_catalog_clear(&catalog);
}

static void a_step_with_two_names_is_refused(void **state)
{
    (void)state;
    io_named_step steps[2];
    io_catalog catalog = {0};
    assert_true(io_step_name_parse("7", &steps[0]));
    assert_true(io_step_name_parse("07", &steps[1]));
    base_fail_set_message("");
    assert_int_equal(io_catalog_set_steps(&catalog, "a.h5", 2, steps), STATUS_INPUT);
    assert_non_null(strstr(base_fail_message(), "'07'"));
    assert_non_null(strstr(base_fail_message(), "a.h5"));
    base_fail_set_message("");
    io_catalog_clear(&catalog);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_are_put_together_again),
        cmocka_unit_test(paths_that_cannot_be_are_refused),
        cmocka_unit_test(paths_as_long_as_a_buffer_are_refused),
        cmocka_unit_test(names_of_steps_are_found),
        cmocka_unit_test(brackets_name_the_axes_beside_those_of_the_grid),
        cmocka_unit_test(names_of_blocks_are_found),
        cmocka_unit_test(steps_come_out_in_order_and_once),
        cmocka_unit_test(a_step_with_two_names_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
