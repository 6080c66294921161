/* Input of the reference renderer: grids in HDF5, trusted pixels in JSON. */
#include "reference/reference.h"
#include "reference/trusted.h"
#include "support/file.h"

#include <hdf5.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATH_SIZE = 64 };

/* A unique file name; the caller removes the file. */
static void make_path(char path[PATH_SIZE])
{
    snprintf(path, PATH_SIZE, "/tmp/karman-test-read-XXXXXX");
    int handle = mkstemp(path);
    assert_true(handle >= 0);
    close(handle);
}

static void write_array(hid_t file, const char *path, hsize_t nk, hsize_t nj, hsize_t ni,
                        const float *values)
{
    const hsize_t n[3] = {nk, nj, ni};
    hid_t create = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(create, 1);
    hid_t space = H5Screate_simple(3, n, NULL);
    hid_t set =
        H5Dcreate2(file, path, H5T_IEEE_F32LE, space, create, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Dwrite(set, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >=
                0);
    H5Dclose(set);
    H5Sclose(space);
    H5Pclose(create);
}

/* 2 x 3 x 4 vertices (k, j, i), values 0 to 23 and their multiples. */
static void write_file(const char *path)
{
    float values[4][24];
    for (int n = 0; n < 24; n++) {
        for (int array = 0; array < 4; array++) {
            values[array][n] = (float)(n * (array + 1));
        }
    }
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(file >= 0);
    write_array(file, "/grid/one/x", 2, 3, 4, values[0]);
    write_array(file, "/grid/one/y", 2, 3, 4, values[1]);
    write_array(file, "/grid/one/z", 2, 3, 4, values[2]);
    write_array(file, "/grid/one/iblank", 2, 3, 4, values[0]);
    write_array(file, "/flow/000/one/vertex", 2, 3, 4, values[3]);
    write_array(file, "/flow/001/one/vertex", 2, 3, 4, values[0]);
    write_array(file, "/flow/001/one/cell", 1, 2, 3, values[3]);
    write_array(file, "/flow/001/one/odd", 1, 2, 4, values[3]);
    H5Fclose(file);
}

static int set_up(void **state)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    char *path = malloc(PATH_SIZE);
    assert_non_null(path);
    make_path(path);
    write_file(path);
    *state = path;
    return 0;
}

static int tear_down(void **state)
{
    unlink(*state);
    free(*state);
    return 0;
}

static void expect_number(const char *what, double actual, double expected)
{
    if (actual != expected) {
        fail_msg("%s: expected %g, got %g", what, expected, actual);
    }
}

static void a_file_in_the_own_layout_is_read_with_iblank(void **state)
{
    reference_grid grid;
    assert_int_equal(reference_grid_read(*state, 0, "vertex", &grid), STATUS_OK);
    assert_int_equal(grid.nblocks, 1);
    const reference_block *block = &grid.blocks[0];
    assert_int_equal(block->n[0], 4);
    assert_int_equal(block->n[1], 3);
    assert_int_equal(block->n[2], 2);
    assert_false(block->cell_values);
    expect_number("y", block->x[1][7], 14.0);
    expect_number("z", block->x[2][23], 69.0);
    expect_number("scalar", block->scalar[5], 20.0);
    assert_int_equal(block->iblank[0], 0);
    assert_int_equal(block->iblank[9], 9);
    reference_grid_clear(&grid);
}

static void steps_are_counted_by_name_and_cell_values_recognized(void **state)
{
    reference_grid grid;
    assert_int_equal(reference_grid_read(*state, 1, "cell", &grid), STATUS_OK);
    assert_true(grid.blocks[0].cell_values);
    expect_number("scalar", grid.blocks[0].scalar[5], 20.0);
    reference_grid_clear(&grid);
    assert_int_equal(reference_grid_read(*state, 1, "vertex", &grid), STATUS_OK);
    expect_number("scalar", grid.blocks[0].scalar[5], 5.0);
    reference_grid_clear(&grid);
}

