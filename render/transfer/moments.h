/* First moments of colour over the optical depth, for one segment that passes several
 * intervals of the table. Its three colours are worked on together. */
#ifndef RENDER_TRANSFER_MOMENTS_H
#define RENDER_TRANSFER_MOMENTS_H

#include "base/lanes.h"
#include "table.h"

/* Red, green, blue, and a number without meaning. */
typedef float transfer_four __attribute__((vector_size(16)));
typedef int32_t transfer_four_int __attribute__((vector_size(16)));

IN_LOOP transfer_four transfer_four_load(const float *from)
{
    transfer_four out;
    memcpy(&out, from, sizeof out);
    return out;
}

/* From a node to a place near it: the depth, and of each colour its integral and its
 * first moment over the depth. */
typedef struct transfer_near {
    float depth;
    transfer_four integral, moment;
} transfer_near;

/* g: the distance of the place from the row's node. */
IN_LOOP transfer_near transfer_find_near(const transfer_row *row, float g)
{
    const transfer_four color = transfer_four_load(row->color);
    const transfer_four turn = transfer_four_load(row->color_slope) * g;
    const float k = row->extinction, rise = row->extinction_slope * g;
    const float half = (k + (k + rise)) * 0.5f, depth = half * g;
    const float square =
        (k * (k * (1.0f / 6) + rise * (1.0f / 8)) + rise * rise * (1.0f / 40)) * g * g;
    const transfer_four end = color + turn;
    return (transfer_near){
        .depth = depth,
        .integral = (half * 0.5f * (color + end) + rise * (1.0f / 12.0f) * turn) * g,
        .moment = end * (depth * depth * 0.5f) - turn * square};
}

/* First moments of colour over the depth between places near two nodes, counted from the
 * middle of the depth. Differences of large numbers are taken in double precision. */
IN_LOOP transfer_four transfer_find_moments(const transfer_table *table,
                                            const int32_t row[2], const float g[2])
{
    const transfer_row *from = table->rows + row[0], *to = table->rows + row[1];
    const double *low = table->moments[row[0] >> 1], *high = table->moments[row[1] >> 1];
    const transfer_near near = transfer_find_near(from, g[0]);
    const transfer_near far = transfer_find_near(to, g[1]);
    const double depth_before = from->integral[0];
    const float depth = (float)(to->integral[0] - from->integral[0]);
    transfer_four between, nodes;
    for (int c = 0; c < 3; c++) {
        const int32_t integral = to->integral[c + 1] - from->integral[c + 1];
        between[c] = (float)integral;
        nodes[c] = (float)((high[c] - low[c]) - depth_before * (double)integral);
    }
    between[3] = nodes[3] = 0.0f;
    const transfer_four sum = between + (far.integral - near.integral);
    const float half = (depth + (far.depth - near.depth)) * 0.5f;
    return nodes + (depth * far.integral + far.moment - near.moment) -
           (near.depth + half) * sum;
}

#endif
