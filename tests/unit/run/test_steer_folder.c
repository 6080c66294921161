/* Files of a run directory: lines that wait, disks that are full, reads that end. */
#include "support/scratch.h"

#include "base/log.h"
#include "base/status.h"
#include "run/steer/alive.h"
#include "run/steer/folder.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static steer_folder make_folder(void)
{
    steer_folder folder = {.path = (char *)scratch_path("deep/er/run")};
    base_log_configure(false);
    assert_true(steer_folder_make(folder.path));
    return folder;
}

static char *read_text(const steer_folder *folder, const char *name)
{
    char path[STEER_MAX_PATH], *text = NULL;
    size_t size;
    assert_true(steer_path_join(folder->path, name, path));
    assert_int_equal(steer_file_read(path, 1 << 20, &text, &size), STATUS_OK);
    return text;
}

static void lines_are_appended(void **state)
{
    (void)state;
    steer_folder folder = make_folder();
    steer_lines lines = {.name = "log.jsonl"};
    steer_lines_add(&lines, json_pack("{s:i}", "a", 1));
    steer_lines_add(&lines, NULL); /* no memory: no line */
    steer_lines_flush(&lines, &folder);
    steer_lines_add(&lines, json_pack("{s:i}", "a", 2));
    steer_lines_flush(&lines, &folder);
    char *text = read_text(&folder, "log.jsonl");
    assert_string_equal(text, "{\"a\":1}\n{\"a\":2}\n");
    free(text);
    steer_lines_clear(&lines);
}

static void a_line_cut_short_gets_an_end(void **state)
{
    (void)state;
    steer_folder folder = make_folder();
    char path[STEER_MAX_PATH];
    assert_true(steer_path_join(folder.path, "log.jsonl", path));
    scratch_write(path, "{\"a\":", 5);
    steer_lines lines = {.name = "log.jsonl"};
    steer_lines_add(&lines, json_pack("{s:i}", "a", 2));
    steer_lines_flush(&lines, &folder);
    char *text = read_text(&folder, "log.jsonl");
    assert_string_equal(text, "{\"a\":\n{\"a\":2}\n");
    free(text);
    steer_lines_clear(&lines);
}

/* On a full disk lines wait, whole files stay as they were, nothing is left beside them;
 * afterwards all that waited is there. */
static void a_full_disk_only_delays(void **state)
{
    (void)state;
    steer_folder folder = make_folder();
    steer_lines lines = {.name = "log.jsonl"};
    json_t *old = json_pack("{s:s}", "state", "old"),
           *new = json_pack("{s:s}", "state", "new");
    assert_true(steer_folder_write(&folder, "status.json", old));
    scratch_limit_files(4);
    for (int n = 0; n < 100; n++) {
        steer_lines_add(&lines, json_pack("{s:i}", "number", n));
        steer_lines_flush(&lines, &folder);
    }
    assert_false(steer_folder_write(&folder, "status.json", new));
    assert_true(folder.has_said);
    scratch_limit_files(0);
    char *text = read_text(&folder, "status.json");
    assert_non_null(strstr(text, "old"));
    free(text);
    steer_lines_flush(&lines, &folder);
    assert_int_equal(lines.used, 0);
    text = read_text(&folder, "log.jsonl");
    const char *at = text;
    for (int n = 0; n < 100; n++) {
        char line[32];
        snprintf(line, sizeof line, "{\"number\":%d}\n", n);
        assert_int_equal(strncmp(at, line, strlen(line)), 0);
        at += strlen(line);
    }
    assert_true(*at == '\0');
    free(text);
    steer_lines_clear(&lines);
    json_decref(old);
    json_decref(new);
}

static void lines_that_wait_are_bounded(void **state)
{
    (void)state;
    steer_folder folder = {.path = "/dev/null/nowhere", .has_said = true};
    steer_lines lines = {.name = "log.jsonl"};
    for (int n = 0; n < 200000; n++) {
        steer_lines_add(&lines, json_pack("{s:i}", "number", n));
    }
    steer_lines_flush(&lines, &folder);
    assert_true(lines.used > 1000000 && lines.capacity <= 2 * (1 << 20));
    steer_lines_clear(&lines);
}

