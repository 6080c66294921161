#include "json.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

json_t *io_json_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *io_json_text(const char *bytes)
{
    json_t *value = bytes ? json_string(bytes) : NULL;
    return value ? value : json_null();
}

json_t *io_json_finish(json_t *value, int failed)
{
    if (failed) {
        json_decref(value);
        return NULL;
    }
    return value;
}

/* ---- Text -------------------------------------------------------------------------- */

/* The end of the string that begins at the quotation mark `text`. */
static const char *skip_string(const char *text)
{
    for (text++; *text != '\0' && *text != '"'; text++) {
        text += *text == '\\' && text[1] != '\0';
    }
    return *text == '"' ? text + 1 : text;
}

/* The end of the array that begins at the bracket `text`; NULL if it has anything but
 * numbers. */
static const char *numbers_end(const char *text)
{
    const char *end = text + 1 + strcspn(text + 1, "[]{}\"");
    return *end == ']' ? end : NULL;
}

size_t io_json_fold_lines(char *text)
{
    char *out = text;
    for (const char *in = text; *in != '\0';) {
        const char *end = *in == '"'   ? skip_string(in)
                          : *in == '[' ? numbers_end(in)
                                       : in + 1;
        bool folds = *in == '[' && end;
        for (end = end ? end : in + 1; in < end; in++) {
            if (!folds || !isspace((unsigned char)*in)) {
                *out++ = *in;
            }
        }
    }
    *out = '\0';
    return (size_t)(out - text);
}

char *io_json_print(const json_t *document, size_t *size)
{
    char *text = json_dumps(document, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
    *size = text ? io_json_fold_lines(text) : 0;
    return text;
}

void io_json_write_html(FILE *file, const char *json)
{
    for (; *json; json++) {
        if (*json == '<') {
            fputs("\\u003c", file);
        } else {
            fputc(*json, file);
        }
    }
}

status io_json_show(json_t *document, const char *what)
{
    size_t size;
    char *text = document ? io_json_print(document, &size) : NULL;
    json_decref(document);
    if (!text) {
        return base_fail_memory(4096, what);
    }
    printf("%s\n", text);
    free(text);
    return STATUS_OK;
}
