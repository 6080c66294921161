/* Overlays drawn over one colour, for tests that look at pixels. */
#ifndef TESTS_UNIT_ANNOTATE_CANVAS_H
#define TESTS_UNIT_ANNOTATE_CANVAS_H

#include "render/annotate/annotate.h"

/* A picture, rgb ([height][width][3]), and its colour before. */
typedef struct canvas {
    int width, height;
    uint8_t ground[3];
    uint8_t *rgb;
} canvas;

/* Draws over the style's background; fails the test where that fails. */
canvas canvas_draw(int width, int height, const annotation *what);

void canvas_free(canvas *of);

/* The pixel at a column and row. */
const uint8_t *canvas_pixel(const canvas *of, int column, int row);

/* Number of pixels in columns [x0, x1) and rows [y0, y1), which may reach beyond the
 * picture, that were drawn on. */
int canvas_count(const canvas *of, int x0, int y0, int x1, int y1);

/* Number of pixels in the whole picture that were drawn on. */
int canvas_count_all(const canvas *of);

/* The smallest rectangle around all pixels that were drawn on: x0, y0, x1, y1, half-open.
 */
void canvas_bounds(const canvas *of, int bounds[4]);

/* Fails the test unless this pixel has this colour, to within 1 of 255. */
void canvas_assert_color(const canvas *of, int column, int row, const double color[3]);

#endif
