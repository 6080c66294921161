/* The choice among kernels. */
#include "batch.h"

#include "base/lanes/choose.h"

#include <stddef.h>

lic_walk *const *lic_walks(void)
{
    static lic_walk *const all[] = {
#ifdef KARMAN_X86_KERNELS
        lic_walk_avx512, lic_walk_avx2,
#endif
#ifdef KARMAN_FOUR_KERNELS
        lic_walk_four,
#endif
        lic_walk_plain, NULL};
    return all + lanes_missing();
}
