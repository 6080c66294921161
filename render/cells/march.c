#include "march.h"

#include "base/array.h"

#include <math.h>

#include <stdlib.h>
#include <string.h>

static const int corner_offset[8][3] = {
    {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0},
    {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1},
};

/* ---- The bricks of a picture ------------------------------------------------------- */

bool render_march_wants(const grid_layout *layout, int64_t number,
                        const render_camera *camera, box3 clip)
{
    const grid_brick_info *info = &layout->bricks[number];
    if (info->cells == 0) {
        return false;
    }
    box3 bounds = grid_brick_bounds(info);
    double farthest = -INFINITY;
    for (int c = 0; c < 8; c++) {
        vec3 corner = vec3_make(corner_offset[c][0] ? bounds.hi.v[0] : bounds.lo.v[0],
                                corner_offset[c][1] ? bounds.hi.v[1] : bounds.lo.v[1],
                                corner_offset[c][2] ? bounds.hi.v[2] : bounds.lo.v[2]);
        farthest = fmax(farthest, render_camera_depth(camera, corner));
    }
    return farthest >= 0.0 && grid_layout_brick_meets(layout, number, clip);
}

/* Whether a block with lower precedence (a higher priority number) comes near the
 * brick. */
static bool may_hide_blocks(const grid_layout *layout, const box3 *blocks,
                            const grid_brick *brick)
{
    const box3 bounds = box3_widen(grid_brick_bounds(&layout->bricks[brick->number]),
                                   grid_layout_margin(layout));
    for (int b = 0; b < layout->nblocks; b++) {
        if (layout->blocks[b].priority > layout->blocks[brick->place.block].priority &&
            box3_meets(blocks[b], bounds)) {
            return true;
        }
    }
    return false;
}

box3 *render_march_block_bounds(const grid_layout *layout)
{
    box3 *blocks = malloc((size_t)layout->nblocks * sizeof *blocks + 1);
    for (int b = 0; blocks && b < layout->nblocks; b++) {
        const grid_block *block = &layout->blocks[b];
        int64_t count = block->bricks[0] * block->bricks[1] * block->bricks[2];
        blocks[b] = box3_empty();
        for (int64_t n = 0; n < count; n++) {
            const grid_brick_info *info = &layout->bricks[block->first_brick + n];
            if (info->cells > 0) {
                blocks[b] = box3_union(blocks[b], grid_brick_bounds(info));
            }
        }
    }
    return blocks;
}

bool render_march_is_clear(const grid_layout *layout, const box3 *blocks,
                           const render_transfer *transfer, const grid_brick *brick)
{
    return brick->has_range &&
           render_transfer_is_clear(transfer, (double)brick->range[0],
                                    (double)brick->range[1]) &&
           !may_hide_blocks(layout, blocks, brick);
}

void render_march_choose(const grid_store *store, const box3 *blocks,
                         const render_transfer *transfer, const render_camera *camera,
                         box3 clip, bool *chosen)
{
    for (int64_t slot = 0; slot < store->nbricks; slot++) {
        const grid_brick *brick = &store->bricks[slot];
        chosen[slot] =
            brick->vertex &&
            render_march_wants(store->layout, brick->number, camera, clip) &&
            !(transfer && render_march_is_clear(store->layout, blocks, transfer, brick));
    }
}

/* ---- Extents of cells -------------------------------------------------------------- */

/* A vertex, or the minimum or maximum of vertices. */
typedef float four __attribute__((vector_size(16)));
typedef int32_t four_int __attribute__((vector_size(16)));

typedef struct four_range {
    four lo, hi;
} four_range;

static inline four_range join(four_range a, four_range b)
{
    const four_int below = a.lo < b.lo;
    const four_int above = b.hi < a.hi;
    return (four_range){(four)(((four_int)a.lo & below) | ((four_int)b.lo & ~below)),
                        (four)(((four_int)a.hi & above) | ((four_int)b.hi & ~above))};
}

static inline four_range range_of(const float vertex[4])
{
    four at;
    memcpy(&at, vertex, sizeof at);
    return (four_range){at, at};
}

/* Ranges of the four vertices at the lower ends of a cell's edges along i. */
static inline four_range range_across(const float (*vertex)[4], int row, int plane)
{
    return join(join(range_of(vertex[0]), range_of(vertex[row])),
                join(range_of(vertex[plane]), range_of(vertex[plane + row])));
}

/* Joins into `all` the ranges of a row of cells, and into `extents` the extent of
 * each. */
