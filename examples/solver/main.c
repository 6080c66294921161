/* karman-solver: computes the flow that a config file describes. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "failure.h"
#include "run.h"

#include <argp.h>
#include <dlfcn.h>
#include <errno.h>
#include <omp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* ---- Arguments ---- */

typedef struct arguments {
    const char *config;
    int noverrides;
    const char **overrides; /* [noverrides]; allocated for all arguments */
    bool helped;            /* or the keys are listed */
} arguments;

enum { KEY_USAGE = 256 };

static const struct argp_option options[] = {
    {"set", 's', "KEY=VALUE", 0, "use another value than the config's: time.cfl=0.5", 0},
    {"keys", 'k', NULL, 0, "list the keys of a config", 0},
    {"help", 'h', NULL, 0, "this text", 0},
    {"usage", KEY_USAGE, NULL, 0, "a line about the arguments", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
    case 's':
        a->overrides[a->noverrides++] = value;
        return 0;
    case 'k':
        a->helped = true;
        solver_config_print_keys(stdout);
        return 0;
    case 'h':
    case KEY_USAGE:
        a->helped = true;
        argp_state_help(state, stdout,
                        key == 'h'
                            ? ARGP_HELP_LONG | ARGP_HELP_SHORT_USAGE | ARGP_HELP_DOC
                            : ARGP_HELP_USAGE);
        return 0;
    case ARGP_KEY_ARG:
        if (a->config) {
            argp_error(state, "'%s' is one argument too many", value);
            return EINVAL;
        }
        a->config = value;
        return 0;
    case ARGP_KEY_END:
        if (!a->config && !a->helped) {
            argp_error(state, "name a config file");
            return EINVAL;
        }
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp parser = {
    .options = options,
    .parser = parse_option,
    .args_doc = "CONFIG",
    .doc = "Computes a flow of a gas on curvilinear blocks.\v"
           "Exit status: 0 done, 1 failed at run time, 2 wrong usage or config.",
};

/* ---- The launcher ---- */

/* The integer in an environment variable, or -1. */
static long number_in(const char *variable)
{
    const char *text = getenv(variable);
    char *end = NULL;
    long number = text ? strtol(text, &end, 10) : -1;
    return text && end != text && *end == '\0' ? number : -1;
}

typedef struct launcher {
    const char *name, *size, *rank; /* variables of the environment */
} launcher;

/* If one starts the other, the started one comes first. */
static const launcher launchers[] = {
    {"Open MPI's mpiexec", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
    {"srun", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID"},
    {"MPICH's mpiexec", "PMI_SIZE", "PMI_RANK"},
};
enum { LAUNCHERS = sizeof launchers / sizeof launchers[0] };

/* The rank of this process among those that were launched together, before MPI tells. */
static long launched_rank(void)
{
    long rank = -1;
    for (int n = 0; n < LAUNCHERS && rank < 0; n++) {
        rank = number_in(launchers[n].rank);
    }
    return rank;
}

/* A launcher of another MPI starts processes each of which takes itself for the only
 * one. They would write the same files. *speaks: whether this one is to say so. */
static bool check_launcher(bool *speaks)
{
    int n = 0;
    while (n < LAUNCHERS && number_in(launchers[n].size) < 1) {
        n++;
    }
    const long size = n < LAUNCHERS ? number_in(launchers[n].size) : 1;
    if (solver_size(MPI_COMM_WORLD) > 1 || number_in("PMI_SIZE") == 1 || size == 1) {
        return true;
    }
    *speaks = number_in(launchers[n].rank) <= 0;
    if (!*speaks) {
        sleep(1); /* a launcher ends all processes as soon as one fails */
    }
    return solver_fail(SOLVER_USAGE,
                       "%s started %ld processes, but by this program's MPI each of "
                       "them is alone: start them by the launcher of that MPI",
                       launchers[n].name, size);
}

unsigned ucp_worker_progress(void *worker);

/* MPICH waits in this function of UCX and never gives up the processor, which a rank with
 * work may need. The dynamic linker finds a program's definition before UCX's own. */
unsigned ucp_worker_progress(void *worker)
{
    enum { BEFORE_YIELD = 16, BEFORE_NAP = 4096 };
    static unsigned (*next)(void *);
    static int idle;
    if (!next) {
        *(void **)&next = dlsym(RTLD_NEXT, "ucp_worker_progress");
    }
    const unsigned progressed = next(worker);
    idle = progressed ? 0 : idle < BEFORE_NAP ? idle + 1 : BEFORE_NAP;
    if (idle == BEFORE_NAP) {
        nanosleep(&(struct timespec){0, 20000}, NULL);
    } else if (idle % BEFORE_YIELD == BEFORE_YIELD - 1) {
        sched_yield();
    }
    return progressed;
}

/* ---- The run ---- */

/* Divides the cores of a node among its ranks, unless OMP_NUM_THREADS is set: with more
 * threads than cores, a step takes ten times as long. Collective. */
static void share_cores(void)
{
    MPI_Comm node;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    const int threads = omp_get_num_procs() / solver_size(node);
    MPI_Comm_free(&node);
    if (!getenv("OMP_NUM_THREADS")) {
        omp_set_num_threads(threads > 1 ? threads : 1);
    }
}

static bool solve(const arguments *a, int provided, bool *speaks)
{
    static solver_config config;
    bool works = check_launcher(speaks);
    if (works && provided < MPI_THREAD_FUNNELED) {
        works = solver_fail(SOLVER_FAILED,
                            "MPI provides MPI_THREAD_SINGLE only, and this program has "
                            "several threads: use an MPI library that was built with "
                            "threads");
    }
    works = works && (a->overrides || solver_fail_memory(0, "arguments"));
    if (!solver_agree(MPI_COMM_WORLD, works)) {
        return false;
    }
    share_cores();
    return solver_config_read(MPI_COMM_WORLD, a->config, a->noverrides, a->overrides,
                              &config) &&
           solver_run(MPI_COMM_WORLD, &config);
}

/* Runs with MPI. A lack of memory before MPI starts is reported here, on all ranks. */
static int run(const arguments *a)
{
    int provided;
    signal(SIGPIPE, SIG_IGN); /* a run outlives the reader of its output */
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
    bool speaks = solver_rank(MPI_COMM_WORLD) == 0;
    if (!solve(a, provided, &speaks) && speaks) {
        fprintf(stderr, "karman-solver: error: %s\n", solver_failure());
    }
    MPI_Finalize();
    return solver_failure_code();
}

/* Help, and errors in the arguments, need no MPI. */
int main(int argc, char **argv)
{
    arguments a = {.overrides = calloc((size_t)argc, sizeof *a.overrides)};
    unsigned silent = launched_rank() <= 0 ? 0 : ARGP_NO_ERRS;
    unsigned flags = ARGP_NO_EXIT | ARGP_NO_HELP | silent;
    int code = 0;
    if (a.overrides && argp_parse(&parser, argc, argv, flags, NULL, &a) != 0) {
        code = SOLVER_USAGE;
    } else if (!a.helped) {
        code = run(&a);
    }
    free(a.overrides);
    return code;
}
