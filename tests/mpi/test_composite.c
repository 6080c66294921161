/* The executor against the serial blend, bit for bit. */
#include "test_composite.h"

#include "base/parallel.h"
#include "composite/executor.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One executor and its ranks. */
typedef struct fixture {
    composite_executor *executor;
    int rank, size;
    int *order; /* [size] */
} fixture;

static const composite_params no_params;

static void *allocate(size_t bytes)
{
    void *memory = calloc(bytes ? bytes : 1, 1);
    if (!memory) {
        fprintf(stderr, "out of memory\n");
        abort();
    }
    return memory;
}

static uint32_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* The bytes of this rank's pieces one after the other: colour and alpha, or depth. */
static float *copy_pieces(const float *plane, int words, const composite_piece *pieces,
                          int npieces)
{
    int64_t pixels = 0;
    for (int i = 0; i < npieces; i++) {
        pixels += pieces[i].npix;
    }
    float *part = allocate((size_t)(pixels * words) * sizeof *part);
    float *end = part;
    for (int i = 0; i < npieces; i++) {
        memcpy(end, plane + pieces[i].pix0 * words,
               (size_t)(pieces[i].npix * words) * sizeof *end);
        end += pieces[i].npix * words;
    }
    return part;
}

/* Gathers one plane and compares it on rank 0. */
static bool gathers_to(fixture *f, const image *img, const float *plane, int words,
                       const composite_piece *pieces, int npieces, const float *expected)
{
    composite_counters counters = {0};
    size_t bytes = (size_t)(image_pixel_count(img) * words) * sizeof(float);
    float *part = copy_pieces(plane, words, pieces, npieces);
    float *whole = f->rank == 0 ? allocate(bytes) : NULL;
    status s =
        composite_gather(f->executor, words * (int)sizeof(float), part, whole, &counters);
    bool same = s == STATUS_OK && (f->rank != 0 || memcmp(whole, expected, bytes) == 0);
    for (size_t i = 0; !same && f->rank == 0 && i < bytes / sizeof(float); i++) {
        if (float_bits(whole[i]) != float_bits(expected[i])) {
            fprintf(stderr, "value %zu: expected %g, actual %g\n", i, (double)expected[i],
                    (double)whole[i]);
            break;
        }
    }
    free(part);
    free(whole);
    return same;
}

/* Composites a frame by one algorithm; whether the gathered picture is the serial one. */
static bool frame_is_exact(fixture *f, const composite_algorithm *algorithm,
                           const test_frame *frame)
{
    test_order(frame, f->size, f->order);
    image *img = test_image_create(frame, f->rank);
    image *expected = test_blend_serially(frame, f->size, f->order);
    const composite_piece *pieces = NULL;
    int npieces = 0;
    composite_counters counters = {0};
    status s = composite_execute(f->executor, algorithm, &no_params, frame->op, f->order,
                                 img, STATUS_OK, &pieces, &npieces, &counters);
    bool right = test_all_agree(s == STATUS_OK, base_fail_message(), frame);
    if (right) {
        bool same = gathers_to(f, img, img->rgba, 4, pieces, npieces, expected->rgba);
        if (frame->with_depth) {
            same = gathers_to(f, img, img->depth, 1, pieces, npieces, expected->depth) &&
                   same;
        }
        right = test_all_agree(same, "colours or depths are not the serial ones", frame);
    }
    image_destroy(&img);
    image_destroy(&expected);
    return right;
}

static bool every_algorithm_is_exact(fixture *f, test_frame frame)
{
    const composite_algorithm *algorithm;
    bool right = true;
    for (int n = 0; (algorithm = composite_algorithm_at(n)) && right; n++) {
        right = frame_is_exact(f, algorithm, &frame);
        if (!right && f->rank == 0) {
            fprintf(stderr, "algorithm %s\n", algorithm->name);
        }
    }
    return right;
}

static const int sizes[][2] = {{1, 1}, {1, 7}, {7, 1}, {13, 11}, {640, 3}, {257, 129}};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

