/* The light on the samples of a view, by smooth normals or by those of halves. */
#include "render/light/light.h"
#include "mesh.h"

#include <stdlib.h>
#include <string.h>

static bool is_same_shade(const render_shade *a, const render_shade *b)
{
    return a->ambient == b->ambient && a->diffuse == b->diffuse &&
           a->specular == b->specular && a->shininess == b->shininess &&
           a->nlights == b->nlights &&
           memcmp(a->lights, b->lights, (size_t)a->nlights * sizeof *a->lights) == 0;
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

/* The position of a sample, from the corners of its half. */
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
        view->light[n] =
            render_light_surface(&view->shade, place_of(mesh, sample), normal, viewer);
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
