/* Outlines: the config's `outline`, the edges of blocks as lines. */
#include "base/parallel/parallel.h"
#include "frame/scene/bricks.h"
#include "io/load/load.h"
#include "layer.h"
#include "render/lines/trails.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* An outline. Every rank draws all edges: they are few, and lines reach beyond the bricks
 * along them. */
typedef struct outline {
    int first_block, blocks;
    int64_t npoints, ntrails;
    float (*points)[3];   /* [npoints] */
    render_trail *trails; /* [ntrails]: twelve per block, those along i first */
    render_shade shade;
    render_fragments fragments;
} outline;

static void destroy(frame_layer *layer)
{
    outline *o = layer->state;
    if (!o) {
        return;
    }
    render_fragments_clear(&o->fragments);
    free(o->points);
    free(o->trails);
    free(o);
    layer->state = NULL;
}

/* ---- Edges ------------------------------------------------------------------------- */

/* layer_wants: whether a brick touches two sides of its block that have an edge in
 * common. */
static bool has_edge(const frame_layer *layer, const grid_layout *layout, int64_t number)
{
    const outline *o = layer->state;
    const grid_brick_place place = grid_layout_place(layout, number);
    const int64_t *n = layout->blocks[place.block].n;
    int sides = 0;
    for (int axis = 0; axis < 3; axis++) {
        sides += place.lo[axis] == 0 || place.lo[axis] + place.n[axis] == n[axis] - 1;
    }
    return sides >= 2 && place.block >= o->first_block &&
           place.block < o->first_block + o->blocks;
}

static status list_edges(const frame_scene *scene, outline *o)
{
    o->ntrails = 12 * (int64_t)o->blocks;
    o->trails = calloc((size_t)o->ntrails, sizeof *o->trails);
    for (int64_t edge = 0; o->trails && edge < o->ntrails; edge++) {
        const int block = o->first_block + (int)(edge / 12);
        const int64_t count = scene->layout->blocks[block].n[edge / 4 % 3];
        o->trails[edge] = (render_trail){o->npoints, count};
        o->npoints += count;
    }
    o->points = malloc(((size_t)o->npoints + 1) * sizeof *o->points);
    for (int64_t n = 0; o->points && n < o->npoints; n++) {
        for (int c = 0; c < 3; c++) {
            o->points[n][c] = FLT_MAX; /* no rank has set it yet */
        }
    }
    return o->trails && o->points
               ? STATUS_OK
               : base_fail_memory((size_t)o->npoints * sizeof *o->points, "an outline");
}

/* Takes the vertices of a brick that lie on one edge of its block. */
static void take_edge(const frame_scene *scene, const grid_brick *brick, int axis,
                      int edge, outline *o)
{
    const grid_brick_place *place = &brick->place;
    const int64_t *n = scene->layout->blocks[place->block].n;
    int at[3];
    for (int side = 0; side < 2; side++) {
        const int across = (axis + 1 + side) % 3;
        const bool upper = edge >> side & 1;
        at[across] = upper ? place->n[across] : 0;
        if (place->lo[across] + at[across] != (upper ? n[across] - 1 : 0)) {
            return;
        }
    }
    const int number = 12 * (place->block - o->first_block) + 4 * axis + edge;
    const int64_t begin = o->trails[number].first + place->lo[axis];
    for (at[axis] = 0; at[axis] <= place->n[axis]; at[axis]++) {
        const int64_t vertex =
            at[0] + (int64_t)(place->n[0] + 1) * (at[1] + (place->n[1] + 1) * at[2]);
        for (int c = 0; c < 3; c++) {
            o->points[begin + at[axis]][c] = brick->vertex[vertex][c];
        }
    }
}

/* Combines the points of all ranks on every rank. A point that no rank has becomes NaN,
 * which interrupts the line. Collective. */
