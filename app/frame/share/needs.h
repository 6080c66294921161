/* What the bricks of a job are expected to cost and to take, before they are loaded. */
#ifndef APP_FRAME_SHARE_NEEDS_H
#define APP_FRAME_SHARE_NEEDS_H

#include "app/frame/job_state.h"

/* Of each brick; zero holds none. */
typedef struct app_needs {
    int64_t nbricks;
    pixel_rect *rects;   /* [nbricks]: pixels of the whole picture that may see it; empty:
                            none */
    double *cells;       /* [nbricks]: that a ray meets there, of all layers */
    int64_t *bytes;      /* [nbricks]: in memory of a rank that draws it, of all layers */
    int64_t *home_bytes; /* [nbricks]: of a rank at whose home it is */
} app_needs;

/* What a layer does with a brick. */
typedef struct app_need {
    double cells;       /* that a ray meets */
    int64_t bytes;      /* in memory of a rank that draws it */
    int64_t home_bytes; /* of a rank at whose home it is: app/frame/share/share.h */
} app_need;

/* A store's bytes of a vertex (place, scalar and flags), of its gradient, of a cell. */
enum { APP_VERTEX_BYTES = 17, APP_GRADIENT_BYTES = 12, APP_CELL_BYTES = 4 };

/* Of a layer that is drawn by rays that go from cell to cell. Local. */
app_need app_need_march(const grid_layout *layout, int64_t number, int vertex_bytes,
                        bool has_cell_values);

/* The job has its camera and layers. Local. Errors: STATUS_MEMORY. */
status app_needs_create(const app_job *job, app_needs *out);
void app_needs_clear(app_needs *needs);

/* What the tiles of the picture are expected to cost, in cells that rays meet; with
 * balance: area, all pixels the same. Local. Errors: STATUS_MEMORY. */
status app_needs_costs(const app_job *job, const app_needs *needs, render_costs *out);

/*
 * Compares what the bricks of the rank that has most of them would take with the config's
 * memory. The job has its partition. Collective. Errors: STATUS_USAGE with the number of
 * ranks that would do, STATUS_MEMORY.
 */
status app_needs_check(const app_job *job, const app_needs *needs);

/* Whether all ranks would stay within the config's memory with other rectangles; the same
 * on every rank. Collective. Errors: STATUS_MEMORY. */
status app_needs_fit(const app_job *job, render_screen *screen, bool *fit);

#endif
