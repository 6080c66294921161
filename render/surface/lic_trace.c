/* The texture at a hit: a streamline through it, and the mean of noise along it.
 *
 *     flow of four vertices -> step in indices (midpoint rule) -> point in space -> noise
 *
 * Steps have one length in space. Where cells are smaller and their sizes vary, as at
 * walls, a step in indices may miss its length in space. It is then halved. */
#include "lic_trace.h"

#include <math.h>
#include <string.h>

/* ---- Noise ------------------------------------------------------------------------- */

static const double grain = 1.5; /* of the finer level, in pixels at least */

/* Noise is taken once a pixel along a line. Otherwise pixels side by side along it would
 * have the mean of different noise. The flow bends little in a step of three pixels. */
enum { STEP = 3 };

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

/* The noise at two levels: cells of edge 1/per_cell[0] and twice that. */
typedef struct noise {
    uint32_t level;
    double blend; /* 0: the finer one alone */
    double per_cell[2];
} noise;

static noise noise_make(double pixel)
{
    const double level = log2(grain * pixel), whole = floor(level);
    const double fine = ldexp(1.0, -(int)whole);
    return (noise){.level = (uint32_t)(int32_t)whole,
                   .blend = level - whole,
                   .per_cell = {fine, 0.5 * fine}};
}

/* Half of the finalizer of MurmurHash3 (A. Appleby 2008): enough for noise. */
static inline uint32_t mix(uint32_t hash)
{
    hash ^= hash >> 16;
    hash *= UINT32_C(0x85ebca6b);
    hash ^= hash >> 13;
    return hash * UINT32_C(0xc2b2ae35);
}

/* Value at a corner of the lattice, -1/2 to 1/2. */
static inline double corner_value(uint32_t hash)
{
    return (double)(int32_t)mix(hash) * 0x1p-32;
}

/* fmin and fmax of numbers, which compilers then need not call. */
static inline double smaller(double a, double b)
{
    return a < b ? a : b;
}

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

static inline int64_t floor_of(double value)
{
    const int64_t whole = (int64_t)value;
    return whole - (value < (double)whole);
}

/* Value noise at one level: linear in the tetrahedra that a cube's diagonal divides it
 * into, as in simplex noise (K. Perlin 2001). Four corners instead of eight. */
static inline double level_at(const double point[3], double per_cell, uint32_t level)
{
    static const uint32_t prime[3] = {0x8da6b343u, 0xd8163841u, 0xcb1ab31fu};
    double f[3];
    uint32_t hash = level * 0x9e3779b9u;
    for (int n = 0; n < 3; n++) {
        const double at = point[n] * per_cell;
        const int64_t cell = floor_of(at);
        f[n] = at - (double)cell;
        hash += (uint32_t)cell * prime[n];
    }
    /* Without branches, which nothing could predict: all ones for the axes of the largest
     * and the smallest fraction. */
    const unsigned xy = f[0] >= f[1], yz = f[1] >= f[2], zx = f[2] > f[0];
    const uint32_t most_x = -(xy & ~zx & 1u), most_y = -(yz & ~xy & 1u);
    const uint32_t least_x = -(~xy & zx & 1u), least_y = -(xy & ~yz & 1u);
    const uint32_t second =
        (prime[0] & most_x) | (prime[1] & most_y) | (prime[2] & ~(most_x | most_y));
    const uint32_t third =
        (prime[0] & least_x) | (prime[1] & least_y) | (prime[2] & ~(least_x | least_y));
    const uint32_t fourth = hash + prime[0] + prime[1] + prime[2];
    const double most = larger(larger(f[0], f[1]), f[2]);
    const double least = smaller(smaller(f[0], f[1]), f[2]);
    const double middle = f[0] + f[1] + f[2] - most - least;
    return (1.0 - most) * corner_value(hash) +
           (most - middle) * corner_value(hash + second) +
           (middle - least) * corner_value(fourth - third) + least * corner_value(fourth);
}

static inline double noise_at(const noise *n, const double point[3])
{
    return (1.0 - n->blend) * level_at(point, n->per_cell[0], n->level) +
           n->blend * level_at(point, n->per_cell[1], n->level + 1);
}

