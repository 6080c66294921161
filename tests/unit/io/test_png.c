/* PNG files: written whole or not at all, and checked to the last byte. */
#include "io/picture/png.h"
#include "support/file.h"
#include "support/float_image.h"
#include "support/random.h"
#include "support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 7, HEIGHT = 5 };

static const io_png_text texts[] = {
    {IO_PNG_CONFIG_KEYWORD, "{\"image\": {\"width\": 7}}"},
    {"Software", "karman"},
};

/* A picture in which every byte differs from its neighbours. */
static uint8_t *make_picture(int width, int height)
{
    size_t size = (size_t)width * (size_t)height * 3;
    uint8_t *rgb = malloc(size);
    assert_non_null(rgb);
    for (size_t b = 0; b < size; b++) {
        rgb[b] = (uint8_t)(b * 37 + b / 256);
    }
    return rgb;
}

static status write_picture(const char *path)
{
    uint8_t *rgb = make_picture(WIDTH, HEIGHT);
    status s = io_png_write(
        &(io_png_file){
            .path = path, .width = WIDTH, .height = HEIGHT, .ntexts = 2, .texts = texts},
        rgb);
    free(rgb);
    return s;
}

static bool is_complete(const char *path)
{
    return io_png_is_complete(path, WIDTH, HEIGHT, texts[0].keyword, texts[0].text);
}

static void a_written_picture_has_the_same_pixels(void **state)
{
    (void)state;
    const char *path = scratch_path("a.png");
    assert_int_equal(write_picture(path), STATUS_OK);
    png_image read = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&read, path));
    assert_int_equal(read.width, WIDTH);
    assert_int_equal(read.height, HEIGHT);
    read.format = PNG_FORMAT_RGB;
    uint8_t back[WIDTH * HEIGHT * 3];
    assert_true(png_image_finish_read(&read, NULL, back, 0, NULL));
    uint8_t *rgb = make_picture(WIDTH, HEIGHT);
    assert_memory_equal(back, rgb, sizeof back);
    free(rgb);
    assert_int_equal(scratch_count(), 1);
}

/* Everything between setjmp and its return. */
static bool read_rows(png_structp png, png_infop info, FILE *file, uint8_t *pixels)
{
    if (setjmp(png_jmpbuf(png))) {
        return false;
    }
    png_init_io(png, file);
    png_read_info(png, info);
    for (int y = 0; y < HEIGHT; y++) {
        png_read_row(png, pixels + (size_t)y * png_get_rowbytes(png, info), NULL);
    }
    png_read_end(png, NULL);
    return true;
}

static void check_format(io_png_format format, int color)
{
    enum { MOST = WIDTH * HEIGHT * 8 };
    const size_t size = (size_t)(WIDTH * HEIGHT * io_png_pixel_bytes(format));
    uint8_t pixels[MOST], back[MOST] = {0};
    for (size_t b = 0; b < size; b++) {
        pixels[b] = (uint8_t)(b * 37 + b / 256);
    }
    const char *path = scratch_path("format.png");
    const io_png_file picture = {
        .path = path, .width = WIDTH, .height = HEIGHT, .format = format, .dpi = 300.0};
    assert_int_equal(io_png_write(&picture, pixels), STATUS_OK);
    FILE *file = fopen(path, "rb");
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    assert_true(file && read_rows(png, info, file, back));
    assert_int_equal(png_get_color_type(png, info), color);
    assert_int_equal(png_get_bit_depth(png, info), format.is_deep ? 16 : 8);
    assert_int_equal(png_get_pixels_per_meter(png, info), 11811); /* 300 / 0.0254 */
    assert_memory_equal(back, pixels, size);
    png_destroy_read_struct(&png, &info, NULL);
    fclose(file);
}

static void all_formats_come_back_with_their_bytes(void **state)
{
    (void)state;
    check_format((io_png_format){0}, PNG_COLOR_TYPE_RGB);
    check_format((io_png_format){.has_alpha = true}, PNG_COLOR_TYPE_RGBA);
    check_format((io_png_format){.is_deep = true}, PNG_COLOR_TYPE_RGB);
    check_format((io_png_format){.has_alpha = true, .is_deep = true},
                 PNG_COLOR_TYPE_RGBA);
}

