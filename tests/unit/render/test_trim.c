/* Trimming: the cells left of a grid are those that are drawn, and hardly more. */
#include "check.h"
#include "picture.h"
#include "shape.h"

#include "render/cells/trim.h"
#include "support/random.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = 24 };

static bool *choose_all(const grid_store *store)
{
    bool *chosen = malloc((size_t)store->nbricks * sizeof *chosen);
    assert_non_null(chosen);
    for (int64_t slot = 0; slot < store->nbricks; slot++) {
        chosen[slot] = true;
    }
    return chosen;
}

static march_grid trimmed(const test_grid *grid, const render_camera *camera, box3 clip,
                          const render_cuts *cuts)
{
    bool *chosen = choose_all(grid->store);
    march_grid march;
    assert_int_equal(render_march_grid_create(grid->store, chosen, NULL, &march),
                     STATUS_OK);
    assert_int_equal(render_march_trim(grid->store, chosen,
                                       &(render_clip_view){camera, clip, cuts}, 2,
                                       &march),
                     STATUS_OK);
    free(chosen);
    return march;
}

/* How far the corner of a cell that is farthest inside lies within one bound: normal . p
 * >= offset. */
static double inside_by(const march_grid *grid, const march_brick *brick, int lowest,
                        vec3 normal, double offset)
{
    double most = -INFINITY;
    for (int corner = 0; corner < 8; corner++) {
        const float *v = grid->vertex[march_corner_index(brick, lowest, corner)];
        const vec3 at = vec3_make((double)v[0], (double)v[1], (double)v[2]);
        most = fmax(most, vec3_dot(normal, at) - offset);
    }
    return most;
}

/* How far the cell reaches into the part that all bounds leave. */
static double reaches_by(const march_grid *grid, const march_brick *brick, int lowest,
                         int count, const render_cut *bounds)
{
    double least = INFINITY;
    for (int n = 0; n < count; n++) {
        least = fmin(least,
                     inside_by(grid, brick, lowest, bounds[n].normal, bounds[n].offset));
    }
    return least;
}

/* Compares presence in `before` and now with the bounds; returns how many cells went. */
static int64_t compare_cells(const march_grid *march, const uint8_t *before, int count,
                             const render_cut *bounds, uint64_t seed)
{
    int64_t gone = 0;
    for (int64_t b = 0; b < march->nbricks; b++) {
        const march_brick *brick = &march->bricks[b];
        int64_t missing = 0;
        for (int k = 0; k < brick->n[2]; k++) {
            for (int j = 0; j < brick->n[1]; j++) {
                for (int i = 0; i < brick->n[0]; i++) {
                    const int at = march_vertex_index(brick, (const int[]){i, j, k});
                    const bool was = before[at] & GRID_PRESENT;
                    const bool is = march->flags[at] & GRID_PRESENT;
                    const double by = reaches_by(march, brick, at, count, bounds);
                    if (by > 0.0) {
                        check_count("cell that is drawn", seed, was, is);
                    } else if (by < -1e-3) {
                        check_count("cell that is not", seed, false, is);
                    }
                    check_count("diagonals", seed, before[at] & ~GRID_PRESENT,
                                march->flags[at] & ~GRID_PRESENT);
                    gone += was && !is;
                    missing += !is;
                }
            }
        }
        check_count("full brick", seed, missing == 0, brick->is_full);
    }
    return gone;
}

/* The same, with the cells taken out; then puts them back in. */
static int64_t check_cells(const march_grid *march, const grid_store *store, int count,
                           const render_cut *bounds, uint64_t seed)
{
    const size_t bytes = (size_t)store->nvertices;
    uint8_t *before = malloc(bytes);
    assert_non_null(before);
    memcpy(before, store->flags, bytes);
    render_march_take_out(march, 2);
    const int64_t gone = compare_cells(march, before, count, bounds, seed);
    render_march_put_back(march, 2);
    assert_memory_equal(store->flags, before, bytes);
    free(before);
    return gone;
}

static render_camera camera_of(const test_grid *grid, uint64_t *state)
{
    const render_view view =
        picture_view_random(state, shape_center(grid), shape_radius(grid));
    render_camera camera;
    assert_int_equal(
        render_camera_create(&view, SIDE, SIDE, grid->layout->origin, &camera),
        STATUS_OK);
    return camera;
}

static shape large_box(uint64_t seed)
{
    return (shape){.kind = SHAPE_BOX,
                   .scalar = SHAPE_RANDOM,
                   .n = {35, 20, 18},
                   .jitter = 0.2,
                   .has_hole = seed % 3 == 0,
                   .seed = seed};
}

