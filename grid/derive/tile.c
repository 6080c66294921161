/* What a tile has at its vertices: which of them exist, and the quantities that are
 * differentiated. */
#include "tile.h"

enum { CACHE_LINE = 64 }; /* bytes */

/* ---- Cells ------------------------------------------------------------------------- */

/* Sets present[i] to whether cell i of a row is present. exist: of the row's first
 * vertex. */
static void mark_cells(const uint8_t *exist, size_t row, size_t plane, int count,
                       uint8_t *present)
{
    const uint8_t *a = exist, *b = a + row, *c = a + plane, *d = c + row;
    for (int i = 0; i < count; i++) {
        present[i] =
            a[i] & a[i + 1] & b[i] & b[i + 1] & c[i] & c[i + 1] & d[i] & d[i + 1];
    }
}

static bool are_all(const uint8_t *flags, size_t count)
{
    return memchr(flags, 0, count) == NULL;
}

static size_t box_count(const index_box *box)
{
    return (size_t)box->n[0] * (size_t)box->n[1] * (size_t)box->n[2];
}

/* Finds which vertices of a box exist: exist[box]. */
static void find_existing(const tile *t, const index_box *box, uint8_t *exist)
{
    const index_box all = patch_vertices(t->patch);
    index_box rows = *box;
    int at[3];
    rows.n[0] = 1;
    for (bool more = box_start(&rows, at); more; more = box_advance(&rows, at)) {
        t->kernel->exist(t->patch, box_index(&all, at), box->n[0],
                         exist + box_index(box, at));
    }
}

void derive_find_present_cells(tile *t)
{
    const index_box all = patch_cells(t->patch);
    t->cells = box_grow(&t->vertices, 1, 0, all.n);
    t->is_whole = true;
    memset(t->present, 1, sizeof t->present);
    if (!t->patch->x) {
        return;
    }
    uint8_t exist[TILE_POINTS];
    const index_box points = box_grow(&t->cells, 0, 1, t->patch->n);
    find_existing(t, &points, exist);
    t->is_whole = are_all(exist, box_count(&points));
    index_box rows = t->cells;
    int at[3];
    rows.n[0] = t->is_whole ? 0 : 1;
    for (bool more = box_start(&rows, at); more; more = box_advance(&rows, at)) {
        mark_cells(exist + box_index(&points, at), (size_t)points.n[0],
                   (size_t)points.n[0] * (size_t)points.n[1], t->cells.n[0],
                   t->present + box_index(&t->cells, at));
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

bool derive_gather_inputs(const tile *t, const int vertex[3], double *inputs)
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

/* ---- Quantities -------------------------------------------------------------------- */

/* A quantity from the values of the inputs at a point. */
static double find_quantity(const tile *t, const double *inputs, int n)
{
    const derive_parts parts = t->recipe->quantity[n];
    const double *slots[PROGRAM_SLOTS] = {NULL};
    double result;
    if (parts.program < 0) {
        return parts.per < 0 ? inputs[parts.input]
                             : inputs[parts.input] / inputs[parts.per];
    }
    for (int input = 0; input < t->recipe->ninputs; input++) {
        slots[input] = &inputs[input];
    }
    t->kernel->evaluate(&t->recipe->formula->quantity[parts.program], 1, slots, &result);
    return result;
}

/* Fills in the quantities at a vertex; marks it as one that stencils must not use if it
 * has none. */
static void find_quantities(tile *t, const int vertex[3])
{
    const size_t index = box_index(&t->vertices, vertex);
    double inputs[GRID_RECIPE_MAX_INPUTS];
    t->usable[index] &= derive_gather_inputs(t, vertex, inputs);
    for (int n = 0; n < DERIVE_QUANTITIES; n++) {
        if (derive_needs(t->recipe, n) && !derive_field(t, n)) {
            t->value[n][index] = find_quantity(t, inputs, n);
        }
    }
}

/* Fills in the quantities at a row of vertices. */
static void fill_row(tile *t, const int at[3])
{
    const size_t index = box_index(&t->vertices, at);
    double *out[DERIVE_QUANTITIES];
    for (int n = 0; n < DERIVE_QUANTITIES; n++) {
        const bool is_own = derive_needs(t->recipe, n) && !derive_field(t, n);
        out[n] = is_own ? t->value[n] + index : NULL;
    }
    t->kernel->quantities(t->recipe, t->patch, at, t->vertices.n[0], out);
}

/* Whether a tile has to compute quantities. */
static bool has_own(const tile *t)
{
    bool any = t->averages;
    for (int n = 0; n < DERIVE_QUANTITIES; n++) {
        any = any || (derive_needs(t->recipe, n) && !derive_field(t, n));
    }
    return any;
}

/* Computes the quantities at all vertices of a tile. */
static void fill_values(tile *t)
{
    const bool has_rows = !t->averages || (t->is_whole && t->patch->n[0] > 2);
    index_box rows = t->vertices;
    int at[3];
    rows.n[0] = has_rows ? 1 : rows.n[0];
    for (bool more = box_start(&rows, at); more; more = box_advance(&rows, at)) {
        if (has_rows) {
            fill_row(t, at);
        } else {
            find_quantities(t, at);
        }
    }
}

/* Asks for the coordinates and fields of a tile, which are in no cache: rows of a few
 * lines, each far from the next. */
static void prefetch(const tile *t)
{
    const index_box all = patch_vertices(t->patch);
    const float *arrays[3 + DERIVE_QUANTITIES] = {t->patch->x, t->patch->y, t->patch->z};
    int count = 3;
    for (int n = 0; n < DERIVE_QUANTITIES; n++) {
        const float *field = derive_needs(t->recipe, n) ? derive_field(t, n) : NULL;
        arrays[count] = field;
        count += field != NULL;
    }
    index_box rows = t->vertices;
    int at[3];
    rows.n[0] = 1;
    for (bool more = box_start(&rows, at); more; more = box_advance(&rows, at)) {
        const size_t first = box_index(&all, at), length = (size_t)t->vertices.n[0];
        for (int n = 0; n < count; n++) {
            for (size_t i = 0; i < length; i += CACHE_LINE / sizeof(float)) {
                __builtin_prefetch(arrays[n] + first + i);
            }
            __builtin_prefetch(arrays[n] + first + length - 1);
        }
    }
}

void derive_fill_tile(tile *t)
{
    prefetch(t);
    find_existing(t, &t->vertices, t->usable);
    if (has_own(t)) {
        fill_values(t);
    }
    t->is_usable = are_all(t->usable, box_count(&t->vertices));
}
