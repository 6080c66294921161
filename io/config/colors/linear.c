#include "linear.h"

#include "base/srgb.h"
#include "polyline.h"

#include <stdlib.h>

void io_color_linearise(double rgb[3])
{
    for (int c = 0; c < 3; c++) {
        rgb[c] = base_srgb_decode(rgb[c]);
    }
}

/* The light at a fraction of the way from one point of a map to the next. */
static void evaluate(const void *context, double fraction, double *values)
{
    const double(*ends)[4] = context;
    for (int c = 0; c < 3; c++) {
        values[c] = base_srgb_decode(ends[0][c + 1] +
                                     fraction * (ends[1][c + 1] - ends[0][c + 1]));
    }
}

status io_colors_linearise(int *count, double (**points)[4])
{
    io_polyline line = {.width = 3};
    const double(*given)[4] = (const double(*)[4]) * points;
    for (int n = 0; n < *count; n++) {
        double rgb[3] = {given[n][1], given[n][2], given[n][3]};
        io_color_linearise(rgb);
        io_polyline_add(&line, given[n][0], rgb);
        if (n + 1 < *count && given[n][0] < given[n + 1][0]) {
            io_polyline_add_curve(&line, &(io_curve){.evaluate = evaluate,
                                                     .context = given + n,
                                                     .from = given[n][0],
                                                     .to = given[n + 1][0],
                                                     .tolerance = 2e-4});
        }
    }
    if (line.failed) {
        return base_fail_memory(0, "a colour map");
    }
    if (*count > 0) {
        free(*points);
        *points = (double(*)[4])(void *)line.rows;
        *count = line.count;
    }
    return STATUS_OK;
}
