#include "parameters.h"

#include "base/array.h"
#include "base/words.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NAME = 127, MAX_PARAMETERS = 4096 };

/* ---- Entries ----------------------------------------------------------------------- */

static void clear_entry(steer_entry *entry)
{
    free(entry->name);
    free(entry->unit);
    free(entry->help);
    for (int n = 0; entry->choices && n < entry->nchoices; n++) {
        free(entry->choices[n]);
    }
    free(entry->choices);
    *entry = (steer_entry){0};
}

static bool is_text(steer_type type)
{
    return type == STEER_CHOICE || type == STEER_TEXT;
}

static bool is_name(const char *name)
{
    size_t length = name ? strlen(name) : 0;
    for (size_t n = 0; n < length; n++) {
        if ((unsigned char)name[n] <= ' ' || name[n] == '=' || name[n] == 127) {
            return false;
        }
    }
    return length > 0 && length <= MAX_NAME;
}

static status check_description(const steer_table *table, const steer_parameter *p)
{
    if (!is_name(p->name)) {
        return base_fail(STATUS_USAGE,
                         "a parameter needs a name of 1 to %d characters without blanks "
                         "and '='",
                         MAX_NAME);
    }
    if (steer_table_find(table, p->name)) {
        return base_fail(STATUS_USAGE, "there is a parameter '%s' already", p->name);
    }
    if ((int)p->type < STEER_BOOL || p->type > STEER_TEXT) {
        return base_fail(STATUS_USAGE, "parameter '%s' has no known type", p->name);
    }
    if (!is_text(p->type) && (p->count < 1 || p->count > STEER_MAX_NUMBERS)) {
        return base_fail(STATUS_USAGE, "parameter '%s' has %d numbers: give 1 to %d",
                         p->name, p->count, (int)STEER_MAX_NUMBERS);
    }
    if ((p->type == STEER_INT || p->type == STEER_REAL) && !(p->min <= p->max)) {
        return base_fail(STATUS_USAGE, "parameter '%s' has limits from %g to %g", p->name,
                         p->min, p->max);
    }
    if (p->type == STEER_CHOICE && p->nchoices < 1) {
        return base_fail(STATUS_USAGE, "parameter '%s' has no choices", p->name);
    }
    return table->count < MAX_PARAMETERS
               ? STATUS_OK
               : base_fail(STATUS_USAGE, "there are more than %d parameters",
                           (int)MAX_PARAMETERS);
}

static bool copy_choices(const steer_parameter *p, steer_entry *entry)
{
    if (!is_text(p->type) || p->nchoices < 1) {
        return true;
    }
    entry->choices = calloc((size_t)p->nchoices, sizeof *entry->choices);
    bool done = entry->choices;
    entry->nchoices = done ? p->nchoices : 0;
    for (int n = 0; n < entry->nchoices; n++) {
        done = base_words_copy(p->choices[n], &entry->choices[n]) && done;
    }
    return done;
}

static status make_entry(const steer_parameter *p, steer_apply *apply, void *context,
                         steer_entry *out)
{
    steer_entry entry = {.type = p->type,
                         .count = is_text(p->type) ? 1 : p->count,
                         .min = p->min,
                         .max = p->max,
                         .may_lack = p->may_lack,
                         .apply = apply,
                         .context = context};
    bool done = base_words_copy(p->name, &entry.name);
    done = base_words_copy(p->unit, &entry.unit) && done;
    done = base_words_copy(p->help, &entry.help) && done;
    done = copy_choices(p, &entry) && done;
    if (!done) {
        clear_entry(&entry);
        return base_fail_memory(sizeof entry, "a parameter");
    }
    *out = entry;
    return STATUS_OK;
}

/* ---- The table --------------------------------------------------------------------- */

static status make_room(steer_table *table)
{
    return base_array_room(table->entries, table->count, 1, "parameters");
}

