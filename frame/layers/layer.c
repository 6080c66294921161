#include "layer.h"

#include "base/log.h"

#include "base/parallel/parallel.h"
#include "frame/scene/appearance.h"
#include "frame/scene/bricks.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Costs ------------------------------------------------------------------------- */

double frame_layer_cost(const frame_layer *layer, int64_t tile)
{
    const render_fragments *drawn = layer->drawn;
    const int64_t count = drawn ? drawn->first[tile + 1] - drawn->first[tile] : 0;
    return count > 0 && layer->kind->cost ? layer->kind->cost(layer, tile)
                                          : (double)count;
}

/* ---- Failures ---------------------------------------------------------------------- */

frame_margin layer_margin_none(const frame_scene *scene, const frame_layer *layer)
{
    (void)scene;
    (void)layer;
    return (frame_margin){0};
}

status layer_blame(const frame_scene *scene, const frame_layer *layer, const char *key,
                   status s)
{
    char path[128];
    snprintf(path, sizeof path, "%s%s%s", layer->name, key ? "." : "", key ? key : "");
    return io_config_blame(scene->config, path, s);
}

/* ---- Fields ------------------------------------------------------------------------ */

status layer_find_field(const frame_scene *scene, const frame_layer *layer,
                        const char *key, const char *name, bool at_vertices,
                        grid_recipe **out)
{
    status s = grid_recipe_create(name, io_source_field_count(scene->source),
                                  io_source_fields(scene->source),
                                  scene->config->data.terms, out);
    layer_blame(scene, layer, key, s);
    if (s == STATUS_OK && at_vertices) {
        grid_recipe_move_to_vertices(*out);
    }
    return s;
}

status layer_resolve_index(const grid_block *block, int axis, double index, double *out)
{
    const double n = (double)block->n[axis];
    *out = index < 0.0 ? index + n : index;
    if (!(*out >= 0.0 && *out <= n - 1.0)) {
        return base_fail(STATUS_USAGE,
                         "%c = %g lies outside of the block '%s', whose vertices go from "
                         "0 to %g along it",
                         "ijk"[axis], index, block -> name, n - 1.0);
    }
    return STATUS_OK;
}

/* ---- Colours ----------------------------------------------------------------------- */

/* The colour of a map at a position. */
static void color_at(const io_paint_config *paint, double position, double rgb[3])
{
    int n = 0;
    while (n + 1 < paint->ncolors && paint->colors[n + 1][0] <= position) {
        n++;
    }
    const double *a = paint->colors[n];
    const double *b = paint->colors[n + 1 < paint->ncolors ? n + 1 : n];
    double share = b[0] > a[0] ? (position - a[0]) / (b[0] - a[0]) : 0.0;
    share = share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
    for (int c = 0; c < 3; c++) {
        rgb[c] = a[1 + c] + share * (b[1 + c] - a[1 + c]);
    }
}

/* Takes the used part of the map, and stretches it over 0..1. */
static status cut_map(const io_paint_config *paint, frame_layer *layer)
{
    const double lo = paint->part[0], span = paint->part[1] - paint->part[0];
    size_t bytes = ((size_t)paint->ncolors + 2) * sizeof *layer->points;
    layer->points = malloc(bytes);
    if (!layer->points) {
        return base_fail_memory(bytes, "a colour map");
    }
    layer->npoints = 0;
    double *first = layer->points[layer->npoints++];
    first[0] = 0.0;
    color_at(paint, paint->part[0], first + 1);
    for (int n = 0; n < paint->ncolors; n++) {
        double position = (paint->colors[n][0] - lo) / span;
        if (position > 0.0 && position < 1.0) {
            double *point = layer->points[layer->npoints++];
            memcpy(point, paint->colors[n], 4 * sizeof *point);
            point[0] = position;
        }
    }
    double *last = layer->points[layer->npoints++];
    last[0] = 1.0;
    color_at(paint, paint->part[1], last + 1);
    return STATUS_OK;
}

int layer_count_levels(const frame_layer *layer)
{
    const io_tool_config *tool = layer->config->tool;
    return tool->nlevels > 0 ? tool->nlevels : tool->nvalues;
}

double layer_level(const frame_layer *layer, int n)
{
    const io_tool_config *tool = layer->config->tool;
    return tool->nlevels > 0
               ? base_scale_value(&layer->scale, (n + 1.0) / (tool->nlevels + 1.0))
               : tool->values[n];
}

