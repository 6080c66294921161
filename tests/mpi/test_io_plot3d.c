/* PLOT3D files of every form give the values that were written, on any number of ranks.
 */
#include "base/log.h"
#include "base/parallel/nodes.h"
#include "io/source.h"
#include "test_io_values.h"
#include "test_plot3d_support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const test_block blocks[] = {
    {.name = "block_1", .n = {7, 5, 4}, .has_iblank = true},
    {.name = "block_2", .n = {3, 9, 6}, .has_iblank = true, .is_ring = true},
    {.name = "block_3", .n = {20, 2, 3}, .has_iblank = true},
};
static const test_block flat = {.name = "flat", .n = {6, 4, 1}};
static const test_block plain = {.name = "block_1", .n = {6, 4, 3}};

/* ---- Values ------------------------------------------------------------------------ */

static void read_array(io_source *source, int b, int array, int step, bool is_single)
{
    const array_check c = {.block =
                               &(io_source_block_count(source) > 1 ? blocks : &plain)[b],
                           .number = b,
                           .array = array,
                           .step = step,
                           .field = array,
                           .is_single = is_single};
    check_array(source, &c);
}

/* Reads all arrays of a source. `fields`: of q files. */
static void read_all(const io_data_config *config, bool has_iblank, int fields,
                     bool is_single)
{
    io_source *source = NULL;
    if (!check_ok(io_source_open(MPI_COMM_WORLD, config, &source), config->file)) {
        return;
    }
    check(io_source_field_count(source) == fields, "expected %d fields, got %d", fields,
          io_source_field_count(source));
    for (int b = 0; b < io_source_block_count(source); b++) {
        check(io_source_blocks(source)[b].has_iblank == has_iblank, "iblank");
        for (int array = IO_ARRAY_X; array <= IO_ARRAY_Z + has_iblank; array++) {
            read_array(source, b, array, 0, is_single);
        }
        for (int step = 0; step < io_source_step_count(source); step++) {
            for (int field = 0; field < fields; field++) {
                read_array(source, b, field, step, true);
            }
        }
    }
    io_source_close(&source);
}

/* ---- Forms ------------------------------------------------------------------------- */

/* Bytes or text that follow the values of both files. */
static struct {
    size_t count;
    const char *bytes;
} behind;

static void append(const char *path)
{
    FILE *stream = behind.count > 0 ? fopen(path, "ab") : NULL;
    if (stream) {
        check(fwrite(behind.bytes, behind.count, 1, stream) == 1 && fclose(stream) == 0,
              "'%s' cannot be made longer", path);
    }
}

static bool packs; /* files are compressed */

static void write_pair(const char *grid, const char *q, plot3d_form form)
{
    if (is_root()) {
        const int nblocks = form.is_multi ? 3 : 1;
        const test_block *first = form.is_multi ? blocks : &plain;
        form.kind = FORM_Q;
        plot3d_write(q, &form, nblocks, first, 0, 0.5);
        form.kind = FORM_GRID;
        form.is_overflow = false;
        plot3d_write(grid, &form, nblocks, first, 0, 0.0);
        append(grid);
        append(q);
        if (packs) {
            file_gzip(grid);
            file_gzip(q);
        }
    }
    parallel_agree(MPI_COMM_WORLD, STATUS_OK);
}

/* Writes a grid and a q file of a form, and reads them. */
static void try_form(plot3d_form form)
{
    char grid[512], q[512];
    snprintf(grid, sizeof grid, "%s", test_path("form.xyz"));
    snprintf(q, sizeof q, "%s", test_path("form.q"));
    write_pair(grid, q, form);
    const io_data_config config = {.file = grid};
    read_all(&config, form.is_multi, form.is_overflow ? FORM_OVERFLOW : 5,
             form.real == 4 && !form.is_text);
    test_file_remove(grid);
    test_file_remove(q);
}

static void every_form_is_recognised(void)
{
    static const int marks[] = {0, 4, 8};
    for (int n = 0; n < 3 * 2 * 2 * 2; n++) {
        try_form((plot3d_form){.mark = marks[n % 3],
                               .is_big = n / 3 % 2 == 1,
                               .real = n / 6 % 2 == 1 ? 8 : 4,
                               .is_multi = n / 12 == 1});
    }
}

