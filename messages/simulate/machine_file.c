#include "machine_file.h"

#include "base/log.h"
#include "base/version.h"
#include "io/file.h"
#include "io/json/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { VERSION = 1 };

static const char *const VERSION_KEY = "karman_machine";

/* The lists of points of the two links. */
static const struct {
    const char *key;
    size_t offset;
} links[] = {{"points", offsetof(simulate_machine, between)},
             {"near_points", offsetof(simulate_machine, within)}};

enum { LINKS = sizeof links / sizeof links[0] };

/* ---- Writing ----------------------------------------------------------------------- */

static json_t *describe_value(const simulate_machine *machine,
                              const simulate_value *value)
{
    const void *at = (const char *)machine + value->offset;
    switch (value->kind) {
    case SIMULATE_SECONDS:
    case SIMULATE_FACTOR:
        return json_real(*(const double *)at);
    case SIMULATE_COUNT:
        return json_integer(*(const int *)at);
    default:
        return json_boolean(*(const bool *)at);
    }
}

static json_t *describe_points(const simulate_link *link)
{
    json_t *points = json_array();
    for (int i = 0; i < link->npoints; i++) {
        json_array_append_new(
            points, json_pack("[f, f]", link->points[i].bytes, link->points[i].seconds));
    }
    return points;
}

json_t *messages_machine_describe(const simulate_machine *machine)
{
    json_t *object = json_pack("{s:i, s:o}", VERSION_KEY, VERSION, "name",
                               io_json_text(machine->name));
    const simulate_value *value;
    for (int n = 0; object && (value = simulate_machine_value(n)); n++) {
        json_object_set_new(object, value->key, describe_value(machine, value));
    }
    for (int i = 0; object && i < LINKS; i++) {
        const simulate_link *link =
            (const simulate_link *)((const char *)machine + links[i].offset);
        if (link->npoints > 0) {
            json_object_set_new(object, links[i].key, describe_points(link));
        }
    }
    return object;
}

status messages_machine_write(const char *path, const simulate_machine *machine,
                              json_t *about)
{
    json_t *object = messages_machine_describe(machine);
    if (object && about) {
        json_object_set(object, "measured", about);
    }
    size_t size;
    char *text = object ? io_json_print(object, &size) : NULL;
    json_decref(object);
    if (!text) {
        return base_fail_memory(4096, "a machine file");
    }
    const status s = io_file_write(path, text, size);
    free(text);
    return s;
}

/* ---- Reading ----------------------------------------------------------------------- */

static status fail(const char *path, const char *key, const char *reason)
{
    return base_fail(STATUS_USAGE,
                     "%s is no machine file: '%.64s' %s: see 'karman "
                     "simulate --help'",
                     path, key, reason);
}

static bool read_value(const json_t *json, const simulate_value *value,
                       simulate_machine *machine)
{
    void *at = (char *)machine + value->offset;
    if ((value->kind == SIMULATE_SECONDS || value->kind == SIMULATE_FACTOR) &&
        json_is_number(json)) {
        *(double *)at = json_number_value(json);
        return true;
    }
    if (value->kind == SIMULATE_COUNT && json_is_integer(json) &&
        json_integer_value(json) >= 0 && json_integer_value(json) <= 1 << 20) {
        *(int *)at = (int)json_integer_value(json);
        return true;
    }
    if (value->kind == SIMULATE_FLAG && json_is_boolean(json)) {
        *(bool *)at = json_is_true(json);
        return true;
    }
    return false;
}

static bool read_points(const json_t *list, simulate_link *link)
{
    const size_t count = json_array_size(list);
    link->npoints = 0;
    for (size_t i = 0; i < count && count <= SIMULATE_MOST_POINTS; i++) {
        const json_t *point = json_array_get(list, i);
        const json_t *bytes = json_array_get(point, 0);
        const json_t *seconds = json_array_get(point, 1);
        if (!json_is_number(bytes) || !json_is_number(seconds)) {
            return false;
        }
        link->points[link->npoints++] =
            (simulate_point){json_number_value(bytes), json_number_value(seconds)};
    }
    return json_is_array(list) && count <= SIMULATE_MOST_POINTS;
}

static const simulate_value *find_value(const char *key)
{
    const simulate_value *value = NULL;
    for (int n = 0; (value = simulate_machine_value(n)); n++) {
        if (strcmp(value->key, key) == 0) {
            break;
        }
    }
    return value;
}

/* Whether files of former versions have the key. All of them have a window, and always
 * the same one. */
static bool is_former(const char *key)
{
    return strcmp(key, "socket_alpha") == 0 || strcmp(key, "socket_beta") == 0 ||
           strcmp(key, "window") == 0;
}

static status read_member(const char *path, const char *key, const json_t *json,
                          simulate_machine *machine)
{
    for (int i = 0; i < LINKS; i++) {
        if (strcmp(key, links[i].key) == 0) {
            simulate_link *link = (simulate_link *)((char *)machine + links[i].offset);
            return read_points(json, link)
                       ? STATUS_OK
                       : fail(path, key,
                              "is no list of at most 32 pairs [bytes, seconds]");
        }
    }
    if (strcmp(key, "name") == 0 && json_is_string(json)) {
        snprintf(machine->name, sizeof machine->name, "%s", json_string_value(json));
        return STATUS_OK;
    }
    if (strcmp(key, VERSION_KEY) == 0 || strcmp(key, "measured") == 0) {
        return STATUS_OK;
    }
    const simulate_value *value = find_value(key);
    if (is_former(key)) {
        if (*key == 's' && json_number_value(json) > 0) {
            base_log_warning("%s: '%s' has no effect: schedules know no sockets", path,
                             key);
        }
        return STATUS_OK;
    }
    if (!value) {
        return fail(path, key, "is no value of a machine");
    }
    return read_value(json, value, machine) ? STATUS_OK
                                            : fail(path, key, "has an impossible value");
}

status messages_machine_take(const char *path, json_t *document,
                             simulate_machine *machine)
{
    simulate_machine read = *machine;
    read.between.npoints = read.within.npoints = 0;
    read.between.overhead = INFINITY;
    status s = STATUS_OK;
    if (json_integer_value(json_object_get(document, VERSION_KEY)) != VERSION) {
        s = base_fail(STATUS_USAGE,
                      "%s is no machine file: it lacks '%s: %d'; 'karman simulate "
                      "--measure FILE' writes one",
                      path, VERSION_KEY, VERSION);
    }
    const char *key;
    json_t *json;
    json_object_foreach(document, key, json)
    {
        s = s == STATUS_OK ? read_member(path, key, json, &read) : s;
    }
    simulate_machine_find_overhead(&read, machine->between.overhead);
    s = s == STATUS_OK ? simulate_machine_check(&read, path) : s;
    if (s == STATUS_OK) {
        *machine = read;
    }
    return s;
}

status messages_machine_read(const char *path, simulate_machine *machine)
{
    json_error_t error;
    json_t *document = json_load_file(path, 0, &error);
    if (!document) {
        return base_fail(STATUS_USAGE, "%s cannot be read as a machine file: %s", path,
                         error.text);
    }
    const status s = messages_machine_take(path, document, machine);
    json_decref(document);
    return s;
}

status messages_machine_choose(const char *text, simulate_machine *machine)
{
    const bool is_file = !simulate_machine_is_named(text) &&
                         (access(text, F_OK) == 0 || !strchr(text, '='));
    return is_file ? messages_machine_read(text, machine)
                   : simulate_machine_parse(text, machine);
}
