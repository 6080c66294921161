/* The active pixels of all images: which part of a message travels and is blended. */
#ifndef MESSAGES_MODEL_ACTIVITY_H
#define MESSAGES_MODEL_ACTIVITY_H

#include "base/image.h"
#include "composite/schedule.h"

enum { SIMULATE_BANDS = 64 };

/*
 * The columns that an image covers in one band of rows, one of SIMULATE_BANDS equal
 * shares of the rows: [left, right), and the share of these pixels that is active, in
 * 1/65535.
 */
typedef struct simulate_span {
    uint16_t left, right, fill;
} simulate_span;

/* Spans of all positions, with those of merged neighbours above them. Zero is dense: all
 * pixels are active. */
typedef struct simulate_activity {
    int width, height;
    int size;             /* positions */
    int leaves;           /* a power of two, >= size */
    simulate_span *spans; /* [2 leaves][SIMULATE_BANDS]: a tree, whose node n has the
                             children 2 n and 2 n + 1, and position q the node leaves + q
                           */
} simulate_activity;

/* Makes an activity without active pixels. width, height: below 2^16. Local. Errors:
 * STATUS_USAGE, STATUS_MEMORY; then *activity is dense. */
status simulate_activity_create(int width, int height, int size,
                                simulate_activity *activity);

/* Frees its memory: then it is dense. */
void simulate_activity_clear(simulate_activity *activity);

/* The spans of a position, [SIMULATE_BANDS], to be filled. */
simulate_span *simulate_activity_spans(simulate_activity *activity, int position);

/* Fills the spans of a position with a rectangle, of whose pixels so many are active. */
void simulate_activity_rectangle(simulate_activity *activity, int position,
                                 pixel_rect rect, int64_t active);

/* To be called when all spans are filled, before counting. */
void simulate_activity_finish(simulate_activity *activity);

/*
 * Estimates the active pixels of [pix0, pix0 + npix) in the merged images of the
 * positions [run0, run1): those between the leftmost and the rightmost of each band, as
 * neighbours in visibility order lie beside each other. Returns npix if the activity is
 * dense. *rows: rows with such pixels. Local. O(bands log positions).
 */
double simulate_activity_count(const simulate_activity *activity, int run0, int run1,
                               composite_range pixels, double *rows);

/* The mean share of the picture that lies within the spans of an image, as
 * composite_rule.activity; 1 if it is dense. Local. */
double simulate_activity_share(const simulate_activity *activity);

/*
 * The footprints of a k-d tree: a cube cut for `size` ranks along its longest axes, seen
 * obliquely from outside, in visibility order. Local. Errors: STATUS_USAGE,
 * STATUS_MEMORY.
 */
status simulate_activity_kd(int width, int height, int size, simulate_activity *activity);

/* The cuts by which the executor balances the load of merging for these images
 * (composite/cuts.h). Local. */
composite_cuts simulate_activity_cuts(const simulate_activity *activity, int pieces);

#endif
