#include "view.h"

#include "base/log.h"
#include "base/parallel/parallel.h"
#include "base/system.h"
#include "frame/entry.h"
#include "io/load/sweep.h"
#include "state.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WRONG = 422, FAILED = 500 };

/* ---- Ends -------------------------------------------------------------------------- */

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { ENDINGS = sizeof ending_signals / sizeof ending_signals[0] };

static _Atomic bool is_ending;

/* Any rank may get the signal; rank 0 ends all. Others are told of the end. */
static void note_ending(int number)
{
    (void)number;
    is_ending = true;
    base_stop_set(true);
}

static void catch_ending(struct sigaction held[ENDINGS])
{
    const struct sigaction note = {.sa_handler = note_ending};
    is_ending = false;
    for (int n = 0; n < ENDINGS; n++) {
        sigaction(ending_signals[n], &note, &held[n]);
    }
}

static void release_ending(const struct sigaction held[ENDINGS])
{
    for (int n = 0; n < ENDINGS; n++) {
        sigaction(ending_signals[n], &held[n], NULL);
    }
}

/* ---- Orders ------------------------------------------------------------------------ */

typedef status view_order(view_state *state, const json_t *order, view_result *result);

static const struct {
    const char *word;
    view_order *carry_out;
} orders[] = {
    {"draw", view_order_draw},       {"change", view_order_change},
    {"about", view_order_about},     {"probe", view_order_probe},
    {"take", view_order_take},       {"histogram", view_order_histogram},
    {"figure", view_order_figure},   {"sample", view_order_sample},
    {"colors", view_order_colors},   {"news", view_order_news},
    {"extreme", view_order_extreme}, {"reopen", view_order_reopen},
};

enum { ORDERS = sizeof orders / sizeof orders[0] };

static view_order *find_order(const json_t *order)
{
    const char *word = json_string_value(json_object_get(order, "do"));
    for (int n = 0; word && n < ORDERS; n++) {
        if (strcmp(orders[n].word, word) == 0) {
            return orders[n].carry_out;
        }
    }
    return NULL;
}

/* The message without the change that it is about, which the page knows. */
static const char *skip_change(const json_t *order, const char *message)
{
    static const char set[] = "--set ";
    const size_t length = sizeof set - 1;
    size_t n;
    json_t *change;
    json_array_foreach(json_object_get(order, "changes"), n, change)
    {
        const char *text = json_string_value(change);
        const size_t size = text ? strlen(text) : 0;
        if (strncmp(message, set, length) == 0 && text &&
            strncmp(message + length, text, size) == 0) {
            message += length + size;
            return message + strspn(message, ": ");
        }
    }
    return message;
}

/* Puts the key of a message first: the page knows no lines of files. */
static const char *message_of(const view_state *state, const json_t *order)
{
    const char *held = skip_change(order, base_fail_message());
    const size_t length = strlen(state->request->path);
    if (strncmp(held, state->request->path, length) != 0 || held[length] != ':') {
        return held;
    }
    const char *rest = held + length + 1;
    rest += strspn(rest, "0123456789");
    return rest + strspn(rest, ": ");
}

/* Carries out an order; all failures are told to the page. Collective. */
static void carry_out(view_state *state, const char *body, size_t size,
                      view_result *result)
{
    json_t *order = json_loadb(body, size, JSON_REJECT_DUPLICATES, NULL);
    view_order *call = find_order(order);
    state->nwarnings = 0;
    const bool is_other =
        json_is_true(json_object_get(order, "other")) && state->other_data;
    status s = call ? STATUS_OK : base_fail(STATUS_USAGE, "there is no such order");
    if (is_other) {
        view_state_swap(state);
    }
    if (call) {
        s = call(state, order, result);
    }
    if (is_other) {
        view_state_swap(state);
    }
    if (s != STATUS_OK && state->rank == 0) {
        *result =
            view_result_error(s == STATUS_USAGE || s == STATUS_INPUT ? WRONG : FAILED,
                              message_of(state, order));
    }
    base_fail_set_message("");
    json_decref(order);
}

/* Sends an order from rank 0 to all; returns false at the end. Collective. */
static bool share_order(const view_state *state, const char *body, size_t size,
                        char **copy, int64_t *bytes)
{
    *bytes = body ? (int64_t)size : -1;
    parallel_bcast(bytes, 1, MPI_INT64_T, 0, state->comm);
    if (*bytes < 0) {
        return false;
    }
    *copy = malloc((size_t)*bytes + 1);
    if (!*copy) {
        *bytes = 0; /* this rank fails to read the order; the next agreement tells it */
        return true;
    }
    if (body) {
        memcpy(*copy, body, size);
    }
    parallel_bcast(*copy, parallel_count(*bytes), MPI_CHAR, 0, state->comm);
    return true;
}

