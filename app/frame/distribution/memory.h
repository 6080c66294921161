/* The limit of memory for the bricks of a rank. */
#ifndef APP_FRAME_DISTRIBUTION_MEMORY_H
#define APP_FRAME_DISTRIBUTION_MEMORY_H

#include "cost_estimate.h"
#include "kind.h"

/*
 * Compares what the bricks of the rank that has most of them would take with the config's
 * memory. The share has its tree. Collective. Errors: STATUS_USAGE with the number of
 * ranks that would do, STATUS_MEMORY.
 */
status distribution_memory_check(const distribution_state *state,
                                 const cost_estimate *estimate);

/* Whether all ranks would stay within the config's memory with another tree of the kind;
 * the same on every rank. Collective. Errors: STATUS_MEMORY. */
status distribution_memory_fit(const distribution_state *state, const void *tree,
                               bool *fit);

#endif
