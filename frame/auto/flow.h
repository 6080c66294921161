/* A survey of a field: its range, its commonest value, and the box where it differs from
 * that. */
#ifndef FRAME_AUTO_FLOW_H
#define FRAME_AUTO_FLOW_H

#include "base/scale/scale.h"
#include "sample.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct auto_flow {
    bool has_values;  /* at least one value is finite */
    bool is_constant; /* nearly all of the volume has one value */
    double range[2];  /* lo < hi: leaves out 1 % of the volume at each end */
    double rest;      /* the commonest value by volume, mostly that of the free stream */
    bool has_stream;  /* a value is much commoner than others */
    double stream[2]; /* values around `rest` that are nearly as common; the low end of
                         the range if no value is much commoner than others */
    double rare;   /* the part of the volume with values that differ much from `rest` */
    double spread; /* the diagonal of the box of these */
    box3 box;      /* box of most values that differ from `rest`, relative to the layout's
                      origin */
} auto_flow;

/*
 * Surveys a sample. The range leaves out 1 % of the grid's volume at each end. If a far
 * field fills nearly all of that range, the flow around a body would have no colours
 * left: then the range is that of the volume in `box`. Each step of the sample counts by
 * itself, too. A constant field gets a range around its value. `bounds`: of the grids.
 * `shown`: the part that is shown, whose values alone count; NULL: all. Both are relative
 * to the layout's origin. Collective.
 */
void auto_flow_find(const auto_sample *sample, const box3 *bounds, const box3 *shown,
                    auto_flow *out);

/* The box of the finer cells: it has most cells, but neither of the sixths of them at the
 * ends of each axis. Relative to the layout's origin. Collective. */
box3 auto_flow_fine_box(const auto_sample *sample, const box3 *bounds);

/* Gives a range to a constant field, around its value, and to a field without finite
 * values. Local. */
void auto_flow_widen(double range[2]);

/* The mean distance of values from flow->stream over the volume in flow->box, in 0..1: 0
 * in the stream, 1 at the farther end of the range. Collective. */
double auto_flow_mean(const auto_sample *sample, const auto_flow *flow);

/* Rounds a value to a hundredth of the span's decimal order. */
double auto_tidy(double value, double span);

/* Prints points [position, alpha] from one end of the flow's range to the other into text
 * of `size` bytes: opaque at the ends, clear in the stream, and thin near it. Positions
 * are those of the scale, or values if `are_data`. alpha: of the end farthest from the
 * stream. Local. */
void auto_opacity_print(const auto_flow *flow, const base_scale *scale, bool are_data,
                        double alpha, size_t size, char *text);

#endif
