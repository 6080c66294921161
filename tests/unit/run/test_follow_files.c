/* Files that appear in a folder: which count, in which order, and when one is new. */
#include "support/scratch.h"

#include "base/path.h"
#include "base/status.h"
#include "run/follow/files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void numbers_in_names_count_as_numbers(void **state)
{
    (void)state;
    static const char *const ordered[] = {"a",
                                          "a1.h5",
                                          "a2.h5",
                                          "a10.h5",
                                          "a10b.h5",
                                          "b01.h5",
                                          "b1.h5",
                                          "b002.h5",
                                          "b99999999999999999999999.h5",
                                          "b100000000000000000000000.h5"};
    enum { COUNT = sizeof ordered / sizeof ordered[0] };
    for (int a = 0; a < COUNT; a++) {
        for (int b = 0; b < COUNT; b++) {
            int expected = (a > b) - (a < b);
            if (base_path_compare(ordered[a], ordered[b]) != expected) {
                fail_msg("%s and %s: expected %d, got %d", ordered[a], ordered[b],
                         expected, base_path_compare(ordered[a], ordered[b]));
            }
        }
    }
}

/* The folder of the test. */
static follow_files follow(const char *data_file)
{
    follow_files files;
    char folder[1024];
    snprintf(folder, sizeof folder, "%s", scratch_path(""));
    assert_int_equal(follow_files_create(folder, data_file, &files), STATUS_OK);
    return files;
}

static void put(const char *name, const char *text)
{
    char temporary[1024];
    snprintf(temporary, sizeof temporary, "%s", scratch_path("file.part"));
    scratch_write(temporary, text, strlen(text));
    assert_int_equal(rename(temporary, scratch_path(name)), 0);
}

/* The next new file has this name, or there is none; it is drawn then. */
static void expect(follow_files *files, const char *name)
{
    assert_int_equal(follow_files_look(files), STATUS_OK);
    follow_file *file = follow_files_next(files);
    if (!name) {
        assert_null(file);
        return;
    }
    assert_non_null(file);
    assert_string_equal(file->name, name);
    file->state = FOLLOW_DRAWN;
}

static void each_file_is_new_once(void **state)
{
    (void)state;
    follow_files files = follow("data/all.h5");
    expect(&files, NULL);
    put("out_10.h5", "a");
    put("out_9.h5", "a");
    put(".out_8.h5", "a");
    put("out_8.h5.part", "a");
    put("out_8.hdf", "a");
    expect(&files, "out_9.h5");
    put("out_1.h5", "a"); /* late, but in front of the files that wait */
    expect(&files, "out_1.h5");
    expect(&files, "out_10.h5");
    expect(&files, NULL);
    put("out_9.h5", "b"); /* another one under the same name */
    expect(&files, "out_9.h5");
    expect(&files, NULL);
    assert_int_equal(unlink(scratch_path("out_1.h5")), 0);
    expect(&files, NULL);
    assert_int_equal(files.count, 2);
    follow_files_clear(&files);
}

static void extensions_choose(void **state)
{
    (void)state;
    follow_files files = follow("run/flow.cgns");
    put("a.h5", "a");
    put("b.cgns", "a");
    expect(&files, "b.cgns");
    expect(&files, NULL);
    follow_files_clear(&files);
    files = follow("run"); /* a folder */
    put("c.txt", "a");
    put("d.CGNS", "a");
    put(".e.nc", "a");
    put("f.nc", "a");
    expect(&files, "a.h5");
    expect(&files, "b.cgns");
    expect(&files, "d.CGNS");
    expect(&files, "f.nc");
    expect(&files, NULL);
    follow_files_clear(&files);
}

static void patterns_choose(void **state)
{
    (void)state;
    follow_files files = follow("data/wake_*.hdf5");
    put("wake_1.hdf5", "a");
    put("mean.hdf5", "a");
    put("wake_1.h5", "a");
    expect(&files, "wake_1.hdf5");
    expect(&files, NULL);
    follow_files_clear(&files);
}

static void a_file_named_stop_is_seen(void **state)
{
    (void)state;
    follow_files files = follow("all.h5");
    assert_false(follow_files_stop(&files));
    put("stop", "");
    assert_true(follow_files_stop(&files));
    follow_files_clear(&files);
}

static void a_folder_that_is_gone_is_an_error(void **state)
{
    (void)state;
    follow_files files;
    assert_int_equal(follow_files_create(scratch_path("nowhere"), "x.h5", &files),
                     STATUS_OK);
    assert_int_equal(follow_files_look(&files), STATUS_INPUT);
    follow_files_clear(&files);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_in_names_count_as_numbers),
        cmocka_unit_test_setup_teardown(each_file_is_new_once, scratch_setup,
                                        scratch_teardown),
        cmocka_unit_test_setup_teardown(extensions_choose, scratch_setup,
                                        scratch_teardown),
        cmocka_unit_test_setup_teardown(patterns_choose, scratch_setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(a_file_named_stop_is_seen, scratch_setup,
                                        scratch_teardown),
        cmocka_unit_test_setup_teardown(a_folder_that_is_gone_is_an_error, scratch_setup,
                                        scratch_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
