#include "opacity.h"

#include <math.h>
#include <stdio.h>

double auto_tidy(double value, double span)
{
    const double step = pow(10.0, floor(log10(span)) - 2.0);
    return round(value / step) * step;
}

void auto_opacity_print(const auto_flow *flow, const base_scale *scale, bool are_data,
                        double alpha, size_t size, char *text)
{
    const double span = flow->range[1] - flow->range[0];
    double stream[2]; /* positions */
    for (int n = 0; n < 2; n++) {
        stream[n] = base_scale_position(scale, flow->stream[n]);
    }
    const double farthest = fmax(stream[0], 1.0 - stream[1]);
    size_t used = (size_t)snprintf(text, size, "[");
    for (int point = 0; point < 4; point++) {
        const bool is_left = point < 2, is_end = point == 0 || point == 3;
        const double at = is_end ? (is_left ? 0.0 : 1.0) : stream[point - 1];
        const double off = fabs(at - stream[is_left ? 0 : 1]);
        if (!is_end && fmin(at, 1.0 - at) < 0.01) {
            continue; /* the stream begins or ends with the range */
        }
        const double place = are_data ? auto_tidy(base_scale_value(scale, at), span)
                                      : round(at * 1e3) / 1e3;
        const double value = off < 0.01 ? 0.0 : round(alpha * off / farthest * 1e3) / 1e3;
        used += (size_t)snprintf(text + used, size - used, "%s[%.10g, %.10g]",
                                 used > 1 ? ", " : "", place, value);
    }
    snprintf(text + used, size - used, "]");
}
