/*
 * Blends the ways of a packet's rays through shaded cells, in full vectors.
 *
 * A way has pieces along which the scalar is linear, and each piece has parts, each with
 * its own light (render/light/shade_way.h). Some ways have many parts, most have few. So
 * the parts of all ways are listed, and the lanes of a vector take the next ones of the
 * list. What a part emits and absorbs depends on no other part. Behind the light of its
 * ray it goes in the order of the way:
 *
 *     lane            0  1  2  3             vectors of four      rows, blended
 *     parts listed    a  c  d  h             a b c d              a c d h
 *                     b     e                e f g h              b   e
 *                           f                                         f
 *                           g                                         g
 *
 * The arithmetic of a part is that of blend_parts, so that both give the same bits.
 */
#ifndef RENDER_KERNEL_LIT_H
#define RENDER_KERNEL_LIT_H

#include "bends.h"
#include "packet.h"
#include "render/cells/refine_lanes.h"

enum {
    LIT_ROWS = 32, /* parts of a way that are listed at a time */
    LIT_CHANNELS = 4,
    /* With what is written beyond the last part: */
    LIT_LIST = (LIT_ROWS + 1) * LANES
};

/* The pieces of all ways: piece n of lane l is at [n][l]. */
typedef struct lit_pieces {
    _Alignas(CACHE_LINE) float t0[REFINE_MOST_PARTS][LANES], t1[REFINE_MOST_PARTS][LANES],
        s0[REFINE_MOST_PARTS][LANES], s1[REFINE_MOST_PARTS][LANES];
    float parts[REFINE_MOST_PARTS][LANES]; /* 0: it is invisible */
    float count[LANES];                    /* pieces of each way */
    float rows[LANES];                     /* parts of all its visible pieces */
    int most;                              /* of count */
} lit_pieces;

/* Parts of ways. A word has the index of the piece, n * LANES + lane, then the number of
 * the part in it, then the row. */
typedef struct lit_list {
    _Alignas(CACHE_LINE) int32_t words[LIT_LIST];
    int count;
} lit_list;

enum { LIT_NUMBER = 8, LIT_ROW = 12, LIT_NEXT = (1 << LIT_NUMBER) + (1 << LIT_ROW) };

_Static_assert(REFINE_MOST_PARTS *LANES <= 1 << LIT_NUMBER &&
                   SHADE_MOST_PARTS <= 1 << (LIT_ROW - LIT_NUMBER),
               "a word has room for all parts");

/* What the parts show, by rows; the last row takes what nobody needs. */
typedef struct lit_rows {
    _Alignas(CACHE_LINE) float shown[LIT_ROWS + 1][LIT_CHANNELS][LANES];
} lit_rows;

/* The ways of a packet, and the light along them. */
typedef struct lit_ways {
    const lane_segments *whole;
    const bend_line *line; /* NULL: no scalar bends */
    shade_course course;
    lit_pieces pieces;
} lit_ways;

/* Sets the end of a segment at a share of the whole. */
IN_LOOP void end_segment(const lane_segments *whole, vfloat share, vmask at_end,
                         lane_segments *part)
{
    part->t1 =
        lanes_choose(at_end, whole->t1, whole->t0 + share * (whole->t1 - whole->t0));
    const vfloat quarter = lanes_float(0.25f), s0 = quarter * whole->s0;
    const vfloat s = cross_four_times(s0 + share * (quarter * whole->s1 - s0));
    part->s1 = lanes_choose(at_end, whole->s1, s);
}

/* ---- Pieces ------------------------------------------------------------------------ */

/* Adds piece n of some ways. Returns the lanes whose scalar is not finite. */
IN_LOOP unsigned lit_add_piece(const walker *w, vmask lanes, int n,
                               const lane_segments *piece, vmask *seen, lit_pieces *all)
{
    const vmask finite = segments_are_finite(piece);
    const vmask some = lanes_and_not(lanes, lanes_equal(piece->t0, piece->t1));
    const vmask clear = transfer_lanes_clear(w->scene->transfer, piece->s0, piece->s1);
    *seen = lanes_and_not(lanes_and(some, finite), clear);
    lanes_store(all->t0[n], piece->t0);
    lanes_store(all->t1[n], piece->t1);
    lanes_store(all->s0[n], piece->s0);
    lanes_store(all->s1[n], piece->s1);
    lanes_store(all->parts[n], lanes_choose(*seen, lanes_float(1.0f), lanes_float(0.0f)));
    return lanes_mask_bits(lanes_and_not(some, finite));
}

