/* The numbers of a recipe, computed on a patch. */
#include "derivation.h"
#include "recipe.h"

#include <string.h>

/* Results at vertices are computed tile by tile. All data of a tile fits into fixed
 * arrays on the stack (120 KiB). Cells are averaged to vertices once instead of once for
 * each stencil that uses them. Two tiles span a brick's vertices. */
enum {
    TILE_CORE = (GRID_BRICK_CELLS + 2) / 2,
    TILE_SIDE = TILE_CORE + 2 * DERIVE_REACH,
    TILE_VERTICES = TILE_SIDE * TILE_SIDE * TILE_SIDE,
    TILE_CELLS = (TILE_SIDE + 1) * (TILE_SIDE + 1) * (TILE_SIDE + 1)
};

/* Number of quantities to differentiate at a vertex: x, y, z, then the velocity or the
 * density. */
enum { QUANTITIES = 6 };

/* A half-open box of vertices or cells, in indices of the patch. */
typedef struct index_box {
    int lo[3], n[3];
} index_box;

typedef struct tile {
    const grid_recipe *recipe;
    const grid_patch *patch;
    bool averages;      /* some inputs live in cells and are averaged to vertices */
    index_box core;     /* vertices at which results are wanted */
    index_box vertices; /* the core and the vertices that stencils reach, cut at the ends
                           of the patch */
    index_box cells;    /* all cells around the vertices */
    bool is_whole;      /* all of them are present */
    uint8_t present[TILE_CELLS];
    uint8_t usable[TILE_VERTICES]; /* stencils may use this vertex */
    double value[TILE_VERTICES][QUANTITIES];
} tile;

static size_t box_index(const index_box *box, const int at[3])
{
    size_t i = (size_t)(at[0] - box->lo[0]), j = (size_t)(at[1] - box->lo[1]);
    size_t k = (size_t)(at[2] - box->lo[2]);
    return (k * (size_t)box->n[1] + j) * (size_t)box->n[0] + i;
}

static bool box_holds(const index_box *box, const int at[3])
{
    for (int axis = 0; axis < 3; axis++) {
        if (at[axis] < box->lo[axis] || at[axis] >= box->lo[axis] + box->n[axis]) {
            return false;
        }
    }
    return true;
}

/*
 * Visits all places of a box, i running fastest:
 *     for (bool more = box_start(&box, at); more; more = box_advance(&box, at))
 */
static bool box_start(const index_box *box, int at[3])
{
    memcpy(at, box->lo, sizeof box->lo);
    return box->n[0] > 0 && box->n[1] > 0 && box->n[2] > 0;
}

static bool box_advance(const index_box *box, int at[3])
{
    for (int axis = 0; axis < 3; axis++) {
        if (++at[axis] < box->lo[axis] + box->n[axis]) {
            return true;
        }
        at[axis] = box->lo[axis];
    }
    return false;
}

/* The box with these numbers of layers added below and above, cut to [0, limit). */
static index_box box_grow(const index_box *box, int below, int above, const int limit[3])
{
    index_box grown;
    for (int axis = 0; axis < 3; axis++) {
        int lo = box->lo[axis] - below, hi = box->lo[axis] + box->n[axis] + above;
        grown.lo[axis] = lo < 0 ? 0 : lo;
        grown.n[axis] = (hi > limit[axis] ? limit[axis] : hi) - grown.lo[axis];
    }
    return grown;
}

static index_box patch_vertices(const grid_patch *patch)
{
    return (index_box){{0, 0, 0}, {patch->n[0], patch->n[1], patch->n[2]}};
}

static index_box patch_cells(const grid_patch *patch)
{
    return (index_box){{0, 0, 0}, {patch->n[0] - 1, patch->n[1] - 1, patch->n[2] - 1}};
}

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

/* ---- from cells to vertices ------------------------------------------------------- */

/* Whether a vertex is in the grid: it is not blanked, and its coordinates are valid. */
static bool vertex_exists(const grid_patch *patch, size_t index)
{
    return (patch->blanked == NULL || patch->blanked[index] != GRID_POINT_BLANKED) &&
           fabsf(patch->x[index]) <= GRID_FARTHEST &&
           fabsf(patch->y[index]) <= GRID_FARTHEST &&
           fabsf(patch->z[index]) <= GRID_FARTHEST;
}

