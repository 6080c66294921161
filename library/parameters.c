/* The settings of pictures that orders may change: the values in their configs, by dotted
 * path. */
#include "base/array.h"
#include "base/log.h"
#include "base/parallel/parallel.h"
#include "state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 256 };

/* ---- The list ---------------------------------------------------------------------- */

insitu_parameter *insitu_parameter_add(insitu_session *session)
{
    const int count = session->nparameters;
    insitu_parameter *parameter =
        base_array_room(session->parameters, count, 1, NULL) == STATUS_OK
            ? calloc(1, sizeof *parameter)
            : NULL;
    if (parameter) {
        parameter->session = session;
        session->parameters[session->nparameters++] = parameter;
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
    settings_offers_clear(&session->offers);
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

/* Whether a setting stands for a key that is not set: a text, until it has a value. */
static bool was_unset(const insitu_parameter *parameter)
{
    const steer_value *now = steer_run_value(parameter->session->run, parameter->name);
    return parameter->type == STEER_TEXT && now &&
           (strcmp(now->text, "none") == 0 || strncmp(now->text, "[{", 2) == 0);
}

/* Sets a setting: its steer_apply. */
static status apply_setting(void *context, const char *name, const steer_value *value)
{
    const insitu_parameter *parameter = context;
    insitu_session *session = parameter->session;
    char text[STEER_MAX_TEXT + 2], change[STEER_MAX_TEXT + PATH_SIZE + 4];
    (void)name;
    const bool is_none = parameter->may_lack && strcmp(value->text, "none") == 0;
    const bool is_retyped = was_unset(parameter) || is_none;
    switch (is_none ? STEER_TEXT : parameter->type) {
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
    status s = insitu_change_picture(session, parameter->picture, change);
    if (s == STATUS_OK && is_retyped) {
        insitu_parameters_relist(session); /* frees the parameter */
    }
    return s;
}

/* ---- Registering ------------------------------------------------------------------- */

/* One picture whose settings are registered. */
typedef struct registration {
    insitu_session *session;
    int picture;
} registration;

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

/* A setting of a picture: its steer_parameter. */
static status register_setting(void *context, const steer_parameter *setting,
                               const steer_value *value)
{
    const registration *r = context;
    steer_parameter description = *setting;
    char name[PATH_SIZE + GRID_NAME_SIZE + 16];
    insitu_parameter *parameter = insitu_parameter_add(r->session);
    print_name(r, setting->name, sizeof name, name);
    if (!parameter || !(parameter->key = strdup(setting->name)) ||
        !(parameter->name = strdup(name))) {
        return base_fail_memory(sizeof *parameter, "a parameter");
    }
    parameter->picture = r->picture;
    parameter->type = description.type;
    parameter->count = description.count;
    parameter->may_lack = description.may_lack;
    description.name = name;
    return steer_run_register(r->session->run, &description, value, apply_setting,
                              parameter);
}

/* The config that shows the most of a picture: with found values, once it has a job. */
static const char *canonical_of(const insitu_picture *picture)
{
    return picture->job && !picture->is_stale ? frame_job_config(picture->job)->canonical
                                              : picture->config->canonical;
}

static status register_pictures(insitu_session *session)
{
    /* Rank 0 alone needs menus. */
    settings_offers *offers = session->rank == 0 ? &session->offers : NULL;
    status s = STATUS_OK;
    session->offers.nfields = session->grid.nfields;
    session->offers.fields = session->grid.fields;
    for (int n = 0; n < session->npictures && s == STATUS_OK; n++) {
        registration r = {session, n};
        s = settings_list(canonical_of(&session->pictures[n]), offers, register_setting,
                          &r);
        s = s == STATUS_OK
                ? settings_list_times(session->config, n, offers, register_setting, &r)
                : s;
    }
    return s;
}

status insitu_parameters_register(insitu_session *session)
{
    if (session->rank == 0) {
        settings_offers_colors(&session->offers);
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

status insitu_change(void *context, const char *texts, size_t size, char *message)
{
    status s = insitu_change_texts(context, texts, size, message);
    if (s == STATUS_OK) {
        insitu_parameters_relist(context);
    }
    return s;
}
