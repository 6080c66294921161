#include "text.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int get(tecplot_text *text)
{
    const int c = getc_unlocked(text->stream);
    text->at += c != EOF;
    return c;
}

static void unget(tecplot_text *text, int c)
{
    if (c != EOF) {
        ungetc(c, text->stream);
        text->at--;
    }
}

static void append(tecplot_text *text, int c)
{
    if (text->length + 1 < TECPLOT_WORD) {
        text->word[text->length++] = (char)c;
    }
    text->word[text->length] = '\0';
}

/* Passes over white space, commas and comments; the character behind. */
static int pass_space(tecplot_text *text)
{
    bool is_comment = false;
    int c = get(text);
    while (c != EOF && (is_comment || isspace(c) || c == ',' || c == '#')) {
        is_comment = c == '#' || (is_comment && c != '\n');
        c = get(text);
    }
    return c;
}

static tecplot_kind read_string(tecplot_text *text, int quote)
{
    for (int c = get(text); c != quote && c != EOF; c = get(text)) {
        if (c == '\\') {
            c = get(text);
        }
        append(text, c);
    }
    return TECPLOT_STRING;
}

static tecplot_kind read_group(tecplot_text *text, int c)
{
    for (int depth = 0; c != EOF; c = get(text)) {
        depth += (c == '(' || c == '[') - (c == ')' || c == ']');
        append(text, c);
        if (depth == 0) {
            break;
        }
    }
    return TECPLOT_GROUP;
}

static bool is_number(const char *word)
{
    return (word[0] != '\0' && strchr("0123456789+-.*", word[0])) ||
           strncasecmp(word, "nan", 3) == 0 || strcasecmp(word, "inf") == 0 ||
           strcasecmp(word, "infinity") == 0;
}

static tecplot_kind read_word(tecplot_text *text, int c)
{
    do { /* a byte of 0 ends a word, and begins one */
        append(text, c);
        c = get(text);
    } while (c != EOF && !isspace(c) && !strchr(",=(\"", c));
    unget(text, c);
    return is_number(text->word) ? TECPLOT_NUMBER : TECPLOT_NAME;
}

tecplot_kind tecplot_next(tecplot_text *text)
{
    if (text->is_held) {
        text->is_held = false;
        return text->kind;
    }
    const int c = pass_space(text);
    text->begin = text->at - 1;
    text->length = 0;
    text->word[0] = '\0';
    text->kind = c == EOF                ? TECPLOT_END
                 : c == '='              ? TECPLOT_EQUALS
                 : c == '"' || c == '\'' ? read_string(text, c)
                 : c == '(' || c == '['  ? read_group(text, c)
                                         : read_word(text, c);
    return text->kind;
}

void tecplot_hold(tecplot_text *text)
{
    text->is_held = true;
}

bool tecplot_seek(tecplot_text *text, int64_t byte)
{
    text->at = byte;
    text->is_held = false;
    return fseek(text->stream, (long)byte, SEEK_SET) == 0;
}

/* The number behind the times that it is repeated. */
static const char *find_value(const tecplot_text *text)
{
    const char *star = strchr(text->word, '*');
    return star && star > text->word && star[1] != '*' ? star + 1 : text->word;
}

int64_t tecplot_times(const tecplot_text *text)
{
    const char *value = find_value(text);
    char *end;
    if (value == text->word) {
        return 1;
    }
    const int64_t times = strtoll(text->word, &end, 10);
    return end + 1 == value && times > 0 && times < INT64_C(1) << 40 ? times : 0;
}

/* 1.5D+03 and 1.5-101 have no E. */
bool tecplot_value(const tecplot_text *text, double *out)
{
    const char *from = find_value(text);
    char number[128], *end;
    size_t length = 0;
    if (from[0] == '*') {
        *out = (double)NAN;
        return true;
    }
    for (; *from != '\0' && length + 2 < sizeof number; from++) {
        const char last = length > 0 ? number[length - 1] : 'e';
        if ((*from == '+' || *from == '-') && (isdigit(last) || last == '.')) {
            number[length++] = 'e';
        }
        number[length++] = *from == 'D' || *from == 'd' ? 'e' : *from;
    }
    number[length] = '\0';
    *out = strtod(number, &end);
    return end != number && *end == '\0';
}
