/* Strips: the same bytes whichever rank deflates them, one valid file together, and a
 * fault in any of them noticed. */
#include "io/picture/png.h"
#include "io/picture/png_filter.h"
#include "support/random.h"
#include "support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

/* A picture of several strips. */
enum { WIDTH = 700, HEIGHT = 500 };

static const io_png_text texts[] = {{IO_PNG_CONFIG_KEYWORD, "{}"}};

static uint8_t *allocate(int width, int height)
{
    uint8_t *rgb = malloc((size_t)width * (size_t)height * 3);
    assert_non_null(rgb);
    return rgb;
}

/* Incompressible. */
static uint8_t *make_noise(int width, int height)
{
    uint8_t *rgb = allocate(width, height);
    uint64_t random = random_start(1, 0);
    for (int64_t b = 0; b < (int64_t)width * height * 3; b++) {
        rgb[b] = (uint8_t)random_word(&random);
    }
    return rgb;
}

/* Smooth, with an edge. */
static uint8_t *make_waves(int width, int height)
{
    uint8_t *rgb = allocate(width, height);
    for (int64_t b = 0; b < (int64_t)width * height * 3; b++) {
        const int64_t x = b / 3 % width, y = b / 3 / width;
        const int64_t value = x < width / 3 ? 7 : x * x / 900 + y * y / 700 + x * y / 800;
        rgb[b] = (uint8_t)(value + 50 * (b % 3));
    }
    return rgb;
}

/* Deflates strips [first, first + count). */
static io_png_strips deflate_strips(int width, int height, const uint8_t *rgb,
                                    int64_t first, int64_t count, int threads)
{
    io_png_rows *rows = malloc((size_t)count * sizeof *rows);
    assert_non_null(rows);
    for (int64_t n = 0; n < count; n++) {
        const int64_t pixels = (first + n) * io_png_strip_rows(width) * width;
        rows[n] = (io_png_rows){.number = first + n, .pixels = rgb + 3 * pixels};
    }
    io_png_strips strips;
    assert_int_equal(io_png_strips_deflate(width, height, count, rows, threads, &strips),
                     STATUS_OK);
    free(rows);
    return strips;
}

static io_png_strips deflate_picture(int width, int height, const uint8_t *rgb,
                                     int threads)
{
    return deflate_strips(width, height, rgb, 0, io_png_strip_count(width, height),
                          threads);
}

static status write_strips(const char *name, const io_png_strips *strips)
{
    return io_png_write_strips(&(io_png_file){.path = scratch_path(name),
                                              .width = WIDTH,
                                              .height = HEIGHT,
                                              .ntexts = 1,
                                              .texts = texts},
                               strips);
}

static bool is_complete(const char *name)
{
    return io_png_is_complete(scratch_path(name), WIDTH, HEIGHT, texts[0].keyword,
                              texts[0].text);
}

static void expect_pixels(const char *path, int width, int height, const uint8_t *rgb)
{
    png_image read = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&read, path));
    assert_int_equal(read.width, width);
    assert_int_equal(read.height, height);
    read.format = PNG_FORMAT_RGB;
    uint8_t *back = allocate(width, height);
    assert_true(png_image_finish_read(&read, NULL, back, 0, NULL));
    if (memcmp(back, rgb, (size_t)width * (size_t)height * 3) != 0) {
        fail_msg("expected %d x %d pixels to come back as they were", width, height);
    }
    free(back);
}

/* ---- Filters ----------------------------------------------------------------------- */

enum { SUB = 1, UP = 2, PAETH = 4, ROW = 20 };

static int chosen_filter(const uint8_t *row, const uint8_t *above)
{
    uint8_t first[3 * ROW + 1], second[3 * ROW + 1];
    return io_png_filter_row(ROW, 3, row, above, (uint8_t *const[]){first, second})[0];
}

