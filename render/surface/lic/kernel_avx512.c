/* The kernel for AVX-512. */
#define KERNEL lic_walk_avx512
#include "kernel.h"
