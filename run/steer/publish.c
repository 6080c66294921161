/* The files that a run publishes: status, parameters, pictures, monitors, timings. Rank
 * 0. */
#include "alive.h"
#include "base/system.h"
#include "run.h"
#include "state.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The word of a state. */
static const char *state_name(steer_state state)
{
    static const char *const names[] = {[STEER_RUNNING] = "running",
                                        [STEER_HALTED] = "halted",
                                        [STEER_STOPPED] = "stopped"};
    return names[state];
}

/* ---- Whole files ------------------------------------------------------------------- */

bool steer_publish_about(steer_run *run)
{
    return steer_folder_write(&run->folder, "run.json", run->about);
}

static bool write_status(steer_run *run, const char *state)
{
    json_t *json =
        json_pack("{s:s, s:I, s:o, s:I, s:o, s:f, s:I}", "state", state, "cycle",
                  (json_int_t)run->cycle, "time", steer_number(run->time), "frames",
                  (json_int_t)run->shown.nframes, "message", steer_string(run->message),
                  "updated", steer_now(), "sequence", (json_int_t)run->sequence + 1);
    if (json && json_array_size(run->shown.waiting) > 0) {
        json_object_set(json, "waiting", run->shown.waiting);
        json_object_set_new(json, "soon", json_boolean(run->shown.soon));
    }
    bool done = steer_folder_write(&run->folder, "status.json", json);
    run->sequence += done;
    json_decref(json);
    return done;
}

static bool write_table(steer_run *run)
{
    json_t *json = json_pack("{s:I, s:o}", "sequence", (json_int_t)run->sequence + 1,
                             "parameters", steer_table_write(&run->table));
    bool done = steer_folder_write(&run->folder, "parameters.json", json);
    json_decref(json);
    json = run->description.make ? run->description.make(run->description.context) : NULL;
    done = (!json || steer_folder_write(&run->folder, "config.json", json)) && done;
    json_decref(json);
    return done;
}

void steer_run_on_publish(steer_run *run, steer_describe *describe, void *context)
{
    run->description = (steer_description){describe, context};
}

/* Whether the directory, or its run.json, has been removed. */
static bool is_lost(const steer_run *run)
{
    char path[STEER_MAX_PATH];
    return steer_path_join(run->folder.path, "run.json", path) &&
           access(path, F_OK) != 0 && errno == ENOENT;
}

static void flush_lines(steer_run *run, double now)
{
    steer_lines_flush(&run->shown.log, &run->folder);
    steer_lines_flush(&run->shown.frames, &run->folder);
    steer_lines_flush(&run->shown.monitors, &run->folder);
    steer_lines_flush(&run->shown.timings, &run->folder);
    run->shown.lines_flushed = now;
}

/* Seconds until files are written again. A slow file system must not hold the program up:
 * while it runs, writing takes at most STEER_PUBLISH_SHARE of its time, but news are no
 * older than STEER_LONGEST_PERIOD. */
static double period_of(const steer_run *run, double shortest)
{
    const double wanted = run->shown.cost / STEER_PUBLISH_SHARE;
    const double most = wanted < STEER_LONGEST_PERIOD ? wanted : STEER_LONGEST_PERIOD;
    return run->state == STEER_RUNNING && most > shortest ? most : shortest;
}

static void publish_all(steer_run *run, double now, const char *state)
{
    const double begin = base_clock();
    if (is_lost(run)) {
        steer_publish_about(run);
        run->shown.table_changed = true;
    }
    if (run->shown.table_changed) {
        run->shown.table_changed = !write_table(run);
    }
    write_status(run, state);
    flush_lines(run, now);
    steer_answers_expire(run, now);
    run->shown.published = now;
    run->shown.status_changed = false;
    run->shown.cost = base_clock() - begin;
}

void steer_publish(steer_run *run, double now, bool at_once)
{
    double since = now - run->shown.published;
    /* A clock that was set back must not keep files from being written. */
    bool is_due =
        since < 0.0 || since >= period_of(run, STEER_BEAT_PERIOD) ||
        (since >= period_of(run, STEER_PUBLISH_PERIOD) && run->shown.status_changed) ||
        /* Orders need the names of parameters, which seldom change. */
        (since >= STEER_PUBLISH_PERIOD && run->shown.table_changed);
    if (at_once || is_due) {
        publish_all(run, now, state_name(run->state));
    }
}

void steer_publish_end(steer_run *run)
{
    publish_all(run, steer_now(), "finished");
}

/* ---- Lines ------------------------------------------------------------------------- */

/* {"name": value, ...}; a name that occurs twice counts once. */
static json_t *pack_values(int count, const char *const *names, const double *values)
{
    json_t *object = json_object();
    for (int n = 0; object && n < count; n++) {
        json_object_set_new(object, names[n], steer_number(values[n]));
    }
    return object;
}

static void add_line(steer_run *run, steer_lines *lines, json_t *line, bool at_once)
{
    double now = steer_now(), since = now - run->shown.lines_flushed;
    steer_lines_add(lines, line);
    if (at_once || since < 0.0 || since >= period_of(run, STEER_PUBLISH_PERIOD)) {
        flush_lines(run, now);
    }
}

void steer_run_add_frame(steer_run *run, const char *name, const char *file,
                         int64_t cycle, double time, double seconds)
{
    if (run->rank != 0) {
        return;
    }
    run->shown.nframes++;
    run->shown.status_changed = true;
    json_t *line = json_pack("{s:o, s:o, s:I, s:o, s:o, s:f}", "name", steer_string(name),
                             "file", steer_string(file), "cycle", (json_int_t)cycle,
                             "time", steer_number(time), "seconds", steer_number(seconds),
                             "at", steer_now());
    add_line(run, &run->shown.frames, line, true);
}

/* Takes ownership of `values`. */
static void add_values(steer_run *run, steer_lines *lines, int64_t cycle, double time,
                       json_t *values)
{
    json_t *line = json_pack("{s:I, s:o, s:o}", "cycle", (json_int_t)cycle, "time",
                             steer_number(time), "values", values);
    add_line(run, lines, line, false);
}

void steer_run_add_monitors(steer_run *run, int64_t cycle, double time, int count,
                            const char *const *names, const double *values)
{
    if (run->rank == 0) {
        add_values(run, &run->shown.monitors, cycle, time,
                   pack_values(count, names, values));
    }
}

void steer_run_add_timings(steer_run *run, int64_t cycle, double time, int count,
                           const char *const *names, const double *values)
{
    if (run->rank == 0) {
        add_values(run, &run->shown.timings, cycle, time,
                   pack_values(count, names, values));
    }
}

void steer_run_publish(steer_run *run)
{
    if (run->rank == 0) {
        steer_publish(run, steer_now(), true);
    }
}

void steer_run_wait(steer_run *run, bool soon, int count, const char *const *names)
{
    if (run->rank != 0) {
        return;
    }
    json_t *waiting = json_array();
    for (int n = 0; n < count; n++) {
        json_array_append_new(waiting, steer_string(names[n]));
    }
    if (!json_equal(waiting, run->shown.waiting)) {
        json_decref(run->shown.waiting);
        run->shown.waiting = json_incref(waiting);
        run->shown.status_changed = true;
    }
    run->shown.soon = soon;
    json_decref(waiting);
}

void steer_run_say(steer_run *run, const char *message)
{
    if (run->rank == 0 && strcmp(run->message, message) != 0) {
        snprintf(run->message, sizeof run->message, "%s", message);
        run->shown.status_changed = true;
    }
}
