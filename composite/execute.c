/*
 * Executing a schedule.
 *
 * All that can fail comes first: parameters, the plan of this rank, and memory for the
 * largest round of it. Then the ranks agree whether to begin. From there on nothing can
 * fail, and so nobody leaves the schedule early.
 *
 * In a round a rank first posts receives, then all its sends: dense pixels leave straight
 * from the image, sparse ones from a staging buffer of their encoding. Payloads arrive in
 * a ring of slots and are merged strictly in the order of the plan, never in that of
 * arrival: that makes the picture reproducible. All sends of a round are under way before
 * a rank waits, so whatever the next slot waits for will come, and the ring may be
 * smaller than the round.
 *
 * Beyond the image this takes at most 3/4 of an image for staging and 1/2 for slots, and
 * touches of that only what is really sent and received.
 */
#include "composite/executor.h"

#include "base/parallel.h"
#include "composite/encode.h"

#include <stdlib.h>
#include <string.h>

enum { FEWEST_SLOTS = 4 };

/* One call of composite_execute. */
typedef struct execution {
    composite_executor *executor;
    composite_operator op;
    const int *order;
    image *img;
    int64_t nslots;
    int64_t slot_words; /* of a slot */
    composite_counters counters;
    /* Of the present round: */
    const composite_part *receives;
    int64_t nreceives, posted, merged;
    int64_t nsends, sends_left;
    int64_t staged_words;
} execution;

/* The position of this rank; -1 where order is no permutation of the ranks. */
static int find_position(composite_executor *executor, const int *order)
{
    int position = -1;
    int found = 0;
    for (int i = 0; i < executor->size; i++) {
        if (order[i] == executor->rank) {
            position = i;
            found++;
        }
    }
    return found == 1 ? position : -1;
}

/* Whether what the caller wants can be done, as far as this rank can tell by itself. */
static status check_request(composite_executor *executor,
                            const composite_algorithm *algorithm,
                            const composite_problem *problem,
                            const composite_params *params, const int *order,
                            const image *img)
{
    if (problem->op == COMPOSITE_NEAREST && !img->depth) {
        return base_fail(STATUS_INTERNAL,
                         "compositing by the nearest depth needs images with depth");
    }
    if (find_position(executor, order) < 0) {
        return base_fail(STATUS_INTERNAL,
                         "the visibility order does not name rank %d exactly once",
                         executor->rank);
    }
    return algorithm->check_params(problem, params);
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
                                 sizeof **buffer, "compositing");
}

/* Slots for the plan: as many as its largest round receives, but not above half an image.
 */
static void choose_slots(execution *run, int64_t pixels)
{
    const composite_plan *plan = &run->executor->plan;
    const int64_t word = (int64_t)sizeof(float);
    run->slot_words = composite_raw_bytes(run->img, plan->largest_receive) / word;
    run->nslots = plan->most_receives;
    if (run->slot_words > 0) {
        int64_t most = composite_raw_bytes(run->img, pixels) / word / 2 / run->slot_words;
        most = most < FEWEST_SLOTS ? FEWEST_SLOTS : most;
        run->nslots = run->nslots < most ? run->nslots : most;
    }
}

/* Memory for the largest round. */
static status reserve_buffers(execution *run, int64_t pixels)
{
    composite_executor *executor = run->executor;
    const composite_plan *plan = &executor->plan;
    choose_slots(run, pixels);
    int64_t staging = composite_encoded_limit(run->img, plan->most_sent_pixels) /
                      (int64_t)sizeof(float);
    status s =
        reserve_words(executor, &executor->staging, &executor->staging_capacity, staging);
    s = s == STATUS_OK
            ? reserve_words(executor, &executor->slots, &executor->slots_capacity,
                            run->nslots * run->slot_words)
            : s;
    s = s == STATUS_OK ? composite_memory_grow(&executor->memory, &executor->arrived,
                                               &executor->arrived_capacity, run->nslots,
                                               sizeof *executor->arrived, "compositing")
                       : s;
    s = s == STATUS_OK
            ? composite_requests_reserve(&executor->requests, &executor->memory,
                                         run->nslots + plan->most_sends)
            : s;
    return s == STATUS_OK
               ? composite_memory_grow(&executor->memory, &executor->pieces,
                                       &executor->pieces_capacity, plan->pieces->count,
                                       sizeof *executor->pieces, "compositing")
               : s;
}

