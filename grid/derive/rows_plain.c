/* Rows of vertices for any processor. */
#define KERNEL      derive_plain
#define KERNEL_NAME "plain"
#include "rows_kernel.h"
