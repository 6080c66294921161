/* The light on a point of a surface. */
#ifndef RENDER_LIGHT_LIGHT_H
#define RENDER_LIGHT_LIGHT_H

#include "base/vec.h"
#include "shade.h"

/* The unit vector from a point towards a light. to_viewer: the unit vector to the viewer.
 * Local. */
vec3 render_light_direction(const render_light *light, vec3 point, vec3 to_viewer);

/* x^n, n >= 1, by products alone, so that all machines give the same bits. Local. */
double render_light_power(double x, int n);

/* A lit surface of colour c shows c * diffuse + specular. */
typedef struct surface_light {
    float diffuse[3], specular[3];
} surface_light;

/* Blinn-Phong light (render/light/shade.h) on a point of a surface. normal, to_viewer:
 * unit vectors. Both sides of a surface are lit alike:
 *
 *     diffuse  = ambient + diffuse * sum of color * |n . l|
 *     specular = specular * sum of color * |n . h|^shininess
 *
 * shade: NULL for a surface that shows its own colour. per_gradient is not used.
 * Local. */
surface_light render_light_surface(const render_shade *shade, vec3 point, vec3 normal,
                                   vec3 to_viewer);

/* A place at which a surface may turn away from the view. */
typedef struct surface_turn {
    double facing; /* |n . v|, for unit vectors */
    double bend;   /* curvature along the view: change of n . v per length of a way on the
                      surface along v, >= 0 */
    double pixel;  /* the size of a pixel there, in the grid's units */
} surface_turn;

/* Draws the rim of a silhouette over the light at a point. Near a silhouette, n . v is
 * the root of 2 bend d, with the distance d to the silhouette across the view. So the rim
 * has the same width everywhere (Kindlmann et al. 2003, Curvature-based transfer
 * functions for direct volume rendering, IEEE Visualization '03). The coverage of the
 * pixel is linear at the inner side. Local. */
void render_light_rim(const render_shade *shade, const surface_turn *turn,
                      surface_light *light);

#endif
