/* The kernel for processors with AVX2. */
#define LANES  4
#define KERNEL trace_adams_avx2
#include "kernel.h"
