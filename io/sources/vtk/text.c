#include "text.h"

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