/* Checks the program's own first value like a value of an order. */
static status set_first_value(steer_entry *entry, const steer_value *value)
{
    if (!value) {
        return base_fail(STATUS_USAGE, "parameter '%s' has no value", entry->name);
    }
    json_t *json = steer_entry_value(entry, value);
    status s = json ? steer_entry_check(entry, json, &entry->value)
                    : base_fail_memory(sizeof *value, "the value of a parameter");
    json_decref(json);
    return s;
}

status steer_table_add(steer_table *table, const steer_parameter *parameter,
                       const steer_value *value, steer_apply *apply, void *context)
{
    status s = check_description(table, parameter);
    steer_entry entry;
    if (s != STATUS_OK || (s = make_room(table)) != STATUS_OK ||
        (s = make_entry(parameter, apply, context, &entry)) != STATUS_OK) {
        return s;
    }
    s = set_first_value(&entry, value);
    if (s != STATUS_OK) {
        clear_entry(&entry);
        return s;
    }
    table->entries[table->count++] = entry;
    return STATUS_OK;
}

int steer_table_remove(steer_table *table, const char *prefix)
{
    int kept = 0, all = table->count;
    for (int n = 0; n < all; n++) {
        steer_entry *entry = &table->entries[n];
        if (strncmp(entry->name, prefix, strlen(prefix)) == 0) {
            clear_entry(entry);
        } else {
            table->entries[kept++] = *entry;
        }
    }
    table->count = kept;
    return all - kept;
}

bool steer_table_drop(steer_table *table, const char *name)
{
    steer_entry *entry = steer_table_find(table, name);
    if (!entry) {
        return false;
    }
    clear_entry(entry);
    const size_t after = (size_t)(table->entries + table->count - entry - 1);
    memmove(entry, entry + 1, after * sizeof *entry);
    table->count--;
    return true;
}

void steer_table_clear(steer_table *table)
{
    steer_table_remove(table, "");
    free(table->entries);
    *table = (steer_table){0};
}

steer_entry *steer_table_find(const steer_table *table, const char *name)
{
    for (int n = 0; n < table->count; n++) {
        if (strcmp(table->entries[n].name, name) == 0) {
            return &table->entries[n];
        }
    }
    return NULL;
}

/* The first parameter whose name ends with `name`: if there are several pictures,
 * pictures.wake.camera.fov for camera.fov. */
static const char *find_longer(const steer_table *table, const char *name)
{
    const size_t length = strlen(name);
    for (int n = 0; n < table->count; n++) {
        const char *longer = table->entries[n].name;
        const size_t before = strlen(longer) - length;
        if (length > 0 && strlen(longer) > length && longer[before - 1] == '.' &&
            strcmp(longer + before, name) == 0) {
            return longer;
        }
    }
    return NULL;
}

static const char *find_alike(const steer_table *table, const char *name)
{
    const char **names = malloc(((size_t)table->count + 1) * sizeof *names);
    const char *nearest = NULL;
    for (int n = 0; names && n < table->count; n++) {
        names[n] = table->entries[n].name;
    }
    if (names) {
        nearest = base_words_nearest(name, table->count, names);
    }
    free(names);
    return nearest;
}

static status fail_unknown(const steer_table *table, const char *name)
{
    const char *longer = find_longer(table, name);
    const char *nearest = longer ? longer : find_alike(table, name);
    return nearest ? base_fail(STATUS_USAGE,
                               "there is no parameter '%.128s': did you mean '%s'?", name,
                               nearest)
                   : base_fail(STATUS_USAGE,
                               "there is no parameter '%.128s': see 'karman steer "
                               "RUN_DIR list'",
                               name);
}

status steer_table_expect(const steer_table *table, const char *name,
                          const steer_entry **out)
{
    const steer_entry *entry = steer_table_find(table, name);
    if (!entry) {
        return fail_unknown(table, name);
    }
    *out = entry;
    return STATUS_OK;
}
