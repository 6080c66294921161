/* The geometry of a layer, in place of its fragments: polygons or lines with values, for
 * files. */
#ifndef RENDER_FRAGMENTS_GEOMETRY_H
#define RENDER_FRAGMENTS_GEOMETRY_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* Where a point of a surface comes from: (1 - share) a + share b, of vertices of a block
 * by their indices in it. */
typedef struct render_origin {
    int64_t a, b;
    int32_t block;
    float share;
} render_origin;

/* Zero is empty. */
typedef struct render_geometry {
    bool are_lines; /* parts are lines; otherwise closed polygons */
    bool in_cells;  /* values belong to parts; otherwise to points */
    int64_t npoints, nindices, nparts;
    float (*points)[3];     /* [npoints]: relative to the layout's origin */
    float *values;          /* [npoints] or [nparts]; NULL: none */
    int nlimited;           /* further values of points, which thresholds limit: */
    float *limited;         /* [nlimited][npoints]; NULL: none */
    render_origin *origins; /* [npoints]; NULL: not known */
    int64_t *indices; /* [nindices]: points of all parts, one part after the other */
    int64_t *ends;    /* [nparts]: the index behind each part */
} render_geometry;

/* Makes room for so many; values as `in_cells` says, if `has_values`; no origins. *out is
 * empty before, and after a failure. Local. Errors: STATUS_MEMORY. */
status render_geometry_reserve(render_geometry *out, bool has_values);

void render_geometry_clear(render_geometry *geometry);

#endif
