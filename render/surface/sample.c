/* Hits of a picture's rays with the quadrilaterals of a surface, tile by tile.
 *
 * Rays are tested against the two triangles of each quadrilateral, in either sense, by
 * the edge signs that render/cells/cell.h explains. Several rays of a row are tested at a
 * time; if a sign depends on the last bit, the ray is tested alone. The distance is
 * interpolated as in render/kernel/enter.h, so that it equals that of a ray that enters
 * the volume through such a face. */
#ifdef KARMAN_FOUR_KERNELS
#define LANES_FOUR
#else
#define LANES_PLAIN
#endif
#include "base/array.h"
#include "base/lanes.h"

#include "render/cells/cross.h"
#include "render/cells/march.h"
#include "render/kernel/walk.h"
#include "sample.h"

#include <stdlib.h>
#include <string.h>

/* A ray that is not drawn runs along NO_AXIS. */
enum { TILE = FRAGMENTS_TILE, TILE_PIXELS = TILE * TILE, NO_AXIS = 3 };

/* ---- Rays -------------------------------------------------------------------------- */

/* The rays of a tile, row after row: as structs, and field by field. */
typedef struct sheet_rays {
    _Alignas(64) float origin[2][TILE_PIXELS];
    float shear[2][TILE_PIXELS], per_unit[TILE_PIXELS];
    float t0[TILE_PIXELS], t1[TILE_PIXELS]; /* the drawn part: [t0, t1) */
    int32_t axis[TILE_PIXELS];              /* axis[2] of a cell_ray */
    unsigned axes;                          /* bits: the axes that occur */
    cell_ray rays[TILE_PIXELS];
    pixel_rect rect;  /* of the picture */
    pixel_rect drawn; /* around the rays that the camera's mask does not omit */
    int width;        /* of the picture */
} sheet_rays;

static void put_ray(cell_ray ray, int pixel, sheet_rays *tile)
{
    tile->rays[pixel] = ray;
    for (int n = 0; n < 2; n++) {
        tile->origin[n][pixel] = ray.origin[n];
        tile->shear[n][pixel] = ray.shear[n];
    }
    tile->per_unit[pixel] = ray.per_unit;
    tile->axis[pixel] = ray.axis[2];
    tile->axes |= 1u << ray.axis[2];
}

/* Finds the drawn parts of `count` rays of a row, in the tile from `pixel` on. */
static void find_parts(const walk_row *row, int pixel, int count, sheet_rays *tile)
{
    for (int n = 0; n < count; n++) {
        const float origin[2] = {row->sheared[0][n], row->sheared[1][n]};
        const float t0 = (float)(row->t0[n] - row->start[n]);
        const float t1 = (float)(row->t1[n] - row->start[n]);
        /* Nearer ones show whether others are covered (frame_layers_warn). */
        tile->t0[pixel + n] = t0 - render_fragments_lift(t0, origin, FRAGMENTS_LEVELS);
        tile->t1[pixel + n] = render_fragments_end(t1, origin);
    }
}

static void find_rays(const surface_plan *plan, pixel_rect rect, sheet_rays *tile)
{
    tile->axes = 0;
    tile->rect = rect;
    tile->drawn = (pixel_rect){0, 0, 0, 0};
    tile->width = plan->camera->width;
    const walk_kernel *kernel = render_walk_fastest();
    const render_clip_view view = {plan->camera, plan->clip, plan->cuts};
    for (int y = rect.y0; y < rect.y1; y++) {
        walk_row row;
        if (walk_cast_row(kernel, &view, rect, y, &row)) {
            find_parts(&row, (y - rect.y0) * TILE, rect.x1 - rect.x0, tile);
        }
        for (int x = rect.x0; x < rect.x1; x++) {
            const int n = x - rect.x0, pixel = (y - rect.y0) * TILE + n;
            if (!render_camera_draws(plan->camera, x, y)) {
                tile->axis[pixel] = NO_AXIS;
                tile->axes |= 1u << NO_AXIS;
                continue;
            }
            put_ray(walk_row_ray(&row, n), pixel, tile);
            pixel_rect_grow(&tile->drawn, (pixel_rect){x, y, x + 1, y + 1});
        }
    }
}

/* ---- One quadrilateral ------------------------------------------------------------- */

/* A quadrilateral as seen by all rays that run fastest along one axis. */
typedef struct meet_sheet {
    float x[4], y[4], along[4]; /* coordinates along axes 0, 1 and 2 of the rays */
    const float *corner[4];
    bool is_triangle;
    int32_t number;
} meet_sheet;

static meet_sheet prepare_sheet(const surface_mesh *mesh, int32_t number, int axis)
{
    const surface_quad *quad = &mesh->quads[number];
    meet_sheet out = {.number = number, .is_triangle = quad->kind & SURFACE_TRIANGLE};
    for (int n = 0; n < 4; n++) {
        out.corner[n] = mesh->vertices[quad->corner[n]].at;
        out.x[n] = out.corner[n][(axis + 1) % 3];
        out.y[n] = out.corner[n][(axis + 2) % 3];
        out.along[n] = out.corner[n][axis];
    }
    return out;
}

