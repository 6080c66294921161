/* The kernel for processors with vectors of 16 bytes. */
#define KERNEL trace_adams_four
#include "kernel.h"
