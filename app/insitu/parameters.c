/* The settings of pictures that orders may change: what their configs hold, by dotted
 * path. */
#include "state.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 256 };

/* ---- The list ---------------------------------------------------------------------- */

insitu_parameter *insitu_parameter_add(app_insitu *session)
{
    const size_t bytes = ((size_t)session->nparameters + 1) * sizeof *session->parameters;
    insitu_parameter **list = realloc(session->parameters, bytes);
    if (!list) {
        return NULL;
    }
    session->parameters = list;
    insitu_parameter *parameter = calloc(1, sizeof *parameter);
    if (parameter) {
        parameter->session = session;
        list[session->nparameters++] = parameter;
    }
    return parameter;
}

void insitu_parameters_free(app_insitu *session)
{
    for (int n = 0; n < session->nparameters; n++) {
        free(session->parameters[n]->key);
        free(session->parameters[n]);
    }
    free(session->parameters);
}

/* ---- Setting ----------------------------------------------------------------------- */

/* Numbers as YAML: one, or a list. */
static void print_numbers(const insitu_parameter *parameter, const steer_value *value,
                          size_t size, char *text)
{
    const bool is_list = parameter->count != 1;
    size_t used = (size_t)snprintf(text, size, "%s", is_list ? "[" : "");
    for (int n = 0; n < parameter->count && used < size; n++) {
        used += (size_t)snprintf(text + used, size - used, "%s%.17g", n > 0 ? ", " : "",
                                 value->numbers[n]);
    }
    if (used < size && is_list) {
        snprintf(text + used, size - used, "]");
    }
}

/* Text as YAML. Numbers between commas are a list, as they are for settings that hold
 * one already: so `range: auto` takes 0,3. */
static void print_text(const steer_value *value, size_t size, char *text)
{
    const size_t length = strlen(value->text);
    const bool is_list =
        strchr(value->text, ',') && strspn(value->text, "0123456789+-.eE, ") == length;
    snprintf(text, size, is_list ? "[%s]" : "%s", value->text);
}

/* steer_apply of a setting. */
static status apply_setting(void *context, const char *name, const steer_value *value)
{
    const insitu_parameter *parameter = context;
    app_insitu *session = parameter->session;
    char text[STEER_MAX_TEXT + 2];
    (void)name;
    switch (parameter->type) {
    case STEER_BOOL:
        snprintf(text, sizeof text, "%s", value->numbers[0] != 0.0 ? "true" : "false");
        break;
    case STEER_REAL:
        print_numbers(parameter, value, sizeof text, text);
        break;
    default:
        print_text(value, sizeof text, text);
    }
    return insitu_picture_change(session, &session->pictures[parameter->picture],
                                 parameter->key, text);
}

/* ---- Registering ------------------------------------------------------------------- */

/* What is known of settings beside what the config's own checks say. */
typedef struct known {
    const char *end; /* of the path */
    double min, max;
    const char *unit, *help;
} known;

static const known table[] = {
    {"camera.position", -INFINITY, INFINITY, "length", "where the camera is"},
    {"camera.look_at", -INFINITY, INFINITY, "length", "the point in the middle"},
    {"camera.up", -INFINITY, INFINITY, NULL, "the direction that is up"},
    {"camera.fov", 0.0, 180.0, "degrees", "full vertical angle"},
    {"camera.near", 0.0, INFINITY, "length", "nothing nearer is drawn"},
    {"camera.far", 0.0, INFINITY, "length", "nothing farther is drawn"},
    {"camera.height", 0.0, INFINITY, "length", "height of the picture"},
    {".range", -INFINITY, INFINITY, NULL, "values at the ends of the colours"},
    {".unit_length", 0.0, INFINITY, "length", "what opacity refers to"},
    {".opacity", 0.0, 1.0, NULL, "how opaque, by value where it is a list"},
    {".extinction", 0.0, INFINITY, NULL, "per unit_length, by value"},
    {".colors", 0.0, INFINITY, NULL, "a colour map, or its points"},
    {".color", 0.0, 1.0, NULL, "red, green, blue"},
    {".intensity", 0.0, INFINITY, NULL, "of the light"},
    {"background", 0.0, 1.0, NULL, "red, green, blue"},
};

static const known *find_known(const char *path)
{
    static const known none = {"", -INFINITY, INFINITY, NULL, "as in the config"};
    const size_t length = strlen(path);
    for (size_t n = 0; n < sizeof table / sizeof table[0]; n++) {
        const size_t end = strlen(table[n].end);
        if (end <= length && strcmp(path + length - end, table[n].end) == 0) {
            return &table[n];
        }
    }
    return &none;
}

/* One picture whose settings are registered. */
typedef struct registration {
    app_insitu *session;
    int picture;
} registration;

