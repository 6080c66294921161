/* The tools of a picture beside the volume: what each of them loads, keeps and draws. */
#ifndef APP_FRAME_LAYERS_LAYERS_H
#define APP_FRAME_LAYERS_LAYERS_H

#include "app/frame/job.h"
#include "render/volume.h"

/* One layer of a job; app/frame/layers/layers.c. */
typedef struct app_layer app_layer;

/*
 * Makes the layers of the job's config that are no volume. The job has its layout, steps,
 * homes (app/frame/share/share.h). Collective. Errors: STATUS_USAGE (indices beyond a
 * block, blocks that are not there), STATUS_INPUT (fields that cannot be made),
 * STATUS_MEMORY.
 */
status app_layers_create(app_job *job);
void app_layers_destroy(app_job *job);

/* Loads what the layers show of a step (index into the source's). Collective. Errors as
 * io_load_field. */
status app_layers_load(app_job *job, int step);

/* Gets ready for the bricks of another rectangle: app_share_correct. Collective. Errors
 * as io_load_bricks. */
status app_layers_move(app_job *job);

/*
 * Draws them; job->fragments become theirs, in the order of the config. Adds to
 * *counters. Local. Errors: STATUS_MEMORY, STATUS_USAGE (render_surface_draw).
 */
status app_layers_draw(app_job *job, render_counters *counters);

/* What a layer's fragments of a tile took in the last picture, in fragments of a large
 * face; 0 where there are none. Local. */
double app_layers_cost(const app_job *job, int number, int64_t tile);

/*
 * The field that the layers show first of all, and the range of its values: of the first
 * layer that a field colours, else of the first isosurface or contour of one colour,
 * whose range is that of its values. False where they show no field. Local.
 */
bool app_layers_shown(const app_job *job, const char **field, double range[2]);

/* Says once of every layer that shows nothing anywhere that it does not. Collective. */
void app_layers_warn(app_job *job, int64_t step);

#endif
