/* Cases of EnSight Gold and EnSight 6 give the values that were written, in all forms, on
 * any number of ranks; damaged ones are refused. */
#include "base/log.h"
#include "base/parallel/parallel.h"
#include "io/source.h"
#include "test_ensight_support.h"
#include "test_io_support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char path[512];

/* ---- Files ------------------------------------------------------------------------- */

static void write_case(const ensight_style *style)
{
    MPI_Barrier(MPI_COMM_WORLD); /* nobody reads the last one */
    snprintf(path, sizeof path, "%s", ensight_path(style, 0, 0));
    if (is_root()) {
        ensight_remove();
        ensight_write(style);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static status open_case(io_source **out)
{
    const io_data_config config = {.file = (char *)path};
    *out = NULL;
    return io_source_open(MPI_COMM_WORLD, &config, out);
}

/* Writes a case file of this text. */
static void write_text(const char *text)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (is_root()) {
        FILE *f = fopen(path, "wb");
        fputs(text, f);
        fclose(f);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* ---- Checks ------------------------------------------------------------------------ */

static int look_for_field(const io_source *source, const char *name)
{
    int n = io_source_field_count(source) - 1;
    while (n >= 0 && strcmp(io_source_fields(source)[n].name, name) != 0) {
        n--;
    }
    return n;
}

static int find_field(const io_source *source, const char *name)
{
    const int n = look_for_field(source, name);
    check(n >= 0, "there is no field '%s'", name);
    return n > 0 ? n : 0;
}

/* A box of an array that should hold `variable`. */
typedef struct expected {
    int step, block, array, variable;
    double more;
} expected;

static double number_of(const expected *e, const int64_t at[3])
{
    static const double start[3] = {-1.0, -2.0, -3.0}, slope[3] = {0.5, 0.25, 0.125};
    if (e->variable >= 3 || e->block == 0) {
        return ensight_number(e->variable, e->step, at) + e->more;
    }
    int64_t along[3] = {0, 0, 0};
    along[e->variable] = at[e->variable];
    return e->block == 1
               ? ensight_number(e->variable, 0, along)
               : start[e->variable] + slope[e->variable] * (double)at[e->variable];
}

static void check_box(io_source *source, const expected *e)
{
    const io_box box = {{1, 1, 0}, {2, 2, 2}};
    double values[8];
    const status s =
        e->array < 0
            ? io_source_read(source, e->step, e->block, e->array, &box, values)
            : io_source_read_doubles(source, e->step, e->block, e->array, &box, values);
    check_ok(s, "a box");
    for (int n = 0; n < 8; n++) {
        const int64_t at[3] = {1 + n % 2, 1 + n / 2 % 2, n / 4};
        const double right = number_of(e, at);
        check(values[n] == right, "block %d, variable %d: %g is no %g", e->block,
              e->variable, values[n], right);
    }
}

/* A value of a field. */
static float value_at(io_source *source, int step, int block, int64_t i, const char *name)
{
    const io_box box = {{i, 0, 0}, {1, 1, 1}};
    float value = 0.0F;
    check_ok(io_source_read(source, step, block, find_field(source, name), &box, &value),
             "a value");
    return value;
}

static void check_step(io_source *source, const ensight_style *style, int step)
{
    static const struct {
        const char *name;
        int variable;
    } fields[] = {{"velocity_x", 4}, {"velocity_z", 6}, {"load", 7}};
    for (int block = 0; block < 3; block++) {
        for (int axis = 0; axis < 3; axis++) {
            const double more = style->moves && block == 0 ? 8.0 * step : 0.0;
            check_box(source, &(expected){step, block, IO_ARRAY_X + axis, axis, more});
        }
        for (int n = 0; n < 3; n++) {
            check_box(source, &(expected){step, block, find_field(source, fields[n].name),
                                          fields[n].variable, 0.0});
        }
    }
    check_box(source, &(expected){step, 0, find_field(source, "pressure"), 3, 0.0});
    check_box(source, &(expected){step, 0, find_field(source, "rest"), 8, 0.0});
    check(style->is_six || isnan(value_at(source, step, 1, 0, "pressure")),
          "an undefined value");
    check(isnan(value_at(source, step, 2, 0, "pressure")), "a part without the variable");
    check(!isnan(value_at(source, step, 1, 1, "pressure")), "a value");
    check(style->is_six || isnan(value_at(source, step, 2, 0, "velocity_y")),
          "a vertex without a value");
}

static void check_blocks(const io_source *source)
{
    static const char *const names[] = {"a_box", "a_box_3", "part_70000"};
    const grid_block *blocks = io_source_blocks(source);
    check(io_source_block_count(source) == 3, "expected 3 blocks");
    for (int n = 0; n < 3 && n < io_source_block_count(source); n++) {
        check(strcmp(blocks[n].name, names[n]) == 0, "the name '%s'", blocks[n].name);
        check(blocks[n].n[0] == ENSIGHT_NI && blocks[n].n[2] == ENSIGHT_NK, "its size");
        check(blocks[n].has_iblank == (n == 0), "its iblank");
    }
}

static void check_iblank(io_source *source, int step)
{
    const io_box box = {{0, 0, 0}, {2, 1, 1}};
    int values[2] = {7, 7};
    check_ok(io_source_read(source, step, 0, IO_ARRAY_IBLANK, &box, values), "iblank");
    check(values[0] == 0 && values[1] == 1, "iblank is %d, %d", values[0], values[1]);
}

static void check_case(const ensight_style *style)
{
    io_source *source = NULL;
    const int steps = style->steps > 0 ? style->steps : 1;
    write_case(style);
    if (!check_ok(open_case(&source), "opening")) {
        return;
    }
    check_blocks(source);
    check(io_source_field_count(source) == 6, "expected 6 fields");
    check(io_source_step_count(source) == steps, "expected %d steps", steps);
    check(io_source_moves(source) == (style->moves && steps > 1), "the grid moves");
    for (int step = 0; step < steps; step++) {
        const io_step *at = &io_source_steps(source)[step];
        check(at->number == (style->steps > 0 ? 5 + 5 * step : 0), "the number %d",
              (int)at->number);
        check(at->time == (style->steps > 0 ? 0.5 + step : 0.0), "the time %g", at->time);
        check_step(source, style, step);
        check_iblank(source, step);
    }
    check(io_source_fields(source)[find_field(source, "load")].location == GRID_CELL,
          "load is in cells");
    io_source_close(&source);
}

/* ---- Tests ------------------------------------------------------------------------- */

static const ensight_style forms[] = {
    {.is_binary = false},
    {.is_binary = true},
    {.is_binary = true, .is_big = true},
    {.is_binary = true, .is_fortran = true},
    {.is_binary = true, .is_fortran = true, .is_big = true},
    {.is_six = true},
    {.is_six = true, .is_binary = true},
    {.is_six = true, .is_binary = true, .is_big = true}};

enum { FORMS = sizeof forms / sizeof forms[0] };

static void all_forms_are_read(void)
{
    for (int n = 0; n < FORMS; n++) {
        check_case(&forms[n]);
    }
}

static void steps_are_found(void)
{
    for (int n = 0; n < FORMS * 6; n++) {
        ensight_style style = forms[n / 6];
        style.steps = 3;
        style.moves = n % 3 == 1;
        style.repeats = n % 3 == 2;
        style.in_one_file = n % 6 / 3 == 1;
        check_case(&style);
    }
}

/* A variable whose own steps are others than the grid's, numbers and times in files of
 * their own, and case files that name others. */
static void sets_are_joined(void)
{
    io_source *source = NULL;
    check_case(&(ensight_style){.is_binary = true, .steps = 2});
    write_text(
        "FORMAT\ntype: ensight gold\nGEOMETRY\nmodel: flow.geo\nVARIABLE\n"
        "scalar per node: 1 Pressure flow.p.***\nvector per node: 2 Velocity "
        "flow.v.*\nTIME\ntime set: 1\nnumber of steps: 2\nfilename numbers:\n5\n10\n"
        "time values: 1 3\ntime set: 2\nnumber of steps: 1\nfilename numbers: 010\n"
        "time values: 3\n");
    check(open_case(&source) == STATUS_OK, "opening");
    check(io_source_step_count(source) == 2, "expected 2 steps");
    check(io_source_steps(source)[1].number == 10, "the number of the second step");
    check(io_source_has_field(source, 0, find_field(source, "pressure")),
          "pressure at the first step");
    check_box(source, &(expected){1, 0, find_field(source, "pressure"), 3, 0.0});
    io_source_close(&source);
    write_text("FORMAT\ntype: master_server gold\nSERVERS\nnumber of servers: 1\n"
               "casefile: flow.case\n");
    check(open_case(&source) != STATUS_OK, "a case file that names itself is refused");
    io_source_close(&source);
}

/* A grid that moves at some of the steps, and a variable in two files of a set: the
 * first has two steps, the second three. */
static void files_of_sets_are_found(void)
{
    io_source *source = NULL;
    ensight_style style = {.is_binary = true, .in_one_file = true, .steps = 2};
    write_case(&style);
    if (is_root()) {
        char first[512];
        snprintf(first, sizeof first, "%s", test_path("flow.p.1"));
        rename(ensight_path(&style, 2, 0), first);
        style.steps = 3;
        ensight_write(&style);
        snprintf(first, sizeof first, "%s", test_path("flow.p.2"));
        rename(ensight_path(&style, 2, 0), first);
        ensight_write(&(ensight_style){.is_binary = true, .moves = true, .steps = 2});
    }
    write_text("FORMAT\ntype: ensight gold\nGEOMETRY\nmodel: 2 flow.geo.***\nVARIABLE\n"
               "scalar per node: 1 7 Pressure flow.p.*\nTIME\ntime set: 1\n"
               "number of steps: 5\ntime values: 0 1 2 3 4\ntime set: 2\n"
               "number of steps: 2\nfilename start number: 5\nfilename increment: 5\n"
               "time values: 1 3\nFILE\nfile set: 7\nfilename index: 1\n"
               "number of steps: 2\nfilename index: 2\nnumber of steps: 3\n");
    if (check_ok(open_case(&source), "opening")) {
        static const int steps[] = {0, 1, 0, 1, 2}, grids[] = {0, 0, 0, 1, 1};
        const int pressure = find_field(source, "pressure");
        check(io_source_step_count(source) == 5, "expected 5 steps");
        for (int n = 0; n < 5; n++) {
            const double more = 4096.0 * (steps[n] - n);
            check_box(source, &(expected){n, 0, pressure, 3, more});
            check_box(source, &(expected){n, 0, IO_ARRAY_Y, 1, 8.0 * grids[n]});
        }
    }
    io_source_close(&source);
    test_file_remove(test_path("flow.p.1"));
    test_file_remove(test_path("flow.p.2"));
}

/* Writes a number over the bytes of a file: `at` is counted from its end if it is below
 * 0. */
static void overwrite(const char *file, long at, uint32_t number)
{
    if (is_root()) {
        FILE *f = fopen(file, "r+b");
        fseek(f, at, at < 0 ? SEEK_END : SEEK_SET);
        for (int n = 0; n < 4; n++) {
            fputc((int)(number >> (8 * n) & 255), f);
        }
        fclose(f);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void check_refused(const char *what)
{
    io_source *source = NULL;
    check(open_case(&source) == STATUS_INPUT, "%s", what);
    io_source_close(&source);
}

/* A part has other sizes at the second step: it is another block of the same name. */
static void check_sizes(void)
{
    const int64_t turned[3] = {ENSIGHT_NJ, ENSIGHT_NI, ENSIGHT_NK};
    io_source *source = NULL;
    check_ok(open_case(&source), "a part of another size at the second step");
    for (int step = 0; source && step < 2; step++) {
        int count = 0;
        check_ok(io_source_choose_grid(source, step), "the grid of a step");
        for (int b = 0; b < io_source_block_count(source); b++) {
            const grid_block *block = &io_source_blocks(source)[b];
            count += memcmp(block->n, turned, sizeof turned) == 0;
        }
        check(count == step, "%d blocks have the other size at step %d", count, step);
    }
    io_source_close(&source);
}

static void other_sizes_are_read(void)
{
    enum { SIZES = 748, CELLS = (ENSIGHT_NI - 1) * (ENSIGHT_NJ - 1) * (ENSIGHT_NK - 1) };
    const ensight_style moving = {.is_binary = true, .moves = true, .steps = 2};
    write_case(&moving);
    overwrite(ensight_path(&moving, 1, 1), SIZES, ENSIGHT_NJ);
    overwrite(ensight_path(&moving, 1, 1), SIZES + 4, ENSIGHT_NI);
    check_sizes();
    write_case(&forms[3]);
    overwrite(ensight_path(&forms[3], 4, 0), -4, 4 * CELLS - 4);
    check_refused("a mark behind a record that is not that before it");
    write_case(&forms[3]);
    overwrite(ensight_path(&forms[3], 4, 0), -8 - 4 * CELLS, 4 * CELLS - 4);
    check_refused("a record of another length than its part");
}

static void bad_files_are_refused(void)
{
    static const char *const texts[] = {
        "FORMAT\ntype: ensight\nGEOMETRY\nmodel: flow.geo\n",
        "FORMAT\ntype: ensight gold\n",
        "FORMAT\ntype: ensight gold\nGEOMETRY\nmodel: lost.geo\n",
        "FORMAT\ntype: ensight gold\nGEOMETRY\nmodel: flow.p\n",
        "FORMAT\ntype: ensight gold\nGEOMETRY\nmodel: flow.geo\nVARIABLE\n"
        "scalar per node: p\n",
        "FORMAT\ntype: ensight gold\nGEOMETRY\nmodel: flow.geo\nTIME\ntime set: 1\n"
        "number of steps: 99999999999\ntime values: 1 2\n",
        "FORMAT\ntype: ensight gold\nGEOMETRY\nmodel: flow.geo\nTIME\ntime set: 1\n"
        "number of steps: 1\ntime values: one\n",
        "FORMAT\ntype: ensight gold\nGEOMETRY\nmodel: 1 1 flow.geo\nTIME\ntime set: 1\n"
        "number of steps: 2\ntime values: 1 2\nFILE\nfile set: 1\nnumber of steps: 1\n"};
    write_case(&(ensight_style){.is_six = true, .is_binary = true, .is_fortran = true});
    check_refused("Fortran binary of EnSight 6");
    check_case(&forms[1]);
    for (size_t n = 0; n < sizeof texts / sizeof texts[0]; n++) {
        io_source *source = NULL;
        write_text(texts[n]);
        check(open_case(&source) == STATUS_INPUT, "case %d is refused", (int)n);
        io_source_close(&source);
    }
}

/* Cuts bytes off a file; how many are left. */
static int64_t cut_file(const char *file, int64_t bytes)
{
    int64_t left = 0;
    if (is_root()) {
        FILE *f = fopen(file, "rb");
        fseek(f, 0, SEEK_END);
        left = ftell(f) - bytes;
        fclose(f);
        check(left <= 0 || truncate(file, left) == 0, "cutting");
    }
    parallel_bcast(&left, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
    return left;
}

/* A file cut anywhere is refused, or lacks parts: it never gives other values. Of text, a
 * cut takes the last number at least. */
static void cut_files_are_refused(void)
{
    for (int n = 0; n < FORMS * 4; n++) {
        const ensight_style *style = &forms[n / 4];
        const int file = 1 + n % 4;
        for (int64_t cut = style->is_binary ? 4 : 20;; cut += 173) {
            io_source *source = NULL;
            write_case(style);
            if (cut_file(ensight_path(style, file, 0), cut) <= 0) {
                break;
            }
            if (open_case(&source) == STATUS_OK) {
                static const char *const fields[] = {"pressure", "velocity_z", "load"};
                const char *name = fields[file > 1 ? file - 2 : 0];
                const bool lacks =
                    file == 1
                        ? io_source_block_count(source) < 3
                        : look_for_field(source, name) < 0 ||
                              isnan(value_at(source, 0, file == 2 ? 1 : 2, 1, name));
                check(lacks, "a cut of %d bytes shows", (int)cut);
            }
            io_source_close(&source);
        }
    }
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    base_log_configure(false);
    test_folder_create("test_io_ensight");
    run_test("all forms are read", all_forms_are_read);
    run_test("steps are found", steps_are_found);
    run_test("sets are joined", sets_are_joined);
    run_test("files of sets are found", files_of_sets_are_found);
    run_test("other sizes are read", other_sizes_are_read);
    run_test("bad files are refused", bad_files_are_refused);
    run_test("cut files are refused", cut_files_are_refused);
    MPI_Barrier(MPI_COMM_WORLD);
    if (is_root()) {
        ensight_remove();
    }
    test_folder_remove();
    const int code = finish_tests();
    MPI_Finalize();
    return code;
}
