/*
 * Shading: the light that a volume sends out depends on how the gradient of its scalar
 * lies to the lights and to the viewer.
 *
 * Blinn 1977, Models of light reflection for computer synthesized pictures (SIGGRAPH
 * '77), with the normalized gradient as the normal after Levoy 1988, Display of surfaces
 * from volume data (IEEE Computer Graphics and Applications 8(3)). Both sides of a level
 * set are lit alike.
 *
 * The gradient g is bilinear on the faces of cells, and linear along a ray's way from one
 * face to the next, as the scalar is.
 *
 *     n = g / |g|                  the normal
 *     w = |g|^2 / (|g|^2 + g0^2)   how much of a normal it is: where the field is flat,
 *                                  it is rounding noise, and light is even
 *     D = ambient + diffuse * sum of color * ((1 - w) + w |n . l|)    over the lights
 *     S = specular * sum of color * w |n . h|^shininess
 *
 * l points to the light, h lies in the middle between l and the direction to the viewer.
 * A segment shows D times what it emits by itself, and S times its opacity; opacity stays
 * what it is. Colours may exceed 1.
 *
 * The way through a cell is cut into 1, 2, 4, 8 or 16 equal parts, so many that the light
 * changes little from one to the next; each is lit as in its middle. These are parts of
 * the whole way through the cell, so that what is lit does not depend on where a ray is
 * cut. (One part for each cell would show the cells on every steep level set; light that
 * is linear in between would show their edges, as Gouraud's does.)
 */
#ifndef RENDER_LIGHT_SHADE_H
#define RENDER_LIGHT_SHADE_H

enum { RENDER_MAX_LIGHTS = 16 };

typedef enum render_light_kind {
    RENDER_LIGHT_HEAD,      /* shines from the viewer along each ray */
    RENDER_LIGHT_DIRECTION, /* far away */
    RENDER_LIGHT_POSITION   /* at a point; no falloff */
} render_light_kind;

typedef struct render_light {
    render_light_kind kind;
    float at[3];    /* the unit vector to the light, or its position in the grid's
                       coordinates (relative to the layout's origin) */
    float color[3]; /* times its intensity, >= 0 */
} render_light;

/* How a volume is shaded; transparent, the caller fills it in. */
typedef struct render_shade {
    float ambient, diffuse, specular; /* >= 0 */
    int shininess;                    /* >= 1 */
    float per_gradient;               /* 1 / g0, of render_shade_per_gradient */
    int nlights;
    render_light lights[RENDER_MAX_LIGHTS]; /* [nlights] */
} render_shade;

/* 1 / g0: a hundredth of the field's range over the diagonal of the grid. Finite and
 * above 0 whatever comes. Local. */
float render_shade_per_gradient(const double range[2], double diagonal);

#endif
