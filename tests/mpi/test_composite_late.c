/* Ranks draw between composite_begin and composite_finish, some of them longer: the
 * serial picture all the same, and one failure for all if a rank fails to draw. */
#include "composite/run/executor.h"
#include "test_composite.h"

#include "base/parallel/parallel.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { NOBODY = -1 };

/* ---- A frame with delays ----------------------------------------------------------- */

static void pause_for(int microseconds)
{
    const struct timespec time = {microseconds / 1000000, microseconds % 1000000 * 1000L};
    nanosleep(&time, NULL);
}

/* One rank in three draws longer, by up to two milliseconds. Every other one lets
 * messages arrive meanwhile. */
static void be_late(const test_stage *stage, const test_delays *delays)
{
    uint64_t random = random_start(delays->seed, (uint64_t)stage->rank);
    int microseconds = random_below(&random, 2000);
    if (stage->rank == delays->always) {
        microseconds = 6000;
    } else if (random_below(&random, 3) > 0) {
        microseconds = 0;
    }
    const bool polls = random_below(&random, 2);
    for (int n = 0; polls && n < 8; n++) {
        pause_for(microseconds / 8);
        composite_poll(stage->executor);
    }
    pause_for(polls ? 0 : microseconds);
}

/* Bounds that hold what the rank will draw: exact, wider, or everything and more. */
static pixel_rect find_bounds(const test_stage *stage, const test_case *c)
{
    uint64_t random = random_start(c->delays->seed + 1, (uint64_t)stage->rank);
    pixel_rect r = c->picture->drawn->active;
    switch (random_below(&random, 3)) {
    case 0:
        return r;
    case 1:
        return (pixel_rect){
            r.x0 - random_below(&random, 9), r.y0 - random_below(&random, 9),
            r.x1 + random_below(&random, 9), r.y1 + random_below(&random, 9)};
    default:
        return (pixel_rect){-5, -5, c->picture->frame.width + 5,
                            c->picture->frame.height + 5};
    }
}

status test_execute_late(test_stage *stage, const test_case *c, image **img,
                         pixel_rect *drawn, composite_result *result)
{
    const test_delays *delays = c->delays;
    const composite_request request = test_request(c);
    *img = test_provide(stage, c);
    const status s = composite_begin(stage->executor, &request, *img,
                                     find_bounds(stage, c), STATUS_OK);
    if (s != STATUS_OK) {
        return s;
    }
    test_draw(stage, c);
    *drawn = (*img)->active;
    be_late(stage, delays);
    if (delays->draw) {
        delays->draw(stage->rank, delays->context);
    }
    return composite_finish(stage->executor, STATUS_OK, result);
}

/* ---- Random delays ----------------------------------------------------------------- */

static test_frame random_frame(uint64_t *random, uint32_t seed)
{
    const int kind = random_below(random, 4);
    return (test_frame){.width = 1 + random_below(random, 60),
                        .height = 1 + random_below(random, 40),
                        .with_depth = kind >= 2,
                        .percent = random_below(random, 2) ? 100 : 25,
                        .op = kind == 3 ? COMPOSITE_NEAREST : COMPOSITE_OVER,
                        .seed = seed,
                        .order = seed};
}

static test_case random_case(uint64_t *random, const test_picture *picture,
                             const test_delays *delays)
{
    test_case c = {.picture = picture,
                   .by_nodes = random_below(random, 2),
                   .target = (composite_target)random_below(random, 3),
                   .bytes_per_pixel = 1 + random_below(random, 4),
                   .memory = (test_memory)random_below(random, 3),
                   .delays = delays};
    if (random_below(random, 3) > 0 && !c.by_nodes) {
        c.algorithm =
            test_random_algorithm(random, parallel_size(MPI_COMM_WORLD), &c.params);
    }
    return c;
}

/* One picture is composited several times, so that 1,000 delays take seconds. */
static bool frames_are_exact(test_stage *stage, uint32_t first_seed, int frames)
{
    enum { TIMES = 5 };
    uint64_t random = random_start(7000, first_seed);
    bool right = true;
    for (uint32_t seed = first_seed; seed < first_seed + (uint32_t)frames && right;) {
        const test_frame frame = random_frame(&random, 7000 + seed);
        test_picture picture = test_picture_create(&frame);
        test_stage_set(stage, random_below(&random, 2) ? 37 : COMPOSITE_SEGMENT,
                       1 + random_below(&random, 2));
        for (int n = 0; n < TIMES && right; n++, seed++) {
            const test_delays delays = {
                .seed = seed, .always = NOBODY, .adapts = seed % 2 == 0};
            const test_case c = random_case(&random, &picture, &delays);
            right = test_is_exact(stage, &c);
        }
        test_picture_destroy(&picture);
    }
    return right;
}

