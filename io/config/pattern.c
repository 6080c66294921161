/* Names of files with the step; texts with step and time. */
#include "config.h"
#include "readers.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Length of the conversion that begins with the '%' at text: %d, %0Nd or %0NNd; 0 for any
 * other. Sets the width. */
static int conversion_length(const char *text, int *width)
{
    int length = 1;
    *width = 0;
    if (text[length] == '0') {
        length++;
        while (length < 4 && isdigit((unsigned char)text[length])) {
            *width = 10 * *width + (text[length] - '0');
            length++;
        }
        if (*width == 0) {
            return 0;
        }
    }
    return text[length] == 'd' ? length + 1 : 0;
}

int io_config_count_conversions(const char *pattern)
{
    int count = 0;
    for (const char *text = pattern; *text != '\0'; text++) {
        int width = 0;
        if (*text != '%') {
            continue;
        }
        if (text[1] == '%') {
            text++;
            continue;
        }
        int length = conversion_length(text, &width);
        if (length == 0) {
            return -1;
        }
        text += length - 1;
        count++;
    }
    return count;
}

static void write_expanded(FILE *stream, const char *pattern, int64_t step)
{
    for (const char *text = pattern; *text != '\0'; text++) {
        int width = 0;
        if (*text == '%' && text[1] != '%') {
            int length = conversion_length(text, &width);
            fprintf(stream, "%0*" PRId64, width, step);
            text += length - 1;
            continue;
        }
        text += *text == '%' ? 1 : 0;
        fputc(*text, stream);
    }
}

char *io_config_expand(const char *pattern, int64_t step)
{
    char *path = NULL;
    size_t size = 0;
    if (io_config_count_conversions(pattern) < 0) {
        return NULL;
    }
    FILE *stream = open_memstream(&path, &size);
    if (stream == NULL) {
        return NULL;
    }
    write_expanded(stream, pattern, step);
    if (fclose(stream) != 0) {
        free(path);
        return NULL;
    }
    return path;
}

/* ---- Axes of data sets ------------------------------------------------------------- */

/* The start of the brackets at the end of a path; its end if there are none. */
static const char *find_brackets(const char *path)
{
    const char *start = path + strlen(path);
    while (start > path && start[-1] == ']') {
        const char *open = start - 1;
        while (open > path && *open != '[') {
            open--;
        }
        if (*open != '[') {
            break;
        }
        start = open;
    }
    return start;
}

/* Takes an entry: a number or the word step. False if it is another, or one too many. */
static bool take_entry(const char *text, size_t length, bool is_behind, io_axes *axes)
{
    int *count = is_behind ? &axes->ntrail : &axes->nlead;
    int *list = is_behind ? axes->trail : axes->lead;
    const bool is_step = length == 4 && strncmp(text, "step", 4) == 0;
    const bool is_number =
        length > 0 && length <= 6 && strspn(text, "0123456789") >= length;
    if ((!is_step && !is_number) || *count == IO_MOST_AXES) {
        return false;
    }
    list[(*count)++] = is_step ? IO_AXIS_STEP : atoi(text);
    return true;
}

/* Without a ':' a step comes first, and the place of a single number is open. */
static bool open_component(io_axes *axes)
{
    int kept = 0, numbers = 0;
    for (int n = 0; n < axes->nlead; n++) {
        if (axes->lead[n] == IO_AXIS_STEP) {
            axes->lead[kept++] = IO_AXIS_STEP;
        } else {
            axes->component = axes->lead[n];
            numbers++;
        }
    }
    axes->nlead = kept;
    return numbers <= 1;
}

static bool has_one_step(const io_axes *axes)
{
    int steps = 0;
    for (int n = 0; n < axes->nlead; n++) {
        steps += axes->lead[n] == IO_AXIS_STEP;
    }
    for (int n = 0; n < axes->ntrail; n++) {
        steps += axes->trail[n] == IO_AXIS_STEP;
    }
    return steps <= 1;
}

bool io_axes_parse(const char *path, size_t *length, io_axes *out)
{
    io_axes axes = {.component = -1};
    bool is_behind = false;
    const char *start = find_brackets(path), *at = start;
    *length = (size_t)(start - path);
    while (*at != '\0') {
        at += strspn(at, "[], ");
        const size_t size = strcspn(at, "[], ");
        if (size > 0 && (strncmp(at, ":", size) == 0 || strncmp(at, "...", size) == 0)) {
            if (is_behind && axes.ntrail > 0) {
                return false;
            }
            is_behind = true;
        } else if (size > 0 && !take_entry(at, size, is_behind, &axes)) {
            return false;
        }
        at += size;
    }
    if (*start != '\0' && !is_behind && axes.nlead == 0) {
        return false;
    }
    if (*start == '\0' && start > path && start[-1] == ']') {
        return false;
    }
    if (!has_one_step(&axes) || (!is_behind && !open_component(&axes))) {
        return false;
    }
    *out = axes;
    return true;
}

bool io_axes_have_step(const io_axes *axes)
{
    bool have = false;
    for (int n = 0; n < IO_MOST_AXES; n++) {
        have = have || (n < axes->nlead && axes->lead[n] == IO_AXIS_STEP) ||
               (n < axes->ntrail && axes->trail[n] == IO_AXIS_STEP);
    }
    return have;
}

/* ---- Texts with step and time ------------------------------------------------------ */

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
