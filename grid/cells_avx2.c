/* The kernels for processors with AVX2. */
#define KERNEL      cells_avx2
#define KERNEL_NAME "avx2"
#include "cells_kernel.h"
