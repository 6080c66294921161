/* Integrates parts of the ways of rays through cells, one ray in each lane. A way is cut
 * where a box, a clipping plane or a surface ends within its cell. Parts add up to the
 * whole way. */
#ifndef RENDER_TRANSFER_CUT_H
#define RENDER_TRANSFER_CUT_H

#include "lookup.h"

/* Lanes in which the table differs from the exact function at one end of the way, so that
 * ways of this length may have to be integrated exactly. */
IN_LOOP vmask transfer_lanes_misfits(const transfer_table *table,
                                     const transfer_lanes_segment *segment, vfloat length)
{
    const vfloat most = lanes_float(0.25f * TRANSFER_LANES_TOLERANCE);
    const vfloat size = lanes_abs(length * lanes_float(table->unit));
    const vmask good = lanes_less_equal(lanes_float(table->most_misfit) * size, most);
    if (lanes_mask_bits(good) == LANES_ALL) {
        return lanes_mask(0);
    }
    const int32_t *misfits = (const int32_t *)(const void *)&table->rows->misfit;
    vmask fit = lanes_mask(LANES_ALL);
    const vfloat ends[2] = {segment->s0, segment->s1};
    for (int end = 0; end < 2; end++) {
        const vfloat at = transfer_lanes_place(table, ends[end]);
        const vint row = transfer_lanes_row(table, at);
        const vfloat misfit = lanes_from_bits(lanes_gather(misfits, row << 4));
        fit = lanes_and(fit, lanes_less_equal(misfit * size, most));
        fit = lanes_and(fit, lanes_less(lanes_abs(at), lanes_float(INFINITY)));
    }
    return lanes_and_not(lanes_mask(LANES_ALL), fit);
}

/* Whether a visible error arises if a part of a way is integrated by the table and the
 * whole way exactly. In the table, the ends of the part lie up to `slip` beside their
 * places. To first order this changes the optical depth of the part by
 *
 *     slip * length / between * (extinction at the end - mean extinction).
 *
 * False if the scalar does not change along the part: then its places agree. */
IN_LOOP vmask transfer_lanes_slips(const transfer_table *table, const transfer_lanes *a,
                                   const transfer_lanes *b, const transfer_lanes_sum *sum)
{
    const vfloat mean = sum->depth / sum->length;
    const vfloat off =
        lanes_max(lanes_abs(a->extinction - mean), lanes_abs(b->extinction - mean));
    const vfloat change = lanes_abs(sum->length / sum->between) * off;
    return lanes_less(lanes_float(TRANSFER_LANES_TOLERANCE),
                      lanes_float(table->slip) * change);
}

/* The lanes of `active` whose whole ways, of this length, the table integrates well
 * enough. */
static __attribute__((noinline, unused)) vmask
transfer_lanes_find_tabled(const render_transfer *transfer, vmask active,
                           const transfer_lanes_segment *segment, vfloat length)
{
    const transfer_table *table = &transfer->table;
    transfer_lanes a = transfer_lanes_look_up(table, segment->s0),
                   b = transfer_lanes_look_up(table, segment->s1);
    const transfer_lanes_segment whole =
        transfer_lanes_whole(segment->s0, segment->s1, length, &a, &b);
    const transfer_lanes *const ends[2] = {&a, &b};
    transfer_lanes_sum sum;
    transfer_lanes_light light;
    transfer_lanes_pass(table, &a, &b, length, &sum, &light);
    const vmask exact =
        transfer_lanes_repair(transfer, active, ends, &whole, &sum, &light);
    return lanes_and_not(active, exact);
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
    const vmask slipping = transfer_lanes_slips(table, &a, &b, &sum);
    transfer_lanes_shine(&sum, light);
    transfer_lanes_doubt(&a, &b, &sum, light);
    const vmask good = lanes_and(light->straight, light->fitting);
    vmask doubtful = lanes_and(cut, lanes_or(lanes_and_not(cut, good), slipping));
    doubtful = lanes_or(doubtful,
                        lanes_and(cut, transfer_lanes_misfits(table, segment, *length)));
    segment->tabled = lanes_and_not(cut, doubtful);
    if (lanes_any(doubtful)) {
        segment->tabled =
            lanes_or(segment->tabled,
                     transfer_lanes_find_tabled(transfer, doubtful, segment, *length));
    }
    light->fitting = lanes_or(lanes_and_not(light->fitting, cut), segment->tabled);
    if (lanes_any(lanes_and_not(active, lanes_and(light->straight, light->fitting)))) {
        const transfer_lanes *const ends[2] = {&a, &b};
        transfer_lanes_repair(transfer, active, ends, segment, &sum, light);
    }
    transfer_lanes_copy(&b, last);
}

#endif
