#include "trim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The sides of a box, the viewer or the near plane, the far plane, and clipping
 * planes. */
enum { MOST_CUTS = 6 + 2 + RENDER_MAX_CUTS };

/* The planes that bound the drawn part. */
typedef struct trim_cuts {
    int count;
    render_cut items[MOST_CUTS];
} trim_cuts;

/* ---- Bounds ------------------------------------------------------------------------ */

static void add_cut(vec3 normal, double offset, trim_cuts *cuts)
{
    if (offset > -INFINITY) {
        cuts->items[cuts->count++] = (render_cut){normal, offset};
    }
}

/* Lists the sides of a box, moved outwards by `margin`. */
static trim_cuts list_box(box3 clip, double margin)
{
    trim_cuts list = {0};
    for (int axis = 0; axis < 3; axis++) {
        vec3 up = {{0.0, 0.0, 0.0}}, down = up;
        up.v[axis] = 1.0;
        down.v[axis] = -1.0;
        add_cut(up, clip.lo.v[axis] - margin, &list);
        add_cut(down, -clip.hi.v[axis] - margin, &list);
    }
    return list;
}

/* Lists all bounds. */
static trim_cuts list_cuts(const render_camera *camera, box3 clip,
                           const render_cuts *cuts, double margin)
{
    trim_cuts list = list_box(clip, margin);
    const double eye = vec3_dot(camera->forward, camera->eye);
    add_cut(camera->forward, eye + (cuts ? cuts->near : 0.0) - margin, &list);
    if (cuts) {
        add_cut(vec3_scale(camera->forward, -1.0), -(eye + cuts->far) - margin, &list);
        for (int n = 0; n < cuts->count; n++) {
            add_cut(cuts->planes[n].normal, cuts->planes[n].offset - margin, &list);
        }
    }
    return list;
}

/* Those that cut off some of a box. */
static trim_cuts select_cuts(const trim_cuts *all, box3 bounds)
{
    trim_cuts some = {0};
    for (int n = 0; n < all->count; n++) {
        const render_cut *cut = &all->items[n];
        double least = -cut->offset;
        for (int axis = 0; axis < 3; axis++) {
            least += fmin(cut->normal.v[axis] * bounds.lo.v[axis],
                          cut->normal.v[axis] * bounds.hi.v[axis]);
        }
        if (least < 0.0) {
            some.items[some.count++] = *cut;
        }
    }
    return some;
}

/* ---- Cells ------------------------------------------------------------------------- */

/* Finds for each vertex of a brick ([count]) the planes that cut it off: bit n for plane
 * n. */
static void find_sides(int count, const float (*vertex)[4], const trim_cuts *cuts,
                       uint32_t sides[MARCH_MOST_VERTICES])
{
    memset(sides, 0, (size_t)count * sizeof *sides);
    for (int n = 0; n < cuts->count; n++) {
        const render_cut *cut = &cuts->items[n];
        for (int v = 0; v < count; v++) {
            const float *at = vertex[v];
            const double along = cut->normal.v[0] * (double)at[0] +
                                 cut->normal.v[1] * (double)at[1] +
                                 cut->normal.v[2] * (double)at[2];
            sides[v] |= (uint32_t)(along < cut->offset) << n;
        }
    }
}

/* Planes that cut off all vertices of the cell whose lowest vertex is `v`. */
static uint32_t sides_of_cell(int row, int plane, const uint32_t *sides, int v)
{
    return sides[v] & sides[v + 1] & sides[v + row] & sides[v + row + 1] &
           sides[v + plane] & sides[v + plane + 1] & sides[v + plane + row] &
           sides[v + plane + row + 1];
}

/* Lists the cells of a brick that are cut off. */
static void trim_brick(const march_grid *grid, const trim_cuts *cuts, march_trim *trim)
{
    march_brick *brick = &grid->bricks[trim->brick];
    uint32_t sides[MARCH_MOST_VERTICES];
    find_sides(brick->stride[2] * (brick->n[2] + 1), grid->vertex + brick->first, cuts,
               sides);
    for (int k = 0; k < brick->n[2]; k++) {
        for (int j = 0; j < brick->n[1]; j++) {
            const int row = k * brick->stride[2] + j * brick->stride[1];
            for (int v = row; v < row + brick->n[0]; v++) {
                if (grid->flags[brick->first + v] & GRID_PRESENT &&
                    sides_of_cell(brick->stride[1], brick->stride[2], sides, v) != 0) {
                    trim->cells[v / 64] |= UINT64_C(1) << v % 64;
                    brick->is_full = false;
                }
            }
        }
    }
}

/* ---- All bricks -------------------------------------------------------------------- */

/* A brick that some planes cut. */
typedef struct trim_job {
    int brick; /* of the grid */
    trim_cuts cuts;
} trim_job;

/* Lists the bricks that are cut. jobs: [grid->nbricks]. Returns their number. */
static int64_t list_jobs(const grid_store *store, const bool *chosen,
                         const trim_cuts *cuts, trim_job *jobs)
{
    int64_t count = 0;
    int brick = 0;
    for (int64_t slot = 0; slot < store->nbricks; slot++) {
        if (!chosen[slot]) {
            continue;
        }
        const int64_t number = store->bricks[slot].number;
        const trim_cuts some =
            select_cuts(cuts, grid_brick_bounds(&store->layout->bricks[number]));
        if (some.count > 0) {
            jobs[count++] = (trim_job){brick, some};
        }
        brick++;
    }
    return count;
}

