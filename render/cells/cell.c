#include "cell.h"

#include <float.h>
#include <math.h>
#include <string.h>

/*        6-------7     Corners are numbered di + 2 dj + 4 dk. Edge 4 a + m runs along
 *       /|      /|     axis a from its lower to its upper end; m is the offset along
 *      4-------5 |     axis a + 1 plus twice that along a + 2 (cyclic).
 *   k  | 2-----|-3
 *   | j|/      |/      Face 2 a + side has its corners in the order 00, 10, 11, 01 of
 *   |/ 0-------1       the axes a + 1 and a + 2: seen from beyond the upper end of axis
 *   +-- i              a, counterclockwise. */
enum { EDGES = 12, FACES = 6 };

static const int edge_ends[EDGES][2] = {
    {0, 1}, {2, 3}, {4, 5}, {6, 7}, /* along i */
    {0, 2}, {4, 6}, {1, 3}, {5, 7}, /* along j */
    {0, 4}, {1, 5}, {2, 6}, {3, 7}, /* along k */
};

static const int face_corners[FACES][4] = {
    {0, 2, 6, 4}, {1, 3, 7, 5}, {0, 4, 5, 1}, {2, 6, 7, 3}, {0, 1, 3, 2}, {4, 5, 7, 6},
};

/* The edges of a face's loop 0-1-2-3-0; the last two run against their own direction. */
static const int face_edges[FACES][4] = {
    {4, 10, 5, 8},  {6, 11, 7, 9}, {8, 2, 9, 0},
    {10, 3, 11, 1}, {0, 6, 1, 4},  {2, 7, 3, 5},
};

/* The ends of a face's diagonal, unturned (corners 0 and 2) and turned (1 and 3). */
static const int face_diagonals[FACES][2][2] = {
    {{0, 6}, {2, 4}}, {{1, 7}, {3, 5}}, {{0, 5}, {4, 1}},
    {{2, 7}, {6, 3}}, {{0, 3}, {1, 2}}, {{4, 7}, {5, 6}},
};

const int *render_cell_face_corners(int face)
{
    return face_corners[face];
}

cell_ray render_cell_ray(render_ray ray)
{
    const double *d = ray.direction.v, *from = ray.origin.v;
    int z = fabs(d[0]) > fabs(d[1]) ? 0 : 1;
    z = fabs(d[2]) > fabs(d[z]) ? 2 : z;
    int x = (z + 1) % 3, y = (z + 2) % 3;
    double per_unit = 1.0 / d[z], shear[2] = {d[x] * per_unit, d[y] * per_unit};
    return (cell_ray){.axis = {x, y, z},
                      .is_backward = d[z] < 0.0,
                      .origin = {render_cell_bound_origin(from[x] - shear[0] * from[z]),
                                 render_cell_bound_origin(from[y] - shear[1] * from[z])},
                      .shear = {(float)shear[0], (float)shear[1]},
                      .per_unit = (float)per_unit,
                      .start = -from[z] * per_unit};
}

/* e(A, B) of cell.h. If it is not zero, its sign is right. */
static inline float edge_function(const cell_vertices *cell, int a, int b)
{
    return cell->u[a] * cell->v[b] - cell->v[a] * cell->u[b];
}

/* e(A, B) in double precision, in which the products are exact: zero is truly zero. */
static inline double exact_edge_function(const cell_vertices *cell, int a, int b)
{
    return (double)cell->u[a] * (double)cell->v[b] -
           (double)cell->v[a] * (double)cell->u[b];
}

/* Whether e(A, B) counts as negative although float32 gave zero. A true zero gets the
 * sign for the ray moved to (epsilon, epsilon^2): e + epsilon (A.v - B.v) - epsilon^2
 * (A.u - B.u). */
static bool edge_is_negative_at_zero(const cell_vertices *cell, int a, int b)
{
    double exact = exact_edge_function(cell, a, b);
    if (exact != 0.0) {
        return exact < 0.0;
    }
    if (cell->v[a] != cell->v[b]) {
        return cell->v[a] < cell->v[b];
    }
    return cell->u[a] > cell->u[b];
}

/* Senses in which a ray crosses the two triangles of a face, for all signs of its edges.
 *
 * Index: bits 0 to 3: this edge of the loop is negative; bit 4: the diagonal is negative;
 * bit 5: the diagonal is turned. Value: bit h: triangle h is crossed towards the upper
 * end of the face's axis; bit 2 + h: towards the lower end. The ray crosses a triangle if
 * its edges, all taken in one direction of rotation, have one sign:
 *
 *     unturned: half 0: edges 0, 1, -diagonal    half 1: edges 2, 3, diagonal
 *     turned:   half 0: edges 1, 2, -diagonal    half 1: edges 3, 0, diagonal */
