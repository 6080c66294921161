/*
 * Errors of pictures of one grid, in counts of 8 bits: those of the three interpolations
 * and those of five tetrahedra a cell. The truth are the trilinear cells of the reference
 * renderer.
 */
#ifndef TESTS_IMAGE_VERSUS_H
#define TESTS_IMAGE_VERSUS_H

#include "hard.h"
#include "reference/difference.h"
#include "reference/tetrahedra.h"

enum {
    VERSUS_LINEAR,
    VERSUS_QUADRATIC,
    VERSUS_TRILINEAR,
    VERSUS_TETRAHEDRA,
    VERSUS_WAYS
};

/* A grid for all renderers. */
typedef struct versus {
    reference_grid grid;
    reference_locator *locator;
    reference_tetrahedra *tetrahedra;
    fast_volume fast;
    reference_transfer transfer;
    double step; /* of the reference */
} versus;

/* Errors of all channels (premultiplied rgb, opacity) of the compared pixels. */
typedef struct versus_errors {
    int pixels, outline_pixels;
    difference inside[VERSUS_WAYS];
    difference outline[VERSUS_WAYS]; /* pixels within one of the outline of a block */
    int worst[VERSUS_WAYS][2];       /* column and row of the worst pixel inside */
    double own; /* of the truth: the largest change if the step is halved, tried on some
                   pixels inside */
} versus_errors;

/* Makes the locator and the tetrahedra. The grid and the fast volume are open. Fails the
 * test on any error. */
void versus_prepare(versus *all);
void versus_clear(versus *all);

/* Draws a view and compares a pixel in every `stride` columns and rows. Fails the test on
 * any error, and if rays are lost. */
versus_errors versus_measure(versus *all, const reference_camera *camera, int stride,
                             const char *what);

/* Prints a heading, and a line for each way to draw. */
void versus_print_heading(void);
void versus_print(const char *const grid_and_view[2], const versus_errors *errors);

/* In counts: how much larger the mean and the 99th percentile may be than those of
 * tetrahedra, and the largest error of a pixel. */
typedef difference versus_limits;

/* Whether quadratic pictures are within these limits, off the outline. */
bool versus_is_better(const versus_errors *errors, const versus_limits *limits);

/* Whether a way to draw has the smallest mean and 99th percentile, off the outline. */
bool versus_is_nearest(const versus_errors *errors, int way);

#endif
