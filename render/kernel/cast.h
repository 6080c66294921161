/* The rays of a row of pixels at once, bitwise equal to those of render_camera_ray,
 * render_clip_ray and render_cell_ray. Plain loops, which the compiler turns into vectors
 * of the kernel's instruction set. */
#ifndef RENDER_KERNEL_CAST_H
#define RENDER_KERNEL_CAST_H

#include "base/lanes.h"
#include "walk.h"

#include <math.h>

static void cast_directions(const render_camera *camera, int x, int y, walk_row *row)
{
    const double pixel = 2.0 * camera->scale / camera->height;
    const double up = (camera->middle[1] - (y + 0.5)) * pixel;
    double offset[3][WALK_TILE];
    for (int axis = 0; axis < 3; axis++) {
        const double right = camera->right.v[axis], above = camera->up.v[axis] * up;
        for (int n = 0; n < WALK_TILE; n++) {
            const double across = (x + n + 0.5 - camera->middle[0]) * pixel;
            offset[axis][n] = right * across + above;
        }
    }
    if (camera->orthographic) {
        for (int axis = 0; axis < 3; axis++) {
            for (int n = 0; n < WALK_TILE; n++) {
                row->origin[axis][n] = camera->eye.v[axis] + offset[axis][n];
                row->direction[axis][n] = camera->forward.v[axis];
            }
        }
        return;
    }
    for (int n = 0; n < WALK_TILE; n++) {
        const double d[3] = {camera->forward.v[0] + offset[0][n],
                             camera->forward.v[1] + offset[1][n],
                             camera->forward.v[2] + offset[2][n]};
        const double per_length = 1.0 / sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        for (int axis = 0; axis < 3; axis++) {
            row->origin[axis][n] = camera->eye.v[axis];
            row->direction[axis][n] = d[axis] * per_length;
        }
    }
}

static void cast_to_box(box3 box, walk_row *row)
{
    for (int axis = 0; axis < 3; axis++) {
        const double lo = box.lo.v[axis], hi = box.hi.v[axis];
        if (lo == -INFINITY && hi == INFINITY) {
            continue;
        }
        for (int n = 0; n < WALK_TILE; n++) {
            const double from = row->origin[axis][n], along = row->direction[axis][n];
            const double near = ((along > 0.0 ? lo : hi) - from) / along;
            const double far = ((along > 0.0 ? hi : lo) - from) / along;
            const double t0 = row->t0[n], t1 = row->t1[n];
            const double beside = from >= lo && from < hi ? t1 : -INFINITY;
            row->t0[n] = along == 0.0 ? t0 : near > t0 ? near : t0;
            row->t1[n] = along == 0.0 ? beside : far < t1 ? far : t1;
        }
    }
}

static void cast_to_cuts(const render_camera *camera, const render_cuts *cuts,
                         walk_row *row)
{
    const double *forward = camera->forward.v;
    for (int n = 0; n < WALK_TILE; n++) {
        const double along = row->direction[0][n] * forward[0] +
                             row->direction[1][n] * forward[1] +
                             row->direction[2][n] * forward[2];
        const double near = cuts->near / along, far = cuts->far / along;
        row->t0[n] = near > row->t0[n] ? near : row->t0[n];
        row->t1[n] = far < row->t1[n] ? far : row->t1[n];
    }
    for (int c = 0; c < cuts->count; c++) {
        const double *normal = cuts->planes[c].normal.v, offset = cuts->planes[c].offset;
        for (int n = 0; n < WALK_TILE; n++) {
            const double from =
                (normal[0] * row->origin[0][n] + normal[1] * row->origin[1][n] +
                 normal[2] * row->origin[2][n]) -
                offset;
            const double along = normal[0] * row->direction[0][n] +
                                 normal[1] * row->direction[1][n] +
                                 normal[2] * row->direction[2][n];
            const double t = -from / along, t0 = row->t0[n], t1 = row->t1[n];
            const double beside = from >= 0.0 ? t1 : -INFINITY;
            row->t0[n] = along > 0.0 && t > t0 ? t : t0;
            row->t1[n] = along == 0.0 ? beside : along < 0.0 && t < t1 ? t : t1;
        }
    }
}

static void cast_to_sphere(const render_sphere *sphere, walk_row *row)
{
    const double *center = sphere->center.v;
    for (int n = 0; n < WALK_TILE; n++) {
        const double x = row->origin[0][n] - center[0], y = row->origin[1][n] - center[1],
                     z = row->origin[2][n] - center[2];
        const double along = x * row->direction[0][n] + y * row->direction[1][n] +
                             z * row->direction[2][n];
        const double rest =
            along * along - ((x * x + y * y + z * z) - sphere->radius * sphere->radius);
        const double half = sqrt(rest > 0.0 ? rest : 0.0);
        const double near = -along - half, far = -along + half;
        const double t0 = row->t0[n], t1 = row->t1[n];
        row->t0[n] = rest > 0.0 && near > t0 ? near : t0;
        row->t1[n] = !(rest > 0.0) ? -INFINITY : far < t1 ? far : t1;
    }
}

/* The rays as seen by cells: sheared along their fastest axis. */
static void cast_shear(walk_row *row)
{
    for (int n = 0; n < WALK_TILE; n++) {
        const double d[3] = {row->direction[0][n], row->direction[1][n],
                             row->direction[2][n]};
        const double from[3] = {row->origin[0][n], row->origin[1][n], row->origin[2][n]};
        const bool first = fabs(d[0]) > fabs(d[1]);
        const bool last = fabs(d[2]) > (first ? fabs(d[0]) : fabs(d[1]));
        const double dx = last ? d[0] : first ? d[1] : d[2];
        const double dy = last ? d[1] : first ? d[2] : d[0];
        const double dz = last ? d[2] : first ? d[0] : d[1];
        const double x = last ? from[0] : first ? from[1] : from[2];
        const double y = last ? from[1] : first ? from[2] : from[0];
        const double z = last ? from[2] : first ? from[0] : from[1];
        const double per_unit = 1.0 / dz;
        row->axis[n] = last ? 2.0 : first ? 0.0 : 1.0;
        row->forward[n] = dz;
        row->sheared[0][n] = render_cell_bound_origin(x - dx * per_unit * z);
        row->sheared[1][n] = render_cell_bound_origin(y - dy * per_unit * z);
        row->shear[0][n] = (float)(dx * per_unit);
        row->shear[1][n] = (float)(dy * per_unit);
        row->per_unit[n] = (float)per_unit;
        row->start[n] = -z * per_unit;
    }
}

static void cast(const render_clip_view *view, int x, int y, walk_row *row)
{
    cast_directions(view->camera, x, y, row);
    for (int n = 0; n < WALK_TILE; n++) {
        row->t0[n] = 0.0;
        row->t1[n] = INFINITY;
    }
    cast_to_box(view->clip, row);
    if (view->cuts) {
        cast_to_cuts(view->camera, view->cuts, row);
        for (int s = 0; s < view->cuts->nspheres; s++) {
            cast_to_sphere(&view->cuts->spheres[s], row);
        }
    }
    cast_shear(row);
    lanes_leave();
}

#endif