static void a_row_gets_the_filter_that_suits_it(void **state)
{
    (void)state;
    uint8_t ramp[3 * ROW], same[3 * ROW], steep[3 * ROW], other[3 * ROW], flat[3 * ROW];
    for (int b = 0; b < 3 * ROW; b++) {
        ramp[b] = (uint8_t)(4 * (b / 3));
        same[b] = ramp[b];
        steep[b] = (uint8_t)(ramp[b] + 40); /* like its left neighbours, plus the slope */
        other[b] = (uint8_t)(b * 97 + b * b); /* like nothing */
        flat[b] = 33;
    }
    assert_int_equal(chosen_filter(ramp, NULL), SUB);
    assert_int_equal(chosen_filter(same, ramp), UP);
    assert_int_equal(chosen_filter(steep, ramp), PAETH);
    assert_int_equal(chosen_filter(other, other), UP);
    assert_int_equal(chosen_filter(flat, other), SUB);
}

/* ---- Strips ------------------------------------------------------------------------ */

static void strips_cut_a_picture_at_rows(void **state)
{
    (void)state;
    const int widths[] = {1, 2, 3, 960, 43689, 43690, 43691, 65535};
    const int heights[] = {1, 2, 7, 600, 32767, 32768, 32769, 65535};
    for (int w = 0; w < 8; w++) {
        const int64_t rows = io_png_strip_rows(widths[w]);
        assert_true(rows >= 1);
        for (int h = 0; h < 8; h++) {
            const int64_t count = io_png_strip_count(widths[w], heights[h]);
            if (count * rows < heights[h] || (count - 1) * rows >= heights[h]) {
                fail_msg("expected %d rows in strips of %lld, got %lld strips",
                         heights[h], (long long)rows, (long long)count);
            }
        }
    }
    assert_true(io_png_strip_count(WIDTH, HEIGHT) > 4);
}

static void threads_change_no_byte(void **state)
{
    (void)state;
    uint8_t *rgb = make_waves(WIDTH, HEIGHT);
    io_png_strips alone = deflate_picture(WIDTH, HEIGHT, rgb, 1);
    for (int threads = 2; threads <= 9; threads++) {
        io_png_strips many = deflate_picture(WIDTH, HEIGHT, rgb, threads);
        assert_int_equal(many.count, alone.count);
        assert_int_equal(many.bytes, alone.bytes);
        assert_memory_equal(many.data, alone.data, (size_t)alone.bytes);
        assert_memory_equal(many.items, alone.items,
                            (size_t)alone.count * sizeof *alone.items);
        io_png_strips_clear(&many);
    }
    io_png_strips_clear(&alone);
    free(rgb);
}

static void a_strip_by_itself_is_as_it_is_among_others(void **state)
{
    (void)state;
    uint8_t *rgb = make_waves(WIDTH, HEIGHT);
    io_png_strips all = deflate_picture(WIDTH, HEIGHT, rgb, 1);
    for (int64_t n = 0; n < all.count; n++) {
        io_png_strips one = deflate_strips(WIDTH, HEIGHT, rgb, n, 1, 1);
        assert_int_equal(one.items[0].number, n);
        assert_int_equal(one.bytes, all.items[n].bytes);
        assert_int_equal(one.items[0].adler32, all.items[n].adler32);
        assert_memory_equal(one.data, all.data + all.items[n].offset, (size_t)one.bytes);
        io_png_strips_clear(&one);
    }
    io_png_strips_clear(&all);
    free(rgb);
}

static void no_strips_are_nothing(void **state)
{
    (void)state;
    io_png_strips strips;
    assert_int_equal(io_png_strips_deflate(WIDTH, HEIGHT, 0, NULL, 2, &strips),
                     STATUS_OK);
    assert_null(strips.items);
    assert_null(strips.data);
    io_png_strips_clear(&strips);
}

/* ---- Files ------------------------------------------------------------------------- */

static void pictures_of_any_size_come_back(void **state)
{
    (void)state;
    const char *path = scratch_path("a.png");
    for (int size = 0; size < 12 * 12; size++) {
        const int width = 1 + size % 12, height = 1 + size / 12;
        uint8_t *noise = make_noise(width, height);
        assert_int_equal(io_png_write(&(io_png_file){.path = path,
                                                     .width = width,
                                                     .height = height,
                                                     .ntexts = 1,
                                                     .texts = texts},
                                      noise),
                         STATUS_OK);
        expect_pixels(path, width, height, noise);
        free(noise);
    }
}

