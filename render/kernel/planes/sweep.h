/* Plane compositing (render/kernel/planes/queue.h) for the lanes of the including file:
 * the loop over cells, nearest first. */
#ifndef RENDER_KERNEL_PLANES_SWEEP_H
#define RENDER_KERNEL_PLANES_SWEEP_H

#include "crossing.h"

/* ---- From cell to cell ------------------------------------------------------------- */

/* Changes the runs of these rays; `cell` as in planes_change_run. */
static void planes_change_runs(planes_sweep *s, int from, const march_cell *cell,
                               const planes_rays *which)
{
    for (uint64_t blocks = which->blocks; blocks != 0; blocks &= blocks - 1) {
        const int block = __builtin_ctzll(blocks);
        for (unsigned rays = which->block[block]; rays != 0; rays &= rays - 1) {
            planes_change_run(s, from, cell, block * PLANES_BLOCK + __builtin_ctz(rays));
        }
    }
}

/* Moves the rays that have left through a face to the cell beyond. */
static void planes_move_on(planes_sweep *s, const planes_visit *visit, int face)
{
    const march_grid *grid = s->scene->grid;
    const planes_rays *going = &visit->gone.going[face],
                      *stopped = &visit->gone.stopped[face];
    if (!going->blocks && !stopped->blocks) {
        return;
    }
    march_cell cell = visit->cell;
    const bool exists = render_march_step_over(grid, face, &cell);
    if (!exists) {
        planes_change_runs(s, visit->cell.brick, NULL, going);
    } else if (going->blocks) {
        const int lowest = march_vertex_index(&grid->bricks[cell.brick], cell.at);
        planes_rays *rays = &planes_find(&s->queue, grid, &cell, lowest)->rays;
        for (uint64_t left = going->blocks; left != 0; left &= left - 1) {
            const int block = __builtin_ctzll(left);
            planes_add_rays(rays, block, going->block[block]);
        }
    }
    planes_change_runs(s, visit->cell.brick, exists ? &cell : NULL, stopped);
}

static void planes_visit_cell(planes_sweep *s, const planes_cell *cell)
{
    planes_visit visit;
    planes_crossing crossing;
    planes_load_cell(s, cell, &visit);
    planes_list_vectors(&cell->rays, &crossing);
    if (visit.is_plain) {
        planes_cross_all(s, &visit, &crossing, true);
    } else {
        planes_cross_all(s, &visit, &crossing, false);
    }
    for (unsigned faces = visit.gone.faces; faces != 0; faces &= faces - 1) {
        planes_move_on(s, &visit, __builtin_ctz(faces));
    }
    planes_change_runs(s, visit.cell.brick, NULL, &visit.gone.lost);
}

/* Measures depth along this ray. */
static void planes_look_along(planes_sweep *s, const cell_ray *ray)
{
    float forward = ray->is_backward ? -1.0f : 1.0f;
    s->queue.direction[ray->axis[0]] = forward * ray->shear[0];
    s->queue.direction[ray->axis[1]] = forward * ray->shear[1];
    s->queue.direction[ray->axis[2]] = forward;
}

/* Spans a cone around the rays at these places. fminf would be a call. */
static planes_cone planes_span(const planes_sweep *s, int count, const int *places)
{
    float lo[2] = {INFINITY, INFINITY}, hi[2] = {-INFINITY, -INFINITY}, largest = 0.0f;
    for (int n = 0; n < count; n++) {
        const cell_ray *ray = s->walk[places[n]]->ray;
        for (int axis = 0; axis < 2; axis++) {
            const float shear = ray->shear[axis], far = fabsf(ray->origin[axis]);
            lo[axis] = shear < lo[axis] ? shear : lo[axis];
            hi[axis] = shear > hi[axis] ? shear : hi[axis];
            largest = far > largest ? far : largest;
        }
    }
    return (planes_cone){
        .shear = {{lo[0], hi[0], lo[0], hi[0]}, {lo[1], lo[1], hi[1], hi[1]}},
        .largest = largest};
}

/* The ray with the largest shears of all rays of the cone. */
static cell_ray planes_steepest(const planes_sweep *s)
{
    const planes_four *shear = s->cone.shear;
    return (cell_ray){.axis = {(s->axis + 1) % 3, (s->axis + 2) % 3, s->axis},
                      .shear = {fmaxf(fabsf(shear[0][0]), fabsf(shear[0][1])),
                                fmaxf(fabsf(shear[1][0]), fabsf(shear[1][2]))}};
}

/* ---- Leaving rays to the ray caster ------------------------------------------------ */

/* A cell with few rays costs more than those rays would cost in the ray caster. The
 * number of rays of a cell becomes known only on the way. So RENDER_AUTO checks it
 * regularly, and hands the rays over to the ray caster if it is too small. To hand them
 * over costs more than a few poor cells. */
enum {
    PLANES_BEGIN = 30, /* minimum average number of rays of the first cells */
    PLANES_WORTH = 45, /* minimum average number of rays of a cell */
    PLANES_TRIAL = 32  /* cells over which the average is taken */
};

/* Follows rays through the rest of their runs. */
static void follow(const walk_scene *scene, int count, ray_walk *walks,
                   render_counters *counters);

static bool planes_is_same_cell(const march_cell *a, const march_cell *b)
{
    return a->brick == b->brick && a->at[0] == b->at[0] && a->at[1] == b->at[1] &&
           a->at[2] == b->at[2];
}

/* Whether plane compositing may pay, before anything is set up: whether few cells are
 * first on all rays. */
