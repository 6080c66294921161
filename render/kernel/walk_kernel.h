/*
 * The code of a kernel (render/kernel/walk.h), for the lanes of the file that includes
 * it, which has defined KERNEL, the name of the walk_kernel to be, and KERNEL_NAME.
 *
 * A packet is a ray in every lane. In each step all of them cross the cells in which they
 * are, whichever these are; a ray that is done makes room for the next one, so that lanes
 * are rarely empty. What seldom happens to a ray, it does on its own: changing bricks,
 * coming to the end of a run, crossing a cell in an unusual way.
 */
#include "cast.h"
#include "enter.h"
#include "gather.h"
#include "planes_kernel.h"
#include "render/cells/cross.h"
#include "render/cells/refine_lanes.h"
#include "render/fragments/compose.h"
#include "render/light/shade_cell.h"
#include "runs.h"
#include "span.h"
#include "walk.h"

enum { CACHE_LINE = 64, PACKETS = 2 };

/* Rays under way, and where each is. Lanes without a ray are not in `active`. */
typedef struct packet {
    _Alignas(CACHE_LINE) float origin[2][LANES];
    float shear[2][LANES], per_unit[LANES];
    lane_light light;
    float last[LANES]; /* in front of this, the run at hand is first along the ray */
    float end[LANES];  /* nothing is drawn of cells that are entered from here on */
    float t[LANES], scalar[LANES]; /* where it enters its cell */
    float order[LANES];            /* t on the triangles, by which runs are in order */
    float f[LANES], g[LANES];      /* and where on the face, as in cell_crossing */
    int32_t rows[4][LANES];        /* as in cross_cells */
    int32_t row[LANES],
        plane[LANES]; /* from a vertex to the next along j and k, doubled */
    int32_t flags[LANES], reversed[LANES];
    int32_t at[3][LANES], most[3][LANES]; /* indices of the cell in its brick, and the
                                             largest ones */
    int32_t first_cell[LANES];            /* of the brick */
    float slim[LANES];                    /* march_slim of the brick */
    int32_t triangle[LANES];              /* through which it enters: 2 * face + half */
    lane_shade shade;                     /* where the volume is shaded */
    unsigned active;                      /* bit n: lane n */
    int brick[LANES];
    walk_runs runs[LANES];
    walk_patches patches[LANES]; /* with style.trilinear */
    ray_walk *walk[LANES];
} packet;

/* The rays to come, and all that they have in common. */
typedef struct walker {
    const walk_scene *scene;
    int axis; /* only rays that run fastest along this one */
    int next, count;
    ray_walk *walks; /* [count] */
    render_counters *counters;
} walker;

/* ---- One ray ----------------------------------------------------------------------- */

static int32_t sign_bit(bool set)
{
    return set ? INT32_MIN : 0;
}

/* Puts a lane into a cell of a brick. */
static void place_in_brick(const walk_scene *scene, const march_cell *cell, int lane,
                           packet *p)
{
    const march_brick *brick = &scene->grid->bricks[cell->brick];
    p->brick[lane] = cell->brick;
    int lowest = march_vertex_index(brick, cell->at);
    for (int n = 0; n < 4; n++) {
        p->rows[n][lane] = 2 * march_corner_index(brick, lowest, 2 * n);
    }
    p->row[lane] = 2 * brick->stride[1];
    p->plane[lane] = 2 * brick->stride[2];
    p->flags[lane] = scene->grid->flags[lowest];
    p->reversed[lane] = sign_bit(brick->left_handed != p->walk[lane]->ray->is_backward);
    p->first_cell[lane] = brick->first_cell;
    p->slim[lane] = march_slim(brick, p->walk[lane]->ray);
    for (int axis = 0; axis < 3; axis++) {
        p->at[axis][lane] = cell->at[axis];
        p->most[axis][lane] = brick->n[axis] - 1;
    }
}

