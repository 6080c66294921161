/* Ways through cells whose scalar bends, in parts (render/cells/bend_parts.h). */
#ifndef RENDER_KERNEL_BENDS_H
#define RENDER_KERNEL_BENDS_H

#include "gather.h"
#include "render/cells/bend_parts.h"

/* Ways of which some bend. */
typedef struct lane_bends {
    bend_line line;
    unsigned lanes; /* bits: ways of more than one part. Others have one */
} lane_bends;

/* Moves the end of `part` to that of part n (from 1 on) of the ways, whose ends have no
 * meaning in ways with fewer parts. */
IN_LOOP void bend_end_part(const lane_segments *whole, const bend_line *line, int n,
                           lane_segments *part)
{
    const vfloat number = lanes_float((float)n), share = number / line->parts;
    const vmask at_end = lanes_equal(line->parts, number);
    part->t1 =
        lanes_choose(at_end, whole->t1, whole->t0 + share * (whole->t1 - whole->t0));
    part->s1 = lanes_choose(at_end, whole->s1, bend_between(line, share));
}

/* Those of some ways that have a part n, from 1 on. */
IN_LOOP vmask bend_has_part(vmask lanes, const bend_line *line, int n)
{
    return lanes_and_not(lanes, lanes_less(line->parts, lanes_float((float)n)));
}

#endif
