/* The timings file, on one rank; tests/mpi/test_output_ranks.c has several. */
#include "io/json/json.h"
#include "io/timings/timings.h"
#include "support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const io_frame_times times = {
    .stages = {[IO_STAGE_LOAD] = {100.0, 0.25, 0.2, 0.0},
               [IO_STAGE_RENDER] = {100.25, 2.0, 7.5, 0.0},
               [IO_STAGE_COMPOSITE] = {102.25, 0.5, 0.4, 0.1},
               [IO_STAGE_FINISH] = {102.75, 0.125, 0.12, 0.0},
               [IO_STAGE_WRITE] = {102.875, 0.0, 0.0, 0.0}},
    .total = 3.0};
static const io_frame_counts counts = {.rays = 100,
                                       .crossings = 8000,
                                       .lost_rays = 3,
                                       .nan_cells = 2,
                                       .active_pixels = 90,
                                       .messages_sent = 7,
                                       .bytes_sent = (int64_t)1 << 40,
                                       .bytes_shared = 5,
                                       .bricks_held = 12,
                                       .bricks_loaded = 6,
                                       .cells_held = 500,
                                       .peak_memory = (int64_t)3 << 30,
                                       .kept_bytes = 700,
                                       .active = {10, 20, 30, 45},
                                       .threads = 4};

/* Two frames, written and read back. */
static json_t *write_and_read(const char *path)
{
    io_timings *timings;
    assert_int_equal(io_timings_create(MPI_COMM_WORLD, "1.2.3", "wake.yaml", &timings),
                     STATUS_OK);
    assert_int_equal(io_timings_add(timings, 7, 1.75, "out/a.png", &times, &counts),
                     STATUS_OK);
    assert_int_equal(io_timings_add(timings, 8, NAN, NULL, &times, &counts), STATUS_OK);
    assert_int_equal(io_timings_write(timings, path), STATUS_OK);
    io_timings_destroy(&timings);
    assert_null(timings);
    json_error_t error;
    json_t *all = json_load_file(path, 0, &error);
    if (!all) {
        fail_msg("expected JSON, but line %d: %s", error.line, error.text);
    }
    return all;
}

/* A number deep inside: the path's names are separated by dots. */
static double number_at(const json_t *from, const char *path)
{
    char name[64];
    for (const char *at = path; *at;) {
        size_t length = strcspn(at, ".");
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        from = json_object_get(from, name);
        at += length + (at[length] == '.');
    }
    if (!json_is_number(from)) {
        fail_msg("expected a number at %s", path);
    }
    return json_number_value(from);
}

static void expect_number(const json_t *from, const char *path, double expected)
{
    double value = number_at(from, path);
    if (!(fabs(value - expected) <= 1e-8 * fabs(expected))) {
        fail_msg("expected %s to be %.17g, got %.17g", path, expected, value);
    }
}

static void the_head_says_what_ran_where(void **state)
{
    (void)state;
    json_t *all = write_and_read(scratch_path("out/t.json"));
    assert_string_equal(json_string_value(json_object_get(all, "version")), "1.2.3");
    assert_string_equal(json_string_value(json_object_get(all, "config")), "wake.yaml");
    assert_true(json_is_string(json_object_get(all, "host")));
    expect_number(all, "ranks", 1);
    expect_number(all, "threads", 4);
    assert_int_equal(scratch_count(), 1);
    json_decref(all);
}

static void a_frame_has_its_stages_and_counts(void **state)
{
    (void)state;
    json_t *all = write_and_read(scratch_path("t.json"));
    json_t *frames = json_object_get(all, "frames");
    assert_int_equal(json_array_size(frames), 2);
    json_t *frame = json_array_get(frames, 0);
    expect_number(frame, "step", 7);
    expect_number(frame, "time", 1.75);
    assert_string_equal(json_string_value(json_object_get(frame, "picture")),
                        "out/a.png");
    expect_number(frame, "seconds.render.min", 2.0);
    expect_number(frame, "seconds.composite.mean", 0.5);
    expect_number(frame, "seconds.load.max", 0.25);
    expect_number(frame, "seconds.total.imbalance", 1.0);
    expect_number(frame, "seconds.write.imbalance", 1.0);
    expect_number(frame, "crossings", 8000);
    expect_number(frame, "lost_rays", 3);
    expect_number(frame, "nan_cells", 2);
    expect_number(frame, "bytes_sent", 1099511627776.0);
    expect_number(frame, "bytes_shared", 5);
    expect_number(frame, "messages_sent", 7);
    expect_number(frame, "crossings_per_second_and_core", 8000 / (2.0 * 4));
    expect_number(frame, "peak_memory.max", 3221225472.0);
    expect_number(frame, "kept_bytes.mean", 700);
    expect_number(frame, "bricks_held", 12);
    expect_number(frame, "bricks_loaded", 6);
    expect_number(frame, "cells_held.mean", 500);
    json_decref(all);
}

static double of_rank(const json_t *frame, const char *part, const char *name)
{
    const json_t *values = json_object_get(frame, "ranks");
    values = part ? json_object_get(values, part) : values;
    values = json_object_get(values, name);
    assert_int_equal(json_array_size(values), 1);
    return json_number_value(json_array_get(values, 0));
}

