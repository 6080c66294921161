/* `karman convert` writes the values that a source has, on any number of ranks, or
 * nothing.
 */
#include "app/convert/convert.h"
#include "base/log.h"
#include "io/source.h"
#include "test_io_support.h"
#include "test_plot3d_support.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const test_block blocks[] = {
    {.name = "block_1", .n = {17, 9, 20}, .has_iblank = true},
    {.name = "block_2", .n = {3, 9, 6}, .has_iblank = true, .is_ring = true},
};
enum { BLOCKS = 2, STEPS = 3 };
static const char *const step_names[STEPS] = {"0002", "0004", "0031"};
static const int64_t step_numbers[STEPS] = {2, 4, 31};
static io_data_config data;

/* Paths that live as long as the test. */
static char *keep(const char *name)
{
    static char kept[8][512];
    static int count = 0;
    char *path = kept[count++ % 8];
    snprintf(path, sizeof kept[0], "%s", test_path(name));
    return path;
}

static status convert(const app_convert_request *wish)
{
    io_config config = {.data = data};
    app_convert_request request = *wish;
    request.config = &config;
    return app_convert(MPI_COMM_WORLD, &request);
}

/* ---- Arrays of the new file -------------------------------------------------------- */

typedef struct expected {
    const char *path;
    const test_block *block;
    int coordinate; /* -1: a field; 3: iblank */
    int field;
    int64_t step;
    bool cells;
    hid_t type;
} expected;

static double value_at(const expected *e, int64_t i, int64_t j, int64_t k)
{
    double point[3];
    if (e->coordinate == 3) {
        return block_iblank(e->block, i, j, k);
    }
    block_point(e->block, i, j, k, point);
    const double value = e->coordinate >= 0 ? point[e->coordinate]
                                            : block_value(e->field, e->step, i, j, k);
    return e->type == H5T_NATIVE_FLOAT ? (double)(float)value : value;
}

static void check_values(hid_t set, const expected *e)
{
    const int64_t *n = e->block->n, less = e->cells;
    hsize_t dims[3] = {0, 0, 0};
    const hid_t space = H5Dget_space(set), type = H5Dget_type(set);
    H5Sget_simple_extent_dims(space, dims, NULL);
    bool fits = H5Tequal(type, e->type) > 0;
    for (int axis = 0; axis < 3; axis++) {
        fits = fits && dims[2 - axis] == (hsize_t)(n[axis] - less);
    }
    check(fits, "'%s' has another type or shape", e->path);
    double *values = malloc((size_t)(n[0] * n[1] * n[2]) * sizeof *values);
    if (fits &&
        H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0) {
        size_t at = 0, wrong = 0;
        for (int64_t k = 0; k < n[2] - less; k++) {
            for (int64_t j = 0; j < n[1] - less; j++) {
                for (int64_t i = 0; i < n[0] - less; i++) {
                    wrong += values[at++] != value_at(e, i, j, k);
                }
            }
        }
        check(wrong == 0, "'%s': %zu of %zu values are wrong", e->path, wrong, at);
    }
    free(values);
    H5Tclose(type);
    H5Sclose(space);
}

static void check_dataset(hid_t file, const expected *e)
{
    const hid_t set = H5Dopen(file, e->path, H5P_DEFAULT);
    check(set >= 0, "there is no '%s'", e->path);
    if (set >= 0) {
        check_values(set, e);
        H5Dclose(set);
    }
}

static void check_grid(hid_t file, const test_block *block, hid_t type)
{
    static const char *const names[] = {"x", "y", "z", "iblank"};
    for (int c = 0; c < 3 + block->has_iblank; c++) {
        char path[128];
        snprintf(path, sizeof path, "/grid/%s/%s", block->name, names[c]);
        check_dataset(file, &(expected){.path = path,
                                        .block = block,
                                        .coordinate = c,
                                        .type = c == 3 ? H5T_NATIVE_INT32 : type});
    }
}

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

/* ---- PLOT3D ------------------------------------------------------------------------ */

