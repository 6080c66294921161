#include "reference/tetrahedra.h"

#include "reference/segment.h"

#include <math.h>
#include <stdlib.h>

/* Bounds of a block's cells, and of its rows of cells along i. */
typedef struct block_boxes {
    box3 *cells; /* [nk-1][nj-1][ni-1]; lo > hi if the cell is absent */
    box3 *rows;  /* [nk-1][nj-1] */
} block_boxes;

struct reference_tetrahedra {
    const reference_grid *grid;
    block_boxes *blocks; /* [nblocks] */
};

/* The piece of a ray in one tetrahedron. */
typedef struct piece {
    double t0, t1;
    double scalar[2]; /* at both ends */
    int block;
} piece;

/* The pieces found so far. */
typedef struct piece_list {
    size_t count, room;
    piece *at;
} piece_list;

/* A tetrahedron: the middle one of a cell, or one at a corner. */
static const int corners_of[2][5][4] = {
    {{0, 3, 5, 6}, {1, 0, 3, 5}, {2, 0, 3, 6}, {4, 0, 5, 6}, {7, 3, 5, 6}},
    {{1, 2, 4, 7}, {0, 1, 2, 4}, {3, 1, 2, 7}, {5, 1, 4, 7}, {6, 2, 4, 7}},
};

/* ---- Boxes ------------------------------------------------------------------------- */

/* The corners c[di + 2 dj + 4 dk] of a cell; false if it is absent. */
static bool take_corners(const reference_block *block, const int64_t cell[3],
                         vec3 corner[8], double scalar[8])
{
    for (int c = 0; c < 8; c++) {
        const int64_t i = cell[0] + (c & 1), j = cell[1] + (c >> 1 & 1),
                      k = cell[2] + (c >> 2);
        const int64_t v = (k * block->n[1] + j) * block->n[0] + i;
        corner[c] = vec3_make(block->x[0][v], block->x[1][v], block->x[2][v]);
        scalar[c] = block->scalar[v];
        if ((block->iblank && block->iblank[v] == 0) ||
            !isfinite(vec3_length(corner[c]))) {
            return false;
        }
    }
    return true;
}

static box3 box_of(const reference_block *block, const int64_t cell[3])
{
    vec3 corner[8];
    double scalar[8];
    box3 box = box3_empty();
    for (int c = 0; take_corners(block, cell, corner, scalar) && c < 8; c++) {
        box = box3_union(box, (box3){corner[c], corner[c]});
    }
    return box;
}

static void fill_boxes(const reference_block *block, block_boxes *boxes)
{
    const int64_t ni = block->n[0] - 1, nj = block->n[1] - 1, nk = block->n[2] - 1;
    for (int64_t row = 0; row < nj * nk; row++) {
        boxes->rows[row] = box3_empty();
        for (int64_t i = 0; i < ni; i++) {
            const int64_t cell[3] = {i, row % nj, row / nj};
            boxes->cells[row * ni + i] = box_of(block, cell);
            boxes->rows[row] = box3_union(boxes->rows[row], boxes->cells[row * ni + i]);
        }
    }
}

static status make_boxes(const reference_block *block, block_boxes *boxes)
{
    const size_t rows = (size_t)((block->n[1] - 1) * (block->n[2] - 1));
    const size_t cells = rows * (size_t)(block->n[0] - 1);
    boxes->cells = malloc(cells * sizeof *boxes->cells);
    boxes->rows = malloc(rows * sizeof *boxes->rows);
    if (!boxes->cells || !boxes->rows) {
        return base_fail_memory(cells * sizeof *boxes->cells, "boxes of tetrahedra");
    }
    fill_boxes(block, boxes);
    return STATUS_OK;
}

status reference_tetrahedra_create(const reference_grid *grid, reference_tetrahedra **out)
{
    reference_tetrahedra *all = calloc(1, sizeof *all);
    block_boxes *blocks = calloc((size_t)grid->nblocks, sizeof *blocks);
    if (!all || !blocks) {
        free(all);
        free(blocks);
        return base_fail_memory((size_t)grid->nblocks * sizeof *blocks, "tetrahedra");
    }
    *all = (reference_tetrahedra){grid, blocks};
    status s = STATUS_OK;
    for (int b = 0; b < grid->nblocks && s == STATUS_OK; b++) {
        s = make_boxes(&grid->blocks[b], &blocks[b]);
    }
    if (s != STATUS_OK) {
        reference_tetrahedra_destroy(&all);
        return s;
    }
    *out = all;
    return STATUS_OK;
}

