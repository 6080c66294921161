/* The kernel for every x86-64 processor: one pixel at a time. */
#include <emmintrin.h>
#include <math.h>
#include <stdint.h>

#define KERNEL      composite_blend_sse2
#define KERNEL_NAME "sse2"
#define PIXELS      1

typedef __m128 pixels;

static inline pixels load(const float *from)
{
    return _mm_loadu_ps(from);
}

static inline void store(float *to, pixels v)
{
    _mm_storeu_ps(to, v);
}

static inline void stream(float *to, pixels v)
{
    _mm_stream_ps(to, v);
}

static inline pixels ones(void)
{
    return _mm_set1_ps(1.0f);
}

static inline pixels broadcast_alpha(pixels v)
{
    return _mm_shuffle_ps(v, v, _MM_SHUFFLE(3, 3, 3, 3));
}

static inline pixels smaller(pixels a, pixels b)
{
    return _mm_min_ps(a, b);
}

static inline void choose_one(const float *front, const float *back, __m128 behind,
                              float *out)
{
    const __m128 f = _mm_andnot_ps(behind, load(front));
    store(out, _mm_or_ps(f, _mm_and_ps(behind, load(back))));
}

static inline void choose_four(const float *front, const float *back, __m128 behind,
                               float *out)
{
    choose_one(front, back, _mm_shuffle_ps(behind, behind, 0x00), out);
    choose_one(front + 4, back + 4, _mm_shuffle_ps(behind, behind, 0x55), out + 4);
    choose_one(front + 8, back + 8, _mm_shuffle_ps(behind, behind, 0xaa), out + 8);
    choose_one(front + 12, back + 12, _mm_shuffle_ps(behind, behind, 0xff), out + 12);
}

/* r0 g0 b0 a0 and r1 g1 b1 a1 to r0 r1 g0 g1 | b0 b1 a0 a1, then to two of each. */
static inline __m128i gather_two(const float *rgba)
{
    const __m128i v0 = _mm_castps_si128(load(rgba)),
                  v1 = _mm_castps_si128(load(rgba + 4));
    return _mm_or_si128(_mm_unpacklo_epi32(v0, v1), _mm_unpackhi_epi32(v0, v1));
}

static inline uint64_t four_coloured(const float *rgba)
{
    const __m128i v01 = gather_two(rgba), v23 = gather_two(rgba + 8);
    const __m128i any =
        _mm_or_si128(_mm_unpacklo_epi64(v01, v23), _mm_unpackhi_epi64(v01, v23));
    const __m128i none = _mm_cmpeq_epi32(any, _mm_setzero_si128());
    return 0xfu ^ (uint64_t)_mm_movemask_ps(_mm_castsi128_ps(none));
}

static inline uint64_t eight_coloured(const float *rgba)
{
    return four_coloured(rgba) | four_coloured(rgba + 16) << 4;
}

static inline uint64_t four_with_depth(const float *depth)
{
    const __m128 finite = _mm_cmpneq_ps(load(depth), _mm_set1_ps(INFINITY));
    return (uint64_t)_mm_movemask_ps(finite);
}

static inline uint64_t eight_with_depth(const float *depth)
{
    return four_with_depth(depth) | four_with_depth(depth + 4) << 4;
}

#include "blend_simd.h"
