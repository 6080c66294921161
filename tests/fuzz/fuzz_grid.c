#include "fuzz_grid.h"

#include "fuzz_shape.h"

#include "grid/partition/partition.h"
#include "support/bricks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Blocks ------------------------------------------------------------------------ */

static bool next_index(const int64_t n[3], int64_t at[3])
{
    for (int axis = 0; axis < 3; axis++) {
        if (++at[axis] < n[axis]) {
            return true;
        }
        at[axis] = 0;
    }
    return false;
}

static status allocate_block(const fuzz_case *c, int number, fuzz_block *block)
{
    fuzz_shape_size(&c->shape, number, block->n);
    size_t vertices = (size_t)fuzz_block_vertices(block);
    block->vertex = calloc(vertices, sizeof *block->vertex);
    block->blanked = calloc(vertices, 1);
    block->cell = c->field.in_cells ? calloc(vertices, sizeof *block->cell) : NULL;
    if (!block->vertex || !block->blanked || (c->field.in_cells && !block->cell)) {
        return base_fail_memory(vertices * sizeof *block->vertex, "a block of a case");
    }
    return STATUS_OK;
}

static fuzz_vertex block_vertex(const fuzz_case *c, int number, const int64_t n[3],
                                const int64_t at[3])
{
    int64_t whole[3];
    fuzz_shape_whole(&c->shape, number, n, at, whole);
    return fuzz_shape_vertex(c, number, whole);
}

/* The middle of all vertices with finite coordinates that are not blanked. */
static vec3 find_middle(const fuzz_case *c, const fuzz_grid *grid)
{
    box3 bounds = box3_empty();
    for (int b = 0; b < grid->nblocks; b++) {
        int64_t at[3] = {0, 0, 0};
        do {
            fuzz_vertex v = block_vertex(c, b, grid->blocks[b].n, at);
            vec3 p = vec3_make(v.xyz[0], v.xyz[1], v.xyz[2]);
            if (!v.blanked && isfinite(p.v[0])) {
                bounds = box3_union(bounds, (box3){p, p});
            }
        } while (next_index(grid->blocks[b].n, at));
    }
    vec3 middle = vec3_scale(vec3_add(bounds.lo, bounds.hi), 0.5);
    return isfinite(vec3_length(middle)) ? middle : vec3_make(0.0, 0.0, 0.0);
}

static void fill_vertices(const fuzz_case *c, int number, vec3 origin, fuzz_block *block)
{
    int64_t at[3] = {0, 0, 0};
    int64_t index = 0;
    do {
        fuzz_vertex v = block_vertex(c, number, block->n, at);
        for (int axis = 0; axis < 3; axis++) {
            /* volatile: GCC 12 drops the rounding when it vectorizes this loop. */
            volatile float rounded = (float)(v.xyz[axis] - origin.v[axis]);
            block->vertex[index][axis] = rounded;
        }
        block->vertex[index][3] = (float)v.scalar;
        block->blanked[index++] = v.blanked;
    } while (next_index(block->n, at));
}

/* In a mirrored block, the lowest vertex of a cell is not the lowest one of the whole
 * grid. */
static void fill_cells(const fuzz_case *c, int number, fuzz_block *block)
{
    const int64_t cells[3] = {block->n[0] - 1, block->n[1] - 1, block->n[2] - 1};
    int64_t at[3] = {0, 0, 0}, index = 0;
    do {
        int64_t whole[3];
        fuzz_shape_whole(&c->shape, number, cells, at, whole);
        block->cell[index++] = (float)fuzz_shape_cell(c, whole);
    } while (next_index(cells, at));
}

/* ---- Bricks ------------------------------------------------------------------------ */