static void text_is_recognised(void)
{
    try_form((plot3d_form){.is_text = true, .real = 8});
    try_form((plot3d_form){.is_text = true, .real = 8, .is_multi = true});
}

static void files_may_be_compressed(void)
{
    packs = true;
    text_is_recognised();
    try_form((plot3d_form){.mark = 4, .real = 4, .is_multi = true});
    packs = false;
}

static void long_headers_of_overflow_are_recognised(void)
{
    for (int n = 0; n < 16; n++) {
        try_form((plot3d_form){.mark = n % 2 == 0 ? 0 : 4,
                               .is_big = n / 2 % 2 == 1,
                               .real = n / 4 % 2 == 0 ? 4 : 8,
                               .is_multi = true,
                               .has_one_species = n / 8 == 1,
                               .is_overflow = true});
    }
}

static void records_in_parts_are_joined(void)
{
    try_form((plot3d_form){.mark = 4, .part = 700, .real = 4, .is_multi = true});
    try_form((plot3d_form){.mark = 4, .part = 333, .real = 8, .is_big = true});
}

/* The nodes of the test have one rank each. */
static void ranks_of_several_nodes_read_together(void)
{
    parallel_test_node_size = 1;
    try_form((plot3d_form){.mark = 4, .part = 700, .real = 4, .is_multi = true});
    try_form((plot3d_form){.real = 8, .is_big = true});
    parallel_test_node_size = 0;
}

/* Zeros up to a block of the disk, and what happened to be in memory, as in public files.
 */
static void bytes_behind_the_values_are_passed_over(void)
{
    static const char zeros[512] = "", odd[] = "\1\2\3~~~~\7\377\200 words";
    for (int n = 0; n < 2 * 3 * 2 * 2; n++) {
        behind.count = n % 2 == 0 ? sizeof zeros : sizeof odd;
        behind.bytes = n % 2 == 0 ? zeros : odd;
        try_form((plot3d_form){.mark = (const int[]){0, 4, 8}[n / 2 % 3],
                               .is_big = n / 6 % 2 == 1,
                               .real = n / 12 == 1 ? 8 : 4,
                               .is_multi = n % 5 > 1});
    }
    behind.count = 4;
    behind.bytes = " 0 0";
    try_form((plot3d_form){.is_text = true, .real = 8});
    behind.count = 0;
}

/* ---- Names ------------------------------------------------------------------------- */

/* Files of a folder, what karman finds in it, and what it says of them. */
typedef struct name_case {
    const char *grid, *files[3];
    form_kind kind;
    long keep; /* bytes of them that stay; 0: all */
    int steps, fields;
    const char *note;
} name_case;

static const name_case name_cases[] = {
    {"plot3dg.bin", {"plot3dq.bin"}, FORM_Q, 0, 1, 5, "plot3dq.bin"},
    {"mesh.bin", {"result"}, FORM_Q, 0, 1, 5, "result (float32"},
    {"mesh.bin", {"extra.bin"}, FORM_FUNCTION, 0, 1, FORM_FUNCTIONS, "extra.bin"},
    {"mesh.bin", {"flow7.dat", "flow12.dat"}, FORM_Q, 0, 2, 5, "2 files"},
    {"mesh.bin", {"one", "other"}, FORM_Q, 0, 0, 0, "2 files fit the grid"},
    {"mesh.bin", {"twin.bin"}, FORM_GRID, 0, 0, 0, "was not found"},
    {"wing.xyz", {"wing.q"}, FORM_Q, 300, 0, 0, "wing.q' is truncated"},
    {"wing.xyz", {"wing.q", "late.bin"}, FORM_Q, 0, 1, 5, "wing.q"},
};

