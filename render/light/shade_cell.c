#define LANES_PLAIN
#include "shade_cell.h"

#include "shade_lanes.h"

void render_shade_gradient(const march_grid *grid, const cell_ray *ray,
                           const march_cell *cell, const cell_crossing *crossing,
                           float gradient[3])
{
    if (!grid->gradient) {
        gradient[0] = gradient[1] = gradient[2] = 0.0f;
        return;
    }
    const march_brick *brick = &grid->bricks[cell->brick];
    const int *corners = render_cell_face_corners(crossing->triangle.face);
    const int lowest = march_vertex_index(brick, cell->at);
    for (int n = 0; n < 3; n++) {
        float value[4];
        for (int c = 0; c < 4; c++) {
            int vertex = march_corner_index(brick, lowest, corners[c]);
            value[c] = grid->gradient[vertex][ray->axis[n]];
        }
        gradient[n] = refine_bilinear(value, crossing->f, crossing->g);
    }
}

int render_shade_parts(const render_shade *shade, const cell_ray *ray,
                       const shade_way *way, shade_factors factors[SHADE_MOST_PARTS])
{
    shade_course course = {
        .ways = {.axis = ray->axis[2],
                 .rays = {.origin = {ray->origin[0], ray->origin[1]},
                          .shear = {ray->shear[0], ray->shear[1]},
                          .per_unit = ray->per_unit},
                 .t0 = way->t0,
                 .t1 = way->t1,
                 .entry = {way->entry[0], way->entry[1], way->entry[2]},
                 .exit = {way->exit[0], way->exit[1], way->exit[2]}}};
    shade_pieces piece = {.number = (float)way->number, .count = (float)way->pieces};
    shade_follow(shade, true, &course);
    shade_cut(shade, &course, way->depth, &piece);
    const int parts = (int)piece.parts;
    for (int n = 0; n < parts; n++) {
        shade_light_part(shade, &course, &piece, true, (float)n, factors[n].of);
    }
    return parts;
}
