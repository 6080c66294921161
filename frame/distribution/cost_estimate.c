#include "cost_estimate.h"

#include "render/cells/march.h"

#include <stdlib.h>

/* The costs of a brick, of the volume and all layers. */
static frame_brick_cost cost_of_brick(const distribution_state *state, int64_t number)
{
    frame_brick_cost sum = frame_brick_cost_volume(state->scene, number);
    for (int n = 0; n < state->layers->count; n++) {
        const frame_layer *layer = &state->layers->items[n];
        if (layer->kind->brick_cost) {
            const frame_brick_cost more =
                layer->kind->brick_cost(layer, state->scene->layout, number);
            sum.cells += more.cells;
            sum.bytes += more.bytes;
            sum.owned_bytes += more.owned_bytes;
        }
    }
    return sum;
}

status cost_estimate_create(const distribution_state *state, cost_estimate *out)
{
    const frame_scene *scene = state->scene;
    const int64_t nbricks = scene->layout->nbricks;
    const size_t count = (size_t)nbricks + 1;
    render_camera camera = scene->camera;
    camera.window = (pixel_rect){0, 0, camera.width, camera.height};
    cost_estimate estimate = {.nbricks = nbricks,
                              .rects = calloc(count, sizeof *estimate.rects),
                              .cells = calloc(count, sizeof *estimate.cells),
                              .bytes = calloc(count, sizeof *estimate.bytes),
                              .owned_bytes = calloc(count, sizeof *estimate.owned_bytes)};
    if (!estimate.rects || !estimate.cells || !estimate.bytes || !estimate.owned_bytes) {
        cost_estimate_clear(&estimate);
        return base_fail_memory(count * sizeof *estimate.rects, "a list of bricks");
    }
    for (int64_t number = 0; number < nbricks; number++) {
        if (scene->layout->bricks[number].cells == 0) {
            continue;
        }
        const frame_brick_cost cost = cost_of_brick(state, number);
        estimate.cells[number] = cost.cells;
        estimate.bytes[number] = cost.bytes;
        estimate.owned_bytes[number] = cost.owned_bytes;
        if (render_march_wants(scene->layout, number, &camera, box3_everything())) {
            estimate.rects[number] = render_camera_footprint(
                &camera, grid_brick_bounds(&scene->layout->bricks[number]));
        }
    }
    *out = estimate;
    return STATUS_OK;
}

void cost_estimate_clear(cost_estimate *estimate)
{
    free(estimate->rects);
    free(estimate->cells);
    free(estimate->bytes);
    free(estimate->owned_bytes);
    *estimate = (cost_estimate){0};
}
