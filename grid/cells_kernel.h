/* The kernels of cells.h. Each file that compiles them for an instruction set includes
 * this one once, with KERNEL and KERNEL_NAME defined. Every loop runs over one row, with
 * a constant number of steps and only arithmetic inside, so that compilers turn it into
 * SIMD. */
#include "cells.h"

/* ---- flags ------------------------------------------------------------------------ */

/* Bits of an order byte: how a vertex compares with its next along each axis. */
enum {
    NEXT_FIRST_I = 1, /* the next one comes before this */
    NEXT_FIRST_J = 2,
    NEXT_FIRST_K = 4,
    THIS_FIRST_I = 8, /* this comes before the next one; neither bit is set if they are
                         equal */
    THIS_FIRST_J = 16,
    THIS_FIRST_K = 32
};

/* The arrays of x, y and z from some vertex on. */
typedef struct points {
    const float *x, *y, *z;
} points;

static inline points points_at(const cells_rows *rows, size_t at)
{
    return (points){rows->point[0] + at, rows->point[1] + at, rows->point[2] + at};
}

/* Whether point a[i] comes before b[i]: by x, then y, then z. Zeros of either sign are
 * equal; NaN comes before nothing. */
static inline int comes_before(points a, points b, int i)
{
    const int z = a.z[i] < b.z[i];
    const int y = (a.y[i] < b.y[i]) | ((a.y[i] == b.y[i]) & z);
    return (a.x[i] < b.x[i]) | ((a.x[i] == b.x[i]) & y);
}

/* Order bits for i; for j and k shift them. `next`: the next vertices along the axis. */
static inline int order_bits(points here, points next, int i)
{
    return (comes_before(next, here, i) ? NEXT_FIRST_I : 0) |
           (comes_before(here, next, i) ? THIS_FIRST_I : 0);
}

/* Order bytes of a row. The loop writes words: with bytes inside, the compiler would cut
 * it into pieces that suit bytes. */
static inline void order_row(points here, points next_i, points next_j, points next_k,
                             uint8_t *order)
{
    int32_t words[CELLS_ROW];
#pragma omp simd
    for (int i = 0; i < CELLS_ROW; i++) {
        words[i] = order_bits(here, next_i, i) | order_bits(here, next_j, i) << 1 |
                   order_bits(here, next_k, i) << 2;
    }
    for (int i = 0; i < CELLS_ROW; i++) {
        order[i] = (uint8_t)words[i];
    }
}

/* Order bytes of all vertices. The last row of a plane, and all rows of the last plane,
 * are compared with themselves, which sets no bit. */
static inline void order_rows(const cells_rows *rows, uint8_t *order)
{
    for (int k = 0; k <= rows->n[2]; k++) {
        for (int j = 0; j <= rows->n[1]; j++) {
            const size_t at = cells_row_at(j, k);
            const size_t next_j = j < rows->n[1] ? CELLS_ROW : 0;
            const size_t next_k = k < rows->n[2] ? CELLS_PLANE : 0;
            order_row(points_at(rows, at), points_at(rows, at + 1),
                      points_at(rows, at + next_j), points_at(rows, at + next_k),
                      order + at);
        }
    }
}

/* Whether a face is cut from corner 1 to corner 3: this holds if its smallest point is
 * one of these two. Going around a face, two points that are both smaller than their
 * neighbours are never adjacent. So the face has either one such point, its smallest, or
 * two opposite ones, which mean the same diagonal. Hence the order along the four edges
 * decides, and faces share edges.
 *
 *     3 --- 2      along: from 0 to 1 and from 3 to 2
 *     |     |      across: from 0 to 3 and from 1 to 2
 *     0 --- 1
 *
 * The test: 1 is before 0, and 2 is not before 1; or 3 is before 0 and before 2. If two
 * corners are the same point, either may count as the smallest: one of the triangles then
 * has no area, and the other is the same. */
static inline int other_diagonal(int at0, int at1, int at3, int along, int across)
{
    const int one = (at0 >> along) & ~(at1 >> across);
    const int three = (at0 >> across) & (at3 >> (along + 3));
    return (one | three) & 1;
}

/* Flags of a row of vertices, without GRID_PRESENT and upper diagonals. inside[axis][i]
 * is 1 if the brick continues along the axis. */
