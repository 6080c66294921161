#include "text.h"

#include "base/array.h"
#include "base/status.h"

#include <ctype.h>
#include <inttypes.h>
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WIDTH = 64, MAX_PRECISION = 17, MAX_NUMBER = 512 };

static const char known[] =
    "the placeholders are {step}, {time} and {field}, as in {step:04} and "
    "{time:.3f}; write {{ for a brace";

/* ---- Texts that grow ---- */

typedef struct buffer {
    char *text;
    size_t length;
    int64_t capacity;
    bool failed;
} buffer;

static void append(buffer *to, const char *text, size_t length)
{
    const int64_t needed = (int64_t)(to->length + length + 1);
    char *grown =
        to->failed ? NULL : base_array_reserve(to->text, &to->capacity, needed, 1);
    to->failed = grown == NULL;
    if (grown) {
        to->text = grown;
        memcpy(to->text + to->length, text, length);
        to->length += length;
        to->text[to->length] = '\0';
    }
}

/* ---- Placeholders ---- */

/* The content of braces: a name, and the format after the colon. */
typedef struct placeholder {
    const char *name;
    int name_length;
    bool has_format, zeros;
    int width;     /* 0: as wide as needed */
    int precision; /* -1: none */
    char letter;   /* e, f, g, or 0: none */
} placeholder;

static bool is_named(const placeholder *p, const char *name)
{
    return strlen(name) == (size_t)p->name_length &&
           strncmp(p->name, name, (size_t)p->name_length) == 0;
}

/* Reads digits as a number of at most `most`; -1 if there are none or if it is larger. */
static int read_number(const char **at, int most)
{
    int number = -1;
    while (isdigit((unsigned char)**at)) {
        number = 10 * (number > 0 ? number : 0) + (**at - '0');
        if (number > most) {
            return -1;
        }
        (*at)++;
    }
    return number;
}

/* Reads [0][width][.precision][letter] up to `end`. */
static bool read_format(const char *at, const char *end, placeholder *out)
{
    out->has_format = true;
    if (*at == '0') {
        out->zeros = true;
        at++;
    }
    if (isdigit((unsigned char)*at)) {
        out->width = read_number(&at, MAX_WIDTH);
    }
    if (*at == '.') {
        at++;
        out->precision = read_number(&at, MAX_PRECISION);
        if (out->precision < 0) {
            return false;
        }
    }
    if (at < end) {
        out->letter = *at++;
    }
    return out->width >= 0 && at == end;
}

/* Whether the format suits a placeholder of this name. */
static bool is_known(const placeholder *p)
{
    if (is_named(p, "field")) {
        return !p->has_format;
    }
    if (is_named(p, "step")) {
        return p->precision < 0 && (p->letter == '\0' || p->letter == 'd');
    }
    return is_named(p, "time") && (p->letter == '\0' || strchr("efg", p->letter) != NULL);
}

/* Reads a placeholder from behind its opening brace to `end`, its closing brace. */
static bool read_placeholder(const char *at, const char *end, placeholder *out)
{
    const char *colon = memchr(at, ':', (size_t)(end - at));
    const char *name_end = colon ? colon : end;
    *out =
        (placeholder){.name = at, .name_length = (int)(name_end - at), .precision = -1};
    return (!colon || read_format(colon + 1, end, out)) && is_known(out);
}

/* Replaces the locale's decimal separator by a point. */
static void restore_point(char *number)
{
    const char *point = localeconv()->decimal_point;
    char *found = strcmp(point, ".") != 0 ? strstr(number, point) : NULL;
    if (found) {
        const size_t length = strlen(point);
        *found = '.';
        memmove(found + 1, found + length, strlen(found + length) + 1);
    }
}

static void append_time(buffer *to, const placeholder *p, double time)
{
    static const char letters[] = "efg";
    static const char *const formats[2][3] = {{"%*.*e", "%*.*f", "%*.*g"},
                                              {"%0*.*e", "%0*.*f", "%0*.*g"}};
    const char letter = p->letter ? p->letter : 'g';
    const char *format = formats[p->zeros][strchr(letters, letter) - letters];
    char number[MAX_NUMBER];
    snprintf(number, sizeof number, format, p->width,
             p->precision >= 0 ? p->precision : 6, time);
    restore_point(number);
    append(to, number, strlen(number));
}

static void append_value(buffer *to, const placeholder *p, const annotate_values *values)
{
    char number[MAX_NUMBER];
    if (is_named(p, "field")) {
        append(to, values->field ? values->field : "",
               values->field ? strlen(values->field) : 0);
    } else if (is_named(p, "step")) {
        snprintf(number, sizeof number, p->zeros ? "%0*" PRId64 : "%*" PRId64, p->width,
                 values->step);
        append(to, number, strlen(number));
    } else {
        append_time(to, p, values->time);
    }
}

/* ---- Texts ---- */

static status fail_text(const char *where, const char *text, const char *problem,
                        const char *at)
{
    const char *end = strchr(at, '}');
    const int shown = end && end - at < 40 ? (int)(end - at) + 1 : (int)strnlen(at, 40);
    return base_fail(STATUS_USAGE, "%s: '%.80s': %s %.*s; %s", where, text, problem,
                     shown, at, known);
}

/* Appends the text for a brace; *at moves behind it. */
static status append_brace(const char *where, const char *text, const char **at,
                           const annotate_values *values, buffer *to)
{
    const char *brace = *at;
    if (brace[0] == brace[1]) {
        append(to, brace, 1);
        *at = brace + 2;
        return STATUS_OK;
    }
    const char *end = strchr(brace, '}');
    if (brace[0] == '}' || !end) {
        return fail_text(where, text, "unmatched brace", brace);
    }
    placeholder p;
    if (!read_placeholder(brace + 1, end, &p)) {
        return fail_text(where, text, "unknown placeholder", brace);
    }
    append_value(to, &p, values);
    *at = end + 1;
    return STATUS_OK;
}

status annotate_text_expand(const char *where, const char *text,
                            const annotate_values *values, char **out)
{
    buffer made = {0};
    status result = STATUS_OK;
    append(&made, "", 0);
    for (const char *at = text; *at && result == STATUS_OK;) {
        const size_t plain = strcspn(at, "{}");
        append(&made, at, plain);
        at += plain;
        if (*at) {
            result = append_brace(where, text, &at, values, &made);
        }
    }
    if (result == STATUS_OK && made.failed) {
        result = base_fail_memory(made.length, "a label");
    }
    if (result != STATUS_OK) {
        free(made.text);
        return result;
    }
    *out = made.text;
    return STATUS_OK;
}

status annotate_text_check(const char *where, const char *text)
{
    char *expanded = NULL;
    const annotate_values values = {0, 0.0, ""};
    status result = annotate_text_expand(where, text, &values, &expanded);
    free(expanded);
    return result;
}