/* The positions of levels within the range: the ends of bands, but the outer ones. */
static int find_band_ends(const frame_layer *layer, int most, double *ends)
{
    int count = 0;
    for (int n = 0; n < layer_count_levels(layer) && count < most; n++) {
        const double at = base_scale_position(&layer->scale, layer_level(layer, n));
        if (at > 0.0 && at < 1.0) {
            ends[count++] = at;
        }
    }
    return count;
}

/* As many colours as a contour has bands within the range are the colours of these
 * bands: its map gets steps at the levels. */
static status step_map(const io_paint_config *paint, frame_layer *layer)
{
    const io_tool_config *tool = layer->config->tool;
    const int count = paint->neven;
    if (layer->config->kind != IO_LAYER_CONTOUR || !tool->bands ||
        tool->style == IO_STYLE_LINES || count < 2) {
        return STATUS_OK;
    }
    const size_t bytes = 2 * (size_t)count * sizeof *layer->points;
    double *ends = calloc((size_t)count + 1, sizeof *ends);
    double(*points)[4] = malloc(bytes);
    if (!ends || !points) {
        free(ends);
        free(points);
        return base_fail_memory(bytes, "a colour map");
    }
    if (find_band_ends(layer, count, ends + 1) != count - 1) {
        free(points);
    } else {
        for (int n = 0; n < count; n++) {
            double(*band)[4] = points + 2 * n;
            color_at(paint, (double)n / (count - 1), band[0] + 1);
            memcpy(band[1] + 1, band[0] + 1, 3 * sizeof band[0][0]);
            band[0][0] = ends[n];
            band[1][0] = n + 1 < count ? ends[n + 1] : 1.0;
        }
        free(layer->points);
        layer->points = points;
        layer->npoints = 2 * count;
    }
    free(ends);
    return STATUS_OK;
}

/* A band of one colour for each whole number from the first category to the last. */
static status band_categories(const io_paint_config *paint, frame_layer *layer)
{
    const int count = paint->ncategories;
    if (count == 0) {
        return STATUS_OK;
    }
    const int bands =
        (int)(paint->categories[count - 1].value - paint->categories[0].value) + 1;
    double(*points)[4] = malloc(2 * (size_t)bands * sizeof *points);
    if (!points) {
        return base_fail_memory(2 * (size_t)bands * sizeof *points, "a colour map");
    }
    for (int n = 0, at = 0; n < bands; n++) {
        const io_category_config *one = &paint->categories[at];
        const bool is_named = one->value == paint->categories[0].value + n;
        double(*band)[4] = points + 2 * n;
        color_at(paint, bands > 1 ? (double)n / (bands - 1) : 0.5, band[0] + 1);
        if (is_named && one->has_color) {
            memcpy(band[0] + 1, one->color, sizeof one->color);
        }
        memcpy(band[1] + 1, band[0] + 1, 3 * sizeof band[0][0]);
        band[0][0] = (double)n / bands;
        band[1][0] = (n + 1.0) / bands;
        at += is_named && at + 1 < count;
    }
    free(layer->points);
    layer->points = points;
    layer->npoints = 2 * bands;
    return STATUS_OK;
}

/* Makes the map for values from the points on the scale. */
static status create_colors(const frame_layer *layer, const io_paint_config *paint,
                            render_colors **out)
{
    const double quarter = 0.25 / 255.0; /* of a count of 8 bits */
    const base_scale_points bent = {4, layer->npoints, layer->points[0]};
    base_scale_points flat = {0};
    status s = base_scale_flatten(&layer->scale, quarter, &bent, &flat);
    if (s == STATUS_OK) {
        const render_colors_points points = {
            .count = flat.count,
            .points = (const double(*)[4])flat.rows,
            .range = {layer->range[0], layer->range[1]},
            .nan_color = {paint->nan_color[0], paint->nan_color[1], paint->nan_color[2]},
            .below = paint->has_below ? paint->below_color : NULL,
            .above = paint->has_above ? paint->above_color : NULL};
        s = render_colors_create(&points, out);
    }
    free(flat.rows);
    return s;
}

void layer_set_range(frame_layer *layer, const io_paint_config *paint)
{
    memcpy(layer->range, paint->range, sizeof layer->range);
    layer->scale = base_scale_make(paint->scale, paint->threshold, paint->range);
}

