/*
 * The choice among kernels that are compiled once for each width of lanes.h. A family of
 * kernels is a table: AVX-512 and AVX2 if the compiler supports them
 * (KARMAN_X86_KERNELS), vectors of four (KARMAN_FOUR_KERNELS), plain C, NULL. The kernels
 * that this processor can run begin at table + lanes_missing(), the fastest first.
 */
#ifndef BASE_LANES_CHOOSE_H
#define BASE_LANES_CHOOSE_H

#include <stdbool.h>

/* Number of kernels at the beginning of a table that this processor cannot run. */
static inline int lanes_missing(void)
{
#ifdef KARMAN_X86_KERNELS
    const bool has_avx512 =
        __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
    return has_avx512 ? 0 : __builtin_cpu_supports("avx2") ? 1 : 2;
#else
    return 0;
#endif
}

#endif
