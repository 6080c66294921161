/* The vectors of a kernel (kernel.h), and what can be done with them. */
#ifndef TRACE_ADAMS_VECTORS_H
#define TRACE_ADAMS_VECTORS_H

#include <stdint.h>

#ifdef WIDE
#include <immintrin.h>
#endif
#include <stdbool.h>
#include <string.h>

/* Vectors never cross the border of a function that is not inlined. */
#pragma GCC diagnostic ignored "-Wpsabi"

/* A vertex has up to four numbers, a quad. A vector holds QUADS of them, or a number of
 * each of SPAN lanes: lanes n, n + STRIDE, … have a vector of quads together. */
#ifdef WIDE
enum { QUADS = 4 };
#else
enum { QUADS = 2 };
#endif
enum { STRIDE = 4, SPAN = STRIDE * QUADS };

typedef float vreal __attribute__((vector_size(4 * SPAN)));
typedef int32_t vint __attribute__((vector_size(4 * SPAN)));
typedef uint32_t vcount __attribute__((vector_size(4 * SPAN)));
typedef float vhalf __attribute__((vector_size(2 * SPAN)));
typedef double vwide __attribute__((vector_size(4 * SPAN)));

/* In every function's loop. */
#define IN_LOOP static inline __attribute__((always_inline))

IN_LOOP vreal load(const float *from)
{
    vreal a;
    memcpy(&a, from, sizeof a);
    return a;
}

IN_LOOP void store(float *to, vreal a)
{
    memcpy(to, &a, sizeof a);
}

IN_LOOP vint load_int(const int32_t *from)
{
    vint a;
    memcpy(&a, from, sizeof a);
    return a;
}

IN_LOOP vreal magnitude(vreal a)
{
    return (vreal)((vint)a & INT32_MAX);
}

/* ---- Masks ------------------------------------------------------------------------- */

#ifdef WIDE

typedef __mmask16 vmask;

IN_LOOP vmask full_mask(void)
{
    return 0xffff;
}

IN_LOOP vmask are_at_most(vreal a, vreal b)
{
    return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LE_OQ);
}

IN_LOOP vmask are_present(const int32_t *a)
{
    return (vmask)~_mm512_movepi32_mask(_mm512_loadu_si512(a));
}

IN_LOOP vmask both(vmask a, vmask b)
{
    return a & b;
}

IN_LOOP vmask either(vmask a, vmask b)
{
    return a | b;
}

IN_LOOP vmask opposite(vmask a)
{
    return (vmask)~a;
}

IN_LOOP vreal choose(vmask mask, vreal yes, vreal no)
{
    return (vreal)_mm512_mask_mov_ps((__m512)no, mask, (__m512)yes);
}

IN_LOOP uint32_t bits_of(vmask mask)
{
    return mask;
}

IN_LOOP bool is_all(vmask mask)
{
    return mask == 0xffff;
}

#else

typedef vint vmask; /* 0 or -1 */

IN_LOOP vmask full_mask(void)
{
    return (vmask){0} - 1;
}

IN_LOOP vmask are_at_most(vreal a, vreal b)
{
    return a <= b;
}

/* Whether numbers are not negative. */
IN_LOOP vmask are_present(const int32_t *a)
{
    return load_int(a) >= 0;
}

IN_LOOP vmask both(vmask a, vmask b)
{
    return a & b;
}

IN_LOOP vmask either(vmask a, vmask b)
{
    return a | b;
}

IN_LOOP vmask opposite(vmask a)
{
    return ~a;
}

IN_LOOP vreal choose(vmask mask, vreal yes, vreal no)
{
    return (vreal)(((vint)yes & mask) | ((vint)no & ~mask));
}

IN_LOOP uint32_t bits_of(vmask mask)
{
    uint32_t bits = 0;
    for (int n = 0; n < SPAN; n++) {
        bits |= (uint32_t)(mask[n] & 1) << n;
    }
    return bits;
}

IN_LOOP bool is_all(vmask mask)
{
    int64_t parts[SPAN / 2], all = -1;
    memcpy(parts, &mask, sizeof parts);
    for (int n = 0; n < SPAN / 2; n++) {
        all &= parts[n];
    }
    return all == -1;
}

#endif

/* ---- Permutations ------------------------------------------------------------------ */

#if defined PLAIN

IN_LOOP vhalf half(vreal a, int which)
{
    vhalf b;
    memcpy(&b, (const char *)&a + (size_t)which * sizeof b, sizeof b);
    return b;
}

IN_LOOP vreal join(vhalf low, vhalf high)
{
    vreal a;
    memcpy(&a, &low, sizeof low);
    memcpy((char *)&a + sizeof low, &high, sizeof high);
    return a;
}

/* Four times the number of lane n, then that of lane n + STRIDE. */
IN_LOOP vreal spread(vreal a, int n)
{
    vreal b;
    for (int c = 0; c < SPAN; c++) {
        b[c] = a[n + c / STRIDE * STRIDE];
    }
    return b;
}

/* Turns each quad of 4 x 4 numbers: vectors of quads become vectors of components. */
IN_LOOP void transpose(vreal row[4])
{
    vreal column[4];
    for (int n = 0; n < SPAN; n++) {
        for (int c = 0; c < 4; c++) {
            column[c][n] = row[n % 4][c + n / 4 * 4];
        }
    }
    memcpy(row, column, sizeof column);
}

