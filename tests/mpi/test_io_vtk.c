/* Legacy VTK files give the values that were written, on any number of ranks; damaged
 * ones are refused. */
#include "base/log.h"
#include "base/parallel/parallel.h"
#include "io/source.h"
#include "test_io_support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NI = 5, NJ = 4, NK = 3 };

static char path[512];

/* Numbers that float32 holds. */
static double number(int array, int i, int j, int k)
{
    return 1.0 + 0.25 * i + 2.0 * j + 16.0 * k + 128.0 * array;
}

/* ---- Writing ----------------------------------------------------------------------- */

static void put(FILE *f, bool is_text, double value)
{
    const float single = (float)value;
    unsigned char bytes[4], turned[4];
    if (is_text) {
        fprintf(f, "%.9g\n", value);
        return;
    }
    memcpy(bytes, &single, sizeof bytes);
    for (int n = 0; n < 4; n++) {
        turned[n] = bytes[3 - n];
    }
    fwrite(turned, 1, 4, f);
}

/* Tuples of `components` numbers, those of arrays from `array` on. */
static void put_tuples(FILE *f, bool is_text, const int n[3], int array, int components)
{
    for (int k = 0; k < n[2]; k++) {
        for (int j = 0; j < n[1]; j++) {
            for (int i = 0; i < n[0]; i++) {
                for (int c = 0; c < components; c++) {
                    put(f, is_text, number(array + c, i, j, k));
                }
            }
        }
    }
    fputc('\n', f);
}

static void put_fields(FILE *f, bool is_text)
{
    const int vertices[3] = {NI, NJ, NK}, cells[3] = {NI - 1, NJ - 1, NK - 1};
    fprintf(f, "CELL_DATA %d\nSCALARS pressure float\nLOOKUP_TABLE default\n",
            (NI - 1) * (NJ - 1) * (NK - 1));
    put_tuples(f, is_text, cells, 3, 1);
    fprintf(f, "POINT_DATA %d\nVECTORS velocity float\n", NI * NJ * NK);
    put_tuples(f, is_text, vertices, 4, 3);
    fprintf(f, "METADATA\nINFORMATION 0\n\nFIELD FieldData 1\ntemp%%20here 1 %d float\n",
            NI * NJ * NK);
    put_tuples(f, is_text, vertices, 7, 1);
}

static void write_head(FILE *f, bool is_text, const char *kind)
{
    fprintf(f, "# vtk DataFile Version 3.0\nof a test\n%s\nDATASET %s\n",
            is_text ? "ASCII" : "BINARY", kind);
    fprintf(f, "DIMENSIONS %d %d %d\n", NI, NJ, NK);
}

static void write_curvilinear(FILE *f, bool is_text)
{
    write_head(f, is_text, "STRUCTURED_GRID");
    fprintf(f, "POINTS %d float\n", NI * NJ * NK);
    put_tuples(f, is_text, (const int[3]){NI, NJ, NK}, 0, 3);
    put_fields(f, is_text);
}

static void write_rectilinear(FILE *f, bool is_text)
{
    static const int n[3] = {NI, NJ, NK};
    write_head(f, is_text, "RECTILINEAR_GRID");
    for (int axis = 0; axis < 3; axis++) {
        fprintf(f, "%c_COORDINATES %d float\n", "XYZ"[axis], n[axis]);
        for (int i = 0; i < n[axis]; i++) {
            put(f, is_text, 3.0 * i * i + axis);
        }
        fputc('\n', f);
    }
    put_fields(f, is_text);
}

/* Bits, eight in a byte unless they are text, and texts, before the fields. */
static void write_bits(FILE *f, bool is_text)
{
    write_head(f, is_text, "STRUCTURED_POINTS");
    fprintf(f, "ORIGIN 1 2 3\nSPACING 0.5 0.25 2\n");
    fprintf(f, "FIELD FieldData 1\nwriter 1 2 string\n%s\n",
            is_text ? "one\nand two" : "\303one\307and two");
    fprintf(f, "POINT_DATA %d\nSCALARS wet bit\nLOOKUP_TABLE default\n", NI * NJ * NK);
    for (int n = 0; n < (is_text ? NI * NJ * NK : (NI * NJ * NK + 7) / 8); n++) {
        fputs(is_text ? "1\n" : "\377", f);
    }
    fputc('\n', f);
    put_fields(f, is_text);
}

static void write_uniform(FILE *f, bool is_text)
{
    write_head(f, is_text, "STRUCTURED_POINTS");
    fprintf(f, "ORIGIN 1 2 3\nSPACING 0.5 0.25 2\n");
    put_fields(f, is_text);
}

typedef void writer(FILE *f, bool is_text);

static void write_file(writer *write, bool is_text)
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

static double place_of(writer *write, int axis, const int at[3])
{
    static const double origin[3] = {1, 2, 3}, spacing[3] = {0.5, 0.25, 2};
    return write == write_curvilinear   ? number(axis, at[0], at[1], at[2])
           : write == write_rectilinear ? 3.0 * at[axis] * at[axis] + axis
                                        : origin[axis] + spacing[axis] * at[axis];
}

/* Compares a box of an array; `first`: its number in `number`, or -1 of a coordinate. */
static void check_box(io_source *source, writer *write, int array, int first)
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
                                       : number(first, at[0], at[1], at[2]);
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

static void check_file(writer *write, bool is_text)
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
    const int count = write == write_bits && is_text ? 6 : 5;
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
    writer *const writers[] = {write_curvilinear, write_rectilinear, write_uniform,
                               write_bits};
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
            write_file(write_curvilinear, is_text);
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
