#include "patches.h"

#include "support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

static grid_terms air = {.gamma = 1.4, .gas_constant = 287.0};

void define_fields(int count, const grid_definition *definitions)
{
    air.ndefinitions = count;
    air.definitions = definitions;
}

size_t count3(const int n[3])
{
    return (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
}

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size);
    assert_non_null(memory);
    return memory;
}

block create_block(int ni, int nj, int nk)
{
    block b = {.n = {ni, nj, nk}};
    for (int axis = 0; axis < 3; axis++) {
        b.x[axis] = allocate(count3(b.n), sizeof(float));
    }
    b.blanked = allocate(count3(b.n), 1);
    return b;
}

void destroy_block(block *b)
{
    for (int axis = 0; axis < 3; axis++) {
        free(b->x[axis]);
    }
    free(b->blanked);
    for (int field = 0; field < b->nfields; field++) {
        free(b->values[field]);
    }
}

float *add_field(block *b, const char *name, grid_location location)
{
    assert_true(b->nfields < MOST_FIELDS);
    int less = location == GRID_CELL;
    const int n[3] = {b->n[0] - less, b->n[1] - less, b->n[2] - less};
    grid_field *field = &b->fields[b->nfields];
    strncpy(field->name, name, GRID_NAME_SIZE - 1);
    field->location = location;
    b->values[b->nfields] = allocate(count3(n), sizeof(float));
    return b->values[b->nfields++];
}

size_t index3(const int n[3], int i, int j, int k)
{
    return ((size_t)k * (size_t)n[1] + (size_t)j) * (size_t)n[0] + (size_t)i;
}

/* Index of the vertex in the block that index i of a patch, which may run over the ends
 * of a closed axis, stands for; the plane that is there twice is skipped. */
static int wrap(const block *b, int i)
{
    int period = b->n[0] - 1;
    if (b->closed_i && i < 0) {
        return i + period;
    }
    return b->closed_i && i > period ? i - period : i;
}

/* Copies [lo, lo + n) of an array with n_block values along the axes into out; a closed
 * axis wraps around. `size` bytes a value. */
static void copy_box(const block *b, const int n_block[3], const void *from, size_t size,
                     const int lo[3], const int n[3], void *out)
{
    char *to = out;
    for (int k = 0; k < n[2]; k++) {
        for (int j = 0; j < n[1]; j++) {
            for (int i = 0; i < n[0]; i++, to += size) {
                int from_i = wrap(b, lo[0] + i);
                from_i = from_i == n_block[0]
                             ? 0
                             : from_i; /* cells: the period is their count */
                size_t index = index3(n_block, from_i, lo[1] + j, lo[2] + k);
                memcpy(to, (const char *)from + index * size, size);
            }
        }
    }
}

/* The box [lo, lo + n) of vertices: the core with layers around it, as far as the block
 * goes. */
static void place_patch(const block *b, const int core_lo[3], const int core_n[3],
                        int layers, int lo[3], grid_patch *patch)
{
    for (int axis = 0; axis < 3; axis++) {
        int first = core_lo[axis] - layers, end = core_lo[axis] + core_n[axis] + layers;
        if (axis > 0 || !b->closed_i) {
            first = first < 0 ? 0 : first;
            end = end > b->n[axis] ? b->n[axis] : end;
        }
        lo[axis] = first;
        patch->n[axis] = end - first;
        patch->core_lo[axis] = core_lo[axis] - first;
        patch->core_n[axis] = core_n[axis];
    }
}

cut_patch cut(const block *b, const grid_recipe *recipe, const int core_lo[3],
              const int core_n[3], int layers)
{
    cut_patch c = {.blanked = NULL};
    int lo[3];
    place_patch(b, core_lo, core_n, layers, lo, &c.patch);
    const int *n = c.patch.n;
    for (int axis = 0; axis < 3; axis++) {
        c.x[axis] = allocate(count3(n), sizeof(float));
        copy_box(b, b->n, b->x[axis], sizeof(float), lo, n, c.x[axis]);
    }
    c.patch.x = c.x[0];
    c.patch.y = c.x[1];
    c.patch.z = c.x[2];
    c.patch.blanked = c.blanked = allocate(count3(n), 1);
    copy_box(b, b->n, b->blanked, 1, lo, n, c.blanked);
    for (int input = 0; input < grid_recipe_input_count(recipe); input++) {
        int field = grid_recipe_input(recipe, input);
        int less = b->fields[field].location == GRID_CELL;
        const int from_n[3] = {b->n[0] - less, b->n[1] - less, b->n[2] - less};
        const int to_n[3] = {n[0] - less, n[1] - less, n[2] - less};
        c.inputs[input] = allocate(count3(to_n), sizeof(float));
        copy_box(b, from_n, b->values[field], sizeof(float), lo, to_n, c.inputs[input]);
        c.patch.inputs[input] = c.inputs[input];
    }
    return c;
}

