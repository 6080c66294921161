/* The classes of cells (render/cells/far_corner.h) in one view.
 *
 * A quadrangle a, b, c, d is convex as seen from the eye if all of its four triangles
 * wind the same way. A cell is plain if its six faces are convex, and if rays cross both
 * faces of each axis in the same direction. Then the three faces of exit share the far
 * corner, and each two of them lie on either side of the edge between them.
 *
 * Rays see vertices rounded (render/cells/cell.h): moved by at most about 4e-7 of their
 * distance from the middle of the grid plus that of the eye. The bound on a triangle's
 * area as seen from the eye, CLASS_OFF, allows for that and for rounding here. */
#ifndef RENDER_CELLS_CLASSIFY_H
#define RENDER_CELLS_CLASSIFY_H

#include "far_corner.h"
#include "march.h"

/* The eye as vectors of lanes. */
typedef struct class_eye {
    vfloat at[3]; /* parallel rays: their direction */
    vfloat forward[3];
    vfloat off; /* a length: more than rounding moves vertices; a bound on areas, per
                   length of edges and distance from the eye */
    bool parallel;
} class_eye;

#define CLASS_OFF 4e-6f

IN_LOOP vfloat class_dot(const vfloat a[3], const vfloat b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Lanes in which rays cross a face in the direction of its axis, or against it, if i, j
 * and k are right-handed. */
typedef struct class_face {
    vmask along, against;
} class_face;

IN_LOOP vfloat class_length(const vfloat a[3])
{
    return lanes_abs(a[0]) + lanes_abs(a[1]) + lanes_abs(a[2]);
}

IN_LOOP void class_cross(const vfloat a[3], const vfloat b[3], vfloat out[3])
{
#pragma GCC unroll 3
    for (int n = 0; n < 3; n++) {
        const int m = (n + 1) % 3, l = (n + 2) % 3;
        out[n] = a[m] * b[l] - a[l] * b[m];
    }
}

/* corner: of the cells, by axis. */
IN_LOOP class_face class_look_at_face(const vfloat corner[3][CROSS_CORNERS], int face,
                                      const class_eye *eye)
{
    const int *c = cross_face_corners[face];
    vfloat way[3][3],
        sight[3]; /* from corner 0 to the others, from the eye to corner 0 */
    vfloat around = lanes_float(0.0f);
#pragma GCC unroll 3
    for (int axis = 0; axis < 3; axis++) {
        const vfloat *x = corner[axis];
#pragma GCC unroll 3
        for (int n = 0; n < 3; n++) {
            way[n][axis] = x[c[n + 1]] - x[c[0]];
        }
        sight[axis] = eye->at[axis];
        if (!eye->parallel) {
            sight[axis] = x[c[0]] - eye->at[axis];
        }
        around += (lanes_abs(way[0][axis]) + lanes_abs(way[1][axis] - way[0][axis])) +
                  (lanes_abs(way[2][axis] - way[1][axis]) + lanes_abs(way[2][axis]));
    }
    vfloat normal[3][3];
    class_cross(way[0], way[1], normal[0]);
    class_cross(way[1], way[2], normal[1]);
    class_cross(way[0], way[2], normal[2]);
    const vfloat bound = eye->off * around * class_length(sight);
    vfloat area[4]; /* of triangles 012, 023, 013 and 123 */
#pragma GCC unroll 3
    for (int n = 0; n < 3; n++) {
        area[n] = class_dot(normal[n], sight);
    }
    area[3] = (area[0] + area[1]) - area[2];
    if (!eye->parallel) {
        area[3] += class_dot(normal[1], way[0]);
    }
    vfloat least = area[0], most = area[0];
#pragma GCC unroll 3
    for (int n = 1; n < 4; n++) {
        least = lanes_min(least, area[n]);
        most = lanes_max(most, area[n]);
    }
    const vfloat none = lanes_float(0.0f);
    return (class_face){lanes_less(bound, least), lanes_less(most, none - bound)};
}

/* Lanes whose cells lie wholly in front of the eye, or wholly behind it. */
IN_LOOP class_face class_look_ahead(const vfloat corner[3][CROSS_CORNERS],
                                    const class_eye *eye)
{
    vmask ahead = lanes_mask(LANES_ALL), behind = ahead;
#pragma GCC unroll 8
    for (int n = 0; n < CROSS_CORNERS; n++) {
        vfloat sight[3];
#pragma GCC unroll 3
        for (int axis = 0; axis < 3; axis++) {
            sight[axis] = corner[axis][n] - eye->at[axis];
        }
        const vfloat depth = class_dot(sight, eye->forward),
                     bound = eye->off * lanes_float(4.0f);
        ahead = lanes_and(ahead, lanes_less(bound, depth));
        behind = lanes_and(behind, lanes_less(bound, lanes_float(0.0f) - depth));
    }
    return (class_face){ahead, behind};
}

/* The classes of cells. flags: of their lowest vertices. left_handed: i, j, k are. */
IN_LOOP vint class_of_cells(const vfloat corner[3][CROSS_CORNERS], vint flags,
                            bool left_handed, const class_eye *eye)
{
    const class_face ahead = eye->parallel
                                 ? (class_face){lanes_mask(LANES_ALL), lanes_mask(0)}
                                 : class_look_ahead(corner, eye);
    vmask plain = lanes_or(ahead.along, ahead.against);
    const vint one = lanes_int(1), none = lanes_int(0);
    const vint turn =
        lanes_choose_int(ahead.against, one, none) ^ (left_handed ? one : none);
    vint up[3], class = lanes_int(1 << CLASS_STRAIGHT | 1 << CLASS_PLAIN);
#pragma GCC unroll 3
    for (int axis = 0; axis < 3; axis++) {
        const class_face lower = class_look_at_face(corner, 2 * axis, eye),
                         upper = class_look_at_face(corner, 2 * axis + 1, eye);
        const vmask along = lanes_and(lower.along, upper.along);
        plain =
            lanes_and(plain, lanes_or(along, lanes_and(lower.against, upper.against)));
        up[axis] = lanes_choose_int(along, one, none) ^ turn;
        class |= lanes_shift_left(up[axis], axis);
    }
#pragma GCC unroll 3
    for (int axis = 0; axis < 3; axis++) {
        /* GRID_DIAGONAL_I and so on. */
        const vint lower = (flags >> axis) & 1, upper = (flags >> (axis + 4)) & 1;
        const vmask is_up = lanes_equal_int(up[axis], one);
        const vint turned = lanes_choose_int(is_up, upper, lower);
        class |= lanes_shift_left(turned ^ up[(axis + 1) % 3] ^ up[(axis + 2) % 3] ^ 1,
                                  axis + CLASS_DIAGONAL);
    }
    class = lanes_choose_int(plain, class, lanes_int(1 << CLASS_STRAIGHT));
    return lanes_choose_int(lanes_bit(flags, 3), class, none);
}

/* Loads the corners of the cells i to i + LANES - 1 of a row. Beyond the row they are
 * those of its last cell. lowest: the vertex of the row's first cell. corner: by axis;
 * the last ones are scalars. */
IN_LOOP void class_load(const march_grid *grid, const march_brick *brick, int lowest,
                        int i, vfloat corner[4][CROSS_CORNERS])
{
    _Alignas(64) int32_t at[4][LANES];
    for (int lane = 0; lane < LANES; lane++) {
        const int cell = i + lane < brick->n[0] ? i + lane : brick->n[0] - 1;
        for (int n = 0; n < 4; n++) {
            at[n][lane] = 2 * march_corner_index(brick, lowest + cell, 2 * n);
        }
    }
    cross_load_grid(grid->vertex, (const int32_t(*)[LANES])at, corner);
}

/* Finds the classes of the cells i to i + LANES - 1 of a row, as many as it has. lowest:
 * the vertex of the row's first cell. */
static void classify_cells(const march_grid *grid, const march_brick *brick, int lowest,
                           int i, const class_eye *eye)
{
    _Alignas(64) int32_t flags[LANES];
    for (int lane = 0; lane < LANES; lane++) {
        const int cell = i + lane < brick->n[0] ? i + lane : brick->n[0] - 1;
        flags[lane] = grid->flags[lowest + cell];
    }
    vfloat corner[4][CROSS_CORNERS];
    class_load(grid, brick, lowest, i, corner);
    const vint class =
        class_of_cells(corner, lanes_load_int(flags), brick->left_handed, eye);
    lanes_store_int(flags, class);
    for (int lane = 0; lane < LANES && i + lane < brick->n[0]; lane++) {
        grid->classes[lowest + i + lane] = (uint8_t)flags[lane];
    }
}

static void classify(const march_grid *grid, const march_brick *brick,
                     const render_camera *camera)
{
    const double farthest = (double)brick->farthest + vec3_length(camera->eye);
    class_eye eye = {.off = lanes_float(CLASS_OFF * (float)farthest),
                     .parallel = camera->orthographic};
    const vec3 at = camera->orthographic ? camera->forward : camera->eye;
    for (int axis = 0; axis < 3; axis++) {
        eye.at[axis] = lanes_float((float)at.v[axis]);
        eye.forward[axis] = lanes_float((float)camera->forward.v[axis]);
    }
    for (int k = 0; k < brick->n[2]; k++) {
        for (int j = 0; j < brick->n[1]; j++) {
            const int lowest = march_vertex_index(brick, (const int[]){0, j, k});
            for (int i = 0; i < brick->n[0]; i += LANES) {
                classify_cells(grid, brick, lowest, i, &eye);
            }
        }
    }
    lanes_leave();
}

#endif
