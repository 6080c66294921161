/* The kernel for any processor. */
#define KERNEL trace_adams_plain
#include "kernel.h"
