/* Cuts: they divide the pixels to be merged into equal shares. */
#include "streams.h"

#include "composite/algorithms/algorithms.h"
#include "composite/cuts.h"
#include "support/random.h"

static const composite_params no_params;

/* Some bands have nothing, some a lot. */
static composite_cuts random_cuts(uint64_t *state)
{
    composite_cuts cuts = {.before = {0}};
    for (int i = 1; i <= COMPOSITE_BANDS; i++) {
        const int most = random_below(state, 3) * random_below(state, 3) * 2000;
        cuts.before[i] = cuts.before[i - 1] + random_below(state, most + 1);
    }
    cuts.before[COMPOSITE_BANDS] += 1;
    return cuts;
}

/* ---- The scale ----------------------------------------------------------------------
 */

static void without_cuts_scale_and_pixels_are_the_same(void **state)
{
    (void)state;
    const composite_cuts none = {.before = {0}};
    for (int64_t n = 0; n <= 1000; n++) {
        assert_int_equal(composite_cuts_pixel(&none, 1000, n), n);
    }
    assert_int_equal(composite_cuts_pixel(&none, INT64_MAX, INT64_MAX - 1),
                     INT64_MAX - 1);
}

/* Sum of the weights in front of a pixel, band by band. */
static double weigh_before(const composite_cuts *cuts, int64_t pixels, int64_t pixel)
{
    double sum = 0;
    for (int b = 0; b < COMPOSITE_BANDS; b++) {
        const int64_t first = composite_share_begin(pixels, COMPOSITE_BANDS, b);
        const int64_t last = composite_share_begin(pixels, COMPOSITE_BANDS, b + 1);
        const int64_t end = pixel < last ? pixel : last;
        if (end > first) {
            sum += (double)(cuts->before[b + 1] - cuts->before[b]) *
                   (double)(end - first) / (double)(last - first);
        }
    }
    return sum;
}

static void the_scale_is_even_in_what_lies_between_the_cuts(void **state)
{
    (void)state;
    const int64_t pixels[] = {64, 65, 4099, (1 << 20) + 3, ((int64_t)1 << 40) - 1};
    uint64_t random = random_start(77, 0);
    for (int n = 0; n < 100; n++) {
        const int64_t count = pixels[n % 5];
        const composite_cuts cuts = random_cuts(&random);
        const double all = (double)cuts.before[COMPOSITE_BANDS];
        int64_t last = 0;
        assert_int_equal(composite_cuts_pixel(&cuts, count, 0), 0);
        assert_int_equal(composite_cuts_pixel(&cuts, count, count), count);
        for (int i = 1; i < 500; i++) {
            const int64_t place = count / 500 * i;
            const int64_t pixel = composite_cuts_pixel(&cuts, count, place);
            const double wanted = all * (double)place / (double)count;
            assert_true(pixel >= last && pixel <= count);
            /* Up to the rounding of the scale, it is the last pixel that has no more in
             * front of it. */
            assert_true(weigh_before(&cuts, count, pixel) <= wanted + 1e-6 * all);
            assert_true(weigh_before(&cuts, count, pixel + 1 + count / 1000000) >=
                        wanted - 1 - 1e-6 * all);
            last = pixel;
        }
    }
}

static void pictures_of_few_pixels_have_empty_bands(void **state)
{
    (void)state;
    uint64_t random = random_start(76, 0);
    for (int64_t pixels = 1; pixels < 64; pixels++) {
        const composite_cuts cuts = random_cuts(&random);
        int64_t last = 0;
        for (int64_t n = 0; n <= pixels; n++) {
            const int64_t pixel = composite_cuts_pixel(&cuts, pixels, n);
            assert_true(pixel >= last && pixel <= pixels);
            last = pixel;
        }
        assert_int_equal(last, pixels);
    }
}

/* ---- Schedules ----------------------------------------------------------------------
 */