static void try_names(const name_case *c, bool is_text)
{
    char path[600];
    plot3d_form form = {
        .real = is_text ? 8 : 4, .is_text = is_text, .mark = is_text ? 0 : 4};
    for (int n = 0; n < 3 && c->files[n] && is_root(); n++) {
        form.kind = c->kind;
        snprintf(path, sizeof path, "%s", test_path(c->files[n]));
        plot3d_write(path, &form, 1, &plain, 0, 0.0);
        check(c->keep == 0 || truncate(path, c->keep) == 0, "'%s' cannot be cut", path);
    }
    snprintf(path, sizeof path, "%s", test_path(c->grid));
    form.kind = FORM_GRID;
    if (is_root()) {
        plot3d_write(path, &form, 1, &plain, 0, 0.0);
    }
    parallel_agree(MPI_COMM_WORLD, STATUS_OK);
    const io_data_config config = {.file = path};
    io_source *source = NULL;
    if (check_ok(io_source_open(MPI_COMM_WORLD, &config, &source), c->grid)) {
        check(io_source_step_count(source) == c->steps &&
                  io_source_field_count(source) == c->fields &&
                  (is_text || strstr(io_source_notes(source), c->note)),
              "%s, %s: %d steps, %d fields, %s", c->grid, c->files[0],
              io_source_step_count(source), io_source_field_count(source),
              io_source_notes(source));
    }
    io_source_close(&source);
    test_file_remove(path);
    for (int n = 0; n < 3 && c->files[n]; n++) {
        test_file_remove(test_path(c->files[n]));
    }
}

static void files_of_any_name_are_found_by_their_length(void)
{
    const int count = sizeof name_cases / sizeof name_cases[0];
    for (int n = 0; n < 2 * count; n++) {
        if (n < count || name_cases[n % count].keep == 0) {
            try_names(&name_cases[n % count], n >= count);
        }
    }
}

/* ---- Flat grids -------------------------------------------------------------------- */

/* A grid in two dimensions, or with one vertex along k, is a sheet of two planes: z is
 * off by some of its size, and the values are alike. */
static void a_flat_grid_is_a_sheet(void)
{
    for (int n = 0; n < 4; n++) {
        plot3d_form form = {
            .real = 4, .mark = 4, .is_flat = n % 2 == 0, .is_multi = n > 1};
        char grid[512], q[512];
        snprintf(grid, sizeof grid, "%s", test_path("flat.xyz"));
        snprintf(q, sizeof q, "%s", test_path("flat.q"));
        if (is_root()) {
            plot3d_write(grid, &form, 1, &flat, 0, 0.0);
            form.kind = FORM_Q;
            plot3d_write(q, &form, 1, &flat, 0, 0.0);
        }
        parallel_agree(MPI_COMM_WORLD, STATUS_OK);
        const io_data_config config = {.file = grid};
        io_source *source = NULL;
        double z[2] = {-1.0, -1.0};
        float energy[2] = {0.0F, 0.0F}, momentum = -1.0F;
        const io_box box = {{5, 3, 0}, {1, 1, 2}}, upper = {{5, 3, 1}, {1, 1, 1}};
        check_ok(io_source_open(MPI_COMM_WORLD, &config, &source), "a flat grid");
        if (source) {
            check_ok(io_source_read(source, IO_GRID_STEP, 0, IO_ARRAY_Z, &box, z), "z");
            check_ok(io_source_read(source, 0, 0, 4, &box, energy), "energy");
            check_ok(io_source_read(source, 0, 0, 3, &upper, &momentum), "momentum");
            const float expected = (float)block_value(form.is_flat ? 3 : 4, 0, 5, 3, 0);
            check(io_source_blocks(source)[0].n[2] == 2 &&
                      io_source_field_count(source) == 5,
                  "%lld planes", (long long)io_source_blocks(source)[0].n[2]);
            check(fabs(z[1] - z[0]) > 1e-3 && fabs(z[1] - z[0]) < 0.1, "z is %g and %g",
                  z[0], z[1]);
            check(energy[0] == expected && energy[1] == expected,
                  "energy: %g and %g, not %g", (double)energy[0], (double)energy[1],
                  (double)expected);
            check(!form.is_flat || momentum == 0.0F, "momentum_z: %g", (double)momentum);
        }
        io_source_close(&source);
        test_file_remove(grid);
        test_file_remove(q);
    }
}

