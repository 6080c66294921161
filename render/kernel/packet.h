/* A packet: the rays of a kernel (render/kernel/walk_kernel.h) on their way, one in each
 * lane, with their cells and their runs. */
#ifndef RENDER_KERNEL_PACKET_H
#define RENDER_KERNEL_PACKET_H

#include "base/lanes.h"
#include "gather.h"
#include "render/cells/far_corner.h"
#include "render/cells/refine_cell.h"
#include "render/fragments/compose.h"
#include "render/light/shade_cell.h"
#include "runs.h"
#include "walk.h"

enum { CACHE_LINE = 64, PACKETS = 2 };

/* Rays under way, and the place of each. Lanes without a ray are not in `active`. */
typedef struct packet {
    _Alignas(CACHE_LINE) float origin[2][LANES];
    float shear[2][LANES], per_unit[LANES];
    lane_light light;
    float last[LANES]; /* in front of this, the current run is first along the ray */
    float end[LANES];  /* cells entered from here on are not drawn */
    float t[LANES], scalar[LANES]; /* at the entry into its cell */
    float order[LANES];            /* t on the triangles, which determines the order of
                                      runs */
    float f[LANES], g[LANES];      /* the place on the face, as in cell_crossing */
    int32_t lowest[LANES];         /* vertex of the cell, doubled */
    int32_t corners[4][LANES];     /* with classes as in far_leave, else the rows of
                                      cross_cells */
    int32_t row[LANES],
        plane[LANES];     /* vertices from one to the next along j and k, doubled */
    int32_t flags[LANES]; /* with classes the cell's class */
    int32_t reversed[LANES];
    int32_t at[LANES], most[LANES]; /* indices of the cell in its brick, and the largest
                                       ones, as in packet_pack */
    int32_t first_cell[LANES];      /* of the brick */
    int32_t borders[LANES];         /* of the brick */
    float slim[LANES];              /* march_slim of the brick */
    int32_t triangle[LANES];        /* of the entry: 2 * face + half */
    lane_shade shade;               /* if the volume is shaded */
    int32_t brick[LANES];
    unsigned active; /* bit n: lane n */
    unsigned warped; /* lanes in bricks with faces that are patches, but not all */
    walk_runs runs[LANES];
    walk_patches patches[LANES]; /* if the grid has patches */
    ray_walk *walk[LANES];
} packet;

/* Three indices of a cell in one number, a byte each. Its highest bit is free: it shows
 * that an index has left its range. */
enum { PACKET_INDEX = 8, PACKET_INDEX_SIGNS = 0x808080 };

static_assert(GRID_BRICK_CELLS < 128, "an index has seven bits");

IN_LOOP int32_t packet_pack(const int at[3])
{
    return at[0] + at[1] * (1 << PACKET_INDEX) + at[2] * (1 << 2 * PACKET_INDEX);
}

/* The largest indices in a brick. */
IN_LOOP int32_t packet_most(const march_brick *brick)
{
    return packet_pack((const int[]){brick->n[0] - 1, brick->n[1] - 1, brick->n[2] - 1});
}

IN_LOOP vint packet_unpack(vint at, int n)
{
    return (at >> n * PACKET_INDEX) & lanes_int(127);
}

/* The rays still to come, and their common data. */
typedef struct walker {
    const walk_scene *scene;
    const uint8_t *states; /* of the cells: the grid's classes, or its flags */
    bool by_class, bends;  /* bends: the scalar may bend within cells */
    int axis;              /* take only rays that run fastest along this axis */
    int next, count;
    ray_walk *walks; /* [count] */
    render_counters *counters;
} walker;

/* Whether rays cross cells by their classes, as far as these are plain. Patches need all
 * corners of a cell. */
static bool walk_by_class(const walk_scene *scene)
{
    return scene->grid->classes && !scene->style.trilinear;
}

/* Whether the scalar bends within cells. */
static bool walk_bends(const walk_scene *scene)
{
    return scene->style.quadratic && !scene->grid->cell && !scene->iso;
}

