#include "light.h"

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
    for (int n = 0; n < shade->nlights; n++) {
        const render_light *light = &shade->lights[n];
        vec3 to_light = render_light_direction(light, point, to_viewer);
        vec3 middle = vec3_normalize(vec3_add(to_light, to_viewer));
        double facing = fabs(vec3_dot(normal, to_light));
        double shine =
            render_light_power(fabs(vec3_dot(normal, middle)), shade->shininess);
        for (int c = 0; c < 3; c++) {
            diffuse[c] += (double)light->color[c] * facing;
            specular[c] += (double)light->color[c] * shine;
        }
    }
    surface_light lit;
    for (int c = 0; c < 3; c++) {
        lit.diffuse[c] =
            (float)((double)shade->ambient + (double)shade->diffuse * diffuse[c]);
        lit.specular[c] = (float)((double)shade->specular * specular[c]);
    }
    return lit;
}
