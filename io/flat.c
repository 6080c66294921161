#include "flat.h"

#include "base/vec.h"
#include "source_kind.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct io_flat {
    grid_block *blocks; /* [nblocks], as callers see them */
    int *axis;          /* [nblocks]; -1: not flat */
    double thickness;   /* 0: not known yet */
    /* The way from the first plane to the second of the block that was read last. */
    int block, step;
    vec3 *offset; /* [vertices of the block]; NULL: none was read */
};

/* ---- Finding ----------------------------------------------------------------------- */

static status find_axis(const io_source *source, const grid_block *block, int *axis)
{
    int count = 0;
    *axis = -1;
    for (int a = 0; a < 3; a++) {
        if (block->n[a] == 1) {
            *axis = a;
            count++;
        }
    }
    return count < 2 ? STATUS_OK
                     : base_fail(STATUS_INPUT,
                                 "block '%s' of '%s' has 1 vertex along %d axes: at most "
                                 "one axis may be so short",
                                 block->name, source->path, count);
}

static status find_axes(const io_source *source, io_flat *flat, bool *any)
{
    status s = STATUS_OK;
    for (int b = 0; b < source->catalog.nblocks && s == STATUS_OK; b++) {
        flat->blocks[b] = source->catalog.blocks[b];
        s = find_axis(source, &flat->blocks[b], &flat->axis[b]);
        if (s == STATUS_OK && flat->axis[b] >= 0) {
            flat->blocks[b].n[flat->axis[b]] = 2;
            *any = true;
        }
    }
    return s;
}

status io_flat_find(io_source *source, io_flat **out)
{
    const size_t count = (size_t)source->catalog.nblocks + 1;
    io_flat *flat = calloc(1, sizeof *flat);
    bool any = false;
    *out = NULL;
    if (flat) {
        flat->blocks = calloc(count, sizeof *flat->blocks);
        flat->axis = calloc(count, sizeof *flat->axis);
    }
    status s = flat && flat->blocks && flat->axis
                   ? find_axes(source, flat, &any)
                   : base_fail_memory(count * sizeof(grid_block), "the list of blocks");
    if (s != STATUS_OK || !any) {
        io_flat_destroy(&flat);
    }
    *out = flat;
    return s;
}

status io_flat_note(io_source *source)
{
    return source->flat ? io_catalog_note(&source->catalog, "sheet",
                                          "blocks of 1 vertex along an axis are drawn as "
                                          "a sheet, one thin cell thick")
                        : STATUS_OK;
}

void io_flat_destroy(io_flat **flat)
{
    if (*flat) {
        free((*flat)->blocks);
        free((*flat)->axis);
        free((*flat)->offset);
        free(*flat);
    }
    *flat = NULL;
}

const grid_block *io_flat_blocks(const io_flat *flat)
{
    return flat->blocks;
}

double io_flat_thickness(const io_flat *flat)
{
    return flat->thickness;
}

int io_flat_axis(const io_flat *flat, int block)
{
    return flat->axis[block];
}

/* ---- The way to the second plane --------------------------------------------------- */

/* Reads all vertices of a flat block; NULL: *s says why. Every rank reads the same.
 * malloc'ed. Collective. */
static vec3 *read_vertices(io_source *source, int step, int block, status *s)
{
    const int64_t *n = source->catalog.blocks[block].n;
    const size_t count = (size_t)(n[0] * n[1] * n[2]);
    double *values = malloc(count * sizeof *values);
    vec3 *vertices = malloc(count * sizeof *vertices);
    const bool has = values && vertices;
    const io_box box = {{0, 0, 0}, {has ? n[0] : 0, has ? n[1] : 0, has ? n[2] : 0}};
    const double *origin = source->origin;
    source->origin = NULL;
    *s = has ? STATUS_OK : base_fail_memory(count * sizeof *vertices, "a surface");
    for (int axis = 0; axis < 3; axis++) {
        const status read =
            source->kind->read(source, step, block, IO_ARRAY_X + axis, &box, values);
        *s = *s == STATUS_OK ? read : *s;
        for (size_t v = 0; v < count && *s == STATUS_OK; v++) {
            vertices[v].v[axis] = values[v];
        }
    }
    source->origin = origin;
    free(values);
    if (*s != STATUS_OK) {
        free(vertices);
        vertices = NULL;
    }
    return vertices;
}

/* A thousandth of the diagonal of all flat blocks. */
static status find_thickness(io_source *source, int step)
{
    vec3 lo = {{INFINITY, INFINITY, INFINITY}}, hi = {{-INFINITY, -INFINITY, -INFINITY}};
    status s = STATUS_OK;
    for (int b = 0; b < source->catalog.nblocks; b++) {
        const int64_t *n = source->catalog.blocks[b].n;
        status read = STATUS_OK;
        vec3 *all =
            source->flat->axis[b] >= 0 ? read_vertices(source, step, b, &read) : NULL;
        for (int64_t v = 0; all && v < n[0] * n[1] * n[2]; v++) {
            for (int axis = 0; axis < 3; axis++) {
                lo.v[axis] = fmin(lo.v[axis], all[v].v[axis]);
                hi.v[axis] = fmax(hi.v[axis], all[v].v[axis]);
            }
        }
        free(all);
        s = s == STATUS_OK ? read : s;
    }
    const double diagonal = vec3_length(vec3_sub(hi, lo));
    source->flat->thickness =
        isfinite(diagonal) && diagonal > 0.0 ? 1e-3 * diagonal : 1.0;
    return s;
}

