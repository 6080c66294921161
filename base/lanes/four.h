/*
 * Four lanes, with the vectors of GCC and Clang: SSE2 on every x86-64 machine, NEON on
 * ARM. Operations that the compilers do not vectorize well use SSE2 intrinsics if
 * available.
 */
#ifndef BASE_LANES_FOUR_H
#define BASE_LANES_FOUR_H

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define LANES 4

typedef float vfloat __attribute__((vector_size(16)));
typedef int32_t vint __attribute__((vector_size(16)));
typedef int32_t vmask __attribute__((vector_size(16))); /* 0 or -1 */

static inline vfloat lanes_float(float a)
{
    return (vfloat){a, a, a, a};
}

static inline vint lanes_int(int32_t a)
{
    return (vint){a, a, a, a};
}

static inline vmask lanes_bit(vint a, int n)
{
    const int bit = 1 << n;
    return (a & (vint){bit, bit, bit, bit}) != 0;
}

static inline vint lanes_choose_int(vmask mask, vint if_set, vint if_clear)
{
    return (mask & if_set) | (~mask & if_clear);
}

static inline vfloat lanes_choose(vmask mask, vfloat if_set, vfloat if_clear)
{
    return (vfloat)lanes_choose_int(mask, (vint)if_set, (vint)if_clear);
}

static inline vmask lanes_mask(unsigned bits)
{
    const vint each = {1, 2, 4, 8};
    return (lanes_int((int32_t)bits) & each) != 0;
}

#ifdef __SSE2__
static inline unsigned lanes_mask_bits(vmask mask)
{
    return (unsigned)_mm_movemask_ps((__m128)mask);
}

static inline vfloat lanes_min(vfloat a, vfloat b)
{
    return _mm_min_ps(a, b);
}

static inline vfloat lanes_max(vfloat a, vfloat b)
{
    return _mm_max_ps(a, b);
}

static inline vfloat lanes_sqrt(vfloat a)
{
    return _mm_sqrt_ps(a);
}

static inline vint lanes_truncate(vfloat a)
{
    return (vint)_mm_cvttps_epi32(a);
}
#else
static inline unsigned lanes_mask_bits(vmask mask)
{
    const vint bits = mask & (vint){1, 2, 4, 8};
    return (unsigned)(bits[0] | bits[1] | bits[2] | bits[3]);
}

static inline vfloat lanes_min(vfloat a, vfloat b)
{
    return lanes_choose(a < b, a, b);
}

static inline vfloat lanes_max(vfloat a, vfloat b)
{
    return lanes_choose(a > b, a, b);
}

static inline vfloat lanes_sqrt(vfloat a)
{
    return (vfloat){sqrtf(a[0]), sqrtf(a[1]), sqrtf(a[2]), sqrtf(a[3])};
}

/* As on x86: a number out of range becomes the smallest integer. */
static inline vint lanes_truncate(vfloat a)
{
    const vmask fits = (a >= -0x1p31f) & (a < 0x1p31f);
    const vint whole = __builtin_convertvector((vfloat)((vint)a & fits), vint);
    return lanes_choose_int(fits, whole, lanes_int(INT32_MIN));
}

#endif

static inline vfloat lanes_take(vfloat a, vint lane)
{
    return (vfloat){a[lane[0]], a[lane[1]], a[lane[2]], a[lane[3]]};
}

static inline vint lanes_gather(const int32_t *base, vint index)
{
    return (vint){base[index[0]], base[index[1]], base[index[2]], base[index[3]]};
}

static inline vint lanes_gather_bytes(const uint8_t *base, vint index)
{
    return (vint){base[index[0]], base[index[1]], base[index[2]], base[index[3]]};
}

static inline vint lanes_gather_shorts(const uint16_t *base, vint index)
{
    return (vint){base[index[0]], base[index[1]], base[index[2]], base[index[3]]};
}

/* Transposes four rows of eight, half by half. */
static inline void lanes_load_fours(const float *base, const int32_t *at, vfloat out[4])
{
    vfloat row[4];
    for (int n = 0; n < 4; n++) {
        memcpy(&row[n], base + 2 * (int64_t)at[n], sizeof row[n]);
    }
    const vfloat low01 = __builtin_shufflevector(row[0], row[1], 0, 4, 1, 5),
                 high01 = __builtin_shufflevector(row[0], row[1], 2, 6, 3, 7),
                 low23 = __builtin_shufflevector(row[2], row[3], 0, 4, 1, 5),
                 high23 = __builtin_shufflevector(row[2], row[3], 2, 6, 3, 7);
    out[0] = __builtin_shufflevector(low01, low23, 0, 1, 4, 5);
    out[1] = __builtin_shufflevector(low01, low23, 2, 3, 6, 7);
    out[2] = __builtin_shufflevector(high01, high23, 0, 1, 4, 5);
    out[3] = __builtin_shufflevector(high01, high23, 2, 3, 6, 7);
}

static inline void lanes_leave(void)
{
}

static inline vfloat lanes_load_any(const float *from)
{
    vfloat a;
    memcpy(&a, from, sizeof a);
    return a;
}

static inline void lanes_store_any(float *to, vfloat a)
{
    memcpy(to, &a, sizeof a);
}

static inline vfloat lanes_spread_alpha(vfloat a)
{
    return __builtin_shufflevector(a, a, 3, 3, 3, 3);
}

static inline vmask lanes_fours(vmask mask, int n)
{
    return (vmask){mask[n], mask[n], mask[n], mask[n]};
}

static inline unsigned lanes_any_of_fours(vint a)
{
    return lanes_mask_bits(a != 0) != 0;
}

#endif
