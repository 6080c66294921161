/* Interpolation of colours in other spaces than RGB. */
#ifndef IO_CONFIG_COLORS_COLOR_SPACE_H
#define IO_CONFIG_COLORS_COLOR_SPACE_H

/* The colour at `fraction` (0..1) between two colours, linear in hue, saturation and
 * value. Hues are in [0, 1) with red at 0, and never pass through it. */
void io_color_mix_hsv(const double first[3], const double last[3], double fraction,
                      double rgb[3]);

/* The same, but hues take the shorter way round the circle, if necessary through red. */
void io_color_mix_hsv_wrapped(const double first[3], const double last[3],
                              double fraction, double rgb[3]);

/* The colour at `fraction` (0..1) between two sRGB colours, linear in CIELAB (white point
 * D65). */
void io_color_mix_lab(const double first[3], const double last[3], double fraction,
                      double rgb[3]);

/*
 * The same in Msh space: magnitude, saturation and hue of CIELAB in polar form. Two
 * saturated colours of different hue have white between them. K. Moreland: Diverging
 * Color Maps for Scientific Visualization. Proc. 5th International Symposium on Visual
 * Computing (2009), doi:10.1007/978-3-642-10520-3_9.
 */
void io_color_mix_diverging(const double first[3], const double last[3], double fraction,
                            double rgb[3]);

#endif