void free_patch(cut_patch *c)
{
    for (int axis = 0; axis < 3; axis++) {
        free(c->x[axis]);
    }
    free(c->blanked);
    for (int input = 0; input < GRID_RECIPE_MAX_INPUTS; input++) {
        free(c->inputs[input]);
    }
}

grid_recipe *create_recipe(const block *b, const char *name)
{
    grid_recipe *recipe = NULL;
    base_fail_set_message("");
    if (grid_recipe_create(name, b->nfields, b->fields, air, &recipe) != STATUS_OK) {
        fail_msg("%s: expected a recipe, got: %s", name, base_fail_message());
    }
    return recipe;
}

float *compute_box(const block *b, const char *name, const int core_lo[3],
                   const int core_n[3], int more_layers)
{
    grid_recipe *recipe = create_recipe(b, name);
    int layers = grid_recipe_ghost_layers(recipe) + more_layers;
    cut_patch c = cut(b, recipe, core_lo, core_n, layers);
    float *out = allocate(count3(core_n), sizeof *out);
    grid_recipe_compute(recipe, &c.patch, out);
    free_patch(&c);
    grid_recipe_destroy(&recipe);
    return out;
}

float *compute(const block *b, const char *name)
{
    return compute_box(b, name, (const int[3]){0, 0, 0}, b->n, 0);
}

/* ---- grids and fields ------------------------------------------------------------- */

void place_vertices(block *b, place_vertex *place)
{
    size_t v = 0;
    for (int k = 0; k < b->n[2]; k++) {
        for (int j = 0; j < b->n[1]; j++) {
            for (int i = 0; i < b->n[0]; i++, v++) {
                const double u[3] = {(double)i / (b->n[0] - 1), (double)j / (b->n[1] - 1),
                                     (double)k / (b->n[2] - 1)};
                double p[3];
                place(u, p);
                for (int axis = 0; axis < 3; axis++) {
                    b->x[axis][v] = (float)p[axis];
                }
            }
        }
    }
}

void place_jittered(block *b, uint64_t *seed)
{
    size_t v = 0;
    for (int k = 0; k < b->n[2]; k++) {
        for (int j = 0; j < b->n[1]; j++) {
            for (int i = 0; i < b->n[0]; i++, v++) {
                const int at[3] = {i, j, k};
                for (int axis = 0; axis < 3; axis++) {
                    double step = (random_below(seed, 683) - 341) / 1024.0;
                    b->x[axis][v] = (float)(at[axis] + step);
                }
            }
        }
    }
}

void add_linear_velocity(block *b, double matrix[3][3])
{
    static const char *const names[3] = {"velocity_x", "velocity_y", "velocity_z"};
    for (int component = 0; component < 3; component++) {
        float *values = add_field(b, names[component], GRID_VERTEX);
        for (size_t v = 0; v < count3(b->n); v++) {
            double sum = 0.0;
            for (int axis = 0; axis < 3; axis++) {
                sum += matrix[component][axis] * (double)b->x[axis][v];
            }
            values[v] = (float)sum;
        }
    }
}

void expect_near(float actual, double expected, double tolerance, const char *what,
                 size_t at)
{
    if (!(fabs((double)actual - expected) <= tolerance)) {
        fail_msg("%s at %zu: expected %.9g, got %.9g", what, at, expected,
                 (double)actual);
    }
}

void expect_everywhere(const block *b, const char *name, double expected,
                       double tolerance)
{
    float *values = compute(b, name);
    for (size_t v = 0; v < count3(b->n); v++) {
        if (!b->blanked[v]) {
            expect_near(values[v], expected, tolerance, name, v);
        }
    }
    free(values);
}
