/*
 * The gas, without dimensions: density, speed and temperature of the free stream are 1,
 * and lengths are in units of the grid. So the viscosity is 1 / Reynolds number. The gas
 * constant is 1 / (gamma M^2), and so is the pressure of the free stream.
 */
#ifndef EXAMPLES_SOLVER_FLOW_GAS_H
#define EXAMPLES_SOLVER_FLOW_GAS_H

/* The conditions that the user gives. */
typedef struct solver_conditions {
    double mach;     /* of the free stream, which flows along x */
    double reynolds; /* with the grid's unit of length; 0: inviscid */
    double gamma;    /* ratio of specific heats */
    double prandtl;
} solver_conditions;

typedef struct solver_gas {
    double gamma;
    double pressure;     /* of the free stream */
    double gas_constant; /* p = density * gas_constant * temperature */
    double viscosity;    /* constant */
    double conductivity; /* of heat */
} solver_gas;

static inline solver_gas solver_gas_make(const solver_conditions *c)
{
    double pressure = 1.0 / (c->gamma * c->mach * c->mach);
    double viscosity = c->reynolds > 0.0 ? 1.0 / c->reynolds : 0.0;
    double heat = pressure * c->gamma / (c->gamma - 1.0); /* at constant pressure */
    return (solver_gas){c->gamma, pressure, pressure, viscosity,
                        viscosity * heat / c->prandtl};
}

#endif
