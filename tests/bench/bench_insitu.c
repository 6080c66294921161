/*
 * What in situ costs a program: memory beyond its own arrays, seconds and bytes per step.
 *
 *   bench_insitu CELLS SIDE STEPS RUN_FOLDER [opaque]
 *   bench_insitu CELLS SIDE STEPS RUN_FOLDER time
 *
 * A bent box of CELLS^3 cells, cut along k over the ranks, in float64, is drawn as one
 * volume of a field in a picture of SIDE x SIDE pixels. As in any solver, ranks exchange
 * the planes that they share at every step, so that what MPI needs for that is there
 * already. With `opaque` all of it shows, else a part. Prints per step the seconds and,
 * of all ranks together and beyond the arrays, bytes a cell: the most that they held at
 * one moment so far, looked at every few milliseconds, and what they hold after the
 * picture. What ranks share counts once. All ranks are on one machine, which is Linux.
 *
 * `time` draws every fifth step and looks at no memory. It prints seconds of the
 * program's own step, and those that a step with a picture and one without take more,
 * polling included. For the latter it has three figures: the median of the slowest rank's
 * seconds; the mean of all ranks, which has what ranks wait for a processor; and the
 * processor seconds of all ranks, which are what a program loses where ranks share
 * processors.
 */
#include "base/array.h"
#include "base/parallel/parallel.h"
#include "base/system.h"
#include "library/karman.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_RANKS = 64 };

typedef struct bench {
    int n, first, planes; /* vertices along an axis; planes of this rank */
    double *x, *y, *z, *u;
} bench;

static void *allocate(size_t bytes)
{
    void *memory = malloc(bytes);
    if (!memory) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return memory;
}

static void make_grid(bench *b)
{
    const size_t bytes = (size_t)b->n * (size_t)b->n * (size_t)b->planes * sizeof *b->x;
    b->x = allocate(bytes);
    b->y = allocate(bytes);
    b->z = allocate(bytes);
    b->u = allocate(bytes);
    const double h = 1.0 / (b->n - 1);
    size_t at = 0;
    for (int k = 0; k < b->planes; k++) {
        for (int j = 0; j < b->n; j++) {
            for (int i = 0; i < b->n; i++, at++) {
                const double p[3] = {h * i, h * j, h * (b->first + k)};
                b->x[at] = p[0] + 0.05 * sin(3.0 * p[1]);
                b->y[at] = p[1] + 0.05 * sin(3.0 * p[2]);
                b->z[at] = p[2];
            }
        }
    }
}

static void compute(bench *b, int step)
{
    const size_t count = (size_t)b->n * (size_t)b->n * (size_t)b->planes;
    for (size_t at = 0; at < count; at++) {
        b->u[at] =
            sin(9.0 * b->x[at] + 0.1 * step) * cos(7.0 * b->y[at]) * sin(8.0 * b->z[at]);
    }
}

