#include "flow.h"

#include "boundary.h"
#include "failure.h"
#include "rate.h"
#include "state.h"
#include "timestep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Creating ---- */

static bool copy_names(const solver_grid *grid, solver_flow *flow)
{
    flow->blocks = calloc((size_t)grid->nblocks, sizeof *flow->blocks);
    if (!flow->blocks) {
        return solver_fail_memory((size_t)grid->nblocks * sizeof *flow->blocks, "blocks");
    }
    flow->nblocks = grid->nblocks;
    for (int b = 0; b < grid->nblocks; b++) {
        memcpy(flow->blocks[b].name, grid->blocks[b].name, SOLVER_NAME_SIZE);
        memcpy(flow->blocks[b].cells, grid->blocks[b].cells, sizeof(int64_t[3]));
    }
    return true;
}

static bool create_boxes(const solver_grid *grid, solver_flow *flow)
{
    int rank = solver_rank(flow->comm);
    flow->boxes = calloc((size_t)flow->parts->count, sizeof *flow->boxes);
    bool works = flow->boxes || solver_fail_memory(0, "the boxes of a flow");
    for (int p = 0; works && p < flow->parts->count; p++) {
        if (flow->parts->parts[p].rank == rank) {
            works = solver_box_create(grid, &flow->parts->parts[p],
                                      &flow->boxes[flow->nboxes++]);
        }
    }
    return works;
}

/* Fills ghosts that no exchange fills. No result depends on them, but a maximum and the
 * temperature read them, so they must be numbers. */
static void fill_ghosts(solver_flow *flow)
{
    for (int b = 0; b < flow->nboxes; b++) {
        for (int64_t c = 0; c < flow->boxes[b].count; c++) {
            flow->boxes[b].primitive[RHO][c] = 1.0;
            flow->boxes[b].primitive[VEL_X][c] = 1.0;
            flow->boxes[b].primitive[PRESSURE][c] = flow->gas.pressure;
        }
    }
}

static void free_stream(const void *context, const double position[3], double state[5])
{
    const solver_gas *gas = context;
    (void)position;
    const double uniform[5] = {1.0, 1.0, 0.0, 0.0, gas->pressure};
    memcpy(state, uniform, sizeof uniform);
}

bool solver_flow_create(MPI_Comm comm, const solver_grid *grid,
                        const solver_conditions *conditions, solver_flow **out)
{
    solver_flow *flow = calloc(1, sizeof *flow);
    bool works = flow || solver_fail_memory(sizeof *flow, "a flow");
    if (flow) {
        flow->comm = comm;
        flow->gas = solver_gas_make(conditions);
        works = copy_names(grid, flow) &&
                solver_parts_create(grid, solver_size(comm), &flow->parts) &&
                create_boxes(grid, flow);
    }
    works = solver_agree(comm, works) &&
            solver_halo_create(comm, grid, flow->parts, flow->nboxes, flow->boxes,
                               &flow->halo);
    if (!works) {
        solver_flow_destroy(&flow);
        return false;
    }
    fill_ghosts(flow);
    solver_flow_start(flow, free_stream, &flow->gas);
    *out = flow;
    return true;
}

void solver_flow_destroy(solver_flow **flow)
{
    if (*flow) {
        solver_halo_destroy(&(*flow)->halo);
        for (int b = 0; b < (*flow)->nboxes; b++) {
            solver_box_destroy(&(*flow)->boxes[b]);
        }
        solver_parts_destroy(&(*flow)->parts);
        free((*flow)->boxes);
        free((*flow)->blocks);
        free(*flow);
        *flow = NULL;
    }
}

/* ---- State ---- */

/* Sets the variables of a cell from density, velocity and pressure. */
static void set_cell(const solver_gas *gas, solver_box *box, int64_t cell,
                     const double w[5])
{
    double squared = w[1] * w[1] + w[2] * w[2] + w[3] * w[3];
    box->conserved[RHO][cell] = w[0];
    for (int c = 0; c < 3; c++) {
        box->conserved[MOMENTUM_X + c][cell] = w[0] * w[1 + c];
    }
    box->conserved[ENERGY][cell] = w[4] / (gas->gamma - 1.0) + 0.5 * w[0] * squared;
}

void solver_flow_start(solver_flow *flow, solver_flow_state *state, const void *context)
{
    for (int b = 0; b < flow->nboxes; b++) {
        solver_box *box = &flow->boxes[b];
        for (int64_t row = 0; row < solver_box_rows(box); row++) {
            int64_t first = solver_box_row(box, row);
            for (int64_t cell = first; cell < first + box->part.n[0]; cell++) {
                double centre[3], w[5];
                solver_box_centre(box, cell, centre);
                state(context, centre, w);
                set_cell(&flow->gas, box, cell, w);
            }
        }
    }
    solver_flow_resume(flow, 0.0, 0);
    solver_flow_update(flow);
}

static void make_primitives(const solver_gas *gas, solver_box *box)
{
    double *const *u = box->conserved, *const *w = box->primitive;
#pragma omp parallel for schedule(static)
    for (int64_t row = 0; row < solver_box_rows(box); row++) {
        int64_t first = solver_box_row(box, row);
        for (int64_t c = first; c < first + box->part.n[0]; c++) {
            double inverse = 1.0 / u[RHO][c];
            double x = u[MOMENTUM_X][c] * inverse, y = u[MOMENTUM_Y][c] * inverse,
                   z = u[MOMENTUM_Z][c] * inverse;
            double kinetic = 0.5 * u[RHO][c] * (x * x + y * y + z * z);
            w[RHO][c] = u[RHO][c];
            w[VEL_X][c] = x;
            w[VEL_Y][c] = y;
            w[VEL_Z][c] = z;
            w[PRESSURE][c] = (gas->gamma - 1.0) * (u[ENERGY][c] - kinetic);
        }
    }
}

