/* The numbers beside an axes box. */
#ifndef FRAME_LAYERS_AXES_BOX_H
#define FRAME_LAYERS_AXES_BOX_H

#include "layer.h"
#include "marks.h"

/* Adds numbers, ticks and titles of a layer of this kind for the scene's camera. Local.
 * Errors: STATUS_MEMORY. */
status axes_box_add_numbers(const app_scene *scene, const app_layer *layer, marks *out);

#endif
