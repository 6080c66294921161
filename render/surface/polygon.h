/* Triangulation of the polygon that a plane cuts out of a cell. */
#ifndef RENDER_SURFACE_POLYGON_H
#define RENDER_SURFACE_POLYGON_H

#include "base/vec.h"

#include <stdint.h>

/* Most corners of a polygon: a plane crosses at most 12 edges and 6 diagonals of a
 * cell. */
enum { SURFACE_POLYGON_CORNERS = 18 };

/* A triangulation. A chain is the corners i to j, closed by the line from j to i. It is
 * divided into the triangle i, apex[i][j], j and two chains: i to the apex, and the apex
 * to j. The whole polygon is the chain from its first corner to its last. */
typedef struct surface_triangles {
    uint8_t apex[SURFACE_POLYGON_CORNERS][SURFACE_POLYGON_CORNERS];
} surface_triangles;

/* Divides a polygon of 3 to SURFACE_POLYGON_CORNERS corners into triangles between its
 * own corners. Of all triangulations it takes the one with the smallest sum of squared
 * sides over area. So slivers are avoided. A triangle with three corners in a line would
 * hide the middle corner from the polygon; it occurs only if there is no other way.
 * Polygons may be concave and turn in either sense; corners may coincide.
 *
 * corner: [count], in the order of the loop. normal: of their plane. Local.
 *
 * After Klincsek 1980, Minimal triangulations of polygonal domains (Annals of Discrete
 * Mathematics 9). The sum is, up to a factor, that of the cotangents of all angles, which
 * bounds how steep values become between the corners: Shewchuk 2002, What is a good
 * linear element? (11th International Meshing Roundtable). */
void surface_polygon_divide(int count, const vec3 corner[], vec3 normal,
                            surface_triangles *out);

#endif
