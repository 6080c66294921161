/*
 * Synchronizes the ranks of a node. Every rank writes its progress on its own status
 * page; the others read there which of its pixels they may read or overwrite. That takes
 * no messages.
 */
#include "executor.h"

#include "base/parallel/parallel.h"

#include <string.h>

/* ---- For timelines ----------------------------------------------------------------- */

/* Notes an event without a duration. */
static void note_instant(const composite_run *run, base_event_kind kind, int peer,
                         int64_t bytes)
{
    base_events *events = run->request->events;
    const double now = base_events_now(events);
    base_events_add(
        events,
        (base_event){
            .kind = kind, .peer = peer, .begin = now, .end = now, .bytes = bytes});
}

/* Notes a wait for a peer, if there was one. */
static void note_wait(const composite_run *run, double begin, int peer)
{
    base_events *events = run->request->events;
    if (run->idle > 0) {
        base_events_add(events, (base_event){.kind = BASE_EVENT_WAIT,
                                             .peer = peer,
                                             .begin = begin,
                                             .end = base_events_now(events)});
    }
}

/* ---- The pages of other ranks ------------------------------------------------------ */

static composite_status_page *page_of(const composite_run *run, int node_rank)
{
    const composite_executor *executor = run->executor;
    return composite_node_page(&executor->node, node_rank, executor->frame);
}

static int64_t progress_of(const composite_run *run, int round, int64_t segment)
{
    return composite_status_page_progress(round, segment, run->executor->plan.nsegments);
}

static int64_t segment_of(const composite_run *run, const composite_part *part)
{
    return part->pix0 / run->executor->plan.key.segment;
}

/* Takes the place of a rank's pixels from its page, once it has drawn them. */
static void read_place(const composite_run *run, int node_rank)
{
    const composite_node *node = &run->executor->node;
    if (node_rank != node->rank) { /* its own image already has it */
        node->images[node_rank].kept = page_of(run, node_rank)->kept;
    }
}

bool composite_node_sync_is_ready(const composite_run *run, const composite_part *part)
{
    const int rank = composite_node_rank(run, part->peer);
    const int64_t awaited =
        part->round > 0 ? progress_of(run, part->round - 1, segment_of(run, part)) : 0;
    const bool is_ready = composite_status_page_has_passed(page_of(run, rank), awaited);
    if (is_ready) {
        read_place(run, rank);
    }
    return is_ready;
}

/* Whether a rank of the node has merged a part of this rank's image. */
static bool has_taken(const composite_run *run, const composite_part *part)
{
    return composite_status_page_has_passed(
        page_of(run, composite_node_rank(run, part->peer)),
        progress_of(run, part->round, segment_of(run, part)));
}

/* Whether a rank of the node may still read a part of this rank's image that it got
 * before `round`, in one segment or in all (-1). */
static bool is_awaited(const composite_run *run, const composite_part *part, int round,
                       int64_t segment)
{
    return part->round < round && (segment < 0 || segment == segment_of(run, part)) &&
           composite_is_near(run, part->peer) && !has_taken(run, part);
}

bool composite_node_sync_is_taken(const composite_run *run, int round, int64_t segment)
{
    const composite_part_list *sends = &run->executor->plan.sends;
    for (int64_t i = 0; i < sends->count; i++) {
        if (is_awaited(run, &sends->items[i], round, segment)) {
            return false;
        }
    }
    return true;
}

bool composite_node_sync_root_has_drawn(const composite_run *run)
{
    const int root = composite_node_rank(run, run->root);
    const bool has_drawn = composite_status_page_has_drawn(page_of(run, root));
    if (has_drawn) {
        read_place(run, root);
    }
    return has_drawn;
}

/* ---- This rank's page -------------------------------------------------------------- */

static composite_status_page *own_page(const composite_run *run)
{
    return page_of(run, run->executor->node.rank);
}

static bool is_read(const composite_run *run)
{
    return run->reach != COMPOSITE_REACH_OWN;
}

/* Moves the page to a state, with the active rectangle by now. */
static void advance(const composite_run *run, composite_status_page_state state,
                    int64_t n)
{
    pixel_rect r = run->img->active;
    pixel_rect_grow(&r, run->delivered);
    composite_status_page_set_active(own_page(run), r);
    composite_status_page_enter(own_page(run), state, n);
    note_instant(run, BASE_EVENT_SHARE, -1, 0);
}

void composite_node_sync_progress(const composite_run *run, int round, int64_t segment)
{
    if (is_read(run)) {
        advance(run, COMPOSITE_PAGE_MERGING, progress_of(run, round, segment));
    }
}

void composite_node_sync_merged(const composite_run *run)
{
    if (is_read(run) && own_page(run)->state < COMPOSITE_PAGE_MERGED) {
        advance(run, COMPOSITE_PAGE_MERGED, 0);
    }
}

void composite_node_sync_sent(const composite_run *run)
{
    if (is_read(run) && own_page(run)->state < COMPOSITE_PAGE_SENT) {
        composite_status_page_enter(own_page(run), COMPOSITE_PAGE_SENT, 0);
    }
}

void composite_node_sync_finished(const composite_run *run)
{
    if (is_read(run)) {
        advance(run, COMPOSITE_PAGE_FINISHED, 0);
    }
}

static composite_columns *own_columns(const composite_run *run)
{
    const composite_node *node = &run->executor->node;
    return node->columns[node->rank];
}

