/* Transfer functions: from a scalar to colour and extinction, integrated exactly. */
#ifndef RENDER_TRANSFER_TRANSFER_H
#define RENDER_TRANSFER_TRANSFER_H

#include "base/status.h"

#include <stdbool.h>

/* Control points of a config. Positions ascend (equal ones make a step). They are
 * fractions of `range`, or values of the field itself. Colour and opacity (or extinction)
 * are linear in between and take the end values outside. */
typedef struct render_transfer_points {
    int ncolors;
    const double (*colors)[4]; /* [ncolors]: position, then linear r, g, b in 0..1 */
    int nopacities;
    const double (*opacities)[2];  /* [nopacities]: position, then the alpha of a slab of
                                      thickness unit_length, or extinction */
    bool opacities_are_extinction; /* per unit_length, >= 0 */
    bool positions_are_data;
    double range[2];    /* of the field; lo < hi unless positions are data */
    double unit_length; /* > 0, in the grid's units */
} render_transfer_points;

/* A transfer function prepared for integration: piecewise tables with prefix integrals
 * (pre-integration). */
typedef struct render_transfer render_transfer;

/* Local. Errors: STATUS_USAGE (no points, positions that descend, values out of range),
 * STATUS_MEMORY. */
status render_transfer_create(const render_transfer_points *points,
                              render_transfer **out);
void render_transfer_destroy(render_transfer **transfer);

/* Colour and extinction (per unit of length) at a scalar; for tests and colour bars. */
void render_transfer_evaluate(const render_transfer *transfer, double scalar,
                              double rgb[3], double *extinction);

/* Whether all scalars from lo to hi are fully transparent. */
bool render_transfer_is_clear(const render_transfer *transfer, double lo, double hi);

/* The largest change of slope at a control point, of extinction over the largest one, and
 * of colour, if the range of scalars has length 1. A triangular peak has 4 over its
 * width. Infinite with a jump. Local. */
double render_transfer_sharpness(const render_transfer *transfer);

/* Integrates emission and absorption along a segment of this length, along which the
 * scalar is linear from s0 to s1. rgb: the integral of color * extinction * transmittance
 * so far. transmittance: exp(-integral of extinction). The optical depth is exact for the
 * tables; the colour is accurate to 1e-6. */
void render_transfer_integrate(const render_transfer *transfer, double s0, double s1,
                               double length, double rgb[3], double *transmittance);

#endif
