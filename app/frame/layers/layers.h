/* The tools of a picture beside the volume: what each of them loads, keeps and draws. */
#ifndef APP_FRAME_LAYERS_LAYERS_H
#define APP_FRAME_LAYERS_LAYERS_H

#include "layer.h"

/*
 * Makes the layers of the scene's config that are no volume. The scene has its layout,
 * steps and home. Collective. Errors: STATUS_USAGE (indices beyond a block, blocks that
 * are not there), STATUS_INPUT (fields that cannot be made), STATUS_MEMORY.
 */
status app_layers_create(app_scene *scene, app_layers *layers);
void app_layers_destroy(app_layers *layers);

/* Loads what the layers show of a step (index into the source's). Collective. Errors as
 * io_load_field. */
status app_layers_load(app_scene *scene, app_layers *layers, int step);

/* Gets ready for other bricks: when a share has moved its box or rectangle. Collective.
 * Errors as io_load_bricks. */
status app_layers_move(app_scene *scene, app_layers *layers);

/*
 * Draws them; layers->fragments become theirs, in the order of the config. Adds to
 * *counters. Local. Errors: STATUS_MEMORY, STATUS_USAGE (render_surface_draw).
 */
status app_layers_draw(app_scene *scene, app_layers *layers, render_counters *counters);

/*
 * The field that the layers show first of all, and the range of its values: of the first
 * layer that a field colours, else of the first isosurface or contour of one colour,
 * whose range is that of its values. False where they show no field. Local.
 */
bool app_layers_shown(const app_layers *layers, const char **field, double range[2]);

/* Says once of every layer that shows nothing anywhere that it does not. Collective. */
void app_layers_warn(const app_scene *scene, app_layers *layers, int64_t step);

#endif
