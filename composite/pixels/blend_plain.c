/*
 * The kernel in plain C: the reference for the others, and what they leave to it at the
 * ends of ranges.
 */
#include "blend_kernels.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/*
 * All four channels of a pixel have the same factor. Written out, and read before the
 * first of them is written, the compiler sees one vector of four products with a
 * broadcast; in a loop over channels it would see strided loads of alpha.
 */
static void over(int64_t count, const float *front, const float *back, float *out)
{
    for (int64_t i = 0; i < count; i++) {
        const float *f = front + 4 * i;
        const float *b = back + 4 * i;
        const float rest = 1.0f - f[3];
        const float red = f[0] + rest * b[0];
        const float green = f[1] + rest * b[1];
        const float blue = f[2] + rest * b[2];
        const float alpha = f[3] + rest * b[3];
        out[4 * i] = red;
        out[4 * i + 1] = green;
        out[4 * i + 2] = blue;
        out[4 * i + 3] = alpha;
    }
}

static void depth(int64_t count, const float *a, const float *b, float *out)
{
    for (int64_t i = 0; i < count; i++) {
        out[i] = a[i] < b[i] ? a[i] : b[i];
    }
}

static void nearest(int64_t count, blend_source front, blend_source back, float *rgba,
                    float *depth_out)
{
    for (int64_t i = 0; i < count; i++) {
        const bool behind = back.depth[i] < front.depth[i];
        const float *nearer = behind ? back.rgba : front.rgba;
        float colour[4];
        memcpy(colour, nearer + 4 * i, sizeof colour);
        depth_out[i] = behind ? back.depth[i] : front.depth[i];
        memcpy(rgba + 4 * i, colour, sizeof colour);
    }
}

static uint64_t active(int count, const float *rgba, const float *depth_in)
{
    uint64_t set = 0;
    for (int i = 0; i < count; i++) {
        uint64_t bits[2];
        memcpy(bits, rgba + 4 * i, sizeof bits);
        const bool transparent =
            (bits[0] | bits[1]) == 0 && (!depth_in || depth_in[i] == INFINITY);
        set |= (uint64_t)!transparent << i;
    }
    return set;
}

const blend_kernel composite_blend_plain = {
    .name = "plain",
    .over = over,
    .depth = depth,
    .nearest = nearest,
    .active = active,
};
