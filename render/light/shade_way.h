/* The way of a ray through a shaded cell, and the light on its parts. */
#ifndef RENDER_LIGHT_SHADE_WAY_H
#define RENDER_LIGHT_SHADE_WAY_H

/* D, S and F at a point of a ray: r, g, b of D, then of S, then the factor of the
 * extinction. */
enum { SHADE_LENGTH = 6, SHADE_FACTORS = 7 };
typedef struct shade_factors {
    float of[SHADE_FACTORS];
} shade_factors;

/* Most parts of the way through a cell. */
enum { SHADE_MOST_PARTS = 16 };

/* A piece of the way of a ray through a cell. */
typedef struct shade_way {
    float t0, t1;            /* of the whole way: distances along the ray */
    float entry[3], exit[3]; /* the gradients there, in the order of the ray's axes
                                (cell_ray.axis) */
    int number, pieces;      /* the way has so many equal pieces; this one, from 0 on */
    float depth;             /* optical depth of the piece where F is 1 */
} shade_way;

#endif
