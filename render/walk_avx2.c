/* The kernel for processors with AVX2: four vertices or edges at a time. */
#include "render/cell_signs.h"
#include "render/walk_kernels.h"

#include <immintrin.h>

#define KERNEL      render_walk_avx2
#define KERNEL_NAME "avx2"

/* A ray's numbers, each in all lanes. */
typedef struct shear_ray {
    __m256i order; /* puts x, y, z of two vertices in the order of the ray's axes */
    __m256d origin[3];
    __m256d shear[2];
} shear_ray;

static shear_ray prepare_ray(const cell_ray *ray)
{
    const int *axis = ray->axis;
    shear_ray shear = {
        .order =
            _mm256_setr_epi32(axis[0], axis[1], axis[2], 3, axis[0], axis[1], axis[2], 3),
        .shear = {_mm256_set1_pd(ray->shear[0]), _mm256_set1_pd(ray->shear[1])},
    };
    for (int n = 0; n < 3; n++) {
        shear.origin[n] = _mm256_set1_pd(ray->origin[n]);
    }
    return shear;
}

/* One coordinate of all corners: [0, 2, 4, 6] have the lower i, [1, 3, 5, 7] the upper.
 */
typedef struct corners {
    __m256d even, odd;
} corners;

static inline corners widen(__m256 even_odd)
{
    return (corners){_mm256_cvtps_pd(_mm256_castps256_ps128(even_odd)),
                     _mm256_cvtps_pd(_mm256_extractf128_ps(even_odd, 1))};
}

static inline corners subtract(corners a, __m256d b)
{
    return (corners){a.even - b, a.odd - b};
}

static inline corners shear_along(corners a, __m256d shear, corners along)
{
    return (corners){a.even - shear * along.even, a.odd - shear * along.odd};
}

/* The vertices at this offset and at the next one along i: a0 b0 c0 s0, a1 b1 c1 s1. */
static inline __m256 load_pair(const shear_ray *ray, const float *lowest,
                               ptrdiff_t offset)
{
    return _mm256_permutevar_ps(_mm256_loadu_ps(lowest + offset), ray->order);
}

/*
 * u and v of the corners. Where a is what becomes u, b what becomes v and c runs along
 * the ray, the 4 x 4 transposition of both halves goes
 *
 *     a0 b0 c0 s0     a0 a2 b0 b2     a0 a2 a4 a6
 *     a2 b2 c2 s2     a4 a6 b4 b6     b0 b2 b4 b6
 *     a4 b4 c4 s4     c0 c2 s0 s2     c0 c2 c4 c6
 *     a6 b6 c6 s6     c4 c6 s4 s6
 */
static inline void shear_cell(const shear_ray *ray, const float *lowest,
                              const ptrdiff_t offset[8], corners *u, corners *v)
{
    __m256 pair0 = load_pair(ray, lowest, 0), pair2 = load_pair(ray, lowest, offset[2]);
    __m256 pair4 = load_pair(ray, lowest, offset[4]),
           pair6 = load_pair(ray, lowest, offset[6]);
    __m256d ab02 = _mm256_castps_pd(_mm256_unpacklo_ps(pair0, pair2));
    __m256d ab46 = _mm256_castps_pd(_mm256_unpacklo_ps(pair4, pair6));
    __m256d cs02 = _mm256_castps_pd(_mm256_unpackhi_ps(pair0, pair2));
    __m256d cs46 = _mm256_castps_pd(_mm256_unpackhi_ps(pair4, pair6));
    corners a = widen(_mm256_castpd_ps(_mm256_unpacklo_pd(ab02, ab46)));
    corners b = widen(_mm256_castpd_ps(_mm256_unpackhi_pd(ab02, ab46)));
    corners c = widen(_mm256_castpd_ps(_mm256_unpacklo_pd(cs02, cs46)));
    corners along = subtract(c, ray->origin[2]);
    *u = shear_along(subtract(a, ray->origin[0]), ray->shear[0], along);
    *v = shear_along(subtract(b, ray->origin[1]), ray->shear[1], along);
}

