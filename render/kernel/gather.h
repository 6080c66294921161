/* The light of rays, one ray in each lane: cuts segments to their drawn part, and blends
 * them behind the light accumulated so far. */
#ifndef RENDER_KERNEL_GATHER_H
#define RENDER_KERNEL_GATHER_H

#include "render/light/shade_lanes.h"
#include "render/transfer/cut.h"
#include "render/transfer/opacity.h"
#include "style.h"

/* Inverted cells take back what others count twice, so for a while the transmittance may
 * grow. Sound data stays far below this bound, which keeps all numbers finite. */
#define MOST_TRANSMITTANCE 1e6f

/* Light that rays have accumulated so far. */
typedef struct lane_light {
    _Alignas(64) float t0[LANES], t1[LANES]; /* the part of the ray that is drawn */
    float rgb[3][LANES], transmittance[LANES], first_t[LANES];
    transfer_lanes cursor;
} lane_light;

/* Ways through cells, or parts of them. */
typedef struct lane_segments {
    vfloat t0, t1, s0, s1;
} lane_segments;

/* The drawn parts of segments. */
typedef struct lane_parts {
    vfloat begin, end; /* as t0 and t1 */
    vmask drawn;       /* lanes with something drawn */
    unsigned cut;      /* bits: lanes in which only a part is drawn */
} lane_parts;

/* Lanes whose scalars are finite. */
IN_LOOP vmask segments_are_finite(const lane_segments *segment)
{
    const vfloat infinite = lanes_float(INFINITY);
    return lanes_and(lanes_less(lanes_abs(segment->s0), infinite),
                     lanes_less(lanes_abs(segment->s1), infinite));
}

/* Finds the drawn parts of the segments of `active`. */
IN_LOOP lane_parts cut_segments(vmask active, const lane_light *light,
                                const lane_segments *segment)
{
    const vfloat lo = lanes_load(light->t0), hi = lanes_load(light->t1);
    lane_parts part = {.begin = lanes_clamp(segment->t0, lo, hi),
                       .end = lanes_clamp(segment->t1, lo, hi)};
    const vmask whole = lanes_and(lanes_equal(part.begin, segment->t0),
                                  lanes_equal(part.end, segment->t1));
    part.drawn = lanes_and_not(active, lanes_equal(part.begin, part.end));
    part.cut = lanes_mask_bits(lanes_and_not(part.drawn, whole));
    return part;
}

/* Turns the emission of segments into their shaded light. factors: D and S. */
IN_LOOP void shade_segments(const vfloat factors[SHADE_FACTORS],
                            transfer_lanes_shown *shown)
{
    for (int c = 0; c < 3; c++) {
        shown->emitted[c] =
            factors[c] * shown->emitted[c] + factors[3 + c] * shown->absorbed;
    }
}

/* Integrates emission and absorption along parts of segments, some of which are cut.
 * `factor` multiplies their lengths. Each
 * part knows the whole way, so that all parts of a way add up to it, however it is cut.
 * Not inlined: few steps have a cut. */
static __attribute__((noinline)) void integrate_cut(const render_transfer *transfer,
                                                    transfer_lanes *cursor,
                                                    const lane_segments *segment,
                                                    const lane_parts *part, vfloat factor,
                                                    transfer_lanes_light *out)
{
    const vfloat none = lanes_float(0.0f), one = lanes_float(1.0f);
    const vfloat length = segment->t1 - segment->t0, per_t = one / length;
    const vmask cut = lanes_and(part->drawn, lanes_mask(part->cut));
    const vmask later = lanes_and_not(cut, lanes_equal(part->begin, segment->t0)),
                sooner = lanes_and_not(cut, lanes_equal(part->end, segment->t1));
    transfer_lanes_segment along = {
        .s0 = segment->s0,
        .s1 = segment->s1,
        .from = lanes_choose(later, (part->begin - segment->t0) * per_t, none),
        .to = lanes_choose(sooner, (part->end - segment->t0) * per_t, one),
        .length = (part->end - part->begin) * factor,
        .tabled = lanes_mask(0)};
    const transfer_lanes_active active = {part->drawn, cut};
    const vfloat all = length * factor;
    transfer_lanes_advance_cut(transfer, cursor, &active, &along, &all, out);
}

/* Blends parts of segments behind the light of the rays; lanes that are not drawn stay
 * unchanged. factors: D, S and F of shading, or NULL. Returns a bit for each lane whose
 * scalar is not finite, so that a cell of several segments counts once. */
IN_LOOP unsigned blend_segments(const render_transfer *transfer,
                                const vfloat factors[SHADE_FACTORS],
                                const lane_segments *segment, const lane_parts *part,
                                lane_light *light)
{
    vfloat begin = lanes_min(part->begin, part->end);
    vfloat first = lanes_load(light->first_t);
    lanes_store(light->first_t,
                lanes_choose(part->drawn, lanes_min(begin, first), first));
    vmask finite = segments_are_finite(segment);
    const unsigned strange = lanes_mask_bits(lanes_and_not(part->drawn, finite));
    vmask drawn = lanes_and(part->drawn, finite);
    vmask visible =
        lanes_and_not(drawn, transfer_lanes_clear(transfer, segment->s0, segment->s1));
    if (!lanes_any(visible)) {
        return strange;
    }
    const vfloat factor = factors ? factors[SHADE_LENGTH] : lanes_float(1.0f);
    transfer_lanes_shown shown;
    if (part->cut & lanes_mask_bits(drawn)) {
        const lane_segments whole = *segment;
        const lane_parts some = {part->begin, part->end, drawn, part->cut};
        transfer_lanes_light found;
        integrate_cut(transfer, &light->cursor, &whole, &some, factor, &found);
        transfer_lanes_give(drawn, &found, &shown);
    } else {
        /* All drawn lanes, also invisible ones: then the beginning of the next segment is
         * already looked up. */
        transfer_lanes_advance(
            transfer, &light->cursor, drawn,
            (transfer_lanes_stretch){segment->s0, segment->s1,
                                     (part->end - part->begin) * factor},
            &shown);
    }
    if (factors) {
        shade_segments(factors, &shown);
    }
    vfloat through = lanes_load(light->transmittance);
    for (int c = 0; c < 3; c++) {
        lanes_store(light->rgb[c],
                    lanes_load(light->rgb[c]) + through * shown.emitted[c]);
    }
    vfloat rest = through - through * shown.absorbed;
    lanes_store(light->transmittance, lanes_min(rest, lanes_float(MOST_TRANSMITTANCE)));
    return strange;
}

#endif
