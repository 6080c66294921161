#include "shape.h"

#include "support/random.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* The shape that shape_create is making: test_grid_vertex has no argument for it. */
static const shape *making;

/* Random numbers that belong to a vertex, whichever block or brick asks. */
static uint64_t vertex_state(const shape *of, const int64_t at[3])
{
    uint64_t state = of->seed * 0x9e3779b97f4a7c15u + 1;
    for (int axis = 0; axis < 3; axis++) {
        state = (state ^ (uint64_t)(at[axis] + 1)) * 0xff51afd7ed558ccdu + 1;
        random_bits(&state);
    }
    return state;
}

static void place_box(const shape *of, const double at[3], double xyz[3])
{
    for (int axis = 0; axis < 3; axis++) {
        xyz[axis] = at[axis];
    }
    if (of->kind == SHAPE_FLAT) {
        xyz[2] *= 1e-6;
    }
}

static void place_round(const shape *of, const double at[3], double xyz[3])
{
    double inner = of->kind == SHAPE_RING ? 1.0 : 0.0;
    double radius = inner + (2.0 - inner) * at[0] / (double)(of->n[0] - 1);
    double angle = 2.0 * pi * at[1] / (double)(of->n[1] - 1);
    xyz[0] = radius * cos(angle);
    xyz[1] = radius * sin(angle);
    xyz[2] = 2.0 * at[2] / (double)(of->n[2] - 1);
}

static void place_lattice(const shape *of, const int64_t at[3], double xyz[3])
{
    uint64_t state = vertex_state(of, at);
    for (int axis = 0; axis < 3; axis++) {
        xyz[axis] = (double)random_below(&state, 3);
    }
}

static bool is_on_boundary(const shape *of, const int64_t at[3])
{
    bool outer = false;
    for (int axis = 0; axis < 3; axis++) {
        outer |= at[axis] == 0 || at[axis] == of->n[axis] - 1;
    }
    return outer;
}

/* The vertex that stands for this one: the last of a closed turn is the first, and on a
 * pole the first of its line. */
static void unify(const shape *of, const int64_t at[3], int64_t first[3])
{
    bool is_round = of->kind == SHAPE_RING || of->kind == SHAPE_POLE;
    bool is_axis = of->kind == SHAPE_POLE && at[0] == 0;
    for (int axis = 0; axis < 3; axis++) {
        first[axis] = at[axis];
    }
    if (is_round && (at[1] == of->n[1] - 1 || is_axis)) {
        first[1] = 0;
    }
}

void shape_vertex(const shape *of, const int64_t at[3], double xyz[3])
{
    int64_t vertex[3];
    unify(of, at, vertex);
    double index[3];
    uint64_t state = vertex_state(of, vertex);
    bool moves = !(of->boundary_is_even && is_on_boundary(of, vertex));
    for (int axis = 0; axis < 3; axis++) {
        double shift = moves ? random_between(&state, -of->jitter, of->jitter) : 0.0;
        index[axis] = (double)vertex[axis] + shift;
    }
    if (of->kind == SHAPE_LATTICE) {
        place_lattice(of, vertex, xyz);
    } else if (of->kind == SHAPE_RING || of->kind == SHAPE_POLE) {
        place_round(of, index, xyz);
    } else {
        place_box(of, index, xyz);
    }
    for (int axis = 0; axis < 3; axis++) {
        /* volatile: GCC 12 drops the rounding where it does several at a time. */
        volatile float rounded = (float)xyz[axis];
        xyz[axis] = (double)rounded;
    }
}

static double vertex_scalar(const shape *of, const int64_t at[3], const double xyz[3])
{
    int64_t vertex[3];
    unify(of, at, vertex);
    uint64_t state = vertex_state(of, vertex) ^ 0x5555u;
    double value = random_between(&state, 0.0, 1.0);
    if (of->scalar == SHAPE_LINEAR) {
        return (xyz[0] + 2.0 * xyz[1] + 3.0 * xyz[2]) / 40.0;
    }
    if (of->scalar == SHAPE_HOLED && random_below(&state, 10) == 0) {
        return NAN;
    }
    return value;
}

/* From the indices of a block's vertex to those of the whole shape. */
static void globalize(const shape *of, int block, const int64_t at[3], const int64_t n[3],
                      int64_t whole[3])
{
    bool turned = of->turned && block == 1;
    for (int axis = 0; axis < 3; axis++) {
        bool backwards = (turned || of->mirrored) && axis == 0;
        int64_t index = backwards ? n[axis] - 1 - at[axis] : at[axis];
        whole[turned ? (axis + 2) % 3 : axis] = index;
    }
    if (block == 1) {
        whole[0] += of->split;
    }
}

static bool place_vertex(int block, const int64_t at[3], const int64_t n[3],
                         double xyz[3], double *scalar)
{
    int64_t whole[3];
    globalize(making, block, at, n, whole);
    shape_vertex(making, whole, xyz);
    *scalar = vertex_scalar(making, whole, xyz);
    bool is_middle = true;
    for (int axis = 0; axis < 3; axis++) {
        is_middle &= whole[axis] == making->n[axis] / 2;
    }
    return !(making->has_hole && is_middle);
}

test_grid shape_create(const shape *wanted)
{
    int64_t n[2][3];
    int blocks = wanted->split > 0 ? 2 : 1;
    for (int axis = 0; axis < 3; axis++) {
        n[0][axis] = n[1][axis] = wanted->n[axis];
    }
    if (blocks == 2) {
        int64_t rest[3] = {wanted->n[0] - wanted->split, wanted->n[1], wanted->n[2]};
        n[0][0] = wanted->split + 1;
        for (int axis = 0; axis < 3; axis++) {
            n[1][axis] = rest[wanted->turned ? (axis + 2) % 3 : axis];
        }
    }
    making = wanted;
    return test_grid_create(blocks, (const int64_t(*)[3])n, place_vertex);
}

vec3 shape_center(const test_grid *grid)
{
    box3 bounds = grid->layout->bounds;
    return vec3_scale(vec3_add(bounds.lo, bounds.hi), 0.5);
}

double shape_radius(const test_grid *grid)
{
    box3 bounds = grid->layout->bounds;
    return 0.5 * vec3_length(vec3_sub(bounds.hi, bounds.lo));
}
