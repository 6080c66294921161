/* The life of a run directory: making, taking over, ending. */
#include "run.h"

#include "alive.h"
#include "base/log.h"
#include "base/parallel/parallel.h"
#include "base/version.h"
#include "client.h"
#include "state.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- Taking over ------------------------------------------------------------------- */

/* Reads a file of the directory as JSON, or returns NULL; leaves no failure message. */
static json_t *try_read(const char *folder, const char *name)
{
    json_t *json = NULL;
    if (steer_read_json(folder, name, &json) != STATUS_OK) {
        base_fail_set_message("");
    }
    return json;
}

/* Fails if another program is alive in the directory. */
static status check_free(const char *folder)
{
    json_t *run = try_read(folder, "run.json");
    json_t *last = try_read(folder, "status.json");
    status s = STATUS_OK;
    if (steer_alive_check(run, last)) {
        const char *host = json_string_value(json_object_get(run, "host"));
        json_int_t pid = json_integer_value(json_object_get(run, "pid"));
        s = base_fail(STATUS_OUTPUT,
                      "the run directory '%s' is used by process %lld on %s, which is "
                      "alive: choose another one, or end that program",
                      folder, (long long)pid, host);
    }
    json_decref(run);
    json_decref(last);
    return s;
}

/* The files of a run. replay.jsonl, pictures of other programs and other files stay. */
static const char *const left_behind[] = {
    "run.json",       "status.json",   "parameters.json", "frames.jsonl",
    "monitors.jsonl", "timings.jsonl", "log.jsonl",       "replayed.jsonl",
    "monitors.csv",   "frames",        "orders",          "answers"};

static bool has_earlier(const char *folder)
{
    enum { FILES = 7 }; /* the others may be empty folders */
    struct stat about;
    char path[STEER_MAX_PATH];
    for (int n = 0; n < FILES; n++) {
        if (steer_path_join(folder, left_behind[n], path) && stat(path, &about) == 0) {
            return true;
        }
    }
    return false;
}

/* Makes a new folder earlier/N for the files of an earlier run. */
static bool make_shelf(const char *folder, char shelf[STEER_MAX_PATH])
{
    char name[64];
    if (!steer_path_join(folder, "earlier", shelf) ||
        (mkdir(shelf, 0777) != 0 && errno != EEXIST)) {
        return false;
    }
    for (int n = 1; n < 1000000; n++) {
        snprintf(name, sizeof name, "earlier/%03d", n);
        if (!steer_path_join(folder, name, shelf)) {
            return false;
        }
        if (mkdir(shelf, 0777) == 0) {
            return true;
        }
        if (errno != EEXIST) {
            return false;
        }
    }
    return false;
}

static status fail_folder(const char *folder)
{
    return base_fail(STATUS_OUTPUT,
                     "the run directory '%s' cannot be made or written: %s", folder,
                     strerror(errno));
}

static status put_away(const char *folder)
{
    char shelf[STEER_MAX_PATH], from[STEER_MAX_PATH], to[STEER_MAX_PATH];
    if (!has_earlier(folder)) {
        return STATUS_OK;
    }
    if (!make_shelf(folder, shelf)) {
        return fail_folder(folder);
    }
    for (size_t n = 0; n < sizeof left_behind / sizeof left_behind[0]; n++) {
        if (steer_path_join(folder, left_behind[n], from) &&
            steer_path_join(shelf, left_behind[n], to) && rename(from, to) != 0 &&
            errno != ENOENT) {
            return fail_folder(folder);
        }
    }
    return STATUS_OK;
}

/* ---- Making ------------------------------------------------------------------------ */

static json_t *describe(const steer_run *run, const char *program, json_t *others)
{
    char text[64];
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    json_t *about = steer_alive_describe();
    json_t *more = json_pack("{s:i, s:o, s:s, s:i, s:f, s:s}", "format", 1, "program",
                             steer_string(program), "version", base_version(), "ranks",
                             run->ranks, "start", steer_now(), "start_text", text);
    if (about && more) {
        json_object_update(about, more);
        json_object_update(about, others);
    }
    json_decref(more);
    return about;
}

/* Continues the counters of status.json if the run continues. */
static void take_up_counts(steer_run *run)
{
    json_t *last = try_read(run->folder.path, "status.json");
    run->shown.nframes = json_integer_value(json_object_get(last, "frames"));
    run->sequence = json_integer_value(json_object_get(last, "sequence"));
    json_decref(last);
}

static status open_folder(steer_run *run, const steer_options *options)
{
    const char *folder = run->folder.path;
    status s = check_free(folder);
    if (s != STATUS_OK) {
        return s;
    }
    if (!options->goes_on && (s = put_away(folder)) != STATUS_OK) {
        return s;
    }
    run->folder.guards = true;
    run->folder.group_orders = options->group_orders;
    if (!steer_folder_make(folder) || !steer_orders_guard(&run->folder)) {
        return fail_folder(folder);
    }
    take_up_counts(run);
    return STATUS_OK;
}