static void a_file_of_another_layout_is_read_by_paths(void **state)
{
    const reference_paths paths = {.x = {"/grid/one/z", "/grid/one/x", "/grid/one/y"},
                                   .scalar = "/flow/000/one/vertex"};
    reference_grid grid;
    assert_int_equal(reference_grid_read_paths(*state, &paths, &grid), STATUS_OK);
    expect_number("x", grid.blocks[0].x[0][2], 6.0);
    assert_null(grid.blocks[0].iblank);
    reference_grid_clear(&grid);
}

static void expect_failure(status s, const char *word)
{
    assert_int_equal(s, STATUS_INPUT);
    if (!strstr(base_fail_message(), word)) {
        fail_msg("expected a message with '%s', got '%s'", word, base_fail_message());
    }
    base_fail_set_message("");
}

static void what_is_missing_or_of_the_wrong_shape_is_an_error(void **state)
{
    reference_grid grid;
    expect_failure(reference_grid_read("/nowhere.h5", 0, "vertex", &grid), "/nowhere.h5");
    expect_failure(reference_grid_read(*state, 0, "cell", &grid), "/flow/000/one/cell");
    expect_failure(reference_grid_read(*state, 1, "odd", &grid), "/flow/001/one/odd");
}

static const char trusted_text[] =
    "{\"view\": {\"camera\": {\"position\": [1, 2.5, 3], \"focal_point\": [0, 0, 0],"
    " \"view_up\": [0, 0, 1], \"view_angle_deg\": 30}, \"background\": [0.25, 0.5, 0.75],"
    " \"transfer_function\": {\"opacity_unit_length\": 2,"
    " \"points\": [[0.5, 0.1, 0.2, 0.3, 4], [0.75, 0.4, 0.5, 0.6, 7]]}},"
    " \"sets\": [{\"image_size\": 64, \"pixels\": [{\"col\": 3, \"row\": 9,"
    " \"rgb\": [0.1, 0.2, 0.3], \"transmittance\": 0.5, \"length\": 8.5}]}]}";

static void a_trusted_view_is_read(void **state)
{
    (void)state;
    char path[PATH_SIZE];
    trusted_view view;
    make_path(path);
    test_file_write(path, "%s", trusted_text);
    assert_int_equal(trusted_view_read(path, &view), STATUS_OK);
    unlink(path);
    expect_number("position", view.camera.position.v[1], 2.5);
    expect_number("background", view.background[2], 0.75);
    assert_int_equal(view.nsets, 1);
    assert_int_equal(view.sets[0].size, 64);
    assert_int_equal(view.sets[0].pixels[0].row, 9);
    expect_number("length", view.sets[0].pixels[0].length, 8.5);
    reference_transfer transfer = trusted_view_transfer(&view);
    double rgb[3], extinction;
    reference_transfer_evaluate(&transfer, 0.75, rgb, &extinction);
    expect_number("extinction", extinction, 3.5);
    expect_number("green", rgb[1], 0.5);
    trusted_view_clear(&view);
}

static void a_trusted_view_that_lacks_something_is_an_error(void **state)
{
    (void)state;
    char path[PATH_SIZE];
    trusted_view view;
    make_path(path);
    test_file_write(path, "%s", "{\"view\": {}}");
    expect_failure(trusted_view_read(path, &view), "camera");
    test_file_write(path, "%s", "{");
    expect_failure(trusted_view_read(path, &view), path);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_in_the_own_layout_is_read_with_iblank),
        cmocka_unit_test(steps_are_counted_by_name_and_cell_values_recognized),
        cmocka_unit_test(a_file_of_another_layout_is_read_by_paths),
        cmocka_unit_test(what_is_missing_or_of_the_wrong_shape_is_an_error),
        cmocka_unit_test(a_trusted_view_is_read),
        cmocka_unit_test(a_trusted_view_that_lacks_something_is_an_error),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
