/* What rays gather, a ray in each lane: cutting segments to what is drawn, and blending
 * them behind what is there. */
#ifndef RENDER_WALK_LIGHT_H
#define RENDER_WALK_LIGHT_H

#include "render/transfer_lanes.h"
#include "render/volume.h"
#include "render/walk_shade.h"

/* Inverted cells take back what others count too much, and for a while it may be more
 * than there was. Beyond this bound, which sound data stays far below, it is cut off so
 * that everything stays finite. */
#define MOST_TRANSMITTANCE 1e6f

/* What rays show so far. */
typedef struct lane_light {
    _Alignas(64) float t0[LANES], t1[LANES]; /* the part of the ray that is drawn */
    float rgb[3][LANES], transmittance[LANES], first_t[LANES];
    transfer_lanes cursor;
} lane_light;

/* The part of the way through a cell that is drawn. */
typedef struct lane_segments {
    vfloat t0, t1, s0, s1;
} lane_segments;

/* Cuts segments of `active` to the part of their rays that is drawn. */
IN_LOOP void cut_segments(vmask active, const lane_light *light, lane_segments *segment)
{
    vfloat lo = lanes_load(light->t0), hi = lanes_load(light->t1);
    vfloat a = lanes_clamp(segment->t0, lo, hi), b = lanes_clamp(segment->t1, lo, hi);
    vmask same_a = lanes_equal(a, segment->t0), same_b = lanes_equal(b, segment->t1);
    if (!lanes_any(lanes_and_not(active, lanes_and(same_a, same_b)))) {
        return;
    }
    vfloat slope = (segment->s1 - segment->s0) / (segment->t1 - segment->t0);
    vfloat s0 = segment->s0 + slope * (a - segment->t0);
    vfloat s1 = segment->s0 + slope * (b - segment->t0);
    *segment = (lane_segments){.t0 = a,
                               .t1 = b,
                               .s0 = lanes_choose(same_a, segment->s0, s0),
                               .s1 = lanes_choose(same_b, segment->s1, s1)};
}

/* What shaded segments show, from what they emit by themselves: D and S. */
IN_LOOP void shade_segments(const vfloat factors[SHADE_FACTORS], vfloat absorbed,
                            vfloat emitted[3])
{
    for (int c = 0; c < 3; c++) {
        emitted[c] = factors[c] * emitted[c] + factors[3 + c] * absorbed;
    }
}

/* Blends segments behind what the rays have gathered; other lanes than `active` stay as
 * they are. factors: D and S of shading, or NULL. Returns a bit for each lane in which
 * the scalar is no number, so that a cell of several segments counts once. */
IN_LOOP unsigned blend_segments(const render_transfer *transfer,
                                const vfloat factors[SHADE_FACTORS], vmask active,
                                const lane_segments *segment, lane_light *light)
{
    vmask drawn = lanes_and_not(active, lanes_equal(segment->t0, segment->t1));
    vfloat begin = lanes_min(segment->t0, segment->t1);
    vfloat first = lanes_load(light->first_t);
    lanes_store(light->first_t, lanes_choose(drawn, lanes_min(begin, first), first));
    vfloat size = lanes_abs(segment->s0 + segment->s1);
    vmask finite = lanes_less(size, lanes_float(INFINITY));
    const unsigned strange = lanes_mask_bits(lanes_and_not(drawn, finite));
    drawn = lanes_and(drawn, finite);
    vmask visible =
        lanes_and_not(drawn, transfer_lanes_clear(transfer, segment->s0, segment->s1));
    if (!lanes_any(visible)) {
        return strange;
    }
    vfloat emitted[3], absorbed;
    /* All that are drawn: where the next segment begins is known then. */
    transfer_lanes_advance(transfer, &light->cursor, drawn, segment->s0, segment->s1,
                           segment->t1 - segment->t0, emitted, &absorbed);
    if (factors) {
        shade_segments(factors, absorbed, emitted);
    }
    vfloat through = lanes_load(light->transmittance);
    for (int c = 0; c < 3; c++) {
        lanes_store(light->rgb[c], lanes_load(light->rgb[c]) + through * emitted[c]);
    }
    vfloat rest = through - through * absorbed;
    lanes_store(light->transmittance, lanes_min(rest, lanes_float(MOST_TRANSMITTANCE)));
    return strange;
}

#endif
