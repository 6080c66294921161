/* A polygon of a cell or a face knows the vertices of the grid between which its corners
 * lie. These name the cells that it belongs to: one, or two on both sides of a face. Of
 * the points of lines a probe finds the cells. */
#include "gates.h"

#include "base/parallel/parallel.h"
#include "cut.h"
#include "frame/probe/probe.h"
#include "io/load/load.h"
#include "render/iso.h"
#include "trace/cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Cells [lo, hi) of a block. */
typedef struct cell_box {
    int block; /* -1: none */
    int64_t lo[3], hi[3];
} cell_box;

/* A threshold, and what it is applied to. */
typedef struct gate {
    const frame_scene *scene;
    const render_limits *limits;
    const grid_recipe *recipe; /* NULL: values do not matter */
    int step;                  /* index */
    bool by_values;            /* polygons are cut along values at their corners */
    int64_t count;
    cell_box *cells;   /* [count]: of polygons, or of points of lines */
    grid_store *store; /* their bricks, with the field */
} gate;

/* ---- Cells ------------------------------------------------------------------------- */

static void indices_of(const grid_layout *layout, int block, int64_t index, int64_t at[3])
{
    const int64_t *n = layout->blocks[block].n;
    at[0] = index % n[0];
    at[1] = index / n[0] % n[1];
    at[2] = index / (n[0] * n[1]);
}

/* The cells that have all vertices between which the corners of a polygon lie. */
static cell_box cells_of_part(const grid_layout *layout, const render_geometry *g,
                              int64_t part)
{
    const int64_t first = part > 0 ? g->ends[part - 1] : 0;
    cell_box box = {.block = g->origins[g->indices[first]].block};
    const int64_t *n = layout->blocks[box.block].n;
    for (int64_t index = first; index < g->ends[part]; index++) {
        const render_origin *origin = &g->origins[g->indices[index]];
        for (int end = 0; end < 2; end++) {
            int64_t at[3];
            indices_of(layout, box.block, end == 0 ? origin->a : origin->b, at);
            for (int axis = 0; axis < 3; axis++) {
                const bool is_new = index == first && end == 0;
                int64_t *lo = &box.lo[axis], *hi = &box.hi[axis];
                *lo = is_new || at[axis] < *lo ? at[axis] : *lo;
                *hi = is_new || at[axis] > *hi ? at[axis] : *hi;
            }
        }
    }
    for (int axis = 0; axis < 3; axis++) { /* from vertices to cells */
        if (box.lo[axis] == box.hi[axis]) {
            box.lo[axis] -= box.lo[axis] > 0;
            box.hi[axis] += box.hi[axis] < n[axis] - 1;
        }
    }
    return box;
}

static bool has_next(const cell_box *box, trace_cell *cell)
{
    for (int axis = 0; axis < 3; axis++) {
        if (++cell->at[axis] < box->hi[axis]) {
            return true;
        }
        cell->at[axis] = box->lo[axis];
    }
    return false;
}

static trace_cell first_cell(const cell_box *box)
{
    return (trace_cell){box->block, {box->lo[0], box->lo[1], box->lo[2]}};
}

/* Loads the bricks of all cells, with the field. Collective. */
static status load(gate *g)
{
    const grid_layout *layout = g->scene->layout;
    uint8_t *wanted = calloc((size_t)layout->nbricks + 1, 1);
    int64_t count = 0;
    int64_t *numbers = malloc(((size_t)layout->nbricks + 1) * sizeof *numbers);
    status s = wanted && numbers ? STATUS_OK : base_fail_memory(0, "a threshold");
    for (int64_t n = 0; n < g->count && s == STATUS_OK; n++) {
        trace_cell cell = first_cell(&g->cells[n]);
        bool more = g->cells[n].block >= 0;
        for (; more; more = has_next(&g->cells[n], &cell)) {
            wanted[trace_cell_brick(layout, &cell)] = 1;
        }
    }
    for (int64_t n = 0; n < layout->nbricks && s == STATUS_OK; n++) {
        if (wanted[n]) {
            numbers[count++] = n;
        }
    }
    s = parallel_agree(g->scene->comm, s);
    if (s == STATUS_OK) {
        const io_load_list list = {layout, count, numbers,
                                   g->recipe ? grid_recipe_location(g->recipe)
                                             : GRID_VERTEX};
        s = io_load_bricks(g->scene->comm, g->scene->source, &list, &g->store);
    }
    if (s == STATUS_OK && g->recipe) {
        s = io_load_field(g->scene->comm, g->scene->source, g->recipe, g->step, g->store);
    }
    free(wanted);
    free(numbers);
    return s;
}

