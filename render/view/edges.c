#include "edges.h"

#include <math.h>
#include <string.h>

/* Bends below LEAST are smooth; from FULL on they are edges. In parts of white. */
static const float LEAST = 0.03f, FULL = 0.09f;

/* The inverse of the opacity from which on a pixel counts as one that shows something. */
static const float VISIBLE = 255.0f;

static float within_unit(float value)
{
    /* fminf and fmaxf would be calls. */
    const float positive = value > 0.0f ? value : 0.0f;
    return positive < 1.0f ? positive : 1.0f;
}

/* The four directions in which a picture may bend at a pixel. */
enum { DIRECTIONS = 4 };

static const int directions[DIRECTIONS][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};

/* The pixel beside (x, y), or (x, y) itself at the border of the picture. */
static const float *beside(const image *img, int x, int y, int dx, int dy)
{
    const bool is_inside =
        x + dx >= 0 && x + dx < img->width && y + dy >= 0 && y + dy < img->height;
    const int64_t at =
        (int64_t)(is_inside ? y + dy : y) * img->width + (is_inside ? x + dx : x);
    return img->rgba + 4 * at;
}

/* The largest bend at any pixel. */
static float find_bend(const image *img, int x, int y)
{
    const float *here = beside(img, x, y, 0, 0);
    float most = 0.0f;
    for (int d = 0; d < DIRECTIONS; d++) {
        const int dx = directions[d][0], dy = directions[d][1];
        const float *a = beside(img, x, y, dx, dy), *b = beside(img, x, y, -dx, -dy);
        for (int c = 0; c < 4; c++) {
            const float bend = fabsf((within_unit(a[c]) + within_unit(b[c])) -
                                     2.0f * within_unit(here[c]));
            most = bend > most ? bend : most;
        }
    }
    return most;
}

enum { AT_ONCE = 64, CHANNELS = 4 * (AT_ONCE + 2) };

/* The channels of three rows of pixels, as the picture shows them, from the pixel before
 * the first one to that behind the last one. */
typedef struct shown_rows {
    float above[CHANNELS], here[CHANNELS], below[CHANNELS];
} shown_rows;

static void take_shown(const float *rgba, int count, float shown[CHANNELS])
{
    for (int n = 0; n < count; n++) {
        shown[n] = within_unit(rgba[n]);
    }
}

/* The largest bends at `count` pixels side by side. */
static void find_most(const shown_rows *rows, int count, float *bends)
{
    float most[4 * AT_ONCE];
    const float *up = rows->above + 4, *here = rows->here + 4, *down = rows->below + 4;
    for (int n = 0; n < 4 * count; n++) {
        const float twice = 2.0f * here[n];
        const float across = fabsf((here[n - 4] + here[n + 4]) - twice),
                    along = fabsf((up[n] + down[n]) - twice),
                    falling = fabsf((up[n - 4] + down[n + 4]) - twice),
                    rising = fabsf((down[n - 4] + up[n + 4]) - twice);
        const float straight = across > along ? across : along,
                    slanting = falling > rising ? falling : rising;
        most[n] = straight > slanting ? straight : slanting;
    }
    for (int n = 0; n < count; n++) {
        const float *m = most + 4 * n;
        const float left = m[0] > m[1] ? m[0] : m[1], right = m[2] > m[3] ? m[2] : m[3];
        bends[n] = left > right ? left : right;
    }
}

/* Whether channels are zero, as those of the background are. */
static bool are_zero(const float *rgba, int count)
{
    uint32_t bits = 0;
    for (int n = 0; n < count; n++) {
        uint32_t channel;
        memcpy(&channel, &rgba[n], sizeof channel);
        bits |= channel;
    }
    return bits == 0;
}

/* The largest bends at `count` pixels side by side, none of them at the border. rgba: of
 * the first one; pitch: floats in a row of the picture. */
static void find_bends(const float *rgba, int64_t pitch, int count, float *bends)
{
    shown_rows rows;
    for (int first = 0; first < count; first += AT_ONCE) {
        const int some = count - first < AT_ONCE ? count - first : AT_ONCE;
        const float *from = rgba + 4 * (int64_t)(first - 1);
        const int channels = 4 * (some + 2);
        if (are_zero(from, channels) && are_zero(from - pitch, channels) &&
            are_zero(from + pitch, channels)) {
            memset(bends + first, 0, (size_t)some * sizeof *bends);
            continue;
        }
        take_shown(from - pitch, channels, rows.above);
        take_shown(from, channels, rows.here);
        take_shown(from + pitch, channels, rows.below);
        find_most(&rows, some, bends + first);
    }
}

