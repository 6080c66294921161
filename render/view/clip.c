#include "clip.h"

#include <string.h>

/* Clips to the half space in front of the viewer and to the box. */
static void clip_to_box(const render_ray *ray, box3 box, double *t0, double *t1)
{
    for (int axis = 0; axis < 3; axis++) {
        double from = ray->origin.v[axis], along = ray->direction.v[axis];
        double lo = box.lo.v[axis], hi = box.hi.v[axis];
        if (lo == -INFINITY && hi == INFINITY) {
            continue;
        }
        if (along == 0.0) {
            if (!(from >= lo && from < hi)) {
                *t1 = -INFINITY;
            }
            continue;
        }
        double near = ((along > 0.0 ? lo : hi) - from) / along;
        double far = ((along > 0.0 ? hi : lo) - from) / along;
        *t0 = near > *t0 ? near : *t0;
        *t1 = far < *t1 ? far : *t1;
    }
}

static void clip_to_plane(const render_ray *ray, const render_cut *cut, double *t0,
                          double *t1)
{
    double from = vec3_dot(cut->normal, ray->origin) - cut->offset;
    double along = vec3_dot(cut->normal, ray->direction);
    if (along == 0.0) {
        *t1 = from >= 0.0 ? *t1 : -INFINITY;
        return;
    }
    double t = -from / along;
    if (along > 0.0) {
        *t0 = t > *t0 ? t : *t0;
    } else {
        *t1 = t < *t1 ? t : *t1;
    }
}

static void clip_to_sphere(const render_ray *ray, const render_sphere *sphere, double *t0,
                           double *t1)
{
    const vec3 from = vec3_sub(ray->origin, sphere->center);
    const double along = vec3_dot(from, ray->direction);
    const double rest =
        along * along - (vec3_dot(from, from) - sphere->radius * sphere->radius);
    if (!(rest > 0.0)) {
        *t1 = -INFINITY;
        return;
    }
    const double half = sqrt(rest), near = -along - half, far = -along + half;
    *t0 = near > *t0 ? near : *t0;
    *t1 = far < *t1 ? far : *t1;
}

void render_clip_ray(const render_camera *camera, const render_ray *ray, box3 box,
                     const render_cuts *cuts, double *t0, double *t1)
{
    *t0 = 0.0;
    *t1 = INFINITY;
    clip_to_box(ray, box, t0, t1);
    if (!cuts) {
        return;
    }
    double along = vec3_dot(ray->direction, camera->forward);
    *t0 = fmax(*t0, cuts->near / along);
    *t1 = fmin(*t1, cuts->far / along);
    for (int n = 0; n < cuts->count; n++) {
        clip_to_plane(ray, &cuts->planes[n], t0, t1);
    }
    for (int n = 0; n < cuts->nspheres; n++) {
        clip_to_sphere(ray, &cuts->spheres[n], t0, t1);
    }
}

bool render_cuts_are_same(const render_cuts *a, const render_cuts *b)
{
    if (!a || !b) {
        return !a && !b;
    }
    return a->near == b->near && a->far == b->far && a->count == b->count &&
           memcmp(a->planes, b->planes, (size_t)a->count * sizeof *a->planes) == 0 &&
           a->nspheres == b->nspheres &&
           memcmp(a->spheres, b->spheres, (size_t)a->nspheres * sizeof *a->spheres) == 0;
}
