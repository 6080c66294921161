/* The vectors of a kernel (kernel.h), and what can be done with them. */
#ifndef TRACE_ADAMS_VECTORS_H
#define TRACE_ADAMS_VECTORS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Vectors never cross the border of a function that is not inlined. */
#pragma GCC diagnostic ignored "-Wpsabi"

/* Lanes of a vector: a compiler divides vectors that the processor has not. */
enum { SPAN = 8 };

typedef float vreal __attribute__((vector_size(4 * SPAN)));
typedef int32_t vmask __attribute__((vector_size(4 * SPAN))); /* 0 or -1 */
typedef double vwide __attribute__((vector_size(8 * SPAN)));
typedef int64_t vwide_mask __attribute__((vector_size(8 * SPAN)));

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

IN_LOOP vwide load_wide(const double *from)
{
    vwide a;
    memcpy(&a, from, sizeof a);
    return a;
}

/* Whether numbers are not negative. */
IN_LOOP vmask are_present(const int32_t *from)
{
    vmask a;
    memcpy(&a, from, sizeof a);
    return a >= 0;
}

IN_LOOP vreal magnitude(vreal a)
{
    return (vreal)((vmask)a & INT32_MAX);
}

IN_LOOP vreal choose(vmask mask, vreal yes, vreal no)
{
    return (vreal)(((vmask)yes & mask) | ((vmask)no & ~mask));
}

/* A new value for the lanes of a mask. */
IN_LOOP void put(float *at, vmask mask, vreal a)
{
    store(at, choose(mask, a, load(at)));
}

IN_LOOP void put_wide(double *at, vmask mask, vwide a)
{
    const vwide_mask wide = __builtin_convertvector(mask, vwide_mask);
    const vwide b = (vwide)(((vwide_mask)a & wide) | ((vwide_mask)load_wide(at) & ~wide));
    memcpy(at, &b, sizeof b);
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
