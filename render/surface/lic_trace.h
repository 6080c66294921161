/* Internals of line integral convolution: the sheets, and the texture at a hit. */
#ifndef RENDER_SURFACE_LIC_TRACE_H
#define RENDER_SURFACE_LIC_TRACE_H

#include <stdbool.h>
#include <stdint.h>

/* Values of a vertex: its position in the frame of the noise, then the steps along both
 * indices for a step of length 1 along the flow (0 where there is none). */
enum { LIC_VALUES = 5, LIC_FLOW = 3 };

/*
 * A sheet: vertex (u, v) is vertex[v * n[0] + u], with u along the axis that follows the
 * plane's own.
 */
typedef struct lic_sheet {
    int64_t n[2];
    bool closed[2]; /* its last vertices along the axis are its first ones: an O-grid */
    int64_t first;  /* its first vertex among those of all sheets */
    float (*vertex)[LIC_VALUES];
    uint8_t *present; /* of the cell between (u, v) and (u + 1, v + 1) */
} lic_sheet;

/* A hit of a ray with a sheet. */
typedef struct lic_hit {
    const lic_sheet *sheet;
    double at[2]; /* u and v */
    double pixel; /* length of a pixel there */
} lic_hit;

enum { LIC_BLENDS = 8 };

/* The kernel of the convolution, and what makes its contrast even. */
typedef struct lic_kernel {
    double length;                        /* of one half, in pixels */
    double per_deviation[LIC_BLENDS + 1]; /* 1 over the standard deviation of the mean
                                             along a line, by the blend of two levels */
} lic_kernel;

lic_kernel lic_kernel_make(double length);

/* The texture at a hit: about 0 on average, mostly between -2 and 2. 0 outside of present
 * cells. Local; any thread. */
double lic_trace(const lic_kernel *kernel, const lic_hit *hit);

/* Turns a point into the frame of the noise, whose axes lie along none of the grid's. */
void lic_turn(const float point[3], float turned[3]);

#endif
