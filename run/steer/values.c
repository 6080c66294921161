/* Values of parameters: conversion from JSON and words, checks, and printing. */
#include "parameters.h"

#include "base/words.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whole numbers up to this limit are exact in a double. */
#define LARGEST_WHOLE 9007199254740992.0

static const char none[] = "none";

bool steer_entry_is_none(const steer_entry *entry, const steer_value *value)
{
    return entry->may_lack && strcmp(value->text, none) == 0;
}

/* ---- Numbers ----------------------------------------------------------------------- */

json_t *steer_number(double number)
{
    return isfinite(number) ? json_real(number) : json_null();
}

json_t *steer_string(const char *text)
{
    const char *given = text ? text : "";
    json_t *json = json_string(given);
    char *plain = json ? NULL : strdup(given);
    for (char *at = plain; plain && *at != '\0'; at++) {
        *at = (unsigned char)*at < 128 ? *at : '?';
    }
    json = plain ? json_string(plain) : json;
    free(plain);
    return json;
}

void steer_number_print(double number, size_t size, char *text)
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, size, "%.*g", digits, number);
        if (strtod(text, NULL) == number) {
            return;
        }
    }
}

/* "a truth value", "3 whole numbers" */
static void describe_kind(const steer_entry *entry, size_t size, char *text)
{
    static const char *const kinds[] = {[STEER_BOOL] = "truth value",
                                        [STEER_INT] = "whole number",
                                        [STEER_REAL] = "number"};
    if (entry->count == 1) {
        snprintf(text, size, "a %s", kinds[entry->type]);
    } else {
        snprintf(text, size, "%d %ss", entry->count, kinds[entry->type]);
    }
}

static status fail_kind(const steer_entry *entry)
{
    char kind[64];
    describe_kind(entry, sizeof kind, kind);
    return base_fail(STATUS_USAGE, "%s takes %s%s", entry->name, kind,
                     entry->type == STEER_BOOL ? ", true or false" : "");
}

static status fail_range(const steer_entry *entry, double number)
{
    char given[32], least[32], most[32];
    steer_number_print(number, sizeof given, given);
    steer_number_print(entry->min, sizeof least, least);
    steer_number_print(entry->max, sizeof most, most);
    if (isinf(entry->max)) {
        return base_fail(STATUS_USAGE, "%s: %s is too small, the least is %s",
                         entry->name, given, least);
    }
    if (isinf(entry->min)) {
        return base_fail(STATUS_USAGE, "%s: %s is too large, the most is %s", entry->name,
                         given, most);
    }
    return base_fail(STATUS_USAGE, "%s: %s is out of range, it takes %s to %s",
                     entry->name, given, least, most);
}

static status check_number(const steer_entry *entry, const json_t *json, double *out)
{
    if (entry->type == STEER_BOOL) {
        *out = json_is_true(json) ? 1.0 : 0.0;
        return json_is_boolean(json) ? STATUS_OK : fail_kind(entry);
    }
    double number = json_number_value(json);
    if (!json_is_number(json) || !isfinite(number)) {
        return fail_kind(entry);
    }
    if (entry->type == STEER_INT &&
        (number != floor(number) || fabs(number) > LARGEST_WHOLE)) {
        return fail_kind(entry);
    }
    if (number < entry->min || number > entry->max) {
        return fail_range(entry, number);
    }
    *out = number;
    return STATUS_OK;
}

static status check_numbers(const steer_entry *entry, const json_t *json,
                            steer_value *value)
{
    if (!json_is_array(json)) {
        return entry->count == 1 ? check_number(entry, json, value->numbers)
                                 : fail_kind(entry);
    }
    if (json_array_size(json) != (size_t)entry->count) {
        return fail_kind(entry);
    }
    status s = STATUS_OK;
    for (int n = 0; n < entry->count && s == STATUS_OK; n++) {
        s = check_number(entry, json_array_get(json, (size_t)n), &value->numbers[n]);
    }
    return s;
}

