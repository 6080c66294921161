/* Colour maps: from a scalar to the colour of a surface. */
#ifndef RENDER_VIEW_COLORS_H
#define RENDER_VIEW_COLORS_H

#include "base/status.h"

#include <stdbool.h>

/* The colour map of a config. */
typedef struct render_colors_points {
    int count;
    const double (*points)[4];   /* [count]: position in 0..1 of range, ascending (equal
                                    ones make a step), then linear r, g, b in 0..1 */
    double range[2];             /* lo < hi; scalars outside get the colour of the nearer
                                    end */
    double nan_color[3];         /* for NaN and infinite scalars */
    const double *below, *above; /* [3]: of scalars outside; NULL: as of the nearer end */
    int levels; /* 0: colours are linear between points; n: n bands of equal width, each
                   in the colour at its middle */
} render_colors_points;

/* A colour map prepared for look-ups. */
typedef struct render_colors render_colors;

/* Local. Errors: STATUS_USAGE (no points, positions that descend, an empty range),
 * STATUS_MEMORY. */
status render_colors_create(const render_colors_points *points, render_colors **out);
void render_colors_destroy(render_colors **colors);

/* Replaces a map at its place by another one, which becomes NULL. Local. */
void render_colors_replace(render_colors *place, render_colors **by);

/* Whether scalars outside of the range have a colour of their own. Local. */
bool render_colors_have_beyond(const render_colors *colors);

/* Whether a scalar lies outside of the range, where it has a colour of its own. Local;
 * may be called by several threads at once. */
bool render_colors_are_beyond(const render_colors *colors, float scalar);

/* The colour of a scalar. Local; may be called by several threads at once. */
void render_colors_look_up(const render_colors *colors, float scalar, float rgb[3]);

#endif