static void measure_row(const grid_brick *brick, int64_t lowest, four_range *all,
                        four_range *extents)
{
    const int row = brick->place.n[0] + 1, plane = row * (brick->place.n[1] + 1);
    const float(*vertex)[4] = (const float(*)[4])brick->vertex + lowest;
    four_range before = range_across(vertex, row, plane);
    for (int i = 0; i < brick->place.n[0]; i++) {
        const four_range next = range_across(vertex + i + 1, row, plane);
        if (brick->flags[lowest + i] & GRID_PRESENT) {
            const four_range cell = join(before, next);
            *all = join(*all, cell);
            *extents = join(*extents, (four_range){cell.hi - cell.lo, cell.hi - cell.lo});
        }
        before = next;
    }
}

void render_march_measure(const grid_brick *brick, float extent[3])
{
    const int *n = brick->place.n;
    const four infinite = {INFINITY, INFINITY, INFINITY, INFINITY}, none = {0};
    four_range all = {infinite, -infinite}, extents = {none, none};
    for (int k = 0; k < n[2]; k++) {
        for (int j = 0; j < n[1]; j++) {
            const int64_t lowest = (int64_t)(n[0] + 1) * (j + (int64_t)(n[1] + 1) * k);
            measure_row(brick, lowest, &all, &extents);
        }
    }
    /* Shearing rounds relative to the largest coordinate. */
    float farthest = 0.0f;
    for (int axis = 0; axis < 3; axis++) {
        farthest = fmaxf(farthest, fmaxf(fabsf(all.lo[axis]), fabsf(all.hi[axis])));
    }
    for (int axis = 0; axis < 3; axis++) {
        extent[axis] = 1.001f * extents.hi[axis] + 0x1p-21f * farthest;
    }
}

/* ---- Grids ------------------------------------------------------------------------- */

/* The largest magnitude of a coordinate within a box. */
static float farthest_of(box3 box)
{
    double most = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        most = fmax(most, fmax(fabs(box.lo.v[axis]), fabs(box.hi.v[axis])));
    }
    return (float)most;
}

/* Which faces of a brick lie on the border of its block. Seams of closed axes do not. */
static unsigned borders_of(const grid_block *block, const grid_brick_place *place)
{
    unsigned borders = 0;
    for (int axis = 0; axis < 3; axis++) {
        const int64_t begin = place->lo[axis], end = begin + place->n[axis];
        if (!block->closed[axis]) {
            borders |= (unsigned)(begin == 0) << 2 * axis;
            borders |= (unsigned)(end == block->n[axis] - 1) << (2 * axis + 1);
        }
    }
    return borders;
}

static void fill_brick(const grid_store *store, const grid_brick *from, march_brick *to)
{
    const grid_brick_place *place = &from->place;
    const grid_brick_place whole = grid_layout_place(store->layout, from->number);
    int64_t cells = (int64_t)whole.n[0] * whole.n[1] * whole.n[2];
    int row = place->n[0] + 1, plane = row * (place->n[1] + 1);
    *to = (march_brick){
        .first = (int)(from->vertex - store->vertex),
        .first_cell = from->cell ? (int)(from->cell - store->cell) : 0,
        .n = {place->n[0], place->n[1], place->n[2]},
        .lo = {(int)(place->lo[0] - whole.lo[0]), (int)(place->lo[1] - whole.lo[1]),
               (int)(place->lo[2] - whole.lo[2])},
        .stride = {1, row, plane},
        .borders = borders_of(&store->layout->blocks[place->block], place),
        .priority = store->layout->blocks[place->block].priority,
        .farthest = farthest_of(grid_brick_bounds(&store->layout->bricks[from->number])),
        .left_handed = store->layout->blocks[place->block].left_handed,
        .is_full = store->layout->bricks[from->number].cells == cells,
        .has_folds = grid_brick_is_folded(store->layout, from),
    };
}

/* extent: of the brick; NULL: it is measured here. */
static void set_extent(const grid_brick *from, const float *extent, march_brick *to)
{
    if (extent) {
        memcpy(to->extent, extent, sizeof to->extent);
    } else {
        render_march_measure(from, to->extent);
    }
}

/* Whether the cells of `upper` begin at the end of those of `lower`. */
static bool follow_each_other(const grid_brick *lower, const grid_brick *upper, int axis)
{
    return lower->place.lo[axis] + lower->place.n[axis] == upper->place.lo[axis];
}