static bool cell_is_present(const grid_patch *patch, const int cell[3])
{
    const index_box all = patch_vertices(patch);
    for (int corner = 0; corner < 8; corner++) {
        const int at[3] = {cell[0] + (corner & 1), cell[1] + (corner >> 1 & 1),
                           cell[2] + (corner >> 2)};
        if (!vertex_exists(patch, box_index(&all, at))) {
            return false;
        }
    }
    return true;
}

static void find_present_cells(tile *t)
{
    const index_box all = patch_cells(t->patch);
    t->cells = box_grow(&t->vertices, 1, 0, all.n);
    size_t index = 0;
    int at[3];
    t->is_whole = true;
    if (!t->patch->x) {
        memset(t->present, 1, sizeof t->present);
        return;
    }
    for (bool more = box_start(&t->cells, at); more; more = box_advance(&t->cells, at)) {
        t->present[index] = cell_is_present(t->patch, at);
        t->is_whole = t->is_whole && t->present[index];
        index++;
    }
}

/* The present cells around a vertex, as indices of the patch. */
typedef struct surroundings {
    int count;
    size_t cells[8];
} surroundings;

static surroundings find_cells_around(const tile *t, const int vertex[3])
{
    const index_box all = patch_cells(t->patch);
    surroundings around = {.count = 0};
    for (int corner = 0; corner < 8; corner++) {
        const int at[3] = {vertex[0] - 1 + (corner & 1),
                           vertex[1] - 1 + (corner >> 1 & 1),
                           vertex[2] - 1 + (corner >> 2)};
        if (box_holds(&t->cells, at) && t->present[box_index(&t->cells, at)]) {
            around.cells[around.count++] = box_index(&all, at);
        }
    }
    return around;
}

/* Mean of a field over these cells; NaN without cells. */
static double average_cells(const float *field, const surroundings *around)
{
    double sum = 0.0;
    for (int cell = 0; cell < around->count; cell++) {
        sum += (double)field[around->cells[cell]];
    }
    return around->count > 0 ? sum / around->count : (double)NAN;
}

/* Values of the inputs at a vertex. False if cells are to be averaged but none is
 * present; those inputs are then NaN. */
static bool gather_inputs(const tile *t, const int vertex[3], double *inputs)
{
    const index_box all = patch_vertices(t->patch);
    const size_t index = box_index(&all, vertex);
    surroundings around = {.count = 0};
    if (t->averages) {
        around = find_cells_around(t, vertex);
    }
    for (int input = 0; input < t->recipe->ninputs; input++) {
        const float *field = t->patch->inputs[input];
        inputs[input] = t->recipe->locations[input] == GRID_CELL
                            ? average_cells(field, &around)
                            : (double)field[index];
    }
    return !t->averages || around.count > 0;
}

/* Whether a tile may be computed row by row. */
static bool has_rows(const tile *t)
{
    return t->averages && t->is_whole && !derive_is_gradient(t->recipe->kind) &&
           t->patch->n[0] > 2;
}

/* ---- derivatives ------------------------------------------------------------------ */

/* Fills in the quantities at a vertex; false if stencils must not use it. */
static bool find_quantities(const tile *t, const int vertex[3], double *value)
{
    const index_box all = patch_vertices(t->patch);
    size_t index = box_index(&all, vertex);
    double inputs[GRID_RECIPE_MAX_INPUTS];
    if (!vertex_exists(t->patch, index) || !gather_inputs(t, vertex, inputs)) {
        return false;
    }
    value[0] = (double)t->patch->x[index];
    value[1] = (double)t->patch->y[index];
    value[2] = (double)t->patch->z[index];
    if (t->recipe->kind == DERIVE_DENSITY_GRADIENT_MAGNITUDE ||
        t->recipe->kind == DERIVE_GRADIENT) {
        value[3] = t->recipe->kind == DERIVE_GRADIENT
                       ? inputs[0]
                       : derive_source_value(t->recipe, inputs, DERIVE_FROM_DENSITY);
        value[4] = value[5] = 0.0;
        return true;
    }
    for (int axis = 0; axis < 3; axis++) {
        value[3 + axis] = t->recipe->needs_velocity[axis]
                              ? derive_velocity(t->recipe, inputs, axis)
                              : 0.0;
    }
    return true;
}

