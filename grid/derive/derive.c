/* The numbers of a recipe, computed on a patch. */
#include "base/lanes/choose.h"
#include "derivation.h"
#include "grid/means.h"
#include "grid/recipe.h"
#include "tile.h"

#include <string.h>

/* ---- programs ---------------------------------------------------------------------- */

/* A row of points, at which a program is evaluated. */
typedef struct program_row {
    double inputs[GRID_RECIPE_MAX_INPUTS][DERIVE_ROW];
    double gradients[3 * PROGRAM_QUANTITIES][DERIVE_ROW];
    double result[DERIVE_ROW];
} program_row;

/* The result of a recipe without neighbours at a row of points: out[count]. */
static void finish_row(const derive_kernel *kernel, const grid_recipe *recipe, int count,
                       program_row *row, float *out)
{
    const double *slots[PROGRAM_SLOTS] = {NULL};
    const double *result = row->inputs[0];
    for (int n = 0; n < recipe->ninputs; n++) {
        slots[n] = row->inputs[n];
    }
    for (int n = 0; n < DERIVE_QUANTITIES * derive_leaves(recipe) * 3; n++) {
        slots[PROGRAM_GRADIENTS + n] = row->gradients[n];
    }
    if (recipe->kind == DERIVE_FORMULA) {
        kernel->evaluate(&recipe->formula->result, count, slots, row->result);
        result = row->result;
    }
    for (int i = 0; i < count; i++) {
        out[i] = derive_to_field(result[i]);
    }
}

/* ---- in cells ---------------------------------------------------------------------- */

static void compute_cells(const derive_kernel *kernel, const grid_recipe *recipe,
                          const grid_patch *patch, float *out)
{
    const index_box all = patch_cells(patch);
    index_box core;
    for (int axis = 0; axis < 3; axis++) {
        core.lo[axis] = patch->core_lo[axis];
        core.n[axis] = patch->core_n[axis] - 1;
    }
    index_box rows = core;
    rows.n[0] = core.n[0] > 0 ? 1 : 0;
    program_row row;
    int at[3];
    for (bool more = box_start(&rows, at); more; more = box_advance(&rows, at)) {
        for (int first = 0; first < core.n[0]; first += DERIVE_CORE_ROW) {
            const int left = core.n[0] - first;
            const int count = left < DERIVE_CORE_ROW ? left : DERIVE_CORE_ROW;
            const size_t from = box_index(&all, at) + (size_t)first;
            for (int input = 0; input < recipe->ninputs; input++) {
                for (int i = 0; i < count; i++) {
                    row.inputs[input][i] = (double)patch->inputs[input][from + (size_t)i];
                }
            }
            finish_row(kernel, recipe, count, &row, out);
            out += count;
        }
    }
}

/* ---- rows with gradients ------------------------------------------------------------
 */

/* A row of a tile, and which of its vertices the kernel has. */
typedef struct row_plan {
    derive_row row;
    int begin, end;                  /* vertices that have both neighbours along i */
    bool is_simple;                  /* it has neighbours along j and k */
    uint8_t usable[DERIVE_CORE_ROW]; /* stencils may use all that they need at vertex i */
} row_plan;

/* The stencil along an axis at `at`. False if there is no neighbour. */
static bool find_stencil(const tile *t, const int at[3], int axis, derive_stencil *out)
{
    const int place = at[axis] - t->vertices.lo[axis], n = t->vertices.n[axis];
    const bool is_first = place == 0, is_last = place == n - 1;
    out->side = is_first ? 1 : is_last ? -1 : 0;
    out->has_second = n > 2 && derive_reach(t->recipe->kind) >= 2;
    return !(is_first && is_last);
}

