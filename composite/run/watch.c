/*
 * Watching the other ranks of the node: how far each has merged, and with that, which
 * pixels may be read or overwritten. Nobody sends a message for that: every rank writes
 * on its own board, and the others look.
 */
#include "executor.h"

#include "base/parallel/parallel.h"

#include <string.h>

/* ---- For timelines ----------------------------------------------------------------- */

/* A moment of this rank. */
static void note_moment(const composite_run *run, base_event_kind kind, int peer,
                        int64_t bytes)
{
    base_events *events = run->request->events;
    const double now = base_events_now(events);
    base_events_add(events, (base_event){kind, peer, 0, now, now, bytes});
}

/* That it has waited for a peer, unless it had not to. */
static void note_wait(const composite_run *run, double begin, int peer)
{
    base_events *events = run->request->events;
    if (run->idle > 0) {
        base_events_add(events, (base_event){BASE_EVENT_WAIT, peer, 0, begin,
                                             base_events_now(events), 0});
    }
}

/* ---- What others have done --------------------------------------------------------- */

static composite_board *board_of(const composite_run *run, int node_rank)
{
    const composite_executor *executor = run->executor;
    return composite_node_board(&executor->node, node_rank, executor->frame);
}

static int64_t moment(const composite_run *run, int round, int64_t segment)
{
    return composite_moment(round, segment, run->executor->plan.nsegments);
}

static int64_t segment_of(const composite_run *run, const composite_part *part)
{
    return part->pix0 / run->executor->plan.key.segment;
}

bool composite_watch_is_ready(const composite_run *run, const composite_part *part)
{
    return part->round == 0 ||
           composite_board_is_behind(board_of(run, composite_node_rank(run, part->peer)),
                                     moment(run, part->round - 1, segment_of(run, part)));
}

/* Whether a rank of the node has merged a part of our image. */
static bool is_taken(const composite_run *run, const composite_part *part)
{
    return composite_board_is_behind(board_of(run, composite_node_rank(run, part->peer)),
                                     moment(run, part->round, segment_of(run, part)));
}

/* ---- The own board ----------------------------------------------------------------- */

static composite_board *own_board(const composite_run *run)
{
    return board_of(run, run->executor->node.rank);
}

static bool is_read(const composite_run *run)
{
    return run->reach != COMPOSITE_REACH_OWN;
}

/* Goes on, with the active rectangle by now. */
static void publish(const composite_run *run, composite_board_state state, int64_t moment)
{
    pixel_rect r = run->img->active;
    pixel_rect_grow(&r, run->delivered);
    composite_board_set_active(own_board(run), r);
    composite_board_enter(own_board(run), state, moment);
    note_moment(run, BASE_EVENT_SHARE, -1, 0);
}

void composite_watch_moment(const composite_run *run, int round, int64_t segment)
{
    if (is_read(run)) {
        publish(run, COMPOSITE_BOARD_MERGING, moment(run, round, segment));
    }
}

void composite_watch_merged(const composite_run *run)
{
    if (is_read(run) && own_board(run)->state < COMPOSITE_BOARD_MERGED) {
        publish(run, COMPOSITE_BOARD_MERGED, 0);
    }
}

void composite_watch_sent(const composite_run *run)
{
    if (is_read(run) && own_board(run)->state < COMPOSITE_BOARD_SENT) {
        composite_board_enter(own_board(run), COMPOSITE_BOARD_SENT, 0);
    }
}

void composite_watch_finished(const composite_run *run)
{
    if (is_read(run)) {
        publish(run, COMPOSITE_BOARD_FINISHED, 0);
    }
}

static composite_columns *own_columns(const composite_run *run)
{
    const composite_node *node = &run->executor->node;
    return node->columns[node->rank];
}

bool composite_watch_has_board(const composite_executor *executor)
{
    return executor->reach != COMPOSITE_REACH_OWN;
}

void composite_watch_open(const composite_executor *executor)
{
    const composite_node *node = &executor->node;
    composite_board_enter(composite_node_board(node, node->rank, executor->frame),
                          COMPOSITE_BOARD_OPEN, 0);
}

void composite_watch_show(const composite_run *run)
{
    composite_board *board = own_board(run);
    board->active = run->img->active;
    board->kept = run->img->kept;
    if (run->executor->node.size > 1) {
        composite_columns_find(run->img, run->executor->threads, own_columns(run));
    }
    composite_board_set_active(board, run->img->active);
}

void composite_watch_skip(const composite_run *run)
{
    composite_board_enter(own_board(run), COMPOSITE_BOARD_TOLD, run->executor->frame);
}

