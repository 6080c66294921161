/* The kernels for any processor. */
#define KERNEL      cells_plain
#define KERNEL_NAME "plain"
#include "grid/cells_kernel.h"
