/*
 * Writes three components of a plane of vertices behind each other. A file that includes
 * this header has defined PUT, and is compiled with the options of one instruction set.
 */
#include "lanes.h"

#include <string.h>

/* Vertices. The last block of a row overlaps another, unless few vertices are left: most
 * rows have one more than 16. */
enum { PUT_BLOCK = 16, PUT_FEW = 2 };

/* A few vertices one by one. */
static uint32_t put_few(const float *const of[3], int64_t begin, int64_t end, float *to)
{
    uint32_t any = 0;
    for (int64_t n = begin; n < end; n++) {
        for (int c = 0; c < 3; c++) {
            to[3 * n + c] = of[c][n];
        }
        uint32_t bits;
        memcpy(&bits, &of[2][n], sizeof bits);
        any |= bits;
    }
    return any;
}

/* Adds the bits of w to `any`. */
static inline __attribute__((always_inline)) void
put_block(const float *const of[3], int64_t at, float *restrict to, uint32_t *any)
{
    const float *restrict u = of[0] + at, *restrict v = of[1] + at,
                          *restrict w = of[2] + at;
    uint32_t bits[PUT_BLOCK];
    memcpy(bits, w, sizeof bits);
#pragma omp simd
    for (int n = 0; n < PUT_BLOCK; n++) {
        to[3 * n] = u[n];
        to[3 * n + 1] = v[n];
        to[3 * n + 2] = w[n];
        any[n] |= bits[n];
    }
}

uint32_t PUT(const trace_put_rows *rows, float *to)
{
    uint32_t any[PUT_BLOCK] = {0}, all = 0;
    for (int j = 0; j < rows->rows; j++, to += 3 * rows->count) {
        const int64_t first = j * rows->row, count = rows->count;
        const float *const of[3] = {rows->of[0] + first, rows->of[1] + first,
                                    rows->of[2] + first};
        const int64_t left = count % PUT_BLOCK;
        const int64_t few = count < PUT_BLOCK || left <= PUT_FEW ? left : 0;
        all |= put_few(of, count - few, count, to);
        for (int64_t n = 0; n < count - few; n += PUT_BLOCK) {
            const int64_t at = n + PUT_BLOCK <= count ? n : count - PUT_BLOCK;
            put_block(of, at, to + 3 * at, any);
        }
    }
    for (int n = 0; n < PUT_BLOCK; n++) {
        all |= any[n];
    }
    return all;
}
