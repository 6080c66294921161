/* The owners of pieces write bytes into shared memory, from images that stay
 * unchanged. */
#include "test_composite.h"

#include "base/parallel/parallel.h"
#include "composite/run/executor.h"

#include <string.h>

/* ---- Many frames ------------------------------------------------------------------- */

/* Whether this rank's pieces are in the shared bytes when the call returns. */
static bool has_its_pieces(const test_stage *stage, const test_case *c,
                           const composite_result *result)
{
    const unsigned char *shared = composite_executor_shared_bytes(stage->executor);
    bool right = shared != NULL;
    for (int i = 0; i < result->npieces && right; i++) {
        right =
            test_same_bytes(c, shared, result->pieces[i].pix0, result->pieces[i].npix);
    }
    return right;
}

/* Some ranks start a frame while others still finish the previous one, and every frame
 * has other pixels. */
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

/* ---- Cropped images ---------------------------------------------------------------- */

/* Some ranks bring the executor's image, cropped, and others one of their own. Then all
 * pixels travel in messages, and the sender of a message reads a whole image. */
static bool a_cropped_image_that_has_to_be_sent_is_refused(void)
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
    img->may_crop = stage.size > 1 && img == stage.own;
    image_crop(img, (pixel_rect){1, 1, 8, 6});
    base_fail_set_message("");
    const status s = composite_execute(stage.executor, &request, img, STATUS_OK, &result);
    const bool right =
        stage.size == 1 ? s == STATUS_OK
                        : s == STATUS_INTERNAL && strstr(base_fail_message(), "cropped");
    const bool all =
        test_all_agree(&stage, &c, right, "expected that a cropped image is refused") &&
        test_is_exact(&stage, &c);
    test_picture_destroy(&picture);
    test_stage_close(&stage);
    return all;
}

int test_direct(void)
{
    const test_entry entries[] = {
        {"direct frames follow each other without a pause",
         direct_frames_follow_each_other_without_a_pause},
        {"a cropped image that has to be sent is refused",
         a_cropped_image_that_has_to_be_sent_is_refused},
    };
    return test_run(entries, sizeof entries / sizeof entries[0]);
}
