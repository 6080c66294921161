/* Pictures and their differences. */
#include "io/picture/png.h"
#include "messages/compare/report/pictures.h"
#include "support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static uint8_t first[] = {0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110};
static uint8_t second[] = {0, 10, 20, 31, 38, 50, 60, 70, 80, 90, 99, 110};

static void differences_are_counted(void **state)
{
    (void)state;
    const compare_picture a = {2, 2, first}, b = {2, 2, second}, c = {4, 1, first};
    compare_difference d = compare_picture_differ(&a, &b);
    assert_int_equal(d.most, 2);
    assert_int_equal(d.pixels, 2);
    d = compare_picture_differ(&a, &a);
    assert_int_equal(d.most, 0);
    assert_int_equal(d.pixels, 0);
    assert_int_equal(compare_picture_differ(&a, &c).most, 255);
}

static void pictures_are_read_back(void **state)
{
    (void)state;
    const char *path = scratch_path("a.png");
    assert_int_equal(
        io_png_write(&(io_png_file){.path = path, .width = 2, .height = 2}, first),
        STATUS_OK);
    compare_picture got;
    assert_int_equal(compare_picture_read(path, &got), STATUS_OK);
    assert_int_equal(got.width, 2);
    assert_memory_equal(got.rgb, first, sizeof first);
    compare_picture_clear(&got);
    scratch_write(path, "nothing", 7);
    assert_int_equal(compare_picture_read(path, &got), STATUS_INPUT);
    base_fail_set_message("");
    assert_int_equal(compare_picture_read(scratch_path("none.png"), &got), STATUS_INPUT);
}

static void the_largest_difference_is_white(void **state)
{
    (void)state;
    const compare_picture a = {2, 2, first}, b = {2, 2, second};
    const char *path = scratch_path("d.png");
    assert_int_equal(compare_picture_write_difference(path, &a, &b), STATUS_OK);
    compare_picture got;
    assert_int_equal(compare_picture_read(path, &got), STATUS_OK);
    const uint8_t wanted[] = {0, 0, 0, 255, 255, 255, 0, 0, 0, 127, 127, 127};
    assert_memory_equal(got.rgb, wanted, sizeof wanted);
    compare_picture_clear(&got);
}

/* The examples of RFC 4648. */
static void files_become_data_uris(void **state)
{
    (void)state;
    const char *const texts[] = {"", "f", "fo", "foo", "foob", "fooba", "foobar"};
    const char *const codes[] = {"",         "Zg==",     "Zm8=",    "Zm9v",
                                 "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
    for (int n = 0; n < 7; n++) {
        scratch_write(scratch_path("x"), texts[n], strlen(texts[n]));
        char *uri;
        assert_int_equal(compare_picture_encode(scratch_path("x"), &uri), STATUS_OK);
        assert_memory_equal(uri, "data:image/png;base64,", 22);
        assert_string_equal(uri + 22, codes[n]);
        free(uri);
    }
    char *uri;
    assert_int_equal(compare_picture_encode(scratch_path("none"), &uri), STATUS_INPUT);
}

#define SCRATCH_TEST(test)                                                               \
    cmocka_unit_test_setup_teardown(test, scratch_setup, scratch_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(differences_are_counted),
        SCRATCH_TEST(pictures_are_read_back),
        SCRATCH_TEST(the_largest_difference_is_white),
        SCRATCH_TEST(files_become_data_uris),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