static void fill_tile(tile *t)
{
    size_t index = 0;
    int at[3];
    for (bool more = box_start(&t->vertices, at); more;
         more = box_advance(&t->vertices, at)) {
        t->usable[index] = find_quantities(t, at, t->value[index]);
        index++;
    }
}

/* The quantities at the vertex `offset` steps along the axis from `at`; NULL if stencils
 * must not use it. */
static const double *neighbor(const tile *t, const int at[3], int axis, int offset)
{
    int there[3] = {at[0], at[1], at[2]};
    there[axis] += offset;
    if (!box_holds(&t->vertices, there)) {
        return NULL;
    }
    size_t index = box_index(&t->vertices, there);
    return t->usable[index] ? t->value[index] : NULL;
}

/* Derivatives of all quantities along an index axis. False if the vertex has no
 * neighbour.
 *
 *     -1   0   1   2
 *    -1/2     1/2        between two neighbours, second order
 *       -3/2  2  -1/2    beside an end, second order; mirrored at the other end
 *        -1   1          between two ends, or if stencils reach no farther */
static bool differentiate(const tile *t, const int at[3], int axis, double *slope)
{
    const double *before = neighbor(t, at, axis, -1), *after = neighbor(t, at, axis, 1);
    const double *here = t->value[box_index(&t->vertices, at)];
    if (before == NULL && after == NULL) {
        return false;
    }
    if (before != NULL && after != NULL) {
        for (int q = 0; q < QUANTITIES; q++) {
            slope[q] = 0.5 * (after[q] - before[q]);
        }
        return true;
    }
    const double *first = after != NULL ? after : before;
    const double sign = after != NULL ? 1.0 : -1.0;
    /* Beyond the reach, the vertex would exist in some tiles and not in others. */
    const double *second = derive_reach(t->recipe->kind) < 2
                               ? NULL
                               : neighbor(t, at, axis, after != NULL ? 2 : -2);
    for (int q = 0; q < QUANTITIES; q++) {
        double rise = first[q] - here[q];
        slope[q] =
            sign * (second == NULL ? rise : 2.0 * rise - 0.5 * (second[q] - here[q]));
    }
    return true;
}

static double edge_length(const double *slope)
{
    return vec3_length(vec3_make(slope[0], slope[1], slope[2]));
}

/* Replaces the slope along a collapsed edge, as at a pole. There the edge and the
 * differences along it are zero up to rounding. Towards the pole both vanish together, so
 * the slope at the neighbouring vertex off the pole is the limit. Linear fields stay
 * exact. */
static void leave_pole(const tile *t, const int at[3], int axis, double collapsed,
                       double *slope)
{
    for (int way = 0; way < 4; way++) {
        int across = (axis + 1 + way / 2) % 3, step = way % 2 == 0 ? 1 : -1;
        double there[QUANTITIES];
        int beside[3] = {at[0], at[1], at[2]};
        beside[across] += step;
        if (neighbor(t, at, across, step) != NULL &&
            differentiate(t, beside, axis, there) && edge_length(there) > collapsed) {
            memcpy(slope, there, sizeof there);
            return;
        }
    }
}

/* Derivatives along all index axes. False if a vertex has no neighbour along one. */
static bool find_slopes(const tile *t, const int at[3], double slope[3][QUANTITIES])
{
    /* Relative to the longest edge. It exceeds the rounding of float32 coordinates at a
     * pole. A cell that really is so thin has neighbours that are no wider, so its slope
     * stays. */
    const double thinnest = 1e-6;
    double longest = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        if (!differentiate(t, at, axis, slope[axis])) {
            return false;
        }
        longest = fmax(longest, edge_length(slope[axis]));
    }
    for (int axis = 0; axis < 3; axis++) {
        if (edge_length(slope[axis]) <= thinnest * longest) {
            leave_pole(t, at, axis, thinnest * longest, slope[axis]);
        }
    }
    return true;
}

