/* The code of a kernel (render/kernel/walk.h). The file that includes it chooses the
 * lanes and defines KERNEL, the name of the walk_kernel, and KERNEL_NAME.
 *
 * A packet has a ray in every lane. In each step all rays cross their current cells,
 * which may differ. The next ray takes the lane of a ray that is done, so that lanes are
 * rarely empty. Rare events are handled ray by ray: a change of brick, the end of a run,
 * an unusual crossing of a cell. */
#include "blend.h"
#include "cast.h"
#include "enter.h"
#include "leave.h"
#include "packet.h"
#include "planes/sweep.h"
#include "render/cells/bend_classes.h"
#include "render/cells/classify.h"
#include "render/cells/gate.h"
#include "render/cells/refine_lanes.h"
#include "walk.h"

/* Finds the gradients at the exits of all rays, before they move on. Not inlined:
 * unshaded pictures need the registers. */
static __attribute__((noinline)) void look_at_exits(const walker *w, int axis,
                                                    const lane_exits *exits, packet *p)
{
    const shade_exits at = {.active = lanes_mask(p->active),
                            .face = exits->triangle >> 1,
                            .lowest = lanes_load_int(p->lowest) >> 1,
                            .stride = {lanes_int(1), lanes_load_int(p->row) >> 1,
                                       lanes_load_int(p->plane) >> 1},
                            .f = exits->f,
                            .g = exits->g};
    vfloat gradient[3];
    shade_exit_gradients(w->scene->grid, &at, gradient);
    for (int n = 0; n < 3; n++) {
        lanes_store(p->shade.exit[(n + 2 - axis) % 3], gradient[n]);
    }
}

/* Adds the hits of one lane. */
static void add_hits(const walker *w, int lane, const cell_crossing *exit, float s0,
                     float s1, packet *p)
{
    const walk_iso *iso = w->scene->iso;
    const march_entry at = entry_of_lane(p, lane);
    const walk_runs *runs = &p->runs[lane];
    for (int n = 0; n < iso->nvalues; n++) {
        if (!hits_crosses(s0, s1, iso->values[n])) {
            continue;
        }
        const float share = hits_share(s0, s1, iso->values[n]);
        const float t0 = p->t[lane];
        const walk_hit hit = {.walk = (int)(p->walk[lane] - w->walks),
                              .value = n,
                              .t = t0 + share * (exit->t - t0),
                              .share = share,
                              .cell = at.cell,
                              .entry = at.crossing,
                              .exit = *exit};
        if (!(hit.t >= p->light.t0[lane] && hit.t < p->light.t1[lane])) {
            continue;
        }
        render_hits_push(iso->hits, &hit);
        /* Another run may have a hit in front of this one. */
        if (iso->is_opaque && runs->running <= 1 && hit.t <= p->last[lane]) {
            p->light.transmittance[lane] = 0.0f;
        }
    }
}

/* Finds the open parts of the ways through the cells. */
static __attribute__((noinline)) void
find_spans(const walker *w, unsigned lanes, const lane_segments *segment, const packet *p)
{
    _Alignas(CACHE_LINE) float t[2][LANES], s[2][LANES];
    lanes_store(t[0], segment->t0);
    lanes_store(t[1], segment->t1);
    lanes_store(s[0], segment->s0);
    lanes_store(s[1], segment->s1);
    lanes_leave();
    for (; lanes != 0; lanes &= lanes - 1) {
        const int lane = __builtin_ctz(lanes);
        const march_cell cell = cell_of_lane(p, lane);
        const gate_way way = {t[0][lane], t[1][lane], s[0][lane], s[1][lane]};
        render_gate_add(w->scene->iso->gate, w->scene->grid,
                        (int)(p->walk[lane] - w->walks), &cell, &way);
    }
}

/* Finds the hits of the ways through the cells with isosurfaces, before rays move on. Not
 * inlined: other pictures need the registers. */
