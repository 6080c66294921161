/* One executor, many frames: after any history, each frame is the serial picture. */
#include "test_composite.h"

#include "base/parallel/parallel.h"
#include "composite/check.h"
#include "composite/run/executor.h"

#include <stdio.h>
#include <string.h>

/* ---- Anything after anything ------------------------------------------------------- */

/* Few sizes and orders, so that parameters repeat now and then. */
static test_frame random_frame(uint64_t *random)
{
    static const int sizes[][2] = {{23, 17}, {17, 23}, {1, 5}, {90, 60}, {64, 1}};
    const int size = random_below(random, 5);
    const int percents[] = {0, 5, 50, 100};
    test_frame frame = {.width = sizes[size][0],
                        .height = sizes[size][1],
                        .percent = percents[random_below(random, 4)],
                        .seed = random_word(random),
                        .order = (uint32_t)random_below(random, 3)};
    frame.with_depth = random_below(random, 2) == 1;
    if (frame.with_depth && random_below(random, 2) == 1) {
        frame.op = COMPOSITE_NEAREST;
    }
    return frame;
}

/* Among nodes with parameters that are right for any number of these. */
static void choose_algorithm(const test_stage *stage, uint64_t *random, test_case *c)
{
    c->algorithm = test_random_algorithm(random, stage->size, &c->params);
    c->by_nodes = random_below(random, 2) == 0;
    if (c->by_nodes) {
        c->params = (composite_params){0};
    }
    if (random_below(random, 8) == 0) {
        c->algorithm = NULL;
        c->params = (composite_params){0};
    }
}

/* The next step keeps most parameters of the last one, and changes some. */
static void change(test_stage *stage, uint64_t *random, test_frame *frame, test_case *c)
{
    static const int segments[] = {1, 4, 13, 40, 121, 1000, COMPOSITE_SEGMENT};
    if (random_below(random, 3) == 0) {
        *frame = random_frame(random);
    }
    frame->seed = random_word(random);
    if (!c->algorithm || random_below(random, 3) == 0) {
        choose_algorithm(stage, random, c);
    }
    if (random_below(random, 2) == 0) {
        c->target = (composite_target)random_below(random, 3);
        c->bytes_per_pixel = 1 + random_below(random, 4);
    }
    if (random_below(random, 2) == 0) {
        c->memory = (test_memory)random_below(random, 3);
    }
    if (random_below(random, 3) == 0) {
        c->encoding = (composite_encoding)random_below(random, COMPOSITE_ENCODINGS);
    }
    if (random_below(random, 5) == 0) {
        const bool is_large = frame->width * frame->height > 1000;
        const int segment = segments[random_below(random, 7)];
        test_stage_set(stage, is_large && segment < 40 ? 40 : segment,
                       1 + random_below(random, 3));
    }
}

static bool walk(test_stage *stage)
{
    uint64_t random = random_start(600, (uint64_t)stage->node_size);
    const int steps = stage->size > 4 ? 60 : 120;
    test_frame frame = random_frame(&random);
    test_case c = {.bytes_per_pixel = 3};
    bool right = true;
    for (int i = 0; i < steps && right; i++) {
        change(stage, &random, &frame, &c);
        if (frame.width * frame.height > 1000 && stage->segment < 40) {
            test_stage_set(stage, 40, stage->threads);
        }
        test_picture picture = test_picture_create(&frame);
        c.picture = &picture;
        right = test_is_exact(stage, &c);
        if (!right && stage->rank == 0) {
            fprintf(stderr, "  step %d\n", i);
        }
        test_picture_destroy(&picture);
    }
    return right;
}

static bool any_frame_may_follow_any_other(void)
{
    return test_stage_on_all_nodes(walk);
}

/* New images without any frame in between, and frames without a new image. */
static bool exchange_images(test_stage *stage)
{
    uint64_t random = random_start(700, (uint64_t)stage->node_size);
    test_case c = {.algorithm = composite_algorithm_find("radix-k"),
                   .bytes_per_pixel = 3,
                   .memory = TEST_OWN};
    bool right = true;
    for (int i = 0; i < 20 && right; i++) {
        const test_frame frame = random_frame(&random);
        for (int n = random_below(&random, 3); n > 0; n--) {
            const bool with_depth = random_below(&random, 2) == 1;
            right =
                composite_executor_image(stage->executor, 1 + random_below(&random, 50),
                                         1 + random_below(&random, 50), with_depth,
                                         &stage->own) == STATUS_OK &&
                right;
        }
        test_picture picture = test_picture_create(&frame);
        c.picture = &picture;
        c.target = (composite_target)(i % 3);
        for (int n = 0; n < 3 && right; n++) {
            right = test_is_exact(stage, &c);
        }
        test_picture_destroy(&picture);
    }
    return right;
}

static bool the_image_can_be_exchanged_again_and_again(void)
{
    return test_stage_on_all_nodes(exchange_images);
}

/* Frames in quick succession: some ranks start one while others still finish the one
 * before. */
