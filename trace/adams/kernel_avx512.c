/* The kernel for processors with AVX-512. */
#define KERNEL trace_adams_avx512
#define WIDE
#include "kernel.h"

#define PUT trace_put_avx512
#include "put.h"
