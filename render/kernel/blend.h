/* Blending along the ways of a packet's rays through cells: fragments, light, and
 * segments of the trilinear map. */
#ifndef RENDER_KERNEL_BLEND_H
#define RENDER_KERNEL_BLEND_H

#include "bends.h"
#include "leave.h"
#include "lit.h"
#include "packet.h"
#include "render/cells/refine_lanes.h"

/* Blends the next fragment of a lane's ray. The next stretch of the ray begins behind
 * it. */
static void pass_fragment(int lane, packet *p)
{
    ray_walk *walk = p->walk[lane];
    const render_fragment *fragment = &walk->fragments[walk->passed++];
    float rgb[3];
    for (int c = 0; c < 3; c++) {
        rgb[c] = p->light.rgb[c][lane];
    }
    compose_blend(fragment, rgb, &p->light.transmittance[lane]);
    for (int c = 0; c < 3; c++) {
        p->light.rgb[c][lane] = rgb[c];
    }
    if (walk->through) {
        walk->through[walk->passed - 1] = p->light.transmittance[lane];
    }
    p->light.first_t[lane] = fminf(p->light.first_t[lane], fragment->t);
    p->light.t0[lane] = fmaxf(p->light.t0[lane], fragment->t);
    p->light.t1[lane] = next_end(walk);
}

/* Lanes whose segments reach the next fragment of their rays. */
static unsigned find_reached(unsigned lanes, const float *ends, const packet *p)
{
    unsigned reached = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
        int lane = __builtin_ctz(lanes);
        const ray_walk *walk = p->walk[lane];
        bool is_pending = walk->passed < walk->nfragments;
        reached |= (unsigned)(is_pending && p->light.t1[lane] <= ends[lane]) << lane;
    }
    return reached;
}

/* Blends the fragments within segments, and the rest of the segments behind each. The
 * parts in front of the first fragment are already blended. */
static __attribute__((noinline)) unsigned
blend_fragments(const walker *w, const vfloat factors[SHADE_FACTORS], vmask lanes,
                const lane_segments *segment, packet *p)
{
    _Alignas(CACHE_LINE) float ends[LANES];
    lanes_store(ends, segment->t1);
    unsigned reached = lanes_mask_bits(lanes), strange = 0;
    while ((reached = find_reached(reached, ends, p)) != 0) {
        for (unsigned bits = reached; bits != 0; bits &= bits - 1) {
            pass_fragment(__builtin_ctz(bits), p);
        }
        const lane_parts rest = cut_segments(lanes_mask(reached), &p->light, segment);
        strange |= blend_segments(w->scene->transfer, factors, segment, &rest, &p->light);
    }
    return strange;
}

/* Blends the drawn part of the segments of `lanes`. Returns a bit for each lane whose
 * scalar is not finite, like the callers of this function. factors: as in
 * blend_segments. */
IN_LOOP unsigned blend_drawn(const walker *w, const vfloat factors[SHADE_FACTORS],
                             vmask lanes, const lane_segments *segment, packet *p)
{
    const lane_parts part = cut_segments(lanes, &p->light, segment);
    unsigned strange =
        blend_segments(w->scene->transfer, factors, segment, &part, &p->light);
    if (w->scene->has_fragments) {
        strange |= blend_fragments(w, factors, lanes, segment, p);
    }
    return strange;
}

IN_LOOP unsigned blend_part(const walker *w, vmask lanes, lane_segments segment,
                            packet *p)
{
    return blend_drawn(w, NULL, lanes, &segment, p);
}

/* The light along the ways through shaded cells. */
typedef struct lane_lit {
    bool is_known; /* `course` is filled in */
    shade_course course;
} lane_lit;

/* One of the equal pieces of the ways through the cells. */
typedef struct lane_piece {
    const lane_segments *whole; /* the whole ways */
    lane_segments segments;     /* the piece */
    vfloat number, pieces;
    lane_lit *lit; /* of the whole ways; shared by their pieces */
} lane_piece;

