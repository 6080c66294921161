/*
 * What is written over a picture: scalar bars, labels and the directions of the axes.
 *
 * An overlay is drawn from a description that all ranks know, by each rank for itself,
 * and gives the same bytes everywhere (where the same cairo and fonts are installed);
 * each rank then blends it over the pixels that it has. Everything is local. An overlay
 * is for one thread while it is drawn; blending may be shared by threads.
 */
#ifndef RENDER_ANNOTATE_ANNOTATE_H
#define RENDER_ANNOTATE_ANNOTATE_H

#include "base/status.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

/* ---- What to draw ---- */

/* A side of the picture, or a rectangle of one's own. */
typedef enum annotate_side {
    ANNOTATE_RIGHT,
    ANNOTATE_LEFT,
    ANNOTATE_TOP,
    ANNOTATE_BOTTOM,
    ANNOTATE_RECTANGLE
} annotate_side;

/* A corner of the picture, or the middle of its upper or lower edge. */
typedef enum annotate_anchor {
    ANNOTATE_TOP_LEFT,
    ANNOTATE_TOP_CENTER,
    ANNOTATE_TOP_RIGHT,
    ANNOTATE_BOTTOM_LEFT,
    ANNOTATE_BOTTOM_CENTER,
    ANNOTATE_BOTTOM_RIGHT
} annotate_anchor;

/* What the values of `levels` are. */
typedef enum annotate_levels {
    ANNOTATE_LEVELS_NONE,
    ANNOTATE_LEVELS_LINES, /* contour lines, drawn across the bar */
    ANNOTATE_LEVELS_BANDS  /* edges of bands, each in the colour of its middle */
} annotate_levels;

enum { ANNOTATE_MAX_TICKS = 64 };

/* A scalar bar. Bars on one side of the picture share it evenly. */
typedef struct annotate_bar {
    const char *title;         /* NULL: none */
    double range[2];           /* values at positions 0 and 1, ascending, or equal */
    int ncolors;               /* at least 2 */
    const double (*colors)[4]; /* [ncolors]: position, r, g, b; equal positions jump */
    annotate_levels levels_are;
    int nlevels;
    const double *levels; /* [nlevels]: values, ascending */
    bool ticks_at_levels; /* label levels, not round numbers */
    int ticks;          /* about so many, at most ANNOTATE_MAX_TICKS; 0: as many as fit */
    bool has_nan_color; /* show a swatch for what is not a number */
    double nan_color[3];
    annotate_side side;
    /* ANNOTATE_RECTANGLE: left, top, width, height of the coloured strip, in fractions of
     * the picture from its upper left corner; its longer side has the ticks. */
    double rectangle[4];
} annotate_bar;

/* Lines of text, of which '\n' separates one from the next. Labels of one anchor stand
 * below each other in their order. */
typedef struct annotate_label {
    const char *text;
    annotate_anchor anchor;
    double size; /* of the letters, times the usual one; 0: 1 */
} annotate_label;

/* The directions of x, y and z as the camera sees them, as three arrows. */
typedef struct annotate_triad {
    bool shown;
    vec3 right, up, forward; /* the camera's, orthonormal */
    annotate_anchor anchor;
    double size; /* of the whole, times the usual one; 0: 1 */
} annotate_triad;

/* What the overlay is blended over, for the choice of colours that can be read on it. */
typedef struct annotate_style {
    double background[3]; /* r, g, b in 0..1 */
    bool has_text_color;  /* else black or white, whichever stands out */
    double text_color[3];
    double size; /* of everything, times the usual one; 0: 1 */
} annotate_style;

typedef struct annotation {
    annotate_style style;
    int nbars;
    const annotate_bar *bars;
    int nlabels;
    const annotate_label *labels;
    annotate_triad triad;
} annotation;

/* ---- Drawing ---- */

/* Whether this build can draw: with cairo. Else annotate_draw leaves overlays empty, and
 * who calls it says so, once. */
bool annotate_is_available(void);

/* Name and version of the library that draws, or "none". */
const char *annotate_library(void);

typedef struct annotate_overlay annotate_overlay;

/* An empty overlay for pictures of width x height pixels. Errors: STATUS_MEMORY. */
status annotate_overlay_create(int width, int height, annotate_overlay **out);

void annotate_overlay_destroy(annotate_overlay **overlay);

/*
 * Draws in the place of what the overlay held. Letters are 1/51 of the picture's smaller
 * side, at least 10 pixels, and everything scales with them; what would not fit in the
 * picture is made smaller.
 * Errors, with the overlay empty: STATUS_USAGE (a description that means nothing),
 * STATUS_MEMORY, STATUS_INTERNAL (cairo failed).
 */
status annotate_draw(annotate_overlay *overlay, const annotation *what);

/*
 * Blends the overlay over pixels [pix0, pix0 + npix) of the picture, row-major from its
 * top, rgb ([npix][3]). What has no annotation costs nothing.
 */
void annotate_blend_rgb8(const annotate_overlay *overlay, int64_t pix0, int64_t npix,
                         uint8_t *rgb);

/* The same for pictures that keep the opacity: rgba ([npix][4]), not premultiplied. */
void annotate_blend_rgba8(const annotate_overlay *overlay, int64_t pix0, int64_t npix,
                          uint8_t *rgba);

#endif
