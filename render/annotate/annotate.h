/* Annotations over a picture: scalar bars, labels and the directions of the axes.
 *
 * Each rank draws the overlay for itself, from a description that all ranks have. With
 * the same cairo and fonts, all ranks get the same bytes. Each rank then blends the
 * overlay over its own pixels. Everything is local. Only one thread may draw an overlay;
 * several threads may blend it. */
#ifndef RENDER_ANNOTATE_ANNOTATE_H
#define RENDER_ANNOTATE_ANNOTATE_H

#include "base/scale/scale.h"
#include "base/status.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* ---- The description --------------------------------------------------------------- */

/* A side of the picture, or a given rectangle. */
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

/* The meaning of the values in `levels`. */
typedef enum annotate_levels {
    ANNOTATE_LEVELS_NONE,
    ANNOTATE_LEVELS_LINES, /* contour lines, drawn across the bar */
    ANNOTATE_LEVELS_BANDS  /* edges of bands, each in the colour at its middle */
} annotate_levels;

enum { ANNOTATE_MAX_TICKS = 64 };

/* The format of numbers: printf's e, f or g with this number of digits after the point
 * (g: of all digits). */
typedef struct annotate_format {
    char letter; /* 0: as many digits as the distance of ticks needs, and a common power
                    of ten */
    int digits;  /* 0 to ANNOTATE_MAX_DIGITS */
} annotate_format;

/* A panel behind a bar, in the colour of the background. */
typedef enum annotate_panel {
    ANNOTATE_PANEL_OFF,
    ANNOTATE_PANEL_AUTO, /* if the scene lies behind the bar */
    ANNOTATE_PANEL_ON
} annotate_panel;

/* A value with a name. */
typedef struct annotate_category {
    double value;
    const char *name;
} annotate_category;

/* A scalar bar. Bars on one side of the picture share it evenly. */
typedef struct annotate_bar {
    const char *title; /* NULL: none */
    const char *unit;  /* stands behind it in brackets; NULL: none */
    base_scale scale;  /* of the values; its range ascends, or its ends are equal */
    int ncolors;       /* at least 2 */
    const double (*colors)[4]; /* [ncolors]: position, r, g, b; equal positions jump */
    annotate_levels levels_are;
    int nlevels;
    const double *levels; /* [nlevels]: values, ascending */
    bool ticks_at_levels; /* ticks at levels, not at round numbers */
    int ticks; /* approximate number of ticks, at most ANNOTATE_MAX_TICKS; 0: as
                  many as fit */
    annotate_format format; /* of the numbers */
    bool has_nan_color;     /* show a swatch for NaN */
    double nan_color[3];
    const char *nan_label; /* beside the swatch; NULL: "NaN" */
    bool has_beyond[2];    /* values below and above the range have own colours */
    double beyond[2][3];   /* which the ends of the strip show */
    int ncategories;       /* above 0: names stand in place of numbers */
    const annotate_category *categories; /* [ncategories]: ascending */
    annotate_panel panel;
    annotate_side side;
    /* ANNOTATE_RECTANGLE: left, top, width, height of the coloured strip, in fractions of
     * the picture from its upper left corner. The ticks are on its longer side. */
    double rectangle[4];
} annotate_bar;

/* Lines of text, separated by '\n'. Labels of one anchor stand below each other in their
 * order. */
typedef struct annotate_label {
    const char *text;
    annotate_anchor anchor;
    double size; /* of the letters, relative to the default; 0: 1 */
} annotate_label;

/* The directions of x, y and z as seen by the camera, drawn as three arrows. */
typedef struct annotate_triad {
    bool shown;
    vec3 right, up, forward; /* the camera's, orthonormal */
    annotate_anchor anchor;
    double size; /* of the whole triad, relative to the default; 0: 1 */
} annotate_triad;

/* An image that is read once. */
typedef struct annotate_image annotate_image;

/* Reads a PNG file. Local. Errors: STATUS_INPUT, STATUS_MEMORY. */
status annotate_image_read(const char *path, annotate_image **out);
void annotate_image_destroy(annotate_image **image);

/* An image beyond the labels of its anchor. */
typedef struct annotate_logo {
    const annotate_image *image; /* NULL: none */
    annotate_anchor anchor;
    double height; /* in parts of the picture's */
} annotate_logo;

/* A drawing at a corner, on a panel. */
struct pen;
typedef struct annotate_inset {
    annotate_anchor anchor;
    double width, height; /* in parts of the picture's, above 0 and at most 1 */
    /* Draws into a box: its left and upper edge, width and height, in pixels. Local.
     * Errors: STATUS_MEMORY, STATUS_USAGE. */
    status (*draw)(const void *context, const struct pen *with, const double box[4]);
    const void *context;
} annotate_inset;

/* The background under the overlay, for the choice of readable colours, and the general
 * style. */
