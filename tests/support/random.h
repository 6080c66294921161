/* Random numbers for tests: seeded, the same on every machine. */
#ifndef TESTS_SUPPORT_RANDOM_H
#define TESTS_SUPPORT_RANDOM_H

#include <stdint.h>

/* The state of a sequence of its own for each seed and number. It is never 0, a state
 * that xorshift never leaves. splitmix64: G. L. Steele, D. Lea, C. H. Flood, "Fast
 * splittable pseudorandom number generators", 2014. S. Vigna starts xorshift in this
 * way. */
static inline uint64_t random_start(uint64_t seed, uint64_t number)
{
    uint64_t x = seed + (number + 1) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    x ^= x >> 31;
    return x != 0 ? x : 1;
}

/* xorshift64*: S. Vigna, "An experimental exploration of Marsaglia's xorshift
 * generators", 2016. The state is not 0. */
static inline uint64_t random_bits(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 2685821657736338717u;
}

/* The upper bits, which are the better ones. */
static inline uint32_t random_word(uint64_t *state)
{
    return (uint32_t)(random_bits(state) >> 32);
}

/* From [lo, hi). */
static inline double random_between(uint64_t *state, double lo, double hi)
{
    return lo + (hi - lo) * ((double)(random_bits(state) >> 11) / 9007199254740992.0);
}

/* Three numbers from [lo, hi); the last is drawn first. Three calls as arguments of one
 * function would be evaluated in an order that each compiler chooses. */
static inline void random_three(uint64_t *state, double lo, double hi, double out[3])
{
    for (int n = 2; n >= 0; n--) {
        out[n] = random_between(state, lo, hi);
    }
}

/* From 0 to count - 1. */
static inline int random_below(uint64_t *state, int count)
{
    return (int)((uint32_t)(random_bits(state) >> 33) % (uint32_t)count);
}

#endif