/* Puts a brick's part of its block in place. */
static status fill_brick(const fuzz_grid *grid, grid_brick *brick)
{
    const grid_brick_place *place = &brick->place;
    const fuzz_block *block = &grid->blocks[place->block];
    const int64_t n[3] = {place->n[0] + 1, place->n[1] + 1, place->n[2] + 1};
    uint8_t *blanked = malloc((size_t)(n[0] * n[1] * n[2]));
    if (!blanked) {
        return base_fail_memory((size_t)(n[0] * n[1] * n[2]), "a brick of a case");
    }
    int64_t at[3] = {0, 0, 0}, to = 0;
    do {
        int64_t from[3] = {place->lo[0] + at[0], place->lo[1] + at[1],
                           place->lo[2] + at[2]};
        int64_t index = fuzz_block_index(block, from);
        memcpy(brick->vertex[to], block->vertex[index], sizeof block->vertex[index]);
        blanked[to++] = block->blanked[index];
    } while (next_index(n, at));
    grid_brick_flag(brick, blanked);
    free(blanked);
    return STATUS_OK;
}

static void fill_brick_cells(const fuzz_grid *grid, grid_brick *brick)
{
    const grid_brick_place *place = &brick->place;
    const fuzz_block *block = &grid->blocks[place->block];
    const int64_t n[3] = {place->n[0], place->n[1], place->n[2]};
    int64_t at[3] = {0, 0, 0}, to = 0;
    do {
        int64_t i = place->lo[0] + at[0], j = place->lo[1] + at[1],
                k = place->lo[2] + at[2];
        brick->cell[to++] =
            block->cell[i + (block->n[0] - 1) * (j + (block->n[1] - 1) * k)];
    } while (next_index(n, at));
}

/* A gradient at a position, or 0 where that is not finite. It turns by some radians over
 * the grid, or from vertex to vertex; some of them vanish. */
static void find_gradient(const fuzz_case *c, const float vertex[4], float gradient[3])
{
    const double turns = c->shape.seed % 2 == 0 ? 3.0 : 60.0;
    const double per_length = turns / c->shape.scale;
    const double x = (double)vertex[0] * per_length, y = (double)vertex[1] * per_length,
                 z = (double)vertex[2] * per_length;
    memset(gradient, 0, 3 * sizeof *gradient);
    if (isfinite(x + y + z) && sin(7.0 * x + 5.0 * y) < 0.9) {
        gradient[0] = (float)sin(1.1 * x + 0.4 * z);
        gradient[1] = (float)cos(0.9 * y - 0.3 * x);
        gradient[2] = (float)sin(0.7 * z + 0.5 * y + 1.0);
    }
}

static status add_gradients(const fuzz_grid *grid, grid_store *store)
{
    const status s = grid_store_add_gradients(store);
    for (int64_t v = 0; s == STATUS_OK && v < store->nvertices; v++) {
        find_gradient(grid->c, store->vertex[v], store->gradient[v]);
    }
    return s;
}

static status make_store(const fuzz_grid *grid, int64_t count, const int64_t *numbers,
                         grid_store **out)
{
    bool in_cells = grid->blocks[0].cell != NULL;
    grid_store *store = NULL;
    status s = grid_store_create(grid->layout, count, numbers, in_cells, &store);
    for (int64_t slot = 0; s == STATUS_OK && slot < count; slot++) {
        s = fill_brick(grid, &store->bricks[slot]);
        if (in_cells) {
            fill_brick_cells(grid, &store->bricks[slot]);
        }
    }
    if (s == STATUS_OK && grid->c->shaded) {
        s = add_gradients(grid, store);
    }
    if (s != STATUS_OK) {
        grid_store_destroy(&store);
        return s;
    }
    *out = store;
    return STATUS_OK;
}

status fuzz_grid_store(const fuzz_grid *grid, box3 box, grid_store **out)
{
    int64_t count = 0, *numbers = test_bricks_meet(grid->layout, box, &count);
    const status s = numbers ? make_store(grid, count, numbers, out)
                             : base_fail_memory(0, "the bricks of a part");
    free(numbers);
    return s;
}

/* ---- The grid ---------------------------------------------------------------------- */

