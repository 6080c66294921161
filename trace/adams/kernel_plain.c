/* The kernel for any processor. */
#define LANES  1
#define KERNEL trace_adams_plain
#include "kernel.h"
