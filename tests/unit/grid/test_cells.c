/* The kernels of grid/cells.h, compared with one cell after the other. */
#include "grid/cells.h"

#include "support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERTICES = CELLS_SIDE * CELLS_SIDE * CELLS_SIDE, TRIALS = 120 };

/* A brick on its own, and its blanked vertices. */
typedef struct test_brick {
    grid_brick brick;
    float vertex[VERTICES][4];
    uint8_t flags[VERTICES], blanked[VERTICES];
} test_brick;

static size_t vertex_at(const grid_brick *brick, int i, int j, int k)
{
    const int *n = brick->place.n;
    return ((size_t)k * (size_t)(n[1] + 1) + (size_t)j) * (size_t)(n[0] + 1) + (size_t)i;
}

static bool is_finite(const float *p)
{
    return fabsf(p[0]) <= GRID_FARTHEST && fabsf(p[1]) <= GRID_FARTHEST &&
           fabsf(p[2]) <= GRID_FARTHEST;
}

/* ---- the reference: the contract of brick.h, word by word ------------------------- */

static bool comes_before(const float *a, const float *b)
{
    for (int axis = 0; axis < 3; axis++) {
        if (a[axis] != b[axis]) {
            return a[axis] < b[axis];
        }
    }
    return false;
}

/* Corners of a face of constant `axis` at a vertex, in brick.h's order; false where the
 * brick has no such face, or one of them is nowhere. */
