#include "text.h"

#include "bytes.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The most numbers that a file may stand for, so that sums stay in range. */
#define MOST_NUMBERS (INT64_C(1) << 50)

static bool is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == ',' || c == '\f';
}

bool plot3d_text_is(int descriptor)
{
    char bytes[512];
    const ssize_t count = plot3d_bytes_read(descriptor, bytes, sizeof bytes, 0);
    int digits = 0;
    for (ssize_t n = 0; n < count; n++) {
        if (!is_space(bytes[n]) &&
            (bytes[n] == '\0' || !strchr("0123456789+-.*eEdDnNaAiIfF", bytes[n]))) {
            return false;
        }
        digits += bytes[n] >= '0' && bytes[n] <= '9';
    }
    return digits > 0;
}

status plot3d_text_open(const char *path, int descriptor, int64_t size, plot3d_text *out)
{
    const size_t bytes = PLOT3D_CHUNK + PLOT3D_LONGEST + 1;
    *out = (plot3d_text){.path = path,
                         .descriptor = descriptor,
                         .size = size,
                         .nchunks = (size + PLOT3D_CHUNK - 1) / PLOT3D_CHUNK,
                         .buffer = malloc(bytes),
                         .chunk = -1};
    return out->buffer ? STATUS_OK : base_fail_memory(bytes, "a part of a text file");
}

void plot3d_text_close(plot3d_text *text)
{
    free(text->before);
    free(text->buffer);
    text->before = NULL;
    text->buffer = NULL;
}

/* ---- Chunks ------------------------------------------------------------------------ */

/* Reads bytes into the buffer until it is full or the file ends. */
static status fill(plot3d_text *text, int64_t from, size_t start)
{
    const size_t most = PLOT3D_CHUNK + PLOT3D_LONGEST + 1;
    text->length = start;
    while (text->length < most) {
        const ssize_t count = plot3d_bytes_read(
            text->descriptor, text->buffer + text->length, most - text->length,
            from + (int64_t)(text->length - start));
        if (count < 0) {
            return base_fail(STATUS_INPUT, "file '%s' cannot be read: %s", text->path,
                             strerror(errno));
        }
        if (count == 0) {
            break;
        }
        text->length += (size_t)count;
    }
    return STATUS_OK;
}

/* Loads a chunk. A number that began before it is left out. */
static status load(plot3d_text *text, int64_t chunk, int64_t passed)
{
    const int64_t from = chunk * PLOT3D_CHUNK;
    text->chunk = -1;
    text->buffer[0] = ' ';
    status s = chunk == 0 ? fill(text, 0, 1) : fill(text, from - 1, 0);
    if (s != STATUS_OK) {
        return s;
    }
    text->at = 0;
    while (text->at < text->length && !is_space(text->buffer[text->at])) {
        text->at++;
    }
    text->chunk = chunk;
    text->passed = passed;
    return STATUS_OK;
}

status plot3d_text_start(plot3d_text *text, int64_t chunk, int64_t passed)
{
    return load(text, chunk, passed);
}

/* ---- Numbers ----------------------------------------------------------------------- */

typedef struct token {
    const char *start;
    size_t length;
    int64_t times; /* it stands for so many numbers */
} token;

static status fail_token(const plot3d_text *text, const token *t)
{
    int length = t->length < 24 ? (int)t->length : 24;
    for (int n = 0; n < length; n++) {
        length = (unsigned char)t->start[n] < ' ' || (unsigned char)t->start[n] > '~'
                     ? n
                     : length;
    }
    return base_fail(STATUS_INPUT,
                     "file '%s' has '%.*s' in the place of a number, near byte %lld",
                     text->path, length, t->start,
                     (long long)(text->chunk * PLOT3D_CHUNK + (t->start - text->buffer)));
}

/* Takes "3*" off the start of a token. */
static bool take_times(token *t)
{
    const char *star = memchr(t->start, '*', t->length);
    t->times = 1;
    if (!star || star == t->start) {
        return true;
    }
    int64_t times = 0;
    for (const char *c = t->start; c < star; c++) {
        if (*c < '0' || *c > '9' || times > MOST_NUMBERS) {
            return false;
        }
        times = 10 * times + (*c - '0');
    }
    t->length -= (size_t)(star + 1 - t->start);
    t->start = star + 1;
    t->times = times;
    return times > 0;
}

/* Finds the next number that begins in the chunk; *is_there is false behind the last. */
static status next(const plot3d_text *text, token *t, bool *is_there)
{
    size_t at = text->at;
    while (at < text->length && is_space(text->buffer[at])) {
        at++;
    }
    *is_there = at < text->length && at <= PLOT3D_CHUNK;
    t->start = text->buffer + at;
    while (*is_there && at < text->length && !is_space(text->buffer[at])) {
        at++;
    }
    t->length = (size_t)(text->buffer + at - t->start);
    if (*is_there && (t->length >= PLOT3D_LONGEST || !take_times(t))) {
        return fail_token(text, t);
    }
    return STATUS_OK;
}

