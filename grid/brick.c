#include "grid/brick.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Vertices of a brick along the axes, and the distance in memory between neighbours. */
typedef struct shape {
    int n[3];
    size_t stride[3];
    size_t vertices;
} shape;

static shape shape_of(const grid_brick *brick)
{
    shape s;
    s.vertices = 1;
    for (int axis = 0; axis < 3; axis++) {
        s.n[axis] = brick->place.n[axis] + 1;
        s.stride[axis] = s.vertices;
        s.vertices *= (size_t)s.n[axis];
    }
    return s;
}

static size_t cell_count(const grid_brick *brick)
{
    const int *n = brick->place.n;
    return (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
}

/* ---- the store -------------------------------------------------------------------- */

static status allocate_lists(grid_store *store, int64_t count)
{
    size_t bytes = (size_t)count * sizeof *store->bricks +
                   (size_t)store->layout->nbricks * sizeof *store->slot;
    store->bricks = calloc(count > 0 ? (size_t)count : 1, sizeof *store->bricks);
    store->slot = malloc((size_t)(store->layout->nbricks + 1) * sizeof *store->slot);
    if (store->bricks == NULL || store->slot == NULL) {
        return base_fail_memory(bytes, "the list of bricks");
    }
    for (int64_t number = 0; number < store->layout->nbricks; number++) {
        store->slot[number] = -1;
    }
    store->nbricks = count;
    return STATUS_OK;
}

/* Allocates the arrays of bricks whose places are known. */
static status allocate_arrays(grid_store *store, bool cell_values)
{
    size_t cells = 0;
    for (int64_t slot = 0; slot < store->nbricks; slot++) {
        store->nvertices += (int64_t)shape_of(&store->bricks[slot]).vertices;
        cells += cell_count(&store->bricks[slot]);
    }
    size_t vertices = (size_t)store->nvertices;
    if (store->nvertices > GRID_STORE_MOST_VERTICES) {
        return base_fail(STATUS_MEMORY,
                         "%" PRId64 " vertices are more than one rank can hold; use more "
                         "ranks",
                         store->nvertices);
    }
    store->vertex = calloc(vertices + 1, sizeof *store->vertex);
    store->flags = calloc(vertices + GRID_FLAGS_PADDING, sizeof *store->flags);
    store->cell = cell_values ? calloc(cells + 1, sizeof *store->cell) : NULL;
    if (!store->vertex || !store->flags || (cell_values && !store->cell)) {
        return base_fail_memory(vertices * sizeof *store->vertex, "the bricks of a grid");
    }
    return STATUS_OK;
}

/* Gives every brick its part of the arrays. */
static void share_arrays(grid_store *store)
{
    size_t vertex = 0, cell = 0;
    for (int64_t slot = 0; slot < store->nbricks; slot++) {
        grid_brick *brick = &store->bricks[slot];
        brick->vertex = store->vertex + vertex;
        brick->flags = store->flags + vertex;
        brick->cell = store->cell ? store->cell + cell : NULL;
        vertex += shape_of(brick).vertices;
        cell += cell_count(brick);
    }
}

static status fill_store(grid_store *store, int64_t count, const int64_t *numbers,
                         bool cell_values)
{
    status s = allocate_lists(store, count);
    if (s != STATUS_OK) {
        return s;
    }
    for (int64_t slot = 0; slot < count; slot++) {
        grid_brick *brick = &store->bricks[slot];
        brick->number = numbers[slot];
        brick->place = grid_layout_place(store->layout, numbers[slot]);
        store->slot[numbers[slot]] = (int32_t)slot;
    }
    s = allocate_arrays(store, cell_values);
    if (s == STATUS_OK) {
        share_arrays(store);
    }
    return s;
}

status grid_store_create(const grid_layout *layout, int64_t count, const int64_t *numbers,
                         bool cell_values, grid_store **out)
{
    grid_store *store = calloc(1, sizeof *store);
    if (store == NULL) {
        return base_fail_memory(sizeof *store, "the store of bricks");
    }
    store->layout = layout;
    status s = fill_store(store, count, numbers, cell_values);
    if (s != STATUS_OK) {
        grid_store_destroy(&store);
        return s;
    }
    *out = store;
    return STATUS_OK;
}

void grid_store_destroy(grid_store **store)
{
    if (store == NULL || *store == NULL) {
        return;
    }
    free((*store)->vertex);
    free((*store)->flags);
    free((*store)->cell);
    free((*store)->bricks);
    free((*store)->slot);
    free(*store);
    *store = NULL;
}

int64_t grid_store_bytes(const grid_store *store)
{
    size_t bytes =
        sizeof *store + (size_t)store->nbricks * sizeof *store->bricks +
        (size_t)store->layout->nbricks * sizeof *store->slot +
        (size_t)store->nvertices * (sizeof *store->vertex + sizeof *store->flags);
    for (int64_t slot = 0; store->cell && slot < store->nbricks; slot++) {
        bytes += cell_count(&store->bricks[slot]) * sizeof *store->cell;
    }
    return (int64_t)bytes;
}

/* ---- flags ------------------------------------------------------------------------ */

/* Whether point a comes before b: by x, then y, then z. Zeros of either sign are equal.
 */
static bool comes_before(const float *a, const float *b)
{
    for (int axis = 0; axis < 3; axis++) {
        if (a[axis] != b[axis]) {
            return a[axis] < b[axis];
        }
    }
    return false;
}

/*
 * Whether a face is cut from corner 1 to corner 3. `along` and `across` lead from corner
 * 0 to the next corner and to the last:
 *
 *     3 --- 2      Where two corners are the same point, either may be taken for the
 *     |     |      smallest: one of the triangles has no area then, and the other is
 *     0 --- 1      the same.
 */
static bool other_diagonal(const float (*corner)[4], size_t along, size_t across)
{
    const size_t offset[4] = {0, along, along + across, across};
    int smallest = 0;
    for (int c = 1; c < 4; c++) {
        if (comes_before(corner[offset[c]], corner[offset[smallest]])) {
            smallest = c;
        }
    }
    return smallest % 2 == 1;
}

/* Diagonals of the three faces whose lowest corner is this vertex; inside[axis] says
 * whether the brick goes on along the axis, so that a face there exists. */
static uint8_t diagonal_flags(const grid_brick *brick, const shape *s, size_t vertex,
                              const bool inside[3])
{
    int flags = 0;
    for (int axis = 0; axis < 3; axis++) {
        int next = (axis + 1) % 3, last = (axis + 2) % 3;
        const float(*corner)[4] = (const float(*)[4])brick->vertex + vertex;
        if (inside[next] && inside[last] &&
            other_diagonal(corner, s->stride[next], s->stride[last])) {
            flags |= GRID_DIAGONAL_I << axis;
        }
    }
    return (uint8_t)flags;
}

/* Index of the corner di + 2 dj + 4 dk of the cell whose lowest corner is `vertex`. */
static size_t corner_index(const shape *s, size_t vertex, int corner)
{
    return vertex + (size_t)(corner & 1) * s->stride[0] +
           (size_t)(corner >> 1 & 1) * s->stride[1] +
           (size_t)(corner >> 2) * s->stride[2];
}

static bool cell_is_present(const grid_brick *brick, const shape *s, size_t vertex,
                            const uint8_t *blanked)
{
    for (int corner = 0; corner < 8; corner++) {
        size_t index = corner_index(s, vertex, corner);
        const float *p = brick->vertex[index];
        if (blanked != NULL && blanked[index] != 0) {
            return false;
        }
        if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2])) {
            return false;
        }
    }
    return true;
}

