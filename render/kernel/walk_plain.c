/* The kernel for any processor: one lane. */
#define LANES_PLAIN
#define KERNEL      render_walk_plain
#define KERNEL_NAME "plain"

#include "walk_kernels.h"

#include "walk_kernel.h"
