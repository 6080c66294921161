/* A table of parameters as JSON, and back (run/steer/parameters.h). */
#include "parameters.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const type_names[] = {[STEER_BOOL] = "bool",
                                         [STEER_INT] = "int",
                                         [STEER_REAL] = "real",
                                         [STEER_CHOICE] = "choice",
                                         [STEER_TEXT] = "text"};

enum { TYPES = sizeof type_names / sizeof type_names[0] };

const char *steer_type_name(steer_type type)
{
    return type_names[type];
}

/* ---- Writing ----------------------------------------------------------------------- */

static json_t *choices_json(const steer_entry *entry)
{
    json_t *array = json_array();
    for (int n = 0; array && n < entry->nchoices; n++) {
        json_array_append_new(array, json_string(entry->choices[n]));
    }
    return array;
}

/* Leaves infinite limits out: JSON has no infinity. */
static void add_limits(const steer_entry *entry, json_t *object)
{
    if (entry->type != STEER_INT && entry->type != STEER_REAL) {
        return;
    }
    if (isfinite(entry->min)) {
        json_object_set_new(object, "min", json_real(entry->min));
    }
    if (isfinite(entry->max)) {
        json_object_set_new(object, "max", json_real(entry->max));
    }
}

static json_t *entry_json(const steer_entry *entry)
{
    json_t *object = json_pack("{s:s, s:s, s:i}", "name", entry->name, "type",
                               type_names[entry->type], "count", entry->count);
    if (!object) {
        return NULL;
    }
    add_limits(entry, object);
    if (entry->nchoices > 0) {
        json_object_set_new(object, "choices", choices_json(entry));
    }
    if (entry->may_lack) {
        json_object_set_new(object, "optional", json_true());
    }
    json_object_set_new(object, "value", steer_entry_value(entry, &entry->value));
    if (entry->unit) {
        json_object_set_new(object, "unit", json_string(entry->unit));
    }
    if (entry->help) {
        json_object_set_new(object, "help", json_string(entry->help));
    }
    return object;
}

json_t *steer_table_write(const steer_table *table)
{
    json_t *array = json_array();
    for (int n = 0; array && n < table->count; n++) {
        if (json_array_append_new(array, entry_json(&table->entries[n])) != 0) {
            json_decref(array);
            array = NULL;
        }
    }
    return array;
}

/* ---- Reading ----------------------------------------------------------------------- */

static bool find_type(const char *name, steer_type *out)
{
    for (int t = 0; name && t < TYPES; t++) {
        if (strcmp(name, type_names[t]) == 0) {
            *out = (steer_type)t;
            return true;
        }
    }
    return false;
}

static double limit_of(const json_t *object, const char *key, double otherwise)
{
    const json_t *limit = json_object_get(object, key);
    return json_is_number(limit) ? json_number_value(limit) : otherwise;
}

static status fail_table(void)
{
    return base_fail(STATUS_INPUT,
                     "parameters.json is damaged, or not from a running program");
}

/* Reads the value of `object`. If the program has taken a value that no order could give,
 * any valid value will do, as the table serves only to check orders. */
static void read_value(const steer_parameter *p, const json_t *object, steer_value *value)
{
    const steer_entry entry = {.name = (char *)p->name,
                               .type = p->type,
                               .count = p->count,
                               .min = p->min,
                               .max = p->max,
                               .may_lack = p->may_lack,
                               .nchoices = p->nchoices,
                               .choices = (char **)p->choices};
    if (steer_entry_check(&entry, json_object_get(object, "value"), value) == STATUS_OK) {
        return;
    }
    base_fail_set_message("");
    *value = (steer_value){.text = ""};
    for (int n = 0; n < p->count; n++) {
        value->numbers[n] = p->min > 0.0 ? p->min : p->max < 0.0 ? p->max : 0.0;
    }
    if (p->type == STEER_CHOICE && p->nchoices > 0) {
        snprintf(value->text, sizeof value->text, "%s", p->choices[0]);
    }
}

/* Reads the number of numbers; 0 if it is invalid. A JSON integer may be larger than an
 * int. */
static int read_count(const json_t *object)
{
    json_int_t count = json_integer_value(json_object_get(object, "count"));
    return count >= 1 && count <= STEER_MAX_NUMBERS ? (int)count : 0;
}

static status read_entry(const json_t *object, steer_table *table)
{
    const json_t *choices = json_object_get(object, "choices");
    size_t nchoices = json_array_size(choices);
    steer_parameter p = {.name = json_string_value(json_object_get(object, "name")),
                         .count = read_count(object),
                         .min = limit_of(object, "min", -INFINITY),
                         .max = limit_of(object, "max", INFINITY),
                         .nchoices = (int)nchoices,
                         .may_lack = json_is_true(json_object_get(object, "optional")),
                         .unit = json_string_value(json_object_get(object, "unit")),
                         .help = json_string_value(json_object_get(object, "help"))};
    bool known = find_type(json_string_value(json_object_get(object, "type")), &p.type);
    if (!p.name || !known || p.count == 0) {
        return fail_table();
    }
    const char **words = calloc(nchoices + 1, sizeof *words);
    if (!words) {
        return base_fail_memory(nchoices * sizeof *words, "choices");
    }
    status s = STATUS_OK;
    for (size_t n = 0; n < nchoices; n++) {
        words[n] = json_string_value(json_array_get(choices, n));
        s = words[n] ? s : fail_table();
    }
    p.choices = words;
    if (s == STATUS_OK) {
        steer_value value;
        read_value(&p, object, &value);
        s = steer_table_add(table, &p, &value, NULL, NULL);
    }
    free(words);
    return s == STATUS_USAGE ? STATUS_INPUT : s;
}

status steer_table_read(const json_t *array, steer_table *table)
{
    status s = json_is_array(array) ? STATUS_OK : fail_table();
    for (size_t n = 0; s == STATUS_OK && n < json_array_size(array); n++) {
        s = read_entry(json_array_get(array, n), table);
    }
    if (s != STATUS_OK) {
        steer_table_clear(table);
    }
    return s;
}