/* ---- Text -------------------------------------------------------------------------- */

static status check_choice(const steer_entry *entry, const char *word)
{
    const char *const *choices = (const char *const *)entry->choices;
    for (int n = 0; n < entry->nchoices; n++) {
        if (strcmp(word, choices[n]) == 0) {
            return STATUS_OK;
        }
    }
    char known[512];
    base_words_list(entry->nchoices, choices, sizeof known, known);
    return base_fail(STATUS_USAGE, "%s: there is no '%.128s', only %s", entry->name, word,
                     known);
}

static status keep_text(const steer_entry *entry, const char *text, steer_value *value)
{
    if (strlen(text) >= STEER_MAX_TEXT) {
        return base_fail(
            STATUS_USAGE,
            "%s takes text of at most %d bytes: send longer ones of a picture "
            "with the order change",
            entry->name, (int)STEER_MAX_TEXT - 1);
    }
    strcpy(value->text, text);
    return STATUS_OK;
}

/* Keeps JSON other than a string as text, such as a list: JSON is YAML. */
static status keep_json(const steer_entry *entry, const json_t *json, steer_value *value)
{
    char *text = json_dumps(json, JSON_ENCODE_ANY);
    status s = text ? keep_text(entry, text, value)
                    : base_fail_memory(STEER_MAX_TEXT, "the value of a parameter");
    free(text);
    return s;
}

static status check_text(const steer_entry *entry, const json_t *json, steer_value *value)
{
    const char *text = json_string_value(json);
    if (entry->type == STEER_TEXT) {
        return text ? keep_text(entry, text, value) : keep_json(entry, json, value);
    }
    if (!text) {
        return base_fail(STATUS_USAGE, "%s takes one of its words as text", entry->name);
    }
    status s = check_choice(entry, text);
    return s == STATUS_OK ? keep_text(entry, text, value) : s;
}

status steer_entry_check(const steer_entry *entry, const json_t *json, steer_value *out)
{
    steer_value value = {{0.0}, ""};
    bool is_text = entry->type == STEER_CHOICE || entry->type == STEER_TEXT;
    const char *word = json_string_value(json);
    if (entry->may_lack && word && strcmp(word, none) == 0) {
        *out = (steer_value){{0.0}, "none"};
        return STATUS_OK;
    }
    status s =
        is_text ? check_text(entry, json, &value) : check_numbers(entry, json, &value);
    if (s == STATUS_OK) {
        *out = value;
    }
    return s;
}

/* ---- Words of a command line ------------------------------------------------------- */

/* Cuts the part of a word up to the next comma, without blanks around it. */
static void cut_part(const char **word, size_t size, char *part)
{
    const char *begin = *word + strspn(*word, " \t");
    const char *comma = strchr(begin, ',');
    const char *end = comma ? comma : begin + strlen(begin);
    *word = comma ? comma + 1 : NULL;
    while (end > begin && (end[-1] == ' ' || end[-1] == '\t')) {
        end--;
    }
    snprintf(part, size, "%.*s", (int)(end - begin), begin);
}

static status fail_part(const steer_entry *entry, const char *part)
{
    char kind[64];
    describe_kind(entry, sizeof kind, kind);
    return base_fail(STATUS_USAGE, "%s takes %s, but '%.64s' is none", entry->name, kind,
                     part);
}

static status parse_part(const steer_entry *entry, const char *part, json_t **out)
{
    if (entry->type == STEER_BOOL) {
        bool on = strcmp(part, "true") == 0 || strcmp(part, "1") == 0;
        bool off = strcmp(part, "false") == 0 || strcmp(part, "0") == 0;
        *out = json_boolean(on);
        return on || off ? STATUS_OK : fail_part(entry, part);
    }
    char *end;
    double number = strtod(part, &end);
    if (end == part || *end != '\0' || !isfinite(number)) {
        return fail_part(entry, part);
    }
    bool whole = number == floor(number) && fabs(number) <= LARGEST_WHOLE;
    *out = whole ? json_integer((json_int_t)number) : json_real(number);
    return STATUS_OK;
}

