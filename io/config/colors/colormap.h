/* Colour maps in ParaView's JSON format, by name or by file. */
#ifndef IO_CONFIG_COLORS_COLORMAP_H
#define IO_CONFIG_COLORS_COLORMAP_H

#include "base/status.h"

#include <stdbool.h>

/* The contents of a colour map. */
typedef struct io_colormap {
    int ncolors;
    double (*colors)[4];    /* [ncolors]: position, r, g, b */
    int nopacities;         /* 0 if the file has none */
    double (*opacities)[2]; /* [nopacities]: position, alpha; or NULL */
    bool has_nan_color;     /* false: nan_color is yellow, as in ParaView */
    double nan_color[3];
    double range[2]; /* the file's own positions of the first and the last colour */
} io_colormap;

/*
 * Reads a colour map. A `name` that ends in ".json" is a file, relative to `folder`, of
 * which the first map is used. Any other names a map, which is searched in the folder of
 * the environment variable KARMAN_COLORMAPS, in karman's installed folder and in its
 * source tree, in this order: a file NAME.json, or a map in any file whose Name or one of
 * whose Aliases it is. Case, spaces, hyphens and underscores count only if several maps
 * differ in them. A name and "_r" is the map turned round. The text `where`, with which
 * messages begin, is the place in the config. Local.
 *
 * Positions of colours ascend from 0 to 1; those of the file are range[0] + position
 * (range[1] - range[0]). Positions of opacities have the same scale and are cut at 0 and
 * 1. Two equal positions are a jump. Colours and alpha are in 0..1, for linear
 * interpolation: curved functions are sampled finely enough for 8 bits.
 *
 * Files: RGBPoints; ColorSpace RGB (the default), HSV, Lab or CIELAB, Diverging, Step
 * (between two points the colour is that of the second). With HSVWrap 1 hues take the
 * shorter way round the circle, else they do not pass through red. Also Points (x, alpha,
 * midpoint, sharpness) and NanColor.
 *
 * Errors: STATUS_USAGE (unknown name: the message has the nearest), STATUS_INPUT (the
 * file is missing or not a colour map), STATUS_MEMORY. Free *out with io_colormap_free.
 */
status io_colormap_read(const char *where, const char *name, const char *folder,
                        io_colormap *out);

/* Frees the contents of a map; the struct is zero afterwards. */
void io_colormap_free(io_colormap *map);

enum { IO_COLORMAP_NAMES = 256 };

/* The names of the maps in all folders, ascending, each malloc'ed; returns their number.
 * Local. */
int io_colormap_names(char *names[IO_COLORMAP_NAMES]);

#endif