/* Writes a grid and three q files of float64. */
static void write_plot3d(void)
{
    plot3d_form form = {.is_big = true, .mark = 4, .real = 8, .is_multi = true};
    if (is_root()) {
        plot3d_write(test_path("wing.xyz"), &form, BLOCKS, blocks, 0, 0.0);
        form.kind = FORM_Q;
        for (int step = 0; step < STEPS; step++) {
            char name[32];
            snprintf(name, sizeof name, "wing.%s.q", step_names[step]);
            plot3d_write(test_path(name), &form, BLOCKS, blocks, step_numbers[step],
                         0.5 * step);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    data = (io_data_config){.file = keep("wing.xyz"), .all_steps = true};
}

static void check_fields(hid_t file, int step, hid_t type)
{
    static const char *const names[] = {"density", "momentum_x", "momentum_y",
                                        "momentum_z", "energy"};
    for (int b = 0; b < BLOCKS; b++) {
        for (int field = 0; field < 5; field++) {
            char path[128];
            snprintf(path, sizeof path, "/flow/%s/%s/%s", step_names[step],
                     blocks[b].name, names[field]);
            check_dataset(file, &(expected){.path = path,
                                            .block = &blocks[b],
                                            .coordinate = -1,
                                            .field = field,
                                            .step = step_numbers[step],
                                            .type = type});
        }
    }
}

static void check_plot3d(const char *path, int first, int last, hid_t type)
{
    if (is_root()) {
        const hid_t file = file_open(path);
        for (int b = 0; b < BLOCKS; b++) {
            check_grid(file, &blocks[b], type);
        }
        for (int step = 0; step < STEPS; step++) {
            char group[64];
            snprintf(group, sizeof group, "/flow/%s", step_names[step]);
            const bool has = H5Lexists(file, group, H5P_DEFAULT) > 0;
            check(has == (step >= first && step <= last), "step %s", step_names[step]);
            if (has) {
                check_fields(file, step, type);
            }
        }
        H5Fclose(file);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void values_stay_as_they_are(void)
{
    char *output = keep("all.h5");
    write_plot3d();
    check_ok(convert(&(app_convert_request){.output = output}), "all");
    check_plot3d(output, 0, STEPS - 1, H5T_NATIVE_DOUBLE);
    check(exists(test_path("all.xdmf")), "there is no XDMF file");
    test_file_remove(test_path("all.xdmf"));
    test_file_remove(output);
}

static void float32_and_steps_are_chosen(void)
{
    char *output = keep("part.h5");
    write_plot3d();
    data.all_steps = false;
    data.step_first = 3;
    data.step_last = 40;
    data.step_stride = 1;
    check_ok(convert(&(app_convert_request){.output = output, .is_single = true}),
             "float32");
    check_plot3d(output, 1, STEPS - 1, H5T_NATIVE_FLOAT);
    test_file_remove(test_path("part.xdmf"));
    test_file_remove(output);
}

/* The converted file, opened as a source, has what the first one has. */
static void times_are_kept(void)
{
    char *output = keep("times.h5");
    io_source *source = NULL;
    write_plot3d();
    check_ok(
        convert(&(app_convert_request){.output = output, .fields = "energy,density"}),
        "fields");
    data.file = output;
    if (check_ok(io_source_open(MPI_COMM_WORLD, &data, &source), "the new file")) {
        check(io_source_field_count(source) == 2, "expected 2 fields");
        check(io_source_step_count(source) == STEPS, "expected %d steps", (int)STEPS);
        for (int n = 0; n < io_source_step_count(source); n++) {
            check(io_source_steps(source)[n].time == 0.5 * n, "time of step %d", n);
        }
    }
    io_source_close(&source);
    test_file_remove(test_path("times.xdmf"));
    test_file_remove(output);
}

/* ---- karman's own layout ----------------------------------------------------------- */

/* One field is in cells, and one lacks at the first step. */
static void write_own(const char *path)
{
    if (is_root()) {
        const hid_t file = file_create(path);
        for (int b = 0; b < BLOCKS; b++) {
            block_write_grid(file, &blocks[b], H5T_NATIVE_DOUBLE);
            for (int step = 0; step < 2; step++) {
                block_write_field(file, &blocks[b], step_names[step], "p", 1,
                                  step_numbers[step], H5T_NATIVE_FLOAT, true);
            }
            block_write_field(file, &blocks[b], step_names[1], "late", 2, step_numbers[1],
                              H5T_NATIVE_DOUBLE, false);
        }
        H5Fclose(file);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    data = (io_data_config){.file = keep("own.h5"), .all_steps = true};
}

static void cells_stay_cells(void)
{
    char *output = keep("again.h5");
    write_own(test_path("own.h5"));
    check_ok(convert(&(app_convert_request){.output = output}), "own layout");
    if (is_root()) {
        const hid_t file = file_open(output);
        check_grid(file, &blocks[0], H5T_NATIVE_DOUBLE);
        check_dataset(file, &(expected){.path = "/flow/0002/block_2/p",
                                        .block = &blocks[1],
                                        .coordinate = -1,
                                        .field = 1,
                                        .step = 2,
                                        .cells = true,
                                        .type = H5T_NATIVE_FLOAT});
        check_dataset(file, &(expected){.path = "/flow/0004/block_1/late",
                                        .block = &blocks[0],
                                        .coordinate = -1,
                                        .field = 2,
                                        .step = 4,
                                        .type = H5T_NATIVE_DOUBLE});
        check(H5Lexists(file, "/flow/0002/block_1/late", H5P_DEFAULT) == 0, "late");
        H5Fclose(file);
    }
    test_file_remove(test_path("again.xdmf"));
    test_file_remove(output);
}

/* ---- Refusals ---------------------------------------------------------------------- */

static void refuse(const app_convert_request *request, status wanted, const char *part)
{
    status s = convert(request);
    check(s == wanted && strstr(base_fail_message(), part), "expected '%s', got %d: '%s'",
          part, (int)s, base_fail_message());
    base_fail_set_message("");
}

static void inputs_and_existing_files_stay(void)
{
    char *output = keep("there.h5");
    write_plot3d();
    refuse(&(app_convert_request){.output = keep("wing.0004.q"), .replaces = true},
           STATUS_USAGE, "holds the data that are converted");
    refuse(&(app_convert_request){.output = data.file, .replaces = true}, STATUS_USAGE,
           "holds the data that are converted");
    check_ok(convert(&(app_convert_request){.output = output}), "first");
    refuse(&(app_convert_request){.output = output}, STATUS_USAGE, "--force");
    refuse(&(app_convert_request){.output = test_path("there.vts")}, STATUS_USAGE,
           "end the name in .h5, .vtm or .pvd, not in .vts");
    check_ok(convert(&(app_convert_request){.output = output, .replaces = true}),
             "replaced");
    check_plot3d(output, 0, STEPS - 1, H5T_NATIVE_DOUBLE);
    refuse(&(app_convert_request){.output = output, .replaces = true, .fields = "dens"},
           STATUS_USAGE, "has no field 'dens'");
    check_plot3d(output, 0, STEPS - 1, H5T_NATIVE_DOUBLE);
    test_file_remove(test_path("there.xdmf"));
    test_file_remove(output);
}

/* A file that cannot be written leaves nothing, and a damaged source as little. */
static void nothing_is_left_of_a_failure(void)
{
    char *output = keep("none.h5");
    struct rlimit before, small = {100 << 10, 0};
    write_plot3d();
    getrlimit(RLIMIT_FSIZE, &before);
    small.rlim_max = before.rlim_max;
    setrlimit(RLIMIT_FSIZE, &small);
    refuse(&(app_convert_request){.output = output}, STATUS_OUTPUT, "ulimit -f");
    setrlimit(RLIMIT_FSIZE, &before);
    refuse(&(app_convert_request){.output = "/proc/none.h5"}, STATUS_OUTPUT,
           "cannot write '/proc/none.h5'");
    MPI_Barrier(MPI_COMM_WORLD);
    for (int step = 0; step < STEPS && is_root(); step++) {
        char name[32];
        snprintf(name, sizeof name, "wing.%s.q", step_names[step]);
        unlink(test_path(name));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    check(!exists(output) && !exists(test_path("none.xdmf")), "a file is left");
    test_file_remove(test_path("wing.xyz"));
    test_file_remove(test_path("own.h5"));
    test_folder_remove(); /* fails if a temporary file is left */
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    base_log_configure(false);
    test_folder_create("test_convert");
    run_test("values stay as they are", values_stay_as_they_are);
    run_test("float32 and steps are chosen", float32_and_steps_are_chosen);
    run_test("times are kept", times_are_kept);
    run_test("cells stay cells", cells_stay_cells);
    run_test("inputs and existing files stay", inputs_and_existing_files_stay);
    run_test("nothing is left of a failure", nothing_is_left_of_a_failure);
    int code = finish_tests();
    MPI_Finalize();
    return code;
}
