#include "work_samples.h"

#include "base/array.h"
#include "render/cells/cell.h"

#include <stdlib.h>

/* The cost of a cell that at least one ray meets, in crossings: it must come from memory.
 * Measurements with 4 million cells gave 0.5 and 1.4 from two sides, counting all cells
 * in bricks. */
static const double cell_weight = 1.0;

void frame_work_samples_push(frame_work_samples *samples, vec3 at, double weight)
{
    frame_work_sample *items = base_array_reserve(samples->items, &samples->capacity,
                                                  samples->count + 1, sizeof *items);
    if (!items) {
        samples->failed = true;
        return;
    }
    samples->items = items;
    frame_work_sample *sample = &samples->items[samples->count++];
    for (int axis = 0; axis < 3; axis++) {
        sample->at[axis] = (float)at.v[axis];
    }
    sample->weight = (float)weight;
    samples->sum += (double)sample->weight;
}

void frame_work_samples_clear(frame_work_samples *samples)
{
    free(samples->items);
    *samples = (frame_work_samples){0};
}

bool frame_work_is_inside(box3 box, vec3 point)
{
    for (int axis = 0; axis < 3; axis++) {
        if (!(point.v[axis] >= box.lo.v[axis] && point.v[axis] < box.hi.v[axis])) {
            return false;
        }
    }
    return true;
}

/* ---- Cells ------------------------------------------------------------------------- */

/* A group of up to 2 x 2 x 2 cells of a brick, or a single cell. It counts as one
 * parallelepiped with the mean of its edges. */
typedef struct cell_group {
    vec3 middle, side[3];
    vec3 at;        /* place of its work sample */
    int n[3];       /* cells along each axis */
    double present; /* the part of them that is not blanked */
} cell_group;

static int64_t vertex_index(const grid_brick *brick, int i, int j, int k)
{
    const int *n = brick->place.n;
    return ((int64_t)k * (n[1] + 1) + j) * (n[0] + 1) + i;
}

static vec3 vertex_at(const grid_brick *brick, int i, int j, int k)
{
    const float *v = brick->vertex[vertex_index(brick, i, j, k)];
    return vec3_make((double)v[0], (double)v[1], (double)v[2]);
}

static double present_part(const grid_brick *brick, const int lo[3], const int n[3])
{
    int present = 0;
    for (int k = lo[2]; k < lo[2] + n[2]; k++) {
        for (int j = lo[1]; j < lo[1] + n[1]; j++) {
            for (int i = lo[0]; i < lo[0] + n[0]; i++) {
                present +=
                    (brick->flags[vertex_index(brick, i, j, k)] & GRID_PRESENT) != 0;
            }
        }
    }
    return (double)present / ((double)n[0] * n[1] * n[2]);
}

/*
 * A place in a group, in parts of its sides. Along each side it varies with the group's
 * indices along the other two. So the work of a layer of cells spreads evenly between its
 * bounds; if all of it lay in the middle, boxes could be cut only between layers. The
 * factors are those of Roberts 2018 (The unreasonable effectiveness of quasirandom
 * sequences). `number`: indices of the group in the block, the same on every rank that
 * has the brick.
 */
static void spread(const int64_t number[3], double part[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const double turns = 0.7548776662466927 * (double)number[(axis + 1) % 3] +
                             0.5698402909980532 * (double)number[(axis + 2) % 3];
        part[axis] = turns - floor(turns);
    }
}

/* The place of a group's work sample. */
static vec3 place_group(const grid_brick *brick, int edge, const int lo[3],
                        const cell_group *group)
{
    int64_t number[3];
    double part[3];
    for (int axis = 0; axis < 3; axis++) {
        number[axis] = (brick->place.lo[axis] + lo[axis]) / edge;
    }
    spread(number, part);
    vec3 at = group->middle;
    for (int axis = 0; axis < 3; axis++) {
        at = vec3_add(at, vec3_scale(group->side[axis], part[axis] - 0.5));
    }
    return at;
}

