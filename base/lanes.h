/*
 * Lanes: SIMD. One operation works on the numbers of many rays at a time.
 *
 * Code in terms of these types and functions works on LANES rays, for any instruction
 * set: 16 with AVX-512, 8 with AVX2, 4 with any vectors, 1 in plain C. The result of a
 * lane never depends on the other lanes and is rounded alike for every width: there are
 * no fused products, no approximate reciprocals, no sums across lanes. So all widths give
 * the same bits.
 *
 * vfloat and vint (32 bits) support the operators of C. vmask contains a truth value for
 * each lane and has functions of its own. A file that includes this header is compiled
 * with the options of one instruction set; everything here is static.
 */
#ifndef BASE_LANES_H
#define BASE_LANES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(LANES_FOUR)
#include "lanes/four.h"
#elif !defined(LANES_PLAIN) && defined(__AVX512F__) && defined(__AVX512DQ__)
#include "lanes/avx512.h"
#elif !defined(LANES_PLAIN) && defined(__AVX2__)
#include "lanes/avx2.h"
#else
#include "lanes/one.h"
#endif
#if LANES == 4 || LANES == 8
#include "lanes/vectors.h"
#endif

/*
 * Each of those headers, for four and eight lanes with vectors.h, defines
 *
 *     LANES
 *     vfloat lanes_float(float)              the same number in all lanes
 *     vint lanes_int(int32_t)
 *     vfloat lanes_load(const float *)       [LANES], aligned to a whole vector
 *     vint lanes_load_int(const int32_t *)
 *     void lanes_store(float *, vfloat)
 *     void lanes_store_int(int32_t *, vint)
 *
 *     vint lanes_bits(vfloat)                the bits of a number, and back
 *     vfloat lanes_from_bits(vint)
 *     vint lanes_truncate(vfloat)            to a whole number, towards zero
 *     vfloat lanes_convert(vint)             to the nearest number
 *     vfloat lanes_min(a, b), lanes_max(a, b)     a < b ? a : b, a > b ? a : b
 *     vfloat lanes_abs(a), lanes_sqrt(a)
 *     vfloat lanes_least_magnitude(a, b)     the smaller of |a| and |b|
 *     vint lanes_match(a, b, c, pattern)     bits that are those of pattern (4, 2, 1; one
 *                                            of 0, 1, 6 and 7) in a, b and c
 *
 *     vint lanes_shift_left(a, int n)        bits that leave are lost, n constant
 *
 *     vmask lanes_less(a, b), lanes_less_equal(a, b), lanes_equal(a, b)   of vfloat
 *     vmask lanes_equal_int(a, b), lanes_greater_int(a, b)
 *     vmask lanes_sign(vfloat)               lanes with the sign bit set
 *     vmask lanes_bit(vint, int n)           lanes with bit n set, n constant
 *     vmask lanes_and(a, b), lanes_or(a, b), lanes_and_not(a, b)   the last: a and not b
 *     unsigned lanes_mask_bits(vmask)        bit n: lane n
 *     vmask lanes_mask(unsigned bits)
 *     vfloat lanes_choose(vmask, if_set, if_clear)
 *     vint lanes_choose_int(vmask, if_set, if_clear)
 *
 *     vfloat lanes_take(vfloat, vint lane)   the number in another lane, 0 to LANES - 1
 *     vint lanes_gather(const int32_t *base, vint index)       base[index]
 *     vint lanes_gather_bytes(const uint8_t *base, vint index) base[index]; reads up to 3
 *                                            bytes beyond
 *     vint lanes_gather_shorts(const uint16_t *base, vint index)
 *                                            the same; reads up to 2 bytes beyond
 *     void lanes_load_rows(const float *base, const int32_t *at, vfloat out[8])
 *                                            out[n] = base[2 * at + n], n = 0 … 7.
 *                                            at[LANES] was stored long before: reading
 *                                            single lanes of a vector that has just been
 *                                            stored takes twice the time
 *     void lanes_load_fours(const float *base, const int32_t *at, vfloat out[4])
 *                                            the same for n = 0 … 3
 *     int lanes_append(int32_t *to, vint, vmask lanes)
 *                                            stores the numbers of some lanes one after
 *                                            the other and returns how many; may write
 *                                            up to LANES numbers
 *     void lanes_leave(void)                 clears the upper halves of vector registers.
 *                                            Call it before other code, which is up to
 *                                            twice as slow while they are in use. GCC 12
 *                                            forgets to clear them
 */

/*
 * All headers but lanes/plain.h, which has a single lane, also define functions for
 * pixels. Pixel n is the four lanes 4 n to 4 n + 3.
 *
 *     vfloat lanes_load_any(const float *)   [LANES], at any address
 *     void lanes_store_any(float *, vfloat)
 *     vfloat lanes_spread_alpha(vfloat)      the last lane of each four in all four
 *     vmask lanes_fours(vmask, int n)        of quarter n, constant, each lane four times
 *     unsigned lanes_any_of_fours(vint)      bit n: any of four n is not 0
 */

/* Functions that run in every step of many rays are inlined into their loop. */
#define IN_LOOP static inline __attribute__((always_inline))

enum { LANES_ALL = (1 << LANES) - 1 }; /* bits of a full mask */

static inline bool lanes_any(vmask mask)
{
    return lanes_mask_bits(mask) != 0;
}

static inline vfloat lanes_clamp(vfloat a, vfloat least, vfloat most)
{
    return lanes_min(lanes_max(a, least), most);
}

#endif
