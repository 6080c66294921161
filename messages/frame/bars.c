#include "bars.h"

#include "io/json/base64.h"

#include <math.h>
#include <stdlib.h>

int traffic_tick(double seconds, double tick)
{
    const double ticks = tick > 0 ? seconds / tick : 0;
    return (int)lround(fmin(fmax(ticks, 0), TRAFFIC_TICKS));
}

json_t *traffic_pack(int64_t count, const double *values, int bytes)
{
    const size_t size = (size_t)count * (size_t)bytes;
    const double most = bytes == 2 ? UINT16_MAX : UINT32_MAX;
    uint8_t *packed = malloc(size + 1);
    char *text = malloc(IO_BASE64_LENGTH(size));
    json_t *value = NULL;
    if (packed && text) {
        for (int64_t i = 0; i < count; i++) {
            const uint32_t number = (uint32_t)fmin(fmax(round(values[i]), 0), most);
            for (int b = 0; b < bytes; b++) {
                packed[i * bytes + b] = (uint8_t)(number >> 8 * b);
            }
        }
        io_base64_encode(packed, size, text);
        value = json_string(text);
    }
    free(text);
    free(packed);
    return value;
}

/* ---- Bars -------------------------------------------------------------------------- */

static int compare_bars(const void *left, const void *right)
{
    const traffic_bar *a = left, *b = right;
    return a->position != b->position ? (a->position > b->position ? 1 : -1)
                                      : (a->begin > b->begin) - (a->begin < b->begin);
}

/* Joins bars of a position in place, and returns how many are left. */
static int64_t join(traffic_bars *bars, double gap)
{
    int64_t left = 0;
    for (int64_t i = 0; i < bars->count; i++) {
        const traffic_bar *bar = &bars->items[i];
        traffic_bar *last = left > 0 ? &bars->items[left - 1] : NULL;
        if (last && last->position == bar->position && bar->begin - last->end <= gap) {
            last->end = fmax(last->end, bar->end);
        } else {
            bars->items[left++] = *bar;
        }
    }
    return left;
}

/* Fills counts [size] and ticks [2 * bars]. */
static void count(const traffic_bars *bars, int size, double tick, double *counts,
                  double *ticks)
{
    for (int q = 0; q < size; q++) {
        counts[q] = 0;
    }
    for (int64_t i = 0; i < bars->count; i++) {
        counts[bars->items[i].position]++;
        ticks[2 * i] = traffic_tick(bars->items[i].begin, tick);
        ticks[2 * i + 1] = traffic_tick(bars->items[i].end, tick);
    }
}

json_t *traffic_bars_describe(traffic_bars *bars, int size, double tick, double gap,
                              int64_t *number)
{
    if (bars->count > 0) {
        qsort(bars->items, (size_t)bars->count, sizeof *bars->items, compare_bars);
    }
    bars->count = join(bars, gap);
    *number = bars->count;
    double *counts = malloc(((size_t)size + 1) * sizeof *counts);
    double *ticks = malloc((2 * (size_t)bars->count + 1) * sizeof *ticks);
    json_t *value = NULL;
    if (counts && ticks) {
        count(bars, size, tick, counts, ticks);
        value = json_pack("{s:o, s:o}", "counts", traffic_pack(size, counts, 2), "ticks",
                          traffic_pack(2 * bars->count, ticks, 2));
    }
    free(ticks);
    free(counts);
    return value;
}