/* Marks the vertices of which stencils may use all others that they need. */
static void find_usable(const tile *t, size_t index, row_plan *plan)
{
    memset(plan->usable, 1, sizeof plan->usable);
    for (int axis = 0; axis < 3; axis++) {
        const derive_stencil stencil = plan->row.stencil[axis];
        const ptrdiff_t step = plan->row.value_step[axis];
        const ptrdiff_t first = stencil.side == 0 ? step : step * stencil.side;
        const ptrdiff_t second = stencil.side == 0    ? -step
                                 : stencil.has_second ? 2 * first
                                                      : first;
        const uint8_t *here = t->usable + index;
        for (int i = 0; i < plan->row.count; i++) {
            plan->usable[i] &= here[i] & here[i + first] & here[i + second];
        }
    }
}

/* Plans the row of the core that begins at `at`. */
static void plan_row(const tile *t, const int at[3], row_plan *plan)
{
    const index_box all = patch_vertices(t->patch);
    const int last = t->vertices.lo[0] + t->vertices.n[0] - 1;
    const float *places[3] = {t->patch->x, t->patch->y, t->patch->z};
    int first[3] = {at[0], at[1], at[2]};
    first[0] += at[0] == t->vertices.lo[0];
    plan->begin = first[0] - at[0];
    plan->end = t->core.n[0] - (at[0] + t->core.n[0] - 1 == last);
    const size_t place = box_index(&all, first), index = box_index(&t->vertices, first);
    derive_row *row = &plan->row;
    row->count = plan->end - plan->begin;
    row->stencil[0] = (derive_stencil){0, false};
    plan->is_simple = row->count > 0 && find_stencil(t, at, 1, &row->stencil[1]) &&
                      find_stencil(t, at, 2, &row->stencil[2]);
    for (int axis = 0; axis < 3; axis++) {
        row->place[axis] = places[axis] + place;
        row->place_step[axis] =
            axis == 0 ? 1 : row->place_step[axis - 1] * all.n[axis - 1];
        row->value_step[axis] =
            axis == 0 ? 1 : row->value_step[axis - 1] * t->vertices.n[axis - 1];
    }
    for (int n = 0; n < DERIVE_QUANTITIES; n++) {
        const bool is_needed = derive_needs(t->recipe, n);
        const float *field = is_needed ? derive_field(t, n) : NULL;
        row->field[n] = field ? field + place : NULL;
        row->value[n] = is_needed && !field ? t->value[n] + index : NULL;
    }
    if (plan->is_simple && !t->is_usable) {
        find_usable(t, index, plan);
    }
}

/* Computes the results of one vertex after the other from `at` on along i. */
static void compute_one_by_one(const tile *t, const int at[3], int count, float *out)
{
    for (int i = 0; i < count; i++, out += derive_results(t->recipe->kind)) {
        derive_slope_at(t, (const int[3]){at[0] + i, at[1], at[2]}, out);
    }
}

/* Copies what the kernel found, and computes the other results of its vertices. */
static void take_found(const tile *t, const row_plan *plan, const int at[3],
                       const derive_row_results *found, float *out)
{
    const int count = plan->row.count, results = derive_results(t->recipe->kind);
    int32_t all = t->is_usable && results == 1;
    for (int n = 0; n < count; n++) {
        all &= found->regular[n];
    }
    if (all) {
        memcpy(out, found->value[0], (size_t)count * sizeof *out);
        return;
    }
    for (int n = 0; n < count; n++, out += results) {
        if (!(t->is_usable || plan->usable[n]) || !found->regular[n]) {
            compute_one_by_one(t, (const int[3]){at[0] + n, at[1], at[2]}, 1, out);
            continue;
        }
        for (int r = 0; r < results; r++) {
            out[r] = found->value[r][n];
        }
    }
}

/* Computes the results of the row of the core that begins at `at`. */
static void compute_row(tile *t, const int at[3], float *out)
{
    const int results = derive_results(t->recipe->kind), count = t->core.n[0];
    row_plan plan;
    derive_row_results found;
    plan_row(t, at, &plan);
    if (!plan.is_simple) {
        compute_one_by_one(t, at, count, out);
        return;
    }
    const int first[3] = {at[0] + plan.begin, at[1], at[2]};
    const int last[3] = {at[0] + plan.end, at[1], at[2]};
    t->kernel->slopes(t->recipe->kind, &plan.row, &t->slopes, &found);
    compute_one_by_one(t, at, plan.begin, out);
    take_found(t, &plan, first, &found, out + results * plan.begin);
    compute_one_by_one(t, last, count - plan.end, out + results * plan.end);
}

