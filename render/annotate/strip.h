/* The coloured strip of a scalar bar. */
#ifndef RENDER_ANNOTATE_STRIP_H
#define RENDER_ANNOTATE_STRIP_H

#include "pen.h"

/* A strip in the picture, in whole pixels. Values ascend upwards or to the right. */
typedef struct strip {
    pen_box box;
    bool upright;
} strip;

/* Makes a strip at the whole pixels nearest to a box. */
strip strip_make(pen_box box, bool upright);

/* Length of the strip along its values. */
double strip_length(const strip *of);

/* Place of a value: its y in an upright strip, its x in a flat one. */
double strip_place(const strip *of, const annotate_bar *bar, double value);

/* Draws colours, lines of levels and the frame. */
void strip_draw(const pen *with, const strip *of, const annotate_bar *bar);

/* Draws a framed square of one colour. */
void strip_draw_swatch(const pen *with, pen_box box, const double color[3]);

#endif