/* Fortran writes asterisks for a number that its format cannot hold. */
static void asterisks_in_a_text_are_a_missing_value(void)
{
    static const char *const texts[] = {
        "2 2 2\n 0 1 0 1 0 1 0 1\n 0 0 1 1 0 0 1 1\n 4*0. 4*1.\n",
        "2 2 2\n 0.5 2 1e6 0.25\n 3*1.5 **** 4*1.5 32*0.25\n"};
    char paths[2][512];
    for (int n = 0; n < 2; n++) {
        snprintf(paths[n], sizeof paths[n], "%s", test_path(n == 0 ? "t.xyz" : "t.q"));
        FILE *stream = is_root() ? fopen(paths[n], "w") : NULL;
        check(!is_root() ||
                  (stream && fputs(texts[n], stream) >= 0 && fclose(stream) == 0),
              "'%s' cannot be written", paths[n]);
    }
    parallel_agree(MPI_COMM_WORLD, STATUS_OK);
    const io_data_config config = {.file = paths[0]};
    io_source *source = NULL;
    float values[8] = {0.0F};
    const io_box box = {{0, 0, 0}, {2, 2, 2}};
    if (check_ok(io_source_open(MPI_COMM_WORLD, &config, &source), "a text") &&
        check_ok(io_source_read(source, 0, 0, 0, &box, values), "density")) {
        check(isnan(values[3]) && values[2] == 1.5F && values[4] == 1.5F, "%g %g %g",
              (double)values[2], (double)values[3], (double)values[4]);
    }
    io_source_close(&source);
    test_file_remove(paths[0]);
    test_file_remove(paths[1]);
}

/* ---- Steps ------------------------------------------------------------------------- */

static void write_steps(const char *grid)
{
    static const int64_t numbers[] = {5, 20, 100};
    plot3d_form form = {.real = 4, .is_multi = true};
    for (int n = 0; n < 3; n++) {
        char path[600];
        form.kind = FORM_Q;
        snprintf(path, sizeof path, "%s.q%04d", grid, (int)numbers[n]);
        plot3d_write(path, &form, 3, blocks, numbers[n], 0.25 * (double)numbers[n]);
        form.kind = FORM_FUNCTION;
        snprintf(path, sizeof path, "%s.%d.f", grid, (int)numbers[n] + (n == 2));
        plot3d_write(path, &form, 3, blocks, numbers[n], 0.0);
    }
    /* Two digits are not four. */
    form.kind = FORM_Q;
    plot3d_write(test_path("steps.q99"), &form, 3, blocks, 99, 0.0);
    FILE *names = fopen(test_path("steps.nam"), "w");
    check(names && fputs("Pressure\nmy value; vector\n", names) >= 0 &&
              fclose(names) == 0,
          "the names cannot be written");
    form.kind = FORM_GRID;
    plot3d_write(grid, &form, 3, blocks, 0, 0.0);
}

static void check_steps(const io_source *source)
{
    static const int64_t numbers[] = {5, 20, 100, 101};
    static const double times[] = {1.25, 5.0, 25.0, 101.0};
    const int count = io_source_step_count(source);
    check(count == 4, "expected 4 steps, got %d", count);
    for (int n = 0; n < count && n < 4; n++) {
        const io_step *step = &io_source_steps(source)[n];
        check(step->number == numbers[n] && step->time == times[n], "step %d: %lld at %g",
              n, (long long)step->number, step->time);
        check(io_source_has_field(source, n, 0) == (n < 3), "q at step %d", n);
        check(io_source_has_field(source, n, 5) == (n != 2), "functions at step %d", n);
    }
    const grid_field *fields = io_source_fields(source);
    check(io_source_field_count(source) == 7 && strcmp(fields[4].name, "energy") == 0 &&
              strcmp(fields[5].name, "pressure") == 0 &&
              strcmp(fields[6].name, "my_value") == 0,
          "the names of fields");
}

