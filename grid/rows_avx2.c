/* Rows of vertices for processors with AVX2. */
#define KERNEL derive_row_avx2
#include "rows_kernel.h"
