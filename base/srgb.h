/* The transfer function of sRGB (IEC 61966-2-1), between colours as displayed and light.
 */
#ifndef BASE_SRGB_H
#define BASE_SRGB_H

#include <math.h>

/* The light of a displayed value, both 0..1. */
static inline double base_srgb_decode(double shown)
{
    return shown <= 0.04045 ? shown / 12.92 : pow((shown + 0.055) / 1.055, 2.4);
}

/* The displayed value for light, which is cut off at 0 and 1. */
static inline double base_srgb_encode(double light)
{
    const double within = light < 0.0 ? 0.0 : light > 1.0 ? 1.0 : light;
    return within <= 0.0031308 ? 12.92 * within : 1.055 * pow(within, 1.0 / 2.4) - 0.055;
}

#endif
