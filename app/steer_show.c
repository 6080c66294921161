#include "steer_show.h"

#include "app/steer/alive.h"
#include "app/steer/client.h"
#include "app/steer/parameters.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static status print_json(const json_t *json)
{
    if (!json || json_dumpf(json, stdout, JSON_INDENT(2)) != 0) {
        return base_fail(STATUS_OUTPUT, "the JSON cannot be written to standard output");
    }
    printf("\n");
    return STATUS_OK;
}

/* ---- Status ------------------------------------------------------------------------ */

/* The contents of a run directory; missing files are NULL. */
typedef struct run_view {
    json_t *run, *last, *monitors, *timings;
    bool alive;
} run_view;

static status read_view(const char *folder, run_view *view)
{
    status s = steer_read_json(folder, "run.json", &view->run);
    if (s != STATUS_OK) {
        base_fail_set_message("");
        return base_fail(STATUS_INPUT,
                         "'%.512s' is no run directory: it has no run.json that can be "
                         "read",
                         folder);
    }
    s = steer_read_json(folder, "status.json", &view->last);
    if (s == STATUS_OK) {
        view->monitors = steer_read_last(folder, "monitors.jsonl");
        view->timings = steer_read_last(folder, "timings.jsonl");
        view->alive = steer_alive_check(view->run, view->last);
    }
    return s;
}

static void release_view(run_view *view)
{
    json_decref(view->run);
    json_decref(view->last);
    json_decref(view->monitors);
    json_decref(view->timings);
}

/* The state for people. A program that was killed could not record its end. */
static const char *state_of(const run_view *view)
{
    const char *state = text_of(view->last, "state");
    return view->alive || strcmp(state, "finished") == 0
               ? state
               : "ended without a final state (killed?)";
}

static void print_number(const json_t *value)
{
    char text[32] = "no number";
    if (json_is_number(value)) {
        snprintf(text, sizeof text, "%.8g", json_number_value(value));
    }
    printf("%s\n", text);
}

/* Prints {"cycle", "values": {name: value}} under a title. */
static void print_values(const char *title, const json_t *line)
{
    json_t *values = json_object_get(line, "values");
    const char *name;
    json_t *value;
    if (json_object_size(values) == 0) {
        return;
    }
    printf("\n%s of cycle %lld\n", title,
           (long long)json_integer_value(json_object_get(line, "cycle")));
    json_object_foreach(values, name, value)
    {
        printf("  %-24s ", name);
        print_number(value);
    }
}

static void print_view(const run_view *view)
{
    const json_t *last = view->last, *run = view->run;
    printf("program   %s, process %lld on %s, %lld ranks, since %s\n",
           text_of(run, "program"),
           (long long)json_integer_value(json_object_get(run, "pid")),
           text_of(run, "host"),
           (long long)json_integer_value(json_object_get(run, "ranks")),
           text_of(run, "start_text"));
    printf("state     %s\n", state_of(view));
    printf("cycle     %lld\n",
           (long long)json_integer_value(json_object_get(last, "cycle")));
    printf("time      ");
    print_number(json_object_get(last, "time"));
    printf("frames    %lld\n",
           (long long)json_integer_value(json_object_get(last, "frames")));
    printf("updated   %.1f s ago\n",
           steer_now() - json_number_value(json_object_get(last, "updated")));
    if (text_of(last, "message")[0] != '\0') {
        printf("message   %s\n", text_of(last, "message"));
    }
    print_values("monitors", view->monitors);
    print_values("timings", view->timings);
}

status app_steer_show_status(const char *folder, bool json)
{
    run_view view = {0};
    status s = read_view(folder, &view);
    if (s == STATUS_OK && json) {
        json_t *all = json_pack("{s:b, s:O, s:O, s:O?, s:O?}", "alive", view.alive, "run",
                                view.run, "status", view.last, "monitors", view.monitors,
                                "timings", view.timings);
        s = print_json(all);
        json_decref(all);
    } else if (s == STATUS_OK) {
        print_view(&view);
    }
    release_view(&view);
    return s;
}

/* ---- Parameters -------------------------------------------------------------------- */

/* "3 x real", "choice" */
static void describe_type(const steer_entry *entry, size_t size, char *text)
{
    if (entry->count > 1) {
        snprintf(text, size, "%d x %s", entry->count, steer_type_name(entry->type));
    } else {
        snprintf(text, size, "%s", steer_type_name(entry->type));
    }
}

/* "0 to 1", "raycast, planes" */
static void describe_limits(const steer_entry *entry, size_t size, char *text)
{
    text[0] = '\0';
    if (entry->type == STEER_INT || entry->type == STEER_REAL) {
        char least[32], most[32];
        steer_number_print(entry->min, sizeof least, least);
        steer_number_print(entry->max, sizeof most, most);
        snprintf(text, size, "%s to %s", least, most);
    }
    for (int n = 0; n < entry->nchoices; n++) {
        size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%s", n > 0 ? ", " : "", entry->choices[n]);
    }
}

static void print_entry(const steer_entry *entry)
{
    char type[32], limits[512], value[STEER_MAX_TEXT];
    describe_type(entry, sizeof type, type);
    describe_limits(entry, sizeof limits, limits);
    steer_entry_print(entry, &entry->value, sizeof value, value);
    printf("%-32s %-24s %-10s %-16s %s%s%s%s\n", entry->name, value, type, limits,
           entry->help ? entry->help : "", entry->unit && *entry->unit ? " [" : "",
           entry->unit ? entry->unit : "", entry->unit && *entry->unit ? "]" : "");
}

static status print_table(const json_t *json)
{
    steer_table table = {0};
    status s = steer_table_read(json_object_get(json, "parameters"), &table);
    if (s == STATUS_OK) {
        printf("%-32s %-24s %-10s %-16s %s\n", "name", "value", "type", "limits", "");
    }
    for (int n = 0; n < table.count; n++) {
        print_entry(&table.entries[n]);
    }
    steer_table_clear(&table);
    return s;
}

status app_steer_show_list(const char *folder, bool json)
{
    run_view view = {0};
    json_t *table = NULL;
    status s = read_view(folder, &view);
    s = s == STATUS_OK ? steer_read_json(folder, "parameters.json", &table) : s;
    if (s == STATUS_OK) {
        s = json ? print_json(table) : print_table(table);
    }
    json_decref(table);
    release_view(&view);
    return s;
}
