/* Where in space the work of a picture lies, as weighted points. */
#ifndef APP_FRAME_SHARE_POINTS_H
#define APP_FRAME_SHARE_POINTS_H

#include "app/frame/job_state.h"

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

/*
 * Lists the work of the last picture in this rank's box: fragments of surfaces where they
 * are, cells of volumes and isosurfaces with the pixels that they cover. Together the
 * lists of all ranks are the work of the whole picture. Local. Errors: STATUS_MEMORY.
 */
status app_points_find(const app_job *job, app_points *out);
void app_points_clear(app_points *points);

/* Adds the cells of a store that are in memory and in the job's box. Local. Without
 * memory, points->failed. */
void app_points_add_cells(const app_job *job, const grid_store *store,
                          app_points *points);

#endif
