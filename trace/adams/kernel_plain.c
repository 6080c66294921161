/* The kernel for any processor. */
#define KERNEL trace_adams_plain
#define PLAIN
#include "kernel.h"
