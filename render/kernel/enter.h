/* Entries of a tile's rays through one boundary face: render_march_face_entries for many
 * rays at a time, with the same result. */
#ifndef RENDER_KERNEL_ENTER_H
#define RENDER_KERNEL_ENTER_H

#include "render/cells/cross.h"
#include "walk.h"

/* A face as seen by all rays of a tile that run fastest along one axis. It has the ends p
 * and q of its diagonal and the apexes r0 and r1 of its halves. The loop is p, r0, q,
 * r1. */
typedef struct enter_face {
    const march_grid *grid;
    const march_face *face;
    float x[4], y[4], along[4], scalar[4]; /* coordinates along axes 0, 1, 2 of rays */
    bool turned;                           /* p is corner 1 of the face */
    int32_t turn; /* sign bit: 0 if the loop's edges are positive for an entering ray */
} enter_face;

static enter_face prepare_face(const march_grid *grid, const march_face *face, int axis)
{
    const march_cell cell = march_face_cell(face);
    const march_brick *brick = &grid->bricks[cell.brick];
    int lowest = march_vertex_index(brick, cell.at);
    const int *corners = render_cell_face_corners((int)face->face);
    unsigned turned = render_cell_diagonals(grid->flags[lowest]) >> face->face & 1u;
    bool upper = face->face & 1;
    enter_face out = {.grid = grid,
                      .face = face,
                      .turned = turned != 0,
                      .turn = upper != brick->left_handed ? 0 : INT32_MIN};
    for (unsigned n = 0; n < 4; n++) {
        int corner = corners[(n + turned) & 3u];
        const float *vertex = grid->vertex[march_corner_index(brick, lowest, corner)];
        out.x[n] = vertex[(axis + 1) % 3];
        out.y[n] = vertex[(axis + 2) % 3];
        out.along[n] = vertex[axis];
        out.scalar[n] = vertex[3];
    }
    return out;
}

/* The edges of the loop and the diagonal from p to q. */
typedef struct enter_edges {
    vfloat loop[4], diagonal;
    vfloat slim; /* render_cell_slim of both halves, or larger */
} enter_edges;

IN_LOOP enter_edges measure_face(const enter_face *face, const walk_tile *tile, int pixel)
{
    vfloat u[4], v[4];
    const vfloat origin_x = lanes_load(tile->origin[0] + pixel),
                 origin_y = lanes_load(tile->origin[1] + pixel);
    const vfloat shear_x = lanes_load(tile->shear[0] + pixel),
                 shear_y = lanes_load(tile->shear[1] + pixel);
#pragma GCC unroll 4
    for (int n = 0; n < 4; n++) {
        vfloat along = lanes_float(face->along[n]);
        u[n] = (lanes_float(face->x[n]) - origin_x) - shear_x * along;
        v[n] = (lanes_float(face->y[n]) - origin_y) - shear_y * along;
    }
    enter_edges edges = {.diagonal = u[0] * v[2] - v[0] * u[2],
                         .slim = cross_slim(4, u, v)};
#pragma GCC unroll 4
    for (int n = 0; n < 4; n++) {
        int next = (n + 1) % 4;
        edges.loop[n] = u[n] * v[next] - v[n] * u[next];
    }
    return edges;
}

/* Lanes in which the weights of a half of the face lack digits. */
IN_LOOP unsigned find_slim(const enter_edges *edges, int half)
{
    const vfloat p = edges->loop[half ? 2 : 1], q = edges->loop[half ? 3 : 0];
    return cross_find_slim(p, q, edges->diagonal, edges->slim);
}

/* The lanes in `bits`, counted from pixel `pixel`, enter through one half of a face. */
typedef struct enter_hits {
    int pixel, half;
    unsigned bits;
} enter_hits;