static bool a_thousand_random_delays_give_the_serial_picture(void)
{
    enum { SEEDS = 1000, PER_STAGE = 100 };
    int sizes[4];
    const int count = test_node_sizes(parallel_size(MPI_COMM_WORLD), sizes);
    bool right = true;
    for (uint32_t n = 0; n < SEEDS / PER_STAGE && right; n++) {
        test_stage stage;
        test_stage_open(&stage, sizes[n % (uint32_t)count]);
        right = frames_are_exact(&stage, n * PER_STAGE, PER_STAGE);
        test_stage_close(&stage);
    }
    return right;
}

/* ---- The order of arithmetic ------------------------------------------------------- */

/* Whether all parts that are to merge with a neighbour first have done so. */
static bool neighbours_have_merged(const test_stage *stage, int64_t *count)
{
    const composite_part_list *receives = &stage->executor->plan.receives;
    bool right = true;
    for (int64_t i = 0; i < receives->count; i++) {
        const composite_part *part = &receives->items[i];
        *count += part->has_owner;
        right = right && part->is_ahead == part->has_owner;
    }
    return right;
}

/* Composites a frame in which one rank is late; *first gets the picture of rank 0, or the
 * picture is compared with it. */
static bool delays_change_no_bit_of(test_stage *stage, const test_case *c, image *first,
                                    bool is_first, int64_t *merged)
{
    composite_result result;
    image *img;
    pixel_rect drawn;
    bool right = test_execute_late(stage, c, &img, &drawn, &result) == STATUS_OK &&
                 neighbours_have_merged(stage, merged);
    if (stage->rank == 0 && right && is_first) {
        memcpy(first->rgba, img->rgba,
               (size_t)image_pixel_count(img) * 4 * sizeof *img->rgba);
    } else if (stage->rank == 0 && right) {
        right = test_same_pixels(first, img, 0, image_pixel_count(img));
    }
    return test_all_agree(stage, c, right, "bits differ from those of the first delays");
}

/* Ranks are late in turn, on nodes of one rank each, where images merge with their
 * neighbours meanwhile. Bounds change with the seed, too. */
