/* The picture does not depend on how the grid is cut: boxes, blocks, bricks, threads. Nor
 * on the kernel. */
#include "check.h"
#include "cuts.h"
#include "picture.h"
#include "render/scene.h"
#include "shape.h"

#include "render/kernel/walk.h"
#include "support/random.h"
#include "tests/support/draw_volume.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = CUTS_SIDE };

static void check_style_cuts(const shape *wanted, const render_transfer *transfer,
                             uint64_t seed, double tolerance, render_style style)
{
    test_grid grid = shape_create(wanted);
    cuts_check(&grid, transfer, seed, tolerance, style);
    test_grid_destroy(&grid);
}

static void check_cuts(const shape *wanted, const render_transfer *transfer,
                       uint64_t seed, double tolerance)
{
    check_style_cuts(wanted, transfer, seed, tolerance, (render_style){0});
}

/* ---- Boxes ------------------------------------------------------------------------- */

static void boxes_of_a_sound_grid_add_up(void **unused)
{
    (void)unused;
    render_transfer *transfer = picture_transfer_ramp(0.05, 0.8);
    for (uint64_t seed = 1; seed <= 60; seed++) {
        shape box = {
            .kind = SHAPE_BOX, .scalar = SHAPE_RANDOM, .n = {6, 5, 4}, .seed = seed};
        box.jitter = seed % 2 ? 0.25 : 0.0;
        box.has_hole = seed % 5 == 0;
        check_cuts(&box, transfer, seed, 6e-6);
    }
    render_transfer_destroy(&transfer);
}

/* Near the outline of a crooked grid, rays that meet the triangles of a face may miss its
 * patch. */
static void boxes_of_patches_add_up(void **unused)
{
    (void)unused;
    render_transfer *transfer = picture_transfer_ramp(0.05, 2.0);
    for (uint64_t seed = 1; seed <= 60; seed++) {
        const shape box = {.kind = seed % 3 ? SHAPE_BOX : SHAPE_RING,
                           .scalar = SHAPE_RANDOM,
                           .n = {6, 13, 4},
                           .jitter = seed % 4 ? 0.2 : 0.0,
                           .seed = seed};
        check_style_cuts(&box, transfer, seed, 1e-5, (render_style){.trilinear = true});
        check_style_cuts(&box, transfer, seed, 1e-5, (render_style){.quadratic = true});
    }
    render_transfer_destroy(&transfer);
}

static void rays_within_the_plane_of_a_cut_belong_to_one_box(void **unused)
{
    (void)unused;
    render_transfer *transfer = picture_transfer_constant(0.25);
    shape box = {.kind = SHAPE_BOX, .n = {5, 5, 5}};
    test_grid grid = shape_create(&box);
    for (int axis = 1; axis < 3; axis++) {
        /* Along x, a unit a pixel: the middle row and column lie in the planes of 2. */
        picture p = picture_of(&grid, transfer,
                               picture_view_parallel(vec3_make(-9.0, 2.0, 2.0),
                                                     vec3_make(0.0, 2.0, 2.0), 3.0),
                               3);
        picture q = p;
        p.clip.hi.v[axis] = q.clip.lo.v[axis] = 2.0;
        render_counters counters;
        image *a = picture_draw(&p, &counters), *b = picture_draw(&q, &counters);
        for (int pixel = 0; pixel < 9; pixel++) {
            double below = picture_optical_depth(a, pixel % 3, pixel / 3);
            double above = picture_optical_depth(b, pixel % 3, pixel / 3);
            check_near("optical depth of both", (uint64_t)axis, 1.0, below + above, 1e-6);
        }
        image_destroy(&a);
        image_destroy(&b);
    }
    test_grid_destroy(&grid);
    render_transfer_destroy(&transfer);
}

/* Two bricks meet at y = 0.1. */
static bool slab_vertex(int block, const int64_t at[3], const int64_t n[3], double xyz[3],
                        double *scalar)
{
    (void)block;
    (void)n;
    xyz[0] = 0.7 * (double)at[0];
    xyz[1] = 0.3 * (double)(at[1] - GRID_BRICK_CELLS) + 0.1;
    xyz[2] = 0.9 * (double)at[2];
    *scalar = 0.5;
    return true;
}

