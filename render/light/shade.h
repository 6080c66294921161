/* Shading of a volume: its light depends on the angles between the gradient of its
 * scalar, the lights and the viewer.
 *
 * The light model is Blinn 1977, Models of light reflection for computer synthesized
 * pictures (SIGGRAPH '77). The normalized gradient is the normal, after Levoy 1988,
 * Display of surfaces from volume data (IEEE Computer Graphics and Applications 8(3)).
 * Both sides of a level set are lit alike.
 *
 * The gradient g is bilinear on the faces of cells, and linear along a ray from one face
 * to the next, like the scalar.
 *
 *     n = g / |g|                  the normal
 *     w = |g|^2 / (|g|^2 + g0^2)   weight of the normal: in a flat field the gradient is
 *                                  rounding noise, w is near 0, and light is even
 *     D = ambient + diffuse * sum of color * ((1 - w) + w |n . l|)    over the lights
 *     S = specular * sum of color * w |n . h|^shininess
 *
 * l points to the light; h lies in the middle between l and the direction to the viewer.
 * With shadows (render/light/shadow.h), each term of a light has the factor V of the
 * light that comes there, `ambient` and headlights that of the light from all around.
 *
 * A cue (render/light/cue.h) with the share f of its colour makes D to (1 - f) D and S to
 * (1 - f) S + f * colour.
 *
 * A segment shows D times its own emission, and S times its opacity. Colours may exceed
 * 1. The extinction is multiplied by a factor F of |g|, piecewise linear, so that regions
 * of one value stay transparent and interfaces show (Levoy 1988, too). F is the same as a
 * longer or shorter way. Without points F is 1.
 *
 * The way of the ray through a cell is cut into 1 to 16 equal parts, each lit as in its
 * middle. The error of that is of second order, so the square of their number follows the
 * change of the light along the way, times the opacity of the way. A way of one part has
 * the mean light along it, by Simpson's rule. The parts divide the whole way through the
 * cell, so the light does not depend on where a box cuts the ray. (One part per cell
 * would show the cells on every steep level set. Linear light in between would show their
 * edges, as Gouraud shading does.) */
#ifndef RENDER_LIGHT_SHADE_H
#define RENDER_LIGHT_SHADE_H

#include "cue.h"

#include <stdbool.h>

enum { RENDER_MAX_LIGHTS = 16, RENDER_MAX_FACTORS = 32 };

typedef enum render_light_kind {
    RENDER_LIGHT_HEAD,      /* shines from the viewer along each ray */
    RENDER_LIGHT_DIRECTION, /* far away */
    RENDER_LIGHT_POSITION   /* at a point; no falloff */
} render_light_kind;

typedef struct render_light {
    render_light_kind kind;
    float at[3];    /* the unit vector to the light, or its position relative to the
                       layout's origin */
    float color[3]; /* its colour times its intensity, >= 0 */
} render_light;

/* The shading of a volume; transparent, the caller fills it in. */
typedef struct render_shade {
    float ambient, diffuse, specular; /* >= 0 */
    int shininess;                    /* >= 1 */
    bool is_even;                     /* w is 0: light does not depend on the gradient */
    float per_gradient;               /* 1 / g0, from render_shade_per_gradient */
    int nlights;
    render_light lights[RENDER_MAX_LIGHTS]; /* [nlights] */
    /* F, set by render_shade_set_factors. */
    int nfactors;                       /* 0: F is 1 */
    float at[RENDER_MAX_FACTORS];       /* [nfactors]: |g| / g0, ascending */
    float per_step[RENDER_MAX_FACTORS]; /* 1 / (at[n + 1] - at[n]) */
    float factor[RENDER_MAX_FACTORS];
    float per_factor; /* 1 / the largest factor, for the number of parts */
    render_cue cue;   /* of volumes; surfaces fade when they are blended */
    const struct render_shadows *shadows; /* borrowed; NULL: nothing casts any */
    float rim_width;    /* of silhouettes of surfaces, in pixels; 0: none */
    float rim_color[3]; /* linear */
} render_shade;

/* Whether shading a volume needs gradients at its vertices. */
static inline bool render_shade_needs_gradients(const render_shade *shade)
{
    return !shade->is_even || shade->nfactors > 0;
}

/* Sets F from points [count] of magnitude (in units of the field per length) and factor:
 * ascending, at least 0, at most RENDER_MAX_FACTORS. The shade has its per_gradient.
 * Local. */
void render_shade_set_factors(render_shade *shade, int count, const double (*points)[2]);

/* 1 / g0, where g0 is a hundredth of the field's range over the diagonal of the grid.
 * Finite and positive for any input. Local. */
float render_shade_per_gradient(const double range[2], double diagonal);

#endif
