/* Parts: a rank that keeps of its bricks only the parts in its box draws the same. */
#include "check.h"
#include "picture.h"
#include "shape.h"

#include "render/cells/trim.h"
#include "support/random.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = 40 };

/* Boxes, and rings, of whose bricks a box cuts off now this, now that corner. */
static shape large_shape(uint64_t seed)
{
    return (shape){.kind = seed % 2 ? SHAPE_BOX : SHAPE_RING,
                   .scalar = SHAPE_RANDOM,
                   .n = {35, 60, 22},
                   .jitter = seed % 2 ? 0.2 : 0.0,
                   .has_hole = seed % 3 == 0,
                   .mirrored = seed % 4 == 0,
                   .seed = seed};
}

/* A box somewhere in the grid, unbounded on some sides. */
static box3 random_box(const test_grid *grid, uint64_t seed, uint64_t *state)
{
    const box3 bounds = grid->layout->bounds;
    box3 box;
    for (int axis = 0; axis < 3; axis++) {
        const double a = random_between(state, bounds.lo.v[axis], bounds.hi.v[axis]);
        const double b = random_between(state, bounds.lo.v[axis], bounds.hi.v[axis]);
        box.lo.v[axis] = (int)(seed % 5) == axis ? -INFINITY : fmin(a, b);
        box.hi.v[axis] = (int)(seed % 7) == axis ? INFINITY : fmax(a, b);
    }
    return box;
}

static double cell_value(const int64_t at[3])
{
    return (double)((at[0] * 7 + at[1] * 3 + at[2] * 5) % 11) / 11.0;
}

static void add_gradients(grid_store *store, uint64_t *state)
{
    assert_int_equal(grid_store_add_gradients(store), STATUS_OK);
    for (int64_t v = 0; v < store->nvertices; v++) {
        for (int axis = 0; axis < 3; axis++) {
            store->gradient[v][axis] = (float)random_between(state, -1.0, 1.0);
        }
    }
}

/* A store of parts: the parts in a box of another store's bricks, the last brick first.
 */
static grid_store *create_parts(const grid_store *whole, box3 box)
{
    int64_t *numbers = calloc((size_t)whole->nbricks, sizeof *numbers);
    assert_non_null(numbers);
    for (int64_t b = 0; b < whole->nbricks; b++) {
        numbers[b] = whole->bricks[b].number;
    }
    grid_store *parts = NULL;
    assert_int_equal(grid_store_reserve(whole->layout, whole->nbricks, numbers,
                                        whole->cell != NULL, &parts),
                     STATUS_OK);
    if (whole->gradient) {
        assert_int_equal(grid_store_add_gradients(parts), STATUS_OK);
    }
    for (int64_t b = whole->nbricks - 1; b >= 0; b--) {
        const grid_brick *from = &whole->bricks[b];
        const grid_brick_place place = render_march_part(whole->layout, box, from);
        grid_store_claim_part(parts, &parts->bricks[b], &place);
        grid_brick_copy_part(from, &parts->bricks[b]);
        parts->bricks[b].has_range = from->has_range;
        memcpy(parts->bricks[b].range, from->range, sizeof from->range);
    }
    free(numbers);
    return parts;
}

/* Draws whole bricks and parts, by both methods; returns how many vertices went. */
static int64_t compare_pictures(picture *p, grid_store *store, uint64_t seed)
{
    test_grid all = *p->grid, some = *p->grid;
    some.store = create_parts(store, p->clip);
    const int64_t gone = store->used_vertices - some.store->used_vertices;
    image *expected[2];
    render_counters whole[2], part;
    for (int n = 0; n < 2; n++) {
        p->style.method = n == 0 ? RENDER_RAYCAST : RENDER_PLANES;
        expected[n] = picture_draw(p, &whole[n]);
    }
    p->grid = &some;
    for (int n = 0; n < 2; n++) {
        p->style.method = n == 0 ? RENDER_RAYCAST : RENDER_PLANES;
        image *cropped = picture_draw(p, &part);
        picture_compare("pictures before and after", seed, expected[n], cropped, 0.0);
        check_count("crossings", seed, whole[n].crossings, part.crossings);
        check_count("lost rays", seed, whole[n].lost_rays, part.lost_rays);
        image_destroy(&cropped);
        image_destroy(&expected[n]);
    }
    p->grid = &all;
    grid_store_destroy(&some.store);
    return gone;
}

