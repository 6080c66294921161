/*
 * Programs that trap floating-point exceptions, round in another direction, have raised
 * flags or lose denormal numbers: their pictures are those of a plain program, and each
 * of their threads has after every call what it had before.
 *
 *   test_insitu_floats OUT_FOLDER
 */
#define _GNU_SOURCE /* feenableexcept */
#include "library/karman.h"
#include "picture_difference.h"
#include "support/file.h"

#include <fenv.h>
#include <float.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __SSE__
#include <xmmintrin.h>
#endif

enum { N = 18, PLANE = N * N, STEPS = 2, THREADS = 3 };

static const char *out;
static int rank, ranks, failures;
static float x[PLANE * N], y[PLANE * N], z[PLANE * N], u[PLANE * N], tiny[PLANE * N];

static void expect(bool works, const char *what, const char *where)
{
    if (!works) {
        failures++;
        printf("rank %d: %s: %s (%s)\n", rank, where, what, karman_message());
    }
}

/* ---- Environments ------------------------------------------------------------------ */

/* What a thread has. */
typedef struct floats {
    int round, flags, traps;
    bool flushes; /* denormal results are zero */
} floats;

/* How programs may set theirs up. */
static const struct {
    const char *name;
    floats of;
} programs[] = {
    {"plain", {FE_TONEAREST, 0, 0, false}},
    {"traps", {FE_TONEAREST, 0, FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW, false}},
    {"rounds", {FE_UPWARD, FE_INEXACT | FE_DIVBYZERO, 0, false}},
    {"flushes", {FE_TOWARDZERO, FE_UNDERFLOW, FE_INVALID, true}}};
enum { PROGRAMS = sizeof programs / sizeof programs[0] };

static int traps_of_thread(void)
{
#ifdef __GLIBC__
    return fegetexcept();
#else
    return 0;
#endif
}

static floats get_floats(void)
{
    floats now = {fegetround(), fetestexcept(FE_ALL_EXCEPT), traps_of_thread(), false};
#ifdef __SSE__
    now.flushes = (_mm_getcsr() & 0x8040) != 0;
#endif
    return now;
}

static void set_floats(const floats *wanted)
{
    fesetenv(FE_DFL_ENV);
    feraiseexcept(wanted->flags); /* before it may trap */
    fesetround(wanted->round);
#ifdef __GLIBC__
    feenableexcept(wanted->traps);
#endif
#ifdef __SSE__
    _mm_setcsr(wanted->flushes ? _mm_getcsr() | 0x8040 : _mm_getcsr());
#endif
}

static bool same_floats_of(const floats *a, const floats *b)
{
    return a->round == b->round && a->flags == b->flags && a->traps == b->traps &&
           a->flushes == b->flushes;
}

/* What this thread and those of OpenMP should have. */
static floats mine, theirs;

/* Sets up the calling thread and, where there are to be some already, OpenMP's. */
static void become(const floats *own, const floats *workers)
{
    set_floats(own);
    mine = get_floats(); /* what the machine can do of it */
    theirs = mine;
    if (workers) {
#pragma omp parallel num_threads(THREADS)
        if (omp_get_thread_num() > 0) {
            set_floats(workers);
        }
/* clang's OpenMP gives its threads the caller's rounding and traps in each region. */
#pragma omp parallel num_threads(THREADS)
        if (omp_get_thread_num() == 1) {
            theirs = get_floats();
        }
    }
}

static void expect_own(const char *call)
{
    const floats now = get_floats();
    expect(same_floats_of(&now, &mine), "the calling thread's environment differs", call);
}

static void expect_workers(const char *call)
{
    int strange = 0;
#pragma omp parallel num_threads(THREADS) reduction(+ : strange)
    if (omp_get_thread_num() > 0) {
        const floats now = get_floats();
        strange += !same_floats_of(&now, &theirs);
    }
    expect(strange == 0, "the environment of OpenMP's threads differs", call);
}

/* ---- A program --------------------------------------------------------------------- */

/* A cube of planes [first, first + N), with what traps when somebody computes with it. */
static void fill(int first)
{
    for (int at = 0; at < PLANE * N; at++) {
        x[at] = (float)(at % N);
        y[at] = (float)(at / N % N);
        z[at] = (float)(first + at / PLANE);
        u[at] = at % 97 == 0 ? NAN : at % 89 == 0 ? INFINITY : x[at] * y[at] - z[at];
        tiny[at] = FLT_MIN / 1024.0f * x[at];
    }
}

static void describe(karman_session *session, const char *program)
{
    const int first = (N - 1) * rank;
    const karman_block block = {.name = "cube",
                                .size = {N, N, (N - 1) * ranks + 1},
                                .first = {0, 0, first},
                                .count = {N, N, N},
                                .x = {.data = x, .type = KARMAN_FLOAT32},
                                .y = {.data = y, .type = KARMAN_FLOAT32},
                                .z = {.data = z, .type = KARMAN_FLOAT32}};
    const karman_array of_u = {.data = u, .type = KARMAN_FLOAT32};
    const karman_array of_tiny = {.data = tiny, .type = KARMAN_FLOAT32};
    expect(karman_set_block(session, 0, &block) == KARMAN_DONE, "a block", program);
    expect_own("karman_set_block");
    karman_set_field(session, 0, "u", KARMAN_VERTEX, &of_u);
    karman_set_field(session, 0, "tiny", KARMAN_VERTEX, &of_tiny);
    expect_own("karman_set_field");
}

