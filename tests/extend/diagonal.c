/* A layer: one line through the grid, from the lowest corner of its bounds to the
 * highest. */
#include "base/parallel/parallel.h"
#include "frame/layers/layer.h"
#include "render/lines/trails.h"

#include <stdlib.h>

static status create(frame_scene *scene, frame_layer *layer)
{
    layer->state = calloc(1, sizeof(render_fragments));
    return parallel_agree(scene->comm,
                          layer->state
                              ? STATUS_OK
                              : base_fail_memory(sizeof(render_fragments), "a diagonal"));
}

static void destroy(frame_layer *layer)
{
    if (layer->state) {
        render_fragments_clear(layer->state);
    }
    free(layer->state);
    layer->state = NULL;
}

/* A line without a field needs nothing of a step. */
static status load(frame_scene *scene, frame_layer *layer, int step)
{
    (void)scene;
    (void)layer;
    (void)step;
    return STATUS_OK;
}

/* Every rank draws the whole line, and keeps the fragments in its part of each ray. */
static status draw(const frame_scene *scene, const draw_request *request,
                   frame_layer *layer, render_counters *counters)
{
    (void)counters;
    const box3 bounds = scene->layout->bounds;
    float points[2][3];
    for (int axis = 0; axis < 3; axis++) {
        points[0][axis] = (float)bounds.lo.v[axis];
        points[1][axis] = (float)bounds.hi.v[axis];
    }
    const render_trail trail = {0, 2};
    const io_tool_config *config = layer->config->tool;
    render_trails trails = {.kind = RENDER_TRAILS_LINES,
                            .ntrails = 1,
                            .trails = &trail,
                            .points = (const float(*)[3])points,
                            .width = config->line_width,
                            .opacity = (float)config->paint.opacity};
    for (int c = 0; c < 3; c++) {
        trails.color[c] = (float)config->paint.color[c];
    }
    render_fragments_clear(layer->state);
    layer->drawn = NULL;
    status s =
        render_trails_draw(&trails, &request->camera, scene->threads, layer->state);
    if (s == STATUS_OK) {
        layer->drawn = layer->state;
    }
    return s;
}

const layer_kind layer_diagonal = {
    .create = create, .destroy = destroy, .load = load, .draw = draw};
