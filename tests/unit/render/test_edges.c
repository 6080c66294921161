/* Pixels at edges: weights, and their mask. */
#include "render/view/camera.h"
#include "render/view/edges.h"

#include "check.h"
#include "support/random.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 21, HEIGHT = 9, PIXELS = WIDTH * HEIGHT };

static image *make_image(void)
{
    image *img = NULL;
    assert_int_equal(image_create(WIDTH, HEIGHT, false, &img), STATUS_OK);
    img->active = (pixel_rect){0, 0, WIDTH, HEIGHT};
    return img;
}

static void set_pixel(image *img, int x, int y, float value)
{
    for (int c = 0; c < 4; c++) {
        img->rgba[4 * (y * WIDTH + x) + c] = value;
    }
}

/* Left of column 10 black, the rest of this value. */
static image *make_step(float value)
{
    image *img = make_image();
    for (int n = 0; n < PIXELS; n++) {
        set_pixel(img, n % WIDTH, n / WIDTH, n % WIDTH < 10 ? 0.0f : value);
    }
    return img;
}

static void pixels_of_a_mask_are_numbered(void **unused)
{
    (void)unused;
    uint8_t mask[HEIGHT * 3] = {0};
    int32_t before[HEIGHT * 3];
    uint64_t state = 7;
    assert_int_equal(render_mask_number(WIDTH, HEIGHT, mask, before), 0);
    for (int n = 0; n < PIXELS; n++) {
        const int bit = n % WIDTH % 8;
        mask[n / WIDTH * 3 + n % WIDTH / 8] |=
            (uint8_t)((random_below(&state, 3) == 0) << bit);
    }
    const render_camera camera = {.width = WIDTH, .height = HEIGHT, .mask = mask};
    const int64_t all = render_mask_number(WIDTH, HEIGHT, mask, before);
    int64_t number = 0;
    for (int n = 0; n < PIXELS; n++) {
        if (render_camera_draws(&camera, n % WIDTH, n / WIDTH)) {
            assert_int_equal(render_mask_index(WIDTH, mask, before, n % WIDTH, n / WIDTH),
                             number);
            number++;
        }
    }
    assert_true(number > PIXELS / 6);
    assert_int_equal(all, number);
}

static void both_sides_of_a_step_are_edges(void **unused)
{
    (void)unused;
    float weights[PIXELS];
    uint8_t mask[HEIGHT * 3] = {0};
    image *img = make_step(1.0f);
    const render_edge_counts counts = render_edges_find(img, 0, PIXELS, 1, weights);
    check_near("edges", 0, 2.0 * HEIGHT, counts.edges, 1e-9);
    check_near("visible", 0, (WIDTH - 10.0) * HEIGHT, counts.visible, 1e-9);
    assert_int_equal(render_mask_bytes(WIDTH, HEIGHT), sizeof mask);
    assert_int_equal(render_mask_add(WIDTH, 0, PIXELS, weights, mask), 2 * HEIGHT);
    const render_camera camera = {.width = WIDTH, .height = HEIGHT, .mask = mask};
    for (int n = 0; n < PIXELS; n++) {
        const int x = n % WIDTH, y = n / WIDTH;
        const bool is_edge = x == 9 || x == 10;
        check_near("weight", (uint64_t)n, is_edge ? 1.0 : 0.0, (double)weights[n], 0.0);
        assert_true(render_camera_draws(&camera, x, y) == is_edge);
        assert_int_equal(
            render_camera_count_drawn(&camera, (pixel_rect){x, y, x + 1, y + 1}),
            is_edge);
        for (int x1 = x; x1 <= WIDTH; x1++) {
            const int edges = (x <= 9 && x1 > 9) + (x <= 10 && x1 > 10);
            assert_int_equal(
                render_camera_count_drawn(&camera, (pixel_rect){x, y, x1, HEIGHT}),
                edges * (HEIGHT - y));
        }
    }
    const pixel_rect all = {0, 0, WIDTH, HEIGHT};
    const render_camera whole = {.width = WIDTH, .height = HEIGHT};
    assert_int_equal(render_camera_count_drawn(&whole, all), PIXELS);
    assert_int_equal(render_camera_count_drawn(&camera, (pixel_rect){0, 0, 0, 0}), 0);
    image_destroy(&img);
}

