/* The rays of a tile in plane compositing (render/kernel/planes/queue.h): their places,
 * their runs, and the crossing of one cell. A ray keeps its place, in blocks of 4 x 4
 * pixels, so that rays that cross a cell together are adjacent. Each ray knows its entry
 * into the cell in which it waits. */
#ifndef RENDER_KERNEL_PLANES_CELL_H
#define RENDER_KERNEL_PLANES_CELL_H

#include "plain_cell.h"
#include "queue.h"

#include "render/kernel/runs.h"

enum {
    PLANES_PARTS = PLANES_BLOCK / LANES, /* vectors of a block */
    PLANES_VECTORS = WALK_TILE_PIXELS / LANES
};

/* Adjacent rays. */
typedef struct planes_vector {
    _Alignas(64) float origin[2][LANES];
    float shear[2][LANES], per_unit[LANES];
    float last[LANES]; /* in front of this, the current run is first along the ray */
    float end[LANES];  /* cells entered from here on are not drawn */
    float t[LANES], scalar[LANES]; /* at the entry into its cell */
    float f[LANES], g[LANES];      /* the place on the face; with style.quadratic */
    int32_t triangle[LANES];       /* of the entry: 2 * face + half */
    lane_light light;
} planes_vector;

/* A tile under way: rays by their place. */
typedef struct planes_sweep {
    planes_vector vectors[PLANES_VECTORS];
    ray_walk *walk[WALK_TILE_PIXELS];
    walk_runs runs[WALK_TILE_PIXELS];
    planes_queue queue;
    const walk_scene *scene;
    render_counters *counters;
    int axis; /* all rays run fastest along this axis */
    bool is_backward;
    planes_cone cone;
    cell_ray steepest; /* at least as steep as each of the rays, per axis */
    planes_face faces[2][CROSS_FACES][2]; /* of cells that look right- and left-handed,
                                             with unturned and turned diagonal */
} planes_sweep;

/* Rays that have left a cell, by the number of the face. */
typedef struct planes_gone {
    unsigned faces;                   /* bits: faces that are filled in */
    planes_rays going[CROSS_FACES];   /* they simply go on */
    planes_rays stopped[CROSS_FACES]; /* they are done, or their run is no longer first */
    planes_rays lost;                 /* without an exit: a defect */
} planes_gone;

/* The cell that is being crossed. */
typedef struct planes_visit {
    march_cell cell;
    int lowest;
    bool reversed;      /* it looks left-handed to the rays */
    float slim;         /* march_slim of the brick, for all rays */
    float cell_value;   /* of a cell-centred field */
    bool wants_places;  /* style.quadratic */
    bool may_bend;      /* and the scalar of the cell may bend */
    bend_cells bending; /* if knows_bending */
    bool knows_bending;
    planes_corners corners;
    bool knows_faces; /* those of `corners` are listed */
    bool is_plain;
    planes_far plain; /* if is_plain */
    planes_gone gone;
} planes_visit;

/* The place of a pixel: blocks row after row, and pixels within a block row after row. */
static int planes_place_of(int pixel)
{
    int x = pixel % WALK_TILE, y = pixel / WALK_TILE;
    int block = y / PLANES_SIDE * (WALK_TILE / PLANES_SIDE) + x / PLANES_SIDE;
    return block * PLANES_BLOCK + y % PLANES_SIDE * PLANES_SIDE + x % PLANES_SIDE;
}

static void planes_add_rays(planes_rays *rays, int block, unsigned bits)
{
    unsigned old = rays->blocks >> block & 1u ? rays->block[block] : 0;
    rays->block[block] = (uint16_t)(old | bits);
    rays->blocks |= (uint64_t)(bits != 0) << block;
}

/* ---- Taking rays, and changing runs ------------------------------------------------ */

