/* karman render CONFIG: all frames of a config file. */
#include "app/insitu/karman.h"
#include "arguments.h"
#include "base/status.h"
#include "cmd.h"
#include "follow.h"

#include <stdlib.h>
#include <string.h>

enum {
    OPTION_SET = 's',
    OPTION_THREADS = 't',
    OPTION_RESUME = 'r',
    OPTION_QUIET = 'q',
    OPTION_FOLLOW = 'f',
    OPTION_UNTIL = 'u',
    MOST_OVERRIDES = 256,
    MOST_THREADS = 4096
};

static const struct argp_option option_table[] = {
    {"set", OPTION_SET, "KEY=VALUE", 0,
     "Override a key of the config: --set image.width=512 "
     "--set 'layers.0.volume.range=[0, 2]'. May be given many times.",
     0},
    {"threads", OPTION_THREADS, "N", 0,
     "Threads of each rank (default: OMP_NUM_THREADS, else the cores of the node shared "
     "among "
     "its ranks)",
     0},
    {"resume", OPTION_RESUME, NULL, 0,
     "Keep pictures that are complete and were made by the same config", 0},
    {"quiet", OPTION_QUIET, NULL, 0, "Show no progress", 0},
    {"follow", OPTION_FOLLOW, "FOLDER", 0,
     "Draw HDF5 files as they appear in this folder, instead of data.file, until it "
     "holds a file 'stop'",
     0},
    {"until", OPTION_UNTIL, "SECONDS", 0,
     "With --follow: end when so long nothing new has appeared", 0},
    {0},
};

typedef struct render_arguments {
    const char *config;
    const char *overrides[MOST_OVERRIDES];
    karman_options options;
    const char *folder; /* to follow; NULL: render what there is */
    double until;
    status result;
} render_arguments;

static void add_override(render_arguments *arguments, const char *text)
{
    if (!strchr(text, '=')) {
        arguments->result = base_fail(
            STATUS_USAGE, "--set %s: give KEY=VALUE, like image.width=512", text);
    } else if (arguments->options.noverrides == MOST_OVERRIDES) {
        arguments->result = base_fail(STATUS_USAGE, "--set is given more than %d times",
                                      (int)MOST_OVERRIDES);
    } else {
        arguments->overrides[arguments->options.noverrides++] = text;
    }
}

static void set_threads(render_arguments *arguments, const char *text)
{
    char *end;
    long threads = strtol(text, &end, 10);
    if (*text == '\0' || *end != '\0' || threads < 1 || threads > MOST_THREADS) {
        arguments->result =
            base_fail(STATUS_USAGE, "--threads %s: give a whole number from 1 to %d",
                      text, (int)MOST_THREADS);
        return;
    }
    arguments->options.threads = (int)threads;
}

static void set_until(render_arguments *arguments, const char *text)
{
    char *end;
    double seconds = strtod(text, &end);
    if (end == text || *end != '\0' || !(seconds > 0.0 && seconds <= 1e9)) {
        arguments->result =
            base_fail(STATUS_USAGE, "--until %s: give a number of seconds above 0", text);
        return;
    }
    arguments->until = seconds;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    render_arguments *arguments = state->input;
    switch (key) {
    case OPTION_SET:
        add_override(arguments, text);
        return 0;
    case OPTION_THREADS:
        set_threads(arguments, text);
        return 0;
    case OPTION_RESUME:
        arguments->options.resume = true;
        return 0;
    case OPTION_QUIET:
        arguments->options.quiet = true;
        return 0;
    case OPTION_FOLLOW:
        arguments->folder = text;
        return 0;
    case OPTION_UNTIL:
        set_until(arguments, text);
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->config) {
            arguments->result = base_fail(
                STATUS_USAGE, "render takes one config file, but '%s' follows '%s'", text,
                arguments->config);
            return 0;
        }
        arguments->config = text;
        return 0;
    case ARGP_KEY_ERROR:
        return app_arguments_reject(state);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp cmd_render_argp = {
    .options = option_table,
    .parser = parse_option,
    .args_doc = "CONFIG",
    .doc =
        "Renders the frames of a config file into PNG pictures, on all ranks of mpiexec."
        "\vA config file is YAML; docs/config.md describes its keys, docs/steering.md "
        "how files are followed.\n"
        "Exit status: 0 done, 1 failed at run time, 2 wrong usage or config.",
};

static status check(const render_arguments *arguments, const char *name)
{
    if (!arguments->config) {
        return base_fail(STATUS_USAGE, "render needs a config file: see '%s --help'",
                         name);
    }
    return arguments->until > 0.0 && !arguments->folder
               ? base_fail(STATUS_USAGE, "--until goes with --follow")
               : STATUS_OK;
}

status cmd_render(MPI_Comm comm, int argc, char **argv)
{
    render_arguments arguments = {.result = STATUS_OK};
    status s = app_arguments_parse(&cmd_render_argp, argc, argv, &arguments);
    if (s != STATUS_OK || (s = arguments.result) != STATUS_OK) {
        return s;
    }
    s = check(&arguments, argv[0]);
    if (s != STATUS_OK) {
        return s;
    }
    arguments.options.overrides = arguments.overrides;
    if (arguments.folder) {
        const app_job_options options = {.noverrides = arguments.options.noverrides,
                                         .overrides = arguments.overrides,
                                         .threads = arguments.options.threads,
                                         .resume = arguments.options.resume};
        const app_follow_request request = {arguments.config, arguments.folder,
                                            arguments.until, &options,
                                            arguments.options.quiet};
        return app_follow(comm, &request);
    }
    int code = karman_render_config(comm, arguments.config, &arguments.options);
    return code == KARMAN_DONE    ? STATUS_OK
           : code == KARMAN_USAGE ? STATUS_USAGE
                                  : STATUS_INPUT;
}
