/* A field at a glance: its range, its commonest value, and where it differs from that. */
#ifndef APP_FRAME_AUTO_FLOW_H
#define APP_FRAME_AUTO_FLOW_H

#include "sample.h"

#include <stdbool.h>

typedef struct auto_flow {
    bool has_values;  /* there is a finite one */
    bool is_constant; /* nearly all of the volume has one value */
    double range[2];  /* lo < hi: from 1 to 99 % of the volume */
    double rest; /* the commonest value, by volume: that of the free stream, as a rule */
    double stream[2]; /* values around `rest` that are nearly as common; the low end of
                         the range where no value is much commoner than others */
    box3 box; /* where most of what differs from `rest` lies; relative to the layout's
                 origin */
} auto_flow;

/*
 * Looks at a sample. The range is that of 1 to 99 % of the volume of the grid; but where
 * a far field fills nearly all of that, so that the flow around a body would have no
 * colours left, of the volume of `box`. A constant field has a range around its value.
 * Collective.
 */
void auto_flow_find(const auto_sample *sample, const grid_layout *layout, auto_flow *out);

/* A constant field, and one of no finite value, gets a range with its value in it. Local.
 */
void auto_flow_widen(double range[2]);

/*
 * The mean, over the points of the volume in flow->box, of how far a value lies from
 * flow->stream: 0 in it, 1 at the farther end of the range. In 0..1. Collective.
 */
double auto_flow_mean(const auto_sample *sample, const auto_flow *flow);

#endif
