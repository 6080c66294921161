/*
 * The trilinear map of a cell, from local coordinates (r, s, t), 0 to 1 along i, j and k,
 * to space, and back by Newton's method, as P. G. Buning and J. L. Steger (Graphics and
 * flow visualization in computational fluid dynamics, AIAA paper 85-1507, 1985) find
 * particles in the cells of curvilinear grids.
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
    TRACE_UNSURE /* Newton's method found nothing: a cell without volume, or a folded one
                  */
} trace_fit;

/* How far outside of 0 to 1 local coordinates may be: what rounding takes. */
#define TRACE_MARGIN 1e-7

/* The map of a cell with these corners, numbered di + 2 dj + 4 dk, taken relative to the
 * point `about`, so that digits are not lost. Local. */
void trace_map_create(const double corner[8][3], const double about[3], trace_map *map);

/* The point at local coordinates. Local. */
void trace_map_point(const trace_map *map, const double local[3], double x[3]);

/*
 * Finds the local coordinates of the point that the map was taken about. OUTSIDE: they
 * tell which way to go, but not more. Depends on nothing but the map. Local.
 */
trace_fit trace_map_invert(const trace_map *map, double local[3]);

/* How far local coordinates lie outside of the cell, 0 inside; *axis: along which axis
 * most, *side: 0 below, 1 above. Local. */
double trace_map_excess(const double local[3], int *axis, int *side);

/* Turns a direction in space, given at local coordinates, into one along i, j and k: how
 * many cells it is long. False where the map is singular there. Local. */
bool trace_map_pull(const trace_map *map, const double local[3],
                    const double direction[3], double cells[3]);

/* The largest distance of two opposite corners along an axis of space. Local. */
double trace_map_size(const trace_map *map);

#endif
