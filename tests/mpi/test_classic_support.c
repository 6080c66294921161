#include "test_classic_support.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

double classic_number(int i, int j, int k, int step)
{
    return 1.0 + 0.25 * i + 2.0 * j + 16.0 * k + 128.0 * step;
}

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
    end_variable(w, SHORT, CLASSIC_NI * CLASSIC_NJ * CLASSIC_NK * 2, 4);
    begin_variable(w, "plain", "0123");
    put_list(w, 0, 0);
    end_variable(w, FLOAT, CLASSIC_NI * CLASSIC_NJ * CLASSIC_NK * 4, 5);
}

static void begin_values(writer *w, int variable)
{
    w->begins[variable] = ftell(w->f);
}

static void put_places(writer *w, int variable)
{
    begin_values(w, variable);
    for (int j = 0; j < (variable == 2 || w->is_curved ? CLASSIC_NJ : 1); j++) {
        for (int i = 0; i < (variable == 1 || w->is_curved ? CLASSIC_NI : 1); i++) {
            put_float(w, variable == 1 ? 2.0 * i + (w->is_curved ? 0.25 * j : 0.0)
                                       : 3.0 * j + (w->is_curved ? 0.5 * i : 0.0));
        }
    }
}

/* Values of a record; value (1, 1, 1) is missing. */
static void put_values(writer *w, int step, bool is_packed)
{
    for (int n = 0; n < CLASSIC_NI * CLASSIC_NJ * CLASSIC_NK; n++) {
        const int i = n % CLASSIC_NI, j = n / CLASSIC_NI % CLASSIC_NJ,
                  k = n / CLASSIC_NI / CLASSIC_NJ;
        const double value = classic_number(i, j, k, step);
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
    put_count(w, CLASSIC_NT);
    put_list(w, 10, 4);
    put_dimension(w, "time", 0);
    put_dimension(w, "depth", CLASSIC_NK);
    put_dimension(w, "y", CLASSIC_NJ);
    put_dimension(w, "x", CLASSIC_NI);
    put_list(w, 12, 1);
    put_attribute(w, "title", "of a test");
    put_variables(w);
    put_places(w, 1);
    put_places(w, 2);
    begin_values(w, 3);
    for (int k = 0; k < CLASSIC_NK; k++) {
        put_float(w, 10.0 * k);
    }
    for (int step = 0; step < CLASSIC_NT; step++) {
        if (step == 0) {
            w->begins[0] = ftell(w->f);
            w->begins[4] = w->begins[0] + 4;
            w->begins[5] =
                w->begins[4] + (int64_t)2 * CLASSIC_NI * CLASSIC_NJ * CLASSIC_NK;
        }
        put_float(w, 5.0 + step);
        put_values(w, step, true);
        put_values(w, step, false);
    }
}

void classic_write(const char *path, int version, bool is_curved)
{
    writer w = {.f = fopen(path, "wb"), .version = version, .is_curved = is_curved};
    put_file(&w);
    put_file(&w); /* its header knows now where values are */
    fclose(w.f);
}
