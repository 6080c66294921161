/* The memory limit for the bricks of a rank. */
#ifndef FRAME_DISTRIBUTION_MEMORY_H
#define FRAME_DISTRIBUTION_MEMORY_H

#include "cost_estimate.h"
#include "kind.h"

/*
 * Compares the bytes of the rank with most of them with the config's memory limit. The
 * distribution has its tree. Collective. Errors: STATUS_USAGE with a sufficient number of
 * ranks, STATUS_MEMORY.
 */
status distribution_memory_check(const distribution_state *state,
                                 const cost_estimate *estimate);

/* Whether all ranks would keep the config's memory limit with another tree of the kind.
 * The same on every rank. Collective. Errors: STATUS_MEMORY. */
status distribution_memory_fit(const distribution_state *state, const void *tree,
                               bool *fit);

#endif
