/* Texts and lines at places in space, as annotations of the picture: the config's marks,
 * and the numbers of axes boxes. */
#ifndef FRAME_LAYERS_PLACES_H
#define FRAME_LAYERS_PLACES_H

#include "layer.h"
#include "marks.h"

/* Whether a config has marks or an axes box that is shown. Local. */
bool places_are_wanted(const io_config *config);

/* The part of the picture that the grid may cover. Local. */
annotate_hull places_find_hull(const frame_scene *scene);

/* Makes the marks for the scene's camera. Local. Errors: STATUS_MEMORY. */
status places_mark(const frame_scene *scene, const frame_layers *layers, marks *out);

#endif
