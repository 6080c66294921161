/*
 * What a program hears of failures, and how it gets its pictures back.
 *
 *   test_insitu_failures OUT_FOLDER
 */
#include "base/parallel/parallel.h"
#include "library/karman.h"
#include "run/steer/client.h"
#include "support/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { N = 6, PLANE = N * N, TEXT = 1 << 16 };

static const char *out;
static int rank, ranks, failures;
static double x[PLANE * N], y[PLANE * N], z[PLANE * N], u[PLANE * N];

static void expect(bool works, const char *what)
{
    if (!works) {
        failures++;
        printf("rank %d: %s (%s)\n", rank, what, karman_message());
    }
}

/* ---- Standard error ---------------------------------------------------------------- */

static int error_before = -1;
static char heard[TEXT];

/* From here on what this rank says on standard error is kept. */
static void listen_to_errors(void)
{
    char path[1100];
    snprintf(path, sizeof path, "%s/errors-%d-%d", out, ranks, rank);
    fflush(stderr);
    error_before = dup(STDERR_FILENO);
    FILE *file = freopen(path, "w+", stderr);
    expect(file != NULL, "a file for standard error");
}

/* What it was, in `heard`; returns how many warnings. */
static int stop_listening(void)
{
    fflush(stderr);
    rewind(stderr);
    heard[fread(heard, 1, sizeof heard - 1, stderr)] = '\0';
    dup2(error_before, STDERR_FILENO);
    close(error_before);
    int count = 0;
    for (const char *at = heard; (at = strstr(at, "karman: warning")); at++) {
        count++;
    }
    return count;
}

/* ---- A program --------------------------------------------------------------------- */

static const char *run_of(const char *name)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s/%s-%d", out, name, ranks);
    return path;
}

/* `more` is what the config says beside camera, layers and in_situ's run. */
static karman_session *open_session(const char *name, const char *more)
{
    char text[4096];
    karman_session *session = NULL;
    snprintf(text, sizeof text,
             "image: {width: 16, height: 12}\n"
             "camera: {position: [20, -12, 9], look_at: [2, 2, 4]}\n"
             "layers: [{volume: {field: u, range: [0, 20], opacity: [[0, 0.5], [1, "
             "0.9]]}}]\n"
             "in_situ:\n  run: '%s'\n%s",
             run_of(name), more);
    expect(karman_open_text(MPI_COMM_WORLD, text, NULL, &session) == KARMAN_DONE,
           "opening");
    return session;
}

static void describe(karman_session *session)
{
    const int first = (N - 1) * rank;
    for (int at = 0; at < PLANE * N; at++) {
        x[at] = at % N;
        y[at] = at / N % N;
        z[at] = first + at / PLANE;
        u[at] = x[at] + y[at];
    }
    const karman_block block = {.name = "b",
                                .size = {N, N, (N - 1) * ranks + 1},
                                .first = {0, 0, first},
                                .count = {N, N, N},
                                .x = {.data = x, .type = KARMAN_FLOAT64},
                                .y = {.data = y, .type = KARMAN_FLOAT64},
                                .z = {.data = z, .type = KARMAN_FLOAT64}};
    const karman_array field = {.data = u, .type = KARMAN_FLOAT64};
    expect(karman_set_block(session, 0, &block) == KARMAN_DONE, "a block");
    expect(karman_set_field(session, 0, "u", KARMAN_VERTEX, &field) == KARMAN_DONE,
           "a field");
}

/* ---- Calls whose code nobody looks at ---------------------------------------------- */

/* One warning, which says why, on one rank. */
static void expect_one_warning(const char *part)
{
    const int count = stop_listening();
    expect(count == (rank == 0), "one warning, on rank 0");
    expect(rank != 0 || strstr(heard, part), part);
}

static void test_opening_fails(void)
{
    karman_session *session = NULL;
    listen_to_errors();
    karman_open_text(MPI_COMM_WORLD, "image: {widht: 3}", NULL, &session);
    expect_one_warning("widht");
    listen_to_errors();
    karman_open(MPI_COMM_WORLD, "/nowhere/pictures.yaml", NULL, &session);
    expect_one_warning("/nowhere/pictures.yaml");
    expect(session == NULL, "no session");
}