static void read_function(io_source *source)
{
    const int64_t *n = blocks[1].n;
    const io_box box = {{0, 0, 0}, {n[0], 1, 1}};
    float values[8];
    if (check_ok(io_source_read(source, 1, 1, 6, &box, values), "function")) {
        check((double)values[2] == block_value(21, 20, 2, 0, 0), "function: %g",
              (double)values[2]);
    }
    check(io_source_read(source, 3, 1, 0, &box, values) == STATUS_INPUT &&
              strstr(base_fail_message(), "has no field 'density'"),
          "a missing step: '%s'", base_fail_message());
    base_fail_set_message("");
}

static void remove_steps(const char *grid)
{
    static const char *const names[] = {"",      ".q0005", ".q0020", ".q0100", ".5.f",
                                        ".20.f", ".101.f", ".nam",   ".q99"};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        char path[600];
        snprintf(path, sizeof path, "%s%s", grid, names[n]);
        test_file_remove(path);
    }
}

static void steps_and_functions_have_files_of_their_own(void)
{
    char grid[512], q[520], function[520], names[512];
    snprintf(grid, sizeof grid, "%s", test_path("steps"));
    snprintf(names, sizeof names, "%s", test_path("steps.nam"));
    snprintf(q, sizeof q, "%s.q%%04d", grid);
    snprintf(function, sizeof function, "%s.%%d.f", grid);
    if (is_root()) {
        write_steps(grid);
    }
    parallel_agree(MPI_COMM_WORLD, STATUS_OK);
    io_plot3d_config plot3d = {.q = q, .function = function, .names = names};
    const io_data_config config = {.file = grid, .plot3d = &plot3d};
    io_source *source = NULL;
    if (check_ok(io_source_open(MPI_COMM_WORLD, &config, &source), "steps")) {
        check_steps(source);
        read_function(source);
    }
    io_source_close(&source);
    remove_steps(grid);
}

/* ---- Bad files --------------------------------------------------------------------- */

/* A grid, its q file, and what is wrong with the latter or with both. */
typedef struct bad_file {
    const char *what;
    plot3d_form grid, q;
    long keep; /* bytes of the q file that stay; 0: all */
    const char *fragment;
} bad_file;

#define FORTRAN .mark = 4, .real = 4
static const bad_file bad_files[] = {
    {"half of a Fortran file", {FORTRAN}, {FORTRAN, .kind = FORM_Q}, 600, "truncated"},
    {"half of a plain file", {.real = 4}, {.real = 4, .kind = FORM_Q}, 600, "truncated"},
    {"a text cut off",
     {.is_text = true, .real = 8},
     {.is_text = true, .real = 8, .kind = FORM_Q},
     600,
     "truncated"},
    {"sizes alone",
     {FORTRAN},
     {FORTRAN, .kind = FORM_Q},
     20,
     "does not begin with the sizes"},
    {"nothing", {FORTRAN}, {FORTRAN, .kind = FORM_Q}, 1, "does not begin with the sizes"},
    {"a grid as solution", {FORTRAN}, {FORTRAN}, 0, "is a PLOT3D grid"},
    {"more blocks than the grid",
     {FORTRAN},
     {FORTRAN, .kind = FORM_Q, .is_multi = true},
     0,
     "has 3 blocks, but its grid has 1"},
    {"a flat grid",
     {FORTRAN, .is_flat = true},
     {FORTRAN, .kind = FORM_Q},
     0,
     "has 6 x 4 x 3 vertices, but that of its grid has 6 x 4 x 1"},
};

static status open_and_read(const io_data_config *config)
{
    io_source *source = NULL;
    status s = io_source_open(MPI_COMM_WORLD, config, &source);
    if (s == STATUS_OK) {
        float value;
        const int64_t *n = plain.n;
        const io_box last = {{n[0] - 1, n[1] - 1, n[2] - 1}, {1, 1, 1}};
        s = parallel_agree(MPI_COMM_WORLD,
                           io_source_read(source, 0, 0, 4, &last, &value));
    }
    io_source_close(&source);
    return s;
}

static void expect_failure(const io_data_config *config, const bad_file *bad)
{
    status s = open_and_read(config);
    check(s == STATUS_INPUT && strstr(base_fail_message(), bad->fragment),
          "%s: expected '%s', got %d: '%s'", bad->what, bad->fragment, (int)s,
          base_fail_message());
    base_fail_set_message("");
}

