/* The kernel for any processor. */
#define KERNEL trace_adams_plain
#define PLAIN
#include "kernel.h"

#define PUT trace_put_plain
#include "put.h"
