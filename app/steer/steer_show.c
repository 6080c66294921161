#include "steer_show.h"

#include "base/words.h"
#include "run/steer/alive.h"
#include "run/steer/client.h"
#include "run/steer/parameters.h"

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

/* Numbers of particles are karman's own: those of the program come first. */
static bool is_ours(const char *name)
{
    return strcmp(name, "particles") == 0 || strcmp(name, "particles_ended") == 0;
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
    for (int ours = 0; ours < 2; ours++) {
        json_object_foreach(values, name, value)
        {
            if (is_ours(name) == (ours == 1)) {
                printf("  %-24s ", name);
                print_number(value);
            }
        }
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
    for (int n = 0; n < entry->nchoices && strlen(text) + 1 < size; n++) {
        size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%s", n > 0 ? ", " : "", entry->choices[n]);
    }
}

/* The columns of the list. Long texts, such as points of a colour map, are cut: --json
 * has them whole. */
enum { COLUMNS = 5, CELL = 1200 };
static const int widest[COLUMNS] = {64, 32, 10, 24, 1000};
typedef char list_row[COLUMNS][CELL];

static void fill_row(const steer_entry *entry, list_row row)
{
    const bool has_unit = entry->unit && *entry->unit;
    snprintf(row[0], CELL, "%s", entry->name);
    steer_entry_print(entry, &entry->value, CELL, row[1]);
    describe_type(entry, CELL, row[2]);
    describe_limits(entry, CELL, row[3]);
    snprintf(row[4], CELL, "%s%s%s%s", entry->help ? entry->help : "",
             has_unit ? " [" : "", has_unit ? entry->unit : "", has_unit ? "]" : "");
}

/* Characters of UTF-8: bytes but those that continue one. */
static int count_characters(const char *text)
{
    int count = 0;
    for (; *text != '\0'; text++) {
        count += ((unsigned char)*text & 0xc0) != 0x80;
    }
    return count;
}

/* Cuts a text to a number of characters, and makes it one line. */
static void cut(char *text, int most)
{
    base_words_flatten(text);
    if (count_characters(text) <= most) {
        return;
    }
    int kept = 0;
    char *at = text;
    for (; kept < most - 3 || ((unsigned char)*at & 0xc0) == 0x80; at++) {
        kept += ((unsigned char)*at & 0xc0) != 0x80;
    }
    strcpy(at, "...");
}

static void print_row(list_row row, const int width[COLUMNS])
{
    for (int c = 0; c < COLUMNS - 1; c++) {
        printf("%s%*s ", row[c], width[c] - count_characters(row[c]), "");
    }
    printf("%s\n", row[COLUMNS - 1]);
}

/* Finds the widths of the columns; then prints them. */
static void print_rows(const steer_table *table)
{
    list_row row = {"name", "value", "type", "limits", ""};
    int width[COLUMNS] = {4, 5, 4, 6, 0};
    for (int n = 0; n < table->count; n++) {
        list_row its;
        fill_row(&table->entries[n], its);
        for (int c = 0; c < COLUMNS; c++) {
            cut(its[c], widest[c]);
            const int wide = count_characters(its[c]);
            width[c] = wide > width[c] ? wide : width[c];
        }
    }
    print_row(row, width);
    for (int n = 0; n < table->count; n++) {
        fill_row(&table->entries[n], row);
        for (int c = 0; c < COLUMNS; c++) {
            cut(row[c], widest[c]);
        }
        print_row(row, width);
    }
}

static status print_table(const json_t *json)
{
    steer_table table = {0};
    status s = steer_table_read(json_object_get(json, "parameters"), &table);
    if (s == STATUS_OK) {
        print_rows(&table);
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
