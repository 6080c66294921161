/* Classic netCDF files give the values that were written, on any number of ranks;
 * damaged ones are refused. */
#include "base/log.h"
#include "base/parallel/parallel.h"
#include "io/source.h"
#include "io/view.h"
#include "test_io_support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NI = 5, NJ = 4, NK = 3, NT = 2 };

static char path[512];

static double number(int i, int j, int k, int step)
{
    return 1.0 + 0.25 * i + 2.0 * j + 16.0 * k + 128.0 * step;
}

/* ---- Writing ----------------------------------------------------------------------- */

typedef struct writer {
    FILE *f;
    int version;    /* 1, 2, 5 */
    bool is_curved; /* longitudes and latitudes are planes */
    int64_t begins[6];
} writer;

static void put_bits(writer *w, uint64_t bits, int bytes)
{
    for (int n = bytes - 1; n >= 0; n--) {
        fputc((int)(bits >> (8 * n) & 0xff), w->f);
    }
}

static void put_count(writer *w, uint64_t value)
{
    put_bits(w, value, w->version == 5 ? 8 : 4);
}

static void put_list(writer *w, uint64_t tag, uint64_t count)
{
    put_bits(w, tag, 4);
    put_count(w, count);
}

static void put_text(writer *w, const char *text)
{
    put_count(w, strlen(text));
    fputs(text, w->f);
    for (size_t n = strlen(text); n % 4 != 0; n++) {
        fputc(0, w->f);
    }
}

static void put_float(writer *w, double value)
{
    const float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    put_bits(w, bits, 4);
}

static void put_dimension(writer *w, const char *name, uint64_t count)
{
    put_text(w, name);
    put_count(w, count);
}

static void put_attribute(writer *w, const char *name, const char *value)
{
    put_text(w, name);
    put_bits(w, 2, 4);
    put_text(w, value);
}

/* Begins a variable: its dimensions as digits, numbers of those of the file. */
static void begin_variable(writer *w, const char *name, const char *dimensions)
{
    put_text(w, name);
    put_count(w, strlen(dimensions));
    for (const char *d = dimensions; *d != '\0'; d++) {
        put_count(w, (uint64_t)(*d - '0'));
    }
}

static void end_variable(writer *w, uint64_t type, uint64_t size, int variable)
{
    put_bits(w, type, 4);
    put_count(w, size);
    put_bits(w, (uint64_t)w->begins[variable], w->version == 1 ? 4 : 8);
}

enum { SHORT = 3, FLOAT = 5 };

/* time, lon, lat, depth; packed shorts and floats that have missing values. */
static void put_variables(writer *w)
{
    const char *plane = w->is_curved ? "23" : NULL;
    put_list(w, 11, 6);
    begin_variable(w, "time", "0");
    put_list(w, 12, 1);
    put_attribute(w, "units", "days since 2000-01-01");
    end_variable(w, FLOAT, 4, 0);
    begin_variable(w, "lon", plane ? plane : "3");
    put_list(w, 12, 1);
    put_attribute(w, "units", "degrees_east");
    end_variable(w, FLOAT, 4, 1);
    begin_variable(w, "lat", plane ? plane : "2");
    put_list(w, 12, 1);
    put_attribute(w, "units", "degrees_north");
    end_variable(w, FLOAT, 4, 2);
    begin_variable(w, "depth", "1");
    put_list(w, 12, 1);
    put_attribute(w, "positive", "down");
    end_variable(w, FLOAT, 4, 3);
    begin_variable(w, "packed", "0123");
    put_list(w, 12, 3);
    put_text(w, "scale_factor");
    put_bits(w, FLOAT, 4);
    put_count(w, 1);
    put_float(w, 0.25);
    put_text(w, "_FillValue");
    put_bits(w, SHORT, 4);
    put_count(w, 1);
    put_bits(w, 0xfffe0000U, 4); /* -2, and two bytes that fill four */
    put_attribute(w, "units", "degC");
    end_variable(w, SHORT, NI * NJ * NK * 2, 4);
    begin_variable(w, "plain", "0123");
    put_list(w, 0, 0);
    end_variable(w, FLOAT, NI * NJ * NK * 4, 5);
}

static void begin_values(writer *w, int variable)
{
    w->begins[variable] = ftell(w->f);
}

static void put_places(writer *w, int variable)
{
    begin_values(w, variable);
    for (int j = 0; j < (variable == 2 || w->is_curved ? NJ : 1); j++) {
        for (int i = 0; i < (variable == 1 || w->is_curved ? NI : 1); i++) {
            put_float(w, variable == 1 ? 2.0 * i + (w->is_curved ? 0.25 * j : 0.0)
                                       : 3.0 * j + (w->is_curved ? 0.5 * i : 0.0));
        }
    }
}

/* Values of a record; value (1, 1, 1) is missing. */
static void put_values(writer *w, int step, bool is_packed)
{
    for (int n = 0; n < NI * NJ * NK; n++) {
        const int i = n % NI, j = n / NI % NJ, k = n / NI / NJ;
        const double value = number(i, j, k, step);
        const bool lacks = i == 1 && j == 1 && k == 1;
        if (is_packed) {
            put_bits(w, lacks ? 0xfffe : (uint64_t)(value * 4.0), 2);
        } else {
            put_float(w, lacks ? 9.9692099683868690e36 : value);
        }
    }
}

static void put_file(writer *w)
{
    rewind(w->f);
    fputs("CDF", w->f);
    fputc(w->version, w->f);
    put_count(w, NT);
    put_list(w, 10, 4);
    put_dimension(w, "time", 0);
    put_dimension(w, "depth", NK);
    put_dimension(w, "y", NJ);
    put_dimension(w, "x", NI);
    put_list(w, 12, 1);
    put_attribute(w, "title", "of a test");
    put_variables(w);
    put_places(w, 1);
    put_places(w, 2);
    begin_values(w, 3);
    for (int k = 0; k < NK; k++) {
        put_float(w, 10.0 * k);
    }
    for (int step = 0; step < NT; step++) {
        if (step == 0) {
            w->begins[0] = ftell(w->f);
            w->begins[4] = w->begins[0] + 4;
            w->begins[5] = w->begins[4] + (int64_t)2 * NI * NJ * NK;
        }
        put_float(w, 5.0 + step);
        put_values(w, step, true);
        put_values(w, step, false);
    }
}

/* Writes a file twice: the second time, its header knows where values are. */
static void write_file(int version, bool is_curved)
{
    MPI_Barrier(MPI_COMM_WORLD); /* nobody reads the last one */
    if (parallel_rank(MPI_COMM_WORLD) == 0) {
        writer w = {.f = fopen(path, "wb"), .version = version, .is_curved = is_curved};
        put_file(&w);
        put_file(&w);
        fclose(w.f);
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
        const double right = number(1 + n % 2, 1 + n / 2 % 2, n / 4, step);
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
    check(io_source_step_count(source) == NT, "expected 2 steps");
    check(io_source_steps(source)[1].time == 6.0, "the time");
    check(strcmp(io_source_unpacking(source, 0)->unit, "degC") == 0, "the unit");
    check_places(source, is_curved);
    for (int step = 0; step < NT; step++) {
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
