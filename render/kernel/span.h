/* Entries of rays through triangles that are known to be crossed. Gives the same result
 * as enter.h without its tests. One ray in each lane; lanes may enter through different
 * faces. */
#ifndef RENDER_KERNEL_SPAN_H
#define RENDER_KERNEL_SPAN_H

#include "render/cells/cross.h"
#include "walk.h"

/* Corners of a face, in the order of the crossed half: the ends of the diagonal, its own
 * apex and that of the other half. */
enum { SPAN_P, SPAN_Q, SPAN_APEX, SPAN_BEYOND, SPAN_CORNERS };

/* Rays and the triangles that they cross. */
typedef struct span_lanes {
    _Alignas(64) float x[SPAN_CORNERS][LANES]; /* along axes 0, 1 and 2 of the rays */
    float y[SPAN_CORNERS][LANES], along[SPAN_CORNERS][LANES], scalar[SPAN_CORNERS][LANES];
    float origin[2][LANES], shear[2][LANES], per_unit[LANES];
    const march_span *span[LANES];
    int pixel[LANES];
    bool turned[LANES];
    int count;
} span_lanes;

/* The face of a span, as a boundary face. */
static march_face span_face(const march_span *span)
{
    return march_face_make(march_span_cell(span), (int)span->face);
}

/* Fills a lane with the ray of a pixel. */
static void span_take_ray(const march_grid *grid, const walk_tile *tile,
                          const march_span *span, int pixel, span_lanes *to)
{
    const march_cell cell = march_span_cell(span);
    const march_brick *brick = &grid->bricks[cell.brick];
    const int lowest = march_vertex_index(brick, cell.at);
    const int *corners = render_cell_face_corners((int)span->face);
    const unsigned start = render_cell_diagonals(grid->flags[lowest]) >> span->face & 1u;
    const unsigned apex = start + 1u + 2u * span->half;
    const unsigned order[SPAN_CORNERS] = {start, start + 2u, apex, apex + 2u};
    const int lane = to->count++, z = tile->axis[pixel];
    const int x = z == 2 ? 0 : z + 1, y = z == 0 ? 2 : z - 1;
    for (int n = 0; n < SPAN_CORNERS; n++) {
        const float *vertex =
            grid->vertex[march_corner_index(brick, lowest, corners[order[n] & 3u])];
        to->x[n][lane] = vertex[x];
        to->y[n][lane] = vertex[y];
        to->along[n][lane] = vertex[z];
        to->scalar[n][lane] = vertex[3];
    }
    for (int axis = 0; axis < 2; axis++) {
        to->origin[axis][lane] = tile->origin[axis][pixel];
        to->shear[axis][lane] = tile->shear[axis][pixel];
    }
    to->per_unit[lane] = tile->per_unit[pixel];
    to->span[lane] = span;
    to->pixel[lane] = pixel;
    to->turned[lane] = start == 1;
}

/* Finds the entry with the general code, if the weights lack digits. */
static void span_enter_slowly(const march_grid *grid, const walk_tile *tile,
                              const march_span *span, walk_entry *entry)
{
    const march_face face = span_face(span);
    march_entry found[2];
    const int count =
        render_march_face_entries(grid, &face, &tile->rays[entry->pixel], found);
    for (int n = 0; n < count; n++) {
        if (found[n].crossing.triangle.half == (int)span->half) {
            entry->at = found[n];
        }
    }
}

/* Entries of rays, field by field. */
typedef struct span_crossings {
    _Alignas(64) float t[LANES], scalar[LANES];
    float p[LANES], q[LANES], apex[LANES]; /* weights of corners; they add up to 1 */
    unsigned slim;                         /* lanes whose weights lack digits */
} span_crossings;

