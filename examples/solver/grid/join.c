/* Finds the faces that lie on each other, and their orientations. */
#include "failure.h"
#include "grid.h"
#include "metric.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The largest distance of joined vertices, relative to the shortest edge nearby. */
static const double tolerance = 1e-3;

/* The two axes within a face. */
static int face_axis(int face, int which)
{
    return (face / 2 + 1 + which) % 3;
}

/* The vertex of a face at (u, v) along its two axes. */
static const double *face_vertex(const solver_block *block, int face, int64_t u,
                                 int64_t v)
{
    int64_t at[3];
    at[face / 2] = face % 2 == 0 ? 0 : block->cells[face / 2];
    at[face_axis(face, 0)] = u;
    at[face_axis(face, 1)] = v;
    return solver_grid_vertex(block, at);
}

/* The orientation of the axes (u, v) of one face on those of another: 8 possibilities. */
typedef struct turn {
    int swapped, u_reversed, v_reversed;
} turn;

static turn turn_of(int number)
{
    return (turn){number & 1, number >> 1 & 1, number >> 2 & 1};
}

/* The vertex of face b on which vertex (u, v) of face a lies; sizes are those of b. */
static const double *turned_vertex(const solver_block *block, int face, turn t, int64_t u,
                                   int64_t v)
{
    int64_t nu = block->cells[face_axis(face, 0)];
    int64_t nv = block->cells[face_axis(face, 1)];
    int64_t along[2];
    along[t.swapped] = t.u_reversed ? (t.swapped ? nv : nu) - u : u;
    along[!t.swapped] = t.v_reversed ? (t.swapped ? nu : nv) - v : v;
    return face_vertex(block, face, along[0], along[1]);
}

static double distance(const double a[3], const double b[3], const double shift[3])
{
    double x = a[0] - b[0] - shift[0];
    double y = a[1] - b[1] - shift[1];
    double z = a[2] - b[2] - shift[2];
    return sqrt(x * x + y * y + z * z);
}

/* The shortest edge at a vertex, among the grid lines within the face. */
static double shortest_edge(const solver_block *block, int face, int64_t u, int64_t v)
{
    static const double none[3] = {0.0, 0.0, 0.0};
    const double *here = face_vertex(block, face, u, v);
    int64_t n[2] = {block->cells[face_axis(face, 0)], block->cells[face_axis(face, 1)]};
    double shortest = INFINITY;
    for (int way = 0; way < 4; way++) {
        int64_t to[2] = {u, v};
        to[way / 2] += way % 2 == 0 ? -1 : 1;
        if (to[way / 2] >= 0 && to[way / 2] <= n[way / 2]) {
            shortest = fmin(shortest,
                            distance(face_vertex(block, face, to[0], to[1]), here, none));
        }
    }
    return shortest;
}

static bool faces_agree(const solver_block *a, int face_a, const solver_block *b,
                        int face_b, turn t, const double shift[3])
{
    int64_t nu = a->cells[face_axis(face_a, 0)], nv = a->cells[face_axis(face_a, 1)];
    if (b->cells[face_axis(face_b, t.swapped)] != nu ||
        b->cells[face_axis(face_b, !t.swapped)] != nv) {
        return false;
    }
    for (int64_t v = 0; v <= nv; v++) {
        for (int64_t u = 0; u <= nu; u++) {
            double apart = distance(face_vertex(a, face_a, u, v),
                                    turned_vertex(b, face_b, t, u, v), shift);
            if (!(apart <= tolerance * shortest_edge(a, face_a, u, v))) {
                return false;
            }
        }
    }
    return true;
}

/* A face of the grid. */
typedef struct side {
    int block, face;
} side;

/* Records in face a that it lies on face b. */
static void connect(solver_grid *grid, side a, side b, turn t, const double shift[3])
{
    solver_face *own = &grid->blocks[a.block].faces[a.face];
    own->kind = SOLVER_JOINED;
    own->block = b.block;
    own->face = b.face;
    own->axes[a.face / 2] = b.face / 2;
    own->axes[face_axis(a.face, 0)] = face_axis(b.face, t.swapped);
    own->axes[face_axis(a.face, 1)] = face_axis(b.face, !t.swapped);
    own->reversed[a.face / 2] = false;
    own->reversed[face_axis(a.face, 0)] = t.u_reversed;
    own->reversed[face_axis(a.face, 1)] = t.v_reversed;
    memcpy(own->shift, shift, sizeof own->shift);
}