static march_cell cell_of_lane(const packet *p, int lane)
{
    return (march_cell){.brick = p->brick[lane],
                        .at = {p->at[0][lane], p->at[1][lane], p->at[2][lane]}};
}

/* Finds the gradient where a lane enters its cell. */
static void look_at_gradient(const walk_scene *scene, const march_cell *cell,
                             const cell_crossing *crossing, int lane, packet *p)
{
    float gradient[3];
    lanes_leave();
    render_shade_gradient(scene->grid, p->walk[lane]->ray, cell, crossing, gradient);
    for (int n = 0; n < 3; n++) {
        p->shade.entry[n][lane] = gradient[n];
    }
}

/* Puts a lane where a run is. */
static void place_at_entry(const walk_scene *scene, const march_entry *entry, int lane,
                           packet *p)
{
    place_in_brick(scene, &entry->cell, lane, p);
    p->triangle[lane] = 2 * entry->crossing.triangle.face + entry->crossing.triangle.half;
    cell_crossing crossing = entry->crossing;
    if (scene->style.trilinear) {
        lanes_leave();
        render_refine_crossing(scene->grid, p->walk[lane]->ray, &entry->cell, &crossing);
    }
    p->order[lane] = entry->crossing.t;
    p->t[lane] = crossing.t;
    p->scalar[lane] = crossing.scalar;
    p->f[lane] = crossing.f;
    p->g[lane] = crossing.g;
    if (scene->style.shade) {
        look_at_gradient(scene, &entry->cell, &crossing, lane, p);
    }
}

static march_entry entry_of_lane(const packet *p, int lane)
{
    return (march_entry){.cell = cell_of_lane(p, lane),
                         .crossing = {.triangle = {(int8_t)(p->triangle[lane] >> 1),
                                                   (int8_t)(p->triangle[lane] & 1)},
                                      .t = p->order[lane],
                                      .scalar = p->scalar[lane],
                                      .f = p->f[lane],
                                      .g = p->g[lane]}};
}

/* Puts a lane where a run begins; false where the run overlaps one that has ended, of
 * another block: the ray is contended. */
static bool begin_run(const walk_scene *scene, const march_entry *run, int lane,
                      packet *p)
{
    ray_walk *walk = p->walk[lane];
    const walk_patches *patches = &p->patches[lane];
    place_at_entry(scene, run, lane, p);
    if (scene->style.trilinear && p->t[lane] < patches->reach) {
        walk->contended = walk_patches_overlap(
            patches, walk_runs_priority(scene->grid, run), p->order[lane], p->t[lane]);
        /* Folded cells may well begin before their run. */
        if (!scene->grid->bricks[p->brick[lane]].has_folds) {
            p->light.t0[lane] = fmaxf(p->light.t0[lane], patches->reach);
        }
    }
    return !walk->contended;
}

/* Whether a run to come overlaps what is drawn of a ray that ends in something opaque. */
static bool hides_overlap(const walk_scene *scene, int lane, const packet *p)
{
    walk_patches drawn = p->patches[lane];
    walk_patches_end(scene->grid->bricks[p->brick[lane]].priority, drawn.order,
                     p->t[lane], &drawn);
    return walk_patches_overlap_later(scene->grid, p->walk[lane], &p->runs[lane], &drawn);
}

/* Goes on with the run that is first along the ray; false where nothing more of the ray
 * is drawn. */
static bool choose_run(const walk_scene *scene, int lane, packet *p)
{
    ray_walk *walk = p->walk[lane];
    walk_runs *runs = &p->runs[lane];
    const int running = runs->running;
    const float transmittance = p->light.transmittance[lane];
    if (scene->style.trilinear && transmittance < LEAST_TRANSMITTANCE) {
        walk->contended = hides_overlap(scene, lane, p);
    }
    if (walk->contended ||
        !walk_runs_choose(scene->grid, walk, transmittance, runs, &p->last[lane])) {
        return false;
    }
    if (runs->running > running) {
        return begin_run(scene, &walk->runs[runs->run], lane, p);
    }
    place_at_entry(scene, &walk->runs[runs->run], lane, p);
    return true;
}