/* Finds the light along whole ways, right in `lanes`. */
IN_LOOP void look_at_light(const walker *w, vmask lanes, int axis,
                           const lane_segments *whole, const packet *p,
                           shade_course *course)
{
    course->ways = (shade_ways){
        .axis = axis, .rays = load_rays(p), .t0 = whole->t0, .t1 = whole->t1};
    for (int n = 0; n < 3; n++) {
        course->ways.entry[n] = lanes_load(p->shade.entry[n]);
        course->ways.exit[n] = lanes_load(p->shade.exit[n]);
    }
    shade_follow(w->scene->style.shade, lanes, course);
}

/* Blends pieces in parts, each with its own light. */
IN_LOOP unsigned blend_parts(const walker *w, vmask lanes, const lane_piece *piece,
                             const shade_pieces *lit, packet *p)
{
    lane_segments part = piece->segments;
    unsigned strange = 0;
    for (int n = 0; n < SHADE_MOST_PARTS; n++) {
        const vfloat done = lanes_float((float)n), next = lanes_float((float)(n + 1));
        const vmask here = lanes_and(lanes, lanes_less(done, lit->parts));
        if (!lanes_any(here)) {
            break;
        }
        vfloat factors[SHADE_FACTORS];
        shade_light_part(w->scene->style.shade, &piece->lit->course, lit, here, done,
                         factors);
        end_segment(&piece->segments, next / lit->parts, lanes_equal(next, lit->parts),
                    &part);
        strange |= blend_drawn(w, factors, here, &part, p);
        part.t0 = part.t1;
        part.s0 = part.s1;
    }
    return strange;
}

/* Blends a piece of the ways through shaded cells. Each lane has its own number of parts,
 * at least one in each piece. Invisible segments are not lit. */
static __attribute__((noinline)) unsigned
blend_shaded(const walker *w, vmask lanes, int axis, const lane_piece *piece, packet *p)
{
    const render_transfer *transfer = w->scene->transfer;
    const lane_segments *segments = &piece->segments;
    const vmask finite = segments_are_finite(segments);
    const vmask clear = transfer_lanes_clear(transfer, segments->s0, segments->s1);
    const vmask seen = lanes_and_not(lanes_and(lanes, finite), clear);
    if (!lanes_any(seen)) {
        return blend_part(w, lanes, *segments, p);
    }
    if (!piece->lit->is_known) {
        look_at_light(w, lanes_mask(LANES_ALL), axis, piece->whole, p,
                      &piece->lit->course);
        piece->lit->is_known = true;
    }
    const vfloat depth = transfer_lanes_depth(&transfer->table, segments->s0,
                                              segments->s1, segments->t1 - segments->t0);
    shade_pieces lit = {.number = piece->number, .count = piece->pieces};
    shade_cut(w->scene->style.shade, &piece->lit->course, depth, &lit);
    lit.parts = lanes_choose(seen, lit.parts, lanes_float(1.0f));
    return blend_parts(w, lanes, piece, &lit, p);
}

IN_LOOP unsigned blend_piece(const walker *w, vmask lanes, int axis,
                             const lane_piece *piece, packet *p)
{
    return w->scene->style.shade ? blend_shaded(w, lanes, axis, piece, p)
                                 : blend_part(w, lanes, piece->segments, p);
}

/* The ways through cells, from the entry triangles to the exits. */
typedef struct lane_ways {
    const cross_corners *at; /* NULL with classes */
    vint entry;              /* 2 * face + half */
    const lane_exits *exits;
    const lane_segments *segments;
    vint bounds; /* of bends in the cells, in style.trilinear */
} lane_ways;

/* The bounds on bends in the cells, by their corners. */
static __attribute__((noinline)) vint find_bounds(const walker *w, const packet *p)
{
    vfloat corner[4][CROSS_CORNERS];
    load_grid_corners(w, p, corner);
    return bend_know((const vfloat(*)[CROSS_CORNERS])corner, &w->scene->transfer->table)
        .bounds;
}