static void cells_outside_of_the_box_go(void **unused)
{
    (void)unused;
    int64_t gone = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        uint64_t state = seed;
        const shape wanted = large_box(seed);
        test_grid grid = shape_create(&wanted);
        const render_camera camera = camera_of(&grid, &state);
        const box3 bounds = grid.layout->bounds;
        box3 clip = bounds;
        for (int axis = 0; axis < 3; axis++) {
            const double a = random_between(&state, bounds.lo.v[axis], bounds.hi.v[axis]),
                         b = random_between(&state, bounds.lo.v[axis], bounds.hi.v[axis]);
            clip.lo.v[axis] = (int)(seed % 4) == axis ? -INFINITY : fmin(a, b);
            clip.hi.v[axis] = fmax(a, b);
        }
        render_cut expected[7];
        int count = 0;
        for (int axis = 0; axis < 3; axis++) {
            vec3 up = vec3_make(0.0, 0.0, 0.0);
            up.v[axis] = 1.0;
            expected[count++] = (render_cut){up, clip.lo.v[axis]};
            expected[count++] = (render_cut){vec3_scale(up, -1.0), -clip.hi.v[axis]};
        }
        expected[count++] =
            (render_cut){camera.forward, vec3_dot(camera.forward, camera.eye)};
        march_grid march = trimmed(&grid, &camera, clip, NULL);
        if (!march.may_turn_back) {
            gone += check_cells(&march, grid.store, count, expected, seed);
        }
        render_march_grid_destroy(&march);
        test_grid_destroy(&grid);
    }
    assert_true(gone > 10000);
}

static void cells_beyond_planes_go(void **unused)
{
    (void)unused;
    int64_t gone = 0;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        uint64_t state = seed;
        const shape wanted = large_box(seed);
        test_grid grid = shape_create(&wanted);
        const render_camera camera = camera_of(&grid, &state);
        const vec3 center = shape_center(&grid);
        const double depth = render_camera_depth(&camera, center);
        render_cuts cuts = {
            .near = fmax(0.0, depth - 5.0), .far = fmax(0.0, depth) + 4.0, .count = 1};
        const vec3 normal = vec3_normalize(vec3_make(1.0, 0.5, -0.3));
        cuts.planes[0] = (render_cut){normal, vec3_dot(normal, center)};
        const double eye = vec3_dot(camera.forward, camera.eye);
        const render_cut expected[] = {
            cuts.planes[0],
            {camera.forward, eye + cuts.near},
            {vec3_scale(camera.forward, -1.0), -(eye + cuts.far)}};
        march_grid march = trimmed(&grid, &camera, box3_everything(), &cuts);
        if (!march.may_turn_back) {
            gone += check_cells(&march, grid.store, 3, expected, seed);
        }
        render_march_grid_destroy(&march);
        test_grid_destroy(&grid);
    }
    assert_true(gone > 10000);
}

/* Nothing is trimmed if nothing is cut off, or if rays may turn back. */
static void other_grids_stay_as_they_are(void **unused)
{
    (void)unused;
    for (int is_folded = 0; is_folded < 2; is_folded++) {
        shape wanted = large_box(1);
        wanted.jitter = is_folded ? 1.2 : 0.2;
        test_grid grid = shape_create(&wanted);
        render_view view = {.position = vec3_make(90.0, 80.0, 70.0),
                            .look_at = shape_center(&grid),
                            .up = vec3_make(0.0, 0.0, 1.0),
                            .fov = 40.0};
        render_camera camera;
        assert_int_equal(
            render_camera_create(&view, SIDE, SIDE, grid.layout->origin, &camera),
            STATUS_OK);
        box3 clip = box3_everything();
        if (is_folded) {
            clip.hi.v[0] = shape_center(&grid).v[0];
        }
        march_grid march = trimmed(&grid, &camera, clip, NULL);
        assert_int_equal(march.ntrims, 0);
        render_march_grid_destroy(&march);
        test_grid_destroy(&grid);
    }
}

/* Boxes together hardly cross more cells than one box around all. */
static void boxes_share_the_work(void **unused)
{
    (void)unused;
    render_transfer *transfer = picture_transfer_constant(0.01);
    for (uint64_t seed = 1; seed <= 6; seed++) {
        const shape wanted = large_box(1);
        test_grid grid = shape_create(&wanted);
        uint64_t state = seed;
        const render_view view =
            picture_view_random(&state, shape_center(&grid), 2.0 * shape_radius(&grid));
        picture p = picture_of(&grid, transfer, view, SIDE);
        render_counters whole, part;
        image *img = picture_draw(&p, &whole);
        image_destroy(&img);
        int64_t parts = 0;
        const double middle = shape_center(&grid).v[0];
        for (int upper = 0; upper < 2; upper++) {
            picture q = p;
            *(upper ? &q.clip.lo.v[0] : &q.clip.hi.v[0]) = middle;
            img = picture_draw(&q, &part);
            image_destroy(&img);
            parts += part.crossings;
        }
        const int64_t most = whole.crossings + whole.crossings / 10 + 100;
        check_count("cells crossed in two boxes are few", seed, true, parts <= most);
        test_grid_destroy(&grid);
    }
    render_transfer_destroy(&transfer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_outside_of_the_box_go),
        cmocka_unit_test(cells_beyond_planes_go),
        cmocka_unit_test(other_grids_stay_as_they_are),
        cmocka_unit_test(boxes_share_the_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
