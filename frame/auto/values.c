#include "values.h"

#include "base/array.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 32768 };

static status append(frame_auto_values *values, const char *text, const char *field)
{
    frame_auto_value value = {strdup(text), field ? strdup(field) : NULL};
    if (!value.text || (field && !value.field) ||
        base_array_room(values->items, values->count, 1, NULL) != STATUS_OK) {
        free(value.text);
        free(value.field);
        return base_fail_memory(strlen(text), "a value that was found");
    }
    values->items[values->count++] = value;
    return STATUS_OK;
}

status auto_values_add(frame_auto_values *values, const char *field, const char *key,
                       const char *format, ...)
{
    char text[LONGEST];
    const int used = snprintf(text, sizeof text, "%s=", key);
    va_list arguments;
    va_start(arguments, format);
    const int more =
        vsnprintf(text + used, sizeof text - (size_t)used, format, arguments);
    va_end(arguments);
    return used + more < LONGEST
               ? append(values, text, field)
               : base_fail(STATUS_USAGE, "%s: the found value is too long", key);
}

status auto_values_add_later(frame_auto_values *values, const io_config *config,
                             const char *prefix)
{
    status s = STATUS_OK;
    const char *text = NULL;
    for (int n = 0; (text = io_config_later(config, n)) != NULL && s == STATUS_OK; n++) {
        const char *place = strchr(text, '\v');
        s = strncmp(place ? place + 1 : text, prefix, strlen(prefix)) == 0
                ? append(values, text, NULL)
                : s;
    }
    return s;
}

static bool is_of_layers(const frame_auto_value *value)
{
    return strncmp(value->text, "layers=", 7) == 0;
}

void frame_auto_blame(const frame_auto_values *values, const char *field)
{
    char place[512], message[2048];
    for (int n = 0; n < values->count; n++) {
        const char *held = base_fail_message();
        const frame_auto_value *value = &values->items[n];
        if (!value->field && !is_of_layers(value)) {
            continue; /* the user's own */
        }
        if (is_of_layers(value)) {
            snprintf(place, sizeof place, "%s", IO_CONFIG_FOUND);
        } else {
            snprintf(place, sizeof place, "--set %s", value->text);
        }
        const size_t length = strlen(place);
        if (strncmp(held, place, length) == 0 && held[length] == ':') {
            const char *rest = held + length;
            const char *next =
                strncmp(rest, ": layers.", 9) == 0 ? strchr(rest + 2, ':') : NULL;
            snprintf(message, sizeof message, "%s%s%s",
                     field ? "--field " : IO_CONFIG_FOUND, field ? field : "",
                     field && next ? next : rest);
            base_fail_set_message(message);
        }
    }
}

void auto_text_print(auto_text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const size_t left = sizeof text->text - text->used;
    const int used = vsnprintf(text->text + text->used, left, format, arguments);
    va_end(arguments);
    text->used = used > 0 && (size_t)used < left ? text->used + (size_t)used
                                                 : sizeof text->text - 1;
}

static bool is_same(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

const char *auto_values_find(const frame_auto_values *values, const char *field,
                             const char *key)
{
    const size_t length = strlen(key);
    for (int n = 0; values && n < values->count; n++) {
        const frame_auto_value *value = &values->items[n];
        if (strncmp(value->text, key, length) == 0 && value->text[length] == '=' &&
            is_same(value->field, field)) {
            return value->text + length + 1;
        }
    }
    return NULL;
}

status auto_values_apply(const frame_auto_values *values, int first, io_config **config)
{
    const int count = values->count - first;
    if (count == 0) {
        return STATUS_OK;
    }
    const char **texts = calloc((size_t)count, sizeof *texts);
    char *layers = malloc(LONGEST + sizeof IO_CONFIG_FOUND);
    if (!texts || !layers) {
        free(texts);
        free(layers);
        return base_fail_memory((size_t)count * sizeof *texts, "values that were found");
    }
    for (int n = 0; n < count; n++) {
        const frame_auto_value *value = &values->items[first + n];
        texts[n] = value->text;
        if (is_of_layers(value)) {
            sprintf(layers, "%s\v%s", IO_CONFIG_FOUND, value->text);
            texts[n] = layers;
        }
    }
    io_config *made = NULL;
    status s = io_config_override(*config, count, texts, &made);
    free(texts);
    free(layers);
    if (s == STATUS_OK) {
        io_config_destroy(config);
        *config = made;
    }
    return s;
}

const char *frame_auto_values_last(const frame_auto_values *values, const char *key)
{
    const size_t length = strlen(key);
    for (int n = values->count - 1; n >= 0; n--) {
        const char *text = values->items[n].text;
        if (strncmp(text, key, length) == 0 && text[length] == '=') {
            return text;
        }
    }
    return NULL;
}

void frame_auto_values_clear(frame_auto_values *values)
{
    for (int n = 0; n < values->count; n++) {
        free(values->items[n].text);
        free(values->items[n].field);
    }
    free(values->items);
    *values = (frame_auto_values){0};
}
