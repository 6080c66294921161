/* Makes a k-d partition of weighted points that are spread over several processes, level
 * by level. No process sees the points of another: at each level they add up histograms.
 *
 *     grid_cutter_create(bounds, parts, sight, &cutter);
 *     while ((count = grid_cutter_begin(cutter)) > 0) {
 *         double bins[count] = {0};
 *         ... for all points: grid_cutter_add(cutter, point, weight, bins) ...
 *         ... add up bins over all processes ...
 *         grid_cutter_cut(cutter, bins);
 *     }
 *     grid_cutter_finish(&cutter, &partition); */
#ifndef GRID_CUTTER_H
#define GRID_CUTTER_H

#include "partition.h"

typedef struct grid_cutter grid_cutter;

/* The viewer of the points. */
typedef struct grid_sight {
    vec3 view; /* as for grid_partition_order */
    bool perspective;
    double
        pixel; /* side of a pixel: with perspective at distance 1, else in grid units; >
                  0 */
} grid_sight;

/* bounds: of all points; sight: NULL for cuts across the longest side. Both must be the
 * same in all processes. Local. Errors: STATUS_MEMORY. */
status grid_cutter_create(box3 bounds, grid_parts parts, const grid_sight *sight,
                          grid_cutter **out);
void grid_cutter_destroy(grid_cutter **cutter);

/* Length of the next histograms; 0: the partition is complete. A level takes two rounds
 * of histograms. */
int grid_cutter_begin(grid_cutter *cutter);

/* Adds a point to the histograms of its box. */
void grid_cutter_add(const grid_cutter *cutter, vec3 point, double weight, double *bins);

/* Takes the sums. Every second call cuts all boxes of the level, so that the weights on
 * both sides have the ratio of the numbers of parts there. Within an interval of a
 * histogram (1/4096 of the side) weight counts as spread evenly. Of the three axes, a box
 * is cut across the one whose cut covers the fewest pixels. Pixels along a cut cost
 * twice: both parts draw rays there, and compositing merges them. The same histograms
 * give the same cuts. */
void grid_cutter_cut(grid_cutter *cutter, const double *bins);

/* Hands over the complete partition; destroys the cutter. */
void grid_cutter_finish(grid_cutter **cutter, grid_partition **out);

#endif
