/* Integrals over the whole flow. */
#include "flow.h"
#include "flux.h"
#include "state.h"

#include <math.h>

/* ---- Force on walls ---- */

/* Adds the momentum flux into a wall through one face, which is a force. */
static void add_face(const solver_gas *gas, const solver_box *box, int face, int64_t cell,
                     double force[3])
{
    solver_fluxes fluxes;
    solver_flux_wall(gas, box, face, cell, 1, fluxes);
    double sign = face % 2 == 0 ? -1.0 : 1.0;
    for (int c = 0; c < 3; c++) {
        force[c] += sign * fluxes[MOMENTUM_X + c][0];
    }
}

static void add_wall(const solver_gas *gas, const solver_box *box, int face,
                     double force[3])
{
    int axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
    int64_t edge = face % 2 == 0 ? 0 : box->part.n[axis] - 1;
    for (int64_t b = 0; b < box->part.n[v]; b++) {
        for (int64_t a = 0; a < box->part.n[u]; a++) {
            add_face(gas, box, face,
                     box->origin + edge * box->stride[axis] + a * box->stride[u] +
                         b * box->stride[v],
                     force);
        }
    }
}

void solver_flow_force(solver_flow *flow, double force[3])
{
    double mine[3] = {0.0, 0.0, 0.0};
    solver_flow_update(flow);
    for (int b = 0; b < flow->nboxes; b++) {
        for (int face = 0; face < SOLVER_FACES; face++) {
            if (flow->boxes[b].faces[face].kind == SOLVER_WALL) {
                add_wall(&flow->gas, &flow->boxes[b], face, mine);
            }
        }
    }
    MPI_Allreduce(mine, force, 3, MPI_DOUBLE, MPI_SUM, flow->comm);
}

/* ---- Sums over cells ---- */

double solver_flow_residual(const solver_flow *flow)
{
    double mine[2] = {0.0, 0.0}, all[2];
    for (int b = 0; b < flow->nboxes; b++) {
        const solver_box *box = &flow->boxes[b];
        for (int64_t row = 0; row < solver_box_rows(box); row++) {
            int64_t first = solver_box_row(box, row);
            for (int64_t c = first; c < first + box->part.n[0]; c++) {
                double change = box->conserved[RHO][c] - box->before[RHO][c];
                mine[0] += change * change * box->volume[c];
                mine[1] += box->volume[c];
            }
        }
    }
    MPI_Allreduce(mine, all, 2, MPI_DOUBLE, MPI_SUM, flow->comm);
    return flow->step > 0.0 ? sqrt(all[0] / all[1]) / flow->step : 0.0;
}

void solver_flow_totals(const solver_flow *flow, double totals[SOLVER_VARIABLES])
{
    double mine[SOLVER_VARIABLES] = {0.0};
    for (int b = 0; b < flow->nboxes; b++) {
        const solver_box *box = &flow->boxes[b];
        for (int64_t row = 0; row < solver_box_rows(box); row++) {
            int64_t first = solver_box_row(box, row);
            for (int v = 0; v < SOLVER_VARIABLES; v++) {
                for (int64_t c = first; c < first + box->part.n[0]; c++) {
                    mine[v] += box->conserved[v][c] * box->volume[c];
                }
            }
        }
    }
    MPI_Allreduce(mine, totals, SOLVER_VARIABLES, MPI_DOUBLE, MPI_SUM, flow->comm);
}