void reference_tetrahedra_destroy(reference_tetrahedra **tetrahedra)
{
    if (*tetrahedra) {
        for (int b = 0; b < (*tetrahedra)->grid->nblocks; b++) {
            free((*tetrahedra)->blocks[b].cells);
            free((*tetrahedra)->blocks[b].rows);
        }
        free((*tetrahedra)->blocks);
        free(*tetrahedra);
        *tetrahedra = NULL;
    }
}

/* Whether a ray meets a box, which counts as a little larger than it is. */
static bool meets_box(reference_ray ray, const box3 *box)
{
    const double room = 1e-9 * vec3_length(vec3_sub(box->hi, box->lo));
    double near = 0.0, far = box->lo.v[0] <= box->hi.v[0] ? INFINITY : -1.0;
    for (int axis = 0; axis < 3; axis++) {
        const double lo = box->lo.v[axis] - room - ray.origin.v[axis],
                     hi = box->hi.v[axis] + room - ray.origin.v[axis];
        const double per_t = 1.0 / ray.direction.v[axis];
        if (isinf(per_t)) {
            far = lo > 0.0 || hi < 0.0 ? -1.0 : far;
            continue;
        }
        near = fmax(near, fmin(lo * per_t, hi * per_t));
        far = fmin(far, fmax(lo * per_t, hi * per_t));
    }
    return near <= far;
}

/* ---- Pieces ------------------------------------------------------------------------ */

static status append(piece_list *list, const piece *p)
{
    if (list->count == list->room) {
        const size_t room = list->room ? 2 * list->room : 256;
        piece *larger = realloc(list->at, room * sizeof *larger);
        if (!larger) {
            return base_fail_memory(room * sizeof *larger, "pieces of a ray");
        }
        list->at = larger;
        list->room = room;
    }
    list->at[list->count++] = *p;
    return STATUS_OK;
}

/* Barycentric coordinates 1 to 3 of a vector from corner 0, all of them times det. */
static void place_in(const vec3 edge[3], vec3 vector, double out[3])
{
    out[0] = vec3_dot(vector, vec3_cross(edge[1], edge[2]));
    out[1] = vec3_dot(vector, vec3_cross(edge[2], edge[0]));
    out[2] = vec3_dot(vector, vec3_cross(edge[0], edge[1]));
}

/* Cuts a ray to a tetrahedron: each barycentric coordinate at + t * change is positive
 * inside. False if it misses, or if the tetrahedron is flat. */
static bool cut_ray(const vec3 corner[4], const double scalar[4], reference_ray ray,
                    piece *out)
{
    vec3 edge[3];
    for (int n = 0; n < 3; n++) {
        edge[n] = vec3_sub(corner[n + 1], corner[0]);
    }
    const double det = vec3_dot(edge[0], vec3_cross(edge[1], edge[2]));
    double at[4], change[4], sum[2] = {0.0, 0.0};
    place_in(edge, vec3_sub(ray.origin, corner[0]), at + 1);
    place_in(edge, ray.direction, change + 1);
    at[0] = det - (at[1] + at[2] + at[3]);
    change[0] = -(change[1] + change[2] + change[3]);
    out->t0 = 0.0;
    out->t1 = det != 0.0 ? INFINITY : 0.0;
    for (int n = 0; n < 4; n++) {
        const double a = at[n] / det, c = change[n] / det;
        sum[0] += a * scalar[n];
        sum[1] += c * scalar[n];
        out->t0 = c > 0.0 ? fmax(out->t0, -a / c) : out->t0;
        out->t1 = c < 0.0 ? fmin(out->t1, -a / c) : out->t1;
        out->t1 = c == 0.0 && a < 0.0 ? 0.0 : out->t1;
    }
    out->scalar[0] = sum[0] + out->t0 * sum[1];
    out->scalar[1] = sum[0] + out->t1 * sum[1];
    return out->t0 < out->t1;
}