static void write_bad(const bad_file *bad, const char *grid, const char *q)
{
    if (is_root()) {
        plot3d_write(grid, &bad->grid, 1, bad->grid.is_flat ? &flat : &plain, 0, 0.0);
        plot3d_write(q, &bad->q, bad->q.is_multi ? 3 : 1,
                     bad->q.is_multi ? blocks : &plain, 0, 0.0);
        check(bad->keep == 0 || truncate(q, bad->keep) == 0, "'%s' cannot be cut", q);
    }
    parallel_agree(MPI_COMM_WORLD, STATUS_OK);
}

static void bad_files_are_refused_in_one_sentence(void)
{
    char grid[512], q[512];
    snprintf(grid, sizeof grid, "%s", test_path("bad.xyz"));
    snprintf(q, sizeof q, "%s", test_path("other.bin"));
    io_plot3d_config plot3d = {.q = q};
    const io_data_config config = {.file = grid, .plot3d = &plot3d};
    for (size_t n = 0; n < sizeof bad_files / sizeof bad_files[0]; n++) {
        write_bad(&bad_files[n], grid, q);
        expect_failure(&config, &bad_files[n]);
    }
    write_bad(&bad_files[0], grid, q);
    test_file_remove(q);
    expect_failure(&config, &(bad_file){.what = "no q file", .fragment = "other.bin"});
    test_file_remove(grid);
    expect_failure(&config,
                   &(bad_file){.what = "no grid", .fragment = "cannot be opened"});
}

/* A form that the config names must be that of the file. */
static void a_wrong_form_is_refused(void)
{
    char grid[512], q[512];
    snprintf(grid, sizeof grid, "%s", test_path("named.xyz"));
    snprintf(q, sizeof q, "%s", test_path("named.q"));
    write_pair(grid, q, (plot3d_form){FORTRAN});
    const io_plot3d_config wrong[] = {{.byte_order = IO_PLOT3D_BIG},
                                      {.records = IO_PLOT3D_PLAIN},
                                      {.precision = IO_PLOT3D_FLOAT64},
                                      {.iblank = IO_PLOT3D_YES},
                                      {.blocks = IO_PLOT3D_SEVERAL}};
    io_plot3d_config plot3d = {.byte_order = IO_PLOT3D_LITTLE,
                               .records = IO_PLOT3D_FORTRAN,
                               .precision = IO_PLOT3D_FLOAT32,
                               .iblank = IO_PLOT3D_NO,
                               .blocks = IO_PLOT3D_ONE};
    const io_data_config config = {.file = grid, .plot3d = &plot3d};
    check_ok(open_and_read(&config), "the right form");
    for (size_t n = 0; n < sizeof wrong / sizeof wrong[0]; n++) {
        plot3d = wrong[n];
        expect_failure(&config,
                       &(bad_file){.what = "a wrong form", .fragment = "PLOT3D grid"});
    }
    test_file_remove(grid);
    test_file_remove(q);
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    base_log_configure(false);
    test_folder_create("test_io_plot3d");
    run_test("every form is recognised", every_form_is_recognised);
    run_test("text is recognised", text_is_recognised);
    run_test("files may be compressed", files_may_be_compressed);
    run_test("long headers of OVERFLOW are recognised",
             long_headers_of_overflow_are_recognised);
    run_test("records in parts are joined", records_in_parts_are_joined);
    run_test("ranks of several nodes read together",
             ranks_of_several_nodes_read_together);
    run_test("bytes behind the values are passed over",
             bytes_behind_the_values_are_passed_over);
    run_test("files of any name are found by their length",
             files_of_any_name_are_found_by_their_length);
    run_test("a flat grid is a sheet", a_flat_grid_is_a_sheet);
    run_test("asterisks in a text are a missing value",
             asterisks_in_a_text_are_a_missing_value);
    run_test("steps and functions have files of their own",
             steps_and_functions_have_files_of_their_own);
    run_test("bad files are refused in one sentence",
             bad_files_are_refused_in_one_sentence);
    run_test("a wrong form is refused", a_wrong_form_is_refused);
    test_folder_remove();
    int code = finish_tests();
    MPI_Finalize();
    return code;
}
