/*
 * Messages between ranks that share no memory.
 *
 * A rank posts receives, sends, and merges payloads in the order of the plan, which is
 * the same at both ends of a message: so one tag is enough. Dense pixels leave straight
 * from the image, sparse ones are encoded into a staging buffer. Payloads arrive in a
 * ring of slots, and wait there for their turn. Nothing is merged in the order of
 * arrival, so the picture is the same every time.
 *
 * There is no deadlock. A send depends on merges of earlier rounds only. A merge depends
 * on messages of its own round and on slots, which become free in order. So round by
 * round all messages arrive.
 *
 * Memory besides the image: at most 3/4 of an image for staging, and 1/2 (four segments
 * in small images) for slots. If bytes go to rank 0, staging has as many bytes on top.
 * Only the parts in use are touched.
 */
#include "composite/pixels/encode.h"
#include "executor.h"

#include "base/parallel/parallel.h"

#include <stdlib.h>

static const char *const PURPOSE = "the messages of compositing";

enum { FEWEST_SLOTS = 4, WORD = sizeof(float) };

/* Whether a message brings finished pixels as bytes. */
static bool is_of_bytes(const composite_run *run, const composite_part *part)
{
    return part->round == COMPOSITE_GATHER_ROUND &&
           run->request->target == COMPOSITE_BYTES;
}

/* Most words of a message in staging: of encoded pixels, or of bytes. */
static int64_t staging_words(const composite_run *run, const composite_part *part)
{
    if (is_of_bytes(run, part)) {
        return (part->npix * run->request->format.bytes_per_pixel + WORD - 1) / WORD;
    }
    return composite_encoded_limit(run->img, part->npix) / WORD;
}

/* Replaces a buffer of words by one of at least `words`; contents are lost. */
static status reserve_words(composite_executor *executor, float **buffer,
                            int64_t *capacity, int64_t words)
{
    if (words <= *capacity) {
        return STATUS_OK;
    }
    free(*buffer);
    *buffer = NULL;
    *capacity = 0;
    return composite_memory_grow(&executor->memory, buffer, capacity, words,
                                 sizeof **buffer, PURPOSE);
}

/* Chooses the number of slots: one for each message, but at most half an image. */
static void choose_slots(composite_run *run)
{
    const composite_part_list *receives = &run->executor->plan.receives;
    const int64_t image_words =
        composite_raw_bytes(run->img, image_pixel_count(run->img)) / WORD;
    int64_t largest = 0;
    run->traffic.nincoming = 0;
    for (int64_t i = 0; i < receives->count; i++) {
        const composite_part *part = &receives->items[i];
        if (!composite_is_near(run, part->peer)) {
            run->traffic.nincoming++;
            largest = part->npix > largest ? part->npix : largest;
        }
    }
    run->traffic.slot_words = composite_raw_bytes(run->img, largest) / WORD;
    run->traffic.nslots = run->traffic.nincoming;
    if (run->traffic.slot_words > 0) {
        int64_t most = image_words / 2 / run->traffic.slot_words;
        most = most < FEWEST_SLOTS ? FEWEST_SLOTS : most;
        run->traffic.nslots = run->traffic.nslots < most ? run->traffic.nslots : most;
    }
}

/* Counts messages and the staging that they may need. Pixels can be sent without staging,
 * bytes cannot: so their staging is reserved. */
static void count_sends(composite_run *run, int64_t *messages, int64_t *words)
{
    const composite_part_list *sends = &run->executor->plan.sends;
    const int64_t pixels = image_pixel_count(run->img);
    const int64_t most = composite_encoded_limit(run->img, pixels) / WORD;
    int64_t pixel_words = 0;
    *messages = 0;
    run->traffic.kept_words = 0;
    for (int64_t i = 0; i < sends->count; i++) {
        const composite_part *part = &sends->items[i];
        if (!composite_is_near(run, part->peer)) {
            *(is_of_bytes(run, part) ? &run->traffic.kept_words : &pixel_words) +=
                staging_words(run, part);
            ++*messages;
        }
    }
    *words = (pixel_words < most ? pixel_words : most) + run->traffic.kept_words;
}

/* Reserves requests and the arrays that belong to them. */
static status reserve_requests(composite_run *run, int64_t messages)
{
    composite_executor *executor = run->executor;
    composite_memory *memory = &executor->memory;
    status s = composite_memory_grow(
        memory, &executor->messages.receiving, &executor->messages.receiving_capacity,
        run->traffic.nslots, sizeof *executor->messages.receiving, PURPOSE);
    s = s == STATUS_OK
            ? composite_memory_grow(memory, &executor->messages.sending,
                                    &executor->messages.sending_capacity, messages,
                                    sizeof *executor->messages.sending, PURPOSE)
            : s;
    return s == STATUS_OK
               ? composite_memory_grow(memory, &executor->messages.reading,
                                       &executor->messages.reading_capacity,
                                       executor->plan.nsegments,
                                       sizeof *executor->messages.reading, PURPOSE)
               : s;
}

