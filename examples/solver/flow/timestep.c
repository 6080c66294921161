#include "timestep.h"

#include <math.h>

/*
 * The rate at which a cell is emptied along an axis, times its volume: by sound and flow,
 * and by diffusion. The limit of diffusion alone is twice its coefficient over the square
 * of the width. The cell's area is the mean of its two faces.
 */
static inline double axis_rate(const solver_box *box, int axis, int64_t cell,
                               double sound, double diffusion)
{
    double through = 0.0, squared = 0.0;
    for (int c = 0; c < 3; c++) {
        const double *area = box->area[axis][c];
        double a = 0.5 * (area[cell] + area[cell + box->stride[axis]]);
        through += a * box->primitive[VEL_X + c][cell];
        squared += a * a;
    }
    return fabs(through) + sound * sqrt(squared) +
           2.0 * diffusion * squared / box->volume[cell];
}

/* The total rate of a cell; NaN or infinite if the state is not that of a gas. */
static inline double cell_rate(const solver_gas *gas, const solver_box *box, int64_t cell)
{
    double rho = box->primitive[RHO][cell];
    double sound = sqrt(gas->gamma * box->primitive[PRESSURE][cell] / rho);
    double heat = gas->conductivity * (gas->gamma - 1.0) / gas->gas_constant;
    double largest =
        heat > 4.0 / 3.0 * gas->viscosity ? heat : 4.0 / 3.0 * gas->viscosity;
    double sum = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        if (!box->flat[axis]) {
            sum += axis_rate(box, axis, cell, sound, largest / rho);
        }
    }
    return sum / box->volume[cell];
}

static bool is_gas(const solver_box *box, int64_t cell)
{
    for (int v = 0; v < 5; v++) {
        if (!isfinite(box->primitive[v][cell])) {
            return false;
        }
    }
    return box->primitive[RHO][cell] > 0.0 && box->primitive[PRESSURE][cell] > 0.0;
}

double solver_timestep_find(const solver_gas *gas, const solver_box *box, int64_t *bad)
{
    double most = 0.0;
    int64_t worst = box->count;
#pragma omp parallel for schedule(static) reduction(max : most) reduction(min : worst)
    for (int64_t row = 0; row < solver_box_rows(box); row++) {
        int64_t first = solver_box_row(box, row);
        for (int64_t cell = first; cell < first + box->part.n[0]; cell++) {
            double rate = cell_rate(gas, box, cell);
            most = rate > most ? rate : most;
            if (!is_gas(box, cell) && cell < worst) {
                worst = cell;
            }
        }
    }
    *bad = worst < box->count ? worst : -1;
    return 1.0 / most;
}