void solver_flow_update(solver_flow *flow)
{
    for (int b = 0; b < flow->nboxes; b++) {
        make_primitives(&flow->gas, &flow->boxes[b]);
    }
    solver_halo_exchange(flow->halo);
    for (int b = 0; b < flow->nboxes; b++) {
        solver_boundary_fill(&flow->gas, &flow->boxes[b]);
    }
}

/* ---- Stepping ---- */

static bool fail_cell(const solver_flow *flow, const solver_box *box, int64_t cell)
{
    int64_t from = cell - box->origin;
    int64_t k = from / box->stride[2], j = from % box->stride[2] / box->stride[1];
    return solver_fail(
        SOLVER_FAILED,
        "the flow is lost after step %lld (time %g): cell (%lld, %lld, %lld) of block "
        "'%s' has density %g and pressure %g; try a smaller time.cfl or a finer grid",
        (long long)flow->steps, flow->time,
        (long long)(box->part.lo[0] + from % box->stride[1]),
        (long long)(box->part.lo[1] + j), (long long)(box->part.lo[2] + k),
        flow->blocks[box->part.block].name, box->primitive[RHO][cell],
        box->primitive[PRESSURE][cell]);
}

/* The time step of all ranks at a CFL number of 1. */
static bool find_step(const solver_flow *flow, double *out)
{
    double least = INFINITY;
    bool works = true;
    for (int b = 0; works && b < flow->nboxes; b++) {
        int64_t bad;
        double step = solver_timestep_find(&flow->gas, &flow->boxes[b], &bad);
        least = step < least ? step : least;
        works = bad < 0 || fail_cell(flow, &flow->boxes[b], bad);
    }
    /* A negative step marks a failure, so that one message is enough for both. */
    const double mine = works ? least : -1.0;
    MPI_Allreduce(&mine, out, 1, MPI_DOUBLE, MPI_MIN, flow->comm);
    return *out > 0.0 || solver_agree(flow->comm, works);
}

static void keep(solver_box *box)
{
    for (int v = 0; v < SOLVER_CONSERVED; v++) {
        memcpy(box->before[v], box->conserved[v],
               (size_t)box->count * sizeof *box->before[v]);
    }
}

/* u = a before + (1 - a) (u - step rate / volume) */
static void blend(solver_box *box, double a, double step)
{
#pragma omp parallel for schedule(static)
    for (int64_t row = 0; row < solver_box_rows(box); row++) {
        int64_t first = solver_box_row(box, row);
        for (int v = 0; v < SOLVER_CONSERVED; v++) {
            const double *before = box->before[v], *rate = box->rate[v];
            double *u = box->conserved[v];
            for (int64_t c = first; c < first + box->part.n[0]; c++) {
                double forward = u[c] - step * rate[c] / box->volume[c];
                u[c] = a * before[c] + (1.0 - a) * forward;
            }
        }
    }
}

static void advance(solver_flow *flow, double step)
{
    static const double old_part[3] = {0.0, 3.0 / 4.0, 1.0 / 3.0};
    for (int b = 0; b < flow->nboxes; b++) {
        keep(&flow->boxes[b]);
    }
    for (int stage = 0; stage < 3; stage++) {
        if (stage > 0) {
            solver_flow_update(flow);
        }
        for (int b = 0; b < flow->nboxes; b++) {
            solver_rate_compute(&flow->gas, &flow->boxes[b]);
            blend(&flow->boxes[b], old_part[stage], step);
        }
    }
}

bool solver_flow_step(solver_flow *flow, double cfl)
{
    double limit = 0.0;
    solver_flow_update(flow);
    if (!find_step(flow, &limit)) {
        return false;
    }
    flow->step = cfl * limit;
    advance(flow, flow->step);
    flow->time += flow->step;
    flow->steps++;
    return true;
}

/* ---- Queries ---- */

double solver_flow_time(const solver_flow *flow)
{
    return flow->time;
}

int64_t solver_flow_steps(const solver_flow *flow)
{
    return flow->steps;
}

MPI_Comm solver_flow_comm(const solver_flow *flow)
{
    return flow->comm;
}

const solver_gas *solver_flow_gas(const solver_flow *flow)
{
    return &flow->gas;
}

void solver_flow_resume(solver_flow *flow, double time, int64_t steps)
{
    flow->time = time;
    flow->steps = steps;
    flow->step = 0.0;
}

int solver_flow_blocks(const solver_flow *flow)
{
    return flow->nblocks;
}

const char *solver_flow_block(const solver_flow *flow, int block, int64_t cells[3])
{
    memcpy(cells, flow->blocks[block].cells, sizeof(int64_t[3]));
    return flow->blocks[block].name;
}

int solver_flow_boxes(const solver_flow *flow)
{
    return flow->nboxes;
}

solver_flow_box solver_flow_box_get(const solver_flow *flow, int number)
{
    const solver_box *box = &flow->boxes[number];
    solver_flow_box out = {.block = box->part.block, .volume = box->volume + box->origin};
    for (int a = 0; a < 3; a++) {
        out.lo[a] = box->part.lo[a];
        out.n[a] = box->part.n[a];
        out.stride[a] = box->stride[a];
        out.coordinates[a] = box->vertex[a] + box->origin;
    }
    for (int v = 0; v < SOLVER_CONSERVED; v++) {
        out.variables[v] = box->conserved[v] + box->origin;
    }
    for (int v = 0; v < SOLVER_PRIMITIVE; v++) {
        out.primitives[v] = box->primitive[v] + box->origin;
    }
    return out;
}
