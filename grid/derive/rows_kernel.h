/* Results on rows of vertices. Each file that compiles them for an instruction set
 * includes this one once, with KERNEL and KERNEL_NAME defined. */
#include "derivation.h"
#include "grid/recipe.h"
#include "program_kernel.h"
#include "slopes_kernel.h"

#ifdef __AVX512F__
#include <immintrin.h>
#endif

/* A row of vertices, and the rows of cells around it, in order. */
typedef struct vertex_row {
    int count, rows;
    bool left, right; /* the first vertex has cells before it, the last one behind it */
    size_t first;     /* index of the first vertex */
    size_t cells[4];  /* indices of the cells behind the first vertex */
} vertex_row;

/* The arrays of x, y and z from some vertex on. */
typedef struct points {
    const float *x, *y, *z;
} points;

/* Index in a box of n vertices or cells. */
static size_t index_in(const int n[3], int i, int j, int k)
{
    return ((size_t)k * (size_t)n[1] + (size_t)j) * (size_t)n[0] + (size_t)i;
}

static vertex_row find_row(const grid_patch *patch, const int at[3], int count)
{
    const int cells[3] = {patch->n[0] - 1, patch->n[1] - 1, patch->n[2] - 1};
    vertex_row row = {.count = count,
                      .left = at[0] > 0,
                      .right = at[0] + count <= cells[0],
                      .first = index_in(patch->n, at[0], at[1], at[2])};
    for (int side = 0; side < 4; side++) {
        const int j = at[1] - 1 + (side & 1), k = at[2] - 1 + (side >> 1);
        if (j >= 0 && j < cells[1] && k >= 0 && k < cells[2]) {
            row.cells[row.rows++] = index_in(cells, at[0], j, k);
        }
    }
    return row;
}

/* Means at the vertices from `begin` to `end`, which have cells on both sides in all four
 * rows. */
static void average_four(const vertex_row *row, const float *restrict field, int begin,
                         int end, double *restrict mean)
{
    const float *a = field + row->cells[0], *b = field + row->cells[1];
    const float *c = field + row->cells[2], *d = field + row->cells[3];
    for (int i = begin; i < end; i++) {
        const double low =
            0.0 + (double)a[i - 1] + (double)a[i] + (double)b[i - 1] + (double)b[i];
        mean[i] = 0.125 * (low + (double)c[i - 1] + (double)c[i] + (double)d[i - 1] +
                           (double)d[i]);
    }
}

/* The same in the only two rows, as in a grid that is one cell deep. */
static void average_two(const vertex_row *row, const float *restrict field, int begin,
                        int end, double *restrict mean)
{
    const float *a = field + row->cells[0], *b = field + row->cells[1];
    for (int i = begin; i < end; i++) {
        mean[i] = 0.25 * (0.0 + (double)a[i - 1] + (double)a[i] + (double)b[i - 1] +
                          (double)b[i]);
    }
}

/* The same in the only row, as at the sides of such a grid. */
static void average_single(const vertex_row *row, const float *restrict field, int begin,
                           int end, double *restrict mean)
{
    const float *a = field + row->cells[0];
    for (int i = begin; i < end; i++) {
        mean[i] = 0.5 * (0.0 + (double)a[i - 1] + (double)a[i]);
    }
}

/* The mean at one vertex. */
static double average_one(const vertex_row *row, const float *field, int i, bool left,
                          bool right)
{
    double sum = 0.0;
    for (int n = 0; n < row->rows; n++) {
        const float *cell = field + row->cells[n];
        sum += left ? (double)cell[i - 1] : 0.0;
        sum += right ? (double)cell[i] : 0.0;
    }
    return sum / (row->rows * (left + right));
}

/* Means over the cells around the vertices, added in the order of their indices. */
static void average_row(const vertex_row *row, const float *field, double *mean)
{
    const int begin = row->left ? 0 : 1, last = row->count - 1;
    const int end = row->right ? row->count : last;
    if (row->rows == 4) {
        average_four(row, field, begin, end, mean);
    } else if (row->rows == 2) {
        average_two(row, field, begin, end, mean);
    } else if (row->rows == 1) {
        average_single(row, field, begin, end, mean);
    }
    if (!row->left) {
        mean[0] = average_one(row, field, 0, false, true);
    }
    if (!row->right) {
        mean[last] = average_one(row, field, last, true, false);
    }
}

