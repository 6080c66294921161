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
status frame_layers_create(frame_scene *scene, frame_layers *layers);
void frame_layers_destroy(frame_layers *layers);

/*
 * Makes the layers of the scene's config anew, but those that have the data of a layer of
 * the config `before`, which *layers are of, take them over: only their looks are made
 * anew. Collective. Errors: those of frame_layers_create.
 */
status frame_layers_change(frame_scene *scene, const io_config *before,
                           frame_layers *layers);

/* The index of the layer of the config `before` that has the data of layer
 * `number` of another config; -1: none. Local. */
int frame_layers_find(const frame_layers *layers, const io_config *before,
                      const io_config *config, int number);

/* Finds blocks and indices of a config's layers that a grid does not have, from its
 * blocks alone. Local. Errors: STATUS_USAGE with the place, STATUS_MEMORY. */
status frame_layers_check(const io_config *config, const grid_layout *layout);

/* Loads the data of all layers for a step (index into the source's). Collective. Errors
 * as io_load_field. */
status frame_layers_rescale(frame_scene *scene, frame_layers *layers);
status frame_layers_load(frame_scene *scene, frame_layers *layers, int step);

/* Prepares all layers for other bricks, after the distribution has moved boxes or
 * rectangles. Collective. Errors as io_load_bricks. */
status frame_layers_move(frame_scene *scene, frame_layers *layers);

/* The margin of all layers together. Local. */
frame_margin frame_layers_margin(const frame_scene *scene, const frame_layers *layers);

/* Draws the gates among the layers alone, for frame_layers_hide. Local. */
status frame_layers_draw_gates(const frame_scene *scene, const draw_request *request,
                               frame_layers *layers, render_counters *counters);

/* Makes the fragments of a drawn layer clear that gates cut off. Local. Errors:
 * STATUS_MEMORY. */
status frame_layers_hide(const frame_scene *scene, const draw_request *request,
                         const frame_layers *layers, const frame_layer *layer);

/* Draws all layers. layers->fragments then holds their fragments in the order of the
 * config. Adds to *counters. Local. Errors: STATUS_MEMORY, STATUS_USAGE
 * (render_surface_draw). */
status frame_layers_draw(const frame_scene *scene, const draw_request *request,
                         frame_layers *layers, render_counters *counters);

/*
 * The main field of the layers, and the range of its values: of the first layer that a
 * field colours; otherwise of the first isosurface or contour of one colour, with the
 * range of its values. False if the layers show no field. Local.
 */
bool frame_layers_shown(const frame_layers *layers, const char **field, double range[2]);

/* Whether surfaces have textures. Local. */
bool frame_layers_have_textures(const frame_layers *layers);

/* Warns once of every layer that shows nothing on any rank, or that later layers cover
 * altogether at its own place. Collective. */
void frame_layers_warn(const frame_scene *scene, frame_layers *layers, int64_t step);

#endif