/* index: [store->nbricks], a brick's index in the march grid, or -1. */
static void link_neighbours(const grid_store *store, const int *index, int64_t slot,
                            march_brick *brick)
{
    const grid_brick *here = &store->bricks[slot];
    for (int face = 0; face < 6; face++) {
        int axis = face / 2;
        int64_t at[3];
        for (int a = 0; a < 3; a++) {
            at[a] = here->place.lo[a] / GRID_BRICK_CELLS;
        }
        at[axis] += face % 2 ? 1 : -1;
        int64_t number = grid_layout_brick_at(store->layout, here->place.block, at);
        int32_t there = number < 0 ? -1 : store->slot[number];
        brick->neighbour[face] = -1;
        if (there >= 0 &&
            (face % 2 ? follow_each_other(here, &store->bricks[there], axis)
                      : follow_each_other(&store->bricks[there], here, axis))) {
            brick->neighbour[face] = index[there];
        }
    }
}

status render_march_grid_create(const grid_store *store, const bool *chosen,
                                const float (*extents)[3], march_grid *out)
{
    size_t most = (size_t)store->nbricks + 1; /* never an allocation of nothing */
    int *index = malloc(most * sizeof *index);
    march_brick *bricks = malloc(most * sizeof *bricks);
    if (!index || !bricks) {
        free(index);
        free(bricks);
        return base_fail_memory(most * sizeof *bricks, "the bricks of a picture");
    }
    int count = 0;
    bool may_turn_back = false;
    for (int64_t slot = 0; slot < store->nbricks; slot++) {
        const grid_brick *brick = &store->bricks[slot];
        index[slot] = -1;
        if (chosen[slot]) {
            fill_brick(store, brick, &bricks[count]);
            bricks[count].slot = slot;
            may_turn_back |= grid_brick_has_folds(store->layout, brick);
            set_extent(brick, extents ? extents[slot] : NULL, &bricks[count]);
            index[slot] = count++;
        }
    }
    for (int64_t slot = 0; slot < store->nbricks; slot++) {
        if (index[slot] >= 0) {
            link_neighbours(store, index, slot, &bricks[index[slot]]);
        }
    }
    free(index);
    *out = (march_grid){.vertex = (const float(*)[4])store->vertex,
                        .flags = store->flags,
                        .cell = store->cell,
                        .gradient = (const float(*)[3])store->gradient,
                        .nbricks = count,
                        .bricks = bricks,
                        .may_turn_back = may_turn_back};
    return STATUS_OK;
}

void render_march_grid_destroy(march_grid *grid)
{
    free(grid->bricks);
    free(grid->classes);
    free(grid->bends);
    free(grid->trims);
    *grid = (march_grid){0};
}

/* ---- Cells ------------------------------------------------------------------------- */

bool render_march_step_over(const march_grid *grid, int face, march_cell *cell)
{
    const march_brick *brick = &grid->bricks[cell->brick];
    int axis = face >> 1, next = cell->at[axis] + ((face & 1) ? 1 : -1);
    if (next < 0 || next >= brick->n[axis]) {
        if (!march_change_brick(grid, face, cell)) {
            return false;
        }
        brick = &grid->bricks[cell->brick];
    } else {
        cell->at[axis] = next;
    }
    return brick->is_full ||
           (grid->flags[march_vertex_index(brick, cell->at)] & GRID_PRESENT);
}

/* ---- The boundary ------------------------------------------------------------------ */

/* Boundary faces of one thread or of all threads. */
typedef struct face_list {
    int64_t count, capacity;
    march_seen_face *faces;
    bool failed;
} face_list;

/* Reserves memory for `more` faces; false without memory. */
static bool reserve_faces(face_list *list, int64_t more)
{
    march_seen_face *faces = list->failed
                                 ? NULL
                                 : base_array_reserve(list->faces, &list->capacity,
                                                      list->count + more, sizeof *faces);
    if (!faces) {
        list->failed = true;
        return false;
    }
    list->faces = faces;
    return true;
}

static void append_faces(face_list *list, int64_t count, const march_seen_face *faces)
{
    if (count > 0 && reserve_faces(list, count)) {
        memcpy(list->faces + list->count, faces, (size_t)count * sizeof *faces);
        list->count += count;
    }
}

/* Appends the faces of `more` and frees them. If the list is empty, it takes over the
 * array. */
static void take_faces(face_list *list, face_list *more)
{
    if (!list->faces && !list->failed) {
        *list = *more;
        return;
    }
    list->failed |= more->failed;
    append_faces(list, more->count, more->faces);
    free(more->faces);
}

