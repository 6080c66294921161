/*
 * Ranks that drew longer than the others in the last frames are expected to do so again:
 * the schedule goes around them (composite/late_positions.h).
 *
 * Ranks tell each other the times of their last drawing with the inputs of a frame. So
 * all of them come to the same result.
 */
#include "executor.h"

#include "base/system.h"

#include <stdlib.h>
#include <string.h>

status composite_late_ranks_create(int ranks, composite_late_ranks *late)
{
    const size_t count = (size_t)ranks;
    *late = (composite_late_ranks){.suspects = calloc(count, sizeof *late->suspects),
                                   .ranks = calloc(count, sizeof *late->ranks),
                                   .positions = calloc(count, sizeof *late->positions),
                                   .times = calloc(count, sizeof *late->times)};
    return late->suspects && late->ranks && late->positions && late->times
               ? STATUS_OK
               : base_fail_memory(count * sizeof *late->times, "an executor");
}

void composite_late_ranks_clear(composite_late_ranks *late)
{
    free(late->suspects);
    free(late->ranks);
    free(late->positions);
    free(late->times);
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

static int compare_times(const void *left, const void *right)
{
    const int64_t a = *(const int64_t *)left;
    const int64_t b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

/* The longest time but for those of the `most` slowest ranks; -1 if there are no others.
 */
static int64_t find_usual(composite_executor *executor, int most)
{
    int64_t *times = executor->late.times;
    for (int rank = 0; rank < executor->size; rank++) {
        times[rank] = time_of(executor, rank);
    }
    qsort(times, (size_t)executor->size, sizeof *times, compare_times);
    return most < executor->size ? times[executor->size - 1 - most] : -1;
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

static int one_in(int parts, int ranks)
{
    return ranks / parts > 1 ? ranks / parts : 1;
}

/*
 * Whether so many ranks may be gone around. Their images go to the root as they are, one
 * after the other over its link. One in eight may always do so, more of them if their
 * bounds have at most half of the picture's pixels.
 */
static bool may_avoid(const composite_executor *executor)
{
    const composite_late_ranks *late = &executor->late;
    int64_t pixels = 0;
    for (int rank = 0; rank < executor->size; rank++) {
        const pixel_rect r = executor->records[rank].bounds;
        if (late->ranks[rank] && !pixel_rect_is_empty(r)) {
            pixels += (int64_t)(r.x1 - r.x0) * (r.y1 - r.y0);
        }
    }
    return late->count <= one_in(8, executor->size) ||
           2 * pixels <= executor->cutting.pixels;
}

/*
 * At most one rank in four can be late. In two frames one after the other it must have
 * drawn longer than the others: by a quarter, by two milliseconds, and by the time that
 * they need to merge. To go around it takes more bytes over the root's link, which only
 * pays while the others would wait.
 */
void composite_late_ranks_find(composite_executor *executor)
{
    enum { LEAST_MICROSECONDS = 2000 };
    composite_late_ranks *late = &executor->late;
    const int64_t usual = find_usual(executor, one_in(4, executor->size));
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
    if (!may_avoid(executor)) {
        memset(late->ranks, 0, (size_t)executor->size * sizeof *late->ranks);
        late->count = 0;
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

const bool *composite_late_ranks_to_avoid(composite_run *run, int gather_bytes)
{
    composite_executor *executor = run->executor;
    const composite_request *request = run->request;
    if (!request->adapts || executor->late.count == 0 ||
        run->reach == COMPOSITE_REACH_ALL || gather_bytes != COMPOSITE_PIXEL_BYTES) {
        return NULL;
    }
    const bool *late = find_positions(executor, request->order);
    const int images = composite_teams_count(executor, request, late);
    return composite_teams_algorithm(executor, request, images)->is_direct ? late : NULL;
}
