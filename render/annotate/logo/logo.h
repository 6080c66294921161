/* A logo: an image at a corner of the picture. */
#ifndef RENDER_ANNOTATE_LOGO_LOGO_H
#define RENDER_ANNOTATE_LOGO_LOGO_H

#include "render/annotate/annotate.h"

#include <cairo.h>

/* Width and height in pixels of a picture of that height; not wider than `most`. */
void logo_measure(const annotate_logo *logo, double height, double most, double size[2]);

/* Draws it with its upper left corner at (x, y), so high. */
void logo_draw(cairo_t *cairo, const annotate_logo *logo, double x, double y,
               double height);

#endif