static status make_root(steer_run *run, const char *program, const steer_options *options)
{
    run->inbox = calloc(1, sizeof *run->inbox);
    run->waiting = calloc(STEER_MAX_PER_POLL, sizeof *run->waiting);
    run->answers = calloc(1, sizeof *run->answers);
    run->about = describe(run, program, options->about);
    if (!run->inbox || !run->waiting || !run->answers || !run->about) {
        return base_fail_memory(sizeof *run->answers, "a run directory");
    }
    run->shown.log.name = "log.jsonl";
    run->shown.frames.name = "frames.jsonl";
    run->shown.monitors.name = "monitors.jsonl";
    run->shown.timings.name = "timings.jsonl";
    run->shown.table_changed = true;
    status s = open_folder(run, options);
    if (s != STATUS_OK) {
        return s;
    }
    run->folder.has_said = true; /* the failure is returned: no warning */
    if (!steer_publish_about(run)) {
        return fail_folder(run->folder.path);
    }
    run->folder.has_said = false;
    steer_orders_refuse_old(run);
    steer_publish(run, steer_now(), true);
    return STATUS_OK;
}

/* Repeats the directory's replay.jsonl, if any, and renames it, so that it is repeated
 * once. Collective. */
static status take_up_replay(steer_run *run)
{
    char path[STEER_MAX_PATH], done[STEER_MAX_PATH];
    bool joined = steer_path_join(run->folder.path, "replay.jsonl", path) &&
                  steer_path_join(run->folder.path, "replayed.jsonl", done);
    int there = run->rank == 0 && joined && access(path, F_OK) == 0;
    parallel_bcast(&there, 1, MPI_INT, 0, run->comm);
    if (!there) {
        return STATUS_OK;
    }
    status s = steer_run_replay(run, path);
    if (s == STATUS_OK && run->rank == 0) {
        rename(path, done);
    }
    return s;
}

static void free_run(steer_run *run)
{
    steer_table_clear(&run->table);
    steer_lines_clear(&run->shown.log);
    steer_lines_clear(&run->shown.frames);
    steer_lines_clear(&run->shown.monitors);
    steer_lines_clear(&run->shown.timings);
    json_decref(run->replay.lines);
    json_decref(run->about);
    json_decref(run->shown.waiting);
    if (run->inbox) {
        steer_inbox_clear(run->inbox);
    }
    free(run->inbox);
    free(run->waiting);
    free(run->answers);
    free(run->folder.path);
    free(run);
}

static status make_run(MPI_Comm comm, const char *folder, steer_run **out)
{
    steer_run *run = calloc(1, sizeof *run);
    char *path = strdup(folder);
    status s = run && path ? STATUS_OK : base_fail_memory(sizeof *run, "a run directory");
    s = parallel_agree(comm, s);
    if (s != STATUS_OK) {
        free(run);
        free(path);
        return s;
    }
    run->comm = comm;
    run->rank = parallel_rank(run->comm);
    run->ranks = parallel_size(run->comm);
    run->folder.path = path;
    run->replay.batch = -1;
    *out = run;
    return STATUS_OK;
}

status steer_run_create(MPI_Comm comm, const char *folder, const char *program,
                        const steer_options *options, steer_run **out)
{
    steer_run *run = NULL;
    status s = make_run(comm, folder, &run);
    if (s != STATUS_OK) {
        return s;
    }
    s = run->rank == 0 ? make_root(run, program, options) : STATUS_OK;
    s = parallel_agree(run->comm, s);
    if (s == STATUS_OK && (s = take_up_replay(run)) != STATUS_OK && run->rank == 0) {
        steer_publish_end(run); /* marks the run as ended */
    }
    if (s != STATUS_OK) {
        free_run(run);
        return s;
    }
    *out = run;
    return STATUS_OK;
}

void steer_run_destroy(steer_run **run)
{
    steer_run *r = *run;
    if (!r) {
        return;
    }
    if (r->rank == 0) {
        steer_publish_end(r);
    }
    free_run(r);
    *run = NULL;
}

void steer_run_on_redraw(steer_run *run, steer_redraw *redraw, void *context)
{
    run->redraw = redraw;
    run->redraw_context = context;
}

void steer_run_on_change(steer_run *run, steer_change *change, void *context)
{
    run->change = change;
    run->change_context = context;
}

/* ---- Parameters -------------------------------------------------------------------- */

status steer_run_register(steer_run *run, const steer_parameter *parameter,
                          const steer_value *value, steer_apply *apply, void *context)
{
    status s = steer_table_add(&run->table, parameter, value, apply, context);
    run->shown.table_changed = run->shown.table_changed || s == STATUS_OK;
    return s;
}

void steer_run_remove(steer_run *run, const char *name)
{
    run->shown.table_changed =
        steer_table_drop(&run->table, name) || run->shown.table_changed;
}

void steer_run_set(steer_run *run, const char *name, const steer_value *value)
{
    steer_entry *entry = steer_table_find(&run->table, name);
    if (entry && memcmp(&entry->value, value, sizeof *value) != 0) {
        entry->value = *value;
        entry->value.text[STEER_MAX_TEXT - 1] = '\0';
        run->shown.table_changed = true;
    }
}

const steer_value *steer_run_value(const steer_run *run, const char *name)
{
    const steer_entry *entry = steer_table_find(&run->table, name);
    return entry ? &entry->value : NULL;
}
