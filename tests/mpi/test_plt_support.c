#include "test_plt_support.h"

#include <stdio.h>
#include <string.h>

enum { NI = PLT_NI, NJ = PLT_NJ, NK = PLT_NK, VARIABLES = 7, IBLANK = 6 };
enum { SINGLE = 1, DOUBLE = 2, LONG = 3, SHORT = 4 }; /* formats */
enum { ORDERED = 0, BRICK = 5 };

static const char *const names[VARIABLES] = {"X", "Y",     "Z",     "Pressure (Pa)",
                                             "U", "count", "iblank"};
static const int formats[VARIABLES] = {DOUBLE, SINGLE, SINGLE, DOUBLE,
                                       SINGLE, LONG,   SHORT};

/* The file that is written. */
typedef struct writer {
    const plt_style *style;
    FILE *stream;
} writer;

/* A zone of it. */
typedef struct zone {
    const char *title;
    int type;
    int n[3];
    int step; /* -1: it is of no strand */
    bool shares;
    bool is_passive; /* its iblank */
} zone;

double plt_number(int variable, int step, const int64_t at[3])
{
    return 1.0 + 0.25 * (double)at[0] * (variable == 5 ? 4.0 : 1.0) +
           2.0 * (double)at[1] + 16.0 * (double)at[2] + 128.0 * variable +
           (variable >= 3 ? 4096.0 * step : 0.0);
}

/* ---- Numbers ----------------------------------------------------------------------- */

static void put(const writer *w, const void *value, size_t size)
{
    unsigned char bytes[8], from[8];
    const uint16_t one = 1;
    unsigned char is_little;
    memcpy(&is_little, &one, 1);
    memcpy(from, value, size);
    for (size_t n = 0; n < size; n++) {
        bytes[n] = from[w->style->is_big == (is_little == 1) ? size - 1 - n : n];
    }
    fwrite(bytes, 1, size, w->stream);
}

static void put_integer(const writer *w, int32_t value)
{
    put(w, &value, sizeof value);
}

static void put_float(const writer *w, double value)
{
    const float single = (float)value;
    put(w, &single, sizeof single);
}

static void put_double(const writer *w, double value)
{
    put(w, &value, sizeof value);
}

static void put_text(const writer *w, const char *text)
{
    for (; *text != '\0'; text++) {
        put_integer(w, *text);
    }
    put_integer(w, 0);
}

static void put_value(const writer *w, int format, double value)
{
    const int16_t small = (int16_t)value;
    if (format == SINGLE) {
        put_float(w, value);
    } else if (format == DOUBLE) {
        put_double(w, value);
    } else if (format == LONG) {
        put_integer(w, (int32_t)value);
    } else {
        put(w, &small, sizeof small);
    }
}

/* ---- Head -------------------------------------------------------------------------- */

static bool is_cell(const writer *w, int variable)
{
    return variable == 3 && !w->style->is_point;
}

static void put_zone(const writer *w, const zone *z)
{
    const int version = w->style->version;
    put_float(w, 299.0);
    put_text(w, z->title);
    if (version >= 107) {
        put_integer(w, -1);
    }
    if (version >= 106) {
        put_integer(w, z->step < 0 ? -1 : 3);
        put_double(w, z->step < 0 ? 0.0 : 0.5 + z->step);
    }
    put_integer(w, -1);
    put_integer(w, z->type);
    if (version < 112) {
        put_integer(w, w->style->is_point);
    }
    put_integer(w, !w->style->is_point);
    for (int v = 0; v < VARIABLES && !w->style->is_point; v++) {
        put_integer(w, is_cell(w, v));
    }
    if (version >= 108) {
        put_integer(w, 0);
    }
    put_integer(w, 0); /* neighbours */
    put_integer(w, z->type == BRICK ? 8 : z->n[0]);
    put_integer(w, z->type == BRICK ? 1 : z->n[1]);
    put_integer(w, z->type == BRICK ? 0 : z->n[2]);
    for (int n = 0; n < 2 && z->type == BRICK; n++) {
        put_integer(w, 0);
    }
    put_integer(w, 1); /* auxiliary data */
    put_text(w, "Common.Speed");
    put_integer(w, 0);
    put_text(w, "3");
    put_integer(w, 0);
}

/* Records that karman passes over: a text of a picture among them, with the marker of a
 * text inside. */
static void put_others(const writer *w)
{
    put_float(w, 799.0);
    put_text(w, "name");
    put_integer(w, 0);
    put_text(w, "value");
    put_float(w, 899.0);
    put_integer(w, 2);
    put_text(w, "name");
    put_integer(w, 0);
    put_text(w, "value");
    put_float(w, 499.0);
    put_double(w, 0.125);
    put_float(w, 599.0);
    put_text(w, "a text");
}