/* Stored blocks are the most that deflating can take. */
static void noise_fits_into_its_room(void **state)
{
    (void)state;
    uint8_t *noise = make_noise(WIDTH, HEIGHT);
    io_png_strips strips = deflate_picture(WIDTH, HEIGHT, noise, 2);
    assert_true(strips.bytes > WIDTH * HEIGHT * 3);
    assert_int_equal(write_strips("noise.png", &strips), STATUS_OK);
    expect_pixels(scratch_path("noise.png"), WIDTH, HEIGHT, noise);
    io_png_strips_clear(&strips);
    free(noise);
}

static void smooth_pictures_take_little_room(void **state)
{
    (void)state;
    uint8_t *rgb = make_waves(WIDTH, HEIGHT);
    io_png_strips strips = deflate_picture(WIDTH, HEIGHT, rgb, 2);
    assert_true(strips.bytes < WIDTH * HEIGHT * 3 / 8);
    assert_int_equal(write_strips("waves.png", &strips), STATUS_OK);
    expect_pixels(scratch_path("waves.png"), WIDTH, HEIGHT, rgb);
    assert_true(is_complete("waves.png"));
    io_png_strips_clear(&strips);
    free(rgb);
}

/* Strips that are not the picture, in order, are refused, and no file is left. */
static void expect_refusal(const io_png_strips *strips)
{
    base_fail_set_message("");
    assert_int_equal(write_strips("a.png", strips), STATUS_INTERNAL);
    assert_non_null(strstr(base_fail_message(), "strip"));
    assert_int_equal(scratch_count(), 0);
}

static void strips_that_are_missing_are_noticed(void **state)
{
    (void)state;
    uint8_t *rgb = make_waves(WIDTH, HEIGHT);
    io_png_strips strips = deflate_picture(WIDTH, HEIGHT, rgb, 1);
    strips.count--;
    expect_refusal(&strips);
    strips.count++;
    const io_png_strip second = strips.items[1];
    strips.items[1] = strips.items[2];
    expect_refusal(&strips);
    strips.items[2] = second;
    expect_refusal(&strips);
    io_png_strips_clear(&strips);
    expect_refusal(&strips);
    free(rgb);
}

/* The chunk's CRC is right here, as it is made of the bytes written. */
static void a_strip_that_broke_on_its_way_is_noticed(void **state)
{
    (void)state;
    uint8_t *rgb = make_waves(WIDTH, HEIGHT);
    io_png_strips strips = deflate_picture(WIDTH, HEIGHT, rgb, 1);
    for (int64_t n = 0; n < strips.count; n++) {
        uint8_t *byte = strips.data + strips.items[n].offset + strips.items[n].bytes / 2;
        *byte ^= 0x10;
        assert_int_equal(write_strips("a.png", &strips), STATUS_OK);
        assert_false(is_complete("a.png"));
        *byte ^= 0x10;
        strips.items[n].adler32 ^= 1;
        assert_int_equal(write_strips("a.png", &strips), STATUS_OK);
        assert_false(is_complete("a.png"));
        strips.items[n].adler32 ^= 1;
    }
    assert_int_equal(write_strips("a.png", &strips), STATUS_OK);
    assert_true(is_complete("a.png"));
    io_png_strips_clear(&strips);
    free(rgb);
}

#define SCRATCH_TEST(test)                                                               \
    cmocka_unit_test_setup_teardown(test, scratch_setup, scratch_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_gets_the_filter_that_suits_it),
        cmocka_unit_test(strips_cut_a_picture_at_rows),
        cmocka_unit_test(threads_change_no_byte),
        cmocka_unit_test(a_strip_by_itself_is_as_it_is_among_others),
        cmocka_unit_test(no_strips_are_nothing),
        SCRATCH_TEST(pictures_of_any_size_come_back),
        SCRATCH_TEST(noise_fits_into_its_room),
        SCRATCH_TEST(smooth_pictures_take_little_room),
        SCRATCH_TEST(strips_that_are_missing_are_noticed),
        SCRATCH_TEST(a_strip_that_broke_on_its_way_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
