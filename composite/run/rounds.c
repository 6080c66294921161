/*
 * Executes the rounds of a plan: merges the pixels of other ranks, and delivers the
 * picture.
 *
 * Ranks of a node do not send pixels to each other. If the schedule says that a rank
 * receives pixels, it merges them in place, as soon as their owner has merged so far. The
 * rank that finishes pixels writes them to rank 0's image, or as bytes to its picture,
 * while they are in the cache. So each pixel is read once and written once.
 *
 * Each segment goes through its groups in their order, and each group through its parts.
 * But segments do not wait for each other: a rank merges all that has come, while others
 * are late.
 *
 * There is no deadlock: a group waits only for earlier groups of its segment, and for
 * merges of earlier rounds on other ranks.
 */
#include "composite/pixels/encode.h"
#include "executor.h"

#include <omp.h>
#include <stddef.h>

/* ---- The destination of the picture ------------------------------------------------ */

/* Finds the destination that this rank writes its finished pixels to; false if messages
 * bring them there, or they stay. */
static bool find_sink(const composite_run *run, composite_sink *sink)
{
    composite_executor *executor = run->executor;
    const composite_target target = run->request->target;
    const bool is_root = executor->rank == 0;
    if (target == COMPOSITE_PIECES || !(is_root || composite_is_near(run, run->root))) {
        return false;
    }
    *sink = (composite_sink){.format = run->request->format};
    if (target == COMPOSITE_FLOATS) {
        sink->img = is_root ? run->img
                            : &executor->node.images[composite_node_rank(run, run->root)];
    } else {
        sink->bytes =
            run->reach != COMPOSITE_REACH_OWN ? executor->node.bytes : executor->picture;
    }
    return true;
}

/* Whether a part is read in place, or has nothing to read. */
static bool is_in_place(const composite_run *run, const composite_part *part)
{
    return composite_is_near(run, part->peer) || (part->is_empty && part->within == 0);
}

/* Whether merging a group also delivers its final part. Then all its parts lie in this
 * node's memory, and no message reads rank 0's image. */
static bool is_fused(const composite_run *run, const composite_group *group,
                     composite_sink *sink)
{
    const composite_part_list *receives = &run->executor->plan.receives;
    if (group->final < 0 || !find_sink(run, sink) ||
        (sink->img && sink->img != run->img && run->reach != COMPOSITE_REACH_ALL)) {
        return false;
    }
    for (int64_t i = group->receive0; i < group->receive1; i++) {
        if (!is_in_place(run, &receives->items[i])) {
            return false;
        }
    }
    return true;
}

/* ---- Merging one group ------------------------------------------------------------- */

/* The state of a merging thread. */
typedef struct worker {
    composite_run *run;
    image view;           /* the image, with an active rectangle of the thread */
    pixel_rect merged;    /* encloses pixels merged into the image */
    pixel_rect delivered; /* encloses pixels written to rank 0's image */
    int64_t blended;
    int64_t shared; /* bytes */
    int thread;
    bool is_broken;
} worker;

/* For timelines: notes that the thread has merged since `begin`. `of`: the first part of
 * those; NULL: none. */
static void note_blend(const worker *w, double begin, const composite_part *of,
                       int64_t bytes)
{
    const composite_run *run = w->run;
    base_events *events = run->request->events;
    const bool is_one = of && !is_in_place(run, of);
    base_events_add(events,
                    (base_event){.kind = BASE_EVENT_BLEND,
                                 .peer = is_one ? run->request->order[of->peer] : -1,
                                 .message = of ? composite_messages_tag(run, of) : 0,
                                 .thread = w->thread,
                                 .begin = begin,
                                 .end = base_events_now(events),
                                 .bytes = bytes});
}

/* A rectangle that encloses the active pixels of a layer. */
static pixel_rect bounds_of(const composite_layer *layer)
{
    const int64_t width = layer->img->width;
    const int first = (int)(layer->pix0 / width);
    const int end = (int)((layer->pix0 + layer->npix - 1) / width) + 1;
    pixel_rect r = layer->active;
    r.y0 = r.y0 > first ? r.y0 : first;
    r.y1 = r.y1 < end ? r.y1 : end;
    return r;
}