/* Drops the run of a ray, which has ended; false where the ray is contended. */
static bool end_run(const walk_scene *scene, int lane, packet *p)
{
    const int brick = p->brick[lane];
    if (scene->style.trilinear) {
        walk_patches_end(scene->grid->bricks[brick].priority, p->order[lane], p->t[lane],
                         &p->patches[lane]);
    }
    return walk_runs_end(scene->grid, p->walk[lane], brick, p->order[lane],
                         &p->runs[lane]);
}

/* Puts the run of a ray back among the others, or drops it where it has ended. */
static bool change_run(const walk_scene *scene, bool has_ended, int lane, packet *p)
{
    if (!has_ended) {
        p->walk[lane]->runs[p->runs[lane].run] = entry_of_lane(p, lane);
    } else if (!end_run(scene, lane, p)) {
        return false;
    }
    return choose_run(scene, lane, p);
}

/* ---- Coming and going -------------------------------------------------------------- */

/* Where the next stretch of a ray ends: at a fragment, or with the ray. */
static float next_end(const ray_walk *walk)
{
    return walk->passed < walk->nfragments ? walk->fragments[walk->passed].t : walk->t1;
}

static void take_ray(ray_walk *walk, int lane, packet *p)
{
    const cell_ray *ray = walk->ray;
    for (int n = 0; n < 2; n++) {
        p->origin[n][lane] = ray->origin[n];
        p->shear[n][lane] = ray->shear[n];
    }
    p->per_unit[lane] = ray->per_unit;
    p->light.t0[lane] = walk->t0;
    p->light.t1[lane] = next_end(walk);
    p->end[lane] = walk->end;
    for (int c = 0; c < 3; c++) {
        p->light.rgb[c][lane] = walk->rgb[c];
    }
    p->light.transmittance[lane] = walk->transmittance;
    p->light.first_t[lane] = walk->first_t;
    p->walk[lane] = walk;
    p->runs[lane] = walk_runs_of(walk);
    p->patches[lane] = walk_patches_start();
}

static void give_back_ray(int lane, const packet *p)
{
    ray_walk *walk = p->walk[lane];
    for (int c = 0; c < 3; c++) {
        walk->rgb[c] = p->light.rgb[c][lane];
    }
    walk->transmittance = p->light.transmittance[lane];
    walk->first_t = p->light.first_t[lane];
}

/* Fills a lane with the next ray that there is. */
static void fill_lane(walker *w, int lane, packet *p)
{
    p->active &= ~(1u << lane);
    while (w->next < w->count) {
        ray_walk *walk = &w->walks[w->next++];
        if (walk->ray->axis[2] != w->axis) {
            continue;
        }
        take_ray(walk, lane, p);
        if (choose_run(w->scene, lane, p)) {
            p->active |= 1u << lane;
            return;
        }
        give_back_ray(lane, p);
    }
    /* Lanes without a ray look at the first cell that there is. */
    for (int n = 0; n < 4; n++) {
        p->rows[n][lane] = 0;
    }
}

/*
 * Takes a lane that has stepped out of its brick into the next one; false where there is
 * no cell. Most bricks are as large as their neighbours.
 */
static bool change_brick(const walk_scene *scene, int lane, packet *p)
{
    int face = (p->triangle[lane] >> 1) ^ 1; /* it has left through that one */
    march_cell cell = cell_of_lane(p, lane);
    if (!march_change_brick(scene->grid, face, &cell)) {
        return false;
    }
    place_in_brick(scene, &cell, lane, p);
    return scene->grid->bricks[cell.brick].is_full || (p->flags[lane] & GRID_PRESENT);
}

/* What a lane does that cannot just go on. */
static void settle_lane(walker *w, bool has_ended, int lane, packet *p)
{
    if (!change_run(w->scene, has_ended, lane, p)) {
        give_back_ray(lane, p);
        fill_lane(w, lane, p);
    }
}

