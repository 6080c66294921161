/* One ray and one cell: entries and exits, for cells of any shape. */
#include "render/cells/cell.h"

#include "grid/brick.h"

#include "check.h"

#include "support/random.h"

#include <string.h>

/* How the vertices of a cell are chosen. */
typedef enum cell_kind {
    CELL_WARPED,  /* a unit cube, corners moved by up to 0.4 */
    CELL_RANDOM,  /* anywhere */
    CELL_LATTICE, /* points of {-1, 0, 1}^3, with the ray through the middle one */
    CELL_FLAT,    /* all in one plane that holds the ray */
    CELL_POINT,   /* all in one place */
    CELL_ALIGNED  /* in the plane of the ray but for rounding */
} cell_kind;

static double random_coordinate(uint64_t *state, cell_kind kind, int corner, int axis)
{
    switch (kind) {
    case CELL_WARPED:
        return (corner >> axis & 1) - 0.5 + random_between(state, -0.4, 0.4);
    case CELL_LATTICE:
        return random_below(state, 3) - 1;
    case CELL_FLAT:
        return axis == 0 ? 0.0 : random_between(state, -1.0, 1.0);
    case CELL_POINT:
        return 0.0;
    default:
        return random_between(state, -1.0, 1.0);
    }
}

/* A ray for such cells: even or through lattice points for those that are even. */
static cell_ray random_ray(uint64_t *state, cell_kind kind)
{
    vec3 direction = {{0}}, origin = {{0}};
    bool even = kind != CELL_WARPED && kind != CELL_RANDOM;
    while (vec3_length(direction) < 0.1) {
        for (int axis = 0; axis < 3; axis++) {
            direction.v[axis] =
                even ? random_below(state, 3) - 1 : random_between(state, -1.0, 1.0);
            origin.v[axis] = even ? 0.0 : random_between(state, -0.3, 0.3);
        }
    }
    return render_cell_ray((render_ray){origin, vec3_normalize(direction)});
}

/* Moves the vertices onto a line through the ray, seen along it, as well as float32 can.
 * The products of edge functions are mostly equal, and their rounding errors tell the
 * side. */
static void align(uint64_t *state, cell_vertices *cell)
{
    double u = random_between(state, -1.0, 1.0), v = random_between(state, -1.0, 1.0);
    for (int corner = 0; corner < 8; corner++) {
        double share = random_between(state, -1.0, 1.0);
        cell->u[corner] = (float)(share * u);
        cell->v[corner] = (float)(share * v);
    }
}

static cell_vertices random_cell(uint64_t *state, cell_kind kind, const cell_ray *ray)
{
    cell_vertices cell;
    for (int corner = 0; corner < 8; corner++) {
        float vertex[4];
        for (int axis = 0; axis < 3; axis++) {
            vertex[axis] = (float)random_coordinate(state, kind, corner, axis);
        }
        vertex[3] = (float)random_between(state, 0.0, 1.0);
        render_cell_set_vertex(&cell, corner, ray, vertex);
    }
    if (kind == CELL_ALIGNED) {
        align(state, &cell);
    }
    return cell;
}

/* All entries of a cell (left_handed turned over: all exits). */
static int list_entries(const cell_vertices *cell, unsigned diagonals, bool left_handed,
                        cell_crossing list[CELL_MAX_CROSSINGS])
{
    int count = 0;
    for (int face = 0; face < 6; face++) {
        cell_crossing found[2];
        int here = render_cell_face_entries(cell, diagonals, left_handed, face, found);
        for (int n = 0; n < here; n++) {
            list[count++] = found[n];
        }
    }
    return count;
}

static int triangle_number(cell_triangle triangle)
{
    return 2 * triangle.face + triangle.half;
}

/* Every entry leads to an exit of its own, and each of them is a crossing outwards. */
static void check_cell(const cell_vertices *cell, unsigned diagonals, bool left_handed,
                       uint64_t seed)
{
    cell_crossing entries[CELL_MAX_CROSSINGS], exits[CELL_MAX_CROSSINGS];
    int count = list_entries(cell, diagonals, left_handed, entries);
    check_count("exits", seed, count, list_entries(cell, diagonals, !left_handed, exits));
    unsigned open = 0;
    for (int n = 0; n < count; n++) {
        open |= 1u << triangle_number(exits[n].triangle);
    }
    for (int n = 0; n < count; n++) {
        cell_crossing exit;
        bool found =
            render_cell_exit(cell, diagonals, left_handed, entries[n].triangle, &exit);
        check_count("an exit for an entry", seed, 1, found);
        unsigned bit = 1u << triangle_number(exit.triangle);
        check_count("an exit that is still free", seed, 1, (open & bit) != 0);
        open &= ~bit;
    }
    check_count("exits without an entry", seed, 0, open);
}