static void merge_layers(worker *w, int count, const composite_layer *layers,
                         composite_range pixels, const composite_sink *sink)
{
    const bool in_place = sink->img && sink->img->rgba == w->view.rgba;
    const int64_t blended = composite_merge_layers(w->run->request->op, &w->view, pixels,
                                                   layers, count, sink);
    pixel_rect unseen = {0, 0, 0, 0};
    pixel_rect *written = in_place    ? &w->view.active
                          : sink->img ? &w->delivered
                                      : &unseen;
    pixel_rect_grow(written, w->view.active);
    for (int i = 0; i < count; i++) {
        const pixel_rect r = bounds_of(&layers[i]);
        pixel_rect_grow(written, r);
        pixel_rect_grow(in_place ? &w->merged : &unseen, r);
    }
    w->blended += blended;
    w->shared += composite_raw_bytes(&w->view, blended);
}

/* The most bytes that a part may have, whose active pixels lie in a rectangle. */
static int64_t bytes_of(const worker *w, const composite_part *part, pixel_rect bounds)
{
    const int64_t pixels = (int64_t)(bounds.x1 - bounds.x0) * (bounds.y1 - bounds.y0);
    return composite_raw_bytes(&w->view, pixels < part->npix ? pixels : part->npix);
}

/* For timelines: notes the ranks whose memory parts [begin, end) are read from. */
static void note_reads(const worker *w, int64_t begin, int64_t end, double now)
{
    const composite_run *run = w->run;
    for (int64_t i = begin; i < end && run->request->events; i++) {
        const composite_part *part = &run->executor->plan.receives.items[i];
        if (part->is_empty) {
            continue;
        }
        const composite_layer layer = composite_node_sync_layer(run, part);
        const pixel_rect bounds = bounds_of(&layer);
        if (!pixel_rect_is_empty(bounds)) {
            base_events_add(run->request->events,
                            (base_event){.kind = BASE_EVENT_READ,
                                         .peer = run->request->order[part->peer],
                                         .message = composite_messages_tag(run, part),
                                         .thread = w->thread,
                                         .begin = now,
                                         .end = now,
                                         .bytes = bytes_of(w, part, bounds)});
        }
    }
}

static composite_range range_of(const composite_part *part)
{
    return (composite_range){part->pix0, part->pix0 + part->npix};
}

/* Extends a range to enclose another one. */
static void extend(composite_range *all, composite_range r)
{
    all->pix0 = r.pix0 < all->pix0 ? r.pix0 : all->pix0;
    all->pix1 = r.pix1 > all->pix1 ? r.pix1 : all->pix1;
}

/* Merges parts [begin, end) of a group, which all lie in this node's memory. If is_fused
 * holds, writes the result to its destination. */
static void merge_near(worker *w, const composite_group *group, int64_t begin,
                       int64_t end)
{
    const composite_run *run = w->run;
    const composite_plan *plan = &run->executor->plan;
    const composite_sink in_place = {.img = &w->view};
    composite_sink sink;
    const bool is_out = is_fused(run, group, &sink);
    const double since = base_events_now(run->request->events);
    const int64_t shared = w->shared;
    const composite_part *first = &plan->receives.items[begin];
    note_reads(w, begin, end, since);
    while (begin < end) {
        composite_layer layers[COMPOSITE_MOST_LAYERS];
        composite_range pixels = {INT64_MAX, 0};
        int count = 0;
        for (; begin < end && count < COMPOSITE_MOST_LAYERS; begin++) {
            const composite_part *part = &plan->receives.items[begin];
            if (!part->is_empty) {
                layers[count] = composite_node_sync_layer(run, part);
                count += !pixel_rect_is_empty(bounds_of(&layers[count]));
                extend(&pixels, range_of(part));
            }
        }
        if (is_out && begin == end) {
            pixels = range_of(&plan->finals.items[group->final]);
            merge_layers(w, count, layers, pixels, &sink);
        } else if (count > 0) {
            merge_layers(w, count, layers, pixels, &in_place);
        }
    }
    note_blend(w, since, first, w->shared - shared);
}

/* The rows of a part. */
static pixel_rect rows_of(int width, const composite_part *part)
{
    return (pixel_rect){0, (int)(part->pix0 / width), width,
                        (int)((part->pix0 + part->npix - 1) / width) + 1};
}

/* Makes room for pixels that come by a message, or are transparent and do not come. */
static void erase_gathered(worker *w, const composite_part *part)
{
    if (part->round == COMPOSITE_GATHER_ROUND) {
        composite_erase(part->pix0, part->npix, &w->view);
    }
}