typedef struct annotate_style {
    double background[3]; /* r, g, b in 0..1 */
    bool has_text_color;  /* else black or white, by contrast */
    double text_color[3];
    double size; /* of everything, relative to the default; 0: 1 */
} annotate_style;

/* A line of text beside a place of the picture. Bars, labels and other marks cover none:
 * it is moved a little, if there is room. */
typedef struct annotate_mark {
    const char *text;
    double at[2];   /* in pixels from the upper left corner */
    double way[2];  /* the direction from the place to the text; 0, 0: it is centred */
    double gap;     /* between place and text, in letter sizes */
    double size;    /* of the letters, relative to the default; 0: 1 */
    bool is_number; /* stays at its place, or is left out if that is taken or cut off */
    bool has_color;
    double color[3];
} annotate_mark;

/* A line across the picture, with or without a head at its end. */
typedef struct annotate_stroke {
    double from[2], to[2]; /* in pixels from the upper left corner */
    bool has_head, has_color;
    double color[3];
} annotate_stroke;

enum { ANNOTATE_MAX_HULL = 8 };

/* The part of the picture that the scene may cover: the hull of some points, in pixels.
 */
typedef struct annotate_hull {
    bool is_all; /* it may cover everything */
    int count;
    double points[ANNOTATE_MAX_HULL][2];
} annotate_hull;

typedef struct annotation {
    annotate_style style;
    annotate_hull scene;
    int nmarks;
    const annotate_mark *marks;
    int nstrokes;
    const annotate_stroke *strokes;
    int nbars;
    const annotate_bar *bars;
    int nlabels;
    const annotate_label *labels;
    annotate_triad triad;
    annotate_logo logo;
    int ninsets;
    const annotate_inset *insets; /* [ninsets]: beyond the labels of their anchors */
} annotation;

/* ---- Drawing ---- */

/* Whether this build can draw, that is, has cairo. Otherwise annotate_draw leaves
 * overlays empty, and the caller says so once. */
bool annotate_is_available(void);

/* Name and version of the drawing library, or "none". */
const char *annotate_library(void);

typedef struct annotate_overlay annotate_overlay;

/* An empty overlay for pictures of width x height pixels. Errors: STATUS_MEMORY. */
status annotate_overlay_create(int width, int height, annotate_overlay **out);

void annotate_overlay_destroy(annotate_overlay **overlay);

/* In pictures with a smaller side letters are as large as in one with this side. */
enum { ANNOTATE_LEAST_SIDE = 512 };

/* Draws the annotations into the overlay, whose old content is lost. Letters are 1/51 of
 * the picture's smaller side, at least 10 pixels, and everything scales with them. Text
 * that would not fit into the picture is made smaller. Errors, with the overlay empty:
 * STATUS_USAGE (an invalid description), STATUS_MEMORY, STATUS_INTERNAL (cairo
 * failed). */
status annotate_draw(annotate_overlay *overlay, const annotation *what);

/* Blends the overlay over pixels [pix0, pix0 + npix) of the picture, row-major from its
 * top, rgb ([npix][3]). Pixels without annotation cost nothing. */
void annotate_blend_rgb8(const annotate_overlay *overlay, int64_t pix0, int64_t npix,
                         uint8_t *rgb);

/* The same for pictures that keep the opacity: rgba ([npix][4]), not premultiplied. */
void annotate_blend_rgba8(const annotate_overlay *overlay, int64_t pix0, int64_t npix,
                          uint8_t *rgba);

/* The same for pictures of 16 bits a channel, the higher byte first. */
void annotate_blend_rgb16(const annotate_overlay *overlay, int64_t pix0, int64_t npix,
                          uint8_t *rgb);
void annotate_blend_rgba16(const annotate_overlay *overlay, int64_t pix0, int64_t npix,
                           uint8_t *rgba);

/* ---- Figures ---- */

/* A picture for a vector file. */
typedef struct annotate_figure {
    int width, height; /* pixels, at most ANNOTATE_MOST_SIDE */
    bool is_svg;       /* else PDF */
    double dpi;        /* pixels per inch; 0: 96 */
    bool has_alpha;
    /* Gives pixels [pix0, pix0 + npix) without annotations, row-major from the top: rgb,
     * or rgba that is not premultiplied. */
    void (*pixels)(const void *context, int64_t pix0, int64_t npix, uint8_t *pixels);
    const void *context;
} annotate_figure;

/* Images within figures have at most this side. */
enum { ANNOTATE_MOST_SIDE = 32767 };

/* Writes a figure: the pixels as an image, the annotations as curves. Figures of one
 * process may differ in names within the file, which cairo counts on. Local. Errors:
 * those of annotate_draw; STATUS_OUTPUT (file; io_file_make has the message). */
status annotate_figure_write(const annotate_figure *figure, const annotation *what,
                             FILE *file);

#endif
