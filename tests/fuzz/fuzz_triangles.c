#include "fuzz_triangles.h"

#include "support/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A vertex as a ray sees it: across the ray, and along it. */
typedef struct seen_vertex {
    double u, v, t, scalar;
} seen_vertex;

/* A segment of a ray in a cell; backwards if t1 < t0. */
typedef struct segment {
    double t0, t1, s0, s1;
    int priority; /* of the block */
} segment;

typedef struct segment_list {
    int count, capacity;
    segment *items;
} segment_list;

struct fuzz_triangles {
    const fuzz_grid *grid;
    double (*vertex[FUZZ_MOST_BLOCKS])[4]; /* x, y, z, scalar, as in the blocks */
    double *cell[FUZZ_MOST_BLOCKS];        /* or NULL */
    seen_vertex *seen[FUZZ_MOST_BLOCKS];
    segment_list found, drawn; /* of the current ray: all, and the drawn parts of them */
    bool unclear;
};

typedef struct crossing {
    double t, scalar;
} crossing;

/* The points at which a ray enters and leaves a cell. */
typedef struct crossing_list {
    int count;
    crossing items[12];
} crossing_list;

/* The corners of a cell's faces, i + 2 j + 4 k, in the order of grid/brick.h. If i, j, k
 * are right-handed, they are counterclockwise as seen from beyond the upper end of the
 * face's axis. The order matters on collapsed faces with two smallest corners. */
static const int face_order[6][4] = {
    {0, 2, 6, 4}, {1, 3, 7, 5}, {0, 4, 5, 1}, {2, 6, 7, 3}, {0, 1, 3, 2}, {4, 5, 7, 6},
};

/* ---- The grid ---------------------------------------------------------------------- */

/* Random numbers of a place, the same for vertices of all blocks there. */
static uint64_t place_state(const float vertex[4], int version)
{
    int64_t bits[3];
    for (int axis = 0; axis < 3; axis++) {
        /* Adding zero makes -0 into 0. */
        double x = (double)vertex[axis] + 0.0;
        memcpy(&bits[axis], &x, sizeof x);
    }
    return fuzz_hash((uint64_t)version, bits[0], bits[1], bits[2]);
}

static void move_vertex(const fuzz_grid *grid, int version, const float from[4],
                        double to[4])
{
    uint64_t state = place_state(from, version);
    double most = version == 0 ? 0.0 : FUZZ_PLACE_ROUNDING * grid->reach;
    double share = version == 0 ? 0.0 : FUZZ_SCALAR_ROUNDING;
    for (int axis = 0; axis < 3; axis++) {
        to[axis] = (double)from[axis] + random_between(&state, -most, most);
    }
    to[3] = (double)from[3] * (1.0 + random_between(&state, -share, share));
}

static status copy_block(const fuzz_grid *grid, int version, int b, fuzz_triangles *out)
{
    const fuzz_block *block = &grid->blocks[b];
    int64_t count = fuzz_block_vertices(block);
    out->vertex[b] = malloc((size_t)count * sizeof *out->vertex[b]);
    out->seen[b] = malloc((size_t)count * sizeof *out->seen[b]);
    out->cell[b] = block->cell ? malloc((size_t)count * sizeof *out->cell[b]) : NULL;
    if (!out->vertex[b] || !out->seen[b] || (block->cell && !out->cell[b])) {
        return base_fail_memory((size_t)count * sizeof *out->seen[b], "triangles");
    }
    for (int64_t n = 0; n < count; n++) {
        move_vertex(grid, version, block->vertex[n], out->vertex[b][n]);
        if (block->cell) {
            out->cell[b][n] = (double)block->cell[n];
        }
    }
    return STATUS_OK;
}

status fuzz_triangles_create(const fuzz_grid *grid, int version, fuzz_triangles **out)
{
    fuzz_triangles *triangles = calloc(1, sizeof *triangles);
    status s = triangles ? STATUS_OK
                         : base_fail_memory(sizeof *triangles, "triangles of a case");
    for (int b = 0; s == STATUS_OK && b < grid->nblocks; b++) {
        triangles->grid = grid;
        s = copy_block(grid, version, b, triangles);
    }
    if (s != STATUS_OK) {
        fuzz_triangles_destroy(&triangles);
        return s;
    }
    *out = triangles;
    return STATUS_OK;
}

