/* Where in space the work of a picture lies, as weighted points. */
#ifndef APP_FRAME_SCENE_POINTS_H
#define APP_FRAME_SCENE_POINTS_H

#include "scene.h"

/* A place, relative to the layout's origin, and what is done there: about so many cells
 * that rays meet. */
typedef struct app_point {
    float at[3], weight;
} app_point;

/* A list that grows; all zero at first. */
typedef struct app_points {
    int64_t count, capacity;
    app_point *items;
    double sum; /* of the weights */
    bool failed;
} app_points;

/* Adds a place and its work. Local. Without memory, points->failed. */
void app_points_push(app_points *points, vec3 at, double weight);

void app_points_clear(app_points *points);

/* Whether a point lies in a half-open box. Local. */
bool app_points_is_inside(box3 box, vec3 point);

/* Adds the cells of a store that are in memory and in this rank's box, with the pixels
 * that they cover. Local. Without memory, points->failed. */
void app_points_add_cells(const app_scene *scene, const grid_store *store,
                          app_points *points);

#endif
