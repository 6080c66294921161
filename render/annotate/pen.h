/* Letters and lines by cairo, the same wherever they are drawn: no hinting, no display.
 */
#ifndef RENDER_ANNOTATE_PEN_H
#define RENDER_ANNOTATE_PEN_H

#include "annotate.h"

#include <cairo.h>

/* Distances from one line of text to the next, in letter sizes. */
#define PEN_LINE 1.4

/* A rectangle of the picture, in pixels from its upper left corner. */
typedef struct pen_box {
    double x, y, width, height;
} pen_box;

/* What everything is drawn with. Coordinates are pixels of the whole picture. */
typedef struct pen {
    cairo_t *cairo;
    double width, height; /* of the picture */
    double row0, row1;    /* the band of rows that is drawn; the rest is not kept */
    double font;          /* size of letters; the measure of everything else */
    double capital;       /* height of a digit, in letter sizes */
    double margin;        /* what stays free along the picture's edges */
    double line;          /* width of lines, whole pixels */
    double text[3], halo[3];
} pen;

/* A pen that draws rows [row0, row1) of a picture. cairo is borrowed. */
pen pen_make(cairo_t *cairo, int width, int height, int row0, int row1,
             const annotate_style *style);

/* Whether anything between two rows can be seen in the band. */
bool pen_sees(const pen *with, double top, double bottom);

/* Width of one line of text in letters of this size. */
double pen_text_width(const pen *with, double size, const char *text);

/* `size`, or less where the text would be wider than `most`. */
double pen_text_fit(const pen *with, double size, double most, const char *text);

/* One line of text with a thin halo; x, baseline: where it begins. */
void pen_text(const pen *with, double size, double x, double baseline, const char *text,
              const double color[3]);

/* Strokes the path with a halo, in the text's colour. */
void pen_stroke(const pen *with);

/* The middle of a line near `at` whose edges lie between pixels. */
double pen_snap(const pen *with, double at);

/* Black or white, whichever stands out. */
void pen_contrast(const double color[3], double out[3]);

#endif