static const uint8_t face_senses[64] = {
    2, 2, 2, 6, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 4, /* unturned, diagonal positive */
    1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 9, 8, 8, 8, /* unturned, diagonal negative */
    2, 0, 2, 0, 2, 0, 6, 4, 0, 0, 0, 0, 0, 0, 4, 4, /* turned, diagonal positive */
    1, 1, 0, 0, 0, 0, 0, 0, 1, 9, 0, 8, 0, 8, 0, 8, /* turned, diagonal negative */
};

/* The edge functions of a cell, and a bit for each negative one. */
typedef struct cell_edges {
    float edge[EDGES], diagonal[FACES];
    unsigned edge_negative, diagonal_negative;
} cell_edges;

static inline void set_edge(const cell_vertices *cell, int n, cell_edges *edges)
{
    float e = edge_function(cell, edge_ends[n][0], edge_ends[n][1]);
    edges->edge[n] = e;
    edges->edge_negative |= (unsigned)(e < 0.0f) << n;
}

static inline const int *diagonal_ends(int face, unsigned diagonals)
{
    return face_diagonals[face][diagonals >> face & 1u];
}

static inline void set_diagonal(const cell_vertices *cell, int face, unsigned diagonals,
                                cell_edges *edges)
{
    const int *ends = diagonal_ends(face, diagonals);
    float e = edge_function(cell, ends[0], ends[1]);
    edges->diagonal[face] = e;
    edges->diagonal_negative |= (unsigned)(e < 0.0f) << face;
}

/* Finds the signs of a face's edge functions that float32 gave as zero. */
static void settle_zeros(const cell_vertices *cell, int face, unsigned diagonals,
                         cell_edges *edges)
{
    for (int n = 0; n < 4; n++) {
        int edge = face_edges[face][n];
        const int *ends = edge_ends[edge];
        if (edges->edge[edge] == 0.0f &&
            edge_is_negative_at_zero(cell, ends[0], ends[1])) {
            edges->edge_negative |= 1u << edge;
        }
    }
    const int *ends = diagonal_ends(face, diagonals);
    if (edges->diagonal[face] == 0.0f &&
        edge_is_negative_at_zero(cell, ends[0], ends[1])) {
        edges->diagonal_negative |= 1u << face;
    }
}

static inline unsigned find_senses(const cell_edges *edges, unsigned diagonals, int face)
{
    const int *loop = face_edges[face];
    unsigned negative = edges->edge_negative;
    unsigned code = (negative >> loop[0] & 1u) | (negative >> loop[1] & 1u) << 1 |
                    (~negative >> loop[2] & 1u) << 2 | (~negative >> loop[3] & 1u) << 3 |
                    (edges->diagonal_negative >> face & 1u) << 4 |
                    (diagonals >> face & 1u) << 5;
    return face_senses[code];
}

/* A triangle of a face: the ends p and q of the diagonal, the apex r, and the apex
 * `beyond` of the other triangle.
 *
 *     half 0: p -> r -> q    half 1: q -> r -> p */
typedef struct triangle_corners {
    int p, q, r, beyond;
    bool turned, second; /* the diagonal runs from corner 1 to 3; half 1 */
} triangle_corners;

static triangle_corners corners_of(cell_triangle triangle, unsigned diagonals)
{
    const int *corners = face_corners[triangle.face];
    unsigned start = diagonals >> triangle.face & 1u;
    unsigned apex = (start + 1u + 2u * (unsigned)triangle.half) & 3u;
    return (triangle_corners){.p = corners[start],
                              .q = corners[start + 2],
                              .r = corners[apex],
                              .beyond = corners[(apex + 2u) & 3u],
                              .turned = start == 1,
                              .second = triangle.half == 1};
}

static float most3(const float x[8], const triangle_corners *at)
{
    const float p = fabsf(x[at->p]), q = fabsf(x[at->q]), r = fabsf(x[at->r]);
    const float most = p > q ? p : q;
    return most > r ? most : r;
}

