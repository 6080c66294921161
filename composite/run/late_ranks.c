/*
 * Ranks that drew longer than the others in the last frames are expected to do so again:
 * the schedule goes around them (composite/late.h).
 *
 * Ranks tell each other the times of their last drawing with the inputs of a frame. So
 * all of them come to the same result.
 */
#include "executor.h"

#include "base/system.h"
#include "composite/late.h"

#include <stdlib.h>
#include <string.h>

status composite_late_ranks_create(int ranks, composite_late_ranks *late)
{
    const size_t count = (size_t)ranks;
    *late = (composite_late_ranks){.suspects = calloc(count, sizeof *late->suspects),
                                   .ranks = calloc(count, sizeof *late->ranks),
                                   .positions = calloc(count, sizeof *late->positions)};
    return late->suspects && late->ranks && late->positions
               ? STATUS_OK
               : base_fail_memory(3 * count, "an executor");
}

void composite_late_ranks_clear(composite_late_ranks *late)
{
    free(late->suspects);
    free(late->ranks);
    free(late->positions);
    *late = (composite_late_ranks){0};
}

/* ---- Measuring --------------------------------------------------------------------- */

void composite_late_ranks_begin_drawing(composite_executor *executor)
{
    executor->late.since = base_clock();
}

void composite_late_ranks_end_drawing(composite_executor *executor)
{
    executor->late.microseconds = (int64_t)(1e6 * (base_clock() - executor->late.since));
}

/* ---- Finding ----------------------------------------------------------------------- */

static int64_t time_of(const composite_executor *executor, int rank)
{
    return executor->records[rank].values[COMPOSITE_INPUT_DRAWING];
}

/* The longest time but for those of the `most` slowest ranks. */
static int64_t find_usual(const composite_executor *executor, int most)
{
    int64_t below = INT64_MAX;
    int64_t usual = 0;
    for (int n = 0; n <= most; n++) {
        usual = -1;
        for (int rank = 0; rank < executor->size; rank++) {
            const int64_t time = time_of(executor, rank);
            usual = time < below && time > usual ? time : usual;
        }
        below = usual;
    }
    return usual;
}

/* At most one rank in eight can be late. It must have drawn a quarter longer than the
 * others, and two milliseconds, in two frames one after the other. */
void composite_late_ranks_find(composite_executor *executor)
{
    enum { ONE_IN = 8, LEAST_MICROSECONDS = 2000 };
    composite_late_ranks *late = &executor->late;
    const int most = executor->size / ONE_IN > 1 ? executor->size / ONE_IN : 1;
    const int64_t usual = find_usual(executor, most);
    late->count = 0;
    for (int rank = 0; rank < executor->size; rank++) {
        const bool is_slow = usual >= 0 && time_of(executor, rank) >
                                               usual + usual / 4 + LEAST_MICROSECONDS;
        late->ranks[rank] = is_slow && late->suspects[rank];
        late->suspects[rank] = is_slow;
        late->count += late->ranks[rank];
    }
}

/* ---- The schedule ------------------------------------------------------------------ */

/* The late positions of an order. If they are not those of the last call, plans must be
 * made anew: keys have the address of the list, not its contents. */
static const bool *find_positions(composite_executor *executor, const int *order)
{
    composite_late_ranks *late = &executor->late;
    bool is_same = true;
    for (int position = 0; position < executor->size; position++) {
        const bool is_late = late->ranks[order[position]];
        is_same = is_same && late->positions[position] == is_late;
        late->positions[position] = is_late;
    }
    if (!is_same) {
        executor->plan.is_made = false;
        executor->gathering.algorithm = NULL;
    }
    return late->positions;
}

void composite_late_ranks_go_around(composite_run *run, composite_plan_key *key)
{
    composite_executor *executor = run->executor;
    if (!run->request->adapts || executor->late.count == 0 ||
        run->reach == COMPOSITE_REACH_ALL || !key->algorithm->is_direct) {
        return;
    }
    key->problem.late = find_positions(executor, run->request->order);
    if (composite_late_applies(&key->problem)) {
        key->algorithm = &composite_around_late;
    } else {
        key->problem.late = NULL;
    }
}
