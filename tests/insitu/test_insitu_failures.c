/*
 * What a program hears of failures, and how it gets its pictures back.
 *
 *   test_insitu_failures OUT_FOLDER
 */
#include "app/karman.h"
#include "base/parallel.h"
#include "steer/client.h"

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
    snprintf(path, sizeof path, "%s/errors-%d", out, rank);
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

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    rank = parallel_rank(MPI_COMM_WORLD);
    ranks = parallel_size(MPI_COMM_WORLD);
    out = argc > 1 ? argv[1] : ".";
    static void (*const tests[])(void) = {test_opening_fails, test_parameter_fails};
    for (size_t n = 0; n < sizeof tests / sizeof tests[0]; n++) {
        tests[n]();
        MPI_Barrier(MPI_COMM_WORLD);
    }
    int all = 0;
    parallel_allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return all > 0;
}
