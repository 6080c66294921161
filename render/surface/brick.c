/* Bricks during the listing of quadrilaterals, and the lists themselves. */
#include "base/array.h"
#include "mesh.h"

#include <stdlib.h>
#include <string.h>

static void place_vertex(const grid_store *store, surface_vertex *vertex)
{
    const float *a = store->vertex[vertex->a], *b = store->vertex[vertex->b];
    const double share = (double)vertex->share;
    for (int axis = 0; axis < 3; axis++) {
        /* volatile: GCC 12 may drop the rounding if it vectorizes this. */
        volatile float at =
            (float)((1.0 - share) * (double)a[axis] + share * (double)b[axis]);
        vertex->at[axis] = vertex->a == vertex->b ? a[axis] : at;
    }
}

int32_t surface_mesh_add_vertex(surface_mesh *mesh, const grid_store *store, int32_t a,
                                int32_t b, double share, bool is_on_rim)
{
    mesh->failed |= mesh->nvertices == INT32_MAX;
    surface_vertex *grown =
        mesh->failed ? NULL
                     : base_array_reserve(mesh->vertices, &mesh->vertex_capacity,
                                          mesh->nvertices + 1, sizeof *mesh->vertices);
    if (!grown) {
        mesh->failed = true;
        return 0;
    }
    mesh->vertices = grown;
    surface_vertex vertex = {a, b, (float)share, {0.0f, 0.0f, 0.0f}, is_on_rim};
    if (vertex.share == 0.0f) {
        vertex.b = a;
    } else if (vertex.share == 1.0f) {
        vertex.a = b;
        vertex.share = 0.0f;
    }
    place_vertex(store, &vertex);
    mesh->vertices[mesh->nvertices] = vertex;
    return (int32_t)mesh->nvertices++;
}

static bool is_at(const surface_vertex *vertex, const float place[3])
{
    return vertex->at[0] == place[0] && vertex->at[1] == place[1] &&
           vertex->at[2] == place[2];
}

void surface_mesh_snap_vertex(surface_mesh *mesh, const grid_store *store, int32_t number)
{
    surface_vertex *vertex = &mesh->vertices[number];
    if (is_at(vertex, store->vertex[vertex->a])) {
        vertex->b = vertex->a;
        vertex->share = 0.0f;
    } else if (is_at(vertex, store->vertex[vertex->b])) {
        vertex->a = vertex->b;
        vertex->share = 0.0f;
    }
}

/* Makes room for the inner vertices of the last quadrilateral, which has none so far. */
static void add_inner(surface_mesh *mesh)
{
    void *grown = base_array_reserve(mesh->inner, &mesh->inner_capacity, mesh->nquads,
                                     sizeof *mesh->inner);
    if (!grown) {
        mesh->failed = true;
        return;
    }
    mesh->inner = grown;
    memset(mesh->inner[mesh->nquads - 1], -1, sizeof *mesh->inner);
}

void surface_mesh_add_quad(surface_mesh *mesh, const surface_quad *quad)
{
    /* Samples store the index of a half in 31 bits. */
    mesh->failed |= mesh->nquads == INT32_MAX / 2;
    surface_quad *grown = mesh->failed
                              ? NULL
                              : base_array_reserve(mesh->quads, &mesh->quad_capacity,
                                                   mesh->nquads + 1, sizeof *mesh->quads);
    if (!grown) {
        mesh->failed = true;
        return;
    }
    mesh->quads = grown;
    mesh->quads[mesh->nquads++] = *quad;
    if (mesh->has_inner) {
        add_inner(mesh);
    }
}

void surface_mesh_clear(surface_mesh *mesh)
{
    free(mesh->vertices);
    free(mesh->quads);
    free(mesh->inner);
    *mesh = (surface_mesh){0};
}

vec3 surface_quad_area(const surface_mesh *mesh, const surface_quad *quad)
{
    vec3 corner[4];
    for (int n = 0; n < 4; n++) {
        corner[n] = surface_vertex_point(&mesh->vertices[quad->corner[n]]);
    }
    return vec3_scale(
        vec3_cross(vec3_sub(corner[2], corner[0]), vec3_sub(corner[3], corner[1])), 0.5);
}

static bool is_same_cut(const surface_quad *a, const surface_quad *b)
{
    return (a->kind & SURFACE_OF_CUT) && (b->kind & SURFACE_OF_CUT) &&
           a->block == b->block && a->part == b->part && a->index == b->index;
}

