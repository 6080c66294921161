/* Changes that a client checks before it sends them: with the config that the run
 * publishes (config.json), by the checks of the program. */
#include "run/steer/client.h"
#include "insitu.h"
#include "io/config/document/document.h"
#include "run/steer/parameters.h"
#include "state.h"

#include <stdlib.h>
#include <string.h>

/* ---- The program's end ------------------------------------------------------------- */

static json_t *list_overrides(const io_in_situ_text *from)
{
    json_t *list = json_array();
    for (int n = 0; n < from->noverrides; n++) {
        json_array_append_new(list, steer_string(from->overrides[n]));
    }
    return list;
}

static json_t *list_pictures(const insitu_session *session)
{
    json_t *list = json_array();
    for (int n = 0; n < session->npictures; n++) {
        json_array_append_new(list, io_document_json(session->pictures[n].config->given));
    }
    return list;
}

static json_t *list_fields(const insitu_grid *grid)
{
    json_t *list = json_array();
    for (int n = 0; n < grid->nfields; n++) {
        const grid_field *field = &grid->fields[n];
        json_array_append_new(
            list, json_pack("{s:o, s:o, s:i, s:b}", "name", steer_string(field->name),
                            "alias", steer_string(field->alias), "location",
                            (int)field->location, "void", field->is_void));
    }
    return list;
}

json_t *insitu_client_describe(void *context)
{
    const insitu_session *session = context;
    const io_in_situ_text *from = &session->from;
    return json_pack("{s:o, s:o, s:o, s:i, s:o, s:o, s:b, s:o}", "path",
                     steer_string(from->path), "text", steer_string(from->text),
                     "overrides", list_overrides(from), "ranks", session->ranks, "times",
                     io_document_json(session->config->given), "pictures",
                     list_pictures(session), "has_fields", session->grid.source != NULL,
                     "fields", list_fields(&session->grid));
}

/* ---- The client's end -------------------------------------------------------------- */

static status fail_config(void)
{
    return base_fail(STATUS_INPUT, "config.json is not that of a run of this version: "
                                   "the change cannot be checked");
}

/* Lends the texts of the document. */
static status read_from(const json_t *json, insitu_session *session)
{
    const json_t *overrides = json_object_get(json, "overrides");
    const size_t count = json_array_size(overrides);
    const char **list = calloc(count + 1, sizeof *list);
    session->from =
        (io_in_situ_text){.path = json_string_value(json_object_get(json, "path")),
                          .text = json_string_value(json_object_get(json, "text")),
                          .size = json_string_length(json_object_get(json, "text")),
                          .noverrides = (int)count,
                          .overrides = list};
    session->ranks = (int)json_integer_value(json_object_get(json, "ranks"));
    bool works = session->from.path && session->from.text && session->ranks > 0;
    for (size_t n = 0; list && n < count; n++) {
        list[n] = json_string_value(json_array_get(overrides, n));
        works = works && list[n];
    }
    return !list ? base_fail_memory(0, "a change") : works ? STATUS_OK : fail_config();
}

static status read_fields(const json_t *json, insitu_grid *grid)
{
    const json_t *list = json_object_get(json, "fields");
    const size_t count = json_array_size(list);
    grid->fields = calloc(count + 1, sizeof *grid->fields);
    if (!grid->fields) {
        return base_fail_memory(0, "a change");
    }
    grid->nfields = (int)count;
    grid->is_told = json_is_true(json_object_get(json, "has_fields"));
    for (size_t n = 0; n < count; n++) {
        const json_t *item = json_array_get(list, n);
        const char *name = json_string_value(json_object_get(item, "name"));
        const char *alias = json_string_value(json_object_get(item, "alias"));
        grid_field *field = &grid->fields[n];
        if (!name || strlen(name) >= GRID_NAME_SIZE) {
            return fail_config();
        }
        strcpy(field->name, name);
        if (alias && strlen(alias) < GRID_NAME_SIZE) {
            strcpy(field->alias, alias);
        }
        field->location =
            json_integer_value(json_object_get(item, "location")) == GRID_CELL
                ? GRID_CELL
                : GRID_VERTEX;
        field->is_void = json_is_true(json_object_get(item, "void"));
    }
    return STATUS_OK;
}

/* Parses the section of times as the program has it now. */
static status read_times(const json_t *json, insitu_session *session)
{
    char *text = json_dumps(json_object_get(json, "times"), JSON_REAL_PRECISION(17));
    const io_in_situ_text now = {
        .path = session->from.path, .text = text, .size = text ? strlen(text) : 0};
    const status s = text ? io_in_situ_parse(&now, &session->config) : fail_config();
    free(text);
    return s;
}

static status read_pictures(const json_t *json, insitu_session *session)
{
    const json_t *list = json_object_get(json, "pictures");
    const size_t count = json_array_size(list);
    status s = count == (size_t)session->config->npictures ? STATUS_OK : fail_config();
    session->pictures = calloc(count + 1, sizeof *session->pictures);
    s = session->pictures ? s : base_fail_memory(0, "a change");
    for (size_t n = 0; n < count && s == STATUS_OK; n++) {
        insitu_picture *picture = &session->pictures[n];
        char *text = json_dumps(json_array_get(list, n), JSON_REAL_PRECISION(17));
        picture->name = session->config->pictures[n].name;
        s = text ? io_config_parse(session->from.path, text, strlen(text), 0, NULL,
                                   &picture->config)
                 : fail_config();
        free(text);
        session->npictures += s == STATUS_OK;
    }
    return s;
}

static void clear_session(insitu_session *session)
{
    for (int n = 0; n < session->npictures; n++) {
        insitu_picture_clear(&session->pictures[n]);
    }
    free(session->pictures);
    free(session->grid.fields);
    free((void *)(uintptr_t)session->from.overrides);
    io_in_situ_destroy(&session->config);
    free(session);
}

static status check_texts(const json_t *json, const char *texts)
{
    insitu_session *session = calloc(1, sizeof *session);
    if (!session) {
        return base_fail_memory(sizeof *session, "a change");
    }
    status s = read_from(json, session);
    s = s == STATUS_OK ? read_fields(json, &session->grid) : s;
    s = s == STATUS_OK ? read_times(json, session) : s;
    s = s == STATUS_OK ? read_pictures(json, session) : s;
    s = s == STATUS_OK ? insitu_change_check(session, texts) : s;
    clear_session(session);
    return s;
}

/* The texts of an order, each with its ending zero, and an empty one behind them;
 * malloc'ed, or NULL. */
static char *join_texts(const json_t *order)
{
    const json_t *list = json_object_get(order, "config");
    size_t n, size = 1, used = 0;
    const json_t *text;
    json_array_foreach(list, n, text)
    {
        size += json_string_length(text) + 1;
    }
    char *all = calloc(size, 1);
    json_array_foreach(list, n, text)
    {
        const size_t length = json_string_length(text);
        if (all && length > 0) {
            memcpy(all + used, json_string_value(text), length + 1);
            used += length + 1;
        }
    }
    return all;
}

status insitu_client_check(const char *folder, const json_t *order)
{
    const char *verb = json_string_value(json_object_get(order, "order"));
    json_t *json = NULL;
    if (!verb || strcmp(verb, "change") != 0) {
        return STATUS_OK;
    }
    if (steer_read_json(folder, "config.json", &json) != STATUS_OK) {
        base_fail_set_message(""); /* of a run that publishes none: the program checks */
        return STATUS_OK;
    }
    char *texts = join_texts(order);
    const status s =
        texts ? check_texts(json, texts) : base_fail_memory(0, "the texts of a change");
    free(texts);
    json_decref(json);
    return s;
}
