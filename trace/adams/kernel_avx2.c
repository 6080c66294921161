/* The kernel for processors with AVX2. */
#define KERNEL trace_adams_avx2
#include "kernel.h"