static const uint8_t *walk_states(const walk_scene *scene)
{
    return walk_by_class(scene) ? scene->grid->classes : scene->grid->flags;
}

/* ---- One ray ----------------------------------------------------------------------- */

static int32_t sign_bit(bool set)
{
    return set ? INT32_MIN : 0;
}

/* Notes for some lanes whether faces of their brick may be patches. */
IN_LOOP void note_borders(const walk_scene *scene, const march_brick *brick,
                          unsigned lanes, packet *p)
{
    const march_grid *grid = scene->grid;
    if (grid->has_patches && !grid->all_patches) {
        const bool is_warped = brick->warp * grid->flatness > 1.0f;
        p->warped = (p->warped & ~lanes) | (is_warped ? lanes : 0);
        lanes_store_int(p->borders, lanes_choose_int(lanes_mask(lanes),
                                                     lanes_int((int32_t)brick->borders),
                                                     lanes_load_int(p->borders)));
    }
}

/* Puts a lane into a cell of a brick. */
static void place_in_brick(const walk_scene *scene, const march_cell *cell, int lane,
                           packet *p)
{
    const march_brick *brick = &scene->grid->bricks[cell->brick];
    p->brick[lane] = cell->brick;
    int lowest = march_vertex_index(brick, cell->at);
    p->lowest[lane] = 2 * lowest;
    p->row[lane] = 2 * brick->stride[1];
    p->plane[lane] = 2 * brick->stride[2];
    p->flags[lane] = walk_states(scene)[lowest];
    p->reversed[lane] = sign_bit(brick->left_handed != p->walk[lane]->ray->is_backward);
    p->first_cell[lane] = brick->first_cell;
    p->slim[lane] = march_slim(brick, p->walk[lane]->ray);
    p->at[lane] = packet_pack(cell->at);
    p->most[lane] = packet_most(brick);
    note_borders(scene, brick, 1u << lane, p);
}

static march_cell cell_of_lane(const packet *p, int lane)
{
    const int32_t at = p->at[lane];
    return (march_cell){
        .brick = p->brick[lane],
        .at = {at & 127, at >> PACKET_INDEX & 127, at >> 2 * PACKET_INDEX & 127}};
}

/* Finds the gradient at a lane's entry into its cell. */
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

/* Puts a lane at an entry. drawn: the crossing that is drawn; it may lie on
 * the patch of the face. */
static void place_at_crossing(const walk_scene *scene, const march_entry *entry,
                              const cell_crossing *drawn, int lane, packet *p)
{
    place_in_brick(scene, &entry->cell, lane, p);
    p->triangle[lane] = 2 * entry->crossing.triangle.face + entry->crossing.triangle.half;
    p->order[lane] = entry->crossing.t;
    p->t[lane] = drawn->t;
    p->scalar[lane] = drawn->scalar;
    p->f[lane] = drawn->f;
    p->g[lane] = drawn->g;
    if (scene->style.shade) {
        look_at_gradient(scene, &entry->cell, drawn, lane, p);
    }
}

/* Puts a lane at the entry of a run from outside the grid. */
static void place_at_entry(const walk_scene *scene, const march_entry *entry, int lane,
                           packet *p)
{
    cell_crossing drawn = entry->crossing;
    if (scene->grid->has_patches) {
        lanes_leave();
        render_refine_crossing(scene->grid, p->walk[lane]->ray, &entry->cell, &drawn);
    }
    place_at_crossing(scene, entry, &drawn, lane, p);
}

/* Puts a lane back at the place where a run has waited. Its place on the patch is the end
 * of its last cell: Newton steps from there would end elsewhere. */
static void place_at_wait(const walk_scene *scene, const march_entry *entry, int lane,
                          packet *p)
{
    cell_crossing drawn = entry->crossing;
    if (scene->grid->has_patches) {
        drawn.t = entry->patch_t;
    }
    place_at_crossing(scene, entry, &drawn, lane, p);
}