static __attribute__((noinline)) void find_hits(const walker *w, unsigned lanes,
                                                const lane_segments *segment,
                                                const lane_exits *exits, packet *p)
{
    if (w->scene->iso->gate) {
        find_spans(w, lanes, segment, p);
        return;
    }
    vmask crossing = lanes_mask(0);
    for (int n = 0; n < w->scene->iso->nvalues; n++) {
        const vfloat value = lanes_float(w->scene->iso->values[n]);
        const vmask a = lanes_less(segment->s0, value),
                    b = lanes_less(segment->s1, value);
        crossing = lanes_or(crossing, lanes_or(lanes_and_not(a, b), lanes_and_not(b, a)));
    }
    lanes &= lanes_mask_bits(crossing);
    if (lanes == 0) {
        return;
    }
    _Alignas(CACHE_LINE) float s[2][LANES], t[LANES], f[LANES], g[LANES];
    _Alignas(CACHE_LINE) int32_t triangle[LANES];
    lanes_store(s[0], segment->s0);
    lanes_store(s[1], segment->s1);
    lanes_store(t, exits->t);
    lanes_store(f, exits->f);
    lanes_store(g, exits->g);
    lanes_store_int(triangle, exits->triangle);
    for (; lanes != 0; lanes &= lanes - 1) {
        const int lane = __builtin_ctz(lanes);
        const cell_crossing exit = {
            .triangle = {(int8_t)(triangle[lane] >> 1), (int8_t)(triangle[lane] & 1)},
            .t = t[lane],
            .scalar = s[1][lane],
            .f = f[lane],
            .g = g[lane]};
        add_hits(w, lane, &exit, s[0][lane], s[1][lane], p);
    }
}

/* A step of all rays of a packet: each crosses a cell. */
typedef struct lane_step {
    vint entry; /* 2 * face + half */
    lane_exits exits;
    lane_segments segment;
    unsigned lost; /* rays without an exit */
    lane_bends bends;
    vint bounds; /* of bends, in style.trilinear */
    lane_stops stops;
} lane_step;

/* Finds the exits by all corners of the cells. */
IN_LOOP void leave_by_corners(const walker *w, int axis, packet *p, cross_corners *at,
                              lane_step *step)
{
    const cross_rays rays = load_rays(p);
    _Alignas(CACHE_LINE) int32_t rows[4][LANES];
    const cross_cells cells = load_corners(w, &rays, axis, p, rows, at);
    step->lost = find_exits(w, &cells, at, axis, p, &step->exits);
}

/* Those of some lanes whose ways may bend. Not inlined: few steps need it. */
static __attribute__((noinline)) unsigned
suspect_bends(const walker *w, unsigned lanes, const packet *p, const lane_exits *exits)
{
    const refine_place from = refine_place_on_face(lanes_load_int(p->triangle) >> 1,
                                                   lanes_load(p->f), lanes_load(p->g)),
                       to =
                           refine_place_on_face(exits->triangle >> 1, exits->f, exits->g);
    const vint bounds =
        lanes_gather_shorts(w->scene->grid->bends, lanes_load_int(p->lowest) >> 1);
    const vfloat bound = bend_bound(bounds, &from, &to);
    return lanes & lanes_mask_bits(bend_is_visible(bound, exits->t - lanes_load(p->t)));
}

/* Finds those of some ways that bend visibly. */
IN_LOOP void find_any_bends(const walker *w, unsigned lanes, int axis, const packet *p,
                            lane_step *step)
{
    if (w->scene->grid->bends) {
        lanes = suspect_bends(w, lanes, p, &step->exits);
    }
    if (lanes) {
        const lane_axes axes = lane_axes_of(axis);
        find_bends(w, lanes, &axes, &step->exits, p, &step->bends);
    }
}

/* Not inlined: few steps need it. */
static __attribute__((noinline)) void leave_in_doubt(const walker *w, int axis, packet *p,
                                                     lane_step *step)
{
    cross_corners at;
    switch (axis) {
    case 0:
        leave_by_corners(w, 0, p, &at, step);
        break;
    case 1:
        leave_by_corners(w, 1, p, &at, step);
        break;
    default:
        leave_by_corners(w, 2, p, &at, step);
    }
}

