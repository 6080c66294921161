/* Rows of vertices for processors with AVX-512. */
#define KERNEL derive_row_avx512
#include "rows_kernel.h"