/* The edges of the loop, and the diagonal from corner 0 to 2. */
typedef struct sheet_edges {
    vfloat loop[4], diagonal;
    vfloat slim; /* render_cell_slim of both halves, or larger */
} sheet_edges;

IN_LOOP sheet_edges measure(const meet_sheet *sheet, const sheet_rays *tile, int pixel)
{
    vfloat u[4], v[4];
    const vfloat origin_x = lanes_load(tile->origin[0] + pixel),
                 origin_y = lanes_load(tile->origin[1] + pixel);
    const vfloat shear_x = lanes_load(tile->shear[0] + pixel),
                 shear_y = lanes_load(tile->shear[1] + pixel);
#pragma GCC unroll 4
    for (int n = 0; n < 4; n++) {
        vfloat along = lanes_float(sheet->along[n]);
        u[n] = (lanes_float(sheet->x[n]) - origin_x) - shear_x * along;
        v[n] = (lanes_float(sheet->y[n]) - origin_y) - shear_y * along;
    }
    sheet_edges edges = {.diagonal = u[0] * v[2] - v[0] * u[2],
                         .slim = cross_slim(4, u, v)};
#pragma GCC unroll 4
    for (int n = 0; n < 4; n++) {
        int next = (n + 1) % 4;
        edges.loop[n] = u[n] * v[next] - v[n] * u[next];
    }
    return edges;
}

static void push_sample(surface_samples *list, surface_sample sample)
{
    surface_sample *items =
        base_array_reserve(list->items, &list->capacity, list->count + 1, sizeof *items);
    if (!items) {
        list->failed = true;
        return;
    }
    list->items = items;
    list->items[list->count++] = sample;
}

/* Adds a sample unless it lies behind the viewer, outside the box, or is cut off. On
 * input, its pixel is relative to the tile and its half to the sheet. */
static void add_sample(const meet_sheet *sheet, const sheet_rays *tile,
                       surface_sample sample, surface_samples *out)
{
    const int pixel = sample.pixel;
    if ((double)sample.t + tile->rays[pixel].start < 0.0 ||
        !(sample.t >= tile->t0[pixel] && sample.t < tile->t1[pixel])) {
        return;
    }
    int row = tile->rect.y0 + pixel / TILE, column = tile->rect.x0 + pixel % TILE;
    sample.pixel = row * tile->width + column;
    sample.half += 2 * sheet->number;
    push_sample(out, sample);
}

/* Lanes in which the weights of a half lack digits. */
IN_LOOP unsigned find_slim(const sheet_edges *edges, int half)
{
    const vfloat p = edges->loop[half ? 2 : 1], q = edges->loop[half ? 3 : 0];
    return cross_find_slim(p, q, edges->diagonal, edges->slim);
}

/* The lanes in `bits`, counted from pixel `pixel`, hit one half of a sheet. */
typedef struct sheet_hits {
    int pixel, half;
    unsigned bits;
} sheet_hits;

static void add_samples(const meet_sheet *sheet, const sheet_edges *edges,
                        const sheet_rays *tile, sheet_hits hits, surface_samples *out)
{
    const int half = hits.half;
    vfloat p = lanes_abs(edges->loop[half ? 2 : 1]),
           q = lanes_abs(edges->loop[half ? 3 : 0]), r = lanes_abs(edges->diagonal);
    const vfloat per_sum = lanes_float(1.0f) / ((p + q) + r);
    const float *a = sheet->along;
    _Alignas(64) float t[LANES], weight[2][LANES];
    p *= per_sum;
    q *= per_sum;
    r *= per_sum;
    lanes_store(t, ((p * a[0] + q * a[2]) + r * a[half ? 3 : 1]) *
                       lanes_load(tile->per_unit + hits.pixel));
    lanes_store(weight[0], p);
    lanes_store(weight[1], q);
    for (unsigned bits = hits.bits; bits != 0; bits &= bits - 1) {
        int lane = __builtin_ctz(bits);
        add_sample(sheet, tile,
                   (surface_sample){.pixel = hits.pixel + lane,
                                    .half = half,
                                    .t = t[lane],
                                    .p = weight[0][lane],
                                    .q = weight[1][lane]},
                   out);
    }
}

/* Adds the samples of one ray with the general code. The quadrilateral is treated as a
 * face of a cell that the ray enters or leaves there. */