static void every_algorithm_is_right_wherever_the_cuts_lie(void **state)
{
    (void)state;
    const int64_t pixels[] = {1, 7, 97, 4099, (int64_t)1 << 30};
    const composite_algorithm *algorithm;
    uint64_t random = random_start(78, 0);
    for (int n = 0; (algorithm = composite_algorithm_at(n)); n++) {
        for (int size = 1; size <= 70; size += size < 20 ? 1 : 3 * EVERY) {
            for (size_t p = 0; p < sizeof pixels / sizeof pixels[0]; p++) {
                composite_schedule_summary sum;
                const composite_problem problem = {.size = size,
                                                   .pixels = pixels[p],
                                                   .op = size % 5 == 1 ? COMPOSITE_NEAREST
                                                                       : COMPOSITE_OVER,
                                                   .root = size / 3,
                                                   .gather_bytes = size % 4,
                                                   .cuts = random_cuts(&random)};
                expect_right(algorithm, &problem, &no_params, &sum);
                assert_int_equal(sum.pixels, (size - 1) * pixels[p]);
            }
        }
    }
}

/* Direct-send's pieces are shares of the scale: everybody gets its own from all others.
 */
static void pieces_lie_between_the_cuts(void **state)
{
    (void)state;
    enum { SIZE = 16, PIXELS = 6400 };
    uint64_t random = random_start(79, 0);
    const composite_problem problem = {
        .size = SIZE, .pixels = PIXELS, .cuts = random_cuts(&random)};
    for (int position = 0; position < SIZE; position++) {
        const int64_t begin =
            composite_cuts_pixel(&problem.cuts, PIXELS, PIXELS / SIZE * position);
        const int64_t end =
            composite_cuts_pixel(&problem.cuts, PIXELS, PIXELS / SIZE * (position + 1));
        stream all = stream_read("direct-send", &problem, &no_params, position);
        int received = 0;
        for (int64_t i = 0; i < all.count; i++) {
            if (all.ops[i].dst == position) {
                assert_int_equal(all.ops[i].pix0, begin);
                assert_int_equal(all.ops[i].npix, end - begin);
                received++;
            }
        }
        assert_int_equal(received, end > begin ? SIZE - 1 : 0);
        free(all.ops);
    }
}

/* ---- Shown pixels -------------------------------------------------------------------
 */

static void rectangles_count_in_the_bands_that_they_lie_in(void **state)
{
    (void)state;
    uint64_t random = random_start(80, 0);
    for (int n = 0; n < 300; n++) {
        const int width = 1 + random_below(&random, 90);
        const int height = 1 + random_below(&random, 90);
        const int x0 = random_below(&random, width);
        const int y0 = random_below(&random, height);
        const pixel_rect r = {x0, y0, x0 + 1 + random_below(&random, width - x0),
                              y0 + 1 + random_below(&random, height - y0)};
        int64_t shown[COMPOSITE_BANDS] = {0};
        int64_t sum = 0;
        composite_cuts_add(shown, width, height, r);
        composite_cuts_add(shown, width, height, (pixel_rect){0, 0, 0, 0});
        for (int b = 0; b < COMPOSITE_BANDS; b++) {
            const int64_t pixels = (int64_t)width * height;
            const int64_t first = composite_share_begin(pixels, COMPOSITE_BANDS, b);
            const int64_t end = composite_share_begin(pixels, COMPOSITE_BANDS, b + 1);
            const bool meets =
                first < (int64_t)r.y1 * width && end > (int64_t)r.y0 * width;
            assert_true(shown[b] >= 0 && shown[b] <= end - first);
            assert_true(meets || shown[b] == 0);
            sum += shown[b];
        }
        /* Each band rounds down once. */
        const int64_t area = (int64_t)(r.x1 - r.x0) * (r.y1 - r.y0);
        assert_true(sum <= area && sum + COMPOSITE_BANDS >= area);
    }
}

/* ---- Following ----------------------------------------------------------------------
 */

/* The pixels shown in one piece of the scale. */
static double shown_in(const int64_t *shown, int64_t pixels, const composite_cuts *cuts,
                       int pieces, int piece)
{
    double all = 0;
    const int64_t begin =
        composite_cuts_pixel(cuts, pixels, composite_share_begin(pixels, pieces, piece));
    const int64_t end = composite_cuts_pixel(
        cuts, pixels, composite_share_begin(pixels, pieces, piece + 1));
    for (int b = 0; b < COMPOSITE_BANDS; b++) {
        const int64_t first = composite_share_begin(pixels, COMPOSITE_BANDS, b);
        const int64_t last = composite_share_begin(pixels, COMPOSITE_BANDS, b + 1);
        const int64_t from = first > begin ? first : begin;
        const int64_t to = last < end ? last : end;
        if (from < to) {
            all += (double)shown[b] * (double)(to - from) / (double)(last - first);
        }
    }
    return all;
}

