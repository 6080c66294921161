/* Cuts of a brick's cells by planes in space, and by isosurfaces: the height is then the
 * scalar above the value.
 *
 * A cell is the closed surface of 12 triangles. If a plane has corners of a triangle on
 * both sides, it passes through two of its edges. Walking around the triangle, one comes
 * up through one of them and goes down through the other. An edge is shared by two
 * triangles that traverse it in opposite senses. The segment of a triangle leads from the
 * edge of its way up to the edge of its way down. For the neighbouring triangle this edge
 * is the way up, and so on. Hence the segments form loops.
 *
 * A point of a loop depends only on the two ends of its edge, in an order that does not
 * depend on the cell. So neighbouring cells, blocks and ranks have the same points. */
#include "mesh.h"
#include "polygon.h"
#include "render/cells/cell.h"

#include <float.h>
#include <math.h>

enum { MOST_POINTS = SURFACE_POLYGON_CORNERS, KEYS = 64 };

/* ---- Distances --------------------------------------------------------------------- */

/* Distance above the plane, in units of the normal's length. Vertices in the plane have
 * it only up to the rounding of their coordinates: as 0 it makes the plane whole where it
 * lies in faces. */
static double height_of(const surface_cut *cut, const float at[3])
{
    const vec3 point = vec3_make((double)at[0], (double)at[1], (double)at[2]);
    const double height = vec3_dot(vec3_sub(point, cut->point), cut->normal);
    const double rounding = FLT_EPSILON * (vec3_length(point) + vec3_length(cut->point));
    return fabs(height) <= rounding * vec3_length(cut->normal) ? 0.0 : height;
}

/* ---- Loops ------------------------------------------------------------------------- */

/* One cell and one cut. Corners are numbered di + 2 dj + 4 dk. */
typedef struct cut_cell {
    const surface_brick *b;
    const vec3 *normal; /* of the plane; NULL: each loop has its own */
    int32_t vertex[8];  /* in the store */
    double height[8];
    unsigned above;  /* bit c: corner c */
    int next[KEYS];  /* from the edge a to b, index 8 a + b with a < b, to the next edge
                        of its loop */
    uint64_t starts; /* bits: edges that are not yet in a loop */
} cut_cell;

static int edge_key(int a, int b)
{
    return a < b ? 8 * a + b : 8 * b + a;
}

static void cut_triangle(cut_cell *cell, const int corner[3])
{
    int up = -1, down = -1;
    for (int n = 0; n < 3; n++) {
        int a = corner[n], b = corner[(n + 1) % 3];
        unsigned a_above = cell->above >> a & 1u, b_above = cell->above >> b & 1u;
        if (!a_above && b_above) {
            up = edge_key(a, b);
        } else if (a_above && !b_above) {
            down = edge_key(a, b);
        }
    }
    if (up >= 0) {
        cell->next[up] = down;
        cell->starts |= UINT64_C(1) << up;
    }
}

static void cut_face(cut_cell *cell, unsigned diagonals, int face)
{
    const int *corners = render_cell_face_corners(face);
    const unsigned s = diagonals >> face & 1u;
    for (unsigned half = 0; half < 2; half++) {
        const int p = corners[s], q = corners[(s + 2) & 3u];
        const int r = corners[(s + 1 + 2 * half) & 3u];
        /* Seen from outside, all triangles wind in the same sense. */
        const bool turns = (half == 1) != ((face & 1) == 0);
        cut_triangle(cell, turns ? (const int[3]){q, r, p} : (const int[3]){p, r, q});
    }
}

/* Adds the point at which the plane passes through an edge. A point that is rounded to an
 * end of the edge becomes that vertex, with its scalar alone. */
static int32_t add_point(const cut_cell *cell, int key, surface_mesh *mesh)
{
    const grid_store *store = cell->b->store;
    int a = key / 8, b = key % 8;
    if (surface_comes_before(store->vertex[cell->vertex[b]],
                             store->vertex[cell->vertex[a]])) {
        a = key % 8;
        b = key / 8;
    }
    double share = cell->height[a] / (cell->height[a] - cell->height[b]);
    int32_t added = surface_mesh_add_vertex(mesh, store, cell->vertex[a], cell->vertex[b],
                                            share, false);
    if (!mesh->failed) {
        surface_mesh_snap_vertex(mesh, store, added);
    }
    return added;
}

