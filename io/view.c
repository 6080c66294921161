/* What callers of a source see of its blocks: closed rings, longitudes without jumps, and
 * coordinates under the transforms of a config. */
#include "view.h"

#include "base/array.h"
#include "flat.h"
#include "source_kind.h"

#include <stdlib.h>
#include <string.h>

static const io_box nothing = {{0, 0, 0}, {0, 0, 0}};

status io_source_show_grid(io_source *source)
{
    const int count = source->catalog.nblocks;
    io_shape_free(source);
    source->shapes = calloc((size_t)count + 1, sizeof *source->shapes);
    source->nshapes = source->shapes ? count : 0;
    source->knows_rings = false;
    if (!source->shapes) {
        return base_fail_memory((size_t)count * sizeof *source->shapes,
                                "the blocks of a source");
    }
    const grid_block *blocks =
        source->flat ? io_flat_blocks(source->flat) : source->catalog.blocks;
    for (int b = 0; b < count; b++) {
        source->shown[b] = blocks[b];
        source->views[b] = source->all_views[io_catalog_member(&source->catalog, b)];
    }
    return STATUS_OK;
}

status io_source_show(io_source *source)
{
    const size_t count = (size_t)io_catalog_all_count(&source->catalog) + 1;
    source->shown = calloc(count, sizeof *source->shown);
    source->views = calloc(count, sizeof *source->views);
    source->all_views = calloc(count, sizeof *source->all_views);
    return source->shown && source->views && source->all_views
               ? io_source_show_grid(source)
               : base_fail_memory(count * sizeof *source->shown,
                                  "the blocks of a source");
}

const grid_view *io_source_views(const io_source *source)
{
    return source->views;
}

const grid_view *io_source_common_view(const io_source *source)
{
    const grid_view *view = &source->views[0];
    for (int b = 1; b < source->catalog.nblocks; b++) {
        const grid_view *other = &source->views[b];
        if (other->on != view->on ||
            memcmp(other->matrix, view->matrix, sizeof view->matrix) != 0 ||
            memcmp(other->shift, view->shift, sizeof view->shift) != 0) {
            return NULL;
        }
    }
    return view;
}

box3 *io_source_data_bounds(io_source *source)
{
    return &source->data_bounds;
}

bool io_view_is_on(const io_source *source)
{
    bool is_on = false;
    for (int b = 0; b < source->catalog.nblocks && !is_on; b++) {
        is_on = source->views[b].on;
    }
    return is_on;
}

/* ---- Setting ----------------------------------------------------------------------- */

/* Whether a transform is for a block. */
static bool is_for(const grid_transform *step, const char *block)
{
    bool is = step->nblocks == 0;
    for (int n = 0; n < step->nblocks && !is; n++) {
        is = strcmp(step->blocks[n], block) == 0;
    }
    return is;
}

static status check_names(const io_source *source, int number, const grid_transform *step)
{
    const grid_block *all = io_catalog_all_blocks(&source->catalog);
    for (int n = 0; n < step->nblocks; n++) {
        bool is_there = false;
        for (int b = 0; b < io_catalog_all_count(&source->catalog); b++) {
            is_there = is_there || strcmp(all[b].name, step->blocks[n]) == 0;
        }
        if (!is_there) {
            return base_fail(
                STATUS_USAGE,
                "data.transform.%d.blocks: there is no block '%.64s' in '%s'", number,
                step->blocks[n], source->path);
        }
    }
    return STATUS_OK;
}

static status add_step(io_source *source, int number, const grid_transform *step)
{
    const grid_block *all = io_catalog_all_blocks(&source->catalog);
    status s = check_names(source, number, step);
    for (int b = 0; b < io_catalog_all_count(&source->catalog) && s == STATUS_OK; b++) {
        if (is_for(step, all[b].name) && !grid_view_add(&source->all_views[b], step)) {
            s = base_fail(
                STATUS_USAGE,
                "data.transform.%d: the block '%s' would lose a dimension: give "
                "factors nearer to 1",
                number, all[b].name);
        }
    }
    return s;
}

status io_source_set_view(io_source *source, const io_data_config *config)
{
    status s = STATUS_OK;
    source->closed = config->closed;
    for (int b = 0; b < io_catalog_all_count(&source->catalog); b++) {
        source->all_views[b] = (grid_view){.on = false};
    }
    for (int n = 0; n < config->ntransforms && s == STATUS_OK; n++) {
        s = add_step(source, n, &config->transforms[n]);
    }
    for (int b = 0; b < source->catalog.nblocks; b++) {
        source->views[b] = source->all_views[io_catalog_member(&source->catalog, b)];
    }
    return s;
}

static size_t box_count(const io_box *box)
{
    return (size_t)(box->n[0] * box->n[1] * box->n[2]);
}

/* ---- Rings ------------------------------------------------------------------------- */

bool io_source_asks_for_rings(const io_source *source, int *axis)
{
    *axis = source->closed - 1;
    return !source->knows_rings && source->closed >= 0;
}