void fuzz_triangles_destroy(fuzz_triangles **triangles)
{
    if (!*triangles) {
        return;
    }
    for (int b = 0; b < FUZZ_MOST_BLOCKS; b++) {
        free((*triangles)->vertex[b]);
        free((*triangles)->seen[b]);
        free((*triangles)->cell[b]);
    }
    free((*triangles)->found.items);
    free((*triangles)->drawn.items);
    free(*triangles);
    *triangles = NULL;
}

/* ---- Triangles --------------------------------------------------------------------- */

/* Twice the area of the triangle of the ray, a and b. Exactly the opposite for b and
 * a. */
static double area(const seen_vertex *a, const seen_vertex *b)
{
    return a->u * b->v - a->v * b->u;
}

/* The side on which the ray passes. A ray that meets the edge is moved by a tiny amount,
 * the same for all triangles. */
static bool is_left(const seen_vertex *a, const seen_vertex *b, double twice_area)
{
    if (twice_area != 0.0) {
        return twice_area > 0.0;
    }
    return a->v != b->v ? a->v > b->v : a->u < b->u;
}

/* A face: its corners in order, and the corner at which its diagonal starts. */
typedef struct face_corners {
    const seen_vertex *corner[4];
    int first;
} face_corners;

/* The scalar at a point of the triangle (first, first + 1 + half, first + 2 + half) of a
 * face, for these weights of its corners. It is bilinear in parameters that are linear in
 * the triangle. */