/* Whether the inputs of a tile may be averaged row by row. */
static bool has_rows(const tile *t)
{
    return !t->averages || (t->is_whole && t->patch->n[0] > 2);
}

/* ---- vertices --------------------------------------------------------------------- */

/* Gradients of a formula's quantities on a tile. */
enum { GRADIENTS_WIDTH = 4 }; /* vertices of such a tile along k, as stacks are small */
typedef struct tile_gradients {
    float values[PROGRAM_QUANTITIES / DERIVE_QUANTITIES]
                [DERIVE_MOST_RESULTS * TILE_LENGTH * TILE_WIDTH * GRADIENTS_WIDTH];
} tile_gradients;

/* Writes the results of a recipe that is no gradient at a row of a tile's vertices. */
static void store_row(const tile *t, const tile_gradients *gradients, const int at[3],
                      float *out)
{
    program_row row;
    const int count = t->core.n[0];
    if (has_rows(t)) {
        t->kernel->inputs(t->recipe, t->patch, at, count, row.inputs);
    }
    for (int i = 0; i < count && !has_rows(t); i++) {
        double inputs[GRID_RECIPE_MAX_INPUTS];
        derive_gather_inputs(t, (const int[3]){at[0] + i, at[1], at[2]}, inputs);
        for (int n = 0; n < t->recipe->ninputs; n++) {
            row.inputs[n][i] = inputs[n];
        }
    }
    for (int leaf = 0; leaf < derive_leaves(t->recipe); leaf++) {
        const float *from =
            gradients->values[leaf] + DERIVE_MOST_RESULTS * box_index(&t->core, at);
        for (int i = 0; i < count; i++, from += DERIVE_MOST_RESULTS) {
            for (int n = 0; n < DERIVE_MOST_RESULTS; n++) {
                row.gradients[DERIVE_MOST_RESULTS * leaf + n][i] = (double)from[n];
            }
        }
    }
    finish_row(t->kernel, t->recipe, count, &row, out);
}

/* A recipe whose inputs are those of the patch, in their order. */
static grid_recipe_use use_alone(const grid_recipe *recipe)
{
    grid_recipe_use use = {.recipe = recipe};
    for (int input = 0; input < recipe->ninputs; input++) {
        use.inputs[input] = input;
    }
    return use;
}

static index_box patch_core(const grid_patch *patch)
{
    index_box core;
    memcpy(core.lo, patch->core_lo, sizeof core.lo);
    memcpy(core.n, patch->core_n, sizeof core.n);
    return core;
}

/* Whether both planes of vertices of a box have the same results: all inputs are means
 * over the same cells, as the block is one cell deep. */
static bool are_planes_alike(int count, const grid_recipe_use *uses,
                             const grid_patch *patch, const index_box *box)
{
    bool all = patch->n[2] == 2 && box->n[2] == 2;
    for (int n = 0; n < count && all; n++) {
        all = !derive_has_input_at(uses[n].recipe, GRID_VERTEX);
    }
    return all;
}

/* Copies the results of the first plane of a box to the second: out[core]. */
static void copy_plane(const index_box *core, const index_box *box, float *out)
{
    int at[3] = {box->lo[0], box->lo[1], box->lo[2]};
    const size_t plane = (size_t)core->n[0] * (size_t)core->n[1];
    const bool is_whole = box->n[0] == core->n[0]; /* its rows follow each other */
    const int rows = is_whole ? 1 : box->n[1];
    const size_t count = (size_t)box->n[0] * (size_t)(is_whole ? box->n[1] : 1);
    for (int j = 0; j < rows; j++, at[1]++) {
        float *row = out + box_index(core, at);
        memcpy(row + plane, row, count * sizeof *row);
    }
}

/* Computes the results of up to GRID_RECIPE_MAX_INPUTS pointwise recipes at a box of
 * vertices into out[count], arrays of the patch's whole core. */
