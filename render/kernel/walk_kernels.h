/* All kernels; walk_kernels.c chooses among them. */
#ifndef RENDER_KERNEL_WALK_KERNELS_H
#define RENDER_KERNEL_WALK_KERNELS_H

#include "walk.h"

#ifdef KARMAN_X86_KERNELS
#define WALK_KERNELS_X86(X) X(render_walk_avx512) X(render_walk_avx2)
#else
#define WALK_KERNELS_X86(X)
#endif
#ifdef KARMAN_FOUR_KERNELS
#define WALK_KERNELS_FOUR(X) X(render_walk_four)
#else
#define WALK_KERNELS_FOUR(X)
#endif

/* The kernels, the fastest first, as base/lanes/choose.h wants them. */
#define WALK_KERNELS(X)                                                                  \
    WALK_KERNELS_X86(X)                                                                  \
    WALK_KERNELS_FOUR(X)                                                                 \
    X(render_walk_plain)

#define WALK_DECLARE(kernel) extern const walk_kernel kernel;
WALK_KERNELS(WALK_DECLARE)
#undef WALK_DECLARE

#endif
