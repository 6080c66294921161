/* The light on the samples of a view, by smooth normals or by those of halves. */
#include "render/light/light.h"
#include "mesh.h"

#include <stdlib.h>
#include <string.h>

/* Whether light by both is the same. With shadows it never is: the maps have changed. */
static bool is_same_shade(const render_shade *a, const render_shade *b)
{
    return !a->shadows && !b->shadows && a->ambient == b->ambient &&
           a->diffuse == b->diffuse && a->specular == b->specular &&
           a->shininess == b->shininess && a->nlights == b->nlights &&
           a->rim_width == b->rim_width &&
           memcmp(a->rim_color, b->rim_color, sizeof a->rim_color) == 0 &&
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

/* The change of the smooth normals along the part of the view in the plane of a half. It
 * is linear in the half, as the normals are. */
static double find_bend(const render_surface *surface, const surface_sample *sample,
                        vec3 viewer)
{
    const float(*of)[3] = (const float(*)[3])surface->normals[sample->half / 2];
    const int corners[3] = {0, 2, sample->half % 2 ? 3 : 1};
    vec3 at[3], side[2], turn[2];
    surface_half_corners(&surface->mesh, sample->half, at);
    for (int n = 0; n < 2; n++) {
        side[n] = vec3_sub(at[n], at[2]);
        for (int axis = 0; axis < 3; axis++) {
            turn[n].v[axis] = (double)of[corners[n]][axis] - (double)of[corners[2]][axis];
        }
    }
    /* viewer, projected: u side[0] + v side[1]. */
    const double aa = vec3_dot(side[0], side[0]), ab = vec3_dot(side[0], side[1]),
                 bb = vec3_dot(side[1], side[1]);
    const double va = vec3_dot(viewer, side[0]), vb = vec3_dot(viewer, side[1]);
    const double area = aa * bb - ab * ab;
    if (!(area > 0.0)) {
        return 0.0;
    }
    const double u = (va * bb - vb * ab) / area, v = (vb * aa - va * ab) / area;
    const double length =
        vec3_length(vec3_add(vec3_scale(side[0], u), vec3_scale(side[1], v)));
    const double change = u * vec3_dot(turn[0], viewer) + v * vec3_dot(turn[1], viewer);
    return length > 0.0 ? fabs(change) / length : 0.0;
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
        const vec3 point = place_of(mesh, sample);
        view->light[n] = render_light_surface(&view->shade, point, normal, viewer);
        if (view->is_smooth && view->shade.rim_width > 0.0f) {
            render_light_rim(
                &view->shade,
                &(surface_turn){.facing = fabs(vec3_dot(normal, viewer)),
                                .bend = find_bend(surface, sample, viewer),
                                .pixel = render_camera_pixel(&view->seen.camera, point)},
                &view->light[n]);
        }
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