void io_source_close_axis(io_source *source, int block, int axis)
{
    source->shapes[block].is_ring[axis] = true;
    source->shown[block].n[axis]++;
    if (source->other.source) {
        io_source_close_axis(source->other.source, block, axis);
    }
}

bool io_source_is_ring(const io_source *source, int block, int axis)
{
    return source->shapes[block].is_ring[axis];
}

bool io_source_has_closing_cells(const io_source *source, int axis)
{
    bool all = true;
    for (int f = 0; f < source->catalog.nfields; f++) {
        const grid_field *field = &source->catalog.fields[f];
        all = all && (field->location != GRID_CELL || (field->closing >> axis & 1));
    }
    return all;
}

status io_source_take_rings(io_source *source)
{
    source->knows_rings = true;
    for (int f = 0; f < source->catalog.nfields; f++) {
        const grid_field *field = &source->catalog.fields[f];
        for (int axis = 0; axis < 3; axis++) {
            if ((field->closing >> axis & 1) && !source->shapes[0].is_ring[axis]) {
                return base_fail(
                    STATUS_INPUT,
                    "field '%s' of '%s' has as many values along %c as the grid has "
                    "vertices, and one less along another axis: these would be values in "
                    "cells if the grid were closed along %c (data.grid.closed: %c)",
                    field->name, source->path, "ijk"[axis], "ijk"[axis], "ijk"[axis]);
            }
        }
    }
    return source->other.source ? io_source_take_rings(source->other.source) : STATUS_OK;
}

/* Whether an array lacks the last plane of its block along an axis. */
static bool lacks_plane(const io_source *source, int block, int array, int axis)
{
    return source->shapes[block].is_ring[axis] &&
           !(array >= 0 && (source->catalog.fields[array].closing >> axis & 1));
}

/* Values of the array in the data along an axis. */
static int64_t extent(const io_source *source, int block, int array, int axis)
{
    const bool in_cells =
        array >= 0 && source->catalog.fields[array].location == GRID_CELL;
    return source->shown[block].n[axis] - in_cells -
           lacks_plane(source, block, array, axis);
}

bool io_shape_has(const io_source *source, int block, int array, const io_box *box)
{
    bool has = true;
    for (int axis = 0; axis < 3; axis++) {
        has = has && box->lo[axis] + box->n[axis] <= extent(source, block, array, axis);
    }
    return has;
}

/* ---- Reading ----------------------------------------------------------------------- */

/* An array that is read: double, or of another size. */
typedef struct job {
    io_source *source;
    const io_view_array *from;
    size_t size; /* bytes of a value */
} job;

/* Notes a box of a field that was read, for io_source_expect. */
static void note_read(io_source *source, int step, const io_read_box *read)
{
    enum { LEAST_VALUES = 1 << 14 };
    const int64_t *n = read->box.n;
    if (read->array < 0 || source->borrows_comm || source->kind->holds ||
        n[0] * n[1] * n[2] < LEAST_VALUES) {
        return; /* small ones are read as fast as they are told */
    }
    io_read_boxes *boxes = &source->boxes;
    boxes->count = boxes->step == step ? boxes->count : 0;
    boxes->step = step;
    (void)base_array_add(boxes->all, boxes->count, *read, NULL);
}

/* Reads a box that lies in the data, with turns. */
static status read_there(const job *r, const io_box *box, void *out)
{
    io_source *source = r->source;
    const io_view_array *from = r->from;
    const bool is_empty = box_count(box) == 0;
    const bool is_flat = source->flat && io_flat_axis(source->flat, from->block) >= 0;
    const status s = (is_flat ? io_flat_read : source->kind->read)(
        source, from->step, from->block, from->array, is_empty ? &nothing : box, out);
    if (s == STATUS_OK && !is_empty && !is_flat) {
        note_read(source, from->step, &(io_read_box){from->block, from->array, *box});
    }
    if (s == STATUS_OK && !is_empty && source->shapes[from->block].turns &&
        from->array == IO_ARRAY_X + source->catalog.longitude - 1) {
        io_shape_turn(source, from->block, box, out);
    }
    return s;
}

/* Copies a part of a box to its place. */
static void put_part(const job *r, const io_box *box, const io_box *part,
                     const void *values, void *out)
{
    const size_t row = (size_t)part->n[0] * r->size;
    const char *from = values;
    const int64_t *lo = part->lo;
    for (int64_t n = 0; n < part->n[1] * part->n[2]; n++, from += row) {
        const int64_t j = lo[1] - box->lo[1] + n % part->n[1];
        const int64_t k = lo[2] - box->lo[2] + n / part->n[1];
        const int64_t to = (k * box->n[1] + j) * box->n[0] + lo[0] - box->lo[0];
        memcpy((char *)out + (size_t)to * r->size, from, row);
    }
}

