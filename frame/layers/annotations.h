/*
 * Annotations: title, time, scalar bar and axes of the config, as an overlay of pictures.
 */
#ifndef FRAME_LAYERS_ANNOTATIONS_H
#define FRAME_LAYERS_ANNOTATIONS_H

#include "io/picture/png_strip.h"
#include "layer.h"

#include <stdint.h>

typedef struct frame_annotations frame_annotations;
struct annotate_figure;

/*
 * Makes the annotations of a scene with layers and camera. *out is NULL if the config
 * asks for none, or if this build cannot draw text, of which it warns once. Local: each
 * rank draws its own overlay. Errors: STATUS_USAGE (no layer has colours for a scalar
 * bar, fields of plots that cannot be made), STATUS_INPUT, STATUS_MEMORY.
 */
status frame_annotations_create(const frame_scene *scene, const frame_layers *layers,
                                frame_annotations **out);
void frame_annotations_destroy(frame_annotations **annotations);

/* Finds what the annotations of a step (index) show of its data; `annotations` may be
 * NULL. Collective. Errors: those of frame_insets_load. */
status frame_annotations_load(frame_annotations *annotations, int step);

/* Draws the overlay for a step. Local. Errors: those of annotate_draw. */
status frame_annotations_draw(frame_annotations *annotations, int64_t step, double time);

/* Blends the overlay over a range of pixels, [npix] of the format. `annotations` may be
 * NULL. Several threads may call it at once. */
void frame_annotations_blend(const frame_annotations *annotations, io_png_format format,
                             io_png_range range, uint8_t *pixels);

/* Makes the file `path` with a figure and the annotations drawn last; `annotations` may
 * be NULL. Local. Errors: those of io_file_make and annotate_figure_write. */
status frame_annotations_write(const frame_annotations *annotations,
                               const struct annotate_figure *figure, const char *path);

#endif
