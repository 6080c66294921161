/* Files appear when they are whole: a byte that is lost anywhere is an error with the
 * file's name. */
#include "base/status.h"
#include "io/file.h"
#include "support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>
#include <unistd.h>

/* A writer that does not look at what its calls return, as libraries may. */
static bool write_careless(FILE *file, const void *context)
{
    setvbuf(file, NULL, _IONBF, 0);
    fputs(context, file);
    return true;
}

static bool fail_to_write(FILE *file, const void *context)
{
    fputs(context, file);
    return false;
}

static void a_lost_byte_is_an_error(void **state)
{
    (void)state;
    if (access("/dev/full", W_OK) != 0) {
        skip();
    }
    base_fail_set_message("");
    assert_int_equal(io_file_make("/dev/full", write_careless, "text"), STATUS_OUTPUT);
    assert_string_equal(base_fail_message(),
                        "cannot write '/dev/full': No space left on device");
    base_fail_set_message("");
}

static void nothing_remains_of_half_a_file(void **state)
{
    (void)state;
    const char *path = scratch_path("file");
    assert_int_equal(io_file_make(path, write_careless, "whole"), STATUS_OK);
    base_fail_set_message("");
    assert_int_equal(io_file_make(path, fail_to_write, "half"), STATUS_OUTPUT);
    assert_non_null(strstr(base_fail_message(), path));
    base_fail_set_message("");
    char text[16] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fread(text, 1, sizeof text, file), 5);
    assert_string_equal(text, "whole");
    fclose(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lost_byte_is_an_error),
        cmocka_unit_test_setup_teardown(nothing_remains_of_half_a_file, scratch_setup,
                                        scratch_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
