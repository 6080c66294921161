/*
 * Messages between ranks that share no memory.
 *
 * A message has the round and the segment of its pixels for a tag. So a rank sends what
 * is ready, and the receiver merges what its segments wait for, whatever else is late.
 * Dense pixels leave straight from the image, sparse ones are encoded into a staging
 * buffer. Receives are posted in the order of the plan; payloads lie in a ring of memory
 * until they are merged. The order of merging is that of the plan, so the picture is the
 * same every time.
 *
 * There is no deadlock. A send depends on merges of earlier rounds only. A merge depends
 * on messages of its own round and on memory of the ring, which becomes free in order. So
 * round by round all messages arrive.
 *
 * Memory besides the image: at most 3/4 of an image for staging, and an image for the
 * ring. If bytes go to rank 0, staging has as many bytes on top. Only the parts in use
 * are touched.
 */
#include "composite/pixels/encode.h"
#include "executor.h"

#include "base/parallel/parallel.h"

#include <stdlib.h>

static const char *const PURPOSE = "the messages of compositing";

/* The ring has room for the parts that wait for each other (ahead.c), as many of the
 * other side between them, and what is wasted at its end. */
enum { FEWEST_MESSAGES = 2 * COMPOSITE_MOST_JOINED + 1, WORD = sizeof(float) };

/* Whether a message brings finished pixels as bytes. */
static bool is_of_bytes(const composite_run *run, const composite_part *part)
{
    return part->round == COMPOSITE_GATHER_ROUND &&
           run->request->target == COMPOSITE_BYTES;
}

/* Most words of a message in staging: of encoded pixels, or of bytes. Raw pixels need
 * none. */
