/* Random numbers for tests: seeded, the same everywhere. */
#ifndef TESTS_UNIT_GRID_RANDOM_H
#define TESTS_UNIT_GRID_RANDOM_H

#include <stdint.h>

/* xorshift64*: Vigna, "An experimental exploration of Marsaglia's xorshift generators",
 * 2016. */
static inline uint64_t random_bits(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 2685821657736338717u;
}

/* From [lo, hi). */
static inline double random_between(uint64_t *state, double lo, double hi)
{
    return lo + (hi - lo) * ((double)(random_bits(state) >> 11) / 9007199254740992.0);
}

/* Three from [lo, hi), the last one drawn first. Three calls among the arguments of a
 * function would be three numbers in an order that each compiler chooses. */
static inline void random_three(uint64_t *state, double lo, double hi, double out[3])
{
    for (int n = 2; n >= 0; n--) {
        out[n] = random_between(state, lo, hi);
    }
}

/* From 0 to count - 1. */
static inline int random_below(uint64_t *state, int count)
{
    return (int)((random_bits(state) >> 33) % (uint64_t)count);
}

#endif
