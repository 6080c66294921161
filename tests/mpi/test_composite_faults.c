/* When something fails on one rank, all ranks return the same, and none waits. */
#include "test_composite.h"

#include "base/parallel.h"
#include "composite/executor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RANKS = 64, SEEDS = 32 };

static const composite_params no_params;

/* Whether s and the message are the same on all ranks. Collective. */
static bool same_on_all_ranks(status s)
{
    const char *message = base_fail_message();
    uint32_t hash = 2166136261u;
    for (; s != STATUS_OK && *message; message++) {
        hash = (hash ^ (unsigned char)*message) * 16777619u;
    }
    int64_t mine[4] = {(int64_t)s, -(int64_t)s, hash, -(int64_t)hash};
    int64_t least[4];
    parallel_allreduce(mine, least, 4, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD);
    return least[0] == -least[1] && least[2] == -least[3];
}

/* A frame with an executor of its own, whose buffers are still to be allocated. */
static status execute_once(composite_executor *executor, const test_frame *frame,
                           const char *algorithm, status failed)
{
    int order[MOST_RANKS];
    const composite_piece *pieces;
    int npieces;
    composite_counters counters = {0};
    test_order(frame, parallel_size(MPI_COMM_WORLD), order);
    image *img = test_image_create(frame, parallel_rank(MPI_COMM_WORLD));
    status s =
        composite_execute(executor, composite_algorithm_find(algorithm), &no_params,
                          frame->op, order, img, failed, &pieces, &npieces, &counters);
    if (s == STATUS_OK) {
        unsigned char *part = calloc((size_t)image_pixel_count(img), 3);
        unsigned char *whole = calloc((size_t)image_pixel_count(img), 3);
        s = composite_gather(executor, 3, part, whole, &counters);
        free(part);
        free(whole);
    }
    image_destroy(&img);
    return s;
}

/* One allocation fails on one rank, the same seed choosing both everywhere; then the same
 * executor must work. */
static bool survives_seed(uint32_t seed, int *failures)
{
    uint32_t random = seed;
    const int size = parallel_size(MPI_COMM_WORLD);
    const int victim = (int)(test_random(&random) % (uint32_t)size);
    /* About as many as a frame allocates; a rank alone has no messages. */
    const int nth = 1 + (int)(test_random(&random) % (size == 1 ? 4 : 24));
    const test_frame frame = {29, 31, seed % 2 == 1, 60, COMPOSITE_OVER, seed};
    const char *algorithm = seed % 3 ? "binary-swap" : "direct-send";
    composite_executor *executor;
    base_fail_set_message("");
    if (composite_executor_create(MPI_COMM_WORLD, &executor) != STATUS_OK) {
        return false;
    }
    composite_executor_limit_messages(executor, 100, 1000);
    if (parallel_rank(MPI_COMM_WORLD) == victim) {
        composite_executor_fail_allocation(executor, nth);
    }
    status s = execute_once(executor, &frame, algorithm, STATUS_OK);
    bool right = same_on_all_ranks(s) && (s == STATUS_OK || s == STATUS_MEMORY);
    right = test_all_agree(right, "ranks disagree on a failed allocation", &frame);
    *failures += s == STATUS_MEMORY;
    composite_executor_fail_allocation(executor, 0);
    base_fail_set_message("");
    s = execute_once(executor, &frame, algorithm, STATUS_OK);
    right =
        test_all_agree(s == STATUS_OK, "the executor does not recover", &frame) && right;
    composite_executor_destroy(&executor);
    return right;
}

static bool any_failed_allocation_is_reported_by_all_ranks(void)
{
    bool right = true;
    int failures = 0;
    for (uint32_t seed = 1; seed <= SEEDS && right; seed++) {
        right = survives_seed(seed, &failures);
    }
    if (right && failures < SEEDS / 4) {
        fprintf(stderr, "expected at least %d failed allocations, actual %d\n", SEEDS / 4,
                failures);
        right = false;
    }
    return right;
}

/* What a rank brings from before, `failed`, comes back on all ranks. */
static bool a_rank_that_failed_before_makes_all_fail_alike(void)
{
    const test_frame frame = {16, 16, false, 50, COMPOSITE_OVER, 7};
    const int size = parallel_size(MPI_COMM_WORLD);
    composite_executor *executor;
    bool right = composite_executor_create(MPI_COMM_WORLD, &executor) == STATUS_OK;
    for (int victim = 0; victim < size && right; victim++) {
        status failed = STATUS_OK;
        base_fail_set_message("");
        if (parallel_rank(MPI_COMM_WORLD) == victim) {
            failed = base_fail(STATUS_INPUT, "rank %d has nothing to draw", victim);
        }
        status s = execute_once(executor, &frame, "direct-send", failed);
        char expected[64];
        snprintf(expected, sizeof expected, "rank %d has nothing to draw", victim);
        right = test_all_agree(
            s == STATUS_INPUT && strcmp(base_fail_message(), expected) == 0,
            "expected the status and message of the rank that failed", &frame);
    }
    base_fail_set_message("");
    right =
        right && execute_once(executor, &frame, "direct-send", STATUS_OK) == STATUS_OK;
    composite_executor_destroy(&executor);
    return right;
}

