/*
 * The loops around an instruction set's few vector operations. A file that includes this
 * has defined, with the vector type `pixels`:
 *
 *     KERNEL, KERNEL_NAME             the blend_kernel
 *     PIXELS                          how many pixels a vector holds: a power of two
 *     load, store, stream             at a float; stream needs an aligned address
 *     broadcast_alpha(v), ones()      in all channels of each pixel; 1 everywhere
 *     smaller(a, b)                   a < b ? a : b, of 4 * PIXELS depths
 *     choose_four(front, back, behind, out)
 *                                     four pixels: those of `back` where `behind` is set
 *     eight_coloured(rgba)            bits of eight pixels: which have any colour,
 *     eight_with_depth(depth)         which a depth that is not infinite
 */
#include "blend_kernels.h"

#include <immintrin.h>

enum { FLOATS = 4 * PIXELS, FOUR = 4, EIGHT = 8, AHEAD = 1024 /* floats */ };

/* Pixels before the first one at a whole vector of `out`: stores that straddle two cache
 * lines cost twice. None where no pixel lies there. */
static int64_t count_head(int64_t count, const float *out)
{
    const uintptr_t bytes = (0 - (uintptr_t)out) % sizeof(pixels);
    const int64_t head = (int64_t)(bytes / (4 * sizeof(float)));
    return bytes % (4 * sizeof(float)) != 0 ? 0 : head < count ? head : count;
}

static inline pixels over_vector(const float *front, const float *back)
{
    const pixels f = load(front);
    const pixels rest = ones() - broadcast_alpha(f);
    return f + rest * load(back);
}

static void over(int64_t count, const float *front, const float *back, float *out)
{
    int64_t i = count_head(count, out);
    composite_blend_plain.over(i, front, back, out);
    for (; i + PIXELS <= count; i += PIXELS) {
        store(out + 4 * i, over_vector(front + 4 * i, back + 4 * i));
    }
    composite_blend_plain.over(count - i, front + 4 * i, back + 4 * i, out + 4 * i);
}

static void over_stream(int64_t count, const float *front, const float *back, float *out)
{
    int64_t i = count_head(count, out);
    if ((uintptr_t)(out + 4 * i) % sizeof(pixels) != 0) {
        over(count, front, back, out);
        return;
    }
    composite_blend_plain.over(i, front, back, out);
    for (; i + PIXELS <= count; i += PIXELS) {
        stream(out + 4 * i, over_vector(front + 4 * i, back + 4 * i));
    }
    composite_blend_plain.over(count - i, front + 4 * i, back + 4 * i, out + 4 * i);
    /* Who is told afterwards that it is there must find it there. */
    _mm_sfence();
}

static void depth(int64_t count, const float *a, const float *b, float *out)
{
    int64_t i = 0;
    for (; i + FLOATS <= count; i += FLOATS) {
        store(out + i, smaller(load(a + i), load(b + i)));
    }
    composite_blend_plain.depth(count - i, a + i, b + i, out + i);
}

/* Without branches: where surfaces cross, nobody could foretell them. */
static void nearest(int64_t count, blend_source front, blend_source back, float *rgba,
                    float *depth_out)
{
    int64_t i = 0;
    for (; i + FOUR <= count; i += FOUR) {
        const __m128 f = _mm_loadu_ps(front.depth + i), b = _mm_loadu_ps(back.depth + i);
        choose_four(front.rgba + 4 * i, back.rgba + 4 * i, _mm_cmplt_ps(b, f),
                    rgba + 4 * i);
        /* b < f ? b : f, also in the order of its operands. */
        _mm_storeu_ps(depth_out + i, _mm_min_ps(b, f));
    }
    const blend_source front_rest = {front.rgba + 4 * i, front.depth + i};
    const blend_source back_rest = {back.rgba + 4 * i, back.depth + i};
    composite_blend_plain.nearest(count - i, front_rest, back_rest, rgba + 4 * i,
                                  depth_out + i);
}

/* Memory that is only read, a little at a time, comes slowly by itself: it is asked for
 * before it is needed. */
static uint64_t active(int count, const float *rgba, const float *depth_in)
{
    uint64_t set = 0;
    int i = 0;
    for (; i + EIGHT <= count; i += EIGHT) {
        __builtin_prefetch(rgba + 4 * i + AHEAD);
        __builtin_prefetch(rgba + 4 * i + AHEAD + 2 * EIGHT);
        uint64_t eight = eight_coloured(rgba + 4 * i);
        eight |= depth_in ? eight_with_depth(depth_in + i) : 0;
        set |= eight << i;
    }
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
    .over_stream = over_stream,
    .depth = depth,
    .nearest = nearest,
    .active = active,
};
