/* From ranges, planes and walls to quadrilaterals, brick by brick. */
#include "mesh.h"

#include <stdlib.h>
#include <string.h>

/* ---- Faces ------------------------------------------------------------------------- */

/* Marked faces and listed vertices of a brick. */
typedef struct brick_scratch {
    bool any;
    uint8_t marks[SURFACE_BRICK_VERTICES];  /* bit axis: the face across this axis at this
                                               vertex */
    int32_t vertex[SURFACE_BRICK_VERTICES]; /* surface vertex there, or -1 */
} brick_scratch;

static void move_along(int axis, int steps, const int from[3], int to[3])
{
    memcpy(to, from, 3 * sizeof *to);
    to[axis] += steps;
}

/* Corner n of a face, numbered as in grid/brick.h. */
static void face_corner(int axis, const int at[3], unsigned n, int corner[3])
{
    move_along((axis + 1) % 3, n == 1 || n == 2, at, corner);
    corner[(axis + 2) % 3] += n >= 2;
}

/* The part of the brick's vertices along an axis that lies in [lo, hi]; empty if first >
 * last. */
static void part_of_range(const surface_brick *b, int axis, int64_t lo, int64_t hi,
                          int *first, int *last)
{
    int64_t from = lo - b->brick->place.lo[axis], to = hi - b->brick->place.lo[axis];
    *first = from <= 0 ? 0 : from > b->n[axis] ? b->n[axis] + 1 : (int)from;
    *last = to >= b->n[axis] ? b->n[axis] : to < 0 ? -1 : (int)to;
}

/* Marks the faces of one index plane that lie between lo and hi. */
static void mark_plane(const surface_brick *b, int axis, int64_t index,
                       const int64_t lo[3], const int64_t hi[3], brick_scratch *scratch)
{
    int first[3], last[3], at[3];
    for (int a = 0; a < 3; a++) {
        part_of_range(b, a, a == axis ? index : lo[a], a == axis ? index : hi[a],
                      &first[a], &last[a]);
        last[a] -= a != axis; /* limits for the faces' lowest vertices */
    }
    for (at[2] = first[2]; at[2] <= last[2]; at[2]++) {
        for (at[1] = first[1]; at[1] <= last[1]; at[1]++) {
            for (at[0] = first[0]; at[0] <= last[0]; at[0]++) {
                uint8_t *mark = &scratch->marks[surface_brick_vertex(b, at)];
                *mark = (uint8_t)(*mark | 1u << axis);
                scratch->any = true;
            }
        }
    }
}

/* The axis along which lo and hi agree, or -1. */
static int flat_axis(const surface_range *range)
{
    for (int axis = 0; axis < 3; axis++) {
        if (range->lo[axis] == range->hi[axis]) {
            return axis;
        }
    }
    return -1;
}

static void mark_range(const surface_brick *b, const surface_range *range,
                       brick_scratch *scratch)
{
    if (range->block != b->brick->place.block) {
        return;
    }
    int flat = flat_axis(range);
    for (int axis = 0; axis < 3; axis++) {
        if (flat < 0 || flat == axis) {
            mark_plane(b, axis, range->lo[axis], range->lo, range->hi, scratch);
        }
        if (flat < 0) {
            mark_plane(b, axis, range->hi[axis], range->lo, range->hi, scratch);
        }
    }
}

static bool is_wall(const surface_brick *b, int axis, const int at[3])
{
    for (unsigned n = 0; n < 4; n++) {
        int corner[3];
        face_corner(axis, at, n, corner);
        if (!(b->brick->flags[surface_brick_vertex(b, corner)] & GRID_WALL)) {
            return false;
        }
    }
    surface_near_cell lower = surface_brick_beside(b, axis, at, 0),
                      upper = surface_brick_beside(b, axis, at, 1);
    /* If one side is unknown, the face lies outside this rank's part of space. */
    return lower.state != SURFACE_CELL_UNKNOWN && upper.state != SURFACE_CELL_UNKNOWN &&
           (lower.state == SURFACE_CELL_PRESENT) != (upper.state == SURFACE_CELL_PRESENT);
}

/* Marks the walls among the faces of an axis. */
static void mark_walls(const surface_brick *b, int axis, brick_scratch *scratch)
{
    int at[3], last[3];
    for (int a = 0; a < 3; a++) {
        last[a] = b->n[a] - (a != axis);
    }
    for (at[2] = 0; at[2] <= last[2]; at[2]++) {
        for (at[1] = 0; at[1] <= last[1]; at[1]++) {
            for (at[0] = 0; at[0] <= last[0]; at[0]++) {
                if (is_wall(b, axis, at)) {
                    uint8_t *mark = &scratch->marks[surface_brick_vertex(b, at)];
                    *mark = (uint8_t)(*mark | 1u << axis);
                    scratch->any = true;
                }
            }
        }
    }
}

