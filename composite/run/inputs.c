/*
 * Exchanges the inputs of all ranks before a frame is drawn: what they must agree on, and
 * the bounds of their images.
 *
 * On one node every rank writes its inputs on its status page and reads the pages of the
 * others: a collective call takes log2(ranks) steps, and a rank may have to wait in each.
 * Otherwise it is one allgather (tell.c).
 */
#include "executor.h"

static void gather_by_messages(composite_run *run, const composite_record *mine)
{
    composite_executor *executor = run->executor;
    if (composite_node_sync_has_page(executor)) {
        composite_node_sync_publish(run, mine);
    }
    composite_tell(executor, mine, (int)sizeof *mine, executor->records);
}

static void gather_on_pages(composite_run *run, const composite_record *mine)
{
    composite_executor *executor = run->executor;
    composite_node_sync_publish(run, mine);
    for (int rank = 0; rank < executor->size; rank++) {
        executor->records[rank] =
            composite_node_sync_wait_inputs(run, executor->node.ranks[rank]);
    }
}

composite_inputs composite_inputs_exchange(composite_run *run,
                                           const composite_record *mine)
{
    const composite_executor *executor = run->executor;
    base_events *events = run->request->events;
    base_event wait = {
        .kind = BASE_EVENT_WAIT, .peer = -1, .begin = base_events_now(events)};
    /* Whether all ranks have pages that all can read; the same on all ranks. */
    if (executor->reach == COMPOSITE_REACH_ALL) {
        gather_on_pages(run, mine);
    } else {
        gather_by_messages(run, mine);
    }
    wait.end = base_events_now(events);
    base_events_add(events, wait);
    composite_inputs all;
    for (int i = 0; i < COMPOSITE_INPUTS; i++) {
        all.least[i] = all.greatest[i] = executor->records[0].values[i];
        for (int rank = 1; rank < executor->size; rank++) {
            const int64_t value = executor->records[rank].values[i];
            all.least[i] = value < all.least[i] ? value : all.least[i];
            all.greatest[i] = value > all.greatest[i] ? value : all.greatest[i];
        }
    }
    return all;
}
