/* The outer faces of a grid, and which of them look like walls: all that is known of a
 * grid without a solution. */
#ifndef FRAME_AUTO_FACES_H
#define FRAME_AUTO_FACES_H

#include "sample.h"

/* An outer face of a block, or the part of it that no other face touches: vertices `from`
 * to `to`. Lengths and places are those of the source. */
typedef struct auto_face {
    int block, axis, side; /* side: 0, the lower end of the axis; 1, the upper one */
    int64_t from[3], to[3];
    double area;     /* 0: other faces touch it everywhere, or it is collapsed */
    double opposite; /* area of the opposite face, touched or not */
    double flatness; /* length of the area vector over the area: 1 if it is a plane */
    double crowding; /* height of the cells at the face over that of cells half-way to the
                        opposite one: small at walls. 1 in blocks of a single cell */
    double height;   /* mean height of the cells at the face */
    vec3 normal;     /* mean over the open part, of length 1 */
    vec3 middle;     /* mean of the vertices */
    vec3 inward;     /* from there to the mean of the vertices one cell behind them */
    box3 bounds;
} auto_face;

/* The faces of a grid: six for each block. */
typedef struct auto_faces {
    int count;
    auto_face *faces; /* [count], the same on every rank */
} auto_faces;

/*
 * Surveys the outer faces of all blocks. The faces of neighbouring blocks touch, and so
 * do the two ends of an O-grid or the wake of a C-grid: faces of cells with the same
 * middle. A grid with very large faces, or very many blocks, has a count of 0. Rank 0
 * reads and searches. Collective. Errors: STATUS_INPUT, STATUS_MEMORY.
 */
status auto_faces_find(const frame_auto_data *data, auto_faces *out);
void auto_faces_destroy(auto_faces *faces);

#endif
