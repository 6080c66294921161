/* The kernel for any processor with vectors of four. */
#define LANES_FOUR
#define KERNEL      composite_blend_four
#define KERNEL_NAME "four"
#include "blend_lanes.h"