static status run_jobs(int64_t count, const trim_job *jobs, int threads, march_grid *grid)
{
    grid->trims = calloc((size_t)count, sizeof *grid->trims);
    if (!grid->trims) {
        return base_fail_memory((size_t)count * sizeof *grid->trims,
                                "the cells of a rank's box");
    }
    grid->ntrims = count;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (int64_t n = 0; n < count; n++) {
        grid->trims[n].brick = jobs[n].brick;
        trim_brick(grid, &jobs[n].cuts, &grid->trims[n]);
    }
    return STATUS_OK;
}

status render_march_trim(const grid_store *store, const bool *chosen,
                         const render_clip_view *view, int threads, march_grid *grid)
{
    if (grid->may_turn_back || grid->nbricks == 0) {
        return STATUS_OK;
    }
    const trim_cuts all = list_cuts(view->camera, view->clip, view->cuts,
                                    grid_layout_margin(store->layout));
    trim_job *jobs = malloc((size_t)grid->nbricks * sizeof *jobs);
    if (!jobs) {
        return base_fail_memory((size_t)grid->nbricks * sizeof *jobs,
                                "the cells of a rank's box");
    }
    const int64_t count = list_jobs(store, chosen, &all, jobs);
    status s = count > 0 ? run_jobs(count, jobs, threads, grid) : STATUS_OK;
    free(jobs);
    return s;
}

/* ---- Parts of bricks --------------------------------------------------------------- */

/* The smallest place with all cells of a brick that no plane cuts off; one cell if all
 * are cut off. */
static grid_brick_place find_place(const grid_brick *brick, const trim_cuts *cuts)
{
    const int *n = brick->place.n, row = n[0] + 1, plane = row * (n[1] + 1);
    uint32_t sides[MARCH_MOST_VERTICES];
    int lo[3] = {n[0], n[1], n[2]}, hi[3] = {0, 0, 0};
    find_sides(plane * (n[2] + 1), (const float(*)[4])brick->vertex, cuts, sides);
    for (int k = 0; k < n[2]; k++) {
        for (int j = 0; j < n[1]; j++) {
            for (int i = 0; i < n[0]; i++) {
                if (sides_of_cell(row, plane, sides, i + j * row + k * plane) == 0) {
                    const int at[3] = {i, j, k};
                    for (int axis = 0; axis < 3; axis++) {
                        lo[axis] = at[axis] < lo[axis] ? at[axis] : lo[axis];
                        hi[axis] = at[axis] >= hi[axis] ? at[axis] + 1 : hi[axis];
                    }
                }
            }
        }
    }
    grid_brick_place place = brick->place;
    for (int axis = 0; axis < 3; axis++) {
        const bool is_empty = lo[axis] >= hi[axis];
        place.lo[axis] += is_empty ? 0 : lo[axis];
        place.n[axis] = is_empty ? 1 : hi[axis] - lo[axis];
    }
    return place;
}

grid_brick_place render_march_part(const grid_layout *layout, box3 box,
                                   const grid_brick *brick)
{
    const trim_cuts all = list_box(box, grid_layout_margin(layout));
    const trim_cuts some =
        select_cuts(&all, grid_brick_bounds(&layout->bricks[brick->number]));
    return some.count > 0 ? find_place(brick, &some) : brick->place;
}

/* ---- Taking out and putting back --------------------------------------------------- */

/* Flips the presence of those of eight cells in a row whose bits are set. Writes no other
 * flags. */
static void turn_eight(unsigned bits, uint8_t *flags)
{
    if (bits == 255u) {
        uint64_t all;
        memcpy(&all, flags, sizeof all);
        all ^= UINT64_C(0x0101010101010101) * GRID_PRESENT;
        memcpy(flags, &all, sizeof all);
        return;
    }
    for (; bits != 0; bits &= bits - 1) {
        flags[__builtin_ctz(bits)] ^= GRID_PRESENT;
    }
}

/* Flips the presence of all cells of a trim, which are all present or all absent. */
static void turn(const march_grid *grid, const march_trim *trim)
{
    uint8_t *flags = grid->flags + grid->bricks[trim->brick].first;
    for (int word = 0; word < MARCH_TRIM_WORDS; word++) {
        uint8_t *of_word = flags + 64 * word;
        for (uint64_t rest = trim->cells[word]; rest != 0; rest >>= 8, of_word += 8) {
            turn_eight((unsigned)rest & 255u, of_word);
        }
    }
}

static void turn_all(const march_grid *grid, int threads)
{
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t n = 0; n < grid->ntrims; n++) {
        turn(grid, &grid->trims[n]);
    }
}

void render_march_take_out(const march_grid *grid, int threads)
{
    turn_all(grid, threads);
}

void render_march_put_back(const march_grid *grid, int threads)
{
    turn_all(grid, threads);
}
