/* Binary files of Tecplot give the values that were written, of all versions, on any
 * number of ranks; damaged ones are refused. */
#include "base/log.h"
#include "base/parallel/parallel.h"
#include "io/source.h"
#include "test_io_support.h"
#include "test_plt_support.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char path[512];

/* ---- Files ------------------------------------------------------------------------- */

static void write_file(const plt_style *style)
{
    MPI_Barrier(MPI_COMM_WORLD); /* nobody reads the last one */
    if (is_root()) {
        plt_write(path, style);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static status open_file(io_source **out)
{
    const io_data_config config = {.file = (char *)path};
    *out = NULL;
    return io_source_open(MPI_COMM_WORLD, &config, out);
}

/* ---- Checks ------------------------------------------------------------------------ */

static int find_field(const io_source *source, const char *name)
{
    int n = io_source_field_count(source) - 1;
    while (n >= 0 && strcmp(io_source_fields(source)[n].name, name) != 0) {
        n--;
    }
    check(n >= 0, "there is no field '%s'", name);
    return n > 0 ? n : 0;
}

/* A box of an array that should hold `variable` of a step in the file. */
typedef struct expected {
    int step, block, array, variable, step_there;
    double more;
} expected;

static void check_box(io_source *source, const expected *e)
{
    const int64_t layers = e->block == 0 ? 2 : 1;
    const io_box box = {{2, 1, 0}, {2, 2, layers}};
    double values[8];
    const status s =
        e->array < 0
            ? io_source_read(source, e->step, e->block, e->array, &box, values)
            : io_source_read_doubles(source, e->step, e->block, e->array, &box, values);
    check_ok(s, "a box");
    for (int n = 0; n < 4 * layers; n++) {
        const int64_t at[3] = {2 + n % 2, 1 + n / 2 % 2, n / 4};
        const double right = plt_number(e->variable, e->step_there, at) + e->more;
        check(values[n] == right, "block %d, variable %d: %g is no %g", e->block,
              e->variable, values[n], right);
    }
}

static void check_iblank(io_source *source)
{
    const io_box box = {{0, 0, 0}, {2, 1, 1}};
    int values[2] = {7, 7};
    check_ok(io_source_read(source, 0, 0, IO_ARRAY_IBLANK, &box, values), "iblank");
    check(values[0] == 0 && values[1] == 1, "iblank is %d, %d", values[0], values[1]);
}

static void check_step(io_source *source, const plt_style *style, int step)
{
    const int pressure = find_field(source, "pressure");
    for (int block = 0; block < 2; block++) {
        const int there = block == 0 ? step : 0;
        for (int axis = 0; axis < 3 - block; axis++) {
            const double more = block == 0 && style->moves ? 8.0 * step : 0.0;
            check_box(source,
                      &(expected){step, block, IO_ARRAY_X + axis, axis, there, more});
        }
        check_box(source, &(expected){step, block, pressure, 3, there, 0.0});
        check_box(source, &(expected){step, block, find_field(source, "velocity_x"), 4,
                                      there, 0.0});
        check_box(source,
                  &(expected){step, block, find_field(source, "count"), 5, there, 0.0});
    }
    check(io_source_fields(source)[pressure].location ==
              (style->is_point ? GRID_VERTEX : GRID_CELL),
          "the location of pressure");
}

static void check_file(const plt_style *style)
{
    io_source *source = NULL;
    const int steps = style->version >= 106 ? style->steps : 1;
    write_file(style);
    if (!check_ok(open_file(&source), "opening")) {
        return;
    }
    check(io_source_block_count(source) == 2, "expected 2 blocks");
    check(strcmp(io_source_blocks(source)[1].name, "flat") == 0, "a name");
    check(io_source_field_count(source) == 3, "expected 3 fields");
    check(io_source_step_count(source) == steps, "expected %d steps", steps);
    check(io_source_moves(source) == (style->moves && steps > 1), "the grid moves");
    for (int step = 0; step < steps; step++) {
        check_step(source, style, step);
        check(io_source_steps(source)[step].time ==
                  (style->version >= 106 ? 0.5 + step : 0.0),
              "the time");
    }
    check_iblank(source);
    io_source_close(&source);
}

/* ---- Tests ------------------------------------------------------------------------- */

static void all_versions_are_read(void)
{
    static const int versions[] = {101, 102, 103, 105, 106, 107, 108, 109, 111, 112, 191};
    for (size_t n = 0; n < sizeof versions / sizeof versions[0]; n++) {
        check_file(&(plt_style){.version = versions[n], .steps = 1});
        check_file(&(plt_style){.version = versions[n], .steps = 1, .is_big = true});
        if (versions[n] < 112) {
            check_file(
                &(plt_style){.version = versions[n], .steps = 1, .is_point = true});
        }
    }
}

static void strands_are_steps(void)
{
    check_file(&(plt_style){.version = 112, .steps = 3});
    check_file(&(plt_style){.version = 112, .steps = 3, .shares = true});
    check_file(&(plt_style){.version = 112, .steps = 3, .moves = true, .is_big = true});
    check_file(
        &(plt_style){.version = 111, .steps = 2, .shares = true, .is_point = true});
}

/* Writes bytes over those of the file. */
static void overwrite(long at, const char *bytes, size_t count)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (is_root()) {
        FILE *f = fopen(path, "r+b");
        fseek(f, at, SEEK_SET);
        fwrite(bytes, 1, count, f);
        fclose(f);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void bad_files_are_refused(void)
{
    static const struct {
        long at;
        const char *bytes;
    } faults[] = {{5, "113"}, {2, "SZPLT"}, {12, "\2"}, {12, "\1"}, {48, "\1\1\1\1"}};
    for (size_t n = 0; n < sizeof faults / sizeof faults[0]; n++) {
        io_source *source = NULL;
        write_file(&(plt_style){.version = 112, .steps = 1});
        overwrite(faults[n].at, faults[n].bytes, strlen(faults[n].bytes));
        const bool is_right = open_file(&source) == STATUS_OK;
        check(is_right == (n == 2 || n == 3), "fault %d", (int)n);
        io_source_close(&source);
    }
}

static void cut_files_are_refused(void)
{
    for (int64_t cut = 1;; cut += 59) {
        io_source *source = NULL;
        int64_t left = 0;
        write_file(&(plt_style){.version = 111,
                                .steps = 2,
                                .shares = cut % 3 == 0,
                                .is_point = cut % 2 == 0});
        if (is_root()) {
            FILE *f = fopen(path, "rb");
            fseek(f, 0, SEEK_END);
            left = ftell(f) - cut;
            fclose(f);
            check(left < 8 || truncate(path, left) == 0, "cutting");
        }
        parallel_bcast(&left, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
        if (left < 8) {
            break;
        }
        check(open_file(&source) == STATUS_INPUT, "a cut of %d bytes is refused",
              (int)cut);
        io_source_close(&source);
    }
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    base_log_configure(false);
    test_folder_create("test_io_plt");
    snprintf(path, sizeof path, "%s", test_path("flow.plt"));
    run_test("all versions are read", all_versions_are_read);
    run_test("strands are steps", strands_are_steps);
    run_test("bad files are refused", bad_files_are_refused);
    run_test("cut files are refused", cut_files_are_refused);
    test_file_remove(path);
    test_folder_remove();
    const int code = finish_tests();
    MPI_Finalize();
    return code;
}
