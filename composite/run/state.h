/* States of one frame, from composite_begin to composite_finish: README.md draws them.
 * Private to the executor.
 */
#ifndef COMPOSITE_RUN_STATE_H
#define COMPOSITE_RUN_STATE_H

#include <stdbool.h>

/* The state of a rank. Up to COMPOSITE_LISTING a frame can be given up. From
 * COMPOSITE_DRAWING on every rank goes on to the end. */
typedef enum composite_state {
    COMPOSITE_RESTING,    /* between two frames: no other rank reads or writes this rank's
                             image; it may be drawn into, given back, or replaced */
    COMPOSITE_PREPARING,  /* it plans and reserves memory, and may fail alone */
    COMPOSITE_COMPARING,  /* ranks exchange their inputs, or report that they failed */
    COMPOSITE_REPLANNING, /* all plan again: with other cuts, or by messages alone */
    COMPOSITE_LISTING,    /* rank 0 hears of the pieces that messages bring it */
    COMPOSITE_DRAWING,    /* composite_begin has returned; the caller draws */
    COMPOSITE_MERGING,    /* rounds: pixels of other ranks are merged into the own ones */
    COMPOSITE_DRAINING,   /* until no message reads the own image any more */
    COMPOSITE_DELIVERING, /* finished pixels are written to rank 0's image or picture */
    COMPOSITE_LINGERING,  /* until the others of the node have read the own image; at
                             rank 0, until they have delivered as well */
    COMPOSITE_STATES
} composite_state;

/* Whether a state may follow another. */
bool composite_state_follows(composite_state before, composite_state after);

/* Moves to a state that may follow. */
void composite_state_enter(composite_state *at, composite_state to);

#endif
