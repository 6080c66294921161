/* Float images in HDF5. */
#include "io/picture/float_image.h"
#include "support/file.h"
#include "support/float_image.h"
#include "support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 6, HEIGHT = 4, PIXELS = WIDTH * HEIGHT };

static image *make_image(bool with_depth)
{
    image *img;
    assert_int_equal(image_create(WIDTH, HEIGHT, with_depth, &img), STATUS_OK);
    for (int v = 0; v < 4 * PIXELS; v++) {
        img->rgba[v] = (float)v / 7.0f;
    }
    for (int p = 0; with_depth && p < PIXELS; p += 2) {
        img->depth[p] = (float)p * 0.1f;
    }
    img->active = (pixel_rect){0, 0, WIDTH, HEIGHT};
    return img;
}

static status write_image(const char *path, const image *img)
{
    io_float_file file;
    assert_int_equal(io_float_file_make(path, img, &file), STATUS_OK);
    const status s = io_float_file_write(&file);
    io_float_file_clear(&file);
    return s;
}

/* Odd pixels keep their infinite depth: bits are compared. */
static void an_image_comes_back_bit_by_bit(void **state)
{
    (void)state;
    const char *path = scratch_path("out/a.h5");
    for (int with_depth = 0; with_depth < 2; with_depth++) {
        image *img = make_image(with_depth != 0), *back;
        assert_int_equal(write_image(path, img), STATUS_OK);
        assert_int_equal(test_float_image_read(path, &back), STATUS_OK);
        assert_int_equal(back->width, WIDTH);
        assert_int_equal(back->height, HEIGHT);
        assert_memory_equal(back->rgba, img->rgba, 4 * PIXELS * sizeof(float));
        assert_int_equal(back->depth != NULL, with_depth);
        if (with_depth) {
            assert_memory_equal(back->depth, img->depth, PIXELS * sizeof(float));
        }
        assert_int_equal(back->active.x1, WIDTH);
        assert_int_equal(back->active.y1, HEIGHT);
        image_destroy(&img);
        image_destroy(&back);
    }
    assert_int_equal(scratch_count(), 1);
}

static void the_same_image_is_the_same_bytes(void **state)
{
    (void)state;
    const char *names[] = {"a.h5", "b.h5"};
    unsigned char *data[2];
    size_t size[2];
    image *img = make_image(true);
    for (int f = 0; f < 2; f++) {
        assert_int_equal(write_image(scratch_path(names[f]), img), STATUS_OK);
        data[f] = test_file_read(scratch_path(names[f]), &size[f]);
    }
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(data[0], data[1], size[0]);
    free(data[0]);
    free(data[1]);
    image_destroy(&img);
}

static void a_folder_that_is_a_file_is_reported(void **state)
{
    (void)state;
    image *img = make_image(false);
    scratch_write(scratch_path("file"), "x", 1);
    assert_int_equal(write_image(scratch_path("file/a.h5"), img), STATUS_OUTPUT);
    assert_non_null(strstr(base_fail_message(), "file/a.h5"));
    assert_int_equal(scratch_count(), 1);
    image_destroy(&img);
}

static void a_full_disk_leaves_nothing_behind(void **state)
{
    (void)state;
    image *img = make_image(true);
    scratch_limit_files(1000);
    status s = write_image(scratch_path("a.h5"), img);
    scratch_limit_files(0);
    assert_int_equal(s, STATUS_OUTPUT);
    assert_non_null(strstr(base_fail_message(), "a.h5"));
    assert_int_equal(scratch_count(), 0);
    image_destroy(&img);
}

#define SCRATCH_TEST(test)                                                               \
    cmocka_unit_test_setup_teardown(test, scratch_setup, scratch_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(an_image_comes_back_bit_by_bit),
        SCRATCH_TEST(the_same_image_is_the_same_bytes),
        SCRATCH_TEST(a_folder_that_is_a_file_is_reported),
        SCRATCH_TEST(a_full_disk_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