/* The values of cells between the last cells of the data and the first: their mean. */
static void take_means(const job *r, size_t count, const void *last, void *first)
{
    for (size_t n = 0; n < count; n++) {
        if (r->size == sizeof(double)) {
            double *to = (double *)first + n;
            *to = 0.5 * (*to + ((const double *)last)[n]);
        } else {
            float *to = (float *)first + n;
            *to = 0.5f * (*to + ((const float *)last)[n]);
        }
    }
}

static status read_from(const job *r, int axis, const io_box *box, void *out);

/* Reads the plane that closes an axis: the first one, or a mean of cells. values: room
 * for two such planes; NULL: none, then nothing is read. Collective. */
static status read_closing(const job *r, int axis, const io_box *plane, char *values)
{
    const io_view_array *from = r->from;
    io_box there = values ? *plane : nothing;
    there.lo[axis] = 0;
    status s = read_from(r, axis + 1, &there, values);
    if (from->array >= 0 &&
        r->source->catalog.fields[from->array].location == GRID_CELL) {
        char *last = values ? values + box_count(plane) * r->size : NULL;
        there.lo[axis] = extent(r->source, from->block, from->array, axis) - 1;
        const status other = read_from(r, axis + 1, &there, last);
        s = s == STATUS_OK ? other : s;
        if (s == STATUS_OK && values) {
            take_means(r, box_count(plane), last, values);
        }
    }
    return s;
}

/* Reads a box along a closed axis: the part in the data, and the plane behind. All ranks
 * read as often. Collective. */
static status read_ring(const job *r, int axis, const io_box *box, void *out)
{
    const int64_t end = extent(r->source, r->from->block, r->from->array, axis);
    const bool closes = box_count(box) > 0 && box->lo[axis] + box->n[axis] > end;
    io_box part = *box, plane = closes ? *box : nothing;
    part.n[axis] -= closes;
    plane.n[axis] = closes;
    plane.lo[axis] = part.lo[axis] + part.n[axis];
    const size_t bytes = (box_count(&part) + 2 * box_count(&plane) + 1) * r->size;
    char *values = closes ? malloc(bytes) : out;
    char *behind = closes && values ? values + box_count(&part) * r->size : NULL;
    status s =
        values || !closes ? STATUS_OK : base_fail_memory(bytes, "a ring of the grid");
    const status first =
        read_from(r, axis + 1, s == STATUS_OK ? &part : &nothing, values);
    const status second = read_closing(r, axis, &plane, behind);
    s = s != STATUS_OK ? s : first != STATUS_OK ? first : second;
    if (s == STATUS_OK && closes) {
        put_part(r, box, &part, values, out);
        put_part(r, box, &plane, behind, out);
    }
    if (closes) {
        free(values);
    }
    return s;
}

/* Reads a box whose axes before `axis` lie in the data. Collective. */
static status read_from(const job *r, int axis, const io_box *box, void *out)
{
    while (axis < 3 && !lacks_plane(r->source, r->from->block, r->from->array, axis)) {
        axis++;
    }
    return axis < 3 ? read_ring(r, axis, box, out) : read_there(r, box, out);
}

status io_shape_read(io_source *source, const io_view_array *from, const io_box *box,
                     void *out)
{
    const bool is_double =
        from->array < IO_ARRAY_IBLANK ? !source->origin : source->wants_doubles;
    const job r = {source, from, is_double ? sizeof(double) : sizeof(float)};
    return read_from(&r, 0, box, out);
}

void io_shape_free(io_source *source)
{
    for (int b = 0; b < source->nshapes; b++) {
        free(source->shapes[b].turns);
    }
    free(source->shapes);
    source->shapes = NULL;
    source->nshapes = 0;
}

/* ---- Reading under a view ---------------------------------------------------------- */

bool io_view_changes(const io_source *source, int block, int array)
{
    const grid_view *view = &source->views[block];
    const int row = array - IO_ARRAY_X;
    bool changes = view->on && view->shift[row] != 0.0;
    for (int c = 0; c < 3 && view->on; c++) {
        changes = changes || view->matrix[row][c] != (c == row ? 1.0 : 0.0);
    }
    return changes;
}

status io_view_read(io_source *source, const io_view_array *from, const io_box *box,
                    io_view_reader *read, double *out)
{
    const grid_view *view = &source->views[from->block];
    const int row = from->array - IO_ARRAY_X;
    const size_t count = box_count(box), bytes = (count + 1) * sizeof(double);
    double *values = malloc(bytes);
    status s = values ? STATUS_OK : base_fail_memory(bytes, "coordinates being read");
    for (size_t n = 0; n < count && values; n++) {
        out[n] = view->shift[row];
    }
    for (int c = 0; c < 3; c++) {
        const double factor = view->matrix[row][c];
        if (factor == 0.0) {
            continue;
        }
        const status one = read(source, from->step, from->block, IO_ARRAY_X + c,
                                values ? box : &nothing, values);
        s = s == STATUS_OK ? one : s;
        for (size_t n = 0; n < count && s == STATUS_OK; n++) {
            out[n] += factor * values[n];
        }
    }
    free(values);
    return s;
}
