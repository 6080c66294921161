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
    base_events_add(events, (base_event){kind, peer, 0, now, now, bytes});
}

/* Notes a wait for a peer, if there was one. */
static void note_wait(const composite_run *run, double begin, int peer)
{
    base_events *events = run->request->events;
    if (run->idle > 0) {
        base_events_add(events, (base_event){BASE_EVENT_WAIT, peer, 0, begin,
                                             base_events_now(events), 0});
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

bool composite_node_sync_is_ready(const composite_run *run, const composite_part *part)
{
    return part->round == 0 ||
           composite_status_page_has_passed(
               page_of(run, composite_node_rank(run, part->peer)),
               progress_of(run, part->round - 1, segment_of(run, part)));
}

/* Whether a rank of the node has merged a part of this rank's image. */
static bool is_taken(const composite_run *run, const composite_part *part)
{
    return composite_status_page_has_passed(
        page_of(run, composite_node_rank(run, part->peer)),
        progress_of(run, part->round, segment_of(run, part)));
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

void composite_node_sync_write_image(const composite_run *run)
{
    composite_status_page *page = own_page(run);
    page->active = run->img->active;
    page->kept = run->img->kept;
    if (run->executor->node.size > 1) {
        composite_columns_find(run->img, run->executor->threads, own_columns(run));
    }
    composite_status_page_set_active(page, run->img->active);
}

void composite_node_sync_publish_no_inputs(const composite_run *run)
{
    composite_status_page_enter(own_page(run), COMPOSITE_PAGE_PUBLISHED,
                                run->executor->frame);
}

void composite_node_sync_publish_inputs(const composite_run *run, const int64_t *values)
{
    composite_status_page *page = own_page(run);
    int64_t shown[COMPOSITE_BANDS] = {0};
    if (run->img && is_read(run) && run->executor->node.size > 1) {
        composite_columns_add(shown, run->img, own_columns(run));
    } else if (run->img) {
        composite_cuts_add(shown, run->img->width, run->img->height, run->img->active);
    }
    for (int band = 0; band < COMPOSITE_BANDS; band++) {
        page->shown[band] = (int32_t)shown[band];
    }
    for (int i = 0; i < COMPOSITE_INPUTS; i++) {
        page->inputs[i] = values[i];
    }
    note_instant(run, BASE_EVENT_SHARE, -1, 0);
    composite_status_page_enter(page, COMPOSITE_PAGE_PUBLISHED, run->executor->frame);
}

/* MPI makes progress only while it is called, and another rank may wait for a message
 * that this one has begun to send: so MPI is called now and then. */
static void idle_before_frame(composite_run *run)
{
    enum { POLLS = 512 };
    int found;
    if (run->idle % POLLS == POLLS - 1) {
        MPI_Iprobe(MPI_ANY_SOURCE, COMPOSITE_TAG + 1, run->executor->comm, &found,
                   MPI_STATUS_IGNORE);
    }
    parallel_relax(&run->idle);
}

const int64_t *composite_node_sync_wait_inputs(composite_run *run, int node_rank)
{
    const composite_status_page *page = page_of(run, node_rank);
    while (!composite_status_page_is_published(page, run->executor->frame)) {
        idle_before_frame(run);
    }
    return page->inputs;
}

void composite_node_sync_add_shown(const composite_run *run, int node_rank,
                                   composite_inputs *all)
{
    const composite_status_page *page = page_of(run, node_rank);
    for (int band = 0; band < COMPOSITE_BANDS; band++) {
        all->shown[band] += page->shown[band];
    }
}

void composite_node_sync_read_image(const composite_run *run, int node_rank)
{
    const composite_node *node = &run->executor->node;
    if (node_rank != node->rank) { /* its own image already has it */
        node->images[node_rank].kept = page_of(run, node_rank)->kept;
    }
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

void composite_node_sync_wait_part(composite_run *run, const composite_part *part,
                                   int64_t n)
{
    const double begin = base_events_now(run->request->events);
    const bool is_near = composite_is_near(run, part->peer);
    run->idle = 0;
    while (is_near ? !composite_node_sync_is_ready(run, part)
                   : !composite_messages_arrived(run, n)) {
        composite_messages_idle(run);
    }
    note_wait(run, begin, run->request->order[part->peer]);
}

void composite_node_sync_wait_sends(composite_run *run)
{
    const double begin = base_events_now(run->request->events);
    run->idle = 0;
    while (!composite_messages_left(run)) {
        composite_messages_idle(run);
    }
    note_wait(run, begin, -1);
}

void composite_node_sync_wait_segment(composite_run *run, int round, int64_t segment)
{
    const double begin = base_events_now(run->request->events);
    run->idle = 0;
    while (!composite_messages_left_segment(run, round, segment)) {
        composite_messages_idle(run);
    }
    note_wait(run, begin, -1);
}

void composite_node_sync_wait_readers(composite_run *run, int round, int64_t segment)
{
    const composite_part_list *sends = &run->executor->plan.sends;
    for (int64_t i = 0; i < sends->count; i++) {
        const composite_part *part = &sends->items[i];
        const bool matters = part->round < round &&
                             (segment < 0 || segment == segment_of(run, part)) &&
                             composite_is_near(run, part->peer);
        const double begin = base_events_now(run->request->events);
        run->idle = 0;
        while (matters && !is_taken(run, part)) {
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
    while (!composite_status_page_has_reached(root, COMPOSITE_PAGE_SENT)) {
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
