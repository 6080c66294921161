/*
 * The trilinear map of a cell from local coordinates (r, s, t), 0 to 1 along i, j and k,
 * to space, and its inverse by Newton's method. P. G. Buning and J. L. Steger (Graphics
 * and flow visualization in computational fluid dynamics, AIAA paper 85-1507, 1985) so
 * find particles in the cells of curvilinear grids.
 */
#ifndef TRACE_MAP_H
#define TRACE_MAP_H

#include <stdbool.h>

/* x = of[0] + of[1] r + of[2] s + of[3] t + of[4] rs + of[5] st + of[6] tr + of[7] rst */
typedef struct trace_map {
    double of[8][3];
} trace_map;

typedef enum trace_fit {
    TRACE_INSIDE,
    TRACE_OUTSIDE,
    TRACE_UNSURE /* Newton's method failed: a cell without volume, or a folded one */
} trace_fit;

/* Rounding may put local coordinates this far outside of 0 to 1. */
#define TRACE_MARGIN 1e-7

/* The map of a cell with these corners, numbered di + 2 dj + 4 dk. They are taken
 * relative to the point `about`, so that no digits are lost. Local. */
void trace_map_create(const double corner[8][3], const double about[3], trace_map *map);

/* The point at local coordinates. Local. */
void trace_map_point(const trace_map *map, const double local[3], double x[3]);

/*
 * Finds the local coordinates of the point `about` of the map. OUTSIDE: the coordinates
 * only tell the direction to go. The result depends on nothing but the map. Local.
 */
trace_fit trace_map_invert(const trace_map *map, double local[3]);

/* Distance of local coordinates from the cell, 0 inside; *axis: the axis of the largest
 * distance, *side: 0 below, 1 above. Local. */
double trace_map_excess(const double local[3], int *axis, int *side);

/* Converts a direction in space, given at local coordinates, to lengths in cells along i,
 * j and k. False if the map is singular there. Local. */
bool trace_map_pull(const trace_map *map, const double local[3],
                    const double direction[3], double cells[3]);

/* The largest distance of two opposite corners along an axis of space. Local. */
double trace_map_size(const trace_map *map);

#endif