static status cut_cell(const reference_block *block, int number, const int64_t cell[3],
                       reference_ray ray, piece_list *list)
{
    vec3 corner[8];
    double scalar[8];
    const int odd = (int)((cell[0] + cell[1] + cell[2]) % 2);
    take_corners(block, cell, corner, scalar);
    for (int n = 0; n < 5; n++) {
        vec3 at[4];
        double values[4];
        piece p = {.block = number};
        for (int c = 0; c < 4; c++) {
            at[c] = corner[corners_of[odd][n][c]];
            values[c] = scalar[corners_of[odd][n][c]];
        }
        status s = cut_ray(at, values, ray, &p) ? append(list, &p) : STATUS_OK;
        if (s != STATUS_OK) {
            return s;
        }
    }
    return STATUS_OK;
}

static status cut_block(const reference_tetrahedra *all, int number, reference_ray ray,
                        piece_list *list)
{
    const reference_block *block = &all->grid->blocks[number];
    const block_boxes *boxes = &all->blocks[number];
    const int64_t ni = block->n[0] - 1, nj = block->n[1] - 1, nk = block->n[2] - 1;
    status s = STATUS_OK;
    for (int64_t row = 0; row < nj * nk; row++) {
        const bool is_met = meets_box(ray, &boxes->rows[row]);
        for (int64_t i = 0; is_met && i < ni && s == STATUS_OK; i++) {
            if (meets_box(ray, &boxes->cells[row * ni + i])) {
                const int64_t cell[3] = {i, row % nj, row / nj};
                s = cut_cell(block, number, cell, ray, list);
            }
        }
    }
    return s;
}

static int compare(const void *a, const void *b)
{
    const piece *p = a, *q = b;
    return p->t0 != q->t0 ? (p->t0 > q->t0) - (p->t0 < q->t0)
                          : (p->t1 > q->t1) - (p->t1 < q->t1);
}

/* All pieces of a ray, sorted along it; the caller frees list->at, also after errors. */
static status find_pieces(const reference_tetrahedra *all, reference_ray ray,
                          piece_list *list)
{
    status s = STATUS_OK;
    for (int b = 0; b < all->grid->nblocks && s == STATUS_OK; b++) {
        s = cut_block(all, b, ray, list);
    }
    if (list->count > 1) {
        qsort(list->at, list->count, sizeof *list->at, compare);
    }
    return s;
}

/* ---- Rays -------------------------------------------------------------------------- */

status reference_tetrahedra_render(const reference_tetrahedra *tetrahedra,
                                   const reference_transfer *transfer, reference_ray ray,
                                   reference_pixel *out)
{
    piece_list list = {0};
    reference_pixel pixel = {.transmittance = 1.0};
    status s = find_pieces(tetrahedra, ray, &list);
    for (size_t n = 0; n < list.count && s == STATUS_OK; n++) {
        const piece *p = &list.at[n];
        reference_segment_add(&pixel, transfer, p->scalar, p->t1 - p->t0);
        pixel.entry = n == 0 ? p->t0 : pixel.entry;
        pixel.exit = fmax(pixel.exit, p->t1);
    }
    free(list.at);
    *out = pixel;
    return s;
}

status reference_tetrahedra_meet(const reference_tetrahedra *tetrahedra,
                                 reference_ray ray, reference_meeting *out)
{
    piece_list list = {0};
    reference_meeting meeting = {0};
    status s = find_pieces(tetrahedra, ray, &list);
    for (int b = 0; b < tetrahedra->grid->nblocks; b++) {
        double last = -INFINITY;
        for (size_t n = 0; n < list.count; n++) {
            const piece *p = &list.at[n];
            if (p->block == b) {
                meeting.runs += p->t0 > last + 1e-6 * fabs(last) || last == -INFINITY;
                meeting.blocks |= UINT64_C(1) << b % 64;
                last = fmax(last, p->t1);
            }
        }
    }
    free(list.at);
    *out = meeting;
    return s;
}