/* ---- All rays ---------------------------------------------------------------------- */

IN_LOOP cross_rays load_rays(const packet *p)
{
    return (cross_rays){.origin = {lanes_load(p->origin[0]), lanes_load(p->origin[1])},
                        .shear = {lanes_load(p->shear[0]), lanes_load(p->shear[1])},
                        .per_unit = lanes_load(p->per_unit)};
}

IN_LOOP cross_cells load_cells(const walker *w, const packet *p)
{
    return (cross_cells){.vertices = w->scene->grid->vertex,
                         .rows = (const int32_t(*)[LANES])p->rows,
                         .flags = lanes_load_int(p->flags),
                         .reversed = lanes_load_int(p->reversed)};
}

/* The general way out of a cell. */
static bool leave_slowly(const walk_scene *scene, int lane, const packet *p,
                         cell_crossing *exit)
{
    const march_brick *brick = &scene->grid->bricks[p->brick[lane]];
    cell_vertices cell;
    for (int corner = 0; corner < 8; corner++) {
        int vertex = march_corner_index(brick, p->rows[0][lane] / 2, corner);
        render_cell_set_vertex(&cell, corner, p->walk[lane]->ray,
                               scene->grid->vertex[vertex]);
    }
    cell_triangle entry = {(int8_t)(p->triangle[lane] >> 1),
                           (int8_t)(p->triangle[lane] & 1)};
    return render_cell_exit(&cell, render_cell_diagonals((uint8_t)p->flags[lane]),
                            p->reversed[lane] < 0, entry, exit);
}

/* Where rays leave their cells. */
typedef struct lane_exits {
    vint triangle; /* 2 * face + half */
    vfloat t, scalar, f, g;
    vfloat order; /* t on the triangles */
} lane_exits;

/* Finds the exits of lanes that are not the common case; returns those that have none. */
static __attribute__((noinline)) unsigned leave_all_slowly(const walk_scene *scene,
                                                           unsigned lanes,
                                                           const packet *p,
                                                           lane_exits *exits)
{
    _Alignas(CACHE_LINE) float t[LANES], scalar[LANES], f[LANES], g[LANES];
    _Alignas(CACHE_LINE) int32_t triangle[LANES];
    lanes_store(t, exits->t);
    lanes_store(scalar, exits->scalar);
    lanes_store(f, exits->f);
    lanes_store(g, exits->g);
    lanes_store_int(triangle, exits->triangle);
    unsigned lost = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
        int lane = __builtin_ctz(lanes);
        cell_crossing exit;
        if (!leave_slowly(scene, lane, p, &exit)) {
            lost |= 1u << lane;
            continue;
        }
        t[lane] = exit.t;
        scalar[lane] = exit.scalar;
        f[lane] = exit.f;
        g[lane] = exit.g;
        triangle[lane] = 2 * exit.triangle.face + exit.triangle.half;
    }
    exits->t = lanes_load(t);
    exits->scalar = lanes_load(scalar);
    exits->f = lanes_load(f);
    exits->g = lanes_load(g);
    exits->triangle = lanes_load_int(triangle);
    return lost;
}

/* Moves all lanes through the faces by which they leave their cells. Returns those that
 * are outside of their bricks now. */
IN_LOOP vmask move_on(vmask active, vint triangle, packet *p)
{
    vint axis = triangle >> 2;
    vint down = ((triangle >> 1) & 1) - 1; /* -1, or 0 where it goes up */
    vint forward = down + down + 1;
    vint outside = lanes_int(0), move = lanes_int(0);
    const vint stride[3] = {lanes_int(2), lanes_load_int(p->row),
                            lanes_load_int(p->plane)};
#pragma GCC unroll 3
    for (int n = 0; n < 3; n++) {
        vmask here = lanes_and(active, lanes_equal_int(axis, lanes_int(n)));
        vint at =
            lanes_load_int(p->at[n]) + lanes_choose_int(here, forward, lanes_int(0));
        lanes_store_int(p->at[n], at);
        outside |= at | (lanes_load_int(p->most[n]) - at);
        move = lanes_choose_int(here, stride[n], move);
    }
    move = (move ^ down) - down; /* negative where it goes down */
#pragma GCC unroll 4
    for (int n = 0; n < 4; n++) {
        lanes_store_int(p->rows[n], lanes_load_int(p->rows[n]) + move);
    }
    lanes_store_int(p->triangle, triangle ^ 2); /* the next cell's other side */
    return lanes_sign(lanes_from_bits(outside));
}