/* Moves rays to their next cells. unlit: constant, see shows_unlit_volume. at: NULL with
 * classes. */
IN_LOOP void pass_cells(const walker *w, int axis, const bool unlit,
                        const cross_corners *at, packet *p, lane_step *step)
{
    const vmask active = lanes_mask(p->active);
    lane_exits *exits = &step->exits;
    vfloat end = exits->t;
    if (at && w->scene->style.trilinear) {
        const cross_rays rays = load_rays(p);
        refine_exits(at, &rays, exits);
    }
    if (w->scene->grid->has_patches) {
        end = end_on_patches(w, active, p, exits);
    }
    step->segment =
        (lane_segments){lanes_load(p->t), end, lanes_load(p->scalar), exits->scalar};
    if (!unlit && w->scene->grid->cell) {
        step->segment.s0 = step->segment.s1 = load_cell_values(w, active, p);
    }
    if (!unlit && w->scene->style.shade && w->scene->grid->gradient) {
        look_at_exits(w, axis, exits, p);
    }
    if (!unlit && w->scene->iso) {
        find_hits(w, p->active & ~step->lost, &step->segment, exits, p);
    }
    step->entry = lanes_load_int(p->triangle);
    step->stops = go_to_next_cells(w, active, exits->triangle, p);
    lanes_store(p->order, exits->order);
    lanes_store(p->t, exits->t);
    lanes_store(p->scalar, exits->scalar);
}

/* Blends the ways through the cells. at: NULL with classes. */
IN_LOOP void blend_step(const walker *w, int axis, const bool unlit,
                        const cross_corners *at, packet *p, const lane_step *step)
{
    w->counters->crossings += __builtin_popcount(p->active);
    if (unlit && w->bends) {
        lanes_store(p->f, step->exits.f);
        lanes_store(p->g, step->exits.g);
    }
    if (unlit && !step->bends.lanes) {
        const vmask lanes = lanes_mask(p->active & ~step->lost);
        const lane_parts part = cut_segments(lanes, &p->light, &step->segment);
        const unsigned strange =
            blend_segments(w->scene->transfer, NULL, &step->segment, &part, &p->light);
        w->counters->nan_cells += __builtin_popcount(strange);
        return;
    }
    if (!w->scene->iso) {
        const vmask lanes = lanes_mask(p->active & ~step->lost);
        const lane_ways ways = {at, step->entry, &step->exits, &step->segment,
                                step->bounds};
        const unsigned strange = blend_cells(w, lanes, axis, &ways, &step->bends, p);
        w->counters->nan_cells += __builtin_popcount(strange);
    }
    lanes_store(p->f, step->exits.f);
    lanes_store(p->g, step->exits.g);
    if (w->scene->style.shade) {
        memcpy(p->shade.entry, p->shade.exit, sizeof p->shade.entry);
    }
}

/* Deals with rays that cannot go on in their bricks. */
IN_LOOP void settle_step(walker *w, packet *p, const lane_step *step)
{
    unsigned ended = step->stops.ended | step->lost;
    if (step->stops.outside) {
        ended |= change_bricks(w->scene, step->stops.outside, p);
    }
    w->counters->lost_rays += __builtin_popcount(step->lost);
    unsigned stops = (p->active & ~lanes_mask_bits(find_goers(p, &step->exits))) | ended;
    for (; stops != 0; stops &= stops - 1) {
        int lane = __builtin_ctz(stops);
        settle_lane(w, ended >> lane & 1u, lane, p);
    }
    find_corners(w, p);
}

/* The order of statements suits the processor: the step to the next cell needs only the
 * face, and runs during a long division. */
