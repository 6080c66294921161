/* Helpers of the tests of surfaces: making, drawing, counting, comparing. */
#ifndef TESTS_UNIT_RENDER_TEST_SURFACE_SUPPORT_H
#define TESTS_UNIT_RENDER_TEST_SURFACE_SUPPORT_H

#include "check.h"
#include "picture.h"
#include "shape.h"

#include "render/surface/surface.h"

/* Makes a surface; fails the test on an error. */
render_surface *surface_make(const grid_store *store, const surface_spec *spec);

/* The part of a block between two vertices. */
surface_range surface_part(int block, int64_t i0, int64_t j0, int64_t k0, int64_t i1,
                           int64_t j1, int64_t k1);

/* White, opaque, flat. */
surface_look surface_white(void);

/* Black to white over a range; the caller destroys it. */
render_colors *surface_grey(double lo, double hi);

render_camera surface_camera(render_view view, int width, int height);

/* Draws; fails the test on an error. */
const render_fragments *surface_drawn(render_surface *surface, const surface_look *look,
                                      const render_camera *camera, int threads);

int64_t surface_total(const render_fragments *fragments);

/* The fragment at a pixel, or NULL; the first one of several. */
const render_fragment *surface_at(const render_fragments *fragments,
                                  const render_camera *camera, int column, int row);

/* How many fragments each pixel has. counts: [width * height]. */
void surface_count_pixels(const render_fragments *fragments, const render_camera *camera,
                          int *counts);

/* Fails unless both hold the same fragments, bit by bit, in the same order. */
void surface_compare(const char *what, const render_fragments *expected,
                     const render_fragments *actual);

/* Fails unless all numbers are finite and 0 <= alpha <= 1. */
void surface_check_sound(const char *what, uint64_t seed,
                         const render_fragments *fragments);

/* Point at which the ray of a pixel meets a plane. */
vec3 surface_hit(const render_camera *camera, int column, int row, vec3 point,
                 vec3 normal);

/* The distance of a point of a pixel's ray, as fragments count it. */
double surface_distance(const render_camera *camera, int column, int row, vec3 point);

/* The colour of a pixel that a line of this width covers whose middle is `distance` away,
 * both in pixels. */
double surface_coverage(double width, double distance);

#endif
