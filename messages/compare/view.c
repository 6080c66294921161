#include "view.h"

#include <math.h>
#include <stdio.h>

static const double DEGREE = 3.14159265358979323846 / 180.0;

double compare_view_tangent(double fov)
{
    return tan(0.5 * fov * DEGREE);
}

void compare_view_setting(const compare_view *view, double factor, char text[64])
{
    if (view->orthographic) {
        snprintf(text, 64, "camera.height=%.17g", factor * view->tall);
    } else {
        snprintf(text, 64, "camera.fov=%.17g",
                 2.0 * atan(factor * compare_view_tangent(view->fov)) / DEGREE);
    }
}