static bool are_numbers(const json_t *list)
{
    const size_t count = json_array_size(list);
    for (size_t n = 0; n < count; n++) {
        if (!json_is_number(json_array_get(list, n))) {
            return false;
        }
    }
    return count > 0 && count <= STEER_MAX_NUMBERS;
}

/* Type, count and value of a setting; false where it is none that can be set. */
static bool read_value(const json_t *json, steer_parameter *description,
                       steer_value *value)
{
    description->count = 1;
    if (json_is_boolean(json)) {
        description->type = STEER_BOOL;
        value->numbers[0] = json_is_true(json);
    } else if (json_is_number(json)) {
        description->type = STEER_REAL;
        value->numbers[0] = json_number_value(json);
    } else if (json_is_array(json) && are_numbers(json)) {
        description->type = STEER_REAL;
        description->count = (int)json_array_size(json);
        for (int n = 0; n < description->count; n++) {
            value->numbers[n] = json_number_value(json_array_get(json, (size_t)n));
        }
    } else if (json_is_string(json)) {
        description->type = STEER_TEXT;
        return snprintf(value->text, sizeof value->text, "%s", json_string_value(json)) <
               (int)sizeof value->text;
    } else {
        description->type = STEER_TEXT;
        char *text = json_is_array(json)
                         ? json_dumps(json, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15))
                         : NULL;
        const bool fits = text && strlen(text) < sizeof value->text;
        if (fits) {
            memcpy(value->text, text, strlen(text) + 1);
        }
        free(text);
        return fits;
    }
    return true;
}

/* With several pictures each has its own settings. */
static void print_name(const registration *r, const char *path, size_t size, char *name)
{
    const app_insitu *session = r->session;
    if (session->npictures > 1) {
        snprintf(name, size, "pictures.%s.%s", session->pictures[r->picture].name, path);
    } else {
        snprintf(name, size, "%s", path);
    }
}

static status register_value(const registration *r, const char *path, const json_t *json)
{
    steer_value value = {.text = ""};
    steer_parameter description = {.name = NULL};
    char name[PATH_SIZE + GRID_NAME_SIZE + 16];
    if (!read_value(json, &description, &value)) {
        return STATUS_OK;
    }
    insitu_parameter *parameter = insitu_parameter_add(r->session);
    if (!parameter || !(parameter->key = strdup(path))) {
        return base_fail_memory(sizeof *parameter, "a parameter");
    }
    const known *limits = find_known(path);
    print_name(r, path, sizeof name, name);
    parameter->picture = r->picture;
    parameter->type = description.type;
    parameter->count = description.count;
    description.name = name;
    description.min = limits->min;
    description.max = limits->max;
    description.unit = limits->unit;
    description.help = limits->help;
    return steer_run_register(r->session->run, &description, &value, apply_setting,
                              parameter);
}

static status register_all(const registration *r, const char *path, json_t *json);

/* A list of mappings, such as the layers. */
static status register_items(const registration *r, const char *path, json_t *list)
{
    status s = STATUS_OK;
    for (size_t n = 0; n < json_array_size(list) && s == STATUS_OK; n++) {
        char below[PATH_SIZE];
        if (snprintf(below, sizeof below, "%s.%zu", path, n) < (int)sizeof below) {
            s = register_all(r, below, json_array_get(list, n));
        }
    }
    return s;
}

static status register_all(const registration *r, const char *path, json_t *json)
{
    if (json_is_array(json) && json_is_object(json_array_get(json, 0))) {
        return register_items(r, path, json);
    }
    if (!json_is_object(json)) {
        return register_value(r, path, json);
    }
    const char *key;
    json_t *value;
    status s = STATUS_OK;
    json_object_foreach(json, key, value)
    {
        char below[PATH_SIZE];
        if (s == STATUS_OK &&
            snprintf(below, sizeof below, "%s.%s", path, key) < (int)sizeof below) {
            s = register_all(r, below, value);
        }
    }
    return s;
}

static status register_picture(const registration *r, const char *canonical)
{
    static const char *const sections[] = {"camera", "layers", "lights", "clip",
                                           "annotations"};
    json_t *config = json_loads(canonical, 0, NULL);
    if (!config) {
        return base_fail_memory(strlen(canonical), "the parameters of a picture");
    }
    status s = STATUS_OK;
    for (size_t n = 0; n < sizeof sections / sizeof sections[0] && s == STATUS_OK; n++) {
        json_t *section = json_object_get(config, sections[n]);
        s = section ? register_all(r, sections[n], section) : STATUS_OK;
    }
    json_t *background = json_object_get(json_object_get(config, "image"), "background");
    if (s == STATUS_OK && background) {
        s = register_value(r, "image.background", background);
    }
    json_decref(config);
    return s;
}

status insitu_parameters_register(app_insitu *session)
{
    status s = STATUS_OK;
    for (int n = 0; n < session->npictures && s == STATUS_OK; n++) {
        const registration r = {session, n};
        s = register_picture(&r, session->pictures[n].config->canonical);
    }
    return s;
}