status layer_make_colors(frame_scene *scene, frame_layer *layer,
                         const io_paint_config *paint, const char *field,
                         render_colors **out)
{
    render_colors *made = NULL;
    layer_set_range(layer, paint);
    free(layer->points);
    status s = cut_map(paint, layer);
    s = s == STATUS_OK ? step_map(paint, layer) : s;
    s = s == STATUS_OK ? band_categories(paint, layer) : s;
    if (s == STATUS_OK) {
        layer->field = field;
        s = create_colors(layer, paint, &made);
    }
    if (s == STATUS_OK && *out) {
        render_colors_replace(*out, &made);
    } else if (s == STATUS_OK) {
        *out = made;
    }
    return parallel_agree(scene->comm, s);
}

render_shade layer_shade(const frame_scene *scene, const io_paint_config *paint)
{
    return frame_scene_shade(scene, &paint->shade);
}

/* ---- Bricks and blocks ------------------------------------------------------------- */

void layer_pick_bricks(const frame_scene *scene, const frame_layer *layer,
                       layer_wants *wants, int64_t *count, int64_t *numbers)
{
    int64_t kept = 0;
    for (int64_t n = 0; n < *count; n++) {
        if (wants(layer, scene->layout, numbers[n])) {
            numbers[kept++] = numbers[n];
        }
    }
    *count = kept;
}

int layer_find_block(const frame_scene *scene, const frame_layer *layer, const char *key,
                     const char *name)
{
    int block = -1;
    layer_blame(scene, layer, key, frame_block_find(scene->layout, name, &block));
    return block;
}

void layer_grow_bounds(const grid_layout *layout, int64_t number, box3 *bounds)
{
    const box3 brick = grid_brick_bounds(&layout->bricks[number]);
    for (int axis = 0; axis < 3; axis++) {
        bounds->lo.v[axis] = fmin(bounds->lo.v[axis], brick.lo.v[axis]);
        bounds->hi.v[axis] = fmax(bounds->hi.v[axis], brick.hi.v[axis]);
    }
}

status layer_share(MPI_Comm comm, const layer_records *records, int64_t *total,
                   void **all)
{
    const int ranks = parallel_size(comm);
    int *bytes = malloc(2 * (size_t)ranks * sizeof *bytes), *begin = bytes + ranks;
    const bool fits = records->count < INT_MAX / (int64_t)records->size / ranks;
    status s = !fits   ? base_fail(STATUS_MEMORY,
                                   "%s has too many faces at the rims of bricks to share "
                                     "them",
                                   records->what)
               : bytes ? STATUS_OK
                       : base_fail_memory(2 * (size_t)ranks * sizeof *bytes, "counts");
    s = parallel_agree(comm, s);
    if (s != STATUS_OK) {
        free(bytes);
        return s;
    }
    const int here = (int)(records->count * (int64_t)records->size);
    MPI_Allgather(&here, 1, MPI_INT, bytes, 1, MPI_INT, comm);
    int sum = 0;
    for (int rank = 0; rank < ranks; rank++) {
        begin[rank] = sum;
        sum += bytes[rank];
    }
    *all = malloc((size_t)sum + 1);
    s = parallel_agree(comm,
                       *all ? STATUS_OK : base_fail_memory((size_t)sum, records->what));
    if (s == STATUS_OK) {
        MPI_Allgatherv(records->mine, here, MPI_BYTE, *all, bytes, begin, MPI_BYTE, comm);
        *total = sum / (int64_t)records->size;
    }
    free(bytes);
    return s;
}

void layer_warn_of_no_faces(const frame_scene *scene, frame_layer *layer, int64_t mine)
{
    const io_tool_config *config = layer->config->tool;
    int64_t all = 0;
    parallel_allreduce(&mine, &all, 1, MPI_INT64_T, MPI_SUM, scene->comm);
    if (all > 0) {
        return;
    }
    layer->has_warned = true;
    if (config->has_plane && config->block) {
        base_log_warning("%s: the plane does not meet the block '%s'", layer->where,
                         config->block);
    } else if (config->has_plane) {
        const vec3 lo = vec3_add(scene->layout->bounds.lo, scene->layout->origin);
        const vec3 hi = vec3_add(scene->layout->bounds.hi, scene->layout->origin);
        base_log_warning("%s: the plane does not meet the grid, which lies in x %g to "
                         "%g, y %g to %g, z %g to %g",
                         layer->where, lo.v[0], hi.v[0], lo.v[1], hi.v[1], lo.v[2],
                         hi.v[2]);
    } else if (config->walls != IO_WALLS_NONE) {
        base_log_warning(
            "%s: there are no walls: no boundary face has iblank 2 at all of "
            "its vertices; name faces by i, j or k instead",
            layer->where);
    } else {
        base_log_warning("%s: there is nothing to draw: it has no faces, or all cells "
                         "there are blanked",
                         layer->where);
    }
}