static status prepare(execution *run, const composite_algorithm *algorithm,
                      const composite_params *params)
{
    composite_executor *executor = run->executor;
    if (!run->img) {
        return base_fail(STATUS_INTERNAL, "there is no image to composite on rank %d",
                         executor->rank);
    }
    const composite_problem problem = {
        .size = executor->size, .pixels = image_pixel_count(run->img), .op = run->op};
    status s = check_request(executor, algorithm, &problem, params, run->order, run->img);
    s = s == STATUS_OK
            ? composite_plan_make(&executor->plan, algorithm, &problem, params,
                                  find_position(executor, run->order), executor->segment)
            : s;
    return s == STATUS_OK ? reserve_buffers(run, problem.pixels) : s;
}

/* FNV-1a, G. Fowler, L. C. Noll, K.-P. Vo 1991. */
static uint64_t hash_bytes(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    }
    return hash;
}

static int64_t hash_request(const execution *run, const composite_algorithm *algorithm,
                            const composite_params *params)
{
    const composite_executor *executor = run->executor;
    uint64_t hash = 0xcbf29ce484222325u;
    hash = hash_bytes(hash, algorithm->name, strlen(algorithm->name));
    hash = hash_bytes(hash, params, sizeof *params);
    hash = hash_bytes(hash, &run->op, sizeof run->op);
    hash = hash_bytes(hash, &executor->segment, sizeof executor->segment);
    hash = hash_bytes(hash, run->order, (size_t)executor->size * sizeof *run->order);
    return (int64_t)(hash >> 1);
}

/* Whether all ranks want the same; where not, their schedules would wait for each other
 * forever. Collective; the same result on all ranks. */
static status agree_request(const execution *run, const composite_algorithm *algorithm,
                            const composite_params *params)
{
    enum { WIDTH, HEIGHT, DEPTH, REQUEST, VALUES };
    int64_t mine[2 * VALUES] = {run->img->width, run->img->height,
                                run->img->depth != NULL,
                                hash_request(run, algorithm, params)};
    int64_t least[2 * VALUES];
    /* The least of the negative values is the negative greatest one. */
    for (int i = 0; i < VALUES; i++) {
        mine[VALUES + i] = -mine[i];
    }
    parallel_allreduce(mine, least, 2 * VALUES, MPI_INT64_T, MPI_MIN,
                       run->executor->comm);
    for (int i = 0; i < VALUES; i++) {
        if (least[i] == -least[VALUES + i]) {
            continue;
        }
        if (i == REQUEST) {
            return base_fail(
                STATUS_INTERNAL,
                "ranks ask for different compositing: order, algorithm, parameters "
                "and operator must be the same on all");
        }
        const char *const names[] = {"width", "height", "having depth"};
        return base_fail(
            STATUS_INTERNAL,
            "the images of the ranks cannot be composited: they differ in %s (%lld "
            "and %lld)",
            names[i], (long long)least[i], (long long)-least[VALUES + i]);
    }
    return STATUS_OK;
}

static void post_receive(execution *run)
{
    composite_executor *executor = run->executor;
    const composite_part *part = &run->receives[run->posted];
    const int64_t slot = run->posted++ % run->nslots;
    executor->arrived[slot] = -1;
    MPI_Irecv(executor->slots + slot * run->slot_words,
              parallel_count(composite_raw_bytes(run->img, part->npix)), MPI_BYTE,
              run->order[part->peer], COMPOSITE_TAG_IMAGE, executor->comm,
              &executor->requests.items[slot]);
}

/* Merges what has arrived as far as the order of the plan allows, and posts receives into
 * the slots that become free. */
static void merge_arrived(execution *run)
{
    composite_executor *executor = run->executor;
    while (run->merged < run->nreceives) {
        const composite_part *part = &run->receives[run->merged];
        const int64_t slot = run->merged % run->nslots;
        if (run->merged >= run->posted || executor->arrived[slot] < 0) {
            return;
        }
        run->counters.pixels_blended += composite_merge(
            run->op, part->in_front, executor->slots + slot * run->slot_words,
            executor->arrived[slot], part->pix0, part->npix, run->img);
        run->merged++;
        if (run->posted < run->nreceives) {
            post_receive(run);
        }
    }
}

/* Looks once what has become of the messages under way. */
static void progress(execution *run)
{
    composite_executor *executor = run->executor;
    composite_requests *requests = &executor->requests;
    int ndone = composite_requests_poll(requests, run->nslots + run->nsends);
    for (int i = 0; i < ndone; i++) {
        int index = requests->done[i];
        if (index >= run->nslots) {
            run->sends_left--;
        } else {
            int bytes;
            MPI_Get_count(&requests->statuses[i], MPI_BYTE, &bytes);
            executor->arrived[index] = bytes;
        }
    }
    merge_arrived(run);
}

