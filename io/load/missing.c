/* Counting of missing values of a field. */
#include "base/parallel/parallel.h"
#include "geometry.h"
#include "joints/joints.h"
#include "load.h"
#include "made/made.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

typedef struct missing_count {
    const io_sweep *sweep;
    const io_joint_values *joints;  /* NULL: none count */
    const io_load_lacking *lacking; /* the bricks of all ranks */
    int64_t *counts;                /* [layout->nblocks] */
} missing_count;

static bool is_missing(float value)
{
    return !(fabsf(value) <= FLT_MAX);
}

/* ---- Vertices that count ------------------------------------------------------------
 */

/* One brick of a window. */
typedef struct brick_view {
    const io_window *window;
    const grid_patch *patch;
    const grid_block *block;
    int64_t number;
    grid_brick_place place;
    const uint8_t *marked; /* [layout->nbricks]: the bricks to count in */
} brick_view;

/* The number of the brick that contains the cell at offset `cell` from the lowest cell of
 * the brick in view; -1 if the block has no such cell. */
static int64_t brick_of_cell(const brick_view *view, const int cell[3])
{
    int64_t number = 0;
    for (int axis = 2; axis >= 0; axis--) {
        const int64_t at = view->place.lo[axis] + cell[axis];
        if (at < 0 || at >= view->block->n[axis] - 1) {
            return -1;
        }
        number = number * view->block->bricks[axis] + at / GRID_BRICK_CELLS;
    }
    return view->block->first_brick + number;
}

/*
 * Whether the vertex counts with this brick. It counts with the marked brick of the first
 * present cell around it, in the order of the block. So a vertex shared by bricks counts
 * once, and a vertex of absent cells only is never counted.
 */
static bool counts_here(const brick_view *view, const int at[3])
{
    const size_t row = (size_t)view->patch->n[0];
    const size_t plane = row * (size_t)view->patch->n[1];
    const size_t vertex =
        io_load_patch_index(view->window, view->patch, &view->place, at[0], at[1], at[2]);
    for (int around = 0; around < 8; around++) {
        const int i = 1 - (around & 1), j = 1 - (around >> 1 & 1), k = 1 - (around >> 2);
        const int64_t number =
            brick_of_cell(view, (const int[3]){at[0] - i, at[1] - j, at[2] - k});
        if (number >= 0 && view->marked[number] &&
            io_load_has_cell(view->patch,
                             vertex - (size_t)i - (size_t)j * row - (size_t)k * plane)) {
            return number == view->number;
        }
    }
    return false;
}

/* ---- Bricks ------------------------------------------------------------------------ */

static int64_t count_vertices(const brick_view *view, const float *values)
{
    const int *n = view->place.n;
    int64_t count = 0;
    for (int k = 0; k <= n[2]; k++) {
        for (int j = 0; j <= n[1]; j++) {
            for (int i = 0; i <= n[0]; i++) {
                const int at[3] = {i, j, k};
                count += is_missing(*values++) && counts_here(view, at);
            }
        }
    }
    return count;
}

static int64_t count_cells(const brick_view *view, const float *values)
{
    const int *n = view->place.n;
    int64_t count = 0;
    for (int k = 0; k < n[2]; k++) {
        for (int j = 0; j < n[1]; j++) {
            for (int i = 0; i < n[0]; i++) {
                const size_t lowest =
                    io_load_patch_index(view->window, view->patch, &view->place, i, j, k);
                count += is_missing(*values++) && io_load_has_cell(view->patch, lowest);
            }
        }
    }
    return count;
}

static int64_t count_brick(const missing_count *count, const brick_view *view)
{
    float values[IO_BRICK_VERTICES];
    grid_patch part = *view->patch;
    for (int axis = 0; axis < 3; axis++) {
        part.core_lo[axis] +=
            (int)(view->place.lo[axis] - view->window->lo[axis] * GRID_BRICK_CELLS);
        part.core_n[axis] = view->place.n[axis] + 1;
    }
    io_joint_values_compute(count->joints, 0, count->lacking->recipe, &view->place, &part,
                            values);
    return grid_recipe_location(count->lacking->recipe) == GRID_CELL
               ? count_cells(view, values)
               : count_vertices(view, values);
}

static status visit(void *context, const io_window *window, const grid_patch *patch)
{
    const missing_count *count = context;
    const grid_layout *layout = count->sweep->layout;
    int64_t found = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : found)
    for (int64_t n = 0; n < io_window_brick_count(window); n++) {
        const int64_t number = io_window_brick(layout, window, n);
        const brick_view view = {window,
                                 patch,
                                 &layout->blocks[window->block],
                                 number,
                                 grid_layout_place(layout, number),
                                 count->lacking->bricks};
        found += count_brick(count, &view);
    }
    count->counts[window->block] += found;
    return STATUS_OK;
}

/* ---- Shares ------------------------------------------------------------------------ */

/* This rank's share of the marked bricks: ascending, malloc'ed. */
static status list_share(MPI_Comm comm, const grid_layout *layout, const uint8_t *marked,
                         int64_t *count, int64_t **numbers)
{
    const int64_t rank = parallel_rank(comm), ranks = parallel_size(comm);
    int64_t all = 0, passed = 0;
    *count = 0;
    for (int64_t number = 0; number < layout->nbricks; number++) {
        all += marked[number];
    }
    status s = io_load_numbers(0, all / ranks + 1, numbers);
    for (int64_t number = 0; s == STATUS_OK && number < layout->nbricks; number++) {
        if (marked[number]) {
            const bool mine =
                passed >= all * rank / ranks && passed < all * (rank + 1) / ranks;
            passed++;
            if (mine) {
                (*numbers)[(*count)++] = number;
            }
        }
    }
    return s;
}

