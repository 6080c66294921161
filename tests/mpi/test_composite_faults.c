/* If an operation fails on one rank, all ranks return the same status, and none hangs. */
#include "test_composite.h"

#include "base/hash.h"
#include "base/parallel/parallel.h"
#include "composite/run/executor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* Whether s and the message are the same on all ranks. Collective. */
static bool same_on_all_ranks(status s)
{
    const char *message = base_fail_message();
    const size_t size = s != STATUS_OK ? strlen(message) : 0;
    const int64_t hash = (int64_t)(base_hash_bytes(BASE_HASH_START, message, size) >> 1);
    int64_t mine[4] = {(int64_t)s, -(int64_t)s, hash, -hash};
    int64_t least[4];
    parallel_allreduce(mine, least, 4, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD);
    return least[0] == -least[1] && least[2] == -least[3];
}

static int count_seeds(void)
{
    const int ranks = parallel_size(MPI_COMM_WORLD);
    return ranks == 4 || ranks == 7 ? 200 : 50;
}

/* ---- One frame that may fail ------------------------------------------------------- */

/* The random choices of a seed. */
typedef struct trial {
    uint64_t random;
    int victim;
    test_stage stage;
    test_picture picture;
    test_case c;
} trial;

static trial open_trial(uint32_t seed)
{
    static const int segments[] = {COMPOSITE_SEGMENT, 100, 31};
    trial t = {.random = random_start(seed, 1)};
    const int size = parallel_size(MPI_COMM_WORLD);
    int sizes[4];
    const int count = test_node_sizes(size, sizes);
    t.victim = random_below(&t.random, size);
    test_stage_open(&t.stage, sizes[random_below(&t.random, count)]);
    test_stage_set(&t.stage, segments[random_below(&t.random, 3)],
                   1 + random_below(&t.random, 2));
    test_frame frame = {.width = 29,
                        .height = 31,
                        .with_depth = random_below(&t.random, 2) == 1,
                        .percent = 60,
                        .seed = seed,
                        .order = seed};
    if (frame.with_depth && random_below(&t.random, 2) == 1) {
        frame.op = COMPOSITE_NEAREST;
    }
    t.picture = test_picture_create(&frame);
    t.c.target = (composite_target)random_below(&t.random, 3);
    t.c.memory = (test_memory)random_below(&t.random, 3);
    t.c.bytes_per_pixel = 2 + random_below(&t.random, 3);
    t.c.algorithm = test_random_algorithm(&t.random, size, &t.c.params);
    return t;
}

static void close_trial(trial *t)
{
    test_stage_close(&t->stage);
    test_picture_destroy(&t->picture);
}

static bool is_victim(const trial *t)
{
    return t->stage.rank == t->victim;
}

/* Composites the frame of a trial; *img is this rank's image, undefined afterwards. */
static status execute(trial *t, image **img)
{
    composite_result result;
    t->c.picture = &t->picture;
    const composite_request request = test_request(&t->c);
    *img = test_draw(&t->stage, &t->c);
    base_fail_set_message("");
    return composite_execute(t->stage.executor, &request, *img, STATUS_OK, &result);
}

/* Whether the drawn pixels are still there. A cropped image has no others. */
static bool is_untouched(const trial *t, const image *img)
{
    const image *drawn = t->picture.drawn;
    if (pixel_rect_is_empty(img->kept)) {
        return test_same_pixels(drawn, img, 0, image_pixel_count(img));
    }
    const pixel_rect in = drawn->active;
    const size_t bytes = (size_t)(in.x1 - in.x0) * 4 * sizeof(float);
    for (int y = in.y0; y < in.y1 && in.x0 < in.x1; y++) {
        if (memcmp(drawn->rgba + 4 * image_at(drawn, in.x0, y),
                   img->rgba + 4 * image_at(img, in.x0, y), bytes) != 0) {
            return false;
        }
    }
    return true;
}

static bool agree(const trial *t, bool mine, const char *what)
{
    return test_all_agree(&t->stage, &t->c, mine, what);
}

/* Whether the executor makes right pictures afterwards, also of the other kinds. */
static bool recovers(trial *t)
{
    bool right = test_is_exact(&t->stage, &t->c);
    t->c.target = (composite_target)random_below(&t->random, 3);
    t->c.memory = (test_memory)random_below(&t->random, 3);
    return right && test_is_exact(&t->stage, &t->c);
}

