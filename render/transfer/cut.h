/* Integrates parts of the ways of rays through cells, one ray in each lane. A way is cut
 * where a box, a clipping plane or a surface ends within its cell. Parts add up to the
 * whole way. */
#ifndef RENDER_TRANSFER_CUT_H
#define RENDER_TRANSFER_CUT_H

#include "lookup.h"

/* Integrates whole ways of `active`. Returns the lanes in which the table is good enough,
 * by way->tabled or by way->tolerance. */
static __attribute__((noinline, unused)) vmask
transfer_lanes_find_whole(const render_transfer *transfer, vmask active,
                          const transfer_lanes_segment *way, transfer_lanes_light *light)
{
    const transfer_table *table = &transfer->table;
    transfer_lanes a = transfer_lanes_look_up(table, way->s0),
                   b = transfer_lanes_look_up(table, way->s1);
    a.low = b.low = lanes_float(0.0f);
    const transfer_lanes *const ends[2] = {&a, &b};
    transfer_lanes_sum sum;
    transfer_lanes_add_up(table, &a, &b, b.at - a.at, way->length, &sum);
    transfer_lanes_shine(&sum, light);
    transfer_lanes_doubt(&a, &b, &sum, way->tolerance, light);
    light->fitting = lanes_or(light->fitting, way->tabled);
    return lanes_and_not(active,
                         transfer_lanes_repair(transfer, active, ends, way, &sum, light));
}

/* Adds shares in the errors of whole ways to the emission of parts, which have smaller
 * errors themselves. So the parts of a way add up to the whole, however it is cut: a
 * share is that of the light which the part absorbs. coarse: the whole ways as they are
 * integrated where nothing cuts them; `way` as it was for that. */
IN_LOOP void transfer_lanes_share_errors(const render_transfer *transfer, vmask lanes,
                                         const transfer_lanes_segment *way,
                                         const transfer_lanes_light *coarse,
                                         transfer_lanes_light *light)
{
    transfer_lanes_segment tabled = *way;
    tabled.tabled = lanes;
    tabled.tolerance = lanes_float(TRANSFER_LANES_FINE);
    transfer_lanes_light fine;
    transfer_lanes_find_whole(transfer, lanes, &tabled, &fine);
    const vfloat none = lanes_float(0.0f);
    const vmask absorbs = lanes_and_not(lanes, lanes_equal(fine.absorbed, none));
    const vfloat share = light->absorbed / fine.absorbed;
    for (int c = 0; c < 3; c++) {
        const vfloat error = share * (coarse->emitted[c] - fine.emitted[c]);
        light->emitted[c] = light->emitted[c] + lanes_choose(absorbs, error, none);
    }
}

/* Lanes with a segment, and those of them whose ways are cut. */
typedef struct transfer_lanes_active {
    vmask all, cut;
} transfer_lanes_active;

/* transfer_lanes_advance for a vector with some ways that are cut. segment: the drawn
 * part of each way; from 0 to 1 in lanes without a cut. length: of the whole ways.
 *
 * The table and the exact function differ in the last digits of scalars, which is visible
 * on a steep flank. So all parts of a way, in all boxes, are integrated by the method
 * that suits the whole way. */
static __attribute__((noinline, unused)) void
transfer_lanes_advance_cut(const render_transfer *transfer, transfer_lanes *last,
                           const transfer_lanes_active *lanes,
                           transfer_lanes_segment *segment, const vfloat *length,
                           transfer_lanes_light *light)
{
    const vmask active = lanes->all, cut = lanes->cut;
    const transfer_table *table = &transfer->table;
    segment->s0 = lanes_choose(active, segment->s0, last->s);
    segment->s1 = lanes_choose(active, segment->s1, last->s);
    const vfloat at0 = transfer_lanes_place(table, segment->s0),
                 at1 = transfer_lanes_place(table, segment->s1);
    const vmask at_begin = lanes_equal(segment->from, lanes_float(0.0f));
    const vmask known = lanes_and(at_begin, lanes_equal(segment->s0, last->s));
    transfer_lanes a;
    if (lanes_any(lanes_and_not(active, known))) {
        a = transfer_lanes_look_between(table, at0, at1, segment->from);
    } else {
        transfer_lanes_copy(last, &a);
        a.low = lanes_float(0.0f);
    }
    transfer_lanes b = transfer_lanes_look_between(table, at0, at1, segment->to);
    const vmask at_end = lanes_equal(segment->to, lanes_float(1.0f));
    b.s = lanes_choose(at_end, segment->s1, b.s);
    transfer_lanes_sum sum;
    transfer_lanes_add_up(table, &a, &b, transfer_lanes_between(&a, &b), segment->length,
                          &sum);
    transfer_lanes_shine(&sum, light);
    segment->tolerance = lanes_choose(cut, lanes_float(TRANSFER_LANES_FINE),
                                      lanes_float(TRANSFER_LANES_TOLERANCE));
    transfer_lanes_doubt(&a, &b, &sum, segment->tolerance, light);
    transfer_lanes_segment whole = *segment;
    whole.from = lanes_float(0.0f);
    whole.to = lanes_float(1.0f);
    whole.length = *length;
    whole.tolerance = lanes_float(TRANSFER_LANES_TOLERANCE);
    whole.tabled = lanes_mask(0);
    transfer_lanes_light coarse;
    segment->tabled = transfer_lanes_find_whole(transfer, cut, &whole, &coarse);
    light->fitting = lanes_or(lanes_and_not(light->fitting, cut), segment->tabled);
    if (lanes_any(lanes_and_not(active, lanes_and(light->straight, light->fitting)))) {
        const transfer_lanes *const ends[2] = {&a, &b};
        transfer_lanes_repair(transfer, active, ends, segment, &sum, light);
    }
    transfer_lanes_share_errors(transfer, segment->tabled, &whole, &coarse, light);
    transfer_lanes_copy(&b, last);
}

#endif
