/* What is watched while a flow runs: residual, drag and lift, and how often vortices are
 * shed. */
#ifndef APP_SOLVER_MONITOR_H
#define APP_SOLVER_MONITOR_H

#include "app/solver/flow/flow.h"

typedef struct solver_sample {
    int64_t steps;
    double time, residual, drag, lift; /* coefficients */
} solver_sample;

/* How the lift swings. */
typedef struct solver_shedding {
    int periods;      /* whole ones that were seen; below 2 the rest is 0 */
    double frequency; /* periods per unit of time */
    double amplitude; /* half of what lies between the largest and smallest lift */
} solver_shedding;

/*
 * Finds the frequency of the lift ([n]) over the last ten periods at most, in the second
 * half of the time: from where it rises through its mean, linear between samples. Local.
 */
solver_shedding solver_shedding_find(int64_t n, const solver_sample *samples);

typedef struct solver_monitor solver_monitor;

/*
 * Makes a monitor. `area` and the free stream make coefficients of forces. Rank 0 writes
 * samples to the CSV file `path` (NULL: none); where the flow has made steps already, to
 * its end. Collective. Errors: STATUS_OUTPUT, STATUS_MEMORY.
 */
status solver_monitor_create(solver_flow *flow, double area, const char *path,
                             solver_monitor **out);
void solver_monitor_destroy(solver_monitor **monitor);

/* Takes a sample. Collective. Errors: STATUS_OUTPUT, STATUS_MEMORY. */
status solver_monitor_take(solver_monitor *monitor, solver_flow *flow);

/* The samples so far, on rank 0; elsewhere there are none. Local. */
int64_t solver_monitor_samples(const solver_monitor *monitor, const solver_sample **out);

#endif
