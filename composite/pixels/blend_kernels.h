/*
 * The inner loops of blending and encoding, once for each instruction set. All give the
 * same bits; only which of two NaNs comes out is left open. Private to composite/.
 */
#ifndef COMPOSITE_PIXELS_BLEND_KERNELS_H
#define COMPOSITE_PIXELS_BLEND_KERNELS_H

#include <stdint.h>

/* Most pixels that `active` looks at: as many as fit in its bits. */
enum { BLEND_ACTIVE_MOST = 64 };

/* Pixels that are read: colours [count][4], and depths [count]. */
typedef struct blend_source {
    const float *rgba, *depth;
} blend_source;

/* Results may take the place of an input, but overlap none otherwise. Local. */
typedef struct blend_kernel {
    const char *name;

    /* out = front over back, [count][4] each. */
    void (*over)(int64_t count, const float *front, const float *back, float *out);

    /* out = the smaller one, [count] each; b where they are equal or one is NaN. */
    void (*depth)(int64_t count, const float *a, const float *b, float *out);

    /* The nearer pixel: that of `back` where its depth is the smaller one, else that of
     * `front`. rgba [count][4], depth [count]. */
    void (*nearest)(int64_t count, blend_source front, blend_source back, float *rgba,
                    float *depth);

    /* Which of `count` <= BLEND_ACTIVE_MOST pixels are active
     * (composite/pixels/encode.h): bit i stands for pixel i, bits from `count` on are 0.
     * depth: [count] or NULL. */
    uint64_t (*active)(int count, const float *rgba, const float *depth);
} blend_kernel;

/* The kernels that this processor can run, from the fastest to the plainest:
 * NULL-terminated. */
const blend_kernel *const *composite_blend_kernels(void);

/* The first of them. */
const blend_kernel *composite_blend_kernel(void);

extern const blend_kernel composite_blend_plain, composite_blend_four;
extern const blend_kernel composite_blend_avx2, composite_blend_avx512;

#endif