static void print_config(const char *name, const char *partition, size_t size, char *text)
{
    snprintf(text, size,
             "image: {width: 80, height: 60}\n"
             "camera: {position: [60, -50, 40], look_at: [8, 8, 8], fov: 40}\n"
             "layers:\n"
             "  - volume: {field: u, range: [-20, 250], opacity: [[0, 0.1], [0.5, 0], "
             "[1, 0.9]], shade: {}}\n"
             "  - isosurface: {field: tiny, value: 6.0e-41, color_by: u}\n"
             "  - contour: {field: u, k: 0, levels: 5}\n"
             "  - outline: {}\n"
             "partition: %s\n"
             "in_situ: {run: '%s/%s-%d', when: {field: u, above: -1e30}}\n",
             partition, out, name, ranks);
}

/* What karman_parameter_callback calls finds the program's environment, and may change
 * it. */
static int take_value(void *context, double value)
{
    expect_own("the program's function");
    feraiseexcept(FE_UNDERFLOW); /* traps in none of the programs */
    mine.flags = get_floats().flags;
    *(double *)context = value;
    return value > 5.0;
}

static void leave_orders(const char *name)
{
    static const char *const texts[] = {
        "{\"order\": \"set\", \"name\": \"limit\", \"value\": 6}",
        "{\"order\": \"redraw\"}",
        "{\"order\": \"set\", \"name\": \"limit\", \"value\": 2}"};
    for (int n = 0; n < 3 && rank == 0; n++) {
        char path[1100];
        snprintf(path, sizeof path, "%s/%s-%d/orders/%d.json", out, name, ranks, n);
        test_file_put(path, texts[n]);
    }
}

static void steer(karman_session *session, const char *name, const double *limit)
{
    leave_orders(name);
    while (*limit != 2.0) { /* the same on all ranks; ctest ends what hangs */
        nanosleep(&(struct timespec){0, 5 * 1000 * 1000}, NULL);
        karman_poll_steering(session, STEPS, 1.0);
        expect_own("karman_poll_steering");
    }
}

/* Calls that fail leave what they found, too. */
static void fail_calls(void)
{
    const karman_block flat = {.name = "flat", .size = {1, 2, 2}};
    const karman_options options = {.threads = THREADS, .quiet = true};
    char text[2048];
    karman_session *session = NULL;
    expect(karman_open_text(MPI_COMM_WORLD, "image: {width: 0}", NULL, &session) ==
               KARMAN_USAGE,
           "no failure", "a wrong config");
    expect_own("karman_open_text that fails");
    karman_render_config(MPI_COMM_WORLD, "/nowhere.yaml", &options);
    expect_own("karman_render_config that fails");
    print_config("fails", "object", sizeof text, text);
    karman_open_text(MPI_COMM_WORLD, text, &options, &session);
    karman_set_block(session, 0, &flat);
    expect(karman_render(session, 0, 0.0) == KARMAN_USAGE, "no failure", "a flat block");
    expect_own("karman_render that fails");
    karman_close(&session);
}

/* A program from its beginning to its end. */
static void run(const char *name, const char *partition, int threads)
{
    const karman_options options = {.threads = threads};
    karman_session *session = NULL;
    double limit = 1.0;
    char text[2048];
    print_config(name, partition, sizeof text, text);
    const int code = karman_open_text(MPI_COMM_WORLD, text, &options, &session);
    expect(code == KARMAN_DONE, "opening", name);
    if (code != KARMAN_DONE) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    expect_own("karman_open_text");
    describe(session, name);
    karman_parameter_callback(session, "limit", limit, 0.0, 9.0, "", take_value, &limit);
    expect_own("karman_parameter_callback");
    for (int step = 0; step < STEPS; step++) {
        expect(karman_render(session, step, 0.1 * step) == KARMAN_DONE, "a step", name);
        expect_own("karman_render");
        expect_workers("karman_render");
        karman_monitor(session, step, 0.1, 1, (const char *const[]){"limit"}, &limit);
        expect_own("karman_monitor");
    }
    steer(session, name, &limit);
    expect_workers("karman_poll_steering");
    expect(karman_close(&session) == KARMAN_DONE, "closing", name);
    expect_own("karman_close");
}

/* ---- All of them ------------------------------------------------------------------- */

static void compare(const char *name, const char *with)
{
    for (int step = 0; step < STEPS && rank == 0; step++) {
        char a[1100], b[1100];
        snprintf(a, sizeof a, "%s/%s-%d/frames/frame_%06d.png", out, name, ranks, step);
        snprintf(b, sizeof b, "%s/%s-%d/frames/frame_%06d.png", out, with, ranks, step);
        expect(same_pngs(a, b, 0, 0.02), "another picture", name);
    }
}

static void run_all(const char *partition)
{
    char first[64], name[64];
    snprintf(first, sizeof first, "%s-%s-1", partition, programs[0].name);
    for (int p = 0; p < PROGRAMS; p++) {
        for (int threads = 1; threads <= THREADS; threads += THREADS - 1) {
            snprintf(name, sizeof name, "%s-%s-%d", partition, programs[p].name, threads);
            become(&programs[p].of, &programs[(p + 1) % PROGRAMS].of);
            run(name, partition, threads);
            fail_calls();
            fesetenv(FE_DFL_ENV);
            compare(name, first);
        }
    }
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    out = argc > 1 ? argv[1] : ".";
    fill((N - 1) * rank);
    /* OpenMP has no threads yet: those that our work starts are the program's. */
    become(&programs[1].of, NULL);
    run("begins", "object", THREADS);
    fesetenv(FE_DFL_ENV);
    run_all("object");
    run_all("screen");
    compare("begins", "object-plain-1");
    int all;
    MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return all > 0;
}