/* Draws a ray that all but lies in the face at `y`, in two boxes that meet there but for
 * the last digits of float32. The ray may cross the side of a box, but not the face. */
static void check_ray_along_side(const test_grid *grid, const render_transfer *transfer,
                                 double y, uint64_t seed)
{
    uint64_t state = seed;
    const double rise = pow(10.0, random_between(&state, -7.0, -4.0));
    const double middle = y + rise * random_between(&state, -1.0, 1.0);
    const vec3 from = vec3_make(-1.0, middle - 2.4 * rise, 0.9),
               to = vec3_make(4.0, middle + 2.6 * rise, 0.9);
    const picture all =
        picture_of(grid, transfer, picture_view_parallel(from, to, 1e-6), 1);
    picture below = all, above = all;
    below.clip.hi.v[1] = above.clip.lo.v[1] = y + random_between(&state, -3e-8, 3e-8);
    const picture *const pictures[3] = {&all, &below, &above};
    double depth[3];
    for (int n = 0; n < 3; n++) {
        render_counters counters;
        image *img = picture_draw(pictures[n], &counters);
        depth[n] = picture_optical_depth(img, 0, 0);
        image_destroy(&img);
    }
    check_near("optical depth of both", seed, depth[0], depth[1] + depth[2], 2e-6);
}

static void rays_along_the_side_of_a_box_need_the_cells_beside_it(void **unused)
{
    (void)unused;
    render_transfer *transfer = picture_transfer_constant(0.25);
    const int64_t n[1][3] = {{5, 2 * GRID_BRICK_CELLS + 1, 3}};
    test_grid grid = test_grid_create(1, n, slab_vertex);
    for (uint64_t seed = 1; seed <= 200; seed++) {
        check_ray_along_side(&grid, transfer, 0.1, seed);
        check_ray_along_side(&grid, transfer, grid.layout->bounds.hi.v[1], seed);
    }
    test_grid_destroy(&grid);
    render_transfer_destroy(&transfer);
}

static void boxes_of_a_closed_ring_add_up(void **unused)
{
    (void)unused;
    render_transfer *transfer = picture_transfer_ramp(0.05, 0.8);
    for (uint64_t seed = 1; seed <= 40; seed++) {
        shape ring = {.kind = seed % 2 ? SHAPE_RING : SHAPE_POLE,
                      .scalar = SHAPE_RANDOM,
                      .n = {4, 13, 4},
                      .seed = seed};
        check_cuts(&ring, transfer, seed, 6e-6);
    }
    render_transfer_destroy(&transfer);
}

static void boxes_of_one_thick_cell_add_up(void **unused)
{
    (void)unused;
    render_transfer *transfer = picture_transfer_ramp(0.0, 3.0);
    for (uint64_t seed = 1; seed <= 40; seed++) {
        shape cell = {
            .kind = SHAPE_BOX, .scalar = SHAPE_RANDOM, .n = {2, 2, 2}, .seed = seed};
        check_cuts(&cell, transfer, seed, 6e-6);
    }
    render_transfer_destroy(&transfer);
}

static void boxes_of_an_inverted_grid_add_up(void **unused)
{
    (void)unused;
    render_transfer *transfer = picture_transfer_constant(0.1);
    for (uint64_t seed = 1; seed <= 60; seed++) {
        /* An even outside: lengths that are counted too much inside are taken back in the
         * same place, so that every box shows just the chord. */
        shape box = {.kind = SHAPE_BOX,
                     .n = {6, 5, 5},
                     .seed = seed,
                     .jitter = 1.2,
                     .boundary_is_even = true};
        check_cuts(&box, transfer, seed, 1e-6);
    }
    render_transfer_destroy(&transfer);
}

/* ---- Blocks and bricks ------------------------------------------------------------- */