static bool over_images_of_this_density(fixture *f, int percent, uint32_t seed)
{
    bool right = true;
    for (int i = 0; i < SIZES && right; i++) {
        test_frame frame = {sizes[i][0], sizes[i][1],    false,
                            percent,     COMPOSITE_OVER, seed};
        right = every_algorithm_is_exact(f, frame);
        frame.with_depth = true;
        right = right && every_algorithm_is_exact(f, frame);
    }
    return right;
}

static bool dense_images_blend_to_the_bits_of_the_serial_picture(fixture *f)
{
    return over_images_of_this_density(f, 100, 1);
}

static bool sparse_images_blend_to_the_bits_of_the_serial_picture(fixture *f)
{
    return over_images_of_this_density(f, 40, 2) && over_images_of_this_density(f, 3, 3);
}

static bool transparent_images_stay_transparent(fixture *f)
{
    return over_images_of_this_density(f, 0, 4);
}

static bool the_nearest_pixel_is_that_of_the_serial_picture(fixture *f)
{
    bool right = true;
    for (int i = 0; i < SIZES && right; i++) {
        for (int percent = 30; percent <= 100 && right; percent += 70) {
            test_frame frame = {sizes[i][0], sizes[i][1],       true,
                                percent,     COMPOSITE_NEAREST, 5};
            right = every_algorithm_is_exact(f, frame);
        }
    }
    return right;
}

static bool any_order_and_size_works_again_and_again(fixture *f)
{
    bool right = true;
    for (uint32_t seed = 10; seed < 25 && right; seed++) {
        uint32_t random = seed;
        test_frame frame = {.seed = seed};
        frame.width = 1 + (int)(test_random(&random) % 60);
        frame.height = 1 + (int)(test_random(&random) % 60);
        frame.percent = (int)(test_random(&random) % 101);
        frame.with_depth = test_random(&random) % 2 == 1;
        right = every_algorithm_is_exact(f, frame);
    }
    return right;
}

/* Many parts a message, and a ring of slots that is smaller than a round. */
static bool messages_of_many_small_parts_give_the_same_bits(fixture *f)
{
    bool right = true;
    for (int segment = 1; segment <= 200 && right; segment = segment * 3 + 1) {
        composite_executor_limit_messages(f->executor, segment, 16 * segment + 3);
        for (int percent = 20; percent <= 100 && right; percent += 80) {
            test_frame frame = {37, 23, true, percent, COMPOSITE_OVER, (uint32_t)segment};
            right = every_algorithm_is_exact(f, frame);
        }
    }
    composite_executor_limit_messages(f->executor, COMPOSITE_SEGMENT, COMPOSITE_CHUNK);
    return right;
}

/* Everything goes to the last position, which gives the first half back to the first one.
 */
static int give_and_return(const composite_problem *problem,
                           const composite_params *params, int position,
                           composite_visit *visit, void *context)
{
    (void)params;
    const int last = problem->size - 1;
    int ended = 0;
    for (int src = 0; src < last && !ended; src++) {
        if (src == position || last == position) {
            composite_op op = {0, src, last, src, src + 1, 0, problem->pixels};
            ended = visit(&op, context);
        }
    }
    composite_op back = {1, last, 0, 0, problem->size, 0, problem->pixels / 2};
    bool mine = position == 0 || position == last;
    return !ended && mine && last > 0 && back.npix > 0 ? visit(&back, context) : ended;
}

static status accept_params(const composite_problem *problem,
                            const composite_params *params)
{
    (void)problem;
    (void)params;
    return STATUS_OK;
}

static bool pixels_that_come_back_replace_what_was_there(fixture *f)
{
    const composite_algorithm boomerang = {"boomerang", "pixels come back", "this test",
                                           accept_params, give_and_return};
    bool right = true;
    for (uint32_t seed = 50; seed < 60 && right; seed++) {
        test_frame frame = {31,  17, seed % 2 == 1, seed % 3 ? 50 : 100, COMPOSITE_OVER,
                            seed};
        right = frame_is_exact(f, &boomerang, &frame);
    }
    return right;
}