/* ---- Memory ------------------------------------------------------------------------ */

/* One allocation fails on one rank; the same seed chooses both on all ranks. */
static bool survives_no_memory(uint32_t seed, int *failures)
{
    trial t = open_trial(seed);
    t.c.picture = &t.picture;
    /* About as many as a frame allocates; a single rank sends no messages. */
    const int nth = 1 + random_below(&t.random, t.stage.size == 1 ? 8 : 24);
    image *img;
    bool right = true;
    if (random_below(&t.random, 4) == 0) {
        /* Another case, since the buffers of the first are allocated already. */
        right = test_is_exact(&t.stage, &t.c);
        t.c.algorithm = test_random_algorithm(&t.random, t.stage.size, &t.c.params);
        t.c.target = (composite_target)random_below(&t.random, 3);
    }
    if (is_victim(&t)) {
        composite_executor_fail_allocation(t.stage.executor, nth);
    }
    const status s = execute(&t, &img);
    right = right && same_on_all_ranks(s) && (s == STATUS_OK || s == STATUS_MEMORY);
    right = agree(&t, right, "ranks disagree on a failed allocation");
    right = agree(&t, s == STATUS_OK || is_untouched(&t, img),
                  "an image that is not as it was") &&
            right;
    *failures += s == STATUS_MEMORY;
    composite_executor_fail_allocation(t.stage.executor, 0);
    right = right && recovers(&t);
    close_trial(&t);
    return right;
}

static bool any_failed_allocation_is_reported_by_all_ranks(void)
{
    const int seeds = count_seeds();
    bool right = true;
    int failures = 0;
    for (int seed = 0; seed < seeds && right; seed++) {
        right = survives_no_memory(1000 + (uint32_t)seed, &failures);
    }
    if (right && failures < seeds / 4) {
        fprintf(stderr, "expected at least %d failed allocations, actual %d\n", seeds / 4,
                failures);
        right = false;
    }
    return right;
}

/* ---- Payloads ---------------------------------------------------------------------- */

static bool survives_broken_payload(uint32_t seed, int *failures)
{
    trial t = open_trial(seed);
    const int nth = 1 + random_below(&t.random, 6);
    image *img;
    if (is_victim(&t)) {
        composite_executor_break_payload(t.stage.executor, nth);
    }
    const status s = execute(&t, &img);
    const int was_broken = is_victim(&t) && t.stage.executor->messages.until_broken == 0;
    int expects_failure;
    parallel_allreduce(&was_broken, &expects_failure, 1, MPI_INT, MPI_MAX,
                       MPI_COMM_WORLD);
    char expected[32];
    snprintf(expected, sizeof expected, "rank %d got a message", t.victim);
    bool right = s == (expects_failure ? STATUS_INTERNAL : STATUS_OK) &&
                 (s == STATUS_OK || strstr(base_fail_message(), expected));
    right = agree(&t, same_on_all_ranks(s) && right,
                  "expected an internal error on all ranks where a payload is broken");
    *failures += s != STATUS_OK;
    composite_executor_break_payload(t.stage.executor, 0);
    right = right && recovers(&t);
    close_trial(&t);
    return right;
}

static bool a_broken_payload_is_reported_by_all_ranks(void)
{
    const int seeds = count_seeds();
    bool right = true;
    int failures = 0;
    for (int seed = 0; seed < seeds && right; seed++) {
        right = survives_broken_payload(2000 + (uint32_t)seed, &failures);
    }
    if (right && parallel_size(MPI_COMM_WORLD) > 1 && failures < seeds / 8) {
        fprintf(stderr, "expected at least %d broken payloads, actual %d\n", seeds / 8,
                failures);
        right = false;
    }
    return right;
}

/* Pixels in shared memory do not travel in messages, which could be broken. */
static bool shared_memory_brings_no_payload(void)
{
    trial t = open_trial(2999);
    bool right = true;
    test_stage_close(&t.stage);
    test_stage_open(&t.stage, 0);
    t.c.memory = TEST_OWN;
    for (int target = 0; target < 3 && right; target++) {
        image *img;
        t.c.target = (composite_target)target;
        composite_executor_break_payload(t.stage.executor, 1);
        const status s = execute(&t, &img);
        right = agree(&t, s == STATUS_OK && t.stage.executor->messages.until_broken == 1,
                      "expected that nothing travels by message");
    }
    close_trial(&t);
    return right;
}