static inline void diagonals_of_row(const uint8_t *here, const uint8_t *next_j,
                                    const uint8_t *next_k,
                                    const uint8_t (*inside)[CELLS_ROW], uint8_t *flags)
{
#pragma omp simd
    for (int i = 0; i < CELLS_ROW; i++) {
        const int at = here[i], at_i = here[i + 1], at_j = next_j[i], at_k = next_k[i];
        const int di = other_diagonal(at, at_j, at_k, 1, 2) & inside[1][i] & inside[2][i];
        const int dj = other_diagonal(at, at_k, at_i, 2, 0) & inside[2][i] & inside[0][i];
        const int dk = other_diagonal(at, at_i, at_j, 0, 1) & inside[0][i] & inside[1][i];
        flags[i] = (uint8_t)(di | dj << 1 | dk << 2);
    }
}

/* Adds GRID_PRESENT to the cells of a row; `exists` is at their lowest corners. */
static inline void present_of_row(const uint8_t *exists,
                                  const uint8_t (*inside)[CELLS_ROW], uint8_t *flags)
{
    const uint8_t *a = exists, *b = a + CELLS_ROW;
    const uint8_t *c = a + CELLS_PLANE, *d = c + CELLS_ROW;
#pragma omp simd
    for (int i = 0; i < CELLS_ROW; i++) {
        const int all =
            a[i] & a[i + 1] & b[i] & b[i + 1] & c[i] & c[i + 1] & d[i] & d[i + 1];
        flags[i] = (uint8_t)(flags[i] | (all & inside[0][i]) << 3);
    }
}

/* Copies the diagonals of a cell's upper faces into the cell's own byte. */
static inline void repeat_upper_diagonals(uint8_t *flags)
{
    const uint8_t *next_j = flags + CELLS_ROW, *next_k = flags + CELLS_PLANE;
    uint8_t next_i[CELLS_ROW];
    for (int i = 0; i < CELLS_ROW; i++) {
        next_i[i] = flags[i + 1];
    }
#pragma omp simd
    for (int i = 0; i < CELLS_ROW; i++) {
        const int upper = (next_i[i] & GRID_DIAGONAL_I) | (next_j[i] & GRID_DIAGONAL_J) |
                          (next_k[i] & GRID_DIAGONAL_K);
        const int present = -((flags[i] & GRID_PRESENT) >> 3);
        flags[i] = (uint8_t)(flags[i] | ((upper << 4) & present));
    }
}

static void flag(cells_rows *rows)
{
    uint8_t order[CELLS_POINTS + CELLS_PADDING] = {0};
    uint8_t inside[3][CELLS_ROW];
    order_rows(rows, order);
    for (int k = 0; k <= rows->n[2]; k++) {
        for (int j = 0; j <= rows->n[1]; j++) {
            const size_t at = cells_row_at(j, k);
            const bool in_j = j < rows->n[1], in_k = k < rows->n[2];
            for (int i = 0; i < CELLS_ROW; i++) {
                inside[0][i] = i < rows->n[0];
                inside[1][i] = in_j;
                inside[2][i] = in_k;
            }
            diagonals_of_row(order + at, order + at + (in_j ? CELLS_ROW : 0),
                             order + at + (in_k ? CELLS_PLANE : 0),
                             (const uint8_t(*)[CELLS_ROW])inside, rows->flags + at);
            if (in_j && in_k) {
                present_of_row(rows->exists + at, (const uint8_t(*)[CELLS_ROW])inside,
                               rows->flags + at);
            }
        }
    }
    for (int k = 0; k < rows->n[2]; k++) {
        for (int j = 0; j < rows->n[1]; j++) {
            repeat_upper_diagonals(rows->flags + cells_row_at(j, k));
        }
    }
}

/* ---- rows of cells ---------------------------------------------------------------- */

/* The four rows of vertices around a row of cells, in double precision. A loop over cells
 * that also converted would take twice the vectors at a time, more than registers hold.
 */
typedef struct wide_rows {
    double x[4][CELLS_ROW], y[4][CELLS_ROW], z[4][CELLS_ROW]; /* [dj + 2 dk] */
} wide_rows;

static inline void widen_row(const float *from, double *restrict to)
{
    for (int i = 0; i < CELLS_ROW; i++) {
        to[i] = (double)from[i];
    }
}

static inline void widen(points row, wide_rows *out)
{
    for (int n = 0; n < 4; n++) {
        const size_t at = (size_t)(n & 1) * CELLS_ROW + (size_t)(n >> 1) * CELLS_PLANE;
        widen_row(row.x + at, out->x[n]);
        widen_row(row.y + at, out->y[n]);
        widen_row(row.z + at, out->z[n]);
    }
}

/* Corner di + 2 dj + 4 dk of the i-th cell of a row. */
static inline vec3 corner(const wide_rows *row, int i, int n)
{
    const int at = i + (n & 1);
    return vec3_make(row->x[n >> 1][at], row->y[n >> 1][at], row->z[n >> 1][at]);
}

