/* The places of scalars in the table, for many rays at a time. */
#ifndef RENDER_TRANSFER_PLACE_H
#define RENDER_TRANSFER_PLACE_H

#include "base/lanes.h"
#include "table.h"

/* The distance of a scalar from the first node, in half intervals. */
IN_LOOP vfloat transfer_lanes_place(const transfer_table *table, vfloat s)
{
    const vfloat quarter = s * lanes_float(0.25f);
    return (quarter - lanes_float(table->first)) * lanes_float(table->per_scalar);
}

/* The row at such a distance. */
IN_LOOP vint transfer_lanes_row(const transfer_table *table, vfloat at)
{
    const vfloat inside = lanes_clamp(at, lanes_float(-1.0f), lanes_float(table->count));
    return lanes_truncate(inside + lanes_float(1.0f));
}

/* The share of the range in which a scalar lies. */
IN_LOOP vint transfer_lanes_share(const transfer_table *table, vfloat s)
{
    const vfloat at = transfer_lanes_place(table, s) * lanes_float(table->per_share);
    return lanes_truncate(
        lanes_clamp(at, lanes_float(0.0f), lanes_float((float)(TRANSFER_SHARES - 1))));
}

/* The largest slope of the transfer function from a scalar to a larger one, as in the
 * table. */
IN_LOOP vfloat transfer_lanes_steepness(const transfer_table *table, vfloat least,
                                        vfloat most)
{
    const vint from = transfer_lanes_share(table, least),
               to = transfer_lanes_share(table, most);
    const int32_t *all = (const int32_t *)(const void *)&table->steepness[0][0];
    return lanes_from_bits(lanes_gather(all, from * TRANSFER_SHARES + to));
}

/* The row of a place with twice the digits, and its distance g from the row's node. The
 * side of a place decides between the two rows of a node. */
IN_LOOP vint transfer_lanes_find_row(const transfer_table *table, vfloat at, vfloat low,
                                     vfloat *g)
{
    const vfloat none = lanes_float(0.0f);
    const vint row = transfer_lanes_row(table, at), node = row & lanes_int(~1);
    *g = (at - lanes_convert(node)) + low;
    const vint side = lanes_choose_int(lanes_less(*g, none), lanes_int(0), lanes_int(1));
    return lanes_choose_int(lanes_equal(low, none), row, node | side);
}

/* Lanes in which all scalars from s0 to s1 are clear. A cheap test that knows only the
 * two widest clear ranges. Such lanes may be advanced nonetheless; they then give
 * zeros. */
static inline vmask transfer_lanes_clear(const render_transfer *transfer, vfloat s0,
                                         vfloat s1)
{
    const float(*clear)[2] = transfer->table.clear;
    const vfloat least = lanes_min(s0, s1), most = lanes_max(s0, s1);
    const vmask in0 = lanes_and(lanes_less_equal(lanes_float(clear[0][0]), least),
                                lanes_less_equal(most, lanes_float(clear[0][1])));
    const vmask in1 = lanes_and(lanes_less_equal(lanes_float(clear[1][0]), least),
                                lanes_less_equal(most, lanes_float(clear[1][1])));
    return lanes_or(in0, in1);
}

#endif
