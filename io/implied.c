/* Fields that every grid has, whatever the kind of source: the quality of cells,
 * coordinates, indices, and the time. */
#include "flat.h"
#include "grid/quality.h"
#include "source_kind.h"
#include "view.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

status io_implied_add(io_source *source)
{
    io_catalog *catalog = &source->catalog;
    static const grid_field more[GRID_IMPLIED_FIELDS - GRID_QUALITIES] = {
        {.name = "x"},    {.name = "y"},
        {.name = "z"},    {.name = "i"},
        {.name = "j"},    {.name = "k"},
        {.name = "time"}, {.name = "time", .location = GRID_CELL}};
    const size_t count = (size_t)catalog->nfields + GRID_IMPLIED_FIELDS;
    grid_field *fields =
        realloc(catalog->fields, (GRID_WHENS * count + 1) * sizeof *fields);
    if (!fields) {
        return base_fail_memory(GRID_WHENS * count * sizeof *fields,
                                "the list of fields");
    }
    memcpy(fields + catalog->nfields, grid_quality_fields, sizeof grid_quality_fields);
    memcpy(fields + catalog->nfields + GRID_QUALITIES, more, sizeof more);
    for (size_t when = 1; when < GRID_WHENS; when++) { /* grid_field_at */
        memcpy(fields + when * count, fields, count * sizeof *fields);
    }
    catalog->fields = fields;
    return STATUS_OK;
}

bool io_implied_is(const io_source *source, int array)
{
    return array >= source->catalog.nfields;
}

void io_implied_take_hands(io_source *source, const grid_block *blocks)
{
    for (int b = 0; b < source->catalog.nblocks; b++) {
        source->shown[b].left_handed = blocks[b].left_handed;
    }
}

/* Coordinates of a box of vertices: [axis][k][j][i]. */
typedef struct corners {
    io_box box;
    size_t count;
    double *at; /* [3 count] */
} corners;

/* Reads the coordinates around the cells of a box. A rank without memory takes part, and
 * reads nothing. Collective. */
static status read_corners(io_source *source, const io_view_array *from,
                           const io_box *cells, io_view_reader *read_data, corners *c)
{
    const io_box nothing = {{0, 0, 0}, {0, 0, 0}};
    const bool is_empty = cells->n[0] <= 0 || cells->n[1] <= 0 || cells->n[2] <= 0;
    c->box = is_empty ? nothing : *cells;
    for (int a = 0; a < 3 && !is_empty; a++) {
        c->box.n[a]++;
    }
    c->count = (size_t)(c->box.n[0] * c->box.n[1] * c->box.n[2]);
    const size_t bytes = (3 * c->count + 1) * sizeof *c->at;
    c->at = malloc(bytes);
    status s = c->at ? STATUS_OK : base_fail_memory(bytes, "the corners of cells");
    for (int a = 0; a < 3; a++) {
        const status read = read_data(source, from->step, from->block, IO_ARRAY_X + a,
                                      c->at ? &c->box : &nothing,
                                      c->at ? c->at + (size_t)a * c->count : NULL);
        s = s == STATUS_OK ? read : s;
    }
    return s;
}

static void take_cell(const corners *c, const int64_t at[3], grid_quality_cell *cell)
{
    for (int n = 0; n < 8; n++) {
        const int64_t i = at[0] + (n & 1), j = at[1] + (n >> 1 & 1), k = at[2] + (n >> 2);
        const size_t from = (size_t)(i + c->box.n[0] * (j + c->box.n[1] * k));
        for (int a = 0; a < 3; a++) {
            cell->corner[n][a] = c->at[(size_t)a * c->count + from];
        }
    }
}

/* The nearest float32: beyond its range the largest, as infinity would be a hole. */
static float to_field(double value)
{
    const double most = (double)FLT_MAX;
    return (float)(fabs(value) > most && isfinite(value) ? copysign(most, value) : value);
}

/* Reads a coordinate of the data. Collective. */
static status read_coordinate(io_source *source, const io_view_array *from, int axis,
                              const io_box *box, io_view_reader *read, float *out)
{
    const size_t count = (size_t)(box->n[0] * box->n[1] * box->n[2]);
    double *values = malloc((count + 1) * sizeof *values);
    const io_box nothing = {{0, 0, 0}, {0, 0, 0}};
    const status s = read(source, from->step, from->block, IO_ARRAY_X + axis,
                          values ? box : &nothing, values);
    for (size_t n = 0; values && s == STATUS_OK && n < count; n++) {
        out[n] = to_field(values[n]);
    }
    free(values);
    return values ? s : base_fail_memory(count * sizeof *values, "coordinates");
}

/* Fills in an index, or the time. */
static void fill_in(const io_source *source, const io_view_array *from, int field,
                    const io_box *box, float *out)
{
    const int axis = field - GRID_IMPLIED_I;
    const bool is_index = axis < 3;
    const double time = from->step >= 0 && from->step < source->catalog.nsteps
                            ? source->catalog.steps[from->step].time
                            : 0.0;
    for (int64_t k = 0; k < box->n[2]; k++) {
        for (int64_t j = 0; j < box->n[1]; j++) {
            for (int64_t i = 0; i < box->n[0]; i++) {
                const int64_t at[3] = {i, j, k};
                *out++ = is_index ? (float)(box->lo[axis] + at[axis]) : to_field(time);
            }
        }
    }
}

/* Reads the quality of cells, as io_source_read does a field in cells: from the
 * coordinates of the data, without views. Collective. */
static status read_quality(io_source *source, const io_view_array *from,
                           const io_box *box, io_view_reader *read, float *out)
{
    const int block = from->block;
    const grid_quality quality = (grid_quality)(from->array - source->catalog.nfields);
    const bool turns = quality == GRID_CELL_VOLUME && source->shown[block].left_handed;
    corners c = {.at = NULL};
    status s = read_corners(source, from, box, read, &c);
    const int64_t rows = s == STATUS_OK && c.count > 0 ? box->n[1] * box->n[2] : 0;
#pragma omp parallel for schedule(static) if (rows > 64)
    for (int64_t row = 0; row < rows; row++) {
        grid_quality_cell cell = {
            .flat_axis = source->flat ? io_flat_axis(source->flat, block) : -1};
        for (int64_t i = 0; i < box->n[0]; i++) {
            take_cell(&c, (const int64_t[3]){i, row % box->n[1], row / box->n[1]}, &cell);
            const double value = grid_quality_of(quality, &cell);
            out[row * box->n[0] + i] =
                to_field(turns && cell.flat_axis < 0 ? -value : value);
        }
    }
    free(c.at);
    return s;
}

status io_implied_read(io_source *source, const io_view_array *from, const io_box *box,
                       io_view_reader *read, float *out)
{
    const int field = from->array - source->catalog.nfields;
    if (field < GRID_QUALITIES) {
        return read_quality(source, from, box, read, out);
    }
    if (field < GRID_IMPLIED_I) {
        return read_coordinate(source, from, field - GRID_IMPLIED_X, box, read, out);
    }
    fill_in(source, from, field, box, out);
    return STATUS_OK;
}
