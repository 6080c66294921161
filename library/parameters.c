/* The settings of pictures that orders may change: the values in their configs, by dotted
 * path. */
#include "base/log.h"
#include "base/parallel/parallel.h"
#include "io/config/keys/keys.h"
#include "io/config/table.h"
#include "state.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 256 };

/* ---- The list ---------------------------------------------------------------------- */

insitu_parameter *insitu_parameter_add(insitu_session *session)
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

static void free_parameter(insitu_parameter *parameter)
{
    free(parameter->name);
    free(parameter->key);
    free(parameter);
}

void insitu_parameters_free(insitu_session *session)
{
    for (int n = 0; n < session->nparameters; n++) {
        free_parameter(session->parameters[n]);
    }
    free(session->parameters);
    for (int n = 0; n < session->offers.ncolors; n++) {
        free(session->offers.colors[n]);
    }
}

/* Removes the settings of all pictures. */
static void forget_settings(insitu_session *session)
{
    int kept = 0;
    for (int n = 0; n < session->nparameters; n++) {
        insitu_parameter *parameter = session->parameters[n];
        if (parameter->picture < 0) {
            session->parameters[kept++] = parameter;
            continue;
        }
        if (parameter->name) {
            steer_run_remove(session->run, parameter->name);
        }
        free_parameter(parameter);
    }
    session->nparameters = kept;
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
    if (strcmp(value->text, "null") == 0 || strcmp(value->text, "~") == 0) {
        snprintf(text, size, "\"%s\"", value->text); /* a text, and no removal */
        return;
    }
    const size_t length = strlen(value->text);
    const bool is_list =
        strchr(value->text, ',') && strspn(value->text, "0123456789+-.eE, ") == length;
    snprintf(text, size, is_list ? "[%s]" : "%s", value->text);
}

/* Sets a setting: its steer_apply. */
static status apply_setting(void *context, const char *name, const steer_value *value)
{
    const insitu_parameter *parameter = context;
    insitu_session *session = parameter->session;
    insitu_picture *picture = &session->pictures[parameter->picture];
    char text[STEER_MAX_TEXT + 2], change[STEER_MAX_TEXT + PATH_SIZE + 4];
    const char *const changes[] = {change};
    io_config *config = NULL;
    (void)name;
    switch (parameter->type) {
    case STEER_BOOL:
        snprintf(text, sizeof text, "%s", value->numbers[0] != 0.0 ? "true" : "false");
        break;
    case STEER_INT:
    case STEER_REAL:
        print_numbers(parameter, value, sizeof text, text);
        break;
    default:
        print_text(value, sizeof text, text);
    }
    snprintf(change, sizeof change, "%s=%s", parameter->key, text);
    status s = insitu_picture_plan(session, picture, 1, changes, &config);
    s = parallel_agree(session->comm, s);
    if (s == STATUS_OK) {
        insitu_picture_take(session, picture, &config);
        insitu_pictures_publish(session);
    }
    io_config_destroy(&config);
    return s;
}

/* ---- Registering ------------------------------------------------------------------- */

