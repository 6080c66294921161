/* The kernel for vectors of four. */
#define LANES_FOUR
#define KERNEL      render_walk_four
#define KERNEL_NAME "four"

#include "render/walk_kernels.h"

#include "render/walk_kernel.h"
