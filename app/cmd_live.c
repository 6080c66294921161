/* karman live RUN_DIR: a page in the browser that shows a running program and steers it.
 */
#include "arguments.h"
#include "base/launched.h"
#include "cmd.h"
#include "library/insitu.h"
#include "run/live/live.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_SECONDS = 3600 };

typedef struct live_arguments {
    app_arguments common;
    const char *folder;
    live_options options;
} live_arguments;

static const app_option rows[] = {
    {"port", 'p', "N", "Port of 127.0.0.1 (default: 0, a free one)", APP_WHOLE,
     APP_AT(live_arguments, options.port), 0, APP_MOST_PORT},
    {"host", 'H', "NAME",
     "Answer to this host name as well: that of a proxy, such as Jupyter's", APP_TEXT,
     APP_AT(live_arguments, options.proxy)},
    {"timeout", 't', "SECONDS", "Longest time for a request to arrive (default: 15)",
     APP_WHOLE, APP_AT(live_arguments, options.request_seconds), 1, MOST_SECONDS},
    {.keep = APP_ARGUMENT,
     APP_AT(live_arguments, folder),
     .words = {"live takes one run directory", "live needs a run directory"}},
    {0},
};

const app_line cmd_live_line = {
    .options = rows,
    .arguments = "RUN_DIR",
    .doc =
        "Serves a page that shows the pictures of a running program as they appear, its "
        "monitors and the costs of its stages, and steers it: camera, layers, halt, "
        "resume, step. RUN_DIR is the program's run directory. Call it without mpiexec. "
        "Ctrl-C ends it; the program continues.\vIt prints the address to open, once. "
        "Anyone with the address can steer, as it holds a token. The server accepts "
        "connections from this machine only. From another machine, run the printed line "
        "with 'ssh -L', then open the same address there. docs/user/live.md has the "
        "details.\nExit status: 0 done, 1 failed at run time, 2 wrong usage.",
};

/* ---- Serving ----------------------------------------------------------------------- */

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { ENDINGS = sizeof ending_signals / sizeof ending_signals[0] };

/* A signal handler writes into this pipe. It can do little else, and any thread may run
 * it. */
static int ending_pipe[2];

static void note_ending(int number)
{
    (void)number;
    int held = errno;
    ssize_t written = write(ending_pipe[1], "", 1);
    (void)written;
    errno = held;
}

static status catch_ending(struct sigaction held[ENDINGS])
{
    const struct sigaction note = {.sa_handler = note_ending};
    if (pipe(ending_pipe) != 0) {
        return base_fail(STATUS_OUTPUT, "no pipe can be opened: %s", strerror(errno));
    }
    for (int n = 0; n < ENDINGS; n++) {
        sigaction(ending_signals[n], &note, &held[n]);
    }
    return STATUS_OK;
}

static void wait_for_ending(void)
{
    struct pollfd wait = {.fd = ending_pipe[0], .events = POLLIN};
    while (poll(&wait, 1, -1) < 0 && errno == EINTR) {
    }
}

static void release_ending(const struct sigaction held[ENDINGS])
{
    for (int n = 0; n < ENDINGS; n++) {
        sigaction(ending_signals[n], &held[n], NULL);
    }
    close(ending_pipe[0]);
    close(ending_pipe[1]);
}

/* Prints the address and serves. Standard output gets nothing else. */
static status serve(const live_arguments *arguments)
{
    live_server *server = NULL;
    status s = live_server_start(arguments->folder, &arguments->options, &server);
    if (s != STATUS_OK) {
        return s;
    }
    printf("%s\n", live_server_address(server));
    if (fflush(stdout) == 0) {
        fprintf(stderr, "From another machine: %s\n", live_server_tunnel(server));
        wait_for_ending();
    } else {
        s = base_fail(STATUS_OUTPUT, "standard output cannot be written");
    }
    live_server_stop(&server);
    return s;
}

static status serve_until_ending(const live_arguments *arguments)
{
    struct sigaction held[ENDINGS];
    status s = catch_ending(held);
    if (s == STATUS_OK) {
        s = serve(arguments);
        release_ending(held);
    }
    return s;
}

status cmd_live(int argc, char **argv)
{
    live_arguments arguments = {0};
    const status s = app_arguments_read(&cmd_live_line, argc, argv, &arguments.common);
    if (s != STATUS_OK) {
        return s;
    }
    if (base_launched_size() > 1) {
        return base_fail(STATUS_USAGE, "live is one process: call it without mpiexec");
    }
    arguments.options.check = insitu_client_check;
    return serve_until_ending(&arguments);
}
