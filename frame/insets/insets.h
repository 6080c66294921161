/* Plots in pictures: fields along lines, as `annotations.plots` asks for them. */
#ifndef FRAME_INSETS_INSETS_H
#define FRAME_INSETS_INSETS_H

#include "frame/scene/scene.h"
#include "render/annotate/annotate.h"

typedef struct frame_insets frame_insets;

/* Makes the plots of the scene's config; NULL if it has none. The scene is borrowed.
 * Local, the same on every rank. Errors: STATUS_INPUT, STATUS_USAGE (fields that cannot
 * be made), STATUS_MEMORY. */
status frame_insets_create(const frame_scene *scene, frame_insets **out);
void frame_insets_destroy(frame_insets **insets);

/* Finds the values at a step (index), whose grid the source has chosen. Collective.
 * Errors: those of frame_probe_create and frame_probe_values. */
status frame_insets_load(frame_insets *insets, int step);

/* Adds the plots to a description of annotations, which borrows them. Local. */
void frame_insets_show(const frame_insets *insets, annotation *out);

#endif
