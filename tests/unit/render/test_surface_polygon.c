/* Cuts by planes in space are continuous: neighbouring cells have the same points with
 * the same scalars along the face that they share, and no sliver hides any of them. */
#include "check.h"
#include "shape.h"

#include "render/surface/mesh.h"
#include "render/surface/polygon.h"
#include "support/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Sides ------------------------------------------------------------------------- */

/* A side of a triangle: its ends in an order that follows from where they are. */
typedef struct side {
    float from[3], to[3];
    float value[2];
} side;

static float value_of(const grid_store *store, const surface_vertex *vertex)
{
    const double a = (double)store->vertex[vertex->a][3];
    const double b = (double)store->vertex[vertex->b][3];
    const double share = (double)vertex->share;
    return vertex->a == vertex->b ? (float)a : (float)((1.0 - share) * a + share * b);
}

static side make_side(const grid_store *store, const surface_vertex *a,
                      const surface_vertex *b)
{
    const bool turned = surface_comes_before(b->at, a->at);
    const surface_vertex *ends[2] = {turned ? b : a, turned ? a : b};
    side out;
    memcpy(out.from, ends[0]->at, sizeof out.from);
    memcpy(out.to, ends[1]->at, sizeof out.to);
    for (int n = 0; n < 2; n++) {
        out.value[n] = value_of(store, ends[n]);
        for (int axis = 0; axis < 3; axis++) { /* no -0, as bits are compared */
            out.from[axis] += 0.0f;
            out.to[axis] += 0.0f;
        }
    }
    return out;
}

static bool has_length(const side *s)
{
    return memcmp(s->from, s->to, sizeof s->from) != 0;
}

static int compare_sides(const void *a, const void *b)
{
    const side *one = a, *other = b;
    int order = memcmp(one->from, other->from, sizeof one->from);
    return order ? order : memcmp(one->to, other->to, sizeof one->to);
}

/* Whether a side lies in the rim of a plane through a box of vertices 0 to n - 1. */
static bool is_outer(const side *s, const int64_t n[3], vec3 normal)
{
    for (int axis = 0; axis < 3; axis++) {
        const float last = (float)(n[axis] - 1);
        const bool is_along = normal.v[(axis + 1) % 3] == 0.0 && //
                              normal.v[(axis + 2) % 3] == 0.0;
        if (is_along) {
            continue; /* the plane is parallel to this face */
        }
        if ((s->from[axis] == 0.0f && s->to[axis] == 0.0f) ||
            (s->from[axis] == last && s->to[axis] == last)) {
            return true;
        }
    }
    return false;
}

/* ---- Meshes ------------------------------------------------------------------------ */

/* Sides of triangles, from a cut or part of one. */
typedef struct side_list {
    int64_t count;
    side *items;
} side_list;

/* The corners of one half of a quadrilateral; false for the half that a triangle lacks.
 */
static bool half_corners(const surface_quad *quad, int half, int32_t corner[3])
{
    const int at[2][3] = {{0, 1, 2}, {2, 3, 0}};
    for (int n = 0; n < 3; n++) {
        corner[n] = quad->corner[at[half][n]];
    }
    return half == 0 || !(quad->kind & SURFACE_TRIANGLE);
}

/* Lists the sides of all triangles that rays can meet. */
static side_list list_sides(const grid_store *store, const surface_mesh *mesh)
{
    side_list list = {0, malloc(((size_t)mesh->nquads * 6 + 1) * sizeof *list.items)};
    assert_non_null(list.items);
    for (int64_t part = 0; part < 2 * mesh->nquads; part++) {
        int32_t corner[3];
        side *s = &list.items[list.count];
        if (!half_corners(&mesh->quads[part / 2], (int)(part % 2), corner)) {
            continue;
        }
        for (int n = 0; n < 3; n++) {
            s[n] = make_side(store, &mesh->vertices[corner[n]],
                             &mesh->vertices[corner[(n + 1) % 3]]);
        }
        list.count += has_length(&s[0]) && has_length(&s[1]) && has_length(&s[2]) ? 3 : 0;
    }
    qsort(list.items, (size_t)list.count, sizeof *list.items, compare_sides);
    return list;
}

