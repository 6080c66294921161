#include "roff.h"

#include "base/version.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* Prints a character beyond ASCII by its code point, as roff names it; returns its
 * bytes. */
static int print_code_point(const unsigned char *text, FILE *stream)
{
    const int more = text[0] >= 0xf0 ? 3 : text[0] >= 0xe0 ? 2 : 1;
    unsigned code = text[0] & (0x3fU >> more);
    for (int n = 1; n <= more; n++) {
        if ((text[n] & 0xc0) != 0x80) {
            return n; /* not UTF-8: skipped */
        }
        code = code << 6 | (text[n] & 0x3fU);
    }
    fprintf(stream, "\\[u%04X]", code);
    return more + 1;
}

/* The escape of a letter that has another meaning in roff. */
static const char *escape_of(char letter)
{
    switch (letter) {
    case '\\':
        return "\\e";
    case '-':
        return "\\-";
    case '\'':
        return "\\(aq";
    case '`':
        return "\\(ga";
    case '^':
        return "\\(ha";
    case '~':
        return "\\(ti";
    case '"':
        return "\\(dq";
    default:
        return NULL;
    }
}

void usage_roff_text(const char *text, int begins, FILE *stream)
{
    if (begins && text[0] == '.') {
        fputs("\\&", stream);
    }
    while (*text != '\0') {
        if ((unsigned char)*text >= 0x80) {
            text += print_code_point((const unsigned char *)text, stream);
            continue;
        }
        const char *escape = escape_of(*text);
        if (escape) {
            fputs(escape, stream);
        } else {
            fputc(*text, stream);
        }
        text++;
    }
}

void usage_roff_paragraphs(const char *text, FILE *stream)
{
    bool is_filled = true;
    for (bool is_first = true; *text != '\0'; is_first = false) {
        char line[2048];
        const int length = (int)strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", length, text);
        text += length + (text[length] == '\n');
        const bool fills = line[0] != ' ';
        if (fills != is_filled) {
            fputs(fills ? ".fi\n" : ".nf\n", stream);
        }
        if (fills && !is_first) {
            fputs(".PP\n", stream);
        }
        is_filled = fills;
        if (line[0] != '\0') {
            usage_roff_text(line, 1, stream);
            fputc('\n', stream);
        }
    }
    fputs(is_filled ? "" : ".fi\n", stream);
}

void usage_roff_title(const char *name, int section, FILE *stream)
{
    fputs(".TH ", stream);
    for (; *name != '\0'; name++) {
        fputc(toupper((unsigned char)*name), stream);
    }
    /* Do not hyphenate keys and options, and do not stretch lines. */
    fprintf(stream, " %d \"\" \"karman %s\" \"karman\"\n.nh\n.ad l\n", section,
            base_version());
}

void usage_roff_pages(const char *text, FILE *stream)
{
    while (*text != '\0') {
        char name[128];
        const int length = (int)strcspn(text, "("), end = (int)strcspn(text, " ");
        snprintf(name, sizeof name, "%.*s", length, text);
        fputs("\\fB", stream);
        usage_roff_text(name, 0, stream);
        fprintf(stream, "\\fR%.*s", end - length, text + length);
        text += end + (int)strspn(text + end, " ");
        fputs(*text != '\0' ? ",\n" : "\n", stream);
    }
}