/* Copies the list without its brackets, if it has any. */
static void strip_brackets(const char *word, size_t size, char *list)
{
    snprintf(list, size, "%s", word + strspn(word, " \t"));
    size_t length = strlen(list);
    while (length > 0 && (list[length - 1] == ' ' || list[length - 1] == '\t')) {
        list[--length] = '\0';
    }
    if (length >= 2 && list[0] == '[' && list[length - 1] == ']') {
        list[length - 1] = '\0';
        memmove(list, list + 1, length - 1);
    }
}

static status parse_numbers(const steer_entry *entry, const char *word, json_t **out)
{
    char list[STEER_MAX_TEXT], part[STEER_MAX_TEXT];
    strip_brackets(word, sizeof list, list);
    json_t *array = json_array();
    status s = array ? STATUS_OK : base_fail_memory(sizeof list, "an order");
    for (const char *rest = list; s == STATUS_OK && rest;) {
        json_t *number = NULL;
        cut_part(&rest, sizeof part, part);
        s = parse_part(entry, part, &number);
        if (s == STATUS_OK && json_array_append_new(array, number) != 0) {
            s = base_fail_memory(sizeof list, "an order");
        }
    }
    if (s != STATUS_OK) {
        json_decref(array);
        return s;
    }
    bool is_single = entry->count == 1 && json_array_size(array) == 1;
    *out = is_single ? json_incref(json_array_get(array, 0)) : array;
    if (is_single) {
        json_decref(array);
    }
    return STATUS_OK;
}

status steer_entry_parse(const steer_entry *entry, const char *word, json_t **out)
{
    const bool is_none = entry->may_lack && strcmp(word, none) == 0;
    if (entry->type != STEER_CHOICE && entry->type != STEER_TEXT && !is_none) {
        return parse_numbers(entry, word, out);
    }
    *out = json_string(word);
    return *out ? STATUS_OK
                : base_fail(STATUS_USAGE, "%s takes text in UTF-8", entry->name);
}

/* ---- Back to JSON and words -------------------------------------------------------- */

static json_t *number_value(const steer_entry *entry, double number)
{
    switch (entry->type) {
    case STEER_BOOL:
        return json_boolean(number != 0.0);
    case STEER_INT:
        return fabs(number) <= LARGEST_WHOLE ? json_integer((json_int_t)number)
                                             : steer_number(number);
    default:
        return steer_number(number);
    }
}

json_t *steer_entry_value(const steer_entry *entry, const steer_value *value)
{
    if (entry->type == STEER_CHOICE || entry->type == STEER_TEXT ||
        steer_entry_is_none(entry, value)) {
        return json_stringn(value->text, strnlen(value->text, STEER_MAX_TEXT - 1));
    }
    if (entry->count == 1) {
        return number_value(entry, value->numbers[0]);
    }
    json_t *array = json_array();
    for (int n = 0; array && n < entry->count; n++) {
        if (json_array_append_new(array, number_value(entry, value->numbers[n])) != 0) {
            json_decref(array);
            array = NULL;
        }
    }
    return array;
}

void steer_entry_print(const steer_entry *entry, const steer_value *value, size_t size,
                       char *text)
{
    if (entry->type == STEER_CHOICE || entry->type == STEER_TEXT ||
        steer_entry_is_none(entry, value)) {
        snprintf(text, size, "%.*s", (int)STEER_MAX_TEXT - 1, value->text);
        return;
    }
    size_t used = 0;
    text[0] = '\0';
    for (int n = 0; n < entry->count && used < size; n++) {
        char number[32];
        steer_number_print(value->numbers[n], sizeof number, number);
        const char *word = entry->type != STEER_BOOL  ? number
                           : value->numbers[n] != 0.0 ? "true"
                                                      : "false";
        used +=
            (size_t)snprintf(text + used, size - used, "%s%s", n > 0 ? ", " : "", word);
    }
}
