/* Parts of reading a colour map, for the files of this room and their tests. */
#ifndef IO_CONFIG_COLORS_COLORMAP_PARTS_H
#define IO_CONFIG_COLORS_COLORMAP_PARTS_H

#include "base/status.h"

#include <stdbool.h>

/* ---- Search ---- */

/* The place of a map. */
typedef struct colormap_place {
    char *path;       /* malloc'ed */
    int index;        /* of the map in the file */
    bool is_reversed; /* the last colour comes first */
} colormap_place;

/*
 * The place of the colour map `name` of a config; io_colormap_read has the rules. A given
 * path is not checked. Local. Errors: STATUS_USAGE (unknown name), STATUS_MEMORY.
 */
status io_colormap_find(const char *where, const char *name, const char *folder,
                        colormap_place *out);

/* ---- Parsing ---- */

/* One node of an opacity function: its position and alpha, and the shape of the curve to
 * the next node; midpoint and sharpness are in 0..1. */
typedef struct colormap_node {
    double position, alpha, midpoint, sharpness;
} colormap_node;

typedef enum colormap_space {
    COLORMAP_RGB,
    COLORMAP_HSV,
    COLORMAP_HSV_WRAPPED,
    COLORMAP_LAB,
    COLORMAP_DIVERGING,
    COLORMAP_STEP
} colormap_space;

/* The contents of a file, with the file's own positions. */
typedef struct colormap_file {
    colormap_space space;
    int ncolors;         /* at least 2 */
    double (*colors)[4]; /* position, r, g, b */
    int nnodes;          /* 0, or at least 2 */
    colormap_node *nodes;
    bool has_nan_color;
    double nan_color[3];
} colormap_file;

/* Reads the colour map `index` of a ParaView JSON file. Local. Errors: STATUS_INPUT,
 * STATUS_MEMORY. */
status io_colormap_parse(const char *where, const char *path, int index,
                         colormap_file *out);

/* Frees the contents; the struct is zero afterwards. */
void io_colormap_file_free(colormap_file *file);

/* ---- Sampling ---- */

/*
 * The colours as points; linear interpolation between them in RGB errs by at most half an
 * 8-bit count. Positions are from 0 to 1; equal ones are a jump. malloc'ed. NULL: memory
 * is short.
 */
double (*io_colormap_sample_colors(const colormap_file *file, int *count))[4];

/*
 * The same for opacities, [position, alpha], on the scale of the colours: 0 is the first
 * colour, 1 the last, and the rest is cut off. Linear interpolation errs by at most
 * 1/1000. NULL: memory is short.
 */
double (*io_colormap_sample_opacities(const colormap_file *file, int *count))[2];

/* The opacity at `fraction` (0..1) between one node and the next, as VTK's
 * vtkPiecewiseFunction defines it. */
double io_colormap_opacity_between(const colormap_node *first, const colormap_node *last,
                                   double fraction);

#endif