/* Writes the entries of these lanes. */
static int list_entries(const enter_face *face, const enter_edges *edges,
                        const walk_tile *tile, enter_hits hits, walk_entry *out)
{
    const int half = hits.half, pixel = hits.pixel;
    unsigned entering = hits.bits;
    vfloat p = lanes_abs(edges->loop[half ? 2 : 1]),
           q = lanes_abs(edges->loop[half ? 3 : 0]), r = lanes_abs(edges->diagonal);
    vfloat per_sum = lanes_float(1.0f) / ((p + q) + r);
    p *= per_sum;
    q *= per_sum;
    r *= per_sum;
    int apex = half ? 3 : 1;
    const float *a = face->along, *s = face->scalar;
    _Alignas(64) float t[LANES], scalar[LANES], f[LANES], g[LANES];
    const vfloat none = lanes_float(0.0f);
    lanes_store(f, (face->turned ? p : q) + (half ? none : r));
    lanes_store(g, q + ((half != 0) == face->turned ? none : r));
    const vfloat along =
        ((p * a[0] + q * a[2]) + r * a[apex]) * lanes_load(tile->per_unit + pixel);
    lanes_store(t, along);
    entering &= lanes_mask_bits(lanes_less(along, lanes_load(tile->end + pixel)));
    const float quarter[4] = {0.25f * s[0], 0.25f * s[1], 0.25f * s[2], 0.25f * s[3]};
    const float twist = (quarter[0] + quarter[2]) - (quarter[apex] + quarter[4 - apex]);
    const vfloat mean = (p * quarter[0] + q * quarter[2]) + r * quarter[apex];
    lanes_store(scalar, cross_four_times(mean - twist * (p * q)));
    int count = 0;
    for (; entering != 0; entering &= entering - 1) {
        int lane = __builtin_ctz(entering);
        const cell_triangle triangle = {(int8_t)face->face->face, (int8_t)half};
        out[count++] = (walk_entry){.pixel = pixel + lane,
                                    .at = {.cell = march_face_cell(face->face),
                                           .crossing = {.triangle = triangle,
                                                        .t = t[lane],
                                                        .scalar = scalar[lane],
                                                        .f = f[lane],
                                                        .g = g[lane]}}};
    }
    return count;
}

/* Uses the general code, ray by ray. */
static int list_entries_slowly(const enter_face *face, const walk_tile *tile, int pixel,
                               unsigned lanes, walk_entry *out)
{
    int count = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
        int at = pixel + __builtin_ctz(lanes);
        march_entry found[2];
        int here =
            render_march_face_entries(face->grid, face->face, &tile->rays[at], found);
        for (int n = 0; n < here; n++) {
            out[count++] = (walk_entry){.pixel = at, .at = found[n]};
        }
    }
    return count;
}

/* Finds the entries of the rays in `wanted`, among LANES neighbouring pixels. */
IN_LOOP int enter_lanes(const enter_face *face, const walk_tile *tile, int pixel,
                        unsigned wanted, walk_entry *out)
{
    enter_edges edges = measure_face(face, tile, pixel);
    vint turn = lanes_load_int(tile->backward + pixel) ^ face->turn;
    vfloat least = edges.diagonal;
    vint sign[4], diagonal = lanes_bits(edges.diagonal) ^ turn;
#pragma GCC unroll 4
    for (int n = 0; n < 4; n++) {
        least = lanes_least_magnitude(least, edges.loop[n]);
        sign[n] = lanes_bits(edges.loop[n]) ^ turn;
    }
    unsigned slow = wanted & ~lanes_mask_bits(lanes_less(lanes_float(CELL_LEAST_WEIGHT),
                                                         lanes_abs(least)));
    vint first = lanes_match(sign[0], sign[1], diagonal, 6);
    vint second = lanes_match(sign[2], sign[3], diagonal, 7);
    unsigned halves[2] = {lanes_mask_bits(lanes_sign(lanes_from_bits(first))),
                          lanes_mask_bits(lanes_sign(lanes_from_bits(second)))};
    if ((halves[0] | halves[1]) & wanted) {
        slow |= wanted &
                ((halves[0] & find_slim(&edges, 0)) | (halves[1] & find_slim(&edges, 1)));
    }
    int count = 0;
    for (int half = 0; half < 2; half++) {
        unsigned entering = halves[half] & wanted & ~slow;
        if (entering) {
            count += list_entries(face, &edges, tile, (enter_hits){pixel, half, entering},
                                  out + count);
        }
    }
    return slow ? count + list_entries_slowly(face, tile, pixel, slow, out + count)
                : count;
}

/* Bits of the pixels, among LANES from `x` on, that lie in [x0, x1) and whose rays run
 * fastest along the axis. */
static inline unsigned wanted_pixels(const walk_tile *tile, int pixel, int x, int x0,
                                     int x1, int axis)
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

static int enter(const march_grid *grid, const march_face *face, const walk_tile *tile,
                 pixel_rect rect, walk_entry *out)
{
    int count = 0;
    for (int axis = 0; axis < 3; axis++) {
        if (!(tile->axes >> axis & 1u)) {
            continue;
        }
        const enter_face prepared = prepare_face(grid, face, axis);
        for (int y = rect.y0; y < rect.y1; y++) {
            for (int x = rect.x0 / LANES * LANES; x < rect.x1; x += LANES) {
                int pixel = y * WALK_TILE + x;
                unsigned wanted = wanted_pixels(tile, pixel, x, rect.x0, rect.x1, axis);
                if (wanted != 0) {
                    count += enter_lanes(&prepared, tile, pixel, wanted, out + count);
                }
            }
        }
    }
    lanes_leave();
    return count;
}

#endif
