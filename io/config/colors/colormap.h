/* Colour maps in ParaView's JSON format, by name or by file. */
#ifndef IO_CONFIG_COLORS_COLORMAP_H
#define IO_CONFIG_COLORS_COLORMAP_H

#include "base/status.h"

#include <stdbool.h>

/* What a colour map says. */
typedef struct io_colormap {
    int ncolors;
    double (*colors)[4];    /* [ncolors]: position, r, g, b */
    int nopacities;         /* 0 where the file has none */
    double (*opacities)[2]; /* [nopacities]: position, alpha; or NULL */
    bool has_nan_color;     /* where not, nan_color is yellow, as in ParaView */
    double nan_color[3];
    double range[2]; /* the file's own positions of the first and the last colour */
} io_colormap;

/*
 * Reads a colour map. `name` ends in ".json": a file, relative to `folder`; else one of
 * the maps that lie in the folder of the environment variable KARMAN_COLORMAPS, in
 * karman's installed ones, or in its source tree, in this order. `where` begins the
 * messages: the place in the config that asks for the map. Of several maps in a file the
 * first one counts. Local.
 *
 * Positions of colours ascend from 0 to 1; the file's own ones are
 * range[0] + position (range[1] - range[0]). Those of opacities are counted alike and
 * cut off at 0 and 1. Two equal positions are a jump. Colours and alpha are in 0..1 and
 * to be interpolated linearly: what curves in between is sampled finely enough for 8
 * bits.
 *
 * Files: RGBPoints; ColorSpace RGB (also where there is none), HSV (with HSVWrap 1 hues
 * go the short way round the circle, else they do not pass through red), Lab or CIELAB,
 * Diverging, Step (between two points lies the colour of the second); Points (x, alpha,
 * midpoint, sharpness); NanColor.
 *
 * Errors: STATUS_USAGE (unknown name: the message lists what there is), STATUS_INPUT (the
 * file is missing or not a colour map), STATUS_MEMORY. *out is to be freed with
 * io_colormap_free.
 */
status io_colormap_read(const char *where, const char *name, const char *folder,
                        io_colormap *out);

/* Frees what a map holds; the struct is zero afterwards. */
void io_colormap_free(io_colormap *map);

/* The colours alone, *points malloc'ed ([*count][4]); the rest as above. */
status io_colormap_load(const char *where, const char *name, const char *folder,
                        int *count, double (**points)[4]);

#endif