/* The normal at vertex (a, b) of a surface of n[0] x n[1], as long as the area around. */
static vec3 find_normal(const vec3 *all, const int64_t n[2], int64_t a, int64_t b)
{
    const vec3 *row = &all[b * n[0]];
    const vec3 along = vec3_sub(row[a + 1 < n[0] ? a + 1 : a], row[a > 0 ? a - 1 : a]);
    const int64_t above = b + 1 < n[1] ? n[0] : 0, below = b > 0 ? n[0] : 0;
    return vec3_cross(along, vec3_sub(row[a + above], row[a - below]));
}

/* Turns normals ([count]) into offsets. A plane has one direction, whatever its cells do;
 * it points up an axis. */
static void scale_normals(vec3 *normals, int64_t count, double thickness)
{
    const double plane = 0.99;
    vec3 sum = {{0.0, 0.0, 0.0}};
    double area = 0.0;
    int main = 0;
    for (int64_t v = 0; v < count; v++) {
        const double length = vec3_length(normals[v]);
        if (isfinite(length)) {
            area += length;
            sum = vec3_add(sum, normals[v]);
        }
    }
    for (int axis = 1; axis < 3; axis++) {
        main = fabs(sum.v[axis]) > fabs(sum.v[main]) ? axis : main;
    }
    const double sign = sum.v[main] < 0.0 ? -thickness : thickness;
    const bool is_plane = vec3_length(sum) > plane * area;
    for (int64_t v = 0; v < count; v++) {
        const double length = vec3_length(normals[v]);
        const bool is_own = !is_plane && isfinite(length) && length > 0.0;
        const vec3 along = is_own ? normals[v] : sum;
        const double size = vec3_length(along);
        normals[v] =
            size > 0.0 ? vec3_scale(along, sign / size) : (vec3){{0.0, 0.0, thickness}};
    }
}

/* Finds the offsets of a block at a step, unless they are known. Collective. */
static status find_offsets(io_source *source, int step, int block)
{
    io_flat *flat = source->flat;
    const int axis = flat->axis[block];
    const int64_t *all = source->catalog.blocks[block].n;
    const int64_t n[2] = {all[axis == 0 ? 1 : 0], all[axis == 2 ? 1 : 2]};
    status s = STATUS_OK;
    if (flat->offset && flat->block == block && flat->step == step) {
        return s;
    }
    free(flat->offset);
    flat->offset = NULL;
    s = flat->thickness > 0.0 ? STATUS_OK : find_thickness(source, step);
    status read = STATUS_OK;
    vec3 *vertices = read_vertices(source, step, block, &read);
    vec3 *normals = malloc((size_t)(n[0] * n[1]) * sizeof *normals);
    for (int64_t v = 0; v < n[0] * n[1] && vertices && normals; v++) {
        normals[v] = find_normal(vertices, n, v % n[0], v / n[0]);
    }
    free(vertices);
    s = s == STATUS_OK ? read : s;
    if (s == STATUS_OK && !normals) {
        s = base_fail_memory(sizeof *normals, "the normals of a surface");
    }
    if (s != STATUS_OK) {
        free(normals);
        return s;
    }
    scale_normals(normals, n[0] * n[1], flat->thickness);
    flat->offset = normals;
    flat->block = block;
    flat->step = step;
    return STATUS_OK;
}

/* ---- Reading ----------------------------------------------------------------------- */

static size_t size_of_value(const io_source *source, int array)
{
    const bool is_double =
        array >= 0 ? source->wants_doubles : array < IO_ARRAY_IBLANK && !source->origin;
    return is_double ? sizeof(double) : sizeof(float); /* int32 has the size of float */
}

/* Moves a coordinate of the second plane. */
static void move(const io_source *source, int component, int64_t vertex, void *value)
{
    const double by = source->flat->offset[vertex].v[component];
    if (source->origin) {
        *(float *)value += (float)by;
    } else {
        *(double *)value += by;
    }
}

/* Spreads the values of the plane, which were read to the beginning of `out`, over the
 * box. From its end on, no value is overwritten before it was moved. */
static void spread(const io_source *source, int block, int array, const io_box *box,
                   char *out)
{
    const int axis = source->flat->axis[block];
    const size_t size = size_of_value(source, array);
    const int64_t *all = source->catalog.blocks[block].n;
    int64_t one[3] = {box->n[0], box->n[1], box->n[2]};
    one[axis] = 1;
    for (int64_t n = box->n[0] * box->n[1] * box->n[2] - 1; n >= 0; n--) {
        int64_t at[3] = {n % box->n[0], n / box->n[0] % box->n[1],
                         n / box->n[0] / box->n[1]};
        const bool is_second = box->lo[axis] + at[axis] == 1;
        at[axis] = 0;
        const int64_t from = (at[2] * one[1] + at[1]) * one[0] + at[0];
        memmove(out + (size_t)n * size, out + (size_t)from * size, size);
        if (is_second && array < IO_ARRAY_IBLANK) {
            for (int a = 0; a < 3; a++) {
                at[a] += a == axis ? 0 : box->lo[a];
            }
            move(source, array - IO_ARRAY_X, (at[2] * all[1] + at[1]) * all[0] + at[0],
                 out + (size_t)n * size);
        }
    }
}

status io_flat_read(io_source *source, int step, int block, int array, const io_box *box,
                    void *out)
{
    const int axis = source->flat->axis[block];
    const bool is_empty = box->n[0] <= 0 || box->n[1] <= 0 || box->n[2] <= 0;
    io_box one = *box;
    status s = array < IO_ARRAY_IBLANK ? find_offsets(source, step, block) : STATUS_OK;
    one.lo[axis] = 0;
    one.n[axis] = is_empty ? 0 : 1;
    const status read = source->kind->read(source, step, block, array, &one, out);
    s = s == STATUS_OK ? read : s;
    if (s == STATUS_OK && !is_empty) {
        spread(source, block, array, box, out);
    }
    return s;
}