/* Continues a ray with the run that is first along it, if any. */
static void planes_choose_run(planes_sweep *s, int place)
{
    planes_vector *v = &s->vectors[place / LANES];
    int lane = place % LANES;
    if (!walk_runs_choose(s->scene->grid, s->walk[place], v->light.transmittance[lane],
                          &s->runs[place], &v->last[lane])) {
        return;
    }
    const march_entry *at = &s->walk[place]->runs[s->runs[place].run];
    v->t[lane] = at->crossing.t;
    v->scalar[lane] = at->crossing.scalar;
    v->f[lane] = at->crossing.f;
    v->g[lane] = at->crossing.g;
    v->triangle[lane] = 2 * at->crossing.triangle.face + at->crossing.triangle.half;
    int lowest = march_vertex_index(&s->scene->grid->bricks[at->cell.brick], at->cell.at);
    planes_cell *cell = planes_find(&s->queue, s->scene->grid, &at->cell, lowest);
    planes_add_rays(&cell->rays, place / PLANES_BLOCK, 1u << place % PLANES_BLOCK);
}

/* The entry of a ray into the cell in which it waits. */
static march_entry planes_entry_of(const planes_vector *v, int lane,
                                   const march_cell *cell)
{
    return (march_entry){.cell = *cell,
                         .crossing = {.triangle = {(int8_t)(v->triangle[lane] >> 1),
                                                   (int8_t)(v->triangle[lane] & 1)},
                                      .t = v->t[lane],
                                      .scalar = v->scalar[lane],
                                      .f = v->f[lane],
                                      .g = v->g[lane]}};
}

/* Puts the current run of a ray back among the others. cell: the cell that it has
 * reached; NULL: the run has ended in the brick `from`. */
static void planes_change_run(planes_sweep *s, int from, const march_cell *cell,
                              int place)
{
    const planes_vector *v = &s->vectors[place / LANES];
    ray_walk *walk = s->walk[place];
    int lane = place % LANES;
    if (cell) {
        walk->runs[s->runs[place].run] = planes_entry_of(v, lane, cell);
    } else if (!walk_runs_end(s->scene->grid, walk, from, v->t[lane], &s->runs[place])) {
        return;
    }
    planes_choose_run(s, place);
}

static void planes_take_ray(planes_sweep *s, ray_walk *walk, int place)
{
    const cell_ray *ray = walk->ray;
    planes_vector *v = &s->vectors[place / LANES];
    int lane = place % LANES;
    for (int n = 0; n < 2; n++) {
        v->origin[n][lane] = ray->origin[n];
        v->shear[n][lane] = ray->shear[n];
    }
    v->per_unit[lane] = ray->per_unit;
    v->end[lane] = walk->end;
    v->light.t0[lane] = walk->t0;
    v->light.t1[lane] = walk->t1;
    for (int c = 0; c < 3; c++) {
        v->light.rgb[c][lane] = walk->rgb[c];
    }
    v->light.transmittance[lane] = walk->transmittance;
    v->light.first_t[lane] = walk->first_t;
    s->walk[place] = walk;
    s->runs[place] = walk_runs_of(walk);
}

static void planes_give_back_ray(const planes_sweep *s, int place)
{
    ray_walk *walk = s->walk[place];
    const lane_light *light = &s->vectors[place / LANES].light;
    int lane = place % LANES;
    for (int c = 0; c < 3; c++) {
        walk->rgb[c] = light->rgb[c][lane];
    }
    walk->transmittance = light->transmittance[lane];
    walk->first_t = light->first_t[lane];
}

/* ---- A cell ------------------------------------------------------------------------ */

/* Coordinates along the rays and scalars of the corners, the same for all rays. */
IN_LOOP void planes_spread(const planes_corners *cell, cross_corners *at)
{
#pragma GCC unroll 8
    for (int n = 0; n < CROSS_CORNERS; n++) {
        at->along[n] = lanes_float(cell->corner[n][cell->along]);
        at->scalar[n] = lanes_float(cell->corner[n][3]);
    }
}

/* Finds out how much the scalar of the cell may bend. */
static void planes_look_at_bend(const planes_sweep *s, planes_visit *visit)
{
    const transfer_table *table = &s->scene->transfer->table;
    const uint16_t *bends = s->scene->grid->bends;
    vfloat corner[4][CROSS_CORNERS];
    for (int n = 0; n < CROSS_CORNERS; n++) {
        for (int axis = 0; axis < 4; axis++) {
            corner[axis][n] = lanes_float(visit->corners.corner[n][axis]);
        }
    }
    bend_look_at(corner[3], table, &visit->bending);
    bend_find_twists((const vfloat(*)[CROSS_CORNERS])corner, &visit->bending);
    visit->bending.bounds =
        bends ? lanes_int(bends[visit->lowest]) : bend_bounds(&visit->bending);
    visit->knows_bending = true;
}