static bool face_corners(const test_brick *t, int axis, const int at[3],
                         const float *corner[4])
{
    static const int steps[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    const int next = (axis + 1) % 3, last = (axis + 2) % 3;
    for (int c = 0; c < 4; c++) {
        int place[3] = {at[0], at[1], at[2]};
        place[next] += steps[c][0];
        place[last] += steps[c][1];
        if (place[next] > t->brick.place.n[next] ||
            place[last] > t->brick.place.n[last]) {
            return false;
        }
        corner[c] = t->vertex[vertex_at(&t->brick, place[0], place[1], place[2])];
        if (!is_finite(corner[c])) {
            return false;
        }
    }
    return true;
}

static bool other_diagonal(const float *corner[4])
{
    int smallest = 0;
    for (int c = 1; c < 4; c++) {
        smallest = comes_before(corner[c], corner[smallest]) ? c : smallest;
    }
    return smallest % 2 == 1;
}

static bool cell_is_present(const test_brick *t, const int at[3])
{
    for (int axis = 0; axis < 3; axis++) {
        if (at[axis] == t->brick.place.n[axis]) {
            return false;
        }
    }
    for (int c = 0; c < 8; c++) {
        size_t v =
            vertex_at(&t->brick, at[0] + (c & 1), at[1] + (c >> 1 & 1), at[2] + (c >> 2));
        if (t->blanked[v] || !is_finite(t->vertex[v])) {
            return false;
        }
    }
    return true;
}

static void load_cell(const test_brick *t, const int at[3], double c[8][3])
{
    for (int n = 0; n < 8; n++) {
        size_t v =
            vertex_at(&t->brick, at[0] + (n & 1), at[1] + (n >> 1 & 1), at[2] + (n >> 2));
        for (int axis = 0; axis < 3; axis++) {
            c[n][axis] = (double)t->vertex[v][axis];
        }
    }
}

/* Volumes (six-fold) of no more than `flat` are none. */
static unsigned winding_of(vec3 centre, double flat, const double *p, const double *q,
                           const double *r)
{
    vec3 a = vec3_sub(vec3_make(p[0], p[1], p[2]), centre);
    vec3 b = vec3_sub(vec3_make(q[0], q[1], q[2]), centre);
    vec3 c = vec3_sub(vec3_make(r[0], r[1], r[2]), centre);
    double volume = vec3_dot(a, vec3_cross(b, c));
    return volume > flat ? GRID_WINDS_RIGHT : volume < -flat ? GRID_WINDS_LEFT : 0;
}

/* Largest rounding error of a volume, from the longest of the cell's diagonals. */
static double rounding_of(double c[8][3])
{
    double widest = 0.0;
    for (int n = 0; n < 4; n++) {
        vec3 across = vec3_sub(vec3_make(c[n][0], c[n][1], c[n][2]),
                               vec3_make(c[7 - n][0], c[7 - n][1], c[7 - n][2]));
        widest = fmax(widest, vec3_dot(across, across));
    }
    return 1e-14 * widest * sqrt(widest);
}

/* Windings of a cell's face across `axis`, at its lower or upper end: [0] as they are,
 * [1] beyond rounding. */
static void add_face_windings(const test_brick *t, const int at[3], int axis, int side,
                              unsigned windings[2])
{
    static const int lower[3][4] = {{0, 2, 6, 4}, {0, 4, 5, 1}, {0, 1, 3, 2}};
    double c[8][3];
    const float *corner[4];
    int face[3] = {at[0], at[1], at[2]}, p[4];
    face[axis] += side;
    assert_true(face_corners(t, axis, face, corner));
    load_cell(t, at, c);
    vec3 centre = vec3_make(0.0, 0.0, 0.0);
    for (int n = 0; n < 8; n++) {
        centre =
            vec3_add(centre, vec3_scale(vec3_make(c[n][0], c[n][1], c[n][2]), 0.125));
    }
    for (int n = 0; n < 4; n++) {
        p[n] = lower[axis][(n + (other_diagonal(corner) ? 1 : 0)) % 4] + (side << axis);
    }
    if (side == 0) {
        const int first = p[0];
        p[0] = p[2];
        p[2] = first;
    }
    for (int beyond = 0; beyond < 2; beyond++) {
        const double flat = beyond ? rounding_of(c) : 0.0;
        windings[beyond] |= winding_of(centre, flat, c[p[0]], c[p[1]], c[p[2]]) |
                            winding_of(centre, flat, c[p[2]], c[p[3]], c[p[0]]);
    }
}

/* ---- bricks ----------------------------------------------------------------------- */

/* Kinds of bricks; each also has vertices that are nowhere or blanked in some trials. */
enum { REGULAR, ROUGH, COARSE, COLLAPSED, KINDS };

static void place_vertex(uint64_t *state, int kind, const int at[3], float p[3])
{
    for (int axis = 0; axis < 3; axis++) {
        double noise = random_between(state, -1.0, 1.0);
        double value = at[axis] + 0.1 * at[(axis + 1) % 3];
        value += noise * (kind == ROUGH ? 1.5 : kind == REGULAR ? 0.05 : 0.0);
        p[axis] = (float)value;
    }
    if (kind == COARSE) { /* many ties, zeros of both signs, flat and folded cells */
        for (int axis = 0; axis < 3; axis++) {
            int step = random_below(state, 5) - 2;
            p[axis] = step == 0 && random_below(state, 2) ? -0.0f : (float)step;
        }
    }
    if (kind == COLLAPSED && at[0] == 0) { /* a pole */
        p[0] = p[1] = 0.0f;
        p[2] = (float)at[2];
    }
}

static void fill_brick(uint64_t *state, int trial, test_brick *t)
{
    const int kind = trial % KINDS;
    size_t v = 0;
    memset(t, 0, sizeof *t);
    t->brick.vertex = t->vertex;
    t->brick.flags = t->flags;
    for (int axis = 0; axis < 3; axis++) {
        int small = 1 + random_below(state, GRID_BRICK_CELLS);
        t->brick.place.n[axis] = trial < KINDS ? GRID_BRICK_CELLS : small;
    }
    const int *n = t->brick.place.n;
    for (int k = 0; k <= n[2]; k++) {
        for (int j = 0; j <= n[1]; j++) {
            for (int i = 0; i <= n[0]; i++, v++) {
                place_vertex(state, kind, (const int[3]){i, j, k}, t->vertex[v]);
                bool damaged = trial % 3 == 1 && random_below(state, 40) == 0;
                if (damaged) {
                    t->vertex[v][random_below(state, 3)] =
                        random_below(state, 2) ? NAN : -1e30f;
                }
                t->blanked[v] = trial % 3 == 2 && random_below(state, 30) == 0;
            }
        }
    }
}

static void fill_rows(const test_brick *t, cells_rows *rows)
{
    const int *n = t->brick.place.n;
    memset(rows, 0, sizeof *rows);
    memcpy(rows->n, n, sizeof rows->n);
    for (int k = 0; k <= n[2]; k++) {
        for (int j = 0; j <= n[1]; j++) {
            for (int i = 0; i < CELLS_ROW; i++) {
                size_t v = vertex_at(&t->brick, i < n[0] ? i : n[0], j, k);
                size_t at = cells_row_at(j, k) + (size_t)i;
                for (int axis = 0; axis < 3; axis++) {
                    rows->point[axis][at] = t->vertex[v][axis];
                }
                rows->exists[at] = is_finite(t->vertex[v]) && !t->blanked[v];
            }
        }
    }
}

/* ---- comparisons ------------------------------------------------------------------ */

/* Flags of a vertex, and which of them mean something: those of faces that are somewhere.
 */
static void expected_flags(const test_brick *t, const int at[3], int *flags, int *mask)
{
    const float *corner[4];
    *flags = cell_is_present(t, at) ? GRID_PRESENT : 0;
    *mask = GRID_PRESENT;
    for (int axis = 0; axis < 3; axis++) {
        int up[3] = {at[0], at[1], at[2]};
        up[axis]++;
        if (face_corners(t, axis, at, corner)) {
            *mask |= GRID_DIAGONAL_I << axis;
            *flags |= other_diagonal(corner) ? GRID_DIAGONAL_I << axis : 0;
        }
        if (*flags & GRID_PRESENT) {
            assert_true(face_corners(t, axis, up, corner));
            *flags |= other_diagonal(corner) ? GRID_UPPER_DIAGONAL_I << axis : 0;
        }
        *mask |= GRID_UPPER_DIAGONAL_I << axis;
    }
}

static unsigned compare_cells(const test_brick *t, const cells_rows *rows,
                              const cells_kernel *kernel, const char *about)
{
    const int *n = t->brick.place.n;
    unsigned windings[2] = {0, 0};
    double all[GRID_BRICK_CELLS * GRID_BRICK_CELLS * GRID_BRICK_CELLS];
    const double *its = all;
    grid_brick_volumes(&t->brick, all);
    for (int k = 0; k <= n[2]; k++) {
        for (int j = 0; j <= n[1]; j++) {
            double volume[GRID_BRICK_CELLS];
            if (j < n[1] && k < n[2]) {
                kernel->volumes(rows, j, k, volume);
                assert_memory_equal(volume, its, (size_t)n[0] * sizeof *its);
                its += n[0];
            }
            for (int i = 0; i <= n[0]; i++) {
                const int at[3] = {i, j, k};
                int flags, mask;
                double c[8][3];
                expected_flags(t, at, &flags, &mask);
                int got = rows->flags[cells_row_at(j, k) + (size_t)i] & mask;
                if (got != flags) {
                    fail_msg("%s, vertex %d %d %d: expected flags %d, got %d", about, i,
                             j, k, flags, got);
                }
                for (int face = 0; face < 6 && (flags & GRID_PRESENT); face++) {
                    add_face_windings(t, at, face / 2, face % 2, windings);
                }
                if (flags & GRID_PRESENT) {
                    load_cell(t, at, c);
                    double expected = grid_cell_volume((const double(*)[3])c);
                    if (memcmp(&volume[i], &expected, sizeof expected) != 0) {
                        fail_msg("%s, cell %d %d %d: expected volume %.17g, got %.17g",
                                 about, i, j, k, expected, volume[i]);
                    }
                }
            }
        }
    }
    const bool is_both = windings[0] == (GRID_WINDS_RIGHT | GRID_WINDS_LEFT);
    return windings[0] | windings[is_both ? 1 : 0] << GRID_WINDS_CLEARLY;
}

static void kernels_do_what_one_cell_after_the_other_does(void **state)
{
    (void)state;
    uint64_t seed = 20240117;
    test_brick *t = malloc(sizeof *t);
    cells_rows *rows = malloc(sizeof *rows);
    assert_non_null(t);
    assert_non_null(rows);
    for (int trial = 0; trial < TRIALS; trial++) {
        fill_brick(&seed, trial, t);
        for (const cells_kernel *const *kernel = cells_kernels(); *kernel; kernel++) {
            char about[64];
            snprintf(about, sizeof about, "%s, trial %d", (*kernel)->name, trial);
            fill_rows(t, rows);
            (*kernel)->flag(rows);
            unsigned expected = compare_cells(t, rows, *kernel, about);
            unsigned got = (*kernel)->windings(rows);
            if (got != expected) {
                fail_msg("%s: expected windings %u, got %u", about, expected, got);
            }
        }
    }
    free(rows);
    free(t);
}

/* The result that grid_brick_measure should have. */
static void measure_slowly(const test_brick *t, grid_brick_info *info, int *flat)
{
    const int *n = t->brick.place.n;
    *info = (grid_brick_info){
        {INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, 0};
    *flat = 0;
    for (int cell = 0; cell < n[0] * n[1] * n[2]; cell++) {
        const int at[3] = {cell % n[0], cell / n[0] % n[1], cell / n[0] / n[1]};
        double c[8][3];
        if (!cell_is_present(t, at)) {
            continue;
        }
        load_cell(t, at, c);
        info->cells++;
        *flat += grid_cell_volume((const double(*)[3])c) == 0.0;
        for (int v = 0; v < 24; v++) {
            info->lo[v % 3] = fminf(info->lo[v % 3], (float)c[v / 3][v % 3]);
            info->hi[v % 3] = fmaxf(info->hi[v % 3], (float)c[v / 3][v % 3]);
        }
    }
}

static void measures_are_those_of_the_present_cells(void **state)
{
    (void)state;
    uint64_t seed = 7;
    test_brick *t = malloc(sizeof *t);
    assert_non_null(t);
    for (int trial = 0; trial < TRIALS; trial++) {
        grid_brick_info expected, got;
        int64_t volumes[3];
        int flat;
        fill_brick(&seed, trial, t);
        measure_slowly(t, &expected, &flat);
        grid_brick_flag(&t->brick, t->blanked);
        grid_brick_measure(&t->brick, &got, volumes);
        assert_int_equal(got.cells, expected.cells);
        assert_int_equal(volumes[0] + volumes[1] + volumes[2], expected.cells);
        assert_true(volumes[2] >= flat);
        for (int axis = 0; axis < 3; axis++) {
            assert_true(got.lo[axis] == expected.lo[axis]);
            assert_true(got.hi[axis] == expected.hi[axis]);
        }
    }
    free(t);
}

static void marking_finds_the_same_flags(void **state)
{
    (void)state;
    uint64_t seed = 99;
    test_brick *t = malloc(sizeof *t);
    assert_non_null(t);
    for (int trial = 0; trial < TRIALS; trial++) {
        uint8_t flags[VERTICES];
        fill_brick(&seed, trial, t);
        grid_brick_flag(&t->brick, t->blanked);
        memcpy(flags, t->flags, sizeof flags);
        memset(t->flags, 0, sizeof t->flags);
        grid_brick_mark(&t->brick, t->blanked);
        assert_memory_equal(t->flags, flags, sizeof flags);
    }
    free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_do_what_one_cell_after_the_other_does),
        cmocka_unit_test(measures_are_those_of_the_present_cells),
        cmocka_unit_test(marking_finds_the_same_flags),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
