#include "needs.h"

#include "render/cells/march.h"

#include <stdlib.h>

/* What volume and layers do with a brick. */
static app_need need_of_brick(const share_state *state, int64_t number)
{
    app_need sum = app_need_volume(state->scene, number);
    for (int n = 0; n < state->layers->count; n++) {
        const app_layer *layer = &state->layers->items[n];
        if (layer->kind->need) {
            const app_need more = layer->kind->need(layer, state->scene->layout, number);
            sum.cells += more.cells;
            sum.bytes += more.bytes;
            sum.home_bytes += more.home_bytes;
        }
    }
    return sum;
}

status share_needs_create(const share_state *state, share_needs *out)
{
    const app_scene *scene = state->scene;
    const int64_t nbricks = scene->layout->nbricks;
    const size_t count = (size_t)nbricks + 1;
    render_camera camera = scene->camera;
    camera.window = (pixel_rect){0, 0, camera.width, camera.height};
    share_needs needs = {.nbricks = nbricks,
                         .rects = calloc(count, sizeof *needs.rects),
                         .cells = calloc(count, sizeof *needs.cells),
                         .bytes = calloc(count, sizeof *needs.bytes),
                         .home_bytes = calloc(count, sizeof *needs.home_bytes)};
    if (!needs.rects || !needs.cells || !needs.bytes || !needs.home_bytes) {
        share_needs_clear(&needs);
        return base_fail_memory(count * sizeof *needs.rects, "a list of bricks");
    }
    for (int64_t number = 0; number < nbricks; number++) {
        if (scene->layout->bricks[number].cells == 0) {
            continue;
        }
        const app_need need = need_of_brick(state, number);
        needs.cells[number] = need.cells;
        needs.bytes[number] = need.bytes;
        needs.home_bytes[number] = need.home_bytes;
        if (render_march_wants(scene->layout, number, &camera, box3_everything())) {
            needs.rects[number] = render_camera_footprint(
                &camera, grid_brick_bounds(&scene->layout->bricks[number]));
        }
    }
    *out = needs;
    return STATUS_OK;
}

void share_needs_clear(share_needs *needs)
{
    free(needs->rects);
    free(needs->cells);
    free(needs->bytes);
    free(needs->home_bytes);
    *needs = (share_needs){0};
}
