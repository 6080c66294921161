/* The kernel for any processor. */
#define KERNEL memory_narrow_plain
#include "narrow_kernel.h"