/* The flags of the cells in which lanes are now; returns where there is no such cell. */
IN_LOOP vmask look_at_cells(const walker *w, vmask going, packet *p)
{
    vint lowest = lanes_load_int(p->rows[0]) >> 1;
    vint flags = lanes_gather_bytes(w->scene->grid->flags,
                                    lanes_choose_int(going, lowest, lanes_int(0)));
    lanes_store_int(p->flags, flags);
    return lanes_bit(~flags, 3); /* GRID_PRESENT */
}

/* The scalars of cell-centred fields. */
IN_LOOP vfloat load_cell_values(const walker *w, vmask active, const packet *p)
{
    vint row = lanes_load_int(p->most[0]) + 1, column = lanes_load_int(p->most[1]) + 1;
    vint cell = lanes_load_int(p->first_cell) + lanes_load_int(p->at[0]) +
                row * (lanes_load_int(p->at[1]) + column * lanes_load_int(p->at[2]));
    cell = lanes_choose_int(active, cell, lanes_int(0));
    return lanes_from_bits(
        lanes_gather((const int32_t *)(const void *)w->scene->grid->cell, cell));
}

/* Lanes that may just go on: their run is first along the ray, and they are not done. */
IN_LOOP vmask find_goers(const packet *p, const lane_exits *exits)
{
    vmask on = lanes_less(exits->order, lanes_load(p->last));
    on = lanes_and(on, lanes_less(exits->t, lanes_load(p->end)));
    return lanes_and_not(on, lanes_less(lanes_load(p->light.transmittance),
                                        lanes_float(LEAST_TRANSMITTANCE)));
}

/* Takes lanes to their next cells; returns those for which there is none. */
IN_LOOP unsigned go_to_next_cells(walker *w, vmask active, vint triangle, packet *p)
{
    vmask outside = lanes_and(active, move_on(active, triangle, p));
    vmask absent = look_at_cells(w, lanes_and_not(active, outside), p);
    unsigned ended = lanes_mask_bits(lanes_and_not(lanes_and(active, absent), outside));
    for (unsigned bits = lanes_mask_bits(outside); bits != 0; bits &= bits - 1) {
        int lane = __builtin_ctz(bits);
        ended |= (unsigned)!change_brick(w->scene, lane, p) << lane;
    }
    return ended;
}

/* Finds where all rays leave their cells. Returns those for which there is no exit, which
 * only a defect can cause. */
IN_LOOP unsigned find_exits(const walker *w, const cross_corners *at,
                            const cross_rays *rays, const cross_cells *cells, int axis,
                            packet *p, lane_exits *exits)
{
    cross_chosen chosen = cross_choose(at, cells);
    cross_exits crossing = cross_leave(&chosen, lanes_load(p->slim));
    exits->triangle = crossing.triangle;
    cross_interpolate(rays, &chosen, &crossing, &exits->t, &exits->scalar);
    cross_place(&chosen, &crossing, &exits->f, &exits->g);
    vmask unclear = crossing.unsure;
    if (lanes_mask_bits(crossing.zero) & p->active) {
        unclear = lanes_or(unclear, cross_find_zeros(rays, cells, axis));
    }
    unsigned unsure = lanes_mask_bits(unclear) & p->active;
    return unsure ? leave_all_slowly(w->scene, unsure, p, exits) : 0;
}