/* Finds all pieces. Returns the lanes whose scalar is not finite. */
IN_LOOP unsigned lit_find_pieces(const walker *w, vmask lanes, lit_ways *ways,
                                 unsigned *visible)
{
    lit_pieces *all = &ways->pieces;
    lane_segments piece = *ways->whole;
    unsigned strange = 0;
    *visible = 0;
    all->most = 0;
    for (int n = 1; n <= REFINE_MOST_PARTS; n++) {
        const vmask here = ways->line ? bend_has_part(lanes, ways->line, n)
                           : n == 1   ? lanes
                                      : lanes_mask(0);
        if (!lanes_any(here)) {
            break;
        }
        if (ways->line) {
            bend_end_part(ways->whole, ways->line, n, &piece);
        }
        vmask seen;
        strange |= lit_add_piece(w, here, n - 1, &piece, &seen, all);
        *visible |= lanes_mask_bits(seen);
        all->most = n;
        piece.t0 = piece.t1;
        piece.s0 = piece.s1;
    }
    return strange;
}

/* Cuts the visible pieces into parts. */
IN_LOOP void lit_cut_pieces(const walker *w, lit_ways *ways)
{
    lit_pieces *all = &ways->pieces;
    const vfloat none = lanes_float(0.0f);
    const vfloat count = ways->line ? ways->line->parts : lanes_float(1.0f);
    const transfer_table *table = &w->scene->transfer->table;
    transfer_lanes_prefix begin,
        end = transfer_lanes_find_prefix(table, lanes_load(all->s0[0]));
    vfloat rows = none;
    for (int n = 0; n < all->most; n++) {
        begin = end;
        end = transfer_lanes_find_prefix(table, lanes_load(all->s1[n]));
        const vfloat length = lanes_load(all->t1[n]) - lanes_load(all->t0[n]);
        const vfloat depth = transfer_lanes_depth_between(table, &begin, &end, length);
        shade_pieces lit = {.number = lanes_float((float)n), .count = count};
        shade_cut(w->scene->style.shade, &ways->course, depth, &lit);
        const vfloat parts =
            lanes_choose(lanes_equal(lanes_load(all->parts[n]), none), none, lit.parts);
        lanes_store(all->parts[n], parts);
        rows = rows + parts;
    }
    lanes_store(all->count, count);
    lanes_store(all->rows, rows);
}

/* ---- The list ---------------------------------------------------------------------- */

/* The number of each lane. */
IN_LOOP vint lit_lanes(void)
{
    _Alignas(CACHE_LINE) int32_t lane[LANES];
    for (int n = 0; n < LANES; n++) {
        lane[n] = n;
    }
    return lanes_load_int(lane);
}

/* Appends the parts of piece n of some ways that are in rows [0, LIT_ROWS). row: of the
 * first part. */
IN_LOOP void lit_list_piece(const lit_pieces *pieces, int n, vmask lanes, vint row,
                            lit_list *list)
{
    const vint parts = lanes_truncate(lanes_load(pieces->parts[n]));
    const vint end = parts + row, last = lanes_int(LIT_ROWS);
    const vint least = lanes_int(-1);
    vint word = lit_lanes() + lanes_int(n * LANES) + row * (1 << LIT_ROW);
    for (int m = 0; m < SHADE_MOST_PARTS; m++) {
        const vmask left = lanes_and(lanes, lanes_greater_int(end, row));
        if (!lanes_any(left)) {
            break;
        }
        const vmask inside =
            lanes_and(lanes_greater_int(row, least), lanes_greater_int(last, row));
        list->count +=
            lanes_append(list->words + list->count, word, lanes_and(left, inside));
        row = row + lanes_int(1);
        word = word + lanes_int(LIT_NEXT);
    }
}

/* Lists the parts of rows [first, first + LIT_ROWS) of some ways, and fills up the last
 * vector. */
