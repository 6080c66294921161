/* Bytes that several ranks write into one room: pixels by who drew them alone, all others
 * by who owns the piece. */
#include "test_composite.h"

#include "base/parallel.h"
#include "composite/executor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- A rank that takes its time ---------------------------------------------------- */

/* composite_convert after a rest. */
static void convert_slowly(const void *context, int64_t count, const float *rgba,
                           unsigned char *bytes)
{
    const struct timespec rest = {.tv_nsec = 1000000};
    const composite_format *format = context;
    nanosleep(&rest, NULL);
    format->convert(format->context, count, rgba, bytes);
}

/* Whether this rank's pieces lie in the room. At once: what is not there yet is wrong. */
static bool has_its_pieces(const test_stage *stage, const test_case *c,
                           const composite_result *result)
{
    const unsigned char *room = composite_executor_room(stage->executor);
    bool right = room != NULL;
    for (int i = 0; i < result->npieces && right; i++) {
        right = test_same_bytes(c, room, result->pieces[i].pix0, result->pieces[i].npix);
    }
    return right;
}

static bool composite_with_a_slow_rank(test_stage *stage, const test_case *c, int slow)
{
    const composite_format quick = test_format(c->bytes_per_pixel);
    composite_request request = test_request(c);
    composite_result result;
    image *img = test_draw(stage, c);
    if (stage->rank == slow) {
        request.format.convert = convert_slowly;
        request.format.context = &quick;
    }
    test_spoil_room(stage);
    const status s =
        composite_execute(stage->executor, &request, img, STATUS_OK, &result);
    const bool right = s == STATUS_OK && has_its_pieces(stage, c, &result);
    return test_all_agree(stage, c, right, "a piece, beside a slow rank");
}

/* Of pictures with fewer pixels than there are ranks, some own nothing: then nobody waits
 * for them to merge. */
static bool nobody_returns_before_all_have_written(void)
{
    enum { SEEDS = 80 };
    static const int sizes[][2] = {{48, 16}, {1, 1}, {2, 1}, {1, 3}};
    bool right = true;
    test_stage stage;
    test_stage_open(&stage, 0);
    for (uint32_t n = 0; n < SEEDS && right; n++) {
        const int *size = sizes[n * 4 / SEEDS];
        const test_frame frame = {.width = size[0],
                                  .height = size[1],
                                  .with_depth = n / 10 % 2 == 1,
                                  .percent = 90,
                                  .seed = 2000 + n,
                                  .order = 2000 + n};
        test_picture picture = test_picture_create(&frame);
        const test_case c = {.picture = &picture,
                             .algorithm = composite_algorithm_find("direct-send"),
                             .target = COMPOSITE_BYTES,
                             .bytes_per_pixel = 1 + (int)(n % 4),
                             .memory = TEST_OWN};
        test_stage_set(&stage, n % 5 == 0 ? 100 : COMPOSITE_SEGMENT, 1 + (int)(n % 2));
        right = composite_with_a_slow_rank(&stage, &c, (int)n % stage.size);
        test_picture_destroy(&picture);
    }
    test_stage_close(&stage);
    return right;
}

/* ---- Images that show nothing together --------------------------------------------- */

/* Draws rows of rank r: two, or one more, where the next rank draws, too. */
static void draw_rows(image *img, int r, int height)
{
    image_clear(img);
    img->active = (pixel_rect){0, 2 * r, img->width, 2 * r + height};
    for (int64_t i = (int64_t)2 * r * img->width;
         i < (int64_t)(2 * r + height) * img->width; i++) {
        img->rgba[4 * i + r % 3] = 0.25f;
        img->rgba[4 * i + 3] = 0.5f;
    }
}

