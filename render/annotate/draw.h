/* Drawing by cairo, for overlays and figures. */
#ifndef RENDER_ANNOTATE_DRAW_H
#define RENDER_ANNOTATE_DRAW_H

#include "annotate.h"

#include <cairo.h>

/* Draws all annotations of a picture, whose pixels are cairo's units. Failures stay in
 * the state of cairo. */
void annotate_draw_on(cairo_t *cairo, int width, int height, const annotation *what);

/* Errors: STATUS_MEMORY, STATUS_USAGE (a text is no UTF-8), STATUS_OUTPUT (a file),
 * STATUS_INTERNAL. */
status annotate_check_cairo(cairo_status_t state);

#endif
