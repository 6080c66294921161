#include "edges.h"

#include <math.h>
#include <string.h>

/* Bends below LEAST are smooth; from FULL on they are edges. In parts of white. */
static const float LEAST = 0.03f, FULL = 0.09f;

/* The inverse of the opacity from which on a pixel counts as one that shows something. */
static const float VISIBLE = 255.0f;

/* A channel as the picture shows it; NaN is black. */
static float shown(float value)
{
    return value > 0.0f ? fminf(value, 1.0f) : 0.0f;
}

/* The pixel beside (x, y), or (x, y) itself at the border of the picture. */
static const float *beside(const image *img, int x, int y, int dx, int dy)
{
    const bool is_inside =
        x + dx >= 0 && x + dx < img->width && y + dy >= 0 && y + dy < img->height;
    const int64_t at =
        (int64_t)(is_inside ? y + dy : y) * img->width + (is_inside ? x + dx : x);
    return img->rgba + 4 * at;
}

static float find_bend(const image *img, int x, int y)
{
    static const int directions[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    const float *here = beside(img, x, y, 0, 0);
    float most = 0.0f;
    for (int d = 0; d < 4; d++) {
        const int dx = directions[d][0], dy = directions[d][1];
        const float *a = beside(img, x, y, dx, dy), *b = beside(img, x, y, -dx, -dy);
        for (int c = 0; c < 4; c++) {
            const float bend = shown(a[c]) - 2.0f * shown(here[c]) + shown(b[c]);
            most = fmaxf(most, fabsf(bend));
        }
    }
    return most;
}

static float within_unit(float value)
{
    return fminf(fmaxf(value, 0.0f), 1.0f);
}

render_edge_counts render_edges_find(const image *img, int threads, float *weights)
{
    render_edge_counts counts = {0.0, 0.0};
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
    for (int y = 0; y < img->height; y++) {
        for (int x = 0; x < img->width; x++) {
            const float bend = find_bend(img, x, y);
            weights[(int64_t)y * img->width + x] = bend;
        }
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
