/* The problem that a frame of a run solved, for the simulator. */
#ifndef MESSAGES_SIMULATE_PROBLEM_H
#define MESSAGES_SIMULATE_PROBLEM_H

#include "frame.h"
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

/*
 * Reads frame `number` of timings, and makes the simulation of its compositing: with the
 * ranks' active pixels, nodes and cuts, and `comparison`'s machine. The algorithm is that
 * of `comparison`, or the frame's. *out is zero before. The caller clears both
 * (simulate_frame_clear, simulate_simulation_clear), and frame->begin are the times at
 * which positions begin. Local. Errors, after which both are clear: STATUS_INPUT,
 * STATUS_USAGE, STATUS_MEMORY.
 */
status simulate_problem_read(const simulate_comparison *comparison, const json_t *timings,
                             size_t number, simulate_frame *frame,
                             simulate_simulation *out);

#endif
