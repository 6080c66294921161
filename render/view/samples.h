/* Samples of pixels: places in the surroundings of a pixel's centre whose mean is its
 * colour. */
#ifndef RENDER_VIEW_SAMPLES_H
#define RENDER_VIEW_SAMPLES_H

enum { RENDER_MOST_SAMPLES = 64 };

/* The weight of places around a pixel's centre. */
typedef enum render_filter {
    RENDER_FILTER_BOX, /* the pixel's square: width 1 */
    RENDER_FILTER_TENT /* falls linearly to the neighbours' centres: width 2 */
} render_filter;

/*
 * Sample `number` of `count` (1 to RENDER_MOST_SAMPLES): its shift from the centre, in
 * pixels, for render_camera_shift. Samples have equal weights; a filter decides where
 * they are dense. All pixels have the same pattern. One sample is the centre. Local.
 *
 * They are a lattice of rank 1 (Korobov 1959): point i of n at (i, a i mod n) / n, so
 * that each of n columns and rows has one. The steps a are those with the least mean
 * error for edges of any angle and place: 1/22 of the edge's contrast with 8 samples,
 * 1/119 with 64.
 */
void render_sample_shift(render_filter filter, int number, int count, double shift[2]);

/* How far samples lie from the centre at most, in whole pixels. */
int render_sample_reach(int count);

#endif
