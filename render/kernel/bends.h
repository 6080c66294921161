/* Ways through cells whose scalar bends (render/cells/bend_lanes.h), in two halves. */
#ifndef RENDER_KERNEL_BENDS_H
#define RENDER_KERNEL_BENDS_H

#include "gather.h"
#include "render/cells/bend_lanes.h"

/* Ways that bend, and the scalars in their middles. */
typedef struct lane_bends {
    vfloat middle;
    unsigned lanes; /* bits */
} lane_bends;

/* Cuts ways in halves where they bend. In other lanes the first half is the whole way,
 * and the second one has no meaning. */
IN_LOOP void bend_cut(const lane_segments *whole, const lane_bends *bends,
                      lane_segments half[2])
{
    const vmask bent = lanes_mask(bends->lanes);
    const vfloat t = bend_middle_of(whole->t0, whole->t1);
    half[0] = (lane_segments){.t0 = whole->t0,
                              .t1 = lanes_choose(bent, t, whole->t1),
                              .s0 = whole->s0,
                              .s1 = lanes_choose(bent, bends->middle, whole->s1)};
    half[1] =
        (lane_segments){.t0 = t, .t1 = whole->t1, .s0 = bends->middle, .s1 = whole->s1};
}

#endif