/* Merges all that is to be merged into part number `i` first, which has come. */
static void merge_ahead(worker *w, int64_t i)
{
    composite_ahead ahead = {.run = w->run, .thread = w->thread};
    composite_ahead_merge(&ahead, i);
    w->blended += ahead.blended;
    w->is_broken |= ahead.is_broken;
}

static void merge_message(worker *w, const composite_part *part)
{
    composite_run *run = w->run;
    merge_ahead(w, part - run->executor->plan.receives.items);
    const composite_request *request = run->request;
    composite_payload payload = {
        .pix0 = part->pix0, .npix = part->npix, .in_front = part->in_front};
    payload.words = composite_messages_payload(run, part, &payload.bytes);
    if (part->round == COMPOSITE_GATHER_ROUND && request->target == COMPOSITE_BYTES) {
        composite_sink sink = {0};
        find_sink(run, &sink);
        w->is_broken |= !composite_format_decode(
            &request->format, (const unsigned char *)payload.words, payload.bytes,
            part->npix, sink.bytes + part->pix0 * request->format.bytes_per_pixel);
        return;
    }
    erase_gathered(w, part);
    const int64_t blended = composite_merge(request->op, &payload, &w->view);
    pixel_rect_grow(&w->merged, rows_of(w->view.width, part));
    w->is_broken |= blended < 0;
    if (blended > 0 && part->round != COMPOSITE_GATHER_ROUND) {
        w->blended += blended;
    }
}

/* Merges parts [begin, end) of a group, which are ready. */
static void merge_parts(worker *w, const composite_group *group, int64_t begin,
                        int64_t end)
{
    const composite_run *run = w->run;
    const composite_part *parts = run->executor->plan.receives.items;
    for (int64_t i = begin; i < end;) {
        int64_t near_end = i;
        while (near_end < end && is_in_place(run, &parts[near_end])) {
            erase_gathered(w, &parts[near_end++]);
        }
        if (near_end > i) {
            merge_near(w, group, i, near_end);
        } else if (parts[near_end++].has_owner) {
            /* It was merged with that one. */
        } else {
            const double since = base_events_now(run->request->events);
            merge_message(w, &parts[i]);
            note_blend(w, since, &parts[i], 0);
        }
        i = near_end;
    }
}

/* ---- Groups that can be merged ----------------------------------------------------- */

static bool is_ready(composite_run *run, const composite_part *part)
{
    return composite_is_near(run, part->peer)
               ? part->is_empty || composite_node_sync_is_ready(run, part)
               : composite_ahead_is_ready(run, part);
}

/* The end of the parts of a group that can be merged now. Those that are read in place
 * one after the other are merged together, in one pass over the pixels. */
static int64_t find_ready(composite_run *run, const composite_group *group)
{
    const composite_part *parts = run->executor->plan.receives.items;
    int64_t ready = group->next;
    for (int64_t i = ready; i < group->receive1 && is_ready(run, &parts[i]); i++) {
        const bool goes_on = i + 1 < group->receive1 && is_in_place(run, &parts[i]) &&
                             is_in_place(run, &parts[i + 1]);
        ready = goes_on ? ready : i + 1;
    }
    return ready;
}

/* Whether merging the group may write: into rank 0's image once that is drawn. */
static bool has_sink(const composite_run *run, const composite_group *group)
{
    composite_sink sink;
    return !is_fused(run, group, &sink) || !sink.img || sink.img == run->img ||
           composite_node_sync_root_has_drawn(run);
}

/* Whether a group overwrites pixels: of its own clears, or by those of rank 0's picture.
 */
static bool overwrites(const composite_run *run, const composite_group *group)
{
    return group->clear0 < group->clear1 || (group->round == COMPOSITE_GATHER_ROUND &&
                                             run->request->target == COMPOSITE_FLOATS);
}

/* Whether no message and no other rank reads pixels that a group overwrites. */
static bool may_overwrite(composite_run *run, const composite_group *group)
{
    return composite_messages_left_segment(run, group->round, group->segment) &&
           (group->clear0 == group->clear1 ||
            composite_node_sync_is_taken(run, group->round, group->segment));
}

/* Whether it is a group's turn in its segment. */
static bool has_turn(const composite_run *run, const composite_group *group)
{
    const composite_group *groups = run->executor->plan.groups;
    return !group->is_merged && (group->before < 0 || groups[group->before].is_merged);
}

/* ---- Merging all groups ------------------------------------------------------------ */