static int64_t staging_words(const composite_run *run, const composite_part *part)
{
    if (is_of_bytes(run, part)) {
        return (part->npix * run->request->format.bytes_per_pixel + WORD - 1) / WORD;
    }
    if (run->request->encoding == COMPOSITE_ENCODING_RAW) {
        return 0;
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

static int64_t raw_words(const composite_run *run, const composite_part *part)
{
    return composite_raw_bytes(run->img, part->npix) / WORD;
}

/* Counts the messages that may arrive, and the words of the ring: all of them, but at
 * most an image. */
static void count_receives(const composite_run *run, int64_t *messages, int64_t *words)
{
    const composite_part_list *receives = &run->executor->plan.receives;
    const int64_t image_words =
        composite_raw_bytes(run->img, image_pixel_count(run->img)) / WORD;
    int64_t largest = 0;
    *messages = *words = 0;
    for (int64_t i = 0; i < receives->count; i++) {
        const composite_part *part = &receives->items[i];
        if (!composite_is_near(run, part->peer)) {
            ++*messages;
            *words += raw_words(run, part);
            largest = part->npix > largest ? part->npix : largest;
        }
    }
    const int64_t largest_words = composite_raw_bytes(run->img, largest) / WORD;
    int64_t most = FEWEST_MESSAGES * largest_words;
    most = most > image_words ? most : image_words;
    run->executor->messages.scratch_words = largest_words;
    *words = *words < most ? *words : most;
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
static status reserve_requests(composite_run *run, int64_t received, int64_t sent)
{
    composite_executor *executor = run->executor;
    composite_memory *memory = &executor->memory;
    status s = composite_memory_grow(memory, &executor->messages.receiving,
                                     &executor->messages.receiving_capacity, received,
                                     sizeof *executor->messages.receiving, PURPOSE);
    s = s == STATUS_OK
            ? composite_memory_grow(memory, &executor->messages.sending,
                                    &executor->messages.sending_capacity, sent,
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
    int64_t received, ring_words, sent, staging_words;
    count_receives(run, &received, &ring_words);
    count_sends(run, &sent, &staging_words);
    status s = reserve_words(executor, &executor->messages.staging,
                             &executor->messages.staging_capacity, staging_words);
    s = s == STATUS_OK ? reserve_words(executor, &executor->messages.ring,
                                       &executor->messages.ring_capacity, ring_words)
                       : s;
    s = s == STATUS_OK && received > 0
            ? reserve_words(executor, &executor->messages.scratch,
                            &executor->messages.scratch_capacity,
                            executor->threads * executor->messages.scratch_words)
            : s;
    s = s == STATUS_OK ? reserve_requests(run, received, sent) : s;
    for (int64_t i = 0; s == STATUS_OK && i < executor->plan.nsegments; i++) {
        executor->messages.reading[i] = -1;
    }
    return s;
}

/* ---- Empty parts ------------------------------------------------------------------- */

/* Whether the rows of a part lie beside the bounds of all images that its payload may
 * have. Both ends of a message find the same. */
static bool lies_outside(const composite_run *run, const composite_part *part)
{
    const int64_t width = run->img->width;
    const int first = (int)(part->pix0 / width);
    const int end = (int)((part->pix0 + part->npix - 1) / width) + 1;
    for (int position = part->run0; position < part->run1; position++) {
        const pixel_rect bounds =
            run->executor->records[run->request->order[position]].bounds;
        if (bounds.y0 < end && bounds.y1 > first && bounds.x0 < bounds.x1) {
            return false;
        }
    }
    return true;
}

/*
 * Whether empty parts may be skipped. Not if ranks of the node write finished pixels to
 * rank 0's image: then the chain of parts tells them that rank 0 has no more use for the
 * old ones there. With one round it has none from the start.
 */
static bool may_skip(const composite_run *run)
{
    const composite_plan_key *key = &run->executor->plan.key;
    return run->request->target != COMPOSITE_FLOATS ||
           run->reach != COMPOSITE_REACH_ALL ||
           composite_schedule_is_direct(key->algorithm, &key->problem);
}

static bool is_empty(const composite_run *run, const composite_part *part)
{
    return may_skip(run) && !is_of_bytes(run, part) && lies_outside(run, part);
}

void composite_messages_find_empty(composite_run *run)
{
    composite_plan *plan = &run->executor->plan;
    composite_receiving *receiving = run->executor->messages.receiving;
    int64_t count = 0;
    for (int64_t i = 0; i < plan->sends.count; i++) {
        composite_part *part = &plan->sends.items[i];
        part->is_empty = is_empty(run, part);
    }
    for (int64_t i = 0; i < plan->receives.count; i++) {
        composite_part *part = &plan->receives.items[i];
        part->is_empty = is_empty(run, part);
        part->message = -1;
        if (!part->is_empty && !composite_is_near(run, part->peer)) {
            receiving[count] = (composite_receiving){.part = i, .bytes = -1};
            part->message = count++;
        }
    }
    run->traffic.nincoming = count;
}

/* ---- Receiving --------------------------------------------------------------------- */

int composite_messages_tag(const composite_run *run, const composite_part *part)
{
    const composite_executor *executor = run->executor;
    const int64_t segment = part->pix0 / executor->plan.key.segment;
    const int64_t round = part->round == COMPOSITE_GATHER_ROUND ? 0 : part->round + 1;
    return 1 + (int)((round * executor->plan.nsegments + segment) % executor->most_tag);
}

/* Finds room in the ring for the next message; false if it is full. */
static bool find_room(composite_run *run, int64_t words)
{
    const composite_messages *messages = &run->executor->messages;
    composite_traffic *traffic = &run->traffic;
    const int64_t capacity = messages->ring_capacity;
    int64_t begin = traffic->ring_end;
    if (begin % capacity + words > capacity) {
        begin += capacity - begin % capacity;
    }
    const int64_t used = traffic->oldest < traffic->posted
                             ? messages->receiving[traffic->oldest].begin
                             : begin;
    if (begin + words - used > capacity) {
        return false;
    }
    traffic->ring_end = begin;
    return true;
}

void composite_messages_post(composite_run *run)
{
    composite_executor *executor = run->executor;
    composite_messages *messages = &executor->messages;
    composite_traffic *traffic = &run->traffic;
    while (traffic->posted < traffic->nincoming) {
        composite_receiving *receiving = &messages->receiving[traffic->posted];
        const composite_part *part = &executor->plan.receives.items[receiving->part];
        if (!find_room(run, raw_words(run, part))) {
            return;
        }
        receiving->begin = traffic->ring_end;
        traffic->ring_end += raw_words(run, part);
        traffic->posted++;
        MPI_Irecv(messages->ring + receiving->begin % messages->ring_capacity,
                  parallel_count(composite_raw_bytes(run->img, part->npix)), MPI_BYTE,
                  run->request->order[part->peer], composite_messages_tag(run, part),
                  executor->comm, &receiving->request);
    }
}

/* Notes that a message has arrived. */
static void note_arrival(const composite_run *run, const composite_receiving *receiving)
{
    const composite_part *part = &run->executor->plan.receives.items[receiving->part];
    const double now = base_events_now(run->request->events);
    base_events_add(run->request->events,
                    (base_event){.kind = BASE_EVENT_RECEIVE,
                                 .peer = run->request->order[part->peer],
                                 .message = composite_messages_tag(run, part),
                                 .begin = now,
                                 .end = now,
                                 .bytes = receiving->bytes});
}

/* Asks whether a message has come. */
static bool has_come(composite_run *run, int64_t message)
{
    composite_messages *messages = &run->executor->messages;
    composite_receiving *receiving = &messages->receiving[message];
    if (message < run->traffic.posted && receiving->bytes < 0) {
        MPI_Status received;
        int done;
        MPI_Test(&receiving->request, &done, &received);
        if (done) {
            int bytes;
            MPI_Get_count(&received, MPI_BYTE, &bytes);
            const bool is_broken =
                messages->until_broken > 0 && --messages->until_broken == 0;
            receiving->bytes = is_broken ? 1 : bytes;
            run->traffic.arrived++;
            note_arrival(run, receiving);
        }
    }
    return receiving->bytes >= 0;
}

bool composite_messages_arrived(composite_run *run, const composite_part *part)
{
    return has_come(run, part->message);
}

float *composite_messages_room(const composite_run *run, int64_t message)
{
    const composite_messages *messages = &run->executor->messages;
    return messages->ring + messages->receiving[message].begin % messages->ring_capacity;
}

const float *composite_messages_payload(const composite_run *run,
                                        const composite_part *part, int64_t *bytes)
{
    *bytes = part->held < 0 ? 0 : run->executor->messages.receiving[part->held].bytes;
    return part->held < 0 ? NULL : composite_messages_room(run, part->held);
}

void composite_messages_take(composite_run *run, const composite_part *part)
{
    composite_receiving *receiving = run->executor->messages.receiving;
    composite_traffic *traffic = &run->traffic;
    receiving[part->message].is_taken = true;
    while (traffic->oldest < traffic->posted && receiving[traffic->oldest].is_taken) {
        traffic->oldest++;
    }
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
    MPI_Isend(MPI_BOTTOM, 1, planes, run->request->order[part->peer],
              composite_messages_tag(run, part), run->executor->comm, request);
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
                  run->request->order[part->peer], composite_messages_tag(run, part),
                  executor->comm, &sending->request);
    }
    run->counters.messages_sent++;
    run->counters.bytes_sent += out->bytes;
}

/* Takes the next messages of a range of sends, at most `most`, and finds their staging.
 */
static int take_next(composite_run *run, composite_send_range *range, int most,
                     outgoing *batch)
{
    composite_executor *executor = run->executor;
    const composite_part_list *sends = &executor->plan.sends;
    int count = 0;
    while (count < most && range->begin < range->end) {
        const composite_part *part = &sends->items[range->begin++];
        if (part->is_empty || composite_is_near(run, part->peer)) {
            continue;
        }
        const int64_t words = staging_words(run, part);
        outgoing *out = &batch[count++];
        *out = (outgoing){.part = part};
        const int64_t kept = is_of_bytes(run, part) ? 0 : run->traffic.kept_words;
        if (words > 0 && words <= executor->messages.staging_capacity - kept -
                                      run->traffic.staged_words) {
            out->payload = executor->messages.staging + run->traffic.staged_words;
            run->traffic.staged_words += words;
        }
    }
    return count;
}

static void send_range(composite_run *run, composite_send_range range)
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
    while ((count = take_next(run, &range, most, batch)) > 0) {
#pragma omp parallel for num_threads(threads) schedule(dynamic) if (count > 1)
        for (int i = 0; i < count; i++) {
            encode(run, &batch[i]);
        }
        for (int i = 0; i < count; i++) {
            send(run, &batch[i]);
            sending.peer = run->request->order[batch[i].part->peer];
            sending.message = composite_messages_tag(run, batch[i].part);
            sending.bytes = batch[i].bytes;
            sending.end = base_events_now(events);
            base_events_add(events, sending);
            sending.begin = sending.end;
        }
    }
}

void composite_messages_send(composite_run *run, int64_t after)
{
    send_range(run, composite_plan_ready(&run->executor->plan, after, false));
    send_range(run, composite_plan_ready(&run->executor->plan, after, true));
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

void composite_messages_move(const composite_run *run)
{
    int found;
    MPI_Iprobe(MPI_ANY_SOURCE, COMPOSITE_NO_TAG, run->executor->comm, &found,
               MPI_STATUS_IGNORE);
}

/* Asks one of the messages on their way whether it has come, each in its turn; false if
 * there is none. */
static bool look_for_one(composite_run *run)
{
    composite_traffic *traffic = &run->traffic;
    const int64_t waiting = traffic->posted - traffic->oldest;
    for (int64_t n = 0; n < waiting; n++) {
        traffic->looked++;
        if (traffic->looked < traffic->oldest || traffic->looked >= traffic->posted) {
            traffic->looked = traffic->oldest;
        }
        if (run->executor->messages.receiving[traffic->looked].bytes < 0) {
            has_come(run, traffic->looked);
            return true;
        }
    }
    return false;
}

void composite_messages_idle(composite_run *run)
{
    if (run->reach != COMPOSITE_REACH_ALL && !look_for_one(run)) {
        /* Other ranks may wait for this rank's messages. */
        composite_messages_move(run);
    }
    parallel_relax(&run->idle);
}