static march_entry entry_of_lane(const packet *p, int lane)
{
    return (march_entry){.cell = cell_of_lane(p, lane),
                         .crossing = {.triangle = {(int8_t)(p->triangle[lane] >> 1),
                                                   (int8_t)(p->triangle[lane] & 1)},
                                      .t = p->order[lane],
                                      .scalar = p->scalar[lane],
                                      .f = p->f[lane],
                                      .g = p->g[lane]},
                         .patch_t = p->t[lane]};
}

/* Puts a lane at the beginning of a run. Returns false if the run overlaps an ended run
 * of another block: then the ray is contended. */
static bool begin_run(const walk_scene *scene, const march_entry *run, int lane,
                      packet *p)
{
    ray_walk *walk = p->walk[lane];
    const walk_patches *patches = &p->patches[lane];
    place_at_entry(scene, run, lane, p);
    if (scene->grid->has_patches && p->t[lane] < patches->reach) {
        walk->contended = walk_patches_overlap(
            patches, walk_runs_priority(scene->grid, run), p->order[lane], p->t[lane]);
        /* Folded cells may begin before their run. */
        if (!scene->grid->bricks[p->brick[lane]].has_folds) {
            p->light.t0[lane] = fmaxf(p->light.t0[lane], patches->reach);
        }
    }
    return !walk->contended;
}

/* Whether a run still to come overlaps the drawn part of a ray that ends at something
 * opaque. */
static bool hides_overlap(const walk_scene *scene, int lane, const packet *p)
{
    walk_patches drawn = p->patches[lane];
    walk_patches_end(scene->grid->bricks[p->brick[lane]].priority, drawn.order,
                     p->t[lane], &drawn);
    return walk_patches_overlap_later(scene->grid, p->walk[lane], &p->runs[lane], &drawn);
}

/* Continues with the run that is first along the ray; false if the rest of the ray is not
 * drawn. */
static bool choose_run(const walk_scene *scene, int lane, packet *p)
{
    ray_walk *walk = p->walk[lane];
    walk_runs *runs = &p->runs[lane];
    const int running = runs->running;
    const float transmittance = p->light.transmittance[lane];
    if (scene->grid->has_patches && transmittance < LEAST_TRANSMITTANCE) {
        walk->contended = hides_overlap(scene, lane, p);
    }
    if (walk->contended ||
        !walk_runs_choose(scene->grid, walk, transmittance, runs, &p->last[lane])) {
        return false;
    }
    if (runs->running > running) {
        return begin_run(scene, &walk->runs[runs->run], lane, p);
    }
    place_at_wait(scene, &walk->runs[runs->run], lane, p);
    return true;
}

/* Drops the current run of a ray, which has ended; false if the ray is contended. */
static bool end_run(const walk_scene *scene, int lane, packet *p)
{
    const int brick = p->brick[lane];
    if (scene->grid->has_patches) {
        walk_patches_end(scene->grid->bricks[brick].priority, p->order[lane], p->t[lane],
                         &p->patches[lane]);
    }
    return walk_runs_end(scene->grid, p->walk[lane], brick, p->order[lane],
                         &p->runs[lane]);
}

/* Puts the current run of a ray back among the others, or drops it if it has ended. */
static bool change_run(const walk_scene *scene, bool has_ended, int lane, packet *p)
{
    if (!has_ended) {
        p->walk[lane]->runs[p->runs[lane].run] = entry_of_lane(p, lane);
    } else if (!end_run(scene, lane, p)) {
        return false;
    }
    return choose_run(scene, lane, p);
}

/* ---- Filling lanes ----------------------------------------------------------------- */

/* The end of the next stretch of a ray: at a fragment, or at the ray's end. */
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

/* Fills a lane with the next ray. */
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
    /* Lanes without a ray load the store's first cell. */
    p->lowest[lane] = 0;
}

/* Deals with a lane that cannot simply go on. */
static void settle_lane(walker *w, bool has_ended, int lane, packet *p)
{
    if (!change_run(w->scene, has_ended, lane, p)) {
        give_back_ray(lane, p);
        fill_lane(w, lane, p);
    }
}

#endif