/* Draws the same points as one block and as two, and compares. */
static void check_split(shape wanted, const render_transfer *transfer, uint64_t seed)
{
    uint64_t state = seed;
    shape split = wanted;
    split.split = 1 + random_below(&state, (int)wanted.n[0] - 2);
    split.turned = random_below(&state, 2) == 0;
    test_grid one = shape_create(&wanted), two = shape_create(&split);
    render_view view =
        picture_view_random(&state, shape_center(&one), shape_radius(&one));
    picture p = picture_of(&one, transfer, view, SIDE);
    picture q = p;
    q.grid = &two;
    render_counters a_counters, b_counters;
    image *a = picture_draw(&p, &a_counters), *b = picture_draw(&q, &b_counters);
    picture_compare("two blocks", seed, a, b, 1e-6);
    check_count("crossings", seed, a_counters.crossings, b_counters.crossings);
    check_count("lost rays", seed, 0, a_counters.lost_rays + b_counters.lost_rays);
    image_destroy(&a);
    image_destroy(&b);
    test_grid_destroy(&one);
    test_grid_destroy(&two);
}

static void two_blocks_look_like_one(void **unused)
{
    (void)unused;
    render_transfer *transfer = picture_transfer_ramp(0.02, 0.3);
    for (uint64_t seed = 1; seed <= 60; seed++) {
        shape box = {
            .kind = SHAPE_BOX, .scalar = SHAPE_RANDOM, .n = {7, 5, 4}, .seed = seed};
        box.jitter = seed % 3 ? 0.25 : 0.0;
        check_split(box, transfer, seed);
    }
    render_transfer_destroy(&transfer);
}

static void many_bricks_look_like_one_however_they_are_split(void **unused)
{
    (void)unused;
    render_transfer *transfer = picture_transfer_ramp(0.01, 0.1);
    for (uint64_t seed = 1; seed <= 3; seed++) {
        shape box = {
            .kind = SHAPE_BOX, .scalar = SHAPE_RANDOM, .n = {40, 33, 18}, .seed = seed};
        box.jitter = 0.25;
        check_split(box, transfer, seed);
    }
    render_transfer_destroy(&transfer);
}

/* A store with only those bricks that meet a box. */
static grid_store *copy_store(const test_grid *grid, box3 clip)
{
    int64_t count = 0, *numbers = malloc((size_t)grid->layout->nbricks * sizeof *numbers);
    assert_non_null(numbers);
    for (int64_t b = 0; b < grid->layout->nbricks; b++) {
        if (grid_layout_brick_meets(grid->layout, b, clip)) {
            numbers[count++] = b;
        }
    }
    grid_store *store = NULL;
    assert_int_equal(grid_store_create(grid->layout, count, numbers, false, &store),
                     STATUS_OK);
    free(numbers);
    for (int64_t slot = 0; slot < count; slot++) {
        const grid_brick *from = &grid->store->bricks[store->bricks[slot].number];
        const int *n = from->place.n;
        size_t vertices = (size_t)(n[0] + 1) * (size_t)(n[1] + 1) * (size_t)(n[2] + 1);
        memcpy(store->bricks[slot].vertex, from->vertex, vertices * sizeof *from->vertex);
        memcpy(store->bricks[slot].flags, from->flags, vertices);
        store->bricks[slot].windings = from->windings;
    }
    return store;
}