/* Whether both points are the same vertex of the grid. Points at one place on different
 * edges stay separate, as their scalars differ. */
static bool is_same_vertex(const surface_mesh *mesh, int32_t a, int32_t b)
{
    const surface_vertex *one = &mesh->vertices[a], *other = &mesh->vertices[b];
    return one->a == one->b && other->a == other->b && one->a == other->a;
}

/* Follows a loop, which may reach one vertex of the grid through several edges. Returns
 * the number of its points. */
static int take_loop(cut_cell *cell, int start, int32_t point[MOST_POINTS],
                     surface_mesh *mesh)
{
    int count = 0, key = start;
    while (cell->starts >> key & 1u) {
        cell->starts &= ~(UINT64_C(1) << key);
        int32_t added = add_point(cell, key, mesh);
        key = cell->next[key];
        if (mesh->failed) {
            return 0;
        }
        if (count == 0 || !is_same_vertex(mesh, added, point[count - 1])) {
            point[count++] = added;
        } else {
            mesh->nvertices--;
        }
    }
    while (count > 1 && is_same_vertex(mesh, point[0], point[count - 1])) {
        count--;
    }
    return count;
}

/* ---- Polygons ---------------------------------------------------------------------- */

/* A loop during the listing of its quadrilaterals. */
typedef struct cut_polygon {
    int count;
    const int32_t *point; /* [count] */
    surface_triangles triangles;
    surface_quad quad; /* the fields that all of them share */
    surface_mesh *mesh;
} cut_polygon;

/* Whether the line between two corners is a side of the polygon. */
static bool is_side(const cut_polygon *polygon, int a, int b)
{
    const int apart = a < b ? b - a : a - b;
    return apart == 1 || apart == polygon->count - 1;
}

/* Lists a quadrilateral with the given number of corners; 3 are a triangle. */
static void add_part(const cut_polygon *polygon, int corners, const int corner[4])
{
    surface_quad quad = polygon->quad;
    quad.kind = (uint8_t)(SURFACE_OF_CUT | SURFACE_LINEAR |
                          (corners == 3 ? SURFACE_TRIANGLE : 0));
    for (int n = 0; n < 4; n++) {
        const int from = corner[n % corners], to = corner[(n + 1) % corners];
        quad.corner[n] = polygon->point[from];
        if (n < corners && is_side(polygon, from, to)) {
            quad.lines = (uint8_t)(quad.lines | 1u << n);
        }
    }
    surface_mesh_add_quad(polygon->mesh, &quad);
}

/* Lists the triangle i, k, j. */
static void add_triangle(const cut_polygon *polygon, int i, int k, int j)
{
    add_part(polygon, 3, (const int[4]){i, k, j});
}

/* Lists the triangles of the chain of corners i to j. Its last triangle, i, k, j, is
 * listed only if it can be paired with another one; returns whether it is left over. Two
 * triangles that share a side become one quadrilateral:
 *
 *     i --- l        i, l, k of the chain from i to k, and i, k, j
 *     | \   |
 *     |   \ |
 *     j --- k */
static bool add_chain(const cut_polygon *polygon, int i, int j)
{
    if (j - i < 2) {
        return false;
    }
    const int k = polygon->triangles.apex[i][j];
    const bool left = add_chain(polygon, i, k), right = add_chain(polygon, k, j);
    if (left) {
        add_part(polygon, 4, (const int[4]){i, polygon->triangles.apex[i][k], k, j});
    } else if (right) {
        add_part(polygon, 4, (const int[4]){k, polygon->triangles.apex[k][j], j, i});
    }
    if (left && right) {
        add_triangle(polygon, k, polygon->triangles.apex[k][j], j);
    }
    return !left && !right;
}

/* Twice the area of a loop times its normal (Newell). */
static vec3 find_normal(int count, const vec3 *corner)
{
    vec3 sum = vec3_make(0, 0, 0);
    for (int n = 1; n + 1 < count; n++) {
        sum = vec3_add(sum, vec3_cross(vec3_sub(corner[n], corner[0]),
                                       vec3_sub(corner[n + 1], corner[0])));
    }
    return sum;
}

