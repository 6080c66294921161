/*
 * Repeating a run from its log: orders that took effect at a cycle are given again at
 * that cycle, by the same number of polls. The lines of one poll have the same `batch`; a
 * program that waits polls often, so it gets one batch each time and redraws between two
 * of them as it did before, but one that runs polls once a step and gets all that is due.
 */
#include "steer/run_parts.h"

#include "base/parallel.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LOG_BYTES = 1 << 28 };

static int64_t number_of(const json_t *line, const char *key)
{
    return json_integer_value(json_object_get(line, key));
}

static bool is_event(const json_t *line, const char *name)
{
    const char *event = json_string_value(json_object_get(line, "event"));
    return event && strcmp(event, name) == 0;
}

/* Takes in a line of a log: the beginning of a run forgets those before it, of which it
 * was the continuation; refused orders changed nothing. */
static status take_line(const json_t *line, json_t *lines)
{
    if (is_event(line, "begin")) {
        json_array_clear(lines);
        return STATUS_OK;
    }
    bool is_order = is_event(line, "order") || is_event(line, "repeated");
    if (!is_order || !json_is_true(json_object_get(line, "accepted"))) {
        return STATUS_OK;
    }
    return json_array_append(lines, (json_t *)line) == 0
               ? STATUS_OK
               : base_fail_memory(sizeof line, "a log");
}

/* A last line without its end belongs to a run that was killed: it is left out. */
static status parse_lines(const char *path, char *text, json_t *lines)
{
    status s = STATUS_OK;
    int number = 1;
    for (char *end; s == STATUS_OK && (end = strchr(text, '\n')); text = end + 1) {
        json_t *line = json_loadb(text, (size_t)(end - text), 0, NULL);
        s = json_is_object(line)
                ? take_line(line, lines)
                : base_fail(STATUS_INPUT, "%s:%d: this is no line of a log of orders",
                            path, number);
        json_decref(line);
        number++;
    }
    return s;
}

static status read_log(const char *path, json_t **out)
{
    char *text = NULL;
    size_t size = 0;
    status s = steer_file_read(path, MOST_LOG_BYTES, &text, &size);
    if (s != STATUS_OK) {
        return s;
    }
    json_t *lines = json_array();
    s = lines ? parse_lines(path, text, lines) : base_fail_memory(size, "a log");
    free(text);
    if (s != STATUS_OK) {
        json_decref(lines);
        return s;
    }
    *out = lines;
    return STATUS_OK;
}

status steer_run_replay(steer_run *run, const char *path)
{
    json_t *lines = NULL;
    status s = run->rank == 0 ? read_log(path, &lines) : STATUS_OK;
    s = parallel_agree(run->comm, s);
    if (s != STATUS_OK) {
        json_decref(lines);
        return s;
    }
    if (run->rank == 0) {
        json_decref(run->replay.lines);
        run->replay = (steer_replay){.lines = lines, .batch = -1};
    }
    return STATUS_OK;
}

bool steer_replay_next(steer_run *run, steer_letter *letter)
{
    steer_replay *replay = &run->replay;
    const json_t *line = json_array_get(replay->lines, replay->next);
    if (!line || number_of(line, "cycle") > run->cycle) {
        return false;
    }
    int64_t batch = number_of(line, "batch");
    bool is_first = replay->batch < 0 || replay->batch == batch;
    if (!is_first && run->state == STEER_HALTED) {
        return false;
    }
    replay->batch = batch;
    replay->next++;
    letter->file[0] = '\0';
    letter->json = json_incref(json_object_get(line, "order"));
    return true;
}
