/* karman tune: finds the fastest ways to composite on this machine, by experiment. */
#include "arguments.h"
#include "base/parallel/parallel.h"
#include "cmd.h"
#include "frame/tuning/tuning.h"
#include "messages/tune/show.h"
#include "messages/tune/tune.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

static const double USUAL_BUDGET = 300;

typedef struct tune_arguments {
    app_arguments common;
    tune_request request; /* budget 0: the usual one */
    const char *argument; /* the config, or the file to show */
    const char *out;
    bool shows, checks, collectives, has_sizes;
} tune_arguments;

/* ---- Arguments --------------------------------------------------------------------- */

static status set_sizes(void *into, const app_option *option, const char *text)
{
    tune_request *request = &((tune_arguments *)into)->request;
    request->nsides = 0;
    ((tune_arguments *)into)->has_sizes = true;
    (void)option;
    for (const char *at = text;; at++) {
        char *end;
        const long side = strtol(at, &end, 10);
        if (end == at || (*end && *end != ',') || side < 1 || side > TUNE_MOST_BYTES ||
            request->nsides == TUNE_MOST_SIDES) {
            return base_fail(
                STATUS_USAGE,
                "--sizes %.64s: give at most %d whole numbers, like 512,1024", text,
                TUNE_MOST_SIDES);
        }
        request->sides[request->nsides++] = (int)side;
        if (!*end) {
            return STATUS_OK;
        }
        at = end;
    }
}

#define AT(member) APP_AT(tune_arguments, member)

static const app_option rows[] = {
    {"budget",
     'b',
     "SECONDS",
     "Time for all measurements together (default: 300)",
     APP_NUMBER,
     AT(request.budget),
     DBL_MIN,
     1e6,
     {"seconds, above 0 and up to 1e+06"}},
    {"exhaustive", 'x', NULL, "Try everything, instead of searching: for comparison",
     APP_FLAG, AT(request.exhaustive)},
    {"sizes", 'S', "LIST",
     "Without a config: sides of the square pictures in pixels, 16 to 16384 (default: "
     "512,1024,2048,4096); of collectives: bytes of a vector (64,4096,65536,1048576)",
     APP_BY_CALL, .take = set_sizes},
    {"out", 'o', "FILE", "Tuning file to add to (default: ~/.config/karman/tuning.json)",
     APP_TEXT, AT(out)},
    {"show", 'w', NULL,
     "Print the rules of a tuning file (default: that of jobs without "
     "'composite.tuning')",
     APP_FLAG, AT(shows)},
    {"check", 'c', NULL,
     "Print which rules a job with this config and these ranks would follow, or why none",
     APP_FLAG, AT(checks)},
    {"collectives", 'C', NULL,
     "Find the fastest algorithm and segment of the collective of MPI that is named, or "
     "of all",
     APP_FLAG, AT(collectives)},
    {.keep = APP_ARGUMENT, AT(argument)},
    {0},
};

const app_line cmd_tune_line = {
    .options = rows,
    .arguments = "[CONFIG]\n--collectives [COLLECTIVE]\n--show [FILE]\n--check CONFIG",
    .doc = "Measures ways to composite on the ranks of this job, and adds the fastest "
           "ones to a tuning file. Later jobs of as many ranks on as many nodes then "
           "follow these rules with 'composite: auto'. With a config, it measures for "
           "the last frame of that config.\vExample: mpiexec -n 64 karman tune wake.yaml "
           "--budget 60\ndocs/user/tune.md explains the search and the file.\nExit "
           "status: 0 done, 1 failed at run time, 2 wrong usage or config.",
};

static status check_arguments(const tune_arguments *arguments)
{
    const bool measures = arguments->request.budget > 0 || arguments->has_sizes ||
                          arguments->request.exhaustive || arguments->out;
    const tune_request *request = &arguments->request;
    if (arguments->shows + arguments->checks + arguments->collectives > 1) {
        return base_fail(STATUS_USAGE,
                         "--show, --check and --collectives are commands: give one");
    }
    for (int n = 0; n < request->nsides && !arguments->collectives; n++) {
        if (request->sides[n] < TUNE_LEAST_SIDE || request->sides[n] > TUNE_MOST_SIDE) {
            return base_fail(STATUS_USAGE,
                             "--sizes: the sides of pictures are %d to %d pixels, like "
                             "512,1024",
                             TUNE_LEAST_SIDE, TUNE_MOST_SIDE);
        }
    }
    if ((arguments->shows || arguments->checks) && measures) {
        return base_fail(
            STATUS_USAGE,
            "--show and --check measure nothing: leave out the other options");
    }
    if (arguments->checks && !arguments->argument) {
        return base_fail(STATUS_USAGE, "--check needs the config of a job");
    }
    if (arguments->has_sizes && arguments->argument && !arguments->collectives) {
        return base_fail(STATUS_USAGE,
                         "the config has the size of its frame: leave out --sizes");
    }
    return STATUS_OK;
}

/* ---- The command ------------------------------------------------------------------- */

static status show(MPI_Comm comm, const char *file)
{
    status s = STATUS_OK;
    if (parallel_rank(comm) == 0) {
        char *path = frame_tuning_path(file);
        s = path ? tune_show(path)
                 : base_fail(STATUS_USAGE, "there is no tuning file: 'mpiexec -n RANKS "
                                           "karman tune' writes one");
        free(path);
    }
    return parallel_agree(comm, s);
}

static status tune(MPI_Comm comm, const tune_arguments *arguments)
{
    tune_request request = arguments->request;
    char *path = arguments->out ? strdup(arguments->out) : frame_tuning_user_path();
    status s = path ? STATUS_OK
                    : base_fail(STATUS_USAGE, "there is no home folder for the tuning "
                                              "file: give --out FILE");
    s = parallel_agree(comm, s);
    request.path = path;
    if (s == STATUS_OK && arguments->collectives) {
        s = tune_collectives(comm, &request, arguments->argument);
    } else if (s == STATUS_OK) {
        request.config = arguments->argument;
        s = tune_run(comm, &request);
    }
    free(path);
    return s;
}

status cmd_tune(MPI_Comm comm, int argc, char **argv)
{
    tune_arguments arguments = {
        .request = {.sides = {512, 1024, 2048, 4096}, .nsides = 4}};
    status s = app_arguments_read(&cmd_tune_line, argc, argv, &arguments.common);
    s = s == STATUS_OK ? check_arguments(&arguments) : s;
    if (s != STATUS_OK) {
        return s;
    }
    if (arguments.collectives && !arguments.has_sizes) {
        static const int bytes[] = {64, 4096, 65536, 1048576};
        memcpy(arguments.request.sides, bytes, sizeof bytes);
    }
    if (arguments.request.budget <= 0) {
        arguments.request.budget = USUAL_BUDGET;
    }
    return arguments.shows    ? show(comm, arguments.argument)
           : arguments.checks ? tune_check(comm, arguments.argument)
                              : tune(comm, &arguments);
}
