/* The kernel for processors with AVX2. */
#define KERNEL memory_narrow_avx2
#include "narrow_kernel.h"
