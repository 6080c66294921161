/* The kernel for AVX2. */
#define KERNEL lic_walk_avx2
#include "kernel.h"
