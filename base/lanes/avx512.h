/* Sixteen lanes, for processors with AVX-512 (F and DQ). */
#ifndef BASE_LANES_AVX512_H
#define BASE_LANES_AVX512_H

#include <immintrin.h>

/* Without optimization some intrinsics are macros that cast. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"

#define LANES 16

typedef __m512 vfloat;
typedef int32_t vint __attribute__((vector_size(64)));
typedef __mmask16 vmask;

static inline vfloat lanes_float(float a)
{
    return _mm512_set1_ps(a);
}

static inline vint lanes_int(int32_t a)
{
    return (vint)_mm512_set1_epi32(a);
}

static inline vfloat lanes_load(const float *from)
{
    return _mm512_load_ps(from);
}

static inline vint lanes_load_int(const int32_t *from)
{
    return (vint)_mm512_load_si512(from);
}

static inline void lanes_store(float *to, vfloat a)
{
    _mm512_store_ps(to, a);
}

static inline void lanes_store_int(int32_t *to, vint a)
{
    _mm512_store_si512(to, (__m512i)a);
}

static inline vint lanes_bits(vfloat a)
{
    return (vint)_mm512_castps_si512(a);
}

static inline vfloat lanes_from_bits(vint a)
{
    return _mm512_castsi512_ps((__m512i)a);
}

static inline vint lanes_truncate(vfloat a)
{
    return (vint)_mm512_cvttps_epi32(a);
}

static inline vfloat lanes_convert(vint a)
{
    return _mm512_cvtepi32_ps((__m512i)a);
}

static inline vfloat lanes_min(vfloat a, vfloat b)
{
    return _mm512_min_ps(a, b);
}

static inline vfloat lanes_max(vfloat a, vfloat b)
{
    return _mm512_max_ps(a, b);
}

static inline vfloat lanes_abs(vfloat a)
{
    return _mm512_abs_ps(a);
}

static inline vfloat lanes_sqrt(vfloat a)
{
    return _mm512_sqrt_ps(a);
}

static inline vfloat lanes_least_magnitude(vfloat a, vfloat b)
{
    return _mm512_range_ps(a, b, 0x0a);
}

static inline vint lanes_match(vint a, vint b, vint c, int pattern)
{
    const __m512i x = (__m512i)a, y = (__m512i)b, z = (__m512i)c;
    switch (pattern) {
    case 0:
        return (vint)_mm512_ternarylogic_epi32(x, y, z, 1 << 0);
    case 1:
        return (vint)_mm512_ternarylogic_epi32(x, y, z, 1 << 1);
    case 6:
        return (vint)_mm512_ternarylogic_epi32(x, y, z, 1 << 6);
    default:
        return (vint)_mm512_ternarylogic_epi32(x, y, z, 1 << 7);
    }
}

static inline vint lanes_shift_left(vint a, int n)
{
    return a << n;
}

static inline vmask lanes_less(vfloat a, vfloat b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ);
}

static inline vmask lanes_less_equal(vfloat a, vfloat b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ);
}

static inline vmask lanes_equal(vfloat a, vfloat b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ);
}

static inline vmask lanes_equal_int(vint a, vint b)
{
    return _mm512_cmpeq_epi32_mask((__m512i)a, (__m512i)b);
}

static inline vmask lanes_greater_int(vint a, vint b)
{
    return _mm512_cmpgt_epi32_mask((__m512i)a, (__m512i)b);
}

static inline vmask lanes_sign(vfloat a)
{
    return _mm512_movepi32_mask(_mm512_castps_si512(a));
}

static inline vmask lanes_bit(vint a, int n)
{
    return _mm512_test_epi32_mask((__m512i)a, _mm512_set1_epi32(1 << n));
}

static inline vmask lanes_and(vmask a, vmask b)
{
    return _kand_mask16(a, b);
}

static inline vmask lanes_or(vmask a, vmask b)
{
    return _kor_mask16(a, b);
}

static inline vmask lanes_and_not(vmask a, vmask b)
{
    return _kandn_mask16(b, a);
}

static inline unsigned lanes_mask_bits(vmask mask)
{
    return mask;
}

static inline vmask lanes_mask(unsigned bits)
{
    return (vmask)bits;
}

static inline vfloat lanes_choose(vmask mask, vfloat if_set, vfloat if_clear)
{
    return _mm512_mask_blend_ps(mask, if_clear, if_set);
}

static inline vint lanes_choose_int(vmask mask, vint if_set, vint if_clear)
{
    return (vint)_mm512_mask_blend_epi32(mask, (__m512i)if_clear, (__m512i)if_set);
}

static inline vfloat lanes_take(vfloat a, vint lane)
{
    return (vfloat)_mm512_permutexvar_ps((__m512i)lane, (__m512)a);
}

static inline vint lanes_gather(const int32_t *base, vint index)
{
    return (vint)_mm512_i32gather_epi32((__m512i)index, base, 4);
}

static inline int lanes_append(int32_t *to, vint a, vmask lanes)
{
    /* Compressing to memory is slow on some processors. */
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi32(lanes, (__m512i)a));
    return __builtin_popcount(lanes);
}

static inline vint lanes_gather_bytes(const uint8_t *base, vint index)
{
    return (vint)_mm512_i32gather_epi32((__m512i)index, base, 1) & 0xff;
}

