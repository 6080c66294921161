/* The parts of reading a colour map, for the files of this room and their tests. */
#ifndef IO_CONFIG_COLORS_COLORMAP_PARTS_H
#define IO_CONFIG_COLORS_COLORMAP_PARTS_H

#include "base/status.h"

#include <stdbool.h>

/* ---- Which file ---- */

/*
 * The path of the colour map that a config means by `name`, malloc'ed; as
 * io_colormap_read says. A path that was given is not looked at. Local.
 * Errors: STATUS_USAGE (unknown name), STATUS_MEMORY.
 */
status io_colormap_find(const char *where, const char *name, const char *folder,
                        char **out);

/* ---- What is in it ---- */

/* One node of an opacity function: where, how opaque, and how the way to the next node
 * bends; midpoint and sharpness are in 0..1. */
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

/* What a file says, in the file's own positions. */
typedef struct colormap_file {
    colormap_space space;
    int ncolors;         /* at least 2 */
    double (*colors)[4]; /* position, r, g, b */
    int nnodes;          /* 0, or at least 2 */
    colormap_node *nodes;
    bool has_nan_color;
    double nan_color[3];
} colormap_file;

/* Reads the first colour map of a ParaView JSON file. Local. Errors: STATUS_INPUT,
 * STATUS_MEMORY. */
status io_colormap_parse(const char *where, const char *path, colormap_file *out);

/* Frees what the file holds; the struct is zero afterwards. */
void io_colormap_file_free(colormap_file *file);

/* ---- Straight pieces ---- */

/*
 * The colours as points between which straight lines in RGB are right to half an 8-bit
 * count; positions from 0 to 1; equal ones are a jump. malloc'ed. NULL: memory is short.
 */
double (*io_colormap_sample_colors(const colormap_file *file, int *count))[4];

/*
 * The same for opacities, [position, alpha] with the positions of the colours: 0 is where
 * the first colour is and 1 where the last is; what lies outside is cut off. Straight
 * lines between the points are within 1/1000 of the function. NULL: memory is short.
 */
double (*io_colormap_sample_opacities(const colormap_file *file, int *count))[2];

/* The opacity at `fraction` (0..1) of the way from one node to the next, as VTK's
 * vtkPiecewiseFunction defines it. */
double io_colormap_opacity_between(const colormap_node *first, const colormap_node *last,
                                   double fraction);

#endif
