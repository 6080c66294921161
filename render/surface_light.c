/*
 * Light on surfaces: two-sided Blinn-Phong (Blinn 1977, Models of light reflection for
 * computer synthesized pictures, SIGGRAPH '77), with the sums of render/shade.h and the
 * surface's normal n:
 *
 *     shown = colour * D + alpha * S
 *     D = ambient + diffuse * sum of color * |n . l|       over the lights
 *     S = specular * sum of color * |n . h|^shininess
 */
#include "render/surface_mesh.h"

#include <stdlib.h>
#include <string.h>

static bool is_same_shade(const render_shade *a, const render_shade *b)
{
    return a->ambient == b->ambient && a->diffuse == b->diffuse &&
           a->specular == b->specular && a->shininess == b->shininess &&
           a->nlights == b->nlights &&
           memcmp(a->lights, b->lights, (size_t)a->nlights * sizeof *a->lights) == 0;
}

/* a^exponent by squaring. */
static double power(double a, int exponent)
{
    double out = 1.0;
    for (; exponent > 0; exponent >>= 1) {
        out = exponent & 1 ? out * a : out;
        a *= a;
    }
    return out;
}

/* The unit vector to a light, from a point whose viewer is in direction `viewer`. */
static vec3 look_at_light(const render_light *light, vec3 point, vec3 viewer)
{
    const vec3 at =
        vec3_make((double)light->at[0], (double)light->at[1], (double)light->at[2]);
    switch (light->kind) {
    case RENDER_LIGHT_HEAD:
        return viewer;
    case RENDER_LIGHT_DIRECTION:
        return at;
    case RENDER_LIGHT_POSITION:
        break;
    }
    return vec3_normalize(vec3_sub(at, point));
}

/* D and S at a point with this normal, of length 1 or 0. */
static void find_light(const render_shade *shade, vec3 normal, vec3 point, vec3 viewer,
                       float light[SURFACE_LIGHT])
{
    double sum[SURFACE_LIGHT] = {0.0};
    for (int n = 0; n < shade->nlights; n++) {
        const render_light *from = &shade->lights[n];
        const vec3 to_light = look_at_light(from, point, viewer);
        const vec3 between = vec3_normalize(vec3_add(to_light, viewer));
        const double facing = fmin(fabs(vec3_dot(normal, to_light)), 1.0);
        const double mirrored =
            power(fmin(fabs(vec3_dot(normal, between)), 1.0), shade->shininess);
        for (int c = 0; c < 3; c++) {
            sum[c] += (double)from->color[c] * facing;
            sum[3 + c] += (double)from->color[c] * mirrored;
        }
    }
    for (int c = 0; c < 3; c++) {
        light[c] = (float)((double)shade->ambient + (double)shade->diffuse * sum[c]);
        light[3 + c] = (float)((double)shade->specular * sum[3 + c]);
    }
}

/* The normal of one half, of length 1. */
static vec3 flat_normal(const surface_mesh *mesh, int32_t half)
{
    vec3 corner[3];
    surface_half_corners(mesh, half, corner);
    return vec3_normalize(
        vec3_cross(vec3_sub(corner[1], corner[0]), vec3_sub(corner[2], corner[0])));
}

static vec3 smooth_normal(const render_surface *surface, const surface_sample *sample)
{
    const float(*corner)[3] = (const float(*)[3])surface->normals[sample->half / 2];
    const int third = sample->half % 2 ? 3 : 1;
    const double p = (double)sample->p, q = (double)sample->q, r = 1.0 - p - q;
    vec3 sum;
    for (int axis = 0; axis < 3; axis++) {
        sum.v[axis] = p * (double)corner[0][axis] + q * (double)corner[2][axis] +
                      r * (double)corner[third][axis];
    }
    return vec3_normalize(sum);
}

/* The place of a sample, by the corners of its half. */
static vec3 place_of(const surface_mesh *mesh, const surface_sample *sample)
{
    vec3 corner[3];
    const double p = (double)sample->p, q = (double)sample->q;
    surface_half_corners(mesh, sample->half, corner);
    return vec3_add(vec3_add(vec3_scale(corner[0], p), vec3_scale(corner[1], q)),
                    vec3_scale(corner[2], 1.0 - p - q));
}

static void light_tile(const render_surface *surface, int64_t tile)
{
    const surface_view *view = &surface->view;
    const surface_mesh *mesh = &surface->mesh;
    int32_t half = -1;
    vec3 normal = vec3_make(0.0, 0.0, 0.0);
    for (int64_t n = view->first[tile]; n < view->first[tile + 1]; n++) {
        const surface_sample *sample = &view->samples[n];
        if (view->is_smooth) {
            normal = smooth_normal(surface, sample);
        } else if (sample->half != half) {
            half = sample->half;
            normal = flat_normal(mesh, half);
        }
        const vec3 viewer = vec3_scale(surface_sample_ray(view, sample).direction, -1.0);
        find_light(&view->shade, normal, place_of(mesh, sample), viewer, view->light[n]);
    }
}

status surface_light_find(render_surface *surface, const surface_look *look, int threads)
{
    surface_view *view = &surface->view;
    if (look->smooth && !surface->normals) {
        status s = render_surface_set_normals(surface, 0, NULL);
        if (s != STATUS_OK) {
            return s;
        }
    }
    if (view->light && view->is_smooth == look->smooth &&
        is_same_shade(&view->shade, look->shade)) {
        return STATUS_OK;
    }
    const size_t bytes = ((size_t)surface_view_count(view) + 1) * sizeof *view->light;
    if (!view->light) {
        view->light = malloc(bytes);
    }
    if (!view->light) {
        return base_fail_memory(bytes, "the light of a surface");
    }
    view->is_smooth = look->smooth;
    view->shade = *look->shade;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 8)
    for (int64_t tile = 0; tile < surface_view_tiles(view); tile++) {
        light_tile(surface, tile);
    }
    return STATUS_OK;
}
