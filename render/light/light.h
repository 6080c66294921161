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

#endif
