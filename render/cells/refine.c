#define LANES_PLAIN
#include "bend_parts.h"
#include "refine_cell.h"

/* The corners of a cell as seen by the ray. */
static cross_corners load_corners(const march_grid *grid, const cell_ray *ray,
                                  const march_cell *cell)
{
    const march_brick *brick = &grid->bricks[cell->brick];
    const int lowest = march_vertex_index(brick, cell->at);
    cell_vertices seen;
    for (int corner = 0; corner < CROSS_CORNERS; corner++) {
        render_cell_set_vertex(&seen, corner, ray,
                               grid->vertex[march_corner_index(brick, lowest, corner)]);
    }
    cross_corners corners;
    memcpy(corners.u, seen.u, sizeof corners.u);
    memcpy(corners.v, seen.v, sizeof corners.v);
    memcpy(corners.along, seen.along, sizeof corners.along);
    memcpy(corners.scalar, seen.scalar, sizeof corners.scalar);
    return corners;
}

/* The corners of a face as the grid has them: by axis; the last ones are scalars. */
static void load_grid_face(const march_grid *grid, const march_cell *cell, int face,
                           float x[4][4])
{
    const march_brick *brick = &grid->bricks[cell->brick];
    const int lowest = march_vertex_index(brick, cell->at);
    for (int n = 0; n < 4; n++) {
        const int corner = cross_face_corners[face][n];
        for (int axis = 0; axis < 4; axis++) {
            x[axis][n] = grid->vertex[march_corner_index(brick, lowest, corner)][axis];
        }
    }
}

/* Whether a face of a cell lies on the border of its block. */
static bool is_on_border(const march_brick *brick, const int at[3], int face)
{
    const int axis = face >> 1, end = face & 1 ? brick->n[axis] - 1 : 0;
    return at[axis] == end && (brick->borders >> face & 1u);
}

/* Whether a face is a patch, like patch_exits of the kernels. */
static bool is_patch(const march_grid *grid, const march_cell *cell, int face,
                     float x[4][4])
{
    return grid->all_patches ||
           (is_on_border(&grid->bricks[cell->brick], cell->at, face) &&
            refine_warp((const float(*)[4])x) * grid->flatness > 1.0f);
}

float render_refine_warp(const march_grid *grid, int brick)
{
    const march_brick *b = &grid->bricks[brick];
    float most = 0.0f, x[4][4];
    for (int face = 0; face < CROSS_FACES; face++) {
        const int axis = face >> 1, one = (axis + 1) % 3, other = (axis + 2) % 3;
        march_cell cell = {.brick = brick};
        cell.at[axis] = face & 1 ? b->n[axis] - 1 : 0;
        for (int m = 0; m < b->n[one] && (b->borders >> face & 1u); m++) {
            for (int n = 0; n < b->n[other]; n++) {
                cell.at[one] = m;
                cell.at[other] = n;
                load_grid_face(grid, &cell, face, x);
                const float warp = refine_warp((const float(*)[4])x);
                most = warp > most ? warp : most;
            }
        }
    }
    return most;
}

void render_refine_crossing(const march_grid *grid, const cell_ray *ray,
                            const march_cell *cell, cell_crossing *crossing)
{
    if (!grid->has_patches) {
        return;
    }
    float x[4][4];
    load_grid_face(grid, cell, crossing->triangle.face, x);
    if (!is_patch(grid, cell, crossing->triangle.face, x)) {
        return;
    }
    refine_face face;
    for (int n = 0; n < 4; n++) {
        const float along = x[ray->axis[2]][n];
        face.u[n] = (x[ray->axis[0]][n] - ray->origin[0]) - ray->shear[0] * along;
        face.v[n] = (x[ray->axis[1]][n] - ray->origin[1]) - ray->shear[1] * along;
        face.along[n] = along;
        face.scalar[n] = x[3][n];
    }
    refine_crossing(&face, ray->shear, ray->per_unit, &crossing->f, &crossing->g,
                    &crossing->t);
    crossing->scalar = refine_face_scalar(face.scalar, crossing->f, crossing->g);
}

/* The corners of a cell as the grid has them. */
static void load_grid_corners(const march_grid *grid, const march_cell *cell,
                              float corner[4][CROSS_CORNERS])
{
    const march_brick *brick = &grid->bricks[cell->brick];
    const int lowest = march_vertex_index(brick, cell->at);
    for (int n = 0; n < CROSS_CORNERS; n++) {
        for (int axis = 0; axis < 4; axis++) {
            corner[axis][n] = grid->vertex[march_corner_index(brick, lowest, n)][axis];
        }
    }
}

/* Lists the knots between the parts of a way. Returns the number of parts. */
static int list_knots(const refine_way *way, const bend_line *line,
                      refine_knot knots[REFINE_MOST_PARTS + 1])
{
    const float t0 = way->entry.t, t1 = way->exit.t;
    const int parts = (int)line->parts;
    knots[0] = (refine_knot){t0, way->entry.scalar};
    knots[parts] = (refine_knot){t1, way->exit.scalar};
    for (int n = 1; n < parts; n++) {
        const float share = (float)n / line->parts;
        knots[n] = (refine_knot){t0 + share * (t1 - t0), bend_between(line, share)};
    }
    return parts;
}

static bend_end end_of(int flags, const cell_crossing *crossing, bool is_on_patch)
{
    const int face = crossing->triangle.face;
    bend_end end =
        bend_end_of(face, bend_is_turned(flags, face), crossing->f, crossing->g);
    if (is_on_patch) {
        end.off = 0.0f;
    }
    return end;
}

int render_refine_way(const march_grid *grid, const cell_ray *ray, const refine_way *way,
                      bool on_patches, const transfer_table *table,
                      refine_knot knots[REFINE_MOST_PARTS + 1])
{
    const cross_corners corners = load_corners(grid, ray, &way->cell);
    float corner[4][CROSS_CORNERS];
    load_grid_corners(grid, &way->cell, corner);
    const bend_cells cells = bend_know((const float(*)[CROSS_CORNERS])corner, table);
    const cell_crossing *entry = &way->entry, *exit = &way->exit;
    const march_brick *brick = &grid->bricks[way->cell.brick];
    const int flags = grid->flags[march_vertex_index(brick, way->cell.at)];
    const bend_ways ways = {.from = end_of(flags, entry, way->entry_is_on_patch),
                            .to = end_of(flags, exit, way->exit_is_on_patch),
                            .t0 = entry->t,
                            .t1 = exit->t,
                            .s0 = entry->scalar,
                            .s1 = exit->scalar,
                            .per_unit = ray->per_unit};
    bend_line line = bend_line_straight();
    if (on_patches) {
        bend_find_on_patches(&corners, &ways, cells.bounds, table, &line);
    } else {
        const vmask able = bend_is_possible(&cells, exit->t - entry->t);
        bend_find(&ways, &cells, able, &line);
        if (lanes_any(line.much)) {
            bend_follow(&corners, &ways, &cells, line.much, &line);
        }
    }
    return list_knots(way, &line, knots);
}