static inline vint lanes_gather_shorts(const uint16_t *base, vint index)
{
    return (vint)_mm512_i32gather_epi32((__m512i)index, base, 2) & 0xffff;
}

/* Transposes sixteen rows by four. A vector contains the rows of four lanes, four apart:
 * 4 x 4 within 128 bits. */
static inline void lanes_load_fours(const float *base, const int32_t *at, vfloat out[4])
{
    __m512 row[4];
#pragma GCC unroll 4
    for (int n = 0; n < 4; n++) {
        row[n] = _mm512_castps128_ps512(_mm_loadu_ps(base + 2 * (int64_t)at[n]));
        row[n] = _mm512_mask_broadcast_f32x4(row[n], 0x00f0,
                                             _mm_loadu_ps(base + 2 * (int64_t)at[n + 4]));
        row[n] = _mm512_mask_broadcast_f32x4(row[n], 0x0f00,
                                             _mm_loadu_ps(base + 2 * (int64_t)at[n + 8]));
        row[n] = _mm512_mask_broadcast_f32x4(
            row[n], 0xf000, _mm_loadu_ps(base + 2 * (int64_t)at[n + 12]));
    }
    const __m512d lo01 = (__m512d)_mm512_unpacklo_ps(row[0], row[1]);
    const __m512d hi01 = (__m512d)_mm512_unpackhi_ps(row[0], row[1]);
    const __m512d lo23 = (__m512d)_mm512_unpacklo_ps(row[2], row[3]);
    const __m512d hi23 = (__m512d)_mm512_unpackhi_ps(row[2], row[3]);
    out[0] = (__m512)_mm512_unpacklo_pd(lo01, lo23);
    out[1] = (__m512)_mm512_unpackhi_pd(lo01, lo23);
    out[2] = (__m512)_mm512_unpacklo_pd(hi01, hi23);
    out[3] = (__m512)_mm512_unpackhi_pd(hi01, hi23);
}

static inline __m512 lanes_load_two(const float *low, const float *high)
{
    return (__m512)_mm512_insertf64x4(
        _mm512_castpd256_pd512((__m256d)_mm256_loadu_ps(low)),
        (__m256d)_mm256_loadu_ps(high), 1);
}

/*
 * Transposes sixteen rows by eight. A vector contains the rows of two lanes, four apart.
 * Within 128 bits four such vectors are transposed 4 x 4:
 *
 *     lanes 0 to 3, columns 0 to 3 | the same, 4 to 7 | lanes 4 to 7, 0 to 3 | 4 to 7
 *
 * Then the halves of both groups of eight lanes are joined.
 */
static inline void lanes_load_rows(const float *base, const int32_t *at, vfloat out[8])
{
    __m512 column[2][4];
#pragma GCC unroll 2
    for (int group = 0; group < 2; group++) {
        const int32_t *a = at + 8 * group;
        __m512 row[4];
#pragma GCC unroll 4
        for (int n = 0; n < 4; n++) {
            row[n] =
                lanes_load_two(base + 2 * (int64_t)a[n], base + 2 * (int64_t)a[n + 4]);
        }
        __m512d lo01 = (__m512d)_mm512_unpacklo_ps(row[0], row[1]);
        __m512d hi01 = (__m512d)_mm512_unpackhi_ps(row[0], row[1]);
        __m512d lo23 = (__m512d)_mm512_unpacklo_ps(row[2], row[3]);
        __m512d hi23 = (__m512d)_mm512_unpackhi_ps(row[2], row[3]);
        column[group][0] = (__m512)_mm512_unpacklo_pd(lo01, lo23);
        column[group][1] = (__m512)_mm512_unpackhi_pd(lo01, lo23);
        column[group][2] = (__m512)_mm512_unpacklo_pd(hi01, hi23);
        column[group][3] = (__m512)_mm512_unpackhi_pd(hi01, hi23);
    }
#pragma GCC unroll 4
    for (int n = 0; n < 4; n++) {
        out[n] = _mm512_shuffle_f32x4(column[0][n], column[1][n], 0x88);
        out[n + 4] = _mm512_shuffle_f32x4(column[0][n], column[1][n], 0xdd);
    }
}

static inline void lanes_leave(void)
{
    _mm256_zeroupper();
}

#pragma GCC diagnostic pop

static inline vfloat lanes_load_any(const float *from)
{
    return _mm512_loadu_ps(from);
}

static inline void lanes_store_any(float *to, vfloat a)
{
    _mm512_storeu_ps(to, a);
}

static inline vfloat lanes_spread_alpha(vfloat a)
{
    return _mm512_permute_ps(a, _MM_SHUFFLE(3, 3, 3, 3));
}

static inline vmask lanes_fours(vmask mask, int n)
{
    const __m512i each_four_times =
        _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
    const __m512i from = _mm512_add_epi32(each_four_times, _mm512_set1_epi32(4 * n));
    return _mm512_movepi32_mask(_mm512_permutexvar_epi32(from, _mm512_movm_epi32(mask)));
}

static inline unsigned lanes_any_of_fours(vint a)
{
    unsigned any = _mm512_test_epi64_mask((__m512i)a, (__m512i)a); /* of each two */
    any = (any | any >> 1) & 0x55;
    any = (any | any >> 1) & 0x33;
    return (any | any >> 2) & 0xf;
}

#endif
