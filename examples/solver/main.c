/* karman-solver: computes the flow that a config file describes. */
#include "base/launched.h"
#include "base/log.h"
#include "base/parallel/nodes.h"
#include "base/parallel/parallel.h"
#include "base/parallel/start.h"
#include "base/usage/manual.h"
#include "run.h"

#include <argp.h>
#include <errno.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct arguments {
    const char *config;
    int noverrides;
    const char **overrides; /* [noverrides]; allocated for all arguments */
    bool helped;
} arguments;

enum { KEY_USAGE = 256 };

static const struct argp_option options[] = {
    {"set", 's', "KEY=VALUE", 0, "use another value than the config's: time.cfl=0.5", 0},
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

/* for its man page */
static const usage_program program = {
    "karman-solver",
    "compute the flow around bodies on curvilinear blocks",
    &parser,
    0,
    NULL,
    "karman(1)"};

/* Divides the cores of a node among its ranks, unless OMP_NUM_THREADS is set: with more
 * threads than cores, a step takes ten times as long. Collective. */
static void share_cores(void)
{
    const int threads = omp_get_num_procs() / parallel_node_size(MPI_COMM_WORLD);
    if (!getenv("OMP_NUM_THREADS")) {
        omp_set_num_threads(threads > 1 ? threads : 1);
    }
}

static status solve(const arguments *a)
{
    solver_config *config = NULL;
    status s = solver_config_read(MPI_COMM_WORLD, a->config, a->noverrides, a->overrides,
                                  &config);
    s = s == STATUS_OK ? solver_run(MPI_COMM_WORLD, config) : s;
    solver_config_destroy(&config);
    return s;
}

/* Runs with MPI. A lack of memory before MPI starts is reported here, on all ranks. */
static int run(const arguments *a)
{
    bool speaks;
    status s = parallel_start(&speaks);
    base_log_configure(speaks);
    if (s == STATUS_OK) {
        share_cores();
        s = a->overrides ? STATUS_OK : base_fail_memory(0, "arguments");
        s = parallel_agree(MPI_COMM_WORLD, s);
    }
    s = s == STATUS_OK ? solve(a) : s;
    if (s != STATUS_OK && speaks) {
        fprintf(stderr, "karman-solver: error: %s\n", base_fail_message());
    }
    parallel_finish();
    return base_status_exit_code(s);
}

/* Help, and errors in the arguments, need no MPI. */
int main(int argc, char **argv)
{
    const char *manual = usage_manual_folder(argc, argv);
    if (manual) {
        return base_status_exit_code(usage_manual_write(&program, manual));
    }
    arguments a = {.overrides = calloc((size_t)argc, sizeof *a.overrides)};
    unsigned silent = base_launched_rank() == 0 ? 0 : ARGP_NO_ERRS;
    unsigned flags = ARGP_NO_EXIT | ARGP_NO_HELP | silent;
    int code = 0;
    if (a.overrides && argp_parse(&parser, argc, argv, flags, NULL, &a) != 0) {
        code = base_status_exit_code(STATUS_USAGE);
    } else if (!a.helped) {
        code = run(&a);
    }
    free(a.overrides);
    return code;
}
