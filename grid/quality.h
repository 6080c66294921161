/* The quality of cells: fields that any grid has, without a solution. */
#ifndef GRID_QUALITY_H
#define GRID_QUALITY_H

#include "field.h"

typedef enum grid_quality {
    GRID_CELL_VOLUME,       /* below 0: the cell is inside out; of a sheet: its area */
    GRID_CELL_SKEWNESS,     /* equiangle: 0, all angles are right, to 1, one is 0 or 180
                               degrees */
    GRID_CELL_ASPECT_RATIO, /* longest over shortest of the mean edges along i, j and k */
    GRID_QUALITIES
} grid_quality;

/* The fields: their names, in cells. Sources offer them behind the fields of the data. */
extern const grid_field grid_quality_fields[GRID_QUALITIES];

/* A cell: its corners [di + 2 dj + 4 dk]. */
typedef struct grid_quality_cell {
    double corner[8][3];
    int flat_axis; /* the cell is a face across this axis, of corners 0 along it; -1: it
                      is a hexahedron */
} grid_quality_cell;

/*
 * The quality of a cell. Faces with an edge of no length are triangles, whose angles are
 * compared with 60 degrees; faces of less have no angles. A skewness without any face is
 * 1, an aspect ratio with a mean edge of no length NaN. The volume is positive if i, j, k
 * are right-handed. Local; may be called by several threads at once.
 */
double grid_quality_of(grid_quality quality, const grid_quality_cell *cell);

#endif