static void compute_rows(int count, const grid_recipe_use *uses, const grid_patch *patch,
                         const index_box *box, float *const *out)
{
    const derive_kernel *kernel = derive_kernels()[0];
    const index_box core = patch_core(patch);
    const bool are_alike = are_planes_alike(count, uses, patch, box);
    for (int k = 0; k < (are_alike ? 1 : box->n[2]); k++) {
        const derive_plane plane = {.at = {box->lo[0], box->lo[1], box->lo[2] + k},
                                    .count = box->n[0],
                                    .rows = box->n[1],
                                    .stride = (size_t)core.n[0]};
        float *first[GRID_RECIPE_MAX_INPUTS];
        for (int n = 0; n < count; n++) {
            first[n] = out[n] + box_index(&core, plane.at);
        }
        kernel->pointwise(count, uses, patch, &plane, first);
    }
    for (int n = 0; n < count && are_alike; n++) {
        copy_plane(&core, box, out[n]);
    }
}

/* Computes the results of a kind that needs gradients on a tile into `out`, an array of
 * the vertices of `box`. */
static void compute_slopes(tile *t, const index_box *box, float *out)
{
    const derive_kind kind = t->recipe->kind;
    const size_t results = (size_t)derive_results(kind);
    t->vertices = box_grow(&t->core, derive_reach(kind), derive_reach(kind), t->patch->n);
    if (t->averages) {
        derive_find_present_cells(t);
    }
    derive_fill_tile(t);
    index_box rows = t->core;
    int at[3];
    rows.n[0] = 1;
    for (bool more = box_start(&rows, at); more; more = box_advance(&rows, at)) {
        compute_row(t, at, out + results * box_index(box, at));
    }
}

/* The gradients of a formula on a tile, corrected. */
static void find_gradients(tile *t, const grid_correction *correction,
                           tile_gradients *out)
{
    const grid_recipe *recipe = t->recipe;
    for (int leaf = 0; leaf < derive_leaves(recipe); leaf++) {
        const grid_recipe gradients = derive_leaf(recipe, leaf);
        t->recipe = &gradients;
        compute_slopes(t, &t->core, out->values[leaf]);
        if (correction) {
            grid_patch part = *t->patch;
            memcpy(part.core_lo, t->core.lo, sizeof part.core_lo);
            memcpy(part.core_n, t->core.n, sizeof part.core_n);
            correction->gradients(correction->context, &part, leaf, out->values[leaf]);
        }
    }
    t->recipe = recipe;
}

/* Computes the results of a tile into `out`, the array of the patch's whole core. */
static void compute_tile(tile *t, const grid_correction *correction, float *out)
{
    const grid_patch *patch = t->patch;
    const index_box core = patch_core(patch);
    tile_gradients gradients;
    if (derive_is_gradient(t->recipe->kind)) {
        compute_slopes(t, &core, out);
        return;
    }
    find_gradients(t, correction, &gradients);
    t->vertices = t->core;
    if (t->averages) {
        derive_find_present_cells(t);
    }
    if (t->averages && has_rows(t) && derive_leaves(t->recipe) == 0) {
        const grid_recipe_use use = use_alone(t->recipe);
        compute_rows(1, &use, patch, &t->core, &out);
        return;
    }
    index_box rows = t->core;
    int at[3];
    rows.n[0] = 1;
    for (bool more = box_start(&rows, at); more; more = box_advance(&rows, at)) {
        store_row(t, &gradients, at, out + box_index(&core, at));
    }
}

