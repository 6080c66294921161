/* How opaque segments are, for many rays at a time: for decisions, not for light. */
#ifndef RENDER_TRANSFER_OPACITY_H
#define RENDER_TRANSFER_OPACITY_H

#include "place.h"

#include <math.h>

/* The prefix integral of extinction at places: up to the node, and from there on. */
typedef struct transfer_lanes_prefix {
    vint integral, interval;
    vfloat at, rest, extinction;
} transfer_lanes_prefix;

/* Those at scalars. */
IN_LOOP transfer_lanes_prefix transfer_lanes_find_prefix(const transfer_table *table,
                                                         vfloat s)
{
    const vfloat at = transfer_lanes_place(table, s);
    const vint row = transfer_lanes_row(table, at);
    const vfloat g = at - lanes_convert(row & lanes_int(~1));
    int32_t index[LANES] __attribute__((aligned(64)));
    lanes_store_int(index, lanes_shift_left(row, 3));
    __asm__("" : "+m"(index)); /* through memory: faster than by elements */
    vfloat four[4];            /* extinction, its slope, bends, the integral */
    lanes_load_fours((const float *)(const void *)table->rows, index, four);
    transfer_lanes_prefix out = {.integral = lanes_bits(four[3]),
                                 .interval = (row + lanes_int(1)) >> 1,
                                 .at = at,
                                 .extinction = four[0] + four[1] * g};
    out.rest = (four[0] + out.extinction) * lanes_float(0.5f) * g;
    return out;
}

/* Optical depths of segments along which the scalar is linear from that of `a` to that of
 * `b`, without their signs: as much as float32 gives, and infinite for numbers beyond it.
 * length: in the grid's units. */
IN_LOOP vfloat transfer_lanes_depth_between(const transfer_table *table,
                                            const transfer_lanes_prefix *a,
                                            const transfer_lanes_prefix *b, vfloat length)
{
    const vmask same = lanes_equal_int(a->interval, b->interval);
    const vfloat whole = lanes_convert(b->integral - a->integral) + (b->rest - a->rest);
    const vfloat mean =
        lanes_choose(same, (a->extinction + b->extinction) * lanes_float(0.5f),
                     whole / (b->at - a->at));
    const vfloat depth = lanes_abs(mean * (length * lanes_float(table->unit)));
    const vfloat infinite = lanes_float(INFINITY);
    return lanes_choose(lanes_less(depth, infinite), depth, infinite);
}

IN_LOOP vfloat transfer_lanes_depth(const transfer_table *table, vfloat s0, vfloat s1,
                                    vfloat length)
{
    const transfer_lanes_prefix a = transfer_lanes_find_prefix(table, s0),
                                b = transfer_lanes_find_prefix(table, s1);
    return transfer_lanes_depth_between(table, &a, &b, length);
}

#endif
