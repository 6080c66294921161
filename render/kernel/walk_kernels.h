/* All kernels; walk_kernels.c chooses among them. */
#ifndef RENDER_KERNEL_WALK_KERNELS_H
#define RENDER_KERNEL_WALK_KERNELS_H

#include "walk.h"

extern const walk_kernel render_walk_plain, render_walk_four;
extern const walk_kernel render_walk_avx2, render_walk_avx512;

#endif