/* Most groups after the first unmerged one that are looked at. */
enum { WINDOW = 256, MOST_BATCH = 64, GROUPS_PER_THREAD = 4 };

/* The groups to look at. */
typedef struct window {
    int64_t first; /* the first one that is not merged */
    int64_t end;
} window;

static worker start_worker(composite_run *run)
{
    return (worker){.run = run, .view = *run->img};
}

/* Adds the counts of a worker to the run. */
static void end_worker(composite_run *run, const worker *w)
{
    pixel_rect_grow(&run->img->active, w->view.active);
    pixel_rect_grow(&run->merged, w->merged);
    pixel_rect_grow(&run->delivered, w->delivered);
    run->counters.pixels_blended += w->blended;
    run->counters.bytes_shared += w->shared;
    run->is_broken |= w->is_broken;
}

/* Lets the others of the node know how far this rank is. */
static void tell_progress(composite_run *run, const window *seen)
{
    const composite_plan *plan = &run->executor->plan;
    /* No rank waits for the progress of gathering. */
    if (seen->first == plan->ngroups ||
        plan->groups[seen->first].round == COMPOSITE_GATHER_ROUND) {
        composite_node_sync_merged(run);
    } else {
        composite_node_sync_progress(run, plan->groups[seen->first].round,
                                     plan->groups[seen->first].segment);
    }
}

static void slide(const composite_plan *plan, window *seen)
{
    while (seen->first < plan->ngroups && plan->groups[seen->first].is_merged) {
        seen->first++;
    }
    seen->end =
        seen->first + WINDOW < plan->ngroups ? seen->first + WINDOW : plan->ngroups;
}

/* Frees the messages of parts [begin, end), which are merged. If the group is complete,
 * sends what has waited for it. */
static void complete(composite_run *run, int64_t number, int64_t end, window *seen)
{
    composite_plan *plan = &run->executor->plan;
    composite_group *group = &plan->groups[number];
    for (; group->next < end; group->next++) {
        if (plan->receives.items[group->next].message >= 0) {
            composite_messages_take(run, &plan->receives.items[group->next]);
        }
    }
    composite_messages_post(run);
    if (group->next == group->receive1) {
        group->is_merged = true;
        composite_messages_send(run, number + 1);
        slide(plan, seen);
        tell_progress(run, seen);
    }
}

/* Clears pixels that come back to this rank. */
static void clear_group(worker *w, composite_group *group)
{
    const composite_part_list *clears = &w->run->executor->plan.clears;
    for (int64_t i = group->clear0; i < group->clear1; i++) {
        composite_erase(clears->items[i].pix0, clears->items[i].npix, &w->view);
    }
    group->is_cleared = true;
}

/* Merges as much of a group as has come. Returns whether it merged something. */
static bool merge_some(composite_run *run, int64_t number, window *seen)
{
    composite_group *group = &run->executor->plan.groups[number];
    if (!has_turn(run, group) || !has_sink(run, group) ||
        (!group->is_cleared && overwrites(run, group) && !may_overwrite(run, group))) {
        return false;
    }
    const int64_t end = find_ready(run, group);
    if (end == group->next) {
        return false;
    }
    worker w = start_worker(run);
    if (!group->is_cleared) {
        clear_group(&w, group);
    }
    merge_parts(&w, group, group->next, end);
    end_worker(run, &w);
    complete(run, number, end, seen);
    return true;
}

/* Whether a thread can merge a whole group beside others. */
static bool is_whole(composite_run *run, const composite_group *group)
{
    return has_turn(run, group) && group->next == group->receive0 &&
           !overwrites(run, group) && has_sink(run, group) &&
           find_ready(run, group) == group->receive1;
}

/* Finds groups that threads can merge at once; they belong to different segments. */
static int find_batch(composite_run *run, const window *seen, int64_t *numbers)
{
    const composite_plan *plan = &run->executor->plan;
    const int wanted = run->executor->threads * GROUPS_PER_THREAD;
    const int most = wanted < MOST_BATCH ? wanted : MOST_BATCH;
    int count = 0;
    for (int64_t g = seen->first; g < seen->end && count < most; g++) {
        if (is_whole(run, &plan->groups[g])) {
            numbers[count++] = g;
        }
    }
    return count;
}