/* Every side belongs to two triangles with the same scalars to the bit, or lies in the
 * rim and belongs to one. So a contour line that comes to a side goes on behind it. */
static void check_sides(uint64_t seed, const side_list *list, const int64_t n[3],
                        vec3 normal)
{
    for (int64_t at = 0, next; at < list->count; at = next) {
        const side *one = &list->items[at];
        next = at + 1;
        while (next < list->count && compare_sides(one, &list->items[next]) == 0) {
            if (memcmp(one, &list->items[next], sizeof *one) != 0) {
                fail_msg("a side has two pairs of scalars (seed %llu)",
                         (unsigned long long)seed);
            }
            next++;
        }
        check_count("triangles of a side", seed, is_outer(one, n, normal) ? 1 : 2,
                    next - at);
    }
}

/* How steep the scalar is on a triangle. */
static double slope_of(const grid_store *store, const surface_mesh *mesh,
                       const int32_t corner[3])
{
    vec3 at[3];
    double value[3];
    for (int n = 0; n < 3; n++) {
        at[n] = surface_vertex_point(&mesh->vertices[corner[n]]);
        value[n] = (double)value_of(store, &mesh->vertices[corner[n]]);
    }
    const vec3 p = vec3_sub(at[1], at[0]), q = vec3_sub(at[2], at[0]);
    const vec3 change =
        vec3_sub(vec3_scale(q, value[1] - value[0]), vec3_scale(p, value[2] - value[0]));
    return vec3_length(change) / vec3_length(vec3_cross(p, q));
}

/* Only triangles whose scalars are nearly the same may be steep, such as those at a
 * vertex of a cell. A sliver that hides a point of the polygon has scalars far apart. */
static void check_slopes(uint64_t seed, const grid_store *store, const surface_mesh *mesh)
{
    for (int64_t part = 0; part < 2 * mesh->nquads; part++) {
        int32_t corner[3];
        if (!half_corners(&mesh->quads[part / 2], (int)(part % 2), corner) ||
            !(slope_of(store, mesh, corner) > 15.0)) {
            continue;
        }
        float least = INFINITY, most = -INFINITY;
        for (int n = 0; n < 3; n++) {
            const float value = value_of(store, &mesh->vertices[corner[n]]);
            least = fminf(least, value);
            most = fmaxf(most, value);
        }
        check_within("scalars of a steep triangle", seed, 0.0, 0.1,
                     (double)(most - least));
    }
}

/* ---- Planes ------------------------------------------------------------------------ */

/* A plane through a random place, or through a vertex, an edge or a face. */
static surface_cut random_cut(const test_grid *grid, uint64_t *state)
{
    const grid_store *store = grid->store;
    vec3 at[3];
    for (int n = 0; n < 3; n++) {
        const float *v = store->vertex[random_below(state, (int)store->nvertices)];
        at[n] = vec3_make((double)v[0], (double)v[1], (double)v[2]);
    }
    surface_cut cut = {.point = at[0],
                       .normal = vec3_make(random_between(state, -1.0, 1.0),
                                           random_between(state, -1.0, 1.0),
                                           random_between(state, -1.0, 1.0))};
    const int kind = random_below(state, 4);
    if (kind == 0) {
        cut.point = vec3_add(vec3_scale(at[0], 0.6), vec3_scale(at[1], 0.4));
    } else if (kind == 1) {
        cut.normal.v[random_below(state, 3)] = 0.0;
    } else if (kind == 2) {
        const int axis = random_below(state, 3);
        cut.normal = vec3_make(axis == 0, axis == 1, axis == 2);
    }
    return cut;
}