/* ---- Limits ------------------------------------------------------------------------ */

static bool is_within(const gate *g, float value)
{
    return isfinite(value) && value >= g->limits->lo && value <= g->limits->hi;
}

/* Whether a cell lies in the block and the box of the limits. */
static bool is_in_box(const gate *g, const trace_cell *cell)
{
    const grid_layout *layout = g->scene->layout;
    const render_limits *limits = g->limits;
    bool is = grid_layout_shows(layout, limits->block, trace_cell_brick(layout, cell));
    for (int axis = 0; axis < 3 && limits->has_box; axis++) {
        const int64_t n = layout->blocks[cell->block].n[axis];
        const int64_t a = limits->from[axis], b = limits->to[axis];
        is = is && cell->at[axis] >= (a < 0 ? a + n : a) &&
             cell->at[axis] < (b < 0 ? b + n : b);
    }
    return is;
}

/* Whether a cell is drawn, as far as it is a matter of cells. */
static bool is_open(const gate *g, const trace_cell *cell)
{
    trace_corners corners;
    bool is =
        is_in_box(g, cell) && trace_cell_look(g->store, cell, &corners) == TRACE_PRESENT;
    if (!is || !g->recipe || g->by_values) {
        return is;
    }
    if (g->store->cell) {
        const grid_brick *brick =
            &g->store->bricks[g->store->slot[trace_cell_brick(g->scene->layout, cell)]];
        const grid_brick_place *place = &brick->place;
        const int64_t row =
            cell->at[1] - place->lo[1] + place->n[1] * (cell->at[2] - place->lo[2]);
        return is_within(g, brick->cell[cell->at[0] - place->lo[0] + place->n[0] * row]);
    }
    for (int c = 0; c < 8; c++) {
        is = is && is_within(g, g->store->vertex[corners.vertex[c]][3]);
    }
    return is;
}

static bool is_any_open(const gate *g, const cell_box *box)
{
    trace_cell cell = first_cell(box);
    bool is = false;
    for (bool more = box->block >= 0; more && !is; more = has_next(box, &cell)) {
        is = is_open(g, &cell);
    }
    return is;
}

/* ---- Polygons ---------------------------------------------------------------------- */

/* The field at a vertex of the grid, in any brick that is there. */
static float value_at(const gate *g, int block, int64_t index)
{
    int64_t at[3];
    indices_of(g->scene->layout, block, index, at);
    for (int corner = 0; corner < 8; corner++) {
        trace_cell cell = {.block = block};
        trace_corners corners;
        bool is_cell = true;
        for (int axis = 0; axis < 3; axis++) {
            cell.at[axis] = at[axis] - (corner >> axis & 1);
            is_cell = is_cell && cell.at[axis] >= 0 &&
                      cell.at[axis] < g->scene->layout->blocks[block].n[axis] - 1;
        }
        if (is_cell && trace_cell_look(g->store, &cell, &corners) == TRACE_PRESENT) {
            return g->store->vertex[corners.vertex[corner]][3];
        }
    }
    return NAN;
}

static void find_values(const gate *g, const render_geometry *geometry, float *out)
{
    for (int64_t n = 0; n < geometry->npoints; n++) {
        const render_origin *from = &geometry->origins[n];
        const float a = value_at(g, from->block, from->a),
                    b = value_at(g, from->block, from->b);
        out[n] = from->a == from->b ? a : (1.0f - from->share) * a + from->share * b;
    }
}