/* Computes in the order of cross_interpolate, so that the bits are the same. */
static void span_interpolate(const span_lanes *rays, span_crossings *out)
{
    vfloat u[3], v[3], a[SPAN_CORNERS], s[SPAN_CORNERS];
    for (int n = 0; n < SPAN_CORNERS; n++) {
        a[n] = lanes_load(rays->along[n]);
        s[n] = lanes_load(rays->scalar[n]) * lanes_float(0.25f);
    }
    for (int n = 0; n < SPAN_BEYOND; n++) {
        u[n] = (lanes_load(rays->x[n]) - lanes_load(rays->origin[0])) -
               lanes_load(rays->shear[0]) * a[n];
        v[n] = (lanes_load(rays->y[n]) - lanes_load(rays->origin[1])) -
               lanes_load(rays->shear[1]) * a[n];
    }
    vfloat p = lanes_abs(u[SPAN_APEX] * v[SPAN_Q] - v[SPAN_APEX] * u[SPAN_Q]),
           q = lanes_abs(u[SPAN_P] * v[SPAN_APEX] - v[SPAN_P] * u[SPAN_APEX]),
           r = lanes_abs(u[SPAN_P] * v[SPAN_Q] - v[SPAN_P] * u[SPAN_Q]);
    const vfloat sum = (p + q) + r, per_sum = lanes_float(1.0f) / sum;
    out->slim = cross_find_slim(p, q, r, cross_slim(SPAN_BEYOND, u, v));
    p *= per_sum;
    q *= per_sum;
    r *= per_sum;
    const vfloat twist = (s[SPAN_P] + s[SPAN_Q]) - (s[SPAN_APEX] + s[SPAN_BEYOND]);
    lanes_store(out->t, ((p * a[SPAN_P] + q * a[SPAN_Q]) + r * a[SPAN_APEX]) *
                            lanes_load(rays->per_unit));
    const vfloat mean = (p * s[SPAN_P] + q * s[SPAN_Q]) + r * s[SPAN_APEX];
    lanes_store(out->scalar, cross_four_times(mean - twist * (p * q)));
    lanes_store(out->p, p);
    lanes_store(out->q, q);
    lanes_store(out->apex, r);
}

/* Writes the entries of the rays, and empties the lanes. */
static void span_flush(const march_grid *grid, const walk_tile *tile, span_lanes *rays,
                       walk_entry *out)
{
    span_crossings at;
    span_interpolate(rays, &at);
    for (int n = 0; n < rays->count; n++) {
        const march_span *span = rays->span[n];
        const bool turned = rays->turned[n], second = span->half;
        const cell_crossing crossing = {
            .triangle = {(int8_t)span->face, (int8_t)span->half},
            .t = at.t[n],
            .scalar = at.scalar[n],
            .f = (turned ? at.p[n] : at.q[n]) + (second ? 0.0f : at.apex[n]),
            .g = at.q[n] + (second == turned ? 0.0f : at.apex[n])};
        out[n] = (walk_entry){rays->pixel[n],
                              {.cell = march_span_cell(span), .crossing = crossing}};
        if (at.slim >> n & 1u) {
            span_enter_slowly(grid, tile, span, &out[n]);
        }
    }
    rays->count = 0;
}

static int enter_spans(const march_grid *grid, const walk_tile *tile, int count,
                       const march_span *spans, walk_entry *out)
{
    span_lanes rays;
    memset(&rays, 0, sizeof rays);
    int done = 0;
    for (int n = 0; n < count; n++) {
        const int first = (int)spans[n].y * WALK_TILE + (int)spans[n].x;
        for (int pixel = first; pixel <= first + (int)spans[n].more; pixel++) {
            span_take_ray(grid, tile, &spans[n], pixel, &rays);
            if (rays.count == LANES) {
                span_flush(grid, tile, &rays, out + done);
                done += LANES;
            }
        }
    }
    const int rest = rays.count;
    if (rest > 0) {
        span_flush(grid, tile, &rays, out + done);
    }
    lanes_leave();
    return done + rest;
}

#endif