/* Boxes from even to bent, of one block and of two that are numbered differently. */
static shape random_box(uint64_t seed)
{
    static const double jitter[] = {0.0, 1e-3, 0.1, 0.2};
    return (shape){.n = {9, 8, 7},
                   .seed = seed,
                   .scalar = SHAPE_RANDOM,
                   .jitter = jitter[seed % 4],
                   .boundary_is_even = true,
                   .mirrored = seed % 5 == 1,
                   .split = seed % 2 ? 4 : 0,
                   .turned = seed % 6 == 1};
}

static void cuts_are_continuous_across_cells_and_blocks(void **unused)
{
    (void)unused;
    int64_t sides = 0;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        uint64_t state = seed * 77777;
        const shape wanted = random_box(seed);
        test_grid grid = shape_create(&wanted);
        const surface_cut cut = random_cut(&grid, &state);
        surface_mesh mesh;
        assert_int_equal(surface_mesh_create(grid.store,
                                             &(surface_spec){.ncuts = 1, .cuts = &cut},
                                             &mesh),
                         STATUS_OK);
        side_list list = list_sides(grid.store, &mesh);
        check_sides(seed, &list, wanted.n, cut.normal);
        check_slopes(seed, grid.store, &mesh);
        sides += list.count;
        free(list.items);
        surface_mesh_clear(&mesh);
        test_grid_destroy(&grid);
    }
    check_count("cuts that meet cells", 0, 1, sides > 100000);
}

/* ---- Polygons ---------------------------------------------------------------------- */

/* Areas of the triangles of a chain; the least goes to *least. */
static double sum_areas(const vec3 *corner, const surface_triangles *triangles, int i,
                        int j, double *least)
{
    if (j - i < 2) {
        return 0.0;
    }
    const int k = triangles->apex[i][j];
    const double area =
        0.5 *
        vec3_cross(vec3_sub(corner[k], corner[i]), vec3_sub(corner[j], corner[i])).v[2];
    *least = fmin(*least, area);
    return area + sum_areas(corner, triangles, i, k, least) +
           sum_areas(corner, triangles, k, j, least);
}

/* Divides a polygon from each of its corners on, in both senses. */
static void check_polygon(const char *what, int count, const double (*at)[2], double area)
{
    for (int turn = 0; turn < 2 * count; turn++) {
        vec3 corner[SURFACE_POLYGON_CORNERS];
        surface_triangles triangles;
        const bool backwards = turn >= count;
        for (int n = 0; n < count; n++) {
            const double *from = at[((backwards ? count - n : n) + turn) % count];
            corner[n] = vec3_make(backwards ? -from[0] : from[0], from[1], 0.0);
        }
        surface_polygon_divide(count, corner, vec3_make(0.0, 0.0, turn % 2 ? 3.0 : -2.0),
                               &triangles);
        double least = INFINITY;
        check_near(what, (uint64_t)turn, area,
                   sum_areas(corner, &triangles, 0, count - 1, &least), 1e-12);
        check_within(what, (uint64_t)turn, 1e-3, area, least);
    }
}

static void polygons_are_divided_without_slivers(void **unused)
{
    (void)unused;
    const double square[][2] = {{0, 0}, {1, 0}, {2, 0}, {2, 1},
                                {2, 2}, {1, 2}, {0, 2}, {0, 1}};
    const double corner[][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    const double comb[][2] = {{0, 0}, {4, 0}, {4, 3}, {3, 3},
                              {3, 1}, {1, 1}, {1, 3}, {0, 3}};
    const double line[][2] = {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0}, {0, 0.01}};
    check_polygon("a square with points on its sides", 8, square, 4.0);
    check_polygon("a corner", 6, corner, 3.0);
    check_polygon("a comb", 8, comb, 8.0);
    check_polygon("points on one side", 6, line, 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cuts_are_continuous_across_cells_and_blocks),
        cmocka_unit_test(polygons_are_divided_without_slivers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