/* Closes polygons in cells that are not shown, or with a corner without a value. */
static void close_parts(const gate *g, const render_geometry *geometry,
                        const float *values, bool *closed)
{
    for (int64_t part = 0; part < geometry->nparts; part++) {
        closed[part] = closed[part] || !is_any_open(g, &g->cells[part]);
        const int64_t first = part > 0 ? geometry->ends[part - 1] : 0;
        for (int64_t n = first; n < geometry->ends[part] && g->by_values; n++) {
            closed[part] = closed[part] || isnan(values[geometry->indices[n]]);
        }
    }
}

/* Applies a threshold to polygons: closes some, and finds values at corners. */
static status gate_polygons(gate *g, const render_geometry *geometry, float *values,
                            bool *closed)
{
    g->count = geometry->nparts;
    g->cells = malloc(((size_t)g->count + 1) * sizeof *g->cells);
    status s = g->cells ? STATUS_OK : base_fail_memory(0, "a threshold");
    for (int64_t part = 0; part < g->count && s == STATUS_OK; part++) {
        g->cells[part] = cells_of_part(g->scene->layout, geometry, part);
    }
    s = parallel_agree(g->scene->comm, s);
    s = s == STATUS_OK ? load(g) : s;
    if (s == STATUS_OK && g->by_values) {
        find_values(g, geometry, values);
    }
    if (s == STATUS_OK) {
        close_parts(g, geometry, values, closed);
    }
    return s;
}

/* ---- Lines ------------------------------------------------------------------------- */

/* The points of lines, which rank 0 has, as wishes of all ranks. Collective. */
static status share_points(const frame_scene *scene, const render_geometry *geometry,
                           int64_t *count, frame_probe_wish **out)
{
    enum { AT_ONCE = 1 << 20 };
    *count = geometry->npoints;
    parallel_bcast(count, 1, MPI_INT64_T, 0, scene->comm);
    frame_probe_wish *wishes = malloc(((size_t)*count + 1) * sizeof *wishes);
    float(*points)[3] = malloc(((size_t)*count + 1) * sizeof *points);
    status s = wishes && points
                   ? STATUS_OK
                   : base_fail_memory((size_t)*count * sizeof *wishes, "lines");
    s = parallel_agree(scene->comm, s);
    if (s == STATUS_OK) {
        if (scene->rank == 0) {
            memcpy(points, geometry->points, (size_t)*count * sizeof *points);
        }
        for (int64_t n = 0; n < *count; n += AT_ONCE) {
            const int64_t left = *count - n;
            parallel_bcast(points + n, 3 * (int)(left < AT_ONCE ? left : AT_ONCE),
                           MPI_FLOAT, 0, scene->comm);
        }
    }
    for (int64_t n = 0; n < *count && s == STATUS_OK; n++) {
        wishes[n] = (frame_probe_wish){.block = -1};
        for (int axis = 0; axis < 3; axis++) {
            wishes[n].x[axis] = (double)points[n][axis] + scene->layout->origin.v[axis];
        }
    }
    free(points);
    *out = wishes;
    return s;
}

/* The cells of the points on rank 0. */
static status cells_of_points(gate *g, const frame_probe_point *points, int64_t count)
{
    g->count = g->scene->rank == 0 ? count : 0;
    g->cells = malloc(((size_t)g->count + 1) * sizeof *g->cells);
    for (int64_t n = 0; n < g->count && g->cells; n++) {
        cell_box *box = &g->cells[n];
        box->block = points[n].is_inside ? points[n].block : -1;
        for (int axis = 0; axis < 3; axis++) {
            box->lo[axis] = points[n].at[axis];
            box->hi[axis] = points[n].at[axis] + 1;
        }
    }
    return g->cells ? STATUS_OK : base_fail_memory(0, "lines");
}

/* Values at the points of rank 0: 1 in open cells and -1 in others, unless the field has
 * limits itself. Collective. */
