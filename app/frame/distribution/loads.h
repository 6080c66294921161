/* The price of moving boxes or rectangles: loads of other bricks. */
#ifndef APP_FRAME_DISTRIBUTION_LOADS_H
#define APP_FRAME_DISTRIBUTION_LOADS_H

#include "kind.h"

/* Notes the time of the last load, if the share looks at its measurements (`looks`), and
 * right after a move: that load is the only one of its kind. Collective. */
void distribution_loads_note(distribution_state *state, bool looks);

/*
 * Whether bricks that move are sent by ranks that have them (io_load_moved), or read once
 * more: whichever took less time before; sent at first. Where memory is limited they are
 * read, as an exchange holds old and new ones for a while. The same on every rank. Local.
 */
bool distribution_loads_exchanges(const distribution_state *state);

/* Seconds that giving ranks other bricks is expected to take, beyond what loading a
 * field takes in any case. The same on every rank. Local. */
double distribution_loads_move_seconds(const distribution_state *state);

#endif