static void check_cells(cell_kind kind, uint64_t count)
{
    for (uint64_t seed = 1; seed <= count; seed++) {
        uint64_t state = seed;
        cell_ray ray = random_ray(&state, kind);
        cell_vertices cell = random_cell(&state, kind, &ray);
        unsigned diagonals = (unsigned)random_below(&state, 64);
        check_cell(&cell, diagonals, random_below(&state, 2) == 0, seed);
    }
}

static void warped_cells_have_as_many_exits_as_entries(void **unused)
{
    (void)unused;
    check_cells(CELL_WARPED, 100000);
}

static void tangled_cells_have_as_many_exits_as_entries(void **unused)
{
    (void)unused;
    check_cells(CELL_RANDOM, 100000);
}

static void
cells_that_the_ray_meets_in_vertices_have_as_many_exits_as_entries(void **unused)
{
    (void)unused;
    check_cells(CELL_LATTICE, 200000);
}

static void flat_cells_along_the_ray_have_as_many_exits_as_entries(void **unused)
{
    (void)unused;
    check_cells(CELL_FLAT, 20000);
    check_cells(CELL_POINT, 100);
}

static void
cells_aligned_with_the_ray_but_for_rounding_have_as_many_exits_as_entries(void **unused)
{
    (void)unused;
    check_cells(CELL_ALIGNED, 100000);
}

static void crossings_lie_between_the_vertices(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= 20000; seed++) {
        uint64_t state = seed;
        cell_kind kind = (cell_kind)random_below(&state, 5);
        cell_ray ray = random_ray(&state, kind);
        cell_vertices cell = random_cell(&state, kind, &ray);
        cell_crossing entries[CELL_MAX_CROSSINGS];
        int count =
            list_entries(&cell, (unsigned)random_below(&state, 64), false, entries);
        for (int n = 0; n < count; n++) {
            const int *corners = render_cell_face_corners(entries[n].triangle.face);
            double lo = INFINITY, hi = -INFINITY;
            for (int c = 0; c < 4; c++) {
                double t = (double)(cell.along[corners[c]] * cell.per_unit);
                lo = fmin(lo, t);
                hi = fmax(hi, t);
            }
            check_within("t", seed, lo - 1e-6, hi + 1e-6, (double)entries[n].t);
            check_within("scalar", seed, -1e-6, 1.0 + 1e-6, (double)entries[n].scalar);
        }
    }
}

/* Puts the cell beyond the upper face of `axis`: it shares the face's vertices, bit by
 * bit. */
static cell_vertices neighbour_of(uint64_t *state, const cell_vertices *cell, int axis,
                                  const cell_ray *ray)
{
    cell_vertices beyond = random_cell(state, CELL_RANDOM, ray);
    for (int corner = 0; corner < 8; corner++) {
        if (!(corner >> axis & 1)) {
            int shared = corner | 1 << axis;
            beyond.u[corner] = cell->u[shared];
            beyond.v[corner] = cell->v[shared];
            beyond.along[corner] = cell->along[shared];
            beyond.scalar[corner] = cell->scalar[shared];
        }
    }
    return beyond;
}

static void both_cells_of_a_face_see_the_same_crossings(void **unused)
{
    (void)unused;
    int64_t met = 0;
    for (uint64_t seed = 1; seed <= 50000; seed++) {
        uint64_t state = seed;
        cell_kind kind = random_below(&state, 2) ? CELL_RANDOM : CELL_LATTICE;
        cell_ray ray = random_ray(&state, kind);
        cell_vertices cell = random_cell(&state, kind, &ray);
        int axis = random_below(&state, 3);
        cell_vertices beyond = neighbour_of(&state, &cell, axis, &ray);
        unsigned diagonals = (unsigned)random_below(&state, 64);
        unsigned shared = diagonals >> (2 * axis + 1) & 1u;
        unsigned there =
            ((unsigned)random_below(&state, 64) & ~(1u << 2 * axis)) | shared << 2 * axis;
        cell_crossing out[2], in[2];
        int leaving = render_cell_face_entries(&cell, diagonals, true, 2 * axis + 1, out);
        int entering = render_cell_face_entries(&beyond, there, false, 2 * axis, in);
        check_count("crossings", seed, leaving, entering);
        for (int n = 0; n < entering; n++, met++) {
            assert_memory_equal(&out[n].t, &in[n].t, sizeof in[n].t);
            assert_memory_equal(&out[n].scalar, &in[n].scalar, sizeof in[n].scalar);
            check_count("half", seed, out[n].triangle.half, in[n].triangle.half);
        }
    }
    assert_true(met > 5000);
}

/* A parallelogram a b somewhere, as the lower face along k of a cell, and a ray within
 * its plane that has it from `from` to `to`. */