/* Lists a loop. */
static void add_polygon(const cut_cell *cell, int count, const int32_t *point,
                        const surface_quad *quad, surface_mesh *mesh)
{
    vec3 corner[MOST_POINTS];
    cut_polygon polygon = {.count = count, .point = point, .quad = *quad, .mesh = mesh};
    for (int n = 0; n < count; n++) {
        corner[n] = surface_vertex_point(&mesh->vertices[point[n]]);
    }
    const vec3 normal = cell->normal ? *cell->normal : find_normal(count, corner);
    surface_polygon_divide(count, corner, normal, &polygon.triangles);
    if (add_chain(&polygon, 0, count - 1)) {
        add_triangle(&polygon, 0, polygon.triangles.apex[0][count - 1], count - 1);
    }
}

/* ---- Cells ------------------------------------------------------------------------- */

static void add_cell(cut_cell *cell, const int at[3], int part, surface_mesh *mesh)
{
    const surface_brick *b = cell->b;
    const uint8_t flags = b->brick->flags[surface_brick_vertex(b, at)];
    const surface_quad quad = {.cell = surface_brick_cell(b->store, b->brick, at),
                               .block = b->brick->place.block,
                               .part = part,
                               .index = surface_brick_index(b, at)};
    cell->starts = 0;
    for (int face = 0; face < 6; face++) {
        cut_face(cell, render_cell_diagonals(flags), face);
    }
    while (cell->starts != 0 && !mesh->failed) {
        int32_t point[MOST_POINTS];
        int64_t before = mesh->nvertices;
        int count = take_loop(cell, __builtin_ctzll(cell->starts), point, mesh);
        if (count >= 3) {
            add_polygon(cell, count, point, &quad, mesh);
        } else {
            mesh->nvertices = before;
        }
    }
}

/* Finds the heights of the cell's corners; false if the plane does not cut it, or a
 * height is missing. */
static bool look_at_cell(cut_cell *cell, const double *height, const int at[3])
{
    const surface_brick *b = cell->b;
    const int32_t lowest = surface_brick_vertex(b, at);
    bool has_all = true;
    cell->above = 0;
    for (int c = 0; c < 8; c++) {
        int32_t local =
            lowest + (c & 1) + (c >> 1 & 1) * b->stride[1] + (c >> 2) * b->stride[2];
        cell->vertex[c] = b->first + local;
        cell->height[c] = height[local];
        cell->above |= (height[local] >= 0.0 ? 1u : 0u) << c;
        has_all = has_all && isfinite(height[local]);
    }
    return has_all && cell->above != 0 && cell->above != 255 &&
           (b->brick->flags[lowest] & GRID_PRESENT);
}

static int count_vertices(const surface_brick *b)
{
    return b->stride[2] * (b->n[2] + 1);
}

/* height: of the brick's vertices. */
static void cut_cells(const surface_brick *b, const double *height, const vec3 *normal,
                      int part, surface_mesh *mesh)
{
    int at[3];
    cut_cell cell = {.b = b, .normal = normal};
    for (at[2] = 0; at[2] < b->n[2]; at[2]++) {
        for (at[1] = 0; at[1] < b->n[1]; at[1]++) {
            for (at[0] = 0; at[0] < b->n[0]; at[0]++) {
                if (look_at_cell(&cell, height, at)) {
                    add_cell(&cell, at, part, mesh);
                }
            }
        }
    }
}

static void cut_brick(const surface_brick *b, const surface_cut *cut, int part,
                      surface_mesh *mesh)
{
    double height[SURFACE_BRICK_VERTICES];
    for (int v = 0; v < count_vertices(b); v++) {
        height[v] = height_of(cut, b->brick->vertex[v]);
    }
    cut_cells(b, height, &cut->normal, part, mesh);
}

void surface_cut_isos(const surface_brick *b, int nisos, const float *isos, int part,
                      surface_mesh *mesh)
{
    double height[SURFACE_BRICK_VERTICES];
    for (int n = 0; n < nisos; n++) {
        for (int v = 0; v < count_vertices(b); v++) {
            height[v] = (double)b->brick->vertex[v][3] - (double)isos[n];
        }
        cut_cells(b, height, NULL, part + n, mesh);
    }
}

void surface_cut_brick(const surface_brick *b, int ncuts, const surface_cut *cuts,
                       int part, surface_mesh *mesh)
{
    const grid_brick_info *info = &b->store->layout->bricks[b->brick->number];
    for (int n = 0; n < ncuts; n++) {
        if (!surface_cut_misses(info, &cuts[n])) {
            cut_brick(b, &cuts[n], part + n, mesh);
        }
    }
}
