/* Rows of vertices for processors with AVX2. */
#define KERNEL      derive_avx2
#define KERNEL_NAME "avx2"
#include "rows_kernel.h"
