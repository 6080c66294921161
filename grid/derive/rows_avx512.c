/* Rows of vertices for processors with AVX-512. */
#define KERNEL      derive_avx512
#define KERNEL_NAME "avx512"
#include "rows_kernel.h"
