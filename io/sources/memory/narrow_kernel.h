/* Numbers in double precision as float32. Each file that compiles this for an instruction
 * set includes it once, with KERNEL defined. */
#include "pack.h"

#include <float.h>
#include <math.h>

static void narrow_row(const double *restrict from, int64_t n, float *restrict out)
{
    for (int64_t i = 0; i < n; i++) {
        const float value = (float)from[i];
        out[i] = fabsf(value) <= FLT_MAX ? value : NAN;
    }
}

void KERNEL(const double *from, int64_t distance, const int64_t n[2], float *out,
            int64_t row)
{
    for (int64_t j = 0; j < n[1]; j++) {
        narrow_row(from + j * distance, n[0], out + j * row);
    }
}