/* Corners of the faces across i, j and k at their lower ends, as brick.h orders them; at
 * the upper end each is 1, 2 or 4 more. */
static const int face_corners[3][4] = {{0, 2, 6, 4}, {0, 4, 5, 1}, {0, 1, 3, 2}};

/* Six times the volume of the tetrahedron from the centre to a triangle of corners,
 * positive where they turn counterclockwise seen from outside. */
static double wedge(const vec3 c[8], vec3 centre, int p, int q, int r)
{
    return vec3_dot(vec3_sub(c[p], centre),
                    vec3_cross(vec3_sub(c[q], centre), vec3_sub(c[r], centre)));
}

static unsigned winding_of(double wedge_volume)
{
    return wedge_volume > 0.0   ? GRID_WINDS_RIGHT
           : wedge_volume < 0.0 ? GRID_WINDS_LEFT
                                : 0;
}

/* Windings of the two triangles of one face of a cell. */
static unsigned face_windings(const vec3 c[8], vec3 centre, int axis, int side,
                              bool is_turned)
{
    int corner[4];
    for (int n = 0; n < 4; n++) {
        /* Backwards at the lower end, so that both ends wind the same way. */
        int from = (is_turned ? n + 1 : n) % 4;
        corner[side == 1 ? n : 3 - n] = face_corners[axis][from] + (side << axis);
    }
    /* The diagonal runs from corner 0 to 2; backwards, from 3 to 1. */
    int first = side == 1 ? 0 : 1;
    int a = corner[first], b = corner[first + 1], c2 = corner[first + 2];
    int d = corner[(first + 3) % 4];
    return winding_of(wedge(c, centre, a, b, c2)) |
           winding_of(wedge(c, centre, c2, d, a));
}

static unsigned cell_windings(const grid_brick *brick, const shape *s, size_t vertex)
{
    vec3 c[8], centre = vec3_make(0.0, 0.0, 0.0);
    for (int corner = 0; corner < 8; corner++) {
        const float *p = brick->vertex[corner_index(s, vertex, corner)];
        c[corner] = vec3_make((double)p[0], (double)p[1], (double)p[2]);
        centre = vec3_add(centre, vec3_scale(c[corner], 0.125));
    }
    unsigned windings = 0;
    for (int face = 0; face < 6; face++) {
        int axis = face / 2, side = face % 2;
        uint8_t flags = brick->flags[vertex + (side ? s->stride[axis] : 0)];
        windings |= face_windings(c, centre, axis, side, flags & GRID_DIAGONAL_I << axis);
    }
    return windings;
}