/* ---- windings --------------------------------------------------------------------- */

static inline double smaller(double a, double b)
{
    return a < b ? a : b;
}

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

static inline vec3 choose(double second, vec3 a, vec3 b)
{
    return vec3_make(second > 0.0 ? b.v[0] : a.v[0], second > 0.0 ? b.v[1] : a.v[1],
                     second > 0.0 ? b.v[2] : a.v[2]);
}

/* Smallest and largest six-fold volume of the tetrahedra from a cell's centre to the
 * triangles of its faces. Positive if the triangles turn counterclockwise seen from
 * outside. */
typedef struct extremes {
    double least, most;
} extremes;

/* Adds the tetrahedra of the triangles (a, b, c) and (c, d, a). */
static inline extremes add_triangles(extremes e, vec3 a, vec3 b, vec3 c, vec3 d)
{
    const double first = vec3_dot(a, vec3_cross(b, c));
    const double second = vec3_dot(c, vec3_cross(d, a));
    e.least = smaller(e.least, smaller(first, second));
    e.most = larger(e.most, larger(first, second));
    return e;
}

/* Adds a lower face, whose corners are numbered clockwise as seen from outside
 * (brick.h). */
static inline extremes add_lower_face(extremes e, double turned, vec3 p0, vec3 p1,
                                      vec3 p2, vec3 p3)
{
    return add_triangles(e, choose(turned, p2, p3), choose(turned, p1, p2),
                         choose(turned, p0, p1), choose(turned, p3, p0));
}

static inline extremes add_upper_face(extremes e, double turned, vec3 p0, vec3 p1,
                                      vec3 p2, vec3 p3)
{
    return add_triangles(e, choose(turned, p0, p1), choose(turned, p1, p2),
                         choose(turned, p2, p3), choose(turned, p3, p0));
}

/* The flags of a row of cells that windings depend on, each 1.0 or 0.0. */
typedef struct row_flags {
    double present[GRID_BRICK_CELLS];
    double lower[3][GRID_BRICK_CELLS]; /* the face is cut along its other diagonal */
    double upper[3][GRID_BRICK_CELLS];
} row_flags;

/* Sets flag[i] to bit n of flags[i]. */
static inline void spread_flag(const uint8_t *flags, int n, double *flag)
{
    for (int i = 0; i < GRID_BRICK_CELLS; i++) {
        flag[i] = flags[i] >> n & 1;
    }
}

static inline void spread_flags(const uint8_t *flags, row_flags *out)
{
    spread_flag(flags, 3, out->present);
    for (int axis = 0; axis < 3; axis++) {
        spread_flag(flags, axis, out->lower[axis]);
        spread_flag(flags, axis + 4, out->upper[axis]);
    }
}

static inline extremes cell_extremes(const wide_rows *row, const row_flags *f, int i)
{
    vec3 p0 = corner(row, i, 0), p1 = corner(row, i, 1), p2 = corner(row, i, 2);
    vec3 p3 = corner(row, i, 3), p4 = corner(row, i, 4), p5 = corner(row, i, 5);
    vec3 p6 = corner(row, i, 6), p7 = corner(row, i, 7);
    vec3 centre = vec3_add(vec3_add(vec3_add(p0, p1), p2), p3);
    centre = vec3_add(vec3_add(vec3_add(vec3_add(centre, p4), p5), p6), p7);
    centre = vec3_scale(centre, 0.125);
    p0 = vec3_sub(p0, centre);
    p1 = vec3_sub(p1, centre);
    p2 = vec3_sub(p2, centre);
    p3 = vec3_sub(p3, centre);
    p4 = vec3_sub(p4, centre);
    p5 = vec3_sub(p5, centre);
    p6 = vec3_sub(p6, centre);
    p7 = vec3_sub(p7, centre);
    extremes e = {(double)INFINITY, -(double)INFINITY};
    e = add_lower_face(e, f->lower[0][i], p0, p2, p6, p4);
    e = add_upper_face(e, f->upper[0][i], p1, p3, p7, p5);
    e = add_lower_face(e, f->lower[1][i], p0, p4, p5, p1);
    e = add_upper_face(e, f->upper[1][i], p2, p6, p7, p3);
    e = add_lower_face(e, f->lower[2][i], p0, p1, p3, p2);
    return add_upper_face(e, f->upper[2][i], p4, p5, p7, p6);
}

