#define _GNU_SOURCE /* RTLD_DEFAULT, RTLD_NEXT */
#include "start.h"

#include "limits.h"
#include "parallel.h"
#include "transport.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

extern char **environ; /* POSIX declares it nowhere */

/* A launcher that may have started this process without its MPI library noticing: the
 * environment variables for the number of processes and for the rank of this one. */
typedef struct launcher {
    const char *name, *size, *rank, *advice;
} launcher;

#ifdef OPEN_MPI
#define KARMAN_SRUN "'srun --mpi=pmix' or "
#else
#define KARMAN_SRUN "'srun --mpi=pmi2' or "
#endif

/* If one launcher starts the other, the started one comes first. Slurm sets these
 * variables only in a step. Batch scripts and shells of salloc, in which a single process
 * is correct, have only SLURM_NTASKS. */
static const launcher launchers[] = {
    {"Open MPI's mpiexec", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", ""},
    {"srun", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID", KARMAN_SRUN},
    {"MPICH's mpiexec", "PMI_SIZE", "PMI_RANK", ""},
};

enum { LAUNCHERS = sizeof launchers / sizeof launchers[0] };

/* The value of an integer environment variable, or -1. */
static long number_in(const char *variable)
{
    const char *text = getenv(variable);
    char *end = NULL;
    long number = text ? strtol(text, &end, 10) : -1;
    return text && end != text && *end == '\0' ? number : -1;
}

/* The launcher that reports several processes although MPI reports one; or NULL. A
 * process that mpiexec or a launcher started on its own may be part of a larger job, as a
 * run of `karman compare` inside a step is. */
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
        /* Launchers end all processes as soon as one fails. Wait, so that the process
         * with the message fails first. */
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

/* OpenMP threads render, and one thread writes pictures; only the main thread calls
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

/*
 * UCX catches crashes and prints a backtrace, for which it allocates memory. A crash
 * inside malloc then waits for its own lock for ever, and the other ranks wait for it.
 * UCX reads the variable when it is loaded, before main, or when MPI starts.
 */
static void let_crashes_end(void)
{
    void (*disable)(void);
    *(void **)&disable = dlsym(RTLD_DEFAULT, "ucs_debug_disable_signals");
    if (disable) {
        disable();
    }
}

static volatile sig_atomic_t has_lost_reader;

static void note_lost_reader(int number)
{
    (void)number;
    has_lost_reader = 1;
}

bool parallel_has_lost_reader(void)
{
    return has_lost_reader != 0;
}

/* A handler, as programs that this one starts would inherit an ignored signal. */
static void survive_lost_reader(void)
{
    struct sigaction action = {.sa_handler = note_lost_reader, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGPIPE, &action, NULL);
}

unsigned ucp_worker_progress(void *worker);

/* MPICH (ch4:ucx) waits in this function of UCX, and never yields the processor. The
 * dynamic linker finds the definition of a program before UCX's own. Programs that use
 * libkarman have none. */
unsigned ucp_worker_progress(void *worker)
{
    static unsigned (*next)(void *);
    if (!next) {
        *(void **)&next = dlsym(RTLD_NEXT, "ucp_worker_progress");
    }
    const unsigned progressed = next(worker);
    if (!progressed) {
        parallel_relax_inside();
    }
    return progressed;
}

static void nap(int number)
{
    (void)number;
    const int error = errno;
    nanosleep(&(struct timespec){0, 500000}, NULL);
    errno = error;
}

/*
 * While MPI starts and ends, the ranks of a node wait for each other in a loop of MPICH
 * that calls no function. If they outnumber the cores, each one sleeps after a turn. The
 * timer counts processor time in user mode only, so it interrupts no system call.
 */
static void take_turns(bool begins)
{
    enum { TURN = 1000 }; /* in microseconds; the kernel rounds it up to its ticks */
    const struct sigaction action = {.sa_handler = nap, .sa_flags = SA_RESTART};
    const struct timeval turn = {0, begins ? TURN : 0};
    if (parallel_is_crowded()) {
        sigaction(SIGVTALRM, &action, NULL);
        setitimer(ITIMER_VIRTUAL, &(struct itimerval){turn, turn}, NULL);
    }
}

status parallel_start(bool *speaks)
{
    int provided;
    let_crashes_end();
    survive_lost_reader();
    parallel_set_transport(PARALLEL_RDMA_CARDS);
    parallel_start_alone(environ);
    take_turns(true);
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
    take_turns(false);
    parallel_forget_alone();
    *speaks = parallel_rank(MPI_COMM_WORLD) == 0;
    status s = check_launcher(speaks);
    s = s == STATUS_OK ? check_threads(provided) : s;
    s = s == STATUS_OK ? parallel_check_limits() : s;
    return parallel_agree(MPI_COMM_WORLD, s);
}

void parallel_finish(void)
{
    take_turns(true);
    MPI_Finalize();
    take_turns(false);
}
