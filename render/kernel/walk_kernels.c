#include "walk_kernels.h"

/* What every processor runs. */
#ifdef KARMAN_FOUR_KERNELS
#define PORTABLE &render_walk_plain, &render_walk_four
#else
#define PORTABLE &render_walk_plain
#endif

const walk_kernel *const *render_walk_kernels(void)
{
    static const walk_kernel *const portable[] = {PORTABLE, NULL};
#ifdef KARMAN_X86_KERNELS
    static const walk_kernel *const avx2[] = {PORTABLE, &render_walk_avx2, NULL};
    static const walk_kernel *const avx512[] = {PORTABLE, &render_walk_avx2,
                                                &render_walk_avx512, NULL};
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) {
        return avx512;
    }
    if (__builtin_cpu_supports("avx2")) {
        return avx2;
    }
#endif
    return portable;
}

const walk_kernel *render_walk_fastest(void)
{
    const walk_kernel *const *kernels = render_walk_kernels();
    while (kernels[1]) {
        kernels++;
    }
    return *kernels;
}
