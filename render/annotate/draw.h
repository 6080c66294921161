/* Drawing by cairo, for overlays and figures. */
#ifndef RENDER_ANNOTATE_DRAW_H
#define RENDER_ANNOTATE_DRAW_H

#include "annotate.h"

#include <cairo.h>

/* Draws all annotations of a picture, whose pixels are cairo's units. Failures of cairo
 * stay in its state. Errors: those of insets. */
status annotate_draw_on(cairo_t *cairo, int width, int height, const annotation *what);

/* Errors: STATUS_MEMORY, STATUS_USAGE (a text is no UTF-8), STATUS_OUTPUT (a file;
 * without a message, as whoever made the file names it), STATUS_INTERNAL. */
status annotate_check_cairo(cairo_status_t state);

/* A surface for an SVG or PDF file of this size in points, whose bytes do not tell when
 * it was written; and cairo's writer into a FILE. */
cairo_surface_t *annotate_vector_surface(FILE *file, bool is_svg, double width,
                                         double height);
cairo_status_t annotate_write_bytes(void *file, const unsigned char *data,
                                    unsigned length);

#endif
