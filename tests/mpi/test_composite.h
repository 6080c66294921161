/* What the tests of the executor share. */
#ifndef TEST_COMPOSITE_H
#define TEST_COMPOSITE_H

#include "base/image.h"
#include "composite/execute.h"

#include <mpi.h>

/* What one frame is made of; every rank can make the image of any other from it. */
typedef struct test_frame {
    int width, height;
    bool with_depth;
    int percent; /* of the pixels of an image that are active; 100: all of the picture */
    composite_operator op;
    uint32_t seed;
} test_frame;

/* A small generator, so that a seed gives the same numbers everywhere (G. Marsaglia
 * 2003). */
uint32_t test_random(uint32_t *state);

/* The image of a rank: alpha in {0, 1/2, 1}, colours in quarters of it, so that blending
 * never rounds; depth a small whole number, where ties happen. */
image *test_image_create(const test_frame *frame, int rank);

/* The visibility order of a frame: order[position] is a rank; [size]. */
void test_order(const test_frame *frame, int size, int *order);

/* The images of all ranks blended one after the other, front to back, without any code of
 * composite/. */
image *test_blend_serially(const test_frame *frame, int size, const int *order);

/* Whether all ranks say yes; prints `what`, the frame and the rank that says no.
 * Collective. */
bool test_all_agree(bool mine, const char *what, const test_frame *frame);

/* Tests that make allocations or ranks fail. Collective; the number of failed ones. */
int test_faults(void);

#endif