static void put_head(const writer *w)
{
    fprintf(w->stream, "#!TDV%d", w->style->version);
    put_integer(w, 1);
    if (w->style->version >= 109) {
        put_integer(w, 0);
    }
    put_text(w, "a test");
    put_integer(w, VARIABLES);
    for (int v = 0; v < VARIABLES; v++) {
        put_text(w, names[v]);
    }
}

/* ---- Data -------------------------------------------------------------------------- */

static double value_at(const writer *w, const zone *z, int variable, const int64_t at[3])
{
    const int step = z->step < 0 ? 0 : z->step;
    const double more = variable < 3 && w->style->moves ? 8.0 * step : 0.0;
    return variable == IBLANK ? (at[0] + at[1] > 0 ? 1.0 : 0.0)
                              : plt_number(variable, step, at) + more;
}

static bool is_own(const zone *z, int variable)
{
    return !(z->shares && variable < 3) && !(z->is_passive && variable == IBLANK);
}

/* Values of a variable. Cells have a layer more along all axes but the last, which is
 * nobody's. */
static void put_values(const writer *w, const zone *z, int variable)
{
    const int last = z->n[2] > 1 ? 2 : 1;
    int64_t n[3];
    for (int axis = 0; axis < 3; axis++) {
        n[axis] = z->n[axis] - (is_cell(w, variable) && axis == last ? 1 : 0);
    }
    for (int64_t at = 0; at < n[0] * n[1] * n[2]; at++) {
        const int64_t place[3] = {at % n[0], at / n[0] % n[1], at / n[0] / n[1]};
        const bool is_layer =
            is_cell(w, variable) &&
            (place[0] == z->n[0] - 1 || (place[1] == z->n[1] - 1 && z->n[1] > 1));
        put_value(w, formats[variable],
                  is_layer ? -9e9 : value_at(w, z, variable, place));
    }
}

static void put_points(const writer *w, const zone *z)
{
    for (int64_t at = 0; at < (int64_t)z->n[0] * z->n[1] * z->n[2]; at++) {
        const int64_t place[3] = {at % z->n[0], at / z->n[0] % z->n[1],
                                  at / z->n[0] / z->n[1]};
        for (int v = 0; v < VARIABLES; v++) {
            if (is_own(z, v)) {
                put_value(w, formats[v], value_at(w, z, v, place));
            }
        }
    }
}

/* A brick has a value in its cell, and its corners behind all values. */
static void put_brick(const writer *w)
{
    for (int v = 0; v < VARIABLES; v++) {
        for (int n = 0; n < (is_cell(w, v) ? 1 : 8); n++) {
            put_value(w, formats[v], 0.0);
        }
    }
    for (int n = 0; n < 8; n++) {
        put_integer(w, n);
    }
}

static void put_flags(const writer *w, const zone *z)
{
    if (w->style->version >= 105) {
        put_integer(w, z->is_passive);
        for (int v = 0; v < VARIABLES && z->is_passive; v++) {
            put_integer(w, v == IBLANK);
        }
    }
    put_integer(w, z->shares);
    for (int v = 0; v < VARIABLES && z->shares; v++) {
        put_integer(w, v < 3 ? 1 : -1);
    }
    put_integer(w, -1);
}

static void put_data(const writer *w, const zone *z)
{
    put_float(w, 299.0);
    for (int v = 0; v < VARIABLES; v++) {
        put_integer(w, formats[v]);
    }
    put_flags(w, z);
    for (int v = 0; v < VARIABLES && w->style->version >= 103; v++) {
        if (is_own(z, v)) {
            put_double(w, 0.0);
            put_double(w, 1.0);
        }
    }
    if (z->type == BRICK) {
        put_brick(w);
    } else if (w->style->is_point) {
        put_points(w, z);
    } else {
        for (int v = 0; v < VARIABLES; v++) {
            if (is_own(z, v)) {
                put_values(w, z, v);
            }
        }
    }
}

void plt_write(const char *path, const plt_style *style)
{
    enum { MOST = 8 };
    const int steps = style->version >= 106 ? style->steps : 1;
    const int count = steps + 2;
    const writer w = {style, fopen(path, "wb")};
    zone zones[MOST] = {{.title = "a brick", .type = BRICK, .step = -1}};
    for (int step = 0; step < steps; step++) {
        zones[1 + step] = (zone){.title = "a box",
                                 .n = {NI, NJ, NK},
                                 .step = style->version >= 106 ? step : -1,
                                 .shares = step > 0 && style->shares,
                                 .is_passive = step > 0};
    }
    zones[1 + steps] = (zone){.title = "flat", .n = {NI, NJ, 1}, .step = -1};
    put_head(&w);
    for (int n = 0; n < count; n++) {
        put_zone(&w, &zones[n]);
        if (n == 1) {
            put_others(&w);
        }
    }
    put_float(&w, 357.0);
    for (int n = 0; n < count; n++) {
        put_data(&w, &zones[n]);
    }
    fclose(w.stream);
}
