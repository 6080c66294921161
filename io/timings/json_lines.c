#include "json_lines.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* Past the string that begins at the quotation mark `text`. */
static const char *skip_string(const char *text)
{
    for (text++; *text != '\0' && *text != '"'; text++) {
        text += *text == '\\' && text[1] != '\0';
    }
    return *text == '"' ? text + 1 : text;
}

/* The end of the array that begins at the bracket `text`; NULL where it holds anything
 * but numbers. */
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
