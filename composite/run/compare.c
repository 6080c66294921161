/*
 * What ranks compare before they begin, and learn about each other's images.
 *
 * On one node each writes it on its board and reads those of the others. (An allreduce
 * takes log2(ranks) steps of the MPI library, in each of which a rank may have to wait.)
 * Elsewhere it is one allreduce.
 */
#include "executor.h"

#include "base/parallel/parallel.h"

#include <stddef.h>

/* What the allreduce joins. */
typedef struct record {
    int64_t least[2 * COMPOSITE_COMPARED]; /* of the values, then of the negative ones */
    int64_t shown[COMPOSITE_BANDS];
} record;

enum { RECORD = sizeof(record) / sizeof(int64_t) };

static void join(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    const record *from = in;
    record *to = inout;
    for (int n = 0; n < *count; n++) {
        for (int i = 0; i < 2 * COMPOSITE_COMPARED; i++) {
            const int64_t other = from[n].least[i];
            to[n].least[i] = other < to[n].least[i] ? other : to[n].least[i];
        }
        for (int i = 0; i < COMPOSITE_BANDS; i++) {
            to[n].shown[i] += from[n].shown[i];
        }
    }
}

void composite_compare_open(composite_executor *executor)
{
    MPI_Type_contiguous(RECORD, MPI_INT64_T, &executor->comparing.record);
    MPI_Type_commit(&executor->comparing.record);
    MPI_Op_create(join, true, &executor->comparing.join);
}

void composite_compare_close(composite_executor *executor)
{
    MPI_Type_free(&executor->comparing.record);
    MPI_Op_free(&executor->comparing.join);
}

/* ---- By messages ------------------------------------------------------------------- */

static void compare_by_messages(const composite_run *run, const int64_t *mine,
                                composite_comparison *all)
{
    record own = {.shown = {0}};
    record sum;
    for (int i = 0; i < COMPOSITE_COMPARED; i++) {
        own.least[i] = mine[i];
        own.least[COMPOSITE_COMPARED + i] = -mine[i];
    }
    if (run->img) {
        composite_cuts_add(own.shown, run->img->width, run->img->height,
                           run->img->active);
    }
    if (composite_watch_has_board(run->executor)) {
        composite_watch_skip(run);
    }
    parallel_allreduce(&own, &sum, 1, run->executor->comparing.record,
                       run->executor->comparing.join, run->executor->comm);
    for (int i = 0; i < COMPOSITE_COMPARED; i++) {
        all->least[i] = sum.least[i];
        all->greatest[i] = -sum.least[COMPOSITE_COMPARED + i];
    }
    for (int i = 0; i < COMPOSITE_BANDS; i++) {
        all->shown[i] = sum.shown[i];
    }
}

/* ---- On one node ------------------------------------------------------------------- */

static void compare_on_boards(composite_run *run, const int64_t *mine,
                              composite_comparison *all)
{
    composite_watch_tell(run, mine);
    for (int rank = 0; rank < run->executor->node.size; rank++) {
        const int64_t *values = composite_watch_told(run, rank);
        composite_watch_learn(run, rank);
        for (int i = 0; i < COMPOSITE_COMPARED; i++) {
            const bool is_first = rank == 0;
            all->least[i] =
                is_first || values[i] < all->least[i] ? values[i] : all->least[i];
            all->greatest[i] =
                is_first || values[i] > all->greatest[i] ? values[i] : all->greatest[i];
        }
    }
}

/* Of images of one size. */
static void sum_boards(const composite_run *run, composite_comparison *all)
{
    for (int rank = 0; rank < run->executor->node.size; rank++) {
        composite_watch_add(run, rank, all);
    }
}

composite_comparison composite_compare(composite_run *run, const int64_t *mine)
{
    composite_comparison all = {.shown = {0}};
    base_events *events = run->request->events;
    base_event wait = {
        .kind = BASE_EVENT_WAIT, .peer = -1, .begin = base_events_now(events)};
    /* All ranks have boards that all can read: alike on all ranks. */
    const bool on_boards = run->executor->reach == COMPOSITE_REACH_ALL;
    if (on_boards) {
        compare_on_boards(run, mine, &all);
    } else {
        compare_by_messages(run, mine, &all);
    }
    wait.end = base_events_now(events);
    base_events_add(events, wait);
    if (on_boards && !all.greatest[COMPOSITE_FAILS] &&
        all.least[COMPOSITE_WIDTH] == all.greatest[COMPOSITE_WIDTH] &&
        all.least[COMPOSITE_HEIGHT] == all.greatest[COMPOSITE_HEIGHT]) {
        sum_boards(run, &all);
    }
    return all;
}
