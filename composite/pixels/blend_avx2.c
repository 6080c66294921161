/* The kernel for processors with AVX2: two pixels at a time. */
#define KERNEL      composite_blend_avx2
#define KERNEL_NAME "avx2"
#include "blend_lanes.h"
