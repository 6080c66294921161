/* XDMF files: well-formed, and they name every array with its extents. */
#include "io/xdmf.h"
#include "support/file.h"
#include "support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const grid_block blocks[] = {{.name = "inner", .n = {5, 4, 3}},
                                    {.name = "a<b & \"c\"", .n = {7, 2, 9}}};
static const grid_field fields[] = {{.name = "density", .location = GRID_VERTEX},
                                    {.name = "energy", .location = GRID_CELL}};
static const char *const step_names[] = {"0000", "0001", "0002"};
static const double times[] = {0.0, 0.1, 1e9};

static const io_xdmf_grid grid = {
    .nblocks = 2,
    .blocks = blocks,
    .nfields = 2,
    .fields = fields,
    .nsteps = 3,
    .step_names = step_names,
    .times = times,
};

/* The text of the XDMF file that belongs to an HDF5 file of this name. */
static char *write_and_read(const char *h5_name, const char *xdmf_name,
                            const io_xdmf_grid *what)
{
    size_t size;
    assert_int_equal(io_xdmf_write(scratch_path(h5_name), what), STATUS_OK);
    return (char *)test_file_read(scratch_path(xdmf_name), &size);
}

static int count(const char *text, const char *part)
{
    int found = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part)) {
        found++;
    }
    return found;
}

static void expect_count(const char *text, const char *part, int expected)
{
    if (count(text, part) != expected) {
        fail_msg("expected '%s' %d times, found it %d times", part, expected,
                 count(text, part));
    }
}

/* The text with the five escapes taken out: any & that is left is a fault. */
static void expect_escapes(const char *text)
{
    int escapes = count(text, "&amp;") + count(text, "&lt;") + count(text, "&gt;") +
                  count(text, "&quot;");
    expect_count(text, "&", escapes);
}

/* Follows one tag: an opening one goes on the stack, a closing one must match its top. */
static const char *follow_tag(const char *at, char stack[16][32], int *depth)
{
    const char *end = strchr(at, '>');
    assert_non_null(end);
    size_t name = strcspn(at + 1, " />\n");
    if (at[1] == '/') {
        assert_true(*depth > 0);
        (*depth)--;
        name = (size_t)(end - at - 2);
        assert_int_equal(strlen(stack[*depth]), name);
        assert_memory_equal(stack[*depth], at + 2, name);
    } else if (end[-1] != '/' && at[1] != '?') {
        assert_true(*depth < 16 && name < 32);
        snprintf(stack[(*depth)++], 32, "%.*s", (int)name, at + 1);
    }
    return end + 1;
}

static void expect_well_formed(const char *text)
{
    char stack[16][32];
    int depth = 0, tags = 0;
    for (const char *at = text; (at = strchr(at, '<')); tags++) {
        at = follow_tag(at, stack, &depth);
    }
    assert_int_equal(depth, 0);
    assert_true(tags > 10);
    expect_escapes(text);
}

static void the_file_is_well_formed(void **state)
{
    (void)state;
    char *text = write_and_read("a.h5", "a.xdmf", &grid);
    expect_well_formed(text);
    assert_int_equal(scratch_count(), 1);
    free(text);
}

static void every_array_is_named_with_its_extents(void **state)
{
    (void)state;
    char *text = write_and_read("a.h5", "a.xdmf", &grid);
    expect_count(text, "Dimensions=\"3 4 5\">a.h5:/grid/inner/x</DataItem>", 3);
    expect_count(text, "Dimensions=\"3 4 5\">a.h5:/grid/inner/z</DataItem>", 3);
    expect_count(text, "Dimensions=\"3 4 5\">a.h5:/flow/0001/inner/density</DataItem>",
                 1);
    expect_count(text, "Dimensions=\"2 3 4\">a.h5:/flow/0002/inner/energy</DataItem>", 1);
    expect_count(text, "\"9 2 7\">a.h5:/grid/a&lt;b &amp; &quot;c&quot;/y</DataItem>", 3);
    expect_count(text, "\"8 1 6\">a.h5:/flow/0000/a&lt;b &amp; &quot;c&quot;/energy<", 1);
    expect_count(text, "TopologyType=\"3DSMesh\" Dimensions=\"3 4 5\"", 3);
    expect_count(text, "<DataItem ", 3 * 2 * (3 + 2));
    free(text);
}

