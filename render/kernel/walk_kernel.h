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
#include "planes_kernel.h"
#include "render/cells/refine_lanes.h"
#include "span.h"
#include "walk.h"

/* Moves exits from triangles to the patches of their faces. */
IN_LOOP void refine_exits(const cross_corners *at, const cross_rays *rays,
                          lane_exits *exits)
{
    refine_face face;
    refine_load_face(at, exits->triangle >> 1, &face);
    refine_crossing(&face, rays->shear, rays->per_unit, &exits->f, &exits->g, &exits->t);
    exits->scalar = refine_face_scalar(face.scalar, exits->f, exits->g);
}

/* These lanes miss a patch and go back. The cell is not drawn, and neither is the stretch
 * that they have passed before, a second time. In folded cells all is drawn, as it is
 * taken back again. */
static __attribute__((noinline)) void go_back(const walk_scene *scene, unsigned lanes,
                                              packet *p, float *ends)
{
    for (; lanes != 0; lanes &= lanes - 1) {
        const int lane = __builtin_ctz(lanes);
        if (scene->grid->bricks[p->brick[lane]].has_folds) {
            continue;
        }
        const float reach = fmaxf(p->patches[lane].reach, p->t[lane]);
        p->patches[lane].reach = reach;
        p->light.t0[lane] = fmaxf(p->light.t0[lane], reach);
        ends[lane] = p->t[lane];
    }
}

/* The ends of ways through cells on patches. A way does not depend on earlier ways, so
 * the result does not depend on the beginning of a rank's part of the ray. */
IN_LOOP vfloat end_on_patches(const walker *w, vmask active, packet *p,
                              const lane_exits *exits)
{
    const vmask back = lanes_and(active, lanes_less(exits->t, lanes_load(p->t)));
    const unsigned missed = lanes_mask_bits(back);
    if (missed == 0) {
        return exits->t;
    }
    _Alignas(CACHE_LINE) float ends[LANES];
    lanes_store(ends, exits->t);
    go_back(w->scene, missed, p, ends);
    return lanes_load(ends);
}

/* Finds the gradients at the exits of all rays, before they move on. Not inlined:
 * unshaded pictures need the registers. */
static __attribute__((noinline)) void look_at_exits(const walker *w, int axis,
                                                    const lane_exits *exits, packet *p)
{
    const shade_exits at = {.active = lanes_mask(p->active),
                            .face = exits->triangle >> 1,
                            .lowest = lanes_load_int(p->rows[0]) >> 1,
                            .stride = {lanes_int(1), lanes_load_int(p->row) >> 1,
                                       lanes_load_int(p->plane) >> 1},
                            .f = exits->f,
                            .g = exits->g};
    vfloat gradient[3];
    shade_exit_gradients(w->scene->grid, axis, &at, gradient);
    for (int n = 0; n < 3; n++) {
        lanes_store(p->shade.exit[n], gradient[n]);
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

/* Finds the hits of the ways through the cells with isosurfaces, before rays move on. Not
 * inlined: other pictures need the registers. */
static __attribute__((noinline)) void find_hits(const walker *w, unsigned lanes,
                                                const lane_segments *segment,
                                                const lane_exits *exits, packet *p)
{
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

/* All rays cross their cells. The order of statements suits the processor: the step to
 * the next cell needs only the face, and runs during a long division. */
IN_LOOP void step(walker *w, int axis, packet *p)
{
    vmask active = lanes_mask(p->active);
    cross_rays rays = load_rays(p);
    cross_cells cells = load_cells(w, p);
    cross_corners at;
    cross_load(&rays, &cells, axis, &at);
    lane_exits exits;
    unsigned lost = find_exits(w, &at, &rays, axis, p, &exits);
    exits.order = exits.t;
    vfloat end = exits.t;
    if (w->scene->style.trilinear) {
        refine_exits(&at, &rays, &exits);
        end = end_on_patches(w, active, p, &exits);
    }
    lane_segments segment = {lanes_load(p->t), end, lanes_load(p->scalar), exits.scalar};
    if (w->scene->grid->cell) {
        segment.s0 = segment.s1 = load_cell_values(w, active, p);
    }
    if (w->scene->style.shade && w->scene->grid->gradient) {
        look_at_exits(w, axis, &exits, p);
    }
    if (w->scene->iso) {
        find_hits(w, p->active & ~lost, &segment, &exits, p);
    }
    vint entry = lanes_load_int(p->triangle);
    unsigned ended = go_to_next_cells(w, active, exits.triangle, p) | lost;
    lanes_store(p->order, exits.order);
    lanes_store(p->t, exits.t);
    lanes_store(p->scalar, exits.scalar);
    if (!w->scene->iso) {
        const lane_ways ways = {&at, &rays, entry, &exits, &segment};
        const unsigned strange =
            blend_cells(w, lanes_and_not(active, lanes_mask(lost)), axis, &ways, p);
        w->counters->nan_cells += __builtin_popcount(strange);
    }
    lanes_store(p->f, exits.f);
    lanes_store(p->g, exits.g);
    if (w->scene->style.shade) {
        memcpy(p->shade.entry, p->shade.exit, sizeof p->shade.entry);
    }
    w->counters->crossings += __builtin_popcount(p->active);
    w->counters->lost_rays += __builtin_popcount(lost);
    unsigned stops = (p->active & ~lanes_mask_bits(find_goers(p, &exits))) | ended;
    for (; stops != 0; stops &= stops - 1) {
        int lane = __builtin_ctz(stops);
        settle_lane(w, ended >> lane & 1u, lane, p);
    }
}

IN_LOOP void run(walker *w, const int axis, packet *p)
{
    while (p[0].active | p[1].active) {
        for (int n = 0; n < PACKETS; n++) {
            step(w, axis, &p[n]);
        }
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
                    .axis = axis,
                    .count = count,
                    .walks = walks,
                    .counters = counters};
        for (int n = 0; n < PACKETS * LANES; n++) {
            fill_lane(&w, n % LANES, &p[n / LANES]);
        }
        run_axis(&w, axis, p);
    }
    lanes_leave();
}

IN_LOOP unsigned cross_lane(const walker *w, int axis, packet *p, lane_exits *exits)
{
    cross_rays rays = load_rays(p);
    cross_cells cells = load_cells(w, p);
    cross_corners at;
    cross_load(&rays, &cells, axis, &at);
    return find_exits(w, &at, &rays, axis, p, exits);
}

static bool cross(const march_grid *grid, const cell_ray *ray, const march_entry *at,
                  cell_crossing *exit)
{
    packet p;
    memset(&p, 0, sizeof p);
    walk_scene scene = {.grid = grid};
    walker w = {.scene = &scene};
    march_entry run = *at;
    ray_walk walk = {.ray = ray, .end = INFINITY, .nruns = 1, .runs = &run};
    const int lane = LANES - 1;
    take_ray(&walk, lane, &p);
    place_at_entry(&scene, at, lane, &p);
    p.active = 1u << lane;
    lane_exits exits;
    unsigned lost = ray->axis[2] == 0   ? cross_lane(&w, 0, &p, &exits)
                    : ray->axis[2] == 1 ? cross_lane(&w, 1, &p, &exits)
                                        : cross_lane(&w, 2, &p, &exits);
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
                            .cast = cast,
                            .enter = enter,
                            .enter_spans = enter_spans,
                            .follow = follow,
                            .sweep = sweep,
                            .cross = cross};
