#include "walk_kernels.h"

#include "base/lanes/choose.h"

#define WALK_ADDRESS(kernel) &(kernel),

const walk_kernel *const *render_walk_kernels(void)
{
    static const walk_kernel *const all[] = {WALK_KERNELS(WALK_ADDRESS) NULL};
    return all + lanes_missing();
}

const walk_kernel *render_walk_fastest(void)
{
    return render_walk_kernels()[0];
}
