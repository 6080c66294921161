/* The problem that a frame of a run solved, for the simulator. */
#ifndef APP_SIMULATE_PROBLEM_H
#define APP_SIMULATE_PROBLEM_H

#include "compared.h"
#include "frame.h"

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