static void slopes_are_smooth(void **unused)
{
    (void)unused;
    float weights[PIXELS];
    image *img = make_image();
    for (int n = 0; n < PIXELS; n++) {
        set_pixel(img, n % WIDTH, n / WIDTH,
                  0.02f * (float)(n % WIDTH) + 0.03f * (float)(n / WIDTH));
    }
    render_edges_find(img, 0, PIXELS, 1, weights);
    for (int n = 0; n < PIXELS; n++) {
        /* At the border of the picture a slope ends. */
        const int x = n % WIDTH, y = n / WIDTH;
        if (x > 0 && x < WIDTH - 1 && y > 0 && y < HEIGHT - 1) {
            check_near("weight", (uint64_t)n, 0.0, (double)weights[n], 0.0);
        }
    }
    image_destroy(&img);
}

/* Ranks round differently: at the thresholds, too, a change of 1e-5 changes no weight by
 * much, nor the counts by more than 2e-3 a pixel and 3e-3 a visible one. */
static void weights_do_not_jump(void **unused)
{
    (void)unused;
    for (int n = 0; n < 2000; n++) {
        const float value = 0.00005f * (float)n;
        float below[PIXELS], above[PIXELS];
        image *a = make_step(value), *b = make_step(value + 1e-5f);
        const render_edge_counts counts_a = render_edges_find(a, 0, PIXELS, 1, below);
        const render_edge_counts counts_b = render_edges_find(b, 0, PIXELS, 1, above);
        const double change = fabs((double)above[9] - (double)below[9]);
        if (change > 1e-3 || fabs(counts_a.edges - counts_b.edges) > 2e-3 * PIXELS ||
            fabs(counts_a.visible - counts_b.visible) > 3e-3 * PIXELS) {
            fail_msg("a step of %g: weights %g and %g, edges %g and %g, visible %g and "
                     "%g",
                     (double)value, (double)below[9], (double)above[9], counts_a.edges,
                     counts_b.edges, counts_a.visible, counts_b.visible);
        }
        if (below[9] > 0.0f && counts_a.edges < 2.0 * HEIGHT - 1e-9) {
            fail_msg("a step of %g: %g edges are fewer than weights", (double)value,
                     counts_a.edges);
        }
        image_destroy(&a);
        image_destroy(&b);
    }
}

/* Parts of a picture have the weights of the whole, and their counts have its sums. */
static void parts_of_a_picture_are_as_the_whole(void **unused)
{
    (void)unused;
    float whole[PIXELS], part[PIXELS];
    uint8_t mask[HEIGHT * 3] = {0}, parts[HEIGHT * 3] = {0};
    image *img = make_image();
    for (int n = 0; n < PIXELS; n++) {
        set_pixel(img, n % WIDTH, n / WIDTH, 0.013f * (float)(n * n % 11));
    }
    const render_edge_counts all = render_edges_find(img, 0, PIXELS, 1, whole);
    const int64_t count = render_mask_add(WIDTH, 0, PIXELS, whole, mask);
    for (int length = 1; length <= PIXELS; length++) {
        double edges = 0.0, visible = 0.0;
        int64_t more = 0;
        memset(parts, 0, sizeof parts);
        for (int first = 0; first < PIXELS; first += length) {
            const int some = PIXELS - first < length ? PIXELS - first : length;
            const render_edge_counts found = render_edges_find(img, first, some, 1, part);
            assert_memory_equal(part, whole + first, (size_t)some * sizeof *part);
            more += render_mask_add(WIDTH, first, some, part, parts);
            edges += found.edges;
            visible += found.visible;
        }
        assert_true(edges == all.edges && visible == all.visible && more == count);
        assert_memory_equal(parts, mask, sizeof mask);
    }
    image_destroy(&img);
}

static void numbers_beyond_the_picture_count_as_shown(void **unused)
{
    (void)unused;
    float weights[PIXELS];
    image *img = make_step(1.0f);
    for (int n = 0; n < PIXELS; n++) {
        const int x = n % WIDTH;
        set_pixel(img, x, n / WIDTH,
                  x < 5     ? NAN
                  : x < 10  ? -7.0f
                  : x == 15 ? 9.0f
                            : 1.0f);
    }
    render_edges_find(img, 0, PIXELS, 2, weights);
    for (int n = 0; n < PIXELS; n++) {
        const bool is_edge = n % WIDTH == 9 || n % WIDTH == 10;
        check_near("weight", (uint64_t)n, is_edge ? 1.0 : 0.0, (double)weights[n], 0.0);
    }
    image_destroy(&img);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pixels_of_a_mask_are_numbered),
        cmocka_unit_test(both_sides_of_a_step_are_edges),
        cmocka_unit_test(slopes_are_smooth),
        cmocka_unit_test(weights_do_not_jump),
        cmocka_unit_test(parts_of_a_picture_are_as_the_whole),
        cmocka_unit_test(numbers_beyond_the_picture_count_as_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