static void planes_load_cell(const planes_sweep *s, const planes_cell *from,
                             planes_visit *visit)
{
    const march_grid *grid = s->scene->grid;
    const march_brick *brick = &grid->bricks[from->cell.brick];
    const unsigned class = grid->classes ? grid->classes[from->lowest] : 0;
    visit->cell = from->cell;
    visit->lowest = from->lowest;
    visit->reversed = brick->left_handed != s->is_backward;
    visit->slim = march_slim(brick, &s->steepest);
    planes_corners *corners = &visit->corners;
    corners->x = (s->axis + 1) % 3;
    corners->y = (s->axis + 2) % 3;
    corners->along = s->axis;
    for (int n = 0; n < CROSS_CORNERS; n++) {
        corners->corner[n] = grid->vertex[march_corner_index(brick, from->lowest, n)];
    }
    if (grid->cell) {
        visit->cell_value = grid->cell[march_cell_index(brick, from->cell.at)];
    }
    visit->wants_places = s->scene->style.quadratic && !grid->cell;
    visit->may_bend = visit->wants_places && !(class >> CLASS_STRAIGHT & 1u);
    visit->knows_bending = visit->knows_faces = false;
    visit->is_plain = class >> CLASS_PLAIN & 1u;
    if (visit->is_plain) {
        planes_far_set(corners, class, visit->reversed, &visit->plain);
        visit->plain.slim = visit->slim;
    }
    visit->gone.faces = 0;
    visit->gone.lost.blocks = 0;
}

/* Lists the faces of the cell through which rays may leave. */
static void planes_know_faces(const planes_sweep *s, planes_visit *visit)
{
    visit->corners.diagonals =
        render_cell_diagonals(s->scene->grid->flags[visit->lowest]);
    planes_list_faces(&s->cone, s->faces[visit->reversed], &visit->corners);
    visit->knows_faces = true;
}

/* Exits of rays from the cell. */
typedef struct planes_exits {
    vint triangle; /* 2 * face + half */
    vfloat t, scalar;
    vfloat f, g;                   /* the place on the face; with style.quadratic */
    unsigned faces;                /* bits: faces that are filled in */
    unsigned through[CROSS_FACES]; /* lanes, by the number of the face */
    unsigned lost;                 /* lanes without an exit, which is a defect */
} planes_exits;

IN_LOOP cross_rays planes_load_rays(const planes_vector *v)
{
    return (cross_rays){.origin = {lanes_load(v->origin[0]), lanes_load(v->origin[1])},
                        .shear = {lanes_load(v->shear[0]), lanes_load(v->shear[1])},
                        .per_unit = lanes_load(v->per_unit)};
}

/* Finds the exit with the general code, for one ray. */
static bool planes_leave_slowly(const planes_sweep *s, const planes_visit *visit,
                                int place, cell_crossing *exit)
{
    const march_grid *grid = s->scene->grid;
    const march_brick *brick = &grid->bricks[visit->cell.brick];
    cell_vertices cell;
    for (int n = 0; n < CROSS_CORNERS; n++) {
        render_cell_set_vertex(&cell, n, s->walk[place]->ray,
                               grid->vertex[march_corner_index(brick, visit->lowest, n)]);
    }
    int32_t triangle = s->vectors[place / LANES].triangle[place % LANES];
    cell_triangle entry = {(int8_t)(triangle >> 1), (int8_t)(triangle & 1)};
    return render_cell_exit(&cell, visit->corners.diagonals, visit->reversed, entry,
                            exit);
}

