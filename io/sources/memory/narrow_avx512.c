/* The kernel for processors with AVX-512. */
#define KERNEL memory_narrow_avx512
#include "narrow_kernel.h"
