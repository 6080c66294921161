/* The expected cost and bytes of a brick, before it is loaded. */
#ifndef APP_FRAME_SCENE_BRICK_COST_H
#define APP_FRAME_SCENE_BRICK_COST_H

#include "scene.h"

/* What a layer does with a brick. */
typedef struct app_brick_cost {
    double cells;        /* that a ray meets */
    int64_t bytes;       /* in memory of a rank that draws it */
    int64_t owned_bytes; /* of a rank at whose home it is (app_part) */
} app_brick_cost;

/* A store's bytes of a vertex (place, scalar and flags), of its gradient, of a cell. */
enum { APP_VERTEX_BYTES = 17, APP_GRADIENT_BYTES = 12, APP_CELL_BYTES = 4 };

/* Of a layer that is drawn by rays that go from cell to cell. Local. */
app_brick_cost app_brick_cost_march(const grid_layout *layout, int64_t number,
                                    int vertex_bytes, bool has_cell_values);

/* Of the volume; zero where there is none. Local. */
app_brick_cost app_brick_cost_volume(const app_scene *scene, int64_t number);

#endif
