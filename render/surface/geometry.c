/* The quadrilaterals of a surface as polygons, for files. */
#include "mesh.h"

#include <math.h>
#include <stdlib.h>

/* Whether a rank has a quadrilateral: its first corner lies in the rank's half-open box,
 * so all ranks together have each once. */
static bool is_inside(const surface_mesh *mesh, const surface_quad *quad, const box3 *box)
{
    const vec3 at = surface_vertex_point(&mesh->vertices[quad->corner[0]]);
    bool is = true;
    for (int axis = 0; axis < 3; axis++) {
        is = is && at.v[axis] >= box->lo.v[axis] && at.v[axis] < box->hi.v[axis];
    }
    return is;
}

static int count_corners(const surface_quad *quad)
{
    return quad->kind & SURFACE_TRIANGLE ? 3 : 4;
}

/* Numbers the vertices that quadrilaterals in the box use, from 0; others have -1. Counts
 * all of *out. */
static void number_vertices(const surface_mesh *mesh, const box3 *box, int64_t *number,
                            render_geometry *out)
{
    for (int64_t n = 0; n < mesh->nvertices; n++) {
        number[n] = -1;
    }
    for (int64_t n = 0; n < mesh->nquads; n++) {
        const surface_quad *quad = &mesh->quads[n];
        const int corners = is_inside(mesh, quad, box) ? count_corners(quad) : 0;
        for (int c = 0; c < corners; c++) {
            int64_t *one = &number[quad->corner[c]];
            *one = *one < 0 ? out->npoints++ : *one;
        }
        out->nparts += corners > 0;
        out->nindices += corners;
    }
}

/* The scalar of a point: linear along its edge. */
static float value_at(const grid_store *store, const surface_vertex *vertex)
{
    const float a = store->vertex[vertex->a][3], b = store->vertex[vertex->b][3];
    return vertex->a == vertex->b ? a : (1.0f - vertex->share) * a + vertex->share * b;
}

/* ---- Origins ----------------------------------------------------------------------- */

/* The bricks of a store by where their vertices begin. */
typedef struct brick_order {
    int64_t first;
    const grid_brick *brick;
} brick_order;

static int compare_firsts(const void *a, const void *b)
{
    const int64_t x = ((const brick_order *)a)->first,
                  y = ((const brick_order *)b)->first;
    return (x > y) - (x < y);
}

/* The index in its block of a vertex of the store. */
static int64_t index_of(const grid_layout *layout, int64_t nbricks,
                        const brick_order *order, int64_t vertex, int32_t *block)
{
    int64_t low = 0, high = nbricks; /* the last brick that begins at or before it */
    while (high - low > 1) {
        const int64_t middle = (low + high) / 2;
        *(order[middle].first <= vertex ? &low : &high) = middle;
    }
    const grid_brick_place *place = &order[low].brick->place;
    const int64_t *n = layout->blocks[place->block].n;
    int64_t left = vertex - order[low].first, at[3];
    for (int axis = 0; axis < 3; axis++) {
        at[axis] = place->lo[axis] + left % (place->n[axis] + 1);
        left /= place->n[axis] + 1;
    }
    *block = place->block;
    return at[0] + n[0] * (at[1] + n[1] * at[2]);
}

/* Finds where the points come from. Errors: STATUS_MEMORY. */
static status find_origins(const render_surface *surface, const int64_t *number,
                           render_geometry *out)
{
    const grid_store *store = surface->store;
    brick_order *order = malloc(((size_t)store->nbricks + 1) * sizeof *order);
    out->origins = malloc(((size_t)out->npoints + 1) * sizeof *out->origins);
    int64_t count = 0;
    for (int64_t n = 0; n < store->nbricks && order; n++) {
        const grid_brick *brick = &store->bricks[n];
        if (brick->vertex) {
            order[count++] = (brick_order){brick->vertex - store->vertex, brick};
        }
    }
    for (int64_t n = 0; n < surface->mesh.nvertices && order && out->origins; n++) {
        const surface_vertex *vertex = &surface->mesh.vertices[n];
        if (n == 0) {
            qsort(order, (size_t)count, sizeof *order, compare_firsts);
        }
        if (number[n] >= 0) {
            render_origin *origin = &out->origins[number[n]];
            origin->share = vertex->share;
            origin->a = index_of(store->layout, count, order, vertex->a, &origin->block);
            origin->b = index_of(store->layout, count, order, vertex->b, &origin->block);
        }
    }
    const bool has = order && out->origins;
    free(order);
    return has ? STATUS_OK : base_fail_memory((size_t)out->npoints * 24, "a surface");
}

/* ---- Polygons ---------------------------------------------------------------------- */

static void fill(const render_surface *surface, const box3 *box, const int64_t *number,
                 render_geometry *out)
{
    const surface_mesh *mesh = &surface->mesh;
    const grid_store *store = surface->store;
    for (int64_t n = 0; n < mesh->nvertices; n++) {
        const surface_vertex *vertex = &mesh->vertices[n];
        for (int axis = 0; axis < 3 && number[n] >= 0; axis++) {
            out->points[number[n]][axis] = vertex->at[axis];
        }
        if (number[n] >= 0 && out->values && !out->in_cells) {
            out->values[number[n]] = value_at(store, vertex);
        }
    }
    int64_t part = 0, at = 0;
    for (int64_t n = 0; n < mesh->nquads; n++) {
        const surface_quad *quad = &mesh->quads[n];
        if (!is_inside(mesh, quad, box)) {
            continue;
        }
        for (int c = 0; c < count_corners(quad); c++) {
            out->indices[at++] = number[quad->corner[c]];
        }
        if (out->values && out->in_cells) {
            out->values[part] = quad->cell >= 0 ? store->cell[quad->cell] : NAN;
        }
        out->ends[part++] = at;
    }
}

status render_surface_geometry(const render_surface *surface, const box3 *box,
                               bool has_values, render_geometry *out)
{
    const surface_mesh *mesh = &surface->mesh;
    const size_t bytes = ((size_t)mesh->nvertices + 1) * sizeof(int64_t);
    render_geometry made = {.in_cells = surface->store->cell != NULL};
    int64_t *number = malloc(bytes);
    if (!number) {
        return base_fail_memory(bytes, "the geometry of a surface");
    }
    number_vertices(mesh, box, number, &made);
    status s = render_geometry_reserve(&made, has_values);
    s = s == STATUS_OK ? find_origins(surface, number, &made) : s;
    if (s == STATUS_OK) {
        fill(surface, box, number, &made);
        *out = made;
    } else {
        render_geometry_clear(&made);
    }
    free(number);
    return s;
}