status composite_messages_reserve(composite_run *run)
{
    composite_executor *executor = run->executor;
    int64_t messages;
    int64_t words;
    choose_slots(run);
    count_sends(run, &messages, &words);
    status s = reserve_words(executor, &executor->messages.staging,
                             &executor->messages.staging_capacity, words);
    s = s == STATUS_OK ? reserve_words(executor, &executor->messages.slots,
                                       &executor->messages.slots_capacity,
                                       run->traffic.nslots * run->traffic.slot_words)
                       : s;
    s = s == STATUS_OK ? reserve_requests(run, messages) : s;
    for (int64_t i = 0; s == STATUS_OK && i < executor->plan.nsegments; i++) {
        executor->messages.reading[i] = -1;
    }
    return s;
}

/* ---- Receiving --------------------------------------------------------------------- */

void composite_messages_post(composite_run *run)
{
    composite_executor *executor = run->executor;
    const composite_part_list *receives = &executor->plan.receives;
    while (run->traffic.posted < run->traffic.nincoming &&
           run->traffic.posted < run->traffic.taken + run->traffic.nslots) {
        const composite_part *part = &receives->items[run->traffic.next_post++];
        if (composite_is_near(run, part->peer)) {
            continue;
        }
        const int64_t slot = run->traffic.posted++ % run->traffic.nslots;
        executor->messages.receiving[slot].bytes = -1;
        executor->messages.receiving[slot].peer = run->request->order[part->peer];
        MPI_Irecv(executor->messages.slots + slot * run->traffic.slot_words,
                  parallel_count(composite_raw_bytes(run->img, part->npix)), MPI_BYTE,
                  run->request->order[part->peer], COMPOSITE_TAG, executor->comm,
                  &executor->messages.receiving[slot].request);
    }
}

bool composite_messages_arrived(composite_run *run, int64_t n)
{
    composite_executor *executor = run->executor;
    const int64_t slot = n % run->traffic.nslots;
    if (n >= run->traffic.posted) {
        return false;
    }
    composite_receiving *receiving = &executor->messages.receiving[slot];
    if (receiving->bytes < 0) {
        MPI_Status received;
        int done;
        MPI_Test(&receiving->request, &done, &received);
        if (done) {
            int bytes;
            MPI_Get_count(&received, MPI_BYTE, &bytes);
            const bool is_broken = executor->messages.until_broken > 0 &&
                                   --executor->messages.until_broken == 0;
            receiving->bytes = is_broken ? 1 : bytes;
            const double now = base_events_now(run->request->events);
            base_events_add(run->request->events,
                            (base_event){BASE_EVENT_RECEIVE, receiving->peer, 0, now, now,
                                         receiving->bytes});
        }
    }
    return receiving->bytes >= 0;
}

const float *composite_messages_payload(composite_run *run, int64_t n, int64_t *bytes)
{
    composite_executor *executor = run->executor;
    const int64_t slot = n % run->traffic.nslots;
    *bytes = executor->messages.receiving[slot].bytes;
    return executor->messages.slots + slot * run->traffic.slot_words;
}

/* ---- Sending ----------------------------------------------------------------------- */

/* A message that is ready to go. */
typedef struct outgoing {
    const composite_part *part;
    float *payload; /* staging; NULL: raw, from the image */
    int64_t bytes;
} outgoing;

/* Encodes a message into staging, if that pays. */
static void encode(const composite_run *run, outgoing *out)
{
    const composite_part *part = out->part;
    if (is_of_bytes(run, part)) {
        out->bytes = composite_format_encode(&run->request->format, run->img, part->pix0,
                                             part->npix, (unsigned char *)out->payload);
    } else if (!out->payload || !composite_encode(run->img, part->pix0, part->npix,
                                                  out->payload, &out->bytes)) {
        out->payload = NULL;
        out->bytes = composite_raw_bytes(run->img, part->npix);
    }
}

/* Sends pixels straight from the image, both planes in one message. */
static void send_planes(const composite_run *run, const composite_part *part,
                        MPI_Request *request)
{
    const image *img = run->img;
    int lengths[2] = {part->npix * 4 * (int)sizeof(float),
                      part->npix * (int)sizeof(float)};
    MPI_Aint addresses[2];
    MPI_Datatype planes;
    MPI_Get_address(img->rgba + 4 * part->pix0, &addresses[0]);
    MPI_Get_address(img->depth + part->pix0, &addresses[1]);
    MPI_Type_create_hindexed(2, lengths, addresses, MPI_BYTE, &planes);
    MPI_Type_commit(&planes);
    MPI_Isend(MPI_BOTTOM, 1, planes, run->request->order[part->peer], COMPOSITE_TAG,
              run->executor->comm, request);
    MPI_Type_free(&planes);
}