/* Square of the length of the i-th cell's diagonal from corner n. */
static inline double square_across(const wide_rows *row, int i, int n)
{
    const vec3 across = vec3_sub(corner(row, i, n), corner(row, i, 7 - n));
    return vec3_dot(across, across);
}

/* Bound on the rounding error in the volume of a flat tetrahedron, as collapsed faces
 * make them, for a row of cells. */
static inline void find_rounding(const wide_rows *row, double rounding[GRID_BRICK_CELLS])
{
#pragma omp simd
    for (int i = 0; i < GRID_BRICK_CELLS; i++) {
        const double widest =
            larger(larger(square_across(row, i, 0), square_across(row, i, 1)),
                   larger(square_across(row, i, 2), square_across(row, i, 3)));
        rounding[i] = 1e-14 * widest * sqrt(widest);
    }
}

/* Windings of a row of cells: extends the i-th extremes by the i-th cell; with
 * `beyond_rounding` only by volumes that exceed the rounding error. The test stands
 * outside the loop: a branch inside would keep the loop from becoming SIMD. */
static void wind_row(const cells_rows *rows, size_t at, bool beyond_rounding,
                     double *restrict least, double *restrict most)
{
    double off[GRID_BRICK_CELLS] = {0.0};
    wide_rows row;
    row_flags f;
    widen(points_at(rows, at), &row);
    spread_flags(rows->flags + at, &f);
    if (beyond_rounding) {
        find_rounding(&row, off);
    }
#pragma omp simd
    for (int i = 0; i < GRID_BRICK_CELLS; i++) {
        const extremes e = cell_extremes(&row, &f, i);
        least[i] = smaller(least[i], f.present[i] > 0.0 ? e.least + off[i] : 0.0);
        most[i] = larger(most[i], f.present[i] > 0.0 ? e.most - off[i] : 0.0);
    }
}

static unsigned find_windings(const cells_rows *rows, bool beyond_rounding)
{
    double least[GRID_BRICK_CELLS] = {0.0}, most[GRID_BRICK_CELLS] = {0.0};
    for (int k = 0; k < rows->n[2]; k++) {
        for (int j = 0; j < rows->n[1]; j++) {
            wind_row(rows, cells_row_at(j, k), beyond_rounding, least, most);
        }
    }
    unsigned found = 0;
    for (int i = 0; i < GRID_BRICK_CELLS; i++) {
        found |= (most[i] > 0.0 ? GRID_WINDS_RIGHT : 0u) |
                 (least[i] < 0.0 ? GRID_WINDS_LEFT : 0u);
    }
    return found;
}

/* Collapsed cells seem to wind both ways, so bricks that wind both ways are checked again
 * without flat tetrahedra. */
static unsigned windings(const cells_rows *rows)
{
    const unsigned found = find_windings(rows, false);
    const bool is_both = found == (GRID_WINDS_RIGHT | GRID_WINDS_LEFT);
    const unsigned clear = is_both ? find_windings(rows, true) : found;
    return found | clear << GRID_WINDS_CLEARLY;
}

/* ---- volumes ---------------------------------------------------------------------- */

/* The determinant of three vectors; cell_volume in cells.c is a sum of three. */
static inline double determinant(vec3 a, vec3 b, vec3 c)
{
    return vec3_dot(a, vec3_cross(b, c));
}

static void volumes(const cells_rows *rows, int j, int k, double volume[GRID_BRICK_CELLS])
{
    wide_rows wide;
    const wide_rows *row = &wide;
    widen(points_at(rows, cells_row_at(j, k)), &wide);
#pragma omp simd
    for (int i = 0; i < GRID_BRICK_CELLS; i++) {
        const vec3 p0 = corner(row, i, 0), p1 = corner(row, i, 1), p2 = corner(row, i, 2);
        const vec3 p3 = corner(row, i, 3), p4 = corner(row, i, 4), p5 = corner(row, i, 5);
        const vec3 p6 = corner(row, i, 6), p7 = corner(row, i, 7);
        double sum = determinant(vec3_add(vec3_sub(p2, p1), vec3_sub(p6, p3)),
                                 vec3_sub(p7, p2), vec3_sub(p3, p0));
        sum += determinant(vec3_add(vec3_sub(p4, p2), vec3_sub(p5, p6)), vec3_sub(p7, p4),
                           vec3_sub(p6, p0));
        sum += determinant(vec3_add(vec3_sub(p1, p4), vec3_sub(p3, p5)), vec3_sub(p7, p1),
                           vec3_sub(p5, p0));
        volume[i] = sum / 12.0;
    }
}

const cells_kernel KERNEL = {KERNEL_NAME, flag, windings, volumes};