/* Whether float32 lacks digits for a crossing with these weights. */
static bool lacks_digits(const cell_vertices *cell, const triangle_corners *at,
                         const float w[3])
{
    const float sum = (w[0] + w[1]) + w[2];
    const float slim = render_cell_slim(most3(cell->u, at), most3(cell->v, at));
    const float near = slim * (CELL_NEAR / CELL_SLIM);
    return sum < slim || w[0] < near || w[1] < near || w[2] < near;
}

/* The crossing of a triangle: weights of p, q and r, which add up to 1, and the distance
 * along the ray. */
typedef struct weighed_crossing {
    float w[3], t;
} weighed_crossing;

/* In double precision: tiny, seen edge-on, or next to an edge. */
static weighed_crossing weigh_exactly(const cell_vertices *cell,
                                      const triangle_corners *at)
{
    double w[3] = {fabs(exact_edge_function(cell, at->r, at->q)),
                   fabs(exact_edge_function(cell, at->p, at->r)),
                   fabs(exact_edge_function(cell, at->p, at->q))};
    const double total = w[0] + w[1] + w[2];
    for (int n = 0; n < 3; n++) {
        w[n] = total > 0.0 ? w[n] / total : 1.0 / 3.0;
    }
    const float *a = cell->along;
    const double along =
        w[0] * (double)a[at->p] + w[1] * (double)a[at->q] + w[2] * (double)a[at->r];
    return (weighed_crossing){.w = {(float)w[0], (float)w[1], (float)w[2]},
                              .t = (float)(along * (double)cell->per_unit)};
}

/* The weight of a corner is the edge function of the opposite edge. All have one sign. */
static weighed_crossing weigh(const cell_vertices *cell, const triangle_corners *at)
{
    weighed_crossing out = {.w = {fabsf(edge_function(cell, at->r, at->q)),
                                  fabsf(edge_function(cell, at->p, at->r)),
                                  fabsf(edge_function(cell, at->p, at->q))}};
    float *w = out.w;
    if (lacks_digits(cell, at, w)) {
        return weigh_exactly(cell, at);
    }
    const float per_sum = 1.0f / ((w[0] + w[1]) + w[2]);
    w[0] *= per_sum;
    w[1] *= per_sum;
    w[2] *= per_sum;
    const float *a = cell->along;
    out.t = ((w[0] * a[at->p] + w[1] * a[at->q]) + w[2] * a[at->r]) * cell->per_unit;
    return out;
}

void render_cell_weigh(const cell_vertices *cell, unsigned diagonals,
                       cell_triangle triangle, float weights[3])
{
    const triangle_corners at = corners_of(triangle, diagonals);
    const weighed_crossing found = weigh(cell, &at);
    memcpy(weights, found.w, sizeof found.w);
}

/* Four times a mean of quarters of finite numbers. Rounding alone may carry it beyond the
 * largest float, so it is limited. */
static float four_times(float quarter)
{
    const float most = 0.25f * FLT_MAX;
    bool is_beyond = fabsf(quarter) > most && isfinite(quarter);
    return is_beyond ? copysignf(FLT_MAX, quarter) : 4.0f * quarter;
}

/* Interpolates at the place where the ray crosses a triangle of a face. Both cells of the
 * face compute the same terms in the same order. */
static cell_crossing cross(const cell_vertices *cell, unsigned diagonals,
                           cell_triangle triangle)
{
    triangle_corners at = corners_of(triangle, diagonals);
    const weighed_crossing found = weigh(cell, &at);
    const float *w = found.w, *s = cell->scalar;
    /* A quarter of each: sums of four such terms stay finite for all finite scalars. */
    float p = 0.25f * s[at.p], q = 0.25f * s[at.q];
    float r = 0.25f * s[at.r], beyond = 0.25f * s[at.beyond];
    float scalar = (w[0] * p + w[1] * q) + w[2] * r;
    float twist = (p + q) - (r + beyond);
    /* Corners 1 and 2 of the face have f = 1, corners 2 and 3 have g = 1. */
    float f = (at.turned ? w[0] : w[1]) + (at.second ? 0.0f : w[2]);
    float g = w[1] + (at.second == at.turned ? 0.0f : w[2]);
    return (cell_crossing){.triangle = triangle,
                           .t = found.t,
                           .scalar = four_times(scalar - twist * (w[0] * w[1])),
                           .f = f,
                           .g = g};
}

/* Of the senses of a face, those in which the ray leaves (or enters) the cell; bit h for
 * triangle h. */
