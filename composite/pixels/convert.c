#include "convert.h"

#include "runs.h"

#include <string.h>

enum {
    HEADER_BYTES = 2 * sizeof(uint32_t), /* of a run: first, count */
    SHORTEST_GAP = 8 /* pixels; shorter ones are sent, as they cost less than a header */
};

void composite_format_fill(const composite_format *format, int64_t count,
                           unsigned char *bytes)
{
    static const float transparent[4];
    const size_t all = (size_t)(count * format->bytes_per_pixel);
    size_t done = (size_t)format->bytes_per_pixel;
    if (count < 1) {
        return;
    }
    format->convert(format->context, 1, transparent, bytes);
    if (memcmp(bytes, bytes + 1, done - 1) == 0) { /* grey, as most backgrounds are */
        memset(bytes, bytes[0], all);
        return;
    }
    while (done < all) {
        const size_t more = done < all - done ? done : all - done;
        memcpy(bytes + done, bytes, more);
        done += more;
    }
}

/* Runs of active pixels with the short gaps between them. */
typedef struct long_runs {
    composite_runs runs;
    int64_t first, count; /* the next run; count 0: none */
} long_runs;

static long_runs start_long_runs(const image *img, int64_t pix0, int64_t npix)
{
    long_runs at = {.runs = composite_runs_start(img, pix0, npix)};
    if (!composite_runs_next(&at.runs, &at.first, &at.count)) {
        at.count = 0;
    }
    return at;
}

static bool next_long_run(long_runs *at, int64_t *first, int64_t *count)
{
    *first = at->first;
    *count = at->count;
    while (at->count > 0) {
        if (!composite_runs_next(&at->runs, &at->first, &at->count)) {
            at->count = 0;
        } else if (at->first - (*first + *count) >= SHORTEST_GAP) {
            return true;
        } else {
            *count = at->first + at->count - *first;
        }
    }
    return *count > 0;
}

/* Bytes of the payload in runs. */
static int64_t count_bytes(const composite_format *format, const image *img, int64_t pix0,
                           int64_t npix)
{
    long_runs runs = start_long_runs(img, pix0, npix);
    int64_t bytes = 0;
    int64_t first;
    int64_t count;
    while (next_long_run(&runs, &first, &count)) {
        bytes += HEADER_BYTES + count * format->bytes_per_pixel;
    }
    return bytes;
}

int64_t composite_format_encode(const composite_format *format, const image *img,
                                int64_t pix0, int64_t npix, unsigned char *out)
{
    const int64_t raw = npix * format->bytes_per_pixel;
    const int64_t bytes = count_bytes(format, img, pix0, npix);
    if (bytes >= raw) {
        format->convert(format->context, npix, img->rgba + 4 * pix0, out);
        return raw;
    }
    long_runs runs = start_long_runs(img, pix0, npix);
    int64_t first;
    int64_t count;
    while (next_long_run(&runs, &first, &count)) {
        const uint32_t header[2] = {(uint32_t)(first - pix0), (uint32_t)count};
        memcpy(out, header, sizeof header);
        format->convert(format->context, count, img->rgba + 4 * first,
                        out + HEADER_BYTES);
        out += HEADER_BYTES + count * format->bytes_per_pixel;
    }
    return bytes;
}

bool composite_format_decode(const composite_format *format, const unsigned char *payload,
                             int64_t payload_bytes, int64_t npix, unsigned char *bytes)
{
    const int64_t size = format->bytes_per_pixel;
    const unsigned char *end = payload + payload_bytes;
    int64_t pixel = 0; /* all before it are written */
    if (payload_bytes == npix * size) {
        memcpy(bytes, payload, (size_t)payload_bytes);
        return true;
    }
    while (end - payload >= HEADER_BYTES) {
        uint32_t header[2];
        memcpy(header, payload, sizeof header);
        payload += HEADER_BYTES;
        const int64_t first = header[0];
        const int64_t count = header[1];
        if (first < pixel || count > npix - first || count > (end - payload) / size) {
            return false;
        }
        composite_format_fill(format, first - pixel, bytes + pixel * size);
        memcpy(bytes + first * size, payload, (size_t)(count * size));
        payload += count * size;
        pixel = first + count;
    }
    composite_format_fill(format, npix - pixel, bytes + pixel * size);
    return payload == end;
}
