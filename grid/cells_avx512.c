/* The kernels for processors with AVX-512. */
#define KERNEL      cells_avx512
#define KERNEL_NAME "avx512"
#include "cells_kernel.h"
