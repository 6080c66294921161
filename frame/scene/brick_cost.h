/* The expected cost and bytes of a brick, before it is loaded. */
#ifndef FRAME_SCENE_BRICK_COST_H
#define FRAME_SCENE_BRICK_COST_H

#include "scene.h"

/* The work and memory of a layer for one brick. */
typedef struct frame_brick_cost {
    double cells;        /* cells that a ray meets */
    int64_t bytes;       /* in memory of a rank that draws the brick */
    int64_t owned_bytes; /* in memory of a rank whose owned box the brick meets
                            (frame_part) */
} frame_brick_cost;

/* Bytes of a vertex (place, scalar, flags), of its gradient, of the class of its cell in
 * a view (render/cells/far_corner.h), of the bounds on its bends
 * (render/cells/bend_lanes.h), and of the scalar of a cell. */
enum {
    APP_VERTEX_BYTES = 17,
    APP_GRADIENT_BYTES = 12,
    APP_CLASS_BYTES = 1,
    APP_BEND_BYTES = 2,
    APP_CELL_BYTES = 4
};

/* The cost of a layer whose rays march from cell to cell. Local. */
frame_brick_cost frame_brick_cost_march(const grid_layout *layout, int64_t number,
                                        int vertex_bytes, bool has_cell_values);

/* The cost of the volume; zero if there is none. Local. */
frame_brick_cost frame_brick_cost_volume(const frame_scene *scene, int64_t number);

#endif
