#include "log.h"

#include "folder.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LOG_BYTES = 1 << 28 };

static bool is_event(const json_t *line, const char *name)
{
    const char *event = json_string_value(json_object_get(line, "event"));
    return event && strcmp(event, name) == 0;
}

/* Handles a line. The start of a run drops the lines of earlier runs. Refused orders are
 * skipped, as they changed nothing. */
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

/* Collects the accepted orders. A killed run may have left an incomplete line: this is an
 * error only if no later run begins behind it. */
static status parse_lines(const char *path, char *text, json_t *lines)
{
    status s = STATUS_OK;
    int number = 1, broken = 0;
    for (char *end; s == STATUS_OK && (end = strchr(text, '\n')); text = end + 1) {
        json_t *line = json_loadb(text, (size_t)(end - text), 0, NULL);
        if (!json_is_object(line)) {
            broken = broken == 0 ? number : broken;
        } else {
            broken = is_event(line, "begin") ? 0 : broken;
            s = take_line(line, lines);
        }
        json_decref(line);
        number++;
    }
    if (s == STATUS_OK && broken != 0) {
        s = base_fail(STATUS_INPUT, "%s:%d: this is not a line of a log of orders", path,
                      broken);
    }
    return s;
}

status steer_log_read(const char *path, json_t **out)
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
