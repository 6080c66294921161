#include "render/walk_kernels.h"

const walk_kernel *const *render_walk_kernels(void)
{
    static const walk_kernel *const plain[] = {&render_walk_plain, NULL};
#ifdef KARMAN_X86_KERNELS
    static const walk_kernel *const avx2[] = {&render_walk_plain, &render_walk_avx2,
                                              NULL};
    static const walk_kernel *const avx512[] = {&render_walk_plain, &render_walk_avx2,
                                                &render_walk_avx512, NULL};
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) {
        return avx512;
    }
    if (__builtin_cpu_supports("avx2")) {
        return avx2;
    }
#endif
    return plain;
}