/* Merges groups that are ready, by all threads. Returns whether there were any. */
static bool merge_batch(composite_run *run, window *seen)
{
    const composite_plan *plan = &run->executor->plan;
    int64_t numbers[MOST_BATCH];
    const int count = find_batch(run, seen, numbers);
    if (count < 2) {
        return false;
    }
#pragma omp parallel num_threads(run->executor->threads)
    {
        worker w = start_worker(run);
        w.thread = omp_get_thread_num();
#pragma omp for schedule(dynamic)
        for (int i = 0; i < count; i++) {
            const composite_group *group = &plan->groups[numbers[i]];
            merge_parts(&w, group, group->receive0, group->receive1);
        }
#pragma omp critical
        end_worker(run, &w);
    }
    for (int i = 0; i < count; i++) {
        complete(run, numbers[i], plan->groups[numbers[i]].receive1, seen);
    }
    return true;
}

/* Merges all that has come. Returns whether there was something. */
static bool merge_ready(composite_run *run, window *seen)
{
    bool merged = false;
    if (run->executor->threads > 1 && merge_batch(run, seen)) {
        return true;
    }
    for (int64_t g = seen->first; g < seen->end; g++) {
        merged |= merge_some(run, g, seen);
    }
    return merged;
}

/* The rank that the first unmerged group waits for. */
static int find_awaited(const composite_run *run, const window *seen)
{
    const composite_plan *plan = &run->executor->plan;
    const composite_group *group = &plan->groups[seen->first];
    return run->request->order[plan->receives.items[group->next].peer];
}

/* Waits until there is something to merge, and merges it. */
static void merge_next(composite_run *run, window *seen)
{
    base_events *events = run->request->events;
    base_event wait = {.kind = BASE_EVENT_WAIT,
                       .peer = find_awaited(run, seen),
                       .begin = base_events_now(events)};
    run->idle = 0;
    while (!merge_ready(run, seen) &&
           !composite_ahead_merge_all(run, seen->first, seen->end)) {
        const composite_plan *plan = &run->executor->plan;
        if (plan->groups[seen->first].round == COMPOSITE_GATHER_ROUND &&
            composite_messages_left(run)) {
            composite_node_sync_sent(run); /* the others of the node may deliver */
        }
        wait.end = base_events_now(events);
        composite_messages_idle(run);
    }
    if (wait.end > 0.0) {
        base_events_add(events, wait);
    }
}

static void start_groups(composite_plan *plan)
{
    for (int64_t g = 0; g < plan->ngroups; g++) {
        composite_group *group = &plan->groups[g];
        group->next = group->receive0;
        group->is_merged = false;
        group->is_cleared = group->clear0 == group->clear1;
    }
}

void composite_rounds_merge(composite_run *run)
{
    composite_plan *plan = &run->executor->plan;
    window seen = {0};
    start_groups(plan);
    slide(plan, &seen);
    tell_progress(run, &seen);
    composite_messages_send(run, 0);
    composite_messages_post(run);
    while (seen.first < plan->ngroups) {
        merge_next(run, &seen);
    }
}

/* ---- Delivering -------------------------------------------------------------------- */

/* Delivers final part number `i` if merging has not done so. */
static void deliver(worker *w, int64_t i, const composite_sink *sink)
{
    const composite_plan *plan = &w->run->executor->plan;
    const composite_part *final = &plan->finals.items[i];
    composite_sink fused;
    /* The last group of its segment; groups are counted from 1 there. */
    const composite_group *last =
        final->after > 0 ? &plan->groups[final->after - 1] : NULL;
    if (!last || last->final != i || !is_fused(w->run, last, &fused)) {
        merge_layers(w, 0, NULL, range_of(final), sink);
    }
}

void composite_rounds_deliver(composite_run *run)
{
    const composite_part_list *finals = &run->executor->plan.finals;
    const int threads = run->executor->threads;
    composite_sink sink;
    if (!find_sink(run, &sink) || sink.img == run->img) {
        return; /* it is delivered already, or goes by messages */
    }
    if (sink.img) {
        composite_node_sync_wait_root(run);
    }
#pragma omp parallel num_threads(threads) if (threads > 1 && finals->count > 1)
    {
        worker w = start_worker(run);
        w.thread = omp_get_thread_num();
        const double begin = base_events_now(run->request->events);
#pragma omp for schedule(dynamic)
        for (int64_t i = 0; i < finals->count; i++) {
            deliver(&w, i, &sink);
        }
        note_blend(&w, begin, NULL, 0);
#pragma omp critical
        end_worker(run, &w);
    }
}
