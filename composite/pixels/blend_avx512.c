/* The kernel for processors with AVX-512: four pixels at a time. */
#include <immintrin.h>
#include <math.h>
#include <stdint.h>

#define KERNEL      composite_blend_avx512
#define KERNEL_NAME "avx512"
#define PIXELS      4

typedef __m512 pixels;

static inline pixels load(const float *from)
{
    return _mm512_loadu_ps(from);
}

static inline void store(float *to, pixels v)
{
    _mm512_storeu_ps(to, v);
}

static inline void stream(float *to, pixels v)
{
    _mm512_stream_ps(to, v);
}

static inline pixels ones(void)
{
    return _mm512_set1_ps(1.0f);
}

static inline pixels broadcast_alpha(pixels v)
{
    return _mm512_permute_ps(v, _MM_SHUFFLE(3, 3, 3, 3));
}

static inline pixels smaller(pixels a, pixels b)
{
    return _mm512_min_ps(a, b);
}

static inline void choose_four(const float *front, const float *back, __m128 behind,
                               float *out)
{
    const __m512i each_four_times =
        _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
    const __m512i spread = _mm512_permutexvar_epi32(
        each_four_times, _mm512_castsi128_si512(_mm_castps_si128(behind)));
    const __mmask16 mask = _mm512_test_epi32_mask(spread, spread);
    store(out, _mm512_mask_blend_ps(mask, load(front), load(back)));
}

/* The lower halves of eight pixels beside the upper ones. */
static inline uint64_t eight_coloured(const float *rgba)
{
    const __m512i lower = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
    const __m512i upper = _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15);
    const __m512i v0 = _mm512_castps_si512(load(rgba)),
                  v4 = _mm512_castps_si512(load(rgba + 16));
    const __m512i any = _mm512_or_si512(_mm512_permutex2var_epi64(v0, lower, v4),
                                        _mm512_permutex2var_epi64(v0, upper, v4));
    return (uint64_t)_mm512_test_epi64_mask(any, any);
}

static inline uint64_t eight_with_depth(const float *depth)
{
    const __m256 infinity = _mm256_set1_ps(INFINITY);
    return (uint64_t)_mm256_movemask_ps(
        _mm256_cmp_ps(_mm256_loadu_ps(depth), infinity, _CMP_NEQ_UQ));
}

#include "blend_simd.h"