IN_LOOP void lit_list_rows(const lit_pieces *pieces, vmask lanes, int first,
                           lit_list *list)
{
    vint row = lanes_int(-first);
    list->count = 0;
    for (int n = 0; n < pieces->most; n++) {
        lit_list_piece(pieces, n, lanes, row, list);
        row = row + lanes_truncate(lanes_load(pieces->parts[n]));
    }
    for (int n = 0; n < LANES; n++) {
        list->words[list->count + n] = LIT_ROWS << LIT_ROW; /* that nobody needs */
    }
}

/* ---- What parts show --------------------------------------------------------------- */

IN_LOOP vfloat lit_take_piece(const float pieces[REFINE_MOST_PARTS][LANES], vint piece)
{
    const int32_t *bits = (const int32_t *)(const void *)pieces[0];
    return lanes_from_bits(lanes_gather(bits, piece));
}

/* The light along the ways of some lanes. */
IN_LOOP void lit_take_course(const shade_course *from, vint lane, shade_course *to)
{
    const shade_ways *ways = &from->ways;
    to->ways = (shade_ways){.axis = ways->axis,
                            .rays = {.origin = {lanes_take(ways->rays.origin[0], lane),
                                                lanes_take(ways->rays.origin[1], lane)},
                                     .shear = {lanes_take(ways->rays.shear[0], lane),
                                               lanes_take(ways->rays.shear[1], lane)},
                                     .per_unit = lanes_take(ways->rays.per_unit, lane)},
                            .t0 = lanes_take(ways->t0, lane),
                            .t1 = lanes_take(ways->t1, lane)};
    for (int n = 0; n < 3; n++) {
        to->ways.entry[n] = lanes_take(ways->entry[n], lane);
        to->ways.exit[n] = lanes_take(ways->exit[n], lane);
    }
    for (int n = 0; n < SHADE_FACTORS; n++) {
        to->mean[n] = lanes_take(from->mean[n], lane);
    }
}

/* Part `number` of some pieces. */
IN_LOOP lane_segments lit_part(const lane_segments *piece, vfloat parts, vfloat number)
{
    const vfloat next = number + lanes_float(1.0f);
    const vmask is_first = lanes_equal(number, lanes_float(0.0f));
    lane_segments before, part;
    end_segment(piece, number / parts, lanes_mask(0), &before);
    end_segment(piece, next / parts, lanes_equal(next, parts), &part);
    part.t0 = lanes_choose(is_first, piece->t0, before.t1);
    part.s0 = lanes_choose(is_first, piece->s0, before.s1);
    return part;
}

/* Finds what the parts of a vector show. at: of the first one in the list. */
IN_LOOP void lit_show(const walker *w, const lit_ways *ways, const lit_list *list, int at,
                      lit_rows *rows)
{
    const lit_pieces *all = &ways->pieces;
    const vint word = lanes_load_int(list->words + at),
               from = word & ((1 << LIT_NUMBER) - 1), lane = from & (LANES - 1),
               row = word >> LIT_ROW;
    const vfloat number =
        lanes_convert((word >> LIT_NUMBER) & ((1 << (LIT_ROW - LIT_NUMBER)) - 1));
    const lane_segments piece = {.t0 = lit_take_piece(all->t0, from),
                                 .t1 = lit_take_piece(all->t1, from),
                                 .s0 = lit_take_piece(all->s0, from),
                                 .s1 = lit_take_piece(all->s1, from)};
    const shade_pieces lit = {.number = lanes_convert(from / LANES),
                              .count = lanes_take(lanes_load(all->count), lane),
                              .parts = lit_take_piece(all->parts, from)};
    const lane_segments part = lit_part(&piece, lit.parts, number);
    const unsigned rest =
        list->count - at < LANES ? (1u << (list->count - at)) - 1u : (unsigned)LANES_ALL;
    const vmask drawn = lanes_and_not(lanes_mask(rest), lanes_equal(part.t0, part.t1));
    shade_course course;
    lit_take_course(&ways->course, lane, &course);
    vfloat factors[SHADE_FACTORS];
    shade_light_part(w->scene->style.shade, &course, &lit, drawn, number, factors);
    transfer_lanes cursor = transfer_lanes_start();
    transfer_lanes_shown shown;
    transfer_lanes_advance(
        w->scene->transfer, &cursor, drawn,
        (transfer_lanes_stretch){part.s0, part.s1,
                                 (part.t1 - part.t0) * factors[SHADE_LENGTH]},
        &shown);
    shade_segments(factors, &shown);
    _Alignas(CACHE_LINE) float out[LIT_CHANNELS][LANES];
    for (int c = 0; c < 3; c++) {
        lanes_store(out[c], shown.emitted[c]);
    }
    lanes_store(out[3], shown.absorbed);
    _Alignas(CACHE_LINE) int32_t places[LANES];
    lanes_store_int(places, row * (LIT_CHANNELS * LANES) + lane);
    float *to = rows->shown[0][0];
    for (int n = 0; n < LANES; n++) {
        const int32_t place = places[n];
        for (int c = 0; c < LIT_CHANNELS; c++) {
            to[place + c * LANES] = out[c][n];
        }
    }
}

