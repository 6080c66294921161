#include "loads.h"

#include "base/parallel/parallel.h"

void distribution_loads_note(distribution_state *state, bool looks)
{
    const frame_scene *scene = state->scene;
    const distribution_times *times = &state->times;
    distribution_loads *loads = &state->loads;
    if (times->drawn > 0 && (looks || !times->is_settled)) {
        double *seconds = times->is_settled
                              ? &loads->field_seconds
                              : &loads->move_seconds[scene->part.is_exchanging];
        parallel_allreduce(&times->load_seconds, seconds, 1, MPI_DOUBLE, MPI_MAX,
                           scene->comm);
    }
}

bool distribution_loads_exchanges(const distribution_state *state)
{
    const double read = state->loads.move_seconds[0];
    const double exchanged = state->loads.move_seconds[1];
    return state->scene->ranks > 1 && state->scene->config->memory == 0 &&
           exchanged <= read;
}

double distribution_loads_move_seconds(const distribution_state *state)
{
    const distribution_loads *loads = &state->loads;
    const double moved = loads->move_seconds[distribution_loads_exchanges(state)];
    const double whole = moved > 0.0 ? moved : loads->move_seconds[0];
    /* If not known yet, coordinates are taken to be about as much as a field. */
    const double field = loads->field_seconds > 0.0 ? loads->field_seconds : 0.5 * whole;
    return fmax(whole - field, 0.0);
}
