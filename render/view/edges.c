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

/* The largest bends at `count` pixels side by side, none of them at the border. rgba: of
 * the first one; pitch: floats in a row of the picture. */
static void find_bends(const float *rgba, int64_t pitch, int count, float *bends)
{
    shown_rows rows;
    for (int first = 0; first < count; first += AT_ONCE) {
        const int some = count - first < AT_ONCE ? count - first : AT_ONCE;
        const float *from = rgba + 4 * (int64_t)(first - 1);
        take_shown(from - pitch, 4 * (some + 2), rows.above);
        take_shown(from, 4 * (some + 2), rows.here);
        take_shown(from + pitch, 4 * (some + 2), rows.below);
        find_most(&rows, some, bends + first);
    }
}

/* Finds the largest bends at the pixels of a row. */
static void find_bends_of_row(const image *img, int y, float *bends)
{
    const bool is_border = y == 0 || y == img->height - 1;
    const int inside = is_border || img->width < 3 ? 0 : img->width - 2;
    if (inside > 0) {
        find_bends(img->rgba + 4 * ((int64_t)y * img->width + 1), 4 * (int64_t)img->width,
                   inside, bends + 1);
    }
    for (int x = 0; x < img->width; x += x == 0 && inside > 0 ? inside + 1 : 1) {
        bends[x] = find_bend(img, x, y);
    }
}

render_edge_counts render_edges_find(const image *img, int threads, float *weights)
{
    render_edge_counts counts = {0.0, 0.0};
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
    for (int y = 0; y < img->height; y++) {
        find_bends_of_row(img, y, weights + (int64_t)y * img->width);
    }
    for (int64_t n = 0; n < image_pixel_count(img); n++) {
        const float part = within_unit((weights[n] - LEAST) / (FULL - LEAST));
        /* Has reached 1 before weights begin. */
        counts.edges += (double)within_unit(2.0f * weights[n] / LEAST - 1.0f);
        counts.visible += (double)within_unit(VISIBLE * img->rgba[4 * n + 3]);
        weights[n] = part * part * (3.0f - 2.0f * part);
    }
    return counts;
}

static int64_t bytes_of_row(int width)
{
    return (width + 7) / 8;
}

int64_t render_mask_bytes(int width, int height)
{
    return bytes_of_row(width) * height;
}

int64_t render_mask_make(int width, int height, const float *weights, uint8_t *mask)
{
    int64_t count = 0;
    memset(mask, 0, (size_t)render_mask_bytes(width, height));
    for (int y = 0; y < height; y++) {
        uint8_t *row = mask + bytes_of_row(width) * y;
        for (int x = 0; x < width; x++) {
            if (weights[(int64_t)y * width + x] > 0.0f) {
                row[x / 8] |= (uint8_t)(1u << (x % 8));
                count++;
            }
        }
    }
    return count;
}
