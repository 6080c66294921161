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

/* Puts some lanes of a packet into cells of the grid. lowest: in the arrays of `kept`. */
IN_LOOP void kept_enter_cells(const walk_scene *scene, const kept_grid *kept,
                              unsigned lanes, vint lowest, packet *p)
{
    _Alignas(CACHE_LINE) int32_t vertex[LANES];
    lanes_store_int(vertex, lowest);
    for (; lanes != 0; lanes &= lanes - 1) {
        const int lane = __builtin_ctz(lanes);
        const int32_t slot = vertex[lane] / kept->volume,
                      rest = vertex[lane] % kept->volume;
        const march_cell cell = {.brick = kept->bricks[slot],
                                 .at = {rest % kept->plane % kept->row,
                                        rest % kept->plane / kept->row,
                                        rest / kept->plane}};
        place_in_brick(scene, &cell, lane, p);
    }
}

/* Lanes whose rays run fastest along an axis. */
IN_LOOP unsigned kept_along(unsigned lanes, int axis, const packet *p)
{
    unsigned along = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
        const int lane = __builtin_ctz(lanes);
        along |= (unsigned)(p->walk[lane]->ray->axis[2] == axis) << lane;
    }
    return along;
}

/* Ways of a packet's rays to crossings. */
typedef struct kept_ways {
    const kept_grid *grid;
    const int32_t *words; /* of the crossings */
    lane_segments segment;
} kept_ways;

/* Finds the ways of `lanes` that bend visibly. */
static __attribute__((noinline)) void kept_find_bends(const walker *w, unsigned lanes,
                                                      const kept_ways *to_find, packet *p,
                                                      lane_bends *out)
{
    const kept_grid *kept = to_find->grid;
    const int32_t *words = to_find->words;
    const lane_segments *segment = &to_find->segment;
    /* A ray leaves a cell through an upper face, and enters the next one through a lower
     * face, or the reverse. */
    const int32_t *before = words - KEPT_STEP;
    const kept_end from = kept_find_end(before, ~kept_upper(before)),
                   to = kept_find_end(words, kept_upper(words));
    lane_step step = {.exits = {.triangle = to.triangle,
                                .t = segment->t1,
                                .scalar = segment->s1,
                                .f = to.f,
                                .g = to.g},
                      .lost = 0};
    lanes_store_int(p->triangle, from.triangle);
    lanes_store(p->f, from.f);
    lanes_store(p->g, from.g);
    lanes_store(p->t, segment->t0);
    lanes_store(p->scalar, segment->s0);
    const vint lowest =
        lanes_choose_int(lanes_mask(lanes), kept_cells(kept, words), lanes_int(0));
    const bend_ways ways = bend_ways_of(p, &step.exits);
    const vfloat bound =
        bend_bound(lanes_gather_shorts(kept->bends, lowest), &ways.from, &ways.to);
    lanes &= lanes_mask_bits(bend_is_visible(bound, ways.t1 - ways.t0));
    kept_enter_cells(w->scene, kept, lanes, lowest, p);
    out->lanes = 0;
    out->line = bend_line_straight();
    for (int axis = 0; axis < 3; axis++) {
        const unsigned along = kept_along(lanes, axis, p);
        if (along) {
            find_bends_again(w, along, axis, p, &step);
            bend_line_choose(lanes_mask(step.bends.lanes), &step.bends.line, &out->line);
            out->lanes |= step.bends.lanes;
        }
    }
}

#endif
