/* The limit of memory for the bricks of a rank. */
#ifndef APP_FRAME_SHARE_MEMORY_H
#define APP_FRAME_SHARE_MEMORY_H

#include "kind.h"
#include "needs.h"

/*
 * Compares what the bricks of the rank that has most of them would take with the config's
 * memory. The share has its tree. Collective. Errors: STATUS_USAGE with the number of
 * ranks that would do, STATUS_MEMORY.
 */
status share_memory_check(const share_state *state, const share_needs *needs);

/* Whether all ranks would stay within the config's memory with another tree of the kind;
 * the same on every rank. Collective. Errors: STATUS_MEMORY. */
status share_memory_fit(const share_state *state, const void *tree, bool *fit);

#endif
