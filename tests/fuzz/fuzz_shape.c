#include "fuzz_shape.h"

#include "support/random.h"

#include <float.h>
#include <math.h>

static const double pi = 3.14159265358979323846;

/* The purposes of a vertex's random numbers; they must be independent of each other. */
enum { FOR_JITTER = 1, FOR_FOLDS, FOR_HOLES, FOR_SCALARS, FOR_LATTICE };

static uint64_t vertex_state(uint64_t seed, int purpose, const int64_t at[3])
{
    return fuzz_hash(seed + (uint64_t)purpose, at[0], at[1], at[2]);
}

/* ---- Indices ----------------------------------------------------------------------- */

/* The first vertex plane of a block along the cut axis. */
static int64_t first_plane(const fuzz_shape *s, int block)
{
    return (s->n[s->cut] - 1) * block / s->blocks;
}

/* The axis of the whole grid that an axis of a block lies along. */
static int whole_axis(const fuzz_shape *s, int block, int axis)
{
    return s->turned >> block & 1u ? (axis + 2) % 3 : axis;
}

void fuzz_shape_size(const fuzz_shape *s, int block, int64_t n[3])
{
    for (int axis = 0; axis < 3; axis++) {
        int whole = whole_axis(s, block, axis);
        n[axis] = whole == s->cut ? first_plane(s, block + 1) - first_plane(s, block) + 1
                                  : s->n[whole];
    }
}

void fuzz_shape_whole(const fuzz_shape *s, int block, const int64_t n[3],
                      const int64_t at[3], int64_t whole[3])
{
    bool mirrored = s->mirrored >> block & 1u;
    for (int axis = 0; axis < 3; axis++) {
        bool backwards = mirrored && axis == 0;
        whole[whole_axis(s, block, axis)] = backwards ? n[axis] - 1 - at[axis] : at[axis];
    }
    whole[s->cut] += first_plane(s, block);
}

/* The vertex that represents all vertices at the same place. The last plane of a full
 * turn is the first one, and a pole or a collapsed edge has a single vertex. */
static void unify(const fuzz_shape *s, const int64_t at[3], int64_t one[3])
{
    for (int axis = 0; axis < 3; axis++) {
        one[axis] = at[axis];
    }
    bool is_axis = s->kind == FUZZ_POLE || s->kind == FUZZ_WEDGE;
    bool is_turn = s->kind == FUZZ_RING || s->kind == FUZZ_POLE;
    if ((is_turn && at[1] == s->n[1] - 1) || (is_axis && at[0] == 0)) {
        one[1] = 0;
    }
    bool is_pole = at[1] == 0 || at[1] == s->n[1] - 1;
    if (s->kind == FUZZ_BALL && (at[2] == s->n[2] - 1 || is_pole)) {
        one[2] = 0;
    }
}

/* ---- Places ------------------------------------------------------------------------ */

static bool is_outside(const fuzz_shape *s, const int64_t at[3])
{
    for (int axis = 0; axis < 3; axis++) {
        if (at[axis] == 0 || at[axis] == s->n[axis] - 1) {
            return true;
        }
    }
    return false;
}

/* Moves a vertex in index space, so that thin cells move in proportion to their
 * thickness. */
static void jitter(const fuzz_shape *s, const int64_t at[3], double index[3])
{
    bool moves = !(s->even_boundary && is_outside(s, at));
    uint64_t state = vertex_state(s->seed, FOR_JITTER, at);
    uint64_t fold = vertex_state(s->seed, FOR_FOLDS, at);
    bool is_thrown = random_between(&fold, 0.0, 1.0) < s->folds;
    double most = !moves ? 0.0 : is_thrown ? 3.0 : s->jitter;
    for (int axis = 0; axis < 3; axis++) {
        index[axis] = (double)at[axis] + random_between(&state, -most, most);
    }
}

/* Maps an index to 0..1, with cells that grow like a geometric series. */
static double spread(double index, int64_t n, double stretch)
{
    double share = index / (double)(n - 1), rate = log(stretch);
    return fabs(rate) < 1e-9 ? share : expm1(share * rate) / expm1(rate);
}

static vec3 place_round(double radius, double angle, double height)
{
    return vec3_make(radius * cos(angle), radius * sin(angle), height);
}

static vec3 place(const fuzz_shape *s, const double index[3])
{
    double u[3];
    for (int axis = 0; axis < 3; axis++) {
        u[axis] = spread(index[axis], s->n[axis], s->stretch[axis]);
    }
    const double *e = s->extent;
    switch (s->kind) {
    case FUZZ_RING:
        return place_round(0.2 + 0.5 * e[0] * u[0], 2.0 * pi * u[1], e[2] * u[2]);
    case FUZZ_POLE:
        return place_round(0.5 * e[0] * u[0], 2.0 * pi * u[1], e[2] * u[2]);
    case FUZZ_BALL: {
        double radius = 0.1 + 0.4 * u[0], polar = pi * u[1];
        return place_round(radius * sin(polar), 2.0 * pi * u[2], radius * cos(polar));
    }
    case FUZZ_WEDGE:
        return vec3_make(e[0] * u[0], e[1] * u[0] * (u[1] - 0.5), e[2] * u[2]);
    default:
        return vec3_make(e[0] * u[0], e[1] * u[1], e[2] * u[2]);
    }
}