/* Values that do round: no reference, but the same bits in every run. */
static bool rounded_pictures_are_the_same_bits_in_every_run(fixture *f)
{
    test_frame frame = {257, 65, false, 60, COMPOSITE_OVER, 77};
    image *first = NULL;
    bool right = true;
    test_order(&frame, f->size, f->order);
    for (int run = 0; run < 6 && right; run++) {
        image *img = test_image_create(&frame, f->rank);
        for (int64_t i = 0; i < 4 * image_pixel_count(img); i++) {
            img->rgba[i] *= 0.7131f;
        }
        const composite_piece *pieces;
        int npieces;
        composite_counters counters = {0};
        status s = composite_execute(f->executor, composite_algorithm_find("direct-send"),
                                     &no_params, frame.op, f->order, img, STATUS_OK,
                                     &pieces, &npieces, &counters);
        right = test_all_agree(s == STATUS_OK, base_fail_message(), &frame);
        for (int i = 0; first && i < npieces && right; i++) {
            right =
                memcmp(img->rgba + 4 * pieces[i].pix0, first->rgba + 4 * pieces[i].pix0,
                       (size_t)pieces[i].npix * 16) == 0;
        }
        right = test_all_agree(right, "bits differ from those of the first run", &frame);
        image *done = first ? img : NULL;
        first = first ? first : img;
        image_destroy(&done);
    }
    image_destroy(&first);
    return right;
}

/* After a frame, image_clear leaves nothing behind for the next one. */
static bool an_image_can_be_cleared_and_used_again(fixture *f)
{
    test_frame frame = {64, 33, true, 40, COMPOSITE_OVER, 88};
    const composite_algorithm *algorithm;
    bool right = true;
    test_order(&frame, f->size, f->order);
    for (int n = 0; (algorithm = composite_algorithm_at(n)) && right; n++) {
        image *img = test_image_create(&frame, f->rank);
        const composite_piece *pieces;
        int npieces;
        composite_counters counters = {0};
        status s =
            composite_execute(f->executor, algorithm, &no_params, frame.op, f->order, img,
                              STATUS_OK, &pieces, &npieces, &counters);
        image_clear(img);
        bool clear = s == STATUS_OK;
        for (int64_t i = 0; i < image_pixel_count(img); i++) {
            clear = clear && img->rgba[4 * i + 3] == 0.0f && img->depth[i] == INFINITY;
        }
        right = test_all_agree(clear, "pixels are left after image_clear", &frame);
        image_destroy(&img);
    }
    return right;
}

static bool gathering_three_bytes_a_pixel_puts_each_in_its_place(fixture *f)
{
    test_frame frame = {53, 31, false, 100, COMPOSITE_OVER, 99};
    const composite_algorithm *algorithm;
    const int64_t pixels = (int64_t)frame.width * frame.height;
    bool right = true;
    test_order(&frame, f->size, f->order);
    for (int n = 0; (algorithm = composite_algorithm_at(n)) && right; n++) {
        image *img = test_image_create(&frame, f->rank);
        const composite_piece *pieces = NULL;
        int npieces = 0;
        composite_counters counters = {0};
        status s =
            composite_execute(f->executor, algorithm, &no_params, frame.op, f->order, img,
                              STATUS_OK, &pieces, &npieces, &counters);
        unsigned char *part = allocate((size_t)pixels * 3);
        unsigned char *whole = f->rank == 0 ? allocate((size_t)pixels * 3) : NULL;
        unsigned char *end = part;
        for (int i = 0; i < npieces; i++) {
            for (int64_t b = 3 * pieces[i].pix0;
                 b < 3 * (pieces[i].pix0 + pieces[i].npix); b++) {
                *end++ = (unsigned char)(b * 7 + b / 256);
            }
        }
        s = s == STATUS_OK ? composite_gather(f->executor, 3, part, whole, &counters) : s;
        right = s == STATUS_OK;
        for (int64_t b = 0; f->rank == 0 && b < 3 * pixels && right; b++) {
            right = whole[b] == (unsigned char)(b * 7 + b / 256);
        }
        right = test_all_agree(right, "a gathered byte is not in its place", &frame);
        free(part);
        free(whole);
        image_destroy(&img);
    }
    return right;
}

