/* What four and eight lanes have in common: the operators of the vectors of GCC and
 * Clang. Whoever includes it has defined the rest of base/lanes.h. */
#ifndef BASE_LANES_VECTORS_H
#define BASE_LANES_VECTORS_H

static inline vfloat lanes_load(const float *from)
{
    return *(const vfloat *)(const void *)from;
}

static inline vint lanes_load_int(const int32_t *from)
{
    return *(const vint *)(const void *)from;
}

static inline void lanes_store(float *to, vfloat a)
{
    *(vfloat *)(void *)to = a;
}

static inline void lanes_store_int(int32_t *to, vint a)
{
    *(vint *)(void *)to = a;
}

static inline vint lanes_bits(vfloat a)
{
    return (vint)a;
}

static inline vfloat lanes_from_bits(vint a)
{
    return (vfloat)a;
}

static inline vfloat lanes_convert(vint a)
{
    return __builtin_convertvector(a, vfloat);
}

static inline vfloat lanes_abs(vfloat a)
{
    return (vfloat)((vint)a & INT32_MAX);
}

static inline vfloat lanes_least_magnitude(vfloat a, vfloat b)
{
    return lanes_min(lanes_abs(a), lanes_abs(b));
}

static inline vint lanes_match(vint a, vint b, vint c, int pattern)
{
    return (pattern & 4 ? a : ~a) & (pattern & 2 ? b : ~b) & (pattern & 1 ? c : ~c);
}

static inline vint lanes_shift_left(vint a, int n)
{
    return a << n;
}

static inline vmask lanes_less(vfloat a, vfloat b)
{
    return a < b;
}

static inline vmask lanes_less_equal(vfloat a, vfloat b)
{
    return a <= b;
}

static inline vmask lanes_equal(vfloat a, vfloat b)
{
    return a == b;
}

static inline vmask lanes_equal_int(vint a, vint b)
{
    return a == b;
}

static inline vmask lanes_greater_int(vint a, vint b)
{
    return a > b;
}

static inline vmask lanes_sign(vfloat a)
{
    return (vint)a < 0;
}

static inline vmask lanes_and(vmask a, vmask b)
{
    return a & b;
}

static inline vmask lanes_or(vmask a, vmask b)
{
    return a | b;
}

static inline vmask lanes_and_not(vmask a, vmask b)
{
    return a & ~b;
}

static inline void lanes_load_rows(const float *base, const int32_t *at, vfloat out[8])
{
    lanes_load_fours(base, at, out);
    lanes_load_fours(base + 4, at, out + 4);
}

static inline int lanes_append(int32_t *to, vint a, vmask lanes)
{
    const unsigned bits = lanes_mask_bits(lanes);
    int count = 0;
    for (int n = 0; n < LANES; n++) {
        to[count] = a[n];
        count += (int)(bits >> n & 1);
    }
    return count;
}

#endif
