#include "text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void split(char *text, vtk_line *line)
{
    char *rest = NULL;
    line->count = 0;
    for (char *word = strtok_r(text, " \t\r\n", &rest); word && line->count < VTK_WORDS;
         word = strtok_r(NULL, " \t\r\n", &rest)) {
        snprintf(line->word[line->count++], VTK_WORD, "%s", word);
    }
}

bool vtk_line_read(FILE *stream, vtk_line *line)
{
    char text[VTK_LINE];
    line->count = 0;
    while (line->count == 0 && fgets(text, sizeof text, stream)) {
        split(text, line);
    }
    return line->count > 0;
}

bool vtk_line_is(const vtk_line *line, const char *word)
{
    return line->count > 0 && strcasecmp(line->word[0], word) == 0;
}

bool vtk_line_count(const vtk_line *line, int word, int64_t *out)
{
    char *end = NULL;
    if (word >= line->count) {
        return false;
    }
    *out = strtoll(line->word[word], &end, 10);
    return *end == '\0' && *out >= 0;
}

bool vtk_line_real(const vtk_line *line, int word, double *out)
{
    char *end = NULL;
    if (word >= line->count) {
        return false;
    }
    *out = strtod(line->word[word], &end);
    return *end == '\0';
}

/* Reads the characters of a number; false at the end of the file or the text of an
 * element, or if it is too long. */
static bool read_word(FILE *stream, char word[VTK_WORD])
{
    int c = getc_unlocked(stream);
    size_t length = 0;
    while (c != EOF && isspace(c)) {
        c = getc_unlocked(stream);
    }
    for (; c != EOF && c != '<' && !isspace(c) && length + 1 < VTK_WORD;
         c = getc_unlocked(stream)) {
        word[length++] = (char)c;
    }
    word[length] = '\0';
    if (c != EOF) {
        ungetc(c, stream);
    }
    return length > 0 && length + 1 < VTK_WORD;
}

bool vtk_text_skip(FILE *stream, int64_t count)
{
    char word[VTK_WORD];
    bool all = true;
    for (int64_t n = 0; n < count && all; n++) {
        all = read_word(stream, word);
    }
    return all;
}

status vtk_text_read(FILE *stream, const char *path, int64_t count, double *out)
{
    char word[VTK_WORD];
    for (int64_t n = 0; n < count; n++) {
        char *end = word;
        const bool is_there = read_word(stream, word);
        out[n] = is_there ? strtod(word, &end) : 0.0;
        if (!is_there || *end != '\0') {
            return base_fail(STATUS_INPUT,
                             "VTK file '%s' %s: write it again, or convert it with "
                             "ParaView",
                             path,
                             is_there ? "has something that is no number among numbers"
                                      : "ends inside an array");
        }
    }
    return STATUS_OK;
}
