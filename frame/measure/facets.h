/* Inside frame/measure: integrals over the quadrilaterals of a surface. */
#ifndef FRAME_MEASURE_FACETS_H
#define FRAME_MEASURE_FACETS_H

#include "place.h"

/* The numbers of frame_measure_sums in a row: size, total, along, lever. */
enum { MEASURE_NUMBERS = 14 };

/* How a surface is integrated. */
typedef struct measure_facets {
    const grid_store *store;
    const frame_measure_place *place;
    vec3 about;       /* relative to the layout's origin */
    double thickness; /* of sheets that stand for two dimensions; 1 */
} measure_facets;

/* Whether a facet has values of the store's scalar, and its integrals. has_values: false:
 * f is 1. Local. */
bool measure_facet_integrate(const measure_facets *facets, const surface_facet *facet,
                             bool has_values, double out[MEASURE_NUMBERS]);

#endif
