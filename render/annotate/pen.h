/* Letters and lines by cairo, the same on every machine: without hinting and without a
 * display. */
#ifndef RENDER_ANNOTATE_PEN_H
#define RENDER_ANNOTATE_PEN_H

#include "annotate.h"
#include "ticks.h"

#include <cairo.h>

/* Distances from one line of text to the next, in letter sizes. */
#define PEN_LINE 1.4

/* A rectangle of the picture, in pixels from its upper left corner. */
typedef struct pen_box {
    double x, y, width, height;
} pen_box;

/* Rectangles that texts are to leave free. More are not noted. */
enum { PEN_MOST_TAKEN = 512 };
typedef struct pen_taken {
    int count;
    pen_box boxes[PEN_MOST_TAKEN];
} pen_taken;

/* The drawing state. Coordinates are pixels of the whole picture. */
typedef struct pen {
    cairo_t *cairo;
    double width, height; /* of the picture */
    double row0, row1;    /* the band of rows that is drawn; other rows are not kept */
    double font;          /* size of letters, the unit of all distances */
    double capital;       /* height of a digit, in letter sizes */
    double margin;        /* free space along the picture's edges */
    double line;          /* width of lines, whole pixels */
    double text[3], halo[3], ground[3]; /* the last is the background's colour */
    const annotate_hull *scene;         /* borrowed; NULL: nowhere */
    pen_taken *taken;                   /* borrowed; NULL: nothing is noted */
} pen;

/* Notes that a box is taken; whether one is free. */
void pen_take(const pen *with, pen_box box);
bool pen_is_free(const pen *with, pen_box box);

/* A pen that draws rows [row0, row1) of a picture. cairo is borrowed. */
pen pen_make(cairo_t *cairo, int width, int height, int row0, int row1,
             const annotate_style *style);

/* Whether the band shows something between these two rows. */
bool pen_sees(const pen *with, double top, double bottom);

/* Width of one line of text in letters of this size. */
double pen_text_width(const pen *with, double size, const char *text);

/* Width of the widest tick's text. */
double pen_widest(const pen *with, const annotate_ticks *ticks);

/* Returns `size`, or less if the text would be wider than `most`. */
double pen_text_fit(const pen *with, double size, double most, const char *text);

/* Draws one line of text with a thin halo. x, baseline: its beginning. */
void pen_text(const pen *with, double size, double x, double baseline, const char *text,
              const double color[3]);

/* Strokes the path with a halo, in the text's colour. */
void pen_stroke(const pen *with);

/* The middle of a line near `at`, such that its edges lie between pixels. */
double pen_snap(const pen *with, double at);

/* Black or white, by contrast with a colour. */
void pen_contrast(const double color[3], double out[3]);

#endif
