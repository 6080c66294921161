/* The texture at hits: prepares the batches of kernels, and makes their contrast even. */
#include "trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Noise ------------------------------------------------------------------------- */

static const double grain = 2.25; /* of the finer level, in pixels at least */

/* The axes of the noise: a rotation, so that no grid plane lies along its cells. */
static const double axes[3][3] = {{0.7427814, 0.3713907, 0.5570860},
                                  {-0.6695341, 0.4120210, 0.6180314},
                                  {0.0000000, -0.8320503, 0.5547002}};

void lic_turn(const float point[3], float turned[3])
{
    for (int n = 0; n < 3; n++) {
        turned[n] =
            (float)(axes[n][0] * (double)point[0] + axes[n][1] * (double)point[1] +
                    axes[n][2] * (double)point[2]);
    }
}

static int64_t floor_of(double value)
{
    const int64_t whole = (int64_t)value;
    return whole - (value < (double)whole);
}

/* The noise at two levels: cells of edge 2^level and twice that. */
typedef struct noise {
    int level;
    double blend; /* 0: the finer one alone */
} noise;

static noise noise_make(double pixel)
{
    const double level = log2(grain * pixel);
    const int whole = (int)floor_of(level);
    return (noise){whole, level - whole};
}

/* ---- Batches ----------------------------------------------------------------------- */

/* Places the origin of a hit in the cells of both levels. */
static void set_base(const noise *of, int n, lic_batch *batch)
{
    static const int32_t prime[3] = {LIC_PRIME_X, LIC_PRIME_Y, LIC_PRIME_Z};
    for (int level = 0; level < 2; level++) {
        const double per_cell = ldexp(1.0, -(of->level + level));
        uint32_t hash = (uint32_t)(of->level + level) * UINT32_C(0x9e3779b9);
        for (int c = 0; c < 3; c++) {
            const double at = per_cell * (double)batch->origin[c][n];
            const int64_t cell = floor_of(at);
            batch->base[level][c][n] = (float)(at - (double)cell);
            hash += (uint32_t)cell * (uint32_t)prime[c];
        }
        memcpy(&batch->hash[level][n], &hash, sizeof hash);
    }
}

/* Whether single precision is enough for a pixel of this size near a point. */
static bool is_usable(const noise *of, const float point[3])
{
    double most = 1.0;
    for (int c = 0; c < 3; c++) {
        most = fmax(most, fabs((double)point[c]));
    }
    return abs(of->level) < 100 && ldexp(most, -of->level) < 0x1p62;
}

/* Makes a hit number n. False outside of present cells. */
static bool set_hit(const lic_hit *hit, int n, lic_batch *batch)
{
    const lic_sheet *sheet = hit->sheet;
    int64_t cell[2];
    for (int axis = 0; axis < 2; axis++) {
        const int64_t last = sheet->n[axis] - 2;
        const double at = hit->at[axis];
        if (!(at >= 0.0 && at <= (double)(last + 1))) {
            return false;
        }
        cell[axis] = at < (double)last ? (int64_t)at : last;
        batch->cell[axis][n] = (int32_t)cell[axis];
        batch->share[axis][n] = (float)(at - (double)cell[axis]);
    }
    const int64_t vertex = cell[1] * sheet->n[0] + cell[0];
    if (!sheet->present[vertex] || !(hit->pixel > 0.0 && hit->pixel < HUGE_VAL)) {
        return false;
    }
    const noise of = noise_make(hit->pixel);
    if (!is_usable(&of, sheet->vertex[vertex])) {
        return false;
    }
    const double per_cell = ldexp(1.0, -of.level);
    for (int c = 0; c < 3; c++) {
        batch->origin[c][n] = sheet->vertex[vertex][c];
    }
    batch->per_cell[n] = (float)per_cell;
    batch->pixel[n] = (float)hit->pixel;
    batch->pixels[n] = (float)(1.0 / (hit->pixel * per_cell));
    batch->blend[n] = (float)of.blend;
    set_base(&of, n, batch);
    return true;
}

/* Copies the last hit to the unused ones of a vector. */
static void pad(int count, lic_batch *batch)
{
    enum { MOST_LANES = 16 };
    const int last = count - 1;
    for (int n = count; n % MOST_LANES != 0; n++) {
        for (int axis = 0; axis < 2; axis++) {
            batch->cell[axis][n] = batch->cell[axis][last];
            batch->share[axis][n] = batch->share[axis][last];
            batch->hash[axis][n] = batch->hash[axis][last];
        }
        for (int c = 0; c < 3; c++) {
            batch->origin[c][n] = batch->origin[c][last];
            batch->base[0][c][n] = batch->base[0][c][last];
            batch->base[1][c][n] = batch->base[1][c][last];
        }
        batch->per_cell[n] = batch->per_cell[last];
        batch->pixel[n] = batch->pixel[last];
        batch->pixels[n] = batch->pixels[last];
        batch->blend[n] = batch->blend[last];
    }
}

