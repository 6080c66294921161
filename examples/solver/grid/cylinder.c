#include "cylinder.h"

#include <math.h>
#include <stddef.h>

static const double pi = 3.14159265358979323846;

/* The relative position of vertex j, 0 to 1: the sum of a geometric series. */
static double level(double stretching, int64_t j, int64_t nj)
{
    if (fabs(stretching - 1.0) < 1e-9) {
        return (double)j / (double)nj;
    }
    return (pow(stretching, (double)j) - 1.0) / (pow(stretching, (double)nj) - 1.0);
}

static void place_ring(const solver_cylinder *c, solver_block *block, int64_t j,
                       int64_t k)
{
    double radius =
        c->radius + (c->far - c->radius) * level(c->stretching, j, c->cells[1]);
    for (int64_t i = 0; i <= c->cells[0]; i++) {
        const int64_t at[3] = {i, j, k};
        double *vertex = solver_grid_vertex(block, at);
        /* The last plane equals the first one to the last bit. */
        double angle = 2.0 * pi * (double)(i % c->cells[0]) / (double)c->cells[0];
        vertex[0] = radius * cos(angle);
        vertex[1] = -radius * sin(angle);
        vertex[2] = c->span * (double)k / (double)c->cells[2];
    }
}

bool solver_cylinder_create(const solver_cylinder *cylinder, solver_grid **out)
{
    solver_grid *grid = NULL;
    bool works = solver_grid_create(1, &grid) &&
                 solver_grid_size(grid, 0, "cylinder", cylinder->cells);
    if (works) {
        solver_face *faces = grid->blocks[0].faces;
        for (int64_t k = 0; k <= cylinder->cells[2]; k++) {
            for (int64_t j = 0; j <= cylinder->cells[1]; j++) {
                place_ring(cylinder, &grid->blocks[0], j, k);
            }
        }
        faces[2].kind = SOLVER_WALL;
        faces[3].kind = SOLVER_FARFIELD;
        faces[4].kind = faces[5].kind = SOLVER_PERIODIC;
        works = solver_grid_join(grid);
    }
    if (!works) {
        solver_grid_destroy(&grid);
        return false;
    }
    *out = grid;
    return true;
}