/* The bounds on bends in the cells of a packet. */
IN_LOOP vint look_up_bounds(const walker *w, const packet *p)
{
    const uint16_t *bends = w->scene->grid->bends;
    return bends ? lanes_gather_shorts(bends, lanes_load_int(p->lowest) >> 1)
                 : find_bounds(w, p);
}

/* Blends whole ways through shaded cells. line: of those that bend; NULL: none does. */
static __attribute__((noinline)) unsigned blend_lit(const walker *w, vmask lanes,
                                                    int axis, const lane_segments *whole,
                                                    const bend_line *line, packet *p)
{
    lit_ways ways;
    ways.whole = whole;
    ways.line = line;
    unsigned visible;
    const unsigned strange = lit_find_pieces(w, lanes, &ways, &visible);
    lit_note_first(lanes, whole, &p->light);
    if (visible) {
        look_at_light(w, lanes_mask(visible), axis, whole, p, &ways.course);
        lit_cut_pieces(w, &ways);
        lit_blend_parts(w, &ways, visible, p);
    }
    return strange;
}

/* Blends ways in parts. Each lane has its own number of parts. Not inlined: few steps
 * of linear and quadratic pictures need it. */
static __attribute__((noinline)) unsigned blend_bent(const walker *w, vmask lanes,
                                                     int axis, const lane_segments *whole,
                                                     const bend_line *line, packet *p)
{
    if (w->scene->style.shade && lit_applies(w, lanes, whole, p)) {
        return blend_lit(w, lanes, axis, whole, line, p);
    }
    lane_lit lit;
    lit.is_known = false;
    lane_piece piece = {
        .whole = whole, .segments = *whole, .pieces = line->parts, .lit = &lit};
    lane_segments *part = &piece.segments;
    unsigned strange = 0;
    for (int n = 1; n <= REFINE_MOST_PARTS; n++) {
        const vmask here = bend_has_part(lanes, line, n);
        if (!lanes_any(here)) {
            break;
        }
        bend_end_part(whole, line, n, part);
        piece.number = lanes_float((float)(n - 1));
        strange |= blend_piece(w, here, axis, &piece, p);
        part->t0 = part->t1;
        part->s0 = part->s1;
    }
    return strange;
}

/* Blends the ways through the cells along the trilinear map. */
IN_LOOP unsigned blend_trilinear(const walker *w, vmask lanes, int axis,
                                 const lane_ways *ways, packet *p)
{
    const lane_segments *whole = ways->segments;
    const lane_exits *exits = ways->exits;
    bend_ways on_patches;
    on_patches.from.place =
        refine_place_on_face(ways->entry >> 1, lanes_load(p->f), lanes_load(p->g));
    on_patches.to.place = refine_place_on_face(exits->triangle >> 1, exits->f, exits->g);
    on_patches.t0 = whole->t0;
    on_patches.t1 = whole->t1;
    on_patches.s0 = whole->s0;
    on_patches.s1 = whole->s1;
    on_patches.per_unit = lanes_load(p->per_unit);
    bend_line line;
    bend_find_on_patches(ways->at, &on_patches, ways->bounds, &w->scene->transfer->table,
                         &line);
    return blend_bent(w, lanes, axis, whole, &line, p);
}

/* The ways of the step from triangle to triangle, or from patch to patch. */
IN_LOOP bend_ways bend_ways_of(const march_grid *grid, const packet *p,
                               const lane_exits *exits)
{
    const vint flags = lanes_gather_bytes(grid->flags, lanes_load_int(p->lowest) >> 1);
    const vint entry = lanes_load_int(p->triangle) >> 1, exit = exits->triangle >> 1;
    bend_ways ways = {
        .from = bend_end_of(entry, bend_is_turned(flags, entry), lanes_load(p->f),
                            lanes_load(p->g)),
        .to = bend_end_of(exit, bend_is_turned(flags, exit), exits->f, exits->g),
        .t0 = lanes_load(p->t),
        .t1 = exits->t,
        .s0 = lanes_load(p->scalar),
        .s1 = exits->scalar,
        .per_unit = lanes_load(p->per_unit)};
    if (grid->has_patches) {
        const vfloat none = lanes_float(0.0f);
        const vmask from = lanes_equal(ways.t0, lanes_load(p->order)),
                    to = lanes_equal(ways.t1, exits->order);
        ways.from.off = lanes_choose(from, ways.from.off, none);
        ways.to.off = lanes_choose(to, ways.to.off, none);
    }
    return ways;
}