static inline unsigned choose_senses(unsigned senses, int face, bool left_handed,
                                     bool leaving)
{
    bool upwards = (((face & 1) != 0) != left_handed) == leaving;
    return upwards ? senses & 3u : senses >> 2;
}

int render_cell_face_entries(const cell_vertices *cell, unsigned diagonals,
                             bool left_handed, int face, cell_crossing entries[2])
{
    cell_edges edges = {.edge_negative = 0, .diagonal_negative = 0};
    bool any_zero = false;
    for (int n = 0; n < 4; n++) {
        set_edge(cell, face_edges[face][n], &edges);
        any_zero |= edges.edge[face_edges[face][n]] == 0.0f;
    }
    set_diagonal(cell, face, diagonals, &edges);
    if (any_zero || edges.diagonal[face] == 0.0f) {
        settle_zeros(cell, face, diagonals, &edges);
    }
    unsigned entering =
        choose_senses(find_senses(&edges, diagonals, face), face, left_handed, false);
    int count = 0;
    for (int half = 0; half < 2; half++) {
        if (entering >> half & 1u) {
            cell_triangle triangle = {(int8_t)face, (int8_t)half};
            entries[count++] = cross(cell, diagonals, triangle);
        }
    }
    return count;
}

static void sort_crossings(int count, cell_crossing *list)
{
    for (int i = 1; i < count; i++) {
        cell_crossing moving = list[i];
        int place = i;
        for (; place > 0 && list[place - 1].t > moving.t; place--) {
            list[place] = list[place - 1];
        }
        list[place] = moving;
    }
}

/* Computes the crossings of the triangles in `mask` (bit 2 * face + half), sorted along
 * the ray. Returns their number. */
static int list_crossings(const cell_vertices *cell, unsigned diagonals, unsigned mask,
                          cell_crossing *list)
{
    int count = 0;
    for (int n = 0; n < 2 * FACES; n++) {
        if (mask >> n & 1u) {
            cell_triangle triangle = {(int8_t)(n / 2), (int8_t)(n % 2)};
            list[count++] = cross(cell, diagonals, triangle);
        }
    }
    sort_crossings(count, list);
    return count;
}

/* Finds the exit of an entry if a ray passes the cell several times: the n-th exit along
 * the ray belongs to the n-th entry. */
static bool pair_exit(const cell_vertices *cell, unsigned diagonals, unsigned entering,
                      unsigned leaving, cell_triangle entry, cell_crossing *exit)
{
    cell_crossing entries[CELL_MAX_CROSSINGS], exits[CELL_MAX_CROSSINGS];
    int count = list_crossings(cell, diagonals, entering, entries);
    if (list_crossings(cell, diagonals, leaving, exits) != count) {
        return false;
    }
    for (int n = 0; n < count; n++) {
        cell_triangle at = entries[n].triangle;
        if (at.face == entry.face && at.half == entry.half) {
            *exit = exits[n];
            return true;
        }
    }
    return false;
}

bool render_cell_exit(const cell_vertices *cell, unsigned diagonals, bool left_handed,
                      cell_triangle entry, cell_crossing *exit)
{
    cell_edges edges = {.edge_negative = 0, .diagonal_negative = 0};
    bool any_zero = false;
#pragma GCC unroll 12
    for (int n = 0; n < EDGES; n++) {
        set_edge(cell, n, &edges);
        any_zero |= edges.edge[n] == 0.0f;
    }
#pragma GCC unroll 6
    for (int face = 0; face < FACES; face++) {
        set_diagonal(cell, face, diagonals, &edges);
        any_zero |= edges.diagonal[face] == 0.0f;
    }
    for (int face = 0; any_zero && face < FACES; face++) {
        settle_zeros(cell, face, diagonals, &edges);
    }
    unsigned leaving = 0, entering = 0; /* bit 2 * face + half */
#pragma GCC unroll 6
    for (int face = 0; face < FACES; face++) {
        unsigned senses = find_senses(&edges, diagonals, face);
        leaving |= choose_senses(senses, face, left_handed, true) << 2 * face;
        entering |= choose_senses(senses, face, left_handed, false) << 2 * face;
    }
    bool is_single = leaving != 0 && (leaving & (leaving - 1)) == 0;
    if (!is_single) {
        return pair_exit(cell, diagonals, entering, leaving, entry, exit);
    }
    int n = __builtin_ctz(leaving);
    *exit = cross(cell, diagonals, (cell_triangle){(int8_t)(n / 2), (int8_t)(n % 2)});
    return true;
}
