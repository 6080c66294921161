/* Internals of line integral convolution: the sheets, and the texture at hits. */
#ifndef RENDER_SURFACE_LIC_TRACE_H
#define RENDER_SURFACE_LIC_TRACE_H

#include "batch.h"

/* A hit of a ray with a sheet. */
typedef struct lic_hit {
    const lic_sheet *sheet;
    double at[2]; /* u and v */
    double pixel; /* length of a pixel there */
} lic_hit;

enum { LIC_BLENDS = 8 };

/* The kernel of the convolution, and what makes its contrast even. */
typedef struct lic_kernel {
    lic_walk *walk;
    double length;                        /* of one half, in pixels */
    double per_deviation[LIC_BLENDS + 1]; /* 1 over the standard deviation of the mean
                                             along a line, by the blend of two levels */
} lic_kernel;

/* walk: one of lic_walks. Local. */
lic_kernel lic_kernel_make(double length, lic_walk *walk);

/* The textures at hits of one sheet: each about 0 on average, mostly between -2 and 2. 0
 * outside of present cells and of finite ones. The texture at a hit does not depend on
 * the others. count: up to LIC_BATCH. Local; any thread. */
void lic_trace(const lic_kernel *kernel, int count, const lic_hit *hits,
               double *textures);

/* Turns a point into the frame of the noise, whose axes lie along none of the grid's. */
void lic_turn(const float point[3], float turned[3]);

#endif