/* Blends the next fragment of a lane's ray; the part of the ray behind it comes next. */
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

/* Blends the fragments within segments, whose parts in front of the first one are blended
 * already, and the rest of the segments. */
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

/* Blends what is drawn of the segments of lanes. Returns a bit for each lane in which
 * that has no number, as do all that call it. factors: as in blend_segments. */
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

/* A segment's end that is so far along it. */
IN_LOOP void end_segment(const lane_segments *whole, vfloat share, vmask at_end,
                         lane_segments *part)
{
    part->t1 =
        lanes_choose(at_end, whole->t1, whole->t0 + share * (whole->t1 - whole->t0));
    const vfloat quarter = lanes_float(0.25f), s0 = quarter * whole->s0;
    const vfloat s = cross_four_times(s0 + share * (quarter * whole->s1 - s0));
    part->s1 = lanes_choose(at_end, whole->s1, s);
}

/* Blends the segments of one piece part by part, `count` of them; parts before the piece:
 * `first`, of the whole way: `parts`. */
IN_LOOP unsigned blend_parts(const walker *w, vmask lanes, int axis,
                             const shade_ways *ways, const lane_segments *piece,
                             vfloat first, vfloat count, vfloat parts, packet *p)
{
    lane_segments part = *piece;
    unsigned strange = 0;
    for (int n = 0; n < SHADE_MOST_PARTS; n++) {
        const vfloat done = lanes_float((float)n), next = lanes_float((float)(n + 1));
        const vmask here = lanes_and(lanes, lanes_less(done, count));
        if (!lanes_any(here)) {
            break;
        }
        vfloat factors[SHADE_FACTORS];
        shade_light_part(w->scene->style.shade, axis, ways, first + done, parts, factors);
        end_segment(piece, next / count, lanes_equal(next, count), &part);
        strange |= blend_drawn(w, factors, here, &part, p);
        part.t0 = part.t1;
        part.s0 = part.s1;
    }
    return strange;
}

/*
 * Blends piece number `number` of `pieces` equal ones of the ways through shaded cells;
 * `whole`: all of the ways. Each lane has its own number of parts, of which at least one
 * makes a piece. Where nothing shows there is nothing to be lit.
 */
static __attribute__((noinline)) unsigned
blend_shaded(const walker *w, vmask lanes, int axis, const lane_segments *whole,
             const lane_segments *piece, int number, int pieces, packet *p)
{
    const vmask finite = segments_are_finite(piece);
    const vmask clear = transfer_lanes_clear(w->scene->transfer, piece->s0, piece->s1);
    const vmask lit = lanes_and_not(lanes_and(lanes, finite), clear);
    if (!lanes_any(lit)) {
        return blend_part(w, lanes, *piece, p);
    }
    shade_ways ways = {.rays = load_rays(p), .t0 = whole->t0, .t1 = whole->t1};
    for (int n = 0; n < 3; n++) {
        ways.entry[n] = lanes_load(p->shade.entry[n]);
        ways.exit[n] = lanes_load(p->shade.exit[n]);
    }
    const vfloat one = lanes_float(1.0f), all = lanes_float((float)pieces);
    vfloat parts = lanes_convert(shade_parts(w->scene->style.shade, axis, &ways));
    vfloat count = lanes_choose(lit, lanes_max(parts / all, one), one);
    return blend_parts(w, lanes, axis, &ways, piece, lanes_float((float)number) * count,
                       count, count * all, p);
}

/* Blends one of the equal pieces of the ways through the cells. */
IN_LOOP unsigned blend_piece(const walker *w, vmask lanes, int axis,
                             const lane_segments *whole, const lane_segments *piece,
                             int number, int pieces, packet *p)
{
    return w->scene->style.shade
               ? blend_shaded(w, lanes, axis, whole, piece, number, pieces, p)
               : blend_part(w, lanes, *piece, p);
}

