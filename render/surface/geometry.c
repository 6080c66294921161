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
    const status s = render_geometry_reserve(&made, has_values);
    if (s == STATUS_OK) {
        fill(surface, box, number, &made);
        *out = made;
    }
    free(number);
    return s;
}