static bool has_walls(const surface_brick *b)
{
    int count = b->stride[2] * (b->n[2] + 1);
    for (int v = 0; v < count; v++) {
        if (b->brick->flags[v] & GRID_WALL) {
            return true;
        }
    }
    return false;
}

/* The surface vertex at a vertex of the brick. */
static int32_t vertex_at(const surface_brick *b, const int at[3], brick_scratch *scratch,
                         surface_mesh *mesh)
{
    int32_t local = surface_brick_vertex(b, at);
    if (scratch->vertex[local] < 0) {
        scratch->vertex[local] =
            surface_mesh_add_vertex(mesh, b->store, b->first + local, b->first + local,
                                    0.0, surface_brick_is_rim(b, at, -1));
    }
    return scratch->vertex[local];
}

/* Notes the vertices of a face's only cell, opposite to the corners of the face that was
 * added last. side: 0 if the cell lies below the face. */
static void note_inner(const surface_brick *b, const surface_near_cell *cell, int axis,
                       int side, surface_mesh *mesh)
{
    const surface_brick owner = surface_brick_open(b->store, cell->brick);
    const surface_quad *quad = &mesh->quads[mesh->nquads - 1];
    int inner[3];
    move_along(axis, side, cell->at, inner);
    for (unsigned n = 0; n < 4 && !mesh->failed; n++) {
        int corner[3];
        face_corner(axis, inner, (n + quad->turn) & 3u, corner);
        mesh->inner[mesh->nquads - 1][n] =
            owner.first + surface_brick_vertex(&owner, corner);
    }
}

/* Adds a marked face, unless the brick above has it, too, or it has no present cell. */
static void add_face(const surface_brick *b, int axis, const int at[3],
                     brick_scratch *scratch, surface_mesh *mesh)
{
    static const int place_in_around[3] = {1, 3, 9};
    if (at[axis] == b->n[axis] && b->around[13 + place_in_around[axis]]) {
        return;
    }
    surface_near_cell cell = surface_brick_beside(b, axis, at, 0);
    const surface_near_cell upper = surface_brick_beside(b, axis, at, 1);
    const int side = cell.state != SURFACE_CELL_PRESENT;
    const bool is_alone = side == 1 || upper.state == SURFACE_CELL_ABSENT;
    if (side == 1) {
        cell = upper;
    }
    if (cell.state != SURFACE_CELL_PRESENT) {
        return;
    }
    surface_quad quad = {.cell = surface_brick_cell(b->store, cell.brick, cell.at),
                         .kind = side == 1 ? SURFACE_ABOVE : 0,
                         .lines = 15,
                         .block = b->brick->place.block,
                         .part = axis,
                         .index = surface_brick_index(b, at)};
    const unsigned flags = b->brick->flags[surface_brick_vertex(b, at)];
    const unsigned turned = flags >> axis & 1u;
    quad.turn = (uint8_t)turned;
    for (unsigned n = 0; n < 4; n++) {
        int corner[3];
        face_corner(axis, at, (n + turned) & 3u, corner);
        quad.corner[n] = vertex_at(b, corner, scratch, mesh);
    }
    surface_mesh_add_quad(mesh, &quad);
    if (mesh->has_inner && is_alone) {
        note_inner(b, &cell, axis, side, mesh);
    }
}

static void add_faces(const surface_brick *b, brick_scratch *scratch, surface_mesh *mesh)
{
    int at[3];
    memset(scratch->vertex, -1, sizeof scratch->vertex);
    for (at[2] = 0; at[2] <= b->n[2]; at[2]++) {
        for (at[1] = 0; at[1] <= b->n[1]; at[1]++) {
            for (at[0] = 0; at[0] <= b->n[0]; at[0]++) {
                unsigned mark = scratch->marks[surface_brick_vertex(b, at)];
                for (int axis = 0; mark >> axis != 0; axis++) {
                    if (mark >> axis & 1u) {
                        add_face(b, axis, at, scratch, mesh);
                    }
                }
            }
        }
    }
}

/* ---- Between grid planes ----------------------------------------------------------- */

/* Rotates the loop so that it begins at its smallest point or opposite to it. */
static void turn_loop(const surface_mesh *mesh, surface_quad *quad)
{
    int32_t *corner = quad->corner;
    int smallest = 0;
    for (int n = 1; n < 4 && !mesh->failed; n++) {
        if (surface_comes_before(mesh->vertices[corner[n]].at,
                                 mesh->vertices[corner[smallest]].at)) {
            smallest = n;
        }
    }
    if (smallest & 1) {
        int32_t first = corner[0];
        memmove(corner, corner + 1, 3 * sizeof *corner);
        corner[3] = first;
        quad->turn = 1;
    }
}

/* A plane that cuts the cells of a brick between their lower and upper faces. */
typedef struct plane_here {
    int axis, part;
    double share;
} plane_here;

