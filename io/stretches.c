#include "stretches.h"

#include "base/array.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_SPAN = 1 << 20 }; /* bytes of a buffer */

status io_stretches_add(io_stretches *stretches, int64_t offset, int64_t length)
{
    io_stretch *last =
        stretches->count > 0 ? &stretches->all[stretches->count - 1] : NULL;
    stretches->bytes += length;
    if (last && last->offset + last->length == offset) {
        last->length += length;
        return STATUS_OK;
    }
    return base_array_add(stretches->all, stretches->count,
                          ((io_stretch){offset, length}), "the rows of a box");
}

void io_stretches_free(io_stretches *stretches)
{
    free(stretches->all);
    *stretches = (io_stretches){0};
}

/* ---- Byte order -------------------------------------------------------------------- */

static void reverse_short(uint32_t *words, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        const uint32_t w = words[n];
        words[n] = w >> 24 | (w >> 8 & 0xff00U) | (w << 8 & 0xff0000U) | w << 24;
    }
}

static void reverse_long(uint64_t *words, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        uint64_t w = words[n];
        w = (w & UINT64_C(0x00ff00ff00ff00ff)) << 8 |
            (w >> 8 & UINT64_C(0x00ff00ff00ff00ff));
        w = (w & UINT64_C(0x0000ffff0000ffff)) << 16 |
            (w >> 16 & UINT64_C(0x0000ffff0000ffff));
        words[n] = w << 32 | w >> 32;
    }
}

/* Reverses the bytes of all numbers at the end: a stretch may end inside of one. */
static void reverse(int number_size, int64_t bytes, char *numbers)
{
    enum { PIECE = 1 << 16 };
#pragma omp parallel for if (bytes > PIECE)
    for (int64_t at = 0; at < bytes; at += PIECE) {
        const size_t size = (size_t)(bytes - at < PIECE ? bytes - at : PIECE);
        if (number_size == 4) {
            reverse_short((uint32_t *)(void *)(numbers + at), size / 4);
        } else {
            reverse_long((uint64_t *)(void *)(numbers + at), size / 8);
        }
    }
}

/* ---- Spans ------------------------------------------------------------------------- */

/* What one read brings: some stretches, with the gaps between them. */
typedef struct span {
    int64_t first, end; /* stretches; the same one in several spans if it is long */
    int64_t offset, bytes;
    int64_t to; /* place of the first byte in memory */
} span;

typedef struct span_list {
    int64_t count;
    span *all;
    int64_t buffer; /* bytes of the largest that has gaps */
} span_list;

static status add_span(span_list *list, const span *one)
{
    return base_array_add(list->all, list->count, *one, "the rows of a box");
}

/* Adds the spans of a stretch that is read by itself, directly to its place. */
static status add_long(span_list *list, int64_t n, const io_stretch *stretch, int64_t to)
{
    status s = STATUS_OK;
    for (int64_t at = 0; at < stretch->length && s == STATUS_OK; at += MOST_SPAN) {
        const int64_t left = stretch->length - at;
        s = add_span(list, &(span){n, n + 1, stretch->offset + at,
                                   left < MOST_SPAN ? left : MOST_SPAN, to + at});
    }
    return s;
}

/* The span that begins with the n-th stretch. *wanted: bytes of its stretches. */
static span join(const io_stretches *s, int64_t n, int64_t to, int64_t *wanted)
{
    const io_stretch *first = &s->all[n];
    span one = {n, n + 1, first->offset, first->length, to};
    *wanted = first->length;
    while (one.end < s->count) {
        const io_stretch *next = &s->all[one.end];
        const int64_t gap = next->offset - (one.offset + one.bytes);
        const int64_t bytes = next->offset + next->length - one.offset;
        if (gap < 0 || gap > IO_STRETCH_GAP || bytes > MOST_SPAN) {
            break;
        }
        one.bytes = bytes;
        one.end++;
        *wanted += next->length;
    }
    return one;
}