/* Finds the exits of rays outside the common case. */
static __attribute__((noinline)) void planes_leave_all_slowly(const planes_sweep *s,
                                                              const planes_visit *visit,
                                                              int vector, unsigned lanes,
                                                              planes_exits *exits)
{
    _Alignas(64) float t[LANES], scalar[LANES], f[LANES], g[LANES];
    _Alignas(64) int32_t triangle[LANES];
    lanes_store(t, exits->t);
    lanes_store(scalar, exits->scalar);
    lanes_store(f, exits->f);
    lanes_store(g, exits->g);
    lanes_store_int(triangle, exits->triangle);
    for (int face = 0; face < CROSS_FACES; face++) {
        exits->through[face] &= exits->faces >> face & 1u ? ~lanes : 0;
    }
    exits->faces = (1u << CROSS_FACES) - 1;
    for (; lanes != 0; lanes &= lanes - 1) {
        int lane = __builtin_ctz(lanes);
        cell_crossing exit;
        if (!planes_leave_slowly(s, visit, vector * LANES + lane, &exit)) {
            exits->lost |= 1u << lane;
            continue;
        }
        exits->through[exit.triangle.face] |= 1u << lane;
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
}

/* Finds the exits from any cell; some edge functions may be zero. */
static __attribute__((noinline)) void planes_find_any_exits(const planes_sweep *s,
                                                            planes_visit *visit,
                                                            int vector, unsigned active,
                                                            planes_exits *exits)
{
    const planes_vector *v = &s->vectors[vector];
    const planes_corners *corners = &visit->corners;
    if (!visit->knows_faces) {
        planes_know_faces(s, visit);
    }
    const cross_rays rays = planes_load_rays(v);
    planes_leaving leaving;
    cross_chosen chosen;
    planes_choose(&rays, corners, corners->nfaces, &chosen, &leaving);
    const cross_exits crossing = cross_leave(&chosen, lanes_float(visit->slim));
    unsigned turned = 0;
    exits->faces = 0;
    for (int n = 0; n < corners->nfaces; n++) {
        const planes_face *face = corners->faces[n];
        exits->faces |= 1u << face->number;
        exits->through[face->number] = leaving.through[n];
        turned |= face->turned ? leaving.through[n] : 0;
    }
    exits->triangle = crossing.triangle;
    cross_interpolate(&rays, &chosen, &crossing, &exits->t, &exits->scalar);
    const cross_chosen own = {.turned = lanes_mask(turned & LANES_ALL),
                              .second = lanes_bit(crossing.triangle, 0)};
    cross_place(&own, &crossing, &exits->f, &exits->g);
    exits->lost = 0;
    unsigned unsure =
        active & (lanes_mask_bits(crossing.unsure) | ~leaving.once | leaving.more);
    if (lanes_mask_bits(crossing.zero) & active) {
        unsure |= planes_find_zeros(&rays, corners) & active;
    }
    if (unsure) {
        planes_leave_all_slowly(s, visit, vector, unsure, exits);
    }
}

/* Lanes that may simply go on: their run is first along the ray, and they are not
 * done. */
IN_LOOP vmask planes_goers(const planes_vector *v, vfloat t)
{
    vmask on = lanes_less(t, lanes_load(v->last));
    on = lanes_and(on, lanes_less(t, lanes_load(v->end)));
    return lanes_and_not(on, lanes_less(lanes_load(v->light.transmittance),
                                        lanes_float(LEAST_TRANSMITTANCE)));
}

/* The ways of adjacent rays through the cell. */
IN_LOOP bend_ways planes_ways_of(const planes_sweep *s, const planes_visit *visit,
                                 const planes_vector *v, const planes_exits *exits)
{
    const vint flags = lanes_int(s->scene->grid->flags[visit->lowest]);
    const vint entry = lanes_load_int(v->triangle) >> 1, exit = exits->triangle >> 1;
    return (bend_ways){
        .from = bend_end_of(entry, bend_is_turned(flags, entry), lanes_load(v->f),
                            lanes_load(v->g)),
        .to = bend_end_of(exit, bend_is_turned(flags, exit), exits->f, exits->g),
        .t0 = lanes_load(v->t),
        .t1 = exits->t,
        .s0 = lanes_load(v->scalar),
        .s1 = exits->scalar,
        .per_unit = lanes_load(v->per_unit)};
}

/* Finds the parts of ways that may bend much. Few ways do. */
static __attribute__((noinline)) void planes_follow_bends(const planes_visit *visit,
                                                          const planes_vector *v,
                                                          const bend_ways *ways,
                                                          lane_bends *out)
{
    const cross_rays rays = planes_load_rays(v);
    cross_corners at;
    planes_shear(&rays, &visit->corners, &at);
    planes_spread(&visit->corners, &at);
    out->lanes |= lanes_mask_bits(
        bend_follow(&at, ways, &visit->bending, out->line.much, &out->line));
}

/* Finds the ways of adjacent rays that bend visibly. */
static __attribute__((noinline)) void
planes_find_bends(const planes_sweep *s, planes_visit *visit, const planes_vector *v,
                  vmask rays, const planes_exits *exits, lane_bends *out)
{
    if (!visit->knows_bending) {
        planes_look_at_bend(s, visit);
    }
    const bend_ways ways = planes_ways_of(s, visit, v, exits);
    const vfloat length = ways.t1 - ways.t0;
    const bend_cells *bending = &visit->bending;
    const vfloat bound = bend_bound(bending->bounds, &ways.from.place, &ways.to.place);
    const vmask able = lanes_and(rays, lanes_and(bend_is_possible(bending, length),
                                                 bend_is_visible(bound, length)));
    out->lanes = 0;
    if (!lanes_any(able)) {
        return;
    }
    out->lanes = lanes_mask_bits(bend_find(&ways, bending, able, &out->line));
    if (lanes_any(out->line.much)) {
        planes_follow_bends(visit, v, &ways, out);
    }
}

/* Blends pieces of ways. */
IN_LOOP unsigned planes_blend(const planes_sweep *s, vmask rays,
                              const lane_segments *piece, planes_vector *v)
{
    const lane_parts part = cut_segments(rays, &v->light, piece);
    return blend_segments(s->scene->transfer, NULL, piece, &part, &v->light);
}

/* Blends ways of which some bend, in parts. */
static __attribute__((noinline)) unsigned
planes_blend_bent(const planes_sweep *s, vmask rays, const lane_segments *whole,
                  const bend_line *line, planes_vector *v)
{
    lane_segments part = *whole;
    unsigned strange = 0;
    for (int n = 1; n <= REFINE_MOST_PARTS; n++) {
        const vmask here = bend_has_part(rays, line, n);
        if (!lanes_any(here)) {
            break;
        }
        bend_end_part(whole, line, n, &part);
        strange |= planes_blend(s, here, &part, v);
        part.t0 = part.t1;
        part.s0 = part.s1;
    }
    return strange;
}

/* Blends the way of adjacent rays through the cell. */
IN_LOOP void planes_gather(planes_sweep *s, planes_visit *visit, unsigned rays,
                           const planes_exits *exits, planes_vector *v)
{
    const vmask active = lanes_mask(rays), seen = lanes_mask(rays & ~exits->lost);
    const vfloat t0 = lanes_load(v->t), s0 = lanes_load(v->scalar);
    lane_segments segment = {.t0 = t0, .t1 = exits->t, .s0 = s0, .s1 = exits->scalar};
    if (s->scene->grid->cell) {
        segment.s0 = segment.s1 = lanes_float(visit->cell_value);
    }
    lane_bends bends;
    bends.lanes = 0; /* all of it is large */
    if (visit->may_bend) {
        planes_find_bends(s, visit, v, seen, exits, &bends);
    }
    if (visit->wants_places) {
        lanes_store(v->f, lanes_choose(active, exits->f, lanes_load(v->f)));
        lanes_store(v->g, lanes_choose(active, exits->g, lanes_load(v->g)));
    }
    lanes_store(v->t, lanes_choose(active, exits->t, t0));
    lanes_store(v->scalar, lanes_choose(active, exits->scalar, s0));
    lanes_store_int(v->triangle, lanes_choose_int(active, exits->triangle ^ 2,
                                                  lanes_load_int(v->triangle)));
    const unsigned strange = bends.lanes
                                 ? planes_blend_bent(s, seen, &segment, &bends.line, v)
                                 : planes_blend(s, seen, &segment, v);
    s->counters->nan_cells += __builtin_popcount(strange);
}

#endif
