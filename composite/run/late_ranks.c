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

/* Microseconds since the last call. */
static int64_t lap(composite_late_ranks *late)
{
    const double now = base_clock();
    const int64_t microseconds = (int64_t)(1e6 * (now - late->since));
    late->since = now;
    return microseconds;
}

void composite_late_ranks_end_drawing(composite_executor *executor)
{
    executor->late.drawing = lap(&executor->late);
}

void composite_late_ranks_end_merging(composite_executor *executor)
{
    executor->late.merging = lap(&executor->late);
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

/* Merging without waiting for a late rank: the shortest time of all ranks. */
static int64_t find_merging(const composite_executor *executor)
{
    int64_t least = INT64_MAX;
    for (int rank = 0; rank < executor->size; rank++) {
        const int64_t time = executor->records[rank].values[COMPOSITE_INPUT_MERGING];
        least = time < least ? time : least;
    }
    return least;
}

/*
 * At most one rank in eight can be late. In two frames one after the other it must have
 * drawn longer than the others: by a quarter, by two milliseconds, and by the time that
 * they need to merge. To go around it takes more bytes over the root's link, which only
 * pays while the others would wait.
 */
void composite_late_ranks_find(composite_executor *executor)
{
    enum { ONE_IN = 8, LEAST_MICROSECONDS = 2000 };
    composite_late_ranks *late = &executor->late;
    const int most = executor->size / ONE_IN > 1 ? executor->size / ONE_IN : 1;
    const int64_t usual = find_usual(executor, most);
    const int64_t merging = find_merging(executor);
    const int64_t other = usual / 4 + LEAST_MICROSECONDS;
    const int64_t least = merging > other ? merging : other;
    late->count = 0;
    for (int rank = 0; rank < executor->size; rank++) {
        const bool is_slow = usual >= 0 && time_of(executor, rank) > usual + least;
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
