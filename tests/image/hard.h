/* Shared by the tests of hard grids: pictures of a data set's file, drawn by one rank. */
#ifndef TESTS_IMAGE_HARD_H
#define TESTS_IMAGE_HARD_H

#include "datasets/dataset.h"
#include "test_reference_fast.h"
#include "unit/render/check.h"

/* A picture of the fast renderer. */
typedef struct hard_picture {
    reference_camera camera;
    image *img;
    render_counters counters;
} hard_picture;

/* The volume of FOLDER/NAME.h5; the caller clears it. Fails the test on any error. */
fast_volume hard_open(const char *folder, const char *name, const char *field);

/* Writes a data set of this size (NULL: its own) to FOLDER/NAME.h5, which need not be its
 * own name. Fails the test on any error. */
void hard_write(const dataset *set, const int64_t *size, const char *folder,
                const char *name);

/* A uniform medium of this extinction, for any field. */
reference_transfer hard_transfer_constant(double extinction);

/* Colours and opacities that change gently over a field from 0 to 1. The diagonal of the
 * grid is a usual number of unit lengths. */
reference_transfer hard_transfer_smooth(double diagonal);

/* Cameras for pictures of side x side pixels; `up` is chosen. fov in degrees. */
reference_camera hard_camera_from(vec3 eye, vec3 target, double fov, int side);

/* With parallel rays; the middle one of an odd number goes through eye and target. */
reference_camera hard_camera_along(vec3 eye, vec3 target, double height, int side);

/* Bounds of the present cells in the file's coordinates, and the length of their
 * diagonal. */
box3 hard_bounds(const fast_volume *volume);
double hard_diagonal(const fast_volume *volume);

/*
 * Draws, and checks properties of any picture: no ray is lost, all channels are finite,
 * alpha is from 0 to 1, and colours do not exceed it. `what` and `seed` are for the
 * message. The caller calls hard_picture_clear.
 */
hard_picture hard_draw(const fast_volume *volume, const reference_transfer *transfer,
                       const reference_camera *camera, const char *what, uint64_t seed);
void hard_picture_clear(hard_picture *picture);

/* Alpha of the pixel of this number, row by row. */
double hard_alpha(const hard_picture *picture, int pixel);

/* Fails unless all channels of both pictures are within the tolerance. */
void hard_compare(const hard_picture *expected, const hard_picture *actual,
                  double tolerance, const char *what, uint64_t seed);

#endif