static void a_removed_folder_is_made_again(void **state)
{
    (void)state;
    steer_folder folder = make_folder();
    char path[STEER_MAX_PATH], moved[STEER_MAX_PATH];
    snprintf(moved, sizeof moved, "%s-moved", folder.path);
    assert_int_equal(rename(folder.path, moved), 0);
    json_t *json = json_pack("{s:i}", "a", 1);
    assert_true(steer_folder_write(&folder, "answers/x.json", json));
    assert_true(steer_path_join(folder.path, "orders", path));
    assert_int_equal(access(path, W_OK), 0);
    json_decref(json);
}

static void reads_end(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size;
    const char *path = scratch_path("file");
    scratch_write(path, "12345", 5);
    assert_int_equal(steer_file_read(path, 5, &text, &size), STATUS_OK);
    assert_string_equal(text, "12345");
    free(text);
    assert_int_equal(steer_file_read(path, 4, &text, &size), STATUS_INPUT);
    assert_int_equal(mkfifo(scratch_path("pipe"), 0600), 0);
    assert_int_equal(steer_file_read(scratch_path("pipe"), 4, &text, &size),
                     STATUS_INPUT);
    assert_int_equal(steer_file_read(scratch_path(""), 4, &text, &size), STATUS_INPUT);
    assert_int_equal(steer_file_read("/dev/zero", 4, &text, &size), STATUS_INPUT);
}

static void the_dead_are_told_from_the_living(void **state)
{
    (void)state;
    json_t *here = steer_alive_describe();
    json_t *last = json_pack("{s:s, s:f}", "state", "running", "updated", steer_now());
    assert_true(steer_alive_check(here, last));
    assert_true(steer_alive_check(here, NULL));
    assert_false(steer_alive_check(NULL, last));
    json_object_set_new(last, "state", json_string("finished"));
    assert_false(steer_alive_check(here, last));
    json_object_set_new(last, "state", json_string("halted"));
    /* A later process that got the same number. */
    json_int_t start = json_integer_value(json_object_get(here, "process_start"));
    json_object_set_new(here, "process_start", json_integer(start + 1));
    assert_false(steer_alive_check(here, last));
    json_object_set_new(here, "process_start", json_integer(start));
    json_object_set_new(here, "pid", json_integer(999999999));
    assert_false(steer_alive_check(here, last));
    /* Numbers that are ours, or everybody's, where they are kept in 32 bits. */
    json_object_set_new(here, "pid", json_integer(((json_int_t)1 << 32) + getpid()));
    assert_false(steer_alive_check(here, last));
    json_object_set_new(here, "pid", json_integer(((json_int_t)1 << 32) - 1));
    assert_false(steer_alive_check(here, last));
    /* A child that has ended, while its parent does not ask for its exit code. */
    const pid_t child = fork();
    if (child == 0) {
        _exit(0);
    }
    siginfo_t about;
    assert_int_equal(waitid(P_PID, (id_t)child, &about, WEXITED | WNOWAIT), 0);
    json_object_set_new(here, "pid", json_integer(child));
    json_object_set_new(here, "process_start", json_integer(0));
    assert_false(steer_alive_check(here, last));
    assert_int_equal(waitpid(child, NULL, 0), child);
    /* On another host only its signs of life count. */
    json_object_set_new(here, "host", json_string("somewhere-else"));
    assert_true(steer_alive_check(here, last));
    json_object_set_new(last, "updated", json_real(steer_now() - STEER_SILENCE - 1.0));
    assert_false(steer_alive_check(here, last));
    json_decref(here);
    json_decref(last);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(lines_are_appended, scratch_setup,
                                        scratch_teardown),
        cmocka_unit_test_setup_teardown(a_line_cut_short_gets_an_end, scratch_setup,
                                        scratch_teardown),
        cmocka_unit_test_setup_teardown(a_full_disk_only_delays, scratch_setup,
                                        scratch_teardown),
        cmocka_unit_test(lines_that_wait_are_bounded),
        cmocka_unit_test_setup_teardown(a_removed_folder_is_made_again, scratch_setup,
                                        scratch_teardown),
        cmocka_unit_test_setup_teardown(reads_end, scratch_setup, scratch_teardown),
        cmocka_unit_test(the_dead_are_told_from_the_living),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
