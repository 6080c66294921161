#include "shade.h"

#include <math.h>

float render_shade_per_gradient(const double range[2], double diagonal)
{
    const double share = 0.01, most = 1e30;
    double per_gradient = diagonal / (share * (range[1] - range[0]));
    /* Without a range or a size there is no gradient either, and any number will do. */
    return (float)(per_gradient > 0.0 ? fmin(fmax(per_gradient, 1.0 / most), most) : 1.0);
}
