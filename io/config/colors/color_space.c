#include "color_space.h"

#include <math.h>

#define PI 3.14159265358979323846

static void mix(const double first[3], const double last[3], double fraction,
                double out[3])
{
    for (int c = 0; c < 3; c++) {
        out[c] = (1.0 - fraction) * first[c] + fraction * last[c];
    }
}

/* ---- HSV ---- */

/* In sixths of the circle from red. The channels of the colour are not all equal. */
static double hue_of_rgb(const double rgb[3], double greatest, double span)
{
    if (rgb[0] == greatest) {
        const double sixths = (rgb[1] - rgb[2]) / span;
        return sixths < 0.0 ? sixths + 6.0 : sixths;
    }
    return rgb[1] == greatest ? 2.0 + (rgb[2] - rgb[0]) / span
                              : 4.0 + (rgb[0] - rgb[1]) / span;
}

static void hsv_of_rgb(const double rgb[3], double hsv[3])
{
    const double greatest = fmax(fmax(rgb[0], rgb[1]), rgb[2]);
    const double span = greatest - fmin(fmin(rgb[0], rgb[1]), rgb[2]);
    hsv[0] = span > 0.0 ? hue_of_rgb(rgb, greatest, span) / 6.0 : 0.0;
    hsv[1] = span > 0.0 ? span / greatest : 0.0;
    hsv[2] = greatest;
}

/* A channel is at its maximum up to a sixth of the circle from its own hue, at its
 * minimum beyond two sixths, and linear in between. */
static double channel_of_hsv(const double hsv[3], double own_hue)
{
    const double turn = fabs(hsv[0] - own_hue);
    const double sixths = 6.0 * fmin(turn, 1.0 - turn);
    const double share = fmin(fmax(2.0 - sixths, 0.0), 1.0);
    return hsv[2] * (1.0 - hsv[1] * (1.0 - share));
}

static void rgb_of_hsv(const double hsv[3], double rgb[3])
{
    for (int c = 0; c < 3; c++) {
        rgb[c] = channel_of_hsv(hsv, c / 3.0);
    }
}

void io_color_mix_hsv(const double first[3], const double last[3], double fraction,
                      double rgb[3])
{
    double a[3], b[3], hsv[3];
    hsv_of_rgb(first, a);
    hsv_of_rgb(last, b);
    mix(a, b, fraction, hsv);
    rgb_of_hsv(hsv, rgb);
}

void io_color_mix_hsv_wrapped(const double first[3], const double last[3],
                              double fraction, double rgb[3])
{
    double a[3], b[3], hsv[3];
    hsv_of_rgb(first, a);
    hsv_of_rgb(last, b);
    if (fabs(a[0] - b[0]) > 0.5) {
        double *further = a[0] > b[0] ? a : b;
        further[0] -= 1.0;
    }
    mix(a, b, fraction, hsv);
    hsv[0] += hsv[0] < 0.0 ? 1.0 : 0.0;
    rgb_of_hsv(hsv, rgb);
}

/* ---- CIELAB ---- */

/* sRGB's primaries in XYZ (IEC 61966-2-1), and their sum, the white point D65. */
static const double xyz_of_rgb[3][3] = {
    {0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9505}};
static const double rgb_of_xyz[3][3] = {
    {3.2406, -1.5372, -0.4986}, {-0.9689, 1.8758, 0.0415}, {0.0557, -0.2040, 1.0570}};
static const double white[3] = {0.9505, 1.0, 1.089};

static void multiply(const double matrix[3][3], const double in[3], double out[3])
{
    for (int row = 0; row < 3; row++) {
        out[row] =
            matrix[row][0] * in[0] + matrix[row][1] * in[1] + matrix[row][2] * in[2];
    }
}

static double linear_of_srgb(double c)
{
    return c > 0.04045 ? pow((c + 0.055) / 1.055, 2.4) : c / 12.92;
}

static double srgb_of_linear(double c)
{
    return c > 0.0031308 ? 1.055 * pow(c, 1.0 / 2.4) - 0.055 : 12.92 * c;
}

/* CIE 1976: the cube root, continued by its tangent near black. */
static double lab_curve(double t)
{
    return t > 0.008856 ? cbrt(t) : 7.787 * t + 16.0 / 116.0;
}

static double lab_curve_inverse(double f)
{
    return f * f * f > 0.008856 ? f * f * f : (f - 16.0 / 116.0) / 7.787;
}

