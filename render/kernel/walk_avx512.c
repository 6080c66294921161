/* The kernel for AVX-512. */
#define KERNEL      render_walk_avx512
#define KERNEL_NAME "avx512"

#include "walk_kernels.h"

#include "walk_kernel.h"