void composite_watch_tell(const composite_run *run, const int64_t *values)
{
    composite_board *board = own_board(run);
    int64_t shown[COMPOSITE_BANDS] = {0};
    if (run->img && is_read(run) && run->executor->node.size > 1) {
        composite_columns_add(shown, run->img, own_columns(run));
    } else if (run->img) {
        composite_cuts_add(shown, run->img->width, run->img->height, run->img->active);
    }
    for (int band = 0; band < COMPOSITE_BANDS; band++) {
        board->shown[band] = (int32_t)shown[band];
    }
    for (int i = 0; i < COMPOSITE_COMPARED; i++) {
        board->compared[i] = values[i];
    }
    note_moment(run, BASE_EVENT_SHARE, -1, 0);
    composite_board_enter(board, COMPOSITE_BOARD_TOLD, run->executor->frame);
}

/* MPI moves messages of its own only while it is called, and somebody may wait for what
 * it still has to move: it is called now and then. */
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

const int64_t *composite_watch_told(composite_run *run, int node_rank)
{
    const composite_board *board = board_of(run, node_rank);
    while (!composite_board_is_told(board, run->executor->frame)) {
        idle_before_frame(run);
    }
    return board->compared;
}

void composite_watch_add(const composite_run *run, int node_rank,
                         composite_comparison *all)
{
    const composite_board *board = board_of(run, node_rank);
    for (int band = 0; band < COMPOSITE_BANDS; band++) {
        all->shown[band] += board->shown[band];
    }
}

void composite_watch_learn(const composite_run *run, int node_rank)
{
    const composite_node *node = &run->executor->node;
    if (node_rank != node->rank) { /* it knows where its own lie */
        node->images[node_rank].kept = board_of(run, node_rank)->kept;
    }
}

composite_layer composite_watch_layer(const composite_run *run,
                                      const composite_part *part)
{
    const int rank = composite_node_rank(run, part->peer);
    const composite_board *board = board_of(run, rank);
    /* What it drew itself lies in the rectangle that it began with. */
    const bool is_own = part->run0 == part->peer && part->run1 == part->run0 + 1;
    return (composite_layer){.img = &run->executor->node.images[rank],
                             .active =
                                 is_own ? board->active : composite_board_active(board),
                             .columns = is_own ? run->executor->node.columns[rank] : NULL,
                             .pix0 = part->pix0,
                             .npix = part->npix,
                             .in_front = part->in_front};
}

/* ---- Waiting ----------------------------------------------------------------------- */

void composite_watch_part(composite_run *run, const composite_part *part, int64_t n)
{
    const double begin = base_events_now(run->request->events);
    const bool is_near = composite_is_near(run, part->peer);
    run->idle = 0;
    while (is_near ? !composite_watch_is_ready(run, part)
                   : !composite_messages_arrived(run, n)) {
        composite_messages_idle(run);
    }
    note_wait(run, begin, run->request->order[part->peer]);
}

void composite_watch_sends(composite_run *run)
{
    const double begin = base_events_now(run->request->events);
    run->idle = 0;
    while (!composite_messages_left(run)) {
        composite_messages_idle(run);
    }
    note_wait(run, begin, -1);
}

void composite_watch_segment(composite_run *run, int round, int64_t segment)
{
    const double begin = base_events_now(run->request->events);
    run->idle = 0;
    while (!composite_messages_left_segment(run, round, segment)) {
        composite_messages_idle(run);
    }
    note_wait(run, begin, -1);
}

void composite_watch_readers(composite_run *run, int round, int64_t segment)
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

void composite_watch_root(composite_run *run)
{
    const composite_board *root = board_of(run, composite_node_rank(run, run->root));
    const double begin = base_events_now(run->request->events);
    run->idle = 0;
    while (!composite_board_has_reached(root, COMPOSITE_BOARD_SENT)) {
        composite_messages_idle(run);
    }
    note_wait(run, begin, run->request->order[run->root]);
}

void composite_watch_picture(composite_run *run)
{
    for (int rank = 0; rank < run->executor->node.size; rank++) {
        const composite_board *board = board_of(run, rank);
        const double begin = base_events_now(run->request->events);
        run->idle = 0;
        while (!composite_board_has_reached(board, COMPOSITE_BOARD_FINISHED)) {
            composite_messages_idle(run);
        }
        note_wait(run, begin, -1);
        if (run->request->target == COMPOSITE_FLOATS) {
            pixel_rect_grow(&run->img->active, composite_board_active(board));
        }
    }
}