/* ---- Kernel ------------------------------------------------------------------------ */

/* Weight of a point at a share 0 to 1 of the half line: near a Gaussian, and 0 at its
 * end. */
static inline double weight_at(double share)
{
    const double rest = 1.0 - share * share;
    return rest * rest;
}

/* Mean of noise along a straight line. */
static double straight_mean(const noise *n, double length, double pixel, uint32_t seed)
{
    double from[3], along[3], norm = 0.0;
    for (int c = 0; c < 3; c++) {
        from[c] = 1000.0 * corner_value(6 * seed + (uint32_t)c);
        along[c] = corner_value(6 * seed + 3 + (uint32_t)c);
        norm += along[c] * along[c];
    }
    const int steps = (int)ceil(length);
    double sum = 0.0, weights = 0.0;
    for (int step = -steps; step <= steps; step++) {
        const double share = smaller(fabs((double)step) / length, 1.0);
        double point[3];
        for (int c = 0; c < 3; c++) {
            point[c] = from[c] + (double)step * pixel * along[c] / sqrt(norm);
        }
        sum += weight_at(share) * noise_at(n, point);
        weights += weight_at(share);
    }
    return sum / weights;
}

lic_kernel lic_kernel_make(double length)
{
    enum { LINES = 512 };
    lic_kernel kernel = {.length = 0.5 * length};
    for (int n = 0; n < LIC_BLENDS; n++) {
        const double pixel = exp2((double)n / LIC_BLENDS) / grain;
        const noise of = noise_make(pixel);
        double squares = 0.0;
        for (uint32_t seed = 0; seed < LINES; seed++) {
            const double mean = straight_mean(&of, kernel.length, pixel, seed);
            squares += mean * mean;
        }
        kernel.per_deviation[n] = 1.0 / sqrt(squares / LINES);
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

/* ---- Streamlines ------------------------------------------------------------------- */

/* A place within a present cell: its vertices and their weights. */
typedef struct spot {
    const float *corner[4];
    double weight[4];
} spot;

/* False outside of present cells. */
static inline bool find_spot(const lic_sheet *sheet, const double at[2], spot *out)
{
    const int64_t last[2] = {sheet->n[0] - 2, sheet->n[1] - 2};
    if (!(at[0] >= 0.0 && at[1] >= 0.0 && at[0] <= (double)(last[0] + 1) &&
          at[1] <= (double)(last[1] + 1))) {
        return false;
    }
    const int64_t u = at[0] < (double)last[0] ? (int64_t)at[0] : last[0];
    const int64_t v = at[1] < (double)last[1] ? (int64_t)at[1] : last[1];
    const int64_t vertex = v * sheet->n[0] + u;
    const double a = at[0] - (double)u, b = at[1] - (double)v;
    out->corner[0] = sheet->vertex[vertex];
    out->corner[1] = out->corner[0] + LIC_VALUES;
    out->corner[2] = out->corner[0] + LIC_VALUES * sheet->n[0];
    out->corner[3] = out->corner[2] + LIC_VALUES;
    out->weight[0] = (1.0 - a) * (1.0 - b);
    out->weight[1] = a * (1.0 - b);
    out->weight[2] = (1.0 - a) * b;
    out->weight[3] = a * b;
    return sheet->present[vertex];
}

static inline double value_at(const spot *s, int value)
{
    return (s->weight[0] * (double)s->corner[0][value] +
            s->weight[1] * (double)s->corner[1][value]) +
           (s->weight[2] * (double)s->corner[2][value] +
            s->weight[3] * (double)s->corner[3][value]);
}

static inline void point_at(const spot *s, double point[3])
{
    for (int c = 0; c < 3; c++) {
        point[c] = value_at(s, c);
    }
}

/* A place on a streamline. */
typedef struct walker {
    spot spot;
    double at[2], point[3];
} walker;

/* Continues behind the seam of an O-grid. */
static inline void wrap(const lic_sheet *sheet, double at[2])
{
    for (int axis = 0; axis < 2; axis++) {
        const double last = (double)(sheet->n[axis] - 1);
        if (sheet->closed[axis] && !(at[axis] >= 0.0 && at[axis] <= last)) {
            at[axis] += at[axis] < 0.0 ? last : -last;
        }
    }
}

/* Moves from a place along the flow, by the midpoint rule. False if it leaves the
 * sheet. */
static inline bool move(const lic_sheet *sheet, const walker *from, double step,
                        walker *to)
{
    spot middle;
    double half[2];
    for (int c = 0; c < 2; c++) {
        half[c] = from->at[c] + 0.5 * step * value_at(&from->spot, LIC_FLOW + c);
    }
    wrap(sheet, half);
    if (!find_spot(sheet, half, &middle)) {
        return false;
    }
    for (int c = 0; c < 2; c++) {
        to->at[c] = from->at[c] + step * value_at(&middle, LIC_FLOW + c);
    }
    wrap(sheet, to->at);
    if (!find_spot(sheet, to->at, &to->spot)) {
        return false;
    }
    point_at(&to->spot, to->point);
    return true;
}

static inline double distance(const double a[3], const double b[3])
{
    double square = 0.0;
    for (int c = 0; c < 3; c++) {
        square += (b[c] - a[c]) * (b[c] - a[c]);
    }
    return sqrt(square);
}

typedef struct sums {
    double values, weights;
} sums;

/* Adds the noise along a step of this length in pixels, behind so many of a half line. */
static inline void add_noise(const walker *from, const walker *to, const noise *of,
                             const double pixels[2], const lic_kernel *kernel,
                             sums *total)
{
    const int count = pixels[1] > 2.5 ? 3 : pixels[1] > 1.5 ? 2 : 1;
    for (int n = 1; n <= count; n++) {
        const double share = (double)n / count;
        const double at = (pixels[0] + share * pixels[1]) / kernel->length;
        const double weight = pixels[1] / count * weight_at(smaller(at, 1.0));
        double point[3];
        for (int c = 0; c < 3; c++) {
            point[c] = from->point[c] + share * (to->point[c] - from->point[c]);
        }
        total->values += weight * noise_at(of, point);
        total->weights += weight;
    }
}

/* Adds one half of the line. pixel: negative against the flow. */
static void follow(const lic_sheet *sheet, const walker *start, const lic_kernel *kernel,
                   const noise *of, double pixel, sums *total)
{
    enum { MOST_TRIES = 8 }; /* for each step */
    const double per_pixel = 1.0 / fabs(pixel);
    const int most = MOST_TRIES * (int)ceil(kernel->length / STEP);
    double step = STEP, length = 0.0;
    walker walkers[2] = {*start};
    int now = 0;
    for (int n = 0; n < most && length < kernel->length; n++) {
        const walker *from = &walkers[now], *to = &walkers[1 - now];
        if (!move(sheet, from, step * pixel, &walkers[1 - now])) {
            if (step < 1.0) {
                return;
            }
            step *= 0.5; /* nearer to the edge */
            continue;
        }
        const double moved = distance(from->point, to->point) * per_pixel;
        if (moved > 1.5 * step) {
            step *= 0.5;
            continue;
        }
        if (moved < 0.01 * step) {
            return; /* a critical point */
        }
        add_noise(from, to, of, (const double[2]){length, moved}, kernel, total);
        length += moved;
        step = smaller(STEP, 2.0 * step);
        now = 1 - now;
    }
}

double lic_trace(const lic_kernel *kernel, const lic_hit *hit)
{
    walker start = {.at = {hit->at[0], hit->at[1]}};
    if (!(hit->pixel > 0.0) || !find_spot(hit->sheet, start.at, &start.spot)) {
        return 0.0;
    }
    const noise of = noise_make(hit->pixel);
    point_at(&start.spot, start.point);
    sums total = {noise_at(&of, start.point), 1.0};
    follow(hit->sheet, &start, kernel, &of, hit->pixel, &total);
    follow(hit->sheet, &start, kernel, &of, -hit->pixel, &total);
    /* The weights of a whole line: twice the integral of weight_at. A shorter line has a
     * larger deviation, and fades. */
    const double whole = 16.0 / 15.0 * kernel->length;
    return total.values / total.weights * per_deviation(kernel, of.blend) *
           sqrt(smaller(total.weights / whole, 1.0));
}