/* Finds bounds, counts and handedness, as a loader does. */
static void measure(fuzz_grid *grid)
{
    grid_layout *layout = grid->layout;
    int64_t volumes[FUZZ_MOST_BLOCKS][3] = {{0}};
    layout->bounds = box3_empty();
    for (int64_t slot = 0; slot < grid->store->nbricks; slot++) {
        const grid_brick *brick = &grid->store->bricks[slot];
        grid_brick_info *info = &layout->bricks[brick->number];
        int64_t more[3];
        grid_brick_measure(brick, info, more);
        for (int kind = 0; kind < 3; kind++) {
            volumes[brick->place.block][kind] += more[kind];
        }
        if (info->cells > 0) {
            layout->bounds = box3_union(layout->bounds, grid_brick_bounds(info));
        }
        grid->cells += info->cells;
    }
    for (int b = 0; b < layout->nblocks; b++) {
        layout->blocks[b].left_handed = volumes[b][1] > volumes[b][0];
    }
}

static void find_extent(fuzz_grid *grid)
{
    box3 bounds = grid->layout->bounds;
    grid->diagonal = 1.0;
    if (grid->cells == 0) {
        return;
    }
    double diagonal = vec3_length(vec3_sub(bounds.hi, bounds.lo));
    grid->diagonal = diagonal > 0.0 ? diagonal : 1.0;
    for (int axis = 0; axis < 3; axis++) {
        grid->reach = fmax(grid->reach, fabs(bounds.lo.v[axis]));
        grid->reach = fmax(grid->reach, fabs(bounds.hi.v[axis]));
    }
}

static vec3 vertex_at(const fuzz_block *block, const int64_t cell[3], int corner)
{
    const int64_t at[3] = {cell[0] + (corner & 1), cell[1] + (corner >> 1 & 1),
                           cell[2] + (corner >> 2)};
    int64_t index = fuzz_block_index(block, at);
    const float *v = block->vertex[index];
    double nothing = block->blanked[index] ? (double)NAN : 0.0;
    return vec3_make((double)v[0] + nothing, (double)v[1], (double)v[2]);
}

/* Whether the tetrahedron from a cell's centre to three of its corners is inverted by
 * more than rounding. Tetrahedra of collapsed faces are flat. */
static bool is_inverted(const vec3 c[8], vec3 centre, const int corner[3], double sense)
{
    vec3 p = vec3_sub(c[corner[0]], centre), q = vec3_sub(c[corner[1]], centre),
         r = vec3_sub(c[corner[2]], centre);
    double volume = sense * vec3_dot(p, vec3_cross(q, r));
    return volume < -1e-14 * vec3_length(p) * vec3_length(q) * vec3_length(r);
}

/* Whether a cell is inverted or folded for some choice of its faces' diagonals. False if
 * it is absent: then its centre is NaN, and all comparisons are false. */
static bool cell_is_folded(const fuzz_block *block, const int64_t at[3], double sense)
{
    static const int faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    vec3 c[8], centre = vec3_make(0.0, 0.0, 0.0);
    for (int corner = 0; corner < 8; corner++) {
        c[corner] = vertex_at(block, at, corner);
        centre = vec3_add(centre, vec3_scale(c[corner], 0.125));
    }
    for (int n = 0; n < 24; n++) {
        const int *face = faces[n / 4];
        const int corner[3] = {face[n % 4], face[(n + 1) % 4], face[(n + 2) % 4]};
        if (is_inverted(c, centre, corner, sense)) {
            return true;
        }
    }
    return false;
}

static bool has_folds(const fuzz_grid *grid)
{
    for (int b = 0; b < grid->nblocks; b++) {
        const fuzz_block *block = &grid->blocks[b];
        const int64_t cells[3] = {block->n[0] - 1, block->n[1] - 1, block->n[2] - 1};
        int64_t at[3] = {0, 0, 0};
        do {
            if (cell_is_folded(block, at,
                               grid->layout->blocks[b].left_handed ? -1.0 : 1.0)) {
                return true;
            }
        } while (next_index(cells, at));
    }
    return false;
}

