/* The numbers beside an axes box. */
#ifndef FRAME_LAYERS_AXES_BOX_H
#define FRAME_LAYERS_AXES_BOX_H

#include "layer.h"
#include "marks.h"

/* Adds numbers, ticks and titles of a layer of this kind for the scene's camera. Local.
 * Errors: STATUS_MEMORY. */
status axes_box_add_numbers(const frame_scene *scene, const frame_layer *layer,
                            marks *out);

#endif
