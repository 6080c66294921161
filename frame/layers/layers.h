/*
 * The layers of a picture other than the volume: they load, keep and draw their own data.
 */
#ifndef FRAME_LAYERS_LAYERS_H
#define FRAME_LAYERS_LAYERS_H

#include "layer.h"

/*
 * Makes the layers of the scene's config except the volume. The scene has its layout,
 * steps and owned box. Collective. Errors: STATUS_USAGE (indices beyond a block, unknown
 * blocks), STATUS_INPUT (fields that cannot be made), STATUS_MEMORY.
 */
status app_layers_create(app_scene *scene, app_layers *layers);
void app_layers_destroy(app_layers *layers);

/* Finds blocks and indices of a config's layers that a grid does not have, from its
 * blocks alone. Local. Errors: STATUS_USAGE with the place, STATUS_MEMORY. */
status app_layers_check(const io_config *config, const grid_layout *layout);

/* Loads the data of all layers for a step (index into the source's). Collective. Errors
 * as io_load_field. */
status app_layers_rescale(app_scene *scene, app_layers *layers);
status app_layers_load(app_scene *scene, app_layers *layers, int step);

/* Prepares all layers for other bricks, after the distribution has moved boxes or
 * rectangles. Collective. Errors as io_load_bricks. */
status app_layers_move(app_scene *scene, app_layers *layers);

/* The margin of all layers together. Local. */
app_margin app_layers_margin(const app_scene *scene, const app_layers *layers);

/* Draws all layers. layers->fragments then holds their fragments in the order of the
 * config. Adds to *counters. Local. Errors: STATUS_MEMORY, STATUS_USAGE
 * (render_surface_draw). */
status app_layers_draw(const app_scene *scene, const draw_request *request,
                       app_layers *layers, render_counters *counters);

/*
 * The main field of the layers, and the range of its values: of the first layer that a
 * field colours; otherwise of the first isosurface or contour of one colour, with the
 * range of its values. False if the layers show no field. Local.
 */
bool app_layers_shown(const app_layers *layers, const char **field, double range[2]);

/* Whether surfaces have textures. Local. */
bool app_layers_have_textures(const app_layers *layers);

/* Warns once of every layer that shows nothing on any rank, or that later layers cover
 * altogether at its own place. Collective. */
void app_layers_warn(const app_scene *scene, app_layers *layers, int64_t step);

#endif