/* The corners of a face in the order of render_cell_face_corners. */
static void find_corners(const march_grid *grid, march_cell cell, int face,
                         vec3 points[4])
{
    const march_brick *brick = &grid->bricks[cell.brick];
    const int *corners = render_cell_face_corners(face);
    const int lowest = march_vertex_index(brick, cell.at);
    for (int n = 0; n < 4; n++) {
        const float *vertex = grid->vertex[march_corner_index(brick, lowest, corners[n])];
        points[n] = vec3_make((double)vertex[0], (double)vertex[1], (double)vertex[2]);
    }
}

/* Whether all camera rays that meet a face leave the cell through it, whichever diagonal
 * cuts the face. False if rounding might change the answer: the area of a triangle as
 * seen by rays is compared with its possible error. Also false for faces behind the
 * viewer, because rays count as whole lines. */
static bool is_only_left(const march_grid *grid, march_cell cell, int face,
                         const render_camera *camera, const vec3 points[4])
{
    const bool outwards = (face & 1) != grid->bricks[cell.brick].left_handed;
    const double off = 1e-5; /* some 100 times the rounding of a float */
    const vec3 away = vec3_sub(points[0], camera->eye);
    const double distance = vec3_length(away);
    const double reach = vec3_length(points[0]) + vec3_length(camera->eye) + distance;
    const double pixel =
        2.0 * camera->scale / camera->height * (camera->orthographic ? 1.0 : distance);
    for (int n = 0; n < 4; n++) {
        const vec3 p = points[n], q = points[(n + 1) % 4], r = points[(n + 2) % 4];
        const vec3 to_q = vec3_sub(q, p), to_r = vec3_sub(r, p);
        const vec3 sight = camera->orthographic
                               ? camera->forward
                               : vec3_normalize(vec3_sub(p, camera->eye));
        const double area = vec3_dot(sight, vec3_cross(to_q, to_r));
        const double size = vec3_length(to_q) + vec3_length(to_r) + pixel;
        if (!((outwards ? area : -area) > off * reach * size) ||
            !(render_camera_depth(camera, p) > 0.0)) {
            return false;
        }
    }
    return true;
}

static void add_face(const march_grid *grid, const render_camera *camera,
                     pixel_rect window, march_cell cell, int face, face_list *list)
{
    march_cell beyond = cell;
    if (render_march_step_over(grid, face, &beyond)) {
        return;
    }
    vec3 points[4];
    find_corners(grid, cell, face, points);
    if (is_only_left(grid, cell, face, camera, points)) {
        return;
    }
    const pixel_rect rect =
        march_rect_intersect(window, render_camera_line_footprint(camera, 4, points));
    if (pixel_rect_is_empty(rect)) {
        return;
    }
    const march_seen_face found = {.face = march_face_make(cell, face),
                                   .x0 = (uint16_t)rect.x0,
                                   .y0 = (uint16_t)rect.y0,
                                   .x1 = (uint16_t)rect.x1,
                                   .y1 = (uint16_t)rect.y1};
    append_faces(list, 1, &found);
}

/* Boundary faces on one side of a brick. */
static void scan_side(const march_grid *grid, int b, int face,
                      const render_camera *camera, pixel_rect window, face_list *list)
{
    const march_brick *brick = &grid->bricks[b];
    int axis = face / 2;
    int lo[3] = {0, 0, 0}, hi[3] = {brick->n[0], brick->n[1], brick->n[2]};
    lo[axis] = face % 2 ? brick->n[axis] - 1 : 0;
    hi[axis] = lo[axis] + 1;
    march_cell cell = {.brick = b};
    for (cell.at[2] = lo[2]; cell.at[2] < hi[2]; cell.at[2]++) {
        for (cell.at[1] = lo[1]; cell.at[1] < hi[1]; cell.at[1]++) {
            for (cell.at[0] = lo[0]; cell.at[0] < hi[0]; cell.at[0]++) {
                add_face(grid, camera, window, cell, face, list);
            }
        }
    }
}

/* The present cells of a brick: bit i of a row. */
typedef struct cell_rows {
    uint32_t of[GRID_BRICK_CELLS][GRID_BRICK_CELLS]; /* [k][j] */
} cell_rows;

static void find_rows(const march_grid *grid, const march_brick *brick, cell_rows *rows)
{
    for (int k = 0; k < brick->n[2]; k++) {
        for (int j = 0; j < brick->n[1]; j++) {
            const uint8_t *flags =
                grid->flags + march_vertex_index(brick, (const int[]){0, j, k});
            uint32_t row = 0;
            for (int i = 0; i < brick->n[0]; i++) {
                row |= (uint32_t)((flags[i] & GRID_PRESENT) != 0) << i;
            }
            rows->of[k][j] = row;
        }
    }
}

