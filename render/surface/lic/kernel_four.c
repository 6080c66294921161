/* The kernel for vectors of four lanes. */
#define LANES_FOUR
#define KERNEL lic_walk_four
#include "kernel.h"
