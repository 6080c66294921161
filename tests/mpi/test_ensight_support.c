#include "test_ensight_support.h"

#include "test_io_support.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { NI = ENSIGHT_NI, NJ = ENSIGHT_NJ, NK = ENSIGHT_NK, VALUES = NI * NJ * NK };

static const int64_t sizes[3] = {NI, NJ, NK};

/* The file that is written. */
typedef struct writer {
    const ensight_style *style;
    FILE *stream;
} writer;

double ensight_number(int variable, int step, const int64_t at[3])
{
    const bool moves = variable >= 3 && variable != 8;
    return 1.0 + 0.25 * (double)at[0] + 2.0 * (double)at[1] + 16.0 * (double)at[2] +
           128.0 * variable + (moves ? 4096.0 * step : 0.0);
}

static bool has_geometries(const ensight_style *style)
{
    return style->moves || style->repeats;
}

/* ---- Lines and numbers ------------------------------------------------------------- */

static void put_bytes(const writer *w, const void *bytes, size_t size)
{
    fwrite(bytes, 1, size, w->stream);
}

static void put_word(const writer *w, uint32_t word)
{
    unsigned char bytes[4];
    for (int n = 0; n < 4; n++) {
        bytes[n] = (unsigned char)(word >> (w->style->is_big ? 24 - 8 * n : 8 * n));
    }
    put_bytes(w, bytes, sizeof bytes);
}

static void put_mark(const writer *w, size_t size)
{
    if (w->style->is_binary && w->style->is_fortran) {
        put_word(w, (uint32_t)size);
    }
}

static void put_line(const writer *w, const char *text)
{
    char line[80] = "";
    if (!w->style->is_binary) {
        fprintf(w->stream, "%s\n", text);
        return;
    }
    /* With blanks or zeros behind, as programs differ. */
    for (size_t n = 0, length = strlen(text); n < sizeof line; n++) {
        const char behind = w->style->is_fortran ? ' ' : '\0';
        line[n] = n < length ? text[n] : behind;
    }
    put_mark(w, sizeof line);
    put_bytes(w, line, sizeof line);
    put_mark(w, sizeof line);
}

/* Numbers of text: one a line, or of EnSight 6 six without room between them. */
static void put_text(const writer *w, int count, const double *numbers)
{
    for (int n = 0; n < count; n++) {
        const bool ends = !w->style->is_six || n % 6 == 5 || n + 1 == count;
        fprintf(w->stream, w->style->is_six ? "%+.9e%s" : "%.9e%s", numbers[n],
                ends ? "\n" : "");
    }
}

static void put_integers(const writer *w, int count, const int *numbers)
{
    put_mark(w, (size_t)count * 4);
    for (int n = 0; n < count; n++) {
        if (w->style->is_binary) {
            put_word(w, (uint32_t)numbers[n]);
        } else {
            fprintf(w->stream, "%10d%s", numbers[n], n + 1 == count ? "\n" : "");
        }
    }
    put_mark(w, (size_t)count * 4);
}

static void put_integer(const writer *w, int number)
{
    put_integers(w, 1, &number);
}

static void put_reals(const writer *w, int count, const double *numbers)
{
    if (!w->style->is_binary) {
        put_text(w, count, numbers);
        return;
    }
    put_mark(w, (size_t)count * 4);
    for (int n = 0; n < count; n++) {
        const float value = (float)numbers[n];
        uint32_t word;
        memcpy(&word, &value, sizeof word);
        put_word(w, word);
    }
    put_mark(w, (size_t)count * 4);
}

/* ---- Parts ------------------------------------------------------------------------- */

/* The numbers of a variable at all vertices, or in all cells; [return]. */
static int fill(int variable, int step, double out[VALUES])
{
    const int less = variable == 7;
    int count = 0;
    for (int64_t k = 0; k < NK - less; k++) {
        for (int64_t j = 0; j < NJ - less; j++) {
            for (int64_t i = 0; i < NI - less; i++) {
                out[count++] =
                    ensight_number(variable, step, (const int64_t[3]){i, j, k});
            }
        }
    }
    return count;
}

static void put_part(const writer *w, int number)
{
    char line[32];
    if (w->style->is_six) {
        snprintf(line, sizeof line, "part %7d", number);
        put_line(w, line);
        return;
    }
    put_line(w, "part");
    put_integer(w, number);
}

static void put_sizes(const writer *w, const char *title, const char *kind)
{
    put_line(w, title);
    put_line(w, kind);
    put_integers(w, 3, (const int[3]){NI, NJ, NK});
}

static void put_curvilinear(const writer *w, int step)
{
    double numbers[VALUES];
    int flags[VALUES];
    put_part(w, 1);
    put_sizes(w, "a box",
              w->style->is_six ? "block iblanked" : "block iblanked with_ghost");
    for (int axis = 0; axis < 3; axis++) {
        const int count = fill(axis, 0, numbers);
        for (int n = 0; n < count; n++) {
            numbers[n] += w->style->moves ? 8.0 * step : 0.0;
            flags[n] = n > 0;
        }
        put_reals(w, count, numbers);
    }
    put_integers(w, VALUES, flags);
    if (!w->style->is_six) {
        put_line(w, "ghost_flags");
        put_integers(w, (NI - 1) * (NJ - 1) * (NK - 1), flags);
    }
}