/* Makes a group. `edge`: cells along each axis, fewer at the end of the brick. */
static cell_group group_at(const grid_brick *brick, int edge, const int lo[3])
{
    cell_group group = {0};
    for (int axis = 0; axis < 3; axis++) {
        const int left = brick->place.n[axis] - lo[axis];
        group.n[axis] = left < edge ? left : edge;
    }
    for (int c = 0; c < 8; c++) {
        const vec3 corner =
            vertex_at(brick, lo[0] + (c & 1 ? group.n[0] : 0),
                      lo[1] + (c & 2 ? group.n[1] : 0), lo[2] + (c & 4 ? group.n[2] : 0));
        group.middle = vec3_add(group.middle, vec3_scale(corner, 0.125));
        for (int axis = 0; axis < 3; axis++) {
            const double share = c >> axis & 1 ? 0.25 : -0.25;
            group.side[axis] = vec3_add(group.side[axis], vec3_scale(corner, share));
        }
    }
    group.at = place_group(brick, edge, lo, &group);
    group.present = present_part(brick, lo, group.n);
    return group;
}

/* Pixels that a unit area across the line of sight covers. */
static double pixels_per_area(const render_camera *camera, vec3 point)
{
    const double depth = camera->orthographic ? 1.0 : render_camera_depth(camera, point);
    const double per_length = camera->height / (2.0 * camera->scale * depth);
    return depth > 0.0 ? per_length * per_length : 0.0;
}

/* The number of times that rays meet a cell of the group: a ray enters a cell when it
 * passes a plane of constant index. */
static double crossings_of(const render_camera *camera, const cell_group *group)
{
    const vec3 sight =
        camera->orthographic
            ? camera->forward
            : vec3_normalize(vec3_sub(group->middle, render_camera_order_point(camera)));
    double crossings = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const vec3 area =
            vec3_cross(group->side[(axis + 1) % 3], group->side[(axis + 2) % 3]);
        crossings += fabs(vec3_dot(area, sight)) * group->n[axis];
    }
    /* Near the eye a group would have more pixels than the picture. */
    const double most = (double)camera->width * camera->height *
                        (group->n[0] + group->n[1] + group->n[2]);
    return fmin(crossings * pixels_per_area(camera, group->middle), most);
}

static double weight_of(const render_camera *camera, const cell_group *group)
{
    const double crossings = crossings_of(camera, group);
    const double cells = (double)group->n[0] * group->n[1] * group->n[2];
    return group->present * (crossings + cell_weight * fmin(cells, crossings));
}

/* Whether a point lies in the picture and in front of the viewer. */
static bool is_seen(const render_camera *camera, vec3 point)
{
    const vec3 away = vec3_sub(point, camera->eye);
    const double depth = camera->orthographic ? 1.0 : vec3_dot(away, camera->forward);
    const double most = camera->scale * depth; /* half of the picture's height there */
    return depth > 0.0 && fabs(vec3_dot(away, camera->up)) <= most &&
           fabs(vec3_dot(away, camera->right)) * camera->height <= most * camera->width;
}

static void add_brick(const frame_scene *scene, const grid_brick *brick, int edge,
                      frame_work_samples *samples)
{
    const int *n = brick->place.n;
    for (int k = 0; k < n[2]; k += edge) {
        for (int j = 0; j < n[1]; j += edge) {
            for (int i = 0; i < n[0]; i += edge) {
                const cell_group group = group_at(brick, edge, (const int[]){i, j, k});
                if (frame_work_is_inside(scene->part.box, group.at) &&
                    is_seen(&scene->camera, group.at)) {
                    const double weight = weight_of(&scene->camera, &group);
                    frame_work_samples_push(samples, group.at,
                                            isfinite(weight) ? weight : 0.0);
                }
            }
        }
    }
}

static bool is_in_view(const frame_scene *scene, const grid_brick *brick)
{
    const box3 bounds = grid_brick_bounds(&scene->layout->bricks[brick->number]);
    return !pixel_rect_is_empty(render_camera_footprint(&scene->camera, bounds));
}

void frame_work_samples_add_cells(const frame_scene *scene, const grid_store *store,
                                  frame_work_samples *samples)
{
    const int64_t many =
        1000000; /* up to this number, sampling single cells costs next to nothing */
    const int edge = store->layout->census.cells > many ? 2 : 1;
    for (int64_t b = 0; b < store->nbricks; b++) {
        const grid_brick *brick = &store->bricks[b];
        if (brick->vertex && is_in_view(scene, brick)) {
            add_brick(scene, brick, edge, samples);
        }
    }
}