static bool hurry(test_stage *stage)
{
    const test_frame frame = {
        .width = 19, .height = 11, .percent = 70, .seed = 750, .order = 750};
    test_picture picture = test_picture_create(&frame);
    test_case c = {.picture = &picture,
                   .algorithm = composite_algorithm_find("binary-swap"),
                   .bytes_per_pixel = 3,
                   .memory = TEST_OWN};
    bool right = true;
    for (int i = 0; i < 150; i++) {
        c.target = (composite_target)(i % 3);
        const composite_request request = test_request(&c);
        composite_result result;
        image *img = test_draw(stage, &c);
        right = composite_execute(stage->executor, &request, img, STATUS_OK, &result) ==
                    STATUS_OK &&
                right;
        if (c.target == COMPOSITE_FLOATS && stage->rank == 0) {
            right = right &&
                    test_same_pixels(picture.expected, img, 0, image_pixel_count(img));
        }
        for (int n = 0; c.target == COMPOSITE_PIECES && n < result.npieces; n++) {
            right =
                right && test_same_pixels(picture.expected, img, result.pieces[n].pix0,
                                          result.pieces[n].npix);
        }
    }
    right = test_all_agree(stage, &c, right, "a frame among many");
    test_picture_destroy(&picture);
    return right;
}

static bool frames_follow_each_other_without_a_pause(void)
{
    return test_stage_on_all_nodes(hurry);
}

/* ---- Parts and threads ------------------------------------------------------------- */

/* Many parts, and a ring of slots that is smaller than a round. */
static bool cut_up(test_stage *stage)
{
    static const int segments[] = {1, 4, 13, 40, 121};
    uint64_t random = random_start(800, (uint64_t)stage->node_size);
    bool right = true;
    for (int i = 0; i < 5 && right; i++) {
        test_frame frame = {.width = segments[i] < 13 ? 17 : 37,
                            .height = segments[i] < 13 ? 9 : 23,
                            .with_depth = i % 2 == 0,
                            .seed = 800 + (uint32_t)i,
                            .order = 800 + (uint32_t)i};
        for (int n = 0; n < 12 && right; n++) {
            frame.percent = n % 4 == 0 ? 100 : 25;
            frame.op =
                n % 3 == 0 && frame.with_depth ? COMPOSITE_NEAREST : COMPOSITE_OVER;
            test_picture picture = test_picture_create(&frame);
            test_case c = {.picture = &picture,
                           .target = (composite_target)(n % 3),
                           .bytes_per_pixel = 1 + random_below(&random, 4),
                           .memory = n % 2 ? TEST_OWN : TEST_ORDINARY};
            c.algorithm = test_random_algorithm(&random, stage->size, &c.params);
            test_stage_set(stage, segments[i], 1 + n % 3);
            right = test_is_exact(stage, &c);
            test_picture_destroy(&picture);
        }
    }
    return right;
}

static bool small_parts_and_threads_give_the_same_picture(void)
{
    return test_stage_on_all_nodes(cut_up);
}

/* ---- Odd schedules ----------------------------------------------------------------- */

/* Checked before they run: a fault would be one of this test. */
static bool odd_schedules_keep_to_the_contract(void)
{
    const composite_params params = {0};
    const composite_algorithm *algorithm;
    bool right = true;
    for (int n = 0; (algorithm = test_odd_at(n)) && right; n++) {
        for (int64_t pixels = 1; pixels < 2000 && right; pixels = pixels * 3 + 1) {
            const composite_problem problem = {.size = parallel_size(MPI_COMM_WORLD),
                                               .pixels = pixels};
            right =
                composite_schedule_check(algorithm, &problem, &params, NULL) == STATUS_OK;
        }
        if (!right) {
            fprintf(stderr, "%s\n", base_fail_message());
        }
    }
    return right;
}

static bool run_odd(test_stage *stage)
{
    static const int segments[] = {COMPOSITE_SEGMENT, 50, 7};
    bool right = true;
    for (uint32_t seed = 900; seed < 903 && right; seed++) {
        const test_frame frame = {.width = 31,
                                  .height = 17,
                                  .with_depth = seed % 2 == 1,
                                  .percent = seed % 3 ? 50 : 100,
                                  .op = seed == 901 ? COMPOSITE_NEAREST : COMPOSITE_OVER,
                                  .seed = seed,
                                  .order = seed};
        test_picture picture = test_picture_create(&frame);
        test_case c = {.picture = &picture, .bytes_per_pixel = 3};
        test_stage_set(stage, segments[seed - 900], 1 + (int)(seed % 2));
        for (int n = 0; (c.algorithm = test_odd_at(n)) && right; n++) {
            for (int i = 0; i < 9 && right; i++) {
                c.target = (composite_target)(i % 3);
                c.memory = (test_memory)(i / 3);
                right = test_is_exact(stage, &c);
            }
        }
        test_picture_destroy(&picture);
    }
    return right;
}

static bool odd_schedules_give_the_serial_picture(void)
{
    return test_stage_on_all_nodes(run_odd);
}

int test_walks(void)
{
    const test_entry entries[] = {
        {"odd schedules keep to the contract", odd_schedules_keep_to_the_contract},
        {"odd schedules give the serial picture", odd_schedules_give_the_serial_picture},
        {"small parts and threads give the same picture",
         small_parts_and_threads_give_the_same_picture},
        {"the image can be exchanged again and again",
         the_image_can_be_exchanged_again_and_again},
        {"frames follow each other without a pause",
         frames_follow_each_other_without_a_pause},
        {"any frame may follow any other", any_frame_may_follow_any_other},
    };
    return test_run(entries, sizeof entries / sizeof entries[0]);
}
