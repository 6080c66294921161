/* The kernel for AVX2. */
#define KERNEL      render_walk_avx2
#define KERNEL_NAME "avx2"

#include "walk_kernels.h"

#include "walk_kernel.h"