static void add_slowly(const meet_sheet *sheet, const sheet_rays *tile, int pixel,
                       surface_samples *out)
{
    enum { FACE = 4 };
    const int *corners = render_cell_face_corners(FACE);
    cell_vertices cell;
    for (int n = 0; n < 4; n++) {
        const float *at = sheet->corner[n];
        const float vertex[4] = {at[0], at[1], at[2], 0.0f};
        render_cell_set_vertex(&cell, corners[n], &tile->rays[pixel], vertex);
    }
    for (int sense = 0; sense < 2; sense++) {
        cell_crossing found[2];
        int count = render_cell_face_entries(&cell, 0, sense == 1, FACE, found);
        for (int n = 0; n < count; n++) {
            int half = found[n].triangle.half;
            float f = found[n].f, g = found[n].g;
            if (half == 0 || !sheet->is_triangle) {
                add_sample(sheet, tile,
                           (surface_sample){.pixel = pixel,
                                            .half = half,
                                            .t = found[n].t,
                                            .p = 1.0f - (half ? g : f),
                                            .q = half ? f : g},
                           out);
            }
        }
    }
}

/* Adds the samples of the rays in `wanted`, among LANES neighbouring pixels. */
static void meet_lanes(const meet_sheet *sheet, const sheet_rays *tile, int pixel,
                       unsigned wanted, surface_samples *out)
{
    const sheet_edges edges = measure(sheet, tile, pixel);
    const int used = sheet->is_triangle ? 2 : 4;
    vfloat least = edges.diagonal;
    vint sign[4], diagonal = lanes_bits(edges.diagonal);
    for (int n = 0; n < 4; n++) {
        least = n < used ? lanes_least_magnitude(least, edges.loop[n]) : least;
        sign[n] = lanes_bits(edges.loop[n]);
    }
    unsigned slow = wanted & ~lanes_mask_bits(lanes_less(lanes_float(CELL_LEAST_WEIGHT),
                                                         lanes_abs(least)));
    const vint hits[2] = {~(sign[0] ^ sign[1]) & (sign[0] ^ diagonal),
                          ~(sign[2] ^ sign[3]) & ~(sign[2] ^ diagonal)};
    unsigned hit[2] = {0, 0};
    for (int half = 0; half < used / 2; half++) {
        hit[half] = wanted & lanes_mask_bits(lanes_sign(lanes_from_bits(hits[half])));
        slow |= hit[half] ? hit[half] & find_slim(&edges, half) : 0;
    }
    for (int half = 0; half < used / 2; half++) {
        hit[half] &= ~slow;
        if (hit[half]) {
            add_samples(sheet, &edges, tile, (sheet_hits){pixel, half, hit[half]}, out);
        }
    }
    for (; slow != 0; slow &= slow - 1) {
        add_slowly(sheet, tile, pixel + __builtin_ctz(slow), out);
    }
}

/* Bits of the pixels, among LANES from column `x` of the tile on, that lie in [x0, x1)
 * and whose rays run fastest along the axis. */
static unsigned wanted_pixels(const sheet_rays *tile, int pixel, int x, int x0, int x1,
                              int axis)
{
    unsigned inside = LANES_ALL;
    inside &= x0 > x ? (unsigned)LANES_ALL << (x0 - x) : LANES_ALL;
    inside &= x1 < x + LANES ? (1u << (x1 - x)) - 1 : LANES_ALL;
    if (tile->axes == 1u << axis) {
        return inside;
    }
    vmask same = lanes_equal_int(lanes_load_int(tile->axis + pixel), lanes_int(axis));
    return inside & lanes_mask_bits(same);
}

/* Adds the samples of one quadrilateral with footprint `rect`. */
static void meet_quad(const surface_mesh *mesh, int32_t number, pixel_rect rect,
                      const sheet_rays *tile, surface_samples *out)
{
    rect = march_rect_intersect(rect, tile->drawn);
    int x0 = rect.x0 - tile->rect.x0, x1 = rect.x1 - tile->rect.x0;
    for (int axis = 0; axis < 3; axis++) {
        if (!(tile->axes >> axis & 1u)) {
            continue;
        }
        const meet_sheet sheet = prepare_sheet(mesh, number, axis);
        for (int y = rect.y0 - tile->rect.y0; y < rect.y1 - tile->rect.y0; y++) {
            for (int x = x0 / LANES * LANES; x < x1; x += LANES) {
                int pixel = y * TILE + x;
                unsigned wanted = wanted_pixels(tile, pixel, x, x0, x1, axis);
                if (wanted) {
                    meet_lanes(&sheet, tile, pixel, wanted, out);
                }
            }
        }
    }
}

/* ---- One tile ---------------------------------------------------------------------- */

void surface_sample_tile(const surface_plan *plan, int64_t tile, surface_samples *list)
{
    const pixel_rect rect =
        render_fragments_rect(plan->camera->width, plan->camera->height, tile);
    if (plan->first[tile] == plan->first[tile + 1] ||
        render_camera_count_drawn(plan->camera, rect) == 0) {
        return;
    }
    sheet_rays rays;
    find_rays(plan, rect, &rays);
    for (int64_t n = plan->first[tile]; n < plan->first[tile + 1]; n++) {
        int32_t quad = plan->quads[n];
        meet_quad(plan->mesh, quad, plan->rects[quad], &rays, list);
    }
}
