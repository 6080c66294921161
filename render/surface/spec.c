/* Parts of surfaces: checks, and the bricks that have a part of a surface. */
#include "mesh.h"

#include <float.h>
#include <inttypes.h>

static const char axis_names[] = "ijk";

surface_range render_surface_whole_block(const grid_layout *layout, int block)
{
    const int64_t *n = layout->blocks[block].n;
    return (surface_range){.block = block, .hi = {n[0] - 1, n[1] - 1, n[2] - 1}};
}

static status check_block(const grid_layout *layout, int block)
{
    if (block < 0 || block >= layout->nblocks) {
        return base_fail(STATUS_USAGE,
                         "a surface is of block number %d, but the grid has %d blocks: "
                         "choose one from 0 to %d",
                         block, layout->nblocks, layout->nblocks - 1);
    }
    return STATUS_OK;
}

/* Checks lo and hi along all axes but `except`; *flat: number of axes along which they
 * agree. */
static status check_indices(const grid_block *block, const int64_t lo[3],
                            const int64_t hi[3], int except, int *flat)
{
    *flat = 0;
    for (int axis = 0; axis < 3; axis++) {
        if (axis == except) {
            continue;
        }
        const int64_t last = block->n[axis] - 1;
        *flat += lo[axis] == hi[axis];
        if (lo[axis] < 0 || lo[axis] > hi[axis] || hi[axis] > last) {
            return base_fail(STATUS_USAGE,
                             "a surface goes from %c = %" PRId64 " to %" PRId64
                             ", but block '%s' has vertices 0 to %" PRId64
                             ": choose two of them, the lower one first",
                             axis_names[axis], lo[axis], hi[axis], block->name, last);
        }
    }
    return STATUS_OK;
}

static status check_range(const grid_layout *layout, const surface_range *range)
{
    int flat = 0;
    status s = check_block(layout, range->block);
    if (s == STATUS_OK) {
        s = check_indices(&layout->blocks[range->block], range->lo, range->hi, -1, &flat);
    }
    if (s == STATUS_OK && flat > 1) {
        s = base_fail(
            STATUS_USAGE,
            "a surface of block '%s' is a line or a point: its two vertices may "
            "agree along one axis only",
            layout->blocks[range->block].name);
    }
    return s;
}

static status check_index(const grid_block *block, const surface_plane *plane)
{
    if (plane->axis < 0 || plane->axis > 2) {
        return base_fail(STATUS_USAGE,
                         "the axis of a plane of a block is %d: it must be 0, 1 or 2",
                         plane->axis);
    }
    const int64_t last = block->n[plane->axis] - 1;
    if (!(plane->index >= 0.0 && plane->index <= (double)last)) {
        return base_fail(STATUS_USAGE,
                         "the plane %c = %g is not in block '%s': choose from 0 to "
                         "%" PRId64,
                         axis_names[plane->axis], plane->index, block->name, last);
    }
    return STATUS_OK;
}

static status check_plane(const grid_layout *layout, const surface_plane *plane)
{
    int flat = 0;
    status s = check_block(layout, plane->block);
    if (s != STATUS_OK) {
        return s;
    }
    const grid_block *block = &layout->blocks[plane->block];
    s = check_index(block, plane);
    if (s == STATUS_OK) {
        s = check_indices(block, plane->lo, plane->hi, plane->axis, &flat);
    }
    if (s == STATUS_OK && flat > 0) {
        s = base_fail(STATUS_USAGE,
                      "the plane %c = %g of block '%s' is a line: its two ends must "
                      "differ along both other axes",
                      axis_names[plane->axis], plane->index, block->name);
    }
    return s;
}

static status check_cut(const surface_cut *cut)
{
    const double length = vec3_length(cut->normal);
    if (!(length > 0.0 && isfinite(length) && isfinite(vec3_length(cut->point)))) {
        return base_fail(
            STATUS_USAGE,
            "a cutting plane needs a finite point, and a finite normal that is "
            "not zero");
    }
    return STATUS_OK;
}

status surface_spec_check(const grid_layout *layout, const surface_spec *spec)
{
    status s = STATUS_OK;
    for (int n = 0; n < spec->nranges && s == STATUS_OK; n++) {
        s = check_range(layout, &spec->ranges[n]);
    }
    for (int n = 0; n < spec->nplanes && s == STATUS_OK; n++) {
        s = check_plane(layout, &spec->planes[n]);
    }
    for (int n = 0; n < spec->ncuts && s == STATUS_OK; n++) {
        s = check_cut(&spec->cuts[n]);
    }
    return s;
}

/* ---- Bricks ------------------------------------------------------------------------ */

/* Whether a brick has vertices among lo to hi of its block. */
static bool has_vertices(const grid_brick_place *place, const int64_t lo[3],
                         const int64_t hi[3])
{
    bool has = true;
    for (int axis = 0; axis < 3; axis++) {
        has &=
            place->lo[axis] <= hi[axis] && place->lo[axis] + place->n[axis] >= lo[axis];
    }
    return has;
}

static bool has_plane(const grid_brick_place *place, const surface_plane *plane)
{
    int64_t lo[3], hi[3];
    for (int axis = 0; axis < 3; axis++) {
        bool is_own = axis == plane->axis;
        /* The brick must have the vertices on both sides of the plane. */
        lo[axis] = is_own ? (int64_t)ceil(plane->index) : plane->lo[axis];
        hi[axis] = is_own ? (int64_t)floor(plane->index) : plane->hi[axis];
    }
    return place->block == plane->block && has_vertices(place, lo, hi);
}

bool surface_cut_misses(const grid_brick_info *info, const surface_cut *cut)
{
    double least = 0.0, most = 0.0, size = 0.0, length = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        double normal = cut->normal.v[axis], point = cut->point.v[axis];
        double lo = (double)info->lo[axis] - point, hi = (double)info->hi[axis] - point;
        least += normal * (normal > 0.0 ? lo : hi);
        most += normal * (normal > 0.0 ? hi : lo);
        size += fabs(lo) + fabs(hi) + 2.0 * fabs(point);
        length += fabs(normal);
    }
    const double margin = FLT_EPSILON * size * length; /* that of cut.c or more */
    return least > margin || most < -margin;
}

bool render_surface_needs(const grid_layout *layout, const surface_spec *spec,
                          int64_t number)
{
    const grid_brick_place place = grid_layout_place(layout, number);
    const grid_brick_info *info = &layout->bricks[number];
    bool needs = spec->walls;
    for (int n = 0; n < spec->nranges && !needs; n++) {
        const surface_range *range = &spec->ranges[n];
        needs = place.block == range->block && has_vertices(&place, range->lo, range->hi);
    }
    for (int n = 0; n < spec->nplanes && !needs; n++) {
        needs = has_plane(&place, &spec->planes[n]);
    }
    for (int n = 0; n < spec->ncuts && !needs; n++) {
        needs = !surface_cut_misses(info, &spec->cuts[n]);
    }
    return needs && info->cells > 0;
}
