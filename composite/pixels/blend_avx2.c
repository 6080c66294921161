/* The kernel for processors with AVX2: two pixels at a time. */
#include <immintrin.h>
#include <math.h>
#include <stdint.h>

#define KERNEL      composite_blend_avx2
#define KERNEL_NAME "avx2"
#define PIXELS      2

typedef __m256 pixels;

static inline pixels load(const float *from)
{
    return _mm256_loadu_ps(from);
}

static inline void store(float *to, pixels v)
{
    _mm256_storeu_ps(to, v);
}

static inline void stream(float *to, pixels v)
{
    _mm256_stream_ps(to, v);
}

static inline pixels ones(void)
{
    return _mm256_set1_ps(1.0f);
}

static inline pixels broadcast_alpha(pixels v)
{
    return _mm256_permute_ps(v, _MM_SHUFFLE(3, 3, 3, 3));
}

static inline pixels smaller(pixels a, pixels b)
{
    return _mm256_min_ps(a, b);
}

/* Blends by the sign, so the mask is only spread out: each lane to four. */
static inline void choose_two(const float *front, const float *back, __m256 behind,
                              __m256i spread, float *out)
{
    const __m256 mask = _mm256_permutevar8x32_ps(behind, spread);
    store(out, _mm256_blendv_ps(load(front), load(back), mask));
}

static inline void choose_four(const float *front, const float *back, __m128 behind,
                               float *out)
{
    const __m256 mask = _mm256_castps128_ps256(behind);
    choose_two(front, back, mask, _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1), out);
    choose_two(front + 8, back + 8, mask, _mm256_setr_epi32(2, 2, 2, 2, 3, 3, 3, 3),
               out + 8);
}

/* Halves of pixels 0 1 and 2 3 to 0 2 1 3, and back into order. */
static inline uint64_t four_coloured(const float *rgba)
{
    const __m256i v01 = _mm256_castps_si256(load(rgba)),
                  v23 = _mm256_castps_si256(load(rgba + 8));
    const __m256i any =
        _mm256_or_si256(_mm256_unpacklo_epi64(v01, v23), _mm256_unpackhi_epi64(v01, v23));
    const __m256i none = _mm256_permute4x64_epi64(
        _mm256_cmpeq_epi64(any, _mm256_setzero_si256()), _MM_SHUFFLE(3, 1, 2, 0));
    return 0xfu ^ (uint64_t)_mm256_movemask_pd(_mm256_castsi256_pd(none));
}

static inline uint64_t eight_coloured(const float *rgba)
{
    return four_coloured(rgba) | four_coloured(rgba + 16) << 4;
}

static inline uint64_t eight_with_depth(const float *depth)
{
    const __m256 infinity = _mm256_set1_ps(INFINITY);
    return (uint64_t)_mm256_movemask_ps(
        _mm256_cmp_ps(load(depth), infinity, _CMP_NEQ_UQ));
}

#include "blend_simd.h"