static status share_points(const frame_scene *scene, outline *o)
{
    const size_t bytes = ((size_t)o->npoints + 1) * sizeof *o->points;
    float(*all)[3] = malloc(bytes);
    status s = parallel_agree(scene->comm,
                              all ? STATUS_OK : base_fail_memory(bytes, "an outline"));
    if (s != STATUS_OK) {
        free(all);
        return s;
    }
    parallel_allreduce(o->points, all, parallel_count(3 * o->npoints), MPI_FLOAT, MPI_MIN,
                       scene->comm);
    free(o->points);
    o->points = all;
    for (int64_t n = 0; n < o->npoints; n++) {
        if (all[n][0] == FLT_MAX) {
            all[n][0] = NAN;
        }
    }
    return STATUS_OK;
}

static status load_edges(frame_scene *scene, frame_layer *layer)
{
    outline *o = layer->state;
    int64_t count = 0, *numbers = NULL;
    grid_store *store = NULL;
    status s = parallel_agree(scene->comm, frame_bricks_owned(scene, &count, &numbers));
    if (s == STATUS_OK) {
        layer_pick_bricks(scene, layer, has_edge, &count, numbers);
        const io_load_list list = {scene->layout, count, numbers, GRID_VERTEX};
        s = io_load_bricks(scene->comm, scene->source, &list, &store);
    }
    free(numbers);
    if (s != STATUS_OK) {
        return s;
    }
    for (int64_t slot = 0; slot < store->nbricks; slot++) {
        for (int edge = 0; edge < 12; edge++) {
            take_edge(scene, &store->bricks[slot], edge / 4, edge % 4, o);
        }
    }
    grid_store_destroy(&store);
    return share_points(scene, o);
}

/* ---- The layer --------------------------------------------------------------------- */

static status create(frame_scene *scene, frame_layer *layer)
{
    const io_tool_config *config = layer->config->tool;
    outline *o = calloc(1, sizeof *o);
    layer->state = o;
    status s = o ? STATUS_OK : base_fail_memory(sizeof *o, "an outline");
    if (s == STATUS_OK) {
        o->blocks = scene->layout->nblocks;
        if (config->block) {
            o->first_block = layer_find_block(scene, layer, "block", config->block);
            s = o->first_block < 0 ? STATUS_USAGE : STATUS_OK;
        }
        if (config->block && s == STATUS_OK) {
            o->blocks =
                grid_layout_last_copy(scene->layout, o->first_block) + 1 - o->first_block;
        }
    }
    if (s == STATUS_OK) {
        s = list_edges(scene, o);
    }
    s = parallel_agree(scene->comm, s);
    return s == STATUS_OK ? load_edges(scene, layer) : s;
}

static status load(frame_scene *scene, frame_layer *layer, int step)
{
    (void)scene;
    (void)layer;
    (void)step;
    return STATUS_OK;
}

static frame_margin margin(const frame_scene *scene, const frame_layer *layer)
{
    (void)scene;
    return (frame_margin){.pixels = (int)ceil(0.5 * layer->config->tool->line_width) + 1};
}

static status draw(const frame_scene *scene, const draw_request *request,
                   frame_layer *layer, render_counters *counters)
{
    (void)counters;
    outline *o = layer->state;
    const io_tool_config *config = layer->config->tool;
    o->shade = layer_shade(scene, &config->paint);
    render_trails trails = {.kind = RENDER_TRAILS_LINES,
                            .ntrails = o->ntrails,
                            .trails = o->trails,
                            .points = (const float(*)[3])o->points,
                            .width = config->line_width,
                            .opacity = (float)config->paint.opacity,
                            .shade = config->paint.lit ? &o->shade : NULL};
    for (int c = 0; c < 3; c++) {
        trails.color[c] = (float)config->paint.color[c];
    }
    render_fragments_clear(&o->fragments);
    layer->drawn = NULL;
    status s =
        render_trails_draw(&trails, &request->camera, scene->threads, &o->fragments);
    if (s == STATUS_OK) {
        layer->drawn = &o->fragments;
    }
    return s;
}

const layer_kind layer_outline = {.stays_whole = true,
                                  .create = create,
                                  .destroy = destroy,
                                  .load = load,
                                  .draw = draw,
                                  .margin = margin};