static void expect_close(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-9)) {
        fail_msg("expected %.17g, got %.17g", expected, value);
    }
}

static void a_frame_has_the_times_and_counts_of_every_rank(void **state)
{
    (void)state;
    json_t *all = write_and_read(scratch_path("t.json"));
    json_t *frame = json_array_get(json_object_get(all, "frames"), 1);
    expect_close(of_rank(frame, "begin", "load"), 0.0);
    expect_close(of_rank(frame, "begin", "finish"), 2.75);
    expect_close(of_rank(frame, "wall", "render"), 2.0);
    expect_close(of_rank(frame, "cpu", "render"), 7.5);
    expect_close(of_rank(frame, "waited", "composite"), 0.1);
    expect_close(of_rank(frame, NULL, "crossings"), 8000);
    expect_close(of_rank(frame, NULL, "peak_memory"), 3221225472.0);
    expect_close(of_rank(frame, NULL, "active_x0"), 10);
    expect_close(of_rank(frame, NULL, "active_y0"), 20);
    expect_close(of_rank(frame, NULL, "active_x1"), 30);
    expect_close(of_rank(frame, NULL, "active_y1"), 45);
    expect_number(frame, "begin", 0.0);
    expect_number(all, "nodes", 1);
    assert_true(number_at(all, "cores") >= 1);
    json_decref(all);
}

static void arrays_of_numbers_take_one_line(void **state)
{
    (void)state;
    char text[] = "{\n \"a[\\\" b\": [\n  1,\n  -2.5e3\n ],\n \"c\": [\n  \"d e\",\n  "
                  "[\n   3\n  ]\n ], \"f\": [ ]\n}";
    const char *folded =
        "{\n \"a[\\\" b\": [1,-2.5e3],\n \"c\": [\n  \"d e\",\n  [3]\n ], "
        "\"f\": []\n}";
    size_t length = io_json_fold_lines(text);
    assert_string_equal(text, folded);
    assert_int_equal(length, strlen(folded));
}

static void what_json_cannot_say_is_null(void **state)
{
    (void)state;
    json_t *all = write_and_read(scratch_path("t.json"));
    json_t *frame = json_array_get(json_object_get(all, "frames"), 1);
    assert_true(json_is_null(json_object_get(frame, "time")));
    assert_true(json_is_null(json_object_get(frame, "picture")));
    json_decref(all);
}

static void the_total_sums_all_frames(void **state)
{
    (void)state;
    json_t *all = write_and_read(scratch_path("t.json"));
    expect_number(all, "total.frames", 2);
    expect_number(all, "total.seconds.render", 4.0);
    expect_number(all, "total.crossings", 16000);
    expect_number(all, "total.crossings_per_second_and_core", 1000);
    expect_number(all, "total.peak_memory", 3221225472.0);
    json_decref(all);
}

static void without_any_frame_the_file_is_still_whole(void **state)
{
    (void)state;
    const char *path = scratch_path("t.json");
    io_timings *timings;
    assert_int_equal(io_timings_create(MPI_COMM_WORLD, "1", "c", &timings), STATUS_OK);
    assert_int_equal(io_timings_write(timings, path), STATUS_OK);
    io_timings_destroy(&timings);
    json_t *all = json_load_file(path, 0, NULL);
    expect_number(all, "total.frames", 0);
    expect_number(all, "total.crossings_per_second_and_core", 0);
    json_decref(all);
}

static void a_file_that_cannot_be_written_is_reported(void **state)
{
    (void)state;
    io_timings *timings;
    assert_int_equal(io_timings_create(MPI_COMM_WORLD, "1", "c", &timings), STATUS_OK);
    scratch_write(scratch_path("file"), "x", 1);
    assert_int_equal(io_timings_write(timings, scratch_path("file/t.json")),
                     STATUS_OUTPUT);
    assert_non_null(strstr(base_fail_message(), "file/t.json"));
    scratch_limit_files(50);
    status s = io_timings_write(timings, scratch_path("t.json"));
    scratch_limit_files(0);
    assert_int_equal(s, STATUS_OUTPUT);
    assert_int_equal(scratch_count(), 1);
    io_timings_destroy(&timings);
    io_timings_destroy(&timings);
}

#define SCRATCH_TEST(test)                                                               \
    cmocka_unit_test_setup_teardown(test, scratch_setup, scratch_teardown)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(the_head_says_what_ran_where),
        SCRATCH_TEST(a_frame_has_its_stages_and_counts),
        SCRATCH_TEST(a_frame_has_the_times_and_counts_of_every_rank),
        cmocka_unit_test(arrays_of_numbers_take_one_line),
        SCRATCH_TEST(what_json_cannot_say_is_null),
        SCRATCH_TEST(the_total_sums_all_frames),
        SCRATCH_TEST(without_any_frame_the_file_is_still_whole),
        SCRATCH_TEST(a_file_that_cannot_be_written_is_reported),
    };
    MPI_Init(&argc, &argv);
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    MPI_Finalize();
    return failures;
}
