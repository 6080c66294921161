#include "rate.h"

#include "flux.h"

#include <string.h>

/* Layers of cells that a task crosses. Each task begins with a layer of faces that
 * another task computes, too. */
enum { SEGMENT = 16 };

static int64_t pieces(int64_t n, int64_t size)
{
    return (n + size - 1) / size;
}

static bool is_wall(const solver_box *box, int face)
{
    solver_face_kind kind = box->faces[face].kind;
    return kind == SOLVER_WALL || kind == SOLVER_SLIP;
}

/* The fluxes of a run of faces in layer number `layer`, 0 to n, across its axis. */
static void layer_fluxes(const solver_gas *gas, const solver_box *box, solver_run run,
                         int64_t layer, solver_fluxes fluxes)
{
    const int low = 2 * run.axis, high = low + 1;
    if (layer == 0 && is_wall(box, low)) {
        solver_flux_wall(gas, box, low, run.first, run.count, fluxes);
    } else if (layer == box->part.n[run.axis] && is_wall(box, high)) {
        solver_flux_wall(gas, box, high, run.first - box->stride[run.axis], run.count,
                         fluxes);
    } else {
        solver_flux_run(gas, box, run, fluxes);
    }
}

/* Sets the rates of a run of cells along a row, with the faces at its ends. */
static void add_run(const solver_gas *gas, solver_box *box, int64_t row, int64_t from,
                    int count)
{
    solver_fluxes fluxes, end;
    int64_t first = solver_box_row(box, row) + from;
    bool low = from == 0 && is_wall(box, 0);
    bool high = from + count == box->part.n[0] && is_wall(box, 1);
    solver_flux_run(gas, box, (solver_run){0, first, count + 1}, fluxes);
    if (low) {
        solver_flux_wall(gas, box, 0, first, 1, end);
        for (int v = 0; v < SOLVER_CONSERVED; v++) {
            fluxes[v][0] = end[v][0];
        }
    }
    if (high) {
        solver_flux_wall(gas, box, 1, first + count - 1, 1, end);
        for (int v = 0; v < SOLVER_CONSERVED; v++) {
            fluxes[v][count] = end[v][0];
        }
    }
    for (int v = 0; v < SOLVER_CONSERVED; v++) {
        double *rate = box->rate[v] + first;
        for (int f = 0; f < count; f++) {
            rate[f] = fluxes[v][f + 1] - fluxes[v][f];
        }
    }
}

/* Sweeps along i. It comes first: it sets the rates, and the other axes add to them. */
static void sweep_rows(const solver_gas *gas, solver_box *box)
{
    int64_t runs = pieces(box->part.n[0], SOLVER_ROW);
#pragma omp parallel for schedule(static)
    for (int64_t task = 0; task < runs * solver_box_rows(box); task++) {
        int64_t from = task % runs * SOLVER_ROW;
        int64_t left = box->part.n[0] - from;
        int count = (int)(left < SOLVER_ROW ? left : SOLVER_ROW);
        add_run(gas, box, task / runs, from, count);
    }
}

static void clear_rows(solver_box *box)
{
    for (int64_t row = 0; row < solver_box_rows(box); row++) {
        for (int v = 0; v < SOLVER_CONSERVED; v++) {
            memset(box->rate[v] + solver_box_row(box, row), 0,
                   (size_t)box->part.n[0] * sizeof(double));
        }
    }
}

/* Adds layer after layer of faces across rows; only two layers are kept in memory. `run`
 * lies in the first layer, number `from`. */
static void add_layers(const solver_gas *gas, solver_box *box, solver_run run,
                       int64_t from, int64_t layers)
{
    solver_fluxes memory[2];
    layer_fluxes(gas, box, run, from, memory[0]);
    for (int64_t layer = 0; layer < layers; layer++) {
        const double(*low)[SOLVER_ROW + 1] =
            (const double(*)[SOLVER_ROW + 1]) memory[layer % 2];
        const double(*high)[SOLVER_ROW + 1] =
            (const double(*)[SOLVER_ROW + 1]) memory[(layer + 1) % 2];
        const int64_t first = run.first;
        run.first += box->stride[run.axis];
        layer_fluxes(gas, box, run, from + layer + 1, memory[(layer + 1) % 2]);
        for (int v = 0; v < SOLVER_CONSERVED; v++) {
            double *rate = box->rate[v] + first;
            for (int f = 0; f < run.count; f++) {
                rate[f] += high[v][f] - low[v][f];
            }
        }
    }
}

static void sweep_layers(const solver_gas *gas, solver_box *box, int axis)
{
    const int64_t *n = box->part.n;
    int other = 3 - axis;
    int64_t runs = pieces(n[0], SOLVER_ROW), segments = pieces(n[axis], SEGMENT);
#pragma omp parallel for schedule(static)
    for (int64_t task = 0; task < runs * segments * n[other]; task++) {
        int64_t run = task % runs * SOLVER_ROW;
        int64_t from = task / runs % segments * SEGMENT;
        int64_t at = task / runs / segments;
        int64_t count = n[0] - run < SOLVER_ROW ? n[0] - run : SOLVER_ROW;
        int64_t layers = n[axis] - from < SEGMENT ? n[axis] - from : SEGMENT;
        int64_t first =
            box->origin + run + at * box->stride[other] + from * box->stride[axis];
        add_layers(gas, box, (solver_run){axis, first, (int)count}, from, layers);
    }
}

void solver_rate_compute(const solver_gas *gas, solver_box *box)
{
    if (box->flat[0]) {
        clear_rows(box);
    } else {
        sweep_rows(gas, box);
    }
    for (int axis = 1; axis < 3; axis++) {
        /* Across a flat axis, the inflow of the only cell equals its outflow. */
        if (!box->flat[axis]) {
            sweep_layers(gas, box, axis);
        }
    }
}
