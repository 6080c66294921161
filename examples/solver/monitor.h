/* Monitors of a flow: residual, drag, lift, and the frequency of vortex shedding. */
#ifndef EXAMPLES_SOLVER_MONITOR_H
#define EXAMPLES_SOLVER_MONITOR_H

#include "flow/flow.h"

typedef struct solver_sample {
    int64_t steps;
    double time, residual, drag, lift; /* drag and lift are coefficients */
} solver_sample;

/* The oscillation of the lift. */
typedef struct solver_shedding {
    int periods;      /* number of whole periods seen; below 2, the other members are 0 */
    double frequency; /* periods per unit of time */
    double amplitude; /* half the difference of the largest and the smallest lift */
} solver_shedding;

/*
 * Finds the frequency of the lift ([n]) in the second half of the time, over at most the
 * last ten periods. A period begins where the lift rises through its mean, interpolated
 * linearly between samples. Local.
 */
solver_shedding solver_shedding_find(int64_t n, const solver_sample *samples);

typedef struct solver_monitor solver_monitor;

/*
 * Makes a monitor. `area` and the free stream turn forces into coefficients. Rank 0
 * writes the samples to the CSV file `path` ("": none; borrowed); it appends to the
 * file if the flow has already made steps. Collective.
 */
bool solver_monitor_create(solver_flow *flow, double area, const char *path,
                           solver_monitor **out);
void solver_monitor_destroy(solver_monitor **monitor);

/* Takes a sample. Collective. */
bool solver_monitor_take(solver_monitor *monitor, solver_flow *flow);

/* The samples so far, on rank 0; other ranks have none. Local. */
int64_t solver_monitor_samples(const solver_monitor *monitor, const solver_sample **out);

#endif
