#include "loads.h"

#include "base/parallel/parallel.h"

void share_loads_note(share_state *state, bool looks)
{
    const app_scene *scene = state->scene;
    const app_share_took *took = &state->took;
    share_loads *loads = &state->loads;
    if (took->drawn > 0 && (looks || !took->is_settled)) {
        double *seconds = took->is_settled
                              ? &loads->field_seconds
                              : &loads->move_seconds[scene->part.is_exchanging];
        parallel_allreduce(&took->load_seconds, seconds, 1, MPI_DOUBLE, MPI_MAX,
                           scene->comm);
    }
}

bool share_loads_exchanges(const share_state *state)
{
    const double read = state->loads.move_seconds[0];
    const double exchanged = state->loads.move_seconds[1];
    return state->scene->ranks > 1 && state->scene->config->memory == 0 &&
           exchanged <= read;
}

double share_loads_move_seconds(const share_state *state)
{
    const share_loads *loads = &state->loads;
    const double moved = loads->move_seconds[share_loads_exchanges(state)];
    const double whole = moved > 0.0 ? moved : loads->move_seconds[0];
    /* Not known yet: coordinates are about as much as a field. */
    const double field = loads->field_seconds > 0.0 ? loads->field_seconds : 0.5 * whole;
    return fmax(whole - field, 0.0);
}
