#include "sum.h"

#include "base/parallel/parallel.h"

#include <math.h>
#include <string.h>

#define LOW UINT64_C(0xffffffff)

enum { LEAST_EXPONENT = -1074, FRACTION = 52, MOST_ADDS = 1 << 29 };

/* Passes carries on: each limb but the last becomes one of 32 bits. */
static void carry(measure_sum *sum)
{
    int64_t more = 0;
    for (int n = 0; n < MEASURE_LIMBS - 1; n++) {
        const int64_t all = sum->limb[n] + more;
        sum->limb[n] = (int64_t)((uint64_t)all & LOW);
        more = (all - sum->limb[n]) / ((int64_t)LOW + 1);
    }
    sum->limb[MEASURE_LIMBS - 1] += more;
    sum->adds = 0;
}

void measure_sum_add(measure_sum *sum, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const int exponent = (int)(bits >> FRACTION & 2047);
    const uint64_t fraction = bits & ((UINT64_C(1) << FRACTION) - 1);
    const uint64_t whole = exponent ? fraction | UINT64_C(1) << FRACTION : fraction;
    const int shift = exponent ? exponent - 1 : 0;
    const uint64_t low = (whole & LOW) << shift % 32, high = whole >> 32 << shift % 32;
    const int64_t sign = bits >> 63 ? -1 : 1;
    int64_t *limb = sum->limb + shift / 32;
    limb[0] += sign * (int64_t)(low & LOW);
    limb[1] += sign * (int64_t)((low >> 32) + (high & LOW));
    limb[2] += sign * (int64_t)(high >> 32);
    if (++sum->adds == MOST_ADDS) {
        carry(sum);
    }
}

void measure_sum_join(measure_sum *sum, measure_sum *other)
{
    carry(sum);
    carry(other);
    for (int n = 0; n < MEASURE_LIMBS; n++) {
        sum->limb[n] += other->limb[n];
    }
    carry(sum);
}

void measure_sum_share(MPI_Comm comm, int count, measure_sum *sums)
{
    for (int n = 0; n < count; n++) {
        int64_t all[MEASURE_LIMBS];
        carry(&sums[n]);
        parallel_allreduce(sums[n].limb, all, MEASURE_LIMBS, MPI_INT64_T, MPI_SUM, comm);
        memcpy(sums[n].limb, all, sizeof all);
        carry(&sums[n]);
    }
}

double measure_sum_value(measure_sum *sum)
{
    enum { PARTS = 4 }; /* more than the digits of a double */
    measure_sum size = *sum;
    carry(&size);
    const double sign = size.limb[MEASURE_LIMBS - 1] < 0 ? -1.0 : 1.0;
    for (int n = 0; n < MEASURE_LIMBS && sign < 0.0; n++) {
        size.limb[n] = -size.limb[n];
    }
    carry(&size);
    int top = MEASURE_LIMBS - 1;
    while (top > 0 && size.limb[top] == 0) {
        top--;
    }
    double value = 0.0;
    for (int n = top < PARTS ? 0 : top - PARTS + 1; n <= top; n++) {
        value += ldexp((double)size.limb[n], 32 * n + LEAST_EXPONENT);
    }
    return sign * value;
}