/* Blends the way through the cells: one segment, or several along the trilinear map. */
IN_LOOP unsigned blend_cells(const walker *w, vmask lanes, int axis,
                             const cross_corners *at, const cross_rays *rays, vint entry,
                             const lane_segments *whole, const lane_exits *exits,
                             packet *p)
{
    if (!w->scene->style.trilinear || w->scene->grid->cell) {
        return blend_piece(w, lanes, axis, whole, whole, 0, 1, p);
    }
    const refine_place from =
        refine_place_on_face(entry >> 1, lanes_load(p->f), lanes_load(p->g));
    const refine_place to =
        refine_place_on_face(exits->triangle >> 1, exits->f, exits->g);
    const vfloat per_t = lanes_float(1.0f) / rays->per_unit;
    lane_segments part = *whole;
    unsigned strange = 0;
    for (int n = 1; n <= REFINE_PARTS; n++) {
        part.t1 = whole->t1;
        part.s1 = whole->s1;
        if (n < REFINE_PARTS) {
            const vfloat share = lanes_float((float)n / (float)REFINE_PARTS);
            part.t1 = whole->t0 + share * (whole->t1 - whole->t0);
            part.s1 = refine_scalar(at, &from, &to, share, part.t1 * per_t);
        }
        strange |= blend_piece(w, lanes, axis, whole, &part, n - 1, REFINE_PARTS, p);
        part.t0 = part.t1;
        part.s0 = part.s1;
    }
    return strange;
}

/* Moves exits from triangles to the patches of their faces. */
IN_LOOP void refine_exits(const cross_corners *at, const cross_rays *rays,
                          lane_exits *exits)
{
    refine_face face;
    refine_load_face(at, exits->triangle >> 1, &face);
    refine_crossing(&face, rays->shear, rays->per_unit, &exits->f, &exits->g, &exits->t);
    exits->scalar = refine_face_scalar(face.scalar, exits->f, exits->g);
}

/* Lanes miss patches and go back: nothing is drawn of their cells, nor twice of what they
 * have passed. Where cells are folded it is all drawn, as it is taken back again. */
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

/* Where the ways through cells end on patches. Ways themselves don't depend on those
 * before, so that it is no matter where a rank's part of a ray begins. */
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

/* Finds the gradients where all rays leave their cells, before they move on. Not inlined:
 * other pictures need the registers. */
static __attribute__((noinline)) void look_at_exits(const walker *w, int axis,
                                                    const lane_exits *exits, packet *p)
{
    const vint stride[3] = {lanes_int(1), lanes_load_int(p->row) >> 1,
                            lanes_load_int(p->plane) >> 1};
    vfloat gradient[3];
    shade_exit_gradients(w->scene->grid, axis, lanes_mask(p->active),
                         exits->triangle >> 1, lanes_load_int(p->rows[0]) >> 1, stride,
                         exits->f, exits->g, gradient);
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
        /* Another run may have something in front of it. */
        if (iso->is_opaque && runs->running <= 1 && hit.t <= p->last[lane]) {
            p->light.transmittance[lane] = 0.0f;
        }
    }
}

/* Finds where the ways through the cells meet isosurfaces, before rays move on. Not
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

/*
 * All rays cross their cells. The order of things is for the processor: the way to the
 * next cell needs only the face, and is found while a long division is under way.
 */
IN_LOOP void step(walker *w, int axis, packet *p)
{
    vmask active = lanes_mask(p->active);
    cross_rays rays = load_rays(p);
    cross_cells cells = load_cells(w, p);
    cross_corners at;
    cross_load(&rays, &cells, axis, &at);
    lane_exits exits;
    unsigned lost = find_exits(w, &at, &rays, &cells, axis, p, &exits);
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
    if (w->scene->style.shade) {
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
        const unsigned strange =
            blend_cells(w, lanes_and_not(active, lanes_mask(lost)), axis, &at, &rays,
                        entry, &segment, &exits, p);
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
    return find_exits(w, &at, &rays, &cells, axis, p, exits);
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