/* The vertices of the tetrahedra: in EnSight 6 before all parts. */
static void put_coordinates(const writer *w)
{
    static const double places[12] = {0.0, 1.0, 0.0, 0.0, 0.0, 0.0,
                                      1.0, 0.0, 0.0, 0.0, 0.0, 1.0};
    put_line(w, "coordinates");
    put_integer(w, 4);
    for (int axis = 0; axis < 3; axis++) {
        put_reals(w, 4, places + 4 * axis);
    }
}

static void put_tetrahedra(const writer *w)
{
    put_part(w, 2);
    put_line(w, "of tetrahedra");
    if (!w->style->is_six) {
        put_coordinates(w);
    }
    put_line(w, "tetra4");
    put_integer(w, 1);
    put_integers(w, 4, (const int[4]){1, 2, 3, 4});
}

static void put_rectilinear(const writer *w)
{
    put_part(w, 3);
    put_sizes(w, "a box", "block rectilinear");
    for (int axis = 0; axis < 3; axis++) {
        double numbers[VALUES];
        for (int n = 0; n < sizes[axis]; n++) {
            int64_t at[3] = {0, 0, 0};
            at[axis] = n;
            numbers[n] = ensight_number(axis, 0, at);
        }
        put_reals(w, (int)sizes[axis], numbers);
    }
}

static void put_uniform(const writer *w)
{
    put_part(w, 70000);
    put_sizes(w, "", "block uniform");
    put_reals(w, 6, (const double[6]){-1.0, -2.0, -3.0, 0.5, 0.25, 0.125});
}

static void put_geometry(const writer *w, int step)
{
    put_line(w, "part of a test");
    put_line(w, "END TIMES of the second line");
    put_line(w, "node id off");
    put_line(w, "element id off");
    if (w->style->is_six) {
        put_coordinates(w);
    } else {
        put_line(w, "extents");
        put_reals(w, 6, (const double[6]){-1.0, 1e3, -1.0, 1e3, -1.0, 1e3});
    }
    put_curvilinear(w, step);
    put_tetrahedra(w);
    put_rectilinear(w);
    put_uniform(w);
}

/* The list of the vertices that have values: all but the first. */
static void put_all_but_first(const writer *w)
{
    int list[VALUES];
    for (int n = 0; n < VALUES - 1; n++) {
        list[n] = n + 2;
    }
    put_integer(w, VALUES - 1);
    put_integers(w, VALUES - 1, list);
}

/* The components of a variable of EnSight 6: in binary vertex by vertex. */
static void put_components(const writer *w, int first, int components, int step)
{
    double numbers[3][VALUES], woven[3 * VALUES];
    int count = 0;
    for (int c = 0; c < components; c++) {
        count = fill(first + c, step, numbers[c]);
        for (int n = 0; n < count; n++) {
            woven[n * components + c] = numbers[c][n];
        }
    }
    for (int c = 0; c < components && !w->style->is_binary; c++) {
        put_reals(w, count, numbers[c]);
    }
    if (w->style->is_binary) {
        put_reals(w, count * components, woven);
    }
}

/* A variable of EnSight 6: what the vertices of all tetrahedra have stands first. */
static void put_six(const writer *w, int first, int components, int step)
{
    static const int parts[] = {1, 2, 3, 70000};
    const int most = first == 8 ? 1 : first == 3 ? 3 : 4;
    put_line(w, "of a test");
    if (first < 7) {
        put_reals(w, 4, (const double[4]){1.0, 2.0, 3.0, 4.0});
    }
    for (int n = 0; n < most; n++) {
        if (n == 1 && first < 7) {
            continue;
        }
        put_part(w, parts[n]);
        put_line(w, n == 1 ? "tetra4" : "block");
        if (n == 1) {
            put_reals(w, 1, (const double[1]){-1.0});
        } else {
            put_components(w, first, components, step);
        }
    }
}

/* Part 2 has values at its vertices, or in its only cell. */
static void put_values(const writer *w, int first, int components, int step)
{
    static const int parts[] = {1, 2, 3, 70000};
    if (w->style->is_six) {
        put_six(w, first, components, step);
        return;
    }
    put_line(w, "of a test");
    for (int n = 0; n < 4; n++) {
        double numbers[VALUES];
        const bool lacks = (first == 3 && n == 3) || (first == 8 && n > 0);
        const bool has_fill = first == 3 && n == 2;
        const bool is_partial = first == 4 && n == 3;
        if (lacks) {
            continue;
        }
        put_part(w, parts[n]);
        put_line(w, n == 1       ? first == 7 ? "tetra4" : "coordinates"
                    : has_fill   ? "block undef"
                    : is_partial ? "block partial"
                                 : "block");
        if (has_fill) {
            put_reals(w, 1, (const double[1]){-1e30});
        }
        if (is_partial) {
            put_all_but_first(w);
        }
        for (int c = 0; c < components; c++) {
            const int count = fill(first + c, step, numbers);
            numbers[0] = has_fill ? -1e30 : numbers[0];
            put_reals(w,
                      n != 1       ? count - is_partial
                      : first == 7 ? 1
                                   : 4,
                      numbers + is_partial);
        }
    }
}

