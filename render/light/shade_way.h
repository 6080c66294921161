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

/* The way of a ray through a cell, from face to face: distances along the ray, and the
 * gradients at both ends in the order of the ray's axes (cell_ray.axis). */
typedef struct shade_way {
    float t0, t1, entry[3], exit[3];
} shade_way;

#endif
