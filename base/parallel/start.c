#include "start.h"

#include "parallel.h"

#include <stdlib.h>
#include <time.h>

/* A launcher that may have started us without this MPI's knowing: the environment
 * variables in which it says how many processes there are, and which of them this is. */
typedef struct launcher {
    const char *name, *size, *rank, *advice;
} launcher;

/* The one that is started by the other comes first. Slurm sets these in a step: in batch
 * scripts and shells of salloc, where a single process is as it should be, there is
 * SLURM_NTASKS alone. */
static const launcher launchers[] = {
    {"Open MPI's mpiexec", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", ""},
    {"srun", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "'srun --mpi=pmi2' or "},
};

enum { LAUNCHERS = sizeof launchers / sizeof launchers[0] };

/* The number that an environment variable holds, or -1. */
static long number_in(const char *variable)
{
    const char *text = getenv(variable);
    char *end = NULL;
    long number = text ? strtol(text, &end, 10) : -1;
    return text && end != text && *end == '\0' ? number : -1;
}

/* The launcher that says there are several of us, where MPI says there is one; or NULL.
 * A process that mpiexec or a launcher has started as the only one may be part of
 * something larger: a run of `karman compare` is, inside of a step. */
static const launcher *find_stranger(void)
{
    if (parallel_size(MPI_COMM_WORLD) > 1 || number_in("PMI_SIZE") == 1) {
        return NULL;
    }
    for (int n = 0; n < LAUNCHERS; n++) {
        long size = number_in(launchers[n].size);
        if (size > 0) {
            return size > 1 ? &launchers[n] : NULL;
        }
    }
    return NULL;
}

static status check_launcher(bool *speaks)
{
    const launcher *stranger = find_stranger();
    if (!stranger) {
        return STATUS_OK;
    }
    *speaks = number_in(stranger->rank) <= 0;
    if (!*speaks) {
        /* Launchers end all processes as soon as one has failed: the one that says why
         * should be the first. */
        nanosleep(&(struct timespec){1, 0}, NULL);
    }
    long size = number_in(stranger->size);
    return base_fail(STATUS_USAGE,
                     "%s started %ld processes, but by this program's MPI each of them "
                     "is alone: start them by %s'%s -n %ld', or unset %s for one that "
                     "is to be alone",
                     stranger->name, size, stranger->advice, KARMAN_MPIEXEC, size,
                     stranger->size);
}

/* Threads of OpenMP draw, and one writes pictures, while the main thread alone calls
 * MPI. */
static status check_threads(int provided)
{
    return provided >= MPI_THREAD_FUNNELED
               ? STATUS_OK
               : base_fail(STATUS_INPUT,
                           "MPI provides MPI_THREAD_SINGLE only, and this program has "
                           "several threads: use an MPI library that was built with "
                           "threads");
}

status parallel_start(bool *speaks)
{
    int provided;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
    *speaks = parallel_rank(MPI_COMM_WORLD) == 0;
    status s = check_launcher(speaks);
    s = s == STATUS_OK ? check_threads(provided) : s;
    return parallel_agree(MPI_COMM_WORLD, s);
}