static int32_t vertex_between(const surface_brick *b, const plane_here *plane,
                              const int at[3], brick_scratch *scratch, surface_mesh *mesh)
{
    int32_t local = surface_brick_vertex(b, at);
    if (scratch->vertex[local] < 0) {
        bool is_on_rim = surface_brick_is_rim(b, at, plane->axis);
        int32_t a = b->first + local;
        scratch->vertex[local] = surface_mesh_add_vertex(
            mesh, b->store, a, a + b->stride[plane->axis], plane->share, is_on_rim);
    }
    return scratch->vertex[local];
}

static void add_between(const surface_brick *b, const plane_here *plane, const int at[3],
                        brick_scratch *scratch, surface_mesh *mesh)
{
    if (!(b->brick->flags[surface_brick_vertex(b, at)] & GRID_PRESENT)) {
        return;
    }
    surface_quad quad = {.cell = surface_brick_cell(b->store, b->brick, at),
                         .lines = 15,
                         .block = b->brick->place.block,
                         .part = plane->part,
                         .index = surface_brick_index(b, at)};
    for (unsigned n = 0; n < 4; n++) {
        int corner[3];
        face_corner(plane->axis, at, n, corner);
        quad.corner[n] = vertex_between(b, plane, corner, scratch, mesh);
    }
    turn_loop(mesh, &quad);
    surface_mesh_add_quad(mesh, &quad);
}

/* Adds the part of a plane in a brick. If its index is that of a grid plane, it only
 * marks faces. */
static void add_plane(const surface_brick *b, const surface_plane *plane, int part,
                      brick_scratch *scratch, surface_mesh *mesh)
{
    const int axis = plane->axis;
    int64_t below = (int64_t)floor(plane->index);
    const plane_here here = {axis, part, plane->index - (double)below};
    if (plane->block != b->brick->place.block) {
        return;
    }
    if ((float)here.share == 0.0f || (float)here.share == 1.0f) {
        below += (float)here.share == 1.0f;
        mark_plane(b, axis, below, plane->lo, plane->hi, scratch);
        return;
    }
    int first[3], last[3], at[3];
    for (int a = 0; a < 3; a++) {
        part_of_range(b, a, a == axis ? below : plane->lo[a],
                      a == axis ? below + 1 : plane->hi[a], &first[a], &last[a]);
        last[a]--;
    }
    if (first[axis] > last[axis]) {
        return;
    }
    memset(scratch->vertex, -1, sizeof scratch->vertex);
    for (at[2] = first[2]; at[2] <= last[2]; at[2]++) {
        for (at[1] = first[1]; at[1] <= last[1]; at[1]++) {
            for (at[0] = first[0]; at[0] <= last[0]; at[0]++) {
                add_between(b, &here, at, scratch, mesh);
            }
        }
    }
}

/* ---- All bricks -------------------------------------------------------------------- */

static void add_brick(const surface_brick *b, const surface_spec *spec,
                      brick_scratch *scratch, surface_mesh *mesh)
{
    memset(scratch->marks, 0, sizeof scratch->marks);
    scratch->any = false;
    const bool walls = spec->walls && has_walls(b);
    for (int n = 0; n < spec->nranges; n++) {
        mark_range(b, &spec->ranges[n], scratch);
    }
    for (int axis = 0; axis < 3 && walls; axis++) {
        mark_walls(b, axis, scratch);
    }
    for (int n = 0; n < spec->nplanes; n++) {
        add_plane(b, &spec->planes[n], 3 + n, scratch, mesh);
    }
    if (scratch->any) {
        add_faces(b, scratch, mesh);
    }
    surface_cut_brick(b, spec->ncuts, spec->cuts, 3 + spec->nplanes, mesh);
    surface_cut_isos(b, spec->nisos, spec->isos, 3 + spec->nplanes + spec->ncuts, mesh);
}

status surface_mesh_create(const grid_store *store, const surface_spec *spec,
                           surface_mesh *out)
{
    surface_mesh mesh = {.has_inner = spec->has_inner};
    brick_scratch *scratch = malloc(sizeof *scratch);
    if (!scratch) {
        return base_fail_memory(sizeof *scratch, "a surface");
    }
    for (int64_t slot = 0; slot < store->nbricks; slot++) {
        const grid_brick *brick = &store->bricks[slot];
        if (brick->vertex) {
            surface_brick b = surface_brick_open(store, brick);
            add_brick(&b, spec, scratch, &mesh);
        }
    }
    free(scratch);
    if (mesh.failed) {
        size_t bytes = (size_t)mesh.nquads * sizeof *mesh.quads;
        surface_mesh_clear(&mesh);
        return base_fail_memory(2 * bytes, "the quadrilaterals of a surface");
    }
    *out = mesh;
    return STATUS_OK;
}