typedef struct edge_on {
    vec3 a, b;
    render_ray ray;
    double from, to;
} edge_on;

static edge_on random_edge_on(uint64_t *state)
{
    double a[3], b[3];
    random_three(state, -1.0, 1.0, a);
    random_three(state, -1.0, 1.0, b);
    edge_on out = {.a = {{a[0], a[1], a[2]}}, .b = {{b[0], b[1], b[2]}}};
    /* At a turn of both, where it meets the sides at large angles. */
    const double along = random_between(state, 0.3, 0.7), across = 1.0 - along;
    const double sign = random_below(state, 2) ? 1.0 : -1.0;
    const vec3 middle = vec3_scale(vec3_add(out.a, out.b), 0.5);
    const vec3 way = vec3_add(vec3_scale(out.a, along), vec3_scale(out.b, sign * across));
    const double half = 0.5 / fmax(along, across) * vec3_length(way);
    out.ray = (render_ray){middle, vec3_normalize(way)};
    out.from = -half;
    out.to = half;
    return out;
}

/* Rounding leaves such a ray on either side; where it goes through, that is on the face.
 */
static void a_face_seen_edge_on_is_crossed_where_it_is(void **unused)
{
    (void)unused;
    int met = 0;
    for (uint64_t seed = 1; seed <= 20000; seed++) {
        uint64_t state = seed;
        const edge_on seen = random_edge_on(&state);
        const cell_ray ray = render_cell_ray(seen.ray);
        cell_vertices cell;
        for (int corner = 0; corner < 8; corner++) {
            const vec3 at = vec3_add(vec3_scale(seen.a, corner & 1),
                                     vec3_scale(seen.b, corner >> 1 & 1));
            const float vertex[4] = {(float)at.v[0], (float)at.v[1], (float)at.v[2]};
            render_cell_set_vertex(&cell, corner, &ray, vertex);
        }
        const unsigned diagonals = random_below(&state, 2) ? 16u : 0u;
        for (int sense = 0; sense < 2; sense++) {
            cell_crossing found[2];
            int count = render_cell_face_entries(&cell, diagonals, sense == 1, 4, found);
            for (int n = 0; n < count; n++, met++) {
                check_within("t", seed, seen.from - 1e-3, seen.to + 1e-3,
                             (double)found[n].t + ray.start);
            }
        }
    }
    assert_true(met > 5000);
}

/* A box ten times as long as wide, hardly warped. */
static void make_long_cell(uint64_t *state, vec3 corners[8])
{
    for (int corner = 0; corner < 8; corner++) {
        for (int axis = 0; axis < 3; axis++) {
            const double x = (corner >> axis & 1) + random_between(state, -0.2, 0.2);
            corners[corner].v[axis] = axis == 0 ? 3.0 * x : 0.3 * x;
        }
    }
}

/* A ray in any direction that all but meets an edge or a diagonal. */
static cell_ray ray_next_to_an_edge(uint64_t *state, const vec3 corners[8])
{
    const int from = random_below(state, 8), to = from ^ (1 + random_below(state, 6));
    const vec3 way = vec3_sub(corners[to], corners[from]);
    const vec3 at =
        vec3_add(corners[from], vec3_scale(way, random_between(state, 0.1, 0.9)));
    double direction[3], off[3];
    random_three(state, -1.0, 1.0, direction);
    random_three(state, -1e-7, 1e-7, off);
    return render_cell_ray(
        (render_ray){vec3_add(at, (vec3){{off[0], off[1], off[2]}}),
                     vec3_normalize((vec3){{direction[0], direction[1], direction[2]}})});
}

static void next_to_an_edge_no_exit_lies_in_front_of_its_entry(void **unused)
{
    (void)unused;
    int met = 0;
    for (uint64_t seed = 1; seed <= 20000; seed++) {
        uint64_t state = seed;
        vec3 corners[8];
        make_long_cell(&state, corners);
        const cell_ray ray = ray_next_to_an_edge(&state, corners);
        cell_vertices cell;
        for (int n = 0; n < 8; n++) {
            const double *at = corners[n].v;
            const float vertex[4] = {(float)at[0], (float)at[1], (float)at[2]};
            render_cell_set_vertex(&cell, n, &ray, vertex);
        }
        const unsigned diagonals = (unsigned)random_below(&state, 64);
        cell_crossing entries[CELL_MAX_CROSSINGS], exit;
        const int count = list_entries(&cell, diagonals, ray.is_backward, entries);
        for (int n = 0; n < count; n++, met++) {
            assert_true(render_cell_exit(&cell, diagonals, ray.is_backward,
                                         entries[n].triangle, &exit));
            check_within("t of the exit", seed, (double)entries[n].t, INFINITY,
                         (double)exit.t);
        }
    }
    assert_true(met > 5000);
}