static unsigned find_windings(const grid_brick *brick, const shape *s)
{
    unsigned windings = 0;
    for (size_t vertex = 0; vertex < s->vertices; vertex++) {
        if (brick->flags[vertex] & GRID_PRESENT) {
            windings |= cell_windings(brick, s, vertex);
        }
    }
    return windings;
}

/* Puts the diagonals of a cell's upper faces beside those of its lower ones. */
static void repeat_upper_diagonals(grid_brick *brick, const shape *s)
{
    for (size_t vertex = 0; vertex < s->vertices; vertex++) {
        int flags = brick->flags[vertex];
        for (int axis = 0; axis < 3 && (flags & GRID_PRESENT); axis++) {
            if (brick->flags[vertex + s->stride[axis]] & GRID_DIAGONAL_I << axis) {
                flags |= GRID_UPPER_DIAGONAL_I << axis;
            }
        }
        brick->flags[vertex] = (uint8_t)flags;
    }
}

void grid_brick_flag(grid_brick *brick, const uint8_t *blanked)
{
    const shape s = shape_of(brick);
    size_t vertex = 0;
    for (int k = 0; k < s.n[2]; k++) {
        for (int j = 0; j < s.n[1]; j++) {
            for (int i = 0; i < s.n[0]; i++, vertex++) {
                const bool inside[3] = {i + 1 < s.n[0], j + 1 < s.n[1], k + 1 < s.n[2]};
                uint8_t flags = diagonal_flags(brick, &s, vertex, inside);
                if (inside[0] && inside[1] && inside[2] &&
                    cell_is_present(brick, &s, vertex, blanked)) {
                    flags |= GRID_PRESENT;
                }
                brick->flags[vertex] = flags;
            }
        }
    }
    repeat_upper_diagonals(brick, &s);
    brick->windings = find_windings(brick, &s);
}

/* ---- measures --------------------------------------------------------------------- */

static vec3 difference(const double a[3], const double b[3])
{
    return vec3_make(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/*
 * Volume of the trilinear hexahedron as twelve determinants gathered into three, after J.
 * Grandy, "Efficient computation of volume of hexahedral cells", UCRL-ID-128886, 1997.
 * *magnitude bounds the terms that cancel: the rounding error is a small multiple of it
 * times epsilon.
 */
static double cell_volume(const double c[8][3], double *magnitude)
{
    const vec3 factors[3][3] = {
        {vec3_add(difference(c[2], c[1]), difference(c[6], c[3])), difference(c[7], c[2]),
         difference(c[3], c[0])},
        {vec3_add(difference(c[4], c[2]), difference(c[5], c[6])), difference(c[7], c[4]),
         difference(c[6], c[0])},
        {vec3_add(difference(c[1], c[4]), difference(c[3], c[5])), difference(c[7], c[1]),
         difference(c[5], c[0])},
    };
    double sum = 0.0;
    *magnitude = 0.0;
    for (int term = 0; term < 3; term++) {
        const vec3 *f = factors[term];
        sum += vec3_dot(f[0], vec3_cross(f[1], f[2]));
        *magnitude += vec3_length(f[0]) * vec3_length(f[1]) * vec3_length(f[2]);
    }
    *magnitude /= 12.0;
    return sum / 12.0;
}

double grid_cell_volume(const double c[8][3])
{
    double magnitude;
    return cell_volume(c, &magnitude);
}

/* Where a cell counts in the `volumes` of grid_brick_measure. */
static int volume_kind(const double c[8][3])
{
    /* A flat cell's volume is what rounding leaves of terms that cancel. Differences of
     * nearby float32 numbers are exact in double precision, so this is far below any real
     * volume. */
    const double rounding = 1e-14;
    double magnitude;
    double volume = cell_volume(c, &magnitude);
    if (fabs(volume) <= rounding * magnitude) {
        return 2;
    }
    return volume > 0.0 ? 0 : 1;
}

static void measure_cell(const grid_brick *brick, const shape *s, size_t vertex,
                         grid_brick_info *info, int64_t volumes[3])
{
    double c[8][3];
    for (int corner = 0; corner < 8; corner++) {
        const float *p = brick->vertex[corner_index(s, vertex, corner)];
        for (int axis = 0; axis < 3; axis++) {
            c[corner][axis] = (double)p[axis];
            info->lo[axis] = fminf(info->lo[axis], p[axis]);
            info->hi[axis] = fmaxf(info->hi[axis], p[axis]);
        }
    }
    info->cells++;
    volumes[volume_kind((const double(*)[3])c)]++;
}

void grid_brick_measure(const grid_brick *brick, grid_brick_info *info,
                        int64_t volumes[3])
{
    const shape s = shape_of(brick);
    *info = (grid_brick_info){
        {INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, 0};
    memset(volumes, 0, 3 * sizeof *volumes);
    for (size_t vertex = 0; vertex < s.vertices; vertex++) {
        if (brick->flags[vertex] & GRID_PRESENT) {
            measure_cell(brick, &s, vertex, info, volumes);
        }
    }
}
