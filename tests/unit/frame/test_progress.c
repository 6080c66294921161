/* Progress lines of a run: its first line, a line a frame, the time left. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "frame/progress.h"
#include "frame/summary.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

/* ---- The first line ---------------------------------------------------------------- */

static void expect_summary(const frame_summary *summary, const char *expected)
{
    char text[APP_SUMMARY_TEXT];
    frame_summary_write(summary, text);
    assert_string_equal(text, expected);
}

static const frame_summary wake = {.data = "wake.h5",
                                   .blocks = 1,
                                   .cells = 384000,
                                   .steps = 20,
                                   .ranks = 4,
                                   .nodes = 1,
                                   .least_threads = 1,
                                   .most_threads = 1,
                                   .width = 1024,
                                   .height = 768,
                                   .frames = 20,
                                   .pictures = "out/wake_%04d.png"};

static void the_first_line_says_what_will_happen(void **state)
{
    (void)state;
    expect_summary(&wake, "wake.h5: 1 block, 384,000 cells, 20 steps; 4 ranks x 1 thread "
                          "on 1 node; 1024 x 768 pixels, 20 frames to out/wake_%04d.png");
}

static void numbers_of_one_and_of_many_read_well(void **state)
{
    (void)state;
    frame_summary summary = wake;
    summary.blocks = 12;
    summary.cells = INT64_C(1234567890);
    summary.steps = 1;
    summary.ranks = 1;
    summary.nodes = 2;
    summary.least_threads = 8;
    summary.most_threads = 16;
    summary.frames = 1;
    summary.pictures = "a.png";
    expect_summary(&summary, "wake.h5: 12 blocks, 1,234,567,890 cells, 1 step; 1 rank x "
                             "8 to 16 threads on 2 nodes; 1024 x 768 pixels, 1 frame to "
                             "a.png");
    summary.cells = 999;
    summary.frames = 0;
    summary.pictures = "f_%d.png";
    expect_summary(&summary, "wake.h5: 12 blocks, 999 cells, 1 step; 1 rank x 8 to 16 "
                             "threads on 2 nodes; 1024 x 768 pixels, frames to f_%d.png "
                             "as data appear");
}

static void a_long_first_line_is_cut_off(void **state)
{
    (void)state;
    char path[2 * APP_SUMMARY_TEXT], text[APP_SUMMARY_TEXT];
    memset(path, 'x', sizeof path);
    path[sizeof path - 1] = '\0';
    frame_summary summary = wake;
    summary.data = summary.pictures = path;
    frame_summary_write(&summary, text);
    assert_int_equal(strlen(text), APP_SUMMARY_TEXT - 1);
}

/* ---- Frames ------------------------------------------------------------------------ */

/* The text printed for `count` frames, malloc'ed. seconds: of each frame, below 0 if it
 * was complete. The last line tells a time, and is left out. */
static char *print_frames(int frames, int count, const double *seconds)
{
    char *text = NULL;
    size_t size = 0;
    frame_progress progress = frame_progress_begin(frames);
    progress.is_terminal = false;
    progress.stream = open_memstream(&text, &size);
    assert_non_null(progress.stream);
    for (int n = 0; n < count; n++) {
        const frame_result frame = {.step = 10 * (n + 1),
                                    .time = 1.5 * n,
                                    .picture = "out/a.png",
                                    .was_complete = seconds[n] < 0.0,
                                    .crossings = 1000000,
                                    .seconds = seconds[n] < 0.0 ? 0.0 : seconds[n]};
        frame_progress_frame(&progress, &frame);
    }
    fclose(progress.stream);
    return text;
}

static void expect_frames(int frames, int count, const double *seconds,
                          const char *expected)
{
    char *text = print_frames(frames, count, seconds);
    assert_string_equal(text, expected);
    free(text);
}

static void a_line_a_frame_tells_the_time_left(void **state)
{
    (void)state;
    static const double seconds[] = {0.9, 0.3, 0.31};
    expect_frames(20, 3, seconds,
                  "frame 1/20: step 10, time 0, 0.90 s, 17 s left, out/a.png\n"
                  "frame 2/20: step 20, time 1.5, 0.30 s, 11 s left, out/a.png\n"
                  "frame 3/20: step 30, time 3, 0.31 s, 5 s left, out/a.png\n");
}

static void frames_that_were_complete_say_nothing_of_the_time_left(void **state)
{
    (void)state;
    static const double seconds[] = {-1.0, -1.0, 2.0, 2.0};
    expect_frames(4, 4, seconds,
                  "frame 1/4: step 10, out/a.png is complete\n"
                  "frame 2/4: step 20, out/a.png is complete\n"
                  "frame 3/4: step 30, time 3, 2.00 s, 2 s left, out/a.png\n"
                  "frame 4/4: step 40, time 4.5, 2.00 s, out/a.png\n");
}

static void frames_without_end_have_no_time_left(void **state)
{
    (void)state;
    static const double seconds[] = {0.0123, 0.5};
    expect_frames(0, 2, seconds,
                  "frame 1: step 10, time 0, 0.012 s, out/a.png\n"
                  "frame 2: step 20, time 1.5, 0.50 s, out/a.png\n");
}

/* The last frames alone count, however long the first one took. */
static void the_time_left_follows_the_last_frames(void **state)
{
    (void)state;
    frame_progress progress = frame_progress_begin(200);
    assert_true(frame_progress_left(&progress) < 0.0);
    for (int n = 0; n < 100; n++) {
        progress.done++;
        progress.recent[progress.drawn++ % APP_PROGRESS_RECENT] = n < 60 ? 9.0 : 2.0;
    }
    assert_float_equal(frame_progress_left(&progress), 200.0, 1e-9);
}

static void durations_have_few_digits(void **state)
{
    (void)state;
    static const struct {
        double seconds;
        const char *text;
    } cases[] = {{0.2, "0 s"},      {5.4, "5 s"},       {99.0, "99 s"},
                 {720.0, "12 min"}, {5940.0, "99 min"}, {11520.0, "3.2 h"}};
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        char text[APP_PROGRESS_DURATION];
        frame_progress_duration(cases[n].seconds, text);
        assert_string_equal(text, cases[n].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_line_says_what_will_happen),
        cmocka_unit_test(numbers_of_one_and_of_many_read_well),
        cmocka_unit_test(a_long_first_line_is_cut_off),
        cmocka_unit_test(a_line_a_frame_tells_the_time_left),
        cmocka_unit_test(frames_that_were_complete_say_nothing_of_the_time_left),
        cmocka_unit_test(frames_without_end_have_no_time_left),
        cmocka_unit_test(the_time_left_follows_the_last_frames),
        cmocka_unit_test(durations_have_few_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