static bool counters_add_up_what_was_sent_and_blended(fixture *f)
{
    test_frame frame = {100, 60, false, 100, COMPOSITE_OVER, 111};
    test_order(&frame, f->size, f->order);
    image *img = test_image_create(&frame, f->rank);
    /* Dense: no pixel may be transparent. */
    for (int64_t i = 0; i < image_pixel_count(img); i++) {
        img->rgba[4 * i + 3] = 0.5f;
    }
    const composite_piece *pieces = NULL;
    int npieces = 0;
    composite_counters counters = {.messages_sent = 1000};
    status s = composite_execute(f->executor, composite_algorithm_find("direct-send"),
                                 &no_params, frame.op, f->order, img, STATUS_OK, &pieces,
                                 &npieces, &counters);
    int64_t mine = npieces == 1 ? pieces[0].npix : 0;
    bool right = s == STATUS_OK && counters.messages_sent == 1000 + f->size - 1 &&
                 counters.bytes_sent == 16 * (6000 - mine) &&
                 counters.pixels_blended == mine * (f->size - 1);
    image_destroy(&img);
    return test_all_agree(right, "messages, bytes or pixels are not those of direct-send",
                          &frame);
}

static bool sparse_images_send_few_bytes(fixture *f)
{
    test_frame frame = {512, 512, false, 0, COMPOSITE_OVER, 112};
    test_order(&frame, f->size, f->order);
    image *img = test_image_create(&frame, f->rank);
    const int64_t pixel = (int64_t)512 * (10 + f->rank) + 100;
    img->active = (pixel_rect){100, 10 + f->rank, 101, 11 + f->rank};
    img->rgba[4 * pixel + 3] = 1.0f;
    const composite_piece *pieces;
    int npieces;
    composite_counters counters = {0};
    status s = composite_execute(f->executor, composite_algorithm_find("binary-swap"),
                                 &no_params, frame.op, f->order, img, STATUS_OK, &pieces,
                                 &npieces, &counters);
    /* One run is 8 + 16 bytes; what others had before us may be on the way through here.
     */
    bool right = s == STATUS_OK && counters.bytes_sent <= (int64_t)24 * f->size;
    image_destroy(&img);
    return test_all_agree(right, "more bytes than one run a rank", &frame);
}

static const struct {
    const char *name;
    bool (*run)(fixture *f);
} tests[] = {
    {"dense images blend to the bits of the serial picture",
     dense_images_blend_to_the_bits_of_the_serial_picture},
    {"sparse images blend to the bits of the serial picture",
     sparse_images_blend_to_the_bits_of_the_serial_picture},
    {"transparent images stay transparent", transparent_images_stay_transparent},
    {"the nearest pixel is that of the serial picture",
     the_nearest_pixel_is_that_of_the_serial_picture},
    {"any order and size works again and again",
     any_order_and_size_works_again_and_again},
    {"messages of many small parts give the same bits",
     messages_of_many_small_parts_give_the_same_bits},
    {"pixels that come back replace what was there",
     pixels_that_come_back_replace_what_was_there},
    {"rounded pictures are the same bits in every run",
     rounded_pictures_are_the_same_bits_in_every_run},
    {"an image can be cleared and used again", an_image_can_be_cleared_and_used_again},
    {"gathering three bytes a pixel puts each in its place",
     gathering_three_bytes_a_pixel_puts_each_in_its_place},
    {"counters add up what was sent and blended",
     counters_add_up_what_was_sent_and_blended},
    {"sparse images send few bytes", sparse_images_send_few_bytes},
};

static int run_all(fixture *f)
{
    int failed = 0;
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        bool right = tests[i].run(f);
        failed += !right;
        if (f->rank == 0) {
            printf("%s: %s\n", right ? "ok" : "FAILED", tests[i].name);
        }
    }
    return failed;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    fixture f = {.rank = parallel_rank(MPI_COMM_WORLD),
                 .size = parallel_size(MPI_COMM_WORLD)};
    f.order = allocate((size_t)f.size * sizeof *f.order);
    int failed = 1;
    if (composite_executor_create(MPI_COMM_WORLD, &f.executor) == STATUS_OK) {
        failed = run_all(&f) + test_faults();
    }
    composite_executor_destroy(&f.executor);
    free(f.order);
    MPI_Finalize();
    return failed ? 1 : 0;
}
