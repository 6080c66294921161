/* The quadrilaterals of a surface, for those who do not draw it. */
#include "mesh.h"

surface_facet render_surface_facet(const render_surface *surface, int64_t n)
{
    const surface_mesh *mesh = &surface->mesh;
    const surface_quad *quad = &mesh->quads[n];
    const int64_t *size = surface->store->layout->blocks[quad->block].n;
    surface_facet out = {.block = quad->block,
                         .axis = quad->part < 3 ? quad->part : -1,
                         .at = {quad->index % size[0], quad->index / size[0] % size[1],
                                quad->index / size[0] / size[1]},
                         .cell = quad->cell,
                         .is_above = quad->kind & SURFACE_ABOVE,
                         .is_cut = quad->kind & SURFACE_OF_CUT,
                         .corners = quad->kind & SURFACE_TRIANGLE ? 3 : 4};
    for (int c = 0; c < out.corners; c++) {
        const surface_vertex *vertex = &mesh->vertices[quad->corner[c]];
        out.a[c] = vertex->a;
        out.b[c] = vertex->b;
        out.share[c] = vertex->share;
        out.place[c] = surface_vertex_point(vertex);
    }
    return out;
}
