#include "light.h"

#include "shadow.h"

double render_light_power(double x, int n)
{
    double result = 1.0;
    for (; n > 0; n >>= 1) {
        result = n & 1 ? result * x : result;
        x *= x;
    }
    return result;
}

vec3 render_light_direction(const render_light *light, vec3 point, vec3 to_viewer)
{
    const vec3 at =
        vec3_make((double)light->at[0], (double)light->at[1], (double)light->at[2]);
    switch (light->kind) {
    case RENDER_LIGHT_HEAD:
        return to_viewer;
    case RENDER_LIGHT_DIRECTION:
        return at;
    case RENDER_LIGHT_POSITION:
    default:
        return vec3_normalize(vec3_sub(at, point));
    }
}

surface_light render_light_surface(const render_shade *shade, vec3 point, vec3 normal,
                                   vec3 to_viewer)
{
    if (!shade) {
        return (surface_light){.diffuse = {1.0f, 1.0f, 1.0f}};
    }
    double diffuse[3] = {0.0, 0.0, 0.0}, specular[3] = {0.0, 0.0, 0.0};
    const render_shadows *shadows = shade->shadows;
    const double sky = shadows && shadows->occlusion > 0.0f
                           ? render_shadow_of_sky(shadows, point, normal, to_viewer)
                           : 1.0;
    for (int n = 0; n < shade->nlights; n++) {
        const render_light *light = &shade->lights[n];
        vec3 to_light = render_light_direction(light, point, to_viewer);
        vec3 middle = vec3_normalize(vec3_add(to_light, to_viewer));
        const double visible = !shadows ? 1.0
                               : light->kind == RENDER_LIGHT_HEAD
                                   ? sky
                                   : render_shadow_of_light(shadows, n, point, normal);
        double facing = visible * fabs(vec3_dot(normal, to_light));
        double shine = visible * render_light_power(fabs(vec3_dot(normal, middle)),
                                                    shade->shininess);
        for (int c = 0; c < 3; c++) {
            diffuse[c] += (double)light->color[c] * facing;
            specular[c] += (double)light->color[c] * shine;
        }
    }
    surface_light lit;
    for (int c = 0; c < 3; c++) {
        lit.diffuse[c] =
            (float)((double)shade->ambient * sky + (double)shade->diffuse * diffuse[c]);
        lit.specular[c] = (float)((double)shade->specular * specular[c]);
    }
    return lit;
}

void render_light_rim(const render_shade *shade, const surface_turn *turn,
                      surface_light *light)
{
    const double steepest = 0.4; /* square of n . v at the inner side of the widest rim */
    const double way =
        fmin(2.0 * turn->bend * turn->pixel, steepest / ((double)shade->rim_width + 0.5));
    const double square = turn->facing * turn->facing;
    /* The distance in pixels is square / way, and way may be 0. */
    const double inside = ((double)shade->rim_width + 0.5) * way - square;
    if (!(inside > 0.0)) {
        return;
    }
    const float cover = (float)fmin(inside / way, 1.0), rest = 1.0f - cover;
    for (int c = 0; c < 3; c++) {
        light->diffuse[c] *= rest;
        light->specular[c] = rest * light->specular[c] + cover * shade->rim_color[c];
    }
}
