/*
 * The loops of a kernel in terms of lanes (base/lanes.h), of which four are a pixel. A
 * file that includes this has defined KERNEL, the blend_kernel to be, and KERNEL_NAME.
 */
#include "base/lanes.h"
#include "blend_kernels.h"

enum { PIXELS = LANES / 4 /* of a vector */, AHEAD = 1024 /* floats */ };

/* Pixels before the first one at a whole vector of `out`: stores that straddle two cache
 * lines cost twice. None where no pixel lies there. */
static int64_t count_head(int64_t count, const float *out)
{
    const uintptr_t bytes = (0 - (uintptr_t)out) % sizeof(vfloat);
    const int64_t head = (int64_t)(bytes / (4 * sizeof(float)));
    return bytes % (4 * sizeof(float)) != 0 ? 0 : head < count ? head : count;
}

static inline vfloat over_vector(const float *front, const float *back)
{
    const vfloat f = lanes_load_any(front);
    const vfloat rest = lanes_float(1.0f) - lanes_spread_alpha(f);
    return f + rest * lanes_load_any(back);
}

static void over(int64_t count, const float *front, const float *back, float *out)
{
    int64_t i = count_head(count, out);
    composite_blend_plain.over(i, front, back, out);
    for (; i + PIXELS <= count; i += PIXELS) {
        lanes_store_any(out + 4 * i, over_vector(front + 4 * i, back + 4 * i));
    }
    lanes_leave();
    composite_blend_plain.over(count - i, front + 4 * i, back + 4 * i, out + 4 * i);
}

static void depth(int64_t count, const float *a, const float *b, float *out)
{
    int64_t i = 0;
    for (; i + LANES <= count; i += LANES) {
        lanes_store_any(out + i, lanes_min(lanes_load_any(a + i), lanes_load_any(b + i)));
    }
    lanes_leave();
    composite_blend_plain.depth(count - i, a + i, b + i, out + i);
}

/* Without branches: where surfaces cross, nobody could foretell them. */
static void nearest(int64_t count, blend_source front, blend_source back, float *rgba,
                    float *depth_out)
{
    int64_t i = 0;
    for (; i + LANES <= count; i += LANES) {
        const vfloat f = lanes_load_any(front.depth + i),
                     b = lanes_load_any(back.depth + i);
        const vmask behind = lanes_less(b, f);
#pragma GCC unroll 4
        for (int n = 0; n < 4; n++) {
            const int64_t at = 4 * i + LANES * n;
            const vfloat b4 = lanes_load_any(back.rgba + at),
                         f4 = lanes_load_any(front.rgba + at);
            lanes_store_any(rgba + at, lanes_choose(lanes_fours(behind, n), b4, f4));
        }
        lanes_store_any(depth_out + i, lanes_choose(behind, b, f));
    }
    lanes_leave();
    composite_blend_plain.nearest(
        count - i, (blend_source){front.rgba + 4 * i, front.depth + i},
        (blend_source){back.rgba + 4 * i, back.depth + i}, rgba + 4 * i, depth_out + i);
}

/* Bits of LANES pixels: which have any colour, or a depth that is not infinite. */
static inline uint64_t find_active(const float *rgba, const float *depth_in)
{
    uint64_t set = 0;
#pragma GCC unroll 4
    for (int n = 0; n < 4; n++) {
        const vint bits = lanes_bits(lanes_load_any(rgba + LANES * n));
        set |= (uint64_t)lanes_any_of_fours(bits) << PIXELS * n;
    }
    if (depth_in) {
        const vfloat infinite = lanes_float(INFINITY);
        const vmask clear = lanes_equal(lanes_load_any(depth_in), infinite);
        set |= (unsigned)LANES_ALL ^ lanes_mask_bits(clear);
    }
    return set;
}

/* Memory that is only read, a little at a time, comes slowly by itself: it is asked for
 * before it is needed. */
static uint64_t active(int count, const float *rgba, const float *depth_in)
{
    uint64_t set = 0;
    int i = 0;
    for (; i + LANES <= count; i += LANES) {
        for (int line = 0; line < LANES / 4; line++) {
            __builtin_prefetch(rgba + 4 * i + 16 * line + AHEAD);
        }
        set |= find_active(rgba + 4 * i, depth_in ? depth_in + i : NULL) << i;
    }
    lanes_leave();
    if (i < count) {
        set |= composite_blend_plain.active(count - i, rgba + 4 * i,
                                            depth_in ? depth_in + i : NULL)
               << i;
    }
    return set;
}

const blend_kernel KERNEL = {
    .name = KERNEL_NAME,
    .over = over,
    .depth = depth,
    .nearest = nearest,
    .active = active,
};
