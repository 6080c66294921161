#include "walk_kernels.h"

#include "base/lanes/choose.h"

const walk_kernel *const *render_walk_kernels(void)
{
    static const walk_kernel *const all[] = {
#ifdef KARMAN_X86_KERNELS
        &render_walk_avx512, &render_walk_avx2,
#endif
#ifdef KARMAN_FOUR_KERNELS
        &render_walk_four,
#endif
        &render_walk_plain, NULL};
    return all + lanes_missing();
}

const walk_kernel *render_walk_fastest(void)
{
    return render_walk_kernels()[0];
}