/* Sends the outer planes of u to the ranks beside this one, as a solver does. */
static void exchange(const bench *b)
{
    enum { TAG = 7 };
    const int rank = parallel_rank(MPI_COMM_WORLD), ranks = parallel_size(MPI_COMM_WORLD);
    const int plane = b->n * b->n;
    const int below = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    const int above = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
    double *first = b->u, *last = b->u + (size_t)plane * (size_t)(b->planes - 1);
    double *theirs = allocate((size_t)plane * sizeof *theirs);
    MPI_Sendrecv(first, plane, MPI_DOUBLE, below, TAG, theirs, plane, MPI_DOUBLE, above,
                 TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(last, plane, MPI_DOUBLE, above, TAG, theirs, plane, MPI_DOUBLE, below,
                 TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    free(theirs);
}

/* What is measured. */
typedef struct bench_mode {
    bool opaque, time;
} bench_mode;

enum { EVERY = 5 }; /* of `time`: steps from a picture to the next */

static karman_session *open_session(const bench *b, int side, const char *folder,
                                    bench_mode mode)
{
    char text[2048];
    snprintf(text, sizeof text,
             "image: {width: %d, height: %d}\n"
             "camera: {position: [2.4, -2.2, 1.9], look_at: [0.5, 0.5, 0.5], fov: 35}\n"
             "layers: [{volume: {field: u, range: [-1, 1], opacity: %s, unit_length: "
             "0.1}}]\nin_situ: {run: '%s', every: %d}\n",
             side, side,
             mode.opaque ? "[[0, 0.2], [1, 0.3]]" : "[[0, 0], [0.8, 0], [1, 0.9]]",
             folder, mode.time ? EVERY : 1);
    karman_session *session = NULL;
    if (karman_open_text(MPI_COMM_WORLD, text, NULL, &session) != KARMAN_DONE) {
        fprintf(stderr, "%s\n", karman_message());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    karman_block block = {.name = "box",
                          .size = {b->n, b->n, b->n},
                          .first = {0, 0, b->first},
                          .count = {b->n, b->n, b->planes},
                          .x = {.data = b->x, .type = KARMAN_FLOAT64},
                          .y = {.data = b->y, .type = KARMAN_FLOAT64},
                          .z = {.data = b->z, .type = KARMAN_FLOAT64}};
    const karman_array u = {.data = b->u, .type = KARMAN_FLOAT64};
    karman_set_block(session, 0, &block);
    karman_set_field(session, 0, "u", KARMAN_VERTEX, &u);
    return session;
}

/* Bytes that a process holds, those that it shares divided by how many share them; 0
 * where the system does not tell. */
static double held_by(int process)
{
    char path[64], line[256];
    double kibibytes = 0.0;
    snprintf(path, sizeof path, "/proc/%d/smaps_rollup", process);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file) &&
           sscanf(line, "Pss: %lf", &kibibytes) != 1) {
    }
    if (file) {
        fclose(file);
    }
    return 1024.0 * kibibytes;
}

/* Looks on rank 0 at what all ranks hold while they work. */
typedef struct watcher {
    int ranks;
    int processes[MOST_RANKS];
    pthread_t thread;
    _Atomic bool ends;
    _Atomic double most; /* bytes */
} watcher;

/* Bytes that all ranks hold together. */
static double held_by_all(const watcher *w)
{
    double bytes = 0.0;
    for (int rank = 0; rank < w->ranks; rank++) {
        bytes += held_by(w->processes[rank]);
    }
    return bytes;
}

static void *watch(void *context)
{
    watcher *w = context;
    const struct timespec nap = {.tv_nsec = 1000000};
    while (!atomic_load(&w->ends)) {
        const double now = held_by_all(w);
        if (now > atomic_load(&w->most)) {
            atomic_store(&w->most, now);
        }
        nanosleep(&nap, NULL);
    }
    return NULL;
}

static void start_watcher(watcher *w)
{
    const int mine = (int)getpid();
    w->ranks = parallel_size(MPI_COMM_WORLD);
    if (w->ranks > MOST_RANKS) {
        fprintf(stderr, "bench_insitu: at most %d ranks\n", MOST_RANKS);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Gather(&mine, 1, MPI_INT, w->processes, 1, MPI_INT, 0, MPI_COMM_WORLD);
    atomic_store(&w->ends, false);
    atomic_store(&w->most, 0.0);
    if (parallel_rank(MPI_COMM_WORLD) == 0 &&
        pthread_create(&w->thread, NULL, watch, w) != 0) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

/* What all ranks hold while none of them works, on rank 0. */
static double find_held(const watcher *w)
{
    MPI_Barrier(MPI_COMM_WORLD);
    const double bytes = parallel_rank(MPI_COMM_WORLD) == 0 ? held_by_all(w) : 0.0;
    MPI_Barrier(MPI_COMM_WORLD);
    return bytes;
}

static void stop_watcher(watcher *w)
{
    atomic_store(&w->ends, true);
    if (parallel_rank(MPI_COMM_WORLD) == 0) {
        pthread_join(w->thread, NULL);
    }
}

/* ---- Time -------------------------------------------------------------------------- */

static double median(int count, double *values)
{
    qsort(values, (size_t)count, sizeof *values, base_array_compare_doubles);
    return count > 0 ? values[count / 2] : 0.0;
}

/* Seconds of this rank: by the wall clock, and of its processor. */
typedef struct seconds {
    double wall, processor;
} seconds;

static seconds now(void)
{
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return (seconds){base_clock(), (double)used.tv_sec + 1e-9 * (double)used.tv_nsec};
}

static seconds since(seconds begin)
{
    const seconds end = now();
    return (seconds){end.wall - begin.wall, end.processor - begin.processor};
}

/* Many parts of a run, one after the other. */
typedef struct part {
    int count;
    double *slowest;   /* [count]: seconds of the slowest rank */
    double wall;       /* of all ranks, their mean */
    double processors; /* of all ranks */
} part;

static part part_of(int most)
{
    return (part){.slowest = allocate((size_t)most * sizeof(double))};
}

/* Adds one; collective. */
static void add(part *p, seconds spent)
{
    double most = 0.0;
    MPI_Allreduce(&spent.wall, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    p->slowest[p->count++] = most;
    p->wall += spent.wall;
    p->processors += spent.processor;
}

static void sum_ranks(part *p)
{
    double sums[2] = {p->wall, p->processors};
    MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    p->wall = sums[0] / parallel_size(MPI_COMM_WORLD);
    p->processors = sums[1];
}

/* The calls of a step. Ranks then meet: their waiting for each other is the program's. */
static void call(karman_session *session, int step, part *p)
{
    const seconds begin = now();
    karman_render(session, step, 0.1 * step);
    karman_poll_steering(session, step, 0.1 * step);
    add(p, since(begin));
    MPI_Barrier(MPI_COMM_WORLD);
}

static void report_time(part *own, part *idle, const part *drawn)
{
    sum_ranks(own);
    sum_ranks(idle);
    const double steps = own->count, calls = idle->count;
    if (parallel_rank(MPI_COMM_WORLD) != 0) {
        return;
    }
    const double step = median(own->count, own->slowest),
                 without = median(idle->count, idle->slowest);
    printf("the program's step %.4f s, with a picture %.4f s more; without one, medians "
           "of the slowest rank: %.1f us, %.4f %%; means of all: %.1f us, %.4f %%; "
           "processors of all: %.1f us, %.4f %%\n",
           step, median(drawn->count, drawn->slowest), 1e6 * without,
           100.0 * without / step, 1e6 * idle->wall / calls,
           100.0 * (idle->wall / calls) / (own->wall / steps),
           1e6 * idle->processors / calls,
           100.0 * (idle->processors / calls) / (own->processors / steps));
}

/* Steps, of which every fifth is drawn. The first picture, which sets up, is left out. */
static void measure_time(bench *b, karman_session *session, int steps)
{
    part own = part_of(steps), drawn = part_of(steps), idle = part_of(steps),
         first = part_of(steps);
    for (int step = 0; step < steps; step++) {
        MPI_Barrier(MPI_COMM_WORLD);
        const seconds begin = now();
        compute(b, step);
        exchange(b);
        MPI_Barrier(MPI_COMM_WORLD);
        add(&own, since(begin));
        MPI_Barrier(MPI_COMM_WORLD);
        call(session, step, step == 0 ? &first : step % EVERY == 0 ? &drawn : &idle);
    }
    report_time(&own, &idle, &drawn);
    part *all[] = {&own, &drawn, &idle, &first};
    for (int n = 0; n < 4; n++) {
        free(all[n]->slowest);
    }
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (argc < 5) {
        fprintf(stderr, "usage: bench_insitu CELLS SIDE STEPS RUN_FOLDER [opaque]\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    const int cells = atoi(argv[1]), side = atoi(argv[2]), steps = atoi(argv[3]);
    const int rank = parallel_rank(MPI_COMM_WORLD), ranks = parallel_size(MPI_COMM_WORLD);
    bench b = {.n = cells + 1, .first = (int)((int64_t)cells * rank / ranks)};
    b.planes = (int)((int64_t)cells * (rank + 1) / ranks) - b.first + 1;
    make_grid(&b);
    compute(&b, 0);
    exchange(&b);
    const double all = pow(cells, 3.0);
    const bench_mode mode = {.opaque = argc > 5 && strcmp(argv[5], "opaque") == 0,
                             .time = argc > 5 && strcmp(argv[5], "time") == 0};
    watcher w = {.ranks = ranks};
    if (!mode.time) {
        start_watcher(&w);
    }
    const double held = mode.time ? 0.0 : find_held(&w);
    karman_session *session = open_session(&b, side, argv[4], mode);
    if (mode.time) {
        measure_time(&b, session, steps);
    }
    for (int step = 0; step < steps && !mode.time; step++) {
        compute(&b, step);
        exchange(&b);
        double begin = base_clock();
        int code = karman_render(session, step, 0.1 * step);
        const double took = base_clock() - begin;
        const double held_now = find_held(&w);
        if (rank == 0) {
            printf("step %d: code %d, %.3f s, bytes a cell: most %.1f, held %.1f\n", step,
                   code, took, (atomic_load(&w.most) - held) / all,
                   (held_now - held) / all);
        }
    }
    if (!mode.time) {
        stop_watcher(&w);
    }
    karman_close(&session);
    free(b.x);
    free(b.y);
    free(b.z);
    free(b.u);
    MPI_Finalize();
    return 0;
}
