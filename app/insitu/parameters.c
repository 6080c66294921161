/* The settings of pictures that orders may change: the values in their configs, by dotted
 * path. */
#include "io/config/keys/keys.h"
#include "io/config/table.h"
#include "state.h"

#include <jansson.h>
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

/* Prints numbers as YAML: one number, or a list. */
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

/* Prints text as YAML. Numbers between commas become a list, so that `range: auto` takes
 * 0,3 as `range: [0, 1]` does. */
static void print_text(const steer_value *value, size_t size, char *text)
{
    const size_t length = strlen(value->text);
    const bool is_list =
        strchr(value->text, ',') && strspn(value->text, "0123456789+-.eE, ") == length;
    snprintf(text, size, is_list ? "[%s]" : "%s", value->text);
}

/* Sets a setting: its steer_apply. */
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

/* Type, count and value of a setting; false for a value that cannot be set. */
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

/* If there are several pictures, the name says which one has the setting. */
static void print_name(const registration *r, const char *path, size_t size, char *name)
{
    const app_insitu *session = r->session;
    if (session->npictures > 1) {
        snprintf(name, size, "pictures.%s.%s", session->pictures[r->picture].name, path);
    } else {
        snprintf(name, size, "%s", path);
    }
}

static status register_value(const registration *r, const io_key *key, const char *path,
                             const json_t *json)
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
    char help[256];
    print_name(r, path, sizeof name, name);
    io_key_plain(key->help, sizeof help, help);
    io_key_limits(key, &description.min, &description.max);
    parameter->picture = r->picture;
    parameter->type = description.type;
    parameter->count = description.count;
    description.name = name;
    description.unit = key->unit;
    description.help = help;
    return steer_run_register(r->session->run, &description, &value, apply_setting,
                              parameter);
}

static status register_all(const registration *r, const char *path, json_t *json);

/* Registers the items of a list of mappings, such as the layers. */
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

/* Registers the settings in a value and in all that is nested in it. */
static status register_all(const registration *r, const char *path, json_t *json)
{
    bool is_steerable = false;
    const io_key *known = io_keys_find(io_config_keys, path, &is_steerable);
    if (known && (known->flags & IO_KEY_WHOLE) != 0) {
        return is_steerable ? register_value(r, known, path, json) : STATUS_OK;
    }
    if (known && json_is_array(json) && known->below) {
        return register_items(r, path, json);
    }
    if (!json_is_object(json)) {
        return is_steerable ? register_value(r, known, path, json) : STATUS_OK;
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
    json_t *config = json_loads(canonical, 0, NULL);
    if (!config) {
        return base_fail_memory(strlen(canonical), "the parameters of a picture");
    }
    status s = STATUS_OK;
    for (const io_key *key = io_config_keys; key->name && s == STATUS_OK; key++) {
        json_t *value = json_object_get(config, key->name);
        s = value ? register_all(r, key->name, value) : STATUS_OK;
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
