/* Tecplot files in text give the values that were written, on any number of ranks;
 * damaged ones are refused. */
#include "base/log.h"
#include "base/parallel/parallel.h"
#include "io/source.h"
#include "io/view.h"
#include "test_io_support.h"
#include "test_tecplot_support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[512];
static bool packs; /* files are compressed */

static void write_file(tecplot_writer *write)
{
    MPI_Barrier(MPI_COMM_WORLD); /* nobody reads the last one */
    if (parallel_rank(MPI_COMM_WORLD) == 0) {
        FILE *f = fopen(path, "wb");
        write(f);
        fclose(f);
        if (packs) {
            file_gzip(path);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* ---- Checks ------------------------------------------------------------------------ */

static io_source *open_file(tecplot_writer *write)
{
    const io_data_config config = {.file = (char *)path};
    io_source *source = NULL;
    write_file(write);
    check_ok(io_source_open(MPI_COMM_WORLD, &config, &source), "opening");
    return source;
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

/* Compares a box of an array that holds `variable`, and `more`. */
static void check_box(io_source *source, const io_view_array *at, int variable,
                      double more)
{
    const io_box box = {{1, 1, 0}, {2, 2, 2}};
    double values[8];
    const status s = at->array < 0 ? io_source_read(source, at->step, at->block,
                                                    at->array, &box, values)
                                   : io_source_read_doubles(source, at->step, at->block,
                                                            at->array, &box, values);
    check_ok(s, "a box");
    for (int n = 0; n < 8; n++) {
        const double right =
            tecplot_number(variable, 1 + n % 2, 1 + n / 2 % 2, n / 4) + more;
        check(values[n] == right, "variable %d: %g is no %g", variable, values[n], right);
    }
}

static void check_block(io_source *source, int step, int block, double more)
{
    for (int axis = 0; axis < 3; axis++) {
        check_box(source, &(io_view_array){step, block, IO_ARRAY_X + axis}, axis, 0.0);
    }
    check_box(source, &(io_view_array){step, block, find_field(source, "velocity_x")}, 4,
              more);
}

static void all_packings_are_read(void)
{
    for (int n = 0; n < 2; n++) {
        io_source *source = open_file(n == 0 ? tecplot_block : tecplot_point);
        if (source) {
            const int pressure = find_field(source, "pressure");
            check_block(source, 0, 0, 0.0);
            check_box(source, &(io_view_array){0, 0, pressure}, 3, 0.0);
            check(io_source_field_count(source) == 2, "expected 2 fields");
            check(io_source_fields(source)[pressure].location ==
                      (n == 0 ? GRID_CELL : GRID_VERTEX),
                  "the location of pressure");
            check(strcmp(io_source_unpacking(source, pressure)->unit, "Pa") == 0,
                  "a unit");
            check(strcmp(io_source_blocks(source)[0].name,
                         n == 0 ? "a_block" : "zone_2") == 0,
                  "the name %s", io_source_blocks(source)[0].name);
            check(io_source_blocks(source)[0].has_iblank, "iblank");
            check(io_source_steps(source)[0].time == (n == 0 ? 7.0 : 0.0), "the time");
        }
        io_source_close(&source);
    }
}

static void files_may_be_compressed(void)
{
    packs = true;
    all_packings_are_read();
    packs = false;
}

static void strands_are_steps(void)
{
    io_source *source = open_file(tecplot_strand);
    if (source) {
        check(io_source_block_count(source) == 2, "expected 2 blocks");
        check(io_source_step_count(source) == 2, "expected 2 steps");
        check(io_source_steps(source)[1].time == 1.5, "the time");
        check(!io_source_moves(source), "the grid rests");
        check_block(source, 0, 1, 0.0);
        check_block(source, 1, 1, 1000.0);
        check_block(source, 1, 0, 0.0);
    }
    io_source_close(&source);
    source = open_file(tecplot_moving);
    if (source) {
        check(io_source_moves(source), "the grid moves");
        check_box(source, &(io_view_array){1, 0, IO_ARRAY_Y}, 1, 1000.0);
        check_box(source, &(io_view_array){0, 0, IO_ARRAY_Y}, 1, 0.0);
    }
    io_source_close(&source);
}

static void blocks_may_share_a_strand(void)
{
    io_source *source = open_file(tecplot_pair);
    if (source) {
        check(io_source_block_count(source) == 2, "expected 2 blocks");
        check(io_source_step_count(source) == 2, "expected 2 steps");
        for (int zone = 0; zone < 4; zone++) {
            check_block(source, zone / 2, zone % 2, 1000.0 * zone);
        }
    }
    io_source_close(&source);
}

enum { MANY = 1500 };

/* Many zones of one name, at two times; of every third the sizes change. */
static void write_many(FILE *f)
{
    fprintf(f, "VARIABLES = X Y Z p\n");
    for (int n = 0; n < 2 * MANY; n++) {
        const int block = n % MANY, time = n / MANY;
        const int ni = block % 3 == 0 ? 2 + time : 2;
        fprintf(f, "ZONE T=zone I=%d J=2 K=2 STRANDID=%d SOLUTIONTIME=%d F=BLOCK\n", ni,
                1 + block % 7, time);
        for (int v = 0; v < 3 * ni * 4; v++) {
            fprintf(f, "%d ", v / ni / 4 == 0 ? 10 * block + v % ni : v);
        }
        fprintf(f, "\n%d*%d\n", ni * 4, n);
    }
}

static void many_zones_are_blocks_at_their_times(void)
{
    io_source *source = open_file(write_many);
    for (int step = 0; step < 2 && source; step++) {
        check_ok(io_source_choose_grid(source, step), "the grid of a step");
        const int count = io_source_block_count(source),
                  p = find_field(source, "pressure");
        check(count == MANY, "step %d has %d blocks", step, count);
        bool was_read[MANY] = {false};
        for (int b = 0; b < count && count == MANY; b++) {
            const io_box last = {{io_source_blocks(source)[b].n[0] - 1, 1, 1}, {1, 1, 1}};
            double value = 0.0, x = 0.0;
            check_ok(io_source_read(source, step, b, IO_ARRAY_X, &last, &x), "x");
            check_ok(io_source_read_doubles(source, step, b, p, &last, &value), "p");
            const int block = (int)x / 10, ni = block % 3 == 0 ? 2 + step : 2;
            check(x == 10.0 * block + ni - 1 && value == MANY * step + block,
                  "block %d at step %d: x %g, p %g", b, step, x, value);
            was_read[block < MANY ? block : 0] = true;
        }
        for (int b = 0; b < MANY; b++) {
            check(was_read[b], "zone %d is missing at step %d", b, step);
        }
    }
    io_source_close(&source);
}

/* ---- Damaged files ----------------------------------------------------------------- */

static void write_zero(FILE *f)
{
    tecplot_head(f);
    fprintf(f, "ZONE I=4 %c J=4 K=4 F=POINT\n", '\0');
}

static void write_too_many(FILE *f)
{
    tecplot_point(f);
    fprintf(f, "3\n");
}

static void write_huge(FILE *f)
{
    fprintf(f, "VARIABLES=X Y Z\nZONE I=99999999 J=99999999 K=99999999\n1 2 3\n");
}

static void write_unknown(FILE *f)
{
    fprintf(f, "VARIABLES=A B\nZONE I=2 J=2\n1 2 3 4 5 6 7 8\n");
}

static void write_share(FILE *f)
{
    fprintf(f, "VARIABLES=X Y\nZONE I=2 J=2 VARSHARELIST=([1-9999999999:0]=7)\n1 2 3\n");
}

static void write_word(FILE *f)
{
    fprintf(f, "VARIABLES=X Y\nZONE I=2 J=2\n1 2 3 4 5 six 7 8\n");
}

static void bad_files_are_refused(void)
{
    tecplot_writer *const writers[] = {tecplot_head, write_too_many, write_huge,
                                       write_zero,   write_unknown,  write_share,
                                       write_word};
    for (int n = 0; n < 7; n++) {
        const io_data_config config = {.file = (char *)path};
        io_source *source = NULL;
        write_file(writers[n]);
        check(io_source_open(MPI_COMM_WORLD, &config, &source) != STATUS_OK,
              "file %d is refused", n);
        io_source_close(&source);
    }
}

static void cut_files_are_refused(void)
{
    for (int64_t cut = 40;; cut += 97) {
        const io_data_config config = {.file = (char *)path};
        io_source *source = NULL;
        int64_t left = 0;
        write_file(cut % 2 == 0 ? tecplot_block : tecplot_point);
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

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    base_log_configure(false);
    test_folder_create("test_io_tecplot");
    snprintf(path, sizeof path, "%s", test_path("flow.dat"));
    run_test("all packings are read", all_packings_are_read);
    run_test("files may be compressed", files_may_be_compressed);
    run_test("strands are steps", strands_are_steps);
    run_test("blocks may share a strand", blocks_may_share_a_strand);
    run_test("many zones are blocks at their times",
             many_zones_are_blocks_at_their_times);
    run_test("bad files are refused", bad_files_are_refused);
    run_test("cut files are refused", cut_files_are_refused);
    test_file_remove(path);
    test_folder_remove();
    const int code = finish_tests();
    MPI_Finalize();
    return code;
}
