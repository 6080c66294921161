/* Pictures that the tests of rendering draw and compare. */
#ifndef TESTS_UNIT_RENDER_PICTURE_H
#define TESTS_UNIT_RENDER_PICTURE_H

#include "test_grid.h"

#include "render/volume.h"

/* All that a picture is made from. */
typedef struct picture {
    const test_grid *grid;
    const render_transfer *transfer;
    render_view view;
    int width, height, threads;
    box3 clip;
    render_style style;
} picture;

/* A picture of this many pixels along a side, one thread, not clipped. */
picture picture_of(const test_grid *grid, const render_transfer *transfer,
                   render_view view, int side);

/* The camera of a picture. */
render_camera picture_camera(const picture *p);

/* Draws with depth; fails the test on an error. The caller destroys the image. */
image *picture_draw(const picture *p, render_counters *counters);

/* Draws, checks the properties of every picture (finite, 0 <= alpha <= 1, nothing outside
 * the active rectangle, no ray lost) and throws it away. Returns how many cells were
 * crossed. */
int64_t picture_check_sound(const picture *p, uint64_t seed);

/* Fails where a channel differs by more than the tolerance; 0 demands the same bits. */
void picture_compare(const char *what, uint64_t seed, const image *expected,
                     const image *actual, double tolerance);

/* Optical depth that a white picture of constant extinction shows at a pixel. */
double picture_optical_depth(const image *img, int column, int row);

/* White, of this extinction everywhere. */
render_transfer *picture_transfer_constant(double extinction);

/* Colour and extinction linear over scalars 0 to 1: from dark red and `extinction0` to
 * bright blue and `extinction1`. */
render_transfer *picture_transfer_ramp(double extinction0, double extinction1);

/* A view of the sphere around `center`, from outside or inside, perspective or
 * orthographic. */
render_view picture_view_random(uint64_t *state, vec3 center, double radius);

/* A perspective view from one point to another. */
render_view picture_view_from(vec3 position, vec3 look_at, double fov);

/* An orthographic view from one point to another, `height` units high. */
render_view picture_view_parallel(vec3 position, vec3 look_at, double height);

#endif