static bool a_failed_rank_needs_no_image(void)
{
    const test_frame frame = {16, 16, false, 50, COMPOSITE_OVER, 8};
    int order[MOST_RANKS];
    const composite_piece *pieces;
    int npieces;
    composite_counters counters = {0};
    composite_executor *executor;
    base_fail_set_message("");
    test_order(&frame, parallel_size(MPI_COMM_WORLD), order);
    bool right = composite_executor_create(MPI_COMM_WORLD, &executor) == STATUS_OK;
    bool victim = parallel_rank(MPI_COMM_WORLD) == 0;
    image *img = victim ? NULL : test_image_create(&frame, parallel_rank(MPI_COMM_WORLD));
    status failed = victim ? base_fail(STATUS_MEMORY, "no image") : STATUS_OK;
    status s =
        composite_execute(executor, composite_algorithm_find("binary-swap"), &no_params,
                          frame.op, order, img, failed, &pieces, &npieces, &counters);
    right = right && s == STATUS_MEMORY;
    image_destroy(&img);
    composite_executor_destroy(&executor);
    return test_all_agree(right, "expected not enough memory on all ranks", &frame);
}

/* Ranks that call with different things must not wait for messages that never come. */
static bool ranks_that_ask_for_different_things_are_told(void)
{
    const bool odd = parallel_rank(MPI_COMM_WORLD) == parallel_size(MPI_COMM_WORLD) - 1;
    const bool alone = parallel_size(MPI_COMM_WORLD) == 1;
    const test_frame same = {16, 16, false, 50, COMPOSITE_OVER, 9};
    test_frame other[3] = {same, same, same};
    other[0].height = 15;
    other[1].with_depth = true;
    other[2].seed = 10; /* also of the visibility order */
    composite_executor *executor;
    bool right = composite_executor_create(MPI_COMM_WORLD, &executor) == STATUS_OK;
    for (int i = 0; i < 3 && right && !alone; i++) {
        base_fail_set_message("");
        /* With few ranks two seeds may give the same order: then there is nothing to
         * find. */
        status s =
            execute_once(executor, odd ? &other[i] : &same, "direct-send", STATUS_OK);
        bool may_agree = i == 2 && parallel_size(MPI_COMM_WORLD) < 4;
        right = same_on_all_ranks(s) && (s == STATUS_INTERNAL || may_agree);
        right = test_all_agree(right, "expected an internal error on all ranks", &same);
    }
    base_fail_set_message("");
    if (right && !alone) {
        status s =
            execute_once(executor, &same, odd ? "direct-send" : "binary-swap", STATUS_OK);
        right = test_all_agree(s == STATUS_INTERNAL,
                               "expected different algorithms to be found", &same);
    }
    composite_executor_destroy(&executor);
    return right;
}

static bool wrong_parameters_are_a_usage_error_on_all_ranks(void)
{
    const test_frame frame = {16, 16, false, 50, COMPOSITE_OVER, 11};
    const composite_params wrong = {.fan_in = 3};
    int order[MOST_RANKS];
    const composite_piece *pieces;
    int npieces;
    composite_counters counters = {0};
    composite_executor *executor;
    base_fail_set_message("");
    test_order(&frame, parallel_size(MPI_COMM_WORLD), order);
    bool right = composite_executor_create(MPI_COMM_WORLD, &executor) == STATUS_OK;
    image *img = test_image_create(&frame, parallel_rank(MPI_COMM_WORLD));
    status s =
        composite_execute(executor, composite_algorithm_find("binary-swap"), &wrong,
                          frame.op, order, img, STATUS_OK, &pieces, &npieces, &counters);
    right = right && s == STATUS_USAGE && strstr(base_fail_message(), "fan_in");
    image_destroy(&img);
    composite_executor_destroy(&executor);
    return test_all_agree(right, "expected a usage error that names fan_in", &frame);
}

int test_faults(void)
{
    const struct {
        const char *name;
        bool (*run)(void);
    } tests[] = {
        {"any failed allocation is reported by all ranks",
         any_failed_allocation_is_reported_by_all_ranks},
        {"a rank that failed before makes all fail alike",
         a_rank_that_failed_before_makes_all_fail_alike},
        {"a failed rank needs no image", a_failed_rank_needs_no_image},
        {"ranks that ask for different things are told",
         ranks_that_ask_for_different_things_are_told},
        {"wrong parameters are a usage error on all ranks",
         wrong_parameters_are_a_usage_error_on_all_ranks},
    };
    int failed = 0;
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        bool right = tests[i].run();
        failed += !right;
        if (parallel_rank(MPI_COMM_WORLD) == 0) {
            printf("%s: %s\n", right ? "ok" : "FAILED", tests[i].name);
        }
    }
    return failed;
}