static void work(view_state *state, view_queue *queue)
{
    const double idle = state->request->idle_seconds;
    for (;;) {
        const char *body = NULL;
        char *copy = NULL;
        size_t size = 0;
        int64_t bytes = 0;
        view_result result = {0};
        if (queue && !view_queue_take(queue, idle, &is_ending, &body, &size)) {
            body = NULL;
        }
        if (!share_order(state, body, size, &copy, &bytes)) {
            return;
        }
        carry_out(state, copy, (size_t)bytes, &result);
        if (queue) {
            view_queue_give(queue, &result);
        }
        free(copy);
    }
}

/* ---- The page ---------------------------------------------------------------------- */

/* Keeps the warnings of an order for the page. */
static void keep_warning(void *context, const char *warning)
{
    view_state *state = context;
    if (state->nwarnings < VIEW_MOST_WARNINGS) {
        snprintf(state->warnings[state->nwarnings++], VIEW_MOST_WARNING, "%s", warning);
    }
}

/* What rank 0 tells while data are loaded. */
typedef struct view_start {
    view_queue *queue;
    const live_server *server; /* NULL on other ranks */
    const char *path;
    bool is_told, is_ready; /* the address; that orders are taken */
    status told;
    double last; /* base_clock of the last line */
} view_start;

/* Tells the address on rank 0, once. */
static status announce(view_start *start)
{
    const live_server *server = start->server;
    if (!server || start->is_told) {
        return start->told;
    }
    start->is_told = true;
    printf("%s\n", live_server_address(server));
    if (fflush(stdout) != 0) {
        return base_fail(STATUS_OUTPUT, "standard output cannot be written");
    }
    /* A node of a cluster has the browser elsewhere. */
    if (getenv("SSH_CONNECTION") || getenv("SLURM_JOB_ID") || getenv("PBS_JOBID") ||
        getenv("LSB_JOBID")) {
        fprintf(stderr, "From the machine of the browser: %s\n",
                live_server_tunnel(server));
    }
    return STATUS_OK;
}

/* io_sweep_news: the page and the terminal show how much is loaded. The first pass over
 * the data follows all checks of the config: the page may be opened. */
static void note_loading(void *context, const char *field, double share)
{
    view_start *start = context;
    const bool is_terminal = isatty(STDERR_FILENO);
    const double pause = is_terminal ? 0.2 : 5.0, now = base_clock();
    view_queue_note_loading(start->queue, field, share);
    if (!start->is_told) {
        fprintf(stderr, "karman: loading %s\n", start->path);
        start->last = now;
        start->told = announce(start);
    }
    if (!start->is_ready && now - start->last >= pause && share < 1.0) {
        fprintf(stderr, "%skarman: loading %s: %.0f %%%s", is_terminal ? "\r" : "",
                field ? field : "the grid", 100.0 * share,
                is_terminal ? "\033[K\r" : "\n");
        start->last = now;
    }
}

/* Rank 0's part of the start. */
static status open_page(const view_request *request, view_queue **queue, live_view *view,
                        live_server **server)
{
    status s = view_queue_create(queue);
    if (s != STATUS_OK) {
        return s;
    }
    *view = (live_view){view_queue_answer, view_queue_watch, *queue};
    const live_options options = {
        .view = view, .port = request->port, .proxy = request->host};
    return live_server_start(NULL, &options, server);
}

/* Loads, then works. Collective. */
static status explore(view_state *state, view_queue *queue, const live_server *server)
{
    view_start start = {.queue = queue, .server = server, .path = state->request->path};
    if (queue) {
        io_sweep_watch(note_loading, &start);
    }
    status s = view_state_create(state);
    start.is_ready = true;
    s = s == STATUS_OK ? parallel_agree(state->comm, announce(&start)) : s;
    if (s == STATUS_OK) {
        if (queue) {
            base_log_watch(keep_warning, state);
        }
        work(state, queue);
        if (queue) {
            base_log_watch(NULL, NULL);
            fprintf(stderr, "karman: the view has ended%s\n",
                    is_ending ? "" : ": nobody has used it (--idle)");
        }
    }
    io_sweep_watch(NULL, NULL);
    return s;
}

status view_run(MPI_Comm comm, const view_request *request)
{
    view_state state = {.comm = comm, .rank = parallel_rank(comm), .request = request};
    view_queue *queue = NULL;
    live_server *server = NULL;
    live_view view;
    struct sigaction held[ENDINGS];
    frame_entry entry;
    frame_entry_begin(&entry);
    catch_ending(held);
    status s = state.rank == 0 ? open_page(request, &queue, &view, &server) : STATUS_OK;
    s = parallel_agree(comm, s);
    s = s == STATUS_OK ? explore(&state, queue, server) : s;
    if (queue) {
        view_queue_close(queue);
    }
    live_server_stop(&server);
    view_queue_destroy(&queue);
    view_state_clear(&state);
    release_ending(held);
    base_stop_set(false);
    frame_entry_end(&entry);
    return s;
}
