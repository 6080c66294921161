/* The kernel for processors with vectors of 16 bytes. */
#define LANES  2
#define KERNEL trace_adams_four
#include "kernel.h"