/* Rays of a packet, by the axis along which they run fastest. */
typedef struct lane_axes {
    unsigned lanes[3];
} lane_axes;

IN_LOOP lane_axes lane_axes_of(int axis)
{
    lane_axes axes = {{0, 0, 0}};
    axes.lanes[axis] = LANES_ALL;
    return axes;
}

/* Finds the parts of ways that may bend much. Few ways do. */
static __attribute__((noinline)) void follow_bends(const walker *w, const lane_axes *axes,
                                                   const bend_ways *ways,
                                                   const bend_cells *cells,
                                                   const packet *p, lane_bends *out)
{
    const cross_rays rays = load_rays(p);
    vfloat corner[4][CROSS_CORNERS];
    load_grid_corners(w, p, corner);
    for (int axis = 0; axis < 3; axis++) {
        const unsigned here = lanes_mask_bits(out->line.much) & axes->lanes[axis];
        if (!here) {
            continue;
        }
        cross_corners at;
        for (int n = 0; n < CROSS_CORNERS; n++) {
            const vfloat x[4] = {corner[0][n], corner[1][n], corner[2][n], corner[3][n]};
            cross_see(&rays, x, axis, n, &at);
        }
        bend_line line = out->line;
        const vmask many = bend_follow(&at, ways, cells, lanes_mask(here), &line);
        bend_line_choose(many, &line, &out->line);
        out->lanes |= lanes_mask_bits(many);
    }
}

/* Finds those of some ways that bend visibly. Not inlined: linear pictures need the
 * registers. */
static __attribute__((noinline)) void find_bends(const walker *w, unsigned lanes,
                                                 const lane_axes *axes,
                                                 const lane_exits *exits, const packet *p,
                                                 lane_bends *out)
{
    const march_grid *grid = w->scene->grid;
    vfloat corner[4][CROSS_CORNERS];
    load_grid_corners(w, p, corner);
    bend_cells cells;
    bend_look_at(corner[3], &w->scene->transfer->table, &cells);
    bend_find_twists((const vfloat(*)[CROSS_CORNERS])corner, &cells);
    cells.bounds = grid->bends
                       ? lanes_gather_shorts(grid->bends, lanes_load_int(p->lowest) >> 1)
                       : bend_bounds(&cells);
    const bend_ways ways = bend_ways_of(grid, p, exits);
    const vmask able =
        lanes_and(lanes_mask(lanes), bend_is_possible(&cells, ways.t1 - ways.t0));
    out->lanes = lanes_mask_bits(bend_find(&ways, &cells, able, &out->line));
    if (lanes_any(out->line.much)) {
        follow_bends(w, axes, &ways, &cells, p, out);
    }
}

/* Blends the ways through the cells: one segment, or several along the trilinear map. */
IN_LOOP unsigned blend_cells(const walker *w, vmask lanes, int axis,
                             const lane_ways *ways, const lane_bends *bends, packet *p)
{
    const lane_segments *whole = ways->segments;
    if (ways->at && w->scene->style.trilinear && !w->scene->grid->cell) {
        return blend_trilinear(w, lanes, axis, ways, p);
    }
    if (bends->lanes) {
        return blend_bent(w, lanes, axis, whole, &bends->line, p);
    }
    if (w->scene->style.shade && lit_applies(w, lanes, whole, p)) {
        return blend_lit(w, lanes, axis, whole, NULL, p);
    }
    lane_lit lit;
    lit.is_known = false;
    const lane_piece piece = {.whole = whole,
                              .segments = *whole,
                              .number = lanes_float(0.0f),
                              .pieces = lanes_float(1.0f),
                              .lit = &lit};
    return blend_piece(w, lanes, axis, &piece, p);
}

#endif
