/* A survey of a field: its range, its commonest value, and the box where it differs from
 * that. */
#ifndef FRAME_AUTO_FLOW_H
#define FRAME_AUTO_FLOW_H

#include "sample.h"

#include <stdbool.h>

typedef struct auto_flow {
    bool has_values;  /* at least one value is finite */
    bool is_constant; /* nearly all of the volume has one value */
    double range[2];  /* lo < hi: leaves out 1 % of the volume at each end */
    double rest;      /* the commonest value by volume, mostly that of the free stream */
    double stream[2]; /* values around `rest` that are nearly as common; the low end of
                         the range if no value is much commoner than others */
    box3 box; /* box of most values that differ from `rest`, relative to the layout's
                 origin */
} auto_flow;

/*
 * Surveys a sample. The range leaves out 1 % of the grid's volume at each end. If a far
 * field fills nearly all of that range, the flow around a body would have no colours
 * left: then the range is that of the volume in `box`. Each step of the sample counts by
 * itself, too. A constant field gets a range around its value. `bounds`: of the grids,
 * relative to the layout's origin. Collective.
 */
void auto_flow_find(const auto_sample *sample, const box3 *bounds, auto_flow *out);

/* Gives a range to a constant field, around its value, and to a field without finite
 * values. Local. */
void auto_flow_widen(double range[2]);

/* The mean distance of values from flow->stream over the volume in flow->box, in 0..1: 0
 * in the stream, 1 at the farther end of the range. Collective. */
double auto_flow_mean(const auto_sample *sample, const auto_flow *flow);

#endif
