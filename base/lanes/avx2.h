/* Eight lanes, for processors with AVX2. */
#ifndef BASE_LANES_AVX2_H
#define BASE_LANES_AVX2_H

#include <immintrin.h>

#define LANES 8

typedef __m256 vfloat;
typedef int32_t vint __attribute__((vector_size(32)));
typedef int32_t vmask __attribute__((vector_size(32))); /* 0 or -1 */

static inline vfloat lanes_float(float a)
{
    return _mm256_set1_ps(a);
}

static inline vint lanes_int(int32_t a)
{
    return (vint)_mm256_set1_epi32(a);
}

static inline vint lanes_truncate(vfloat a)
{
    return (vint)_mm256_cvttps_epi32(a);
}

static inline vfloat lanes_min(vfloat a, vfloat b)
{
    return _mm256_min_ps(a, b);
}

static inline vfloat lanes_max(vfloat a, vfloat b)
{
    return _mm256_max_ps(a, b);
}

static inline vfloat lanes_sqrt(vfloat a)
{
    return _mm256_sqrt_ps(a);
}

static inline vmask lanes_bit(vint a, int n)
{
    return (vmask)_mm256_srai_epi32(_mm256_slli_epi32((__m256i)a, 31 - n), 31);
}

static inline unsigned lanes_mask_bits(vmask mask)
{
    return (unsigned)_mm256_movemask_ps((__m256)mask);
}

static inline vmask lanes_mask(unsigned bits)
{
    const __m256i each = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    const __m256i chosen = _mm256_and_si256(_mm256_set1_epi32((int)bits), each);
    return (vmask)_mm256_cmpeq_epi32(chosen, each);
}

static inline vfloat lanes_choose(vmask mask, vfloat if_set, vfloat if_clear)
{
    return _mm256_blendv_ps(if_clear, if_set, (__m256)mask);
}

static inline vint lanes_choose_int(vmask mask, vint if_set, vint if_clear)
{
    return (vint)_mm256_blendv_ps((__m256)if_clear, (__m256)if_set, (__m256)mask);
}

static inline vfloat lanes_take(vfloat a, vint lane)
{
    return (vfloat)_mm256_permutevar8x32_ps((__m256)a, (__m256i)lane);
}

static inline vint lanes_gather(const int32_t *base, vint index)
{
    return (vint)_mm256_i32gather_epi32(base, (__m256i)index, 4);
}

static inline vint lanes_gather_bytes(const uint8_t *base, vint index)
{
    return (vint)_mm256_i32gather_epi32((const int *)(const void *)base, (__m256i)index,
                                        1) &
           0xff;
}

static inline vint lanes_gather_shorts(const uint16_t *base, vint index)
{
    return (vint)_mm256_i32gather_epi32((const int *)(const void *)base, (__m256i)index,
                                        2) &
           0xffff;
}

/* Transposes eight rows by four: 4 x 4 within 128 bits. */
static inline void lanes_load_fours(const float *base, const int32_t *at, vfloat out[4])
{
    __m256 row[4];
    for (int n = 0; n < 4; n++) {
        const float *a = base + 2 * (int64_t)at[n], *b = base + 2 * (int64_t)at[n + 4];
        row[n] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(a)),
                                      _mm_loadu_ps(b), 1);
    }
    const __m256d lo01 = (__m256d)_mm256_unpacklo_ps(row[0], row[1]);
    const __m256d hi01 = (__m256d)_mm256_unpackhi_ps(row[0], row[1]);
    const __m256d lo23 = (__m256d)_mm256_unpacklo_ps(row[2], row[3]);
    const __m256d hi23 = (__m256d)_mm256_unpackhi_ps(row[2], row[3]);
    out[0] = (__m256)_mm256_unpacklo_pd(lo01, lo23);
    out[1] = (__m256)_mm256_unpackhi_pd(lo01, lo23);
    out[2] = (__m256)_mm256_unpacklo_pd(hi01, hi23);
    out[3] = (__m256)_mm256_unpackhi_pd(hi01, hi23);
}

static inline void lanes_leave(void)
{
    _mm256_zeroupper();
}

static inline vfloat lanes_load_any(const float *from)
{
    return _mm256_loadu_ps(from);
}

static inline void lanes_store_any(float *to, vfloat a)
{
    _mm256_storeu_ps(to, a);
}

static inline vfloat lanes_spread_alpha(vfloat a)
{
    return _mm256_permute_ps(a, _MM_SHUFFLE(3, 3, 3, 3));
}

static inline vmask lanes_fours(vmask mask, int n)
{
    const __m256i each_four_times = _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1);
    const __m256i from = _mm256_add_epi32(each_four_times, _mm256_set1_epi32(2 * n));
    return (vmask)_mm256_permutevar8x32_epi32((__m256i)mask, from);
}

static inline unsigned lanes_any_of_fours(vint a)
{
    const __m256i none = _mm256_cmpeq_epi64((__m256i)a, _mm256_setzero_si256());
    unsigned any = 0xfu ^ (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(none));
    any = (any | any >> 1) & 5;
    return (any | any >> 1) & 3;
}

#endif