/* Copies a number in the form that strtod takes: 1.5D+03 and 1.5-101 have no E. */
static void copy_number(const token *t, char out[2 * PLOT3D_LONGEST])
{
    size_t to = 0;
    for (size_t n = 0; n < t->length; n++) {
        const char c = t->start[n];
        const char last = n > 0 ? t->start[n - 1] : 'e';
        if ((c == '+' || c == '-') && ((last >= '0' && last <= '9') || last == '.')) {
            out[to++] = 'e';
        }
        out[to++] = c == 'D' || c == 'd' ? 'e' : c;
    }
    out[to] = '\0';
}

static status convert(const plot3d_text *text, const token *t, double *out)
{
    char number[2 * PLOT3D_LONGEST], *end;
    if (t->start[0] ==
        '*') { /* Fortran's sign for a number that its format cannot hold */
        *out = (double)NAN;
        return STATUS_OK;
    }
    copy_number(t, number);
    *out = strtod(number, &end);
    return end != number && *end == '\0' ? STATUS_OK : fail_token(text, t);
}

/* ---- Counting and reading ---------------------------------------------------------- */

status plot3d_text_count(plot3d_text *text, int64_t chunk, int64_t *count)
{
    token t;
    bool is_there = true;
    *count = 0;
    status s = load(text, chunk, 0);
    while (s == STATUS_OK && is_there) {
        s = next(text, &t, &is_there);
        if (s == STATUS_OK && is_there) {
            *count += *count < MOST_NUMBERS ? t.times : 0;
            text->at = (size_t)(t.start + t.length - text->buffer);
        }
    }
    text->chunk = -1;
    return s;
}

status plot3d_text_count_all(plot3d_text *text)
{
    const size_t bytes = ((size_t)text->nchunks + 1) * sizeof *text->before;
    status s = STATUS_OK;
    text->before = calloc(bytes, 1);
    if (!text->before) {
        return base_fail_memory(bytes, "the numbers of a text");
    }
    for (int64_t n = 0; n < text->nchunks && s == STATUS_OK; n++) {
        s = plot3d_text_count(text, n, &text->before[n + 1]);
        text->before[n + 1] += text->before[n];
        text->before[n + 1] =
            text->before[n + 1] < MOST_NUMBERS ? text->before[n + 1] : MOST_NUMBERS;
    }
    return s;
}

/* The chunk with number `first`, or the first one if numbers were not counted. */
static int64_t find_chunk(const plot3d_text *text, int64_t first)
{
    int64_t lo = 0, hi = text->before ? text->nchunks : 1;
    while (hi - lo > 1) {
        const int64_t middle = lo + (hi - lo) / 2;
        if (text->before[middle] <= first) {
            lo = middle;
        } else {
            hi = middle;
        }
    }
    return lo;
}

/* Loads the right chunk, unless number `first` is ahead in the loaded one. */
static status seek(plot3d_text *text, int64_t first)
{
    const int64_t chunk = find_chunk(text, first);
    const bool is_ahead = text->passed <= first && text->chunk >= chunk;
    return text->chunk >= 0 && is_ahead
               ? STATUS_OK
               : load(text, chunk, text->before ? text->before[chunk] : 0);
}

/* Copies the part of a token's numbers that is in [first, end). */
static status take(plot3d_text *text, const token *t, int64_t first, int64_t end,
                   double *out)
{
    double value = 0.0;
    const int64_t from = text->passed > first ? text->passed : first;
    const int64_t last = text->passed + t->times < end ? text->passed + t->times : end;
    status s = from < last ? convert(text, t, &value) : STATUS_OK;
    for (int64_t n = from; n < last; n++) {
        out[n - first] = value;
    }
    return s;
}

status plot3d_text_read(plot3d_text *text, int64_t first, int64_t count, double *out)
{
    const int64_t end = first + count;
    status s = count > 0 ? seek(text, first) : STATUS_OK;
    while (s == STATUS_OK && count > 0) {
        token t;
        bool is_there;
        s = next(text, &t, &is_there);
        if (s == STATUS_OK && !is_there) {
            s = text->chunk + 1 < text->nchunks
                    ? load(text, text->chunk + 1, text->passed)
                    : base_fail(STATUS_INPUT,
                                "file '%s' is truncated: it ends after %lld numbers",
                                text->path, (long long)text->passed);
            continue;
        }
        if (s == STATUS_OK) {
            s = take(text, &t, first, end, out);
        }
        if (s != STATUS_OK || text->passed + t.times > end) {
            break; /* the rest of "9*0.5" may be read next */
        }
        text->at = (size_t)(t.start + t.length - text->buffer);
        text->passed += t.times;
        count = text->passed >= end ? 0 : count;
    }
    return s;
}
