/* Views of data: linear maps from the coordinates of the data to those of the picture. */
#ifndef GRID_VIEW_H
#define GRID_VIEW_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The view of a block: a point x of the data lies at X = A x + b in the picture. A vector
 * v of the data is A v there. The gradient of a scalar with respect to x is A^T times
 * that with respect to X. All zero: pictures show the data as they are.
 */
typedef struct grid_view {
    bool on;
    double matrix[3][3]; /* A, rows first */
    double inverse[3][3];
    double shift[3]; /* b */
} grid_view;

/* One step of a view, in this order: scale, reflect, rotate, shift. All zero: nothing. */
typedef struct grid_transform {
    int nblocks;
    char **blocks;   /* [nblocks]: names of the blocks that it is for; none: all */
    double scale[3]; /* all 0: 1, 1, 1 */
    int reflect;     /* 1, 2, 3: the sign of x, y, z turns */
    struct grid_rotation {
        vec3 axis;    /* of any length; 0: no rotation */
        double angle; /* degrees, right-handed about the axis */
        vec3 point;   /* on the axis */
    } rotate;
    vec3 shift;
} grid_transform;

/* Adds a step behind those of the view. False if the whole has no inverse: the view is
 * then unusable. Local. */
bool grid_view_add(grid_view *view, const grid_transform *step);

/* The image of a vector, and the vector whose image it is. A view that is off leaves them
 * as they are. Local. */
vec3 grid_view_vector(const grid_view *view, vec3 vector);
vec3 grid_view_vector_back(const grid_view *view, vec3 vector);

/* Replaces vectors by their images: at[count][stride], of which the first three are a
 * vector. Local. */
void grid_view_turn(const grid_view *view, int64_t count, int stride, float *at);

/* The image of a point, and the point whose image it is. Local. */
vec3 grid_view_point(const grid_view *view, vec3 point);
vec3 grid_view_point_back(const grid_view *view, vec3 point);

#endif
