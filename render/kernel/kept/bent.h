/* Kept ways (kept.h) along which the scalar bends (render/cells/bend_lanes.h). The bounds
 * of a cell tell whether a way through it may bend; few may. Their cells are looked up in
 * the grid, and their ways are found there as by following the rays. */
#ifndef RENDER_KERNEL_KEPT_BENT_H
#define RENDER_KERNEL_KEPT_BENT_H

#include "crossing.h"

/* -1 if rays leave their cells through the upper faces, else 0. words: of crossings. */
IN_LOOP vint kept_upper(const int32_t *words)
{
    return lanes_load_int(words) >> 31;
}

/* The lowest vertices of the cells that rays leave. */
IN_LOOP vint kept_cells(const kept_grid *kept, const int32_t *words)
{
    const vint face = lanes_load_int(words);
    vmask across[2];
    kept_look_across(kept_axis(face), across);
    const vint along =
        kept_by_axis(across, lanes_int(1), lanes_int(kept->row), lanes_int(kept->plane));
    return kept_first(face) - (along & kept_upper(words));
}

/* Those of some lanes whose cells may bend the scalar. */
IN_LOOP unsigned kept_may_bend(const kept_grid *kept, unsigned lanes,
                               const int32_t *words)
{
    const vint none = lanes_int(0);
    const vint cells = lanes_choose_int(lanes_mask(lanes), kept_cells(kept, words), none);
    const vint bounds = lanes_gather_shorts(kept->bends, cells);
    return lanes & ~lanes_mask_bits(lanes_equal_int(bounds, none));
}

/* An end of ways: the face of the cell and the place there. */
typedef struct kept_end {
    vint triangle; /* 2 * face + half; half is 0 */
    vfloat f, g;
} kept_end;

/* upper: -1 if it is the upper face of the cell, else 0. */
IN_LOOP kept_end kept_find_end(const int32_t *words, vint upper)
{
    const vint face = lanes_load_int(words);
    const vint packed[2] = {lanes_load_int(words + KEPT_GROUP),
                            lanes_load_int(words + 2 * KEPT_GROUP)};
    vfloat weight[3];
    kept_unpack(face, packed, weight);
    kept_end end = {.triangle = lanes_shift_left(kept_axis(face), 2) | (upper & 2)};
    kept_place_on_face(lanes_bit(face, KEPT_TURNED), lanes_bit(face, KEPT_SECOND), weight,
                       &end.f, &end.g);
    return end;
}

/* Divides numbers from 0 to 2^25 by one of at least 8. Returns the remainders. */
IN_LOOP vint kept_divide(vint a, int32_t by, vint *quotient)
{
    vint q = lanes_truncate(lanes_convert(a) * lanes_float(1.0f / (float)by));
    vint rest = a - q * lanes_int(by); /* q may be off by one */
    const vint below = rest >> 31;
    q += below;
    rest += below & lanes_int(by);
    const vint above = ~((rest - lanes_int(by)) >> 31);
    *quotient = q - above;
    return rest - (above & lanes_int(by));
}

/* A number of bricks of the grid. at: its offset in march_brick. */
IN_LOOP vint kept_ask_bricks(const march_grid *grid, vint brick, size_t at)
{
    enum { WORDS = sizeof(march_brick) / sizeof(int32_t) };
    const int32_t *words = (const int32_t *)(const void *)grid->bricks;
    return lanes_gather(words + at / sizeof *words, brick * lanes_int(WORDS));
}

/* Puts a packet into cells of the grid, as far as finding bends needs it. lowest: of the
 * cells, in the arrays of `kept`. */
IN_LOOP void kept_enter_cells(const march_grid *grid, const kept_grid *kept, vint lowest,
                              packet *p)
{
    vint slot, at[3];
    at[0] = kept_divide(lowest, kept->volume, &slot);
    at[0] = kept_divide(at[0], kept->plane, &at[2]);
    at[0] = kept_divide(at[0], kept->row, &at[1]);
    const vint brick = lanes_gather(kept->bricks, slot);
    const vint first = kept_ask_bricks(grid, brick, offsetof(march_brick, first)),
               row = kept_ask_bricks(grid, brick, offsetof(march_brick, stride[1])),
               plane = kept_ask_bricks(grid, brick, offsetof(march_brick, stride[2]));
    const vint vertex = first + at[0] + at[1] * row + at[2] * plane;
    lanes_store_int(p->lowest, vertex + vertex);
    lanes_store_int(p->row, row + row);
    lanes_store_int(p->plane, plane + plane);
}

/* Ways of a packet's rays to crossings. */
typedef struct kept_ways {
    const kept_grid *grid;
    const int32_t *words;  /* of the crossings */
    const unsigned *along; /* [3]: lanes whose rays run fastest along each axis */
    lane_segments segment;
} kept_ways;

/* Finds those of some lanes whose ways may bend visibly, and puts the packet at their
 * beginnings. Returns the lanes. */
IN_LOOP unsigned kept_suspect_bends(const walker *w, unsigned lanes,
                                    const kept_ways *to_find, packet *p,
                                    lane_exits *exits)
{
    const kept_grid *kept = to_find->grid;
    const int32_t *words = to_find->words;
    const lane_segments *segment = &to_find->segment;
    /* A ray leaves a cell through an upper face, and enters the next one through a lower
     * face, or the reverse. */
    const int32_t *before = words - KEPT_STEP;
    const kept_end from = kept_find_end(before, ~kept_upper(before)),
                   to = kept_find_end(words, kept_upper(words));
    *exits = (lane_exits){.triangle = to.triangle,
                          .t = segment->t1,
                          .scalar = segment->s1,
                          .f = to.f,
                          .g = to.g};
    lanes_store_int(p->triangle, from.triangle);
    lanes_store(p->f, from.f);
    lanes_store(p->g, from.g);
    lanes_store(p->t, segment->t0);
    lanes_store(p->scalar, segment->s0);
    const vint none = lanes_int(kept->first[0]);
    const vint lowest =
        lanes_choose_int(lanes_mask(lanes), kept_cells(kept, words), none);
    const refine_place a = refine_place_on_face(from.triangle >> 1, from.f, from.g),
                       b = refine_place_on_face(to.triangle >> 1, to.f, to.g);
    const vfloat bound = bend_bound(lanes_gather_shorts(kept->bends, lowest), &a, &b);
    lanes &= lanes_mask_bits(bend_is_visible(bound, segment->t1 - segment->t0));
    if (lanes) {
        kept_enter_cells(w->scene->grid, kept, lowest, p);
    }
    return lanes;
}

/* Finds the ways of `lanes` that bend visibly: step->bends. */
static __attribute__((noinline)) void kept_find_bends(const walker *w, unsigned lanes,
                                                      const kept_ways *to_find, packet *p,
                                                      lane_step *step)
{
    step->lost = step->bends.lanes = 0;
    lanes = kept_suspect_bends(w, lanes, to_find, p, &step->exits);
    if (lanes) {
        const lane_axes axes = {
            {to_find->along[0], to_find->along[1], to_find->along[2]}};
        find_bends(w, lanes, &axes, &step->exits, p, &step->bends);
    }
}

#endif