void surface_mesh_find_cut(const surface_mesh *mesh, int64_t number, int64_t *first,
                           int64_t *end)
{
    const surface_quad *quads = mesh->quads;
    *first = number;
    *end = number + 1;
    while (*first > 0 && is_same_cut(&quads[*first - 1], &quads[number])) {
        --*first;
    }
    while (*end < mesh->nquads && is_same_cut(&quads[*end], &quads[number])) {
        ++*end;
    }
}

/* ---- Bricks ------------------------------------------------------------------------ */

static const grid_brick *brick_at(const grid_store *store, int block, const int64_t at[3])
{
    int64_t number = grid_layout_brick_at(store->layout, block, at);
    int32_t slot = number < 0 ? -1 : store->slot[number];
    return slot < 0 || !store->bricks[slot].vertex ? NULL : &store->bricks[slot];
}

surface_brick surface_brick_open(const grid_store *store, const grid_brick *brick)
{
    const grid_brick_place *place = &brick->place;
    surface_brick b = {
        .store = store,
        .brick = brick,
        .n = place->n,
        .first = (int32_t)(brick->vertex - store->vertex),
        .stride = {1, place->n[0] + 1, (place->n[0] + 1) * (place->n[1] + 1)}};
    for (int c = 0; c < 27; c++) {
        int64_t at[3] = {place->lo[0] / GRID_BRICK_CELLS + c % 3 - 1,
                         place->lo[1] / GRID_BRICK_CELLS + c / 3 % 3 - 1,
                         place->lo[2] / GRID_BRICK_CELLS + c / 9 - 1};
        b.around[c] = brick_at(store, place->block, at);
    }
    return b;
}

int64_t surface_brick_index(const surface_brick *b, const int at[3])
{
    const grid_brick_place *place = &b->brick->place;
    const int64_t *n = b->store->layout->blocks[place->block].n;
    return (place->lo[0] + at[0]) +
           n[0] * ((place->lo[1] + at[1]) + n[1] * (place->lo[2] + at[2]));
}

int32_t surface_brick_cell(const grid_store *store, const grid_brick *brick,
                           const int at[3])
{
    const int *n = brick->place.n;
    return brick->cell ? (int32_t)(brick->cell - store->cell) + at[0] +
                             n[0] * (at[1] + n[1] * at[2])
                       : -1;
}

bool surface_brick_is_rim(const surface_brick *b, const int at[3], int except)
{
    bool is_rim = false;
    for (int axis = 0; axis < 3; axis++) {
        is_rim |= axis != except && (at[axis] == 0 || at[axis] == b->n[axis]);
    }
    return is_rim;
}

/* The state of cells that are not in memory, as far as the layout tells. */
static surface_cell_state state_elsewhere(const surface_brick *b, int axis, int step)
{
    const grid_brick_place *place = &b->brick->place;
    int64_t at[3];
    for (int a = 0; a < 3; a++) {
        at[a] = place->lo[a] / GRID_BRICK_CELLS;
    }
    at[axis] += step;
    int64_t number = grid_layout_brick_at(b->store->layout, place->block, at);
    return number < 0 || b->store->layout->bricks[number].cells == 0
               ? SURFACE_CELL_ABSENT
               : SURFACE_CELL_UNKNOWN;
}

surface_near_cell surface_brick_beside(const surface_brick *b, int axis, const int at[3],
                                       int side)
{
    static const int place_in_around[3] = {1, 3, 9};
    surface_near_cell cell = {SURFACE_CELL_ABSENT, b->brick, {at[0], at[1], at[2]}};
    cell.at[axis] += side - 1;
    int step = cell.at[axis] < 0 ? -1 : cell.at[axis] >= b->n[axis] ? 1 : 0;
    cell.brick = b->around[13 + step * place_in_around[axis]];
    if (!cell.brick) {
        cell.state = state_elsewhere(b, axis, step);
        return cell;
    }
    const int *n = cell.brick->place.n;
    cell.at[axis] = step < 0 ? n[axis] - 1 : step > 0 ? 0 : cell.at[axis];
    int vertex = cell.at[0] + (n[0] + 1) * (cell.at[1] + (n[1] + 1) * cell.at[2]);
    cell.state = cell.brick->flags[vertex] & GRID_PRESENT ? SURFACE_CELL_PRESENT
                                                          : SURFACE_CELL_ABSENT;
    return cell;
}
