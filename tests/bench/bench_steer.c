/*
 * What a poll of the run directory costs a program with short steps, and a sample of
 * monitors; and what it costs where 10,000 foreign files lie among the orders, or 10,000
 * orders wait.
 *
 *   mpiexec -n RANKS bench_steer FOLDER
 */
#include "base/parallel/parallel.h"
#include "base/system.h"
#include "run/steer/run.h"
#include "support/file.h"

#include <stdio.h>

enum { POLLS = 200000, CROWD = 10000, STEPS = 3000 };

/* Microseconds of a call. */
static double measure(steer_run *run, bool samples)
{
    static const char *const names[] = {"residual", "lift", "drag"};
    const double values[] = {1e-6, 0.1, 1.3};
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = base_clock();
    for (int n = 0; n < POLLS; n++) {
        if (samples) {
            steer_run_add_monitors(run, n, 1e-3 * n, 3, names, values);
        } else {
            steer_run_poll(run, n, 1e-3 * n);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD); /* for the rank that is last */
    return 1e6 * (base_clock() - begin) / POLLS;
}

/* Files beside the orders, or orders. */
static void put_crowd(const char *folder, const char *ending, const char *text)
{
    for (int n = 0; n < CROWD; n++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/orders/%05d%s", folder, n, ending);
        test_file_write(path, "%s", text);
    }
}

/* A solver with steps of a millisecond: the processor time of its polls, for each
 * millisecond of steps, and of the longest one. What else the machine does counts less in
 * it. */
static void measure_crowd(steer_run *run, const char *what)
{
    double polls = 0.0, longest = 0.0;
    MPI_Barrier(MPI_COMM_WORLD);
    for (int n = 0; n < STEPS; n++) {
        const double step = base_clock();
        while (base_clock() - step < 1e-3) {
        }
        const double poll = base_thread_clock();
        steer_run_poll(run, n, 1e-3 * n);
        const double took = base_thread_clock() - poll;
        polls += took;
        longest = took > longest ? took : longest;
    }
    if (parallel_rank(MPI_COMM_WORLD) == 0) {
        printf("%s: polls add %.1f %% to steps of 1 ms, the longest takes %.2f ms\n",
               what, 100.0 * polls / (1e-3 * STEPS), 1e3 * longest);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    steer_run *run = NULL;
    if (argc != 2 || steer_run_create(MPI_COMM_WORLD, argv[1], "bench_steer",
                                      &(steer_options){0}, &run) != STATUS_OK) {
        fprintf(stderr, "%s\n", argc != 2 ? "give FOLDER" : base_fail_message());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    double poll = measure(run, false), sample = measure(run, true);
    if (parallel_rank(MPI_COMM_WORLD) == 0) {
        printf("%d ranks: %.2f us a poll, %.2f us a sample of three monitors\n",
               parallel_size(MPI_COMM_WORLD), poll, sample);
    }
    static const steer_parameter a = {"a", STEER_REAL, 1,   0,   10,
                                      0,   NULL,       "s", "A", false};
    const steer_value one = {{1.0}, ""};
    steer_run_register(run, &a, &one, NULL, NULL);
    const bool is_root = parallel_rank(MPI_COMM_WORLD) == 0;
    measure_crowd(run, "nothing there");
    if (is_root) {
        put_crowd(argv[1], ".txt", "no order");
    }
    measure_crowd(run, "10,000 foreign files");
    if (is_root) {
        put_crowd(argv[1], ".json",
                  "{\"order\": \"set\", \"name\": \"a\", \"value\": 2}");
    }
    measure_crowd(run, "and 10,000 orders");
    steer_run_destroy(&run);
    MPI_Finalize();
    return 0;
}
