#include "cuts.h"

#include "shares.h"

#include <stdbool.h>

/* ---- Active pixels ----------------------------------------------------------------- */

void composite_cuts_add(int64_t shown[COMPOSITE_BANDS], int width, int height,
                        pixel_rect active)
{
    if (pixel_rect_is_empty(active)) {
        return;
    }
    const int64_t pixels = (int64_t)width * height;
    const int64_t begin = (int64_t)active.y0 * width;
    const int64_t end = (int64_t)active.y1 * width;
    int band = composite_share_find(pixels, COMPOSITE_BANDS, begin);
    for (; band < COMPOSITE_BANDS; band++) {
        int64_t first = composite_share_begin(pixels, COMPOSITE_BANDS, band);
        int64_t last = composite_share_begin(pixels, COMPOSITE_BANDS, band + 1);
        if (first >= end) {
            return;
        }
        first = first > begin ? first : begin;
        last = last < end ? last : end;
        shown[band] += (last - first) * (active.x1 - active.x0) / width;
    }
}

/* ---- Cuts -------------------------------------------------------------------------- */

/* The work of a band. Active pixels are merged, but transparent ones cost something, too:
 * their owner converts and compresses them. So every pixel counts half the mean of all
 * pixels on top, and no share gets more than three times the pixels of an equal one. */
static composite_cuts weigh(const int64_t shown[COMPOSITE_BANDS], int64_t pixels)
{
    const int64_t most = (int64_t)1 << 19;
    composite_cuts cuts = {.before = {0}};
    int64_t all = 0;
    int shift = 0;
    for (int band = 0; band < COMPOSITE_BANDS; band++) {
        all += shown[band];
    }
    while (all >> shift >= most) {
        shift++;
    }
    const int64_t least = (all >> shift) / (2 * COMPOSITE_BANDS) + 1;
    for (int band = 0; band < COMPOSITE_BANDS; band++) {
        const bool is_empty = composite_share_begin(pixels, COMPOSITE_BANDS, band) ==
                              composite_share_begin(pixels, COMPOSITE_BANDS, band + 1);
        cuts.before[band + 1] =
            cuts.before[band] + (is_empty ? 0 : (shown[band] >> shift) + least);
    }
    return cuts;
}

/* The work before a pixel. */
static int64_t weigh_before(const composite_cuts *cuts, int64_t pixels, int64_t pixel)
{
    if (pixel >= pixels) {
        return cuts->before[COMPOSITE_BANDS];
    }
    const int band = composite_share_find(pixels, COMPOSITE_BANDS, pixel);
    const int64_t begin = composite_share_begin(pixels, COMPOSITE_BANDS, band);
    const int64_t count =
        composite_share_begin(pixels, COMPOSITE_BANDS, band + 1) - begin;
    return cuts->before[band] +
           (cuts->before[band + 1] - cuts->before[band]) * (pixel - begin) / count;
}

/* The work of the fullest of equal shares of the pixels. */
static int64_t weigh_fullest(const composite_cuts *cuts, int64_t pixels, int pieces)
{
    int64_t most = 0;
    int64_t before = 0;
    for (int piece = 1; piece <= pieces; piece++) {
        const int64_t end = composite_share_begin(pixels, pieces, piece);
        const int64_t next = weigh_before(cuts, pixels, end);
        most = next - before > most ? next - before : most;
        before = next;
    }
    return most;
}

composite_cuts composite_cuts_find(const int64_t shown[COMPOSITE_BANDS], int64_t pixels,
                                   int pieces)
{
    enum { PERCENT_ABOVE = 15 };
    const composite_cuts none = {.before = {0}};
    const composite_cuts cuts = weigh(shown, pixels);
    const int64_t fullest = weigh_fullest(&cuts, pixels, pieces);
    const int64_t all = cuts.before[COMPOSITE_BANDS];
    return 100 * fullest * pieces <= (100 + PERCENT_ABOVE) * all ? none : cuts;
}