IN_LOOP void run_by_corners(walker *w, const int axis, packet *p)
{
    while (p[0].active | p[1].active) {
        for (int n = 0; n < PACKETS; n++) {
            cross_corners at;
            lane_step step;
            leave_by_corners(w, axis, &p[n], &at, &step);
            settle_exits(w, axis, &p[n], step.lost, &step.exits);
            step.bends.lanes = 0;
            if (w->bends) {
                find_any_bends(w, p[n].active & ~step.lost, axis, &p[n], &step);
            }
            if (w->scene->style.trilinear && !w->scene->grid->cell) {
                step.bounds = look_up_bounds(w, &p[n]);
            }
            pass_cells(w, axis, false, &at, &p[n], &step);
            blend_step(w, axis, false, &at, &p[n], &step);
            settle_step(w, &p[n], &step);
        }
    }
}

/* Lanes whose cells are not plain. Their packet leaves by all corners: most of its other
 * rays are in such cells, too. */
IN_LOOP unsigned find_unplain(const packet *p)
{
    return p->active & ~lanes_mask_bits(lanes_bit(lanes_load_int(p->flags), CLASS_PLAIN));
}

/* Looks at the far corners of all cells, if these are plain. */
IN_LOOP void look_ahead(const walker *w, int axis, const packet *p, far_look *look)
{
    if (find_unplain(p)) {
        return;
    }
    const cross_rays rays = load_rays(p);
    const cross_cells cells = load_cells(w, p);
    far_look_at(&rays, &cells, p->corners, axis, look);
}

/* Finds the exits by the classes of the cells, or by all corners if some are in doubt. */
IN_LOOP void leave_by_class(const walker *w, int axis, const bool unlit,
                            const far_look *look, packet *p, lane_step *step)
{
    step->lost = step->bends.lanes = 0;
    if (find_unplain(p) || find_exits_by_class(w, look, axis, unlit, p, &step->exits)) {
        leave_in_doubt(w, axis, p, step);
    }
    settle_exits(w, axis, p, step->lost, &step->exits);
    if (w->bends) {
        const vmask straight = lanes_bit(lanes_load_int(p->flags), CLASS_STRAIGHT);
        const unsigned bent = p->active & ~step->lost & ~lanes_mask_bits(straight);
        if (bent) {
            find_any_bends(w, bent, axis, p, step);
        }
    }
}

/* GCC 12 does not see that only packets in plain cells use what they have looked at. */
#pragma GCC diagnostic push
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

/* Packets go on stage by stage, as the next operation of one can run while that of the
 * other waits for its operands. */
IN_LOOP void run_by_class(walker *w, const int axis, const bool unlit, packet *p)
{
    while (p[0].active | p[1].active) {
        far_look look[PACKETS];
        lane_step step[PACKETS];
#pragma GCC unroll 2
        for (int n = 0; n < PACKETS; n++) {
            look_ahead(w, axis, &p[n], &look[n]);
        }
#pragma GCC unroll 2
        for (int n = 0; n < PACKETS; n++) {
            leave_by_class(w, axis, unlit, &look[n], &p[n], &step[n]);
        }
#pragma GCC unroll 2
        for (int n = 0; n < PACKETS; n++) {
            pass_cells(w, axis, unlit, NULL, &p[n], &step[n]);
        }
#pragma GCC unroll 1
        for (int n = 0; n < PACKETS; n++) {
            blend_step(w, axis, unlit, NULL, &p[n], &step[n]);
        }
#pragma GCC unroll 1
        for (int n = 0; n < PACKETS; n++) {
            settle_step(w, &p[n], &step[n]);
        }
    }
}

#pragma GCC diagnostic pop

/* Whether a tile shows nothing but a volume that no light falls on, with the scalar at
 * vertices. Its loop has no code for anything else: registers and the cache of
 * instructions decide on a fourth of its time. */
static bool shows_unlit_volume(const walk_scene *scene)
{
    return !scene->grid->cell && !scene->style.shade && !scene->iso &&
           !scene->has_fragments && !scene->wants_places;
}