/* The same orientation, from face b to face a. */
static turn reverse_turn(turn t)
{
    return t.swapped ? (turn){1, t.v_reversed, t.u_reversed} : t;
}

static void connect_both(solver_grid *grid, side a, side b, turn t, const double shift[3])
{
    const double back[3] = {-shift[0], -shift[1], -shift[2]};
    connect(grid, a, b, t, shift);
    connect(grid, b, a, reverse_turn(t), back);
}

static bool join_periodic(solver_grid *grid, int block, int axis)
{
    solver_block *b = &grid->blocks[block];
    int low = 2 * axis, high = low + 1;
    if (b->faces[low].kind != SOLVER_PERIODIC && b->faces[high].kind != SOLVER_PERIODIC) {
        return true;
    }
    double shift[3];
    for (int c = 0; c < 3; c++) {
        shift[c] = face_vertex(b, low, 0, 0)[c] - face_vertex(b, high, 0, 0)[c];
    }
    const turn straight = {0, 0, 0};
    if (b->faces[low].kind != b->faces[high].kind ||
        !faces_agree(b, low, b, high, straight, shift)) {
        return solver_fail(
            SOLVER_FAILED,
            "faces %s and %s of block '%s' cannot be periodic: both must be, "
            "and one must be a translation of the other",
            solver_face_name(low), solver_face_name(high), b->name);
    }
    connect_both(grid, (side){block, low}, (side){block, high}, straight, shift);
    return true;
}

/* Finds the open face on which this one lies, and joins the two. */
static bool join_open(solver_grid *grid, int block, int face)
{
    static const double none[3] = {0.0, 0.0, 0.0};
    const solver_block *a = &grid->blocks[block];
    for (int other = 6 * block + face + 1; other < 6 * grid->nblocks; other++) {
        const solver_block *b = &grid->blocks[other / 6];
        for (int way = 0; b->faces[other % 6].kind == SOLVER_OPEN && way < 8; way++) {
            if (faces_agree(a, face, b, other % 6, turn_of(way), none)) {
                connect_both(grid, (side){block, face}, (side){other / 6, other % 6},
                             turn_of(way), none);
                return true;
            }
        }
    }
    return solver_fail(SOLVER_FAILED,
                       "face %s of block '%s' lies on no other face: give it a boundary "
                       "condition",
                       solver_face_name(face), a->name);
}

/* ---- Orientation ---- */

static double cell_volume(const solver_block *block, const int64_t cell[3])
{
    double corners[8][3];
    for (int c = 0; c < 8; c++) {
        const int64_t at[3] = {cell[0] + (c & 1), cell[1] + (c >> 1 & 1),
                               cell[2] + (c >> 2)};
        memcpy(corners[c], solver_grid_vertex(block, at), sizeof corners[c]);
    }
    return solver_metric_volume(corners);
}

static bool find_hand(solver_block *block)
{
    const int64_t first[3] = {0, 0, 0};
    double sign = cell_volume(block, first) < 0.0 ? -1.0 : 1.0;
    block->left_handed = sign < 0.0;
    int64_t at[3];
    for (at[2] = 0; at[2] < block->cells[2]; at[2]++) {
        for (at[1] = 0; at[1] < block->cells[1]; at[1]++) {
            for (at[0] = 0; at[0] < block->cells[0]; at[0]++) {
                if (!(sign * cell_volume(block, at) > 0.0)) {
                    return solver_fail(
                        SOLVER_FAILED,
                        "cell (%lld, %lld, %lld) of block '%s' has no volume, "
                        "or the opposite orientation of the block's first cell",
                        (long long)at[0], (long long)at[1], (long long)at[2],
                        block->name);
                }
            }
        }
    }
    return true;
}

bool solver_grid_join(solver_grid *grid)
{
    bool works = true;
    for (int b = 0; works && b < grid->nblocks; b++) {
        works = find_hand(&grid->blocks[b]);
        for (int axis = 0; works && axis < 3; axis++) {
            works = join_periodic(grid, b, axis);
        }
    }
    for (int f = 0; works && f < 6 * grid->nblocks; f++) {
        if (grid->blocks[f / 6].faces[f % 6].kind == SOLVER_OPEN) {
            works = join_open(grid, f / 6, f % 6);
        }
    }
    return works;
}
