/* The kernels for any processor. */
#define KERNEL      cells_plain
#define KERNEL_NAME "plain"
#include "cells_kernel.h"
