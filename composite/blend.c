#include "composite/blend.h"

/*
 * All four channels of a pixel have the same factor. Written out, the compiler sees one
 * vector of four products with a broadcast; in a loop over channels it would see strided
 * loads of alpha.
 */
void composite_blend_front(int64_t count, const float *restrict front,
                           float *restrict image)
{
    for (int64_t i = 0; i < count; i++) {
        const float *f = front + 4 * i;
        float *b = image + 4 * i;
        const float rest = 1.0f - f[3];
        b[0] = f[0] + rest * b[0];
        b[1] = f[1] + rest * b[1];
        b[2] = f[2] + rest * b[2];
        b[3] = f[3] + rest * b[3];
    }
}

void composite_blend_back(int64_t count, const float *restrict back,
                          float *restrict image)
{
    for (int64_t i = 0; i < count; i++) {
        float *f = image + 4 * i;
        const float *b = back + 4 * i;
        const float rest = 1.0f - f[3];
        f[0] = f[0] + rest * b[0];
        f[1] = f[1] + rest * b[1];
        f[2] = f[2] + rest * b[2];
        f[3] = f[3] + rest * b[3];
    }
}

void composite_blend_depth(int64_t count, const float *restrict other,
                           float *restrict image)
{
    for (int64_t i = 0; i < count; i++) {
        image[i] = other[i] < image[i] ? other[i] : image[i];
    }
}

void composite_blend_nearest(int64_t count, bool in_front,
                             const float *restrict other_rgba,
                             const float *restrict other_depth, float *restrict rgba,
                             float *restrict depth)
{
    for (int64_t i = 0; i < count; i++) {
        bool nearer = in_front ? other_depth[i] <= depth[i] : other_depth[i] < depth[i];
        if (nearer) {
            depth[i] = other_depth[i];
            rgba[4 * i] = other_rgba[4 * i];
            rgba[4 * i + 1] = other_rgba[4 * i + 1];
            rgba[4 * i + 2] = other_rgba[4 * i + 2];
            rgba[4 * i + 3] = other_rgba[4 * i + 3];
        }
    }
}
