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

/* Copies of blocks (data.copies), of one of three kinds. Copy 0 is the data's own. */
typedef struct grid_copies {
    int nblocks;
    char **blocks; /* [nblocks]: names of the blocks that are copied; none: all */
    struct grid_wheel {
        vec3 axis;    /* of any length; 0: no rotation */
        int count;    /* 0: as many as a whole turn has */
        double angle; /* degrees from copy to copy; 0: that of a whole turn */
        vec3 point;   /* on the axis */
    } rotate;
    struct grid_mirror {
        vec3 normal; /* of any length; 0: no mirror */
        double at;   /* distance of the plane from (0, 0, 0), along the normal */
    } reflect;
    struct grid_row {
        vec3 by;
        int count; /* 0: no shift */
    } shift;
} grid_copies;

enum { GRID_MOST_COPIES = 4 }; /* entries of data.copies, each of copies of the others */

/* How many copies there are, the data's own included. Local. */
int grid_copies_count(const grid_copies *copies);

/* Whether the last copy of a rotation meets the first. Local. */
bool grid_copies_close(const grid_copies *copies);

/* Adds the way from the data to copy n (0 to the count) behind the steps of a view.
 * Local. */
void grid_view_add_copy(grid_view *view, const grid_copies *copies, int n);

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