/* ---- Blending ---------------------------------------------------------------------- */

/* Blends rows [first, first + LIT_ROWS) of the ways behind the light of the rays. */
IN_LOOP void lit_blend_rows(const lit_rows *rows, vfloat count, int first,
                            lane_light *light)
{
    vfloat through = lanes_load(light->transmittance);
    vfloat rgb[3];
    for (int c = 0; c < 3; c++) {
        rgb[c] = lanes_load(light->rgb[c]);
    }
    for (int n = 0; n < LIT_ROWS; n++) {
        const vmask here = lanes_less(lanes_float((float)(first + n)), count);
        if (!lanes_any(here)) {
            break;
        }
        for (int c = 0; c < 3; c++) {
            const vfloat more = rgb[c] + through * lanes_load(rows->shown[n][c]);
            rgb[c] = lanes_choose(here, more, rgb[c]);
        }
        const vfloat rest = through - through * lanes_load(rows->shown[n][3]);
        through =
            lanes_choose(here, lanes_min(rest, lanes_float(MOST_TRANSMITTANCE)), through);
    }
    for (int c = 0; c < 3; c++) {
        lanes_store(light->rgb[c], rgb[c]);
    }
    lanes_store(light->transmittance, through);
}

/* The most rows of any lane. */
static inline int lit_count_rows(const lit_pieces *pieces)
{
    float most = 0.0f;
    for (int lane = 0; lane < LANES; lane++) {
        most = pieces->rows[lane] > most ? pieces->rows[lane] : most;
    }
    return (int)most;
}

/* Whether ways are drawn whole, and nothing lies within them. */
IN_LOOP bool lit_applies(const walker *w, vmask lanes, const lane_segments *whole,
                         const packet *p)
{
    const lane_parts part = cut_segments(lanes, &p->light, whole);
    const vmask kept =
        lanes_and(lanes_equal(part.begin, whole->t0), lanes_equal(part.end, whole->t1));
    return !w->scene->has_fragments && !lanes_any(lanes_and_not(lanes, kept));
}

/* Notes the first place at which something is drawn. */
IN_LOOP void lit_note_first(vmask lanes, const lane_segments *whole, lane_light *light)
{
    const vmask drawn = lanes_and_not(lanes, lanes_equal(whole->t0, whole->t1));
    const vfloat first = lanes_load(light->first_t);
    lanes_store(
        light->first_t,
        lanes_choose(drawn, lanes_min(lanes_min(whole->t0, whole->t1), first), first));
}

/* Blends the parts of visible ways by rows. */
IN_LOOP void lit_blend_parts(const walker *w, const lit_ways *ways, unsigned visible,
                             packet *p)
{
    lit_list list;
    lit_rows rows;
    const int most = lit_count_rows(&ways->pieces);
    for (int first = 0; first < most; first += LIT_ROWS) {
        lit_list_rows(&ways->pieces, lanes_mask(visible), first, &list);
        for (int at = 0; at < list.count; at += LANES) {
            lit_show(w, ways, &list, at, &rows);
        }
        lit_blend_rows(&rows, lanes_load(ways->pieces.rows), first, &p->light);
    }
}

#endif