/* Follows the lines of hits; `of`: the number of each in the batch, -1: it has none. */
static void walk(const lic_kernel *kernel, int count, const lic_hit *hits,
                 lic_batch *batch, int *of)
{
    int used = 0;
    for (int n = 0; n < count; n++) {
        const bool is_set = set_hit(&hits[n], used, batch);
        of[n] = is_set ? used : -1;
        used += is_set;
    }
    if (used > 0) {
        pad(used, batch);
        kernel->walk(hits[0].sheet, (float)kernel->length, used, batch);
    }
}

/* ---- Kernel ------------------------------------------------------------------------ */

/* A number of a sequence, -1/2 to 1/2: xorshift (G. Marsaglia 2003). */
static double next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return (double)*state * 0x1p-32 - 0.5;
}

/* A square cell of this edge with flow along u, turned and placed at random. */
static void make_square(float edge, uint32_t *state, float (*vertex)[LIC_VALUES])
{
    double x[3], y[3], xx = 0.0, xy = 0.0, yy = 0.0;
    memset(vertex, 0, 4 * sizeof *vertex);
    for (int c = 0; c < 3; c++) {
        x[c] = next_random(state);
        y[c] = next_random(state);
        xx += x[c] * x[c];
        xy += x[c] * y[c];
    }
    for (int c = 0; c < 3; c++) {
        y[c] -= xy / xx * x[c];
        yy += y[c] * y[c];
    }
    for (int c = 0; c < 3; c++) {
        const double from = 1000.0 * next_random(state);
        for (int n = 0; n < 4; n++) {
            const double along =
                (n & 1 ? x[c] / sqrt(xx) : 0.0) + (n & 2 ? y[c] / sqrt(yy) : 0.0);
            vertex[n][c] = (float)(from + (double)edge * along);
        }
    }
    for (int n = 0; n < 4; n++) {
        vertex[n][LIC_FLOW] = 1.0f / edge;
    }
}

/* Mean square of the mean of noise along lines in the middle of squares. */
static double mean_square(const lic_kernel *kernel, double pixel)
{
    enum { SQUARES = 8 };
    uint32_t state = 1;
    double sum = 0.0;
    for (int n = 0; n < SQUARES; n++) {
        const float edge = (float)(64.0 * (kernel->length + 1.0) * pixel);
        float vertex[4][LIC_VALUES];
        uint8_t present[4 + 3] = {1};
        const lic_sheet sheet = {.n = {2, 2}, .vertex = vertex, .present = present};
        lic_hit hits[LIC_BATCH];
        lic_batch batch;
        int of[LIC_BATCH];
        make_square(edge, &state, vertex);
        for (int h = 0; h < LIC_BATCH; h++) {
            hits[h] = (lic_hit){
                &sheet,
                {0.5 + 0.9 * next_random(&state), 0.5 + 0.9 * next_random(&state)},
                pixel};
        }
        walk(kernel, LIC_BATCH, hits, &batch, of);
        for (int h = 0; h < LIC_BATCH; h++) {
            const double mean = (double)batch.values[h] / (double)batch.weights[h];
            sum += mean * mean;
        }
    }
    return sum / (SQUARES * LIC_BATCH);
}

lic_kernel lic_kernel_make(double length, lic_walk *how)
{
    lic_kernel kernel = {.walk = how, .length = 0.5 * length};
    for (int n = 0; n < LIC_BLENDS; n++) {
        const double pixel = exp2((double)n / LIC_BLENDS) / grain;
        kernel.per_deviation[n] = 1.0 / sqrt(mean_square(&kernel, pixel));
    }
    kernel.per_deviation[LIC_BLENDS] = kernel.per_deviation[0];
    return kernel;
}

static double per_deviation(const lic_kernel *kernel, double blend)
{
    const double at = blend * LIC_BLENDS;
    const int n = at < LIC_BLENDS ? (int)at : LIC_BLENDS - 1;
    const double share = at - (double)n;
    return (1.0 - share) * kernel->per_deviation[n] +
           share * kernel->per_deviation[n + 1];
}

/* ---- Textures ---------------------------------------------------------------------- */

void lic_trace(const lic_kernel *kernel, int count, const lic_hit *hits, double *textures)
{
    /* The weights of a whole line: twice the integral of that of a place. A shorter line
     * has a larger deviation, and fades. */
    const double whole = 16.0 / 15.0 * kernel->length;
    lic_batch batch;
    int of[LIC_BATCH];
    walk(kernel, count, hits, &batch, of);
    for (int n = 0; n < count; n++) {
        textures[n] = 0.0;
        /* Vertices may have no finite place. */
        if (of[n] >= 0 && isfinite(batch.values[of[n]])) {
            const double weights = (double)batch.weights[of[n]];
            const double blend = (double)batch.blend[of[n]];
            textures[n] = (double)batch.values[of[n]] / weights *
                          per_deviation(kernel, blend) * sqrt(fmin(weights / whole, 1.0));
        }
    }
}
