/* The program karman: finds a command and runs it, on all ranks or in one process. */
#include "app/version/version.h"
#include "arguments.h"
#include "base/ending/ending.h"
#include "base/launched.h"
#include "base/log.h"
#include "base/parallel/parallel.h"
#include "base/parallel/start.h"
#include "base/words.h"
#include "cmd.h"
#include "io/config/keys/keys.h"
#include "io/config/table.h"
#include "io/sources/hdf5/driver.h"
#ifdef KARMAN_MESSAGES
#include "messages/simulate/tuned_machine.h"
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* A command that runs on all ranks, or in one process without MPI. */
typedef struct command {
    const char *name;
    status (*run)(MPI_Comm comm, int argc, char **argv);
    status (*run_alone)(int argc, char **argv); /* if `run` is NULL, or `needs_mpi` says
                                                   that MPI is not needed */
    const app_line *line;
    const char *summary;
    bool (*needs_mpi)(int argc, char **argv); /* of a command with both ways */
} command;

static status help(int argc, char **argv);

static const command commands[] = {
    {"render", cmd_render, NULL, &cmd_render_line,
     "render a config, or a picture of a data file, into PNG files", NULL},
    {"view", cmd_view, NULL, &cmd_view_line,
     "explore a data file, or a config, in a browser", NULL},
    {"init", cmd_init, NULL, &cmd_init_line, "write a config for a data file", NULL},
    {"info", cmd_info, NULL, &cmd_info_line, "show what is in a data file", NULL},
    {"probe", cmd_probe, NULL, &cmd_probe_line, "print values of fields at points", NULL},
    {"line", cmd_line, NULL, &cmd_line_line, "print values of fields along a line", NULL},
    {"integrate", cmd_integrate, NULL, &cmd_integrate_line,
     "print integrals: means, mass flows, forces, heat flows", NULL},
    {"mean", cmd_mean, NULL, &cmd_mean_line,
     "write means and fluctuations over time as a file", NULL},
    {"check", cmd_check, NULL, &cmd_check_line,
     "check the config of a program that draws itself, before its job", NULL},
    {"convert", cmd_convert, NULL, &cmd_convert_line,
     "write any data as HDF5 of karman's own layout, with XDMF", NULL},
#ifdef KARMAN_MESSAGES
    {"compare", cmd_compare, NULL, &cmd_compare_line,
     "find the best partition, number of ranks and algorithm", NULL},
#endif
    {"steer", NULL, cmd_steer, &cmd_steer_line,
     "look at a running program and give it orders", NULL},
    {"live", NULL, cmd_live, &cmd_live_line,
     "watch and steer a running program in a browser", NULL},
#ifdef KARMAN_MESSAGES
    {"schedule", cmd_schedule, cmd_schedule_alone, &cmd_schedule_line,
     "show or prove how an algorithm composites images", cmd_schedule_draws},
    {"collectives", cmd_collectives, cmd_collectives_alone, &cmd_collectives_line,
     "show, prove, compare and run collectives of MPI", cmd_collectives_runs},
    {"simulate", cmd_simulate, cmd_simulate_alone, &cmd_simulate_line,
     "predict the time of compositing on a machine, or measure one",
     cmd_simulate_measures},
    {"tune", cmd_tune, NULL, &cmd_tune_line,
     "find the fastest ways to composite on this machine, by experiment", NULL},
#endif
    {"doctor", cmd_doctor, NULL, &cmd_doctor_line,
     "say what a support person asks for, and try a picture on all ranks", NULL},
    {"example", NULL, cmd_example, &cmd_example_line,
     "list the examples, or copy one and make its data", NULL},
    {"completion", NULL, cmd_completion, &cmd_completion_line,
     "print the completion of command lines for a shell", NULL},
    {"help", NULL, help, &cmd_help_line,
     "print help on a command, or keys of a config: 'karman help camera'", NULL},
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

/* The program's own options. --complete is not listed. */
static const char *const own_options[][2] = {
    {"help", "Print this text; 'karman COMMAND --help' is about a command"},
    {"version", "Print the version and its components"}};

static void print_help(void)
{
    static const char arguments[] = "COMMAND [ARGUMENT...]";
    printf("Usage: karman %s\n       mpiexec -n RANKS karman %s\n"
           "Renders pictures of curvilinear CFD grids in parallel.\n\nCommands:\n",
           arguments, arguments);
    for (int c = 0; c < COMMANDS; c++) {
        printf("  %-11s %s\n", commands[c].name, commands[c].summary);
    }
    printf("\n");
    for (int o = 0; o < 2; o++) {
        printf("  --%-9s %s\n", own_options[o][0], own_options[o][1]);
    }
    printf("\nExit status: 0 done, 1 failed at run time, 2 wrong usage or config.\n");
}

static const command *find_command(const char *name)
{
    for (int c = 0; name && c < COMMANDS; c++) {
        if (strcmp(name, commands[c].name) == 0) {
            return &commands[c];
        }
    }
    return NULL;
}

static const char *find_nearest_command(const char *word)
{
    const char *names[COMMANDS];
    for (int c = 0; c < COMMANDS; c++) {
        names[c] = commands[c].name;
    }
    return base_words_nearest(word, COMMANDS, names);
}

/* Prints help on the program or a command; help on keys is cmd_help's. */
static status help(int argc, char **argv)
{
    const command *found = argc == 2 ? find_command(argv[1]) : NULL;
    char name[64];
    if (argc == 1) {
        print_help();
        return STATUS_OK;
    }
    if (!found) {
        const char *near = argc == 2 && !io_keys_find(io_config_keys, argv[1], NULL)
                               ? find_nearest_command(argv[1])
                               : NULL;
        return near ? base_fail(STATUS_USAGE,
                                "there is no help on '%s': did you mean '%s'?", argv[1],
                                near)
                    : cmd_help(argc, argv);
    }
    snprintf(name, sizeof name, "karman %s", found->name);
    app_arguments_print(found->line, name, false);
    return STATUS_OK;
}

/* Prints the words that may stand in place of the last of words[count]. */
static void complete(int count, char **words)
{
    const command *found = count > 1 ? find_command(words[0]) : NULL;
    if (found) {
        cmd_complete(found->line, count - 1, words + 1);
    }
    for (int c = 0; count == 1 && c < COMMANDS; c++) {
        cmd_complete_offer(words[0], "", commands[c].name, commands[c].summary);
    }
    for (int o = 0; count == 1 && o < 2; o++) {
        cmd_complete_offer(words[0], "--", own_options[o][0], own_options[o][1]);
    }
}

static bool is_one_of(const char *text, const char *a, const char *b)
{
    return strcmp(text, a) == 0 || strcmp(text, b) == 0;
}

/* Whether a word in the place of a command is a file to render: it exists, or has the
 * extension of a config or of HDF5. */
static bool is_file(const char *word)
{
    static const char *const endings[] = {".yaml", ".yml", ".h5", ".hdf5"};
    const char *dot = strrchr(word, '.');
    for (size_t e = 0; dot && e < sizeof endings / sizeof endings[0]; e++) {
        if (strcasecmp(dot, endings[e]) == 0) {
            return true;
        }
    }
    struct stat found;
    return stat(word, &found) == 0 && S_ISREG(found.st_mode);
}

static status fail_unknown(const char *word)
{
    const char *names[COMMANDS + 2] = {"--help", "--version"};
    for (int c = 0; c < COMMANDS; c++) {
        names[c + 2] = commands[c].name;
    }
    const char *nearest = base_words_nearest(word, COMMANDS + 2, names);
    if (is_file(word)) {
        return base_fail(STATUS_USAGE,
                         "there is no command '%s': did you mean 'karman render %s'?",
                         word, word);
    }
    if (nearest) {
        return base_fail(STATUS_USAGE, "there is no command '%s': did you mean '%s'?",
                         word, nearest);
    }
    return base_fail(STATUS_USAGE, "there is no command '%s': see 'karman --help'", word);
}

/* Answers options of the program itself, without a command. */
static status answer(const char *word)
{
    if (!word) {
        return base_fail(STATUS_USAGE, "no command is given: see 'karman --help'");
    }
    if (is_one_of(word, "--help", "-h")) {
        print_help();
        return STATUS_OK;
    }
    if (is_one_of(word, "--version", "-V")) {
        about_version_print("karman", stdout);
        return STATUS_OK;
    }
    return fail_unknown(word);
}

/* A full disk may show only when the buffer is flushed. A reader that ended, such as
 * head, has what it wanted. */
static status flush_output(void)
{
    bool failed = fflush(stdout) != 0 || ferror(stdout);
    return failed && !parallel_has_lost_reader()
               ? base_fail(STATUS_OUTPUT, "standard output cannot be written")
               : STATUS_OK;
}

static int finish(status s, bool prints)
{
    if (s != STATUS_OK && prints) {
        fprintf(stderr, "karman: error: %s\n", base_fail_message());
    }
    return s == STATUS_OK && base_ending_left_work() ? BASE_ENDING_CODE
                                                     : base_status_exit_code(s);
}

/* Runs a command on all ranks, with MPI. */
static int run_on_ranks(const command *found, int argc, char **argv)
{
    bool prints;
    status s = parallel_start(&prints);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    base_log_configure(prints);
#ifdef KARMAN_MESSAGES
    frame_tuning_take_predictor(messages_tuning_simulate);
#endif
    s = s == STATUS_OK ? found->run(MPI_COMM_WORLD, argc, argv) : s;
    s = parallel_agree(MPI_COMM_WORLD, s == STATUS_OK ? io_hdf5_finish() : s);
    status flushed = parallel_agree(MPI_COMM_WORLD, flush_output());
    int code = finish(s != STATUS_OK ? s : flushed, prints);
    parallel_finish();
    return code;
}

/* Runs a command in one process without MPI, so also on a machine without a network.
 * Under mpiexec the first process alone runs it, so that an order is given once. */
static int run_alone(const command *found, int argc, char **argv)
{
    status s = found ? found->run_alone(argc, argv) : answer(argv[0]);
    status flushed = flush_output();
    return finish(s != STATUS_OK ? s : flushed, true);
}

/* Runs a command. argv[0] becomes its full name for messages. */
static int run_command(const command *found, int argc, char **argv)
{
    char name[64];
    snprintf(name, sizeof name, "karman %s", found->name);
    argv[0] = name;
    bool first = base_launched_rank() == 0;
    if (app_arguments_help(found->line, first, argc, argv)) {
        return finish(flush_output(), first);
    }
    if (found->run && (!found->needs_mpi || found->needs_mpi(argc, argv))) {
        return run_on_ranks(found, argc, argv);
    }
    return first ? run_alone(found, argc, argv) : 0;
}

/* Threads of a view sleep while they wait: the browser beside them needs the cores.
 * OpenMP takes that from the environment as a program starts, so it starts again, or goes
 * on without. */
static void sleep_while_waiting(char **argv)
{
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length > 0 && !getenv("OMP_WAIT_POLICY") && !getenv("GOMP_SPINCOUNT") &&
        setenv("OMP_WAIT_POLICY", "passive", 1) == 0) {
        path[length] = '\0';
        execv(path, argv);
    }
}

int main(int argc, char **argv)
{
    if (argc > 2 && strcmp(argv[1], "--complete") == 0) {
        complete(argc - 2, argv + 2);
        return finish(flush_output(), true);
    }
    const command *found = argc > 1 ? find_command(argv[1]) : NULL;
    if (found && found->run == cmd_view) {
        sleep_while_waiting(argv);
    }
    if (found) {
        return run_command(found, argc - 1, argv + 1);
    }
    return base_launched_rank() == 0 ? run_alone(NULL, argc - 1, argv + 1) : 0;
}