static void pieces_share_what_is_shown(void **state)
{
    (void)state;
    const int64_t pixels[] = {4096, 512 * 512, ((int64_t)1 << 39) + 11};
    for (size_t p = 0; p < 3; p++) {
        for (int pieces = 2; pieces <= 40; pieces++) {
            /* All that is shown lies in a quarter of the picture. */
            int64_t shown[COMPOSITE_BANDS] = {0};
            for (int b = 20; b < 36; b++) {
                shown[b] = pixels[p] / 64 * 3;
            }
            const composite_cuts cuts = composite_cuts_find(shown, pixels[p], pieces);
            assert_true(cuts.before[COMPOSITE_BANDS] > 0);
            const double mean = (double)(shown[20] * 16) / pieces;
            for (int i = 0; i < pieces; i++) {
                const int64_t end = composite_share_begin(pixels[p], pieces, i + 1);
                const int64_t begin = composite_share_begin(pixels[p], pieces, i);
                /* Half the mean goes to pixels as such: 4 / 3 of it to those that show
                 * something, of all 3 / 2. */
                assert_true(shown_in(shown, pixels[p], &cuts, pieces, i) <
                            1.34 * mean + (double)shown[20] / 20);
                assert_true((double)(composite_cuts_pixel(&cuts, pixels[p], end) -
                                     composite_cuts_pixel(&cuts, pixels[p], begin)) <=
                            3.01 * (double)pixels[p] / pieces + 1);
            }
        }
    }
}

static bool is_cut(const int64_t *shown, int64_t pixels, int pieces)
{
    return composite_cuts_find(shown, pixels, pieces).before[COMPOSITE_BANDS] > 0;
}

static void pictures_that_are_about_even_are_not_cut(void **state)
{
    (void)state;
    int64_t shown[COMPOSITE_BANDS] = {0};
    /* Nothing, or the same everywhere. */
    assert_false(is_cut(shown, 6400, 8));
    for (int b = 0; b < COMPOSITE_BANDS; b++) {
        shown[b] = 1000;
    }
    assert_false(is_cut(shown, 6400, 8));
    /* A tenth more in one place is let be; twice as much is not. */
    for (int b = 0; b < 8; b++) {
        shown[b] = 1100;
    }
    assert_false(is_cut(shown, 6400, 8));
    for (int b = 0; b < 8; b++) {
        shown[b] = 2000;
    }
    assert_true(is_cut(shown, 6400, 8));
    /* One piece has all there is in any case. */
    assert_false(is_cut(shown, 6400, 1));
}

static void any_picture_can_be_cut(void **state)
{
    (void)state;
    uint64_t random = random_start(81, 0);
    for (int n = 0; n < 2000; n++) {
        const int pixels = 1 + random_below(&random, n % 2 ? 200 : 1000000);
        const int pieces = 1 + random_below(&random, 70);
        int64_t shown[COMPOSITE_BANDS];
        for (int b = 0; b < COMPOSITE_BANDS; b++) {
            shown[b] = random_below(&random, 3) ? 0 : random_below(&random, pixels + 1);
        }
        const composite_cuts cuts = composite_cuts_find(shown, pixels, pieces);
        if (cuts.before[COMPOSITE_BANDS] > 0) {
            assert_int_equal(cuts.before[0], 0);
            assert_true(cuts.before[COMPOSITE_BANDS] < 1 << 20);
            for (int i = 0; i < COMPOSITE_BANDS; i++) {
                assert_true(cuts.before[i] <= cuts.before[i + 1]);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_cuts_scale_and_pixels_are_the_same),
        cmocka_unit_test(the_scale_is_even_in_what_lies_between_the_cuts),
        cmocka_unit_test(pictures_of_few_pixels_have_empty_bands),
        cmocka_unit_test(every_algorithm_is_right_wherever_the_cuts_lie),
        cmocka_unit_test(pieces_lie_between_the_cuts),
        cmocka_unit_test(rectangles_count_in_the_bands_that_they_lie_in),
        cmocka_unit_test(pieces_share_what_is_shown),
        cmocka_unit_test(pictures_that_are_about_even_are_not_cut),
        cmocka_unit_test(any_picture_can_be_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
