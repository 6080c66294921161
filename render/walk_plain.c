/* The kernel for plain. */
#define LANES_PLAIN
#define KERNEL      render_walk_plain
#define KERNEL_NAME "plain"

#include "render/walk_kernels.h"

#include "render/walk_kernel.h"
