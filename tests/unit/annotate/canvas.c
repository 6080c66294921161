#include "canvas.h"

#include "base/status.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

canvas canvas_draw(int width, int height, const annotation *what)
{
    annotate_overlay *overlay = NULL;
    const size_t pixels = (size_t)width * (size_t)height;
    canvas made = {.width = width, .height = height, .rgb = malloc(3 * pixels)};
    assert_non_null(made.rgb);
    for (int c = 0; c < 3; c++) {
        made.ground[c] = (uint8_t)lround(255.0 * what->style.background[c]);
    }
    for (size_t n = 0; n < 3 * pixels; n++) {
        made.rgb[n] = made.ground[n % 3];
    }
    base_fail_set_message("");
    assert_int_equal(annotate_overlay_create(width, height, &overlay), STATUS_OK);
    if (annotate_draw(overlay, what) != STATUS_OK) {
        fail_msg("drawing failed: %s", base_fail_message());
    }
    annotate_blend_rgb8(overlay, 0, (int64_t)pixels, made.rgb);
    annotate_overlay_destroy(&overlay);
    return made;
}

void canvas_free(canvas *of)
{
    free(of->rgb);
    of->rgb = NULL;
}

const uint8_t *canvas_pixel(const canvas *of, int column, int row)
{
    return of->rgb + 3 * ((size_t)row * (size_t)of->width + (size_t)column);
}

static int limit(int value, int most)
{
    return value < 0 ? 0 : value < most ? value : most;
}

int canvas_count(const canvas *of, int x0, int y0, int x1, int y1)
{
    int count = 0;
    for (int row = limit(y0, of->height); row < limit(y1, of->height); row++) {
        for (int column = limit(x0, of->width); column < limit(x1, of->width); column++) {
            count += memcmp(canvas_pixel(of, column, row), of->ground, 3) != 0;
        }
    }
    return count;
}

int canvas_count_all(const canvas *of)
{
    return canvas_count(of, 0, 0, of->width, of->height);
}

void canvas_bounds(const canvas *of, int bounds[4])
{
    bounds[0] = of->width;
    bounds[1] = of->height;
    bounds[2] = bounds[3] = 0;
    for (int row = 0; row < of->height; row++) {
        for (int column = 0; column < of->width; column++) {
            if (memcmp(canvas_pixel(of, column, row), of->ground, 3) != 0) {
                bounds[0] = column < bounds[0] ? column : bounds[0];
                bounds[1] = row < bounds[1] ? row : bounds[1];
                bounds[2] = column >= bounds[2] ? column + 1 : bounds[2];
                bounds[3] = row + 1;
            }
        }
    }
}

void canvas_assert_color(const canvas *of, int column, int row, const double color[3])
{
    const uint8_t *found = canvas_pixel(of, column, row);
    for (int c = 0; c < 3; c++) {
        if (!(fabs(found[c] - 255.0 * color[c]) <= 1.0)) {
            fail_msg("pixel %d, %d: expected %g %g %g, found %d %d %d", column, row,
                     255.0 * color[0], 255.0 * color[1], 255.0 * color[2], found[0],
                     found[1], found[2]);
        }
    }
}
