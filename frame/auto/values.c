#include "values.h"

#include "base/array.h"

#include <math.h>
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

bool auto_wants_volume(const io_config *config)
{
    static const char key[] = "layers.0.volume.";
    const char *text = NULL;
    bool is = false;
    for (int n = 0; (text = io_config_later(config, n)) != NULL; n++) {
        is = is || strncmp(text, key, sizeof key - 1) == 0;
    }
    return is;
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

/* Whether a key, "layers.0.volume.range=…", is that of a range. */
static bool is_range(const frame_auto_value *value)
{
    static const char end[] = ".range";
    const size_t length = strcspn(value->text, "=");
    return value->field && strncmp(value->text, "layers.", 7) == 0 &&
           length >= sizeof end &&
           strncmp(value->text + length - sizeof end + 1, end, sizeof end - 1) == 0;
}

/* Whether it is of layers, or stands beside them. */
static bool is_of_picture(const frame_auto_value *value)
{
    static const char *const keys[] = {
        "layers=", "clip=", "annotations=", "camera.projection="};
    bool is = false;
    for (int n = 0; n < 4; n++) {
        is = is || strncmp(value->text, keys[n], strlen(keys[n])) == 0;
    }
    return is && value->field;
}

/* Whether it is of a volume's opacity, which follows from its range. */
static bool is_opacity(const frame_auto_value *value)
{
    return value->field && (strstr(value->text, ".volume.opacity=") ||
                            strstr(value->text, ".volume.unit_length="));
}

/* Prints a number that reads as the same one, in few digits if these do. */
static void print_number(double x, char text[32])
{
    snprintf(text, 32, "%.10g", x);
    if (strtod(text, NULL) != x) {
        snprintf(text, 32, "%.17g", x);
    }
}

/* Widens a known range by another; false without memory. */
static bool widen(frame_auto_value *known, const char *text)
{
    const size_t length = strcspn(text, "=");
    char least[32], most[32];
    double a[2], b[2];
    if (sscanf(known->text + length, "=[%lf, %lf]", &a[0], &a[1]) != 2 ||
        sscanf(text + length, "=[%lf, %lf]", &b[0], &b[1]) != 2) {
        return true;
    }
    print_number(fmin(a[0], b[0]), least);
    print_number(fmax(a[1], b[1]), most);
    const size_t size = length + sizeof least + sizeof most + 8;
    char *wide = malloc(size);
    if (wide) {
        snprintf(wide, size, "%.*s=[%s, %s]", (int)length, text, least, most);
        free(known->text);
        known->text = wide;
    }
    return wide != NULL;
}

/* The value of the same key and field; NULL: none. */
static frame_auto_value *find_like(const frame_auto_values *values,
                                   const frame_auto_value *wanted)
{
    const size_t length = strcspn(wanted->text, "=") + 1;
    for (int n = 0; n < values->count; n++) {
        if (strncmp(values->items[n].text, wanted->text, length) == 0 &&
            is_same(values->items[n].field, wanted->field)) {
            return &values->items[n];
        }
    }
    return NULL;
}

status frame_auto_values_join(const frame_auto_values *values, frame_auto_share what,
                              frame_auto_values *known)
{
    status s = STATUS_OK;
    for (int n = 0; n < values->count && s == STATUS_OK; n++) {
        const frame_auto_value *value = &values->items[n];
        const bool takes = what == AUTO_SHARE_RANGES    ? is_range(value)
                           : what == AUTO_SHARE_OPACITY ? is_opacity(value)
                                                        : is_of_picture(value);
        frame_auto_value *its = takes ? find_like(known, value) : NULL;
        if (its && what == AUTO_SHARE_RANGES) {
            s = widen(its, value->text) ? s : base_fail_memory(0, "a range");
        } else if (takes && !its) {
            s = append(known, value->text, value->field);
        }
    }
    return s;
}

status frame_auto_values_begin(const frame_auto_values *found, frame_auto_values *values)
{
    static const char *const keys[] = {"layers", "look"};
    status s = STATUS_OK;
    for (int n = 0; n < 2 && s == STATUS_OK; n++) {
        const char *text = auto_values_find(found, NULL, keys[n]);
        s = text ? auto_values_add(values, NULL, keys[n], "%s", text) : s;
    }
    values->is_field_given = values->is_field_given || found->is_field_given;
    return s;
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
