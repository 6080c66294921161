#include "readers.h"

#include "config.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A placeholder between braces. */
typedef struct time_field {
    size_t length; /* of the text, braces included */
    bool is_step;  /* true: the step; false: the time */
    int digits;
    char letter; /* of printf: e, f or g */
} time_field;

static bool begins_with(const char *text, const char *word)
{
    return strncmp(text, word, strlen(word)) == 0;
}

/* Reads ".Nf}" after "{time:"; N has one or two digits. */
static bool read_format(const char *text, time_field *field)
{
    const char *at = text;
    if (at[0] != '.' || !isdigit((unsigned char)at[1])) {
        return false;
    }
    field->digits = at[1] - '0';
    at += 2;
    if (isdigit((unsigned char)at[0])) {
        field->digits = 10 * field->digits + (at[0] - '0');
        at++;
    }
    field->letter = at[0];
    if (at[0] == '\0' || strchr("efg", at[0]) == NULL || at[1] != '}') {
        return false;
    }
    field->length += (size_t)(at + 2 - text);
    return true;
}

static bool read_field(const char *text, time_field *field)
{
    static const char step[] = "{step}", plain[] = "{time}", format[] = "{time:";
    if (begins_with(text, step)) {
        *field = (time_field){.length = sizeof step - 1, .is_step = true};
        return true;
    }
    if (begins_with(text, plain)) {
        *field = (time_field){.length = sizeof plain - 1, .digits = 6, .letter = 'g'};
        return true;
    }
    *field = (time_field){.length = sizeof format - 1};
    return begins_with(text, format) && read_format(text + sizeof format - 1, field);
}

static void print_field(FILE *stream, const time_field *field, int64_t step, double time)
{
    if (field->is_step) {
        fprintf(stream, "%lld", (long long)step);
    } else if (field->letter == 'e') {
        fprintf(stream, "%.*e", field->digits, time);
    } else if (field->letter == 'f') {
        fprintf(stream, "%.*f", field->digits, time);
    } else {
        fprintf(stream, "%.*g", field->digits, time);
    }
}

/* Writes the text to the stream, or only checks it if that is NULL. Returns whether it is
 * valid. */
static bool expand(FILE *stream, const char *text, int64_t step, double time)
{
    while (*text != '\0') {
        time_field field = {.length = 1};
        bool is_brace = begins_with(text, "{{") || begins_with(text, "}}");
        bool is_plain = is_brace || (*text != '{' && *text != '}');
        if (!is_plain && !read_field(text, &field)) {
            return false;
        }
        if (stream != NULL && is_plain) {
            fputc(*text, stream);
        } else if (stream != NULL) {
            print_field(stream, &field, step, time);
        }
        text += is_brace ? 2 : field.length;
    }
    return true;
}

bool io_config_is_time_text(const char *text)
{
    return expand(NULL, text, 0, 0.0);
}

char *io_config_expand_time(const char *text, int64_t step, double time)
{
    char *expanded = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&expanded, &size);
    if (stream == NULL) {
        return NULL;
    }
    bool is_good = expand(stream, text, step, time);
    if (fclose(stream) != 0 || !is_good) {
        free(expanded);
        return NULL;
    }
    return expanded;
}
