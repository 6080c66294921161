/* The kernel for any processor: one lane. */
#define LANES_PLAIN
#define KERNEL lic_walk_plain
#include "kernel.h"