static status find_spans(const io_stretches *stretches, span_list *out)
{
    status s = STATUS_OK;
    int64_t to = 0;
    for (int64_t n = 0; n < stretches->count && s == STATUS_OK;) {
        int64_t wanted;
        const span one = join(stretches, n, to, &wanted);
        if (one.end == n + 1) {
            s = add_long(out, n, &stretches->all[n], to);
        } else {
            s = add_span(out, &one);
            out->buffer = one.bytes > out->buffer ? one.bytes : out->buffer;
        }
        n = one.end;
        to += wanted;
    }
    return s;
}

/* ---- Reading ----------------------------------------------------------------------- */

/* 0, or errno; -1: the file ends before. */
static int read_bytes(int descriptor, int64_t at, int64_t bytes, char *out)
{
    while (bytes > 0) {
        const ssize_t count = pread(descriptor, out, (size_t)bytes, (off_t)at);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            return count < 0 ? errno : -1;
        }
        out += count;
        at += count;
        bytes -= count;
    }
    return 0;
}

/* Reads a span; through the buffer if it has several stretches. */
static int read_span(const io_stretches *stretches, const io_stretch_file *file,
                     const span *one, char *buffer, char *out)
{
    const bool is_direct = one->end == one->first + 1;
    char *to = out + one->to;
    const int failure =
        read_bytes(file->descriptor, one->offset, one->bytes, is_direct ? to : buffer);
    for (int64_t n = one->first; n < one->end && failure == 0 && !is_direct; n++) {
        const io_stretch *stretch = &stretches->all[n];
        memcpy(to, buffer + (stretch->offset - one->offset), (size_t)stretch->length);
        to += stretch->length;
    }
    return failure;
}

static status fail(const io_stretch_file *file, int failure)
{
    return failure == ENOMEM ? base_fail_memory(MOST_SPAN, "values being read")
                             : base_fail(STATUS_INPUT, "file '%s' %s%s", file->path,
                                         failure > 0 ? "cannot be read: " : "",
                                         failure > 0 ? strerror(failure)
                                                     : "was cut off while it was read: "
                                                       "copy or write it again");
}

status io_stretches_read(const io_stretches *stretches, const io_stretch_file *file,
                         void *out)
{
    span_list spans = {0};
    status s = find_spans(stretches, &spans);
    int failure = 0;
#pragma omp parallel if (s == STATUS_OK && spans.count > 1)
    {
        char *buffer = spans.buffer > 0 ? malloc((size_t)spans.buffer) : NULL;
        int mine = spans.buffer > 0 && !buffer ? ENOMEM : 0;
#pragma omp for schedule(dynamic)
        for (int64_t n = 0; n < spans.count; n++) {
            mine = s == STATUS_OK && mine == 0
                       ? read_span(stretches, file, &spans.all[n], buffer, out)
                       : mine;
        }
        if (mine != 0) {
#pragma omp atomic write
            failure = mine;
        }
        free(buffer);
    }
    free(spans.all);
    if (s == STATUS_OK && failure == 0 && file->swaps) {
        reverse(file->number_size, stretches->bytes, out);
    }
    return s == STATUS_OK && failure != 0 ? fail(file, failure) : s;
}

/* ---- The file cache ---------------------------------------------------------------- */

#ifdef POSIX_FADV_WILLNEED
/* By pieces: Linux takes no more at once than it would read ahead. */
static void expect_bytes(int descriptor, int64_t at, int64_t end)
{
    enum { PIECE = 1 << 17 };
    for (; at < end; at += PIECE) {
        posix_fadvise(descriptor, (off_t)at, (off_t)(end - at < PIECE ? end - at : PIECE),
                      POSIX_FADV_WILLNEED);
    }
}
#else
static void expect_bytes(int descriptor, int64_t at, int64_t end)
{
    (void)descriptor, (void)at, (void)end;
}
#endif

void io_stretches_expect(const io_stretches *stretches, int descriptor)
{
    int64_t at = 0, end = 0;
    for (int64_t n = 0; n < stretches->count; n++) {
        const io_stretch *next = &stretches->all[n];
        const int64_t gap = next->offset - end;
        if (gap < 0 || gap > IO_STRETCH_GAP) {
            expect_bytes(descriptor, at, end);
            at = next->offset;
        }
        end = next->offset + next->length;
    }
    expect_bytes(descriptor, at, end);
}