/* Values of an input of a patch at a row of vertices. */
static void fill_input(const vertex_row *row, const float *field, grid_location location,
                       double *restrict values)
{
    if (location == GRID_CELL) {
        average_row(row, field, values);
        return;
    }
    for (int i = 0; i < row->count; i++) {
        values[i] = (double)field[row->first + (size_t)i];
    }
}

/* The result of a recipe from the values of its inputs: inputs[n][count]. */
static void derive_values(const grid_recipe *recipe, int count,
                          const double *const *inputs, float *restrict out)
{
    const double *slots[PROGRAM_SLOTS] = {NULL};
    double values[DERIVE_ROW];
    const double *result = inputs[0];
    const derive_parts quotient = recipe->quotient;
    if (quotient.per >= 0) {
        const double *a = inputs[quotient.input], *b = inputs[quotient.per];
        for (int i = 0; i < count; i++) {
            out[i] = derive_to_field(a[i] / b[i]);
        }
        return;
    }
    if (recipe->kind == DERIVE_FORMULA) {
        memcpy(slots, inputs, (size_t)recipe->ninputs * sizeof *slots);
        evaluate(&recipe->formula->result, count, slots, values);
        result = values;
    }
    for (int i = 0; i < count; i++) {
        out[i] = derive_to_field(result[i]);
    }
}

/* Results at a row of vertices. */
static void pointwise_row(int nuses, const grid_recipe_use *uses, const grid_patch *patch,
                          const int at[3], int count, float *const *out)
{
    double values[GRID_RECIPE_MAX_INPUTS][DERIVE_ROW];
    bool is_filled[GRID_RECIPE_MAX_INPUTS] = {false};
    const vertex_row row = find_row(patch, at, count);
    for (int n = 0; n < nuses; n++) {
        const grid_recipe *recipe = uses[n].recipe;
        const double *inputs[GRID_RECIPE_MAX_INPUTS];
        for (int input = 0; input < recipe->ninputs; input++) {
            const int from = uses[n].inputs[input];
            if (!is_filled[from]) {
                fill_input(&row, patch->inputs[from], recipe->locations[input],
                           values[from]);
            }
            is_filled[from] = true;
            inputs[input] = values[from];
        }
        derive_values(recipe, row.count, inputs, out[n]);
    }
}

/* ---- Velocities in a plane of cells ------------------------------------------------ */

/* Vectors of an instruction set: numbers of each. */
#if defined __AVX512F__
enum { VECTOR = 8 };
#elif defined __AVX2__
enum { VECTOR = 4 };
#else
enum { VECTOR = 2 };
#endif
typedef double vdouble __attribute__((vector_size(8 * VECTOR)));
typedef float vsingle __attribute__((vector_size(4 * VECTOR)));
typedef uint32_t vbits __attribute__((vector_size(4 * VECTOR)));

enum {
    VELOCITIES = 3, /* components */
    DENSITY = 0,    /* of the sums; momenta follow */
    SUMS = 1 + VELOCITIES
};

/* Components of the velocity from cells of momenta and of the same density, among the
 * recipes of a patch that is one cell deep. */
typedef struct velocities {
    int count;
    const float *cells[SUMS]; /* of the patch */
    int use[VELOCITIES];      /* which recipes */
} velocities;

/* Adds a recipe; false if it is something else. */
static bool add_velocity(const grid_recipe_use *use, int number, const grid_patch *patch,
                         velocities *v)
{
    const grid_recipe *recipe = use->recipe;
    if (v->count == VELOCITIES || recipe->quotient.per < 0 ||
        derive_has_input_at(recipe, GRID_VERTEX)) {
        return false;
    }
    const int momentum = recipe->quotient.input;
    const float *density = patch->inputs[use->inputs[recipe->quotient.per]];
    if (v->count > 0 && v->cells[DENSITY] != density) {
        return false;
    }
    v->cells[DENSITY] = density;
    v->use[v->count++] = number;
    v->cells[v->count] = patch->inputs[use->inputs[momentum]];
    return true;
}