static status find_line_values(gate *g, frame_probe *probe, int64_t count, float *values)
{
    double *all = calloc((size_t)count + 1, sizeof *all);
    status s = all ? cells_of_points(g, frame_probe_points(probe), count)
                   : base_fail_memory((size_t)count * sizeof *all, "lines");
    s = parallel_agree(g->scene->comm, s);
    s = s == STATUS_OK ? load(g) : s;
    if (s == STATUS_OK && g->by_values) {
        s = frame_probe_values(probe, g->recipe, g->step, all);
    }
    for (int64_t n = 0; n < g->count && s == STATUS_OK; n++) {
        const bool is = is_any_open(g, &g->cells[n]);
        values[n] = !is ? (g->by_values ? NAN : -1.0f) : g->by_values ? (float)all[n] : 1;
    }
    free(all);
    return s;
}

static status gate_lines(gate *g, const render_geometry *geometry, float *values)
{
    int64_t count = 0;
    frame_probe_wish *wishes = NULL;
    frame_probe *probe = NULL;
    status s = share_points(g->scene, geometry, &count, &wishes);
    if (s == STATUS_OK) {
        s = frame_probe_create(g->scene->comm, g->scene->source, g->scene->layout, count,
                               wishes, &probe);
    }
    s = s == STATUS_OK ? find_line_values(g, probe, count, values) : s;
    frame_probe_destroy(&probe);
    free(wishes);
    return s;
}

/* ---- Layers ------------------------------------------------------------------------ */

/* Applies one threshold. Collective. */
static status apply(const frame_scene *scene, const frame_layer *threshold,
                    const render_geometry *geometry, float *values, bool *closed)
{
    gate g = {.scene = scene, .step = threshold->loaded - 1};
    g.limits = layer_threshold_limits(threshold, &g.recipe);
    g.by_values = g.recipe && grid_recipe_location(g.recipe) == GRID_VERTEX &&
                  !g.limits->whole_cells;
    const status s = geometry->are_lines ? gate_lines(&g, geometry, values)
                                         : gate_polygons(&g, geometry, values, closed);
    free(g.cells);
    grid_store_destroy(&g.store);
    return s;
}

/* Cuts by all limits. */
static status cut(int count, float (*limits)[2], const bool *closed,
                  render_geometry *geometry)
{
    status s = extract_cut_closed(closed, geometry);
    for (int n = 0; n < count && s == STATUS_OK; n++) {
        s = extract_cut_limited(n, limits[n], geometry);
    }
    return s;
}

/* The limits that geometry is cut by, after `apply`. */
static void find_limits(const frame_layer *threshold, bool are_lines, float limits[2])
{
    const grid_recipe *recipe = NULL;
    const render_limits *given = layer_threshold_limits(threshold, &recipe);
    const bool by_values = recipe && !given->whole_cells;
    limits[0] = by_values ? given->lo : are_lines ? 0.0f : -INFINITY;
    limits[1] = by_values ? given->hi : INFINITY;
}

status extract_gates(const frame_scene *scene, const frame_layers *layers,
                     const frame_layer *layer, render_geometry *geometry)
{
    int count = 0;
    for (int n = 0; n < layers->count; n++) {
        count += layers->items[n].kind->is_gate;
    }
    if (count == 0 || layer->config->whole || layer->kind->stays_whole) {
        return STATUS_OK;
    }
    const size_t bytes = (size_t)count * (size_t)(geometry->npoints + 1) * sizeof(float);
    geometry->limited = realloc(geometry->limited, bytes);
    geometry->nlimited = count;
    bool *closed = calloc((size_t)geometry->nparts + 1, sizeof *closed);
    float(*limits)[2] = calloc((size_t)count, sizeof *limits);
    status s = geometry->limited && closed && limits
                   ? STATUS_OK
                   : base_fail_memory(bytes, "a threshold");
    s = parallel_agree(scene->comm, s);
    for (int n = 0, gates = 0; n < layers->count && s == STATUS_OK; n++) {
        const frame_layer *threshold = &layers->items[n];
        if (threshold->kind->is_gate) {
            find_limits(threshold, geometry->are_lines, limits[gates]);
            s = apply(scene, threshold, geometry,
                      &geometry->limited[gates++ * geometry->npoints], closed);
        }
    }
    s = s == STATUS_OK ? cut(count, limits, closed, geometry) : s;
    free(closed);
    free(limits);
    return s;
}
