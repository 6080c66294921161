/* Legacy VTK files give the values that were written, on any number of ranks; damaged
 * ones are refused. */
#include "base/log.h"
#include "base/parallel/parallel.h"
#include "io/source.h"
#include "test_io_support.h"
#include "test_legacy_support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[512];

static void write_file(legacy_writer *write, bool is_text)
{
    MPI_Barrier(MPI_COMM_WORLD); /* nobody reads the last one */
    if (parallel_rank(MPI_COMM_WORLD) == 0) {
        FILE *f = fopen(path, "wb");
        write(f, is_text);
        fclose(f);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* ---- Checks ------------------------------------------------------------------------ */

static double place_of(legacy_writer *write, int axis, const int at[3])
{
    static const double origin[3] = {1, 2, 3}, spacing[3] = {0.5, 0.25, 2};
    return write == legacy_curvilinear   ? legacy_number(axis, at[0], at[1], at[2])
           : write == legacy_rectilinear ? 3.0 * at[axis] * at[axis] + axis
                                         : origin[axis] + spacing[axis] * at[axis];
}

/* Compares a box of an array; `first`: which of legacy_number it is, or -1 of a
 * coordinate. */
static void check_box(io_source *source, legacy_writer *write, int array, int first)
{
    const io_box box = {{1, 1, 0}, {2, 2, 2}};
    double values[8];
    const status s = array < 0
                         ? io_source_read(source, 0, 0, array, &box, values)
                         : io_source_read_doubles(source, 0, 0, array, &box, values);
    check_ok(s, "a box");
    for (int n = 0; n < 8; n++) {
        const int at[3] = {1 + n % 2, 1 + n / 2 % 2, n / 4};
        const double right = first < 0 ? place_of(write, array - IO_ARRAY_X, at)
                                       : legacy_number(first, at[0], at[1], at[2]);
        check(fabs(values[n] - right) < 1e-6, "array %d: %g is no %g", array, values[n],
              right);
    }
}

static int find_field(const io_source *source, const char *name)
{
    int n = io_source_field_count(source) - 1;
    while (n >= 0 && strcmp(io_source_fields(source)[n].name, name) != 0) {
        n--;
    }
    check(n >= 0, "there is no field '%s'", name);
    return n > 0 ? n : 0;
}

static bool packs; /* files are compressed */

static void check_file(legacy_writer *write, bool is_text)
{
    const io_data_config config = {.file = (char *)path};
    io_source *source = NULL;
    write_file(write, is_text);
    if (packs && is_root()) {
        file_gzip(path);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (!check_ok(io_source_open(MPI_COMM_WORLD, &config, &source), "opening")) {
        return;
    }
    const int count = write == legacy_bits && is_text ? 6 : 5;
    check(io_source_field_count(source) == count, "expected %d fields", count);
    for (int axis = 0; axis < 3; axis++) {
        check_box(source, write, IO_ARRAY_X + axis, -1);
    }
    check_box(source, write, find_field(source, "pressure"), 3);
    check_box(source, write, find_field(source, "velocity_x"), 4);
    check_box(source, write, find_field(source, "velocity_z"), 6);
    check_box(source, write, find_field(source, "temp_here"), 7);
    check(io_source_fields(source)[find_field(source, "pressure")].location == GRID_CELL,
          "pressure is in cells");
    io_source_close(&source);
}

static void all_kinds_are_read(void)
{
    legacy_writer *const writers[] = {legacy_curvilinear, legacy_rectilinear,
                                      legacy_uniform, legacy_bits};
    for (int n = 0; n < 4; n++) {
        check_file(writers[n], true);
        check_file(writers[n], false);
    }
}

static void files_may_be_compressed(void)
{
    packs = true;
    all_kinds_are_read();
    packs = false;
}

/* A file cut anywhere is refused, or lacks fields: it never gives other values. */
static void cut_files_are_refused(void)
{
    for (int is_text = 0; is_text < 2; is_text++) {
        for (int cut = 37;; cut += 61) {
            const io_data_config config = {.file = (char *)path};
            io_source *source = NULL;
            write_file(legacy_curvilinear, is_text);
            int64_t left = 0;
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
            if (io_source_open(MPI_COMM_WORLD, &config, &source) == STATUS_OK) {
                check(io_source_field_count(source) < 5, "the cut shows");
                io_source_close(&source);
            }
        }
    }
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    base_log_configure(false);
    test_folder_create("test_io_vtk");
    snprintf(path, sizeof path, "%s", test_path("grid.vtk"));
    run_test("all kinds are read", all_kinds_are_read);
    run_test("files may be compressed", files_may_be_compressed);
    run_test("cut files are refused", cut_files_are_refused);
    test_file_remove(path);
    test_folder_remove();
    const int code = finish_tests();
    MPI_Finalize();
    return code;
}
