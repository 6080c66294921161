#include "brick_cost.h"

#include "appearance.h"

frame_brick_cost frame_brick_cost_march(const grid_layout *layout, int64_t number,
                                        int vertex_bytes, bool has_cell_values)
{
    const grid_brick_place place = grid_layout_place(layout, number);
    const int *n = place.n;
    const int64_t vertices = (int64_t)(n[0] + 1) * (n[1] + 1) * (n[2] + 1);
    const int64_t cells = (int64_t)n[0] * n[1] * n[2];
    return (frame_brick_cost){.cells = (double)(n[0] + n[1] + n[2]) / 3.0,
                              .bytes = vertices * vertex_bytes +
                                       (has_cell_values ? APP_CELL_BYTES * cells : 0)};
}

frame_brick_cost frame_brick_cost_volume(const frame_scene *scene, int64_t number)
{
    if (!scene->volume.recipe) {
        return (frame_brick_cost){0};
    }
    const bool has_cells = grid_recipe_location(scene->volume.recipe) == GRID_CELL;
    const bool bends = scene->config->volume->interpolation != IO_LINEAR && !has_cells;
    return frame_brick_cost_march(
        scene->layout, number,
        APP_VERTEX_BYTES + APP_CLASS_BYTES + (bends ? APP_BEND_BYTES : 0) +
            (frame_scene_has_gradients(scene) ? APP_GRADIENT_BYTES : 0),
        has_cells);
}