/* Viewer and cell may be GRID_FARTHEST from the middle of the grid. */
static void a_ray_meets_cells_as_far_out_as_a_grid_may_reach(void **unused)
{
    (void)unused;
    const double far = 0.9 * (double)GRID_FARTHEST, size = 0.01 * far;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        uint64_t state = seed;
        double from[3], middle[3], off[3];
        random_three(&state, -far, far, from);
        random_three(&state, -far, far, middle);
        random_three(&state, -0.5 * size, 0.5 * size, off);
        vec3 eye, way;
        for (int axis = 0; axis < 3; axis++) {
            eye.v[axis] = from[axis];
            way.v[axis] = middle[axis] + off[axis] - from[axis];
        }
        const cell_ray ray = render_cell_ray((render_ray){eye, vec3_normalize(way)});
        cell_vertices cell;
        for (int n = 0; n < 8; n++) {
            float vertex[4] = {0.0f};
            for (int axis = 0; axis < 3; axis++) {
                vertex[axis] = (float)(middle[axis] + (n >> axis & 1 ? size : -size));
            }
            render_cell_set_vertex(&cell, n, &ray, vertex);
        }
        cell_crossing entries[CELL_MAX_CROSSINGS], exit;
        check_count("entries", seed, 1, list_entries(&cell, 0, ray.is_backward, entries));
        assert_true(
            render_cell_exit(&cell, 0, ray.is_backward, entries[0].triangle, &exit));
    }
}

static void a_ray_through_a_cube_enters_and_leaves_where_it_should(void **unused)
{
    (void)unused;
    for (int face = 0; face < 6; face++) {
        vec3 origin = vec3_make(0.3, 0.4, 0.45), direction = {{0}};
        origin.v[face / 2] = face % 2 ? 3.0 : -2.0;
        direction.v[face / 2] = face % 2 ? -1.0 : 1.0;
        cell_ray ray = render_cell_ray((render_ray){origin, direction});
        cell_vertices cell;
        for (int corner = 0; corner < 8; corner++) {
            const float vertex[4] = {(float)(corner & 1), (float)(corner >> 1 & 1),
                                     (float)(corner >> 2),
                                     (float)(corner >> face / 2 & 1)};
            render_cell_set_vertex(&cell, corner, &ray, vertex);
        }
        cell_crossing entries[CELL_MAX_CROSSINGS], exit;
        check_count("entries", 0, 1, list_entries(&cell, 0, ray.is_backward, entries));
        check_count("face of the entry", 0, face, entries[0].triangle.face);
        check_near("t of the entry", 0, 2.0, ray.start + (double)entries[0].t, 1e-6);
        check_near("scalar of the entry", 0, face % 2, (double)entries[0].scalar, 1e-6);
        assert_true(
            render_cell_exit(&cell, 0, ray.is_backward, entries[0].triangle, &exit));
        check_count("face of the exit", 0, face ^ 1, exit.triangle.face);
        check_near("t of the exit", 0, 3.0, ray.start + (double)exit.t, 1e-6);
    }
}

static void diagonals_come_from_the_flags_of_the_cell(void **unused)
{
    (void)unused;
    check_count("lower faces", 0, 0x15, render_cell_diagonals(7));
    check_count("upper i", 0, 0x02, render_cell_diagonals(GRID_UPPER_DIAGONAL_I));
    check_count("upper j", 0, 0x08, render_cell_diagonals(GRID_UPPER_DIAGONAL_J));
    check_count("upper k", 0, 0x20, render_cell_diagonals(GRID_UPPER_DIAGONAL_K));
    check_count("other flags", 0, 0, render_cell_diagonals(GRID_PRESENT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ray_through_a_cube_enters_and_leaves_where_it_should),
        cmocka_unit_test(diagonals_come_from_the_flags_of_the_cell),
        cmocka_unit_test(warped_cells_have_as_many_exits_as_entries),
        cmocka_unit_test(tangled_cells_have_as_many_exits_as_entries),
        cmocka_unit_test(
            cells_that_the_ray_meets_in_vertices_have_as_many_exits_as_entries),
        cmocka_unit_test(flat_cells_along_the_ray_have_as_many_exits_as_entries),
        cmocka_unit_test(
            cells_aligned_with_the_ray_but_for_rounding_have_as_many_exits_as_entries),
        cmocka_unit_test(crossings_lie_between_the_vertices),
        cmocka_unit_test(a_face_seen_edge_on_is_crossed_where_it_is),
        cmocka_unit_test(next_to_an_edge_no_exit_lies_in_front_of_its_entry),
        cmocka_unit_test(a_ray_meets_cells_as_far_out_as_a_grid_may_reach),
        cmocka_unit_test(both_cells_of_a_face_see_the_same_crossings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