/* ---- Files ------------------------------------------------------------------------- */

static const char *const names[ENSIGHT_FILES] = {"flow.case", "flow.geo", "flow.p",
                                                 "flow.v", "flow.c"};

const char *ensight_path(const ensight_style *style, int file, int step)
{
    char name[64];
    const bool has_number = style->steps > 0 && !style->in_one_file && file > 0 &&
                            (file > 1 || has_geometries(style));
    snprintf(name, sizeof name, "%s", names[file]);
    if (has_number) {
        snprintf(name, sizeof name, "%s.%03d", names[file], 5 + 5 * step);
    }
    return test_path(name);
}

static void put_item(const writer *w, int file, int step)
{
    if (file == 1) {
        put_geometry(w, step);
    } else {
        put_values(w, file == 2 ? 3 : file == 3 ? 4 : 7, file == 3 ? 3 : 1, step);
    }
}

static void write_item(const ensight_style *style, int file, int step)
{
    const bool varies = style->steps > 0 && (file > 1 || has_geometries(style));
    const bool is_new = step == 0 || (varies && !style->in_one_file);
    if (step > 0 && !varies) {
        return;
    }
    writer w = {style, fopen(ensight_path(style, file, step), is_new ? "wb" : "ab")};
    if (is_new && file == 1 && style->is_binary) {
        put_line(&w, style->is_fortran ? "Fortran Binary" : "C Binary");
    }
    if (varies && style->in_one_file) {
        put_line(&w, "BEGIN TIME STEP");
        put_item(&w, file, step);
        put_line(&w, "END TIME STEP");
    } else {
        put_item(&w, file, step);
    }
    fclose(w.stream);
}

static void write_rest(const ensight_style *style)
{
    const writer w = {style, fopen(test_path("flow.r"), "wb")};
    put_values(&w, 8, 1, 0);
    fclose(w.stream);
}

static void write_case(const ensight_style *style)
{
    FILE *f = fopen(test_path(names[0]), "wb");
    const bool has_sets = style->steps > 0;
    const char *set = !has_sets ? "" : style->in_one_file ? "3 1" : "3";
    const char *stars = has_sets && !style->in_one_file ? ".***" : "";
    fprintf(f, "# of a test\n\nFORMAT\ntype:  ensight%s\r\n\nGEOMETRY\n",
            style->is_six ? "" : " gold");
    fprintf(f, "model: %s flow.geo%s change_coords_only\n",
            has_geometries(style) ? set : "", has_geometries(style) ? stars : "");
    fprintf(f, "measured: particles\nVARIABLE\nconstant per case: speed 3.0\n");
    fprintf(f, "scalar per node: %s Pressure \"flow.p%s\"\n", set, stars);
    fprintf(f, "vector per node: %s Velocity flow.v%s\n", set, stars);
    fprintf(f, "scalar per element: %s load flow.c%s\n", set, stars);
    fprintf(f, "scalar per node: rest flow.r\n");
    fprintf(f, "scalar per node: lost flow.lost\n");
    fprintf(f, "complex scalar per node: wave flow.r flow.r 2.0\n");
    if (has_sets) {
        fprintf(f, "TIME\ntime set: 3 description\nnumber of steps: %d\n", style->steps);
        fprintf(f, "filename start number: 5\nfilename increment: 5\ntime values:");
        for (int n = 0; n < style->steps; n++) {
            fprintf(f, "%s%g", n % 2 == 1 ? "\n" : " ", 0.5 + n);
        }
        fprintf(f, "\nFILE\nfile set: 1\nnumber of steps: %d\n", style->steps);
    }
    fclose(f);
}

const char *ensight_write(const ensight_style *style)
{
    const int steps = style->steps > 0 ? style->steps : 1;
    for (int file = 1; file < ENSIGHT_FILES; file++) {
        for (int step = 0; step < steps; step++) {
            write_item(style, file, step);
        }
    }
    write_rest(style);
    write_case(style);
    return test_path(names[0]);
}

void ensight_remove(void)
{
    for (int steps = 0; steps < 2; steps++) {
        const ensight_style style = {.steps = steps, .moves = true};
        for (int file = 0; file < ENSIGHT_FILES; file++) {
            for (int step = 0; step < 3; step++) {
                unlink(ensight_path(&style, file, step));
            }
        }
    }
    unlink(test_path("flow.r"));
}
