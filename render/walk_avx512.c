/* The kernel for avx512. */
#define KERNEL      render_walk_avx512
#define KERNEL_NAME "avx512"

#include "render/walk_kernels.h"

#include "render/walk_kernel.h"
