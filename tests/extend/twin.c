/* A kernel of its own name for one lane: the same code as render_walk_plain. */
#define LANES_PLAIN
#define KERNEL      render_walk_twin
#define KERNEL_NAME "twin"

#include "walk_kernels.h"

#include "render/kernel/walk_kernel.h"