static double face_scalar(const face_corners *face, int half, const double share[3])
{
    static const double place[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    const int number[3] = {face->first, (face->first + 1 + half) % 4,
                           (face->first + 2 + half) % 4};
    double x = 0.0, y = 0.0;
    for (int n = 0; n < 3; n++) {
        x += share[n] * place[number[n]][0];
        y += share[n] * place[number[n]][1];
    }
    const seen_vertex *const *c = face->corner;
    return (1.0 - y) * ((1.0 - x) * c[0]->scalar + x * c[1]->scalar) +
           y * ((1.0 - x) * c[3]->scalar + x * c[2]->scalar);
}

/* 1 if the ray passes a triangle of a face upwards along the face's axis, -1 if it passes
 * downwards, else 0. */
static int cross_triangle(const face_corners *face, int half, crossing *out)
{
    const seen_vertex *const corner[3] = {face->corner[face->first],
                                          face->corner[(face->first + 1 + half) % 4],
                                          face->corner[(face->first + 2 + half) % 4]};
    double w[3], share[3], sum = 0.0, t = 0.0;
    int left = 0;
    for (int n = 0; n < 3; n++) {
        const seen_vertex *a = corner[(n + 1) % 3], *b = corner[(n + 2) % 3];
        w[n] = area(a, b);
        left += is_left(a, b, w[n]);
        sum += w[n];
    }
    if (left != 0 && left != 3) {
        return 0;
    }
    for (int n = 0; n < 3; n++) {
        share[n] = sum != 0.0 ? w[n] / sum : 1.0 / 3.0;
        t += share[n] * corner[n]->t;
    }
    *out = (crossing){t, face_scalar(face, half, share)};
    return left == 3 ? 1 : -1;
}

static void add_crossing(const crossing *found, crossing_list *list)
{
    int place = list->count++;
    for (; place > 0 && found->t < list->items[place - 1].t; place--) {
        list->items[place] = list->items[place - 1];
    }
    list->items[place] = *found;
}

/* The corner at which a face's diagonal starts: the first by x, then y, then z. */
static int first_corner(const float *const corner[4])
{
    int first = 0;
    for (int n = 1; n < 4; n++) {
        const float *a = corner[n], *b = corner[first];
        int axis = a[0] != b[0] ? 0 : a[1] != b[1] ? 1 : 2;
        first = a[axis] < b[axis] ? n : first;
    }
    return first;
}

/* The indices of a cell's corners in the arrays of its block. */
typedef struct cell_corners {
    int block;
    int64_t index[8];
} cell_corners;

static void cross_cell(const fuzz_triangles *triangles, const cell_corners *cell,
                       bool left_handed, crossing_list *in, crossing_list *out)
{
    const seen_vertex *seen = triangles->seen[cell->block];
    const fuzz_block *block = &triangles->grid->blocks[cell->block];
    for (int n = 0; n < 6; n++) {
        const float *place[4];
        face_corners face;
        for (int corner = 0; corner < 4; corner++) {
            int64_t index = cell->index[face_order[n][corner]];
            place[corner] = block->vertex[index];
            face.corner[corner] = &seen[index];
        }
        face.first = first_corner(place);
        for (int half = 0; half < 2; half++) {
            crossing found;
            int sense = cross_triangle(&face, half, &found);
            if (sense != 0) {
                bool outwards = (sense > 0) == (n % 2 == 1);
                add_crossing(&found, outwards != left_handed ? out : in);
            }
        }
    }
}

/* ---- Cells ------------------------------------------------------------------------- */

/* Whether a vertex exists, by its coordinates in the grid (GRID_FARTHEST). */
static bool exists(const fuzz_block *block, int64_t index)
{
    const float *at = block->vertex[index];
    return !block->blanked[index] && fabsf(at[0]) <= GRID_FARTHEST &&
           fabsf(at[1]) <= GRID_FARTHEST && fabsf(at[2]) <= GRID_FARTHEST;
}

/* The corners of a cell; false if it is absent. */
static bool find_corners(const fuzz_block *block, const int64_t at[3], int64_t index[8])
{
    for (int corner = 0; corner < 8; corner++) {
        const int64_t vertex[3] = {at[0] + (corner & 1), at[1] + (corner >> 1 & 1),
                                   at[2] + (corner >> 2)};
        index[corner] = fuzz_block_index(block, vertex);
        if (!exists(block, index[corner])) {
            return false;
        }
    }
    return true;
}

/* Whether the ray passes the box around a cell. */
static bool is_near(const seen_vertex *seen, const int64_t index[8])
{
    int below[2] = {0, 0}, above[2] = {0, 0};
    for (int corner = 0; corner < 8; corner++) {
        const seen_vertex *vertex = &seen[index[corner]];
        below[0] += vertex->u < 0.0;
        above[0] += vertex->u > 0.0;
        below[1] += vertex->v < 0.0;
        above[1] += vertex->v > 0.0;
    }
    return below[0] < 8 && above[0] < 8 && below[1] < 8 && above[1] < 8;
}

static status add_segment(segment_list *list, const segment *found)
{
    if (list->count == list->capacity) {
        int capacity = list->capacity ? 2 * list->capacity : 256;
        segment *more = realloc(list->items, (size_t)capacity * sizeof *more);
        if (!more) {
            return base_fail_memory((size_t)capacity * sizeof *more, "segments of a ray");
        }
        list->items = more;
        list->capacity = capacity;
    }
    list->items[list->count++] = *found;
    return STATUS_OK;
}

/* The part of a segment in front of the viewer; false if there is none, or if it is
 * invisible. */
static bool cut_segment(segment *s)
{
    if (!isfinite(s->s0 + s->s1) || (s->t0 <= 0.0 && s->t1 <= 0.0)) {
        return false;
    }
    double slope = (s->s1 - s->s0) / (s->t1 - s->t0);
    if (s->t0 < 0.0) {
        s->s0 -= slope * s->t0;
        s->t0 = 0.0;
    }
    if (s->t1 < 0.0) {
        s->s1 -= slope * s->t1;
        s->t1 = 0.0;
    }
    return s->t0 != s->t1;
}

static status visit_cell(fuzz_triangles *triangles, int b, const int64_t at[3])
{
    const fuzz_block *block = &triangles->grid->blocks[b];
    cell_corners cell = {.block = b};
    if (!find_corners(block, at, cell.index) ||
        !is_near(triangles->seen[b], cell.index)) {
        return STATUS_OK;
    }
    crossing_list in = {.count = 0}, out = {.count = 0};
    cross_cell(triangles, &cell, triangles->grid->layout->blocks[b].left_handed, &in,
               &out);
    /* Signs are right except for zeros caused by rounding. */
    triangles->unclear |= in.count != out.count;
    status s = STATUS_OK;
    for (int n = 0; s == STATUS_OK && n < in.count && n < out.count; n++) {
        segment found = {in.items[n].t, out.items[n].t, in.items[n].scalar,
                         out.items[n].scalar,
                         triangles->grid->layout->blocks[b].priority};
        if (block->cell) {
            int64_t index =
                at[0] + (block->n[0] - 1) * (at[1] + (block->n[1] - 1) * at[2]);
            found.s0 = found.s1 = triangles->cell[b][index];
        }
        s = add_segment(&triangles->found, &found);
    }
    return s;
}

/* The part of a segment from a to b. */
static segment part_of(const segment *whole, double a, double b)
{
    const double slope = (whole->s1 - whole->s0) / (whole->t1 - whole->t0);
    return (segment){a, b, whole->s0 + slope * (a - whole->t0),
                     whole->s0 + slope * (b - whole->t0), whole->priority};
}

/* Adds the visible part of a segment: in front of the viewer, and outside of segments of
 * blocks with a higher priority. Those begin at number `first`. */
static status draw_segment(fuzz_triangles *triangles, segment whole, int first)
{
    status s = STATUS_OK;
    for (int n = first; s == STATUS_OK && n < triangles->found.count; n++) {
        const segment *cover = &triangles->found.items[n];
        if (cover->priority >= whole.priority || cover->t1 <= whole.t0 ||
            cover->t0 >= whole.t1) {
            continue;
        }
        if (cover->t0 > whole.t0) {
            s = draw_segment(triangles, part_of(&whole, whole.t0, cover->t0), n + 1);
        }
        if (cover->t1 >= whole.t1) {
            return s;
        }
        whole = part_of(&whole, cover->t1, whole.t1);
    }
    if (s == STATUS_OK && cut_segment(&whole)) {
        s = add_segment(&triangles->drawn, &whole);
    }
    return s;
}

/* ---- Rays -------------------------------------------------------------------------- */

/* Directions across a ray: u x v runs along it. */
static void find_axes(const render_ray *ray, vec3 *u, vec3 *v)
{
    vec3 along = ray->direction;
    int least = fabs(along.v[1]) < fabs(along.v[0]) ? 1 : 0;
    least = fabs(along.v[2]) < fabs(along.v[least]) ? 2 : least;
    vec3 other = {{0}};
    other.v[least] = 1.0;
    *u = vec3_normalize(vec3_cross(other, along));
    *v = vec3_cross(along, *u);
}

static void look_at_block(fuzz_triangles *triangles, int b, const render_ray *ray)
{
    vec3 u, v;
    find_axes(ray, &u, &v);
    int64_t count = fuzz_block_vertices(&triangles->grid->blocks[b]);
    for (int64_t n = 0; n < count; n++) {
        const double *from = triangles->vertex[b][n];
        vec3 p = vec3_sub(vec3_make(from[0], from[1], from[2]), ray->origin);
        triangles->seen[b][n] = (seen_vertex){vec3_dot(p, u), vec3_dot(p, v),
                                              vec3_dot(p, ray->direction), from[3]};
    }
}

static status visit_block(fuzz_triangles *triangles, int b)
{
    const int64_t *n = triangles->grid->blocks[b].n;
    int64_t at[3];
    status s = STATUS_OK;
    for (at[2] = 0; s == STATUS_OK && at[2] < n[2] - 1; at[2]++) {
        for (at[1] = 0; s == STATUS_OK && at[1] < n[1] - 1; at[1]++) {
            for (at[0] = 0; s == STATUS_OK && at[0] < n[0] - 1; at[0]++) {
                s = visit_cell(triangles, b, at);
            }
        }
    }
    return s;
}

static int compare_segments(const void *a, const void *b)
{
    const segment *s = a, *t = b;
    double x = fmin(s->t0, s->t1), y = fmin(t->t0, t->t1);
    return (x > y) - (x < y);
}

static fuzz_sight blend(const fuzz_triangles *triangles, const render_transfer *transfer)
{
    fuzz_sight sight = {.unclear = triangles->unclear,
                        .segments = triangles->drawn.count};
    double through = 1.0;
    for (int n = 0; n < triangles->drawn.count; n++) {
        const segment *s = &triangles->drawn.items[n];
        double rgb[3], rest;
        render_transfer_integrate(transfer, s->s0, s->s1, s->t1 - s->t0, rgb, &rest);
        for (int c = 0; c < 3; c++) {
            sight.rgba[c] += through * rgb[c];
        }
        through *= rest;
        sight.path += s->t1 - s->t0;
        sight.distance += fabs(s->t1 - s->t0);
    }
    sight.rgba[3] = 1.0 - through;
    return sight;
}

status fuzz_triangles_follow(fuzz_triangles *triangles, const render_transfer *transfer,
                             const render_ray *ray, fuzz_sight *out)
{
    triangles->found.count = triangles->drawn.count = 0;
    triangles->unclear = false;
    status s = STATUS_OK;
    for (int b = 0; s == STATUS_OK && b < triangles->grid->nblocks; b++) {
        look_at_block(triangles, b, ray);
        s = visit_block(triangles, b);
    }
    for (int n = 0; s == STATUS_OK && n < triangles->found.count; n++) {
        s = draw_segment(triangles, triangles->found.items[n], 0);
    }
    if (s != STATUS_OK) {
        return s;
    }
    if (triangles->drawn.count > 0) {
        qsort(triangles->drawn.items, (size_t)triangles->drawn.count, sizeof(segment),
              compare_segments);
    }
    *out = blend(triangles, transfer);
    return STATUS_OK;
}