static void test_parameter_fails(void)
{
    double value = 2.0;
    karman_session *session = open_session("parameter", "");
    describe(session);
    listen_to_errors();
    karman_parameter(session, "cfl", &value, 0.0, 1.0, "beyond its limits");
    expect_one_warning("cfl");
    karman_close(&session);
}

/* ---- Pictures that fail ------------------------------------------------------------ */

/* A file stands where the pictures go to, or their folder again: so root, too, cannot
 * write them. */
static void block_pictures(const char *name, bool blocks)
{
    char frames[1100], moved[1100];
    snprintf(frames, sizeof frames, "%s/frames", run_of(name));
    snprintf(moved, sizeof moved, "%s/frames.moved", run_of(name));
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0 && blocks) {
        expect(rename(frames, moved) == 0, "moving the folder");
        FILE *file = fopen(frames, "w");
        expect(file && fclose(file) == 0, "a file in its place");
    } else if (rank == 0) {
        expect(unlink(frames) == 0 && rename(moved, frames) == 0, "the folder again");
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static bool has_frame(const char *name, const char *picture, int step)
{
    char path[1200];
    snprintf(path, sizeof path, "%s/frames/%s_%06d.png", run_of(name), picture, step);
    return access(path, R_OK) == 0;
}

static int render(karman_session *session, int step)
{
    const int code = karman_render(session, step, 0.1 * step);
    int least, most;
    MPI_Allreduce(&code, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(&code, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    expect(least == most, "ranks hear different things");
    return code;
}

static void nap(void)
{
    nanosleep(&(struct timespec){0, 10 * 1000 * 1000}, NULL);
}

/* Steps on until karman_render returns `code`, however long it takes, as pauses end by
 * the clock; no code but these two comes. Returns the next step. */
static int go_on_until(karman_session *session, int step, int code, int other)
{
    for (;; nap()) {
        const int now = render(session, step++);
        if (now == code) {
            return step;
        }
        expect(now == other, "a code between");
    }
}

/* The message of status.json, once it holds `part`. */
static void expect_message(karman_session *session, const char *name, const char *part)
{
    int has = 0;
    json_t *state = NULL;
    karman_poll_steering(session, 0, 0.0);
    nanosleep(&(struct timespec){0, 250 * 1000 * 1000}, NULL); /* between two versions */
    karman_poll_steering(session, 1, 0.0);
    if (rank == 0 && steer_read_json(run_of(name), "status.json", &state) == STATUS_OK) {
        const char *message = json_string_value(json_object_get(state, "message"));
        has = message && strstr(message, part);
        expect(has, message ? message : "no message");
    }
    json_decref(state);
}

/* The disk is full for a while: afterwards pictures are drawn again, and all that the
 * user hears are two sentences. */
static void test_pictures_come_back(void)
{
    karman_session *session = open_session("back", "  every: 1\n");
    describe(session);
    int step = 0;
    listen_to_errors();
    expect(render(session, step++) == KARMAN_DONE, "the first picture");
    block_pictures("back", true);
    for (int n = 0; n < 3; n++) {
        expect(render(session, step++) == KARMAN_FAILED, "a picture that has no place");
    }
    step = go_on_until(session, step, KARMAN_OFF, KARMAN_FAILED);
    expect_message(session, "back", "cannot be drawn");
    block_pictures("back", false);
    step = go_on_until(session, step, KARMAN_DONE, KARMAN_OFF);
    expect_message(session, "back", "drawn again");
    expect(render(session, step++) == KARMAN_DONE, "the picture behind it");
    expect(stop_listening() == 2 * (rank == 0), "two warnings");
    char missing[64];
    snprintf(missing, sizeof missing, "step %d on; %d of it are missing", step - 2,
             step - 3);
    expect(rank != 0 || strstr(heard, missing), missing);
    expect(has_frame("back", "frame", step - 2) && has_frame("back", "frame", step - 1),
           "pictures");
    karman_close(&session);
}

/* One picture that fails does not keep others from being drawn. */
static void test_others_go_on(void)
{
    char more[2048];
    snprintf(more, sizeof more,
             "  pictures:\n    - {name: good}\n"
             "    - {name: bad, output: {frames: '%s/nowhere/%%06d.png'}}\n",
             run_of("others"));
    char path[1100];
    karman_session *session = open_session("others", more);
    describe(session);
    snprintf(path, sizeof path, "%s/nowhere", run_of("others"));
    if (rank == 0) {
        test_file_write(path, "a file in the way");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    int step = go_on_until(session, 0, KARMAN_DONE, KARMAN_FAILED);
    for (int n = 0; n < step; n++) {
        expect(has_frame("others", "good", n), "the good picture");
    }
    karman_close(&session);
}

/* ---- Orders ------------------------------------------------------------------------ */

/* Sends an order and polls until it is answered: whether it was accepted; the answer
 * holds `part`. */
static bool give_order(karman_session *session, const char *name, int step,
                       const char *text, const char *part)
{
    static int number;
    char order[1200], answer[64];
    int state = -1;
    snprintf(order, sizeof order, "%s/orders/%d.json", run_of(name), ++number);
    snprintf(answer, sizeof answer, "answers/%d.json", number);
    if (rank == 0) {
        test_file_put(order, text);
    }
    for (; state < 0; nap()) {
        json_t *json = NULL;
        karman_poll_steering(session, step, 0.1 * step);
        if (rank == 0 && steer_read_json(run_of(name), answer, &json) == STATUS_OK) {
            state = json_is_true(json_object_get(json, "accepted"));
            const char *said = json_string_value(json_object_get(json, "message"));
            expect(said && strstr(said, part), said ? said : "no answer");
        }
        base_fail_set_message("");
        json_decref(json);
        MPI_Bcast(&state, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    return state == 1;
}

static const char redraw[] = "{\"order\": \"redraw\"}";

/* Whoever asks for a picture hears whether there is one, and gets it in a pause, too. */
static void test_redraw_tells_the_truth(void)
{
    karman_session *session = open_session("redraw", "  every: 1\n");
    describe(session);
    expect(!give_order(session, "redraw", 0, redraw, "nothing to draw yet"), "no step");
    int step = 0;
    expect(render(session, step++) == KARMAN_DONE, "the first picture");
    block_pictures("redraw", true);
    step = go_on_until(session, step, KARMAN_OFF, KARMAN_FAILED);
    expect(!give_order(session, "redraw", step, redraw, "frame_00"), "a full disk");
    block_pictures("redraw", false);
    expect(give_order(session, "redraw", step, redraw, "drawn"), "a disk with room");
    expect(has_frame("redraw", "frame", step), "the picture that was asked for");
    expect(render(session, ++step) == KARMAN_DONE, "the pause is over");
    karman_close(&session);
}

/* An order that changes the picture ends its pause. The value has to be another one. */
static void test_set_tries_at_once(void)
{
    static const char text[] =
        "{\"order\": \"set\", \"name\": \"camera.fov\", \"value\": 33}";
    karman_session *session = open_session("set", "  every: 1\n");
    describe(session);
    expect(render(session, 0) == KARMAN_DONE, "the first picture");
    block_pictures("set", true);
    int step = go_on_until(session, 1, KARMAN_OFF, KARMAN_FAILED);
    block_pictures("set", false);
    give_order(session, "set", step, text, "camera.fov is 33");
    expect(render(session, step) == KARMAN_DONE, "the pause is over");
    karman_close(&session);
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    rank = parallel_rank(MPI_COMM_WORLD);
    ranks = parallel_size(MPI_COMM_WORLD);
    out = argc > 1 ? argv[1] : ".";
    static void (*const tests[])(void) = {
        test_opening_fails, test_parameter_fails,        test_pictures_come_back,
        test_others_go_on,  test_redraw_tells_the_truth, test_set_tries_at_once};
    for (size_t n = 0; n < sizeof tests / sizeof tests[0]; n++) {
        tests[n]();
        MPI_Barrier(MPI_COMM_WORLD);
    }
    int all = 0;
    parallel_allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return all > 0;
}