/* Whether all cells are zero, without a sign. */
static bool are_zero(const float *cells, size_t count)
{
    enum { PART = 512 }; /* another field than zero shows in the first one */
    uint32_t any = 0;
    for (size_t first = 0; first < count && any == 0; first += PART) {
        const size_t end = first + PART < count ? first + PART : count;
#pragma omp simd reduction(| : any)
        for (size_t i = first; i < end; i++) {
            uint32_t bits;
            memcpy(&bits, &cells[i], sizeof bits);
            any |= bits;
        }
    }
    return any == 0;
}

/* Whether all cells are positive. */
static bool are_positive(const float *cells, size_t count)
{
    unsigned all = 1;
#pragma omp simd reduction(& : all)
    for (size_t i = 0; i < count; i++) {
        all &= (unsigned)(cells[i] > 0.0F);
    }
    return all;
}

/* The cells from one on, as many as a vector has numbers. */
IN_LOOP vdouble load_cells(const float *cells)
{
#ifdef __AVX512F__
    /* GCC 12 makes two halves of the other one. */
    return (vdouble)_mm512_cvtps_pd(_mm256_loadu_ps(cells));
#else
    vsingle part;
    memcpy(&part, cells, sizeof part);
    return __builtin_convertvector(part, vdouble);
#endif
}

/* The cells before and behind each vertex, added. */
IN_LOOP vdouble add_pairs(const float *cells)
{
    return 0.0 + load_cells(cells - 1) + load_cells(cells);
}

/* The four cells around each vertex, added. *pairs: those below, and then those above,
 * which are at `cells`. */
IN_LOOP vdouble add_four(const float *cells, vdouble *pairs)
{
    const vdouble left = load_cells(cells - 1), right = load_cells(cells);
    const vdouble four = *pairs + left + right;
    *pairs = 0.0 + left + right;
    return four;
}

/* Bits of which the first is set if a number is infinite, or is none. */
IN_LOOP vbits note_infinite(vsingle a)
{
    const uint32_t size = 0x7fffffff, above_finite = 0x00800000;
    return ((vbits)a & size) + above_finite;
}

/* Stores quotients as float32. *infinite: note_infinite of any of them. */
IN_LOOP void store_quotients(vdouble a, vdouble b, float *to, vbits *infinite)
{
    const vsingle quotient = __builtin_convertvector(a / b, vsingle);
    *infinite |= note_infinite(quotient);
    memcpy(to, &quotient, sizeof quotient);
}

IN_LOOP bool is_any_infinite(vbits infinite)
{
    uint32_t any = 0;
    for (int n = 0; n < VECTOR; n++) {
        any |= infinite[n];
    }
    return any >> 31;
}

/* Rows of vertices with cells on both sides, the vertices from `begin` to `end` - 1 of
 * each. */
typedef struct inner_rows {
    int begin, end, first, rows;
    size_t cells; /* index of the cell above the first vertex */
    size_t width; /* from row to row of the cells */
} inner_rows;

/* The sum of the four cells around a vertex. */
static double add_around(const float *above, size_t width)
{
    const float *below = above - width;
    return 0.0 + (double)below[-1] + (double)below[0] + (double)above[-1] +
           (double)above[0];
}

/* The velocity at vertices of all rows, from the `at`-th on, one by one. */
static void divide_each(const inner_rows *r, const float *density, const float *momentum,
                        int at, size_t stride, float *out)
{
    for (int j = 0; j < r->rows; j++) {
        for (int i = at; i < at + VECTOR; i++) {
            const size_t cell = r->cells + (size_t)j * r->width + (size_t)i;
            out[(size_t)j * stride + (size_t)i] =
                derive_to_field(add_around(momentum + cell, r->width) /
                                add_around(density + cell, r->width));
        }
    }
}

/* The velocity at a vector of vertices of all rows: quotients of means are those of sums,
 * as a quarter of a number is exact. Pairs of cells are added once, for the rows of
 * vertices on both sides, and stay in registers. */