bool composite_node_sync_has_page(const composite_executor *executor)
{
    return executor->reach != COMPOSITE_REACH_OWN;
}

void composite_node_sync_open(const composite_executor *executor)
{
    const composite_node *node = &executor->node;
    composite_status_page_enter(composite_node_page(node, node->rank, executor->frame),
                                COMPOSITE_PAGE_OPEN, 0);
}

void composite_node_sync_publish(const composite_run *run, const composite_record *mine)
{
    composite_status_page *page = own_page(run);
    for (int i = 0; i < COMPOSITE_INPUTS; i++) {
        page->inputs[i] = mine->values[i];
    }
    page->bounds = mine->bounds;
    note_instant(run, BASE_EVENT_SHARE, -1, 0);
    composite_status_page_enter(page, COMPOSITE_PAGE_PUBLISHED, run->executor->frame);
}

void composite_node_sync_drawn(const composite_run *run)
{
    composite_status_page *page = own_page(run);
    if (!is_read(run)) {
        return;
    }
    page->active = run->img->active;
    page->kept = run->img->kept;
    page->failed = run->outcome != STATUS_OK;
    if (run->executor->node.size > 1) {
        composite_columns_find(run->img, run->executor->threads, own_columns(run));
    }
    advance(run, COMPOSITE_PAGE_MERGING, progress_of(run, 0, 0));
}

/* MPI makes progress only while it is called, and another rank may wait for a message
 * that this one has begun to send: so MPI is called now and then. */
static void idle_before_frame(composite_run *run)
{
    enum { POLLS = 512 };
    int found;
    if (run->idle % POLLS == POLLS - 1) {
        MPI_Iprobe(MPI_ANY_SOURCE, COMPOSITE_NO_TAG, run->executor->comm, &found,
                   MPI_STATUS_IGNORE);
    }
    parallel_relax(&run->idle);
}

composite_record composite_node_sync_wait_inputs(composite_run *run, int node_rank)
{
    const composite_status_page *page = page_of(run, node_rank);
    composite_record record = {.values = {0}};
    run->idle = 0;
    while (!composite_status_page_is_published(page, run->executor->frame)) {
        idle_before_frame(run);
    }
    for (int i = 0; i < COMPOSITE_INPUTS; i++) {
        record.values[i] = page->inputs[i];
    }
    record.bounds = page->bounds;
    return record;
}

composite_layer composite_node_sync_layer(const composite_run *run,
                                          const composite_part *part)
{
    const int rank = composite_node_rank(run, part->peer);
    const composite_status_page *page = page_of(run, rank);
    /* Pixels that the peer drew itself lie in the rectangle that it began with. */
    const bool is_own = part->run0 == part->peer && part->run1 == part->run0 + 1;
    return (composite_layer){.img = &run->executor->node.images[rank],
                             .active = is_own ? page->active
                                              : composite_status_page_active(page),
                             .columns = is_own ? run->executor->node.columns[rank] : NULL,
                             .pix0 = part->pix0,
                             .npix = part->npix,
                             .in_front = part->in_front};
}

/* ---- Waiting ----------------------------------------------------------------------- */

void composite_node_sync_wait_sends(composite_run *run)
{
    const double begin = base_events_now(run->request->events);
    run->idle = 0;
    while (!composite_messages_left(run)) {
        composite_messages_idle(run);
    }
    note_wait(run, begin, -1);
}

void composite_node_sync_wait_readers(composite_run *run)
{
    const composite_part_list *sends = &run->executor->plan.sends;
    for (int64_t i = 0; i < sends->count; i++) {
        const composite_part *part = &sends->items[i];
        const double begin = base_events_now(run->request->events);
        run->idle = 0;
        while (is_awaited(run, part, COMPOSITE_GATHER_ROUND, -1)) {
            composite_messages_idle(run);
        }
        note_wait(run, begin, run->request->order[part->peer]);
    }
}

void composite_node_sync_wait_root(composite_run *run)
{
    const composite_status_page *root = page_of(run, composite_node_rank(run, run->root));
    const double begin = base_events_now(run->request->events);
    run->idle = 0;
    /* Messages read its image, or none do. */
    while (run->reach == COMPOSITE_REACH_ALL
               ? !composite_node_sync_root_has_drawn(run)
               : !composite_status_page_has_reached(root, COMPOSITE_PAGE_SENT)) {
        composite_messages_idle(run);
    }
    note_wait(run, begin, run->request->order[run->root]);
}

void composite_node_sync_wait_picture(composite_run *run)
{
    for (int rank = 0; rank < run->executor->node.size; rank++) {
        const composite_status_page *page = page_of(run, rank);
        const double begin = base_events_now(run->request->events);
        run->idle = 0;
        while (!composite_status_page_has_reached(page, COMPOSITE_PAGE_FINISHED)) {
            composite_messages_idle(run);
        }
        note_wait(run, begin, -1);
        if (run->request->target == COMPOSITE_FLOATS) {
            pixel_rect_grow(&run->img->active, composite_status_page_active(page));
        }
    }
}

bool composite_node_sync_wait_drawn(composite_run *run)
{
    bool failed = false;
    for (int rank = 0; rank < run->executor->node.size; rank++) {
        const composite_status_page *page = page_of(run, rank);
        const double begin = base_events_now(run->request->events);
        run->idle = 0;
        while (!composite_status_page_has_drawn(page)) {
            composite_messages_idle(run);
        }
        note_wait(run, begin, -1);
        failed = failed || page->failed;
    }
    return failed;
}
