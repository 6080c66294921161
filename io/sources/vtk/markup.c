#include "markup.h"

#include "base/array.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A file that is being read. Putting characters fails once memory is short. */
typedef struct reader {
    FILE *stream;
    const char *path;
    vtk_markup *to;
    status s;
} reader;

static int next(reader *r)
{
    const int c = getc_unlocked(r->stream);
    r->to->at += c != EOF;
    return c;
}

static void put(reader *r, const char *text, size_t length)
{
    enum { MOST_BYTES = 1 << 30 }; /* libxml2 takes less than 2 GiB */
    vtk_markup *to = r->to;
    const int64_t needed = to->length + (int64_t)length;
    char *more = needed < MOST_BYTES && r->s == STATUS_OK
                     ? base_array_reserve(to->text, &to->capacity, needed, 1)
                     : NULL;
    if (!more) {
        r->s =
            r->s == STATUS_OK ? base_fail_memory((size_t)needed, "XML's markup") : r->s;
        return;
    }
    to->text = more;
    memcpy(more + to->length, text, length);
    to->length = needed;
}

static void fail(reader *r, const char *what)
{
    r->s = base_fail(STATUS_INPUT,
                     "VTK file '%s' %s: write it again, or convert it with ParaView",
                     r->path, what);
}

/* Passes over a comment, of which "<!" was read. */
static void pass_comment(reader *r)
{
    int dashes = 0;
    const int first = next(r), second = next(r);
    if (first != '-' || second != '-') {
        fail(r, "has a document type or a CDATA section, which karman does not read");
        return;
    }
    for (int c = next(r); c != '>' || dashes < 2; c = next(r)) {
        if (c == EOF) {
            fail(r, "ends inside a comment");
            return;
        }
        dashes = c == '-' ? dashes + 1 : 0;
    }
}

/* Copies a tag, of which '<' was read. */
static void copy_tag(reader *r)
{
    int c = next(r), quote = 0;
    if (c == '!') {
        pass_comment(r);
        return;
    }
    put(r, "<", 1);
    for (; c != EOF && r->s == STATUS_OK; c = next(r)) {
        const char letter = (char)c;
        put(r, &letter, 1);
        if (c == '>' && quote == 0) {
            return;
        }
        if (c == '"' || c == '\'') {
            quote = quote == 0 ? c : quote == c ? 0 : quote;
        }
    }
    if (r->s == STATUS_OK) {
        fail(r, "ends inside a tag");
    }
}

/* Puts the place of a text, of which `c` was read; the '<' behind it is read, too. */
static void put_place(reader *r, int c)
{
    const int64_t first = r->to->at - 1;
    bool is_blank = true;
    for (; c != EOF && c != '<'; c = next(r)) {
        is_blank = is_blank && isspace(c);
    }
    if (!is_blank) {
        char place[64];
        const int64_t end = r->to->at - (c == '<' ? 1 : 0);
        const int length = snprintf(place, sizeof place, " %" PRId64 " %" PRId64 " ",
                                    first, end - first);
        put(r, place, (size_t)length);
    }
    if (c == '<') {
        copy_tag(r);
    }
}

/* Whether the last tag opens appended data; ends the markup there. */
static bool take_appended(reader *r, int64_t tag)
{
    static const char opening[] = "<AppendedData",
                      closing[] = "</AppendedData></VTKFile>";
    const char *text = r->to->text + tag;
    const int64_t length = r->to->length - tag;
    if (length < (int64_t)sizeof opening ||
        memcmp(text, opening, sizeof opening - 1) != 0 || text[length - 2] == '/') {
        return false;
    }
    int c = next(r);
    while (c != EOF && isspace(c)) {
        c = next(r);
    }
    if (c != '_') {
        fail(r, "has no _ before its appended data");
        return true;
    }
    r->to->appended = r->to->at;
    put(r, closing, sizeof closing - 1);
    return true;
}

status vtk_markup_read(FILE *stream, const char *path, vtk_markup *out)
{
    static const unsigned char mark[] = {0xef, 0xbb, 0xbf}; /* of UTF-8 */
    unsigned char bytes[sizeof mark];
    reader r = {stream, path, out, STATUS_OK};
    *out = (vtk_markup){.text = NULL};
    rewind(stream);
    if (fread(bytes, sizeof bytes, 1, stream) == 1 &&
        memcmp(bytes, mark, sizeof mark) == 0) {
        out->at = sizeof mark;
    } else {
        rewind(stream);
    }
    for (int c = next(&r); c != EOF && r.s == STATUS_OK; c = next(&r)) {
        const int64_t before = out->length;
        if (c == '<') {
            copy_tag(&r);
        } else {
            put_place(&r, c);
        }
        /* A place stands before its tag. */
        int64_t tag = before;
        while (tag < out->length && out->text[tag] != '<') {
            tag++;
        }
        if (r.s == STATUS_OK && tag < out->length && take_appended(&r, tag)) {
            break;
        }
    }
    return r.s;
}