/* e(A, B) of cell.h, four at a time. */
static inline __m256d edge_functions(__m256d a_u, __m256d a_v, __m256d b_u, __m256d b_v)
{
    return a_u * b_v - a_v * b_u;
}

static inline __m256d swap_middle(__m256d a)
{
    return _mm256_permute4x64_pd(a, _MM_SHUFFLE(3, 1, 2, 0));
}

static inline __m256d swap_halves(__m256d a)
{
    return _mm256_permute2f128_pd(a, a, 1);
}

static inline __m256d swap_neighbours(__m256d a)
{
    return _mm256_permute_pd(a, 5);
}

/* Corners 0 1 4 5 (lower j), 2 3 6 7 (upper j), 0 2 1 3 (lower k), 4 6 5 7 (upper k). */
static inline __m256d lower_j(corners a)
{
    return _mm256_unpacklo_pd(a.even, a.odd);
}

static inline __m256d upper_j(corners a)
{
    return _mm256_unpackhi_pd(a.even, a.odd);
}

static inline __m256d lower_k(corners a)
{
    return _mm256_permute2f128_pd(a.even, a.odd, 0x20);
}

static inline __m256d upper_k(corners a)
{
    return _mm256_permute2f128_pd(a.even, a.odd, 0x31);
}

static inline void store_edges(__m256d e, int first, cell_measure *measure,
                               __m256d *zeros)
{
    _mm256_storeu_pd(&measure->edge[first], e);
    measure->negative |= (unsigned)_mm256_movemask_pd(e) << first;
    *zeros = _mm256_or_pd(*zeros, _mm256_cmp_pd(e, _mm256_setzero_pd(), _CMP_EQ_OQ));
}

/*
 * The lanes of both operands, lower and upper along each axis:
 *
 *     i: 0 2 4 6     j: 0 1 4 5     k: 0 2 1 3     edges
 *        1 3 5 7        2 3 6 7        4 6 5 7
 *
 *     i: 0 2 4 6     j: 0 1 4 5     k: 0 2 1 3     diagonals across j, k, i
 *        5 7 1 3        3 2 7 6        6 4 7 5
 *
 * Those of j and k then swap their middle lanes to come in the order of cell_measure.
 */
static inline void measure_cell(const shear_ray *ray, const float *lowest,
                                const ptrdiff_t offset[8], cell_measure *measure)
{
    corners u, v;
    shear_cell(ray, lowest, offset, &u, &v);
    __m256d zeros = _mm256_setzero_pd();
    measure->negative = 0;
    __m256d a_u = u.even, a_v = v.even, b_u = u.odd, b_v = v.odd;
    store_edges(edge_functions(a_u, a_v, b_u, b_v), 0, measure, &zeros);
    store_edges(edge_functions(a_u, a_v, swap_halves(b_u), swap_halves(b_v)), 16, measure,
                &zeros);
    a_u = lower_j(u), a_v = lower_j(v), b_u = upper_j(u), b_v = upper_j(v);
    store_edges(swap_middle(edge_functions(a_u, a_v, b_u, b_v)), 4, measure, &zeros);
    store_edges(
        swap_middle(edge_functions(a_u, a_v, swap_neighbours(b_u), swap_neighbours(b_v))),
        20, measure, &zeros);
    a_u = lower_k(u), a_v = lower_k(v), b_u = upper_k(u), b_v = upper_k(v);
    store_edges(swap_middle(edge_functions(a_u, a_v, b_u, b_v)), 8, measure, &zeros);
    store_edges(
        swap_middle(edge_functions(a_u, a_v, swap_neighbours(b_u), swap_neighbours(b_v))),
        12, measure, &zeros);
    measure->any_zero = !_mm256_testz_pd(zeros, zeros);
}

/* Where the upper halves of vector registers are in use, all other code takes up to twice
 * its time, as it must keep them. Compilers clear them before they leave a function, but
 * GCC 12 forgets to after calls of functions in the same file. */
static inline void leave_kernel(void)
{
    _mm256_zeroupper();
}

#include "render/walk_kernel.h"
