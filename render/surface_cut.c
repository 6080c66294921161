/*
 * Planes in space: where a plane cuts the cells of a brick.
 *
 * A cell is the closed surface of 12 triangles. A plane that has some of a triangle's
 * corners above it and some below passes through two of its edges; walking around the
 * triangle, it comes up through one of them and goes down through the other. An edge is
 * shared by two triangles that go along it in opposite senses, so that from the edge
 * through which one of them comes up, the segment of that triangle leads to an edge
 * through which the next one comes up, and so on: the segments are loops.
 *
 * Points of the loops depend on the two ends of an edge alone, in an order that everybody
 * who sees them agrees on, so that neighbouring cells, blocks and ranks have the same.
 */
#include "render/cell.h"
#include "render/surface_mesh.h"

/* Most points of a loop: a cell has 12 edges and 6 diagonals. */
enum { MOST_POINTS = 18, KEYS = 64 };

/* ---- Distances --------------------------------------------------------------------- */

/* Distance above the plane, in units of the normal's length. */
static double height_of(const surface_cut *cut, const float at[3])
{
    vec3 point = vec3_make((double)at[0], (double)at[1], (double)at[2]);
    return vec3_dot(vec3_sub(point, cut->point), cut->normal);
}

/* ---- Loops ------------------------------------------------------------------------- */

/* One cell and one cut. Corners are numbered di + 2 dj + 4 dk. */
typedef struct cut_cell {
    const surface_brick *b;
    const surface_cut *cut;
    int32_t vertex[8]; /* in the store */
    double height[8];
    unsigned above;  /* bit per corner */
    int next[KEYS];  /* from the edge a to b, 8 a + b with a < b, to the next of its loop
                      */
    uint64_t starts; /* edges that are in no loop yet */
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
        /* Seen from outside, all triangles go around in the same sense. */
        const bool turns = (half == 1) != ((face & 1) == 0);
        cut_triangle(cell, turns ? (const int[3]){q, r, p} : (const int[3]){p, r, q});
    }
}

/* Adds the point where the plane passes through an edge. */
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
    return surface_mesh_add_vertex(mesh, store, cell->vertex[a], cell->vertex[b], share,
                                   false);
}

static bool is_same_place(const surface_mesh *mesh, int32_t a, int32_t b)
{
    const float *at = mesh->vertices[a].at, *other = mesh->vertices[b].at;
    return at[0] == other[0] && at[1] == other[1] && at[2] == other[2];
}

/* Follows a loop, which may come to one vertex of the grid through several edges. Returns
 * how many points it has. */
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
        if (count == 0 || !is_same_place(mesh, added, point[count - 1])) {
            point[count++] = added;
        } else {
            mesh->nvertices--;
        }
    }
    while (count > 1 && is_same_place(mesh, point[0], point[count - 1])) {
        count--;
    }
    return count;
}

/* ---- Fans -------------------------------------------------------------------------- */

static vec3 place_of(const surface_mesh *mesh, int32_t vertex)
{
    return surface_vertex_point(&mesh->vertices[vertex]);
}

/* Area of the triangle of three points, as seen from above. */
static double area_of(const cut_cell *cell, const surface_mesh *mesh, int32_t a,
                      int32_t b, int32_t c)
{
    vec3 from = place_of(mesh, a);
    return vec3_dot(cell->cut->normal, vec3_cross(vec3_sub(place_of(mesh, b), from),
                                                  vec3_sub(place_of(mesh, c), from)));
}

/* Smallest area of a fan from point `start`, in the sense of the whole loop. */
static double least_area(const cut_cell *cell, const surface_mesh *mesh, int count,
                         const int32_t *point, int start)
{
    double least = INFINITY, sum = 0.0, most = -INFINITY;
    for (int n = 1; n + 1 < count; n++) {
        double area = area_of(cell, mesh, point[start], point[(start + n) % count],
                              point[(start + n + 1) % count]);
        sum += area;
        least = fmin(least, area);
        most = fmax(most, area);
    }
    return sum < 0.0 ? -most : least;
}

/* Cells that are warped have loops with corners that point inwards: chooses the point
 * from which no triangle of the fan lies outside, or the least. */
static int choose_start(const cut_cell *cell, const surface_mesh *mesh, int count,
                        const int32_t *point)
{
    int best = 0;
    double most = least_area(cell, mesh, count, point, 0);
    for (int start = 1; start < count && most < 0.0; start++) {
        double least = least_area(cell, mesh, count, point, start);
        if (least > most) {
            best = start;
            most = least;
        }
    }
    return best;
}

/* Adds a loop as a fan, two triangles at a time. */
static void add_fan(const cut_cell *cell, int count, const int32_t *point,
                    surface_quad quad, surface_mesh *mesh)
{
    const int start = choose_start(cell, mesh, count, point);
    for (int n = 1; n + 1 < count; n += 2) {
        const bool is_triangle = n + 2 == count;
        quad.kind = (uint8_t)(SURFACE_OF_CUT | SURFACE_LINEAR |
                              (is_triangle ? SURFACE_TRIANGLE : 0));
        for (int c = 0; c < 4; c++) {
            quad.corner[c] = point[c == 0 ? start : (start + n + c - 1) % count];
        }
        quad.corner[3] = is_triangle ? quad.corner[0] : quad.corner[3];
        /* All edges but those between triangles. */
        quad.lines = (uint8_t)((n == 1 ? 1 : 0) | 2 | 4 | (n + 3 == count ? 8 : 0));
        surface_mesh_add_quad(mesh, &quad);
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
            add_fan(cell, count, point, quad, mesh);
        } else {
            mesh->nvertices = before;
        }
    }
}

/* Heights of the cell's corners; false where the plane does not cut it. */
static bool look_at_cell(cut_cell *cell, const double *height, const int at[3])
{
    const surface_brick *b = cell->b;
    const int32_t lowest = surface_brick_vertex(b, at);
    cell->above = 0;
    for (int c = 0; c < 8; c++) {
        int32_t local =
            lowest + (c & 1) + (c >> 1 & 1) * b->stride[1] + (c >> 2) * b->stride[2];
        cell->vertex[c] = b->first + local;
        cell->height[c] = height[local];
        cell->above |= (height[local] >= 0.0 ? 1u : 0u) << c;
    }
    return cell->above != 0 && cell->above != 255 &&
           (b->brick->flags[lowest] & GRID_PRESENT);
}

static void cut_brick(const surface_brick *b, const surface_cut *cut, int part,
                      surface_mesh *mesh)
{
    double height[SURFACE_BRICK_VERTICES];
    int at[3], count = b->stride[2] * (b->n[2] + 1);
    cut_cell cell = {.b = b, .cut = cut};
    for (int v = 0; v < count; v++) {
        height[v] = height_of(cut, b->brick->vertex[v]);
    }
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