static void missing_folders_are_made(void **state)
{
    (void)state;
    const char *path = scratch_path("out/deep//a.png");
    assert_int_equal(write_picture(path), STATUS_OK);
    assert_true(is_complete(path));
}

static void a_picture_is_complete_only_with_its_size_and_text(void **state)
{
    (void)state;
    const char *path = scratch_path("a.png");
    assert_int_equal(write_picture(path), STATUS_OK);
    const char *keyword = texts[0].keyword, *text = texts[0].text;
    assert_true(io_png_is_complete(path, WIDTH, HEIGHT, keyword, text));
    assert_true(io_png_is_complete(path, WIDTH, HEIGHT, "Software", "karman"));
    assert_false(io_png_is_complete(path, WIDTH + 1, HEIGHT, keyword, text));
    assert_false(io_png_is_complete(path, WIDTH, HEIGHT - 1, keyword, text));
    assert_false(io_png_is_complete(path, 0, HEIGHT, keyword, text));
    assert_false(io_png_is_complete(path, WIDTH, HEIGHT, keyword, "{}"));
    assert_false(io_png_is_complete(path, WIDTH, HEIGHT, "karman", text));
    assert_false(
        io_png_is_complete(scratch_path("none.png"), WIDTH, HEIGHT, keyword, text));
    assert_false(io_png_is_complete(scratch_path(""), WIDTH, HEIGHT, keyword, text));
}

static void texts_of_any_length_and_language_come_back(void **state)
{
    (void)state;
    enum { LENGTH = 5000 };
    char ascii[LENGTH + 1], greek[LENGTH + 1];
    for (int c = 0; c < LENGTH; c++) {
        ascii[c] = (char)('a' + c % 26);
        greek[c] = "\xcf\x89"[c % 2];
    }
    ascii[LENGTH] = greek[LENGTH] = '\0';
    const io_png_text all[] = {{"long", ascii},
                               {"long Greek", greek},
                               {"short Greek", "\xcf\x89 = 2"},
                               {"empty", ""}};
    const char *path = scratch_path("a.png");
    uint8_t *rgb = make_picture(WIDTH, HEIGHT);
    assert_int_equal(io_png_write(&(io_png_file){.path = path,
                                                 .width = WIDTH,
                                                 .height = HEIGHT,
                                                 .ntexts = 4,
                                                 .texts = all},
                                  rgb),
                     STATUS_OK);
    free(rgb);
    for (int t = 0; t < 4; t++) {
        if (!io_png_is_complete(path, WIDTH, HEIGHT, all[t].keyword, all[t].text)) {
            fail_msg("expected the text '%s' to come back unchanged, it did not",
                     all[t].keyword);
        }
    }
}

static void a_picture_cut_off_anywhere_is_not_complete(void **state)
{
    (void)state;
    const char *path = scratch_path("a.png"), *cut = scratch_path("cut.png");
    assert_int_equal(write_picture(path), STATUS_OK);
    size_t size;
    unsigned char *data = test_file_read(path, &size);
    for (size_t length = 0; length < size; length++) {
        scratch_write(cut, data, length);
        if (is_complete(cut)) {
            fail_msg("expected the first %zu of %zu bytes to be incomplete", length,
                     size);
        }
    }
    free(data);
}

static void a_picture_with_any_byte_changed_is_not_complete(void **state)
{
    (void)state;
    const char *path = scratch_path("a.png"), *bad = scratch_path("bad.png");
    assert_int_equal(write_picture(path), STATUS_OK);
    size_t size;
    unsigned char *data = test_file_read(path, &size);
    for (size_t at = 0; at < size; at++) {
        data[at] ^= 0x41;
        scratch_write(bad, data, size);
        if (is_complete(bad)) {
            fail_msg("expected byte %zu of %zu to matter", at, size);
        }
        data[at] ^= 0x41;
    }
    free(data);
}

