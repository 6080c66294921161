/* The kernel for vectors of four lanes. */
#define LANES_FOUR
#define KERNEL      render_walk_four
#define KERNEL_NAME "four"

#include "walk_kernels.h"

#include "walk_kernel.h"
