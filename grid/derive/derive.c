/* The numbers of a recipe, computed on a patch. */
#include "base/lanes/choose.h"
#include "derivation.h"
#include "grid/recipe.h"
#include "tile.h"

#include <string.h>

/* ---- in cells ---------------------------------------------------------------------- */

static void compute_cells(const grid_recipe *recipe, const grid_patch *patch, float *out)
{
    const index_box all = patch_cells(patch);
    index_box core;
    for (int axis = 0; axis < 3; axis++) {
        core.lo[axis] = patch->core_lo[axis];
        core.n[axis] = patch->core_n[axis] - 1;
    }
    int at[3];
    for (bool more = box_start(&core, at); more; more = box_advance(&core, at)) {
        double inputs[GRID_RECIPE_MAX_INPUTS];
        for (int input = 0; input < recipe->ninputs; input++) {
            inputs[input] = (double)patch->inputs[input][box_index(&all, at)];
        }
        *out++ = derive_to_field(derive_pointwise(recipe, inputs));
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

/* Whether a tile may be computed row by row. */
static bool has_rows(const tile *t)
{
    return t->averages && t->is_whole && !derive_is_gradient(t->recipe->kind) &&
           t->patch->n[0] > 2;
}

/* ---- vertices --------------------------------------------------------------------- */

/* Writes the result of a pointwise recipe at a vertex. */
static void store_result(const tile *t, const int at[3], float *out)
{
    double inputs[GRID_RECIPE_MAX_INPUTS];
    derive_gather_inputs(t, at, inputs);
    *out = derive_to_field(derive_pointwise(t->recipe, inputs));
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

/* Computes the results of a tile into `out`, the array of the patch's whole core. */
static void compute_tile(tile *t, float *out)
{
    const grid_patch *patch = t->patch;
    const derive_kind kind = t->recipe->kind;
    const bool is_gradient = derive_is_gradient(kind);
    const size_t results = (size_t)derive_results(kind);
    const index_box core = patch_core(patch);
    t->vertices = box_grow(&t->core, derive_reach(kind), derive_reach(kind), patch->n);
    if (t->averages) {
        derive_find_present_cells(t);
    }
    if (has_rows(t)) {
        const grid_recipe_use use = use_alone(t->recipe);
        compute_rows(1, &use, patch, &t->core, &out);
        return;
    }
    index_box places = t->core;
    int at[3];
    if (is_gradient) {
        derive_fill_tile(t);
        places.n[0] = 1;
    }
    for (bool more = box_start(&places, at); more; more = box_advance(&places, at)) {
        float *to = out + results * box_index(&core, at);
        if (is_gradient) {
            compute_row(t, at, to);
        } else {
            store_result(t, at, to);
        }
    }
}

static void compute_vertices(const derive_kernel *kernel, const grid_recipe *recipe,
                             const grid_patch *patch, float *out)
{
    if (recipe->kind == DERIVE_COPY && recipe->locations[0] == GRID_VERTEX) {
        derive_copy_box(patch->inputs[0], sizeof *out, patch->n, patch->core_lo,
                        patch->core_n, out);
        return;
    }
    /* Tiles, numbered with i running fastest. */
    const int sides[3] = {TILE_LENGTH, TILE_WIDTH, TILE_WIDTH};
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
    int number[3];
    for (bool more = box_start(&tiles, number); more;
         more = box_advance(&tiles, number)) {
        for (int axis = 0; axis < 3; axis++) {
            int done = number[axis] * sides[axis], left = patch->core_n[axis] - done;
            t.core.lo[axis] = patch->core_lo[axis] + done;
            t.core.n[axis] = left < sides[axis] ? left : sides[axis];
        }
        compute_tile(&t, out);
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
                    const grid_patch *patch, float *out)
{
    if (grid_recipe_location(recipe) == GRID_CELL) {
        compute_cells(recipe, patch, out);
    } else {
        compute_vertices(kernel, recipe, patch, out);
    }
}

void grid_recipe_compute(const grid_recipe *recipe, const grid_patch *patch, float *out)
{
    grid_patch own = *patch;
    if (patch->data[0]) {
        own.x = patch->data[0];
        own.y = patch->data[1];
        own.z = patch->data[2];
    }
    derive_compute(derive_kernels()[0], recipe, &own, out);
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
              !derive_is_gradient(recipe->kind) && derive_has_input_at(recipe, GRID_CELL);
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
