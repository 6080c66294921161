/* One lane in plain C: it runs on every machine, and the other widths are tested against
 * it. */
#ifndef BASE_LANES_ONE_H
#define BASE_LANES_ONE_H

#define LANES 1

typedef float vfloat;
typedef int32_t vint;
typedef unsigned vmask; /* 0 or 1 */

static inline vfloat lanes_float(float a)
{
    return a;
}

static inline vint lanes_int(int32_t a)
{
    return a;
}

static inline vfloat lanes_load(const float *from)
{
    return *from;
}

static inline vint lanes_load_int(const int32_t *from)
{
    return *from;
}

static inline void lanes_store(float *to, vfloat a)
{
    *to = a;
}

static inline void lanes_store_int(int32_t *to, vint a)
{
    *to = a;
}

static inline vint lanes_bits(vfloat a)
{
    vint bits;
    memcpy(&bits, &a, sizeof bits);
    return bits;
}

static inline vfloat lanes_from_bits(vint a)
{
    vfloat number;
    memcpy(&number, &a, sizeof number);
    return number;
}

/* Like the vector instructions: a number out of range becomes the smallest integer. */
static inline vint lanes_truncate(vfloat a)
{
    return a > -2147483648.0f && a < 2147483648.0f ? (vint)a : INT32_MIN;
}

static inline vfloat lanes_convert(vint a)
{
    return (vfloat)a;
}

static inline vfloat lanes_min(vfloat a, vfloat b)
{
    return a < b ? a : b;
}

static inline vfloat lanes_max(vfloat a, vfloat b)
{
    return a > b ? a : b;
}

static inline vfloat lanes_abs(vfloat a)
{
    return fabsf(a);
}

static inline vfloat lanes_sqrt(vfloat a)
{
    return sqrtf(a);
}

static inline vfloat lanes_least_magnitude(vfloat a, vfloat b)
{
    return fminf(fabsf(a), fabsf(b));
}

static inline vint lanes_match(vint a, vint b, vint c, int pattern)
{
    return (pattern & 4 ? a : ~a) & (pattern & 2 ? b : ~b) & (pattern & 1 ? c : ~c);
}

static inline vint lanes_shift_left(vint a, int n)
{
    return (vint)((uint32_t)a << n);
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
    return lanes_bits(a) < 0;
}

static inline vmask lanes_bit(vint a, int n)
{
    return (a >> n & 1) != 0;
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

static inline unsigned lanes_mask_bits(vmask mask)
{
    return mask;
}

static inline vmask lanes_mask(unsigned bits)
{
    return bits & 1u;
}

static inline vfloat lanes_choose(vmask mask, vfloat if_set, vfloat if_clear)
{
    return mask ? if_set : if_clear;
}

static inline vint lanes_choose_int(vmask mask, vint if_set, vint if_clear)
{
    return mask ? if_set : if_clear;
}

static inline vfloat lanes_take(vfloat a, vint lane)
{
    (void)lane;
    return a;
}

static inline vint lanes_gather(const int32_t *base, vint index)
{
    return base[index];
}

static inline int lanes_append(int32_t *to, vint a, vmask lanes)
{
    to[0] = a;
    return lanes ? 1 : 0;
}

static inline vint lanes_gather_bytes(const uint8_t *base, vint index)
{
    return base[index];
}

static inline vint lanes_gather_shorts(const uint16_t *base, vint index)
{
    return base[index];
}

static inline void lanes_load_rows(const float *base, const int32_t *at, vfloat out[8])
{
    memcpy(out, base + 2 * (int64_t)at[0], 8 * sizeof *out);
}

static inline void lanes_load_fours(const float *base, const int32_t *at, vfloat out[4])
{
    memcpy(out, base + 2 * (int64_t)at[0], 4 * sizeof *out);
}

static inline void lanes_leave(void)
{
}

#endif
