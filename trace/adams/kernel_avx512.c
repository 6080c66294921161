/* The kernel for processors with AVX-512. */
#define KERNEL trace_adams_avx512
#include "kernel.h"
