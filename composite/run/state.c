#include "state.h"

#include <assert.h>

/* The states that may follow each, as bits. */
#define TO(state) (1u << COMPOSITE_##state)
static const unsigned followers[COMPOSITE_STATES] = {
    [COMPOSITE_RESTING] = TO(PREPARING),
    [COMPOSITE_PREPARING] = TO(COMPARING),
    [COMPOSITE_COMPARING] = TO(REPLANNING) | TO(LISTING) | TO(DRAWING) | TO(RESTING),
    [COMPOSITE_REPLANNING] = TO(LISTING) | TO(DRAWING) | TO(RESTING),
    [COMPOSITE_LISTING] = TO(DRAWING) | TO(RESTING),
    [COMPOSITE_DRAWING] = TO(MERGING),
    [COMPOSITE_MERGING] = TO(DRAINING),
    [COMPOSITE_DRAINING] = TO(DELIVERING),
    [COMPOSITE_DELIVERING] = TO(LINGERING),
    [COMPOSITE_LINGERING] = TO(RESTING),
};
#undef TO

bool composite_state_follows(composite_state before, composite_state after)
{
    return (followers[before] >> after & 1u) != 0;
}

void composite_state_enter(composite_state *at, composite_state to)
{
    assert(composite_state_follows(*at, to));
    *at = to;
}