IN_LOOP void divide_vector(int count, const inner_rows *r, const float *const cells[],
                           int at, size_t stride, float *const out[])
{
    const size_t first = r->cells + (size_t)at;
    vdouble pairs[SUMS];
    vbits infinite = {0};
    for (int n = 0; n <= count; n++) {
        pairs[n] = add_pairs(cells[n] + first - r->width);
    }
    for (int j = 0; j < r->rows; j++) {
        const size_t cell = first + (size_t)j * r->width;
        const vdouble density = add_four(cells[DENSITY] + cell, &pairs[DENSITY]);
        for (int c = 0; c < count; c++) {
            const vdouble momentum = add_four(cells[1 + c] + cell, &pairs[1 + c]);
            store_quotients(momentum, density, out[c] + (size_t)j * stride + at,
                            &infinite);
        }
    }
    for (int c = 0; c < count && is_any_infinite(infinite); c++) {
        divide_each(r, cells[DENSITY], cells[1 + c], at, stride, out[c]);
    }
}

/* Velocities at rows: `count` of them, known to the compiler. The last vector of a row
 * overlaps another. */
IN_LOOP void divide_rows(int count, const inner_rows *r, const float *const cells[],
                         size_t stride, float *const out[])
{
    for (int i = r->begin; i < r->end; i += VECTOR) {
        const int at = i + VECTOR <= r->end ? i : r->end - VECTOR;
        divide_vector(count, r, cells, at, stride, out);
    }
}

/* Velocities at rows. A component is zero where all its momenta are. */
static void find_velocities(const velocities *v, const grid_patch *patch,
                            const inner_rows *r, size_t stride, float *const *out)
{
    const size_t all = (size_t)(patch->n[0] - 1) * (size_t)(patch->n[1] - 1);
    const float *cells[SUMS] = {v->cells[DENSITY]};
    float *to[VELOCITIES];
    int count = 0;
    for (int n = 0; n < v->count; n++) {
        float *first = out[v->use[n]] + (size_t)r->first * stride;
        if (are_zero(v->cells[1 + n], all) && are_positive(v->cells[DENSITY], all)) {
            for (int j = 0; j < r->rows; j++) {
                memset(first + r->begin + (size_t)j * stride, 0,
                       (size_t)(r->end - r->begin) * sizeof *first);
            }
            continue;
        }
        to[count] = first;
        cells[++count] = v->cells[1 + n];
    }
    if (count == 3) {
        divide_rows(3, r, cells, stride, to);
    } else if (count == 2) {
        divide_rows(2, r, cells, stride, to);
    } else if (count == 1) {
        divide_rows(1, r, cells, stride, to);
    }
}

/* ---- Pointwise results ------------------------------------------------------------- */

/* Vertices of a plane: `count` of row j, from the i-th on. */
typedef struct row_part {
    int i, j, count;
} row_part;

static void pointwise_part(int nuses, const grid_recipe_use *uses,
                           const grid_patch *patch, const derive_plane *plane,
                           row_part part, float *const *out)
{
    const int at[3] = {plane->at[0] + part.i, plane->at[1] + part.j, plane->at[2]};
    float *to[GRID_RECIPE_MAX_INPUTS];
    for (int n = 0; n < nuses; n++) {
        to[n] = out[n] + (size_t)part.j * plane->stride + part.i;
    }
    pointwise_row(nuses, uses, patch, at, part.count, to);
}

/* The rows of a plane that have cells on both sides; no rows if they are too short. */
static inner_rows find_inner(const grid_patch *patch, const derive_plane *plane)
{
    const int cells[2] = {patch->n[0] - 1, patch->n[1] - 1}, *at = plane->at;
    const int first = at[1] > 0 ? 0 : 1;
    const int end = at[1] + plane->rows <= cells[1] ? plane->rows : plane->rows - 1;
    inner_rows r = {.begin = at[0] > 0 ? 0 : 1,
                    .end = at[0] + plane->count <= cells[0] ? plane->count
                                                            : plane->count - 1,
                    .first = first,
                    .rows = end - first,
                    .width = (size_t)cells[0]};
    r.cells = (size_t)(at[1] + first) * r.width + (size_t)at[0];
    if (patch->n[2] > 2 || r.end - r.begin < VECTOR || r.rows < 0) {
        r.rows = 0;
    }
    return r;
}

