/* karman view CONFIG or FILE: data explored in a browser. */
#include "arguments.h"
#include "base/parallel/parallel.h"
#include "cmd.h"
#include "io/source.h"
#include "run/case/case.h"
#include "run/case/options.h"
#include "run/view/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct view_arguments {
    app_arguments common;
    const char *config; /* or data file */
    const char *other;  /* a data file beside it; or NULL */
    case_options picture;
    frame_job_options options;
    int port;
    const char *host;
    double idle; /* seconds */
} view_arguments;

static status set_idle(void *into, const app_option *option, const char *text)
{
    static const struct {
        const char *word;
        double seconds;
    } units[] = {{"s", 1.0}, {"min", 60.0}, {"h", 3600.0}, {"", 60.0}};
    char *end;
    const double value = strtod(text, &end);
    (void)option;
    for (size_t n = 0; n < sizeof units / sizeof units[0]; n++) {
        if (end != text && value >= 0.0 && value < 1e9 &&
            strcmp(end, units[n].word) == 0) {
            *(double *)into = value > 0.0 ? value * units[n].seconds : INFINITY;
            return STATUS_OK;
        }
    }
    return base_fail(STATUS_USAGE,
                     "--idle %s: give a time such as 45s, 30min or 2h, or 0 for no end",
                     text);
}

#define AT(member) APP_AT(view_arguments, member)

static const app_option rows[] = {
    CASE_OPTIONS(APP_PICTURE){"threads", 't', "N",
                              "Threads of each rank (default: OMP_NUM_THREADS, else the "
                              "node's cores divided by its ranks)",
                              APP_WHOLE, AT(options.threads), 1, APP_MOST_THREADS},
    {"port", 'p', "N", "Port of 127.0.0.1 (default: 0, a free one)", APP_WHOLE, AT(port),
     0, APP_MOST_PORT},
    {"host", 'H', "NAME",
     "Answer to this host name as well: that of a proxy, such as Jupyter's", APP_TEXT,
     AT(host)},
    {"idle", 'i', "TIME",
     "End after so long without an order: 45s, 30min, 2h; 0: never (default: 30min)",
     APP_BY_CALL, AT(idle), .take = set_idle},
    {.keep = APP_ARGUMENT,
     AT(config),
     .words = {NULL, "view needs a config or a data file"}},
    {.keep = APP_ARGUMENT,
     AT(other),
     .words = {"view takes one config or data file, or a folder of files with a step "
               "each, and another data file beside it"}},
    {0},
};

const app_line cmd_view_line = {
    .options = rows,
    .arguments = "CONFIG|FILE [FILE]",
    .doc =
        "Serves a page on which data are explored in a browser: turned, sliced, "
        "coloured, probed, through all their steps, drawn by all ranks of mpiexec. It "
        "begins with the picture of 'karman render', and gives the config of what is "
        "shown. A second file stands beside the first, with one camera.\vIt prints the "
        "address to open, once. Anyone with the address can use "
        "it, as it holds a token. The server accepts connections from this machine only. "
        "From another machine, run the printed line with 'ssh -L', then open the same "
        "address there. Ctrl-C ends it. docs/user/view.md has the details.\nExit status: "
        "0 done, 1 failed at run time, 2 wrong usage or config.",
};

/* Opens a data file that stands beside the first: its faults come before the address.
 * Collective. */
static status try_other(MPI_Comm comm, const char *path)
{
    io_config *config = NULL;
    io_source *source = NULL;
    if (!case_is_data(comm, path)) {
        return base_fail(STATUS_USAGE,
                         "%s holds no data: a data file stands beside "
                         "another one",
                         path);
    }
    status s = case_load(comm, path, 0, NULL, &config);
    s = s == STATUS_OK ? io_source_open(comm, &config->data, &source) : s;
    io_source_close(&source);
    io_config_destroy(&config);
    case_drop_place(path);
    return s;
}

static status view(MPI_Comm comm, const view_arguments *arguments, const char *path)
{
    const view_request request = {path,
                                  &arguments->options,
                                  arguments->other,
                                  arguments->port,
                                  arguments->host,
                                  arguments->idle};
    const status s = arguments->other ? try_other(comm, arguments->other) : STATUS_OK;
    return s == STATUS_OK ? view_run(comm, &request) : s;
}

/* Views a data file, with the config that karman render makes for it. */
static status view_data(MPI_Comm comm, view_arguments *arguments)
{
    char *text = NULL;
    status s = case_make(comm, arguments->config, CASE_LAST, &text);
    arguments->options.text = text;
    s = s == STATUS_OK ? view(comm, arguments, case_place(arguments->config)) : s;
    case_drop_place(arguments->config);
    free(text);
    return s;
}

static status run(MPI_Comm comm, view_arguments *arguments)
{
    const bool is_data = case_is_data(comm, arguments->config);
    case_options *picture = &arguments->picture;
    status s = parallel_agree(
        comm, case_options_finish(picture, is_data ? NULL : arguments->config));
    arguments->options.field = picture->field;
    arguments->options.noverrides = picture->count;
    arguments->options.overrides = (const char *const *)picture->overrides;
    if (s == STATUS_OK) {
        s = is_data ? view_data(comm, arguments)
                    : view(comm, arguments, arguments->config);
    }
    return case_options_blame(picture, s);
}

status cmd_view(MPI_Comm comm, int argc, char **argv)
{
    view_arguments arguments = {.idle = 1800.0};
    status s = app_arguments_read(&cmd_view_line, argc, argv, &arguments.common);
    s = s == STATUS_OK && arguments.picture.orbits
            ? base_fail(STATUS_USAGE, "--orbit is for karman render: the page of view "
                                      "turns the data itself")
            : s;
    s = s == STATUS_OK ? run(comm, &arguments) : s;
    case_options_clear(&arguments.picture);
    return s;
}
