/* The price of moving boxes or rectangles: ranks must load other bricks. */
#ifndef FRAME_DISTRIBUTION_LOADS_H
#define FRAME_DISTRIBUTION_LOADS_H

#include "kind.h"

/* Notes the time of the last load. It does so if the distribution checks its balance
 * (`looks`), and right after a move, as no other load of its kind follows. Collective. */
void distribution_loads_note(distribution_state *state, bool looks);

/*
 * Whether ranks send moved bricks to each other (io_load_moved) instead of reading them
 * again. They choose the way that took less time before, and send at first. With a memory
 * limit they read, as an exchange holds old and new bricks for a while. The same on every
 * rank. Local.
 */
bool distribution_loads_exchanges(const distribution_state *state);

/* Expected seconds of giving ranks other bricks, beyond the load of a field, which
 * happens in any case. The same on every rank. Local. */
double distribution_loads_move_seconds(const distribution_state *state);

#endif
