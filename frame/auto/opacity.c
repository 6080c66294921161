/* The opacity of a volume as a text, and round numbers. */
#include "flow.h"

#include <math.h>
#include <stdio.h>

double auto_tidy(double value, double span)
{
    const double step = pow(10.0, floor(log10(0.999 * span)) - 2.0);
    return round(value / step) * step;
}

/* Adds a point; `used`: the length of the text so far. */
static size_t add_point(double place, double alpha, size_t used, size_t size, char *text)
{
    return used + (size_t)snprintf(text + used, size - used, "%s[%.10g, %.10g]",
                                   used > 1 ? ", " : "", place, round(alpha * 1e3) / 1e3);
}

void auto_opacity_print(const auto_flow *flow, const base_scale *scale, bool are_data,
                        double alpha, size_t size, char *text)
{
    /* Opacity at the stream, between it and the end, and at the end. */
    static const double parts[] = {0.0, 0.3, 1.0}, thickness[] = {0.0, 0.2, 1.0};
    const double span = flow->range[1] - flow->range[0];
    double stream[2]; /* positions */
    for (int n = 0; n < 2; n++) {
        stream[n] = base_scale_position(scale, flow->stream[n]);
    }
    const double farthest = fmax(stream[0], 1.0 - stream[1]);
    size_t used = (size_t)snprintf(text, size, "[");
    for (int point = 0; point < 6; point++) {
        const bool is_left = point < 3;
        const int part = is_left ? 2 - point : point - 3;
        const double from = stream[is_left ? 0 : 1], off = is_left ? -from : 1.0 - from;
        const double at = from + parts[part] * off;
        const bool is_near = fabs(off) < 0.01;
        if (part < 2 && fmin(at, 1.0 - at) < 0.01) {
            continue; /* the stream begins or ends with the range */
        }
        const double place = are_data ? auto_tidy(base_scale_value(scale, at), span)
                                      : round(at * 1e3) / 1e3;
        used = add_point(place,
                         is_near ? 0.0 : alpha * thickness[part] * fabs(off) / farthest,
                         used, size, text);
    }
    snprintf(text + used, size - used, "]");
}