static void pictures_of_the_box_stay_as_they_are(void **unused)
{
    (void)unused;
    render_transfer *transfer = picture_transfer_ramp(0.02, 0.2);
    int64_t gone = 0;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        uint64_t state = seed;
        const shape wanted = large_shape(seed);
        test_grid grid = shape_create(&wanted);
        const bool has_cells = seed % 4 == 1, is_shaded = seed % 4 == 2;
        const render_shade shade = {
            .ambient = 0.3f, .diffuse = 0.7f, .per_gradient = 1.0f};
        picture p = picture_of(
            &grid, transfer,
            picture_view_random(&state, shape_center(&grid), 2.0 * shape_radius(&grid)),
            SIDE);
        p.clip = random_box(&grid, seed, &state);
        if (has_cells) {
            test_grid_set_cells(&grid, cell_value);
        }
        if (is_shaded) {
            add_gradients(grid.store, &state);
            p.style.shade = &shade;
        }
        p.style.trilinear = seed % 3 == 1;
        p.style.quadratic = seed % 3 == 2;
        gone += compare_pictures(&p, grid.store, seed);
        test_grid_destroy(&grid);
    }
    assert_true(gone > 100000);
    render_transfer_destroy(&transfer);
}

/* Rows of the second brick lie higher: cut off at y = 9.5 it has one row less. */
static bool place_step(int block, const int64_t at[3], const int64_t n[3], double xyz[3],
                       double *scalar)
{
    (void)block;
    (void)n;
    xyz[0] = (double)at[0];
    xyz[1] = (double)at[1] + (at[0] >= 16 ? 0.6 : 0.0);
    xyz[2] = (double)at[2];
    *scalar = (double)(at[0] * 5 % 7 + at[1]) / 30.0;
    return true;
}

/* A roof: cut off below its ridge, both bricks end before they meet. */
static bool place_roof(int block, const int64_t at[3], const int64_t n[3], double xyz[3],
                       double *scalar)
{
    place_step(block, at, n, xyz, scalar);
    xyz[1] = (double)at[1] + 14.0 - fabs((double)at[0] - 16.0);
    return true;
}

/* Bricks side by side of which different ranges are left. */
static void bricks_end_where_they_end(void **unused)
{
    (void)unused;
    static const int64_t n[1][3] = {{33, 15, 9}};
    render_transfer *transfer = picture_transfer_ramp(0.05, 0.2);
    for (uint64_t seed = 1; seed <= 24; seed++) {
        uint64_t state = seed;
        test_grid grid = test_grid_create(1, n, seed % 2 ? place_step : place_roof);
        picture p = picture_of(
            &grid, transfer, picture_view_random(&state, vec3_make(16.0, 9.0, 4.0), 30.0),
            2 * SIDE);
        p.clip = box3_everything();
        p.clip.hi.v[1] = 9.5;
        check_within("vertices that went", seed, 100.0, 1e6,
                     (double)compare_pictures(&p, grid.store, seed));
        test_grid_destroy(&grid);
    }
    render_transfer_destroy(&transfer);
}

/* Cells [lo, hi) of a brick. */
typedef struct cell_range {
    int lo[3], hi[3];
} cell_range;

static box3 bounds_of_cell(const grid_brick *brick, const int at[3])
{
    const int row = brick->place.n[0] + 1, plane = row * (brick->place.n[1] + 1);
    box3 bounds = box3_empty();
    for (int c = 0; c < 8; c++) {
        const float *v = brick->vertex[at[0] + (c & 1) + (at[1] + (c >> 1 & 1)) * row +
                                       (at[2] + (c >> 2)) * plane];
        const vec3 point = vec3_make((double)v[0], (double)v[1], (double)v[2]);
        bounds = box3_union(bounds, (box3){point, point});
    }
    return bounds;
}

/* The smallest range with all cells whose bounds come within `margin` of the box. */
static cell_range range_in_box(const grid_brick *brick, box3 box, double margin)
{
    const int *n = brick->place.n;
    cell_range range = {{n[0], n[1], n[2]}, {0, 0, 0}};
    for (int c = 0; c < n[0] * n[1] * n[2]; c++) {
        const int at[3] = {c % n[0], c / n[0] % n[1], c / n[0] / n[1]};
        const box3 cell = bounds_of_cell(brick, at);
        bool meets = true;
        for (int axis = 0; axis < 3; axis++) {
            meets = meets && cell.hi.v[axis] >= box.lo.v[axis] - margin &&
                    cell.lo.v[axis] <= box.hi.v[axis] + margin;
        }
        for (int axis = 0; meets && axis < 3; axis++) {
            range.lo[axis] = at[axis] < range.lo[axis] ? at[axis] : range.lo[axis];
            range.hi[axis] = at[axis] >= range.hi[axis] ? at[axis] + 1 : range.hi[axis];
        }
    }
    return range;
}

/* A brick has all cells that are well within the box, and none beyond those that come
 * near it; where there are none, one. */
static void check_place(const grid_brick *whole, const grid_brick *part, box3 box,
                        uint64_t seed)
{
    const cell_range least = range_in_box(whole, box, -1e-2);
    const cell_range most = range_in_box(whole, box, 1e-2);
    for (int axis = 0; axis < 3; axis++) {
        const int lo = (int)(part->place.lo[axis] - whole->place.lo[axis]);
        const int hi = lo + part->place.n[axis];
        if (most.hi[0] == 0) {
            check_count("cells of a brick beyond the box", seed, 1, hi - lo);
        } else if (least.hi[0] > 0) {
            check_within("first cell", seed, most.lo[axis], least.lo[axis], lo);
            check_within("last cell", seed, least.hi[axis], most.hi[axis], hi);
        }
    }
}