#elif defined WIDE

IN_LOOP vhalf half(vreal a, int which)
{
    return which == 0 ? __builtin_shufflevector(a, a, 0, 1, 2, 3, 4, 5, 6, 7)
                      : __builtin_shufflevector(a, a, 8, 9, 10, 11, 12, 13, 14, 15);
}

IN_LOOP vreal join(vhalf low, vhalf high)
{
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
                                   13, 14, 15);
}

/* Four times the number of lane n, then that of lane n + STRIDE, … */
IN_LOOP vreal spread(vreal a, int n)
{
    return n == 0 ? __builtin_shufflevector(a, a, 0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12,
                                            12, 12, 12)
           : n == 1 ? __builtin_shufflevector(a, a, 1, 1, 1, 1, 5, 5, 5, 5, 9, 9, 9, 9,
                                              13, 13, 13, 13)
           : n == 2 ? __builtin_shufflevector(a, a, 2, 2, 2, 2, 6, 6, 6, 6, 10, 10, 10,
                                              10, 14, 14, 14, 14)
                    : __builtin_shufflevector(a, a, 3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11,
                                              11, 15, 15, 15, 15);
}

/* Turns each quad of 4 x 4 numbers: vectors of quads become vectors of components. */
IN_LOOP void transpose(vreal row[4])
{
    const vreal a = row[0], b = row[1], c = row[2], d = row[3];
    const vreal low01 = __builtin_shufflevector(a, b, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24,
                                                9, 25, 12, 28, 13, 29),
                low23 = __builtin_shufflevector(c, d, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24,
                                                9, 25, 12, 28, 13, 29),
                high01 = __builtin_shufflevector(a, b, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26,
                                                 11, 27, 14, 30, 15, 31),
                high23 = __builtin_shufflevector(c, d, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26,
                                                 11, 27, 14, 30, 15, 31);
    row[0] = __builtin_shufflevector(low01, low23, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24,
                                     25, 12, 13, 28, 29);
    row[1] = __builtin_shufflevector(low01, low23, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26,
                                     27, 14, 15, 30, 31);
    row[2] = __builtin_shufflevector(high01, high23, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24,
                                     25, 12, 13, 28, 29);
    row[3] = __builtin_shufflevector(high01, high23, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11,
                                     26, 27, 14, 15, 30, 31);
}

#else

IN_LOOP vhalf half(vreal a, int which)
{
    return which == 0 ? __builtin_shufflevector(a, a, 0, 1, 2, 3)
                      : __builtin_shufflevector(a, a, 4, 5, 6, 7);
}

IN_LOOP vreal join(vhalf low, vhalf high)
{
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}

/* Four times the number of lane n, then that of lane n + STRIDE. */
IN_LOOP vreal spread(vreal a, int n)
{
    return n == 0   ? __builtin_shufflevector(a, a, 0, 0, 0, 0, 4, 4, 4, 4)
           : n == 1 ? __builtin_shufflevector(a, a, 1, 1, 1, 1, 5, 5, 5, 5)
           : n == 2 ? __builtin_shufflevector(a, a, 2, 2, 2, 2, 6, 6, 6, 6)
                    : __builtin_shufflevector(a, a, 3, 3, 3, 3, 7, 7, 7, 7);
}

/* Turns each quad of 4 x 4 numbers: vectors of quads become vectors of components. */
IN_LOOP void transpose(vreal row[4])
{
    const vreal a = row[0], b = row[1], c = row[2], d = row[3];
    const vreal low01 = __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13),
                low23 = __builtin_shufflevector(c, d, 0, 8, 1, 9, 4, 12, 5, 13),
                high01 = __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15),
                high23 = __builtin_shufflevector(c, d, 2, 10, 3, 11, 6, 14, 7, 15);
    row[0] = __builtin_shufflevector(low01, low23, 0, 1, 8, 9, 4, 5, 12, 13);
    row[1] = __builtin_shufflevector(low01, low23, 2, 3, 10, 11, 6, 7, 14, 15);
    row[2] = __builtin_shufflevector(high01, high23, 0, 1, 8, 9, 4, 5, 12, 13);
    row[3] = __builtin_shufflevector(high01, high23, 2, 3, 10, 11, 6, 7, 14, 15);
}

#endif

/* Half of the numbers in double precision. */
IN_LOOP vwide widen(vreal a, int which)
{
#ifdef WIDE
    return (vwide)_mm512_cvtps_pd((__m256)half(a, which));
#else
    return __builtin_convertvector(half(a, which), vwide);
#endif
}

IN_LOOP vhalf narrow(vwide a)
{
#ifdef WIDE
    return (vhalf)_mm512_cvtpd_ps((__m512d)a);
#else
    return __builtin_convertvector(a, vhalf);
#endif
}

IN_LOOP vwide load_wide(const double *from)
{
    vwide a;
    memcpy(&a, from, sizeof a);
    return a;
}

/* Half of the numbers a + factor * b of all lanes. */
IN_LOOP vwide add_widely(const double *a, double factor, vreal b, int which)
{
    return load_wide(a + SPAN / 2 * which) + factor * widen(b, which);
}

IN_LOOP vreal load_narrow(const double *from)
{
    return join(narrow(load_wide(from)), narrow(load_wide(from + SPAN / 2)));
}

#endif