static vec3 place_lattice(const fuzz_shape *s, const int64_t at[3])
{
    uint64_t state = vertex_state(s->seed, FOR_LATTICE, at);
    double x = random_below(&state, 3), y = random_below(&state, 3);
    return vec3_scale(vec3_make(x, y, random_below(&state, 3)), 0.5);
}

/* A displacement that never folds: its derivatives stay well below 1. */
static vec3 warp(const fuzz_shape *s, vec3 p)
{
    double a = s->warp;
    vec3 moved = vec3_make(sin(pi * (p.v[1] + 1.3 * p.v[2]) + 0.3),
                           sin(pi * (p.v[2] + p.v[0]) + 1.0),
                           sin(pi * (1.2 * p.v[0] + p.v[1]) + 2.0));
    return vec3_add(p, vec3_scale(moved, a));
}

/* A rotation about two axes by angles without special values. */
static vec3 rotate(vec3 p)
{
    const double c1 = cos(0.7), s1 = sin(0.7), c2 = cos(0.4), s2 = sin(0.4);
    vec3 q = vec3_make(c1 * p.v[0] - s1 * p.v[1], s1 * p.v[0] + c1 * p.v[1], p.v[2]);
    return vec3_make(q.v[0], c2 * q.v[1] - s2 * q.v[2], s2 * q.v[1] + c2 * q.v[2]);
}

static vec3 move_block(const fuzz_shape *s, int block, vec3 p)
{
    return vec3_add(p, vec3_scale(vec3_make(1.0, 0.6, -0.4), s->overlap * block));
}

static vec3 vertex_place(const fuzz_shape *s, int block, const int64_t one[3])
{
    double index[3];
    jitter(s, one, index);
    vec3 p = s->kind == FUZZ_LATTICE ? place_lattice(s, one) : warp(s, place(s, index));
    p = move_block(s, block, p);
    p = s->rotated ? rotate(p) : p;
    return vec3_add(vec3_scale(p, s->scale), s->shift);
}

/* ---- Values ------------------------------------------------------------------------ */

/* 0 to 1, at indices of the whole that may lie between vertices. */
static double base_value(const fuzz_case *c, const int64_t one[3], double offset)
{
    double u[3];
    for (int axis = 0; axis < 3; axis++) {
        u[axis] = ((double)one[axis] + offset) / (double)(c->shape.n[axis] - 1);
    }
    uint64_t state = vertex_state(c->field.seed, FOR_SCALARS, one);
    switch (c->field.values) {
    case FUZZ_LINEAR:
        return (u[0] + 2.0 * u[1] + 3.0 * u[2]) / 6.0;
    case FUZZ_SMOOTH:
        return 0.5 + 0.5 * cos(pi * u[0]) * cos(pi * u[1] + 1.0) * cos(pi * u[2] + 0.5);
    case FUZZ_RANDOM:
        return random_between(&state, -0.1, 1.1);
    default:
        return 0.38714;
    }
}

static double value(const fuzz_case *c, const int64_t one[3], double offset)
{
    uint64_t state = vertex_state(c->field.seed, FOR_HOLES, one);
    if (random_between(&state, 0.0, 1.0) < c->field.holes) {
        return random_below(&state, 4) == 0 ? INFINITY : NAN;
    }
    if (random_between(&state, 0.0, 1.0) < c->field.fills) {
        return c->field.fill;
    }
    double x = c->field.low + c->field.high * base_value(c, one, offset);
    return fmin(fmax(x, -(double)FLT_MAX), (double)FLT_MAX);
}

fuzz_vertex fuzz_shape_vertex(const fuzz_case *c, int block, const int64_t whole[3])
{
    const fuzz_shape *s = &c->shape;
    int64_t one[3];
    unify(s, whole, one);
    vec3 p = vertex_place(s, block, one);
    uint64_t state = vertex_state(s->seed, FOR_HOLES, one);
    fuzz_vertex vertex = {.scalar = value(c, one, 0.0)};
    vertex.blanked = random_between(&state, 0.0, 1.0) < s->blanked;
    bool is_nowhere = random_between(&state, 0.0, 1.0) < s->nowhere;
    for (int axis = 0; axis < 3; axis++) {
        vertex.xyz[axis] = is_nowhere ? NAN : p.v[axis];
    }
    return vertex;
}

double fuzz_shape_cell(const fuzz_case *c, const int64_t whole[3])
{
    return value(c, whole, 0.5);
}