/* ---- No shared memory -------------------------------------------------------------- */

/* One rank may not make files as large as its image, so that all ranks of the node send
 * messages. */
static bool who_cannot_share_sends_messages(void)
{
    trial t = open_trial(2998);
    struct rlimit before;
    bool right = true;
    test_stage_close(&t.stage);
    test_stage_open(&t.stage, 0);
    t.c.picture = &t.picture;
    t.c.memory = TEST_OWN;
    getrlimit(RLIMIT_FSIZE, &before);
    if (is_victim(&t)) {
        setrlimit(RLIMIT_FSIZE,
                  &(struct rlimit){.rlim_cur = 64, .rlim_max = before.rlim_max});
    }
    test_draw(&t.stage, &t.c);
    setrlimit(RLIMIT_FSIZE, &before);
    const composite_executor *executor = t.stage.executor;
    const bool shares = executor->reach != COMPOSITE_REACH_OWN;
    right = agree(&t, shares == (t.stage.size == 1), "expected ordinary images");
    t.stage.node_size = 1; /* as if each rank were on a node of its own */
    for (int target = 0; target < 3 && right; target++) {
        t.c.target = (composite_target)target;
        right = test_is_exact(&t.stage, &t.c);
    }
    close_trial(&t);
    return right;
}

/* ---- Ranks that failed before ------------------------------------------------------ */

/* A rank that has failed before reports its status, with an image or without; all ranks
 * return it. */
static bool failed_rank_is_heard(uint32_t seed)
{
    trial t = open_trial(seed);
    composite_result result;
    status failed = STATUS_OK;
    char expected[64];
    t.c.picture = &t.picture;
    const composite_request request = test_request(&t.c);
    image *img = test_draw(&t.stage, &t.c);
    base_fail_set_message("");
    snprintf(expected, sizeof expected, "rank %d has nothing to draw", t.victim);
    if (is_victim(&t)) {
        failed = base_fail(STATUS_INPUT, "%s", expected);
        img = seed % 2 ? NULL : img;
    }
    const status s = composite_execute(t.stage.executor, &request, img, failed, &result);
    bool right = s == STATUS_INPUT && strcmp(base_fail_message(), expected) == 0;
    right = agree(&t, right, "expected the status and message of the rank that failed");
    right = right && recovers(&t);
    close_trial(&t);
    return right;
}

static bool a_rank_that_failed_before_makes_all_fail_alike(void)
{
    bool right = true;
    for (uint32_t seed = 3000; seed < 3040 && right; seed++) {
        right = failed_rank_is_heard(seed);
    }
    return right;
}

/* A rank without an image, and without a failure that explains it. */
static bool an_image_that_is_missing_is_an_internal_error(void)
{
    trial t = open_trial(3100);
    composite_result result;
    t.c.picture = &t.picture;
    const composite_request request = test_request(&t.c);
    image *img = test_draw(&t.stage, &t.c);
    base_fail_set_message("");
    const status s = composite_execute(t.stage.executor, &request,
                                       is_victim(&t) ? NULL : img, STATUS_OK, &result);
    bool right = agree(&t, same_on_all_ranks(s) && s == STATUS_INTERNAL,
                       "expected an internal error on all ranks");
    right = right && recovers(&t);
    close_trial(&t);
    return right;
}

int test_faults(void)
{
    const test_entry entries[] = {
        {"any failed allocation is reported by all ranks",
         any_failed_allocation_is_reported_by_all_ranks},
        {"a broken payload is reported by all ranks",
         a_broken_payload_is_reported_by_all_ranks},
        {"shared memory brings no payload", shared_memory_brings_no_payload},
        {"who cannot share sends messages", who_cannot_share_sends_messages},
        {"a rank that failed before makes all fail alike",
         a_rank_that_failed_before_makes_all_fail_alike},
        {"an image that is missing is an internal error",
         an_image_that_is_missing_is_an_internal_error},
    };
    return test_run(entries, sizeof entries / sizeof entries[0]);
}