/* Finds the largest bends at pixels [x0, x1) of a row. */
static void find_bends_of_row(const image *img, int y, int x0, int x1, float *bends)
{
    const bool is_border = y == 0 || y == img->height - 1;
    const int first = x0 > 1 ? x0 : 1;
    const int end = x1 < img->width - 1 ? x1 : img->width - 1;
    const int inside = is_border || end < first ? 0 : end - first;
    if (inside > 0) {
        find_bends(img->rgba + 4 * ((int64_t)y * img->width + first),
                   4 * (int64_t)img->width, inside, bends + (first - x0));
    }
    for (int x = x0; x < x1; x++) {
        if (inside > 0 && x == first) {
            x = end; /* the pixels before it are done */
        }
        if (x < x1) {
            bends[x - x0] = find_bend(img, x, y);
        }
    }
}

/* A count of one pixel at most, as a multiple of 2^-22: 2^30 pixels have exact sums. */
static double count_of(float value)
{
    const float parts = 4194304.0f;
    return (double)(int32_t)(within_unit(value) * parts) / (double)parts;
}

/* Makes weights of the bends of pixels, and counts. */
static render_edge_counts weigh(const float *rgba, int64_t count, float *weights)
{
    render_edge_counts counts = {0.0, 0.0};
    for (int64_t n = 0; n < count; n++) {
        const float part = within_unit((weights[n] - LEAST) / (FULL - LEAST));
        /* Has reached 1 before weights begin. */
        counts.edges += count_of(2.0f * weights[n] / LEAST - 1.0f);
        counts.visible += count_of(VISIBLE * rgba[4 * n + 3]);
        weights[n] = part * part * (3.0f - 2.0f * part);
    }
    return counts;
}

render_edge_counts render_edges_find(const image *img, int64_t pix0, int64_t npix,
                                     int threads, float *weights)
{
    const int64_t width = img->width, end = pix0 + npix;
    double edges = 0.0, visible = 0.0;
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1) \
    reduction(+ : edges, visible)
    for (int64_t y = pix0 / width; y < (end + width - 1) / width; y++) {
        const int64_t first = y * width > pix0 ? y * width : pix0;
        const int64_t last = (y + 1) * width < end ? (y + 1) * width : end;
        if (first < last) {
            float *row = weights + (first - pix0);
            find_bends_of_row(img, (int)y, (int)(first - y * width),
                              (int)(last - y * width), row);
            const render_edge_counts counts =
                weigh(img->rgba + 4 * first, last - first, row);
            edges += counts.edges;
            visible += counts.visible;
        }
    }
    return (render_edge_counts){edges, visible};
}

static int64_t bytes_of_row(int width)
{
    return (width + 7) / 8;
}

int64_t render_mask_bytes(int width, int height)
{
    return bytes_of_row(width) * height;
}

int64_t render_mask_add(int width, int64_t pix0, int64_t npix, const float *weights,
                        uint8_t *mask)
{
    int64_t count = 0;
    for (int64_t n = 0; n < npix; n++) {
        if (weights[n] > 0.0f) {
            const int64_t y = (pix0 + n) / width, x = (pix0 + n) % width;
            mask[bytes_of_row(width) * y + x / 8] |= (uint8_t)(1u << (x % 8));
            count++;
        }
    }
    return count;
}

int64_t render_mask_number(int width, int height, const uint8_t *mask, int32_t *before)
{
    const int64_t bytes = render_mask_bytes(width, height);
    int32_t count = 0;
    for (int64_t n = 0; n < bytes; n++) {
        before[n] = count;
        count += mask[n] ? __builtin_popcount(mask[n]) : 0;
    }
    return count;
}

int64_t render_mask_index(int width, const uint8_t *mask, const int32_t *before, int x,
                          int y)
{
    const int64_t at = bytes_of_row(width) * y + x / 8;
    return before[at] + __builtin_popcount(mask[at] & ((1u << x % 8) - 1u));
}
