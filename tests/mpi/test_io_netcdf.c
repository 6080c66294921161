/* Classic netCDF files give the values that were written, on any number of ranks;
 * damaged ones are refused. */
#include "base/log.h"
#include "base/parallel/parallel.h"
#include "io/source.h"
#include "io/view.h"
#include "test_classic_support.h"
#include "test_io_support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[512];

static void write_file(int version, bool is_curved)
{
    MPI_Barrier(MPI_COMM_WORLD); /* nobody reads the last one */
    if (parallel_rank(MPI_COMM_WORLD) == 0) {
        classic_write(path, version, is_curved);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* ---- Checks ------------------------------------------------------------------------ */

static const io_box box = {{1, 1, 0}, {2, 2, 2}};

static void check_places(io_source *source, bool is_curved)
{
    double values[8];
    for (int axis = 0; axis < 3; axis++) {
        check_ok(io_source_read(source, 0, 0, IO_ARRAY_X + axis, &box, values), "a box");
        for (int n = 0; n < 8; n++) {
            const int i = 1 + n % 2, j = 1 + n / 2 % 2, k = n / 4;
            const double right = axis == 0   ? 2.0 * i + (is_curved ? 0.25 * j : 0.0)
                                 : axis == 1 ? 3.0 * j + (is_curved ? 0.5 * i : 0.0)
                                             : -10.0 * k;
            check(values[n] == right, "axis %d: %g is no %g", axis, values[n], right);
        }
    }
}

static void check_values(io_source *source, int step, int field)
{
    double values[8];
    check_ok(io_source_read_doubles(source, step, 0, field, &box, values), "a box");
    for (int n = 0; n < 8; n++) {
        const double right = classic_number(1 + n % 2, 1 + n / 2 % 2, n / 4, step);
        check(n == 4 ? isnan(values[n]) : values[n] == right, "field %d: %g is no %g",
              field, values[n], right);
    }
}

static void check_file(int version, bool is_curved)
{
    const io_data_config config = {.file = (char *)path};
    io_source *source = NULL;
    write_file(version, is_curved);
    if (!check_ok(io_source_open(MPI_COMM_WORLD, &config, &source), "opening")) {
        return;
    }
    check(io_source_field_count(source) == 2, "expected 2 fields");
    check(io_source_step_count(source) == CLASSIC_NT, "expected 2 steps");
    check(io_source_steps(source)[1].time == 6.0, "the time");
    check(strcmp(io_source_unpacking(source, 0)->unit, "degC") == 0, "the unit");
    check_places(source, is_curved);
    for (int step = 0; step < CLASSIC_NT; step++) {
        check_values(source, step, 0);
        check_values(source, step, 1);
    }
    io_source_close(&source);
}

static void all_versions_are_read(void)
{
    for (int is_curved = 0; is_curved < 2; is_curved++) {
        check_file(1, is_curved != 0);
        check_file(2, is_curved != 0);
        check_file(5, is_curved != 0);
    }
}

static void cut_files_are_refused(void)
{
    for (int64_t cut = 1;; cut += 13) {
        const io_data_config config = {.file = (char *)path};
        io_source *source = NULL;
        int64_t left = 0;
        write_file(cut % 2 == 0 ? 1 : 5, true);
        if (parallel_rank(MPI_COMM_WORLD) == 0) {
            FILE *f = fopen(path, "rb");
            fseek(f, 0, SEEK_END);
            left = ftell(f) - cut;
            fclose(f);
            check(left <= 0 || truncate(path, left) == 0, "cutting");
        }
        parallel_bcast(&left, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
        if (left <= 0) {
            break;
        }
        check(io_source_open(MPI_COMM_WORLD, &config, &source) != STATUS_OK,
              "a cut of %d bytes is refused", (int)cut);
        io_source_close(&source);
    }
}

/* A header with any byte damaged is refused, or read: nothing crashes or hangs. */
static void damaged_headers_do_no_harm(void)
{
    for (int at = 4; at < 700; at += 3) {
        const io_data_config config = {.file = (char *)path};
        io_source *source = NULL;
        write_file(2, at % 2 == 0);
        if (parallel_rank(MPI_COMM_WORLD) == 0) {
            FILE *f = fopen(path, "r+b");
            fseek(f, at, SEEK_SET);
            fputc(at % 4 < 2 ? 0xff : 0x7, f);
            fclose(f);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        if (io_source_open(MPI_COMM_WORLD, &config, &source) == STATUS_OK) {
            double value;
            const io_box one = {{0, 0, 0}, {1, 1, 1}};
            io_source_read(source, 0, 0, IO_ARRAY_X, &one, &value);
        }
        io_source_close(&source);
    }
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    base_log_configure(false);
    test_folder_create("test_io_netcdf");
    snprintf(path, sizeof path, "%s", test_path("ocean.nc"));
    run_test("all versions are read", all_versions_are_read);
    run_test("cut files are refused", cut_files_are_refused);
    run_test("damaged headers do no harm", damaged_headers_do_no_harm);
    test_file_remove(path);
    test_folder_remove();
    const int code = finish_tests();
    MPI_Finalize();
    return code;
}