static void bricks_beyond_the_box_do_not_matter(void **unused)
{
    (void)unused;
    render_transfer *transfer = picture_transfer_ramp(0.01, 0.1);
    for (uint64_t seed = 1; seed <= 6; seed++) {
        uint64_t state = seed;
        shape box = {
            .kind = SHAPE_BOX, .scalar = SHAPE_RANDOM, .n = {35, 20, 18}, .seed = seed};
        box.jitter = 0.25;
        test_grid grid = shape_create(&box);
        picture p =
            picture_of(&grid, transfer,
                       picture_view_random(&state, shape_center(&grid), 20.0), SIDE);
        p.clip.lo.v[0] = random_between(&state, 0.0, 17.0);
        p.clip.hi.v[0] = p.clip.lo.v[0] + random_between(&state, 1.0, 14.0);
        test_grid few = {grid.layout, copy_store(&grid, p.clip)};
        assert_true(few.store->nbricks < grid.store->nbricks);
        picture q = p;
        q.grid = &few;
        render_counters counters;
        image *a = picture_draw(&p, &counters), *b = picture_draw(&q, &counters);
        picture_compare("fewer bricks", seed, a, b, 1e-6);
        image_destroy(&a);
        image_destroy(&b);
        grid_store_destroy(&few.store);
        test_grid_destroy(&grid);
    }
    render_transfer_destroy(&transfer);
}

/* Bent cells, a scalar that grows along i. */
static bool bent_vertex(int block, const int64_t at[3], const int64_t n[3], double xyz[3],
                        double *scalar)
{
    (void)block;
    double angle = 2.5 * (double)at[0] / (double)(n[0] - 1);
    double radius = 1.0 + 0.04 * (double)at[1];
    xyz[0] = radius * cos(angle);
    xyz[1] = radius * sin(angle);
    xyz[2] = 0.05 * (double)at[2] + 0.1 * sin(4.0 * radius);
    *scalar = (double)at[0] / (double)(n[0] - 1);
    return true;
}

static void clear_bricks_are_passed_and_nothing_changes(void **unused)
{
    (void)unused;
    const double colors[2][4] = {{0.0, 0.2, 0.9, 0.1}, {1.0, 0.9, 0.1, 0.3}};
    const double opacities[4][2] = {{0.0, 0.3}, {0.2, 0.0}, {0.6, 0.0}, {1.0, 0.5}};
    const render_transfer_points points = {.ncolors = 2,
                                           .colors = colors,
                                           .nopacities = 4,
                                           .opacities = opacities,
                                           .range = {0.0, 1.0},
                                           .unit_length = 0.3};
    render_transfer *transfer;
    assert_int_equal(render_transfer_create(&points, &transfer), STATUS_OK);
    const int64_t n[1][3] = {{97, 20, 35}};
    test_grid grid = test_grid_create(1, n, bent_vertex);
    for (uint64_t seed = 1; seed <= 10; seed++) {
        uint64_t state = seed;
        picture p =
            picture_of(&grid, transfer,
                       picture_view_random(&state, vec3_make(0.0, 0.8, 0.9), 2.0), SIDE);
        render_camera camera = picture_camera(&p);
        render_counters all, some;
        image *a = picture_draw(&p, &all), *b; /* with depth: nothing is left out */
        assert_int_equal(image_create(SIDE, SIDE, false, &b), STATUS_OK);
        assert_int_equal(draw_volume(grid.store,
                                     &(render_request){.style = &p.style,
                                                       .transfer = transfer,
                                                       .camera = &camera,
                                                       .clip = p.clip,
                                                       .threads = 1},
                                     b, &some),
                         STATUS_OK);
        check_count("lost rays", seed, 0, some.lost_rays);
        assert_true(some.crossings < all.crossings);
        for (int c = 0; c < 4 * SIDE * SIDE; c++) {
            check_near("colour", seed, (double)a->rgba[c], (double)b->rgba[c], 1e-6);
        }
        image_destroy(&a);
        image_destroy(&b);
    }
    test_grid_destroy(&grid);
    render_transfer_destroy(&transfer);
}

/* ---- Threads and kernels ----------------------------------------------------------- */