/* Bytes that all ranks together read of each other's images. Collective. */
static int64_t count_shared(test_stage *stage, const composite_request *request,
                            image *img, int height)
{
    composite_result result;
    draw_rows(img, stage->rank, height);
    int64_t shared = -1, all;
    if (composite_execute(stage->executor, request, img, STATUS_OK, &result) ==
        STATUS_OK) {
        shared = result.counters.bytes_shared;
    }
    parallel_allreduce(&shared, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

/* Who owns a piece reads others' pixels where they are merged, and nowhere else. */
static bool what_one_rank_shows_nobody_reads(void)
{
    enum { SIDE = 40 };
    test_stage stage;
    image *img = NULL;
    int order[TEST_MOST_RANKS];
    test_stage_open(&stage, 0);
    const int rows = 2 * stage.size + 1;
    if (composite_executor_image(stage.executor, SIDE, rows, false, &img) != STATUS_OK) {
        fprintf(stderr, "%s\n", base_fail_message());
        abort();
    }
    for (int i = 0; i < stage.size; i++) {
        order[i] = stage.size - 1 - i;
    }
    const composite_request request = {.algorithm =
                                           composite_algorithm_find("direct-send"),
                                       .order = order,
                                       .target = COMPOSITE_BYTES,
                                       .format = test_format(3)};
    const int64_t apart = count_shared(&stage, &request, img, 2);
    const int64_t together = count_shared(&stage, &request, img, 3);
    const int64_t row = (int64_t)SIDE * 4 * (int64_t)sizeof(float);
    const bool right = apart == 0 && together >= (stage.size - 1) * row &&
                       together <= 2 * (stage.size - 1) * row;
    if (!right && stage.rank == 0) {
        fprintf(stderr, "bytes read: %lld apart, %lld together\n", (long long)apart,
                (long long)together);
    }
    test_stage_close(&stage);
    return right;
}

/* ---- Many frames ------------------------------------------------------------------- */

/* Some ranks begin with a frame while others still end the one before, and every frame
 * shows other pixels. */
static bool direct_frames_follow_each_other_without_a_pause(void)
{
    enum { PICTURES = 5, FRAMES = 400 };
    static const int percents[PICTURES] = {4, 70, 10, 25, 6};
    test_picture pictures[PICTURES];
    test_stage stage;
    bool right = true;
    test_stage_open(&stage, 0);
    for (uint32_t n = 0; n < PICTURES; n++) {
        const test_frame frame = {.width = 19,
                                  .height = 11,
                                  .percent = percents[n],
                                  .seed = 2100 + n,
                                  .order = 2100 + n % 2};
        pictures[n] = test_picture_create(&frame);
    }
    test_case c = {.algorithm = composite_algorithm_find("direct-send"),
                   .bytes_per_pixel = 3,
                   .memory = TEST_OWN};
    for (int i = 0; i < FRAMES; i++) {
        /* Long enough alike that ranks know what to expect. */
        c.picture = &pictures[i / 8 % PICTURES];
        c.target = i % 7 == 0 ? COMPOSITE_PIECES : COMPOSITE_BYTES;
        const composite_request request = test_request(&c);
        composite_result result;
        image *img = test_draw(&stage, &c);
        right = composite_execute(stage.executor, &request, img, STATUS_OK, &result) ==
                    STATUS_OK &&
                right;
        right = right &&
                (c.target == COMPOSITE_PIECES || has_its_pieces(&stage, &c, &result));
        if (i % 5 < 4 || stage.rank % 2 == 0) {
            composite_executor_release(stage.executor);
        }
        if (i % 2 == 0) {
            MPI_Barrier(MPI_COMM_WORLD);
        }
    }
    right = test_all_agree(&stage, &c, right, "a frame among many");
    for (int n = 0; n < PICTURES; n++) {
        test_picture_destroy(&pictures[n]);
    }
    test_stage_close(&stage);
    return right;
}

/* ---- Bytes that are written early -------------------------------------------------- */

/* composite_convert that counts pixels. */
typedef struct counting {
    composite_format format;
    int64_t *count;
} counting;

static void convert_and_count(const void *context, int64_t count, const float *rgba,
                              unsigned char *bytes)
{
    const counting *c = context;
    *c->count += count;
    c->format.convert(c->format.context, count, rgba, bytes);
}

/* Draws two rows of its own and one that all draw; or, in a crowd, three that all do. */
static void draw_own_and_common(image *img, int r, bool is_crowd)
{
    const int common = img->height - 1;
    image_clear(img);
    img->active = (pixel_rect){0, 0, img->width, img->height};
    for (int n = 0; n < 3; n++) {
        const int row = n == 0 ? common : is_crowd ? n : 2 * r + n - 1;
        for (int64_t x = 0; x < img->width; x++) {
            float *rgba = img->rgba + 4 * image_at(img, (int)x, row);
            rgba[r % 3] = 0.25f;
            rgba[3] = 0.5f;
        }
    }
}

/* Pixels that all ranks together convert for a frame. Collective. */
static int64_t count_converted(test_stage *stage, composite_request request, image *img,
                               bool is_crowd)
{
    composite_result result;
    int64_t mine = 0, all = 0;
    const counting counts = {test_format(3), &mine};
    request.format.convert = convert_and_count;
    request.format.context = &counts;
    draw_own_and_common(img, stage->rank, is_crowd);
    if (composite_execute(stage->executor, &request, img, STATUS_OK, &result) !=
        STATUS_OK) {
        abort();
    }
    parallel_allreduce(&mine, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

/* What each rank shows is converted once: by itself at once, where most of it is its
 * alone and nobody needs the last picture, and the common row again by who merges it. */
static bool bytes_are_written_early_where_nobody_needs_them(void)
{
    enum { SIDE = 24, FRAMES = 8 };
    test_stage stage;
    image *img = NULL;
    int order[TEST_MOST_RANKS];
    int64_t counts[FRAMES];
    test_stage_open(&stage, 0);
    if (composite_executor_image(stage.executor, SIDE, 2 * stage.size + 1, false, &img) !=
        STATUS_OK) {
        abort();
    }
    for (int i = 0; i < stage.size; i++) {
        order[i] = i;
    }
    const composite_request request = {.algorithm =
                                           composite_algorithm_find("direct-send"),
                                       .order = order,
                                       .target = COMPOSITE_BYTES,
                                       .format = test_format(3)};
    for (int i = 0; i < FRAMES; i++) {
        counts[i] = count_converted(&stage, request, img, i > 4);
        if (i != 3 || stage.rank != stage.size - 1) { /* one needs picture 3 longer */
            composite_executor_release(stage.executor);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    const int64_t late = counts[0], early = late + (int64_t)stage.size * SIDE;
    const bool is_many = stage.size > 1;
    const bool right = counts[2] == (is_many ? early : late) && counts[3] == counts[2] &&
                       counts[4] == late && (!is_many || counts[7] < early);
    if (!right && stage.rank == 0) {
        fprintf(stderr,
                "pixels converted: %lld, then %lld %lld %lld, %lld, crowded %lld\n",
                (long long)late, (long long)counts[1], (long long)counts[2],
                (long long)counts[3], (long long)counts[4], (long long)counts[7]);
    }
    test_stage_close(&stage);
    return right;
}

/* ---- Narrow images ----------------------------------------------------------------- */

/* Some ranks bring the executor's image, narrow, and others one of their own: then all
 * that is merged travels as messages, which read whole images. */
static bool a_narrow_image_that_has_to_be_sent_is_refused(void)
{
    const test_frame frame = {
        .width = 16, .height = 12, .percent = 50, .seed = 2200, .order = 2200};
    test_stage stage;
    composite_result result;
    test_stage_open(&stage, 0);
    test_picture picture = test_picture_create(&frame);
    const test_case c = {.picture = &picture,
                         .algorithm = composite_algorithm_find("direct-send"),
                         .target = COMPOSITE_BYTES,
                         .bytes_per_pixel = 3,
                         .memory = TEST_MIXED};
    const composite_request request = test_request(&c);
    image *img = test_draw(&stage, &c);
    image_clear(img);
    img->may_narrow = stage.size > 1 && img == stage.own;
    image_narrow(img, (pixel_rect){1, 1, 8, 6});
    base_fail_set_message("");
    const status s = composite_execute(stage.executor, &request, img, STATUS_OK, &result);
    const bool right =
        stage.size == 1 ? s == STATUS_OK
                        : s == STATUS_INTERNAL && strstr(base_fail_message(), "narrow");
    const bool all =
        test_all_agree(&stage, &c, right, "expected that a narrow image is refused") &&
        test_is_exact(&stage, &c);
    test_picture_destroy(&picture);
    test_stage_close(&stage);
    return all;
}

int test_lone(void)
{
    const test_entry entries[] = {
        {"nobody returns before all have written",
         nobody_returns_before_all_have_written},
        {"what one rank shows nobody reads", what_one_rank_shows_nobody_reads},
        {"direct frames follow each other without a pause",
         direct_frames_follow_each_other_without_a_pause},
        {"bytes are written early where nobody needs them",
         bytes_are_written_early_where_nobody_needs_them},
        {"a narrow image that has to be sent is refused",
         a_narrow_image_that_has_to_be_sent_is_refused},
    };
    return test_run(entries, sizeof entries / sizeof entries[0]);
}