static void noise_is_not_a_complete_picture(void **state)
{
    (void)state;
    const char *path = scratch_path("noise.png");
    uint64_t random = random_start(12345, 0);
    unsigned char noise[400];
    for (size_t b = 0; b < sizeof noise; b++) {
        noise[b] = (unsigned char)random_word(&random);
    }
    scratch_write(path, noise, sizeof noise);
    assert_false(is_complete(path));
    static const unsigned char begin[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
    memcpy(noise, begin, sizeof begin - 1);
    scratch_write(path, noise, sizeof noise);
    assert_false(is_complete(path));
}

static void a_folder_that_is_a_file_is_reported(void **state)
{
    (void)state;
    scratch_write(scratch_path("file"), "x", 1);
    assert_int_equal(write_picture(scratch_path("file/a.png")), STATUS_OUTPUT);
    assert_non_null(strstr(base_fail_message(), "file/a.png"));
    base_fail_set_message("");
    assert_int_equal(write_picture(scratch_path("file/b/a.png")), STATUS_OUTPUT);
    assert_non_null(strstr(base_fail_message(), "cannot make the folder"));
    assert_int_equal(scratch_count(), 1);
}

static void a_folder_in_the_pictures_place_is_reported(void **state)
{
    (void)state;
    assert_int_equal(write_picture(scratch_path("a.png/b.png")), STATUS_OK);
    assert_int_equal(write_picture(scratch_path("a.png")), STATUS_OUTPUT);
    assert_non_null(strstr(base_fail_message(), "a.png': Is a directory"));
    assert_int_equal(scratch_count(), 1);
}

/* The sizes stop it in libpng's writes, and in the closing that flushes the last bytes.
 */
static void a_full_disk_leaves_the_older_picture(void **state)
{
    (void)state;
    const char *path = scratch_path("a.png");
    assert_int_equal(write_picture(path), STATUS_OK);
    enum { SIDE = 300 };
    uint8_t *rgb = make_picture(SIDE, SIDE);
    const size_t limits[] = {100, 3000};
    for (int l = 0; l < 2; l++) {
        base_fail_set_message("");
        scratch_limit_files(limits[l]);
        status s = io_png_write(
            &(io_png_file){
                .path = path, .width = SIDE, .height = SIDE, .ntexts = 2, .texts = texts},
            rgb);
        scratch_limit_files(0);
        assert_int_equal(s, STATUS_OUTPUT);
        assert_non_null(strstr(base_fail_message(), path));
        assert_true(is_complete(path));
        assert_int_equal(scratch_count(), 1);
    }
    scratch_limit_files(100);
    status s = write_picture(scratch_path("small.png"));
    scratch_limit_files(0);
    assert_int_equal(s, STATUS_OUTPUT);
    assert_int_equal(scratch_count(), 1);
    free(rgb);
}

static status submit(io_png_writer *writer, const char *name, const char *floats)
{
    uint8_t *rgb = make_picture(WIDTH, HEIGHT);
    io_png_strips strips;
    assert_int_equal(io_png_strips_deflate(WIDTH, HEIGHT, 1,
                                           &(io_png_rows){.pixels = rgb}, 1, &strips),
                     STATUS_OK);
    free(rgb);
    io_float_file file = {0};
    if (floats) {
        image *img;
        assert_int_equal(image_create(WIDTH, HEIGHT, true, &img), STATUS_OK);
        assert_int_equal(io_float_file_make(scratch_path(floats), img, &file), STATUS_OK);
        image_destroy(&img);
    }
    status s = io_png_writer_submit(writer,
                                    &(io_png_file){.path = scratch_path(name),
                                                   .width = WIDTH,
                                                   .height = HEIGHT,
                                                   .ntexts = 2,
                                                   .texts = texts},
                                    &strips, floats ? &file : NULL);
    assert_null(strips.data);
    assert_null(file.bytes);
    return s;
}

static void the_writer_writes_every_picture(void **state)
{
    (void)state;
    enum { PICTURES = 12 };
    io_png_writer *writer;
    char name[32];
    assert_int_equal(io_png_writer_create(&writer), STATUS_OK);
    for (int p = 0; p < PICTURES; p++) {
        snprintf(name, sizeof name, "%d.png", p);
        assert_int_equal(submit(writer, name, NULL), STATUS_OK);
    }
    assert_int_equal(io_png_writer_finish(writer), STATUS_OK);
    assert_int_equal(scratch_count(), PICTURES);
    for (int p = 0; p < PICTURES; p++) {
        snprintf(name, sizeof name, "%d.png", p);
        assert_true(is_complete(scratch_path(name)));
    }
    assert_int_equal(submit(writer, "more.png", NULL), STATUS_OK);
    io_png_writer_destroy(&writer);
    assert_null(writer);
    assert_true(is_complete(scratch_path("more.png")));
    io_png_writer_destroy(&writer);
}

static void the_writer_tells_of_a_picture_that_failed(void **state)
{
    (void)state;
    io_png_writer *writer;
    scratch_write(scratch_path("file"), "x", 1);
    assert_int_equal(io_png_writer_create(&writer), STATUS_OK);
    assert_int_equal(submit(writer, "file/a.png", NULL), STATUS_OK);
    assert_int_equal(io_png_writer_finish(writer), STATUS_OUTPUT);
    assert_non_null(strstr(base_fail_message(), "file/a.png"));
    assert_int_equal(submit(writer, "b.png", NULL), STATUS_OUTPUT);
    assert_int_equal(io_png_writer_finish(writer), STATUS_OUTPUT);
    io_png_writer_destroy(&writer);
    assert_int_equal(scratch_count(), 1);
}

static void the_writer_writes_a_float_image_before_its_picture(void **state)
{
    (void)state;
    io_png_writer *writer;
    assert_int_equal(io_png_writer_create(&writer), STATUS_OK);
    assert_int_equal(submit(writer, "a.png", "a.h5"), STATUS_OK);
    assert_int_equal(io_png_writer_finish(writer), STATUS_OK);
    assert_true(is_complete(scratch_path("a.png")));
    image *img;
    assert_int_equal(test_float_image_read(scratch_path("a.h5"), &img), STATUS_OK);
    assert_int_equal(img->width, WIDTH);
    image_destroy(&img);

    /* --resume takes a complete picture as a sign that the float image is there, too. */
    scratch_write(scratch_path("file"), "x", 1);
    assert_int_equal(submit(writer, "b.png", "file/b.h5"), STATUS_OK);
    assert_int_equal(io_png_writer_finish(writer), STATUS_OUTPUT);
    assert_non_null(strstr(base_fail_message(), "file/b.h5"));
    assert_int_equal(submit(writer, "c.png", "c.h5"), STATUS_OUTPUT);
    io_png_writer_destroy(&writer);
    assert_int_equal(scratch_count(), 3);
}

#define SCRATCH_TEST(test)                                                               \
    cmocka_unit_test_setup_teardown(test, scratch_setup, scratch_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(a_written_picture_has_the_same_pixels),
        SCRATCH_TEST(all_formats_come_back_with_their_bytes),
        SCRATCH_TEST(missing_folders_are_made),
        SCRATCH_TEST(a_picture_is_complete_only_with_its_size_and_text),
        SCRATCH_TEST(texts_of_any_length_and_language_come_back),
        SCRATCH_TEST(a_picture_cut_off_anywhere_is_not_complete),
        SCRATCH_TEST(a_picture_with_any_byte_changed_is_not_complete),
        SCRATCH_TEST(noise_is_not_a_complete_picture),
        SCRATCH_TEST(a_folder_that_is_a_file_is_reported),
        SCRATCH_TEST(a_folder_in_the_pictures_place_is_reported),
        SCRATCH_TEST(a_full_disk_leaves_the_older_picture),
        SCRATCH_TEST(the_writer_writes_every_picture),
        SCRATCH_TEST(the_writer_tells_of_a_picture_that_failed),
        SCRATCH_TEST(the_writer_writes_a_float_image_before_its_picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
