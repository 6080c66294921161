#include "box.h"

#include "failure.h"
#include "grid/metric.h"

#include <stdlib.h>
#include <string.h>

enum {
    ARRAYS = 3 * SOLVER_CONSERVED + SOLVER_PRIMITIVE + 3 + 9 + 1,
    ALIGNMENT = 64,
    DOUBLES = ALIGNMENT / 8
};

/* Layers of vertices: one more than layers of cells. */
static int64_t layers(const solver_part *part, int axis)
{
    return part->n[axis] + 2 * SOLVER_GHOSTS + 1;
}

void solver_part_strides(const solver_part *part, int64_t stride[3], int64_t *origin)
{
    stride[0] = 1;
    stride[1] = layers(part, 0);
    stride[2] = stride[1] * layers(part, 1);
    *origin = SOLVER_GHOSTS * (stride[0] + stride[1] + stride[2]);
}

static bool is_flat(const solver_grid *grid, int block, int axis)
{
    const solver_block *b = &grid->blocks[block];
    const solver_face *low = &b->faces[2 * axis];
    return b->cells[axis] == 1 && low->kind == SOLVER_JOINED && low->block == block &&
           low->face == 2 * axis + 1 && !low->reversed[(axis + 1) % 3] &&
           !low->reversed[(axis + 2) % 3] && low->axes[(axis + 1) % 3] == (axis + 1) % 3;
}

/* Sets the boundaries of the box, which are cuts if the box ends inside its block. */
static void copy_faces(const solver_block *block, solver_box *box)
{
    for (int face = 0; face < SOLVER_FACES; face++) {
        int axis = face / 2;
        int64_t end = face % 2 == 0
                          ? box->part.lo[axis]
                          : block->cells[axis] - box->part.lo[axis] - box->part.n[axis];
        box->faces[face] = block->faces[face];
        if (end > 0) {
            box->faces[face].kind = SOLVER_JOINED;
        }
    }
}

/* Divides the memory into arrays. */
static void divide_memory(solver_box *box, int64_t room)
{
    double *next = box->memory;
    for (int v = 0; v < SOLVER_CONSERVED; v++) {
        box->conserved[v] = next + (3 * v) * room;
        box->before[v] = next + (3 * v + 1) * room;
        box->rate[v] = next + (3 * v + 2) * room;
    }
    next += 3 * SOLVER_CONSERVED * room;
    for (int v = 0; v < SOLVER_PRIMITIVE; v++, next += room) {
        box->primitive[v] = next;
    }
    for (int c = 0; c < 3; c++, next += room) {
        box->vertex[c] = next;
    }
    for (int f = 0; f < 9; f++, next += room) {
        box->area[f / 3][f % 3] = next;
    }
    box->volume = next;
}

static bool allocate(solver_box *box)
{
    int64_t room = (box->count + DOUBLES - 1) / DOUBLES * DOUBLES;
    size_t bytes = (size_t)room * ARRAYS * sizeof(double);
    box->memory = aligned_alloc(ALIGNMENT, bytes);
    if (!box->memory) {
        return solver_fail_memory(bytes, "the cells of a box");
    }
    memset(box->memory, 0, bytes);
    divide_memory(box, room);
    return true;
}

/* ---- Metrics ---- */

static void place_vertices(const solver_grid *grid, solver_box *box)
{
    const solver_part *part = &box->part;
    int64_t at[3];
    for (int64_t k = 0; k < layers(part, 2); k++) {
        for (int64_t j = 0; j < layers(part, 1); j++) {
            for (int64_t i = 0; i < layers(part, 0); i++) {
                double position[3];
                at[0] = part->lo[0] + i - SOLVER_GHOSTS;
                at[1] = part->lo[1] + j - SOLVER_GHOSTS;
                at[2] = part->lo[2] + k - SOLVER_GHOSTS;
                solver_grid_position(grid, part->block, at, position);
                for (int c = 0; c < 3; c++) {
                    box->vertex[c][i + j * box->stride[1] + k * box->stride[2]] =
                        position[c];
                }
            }
        }
    }
}

static void get_vertex(const solver_box *box, int64_t index, double position[3])
{
    for (int c = 0; c < 3; c++) {
        position[c] = box->vertex[c][index];
    }
}

/* Measures the lower face of a cell across an axis; `sign` is -1 in left-handed
 * blocks. */
static void measure_face(solver_box *box, int64_t index, int axis, double sign)
{
    int64_t u = box->stride[(axis + 1) % 3], v = box->stride[(axis + 2) % 3];
    double a[3], b[3], c[3], d[3], area[3];
    get_vertex(box, index, a);
    get_vertex(box, index + u, b);
    get_vertex(box, index + u + v, c);
    get_vertex(box, index + v, d);
    solver_metric_area(a, b, c, d, area);
    for (int x = 0; x < 3; x++) {
        box->area[axis][x][index] = sign * area[x];
    }
}

static void measure_cell(solver_box *box, int64_t index, double sign)
{
    double corners[8][3];
    for (int64_t c = 0; c < 8; c++) {
        get_vertex(box,
                   index + (c & 1) + (c >> 1 & 1) * box->stride[1] +
                       (c >> 2) * box->stride[2],
                   corners[c]);
    }
    box->volume[index] = sign * solver_metric_volume(corners);
}

/* Measures each face and each cell whose vertices are all in the arrays. */
static void measure(solver_box *box, bool left_handed)
{
    double sign = left_handed ? -1.0 : 1.0;
    int64_t n[3];
    for (int axis = 0; axis < 3; axis++) {
        n[axis] = layers(&box->part, axis);
    }
    for (int64_t k = 0; k < n[2]; k++) {
        for (int64_t j = 0; j < n[1]; j++) {
            for (int64_t i = 0; i < n[0]; i++) {
                int64_t index = i + j * box->stride[1] + k * box->stride[2];
                bool more[3] = {i + 1 < n[0], j + 1 < n[1], k + 1 < n[2]};
                for (int axis = 0; axis < 3; axis++) {
                    if (more[(axis + 1) % 3] && more[(axis + 2) % 3]) {
                        measure_face(box, index, axis, sign);
                    }
                }
                if (more[0] && more[1] && more[2]) {
                    measure_cell(box, index, sign);
                }
            }
        }
    }
}

bool solver_box_create(const solver_grid *grid, const solver_part *part, solver_box *box)
{
    box->part = *part;
    solver_part_strides(part, box->stride, &box->origin);
    box->count = box->stride[2] * layers(part, 2);
    copy_faces(&grid->blocks[part->block], box);
    for (int axis = 0; axis < 3; axis++) {
        box->thin[axis] = grid->blocks[part->block].cells[axis] == 1;
        box->flat[axis] = is_flat(grid, part->block, axis);
    }
    if (!allocate(box)) {
        return false;
    }
    place_vertices(grid, box);
    measure(box, grid->blocks[part->block].left_handed);
    return true;
}

void solver_box_destroy(solver_box *box)
{
    free(box->memory);
    box->memory = NULL;
}

void solver_box_centre(const solver_box *box, int64_t index, double centre[3])
{
    for (int c = 0; c < 3; c++) {
        double sum = 0.0;
        for (int64_t v = 0; v < 8; v++) {
            sum += box->vertex[c][index + (v & 1) + (v >> 1 & 1) * box->stride[1] +
                                  (v >> 2) * box->stride[2]];
        }
        centre[c] = 0.125 * sum;
    }
}