/* The cells of a row that have a present neighbour beyond the face in their own brick. */
static uint32_t cells_beyond(const cell_rows *rows, const int n[3], int j, int k,
                             int face)
{
    switch (face) {
    case 0:
        return rows->of[k][j] << 1;
    case 1:
        return rows->of[k][j] >> 1;
    case 2:
        return j > 0 ? rows->of[k][j - 1] : 0;
    case 3:
        return j + 1 < n[1] ? rows->of[k][j + 1] : 0;
    case 4:
        return k > 0 ? rows->of[k - 1][j] : 0;
    default:
        return k + 1 < n[2] ? rows->of[k + 1][j] : 0;
    }
}

/* Boundary faces of a brick in which cells are absent. */
static void scan_cells(const march_grid *grid, int b, const render_camera *camera,
                       pixel_rect window, face_list *list)
{
    const march_brick *brick = &grid->bricks[b];
    cell_rows rows;
    find_rows(grid, brick, &rows);
    for (int k = 0; k < brick->n[2]; k++) {
        for (int j = 0; j < brick->n[1]; j++) {
            for (int face = 0; face < 6; face++) {
                uint32_t cells =
                    rows.of[k][j] & ~cells_beyond(&rows, brick->n, j, k, face);
                for (; cells != 0; cells &= cells - 1) {
                    const march_cell cell = {b, {__builtin_ctz(cells), j, k}};
                    add_face(grid, camera, window, cell, face, list);
                }
            }
        }
    }
}

/* Whether each cell of a brick at this face has a cell beyond it. */
static bool is_covered(const march_grid *grid, const march_brick *brick, int face)
{
    if (brick->neighbour[face] < 0) {
        return false;
    }
    const march_brick *beyond = &grid->bricks[brick->neighbour[face]];
    bool is_inside = beyond->is_full;
    for (int axis = 0; axis < 3; axis++) {
        is_inside &= axis == face / 2 || (beyond->lo[axis] <= brick->lo[axis] &&
                                          beyond->lo[axis] + beyond->n[axis] >=
                                              brick->lo[axis] + brick->n[axis]);
    }
    return is_inside;
}

static void scan_brick(const march_grid *grid, int b, const render_camera *camera,
                       pixel_rect window, face_list *list)
{
    const march_brick *brick = &grid->bricks[b];
    if (!brick->is_full) {
        scan_cells(grid, b, camera, window, list);
        return;
    }
    for (int face = 0; face < 6; face++) {
        if (!is_covered(grid, brick, face)) {
            scan_side(grid, b, face, camera, window, list);
        }
    }
}

status render_march_boundary(const march_grid *grid, const render_camera *camera,
                             pixel_rect window, int threads, int64_t *count,
                             march_seen_face **faces)
{
    face_list all = {0};
#pragma omp parallel num_threads(threads)
    {
        face_list mine = {0};
#pragma omp for schedule(dynamic, 8)
        for (int64_t b = 0; b < grid->nbricks; b++) {
            scan_brick(grid, (int)b, camera, window, &mine);
        }
        /* The order of threads does not matter: entries are sorted by their place on the
         * ray, not by the order of faces. */
#pragma omp critical
        {
            take_faces(&all, &mine);
        }
    }
    if (all.failed) {
        free(all.faces);
        return base_fail_memory((size_t)all.capacity * sizeof *all.faces,
                                "boundary faces");
    }
    *count = all.count;
    *faces = all.faces;
    return STATUS_OK;
}

int render_march_face_entries(const march_grid *grid, const march_face *face,
                              const cell_ray *ray, march_entry entries[2])
{
    const march_cell at = march_face_cell(face);
    const march_brick *brick = &grid->bricks[at.brick];
    int lowest = march_vertex_index(brick, at.at);
    const int *corners = render_cell_face_corners((int)face->face);
    cell_vertices cell;
    for (int n = 0; n < 4; n++) {
        render_cell_set_vertex(
            &cell, corners[n], ray,
            grid->vertex[march_corner_index(brick, lowest, corners[n])]);
    }
    cell_crossing crossings[2];
    int count = render_cell_face_entries(
        &cell, render_cell_diagonals(grid->flags[lowest]),
        brick->left_handed != ray->is_backward, (int)face->face, crossings);
    for (int n = 0; n < count; n++) {
        entries[n] = (march_entry){.cell = at, .crossing = crossings[n]};
    }
    return count;
}