static bool whoever_is_late_the_bits_are_the_same(void)
{
    const int ranks = parallel_size(MPI_COMM_WORLD);
    int64_t merged = 0, all = 0;
    bool right = true;
    for (int percent = 25; percent <= 100 && right; percent += 75) {
        const test_frame frame = {.width = 97,
                                  .height = 31,
                                  .percent = percent,
                                  .seed = 7300,
                                  .order = 7300,
                                  .rounds = true};
        test_stage stage;
        image *first = NULL;
        test_stage_open(&stage, 1);
        test_stage_set(&stage, 300, 1 + percent % 2);
        test_picture picture = test_picture_create(&frame);
        if (image_create(frame.width, frame.height, false, &first) != STATUS_OK) {
            fprintf(stderr, "out of memory\n");
            abort();
        }
        for (int n = 0; n < 2 * ranks && right; n++) {
            const test_delays delays = {.seed = (uint32_t)n, .always = n % ranks};
            const test_case c = {.picture = &picture,
                                 .algorithm = composite_algorithm_find("direct-send"),
                                 .target = COMPOSITE_FLOATS,
                                 .memory = (test_memory)(n % 3),
                                 .delays = &delays};
            right = delays_change_no_bit_of(&stage, &c, first, n == 0, &merged);
        }
        image_destroy(&first);
        test_picture_destroy(&picture);
        test_stage_close(&stage);
    }
    parallel_allreduce(&merged, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    return right && (all > 0) == (ranks > 3);
}

/* ---- Going around late ranks ------------------------------------------------------- */

static bool goes_around(const test_stage *stage)
{
    return stage->executor->plan.key.problem.late != NULL;
}

/* A rank is always late, then another one, then none. Schedules go around ranks on a busy
 * machine as its times will have it; the picture counts, and that all do the same. */
static bool is_gone_around_on(int node_size)
{
    enum { FRAMES = 6 };
    const test_frame frame = {.width = 50, .height = 40, .percent = 100, .seed = 7100};
    const int ranks = parallel_size(MPI_COMM_WORLD);
    if (ranks < 3) {
        return true;
    }
    test_stage stage;
    test_stage_open(&stage, node_size);
    test_picture picture = test_picture_create(&frame);
    bool right = true;
    for (uint32_t n = 0; n < 4 * FRAMES && right; n++) {
        const test_delays delays = {.seed = n,
                                    .always = n < 3 * FRAMES ? (int)(n / FRAMES) % ranks
                                                             : NOBODY,
                                    .adapts = true};
        const test_case c = {.picture = &picture,
                             .by_nodes = node_size > 1,
                             .target = COMPOSITE_FLOATS,
                             .bytes_per_pixel = 3,
                             .memory = TEST_OWN,
                             .delays = &delays};
        right = test_is_exact(&stage, &c);
        int most = 0;
        const int mine = goes_around(&stage);
        parallel_allreduce(&mine, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        right = right &&
                test_all_agree(&stage, &c, mine == most, "all or none go around a rank");
    }
    test_picture_destroy(&picture);
    test_stage_close(&stage);
    return right;
}

static bool a_rank_that_stays_late_is_gone_around(void)
{
    return is_gone_around_on(1);
}

static bool so_is_one_of_several_on_a_node(void)
{
    return is_gone_around_on(2) && is_gone_around_on(3);
}

/* Gives the executor a frame in which the last `slow` ranks drew longer, and all had
 * images with this part of 100 pixels. */
static int count_late(composite_executor *executor, int slow, int part)
{
    executor->cutting.pixels = 100;
    for (int rank = 0; rank < executor->size; rank++) {
        composite_record *record = &executor->records[rank];
        const bool is_slow = rank >= executor->size - slow;
        record->values[COMPOSITE_INPUT_DRAWING] = is_slow ? 15000 : 10000;
        record->values[COMPOSITE_INPUT_MERGING] = 3000;
        record->bounds = (pixel_rect){0, 0, part, 1};
    }
    composite_late_ranks_find(executor);
    return executor->late.count;
}

/* Times and bounds alone decide, on all ranks alike; given ones, not those of this
 * machine. */
static bool ranks_that_were_slow_twice_are_late(void)
{
    test_stage stage;
    test_stage_open(&stage, 1);
    composite_executor *executor = stage.executor;
    const int one = stage.size > 1;
    const int two = stage.size >= 8 ? 2 : 0;
    bool right = count_late(executor, 1, 60) == 0 && count_late(executor, 1, 60) == one &&
                 executor->late.ranks[stage.size - 1] == one &&
                 count_late(executor, 1, 60) == one && count_late(executor, 0, 60) == 0;
    right = right && count_late(executor, 2, 25) == 0 &&
            count_late(executor, 2, 25) == two && count_late(executor, 2, 26) == 0;
    int all;
    const int mine = right;
    parallel_allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    test_stage_close(&stage);
    return all;
}

/* ---- Ranks that stop --------------------------------------------------------------- */

/* The processes of all ranks, which run on this machine. */
typedef struct processes {
    int ranks;
    int *ids;
    int stopped; /* a rank; another one stops it, and lets it go on */
} processes;

static void stop_a_rank(int rank, void *context)
{
    const processes *p = context;
    if (rank == (p->stopped + 1) % p->ranks) {
        kill(p->ids[p->stopped], SIGSTOP);
        pause_for(20000);
        kill(p->ids[p->stopped], SIGCONT);
    }
}

/* A rank is stopped wherever it is, also in the middle of merging. */
static bool a_rank_that_stops_for_a_while_is_awaited(void)
{
    const test_frame frame = {.width = 64, .height = 48, .percent = 60, .seed = 7200};
    const int ranks = parallel_size(MPI_COMM_WORLD);
    if (ranks < 2) {
        return true;
    }
    int *ids = malloc((size_t)ranks * sizeof *ids);
    const int mine = (int)getpid();
    MPI_Allgather(&mine, 1, MPI_INT, ids, 1, MPI_INT, MPI_COMM_WORLD);
    bool right = true;
    for (int node_size = 0; node_size < 2 && right; node_size++) {
        test_stage stage;
        test_stage_open(&stage, node_size);
        test_picture picture = test_picture_create(&frame);
        for (int n = 0; n < 3 * ranks && right; n++) {
            processes p = {ranks, ids, n % ranks};
            const test_delays delays = {.seed = (uint32_t)n,
                                        .always = NOBODY,
                                        .adapts = true,
                                        .draw = stop_a_rank,
                                        .context = &p};
            const test_case c = {.picture = &picture,
                                 .target = (composite_target)(n / ranks),
                                 .bytes_per_pixel = 3,
                                 .memory = TEST_OWN,
                                 .delays = &delays};
            right = test_is_exact(&stage, &c);
        }
        test_picture_destroy(&picture);
        test_stage_close(&stage);
    }
    free(ids);
    return right;
}

/* ---- Failures while drawing -------------------------------------------------------- */

/* Whether all ranks learn that one failed to draw, and composite the next frame. */
static bool failure_is_heard(test_stage *stage, const test_case *c, int victim)
{
    const composite_request request = test_request(c);
    composite_result result;
    char expected[64];
    status failed = STATUS_OK;
    image *img = test_provide(stage, c);
    status s = composite_begin(stage->executor, &request, img, c->picture->drawn->active,
                               STATUS_OK);
    bool right = s == STATUS_OK;
    test_draw(stage, c);
    base_fail_set_message("");
    snprintf(expected, sizeof expected, "rank %d has broken its pencil", victim);
    if (stage->rank == victim) {
        failed = base_fail(STATUS_INPUT, "%s", expected);
    }
    s = composite_finish(stage->executor, failed, &result);
    right = right && s == STATUS_INPUT && strcmp(base_fail_message(), expected) == 0 &&
            result.npieces == 0 && !result.bytes;
    return test_all_agree(stage, c, right, "a failure of drawing is heard by all") &&
           test_is_exact(stage, c);
}

static bool failures_are_heard(test_stage *stage)
{
    bool right = true;
    uint64_t random = random_start(7300, 1);
    for (uint32_t n = 0; n < 12 && right; n++) {
        const test_frame frame = random_frame(&random, 7300 + n);
        test_picture picture = test_picture_create(&frame);
        const test_case c = random_case(&random, &picture, NULL);
        right = failure_is_heard(stage, &c, random_below(&random, stage->size));
        test_picture_destroy(&picture);
    }
    return right;
}

static bool a_rank_that_fails_to_draw_makes_all_fail_alike(void)
{
    return test_stage_on_all_nodes(failures_are_heard);
}

/* Nobody would get such pixels. */
static bool pixels_outside_the_bounds_are_an_error(test_stage *stage)
{
    const test_frame frame = {.width = 30, .height = 20, .percent = 100, .seed = 7400};
    test_picture picture = test_picture_create(&frame);
    const test_case c = {.picture = &picture,
                         .target = COMPOSITE_FLOATS,
                         .bytes_per_pixel = 3,
                         .memory = TEST_OWN};
    const composite_request request = test_request(&c);
    composite_result result;
    pixel_rect bounds = {0, 0, 30, 20};
    bounds.y1 -= stage->rank == stage->size - 1;
    base_fail_set_message("");
    status s = composite_begin(stage->executor, &request, test_provide(stage, &c), bounds,
                               STATUS_OK);
    bool right = s == STATUS_OK;
    test_draw(stage, &c);
    s = composite_finish(stage->executor, STATUS_OK, &result);
    right = right && s == STATUS_INTERNAL && strstr(base_fail_message(), "bounds");
    right =
        test_all_agree(stage, &c, right, "pixels outside of the bounds are noticed") &&
        test_is_exact(stage, &c);
    test_picture_destroy(&picture);
    return right;
}

static bool pixels_outside_the_bounds_are_noticed(void)
{
    return test_stage_on_all_nodes(pixels_outside_the_bounds_are_an_error);
}

int test_late(void)
{
    const test_entry entries[] = {
        {"a thousand random delays give the serial picture",
         a_thousand_random_delays_give_the_serial_picture},
        {"whoever is late the bits are the same", whoever_is_late_the_bits_are_the_same},
        {"a rank that stays late is gone around", a_rank_that_stays_late_is_gone_around},
        {"so is one of several on a node", so_is_one_of_several_on_a_node},
        {"ranks that were slow twice are late", ranks_that_were_slow_twice_are_late},
        {"a rank that stops for a while is awaited",
         a_rank_that_stops_for_a_while_is_awaited},
        {"a rank that fails to draw makes all fail alike",
         a_rank_that_fails_to_draw_makes_all_fail_alike},
        {"pixels outside the bounds are noticed", pixels_outside_the_bounds_are_noticed},
    };
    return test_run(entries, sizeof entries / sizeof entries[0]);
}