static void steps_carry_their_times(void **state)
{
    (void)state;
    char *text = write_and_read("a.h5", "a.xdmf", &grid);
    expect_count(text, "CollectionType=\"Temporal\"", 1);
    expect_count(text, "CollectionType=\"Spatial\"", 3);
    expect_count(text, "<Time Value=\"0.10000000000000001\"/>", 1);
    expect_count(text, "<Time Value=\"1000000000\"/>", 1);
    free(text);
}

static void precision_and_centre_are_told(void **state)
{
    (void)state;
    io_xdmf_grid precise = grid;
    precise.double_coordinates = true;
    char *text = write_and_read("a.h5", "a.xdmf", &precise);
    expect_count(text, "Precision=\"8\"", 3 * 2 * 3);
    expect_count(text, "Precision=\"4\"", 3 * 2 * 2);
    expect_count(text, "Name=\"density\" Center=\"Node\"", 6);
    expect_count(text, "Name=\"energy\" Center=\"Cell\"", 6);
    free(text);
    precise.double_fields = true;
    text = write_and_read("a.h5", "a.xdmf", &precise);
    expect_count(text, "Precision=\"8\"", 3 * 2 * 5);
    free(text);
}

/* Fields may have types of their own, and steps may lack some. */
static void fields_and_steps_may_differ(void **state)
{
    (void)state;
    static const bool is_double[2] = {true, false};
    static const uint8_t has_field[3][2] = {{1, 1}, {1, 0}, {0, 0}};
    io_xdmf_grid mixed = grid;
    mixed.is_double = is_double;
    mixed.has_field = &has_field[0][0];
    char *text = write_and_read("a.h5", "a.xdmf", &mixed);
    expect_count(text, "Precision=\"8\"", 2 * 2);
    expect_count(text, "/density</DataItem>", 2 * 2);
    expect_count(text, "/energy</DataItem>", 2);
    free(text);
}

static void a_grid_alone_has_no_time(void **state)
{
    (void)state;
    io_xdmf_grid alone = grid;
    alone.nsteps = 0;
    char *text = write_and_read("a.h5", "a.xdmf", &alone);
    expect_well_formed(text);
    expect_count(text, "<Time", 0);
    expect_count(text, "<DataItem ", 2 * 3);
    free(text);
}

static void the_name_follows_the_hdf5_file(void **state)
{
    (void)state;
    const char *names[][2] = {{"plain", "plain.xdmf"},
                              {"two.dots.h5", "two.dots.xdmf"},
                              {"folder.d/none", "folder.d/none.xdmf"},
                              {".hidden", ".hidden.xdmf"}};
    for (int n = 0; n < 4; n++) {
        free(write_and_read(names[n][0], names[n][1], &grid));
    }
}

static void a_folder_that_is_a_file_is_reported(void **state)
{
    (void)state;
    scratch_write(scratch_path("file"), "x", 1);
    assert_int_equal(io_xdmf_write(scratch_path("file/a.h5"), &grid), STATUS_OUTPUT);
    assert_non_null(strstr(base_fail_message(), "file/a.xdmf"));
}

static void a_full_disk_leaves_nothing_behind(void **state)
{
    (void)state;
    scratch_limit_files(100);
    status s = io_xdmf_write(scratch_path("a.h5"), &grid);
    scratch_limit_files(0);
    assert_int_equal(s, STATUS_OUTPUT);
    assert_int_equal(scratch_count(), 0);
}

#define SCRATCH_TEST(test)                                                               \
    cmocka_unit_test_setup_teardown(test, scratch_setup, scratch_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(the_file_is_well_formed),
        SCRATCH_TEST(every_array_is_named_with_its_extents),
        SCRATCH_TEST(steps_carry_their_times),
        SCRATCH_TEST(precision_and_centre_are_told),
        SCRATCH_TEST(fields_and_steps_may_differ),
        SCRATCH_TEST(a_grid_alone_has_no_time),
        SCRATCH_TEST(the_name_follows_the_hdf5_file),
        SCRATCH_TEST(a_folder_that_is_a_file_is_reported),
        SCRATCH_TEST(a_full_disk_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
