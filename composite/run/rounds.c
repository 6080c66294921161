/*
 * Executes the rounds of a plan: merges the pixels of other ranks, and delivers the
 * picture.
 *
 * Ranks of a node do not send pixels to each other. If the schedule says that a rank
 * receives pixels, it merges them in place, as soon as their owner has merged so far. The
 * rank that finishes pixels writes them to rank 0's image, or as bytes to its picture,
 * while they are in the cache. So each pixel is read once and written once.
 *
 * There is no deadlock: all ranks go through (round, segment) in the same order, and a
 * group waits only for merges of earlier rounds.
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
        if (!composite_is_near(run, receives->items[i].peer)) {
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

/* For timelines: notes that the thread has merged since `begin`. */
static void note_blend(const worker *w, double begin, int peer, int64_t bytes)
{
    base_events *events = w->run->request->events;
    base_events_add(events, (base_event){BASE_EVENT_BLEND, peer, w->thread, begin,
                                         base_events_now(events), bytes});
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

/* For timelines: notes the ranks whose memory parts [begin, end) are read from. */
static void note_reads(const worker *w, int64_t begin, int64_t end, double now)
{
    const composite_run *run = w->run;
    for (int64_t i = begin; i < end && run->request->events; i++) {
        const composite_part *part = &run->executor->plan.receives.items[i];
        const composite_layer layer = composite_node_sync_layer(run, part);
        if (!pixel_rect_is_empty(bounds_of(&layer))) {
            base_events_add(run->request->events,
                            (base_event){BASE_EVENT_READ, run->request->order[part->peer],
                                         w->thread, now, now, 0});
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
    note_reads(w, begin, end, since);
    while (begin < end) {
        composite_layer layers[COMPOSITE_MOST_LAYERS];
        composite_range pixels = {INT64_MAX, 0};
        int count = 0;
        for (; begin < end && count < COMPOSITE_MOST_LAYERS; begin++) {
            const composite_part *part = &plan->receives.items[begin];
            layers[count] = composite_node_sync_layer(run, part);
            count += !pixel_rect_is_empty(bounds_of(&layers[count]));
            extend(&pixels, range_of(part));
        }
        if (is_out && begin == end) {
            pixels = range_of(&plan->finals.items[group->final]);
            merge_layers(w, count, layers, pixels, &sink);
        } else {
            merge_layers(w, count, layers, pixels, &in_place);
        }
    }
    note_blend(w, since, -1, w->shared - shared);
}

/* The rows of a part. */
static pixel_rect rows_of(int width, const composite_part *part)
{
    return (pixel_rect){0, (int)(part->pix0 / width), width,
                        (int)((part->pix0 + part->npix - 1) / width) + 1};
}

/* Merges message number `n`. */
static void merge_message(worker *w, const composite_part *part, int64_t n)
{
    composite_run *run = w->run;
    const composite_request *request = run->request;
    composite_payload payload = {
        .pix0 = part->pix0, .npix = part->npix, .in_front = part->in_front};
    payload.words = composite_messages_payload(run, n, &payload.bytes);
    if (part->round == COMPOSITE_GATHER_ROUND && request->target == COMPOSITE_BYTES) {
        composite_sink sink = {0};
        find_sink(run, &sink);
        w->is_broken |= !composite_format_decode(
            &request->format, (const unsigned char *)payload.words, payload.bytes,
            part->npix, sink.bytes + part->pix0 * request->format.bytes_per_pixel);
        return;
    }
    if (part->round == COMPOSITE_GATHER_ROUND) {
        composite_erase(part->pix0, part->npix, &w->view);
    }
    const int64_t blended = composite_merge(request->op, &payload, &w->view);
    pixel_rect_grow(&w->merged, rows_of(w->view.width, part));
    w->is_broken |= blended < 0;
    if (blended > 0 && part->round != COMPOSITE_GATHER_ROUND) {
        w->blended += blended;
    }
}

/* Clears pixels that come back to this rank, once no rank reads the old ones. */
static void clear_group(worker *w, const composite_group *group)
{
    composite_run *run = w->run;
    const composite_part_list *clears = &run->executor->plan.clears;
    const bool is_replaced = group->round == COMPOSITE_GATHER_ROUND &&
                             run->request->target == COMPOSITE_FLOATS;
    if (group->clear0 < group->clear1 || is_replaced) {
        composite_node_sync_wait_segment(run, group->round, group->segment);
    }
    if (group->clear0 < group->clear1) {
        composite_node_sync_wait_readers(run, group->round, group->segment);
    }
    for (int64_t i = group->clear0; i < group->clear1; i++) {
        composite_erase(clears->items[i].pix0, clears->items[i].npix, &w->view);
    }
}

/*
 * Merges a group; its first message is number `n`. If one thread works alone, it waits
 * for each part, merges it, and frees its slot. If several threads work, all parts have
 * arrived, and slots stay as they are.
 */
static void merge_group(worker *w, const composite_group *group, int64_t n, bool is_alone)
{
    composite_run *run = w->run;
    const composite_part *parts = run->executor->plan.receives.items;
    for (int64_t i = group->receive0; i < group->receive1;) {
        int64_t end = i;
        while (end < group->receive1 && composite_is_near(run, parts[end].peer)) {
            if (is_alone) {
                composite_node_sync_wait_part(run, &parts[end], n);
            }
            end++;
        }
        if (end > i) {
            merge_near(w, group, i, end);
        }
        if (end < group->receive1 && is_alone) {
            composite_messages_post(run);
            composite_node_sync_wait_part(run, &parts[end], n);
        }
        if (end < group->receive1) {
            const double begin = base_events_now(run->request->events);
            merge_message(w, &parts[end], n++);
            note_blend(w, begin, run->request->order[parts[end].peer], 0);
            end++;
        }
        if (is_alone) {
            run->traffic.taken = n;
        }
        i = end;
    }
}

/* ---- Merging all groups ------------------------------------------------------------ */

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

/* Counts the messages of a group. */
static int64_t count_messages(const composite_run *run, const composite_group *group)
{
    const composite_part *parts = run->executor->plan.receives.items;
    int64_t count = 0;
    for (int64_t i = group->receive0; i < group->receive1; i++) {
        count += !composite_is_near(run, parts[i].peer);
    }
    return count;
}

/* Whether a group can be merged without waiting; its first message is number `n`. */
static bool is_ready(composite_run *run, const composite_group *group, int64_t n)
{
    const composite_part *parts = run->executor->plan.receives.items;
    /* A group that overwrites pixels must wait for their readers. */
    bool ready =
        group->clear0 == group->clear1 && (group->round != COMPOSITE_GATHER_ROUND ||
                                           run->request->target == COMPOSITE_BYTES);
    for (int64_t i = group->receive0; i < group->receive1 && ready; i++) {
        ready = composite_is_near(run, parts[i].peer)
                    ? composite_node_sync_is_ready(run, &parts[i])
                    : composite_messages_arrived(run, n++);
    }
    return ready;
}

enum { MOST_BATCH = 64, GROUPS_PER_THREAD = 4 };

/* Finds groups from `first` on that threads can merge at once: they have one round, and
 * all their parts are ready. starts[i]: number of the first message of the i-th. */
static int find_batch(composite_run *run, int64_t first, int64_t *starts)
{
    const composite_plan *plan = &run->executor->plan;
    const int wanted = run->executor->threads * GROUPS_PER_THREAD;
    const int most = wanted < MOST_BATCH ? wanted : MOST_BATCH;
    int64_t n = run->traffic.taken;
    int count = 0;
    while (count < most && first + count < plan->ngroups &&
           plan->groups[first + count].round == plan->groups[first].round &&
           is_ready(run, &plan->groups[first + count], n)) {
        starts[count] = n;
        n += count_messages(run, &plan->groups[first + count]);
        count++;
    }
    return count;
}

/* Merges groups that are ready, by all threads. */
static void merge_batch(composite_run *run, int64_t first, int count,
                        const int64_t *starts)
{
    const composite_plan *plan = &run->executor->plan;
#pragma omp parallel num_threads(run->executor->threads)
    {
        worker w = start_worker(run);
        w.thread = omp_get_thread_num();
#pragma omp for schedule(dynamic)
        for (int i = 0; i < count; i++) {
            merge_group(&w, &plan->groups[first + i], starts[i], false);
        }
#pragma omp critical
        end_worker(run, &w);
    }
    for (int i = 0; i < count; i++) {
        run->traffic.taken += count_messages(run, &plan->groups[first + i]);
    }
}

/* Merges one group, waiting for its parts. */
static void merge_alone(composite_run *run, const composite_group *group)
{
    worker w = start_worker(run);
    clear_group(&w, group);
    merge_group(&w, group, run->traffic.taken, true);
    end_worker(run, &w);
}

void composite_rounds_merge(composite_run *run)
{
    const composite_plan *plan = &run->executor->plan;
    int64_t done = 0;
    while (done < plan->ngroups) {
        const composite_group *next = &plan->groups[done];
        int64_t starts[MOST_BATCH];
        int count = 0;
        /* No rank waits for the progress of gathering. */
        const bool gathers = next->round == COMPOSITE_GATHER_ROUND;
        if (gathers) {
            composite_node_sync_merged(run);
        } else {
            composite_node_sync_progress(run, next->round, next->segment);
        }
        composite_messages_send(run, done);
        composite_messages_post(run);
        if (gathers && composite_messages_left(run)) {
            composite_node_sync_sent(
                run); /* so that the others of the node may deliver */
        }
        if (run->executor->threads > 1) {
            count = find_batch(run, done, starts);
        }
        if (count > 1) {
            merge_batch(run, done, count, starts);
            done += count;
        } else {
            merge_alone(run, next);
            done++;
        }
    }
    composite_node_sync_merged(run);
    composite_messages_send(run, done);
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
    if (sink.img && run->reach != COMPOSITE_REACH_ALL) {
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
        note_blend(&w, begin, -1, 0);
#pragma omp critical
        end_worker(run, &w);
    }
}
