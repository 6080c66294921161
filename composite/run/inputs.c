/*
 * Reduces the inputs of all ranks to their least and greatest values and the sums of
 * their active pixels, before a frame begins.
 *
 * On one node every rank writes its inputs on its status page and reads the pages of the
 * others: an allreduce takes log2(ranks) steps, and a rank may have to wait in each.
 * Otherwise it is one allreduce.
 */
#include "executor.h"

#include "base/parallel/parallel.h"

#include <stddef.h>

/* The element that the allreduce joins. */
typedef struct record {
    int64_t least[2 * COMPOSITE_INPUTS]; /* of the values, then of the negative ones */
    int64_t shown[COMPOSITE_BANDS];
} record;

enum { RECORD = sizeof(record) / sizeof(int64_t) };

static void join(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    const record *from = in;
    record *to = inout;
    for (int n = 0; n < *count; n++) {
        for (int i = 0; i < 2 * COMPOSITE_INPUTS; i++) {
            const int64_t other = from[n].least[i];
            to[n].least[i] = other < to[n].least[i] ? other : to[n].least[i];
        }
        for (int i = 0; i < COMPOSITE_BANDS; i++) {
            to[n].shown[i] += from[n].shown[i];
        }
    }
}

void composite_inputs_open(composite_executor *executor)
{
    MPI_Type_contiguous(RECORD, MPI_INT64_T, &executor->reduction.record);
    MPI_Type_commit(&executor->reduction.record);
    MPI_Op_create(join, true, &executor->reduction.join);
}

void composite_inputs_close(composite_executor *executor)
{
    MPI_Type_free(&executor->reduction.record);
    MPI_Op_free(&executor->reduction.join);
}

/* ---- By messages ------------------------------------------------------------------- */

static void reduce_by_messages(const composite_run *run, const int64_t *mine,
                               composite_inputs *all)
{
    record own = {.shown = {0}};
    record sum;
    for (int i = 0; i < COMPOSITE_INPUTS; i++) {
        own.least[i] = mine[i];
        own.least[COMPOSITE_INPUTS + i] = -mine[i];
    }
    if (run->img) {
        composite_cuts_add(own.shown, run->img->width, run->img->height,
                           run->img->active);
    }
    if (composite_node_sync_has_page(run->executor)) {
        composite_node_sync_publish_no_inputs(run);
    }
    parallel_allreduce(&own, &sum, 1, run->executor->reduction.record,
                       run->executor->reduction.join, run->executor->comm);
    for (int i = 0; i < COMPOSITE_INPUTS; i++) {
        all->least[i] = sum.least[i];
        all->greatest[i] = -sum.least[COMPOSITE_INPUTS + i];
    }
    for (int i = 0; i < COMPOSITE_BANDS; i++) {
        all->shown[i] = sum.shown[i];
    }
}

/* ---- On one node ------------------------------------------------------------------- */

static void reduce_on_pages(composite_run *run, const int64_t *mine,
                            composite_inputs *all)
{
    composite_node_sync_publish_inputs(run, mine);
    for (int rank = 0; rank < run->executor->node.size; rank++) {
        const int64_t *values = composite_node_sync_wait_inputs(run, rank);
        composite_node_sync_read_image(run, rank);
        for (int i = 0; i < COMPOSITE_INPUTS; i++) {
            const bool is_first = rank == 0;
            all->least[i] =
                is_first || values[i] < all->least[i] ? values[i] : all->least[i];
            all->greatest[i] =
                is_first || values[i] > all->greatest[i] ? values[i] : all->greatest[i];
        }
    }
}

/* Only for images of one size. */
static void sum_shown(const composite_run *run, composite_inputs *all)
{
    for (int rank = 0; rank < run->executor->node.size; rank++) {
        composite_node_sync_add_shown(run, rank, all);
    }
}

composite_inputs composite_inputs_reduce(composite_run *run, const int64_t *mine)
{
    composite_inputs all = {.shown = {0}};
    base_events *events = run->request->events;
    base_event wait = {
        .kind = BASE_EVENT_WAIT, .peer = -1, .begin = base_events_now(events)};
    /* Whether all ranks have pages that all can read; the same on all ranks. */
    const bool on_pages = run->executor->reach == COMPOSITE_REACH_ALL;
    if (on_pages) {
        reduce_on_pages(run, mine, &all);
    } else {
        reduce_by_messages(run, mine, &all);
    }
    wait.end = base_events_now(events);
    base_events_add(events, wait);
    if (on_pages && !all.greatest[COMPOSITE_INPUT_FAILS] &&
        all.least[COMPOSITE_INPUT_WIDTH] == all.greatest[COMPOSITE_INPUT_WIDTH] &&
        all.least[COMPOSITE_INPUT_HEIGHT] == all.greatest[COMPOSITE_INPUT_HEIGHT]) {
        sum_shown(run, &all);
    }
    return all;
}
