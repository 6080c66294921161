#include "grid.h"

#include "failure.h"

#include <stdio.h>
#include <stdlib.h>

/* Only a grid of a single cell has longer ways through joined faces. */
enum { MAX_CROSSINGS = 16 };

/* ---- Blocks ---- */

bool solver_grid_create(int nblocks, solver_grid **out)
{
    solver_grid *grid = calloc(1, sizeof *grid);
    solver_block *blocks = calloc((size_t)nblocks, sizeof *blocks);
    if (!grid || !blocks) {
        free(grid);
        free(blocks);
        return solver_fail_memory((size_t)nblocks * sizeof *blocks, "a grid");
    }
    grid->nblocks = nblocks;
    grid->blocks = blocks;
    *out = grid;
    return true;
}

void solver_grid_destroy(solver_grid **grid)
{
    if (*grid) {
        for (int b = 0; b < (*grid)->nblocks; b++) {
            free((*grid)->blocks[b].xyz);
        }
        free((*grid)->blocks);
        free(*grid);
        *grid = NULL;
    }
}

bool solver_grid_size(solver_grid *grid, int block, const char *name,
                      const int64_t cells[3])
{
    solver_block *b = &grid->blocks[block];
    size_t vertices = 1;
    for (int axis = 0; axis < 3; axis++) {
        vertices *= (size_t)cells[axis] + 1;
        b->cells[axis] = cells[axis];
    }
    snprintf(b->name, sizeof b->name, "%s", name);
    b->xyz = calloc(vertices, 3 * sizeof *b->xyz);
    return b->xyz ||
           solver_fail_memory(vertices * 3 * sizeof(double), "a block's vertices");
}

double *solver_grid_vertex(const solver_block *block, const int64_t at[3])
{
    int64_t row = block->cells[0] + 1;
    int64_t plane = row * (block->cells[1] + 1);
    return block->xyz + 3 * (at[0] + row * at[1] + plane * at[2]);
}

static const char *const face_names[SOLVER_FACES] = {"i_min", "i_max", "j_min",
                                                     "j_max", "k_min", "k_max"};

const char *solver_face_name(int face)
{
    return face_names[face];
}

/* ---- Across joined faces ---- */

/* Makes one step through a joined face: at[] becomes the same place in the other
 * block. */
static void cross(const solver_grid *grid, int vertex, int face, int *block,
                  int64_t at[3], double shift[3])
{
    const solver_block *from = &grid->blocks[*block];
    const solver_face *f = &from->faces[face];
    const solver_block *to = &grid->blocks[f->block];
    int normal = face / 2;
    int64_t there[3];
    for (int a = 0; a < 3; a++) {
        int b = f->axes[a];
        if (a != normal) {
            int64_t last = to->cells[b] - 1 + vertex;
            there[b] = f->reversed[a] ? last - at[a] : at[a];
            continue;
        }
        /* Cells behind the face are counted from 0. Vertices are counted from 1; 0 is the
         * face. */
        int64_t depth = face % 2 == 0 ? -at[a] - 1 + vertex : at[a] - from->cells[a];
        there[b] = f->face % 2 == 0 ? depth : to->cells[b] - 1 + vertex - depth;
    }
    for (int c = 0; c < 3; c++) {
        at[c] = there[c];
        shift[c] += f->shift[c];
    }
    *block = f->block;
}

/* The joined face behind which the index lies, or -1. */
static int joined_face(const solver_block *block, int vertex, const int64_t at[3])
{
    for (int axis = 0; axis < 3; axis++) {
        int side = at[axis] < 0 ? 0 : at[axis] >= block->cells[axis] + vertex ? 1 : -1;
        if (side >= 0 && block->faces[2 * axis + side].kind == SOLVER_JOINED) {
            return 2 * axis + side;
        }
    }
    return -1;
}

static bool is_inside(const solver_block *block, int vertex, const int64_t at[3])
{
    for (int axis = 0; axis < 3; axis++) {
        if (at[axis] < 0 || at[axis] >= block->cells[axis] + vertex) {
            return false;
        }
    }
    return true;
}

bool solver_grid_resolve(const solver_grid *grid, int vertex, int *block, int64_t at[3],
                         double shift[3])
{
    for (int crossing = 0; crossing < MAX_CROSSINGS; crossing++) {
        int face = joined_face(&grid->blocks[*block], vertex, at);
        if (face < 0) {
            break;
        }
        cross(grid, vertex, face, block, at, shift);
    }
    return is_inside(&grid->blocks[*block], vertex, at);
}

/* The axis along which a vertex lies behind a face, or -1. */
static int outer_axis(const solver_block *block, const int64_t at[3])
{
    for (int axis = 0; axis < 3; axis++) {
        if (at[axis] < 0 || at[axis] > block->cells[axis]) {
            return axis;
        }
    }
    return -1;
}

void solver_grid_position(const solver_grid *grid, int block, const int64_t at[3],
                          double position[3])
{
    int64_t here[3] = {at[0], at[1], at[2]};
    double shift[3] = {0.0, 0.0, 0.0};
    if (solver_grid_resolve(grid, 1, &block, here, shift)) {
        const double *vertex = solver_grid_vertex(&grid->blocks[block], here);
        for (int c = 0; c < 3; c++) {
            position[c] = vertex[c] + shift[c];
        }
        return;
    }
    int axis = outer_axis(&grid->blocks[block], here);
    int64_t edge = here[axis] < 0 ? 0 : grid->blocks[block].cells[axis];
    double surface[3], inside[3];
    int64_t other[3] = {here[0], here[1], here[2]};
    other[axis] = edge;
    solver_grid_position(grid, block, other, surface);
    other[axis] = 2 * edge - here[axis];
    solver_grid_position(grid, block, other, inside);
    for (int c = 0; c < 3; c++) {
        position[c] = 2.0 * surface[c] - inside[c] + shift[c];
    }
}
