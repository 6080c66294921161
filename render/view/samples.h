/* Samples of pixels: places in the surroundings of a pixel's centre whose mean is its
 * colour. */
#ifndef RENDER_VIEW_SAMPLES_H
#define RENDER_VIEW_SAMPLES_H

/* Samples lie at most RENDER_SAMPLE_REACH pixels from the centre, to each side. */
enum { RENDER_MOST_SAMPLES = 64, RENDER_SAMPLE_REACH = 1 };

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
 * 1/53 with 24, 1/119 with 64.
 */
void render_sample_shift(render_filter filter, int number, int count, double shift[2]);

#endif