/* Gradients of quantities 3 to 5 in physical space, by the inverse of the Jacobian. False
 * if the Jacobian is singular. gradient[q] solves
 *
 *     | dx/di dy/di dz/di |               | df/di |
 *     | dx/dj dy/dj dz/dj | gradient[q] = | df/dj |
 *     | dx/dk dy/dk dz/dk |               | df/dk | */
static bool find_gradients(const tile *t, const int at[3], vec3 gradient[3])
{
    double slope[3][QUANTITIES];
    if (!find_slopes(t, at, slope)) {
        return false;
    }
    vec3 edge[3], normal[3];
    double size = 1.0;
    for (int axis = 0; axis < 3; axis++) {
        edge[axis] = vec3_make(slope[axis][0], slope[axis][1], slope[axis][2]);
        size *= vec3_length(edge[axis]);
    }
    for (int axis = 0; axis < 3; axis++) {
        normal[axis] = vec3_cross(edge[(axis + 1) % 3], edge[(axis + 2) % 3]);
    }
    const double determinant = vec3_dot(edge[0], normal[0]);
    const double rounding = 1e-12; /* relative error of the determinant of edges that lie
                                      in one plane */
    if (!(fabs(determinant) > rounding * size)) {
        return false;
    }
    for (int q = 0; q < 3; q++) {
        vec3 sum = vec3_scale(normal[0], slope[0][3 + q]);
        sum = vec3_add(sum, vec3_scale(normal[1], slope[1][3 + q]));
        sum = vec3_add(sum, vec3_scale(normal[2], slope[2][3 + q]));
        gradient[q] = vec3_scale(sum, 1.0 / determinant);
    }
    return true;
}

static vec3 vorticity(const vec3 gradient[3])
{
    return vec3_make(gradient[2].v[1] - gradient[1].v[2],
                     gradient[0].v[2] - gradient[2].v[0],
                     gradient[1].v[0] - gradient[0].v[1]);
}

/* (|Omega|^2 - |S|^2) / 2, with the antisymmetric part Omega and the symmetric part S of
 * the velocity gradient. It equals -1/2 of the trace of the gradient's square. Hunt, Wray
 * and Moin, "Eddies, streams, and convergence zones in turbulent flows", CTR-S88,
 * 1988. */
static double q_criterion(const vec3 gradient[3])
{
    double trace = 0.0;
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++) {
            trace += gradient[row].v[column] * gradient[column].v[row];
        }
    }
    return -0.5 * trace;
}

static double gradient_value(const tile *t, const int at[3])
{
    vec3 gradient[3];
    if (!t->usable[box_index(&t->vertices, at)] || !find_gradients(t, at, gradient)) {
        return (double)NAN;
    }
    switch (t->recipe->kind) {
    case DERIVE_VORTICITY_X:
    case DERIVE_VORTICITY_Y:
    case DERIVE_VORTICITY_Z:
        return vorticity(gradient).v[t->recipe->kind - DERIVE_VORTICITY_X];
    case DERIVE_VORTICITY_MAGNITUDE:
        return vec3_length(vorticity(gradient));
    case DERIVE_Q_CRITERION:
        return q_criterion(gradient);
    default:
        return vec3_length(gradient[0]);
    }
}

/* Writes the gradient of the first input; zero if there is none. */
static void store_gradient(const tile *t, const int at[3], float out[3])
{
    const double most = 1e37; /* keeps differences of gradients finite */
    vec3 gradient[3];
    bool found =
        t->usable[box_index(&t->vertices, at)] && find_gradients(t, at, gradient);
    double scale = 1.0;
    for (int axis = 0; found && axis < 3; axis++) {
        const double size = fabs(gradient[0].v[axis]);
        scale = size * scale > most ? most / size : scale;
    }
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = found ? (float)(scale * gradient[0].v[axis]) : 0.0f;
        found = found && isfinite(out[axis]);
    }
    if (!found) {
        memset(out, 0, 3 * sizeof *out);
    }
}

/* ---- vertices --------------------------------------------------------------------- */

