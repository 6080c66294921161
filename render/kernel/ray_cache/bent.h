/* Kept ways (kept.h) along which the scalar bends (render/cells/bend_lanes.h). The bounds
 * of a cell tell whether a way through it may bend; few may. Their cells are looked up in
 * the grid, and their ways are found there as by following the rays. */
#ifndef RENDER_KERNEL_RAY_CACHE_BENT_H
#define RENDER_KERNEL_RAY_CACHE_BENT_H

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

/* Those of some lanes whose cells may bend the scalar on ways of a length. */
IN_LOOP unsigned kept_may_bend(const kept_grid *kept, unsigned lanes,
                               const int32_t *words, vfloat length)
{
    const vint none = lanes_int(0);
    const vint cells = lanes_choose_int(lanes_mask(lanes), kept_cells(kept, words), none);
    const vint bounds = lanes_gather_shorts(kept->bends, cells);
    const vmask any = bend_is_visible(bend_any_bound(bounds), length);
    return lanes & lanes_mask_bits(lanes_and_not(any, lanes_equal_int(bounds, none)));
}

/* An end of ways. upper: -1 if it is on the upper face of the cell, else 0. */
IN_LOOP bend_end kept_find_end(const int32_t *words, vint upper)
{
    const vint face = lanes_load_int(words);
    const vint packed[2] = {lanes_load_int(words + KEPT_GROUP),
                            lanes_load_int(words + 2 * KEPT_GROUP)};
    vfloat weight[3], f, g;
    kept_unpack(face, packed, weight);
    const vmask turned = lanes_bit(face, KEPT_TURNED);
    kept_place_on_face(turned, lanes_bit(face, KEPT_SECOND), weight, &f, &g);
    const vint side = lanes_shift_left(kept_axis(face), 1) | (upper & 1);
    return bend_end_of(side, turned, f, g);
}

/* Ways of a packet's rays to crossings. */
typedef struct kept_ways {
    const kept_grid *grid;
    const int32_t *words;  /* of the crossings */
    const unsigned *along; /* [3]: lanes whose rays run fastest along each axis */
    lane_segments segment;
} kept_ways;

/* A ray leaves a cell through an upper face, and enters the next one through a lower
 * face, or the reverse. */
IN_LOOP bend_ways kept_bend_ways(const kept_ways *ways, const packet *p)
{
    const int32_t *words = ways->words, *before = words - KEPT_STEP;
    const lane_segments *segment = &ways->segment;
    return (bend_ways){.from = kept_find_end(before, ~kept_upper(before)),
                       .to = kept_find_end(words, kept_upper(words)),
                       .t0 = segment->t0,
                       .t1 = segment->t1,
                       .s0 = segment->s0,
                       .s1 = segment->s1,
                       .per_unit = lanes_load(p->per_unit)};
}

/* Loads what is known of cells. rows: of their kept_bent. Puts the packet into them, as
 * far as follow_bends needs it. */
IN_LOOP void kept_load_bent(const kept_grid *kept, const int32_t *rows, bend_cells *cells,
                            packet *p)
{
    enum { HALF = sizeof(kept_bent) / sizeof(float) / 2 };
    const float *first = kept->cells->rest;
    vfloat word[2][HALF];
    lanes_load_rows(first, rows, word[0]);
    lanes_load_rows(first + HALF, rows, word[1]);
    cells->rest = (bend_twist){{word[0][0], word[0][1], word[0][2]}, word[0][3]};
    cells->warp = (bend_twist){{word[0][4], word[0][5], word[0][6]}, word[0][7]};
    cells->least = word[1][0];
    cells->most = word[1][1];
    cells->steepness = word[1][2];
    lanes_store_int(p->lowest, lanes_bits(word[1][3]));
    lanes_store_int(p->row, lanes_bits(word[1][4]));
    lanes_store_int(p->plane, lanes_bits(word[1][5]));
}

/* Finds the ways of `lanes` that bend visibly. */
static __attribute__((noinline)) void kept_find_bends(const walker *w, unsigned lanes,
                                                      const kept_ways *to_find, packet *p,
                                                      lane_bends *out)
{
    const kept_grid *kept = to_find->grid;
    const vint none = lanes_int(0);
    const vint lowest =
        lanes_choose_int(lanes_mask(lanes), kept_cells(kept, to_find->words), none);
    bend_cells cells;
    cells.bounds = lanes_gather_shorts(kept->bends, lowest);
    const bend_ways ways = kept_bend_ways(to_find, p);
    const vfloat length = ways.t1 - ways.t0;
    const vfloat bound = bend_bound(cells.bounds, &ways.from.place, &ways.to.place);
    vmask able = lanes_and(lanes_mask(lanes), bend_is_visible(bound, length));
    if (!lanes_any(able)) {
        return;
    }
    enum { ROWS = sizeof(kept_bent) / 2 / sizeof(float) };
    _Alignas(CACHE_LINE) int32_t rows[LANES];
    const vint which = lanes_choose_int(able, lanes_gather(kept->bent, lowest), none);
    lanes_store_int(rows, which * lanes_int(ROWS));
    kept_load_bent(kept, rows, &cells, p);
    able = lanes_and(able, bend_is_possible(&cells, length));
    out->lanes = lanes_mask_bits(bend_find(&ways, &cells, able, &out->line));
    if (lanes_any(out->line.much)) {
        const lane_axes axes = {
            {to_find->along[0], to_find->along[1], to_find->along[2]}};
        follow_bends(w, &axes, &ways, &cells, p, out);
    }
}

#endif