static void lab_of_rgb(const double rgb[3], double lab[3])
{
    double linear[3], xyz[3], f[3];
    for (int c = 0; c < 3; c++) {
        linear[c] = linear_of_srgb(rgb[c]);
    }
    multiply(xyz_of_rgb, linear, xyz);
    for (int c = 0; c < 3; c++) {
        f[c] = lab_curve(xyz[c] / white[c]);
    }
    lab[0] = 116.0 * f[1] - 16.0;
    lab[1] = 500.0 * (f[0] - f[1]);
    lab[2] = 200.0 * (f[1] - f[2]);
}

/* Brings a colour that screens cannot show into their range, as VTK does. A colour that
 * is too bright is darkened as a whole, so that it keeps its hue. */
static void clip_color(double rgb[3])
{
    const double brightest = fmax(fmax(rgb[0], rgb[1]), fmax(rgb[2], 1.0));
    for (int c = 0; c < 3; c++) {
        rgb[c] = fmax(rgb[c] / brightest, 0.0);
    }
}

static void rgb_of_lab(const double lab[3], double rgb[3])
{
    double middle = (lab[0] + 16.0) / 116.0;
    double f[3] = {middle + lab[1] / 500.0, middle, middle - lab[2] / 200.0};
    double xyz[3], linear[3];
    for (int c = 0; c < 3; c++) {
        xyz[c] = white[c] * lab_curve_inverse(f[c]);
    }
    multiply(rgb_of_xyz, xyz, linear);
    for (int c = 0; c < 3; c++) {
        rgb[c] = srgb_of_linear(linear[c]);
    }
    clip_color(rgb);
}

void io_color_mix_lab(const double first[3], const double last[3], double fraction,
                      double rgb[3])
{
    double a[3], b[3], lab[3];
    lab_of_rgb(first, a);
    lab_of_rgb(last, b);
    mix(a, b, fraction, lab);
    rgb_of_lab(lab, rgb);
}

/* ---- Msh ---- */

/* msh: magnitude, saturation (angle from the grey axis), hue (angle about it). */
static void msh_of_rgb(const double rgb[3], double msh[3])
{
    double lab[3];
    lab_of_rgb(rgb, lab);
    msh[0] = sqrt(lab[0] * lab[0] + lab[1] * lab[1] + lab[2] * lab[2]);
    msh[1] = msh[0] > 0.001 ? acos(fmin(lab[0] / msh[0], 1.0)) : 0.0;
    msh[2] = msh[1] > 0.001 ? atan2(lab[2], lab[1]) : 0.0;
}

static void rgb_of_msh(const double msh[3], double rgb[3])
{
    double lab[3] = {msh[0] * cos(msh[1]), msh[0] * sin(msh[1]) * cos(msh[2]),
                     msh[0] * sin(msh[1]) * sin(msh[2])};
    rgb_of_lab(lab, rgb);
}

/* The hue for an unsaturated end of this magnitude, so that the path to the saturated
 * colour looks straight. It turns away from purple, which begins at −0.3 π in VTK, and so
 * in ParaView's maps (in the paper at −π/3). */
static double spin_hue(const double saturated[3], double magnitude)
{
    if (saturated[0] >= magnitude - 0.1) {
        return saturated[2];
    }
    double spin = saturated[1] *
                  sqrt(magnitude * magnitude - saturated[0] * saturated[0]) /
                  (saturated[0] * sin(saturated[1]));
    return saturated[2] > -0.3 * PI ? saturated[2] + spin : saturated[2] - spin;
}

static double hue_difference(double a, double b)
{
    double difference = fabs(a - b);
    return difference > PI ? 2.0 * PI - difference : difference;
}

void io_color_mix_diverging(const double first[3], const double last[3], double fraction,
                            double rgb[3])
{
    const double saturated = 0.05;
    double a[3], b[3], msh[3];
    msh_of_rgb(first, a);
    msh_of_rgb(last, b);
    if (a[1] > saturated && b[1] > saturated && hue_difference(a[2], b[2]) > PI / 3.0) {
        double middle[3] = {fmax(fmax(a[0], b[0]), 88.0), 0.0, 0.0};
        double *replaced = fraction < 0.5 ? b : a;
        replaced[0] = middle[0];
        replaced[1] = middle[1];
        replaced[2] = middle[2];
        fraction = fraction < 0.5 ? 2.0 * fraction : 2.0 * fraction - 1.0;
    }
    if (a[1] < saturated && b[1] > saturated) {
        a[2] = spin_hue(b, a[0]);
    } else if (b[1] < saturated && a[1] > saturated) {
        b[2] = spin_hue(a, b[0]);
    }
    mix(a, b, fraction, msh);
    rgb_of_msh(msh, rgb);
}