/* One picture whose settings are registered. */
typedef struct registration {
    insitu_session *session;
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
static bool read_value(const io_key *key, const json_t *json,
                       steer_parameter *description, steer_value *value)
{
    const bool is_whole = key->type == IO_KEY_INT || key->type == IO_KEY_INT64;
    const steer_type number = is_whole ? STEER_INT : STEER_REAL;
    description->count = 1;
    if (json_is_boolean(json)) {
        description->type = STEER_BOOL;
        value->numbers[0] = json_is_true(json);
    } else if (json_is_number(json)) {
        description->type = number;
        value->numbers[0] = json_number_value(json);
    } else if (json_is_array(json) && are_numbers(json)) {
        description->type = number;
        description->count = (int)json_array_size(json);
        for (int n = 0; n < description->count; n++) {
            value->numbers[n] = json_number_value(json_array_get(json, (size_t)n));
        }
    } else if (json_is_string(json)) {
        description->type = key->type == IO_KEY_CHOICE ? STEER_CHOICE : STEER_TEXT;
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
    const insitu_session *session = r->session;
    if (session->npictures > 1) {
        snprintf(name, size, "pictures.%s.%s", session->pictures[r->picture].name, path);
    } else {
        snprintf(name, size, "%s", path);
    }
}

enum { MOST_CHOICES = 512 };

/* The words of a choice, and the names that a menu proposes for a text. Rank 0 alone
 * needs these. Returns their number. */
static int list_choices(const insitu_session *session, const io_key *key,
                        const char *choices[MOST_CHOICES])
{
    const int nfields = session->grid.nfields;
    const grid_field *fields = session->grid.fields;
    const char *derived = NULL;
    int count = 0;
    for (const io_key_word *w = key->words; w && w->word && count < MOST_CHOICES; w++) {
        choices[count++] = w->word;
    }
    if (session->rank != 0) {
        return count;
    }
    for (int n = 0; key->offers == IO_OFFERS_COLORS && n < session->offers.ncolors; n++) {
        choices[count++] = session->offers.colors[n];
    }
    if (key->offers != IO_OFFERS_FIELDS) {
        return count;
    }
    for (int n = 0; n < nfields && count < MOST_CHOICES; n++) {
        choices[count++] = fields[n].name;
    }
    for (int n = 0; nfields > 0 && count < MOST_CHOICES &&
                    (derived = grid_recipe_derivable(nfields, fields, n));
         n++) {
        choices[count++] = derived;
    }
    return count;
}

static status register_value(const registration *r, const io_key *key, const char *path,
                             const json_t *json)
{
    steer_value value = {.text = ""};
    steer_parameter description = {.name = NULL};
    char name[PATH_SIZE + GRID_NAME_SIZE + 16], help[256];
    const char *choices[MOST_CHOICES];
    if (!read_value(key, json, &description, &value)) {
        return STATUS_OK;
    }
    insitu_parameter *parameter = insitu_parameter_add(r->session);
    print_name(r, path, sizeof name, name);
    if (!parameter || !(parameter->key = strdup(path)) ||
        !(parameter->name = strdup(name))) {
        return base_fail_memory(sizeof *parameter, "a parameter");
    }
    io_key_plain(key->help, sizeof help, help);
    io_key_limits(key, &description.min, &description.max);
    parameter->picture = r->picture;
    parameter->type = description.type;
    parameter->count = description.count;
    description.name = name;
    description.unit = key->unit;
    description.help = help;
    description.nchoices = list_choices(r->session, key, choices);
    description.choices = choices;
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

/* Gives each layer `shown` as its last key: the canonical form omits its default. */
static void add_shown(const json_t *config)
{
    size_t n;
    json_t *layer;
    json_array_foreach(json_object_get(config, "layers"), n, layer)
    {
        const bool hides = json_is_false(json_object_get(layer, "shown"));
        json_object_del(layer, "shown");
        json_object_set_new(layer, "shown", json_boolean(!hides));
    }
}

static status register_picture(const registration *r, const char *canonical)
{
    json_t *config = json_loads(canonical, 0, NULL);
    if (!config) {
        return base_fail_memory(strlen(canonical), "the parameters of a picture");
    }
    add_shown(config);
    status s = STATUS_OK;
    for (const io_key *key = io_config_keys; key->name && s == STATUS_OK; key++) {
        json_t *value = json_object_get(config, key->name);
        s = value ? register_all(r, key->name, value) : STATUS_OK;
    }
    json_decref(config);
    return s;
}

/* The config that shows the most of a picture: with found values, once it has a job. */
static const char *canonical_of(const insitu_picture *picture)
{
    return picture->job && !picture->is_stale ? frame_job_config(picture->job)->canonical
                                              : picture->config->canonical;
}

static status register_pictures(insitu_session *session)
{
    status s = STATUS_OK;
    for (int n = 0; n < session->npictures && s == STATUS_OK; n++) {
        const registration r = {session, n};
        s = register_picture(&r, canonical_of(&session->pictures[n]));
    }
    return s;
}

status insitu_parameters_register(insitu_session *session)
{
    if (session->rank == 0) {
        session->offers.ncolors = io_colormap_names(session->offers.colors);
    }
    return register_pictures(session);
}

void insitu_parameters_relist(insitu_session *session)
{
    forget_settings(session);
    if (register_pictures(session) != STATUS_OK) {
        if (session->rank == 0) {
            base_log_warning("some settings of pictures cannot be changed by orders: %s",
                             base_fail_message());
        }
        base_fail_set_message("");
    }
}