status io_load_count_missing(MPI_Comm comm, io_source *source, const grid_layout *layout,
                             const io_load_lacking *lacking, int64_t *counts)
{
    const int layers = grid_recipe_ghost_layers(lacking->recipe);
    io_sweep sweep = {.comm = comm,
                      .source = source,
                      .layout = layout,
                      .step = lacking->step,
                      .coordinates = true,
                      .blanked = true,
                      .layers = layers > 0 ? layers : 1, /* the cells around vertices */
                      .visit = visit};
    missing_count count = {&sweep, NULL, lacking, counts};
    sweep.context = &count;
    io_joint_values *joints = NULL;
    io_made_add_inputs(&sweep, lacking->recipe);
    const grid_recipe_use use = io_sweep_use(&sweep, lacking->recipe);
    int64_t *numbers = NULL, nnumbers = 0;
    parallel_allreduce(MPI_IN_PLACE, lacking->bricks, parallel_count(layout->nbricks),
                       MPI_UINT8_T, MPI_MAX, comm);
    status s = parallel_agree(
        comm, list_share(comm, layout, lacking->bricks, &nnumbers, &numbers));
    for (int block = 0; block < layout->nblocks; block++) {
        counts[block] = 0;
    }
    if (s == STATUS_OK) {
        const io_joint_wish wish = {.count = 1, .uses = &use};
        s = io_joint_values_load(&sweep, &wish, nnumbers, numbers, &joints);
        io_joint_values_attach(joints, &sweep);
        count.joints = joints;
    }
    if (s == STATUS_OK) {
        s = io_sweep_run(&sweep, nnumbers, numbers);
    }
    io_joint_values_destroy(&joints);
    free(numbers);
    if (s == STATUS_OK) {
        parallel_allreduce(MPI_IN_PLACE, counts, layout->nblocks, MPI_INT64_T, MPI_SUM,
                           comm);
    }
    return s;
}

/* ---- Bricks in memory -------------------------------------------------------------- */

/* Whether any present cell of the brick has this vertex. */
static bool is_drawn(const grid_brick *brick, int i, int j, int k)
{
    const int at[3] = {i, j, k}, *n = brick->place.n;
    bool found = false;
    for (int around = 0; around < 8 && !found; around++) {
        size_t lowest = 0;
        bool is_inside = true;
        for (int axis = 2; axis >= 0; axis--) {
            const int cell = at[axis] - 1 + (around >> axis & 1);
            is_inside &= cell >= 0 && cell < n[axis];
            lowest = lowest * ((size_t)n[axis] + 1) + (size_t)(is_inside ? cell : 0);
        }
        found = is_inside && (brick->flags[lowest] & GRID_PRESENT);
    }
    return found;
}

/* Tests the vertices of present cells until both a present and a missing value are
 * found. */
static void look_at_vertices(const grid_brick *brick, bool *has_value, bool *lacks_value)
{
    const int *n = brick->place.n;
    size_t vertex = 0;
    for (int k = 0; k <= n[2]; k++) {
        for (int j = 0; j <= n[1]; j++) {
            for (int i = 0; i <= n[0]; i++, vertex++) {
                bool *known =
                    is_missing(brick->vertex[vertex][3]) ? lacks_value : has_value;
                *known = *known || is_drawn(brick, i, j, k);
            }
        }
        if (*has_value && *lacks_value) {
            return;
        }
    }
}

static void look_at_cells(const grid_brick *brick, bool *has_value, bool *lacks_value)
{
    const int *n = brick->place.n;
    const float *value = brick->cell;
    for (int k = 0; k < n[2]; k++) {
        for (int j = 0; j < n[1]; j++) {
            const size_t row =
                ((size_t)k * ((size_t)n[1] + 1) + (size_t)j) * ((size_t)n[0] + 1);
            for (int i = 0; i < n[0]; i++, value++) {
                bool *known = is_missing(*value) ? lacks_value : has_value;
                *known = *known || (brick->flags[row + (size_t)i] & GRID_PRESENT);
            }
        }
    }
}

void io_load_find_lacking(const grid_store *store, uint8_t *bricks, bool *has_value,
                          bool *lacks_value)
{
    bool has = false, lacks = false;
    for (int64_t slot = 0; slot < store->nbricks && !has; slot++) {
        const grid_brick *brick = &store->bricks[slot];
        has = brick->has_range && store->layout->bricks[brick->number].cells > 0;
    }
    if (has && !bricks) {
        *has_value = true;
        return;
    }
    const bool has_any = has;
#pragma omp parallel for schedule(dynamic) reduction(|| : has) reduction(|| : lacks)
    for (int64_t slot = 0; slot < store->nbricks; slot++) {
        const grid_brick *brick = &store->bricks[slot];
        bool has_here = has_any, lacks_here = false;
        if (!brick->has_range && brick->vertex && brick->cell) {
            look_at_cells(brick, &has_here, &lacks_here);
        } else if (!brick->has_range && brick->vertex) {
            look_at_vertices(brick, &has_here, &lacks_here);
        }
        has = has || has_here;
        lacks = lacks || lacks_here;
        if (lacks_here && bricks) {
            bricks[brick->number] = 1;
        }
    }
    *has_value |= has;
    *lacks_value |= lacks;
}
