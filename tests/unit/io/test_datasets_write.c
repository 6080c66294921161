/* Data sets as files: every value is where it belongs, and failures leave nothing behind.
 */
#include "datasets/write.h"
#include "support/file.h"
#include "support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Small, but with all steps that matter: the first, the last and one between. */
static dataset_options small_options(const dataset *set, bool double_precision)
{
    return (dataset_options){
        .size = {set->minimum[0] + 3, set->minimum[1] + 1, set->minimum[2] + 2},
        .steps = 3,
        .double_precision = double_precision};
}

static status write_set(const dataset *set, const dataset_options *options,
                        const char *path)
{
    return dataset_write(MPI_COMM_SELF, set, options, path);
}

/* The whole array as doubles, malloc'ed; fails the test where extents or type are others.
 */
static double *read_array(hid_t file, const char *path, const int64_t n[3], int less,
                          size_t bytes)
{
    hid_t array = H5Dopen(file, path, H5P_DEFAULT);
    hid_t space = H5Dget_space(array), type = H5Dget_type(array);
    hsize_t extents[3] = {0, 0, 0};
    assert_int_equal(H5Sget_simple_extent_ndims(space), 3);
    H5Sget_simple_extent_dims(space, extents, NULL);
    for (int axis = 0; axis < 3; axis++) {
        assert_int_equal(extents[2 - axis], n[axis] - less);
    }
    assert_int_equal(H5Tget_size(type), bytes);
    double *values =
        malloc((size_t)(extents[0] * extents[1] * extents[2]) * sizeof *values);
    assert_non_null(values);
    assert_true(
        H5Dread(array, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Tclose(type);
    H5Sclose(space);
    H5Dclose(array);
    return values;
}

static double stored(const dataset_options *options, double value)
{
    return options->double_precision ? value : dataset_float32(value);
}

/* The position of a vertex as it is in the file. */
static vec3 stored_vertex(const dataset *set, const dataset_options *options, int block,
                          int64_t i, int64_t j, int64_t k)
{
    vec3 p = set->vertex(options->size, block, (const int64_t[3]){i, j, k}).position;
    if (options->double_precision) {
        return p;
    }
    return vec3_make(dataset_float32(p.v[0]), dataset_float32(p.v[1]),
                     dataset_float32(p.v[2]));
}

/* The point of a value of this location: the vertex, or the middle of the cell's corners.
 */
static vec3 stored_point(const dataset *set, const dataset_options *options, int block,
                         grid_location location, const int64_t at[3])
{
    if (location == GRID_VERTEX) {
        return stored_vertex(set, options, block, at[0], at[1], at[2]);
    }
    vec3 sum = vec3_make(0.0, 0.0, 0.0);
    for (int c = 0; c < 8; c++) {
        sum = vec3_add(sum, stored_vertex(set, options, block, at[0] + (c & 1),
                                          at[1] + (c >> 1 & 1), at[2] + (c >> 2)));
    }
    return vec3_scale(sum, 0.125);
}

static void check_field(hid_t file, const dataset *set, const dataset_options *options,
                        int block, int step, int field)
{
    char path[256];
    int64_t n[3];
    double time = dataset_time(set, step, options->steps);
    int less = set->fields[field].location == GRID_CELL;
    dataset_block_size(set, options->size, block, n);
    snprintf(path, sizeof path, "/flow/%04d/%s/%s", step, set->block_names[block],
             set->fields[field].name);
    double *values = read_array(file, path, n, less, options->double_precision ? 8 : 4);
    for (int64_t k = 0, v = 0; k < n[2] - less; k++) {
        for (int64_t j = 0; j < n[1] - less; j++) {
            for (int64_t i = 0; i < n[0] - less; i++, v++) {
                double all[GRID_RECIPE_MAX_INPUTS];
                vec3 at = stored_point(set, options, block, set->fields[field].location,
                                       (const int64_t[3]){i, j, k});
                set->evaluate(at, time, all);
                if (values[v] != stored(options, all[field])) {
                    fail_msg("%s at (%d, %d, %d): expected %.17g, got %.17g", path,
                             (int)i, (int)j, (int)k, all[field], values[v]);
                }
            }
        }
    }
    free(values);
}

static void check_grid(hid_t file, const dataset *set, const dataset_options *options,
                       int block)
{
    char path[256];
    int64_t n[3];
    dataset_block_size(set, options->size, block, n);
    for (int c = 0; c < 3; c++) {
        snprintf(path, sizeof path, "/grid/%s/%c", set->block_names[block], "xyz"[c]);
        double *values = read_array(file, path, n, 0, options->double_precision ? 8 : 4);
        for (int64_t v = 0; v < n[0] * n[1] * n[2]; v++) {
            vec3 p = stored_vertex(set, options, block, v % n[0], v / n[0] % n[1],
                                   v / (n[0] * n[1]));
            if (values[v] != p.v[c]) {
                fail_msg("%s %s, vertex %d: expected %.17g, got %.17g", set->name, path,
                         (int)v, p.v[c], values[v]);
            }
        }
        free(values);
    }
}

static void check_iblank(hid_t file, const dataset *set, const dataset_options *options)
{
    const int64_t *n = options->size;
    char path[256];
    snprintf(path, sizeof path, "/grid/%s/iblank", set->block_names[0]);
    assert_int_equal(H5Lexists(file, path, H5P_DEFAULT) > 0, set->has_iblank);
    if (!set->has_iblank) {
        return;
    }
    double *values = read_array(file, path, n, 0, 4);
    int blanked = 0;
    for (int64_t v = 0; v < n[0] * n[1] * n[2]; v++) {
        const int64_t at[3] = {v % n[0], v / n[0] % n[1], v / (n[0] * n[1])};
        assert_true(values[v] == (set->vertex(n, 0, at).blanked ? 0.0 : 1.0));
        blanked += values[v] == 0.0;
    }
    assert_true(blanked > 0);
    free(values);
}

static double read_number(hid_t file, const char *object, const char *name)
{
    double value = -1.0;
    hid_t attribute = H5Aopen_by_name(file, object, name, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(attribute >= 0);
    assert_true(H5Aread(attribute, H5T_NATIVE_DOUBLE, &value) >= 0);
    H5Aclose(attribute);
    return value;
}

static void check_file(const dataset *set, const dataset_options *options,
                       const char *path)
{
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    assert_true(read_number(file, "/", "karman_format") == 1.0);
    check_iblank(file, set, options);
    for (int step = 0; step < options->steps; step++) {
        char name[32];
        snprintf(name, sizeof name, "/flow/%04d", step);
        assert_true(read_number(file, name, "time") ==
                    dataset_time(set, step, options->steps));
        for (int f = 0; f < set->nblocks * set->nfields; f++) {
            check_field(file, set, options, f / set->nfields, step, f % set->nfields);
        }
    }
    for (int block = 0; block < set->nblocks; block++) {
        check_grid(file, set, options, block);
    }
    H5Fclose(file);
}

static void files_hold_every_value_in_both_precisions(void **state)
{
    (void)state;
    for (int place = 0; dataset_at(place); place++) {
        const dataset *set = dataset_at(place);
        const char *path = scratch_path("out/a.h5");
        for (int precise = 0; precise < 2; precise++) {
            dataset_options options = small_options(set, precise != 0);
            assert_int_equal(write_set(set, &options, path), STATUS_OK);
            check_file(set, &options, path);
        }
    }
    assert_int_equal(scratch_count(), 1);
}

/* The annulus is large enough that float32 coordinates are not those of the formula. */
static void a_linear_field_is_linear_in_the_coordinates_of_the_file(void **state)
{
    (void)state;
    dataset_options options = dataset_default_options(&dataset_annulus);
    const char *path = scratch_path("a.h5");
    const int64_t *n = options.size;
    assert_int_equal(write_set(&dataset_annulus, &options, path), STATUS_OK);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    double *x = read_array(file, "/grid/ring/x", n, 0, 4);
    double *y = read_array(file, "/grid/ring/y", n, 0, 4);
    double *z = read_array(file, "/grid/ring/z", n, 0, 4);
    double *linear = read_array(file, "/flow/0000/ring/linear", n, 0, 4);
    for (int64_t v = 0; v < n[0] * n[1] * n[2]; v++) {
        double expected = 1.0 + 0.5 * x[v] + 0.25 * y[v] + 0.125 * z[v];
        if (linear[v] != dataset_float32(expected)) {
            fail_msg("vertex %d: expected %.17g, got %.17g", (int)v, expected, linear[v]);
        }
    }
    free(linear);
    free(z);
    free(y);
    free(x);
    H5Fclose(file);
}

/* Each array that the XDMF file names is in the HDF5 file, and those of floats have its
 * extents and precision there. Returns the number of the latter; others mark vertices. */
static int check_description(const char *xdmf, const char *h5_path)
{
    int arrays = 0;
    hid_t file = H5Fopen(h5_path, H5F_ACC_RDONLY, H5P_DEFAULT);
    for (const char *at = xdmf; (at = strstr(at, "<DataItem")); at++) {
        char type[16], name[64], path[256];
        long long n[3];
        int bytes;
        assert_int_equal(
            sscanf(at,
                   "<DataItem Format=\"HDF\" NumberType=\"%15[^\"]\" "
                   "Precision=\"%d\" Dimensions=\"%lld %lld %lld\">%63[^:]:%255[^<]",
                   type, &bytes, &n[2], &n[1], &n[0], name, path),
            7);
        assert_string_equal(name, strrchr(h5_path, '/') + 1);
        assert_true(H5Lexists(file, path, H5P_DEFAULT) > 0);
        if (strcmp(type, "Float") != 0) {
            continue;
        }
        arrays++;
        free(read_array(file, path, (const int64_t[3]){n[0], n[1], n[2]}, 0,
                        (size_t)bytes));
    }
    H5Fclose(file);
    return arrays;
}

static void the_xdmf_file_describes_the_hdf5_file(void **state)
{
    (void)state;
    for (int place = 0; dataset_at(place); place++) {
        const dataset *set = dataset_at(place);
        dataset_options options = small_options(set, place % 2 == 1);
        const char *path = scratch_path("a.h5");
        size_t size;
        assert_int_equal(write_set(set, &options, path), STATUS_OK);
        char *xdmf = (char *)test_file_read(scratch_path("a.xdmf"), &size);
        assert_int_equal(check_description(xdmf, path),
                         3 * set->nblocks * (3 + set->nfields));
        free(xdmf);
    }
}

static void the_same_data_set_is_the_same_bytes(void **state)
{
    (void)state;
    const char *names[] = {"a.h5", "b.h5"};
    unsigned char *data[2];
    size_t size[2];
    dataset_options options = small_options(&dataset_two_blocks, false);
    for (int f = 0; f < 2; f++) {
        assert_int_equal(write_set(&dataset_two_blocks, &options, scratch_path(names[f])),
                         STATUS_OK);
        data[f] = test_file_read(scratch_path(names[f]), &size[f]);
    }
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(data[0], data[1], size[0]);
    free(data[0]);
    free(data[1]);
}

static void a_data_set_of_many_pieces_is_whole(void **state)
{
    (void)state;
    /* Planes of more vertices than a piece, so that each is one of its own. */
    dataset_options options = {.size = {601, 501, 3}, .steps = 1};
    const char *path = scratch_path("a.h5");
    assert_int_equal(write_set(&dataset_annulus, &options, path), STATUS_OK);
    check_file(&dataset_annulus, &options, path);
}

static void bad_options_and_places_are_reported(void **state)
{
    (void)state;
    dataset_options options = small_options(&dataset_pole, false);
    scratch_write(scratch_path("file"), "x", 1);
    assert_int_equal(write_set(&dataset_pole, &options, scratch_path("file/a.h5")),
                     STATUS_OUTPUT);
    assert_non_null(strstr(base_fail_message(), "file/a.h5"));
    options.size[1] = 3;
    base_fail_set_message("");
    assert_int_equal(write_set(&dataset_pole, &options, scratch_path("a.h5")),
                     STATUS_USAGE);
    assert_non_null(strstr(base_fail_message(), "along j is 3"));
    assert_int_equal(scratch_count(), 1);
}

static void a_file_without_room_is_refused_before_it_is_written(void **state)
{
    (void)state;
    dataset_options options = dataset_default_options(&dataset_karman);
    scratch_limit_files((size_t)1 << 20);
    status s = write_set(&dataset_karman, &options, scratch_path("a.h5"));
    scratch_limit_files(0);
    assert_int_equal(s, STATUS_OUTPUT);
    assert_non_null(strstr(base_fail_message(), "limited to 1.0 MiB"));
    assert_int_equal(scratch_count(), 0);
}

#define SCRATCH_TEST(test)                                                               \
    cmocka_unit_test_setup_teardown(test, scratch_setup, scratch_teardown)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(files_hold_every_value_in_both_precisions),
        SCRATCH_TEST(a_linear_field_is_linear_in_the_coordinates_of_the_file),
        SCRATCH_TEST(the_xdmf_file_describes_the_hdf5_file),
        SCRATCH_TEST(the_same_data_set_is_the_same_bytes),
        SCRATCH_TEST(a_data_set_of_many_pieces_is_whole),
        SCRATCH_TEST(bad_options_and_places_are_reported),
        SCRATCH_TEST(a_file_without_room_is_refused_before_it_is_written),
    };
    MPI_Init(&argc, &argv);
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    MPI_Finalize();
    return failures;
}
