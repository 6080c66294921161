#include "polyline.h"

#include "base/array.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 12, PROBES = 8 };

static double *row_of(const io_polyline *line, int n)
{
    return line->rows + (size_t)n * (size_t)(line->width + 1);
}

static void grow(io_polyline *line)
{
    const size_t row_size = (size_t)(line->width + 1) * sizeof(double);
    double *rows =
        base_array_grow(line->rows, &line->capacity, line->count + 1, row_size);
    if (rows == NULL) {
        free(line->rows);
        line->count = 0;
        line->capacity = 0;
        line->failed = true;
    }
    line->rows = rows;
}

void io_polyline_add(io_polyline *line, double position, const double *values)
{
    if (line->count == line->capacity && !line->failed) {
        grow(line);
    }
    if (!line->failed) {
        double *row = row_of(line, line->count++);
        row[0] = position;
        memcpy(row + 1, values, (size_t)line->width * sizeof *values);
    }
}

/* A piece of a curve: fractions and values of its ends. */
typedef struct piece {
    double fraction[2];
    double values[2][IO_POLYLINE_VALUES];
} piece;

static bool is_straight(int width, const io_curve *curve, const piece *part)
{
    for (int probe = 1; probe < PROBES; probe++) {
        const double w = (double)probe / PROBES;
        double values[IO_POLYLINE_VALUES];
        curve->evaluate(curve->context,
                        (1.0 - w) * part->fraction[0] + w * part->fraction[1], values);
        for (int v = 0; v < width; v++) {
            const double line = (1.0 - w) * part->values[0][v] + w * part->values[1][v];
            if (!(fabs(values[v] - line) <= curve->tolerance)) {
                return false;
            }
        }
    }
    return true;
}

/* Adds points inside a piece, by halving it until it is straight. */
static void refine(io_polyline *line, const io_curve *curve, const piece *part, int depth)
{
    if (depth == MAX_DEPTH || is_straight(line->width, curve, part)) {
        return;
    }
    piece left = *part, right = *part;
    const double middle = 0.5 * (part->fraction[0] + part->fraction[1]);
    left.fraction[1] = right.fraction[0] = middle;
    curve->evaluate(curve->context, middle, left.values[1]);
    memcpy(right.values[0], left.values[1], sizeof right.values[0]);
    refine(line, curve, &left, depth + 1);
    io_polyline_add(line, curve->from + middle * (curve->to - curve->from),
                    left.values[1]);
    refine(line, curve, &right, depth + 1);
}

void io_polyline_add_curve(io_polyline *line, const io_curve *curve)
{
    piece whole = {.fraction = {0.0, 1.0}};
    curve->evaluate(curve->context, 0.0, whole.values[0]);
    curve->evaluate(curve->context, 1.0, whole.values[1]);
    refine(line, curve, &whole, 0);
}

/* The values at a position, which has `before` rows before it. */
static void evaluate_line(const io_polyline *line, int before, double position,
                          double *values)
{
    const double *last = row_of(line, before < line->count ? before : line->count - 1);
    const double *first = row_of(line, before > 0 ? before - 1 : 0);
    const double span = last[0] - first[0];
    const double w = span > 0.0 ? (position - first[0]) / span : 0.0;
    for (int v = 1; v <= line->width; v++) {
        values[v - 1] = (1.0 - w) * first[v] + w * last[v];
    }
}

io_polyline io_polyline_cut(const io_polyline *line)
{
    io_polyline out = {.width = line->width, .failed = line->failed};
    if (line->count == 0) {
        return out;
    }
    double values[IO_POLYLINE_VALUES];
    int first = 0, end = line->count;
    while (first < line->count && row_of(line, first)[0] <= 0.0) {
        first++;
    }
    while (end > 0 && row_of(line, end - 1)[0] >= 1.0) {
        end--;
    }
    evaluate_line(line, first, 0.0, values);
    io_polyline_add(&out, 0.0, values);
    for (int n = first; n < end; n++) {
        io_polyline_add(&out, row_of(line, n)[0], row_of(line, n) + 1);
    }
    evaluate_line(line, end, 1.0, values);
    io_polyline_add(&out, 1.0, values);
    return out;
}