static void compute_vertices(const derive_kernel *kernel, const grid_recipe *recipe,
                             const grid_patch *patch, const grid_correction *correction,
                             float *out)
{
    if (recipe->kind == DERIVE_COPY && recipe->locations[0] == GRID_VERTEX) {
        derive_copy_box(patch->inputs[0], sizeof *out, patch->n, patch->core_lo,
                        patch->core_n, out);
        return;
    }
    /* Tiles, numbered with i running fastest. */
    const int depth = derive_leaves(recipe) > 0 ? GRADIENTS_WIDTH : TILE_WIDTH;
    const int sides[3] = {TILE_LENGTH, TILE_WIDTH, depth};
    index_box tiles;
    for (int axis = 0; axis < 3; axis++) {
        tiles.lo[axis] = 0;
        tiles.n[axis] = (patch->core_n[axis] + sides[axis] - 1) / sides[axis];
    }
    tile t;
    t.recipe = recipe;
    t.patch = patch;
    t.kernel = kernel;
    t.averages = derive_has_input_at(recipe, GRID_CELL);
    memset(&t.slopes, 0, sizeof t.slopes); /* kernels read on behind a row, too */
    int number[3];
    for (bool more = box_start(&tiles, number); more;
         more = box_advance(&tiles, number)) {
        for (int axis = 0; axis < 3; axis++) {
            int done = number[axis] * sides[axis], left = patch->core_n[axis] - done;
            t.core.lo[axis] = patch->core_lo[axis] + done;
            t.core.n[axis] = left < sides[axis] ? left : sides[axis];
        }
        compute_tile(&t, correction, out);
    }
}

const derive_kernel *const *derive_kernels(void)
{
    static const derive_kernel *const all[] = {
#ifdef KARMAN_X86_KERNELS
        &derive_avx512, &derive_avx2,
#endif
        &derive_plain, NULL};
    return all + lanes_missing();
}

void derive_compute(const derive_kernel *kernel, const grid_recipe *recipe,
                    const grid_patch *patch, const grid_correction *correction,
                    float *out)
{
    if (grid_recipe_location(recipe) == GRID_CELL) {
        compute_cells(kernel, recipe, patch, out);
    } else {
        compute_vertices(kernel, recipe, patch, correction, out);
    }
}

void grid_recipe_compute_means(const grid_recipe *recipe, const grid_patch *patch,
                               const grid_correction *correction, float *out)
{
    grid_patch own = *patch;
    if (patch->data[0]) {
        own.x = patch->data[0];
        own.y = patch->data[1];
        own.z = patch->data[2];
    }
    derive_compute(derive_kernels()[0], recipe, &own, correction, out);
    if (correction && derive_leaves(recipe) == 0 &&
        grid_recipe_location(recipe) == GRID_VERTEX) {
        correction->results(correction->context, patch, out);
    }
}

void grid_recipe_compute(const grid_recipe *recipe, const grid_patch *patch, float *out)
{
    grid_recipe_compute_means(recipe, patch, NULL, out);
}

/* Whether recipes may be computed row by row, without tiles: they are pointwise, at
 * vertices, and all cells around these are present. */
static bool have_rows(int count, const grid_recipe_use *uses, const grid_patch *patch)
{
    bool all = !patch->x && patch->n[0] > 2 && patch->core_n[0] <= DERIVE_CORE_ROW &&
               count <= GRID_RECIPE_MAX_INPUTS;
    for (int n = 0; n < count && all; n++) {
        const grid_recipe *recipe = uses[n].recipe;
        all = grid_recipe_location(recipe) == GRID_VERTEX &&
              !derive_differentiates(recipe) && derive_has_input_at(recipe, GRID_CELL);
    }
    return all;
}

bool grid_recipe_planes_are_alike(int count, const grid_recipe_use *uses,
                                  const grid_patch *patch)
{
    const index_box core = patch_core(patch);
    return have_rows(count, uses, patch) && are_planes_alike(count, uses, patch, &core);
}

void grid_recipe_compute_all(int count, const grid_recipe_use *uses,
                             const grid_patch *patch, float *const *out)
{
    const index_box core = patch_core(patch);
    if (have_rows(count, uses, patch)) {
        compute_rows(count, uses, patch, &core, out);
        return;
    }
    for (int n = 0; n < count; n++) {
        grid_patch own = *patch;
        for (int i = 0; i < uses[n].recipe->ninputs; i++) {
            own.inputs[i] = patch->inputs[uses[n].inputs[i]];
        }
        grid_recipe_compute(uses[n].recipe, &own, out[n]);
    }
}