/* Sends pixels straight from the image, both planes in one message. */
static void send_raw(const execution *run, const composite_part *part,
                     MPI_Request *request)
{
    const image *img = run->img;
    int lengths[2] = {part->npix * 4 * (int)sizeof(float),
                      part->npix * (int)sizeof(float)};
    MPI_Aint addresses[2] = {0, 0};
    MPI_Datatype planes;
    MPI_Get_address(img->rgba + 4 * part->pix0, &addresses[0]);
    if (img->depth) {
        MPI_Get_address(img->depth + part->pix0, &addresses[1]);
    }
    MPI_Type_create_hindexed(img->depth ? 2 : 1, lengths, addresses, MPI_BYTE, &planes);
    MPI_Type_commit(&planes);
    MPI_Isend(MPI_BOTTOM, 1, planes, run->order[part->peer], COMPOSITE_TAG_IMAGE,
              run->executor->comm, request);
    MPI_Type_free(&planes);
}

static void send_part(execution *run, const composite_part *part, MPI_Request *request)
{
    composite_executor *executor = run->executor;
    float *payload = executor->staging + run->staged_words;
    int64_t bytes;
    if (composite_encode(run->img, part->pix0, part->npix, payload, &bytes)) {
        run->staged_words += bytes / (int64_t)sizeof(float);
        MPI_Isend(payload, parallel_count(bytes), MPI_BYTE, run->order[part->peer],
                  COMPOSITE_TAG_IMAGE, executor->comm, request);
    } else {
        bytes = composite_raw_bytes(run->img, part->npix);
        send_raw(run, part, request);
    }
    run->counters.messages_sent++;
    run->counters.bytes_sent += bytes;
}

static void start_round(execution *run, const composite_plan_round *round)
{
    const composite_plan *plan = &run->executor->plan;
    run->receives = plan->receives.items + round->receive0;
    run->nreceives = round->receive1 - round->receive0;
    run->nsends = round->send1 - round->send0;
    run->sends_left = run->nsends;
    run->posted = 0;
    run->merged = 0;
    run->staged_words = 0;
    for (int64_t i = 0; i < run->nslots + run->nsends; i++) {
        run->executor->requests.items[i] = MPI_REQUEST_NULL;
    }
    for (int64_t i = round->clear0; i < round->clear1; i++) {
        composite_erase(plan->clears.items[i].pix0, plan->clears.items[i].npix, run->img);
    }
}

/* A round ends when its sends are done too: the next one may write where they read. */
static void run_round(execution *run, const composite_plan_round *round)
{
    const composite_plan *plan = &run->executor->plan;
    start_round(run, round);
    while (run->posted < run->nreceives && run->posted < run->nslots) {
        post_receive(run);
    }
    for (int64_t i = 0; i < run->nsends; i++) {
        send_part(run, &plan->sends.items[round->send0 + i],
                  &run->executor->requests.items[run->nslots + i]);
        progress(run);
    }
    while (run->merged < run->nreceives || run->sends_left > 0) {
        progress(run);
    }
}

/* What this rank holds in the end becomes its pieces. */
static void keep_pieces(composite_executor *executor, int64_t pixels)
{
    const composite_holdings *held = executor->plan.pieces;
    executor->pixels = pixels;
    executor->npieces = (int)held->count;
    for (int64_t i = 0; i < held->count; i++) {
        const composite_holding *piece = &held->items[i];
        executor->pieces[i] = (composite_piece){piece->pix0, piece->pix1 - piece->pix0};
    }
}

status composite_execute(composite_executor *executor,
                         const composite_algorithm *algorithm,
                         const composite_params *params, composite_operator op,
                         const int *order, image *img, status failed,
                         const composite_piece **pieces, int *npieces,
                         composite_counters *counters)
{
    execution run = {.executor = executor, .op = op, .order = order, .img = img};
    executor->npieces = 0;
    executor->pixels = 0;
    status s = failed == STATUS_OK ? prepare(&run, algorithm, params) : failed;
    s = parallel_agree(executor->comm, s);
    s = s == STATUS_OK ? agree_request(&run, algorithm, params) : s;
    if (s != STATUS_OK) {
        return s;
    }
    for (int64_t i = 0; i < executor->plan.nrounds; i++) {
        run_round(&run, &executor->plan.rounds[i]);
    }
    keep_pieces(executor, image_pixel_count(img));
    *pieces = executor->pieces;
    *npieces = executor->npieces;
    counters->messages_sent += run.counters.messages_sent;
    counters->bytes_sent += run.counters.bytes_sent;
    counters->pixels_blended += run.counters.pixels_blended;
    return STATUS_OK;
}
