/* Bytes that several ranks write into one room: pixels by who drew them alone, all others
 * by who owns the piece. */
#include "test_composite.h"

#include "base/parallel/parallel.h"
#include "composite/run/executor.h"

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

/* ---- Images of a size -------------------------------------------------------------- */

static image *open_image(const test_stage *stage, int width, int height)
{
    image *img = NULL;
    if (composite_executor_image(stage->executor, width, height, false, &img) !=
        STATUS_OK) {
        fprintf(stderr, "%s\n", base_fail_message());
        abort();
    }
    return img;
}

/* Bytes of images that come rank after rank. order: [ranks] */
static composite_request ask_for_bytes(const test_stage *stage, int *order)
{
    for (int i = 0; i < stage->size; i++) {
        order[i] = i;
    }
    return (composite_request){.algorithm = composite_algorithm_find("direct-send"),
                               .order = order,
                               .target = COMPOSITE_BYTES,
                               .format = test_format(3)};
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
    int order[TEST_MOST_RANKS];
    test_stage_open(&stage, 0);
    const int rows = 2 * stage.size + 1;
    image *img = open_image(&stage, SIDE, rows);
    const composite_request request = ask_for_bytes(&stage, order);
    for (int i = 0; i < stage.size; i++) {
        order[i] = stage.size - 1 - i;
    }
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
    int order[TEST_MOST_RANKS];
    int64_t counts[FRAMES];
    test_stage_open(&stage, 0);
    image *img = open_image(&stage, SIDE, 2 * stage.size + 1);
    const composite_request request = ask_for_bytes(&stage, order);
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

/* ---- A background that stays ------------------------------------------------------- */

enum { FIELD_WIDTH = 61, FIELD_HEIGHT = 37 };

/* composite_convert, but all bytes are other ones: those of the background are zero. */
static void convert_otherwise(const void *context, int64_t count, const float *rgba,
                              unsigned char *bytes)
{
    static const float transparent[4];
    const composite_format *format = context;
    const int size = format->bytes_per_pixel;
    unsigned char background[COMPOSITE_MOST_BYTES];
    format->convert(format->context, 1, transparent, background);
    format->convert(format->context, count, rgba, bytes);
    for (int64_t i = 0; i < count * size; i++) {
        bytes[i] = (unsigned char)(bytes[i] - background[i % size]);
    }
}

/* What happens in a frame, alike on all ranks. */
typedef struct field_frame {
    uint32_t shapes;      /* the same number: the same pixels */
    bool is_opaque;       /* all that is shown */
    bool is_wide;         /* the active rectangle: all of the picture */
    bool is_other_format; /* of as many bytes */
    int bytes_per_pixel;
    bool is_merged_apart; /* by another algorithm */
    bool goes_elsewhere;  /* to a target that is not bytes */
    bool is_backward;     /* the order of ranks */
    int failing;          /* this rank fails; -1: none */
    int spoiling;         /* this one writes into the picture afterwards */
} field_frame;

static uint32_t shuffle(uint32_t n)
{
    n = (n ^ n >> 16) * 0x45d9f3bu;
    n = (n ^ n >> 16) * 0x45d9f3bu;
    return n ^ n >> 16;
}

/* Many frames have nothing but other shapes than those before, or not even these. */
static field_frame choose_frame(int number, int ranks)
{
    const uint32_t n = (uint32_t)number, chance = shuffle(n);
    const uint32_t period = shuffle(n / 9 + 77);
    return (field_frame){.shapes = n / 2,
                         .is_opaque = n / 16 % 2 == 1,
                         .is_wide = n / 24 % 2 == 1,
                         .is_other_format = period % 3 > 0,
                         .bytes_per_pixel = period % 2 == 0 ? 4 : 3,
                         .is_backward = period % 7 == 0,
                         .is_merged_apart = chance % 13 == 0,
                         .goes_elsewhere = chance % 17 == 0,
                         .failing = chance % 19 == 0 ? (int)(chance / 19) % ranks : -1,
                         .spoiling = chance % 11 == 0 ? (int)(chance / 11) % ranks : -1};
}

/* The rectangle that a rank shows: narrow ones, side by side, that meet now and then, and
 * mostly move up and down. */
static pixel_rect shape_of(const field_frame *frame, int rank, int ranks)
{
    const uint32_t across = shuffle(frame->shapes / 12 * 97u + (uint32_t)rank);
    const uint32_t down = shuffle(frame->shapes * 89u + (uint32_t)rank);
    const int step = FIELD_WIDTH / ranks;
    const int x0 = rank * step + (int)(across % 4);
    const int x1 = x0 + step + (int)(across / 128 % 3) - 2;
    const int y0 = (int)(down % 24), y1 = y0 + (int)(down / 512 % 13);
    return (pixel_rect){x0, y0, x1 < FIELD_WIDTH ? x1 : FIELD_WIDTH, y1};
}

static bool lies_in(pixel_rect r, int x, int y)
{
    return x >= r.x0 && x < r.x1 && y >= r.y0 && y < r.y1;
}

static void colour_of(const field_frame *frame, int rank, float rgba[4])
{
    memset(rgba, 0, 4 * sizeof *rgba);
    rgba[rank % 3] = 0.25f;
    rgba[3] = frame->is_opaque ? 1.0f : 0.5f;
}

static void draw_shape(const field_frame *frame, const test_stage *stage, image *img)
{
    const pixel_rect r = shape_of(frame, stage->rank, stage->size);
    image_clear(img);
    img->active = frame->is_wide ? (pixel_rect){0, 0, img->width, img->height} : r;
    for (int y = r.y0; y < r.y1; y++) {
        for (int x = r.x0; x < r.x1; x++) {
            colour_of(frame, stage->rank, img->rgba + 4 * image_at(img, x, y));
        }
    }
}

/* What all show of a pixel; exact, as all values are sums of few powers of two. */
static void blend_shapes(const field_frame *frame, const int *order, int ranks, int x,
                         int y, float rgba[4])
{
    memset(rgba, 0, 4 * sizeof *rgba);
    for (int i = 0; i < ranks; i++) {
        float behind[4];
        const float through = 1.0f - rgba[3];
        colour_of(frame, order[i], behind);
        for (int c = 0; c < 4 && lies_in(shape_of(frame, order[i], ranks), x, y); c++) {
            rgba[c] += through * behind[c];
        }
    }
}

static bool field_is_right(const test_stage *stage, const field_frame *frame,
                           const composite_request *request,
                           const composite_result *result)
{
    const unsigned char *room = composite_executor_room(stage->executor);
    const int size = request->format.bytes_per_pixel;
    bool right = room != NULL;
    for (int i = 0; i < result->npieces && right; i++) {
        const int64_t end = result->pieces[i].pix0 + result->pieces[i].npix;
        for (int64_t p = result->pieces[i].pix0; p < end && right; p++) {
            float rgba[4];
            unsigned char expected[COMPOSITE_MOST_BYTES];
            blend_shapes(frame, request->order, stage->size, (int)(p % FIELD_WIDTH),
                         (int)(p / FIELD_WIDTH), rgba);
            request->format.convert(request->format.context, 1, rgba, expected);
            right = memcmp(expected, room + p * size, (size_t)size) == 0;
        }
    }
    return right;
}

/* Writes into a piece of its own, as one who draws over a picture does. */
static void spoil(const test_stage *stage, const composite_result *result, int size)
{
    unsigned char *room = composite_executor_room(stage->executor);
    for (int i = 0; i < result->npieces; i++) {
        memset(room + result->pieces[i].pix0 * size, 0xa5,
               (size_t)(result->pieces[i].npix * size));
    }
}

static bool play_frame(test_stage *stage, const field_frame *frame, image *img)
{
    int order[TEST_MOST_RANKS];
    const composite_format usual = test_format(frame->bytes_per_pixel);
    composite_request request = {
        .algorithm =
            composite_algorithm_find(frame->is_merged_apart ? "radix-k" : "direct-send"),
        .order = order,
        .target = frame->goes_elsewhere ? COMPOSITE_PIECES : COMPOSITE_BYTES,
        .format = usual};
    if (frame->is_other_format) {
        request.format.convert = convert_otherwise;
        request.format.context = &usual;
    }
    for (int i = 0; i < stage->size; i++) {
        order[i] = frame->is_backward ? stage->size - 1 - i : i;
    }
    draw_shape(frame, stage, img);
    const bool fails = frame->failing >= 0;
    const status mine = frame->failing == stage->rank
                            ? base_fail(STATUS_USAGE, "this frame is to fail")
                            : STATUS_OK;
    composite_result result;
    const status s = composite_execute(stage->executor, &request, img, mine, &result);
    bool right = (s != STATUS_OK) == fails;
    if (s == STATUS_OK && request.target == COMPOSITE_BYTES) {
        right = right && field_is_right(stage, frame, &request, &result);
        if (frame->spoiling == stage->rank) {
            spoil(stage, &result, request.format.bytes_per_pixel);
        }
    }
    if (frame->spoiling != stage->rank) {
        composite_executor_release(stage->executor);
    }
    return right;
}

/* Whatever came before: other threads, pieces in segments, and an image anew, too. */
static bool background_is_right_whatever_came_before(void)
{
    enum { FRAMES = 600 };
    test_stage stage;
    bool right = true;
    test_stage_open(&stage, 0);
    image *img = open_image(&stage, FIELD_WIDTH, FIELD_HEIGHT);
    for (int n = 0; n < FRAMES && right; n++) {
        const field_frame frame = choose_frame(n, stage.size);
        if (n % 40 == 0) {
            test_stage_set(&stage, n % 120 == 80 ? 100 : COMPOSITE_SEGMENT,
                           1 + n / 40 % 3);
        }
        if (n % 90 == 45) {
            open_image(&stage, 7, 5);
            img = open_image(&stage, FIELD_WIDTH, FIELD_HEIGHT);
        }
        const int mine = play_frame(&stage, &frame, img);
        int all;
        parallel_allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
        right = all;
        if (!right && stage.rank == 0) {
            fprintf(stderr, "frame %d is wrong\n", n);
        }
    }
    test_stage_close(&stage);
    return right;
}

/* Where all release pictures, it stays, even if it is not what it should be. */
static bool a_background_that_is_there_is_left(void)
{
    enum { FRAMES = 6 };
    test_stage stage;
    int order[TEST_MOST_RANKS];
    int bytes[FRAMES];
    test_stage_open(&stage, 0);
    image *img = open_image(&stage, FIELD_WIDTH, FIELD_HEIGHT);
    const composite_request request = ask_for_bytes(&stage, order);
    for (int i = 0; i < FRAMES; i++) {
        composite_result result;
        const field_frame frame = {.shapes = 5, .bytes_per_pixel = 3};
        unsigned char *last =
            composite_executor_room(stage.executor) + 3 * FIELD_WIDTH * FIELD_HEIGHT - 1;
        draw_shape(&frame, &stage, img);
        if (i > 0 && stage.rank == 0) {
            *last = (unsigned char)i;
        }
        MPI_Barrier(MPI_COMM_WORLD);
        if (composite_execute(stage.executor, &request, img, STATUS_OK, &result) !=
            STATUS_OK) {
            abort();
        }
        MPI_Barrier(MPI_COMM_WORLD);
        bytes[i] = *last;
        MPI_Barrier(MPI_COMM_WORLD);
        if (i < FRAMES - 2 || stage.rank > 0) { /* but not before the last one */
            composite_executor_release(stage.executor);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    const bool is_left = bytes[3] == 3 && bytes[4] == 4;
    const bool right = is_left == (stage.size > 1) && bytes[5] == bytes[0];
    if (!right && stage.rank == 0) {
        fprintf(stderr, "the last byte was %d, and then %d, %d; at last %d\n", bytes[0],
                bytes[3], bytes[4], bytes[5]);
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
        {"the background is right whatever came before",
         background_is_right_whatever_came_before},
        {"a background that is there is left", a_background_that_is_there_is_left},
        {"a narrow image that has to be sent is refused",
         a_narrow_image_that_has_to_be_sent_is_refused},
    };
    return test_run(entries, sizeof entries / sizeof entries[0]);
}
