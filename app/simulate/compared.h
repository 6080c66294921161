/* Predicted times of a run's frames beside the measured ones. */
#ifndef APP_SIMULATE_COMPARED_H
#define APP_SIMULATE_COMPARED_H

#include "simulation.h"

typedef struct simulate_comparison {
    const char *path;                     /* of the timings */
    const composite_algorithm *algorithm; /* NULL: that of the run */
    const char *nodes; /* as --nodes of karman simulate; NULL: ranks are spread evenly
                          over the nodes of the run */
    int segment;       /* pixels of a message at most; 0: any; -1: as in the run */
    simulate_machine machine;
    simulate_format format;
} simulate_comparison;

/* Simulates the frames of a run, with the ranks' active pixels and the times at which
 * they began, and prints both times. Local. Errors: STATUS_INPUT (the timings),
 * STATUS_USAGE, STATUS_MEMORY. */
status simulate_comparison_show(const simulate_comparison *comparison);

#endif