static void pointwise(int nuses, const grid_recipe_use *uses, const grid_patch *patch,
                      const derive_plane *plane, float *const *out)
{
    inner_rows inner = find_inner(patch, plane);
    velocities v = {.count = 0};
    grid_recipe_use others[GRID_RECIPE_MAX_INPUTS];
    float *to[GRID_RECIPE_MAX_INPUTS];
    int nothers = 0;
    for (int n = 0; n < nuses && inner.rows > 0; n++) {
        if (!add_velocity(&uses[n], n, patch, &v)) {
            others[nothers] = uses[n];
            to[nothers++] = out[n];
        }
    }
    for (int j = 0; j < plane->rows; j++) {
        if (v.count == 0 || j < inner.first || j >= inner.first + inner.rows) {
            pointwise_part(nuses, uses, patch, plane, (row_part){0, j, plane->count},
                           out);
            continue;
        }
        if (nothers > 0) {
            pointwise_part(nothers, others, patch, plane, (row_part){0, j, plane->count},
                           to);
        }
        if (inner.begin > 0) {
            pointwise_part(nuses, uses, patch, plane, (row_part){0, j, 1}, out);
        }
        if (inner.end < plane->count) {
            pointwise_part(nuses, uses, patch, plane, (row_part){inner.end, j, 1}, out);
        }
    }
    if (v.count > 0) {
        find_velocities(&v, patch, &inner, plane->stride, out);
    }
}

/* ---- What gradients are made from ---------------------------------------------------
 */

static inline int is_valid(points p, int i)
{
    return (fabsf(p.x[i]) <= GRID_FARTHEST) & (fabsf(p.y[i]) <= GRID_FARTHEST) &
           (fabsf(p.z[i]) <= GRID_FARTHEST);
}

static void exist(const grid_patch *patch, size_t first, int count, uint8_t *out)
{
    const points p = {patch->x + first, patch->y + first, patch->z + first};
    unsigned all = 1;
#pragma omp simd reduction(& : all)
    for (int i = 0; i < count; i++) {
        all &= (unsigned)is_valid(p, i);
    }
    for (int i = 0; i < count; i++) {
        out[i] = 1;
    }
    for (int i = 0; !all && i < count; i++) {
        out[i] = (uint8_t)is_valid(p, i);
    }
    for (int i = 0; patch->blanked != NULL && i < count; i++) {
        out[i] &= patch->blanked[first + (size_t)i] != GRID_POINT_BLANKED;
    }
}

static void inputs(const grid_recipe *recipe, const grid_patch *patch, const int at[3],
                   int count, double (*out)[DERIVE_ROW])
{
    const vertex_row row = find_row(patch, at, count);
    for (int n = 0; n < recipe->ninputs; n++) {
        fill_input(&row, patch->inputs[n], recipe->locations[n], out[n]);
    }
}

static void quantities(const grid_recipe *recipe, const grid_patch *patch,
                       const int at[3], int count, double *const *out)
{
    double values[GRID_RECIPE_MAX_INPUTS][DERIVE_ROW];
    inputs(recipe, patch, at, count, values);
    for (int n = 0; n < DERIVE_QUANTITIES; n++) {
        if (!out[n]) {
            continue;
        }
        const derive_parts parts = recipe->quantity[n];
        if (parts.program >= 0) {
            const double *slots[PROGRAM_SLOTS] = {NULL};
            for (int input = 0; input < recipe->ninputs; input++) {
                slots[input] = values[input];
            }
            evaluate(&recipe->formula->quantity[parts.program], count, slots, out[n]);
            continue;
        }
        const double *restrict whole = values[parts.input];
        if (parts.per < 0) {
            memcpy(out[n], whole, (size_t)count * sizeof *whole);
            continue;
        }
        const double *restrict per = values[parts.per];
        for (int i = 0; i < count; i++) {
            out[n][i] = whole[i] / per[i];
        }
    }
}

const derive_kernel KERNEL = {KERNEL_NAME, pointwise, exist, quantities,
                              inputs,      evaluate,  slopes};
