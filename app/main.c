/* The program karman: finds the command and runs it on all ranks. */
#include "app/cmd.h"
#include "app/karman.h"
#include "base/log.h"
#include "base/parallel.h"

#include <stdio.h>
#include <string.h>

typedef struct command {
    const char *name;
    status (*run)(MPI_Comm comm, int argc, char **argv);
    const char *summary;
} command;

static const command commands[] = {
    {"render", cmd_render, "render the frames of a config file into PNG pictures"},
    {"info", cmd_info, "show what is in a data file"},
    {"compare", cmd_compare, "find out which partition, ranks and algorithm to take"},
    {"steer", cmd_steer, "look at a running program and give it orders"},
    {"live", cmd_live, "watch and steer a running program in a browser"},
    {"schedule", cmd_schedule, "show or prove how an algorithm composites images"},
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void print_help(FILE *stream)
{
    fprintf(stream, "Usage: karman COMMAND [ARGUMENT...]\n"
                    "       mpiexec -n RANKS karman COMMAND [ARGUMENT...]\n"
                    "Renders pictures of curvilinear CFD grids in parallel.\n\n"
                    "Commands:\n");
    for (int c = 0; c < COMMANDS; c++) {
        fprintf(stream, "  %-10s %s\n", commands[c].name, commands[c].summary);
    }
    fprintf(stream,
            "\n  --help     this text; 'karman COMMAND --help' for one command\n"
            "  --version  the version\n\n"
            "Exit status: 0 done, 1 failed at run time, 2 wrong usage or config.\n");
}

static bool is_one_of(const char *text, const char *a, const char *b)
{
    return strcmp(text, a) == 0 || strcmp(text, b) == 0;
}

static status run_command(MPI_Comm comm, int argc, char **argv)
{
    bool prints = parallel_rank(comm) == 0;
    if (argc < 2) {
        return base_fail(STATUS_USAGE, "no command is given: see 'karman --help'");
    }
    if (is_one_of(argv[1], "--help", "-h")) {
        if (prints) {
            print_help(stdout);
        }
        return STATUS_OK;
    }
    if (is_one_of(argv[1], "--version", "-V")) {
        if (prints) {
            printf("karman %s\n", karman_version());
        }
        return STATUS_OK;
    }
    for (int c = 0; c < COMMANDS; c++) {
        if (strcmp(argv[1], commands[c].name) == 0) {
            char name[64];
            snprintf(name, sizeof name, "karman %s", commands[c].name);
            argv[1] = name;
            return commands[c].run(comm, argc - 1, argv + 1);
        }
    }
    return base_fail(STATUS_USAGE, "there is no command '%s': see 'karman --help'",
                     argv[1]);
}

/* A full disk may show only when what was printed leaves its buffer. */
static status flush_output(void)
{
    bool failed = fflush(stdout) != 0 || ferror(stdout);
    return failed ? base_fail(STATUS_OUTPUT, "standard output cannot be written")
                  : STATUS_OK;
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    bool prints = parallel_rank(MPI_COMM_WORLD) == 0;
    base_log_configure(prints);
    status s = run_command(MPI_COMM_WORLD, argc, argv);
    status flushed = parallel_agree(MPI_COMM_WORLD, flush_output());
    s = s != STATUS_OK ? s : flushed;
    if (s != STATUS_OK && prints) {
        fprintf(stderr, "karman: error: %s\n", base_fail_message());
    }
    int code = base_status_exit_code(s);
    MPI_Finalize();
    return code;
}
