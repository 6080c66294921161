#include "activity.h"

#include "composite/cuts.h"

#include <math.h>
#include <stdlib.h>

static const double WHOLE = 65535;

status simulate_activity_create(int width, int height, int size,
                                simulate_activity *activity)
{
    *activity = (simulate_activity){0};
    if (width < 1 || height < 1 || width > IMAGE_MAX_SIDE || height > IMAGE_MAX_SIDE) {
        return base_fail(STATUS_USAGE,
                         "active pixels are known for pictures of up to %d x %d pixels, "
                         "but this one has %d x %d: give a smaller --width and --height",
                         IMAGE_MAX_SIDE, IMAGE_MAX_SIDE, width, height);
    }
    int leaves = 1;
    while (leaves < size) {
        leaves *= 2;
    }
    const size_t spans = 2 * (size_t)leaves * SIMULATE_BANDS;
    simulate_span *all = calloc(spans, sizeof *all);
    if (!all) {
        return base_fail_memory(spans * sizeof *all, "the active pixels of the ranks");
    }
    *activity = (simulate_activity){width, height, size, leaves, all};
    return STATUS_OK;
}

void simulate_activity_clear(simulate_activity *activity)
{
    free(activity->spans);
    *activity = (simulate_activity){0};
}

simulate_span *simulate_activity_spans(simulate_activity *activity, int position)
{
    return activity->spans +
           ((size_t)activity->leaves + (size_t)position) * SIMULATE_BANDS;
}

double simulate_activity_share(const simulate_activity *activity)
{
    if (!activity->spans) {
        return 1.0;
    }
    double shown = 0.0;
    for (int q = 0; q < activity->size; q++) {
        const simulate_span *spans =
            activity->spans + ((size_t)activity->leaves + (size_t)q) * SIMULATE_BANDS;
        for (int band = 0; band < SIMULATE_BANDS; band++) {
            shown += spans[band].right - spans[band].left;
        }
    }
    return shown / ((double)activity->width * SIMULATE_BANDS * activity->size);
}

/* The rows of a band: [begin, end), perhaps none, or a part of one. */
static double band_begin(const simulate_activity *activity, int band)
{
    return (double)activity->height * band / SIMULATE_BANDS;
}

/* The length that two intervals share. */
static double overlap(double a0, double a1, double b0, double b1)
{
    const double both = fmin(a1, b1) - fmax(a0, b0);
    return both > 0 ? both : 0;
}

void simulate_activity_rectangle(simulate_activity *activity, int position,
                                 pixel_rect rect, int64_t active)
{
    simulate_span *spans = simulate_activity_spans(activity, position);
    const double pixels = (double)(rect.x1 - rect.x0) * (rect.y1 - rect.y0);
    const double share = pixels > 0 ? fmin(1, (double)active / pixels) : 0;
    for (int band = 0; band < SIMULATE_BANDS; band++) {
        const double begin = band_begin(activity, band);
        const double end = band_begin(activity, band + 1);
        const double rows = overlap(begin, end, rect.y0, rect.y1);
        spans[band] = (simulate_span){0};
        if (rows > 0 && share > 0) {
            spans[band] =
                (simulate_span){(uint16_t)rect.x0, (uint16_t)rect.x1,
                                (uint16_t)lround(WHOLE * share * rows / (end - begin))};
        }
    }
}

/* Encloses the spans of two neighbours. */
static simulate_span join(simulate_span a, simulate_span b)
{
    if (a.left >= a.right || b.left >= b.right) {
        return a.left >= a.right ? b : a;
    }
    return (simulate_span){a.left < b.left ? a.left : b.left,
                           a.right > b.right ? a.right : b.right,
                           a.fill > b.fill ? a.fill : b.fill};
}

void simulate_activity_finish(simulate_activity *activity)
{
    simulate_span *spans = activity->spans;
    for (size_t n = (size_t)activity->leaves - 1; n >= 1 && spans; n--) {
        for (size_t band = 0; band < SIMULATE_BANDS; band++) {
            spans[n * SIMULATE_BANDS + band] =
                join(spans[2 * n * SIMULATE_BANDS + band],
                     spans[(2 * n + 1) * SIMULATE_BANDS + band]);
        }
    }
}

/* The span of merged positions [run0, run1) in a band: that of few nodes of the tree. */
static simulate_span find_span(const simulate_activity *activity, int run0, int run1,
                               int band)
{
    simulate_span all = {0};
    size_t low = (size_t)activity->leaves + (size_t)run0;
    size_t high = (size_t)activity->leaves + (size_t)run1;
    for (; low < high; low /= 2, high /= 2) {
        if (low & 1) {
            all = join(all, activity->spans[low++ * SIMULATE_BANDS + (size_t)band]);
        }
        if (high & 1) {
            all = join(all, activity->spans[--high * SIMULATE_BANDS + (size_t)band]);
        }
    }
    return all;
}

double simulate_activity_count(const simulate_activity *activity, int run0, int run1,
                               composite_range pixels, double *rows)
{
    if (!activity || !activity->spans) {
        *rows = 0;
        return (double)(pixels.pix1 - pixels.pix0);
    }
    const double first = (double)pixels.pix0 / activity->width;
    const double end = (double)pixels.pix1 / activity->width;
    const double bands = (double)SIMULATE_BANDS / activity->height;
    double count = 0;
    *rows = 0;
    for (int band = (int)(first * bands);
         band < SIMULATE_BANDS && band_begin(activity, band) < end; band++) {
        const simulate_span span = find_span(activity, run0, run1, band);
        const double some = overlap(first, end, band_begin(activity, band),
                                    band_begin(activity, band + 1));
        *rows += span.right > span.left ? some : 0;
        count += some * (span.right - span.left) * span.fill / WHOLE;
    }
    return count;
}

composite_cuts simulate_activity_cuts(const simulate_activity *activity, int pieces)
{
    int64_t shown[COMPOSITE_BANDS] = {0};
    if (!activity || !activity->spans) {
        return (composite_cuts){.before = {0}};
    }
    for (int position = 0; position < activity->size; position++) {
        const simulate_span *spans =
            activity->spans +
            ((size_t)activity->leaves + (size_t)position) * SIMULATE_BANDS;
        pixel_rect all = {0};
        for (int band = 0; band < SIMULATE_BANDS; band++) {
            const pixel_rect some = {spans[band].left, (int)band_begin(activity, band),
                                     spans[band].right,
                                     (int)ceil(band_begin(activity, band + 1))};
            if (spans[band].left < spans[band].right) {
                pixel_rect_grow(&all, some);
            }
        }
        composite_cuts_add(shown, activity->width, activity->height, all);
    }
    return composite_cuts_find(shown, (int64_t)activity->width * activity->height,
                               pieces);
}
