/* Crossings of faces in the form in which they are kept (kept.h), one in each lane. */
#ifndef RENDER_KERNEL_RAY_CACHE_CROSSING_H
#define RENDER_KERNEL_RAY_CACHE_CROSSING_H

#include "ray_cache.h"
#include "render/cells/cross.h"

/* Indices of the vertices of a crossed face: the ends of the diagonal, the apex of the
 * triangle, and that of the other triangle. */
typedef struct kept_corners {
    vint p, q, apex, beyond;
} kept_corners;

/* A value for each axis of a face. */
IN_LOOP vint kept_by_axis(const vmask across[2], vint if_0, vint if_1, vint if_2)
{
    return lanes_choose_int(across[0], if_0, lanes_choose_int(across[1], if_1, if_2));
}

/* Finds the corners of triangles. first: the face's first vertex; along: from one vertex
 * to the next along the two axes that follow the face's own. Corners go around the face:
 * first, along one axis, along both, along the other. */
IN_LOOP kept_corners kept_arrange(vint first, const vint along[2], vmask turned,
                                  vmask second)
{
    const vint none = lanes_int(0), both = along[0] + along[1];
    const vint p = lanes_choose_int(turned, along[0], none);
    const vint apex = lanes_choose_int(second, lanes_choose_int(turned, none, along[1]),
                                       lanes_choose_int(turned, both, along[0]));
    return (kept_corners){.p = first + p,
                          .q = first + (both - p),
                          .apex = first + apex,
                          .beyond = first + (both - apex)};
}

/* The scalar at a crossing, with the arithmetic of cross_between. quarters: of the
 * scalars at its corners. weight: of p, q and the apex. */
IN_LOOP vfloat kept_between(const vfloat weight[3], const cross_values *quarters)
{
    const vfloat p = weight[0], q = weight[1], r = weight[2];
    const cross_values s = *quarters;
    const vfloat twist = (s.p + s.q) - (s.apex + s.beyond);
    return cross_four_times(((p * s.p + q * s.q) + r * s.apex) - twist * (p * q));
}

enum { KEPT_DIGITS = 8 }; /* the largest weight is within this many last places */

/* Packs weights into words 1 and 2. Sets *largest to the bits of word 0. Returns the
 * lanes that keep their bits. */
IN_LOOP vmask kept_pack(const vfloat weight[3], vint words[2], vint *largest)
{
    const vfloat p = weight[0], q = weight[1], r = weight[2];
    const vmask by_p = lanes_and(lanes_less(r, p), lanes_less_equal(q, p)),
                by_q = lanes_and(lanes_less(r, q), lanes_less(p, q));
    const vfloat a = lanes_choose(by_p, q, p),
                 b = lanes_choose(lanes_or(by_p, by_q), r, q),
                 most = lanes_choose(by_p, p, lanes_choose(by_q, q, r));
    const vfloat near = (lanes_float(1.0f) - a) - b;
    const vint off = lanes_bits(most) - lanes_bits(near) + KEPT_DIGITS;
    const vint none = lanes_int(0);
    *largest = lanes_choose_int(by_p, lanes_int(1 << KEPT_LARGEST_P), none) |
               lanes_choose_int(by_q, lanes_int(1 << KEPT_LARGEST_Q), none);
    words[0] = lanes_bits(a) | lanes_shift_left(off, 30);
    words[1] = lanes_bits(b) | lanes_shift_left(off >> 2, 30);
    const vint lost = ((lanes_bits(a) | lanes_bits(b)) >> 30) |
                      (off & lanes_int(~(2 * KEPT_DIGITS - 1)));
    return lanes_equal_int(lost, none);
}

IN_LOOP void kept_unpack(vint face, const vint words[2], vfloat weight[3])
{
    const vint digits = lanes_int(0x3fffffff);
    const vfloat a = lanes_from_bits(words[0] & digits),
                 b = lanes_from_bits(words[1] & digits);
    const vint off = ((words[0] >> 30) & 3) + lanes_shift_left((words[1] >> 30) & 3, 2);
    const vfloat most =
        lanes_from_bits(lanes_bits((lanes_float(1.0f) - a) - b) + (off - KEPT_DIGITS));
    const vmask by_p = lanes_bit(face, KEPT_LARGEST_P),
                by_q = lanes_bit(face, KEPT_LARGEST_Q);
    weight[0] = lanes_choose(by_p, most, a);
    weight[1] = lanes_choose(by_q, most, lanes_choose(by_p, a, b));
    weight[2] = lanes_choose(lanes_or(by_p, by_q), b, most);
}

/* The index of the first vertex of a face. */
IN_LOOP vint kept_first(vint face)
{
    return face & ((1 << KEPT_INDEX_BITS) - 1);
}

IN_LOOP vint kept_axis(vint face)
{
    return (face >> KEPT_AXIS) & 3;
}

/* Finds the axis of faces: 0, 1 or neither. */
IN_LOOP void kept_look_across(vint axis, vmask across[2])
{
    across[0] = lanes_equal_int(axis, lanes_int(0));
    across[1] = lanes_equal_int(axis, lanes_int(1));
}

IN_LOOP vfloat kept_choose(const vmask across[2], vfloat if_0, vfloat if_1, vfloat if_2)
{
    return lanes_choose(across[0], if_0, lanes_choose(across[1], if_1, if_2));
}

/* The scalars of kept crossings' faces, a quarter of each. rows: of their first vertices.
 * Corners are those of kept_arrange. */
IN_LOOP cross_values kept_values(const kept_grid *grid, vint face, const int32_t *rows)
{
    vfloat near[8]; /* at the first vertex, along j, along k, both; then along i, too */
    lanes_load_rows(grid->quarters[0], rows, near);
    vmask across[2];
    kept_look_across(kept_axis(face), across);
    const vfloat first = near[0], a = kept_choose(across, near[1], near[2], near[4]),
                 both = kept_choose(across, near[3], near[6], near[5]),
                 b = kept_choose(across, near[2], near[4], near[1]);
    const vmask turned = lanes_bit(face, KEPT_TURNED),
                second = lanes_bit(face, KEPT_SECOND);
    const vfloat if_first = lanes_choose(turned, both, a),
                 if_second = lanes_choose(turned, first, b);
    return (cross_values){.p = lanes_choose(turned, a, first),
                          .q = lanes_choose(turned, b, both),
                          .apex = lanes_choose(second, if_second, if_first),
                          .beyond = lanes_choose(second, if_first, if_second)};
}

/* The scalars at kept crossings. words: [KEPT_WORDS - 1]. */
IN_LOOP vfloat kept_scalar(const kept_grid *grid, const vint *words)
{
    _Alignas(64) int32_t rows[LANES];
    lanes_store_int(rows, lanes_shift_left(kept_first(words[0]), 1));
    const cross_values quarters = kept_values(grid, words[0], rows);
    vfloat weight[3];
    kept_unpack(words[0], words + 1, weight);
    return kept_between(weight, &quarters);
}

/* The place of a crossing on its face, as cross_place finds it. */
IN_LOOP void kept_place_on_face(vmask turned, vmask second, const vfloat weight[3],
                                vfloat *f, vfloat *g)
{
    const vfloat none = lanes_float(0.0f), p = weight[0], q = weight[1], r = weight[2];
    const vfloat if_first = lanes_choose(second, none, r),
                 if_second = lanes_choose(second, r, none);
    *f = lanes_choose(turned, p, q) + if_first;
    *g = q + lanes_choose(turned, if_first, if_second);
}

#endif