static fuzz_soundness judge(const fuzz_case *c, const fuzz_grid *grid)
{
    const fuzz_shape *s = &c->shape;
    if (s->folds > 0.0 || s->jitter > 0.5 || s->kind == FUZZ_LATTICE || has_folds(grid)) {
        return FUZZ_FOLDED;
    }
    return s->overlap != 0.0 ? FUZZ_OVERLAPPING : FUZZ_SOUND;
}

static status make_layout(fuzz_grid *grid)
{
    grid_block blocks[FUZZ_MOST_BLOCKS];
    memset(blocks, 0, sizeof blocks);
    for (int b = 0; b < grid->nblocks; b++) {
        snprintf(blocks[b].name, sizeof blocks[b].name, "block%d", b);
        memcpy(blocks[b].n, grid->blocks[b].n, sizeof blocks[b].n);
        blocks[b].has_iblank = true;
    }
    return grid_layout_create(grid->nblocks, blocks, &grid->layout);
}

static status fill_grid(const fuzz_case *c, fuzz_grid *grid)
{
    status s = STATUS_OK;
    grid->nblocks = c->shape.blocks;
    for (int b = 0; s == STATUS_OK && b < grid->nblocks; b++) {
        s = allocate_block(c, b, &grid->blocks[b]);
    }
    s = s == STATUS_OK ? make_layout(grid) : s;
    if (s != STATUS_OK) {
        return s;
    }
    vec3 origin = c->shape.centred ? find_middle(c, grid) : vec3_make(0.0, 0.0, 0.0);
    grid->layout->origin = origin;
    for (int b = 0; b < grid->nblocks; b++) {
        fill_vertices(c, b, origin, &grid->blocks[b]);
        if (c->field.in_cells) {
            fill_cells(c, b, &grid->blocks[b]);
        }
    }
    return STATUS_OK;
}

/* The store of all bricks, with cells or without. */
static status store_everything(fuzz_grid *grid)
{
    int64_t count = grid->layout->nbricks;
    int64_t *numbers = malloc((size_t)count * sizeof *numbers);
    if (!numbers) {
        return base_fail_memory((size_t)count * sizeof *numbers, "brick numbers");
    }
    for (int64_t b = 0; b < count; b++) {
        numbers[b] = b;
    }
    status s = make_store(grid, count, numbers, &grid->store);
    free(numbers);
    return s;
}

/* Chooses the block that is drawn in overlaps: the first or the last. Folded blocks have
 * no priorities, since folds take back all that they count twice. */
static void set_priorities(const fuzz_case *c, fuzz_grid *grid)
{
    for (int b = 0; b < grid->nblocks; b++) {
        grid->layout->blocks[b].priority =
            c->shape.seed % 2 == 0 ? b : grid->nblocks - 1 - b;
    }
}

status fuzz_grid_create(const fuzz_case *c, fuzz_grid **out)
{
    fuzz_grid *grid = calloc(1, sizeof *grid);
    if (!grid) {
        return base_fail_memory(sizeof *grid, "the grid of a case");
    }
    grid->c = c;
    status s = fill_grid(c, grid);
    s = s == STATUS_OK ? store_everything(grid) : s;
    if (s != STATUS_OK) {
        fuzz_grid_destroy(&grid);
        return s;
    }
    measure(grid);
    find_extent(grid);
    grid->soundness = judge(c, grid);
    if (grid->soundness == FUZZ_OVERLAPPING) {
        set_priorities(c, grid);
    }
    *out = grid;
    return STATUS_OK;
}

void fuzz_grid_destroy(fuzz_grid **grid)
{
    if (!*grid) {
        return;
    }
    for (int b = 0; b < (*grid)->nblocks; b++) {
        free((*grid)->blocks[b].vertex);
        free((*grid)->blocks[b].blanked);
        free((*grid)->blocks[b].cell);
    }
    grid_store_destroy(&(*grid)->store);
    grid_layout_destroy(&(*grid)->layout);
    free(*grid);
    *grid = NULL;
}