static bool planes_may_be_worth(int count, const ray_walk *walks)
{
    enum { MOST = WALK_TILE_PIXELS / PLANES_BEGIN };
    const march_cell *cells[MOST + 1];
    int ncells = 0, last = 0;
    for (int n = 0; n < count; n++) {
        const march_cell *cell = &walks[n].runs[0].cell;
        if (ncells > 0 && planes_is_same_cell(cell, cells[last])) {
            continue;
        }
        for (last = 0; last < ncells; last++) {
            if (planes_is_same_cell(cell, cells[last])) {
                break;
            }
        }
        if (last == ncells && (ncells + 1) * PLANES_BEGIN > count) {
            return false;
        }
        if (last == ncells) {
            cells[ncells++] = cell;
        }
    }
    return true;
}

/* Stores the state of a ray that waits in a cell into its walk, from which the ray caster
 * continues. */
static void planes_leave_ray(planes_sweep *s, const march_cell *cell, int place)
{
    const planes_vector *v = &s->vectors[place / LANES];
    const int lane = place % LANES;
    ray_walk *walk = s->walk[place];
    const walk_runs *at = &s->runs[place];
    walk->runs[at->run] = planes_entry_of(v, lane, cell);
    const int to_come = walk->nruns - at->next;
    memmove(walk->runs + at->running, walk->runs + at->next,
            (size_t)to_come * sizeof *walk->runs);
    walk->running = at->running;
    walk->nruns = at->running + to_come;
}

/* Hands all waiting rays over to the ray caster. */
static void planes_leave_all(planes_sweep *s)
{
    ray_walk left[WALK_TILE_PIXELS], *from[WALK_TILE_PIXELS];
    int count = 0;
    for (const planes_cell *cell; (cell = render_planes_take(&s->queue)) != NULL;) {
        for (uint64_t blocks = cell->rays.blocks; blocks != 0; blocks &= blocks - 1) {
            int block = __builtin_ctzll(blocks);
            for (unsigned bits = cell->rays.block[block]; bits != 0; bits &= bits - 1) {
                int place = block * PLANES_BLOCK + __builtin_ctz(bits);
                planes_leave_ray(s, &cell->cell, place);
                from[count] = s->walk[place];
                left[count++] = *s->walk[place];
            }
        }
    }
    follow(s->scene, count, left, s->counters);
    for (int n = 0; n < count; n++) {
        *from[n] = left[n];
    }
}

/* Visits cells until none has a ray, or until they have too few rays. Returns false in
 * the latter case. */
static bool planes_visit_all(planes_sweep *s)
{
    const bool may_leave = s->scene->style.method == RENDER_AUTO;
    int64_t crossings = s->counters->crossings;
    int visits = 0;
    for (const planes_cell *cell; (cell = render_planes_take(&s->queue)) != NULL;) {
        planes_visit_cell(s, cell);
        if (may_leave && ++visits % PLANES_TRIAL == 0) {
            if (s->counters->crossings - crossings < PLANES_TRIAL * PLANES_WORTH) {
                return false;
            }
            crossings = s->counters->crossings;
        }
    }
    return true;
}

/* ---- A tile ------------------------------------------------------------------------ */

/* Takes the rays that run fastest along one axis, in one direction; returns their
 * number. */
static int planes_take_group(planes_sweep *s, int count, ray_walk *walks,
                             const int *pixels, int places[WALK_TILE_PIXELS])
{
    int members = 0;
    for (int n = 0; n < count; n++) {
        const cell_ray *ray = walks[n].ray;
        if (ray->axis[2] == s->axis && ray->is_backward == s->is_backward) {
            int place = pixels ? planes_place_of(pixels[n]) : n;
            planes_take_ray(s, &walks[n], place);
            places[members++] = place;
        }
    }
    return members;
}

static void planes_sweep_group(planes_sweep *s, int count, ray_walk *walks,
                               const int *pixels)
{
    int places[WALK_TILE_PIXELS];
    const int members = planes_take_group(s, count, walks, pixels, places);
    if (members == 0) {
        return;
    }
    planes_look_along(s, s->walk[places[members / 2]]->ray);
    s->cone = planes_span(s, members, places);
    s->steepest = planes_steepest(s);
    for (int n = 0; n < members; n++) {
        planes_choose_run(s, places[n]);
    }
    const bool all = planes_visit_all(s);
    for (int n = 0; n < members; n++) {
        planes_give_back_ray(s, places[n]);
    }
    if (!all) {
        planes_leave_all(s);
    }
}

static void planes_prepare(const walk_scene *scene, render_counters *counters,
                           planes_sweep *s)
{
    s->scene = scene;
    s->counters = counters;
    render_planes_start(&s->queue);
    for (int vector = 0; vector < PLANES_VECTORS; vector++) {
        memset(&s->vectors[vector], 0, sizeof s->vectors[vector]);
        s->vectors[vector].light.cursor = transfer_lanes_start();
    }
    for (int n = 0; n < 2 * CROSS_FACES; n++) {
        const int face = n / 2;
        s->faces[0][face][n % 2] = planes_face_of(face, n % 2, false);
        s->faces[1][face][n % 2] = planes_face_of(face, n % 2, true);
    }
}

static void sweep(const walk_scene *scene, int count, ray_walk *walks, const int *pixels,
                  render_counters *counters)
{
    if (scene->style.method == RENDER_AUTO && !planes_may_be_worth(count, walks)) {
        follow(scene, count, walks, counters);
        return;
    }
    planes_sweep s;
    planes_prepare(scene, counters, &s);
    for (int group = 0; group < 6; group++) {
        s.axis = group / 2;
        s.is_backward = group % 2;
        planes_sweep_group(&s, count, walks, pixels);
    }
    lanes_leave();
}

#endif