static void send(composite_run *run, const outgoing *out)
{
    composite_executor *executor = run->executor;
    const composite_part *part = out->part;
    const int64_t segment = part->pix0 / executor->plan.key.segment;
    composite_sending *sending = &executor->messages.sending[run->traffic.sent];
    *sending = (composite_sending){.before = -1, .round = part->round};
    if (!out->payload) {
        sending->before = executor->messages.reading[segment];
        executor->messages.reading[segment] = run->traffic.sent;
    }
    run->traffic.sent++;
    if (!out->payload && run->img->depth) {
        send_planes(run, part, &sending->request);
    } else {
        const void *from = out->payload ? out->payload : run->img->rgba + 4 * part->pix0;
        MPI_Isend(from, parallel_count(out->bytes), MPI_BYTE,
                  run->request->order[part->peer], COMPOSITE_TAG, executor->comm,
                  &sending->request);
    }
    run->counters.messages_sent++;
    run->counters.bytes_sent += out->bytes;
}

/* Finds the next messages that are ready, at most `most`, and their staging. */
static int take_ready(composite_run *run, int64_t merged, int most, outgoing *batch)
{
    composite_executor *executor = run->executor;
    const composite_part_list *sends = &executor->plan.sends;
    int count = 0;
    while (count < most && run->traffic.next_send < sends->count &&
           sends->items[run->traffic.next_send].after <= merged) {
        const composite_part *part = &sends->items[run->traffic.next_send++];
        if (composite_is_near(run, part->peer)) {
            continue;
        }
        const int64_t words = staging_words(run, part);
        outgoing *out = &batch[count++];
        *out = (outgoing){.part = part};
        const int64_t kept = is_of_bytes(run, part) ? 0 : run->traffic.kept_words;
        if (words <=
            executor->messages.staging_capacity - kept - run->traffic.staged_words) {
            out->payload = executor->messages.staging + run->traffic.staged_words;
            run->traffic.staged_words += words;
        }
    }
    return count;
}

void composite_messages_send(composite_run *run, int64_t merged)
{
    enum { MOST = 64, PER_THREAD = 4 };
    const int threads = run->executor->threads;
    const int most = threads == 1                  ? 1
                     : threads * PER_THREAD < MOST ? threads * PER_THREAD
                                                   : MOST;
    outgoing batch[MOST];
    int count;
    base_events *events = run->request->events;
    base_event sending = {.kind = BASE_EVENT_SEND, .begin = base_events_now(events)};
    while ((count = take_ready(run, merged, most, batch)) > 0) {
#pragma omp parallel for num_threads(threads) schedule(dynamic) if (count > 1)
        for (int i = 0; i < count; i++) {
            encode(run, &batch[i]);
        }
        for (int i = 0; i < count; i++) {
            send(run, &batch[i]);
            sending.peer = run->request->order[batch[i].part->peer];
            sending.bytes = batch[i].bytes;
            sending.end = base_events_now(events);
            base_events_add(events, sending);
            sending.begin = sending.end;
        }
    }
}

bool composite_messages_left(composite_run *run)
{
    composite_executor *executor = run->executor;
    int done = 1;
    while (run->traffic.done_sends < run->traffic.sent && done) {
        MPI_Test(&executor->messages.sending[run->traffic.done_sends].request, &done,
                 MPI_STATUS_IGNORE);
        run->traffic.done_sends += done;
    }
    return run->traffic.done_sends == run->traffic.sent;
}

bool composite_messages_left_segment(composite_run *run, int round, int64_t segment)
{
    composite_executor *executor = run->executor;
    int done = 1;
    int64_t n = executor->messages.reading[segment];
    /* Skips messages of this round, which come first: they read other pixels. */
    while (n >= 0 && executor->messages.sending[n].round >= round) {
        n = executor->messages.sending[n].before;
    }
    for (; n >= 0 && done; n = executor->messages.sending[n].before) {
        MPI_Test(&executor->messages.sending[n].request, &done, MPI_STATUS_IGNORE);
    }
    return done;
}

void composite_messages_idle(composite_run *run)
{
    if (run->reach != COMPOSITE_REACH_ALL) {
        /* Other ranks may wait for this rank's messages: a probe makes MPI move them. */
        int found;
        MPI_Iprobe(MPI_ANY_SOURCE, COMPOSITE_TAG + 1, run->executor->comm, &found,
                   MPI_STATUS_IGNORE);
    }
    parallel_relax(&run->idle);
}