static void threads_change_no_bit(void **unused)
{
    (void)unused;
    render_transfer *transfer = picture_transfer_ramp(0.1, 1.0);
    for (uint64_t seed = 1; seed <= 8; seed++) {
        uint64_t state = seed;
        /* More than 100 pixels a side make many tiles; inverted cells make runs overlap.
         */
        enum { LARGE = 100 };
        shape box = {
            .kind = SHAPE_BOX, .scalar = SHAPE_RANDOM, .n = {20, 6, 5}, .seed = seed};
        box.jitter = seed % 2 ? 0.3 : 1.2;
        box.has_hole = true;
        test_grid grid = shape_create(&box);
        picture p =
            picture_of(&grid, transfer,
                       picture_view_random(&state, shape_center(&grid), 8.0), LARGE);
        picture q = p;
        q.threads = 2;
        render_counters one, two;
        image *a = picture_draw(&p, &one), *b = picture_draw(&q, &two);
        picture_compare("two threads", seed, a, b, 0.0);
        check_count("crossings", seed, one.crossings, two.crossings);
        check_count("rays", seed, one.rays, two.rays);
        image_destroy(&a);
        image_destroy(&b);
        test_grid_destroy(&grid);
    }
    render_transfer_destroy(&transfer);
}

static image *draw_with(const walk_kernel *kernel, const picture *p,
                        render_counters *counters)
{
    render_camera camera = picture_camera(p);
    image *img = NULL;
    assert_int_equal(image_create(p->width, p->height, true, &img), STATUS_OK);
    assert_int_equal(draw_volume(p->grid->store,
                                 &(render_request){.kernel = kernel,
                                                   .style = &p->style,
                                                   .transfer = p->transfer,
                                                   .camera = &camera,
                                                   .clip = p->clip,
                                                   .threads = p->threads},
                                 img, counters),
                     STATUS_OK);
    return img;
}

/* Jittered, folded over, and even: with rays along grid lines. */
static void kernels_change_no_bit(void **unused)
{
    (void)unused;
    render_transfer *transfer = picture_transfer_ramp(0.1, 1.0);
    const walk_kernel *const *kernels = render_walk_kernels();
    const double jitters[] = {0.3, 1.2, 0.0};
    for (uint64_t seed = 1; seed <= 30; seed++) {
        uint64_t state = seed;
        shape box = {.kind = SHAPE_BOX,
                     .scalar = SHAPE_RANDOM,
                     .n = {20, 6, 5},
                     .seed = seed,
                     .jitter = jitters[seed % 3],
                     .has_hole = true};
        test_grid grid = shape_create(&box);
        vec3 center = shape_center(&grid);
        render_view view = picture_view_random(&state, center, 8.0);
        if (box.jitter == 0.0) {
            view = picture_view_parallel(vec3_make(9.0, 3.0, -8.0),
                                         vec3_make(9.0, 3.0, 2.0), SIDE / 2.0);
        }
        picture p = picture_of(&grid, transfer, view, SIDE);
        render_counters expected, actual;
        image *plain = draw_with(kernels[0], &p, &expected);
        for (int k = 1; kernels[k]; k++) {
            image *other = draw_with(kernels[k], &p, &actual);
            picture_compare(kernels[k]->name, seed, plain, other, 0.0);
            assert_memory_equal(&expected, &actual, sizeof expected);
            image_destroy(&other);
        }
        check_within("crossings", seed, 1.0, INFINITY, (double)expected.crossings);
        image_destroy(&plain);
        test_grid_destroy(&grid);
    }
    render_transfer_destroy(&transfer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_of_a_sound_grid_add_up),
        cmocka_unit_test(boxes_of_patches_add_up),
        cmocka_unit_test(rays_within_the_plane_of_a_cut_belong_to_one_box),
        cmocka_unit_test(rays_along_the_side_of_a_box_need_the_cells_beside_it),
        cmocka_unit_test(boxes_of_a_closed_ring_add_up),
        cmocka_unit_test(boxes_of_one_thick_cell_add_up),
        cmocka_unit_test(boxes_of_an_inverted_grid_add_up),
        cmocka_unit_test(two_blocks_look_like_one),
        cmocka_unit_test(many_bricks_look_like_one_however_they_are_split),
        cmocka_unit_test(bricks_beyond_the_box_do_not_matter),
        cmocka_unit_test(clear_bricks_are_passed_and_nothing_changes),
        cmocka_unit_test(threads_change_no_bit),
        cmocka_unit_test(kernels_change_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