IN_LOOP void run(walker *w, const int axis, packet *p)
{
    if (w->by_class && shows_unlit_volume(w->scene)) {
        run_by_class(w, axis, true, p);
    } else if (w->by_class) {
        run_by_class(w, axis, false, p);
    } else {
        run_by_corners(w, axis, p);
    }
}

static void run_axis(walker *w, const int axis, packet *p)
{
    switch (axis) {
    case 0:
        run(w, 0, p);
        break;
    case 1:
        run(w, 1, p);
        break;
    default:
        run(w, 2, p);
    }
}

static void follow(const walk_scene *scene, int count, ray_walk *walks,
                   render_counters *counters)
{
    packet p[PACKETS];
    memset(p, 0, sizeof p);
    for (int n = 0; n < PACKETS; n++) {
        p[n].light.cursor = transfer_lanes_start();
    }
    for (int axis = 0; axis < 3; axis++) {
        walker w = {.scene = scene,
                    .states = walk_states(scene),
                    .by_class = walk_by_class(scene),
                    .bends = walk_bends(scene),
                    .axis = axis,
                    .count = count,
                    .walks = walks,
                    .counters = counters};
        for (int n = 0; n < PACKETS * LANES; n++) {
            fill_lane(&w, n % LANES, &p[n / LANES]);
        }
        for (int n = 0; n < PACKETS; n++) {
            find_corners(&w, &p[n]);
        }
        run_axis(&w, axis, p);
    }
    lanes_leave();
}

/* Crosses the cells of all lanes. */
IN_LOOP unsigned cross_lanes(const walker *w, int axis, packet *p, lane_exits *exits)
{
    lane_step step;
    find_corners(w, p);
    if (w->by_class) {
        far_look look;
        look_ahead(w, axis, p, &look);
        leave_by_class(w, axis, false, &look, p, &step);
    } else {
        leave_in_doubt(w, axis, p, &step);
        settle_exits(w, axis, p, step.lost, &step.exits);
    }
    *exits = step.exits;
    return step.lost;
}

#include "ray_cache/bent_cells.h"
#include "ray_cache/record.h"
#include "ray_cache/replay.h"

static bool cross(const march_grid *grid, const cell_ray *ray, const march_entry *at,
                  cell_crossing *exit)
{
    packet p;
    memset(&p, 0, sizeof p);
    walk_scene scene = {.grid = grid, .wants_places = true};
    walker w = {.scene = &scene,
                .states = walk_states(&scene),
                .by_class = walk_by_class(&scene)};
    march_entry run = *at;
    ray_walk walk = {.ray = ray, .end = INFINITY, .nruns = 1, .runs = &run};
    const int lane = LANES - 1;
    take_ray(&walk, lane, &p);
    place_at_entry(&scene, at, lane, &p);
    p.active = 1u << lane;
    lane_exits exits;
    const unsigned lost = ray->axis[2] == 0   ? cross_lanes(&w, 0, &p, &exits)
                          : ray->axis[2] == 1 ? cross_lanes(&w, 1, &p, &exits)
                                              : cross_lanes(&w, 2, &p, &exits);
    _Alignas(CACHE_LINE) float all[4][LANES];
    _Alignas(CACHE_LINE) int32_t triangle[LANES];
    lanes_store(all[0], exits.t);
    lanes_store(all[1], exits.scalar);
    lanes_store(all[2], exits.f);
    lanes_store(all[3], exits.g);
    lanes_store_int(triangle, exits.triangle);
    *exit = (cell_crossing){
        .triangle = {(int8_t)(triangle[lane] >> 1), (int8_t)(triangle[lane] & 1)},
        .t = all[0][lane],
        .scalar = all[1][lane],
        .f = all[2][lane],
        .g = all[3][lane]};
    lanes_leave();
    return !lost;
}

const walk_kernel KERNEL = {.name = KERNEL_NAME,
                            .classify = classify,
                            .mark_bends = mark_bends,
                            .list_bent = list_bent,
                            .cast = cast,
                            .enter = enter,
                            .follow = follow,
                            .sweep = sweep,
                            .cross = cross,
                            .record = record,
                            .replay = replay};
