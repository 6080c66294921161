#include "shade.h"

#include <math.h>

float render_shade_per_gradient(const double range[2], double diagonal)
{
    const double share = 0.01, most = 1e30;
    double per_gradient = diagonal / (share * (range[1] - range[0]));
    /* Without a range or a size there is no gradient either, and any number will do. */
    return (float)(per_gradient > 0.0 ? fmin(fmax(per_gradient, 1.0 / most), most) : 1.0);
}

void render_shade_set_factors(render_shade *shade, int count, const double (*points)[2])
{
    const double per = (double)shade->per_gradient, most = 1e30;
    double largest = 0.0;
    shade->nfactors = count;
    for (int n = 0; n < count; n++) {
        shade->at[n] = (float)fmin(points[n][0] * per, most);
        shade->factor[n] = (float)points[n][1];
        largest = fmax(largest, points[n][1]);
    }
    for (int n = 0; n + 1 < count; n++) {
        const double step = (double)shade->at[n + 1] - (double)shade->at[n];
        shade->per_step[n] = (float)(step > 1.0 / most ? 1.0 / step : most);
    }
    shade->per_factor = (float)(largest > 0.0 ? 1.0 / largest : 0.0);
}
