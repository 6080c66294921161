#include "blend.h"

#include "base/lanes/choose.h"

#include <stddef.h>

const blend_kernel *const *composite_blend_kernels(void)
{
    static const blend_kernel *const all[] = {
#ifdef KARMAN_X86_KERNELS
        &composite_blend_avx512, &composite_blend_avx2,
#endif
#ifdef KARMAN_FOUR_KERNELS
        &composite_blend_four,
#endif
        &composite_blend_plain, NULL};
    return all + lanes_missing();
}

const blend_kernel *composite_blend_kernel(void)
{
    return composite_blend_kernels()[0];
}

void composite_blend_front(int64_t count, const float *restrict front,
                           float *restrict image)
{
    composite_blend_kernel()->over(count, front, image, image);
}

void composite_blend_back(int64_t count, const float *restrict back,
                          float *restrict image)
{
    composite_blend_kernel()->over(count, image, back, image);
}

void composite_blend_into(int64_t count, const float *front, const float *back,
                          float *out)
{
    composite_blend_kernel()->over(count, front, back, out);
}

void composite_blend_depth(int64_t count, const float *restrict other,
                           float *restrict image)
{
    composite_blend_kernel()->depth(count, other, image, image);
}

void composite_blend_depth_into(int64_t count, const float *a, const float *b, float *out)
{
    composite_blend_kernel()->depth(count, a, b, out);
}

void composite_blend_nearest(int64_t count, bool in_front, blend_source other,
                             float *rgba, float *depth)
{
    const blend_source mine = {rgba, depth};
    const blend_kernel *kernel = composite_blend_kernel();
    kernel->nearest(count, in_front ? other : mine, in_front ? mine : other, rgba, depth);
}

void composite_blend_nearest_into(int64_t count, blend_source front, blend_source back,
                                  float *rgba, float *depth)
{
    composite_blend_kernel()->nearest(count, front, back, rgba, depth);
}