/* Writes the results at a vertex. */
static void store_results(const tile *t, const int at[3], float *out)
{
    if (t->recipe->kind == DERIVE_GRADIENT) {
        store_gradient(t, at, out);
    } else if (derive_is_gradient(t->recipe->kind)) {
        *out = derive_to_field(gradient_value(t, at));
    } else {
        double inputs[GRID_RECIPE_MAX_INPUTS];
        gather_inputs(t, at, inputs);
        *out = derive_to_field(derive_pointwise(t->recipe, inputs));
    }
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

/* Computes the results of up to GRID_RECIPE_MAX_INPUTS pointwise recipes at a box of
 * vertices into out[count], arrays of the patch's whole core. */
static void compute_rows(int count, const grid_recipe_use *uses, const grid_patch *patch,
                         const index_box *box, float *const *out)
{
    derive_row_kernel *const derive_row = derive_row_kernels()[0];
    const index_box core = patch_core(patch);
    index_box rows = *box;
    int at[3];
    rows.n[0] = 1;
    for (bool more = box_start(&rows, at); more; more = box_advance(&rows, at)) {
        float *row[GRID_RECIPE_MAX_INPUTS];
        for (int n = 0; n < count; n++) {
            row[n] = out[n] + box_index(&core, at);
        }
        derive_row(count, uses, patch, at, box->n[0], row);
    }
}

/* Computes the results of a tile into `out`, the array of the patch's whole core. */
static void compute_tile(tile *t, float *out)
{
    const grid_patch *patch = t->patch;
    const int reach = derive_reach(t->recipe->kind);
    const size_t results = (size_t)derive_results(t->recipe->kind);
    const index_box core = patch_core(patch);
    t->vertices = box_grow(&t->core, reach, reach, patch->n);
    if (t->averages) {
        find_present_cells(t);
    }
    if (derive_is_gradient(t->recipe->kind)) {
        fill_tile(t);
    }
    int at[3];
    if (has_rows(t)) {
        const grid_recipe_use use = use_alone(t->recipe);
        compute_rows(1, &use, patch, &t->core, &out);
        return;
    }
    for (bool more = box_start(&t->core, at); more; more = box_advance(&t->core, at)) {
        store_results(t, at, out + results * box_index(&core, at));
    }
}

static void compute_vertices(const grid_recipe *recipe, const grid_patch *patch,
                             float *out)
{
    if (recipe->kind == DERIVE_COPY && recipe->locations[0] == GRID_VERTEX) {
        derive_copy_box(patch->inputs[0], sizeof *out, patch->n, patch->core_lo,
                        patch->core_n, out);
        return;
    }
    /* Tiles, numbered with i running fastest. */
    index_box tiles;
    for (int axis = 0; axis < 3; axis++) {
        tiles.lo[axis] = 0;
        tiles.n[axis] = (patch->core_n[axis] + TILE_CORE - 1) / TILE_CORE;
    }
    tile t;
    t.recipe = recipe;
    t.patch = patch;
    t.averages = derive_has_input_at(recipe, GRID_CELL);
    int number[3];
    for (bool more = box_start(&tiles, number); more;
         more = box_advance(&tiles, number)) {
        for (int axis = 0; axis < 3; axis++) {
            int done = number[axis] * TILE_CORE, left = patch->core_n[axis] - done;
            t.core.lo[axis] = patch->core_lo[axis] + done;
            t.core.n[axis] = left < TILE_CORE ? left : TILE_CORE;
        }
        compute_tile(&t, out);
    }
}

void grid_recipe_compute(const grid_recipe *recipe, const grid_patch *patch, float *out)
{
    if (grid_recipe_location(recipe) == GRID_CELL) {
        compute_cells(recipe, patch, out);
    } else {
        compute_vertices(recipe, patch, out);
    }
}

/* Whether recipes may be computed row by row, without tiles: they are pointwise, at
 * vertices, and all cells around these are present. */
static bool have_rows(int count, const grid_recipe_use *uses, const grid_patch *patch)
{
    bool all = !patch->x && patch->n[0] > 2 && patch->core_n[0] <= GRID_BRICK_CELLS + 2 &&
               count <= GRID_RECIPE_MAX_INPUTS;
    for (int n = 0; n < count && all; n++) {
        const grid_recipe *recipe = uses[n].recipe;
        all = grid_recipe_location(recipe) == GRID_VERTEX &&
              !derive_is_gradient(recipe->kind) && derive_has_input_at(recipe, GRID_CELL);
    }
    return all;
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
