#include "markup.h"

#include "base/array.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A file that is being read. Putting characters fails once memory is short. */
typedef struct reader {
    FILE *stream;
    const char *path;
    const xml_dialect *dialect;
    xml_markup *to;
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
    xml_markup *to = r->to;
    const int64_t needed = to->length + (int64_t)length;
    if (r->s != STATUS_OK || needed >= MOST_BYTES ||
        base_array_room(to->text, to->length, (int64_t)length, NULL) != STATUS_OK) {
        r->s =
            r->s == STATUS_OK ? base_fail_memory((size_t)needed, "XML's markup") : r->s;
        return;
    }
    memcpy(to->text + to->length, text, length);
    to->length = needed;
}

static void fail(reader *r, const char *what)
{
    r->s = ferror(r->stream)
               ? base_fail(STATUS_INPUT, "file '%s' cannot be read: %s", r->path,
                           strerror(errno))
               : base_fail(STATUS_INPUT,
                           "%s '%s' %s: write it again, or convert it with ParaView",
                           r->dialect->kind, r->path, what);
}

/* Passes over what ends in two of `mark` and '>': a comment behind its first "--", or a
 * CDATA section behind "<![", whose text nobody asks for. */
static void pass_words(reader *r, char mark)
{
    int marks = 0;
    for (int c = next(r); c != '>' || marks < 2; c = next(r)) {
        if (c == EOF) {
            fail(r,
                 mark == '-' ? "ends inside a comment" : "ends inside a CDATA section");
            return;
        }
        marks = c == mark ? marks + 1 : 0;
    }
}

/* Whether what was copied ends in this. */
static bool ends_in(const reader *r, const char *end)
{
    const size_t size = strlen(end);
    return r->to->length >= (int64_t)size &&
           memcmp(r->to->text + r->to->length - size, end, size) == 0;
}

/* Copies a document type, of which "<!D" was read, without its comments. Without '&' and
 * '%' in it, entities do not refer to others, and take little memory. */
static void copy_type(reader *r)
{
    enum { MOST_TYPE = 1 << 16 };
    int depth = 0, quote = 0;
    const int64_t most = r->to->length + MOST_TYPE;
    put(r, "<!D", 3);
    for (int c = next(r); r->s == STATUS_OK; c = next(r)) {
        const char letter = (char)c;
        if (c == EOF || c == '&' || c == '%' || r->to->length > most) {
            fail(r, "has a document type that karman does not read");
            return;
        }
        put(r, &letter, 1);
        quote = quote != 0 ? (c == quote ? 0 : quote) : c == '"' || c == '\'' ? c : 0;
        depth += quote == 0 ? (c == '[') - (c == ']') : 0;
        if (c == '>' && quote == 0 && depth == 0) {
            return;
        }
        if (r->s == STATUS_OK && quote == 0 && ends_in(r, "<!--")) {
            r->to->length -= 4;
            pass_words(r, '-');
        }
    }
}

/* Passes over a comment or a CDATA section, of which "<!" was read. */
static void pass_comment(reader *r)
{
    const int first = next(r);
    if (first == 'D' && r->dialect->has_types) {
        copy_type(r);
        return;
    }
    if (first == '[' && r->dialect->has_types) {
        pass_words(r, ']');
        return;
    }
    if (first != '-' || next(r) != '-') {
        fail(r, "has a document type or a CDATA section, which karman does not read");
        return;
    }
    pass_words(r, '-');
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
    char kept[XML_MOST_KEPT];
    size_t count = 0;
    bool is_blank = true;
    for (; c != EOF && c != '<'; c = next(r)) {
        is_blank = is_blank && isspace(c);
        kept[count < XML_MOST_KEPT ? count++ : 0] = (char)c;
    }
    if (!is_blank) {
        char place[64];
        const int64_t end = r->to->at - (c == '<' ? 1 : 0);
        const int length = snprintf(place, sizeof place, " %" PRId64 " %" PRId64 " ",
                                    first, end - first);
        put(r, place, (size_t)length);
        put(r, kept, end - first <= r->dialect->kept ? (size_t)(end - first) : 0);
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

status xml_markup_read(FILE *stream, const char *path, const xml_dialect *dialect,
                       xml_markup *out)
{
    static const unsigned char mark[] = {0xef, 0xbb, 0xbf}; /* of UTF-8 */
    unsigned char bytes[sizeof mark];
    reader r = {stream, path, dialect, out, STATUS_OK};
    *out = (xml_markup){.text = NULL};
    fseek(stream, 0, SEEK_SET);
    if (fread(bytes, sizeof bytes, 1, stream) == 1 &&
        memcmp(bytes, mark, sizeof mark) == 0) {
        out->at = sizeof mark;
    } else {
        fseek(stream, 0, SEEK_SET);
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
        if (r.s == STATUS_OK && dialect->appends && tag < out->length &&
            take_appended(&r, tag)) {
            break;
        }
    }
    if (r.s == STATUS_OK && ferror(stream)) {
        fail(&r, "");
    }
    return r.s;
}
