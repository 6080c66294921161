/*
 * What a poll of the run directory costs a program with short steps, and a sample of
 * monitors.
 *
 *   mpiexec -n RANKS bench_steer FOLDER
 */
#include "base/parallel.h"
#include "base/system.h"
#include "steer/run.h"

#include <stdio.h>

enum { POLLS = 200000 };

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

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    steer_run *run = NULL;
    if (argc != 2 || steer_run_create(MPI_COMM_WORLD, argv[1], "bench_steer", false,
                                      &run) != STATUS_OK) {
        fprintf(stderr, "%s\n", argc != 2 ? "give FOLDER" : base_fail_message());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    double poll = measure(run, false), sample = measure(run, true);
    if (parallel_rank(MPI_COMM_WORLD) == 0) {
        printf("%d ranks: %.2f us a poll, %.2f us a sample of three monitors\n",
               parallel_size(MPI_COMM_WORLD), poll, sample);
    }
    steer_run_destroy(&run);
    MPI_Finalize();
    return 0;
}