/* Flags of cells and faces that a brick of n cells has not got at a vertex. */
static int foreign_flags(const int n[3], int i, int j, int k)
{
    const bool in[3] = {i < n[0], j < n[1], k < n[2]};
    int foreign = 0;
    for (int axis = 0; axis < 3; axis++) {
        if (!in[(axis + 1) % 3] || !in[(axis + 2) % 3]) {
            foreign |= GRID_DIAGONAL_I << axis;
        }
        if (!in[axis]) {
            foreign |= GRID_PRESENT | GRID_UPPER_DIAGONAL_I | GRID_UPPER_DIAGONAL_J |
                       GRID_UPPER_DIAGONAL_K;
        }
    }
    return foreign;
}

/* A part has the vertices and flags of its whole brick, but for flags of foreign cells.
 */
static void check_vertices(const grid_brick *whole, const grid_brick *part, uint64_t seed)
{
    const int row = whole->place.n[0] + 1, plane = row * (whole->place.n[1] + 1);
    const int *n = part->place.n;
    size_t v = 0;
    for (int k = 0; k <= n[2]; k++) {
        for (int j = 0; j <= n[1]; j++) {
            for (int i = 0; i <= n[0]; i++, v++) {
                const int64_t at = i + part->place.lo[0] - whole->place.lo[0] +
                                   (j + part->place.lo[1] - whole->place.lo[1]) * row +
                                   (k + part->place.lo[2] - whole->place.lo[2]) * plane;
                assert_memory_equal(part->vertex[v], whole->vertex[at],
                                    sizeof *part->vertex);
                check_count("flags", seed, whole->flags[at] & ~foreign_flags(n, i, j, k),
                            part->flags[v]);
            }
        }
    }
}

static void what_the_box_wants_is_kept(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        uint64_t state = seed;
        const shape wanted = large_shape(seed);
        test_grid grid = shape_create(&wanted);
        const box3 box = random_box(&grid, seed, &state);
        grid_store *parts = create_parts(grid.store, box);
        for (int64_t b = 0; b < parts->nbricks; b++) {
            const grid_brick *part = &parts->bricks[b];
            check_place(&grid.store->bricks[b], part, box, seed);
            check_vertices(&grid.store->bricks[b], part, seed);
        }
        grid_store_destroy(&parts);
        test_grid_destroy(&grid);
    }
}

static void draw_scene(render_scene *scene, const picture *p, image *img)
{
    const render_camera camera = picture_camera(p);
    render_counters counters;
    image_clear(img);
    assert_int_equal(render_scene_draw(scene,
                                       &(render_request){.style = &p->style,
                                                         .transfer = p->transfer,
                                                         .camera = &camera,
                                                         .clip = p->clip,
                                                         .threads = 1},
                                       img, &counters),
                     STATUS_OK);
}

/* Bricks that come again, in another order and no longer in part, lie elsewhere. */
static void a_scene_finds_bricks_that_were_forgotten(void **unused)
{
    (void)unused;
    const shape wanted = large_shape(2);
    test_grid grid = shape_create(&wanted);
    render_transfer *transfer = picture_transfer_ramp(0.02, 0.2);
    picture p = picture_of(
        &grid, transfer,
        picture_view_from(vec3_make(5.0, 4.0, 3.0), shape_center(&grid), 40.0), SIDE);
    p.clip = grid.layout->bounds;
    p.clip.hi.v[0] = shape_center(&grid).v[0] + 0.1;
    grid_store *store = create_parts(grid.store, p.clip);
    assert_true(grid_store_has_parts(store));
    render_scene *scene = NULL;
    image *expected = NULL, *found = NULL;
    assert_int_equal(render_scene_create(store, &scene), STATUS_OK);
    assert_int_equal(image_create(SIDE, SIDE, false, &expected), STATUS_OK);
    assert_int_equal(image_create(SIDE, SIDE, false, &found), STATUS_OK);
    draw_scene(scene, &p, expected);
    grid_store_forget(store);
    assert_false(grid_store_has_parts(store));
    for (int64_t b = 0; b < store->nbricks; b++) {
        grid_store_claim(store, &store->bricks[b]);
        grid_brick_copy_part(&grid.store->bricks[b], &store->bricks[b]);
    }
    assert_false(grid_store_has_parts(store));
    draw_scene(scene, &p, found);
    picture_compare("a scene before and after", 2, expected, found, 0.0);
    image_destroy(&expected);
    image_destroy(&found);
    render_scene_destroy(&scene);
    grid_store_destroy(&store);
    render_transfer_destroy(&transfer);
    test_grid_destroy(&grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_of_the_box_stay_as_they_are),
        cmocka_unit_test(bricks_end_where_they_end),
        cmocka_unit_test(what_the_box_wants_is_kept),
        cmocka_unit_test(a_scene_finds_bricks_that_were_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
