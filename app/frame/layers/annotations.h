/* What is written over pictures: from the config to an overlay. */
#ifndef APP_FRAME_LAYERS_ANNOTATIONS_H
#define APP_FRAME_LAYERS_ANNOTATIONS_H

#include "layer.h"

#include <stdint.h>

typedef struct app_annotations app_annotations;

/*
 * Makes the annotations of a scene whose layers and camera are there; *out is NULL where
 * the config wants none, or where this build has no text, which it says once. Local: each
 * rank draws them for itself. Errors: STATUS_USAGE (there are no colours for a scalar
 * bar), STATUS_MEMORY.
 */
status app_annotations_create(const app_scene *scene, const app_layers *layers,
                              app_annotations **out);
void app_annotations_destroy(app_annotations **annotations);

/* Draws them for a step. Local. Errors: those of annotate_draw. */
status app_annotations_draw(app_annotations *annotations, int64_t step, double time);

/* Blends them over pixels [pix0, pix0 + npix), [npix][3]. `annotations` may be NULL. By
 * several threads at once. */
void app_annotations_blend(const app_annotations *annotations, int64_t pix0, int64_t npix,
                           uint8_t *rgb);

#endif
