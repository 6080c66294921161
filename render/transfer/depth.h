/* Functions of the optical depth of segments, for many rays at a time. */
#ifndef RENDER_TRANSFER_DEPTH_H
#define RENDER_TRANSFER_DEPTH_H

#include "base/lanes.h"

/* (1 - exp(-tau)) / tau to float32 precision, and psi to 7e-5, for |tau| <= 1/8: Taylor
 * series. */
IN_LOOP void transfer_lanes_thin(vfloat tau, vfloat *mean, vfloat *psi)
{
    const vfloat square = tau * tau;
    const vfloat low = lanes_float(1.0f) - tau * lanes_float(0.5f);
    const vfloat third = lanes_float(1.0f / 6) - tau * lanes_float(1.0f / 24);
    *mean = low + square * (third + square * lanes_float(1.0f / 120));
    *psi = low + square * lanes_float(3.0f / 20);
}

/* exp(-tau) for -16 <= tau <= 80, to a few units in the last place: 2^n exp(r), |r| at
 * most ln(2) / 2. */
static inline vfloat transfer_lanes_decay(vfloat tau)
{
    const vfloat whole = lanes_float(0x1.8p23f);         /* adding it drops all digits
                                                            after the point */
    const vfloat octave_high = lanes_float(0x1.62ep-1f), /* ln(2) in two parts */
        octave_low = lanes_float(0x1.0bfbe8p-15f);
    const vfloat n = (tau * lanes_float(-1.44269504f) + whole) - whole;
    const vfloat r = (-tau - n * octave_high) - n * octave_low, square = r * r;
    const vfloat high = lanes_float(1.0f / 24) + r * lanes_float(1.0f / 120) +
                        square * lanes_float(1.0f / 720);
    const vfloat tail = lanes_float(0.5f) + r * lanes_float(1.0f / 6) + square * high;
    const vint power = (lanes_truncate(n) + lanes_int(127)) << 23;
    return lanes_from_bits(power) * (lanes_float(1.0f) + (r + square * tail));
}

/* Both functions of transfer_lanes_thin for larger tau, -16 or more. */
static inline void transfer_lanes_thick(vfloat tau, vfloat *mean, vfloat *psi)
{
    const vfloat absorbed =
        lanes_float(1.0f) - transfer_lanes_decay(lanes_min(tau, lanes_float(80.0f)));
    *mean = absorbed / tau;
    *psi = (lanes_float(1.0f) - *mean - lanes_float(0.5f) * absorbed) *
           lanes_float(12.0f) / (tau * tau);
}

#endif
