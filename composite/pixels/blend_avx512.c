/* The kernel for processors with AVX-512: four pixels at a time. */
#define KERNEL      composite_blend_avx512
#define KERNEL_NAME "avx512"
#include "blend_lanes.h"
