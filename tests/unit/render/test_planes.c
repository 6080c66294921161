/* On any grid, plane compositing and the ray caster draw the same bits. */
#include "check.h"
#include "picture.h"
#include "render/scene.h"
#include "shape.h"

#include "render/kernel/walk.h"
#include "support/random.h"
#include "tests/support/draw_volume.h"

#include <string.h>

enum { SIDE = 36 /* tiles in part, several of them */, SEEDS = 3 };

static image *draw(const picture *p, const walk_kernel *kernel, const render_style *style,
                   render_counters *counters)
{
    render_camera camera = picture_camera(p);
    image *img = NULL;
    assert_int_equal(image_create(p->width, p->height, true, &img), STATUS_OK);
    assert_int_equal(draw_volume(p->grid->store,
                                 &(render_request){.kernel = kernel,
                                                   .style = style,
                                                   .transfer = p->transfer,
                                                   .camera = &camera,
                                                   .clip = p->clip,
                                                   .threads = p->threads},
                                 img, counters),
                     STATUS_OK);
    return img;
}

/* Draws with all kernels, both ways; returns how many cells were crossed. */
static int64_t compare_style(const picture *p, bool quadratic, uint64_t seed)
{
    const walk_kernel *const *kernels = render_walk_kernels();
    render_style style = {.method = RENDER_RAYCAST, .quadratic = quadratic};
    render_counters expected, actual;
    image *rays = draw(p, kernels[0], &style, &expected);
    for (int k = 0; kernels[k]; k++) {
        for (int m = 0; m < 2; m++) {
            style.method = m ? RENDER_AUTO : RENDER_PLANES;
            image *other = draw(p, kernels[k], &style, &actual);
            picture_compare(kernels[k]->name, seed, rays, other, 0.0);
            assert_memory_equal(rays->depth, other->depth,
                                (size_t)image_pixel_count(rays) * sizeof *rays->depth);
            check_count("rays", seed, expected.rays, actual.rays);
            check_count("crossings", seed, expected.crossings, actual.crossings);
            check_count("cells without a value", seed, expected.nan_cells,
                        actual.nan_cells);
            check_count("lost rays", seed, 0, actual.lost_rays);
            image_destroy(&other);
        }
    }
    image_destroy(&rays);
    return expected.crossings;
}

/* The same in both styles that both methods draw. */
static int64_t compare_methods(const picture *p, uint64_t seed)
{
    compare_style(p, true, seed);
    return compare_style(p, false, seed);
}

/* Compares pictures of a shape from all sides and from inside, whole and in part. Returns
 * how many cells were crossed. */
static int64_t compare_views(const shape *wanted, uint64_t seed)
{
    uint64_t state = seed * 77;
    test_grid grid = shape_create(wanted);
    vec3 center = shape_center(&grid);
    double radius = shape_radius(&grid);
    render_transfer *transfer = picture_transfer_ramp(0.02, seed % 2 ? 4.0 : 0.4);
    picture p =
        picture_of(&grid, transfer, picture_view_random(&state, center, radius), SIDE);
    int64_t crossings = compare_methods(&p, seed);
    p.clip.lo.v[seed % 3] = center.v[seed % 3] - 0.2 * radius;
    p.clip.hi.v[(seed + 1) % 3] = center.v[(seed + 1) % 3] + 0.1 * radius;
    p.threads = 2;
    p.view = picture_view_random(&state, center, radius);
    crossings += compare_methods(&p, seed);
    render_transfer_destroy(&transfer);
    test_grid_destroy(&grid);
    return crossings;
}

static void compare_shapes(shape wanted)
{
    int64_t crossings = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        wanted.seed = seed;
        crossings += compare_views(&wanted, seed);
    }
    check_within("cells crossed", 0, 3000.0, INFINITY, (double)crossings);
}

/* ---- Shapes ------------------------------------------------------------------------ */

static void warped_boxes_look_alike(void **unused)
{
    (void)unused;
    compare_shapes((shape){
        .kind = SHAPE_BOX, .scalar = SHAPE_RANDOM, .n = {7, 6, 5}, .jitter = 0.3});
}

static void left_handed_boxes_look_alike(void **unused)
{
    (void)unused;
    compare_shapes((shape){.kind = SHAPE_BOX,
                           .scalar = SHAPE_RANDOM,
                           .n = {6, 5, 5},
                           .jitter = 0.2,
                           .mirrored = true});
}

/* Runs of a ray lie side by side, and cells in circles. */
static void folded_boxes_look_alike(void **unused)
{
    (void)unused;
    compare_shapes((shape){.kind = SHAPE_BOX,
                           .scalar = SHAPE_RANDOM,
                           .n = {7, 6, 5},
                           .jitter = 1.3,
                           .has_hole = true});
}

static void rings_look_alike(void **unused)
{
    (void)unused;
    compare_shapes((shape){
        .kind = SHAPE_RING, .scalar = SHAPE_RANDOM, .n = {5, 21, 4}, .jitter = 0.1});
}

static void poles_look_alike(void **unused)
{
    (void)unused;
    compare_shapes((shape){.kind = SHAPE_POLE, .scalar = SHAPE_RANDOM, .n = {5, 17, 4}});
}

/* Rays enter and leave more than once, one run after the other. */
static void boxes_with_holes_look_alike(void **unused)
{
    (void)unused;
    compare_shapes((shape){.kind = SHAPE_BOX,
                           .scalar = SHAPE_HOLED,
                           .n = {8, 7, 6},
                           .jitter = 0.2,
                           .has_hole = true});
}

static void flat_cells_look_alike(void **unused)
{
    (void)unused;
    compare_shapes((shape){
        .kind = SHAPE_FLAT, .scalar = SHAPE_RANDOM, .n = {9, 9, 6}, .jitter = 0.3});
}

static void degenerate_cells_look_alike(void **unused)
{
    (void)unused;
    compare_shapes(
        (shape){.kind = SHAPE_LATTICE, .scalar = SHAPE_RANDOM, .n = {8, 6, 5}});
}

static void several_blocks_look_alike(void **unused)
{
    (void)unused;
    compare_shapes((shape){.kind = SHAPE_BOX,
                           .scalar = SHAPE_RANDOM,
                           .n = {8, 5, 5},
                           .jitter = 0.25,
                           .split = 3,
                           .turned = true});
}

static void many_bricks_look_alike(void **unused)
{
    (void)unused;
    compare_shapes((shape){
        .kind = SHAPE_BOX, .scalar = SHAPE_RANDOM, .n = {40, 18, 18}, .jitter = 0.3});
}

/* ---- Views ------------------------------------------------------------------------- */

/* Edge functions are zero for all rays: along the lines of the grid, edges look like
 * points; in planes of faces, like points on a line through the ray. */
static void rays_along_grid_lines_look_alike(void **unused)
{
    (void)unused;
    shape box = {.kind = SHAPE_BOX, .scalar = SHAPE_RANDOM, .n = {9, 9, 9}, .seed = 5};
    test_grid grid = shape_create(&box);
    render_transfer *transfer = picture_transfer_ramp(0.1, 1.0);
    for (int n = 0; n < 12; n++) {
        double shift = n / 6 ? 0.0 : 0.0123;
        vec3 from = vec3_make(4.0 + shift, 4.0 + shift, 4.0 + shift), to = from;
        from.v[n % 3] = n / 3 % 2 ? -9.0 : 19.0;
        picture p =
            picture_of(&grid, transfer, picture_view_parallel(from, to, 10.0), SIDE);
        check_within("cells crossed", (uint64_t)n, 1000.0, INFINITY,
                     (double)compare_methods(&p, (uint64_t)n));
    }
    render_transfer_destroy(&transfer);
    test_grid_destroy(&grid);
}

/* A tile has rays that run fastest along all axes, forwards and backwards. */
static void wide_views_from_inside_look_alike(void **unused)
{
    (void)unused;
    int64_t crossings = 0;
    render_transfer *transfer = picture_transfer_ramp(0.1, 1.0);
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        shape box = {.kind = SHAPE_BOX,
                     .scalar = SHAPE_RANDOM,
                     .n = {8, 8, 8},
                     .jitter = 0.3,
                     .seed = seed};
        test_grid grid = shape_create(&box);
        render_view view =
            picture_view_from(vec3_make(3.6, 3.7, 3.8), vec3_make(5.0, 5.1, 5.2), 165.0);
        picture p = picture_of(&grid, transfer, view, 14);
        crossings += compare_methods(&p, seed);
        test_grid_destroy(&grid);
    }
    check_within("cells crossed", 0, 3000.0, INFINITY, (double)crossings);
    render_transfer_destroy(&transfer);
}

static double value_of_cell(const int64_t at[3])
{
    return at[0] % 3 == 1 && at[1] == 2 ? NAN
                                        : 0.1 * (double)((at[0] + at[1] * at[2]) % 10);
}

static void cell_centred_fields_look_alike(void **unused)
{
    (void)unused;
    int64_t crossings = 0;
    render_transfer *transfer = picture_transfer_ramp(0.1, 1.0);
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        uint64_t state = seed;
        shape box = {.kind = SHAPE_BOX, .n = {20, 7, 6}, .jitter = 0.3, .seed = seed};
        test_grid grid = shape_create(&box);
        test_grid_set_cells(&grid, value_of_cell);
        picture p = picture_of(
            &grid, transfer, picture_view_random(&state, shape_center(&grid), 8.0), SIDE);
        crossings += compare_methods(&p, seed);
        test_grid_destroy(&grid);
    }
    check_within("cells crossed", 0, 3000.0, INFINITY, (double)crossings);
    render_transfer_destroy(&transfer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(warped_boxes_look_alike),
        cmocka_unit_test(left_handed_boxes_look_alike),
        cmocka_unit_test(folded_boxes_look_alike),
        cmocka_unit_test(rings_look_alike),
        cmocka_unit_test(poles_look_alike),
        cmocka_unit_test(boxes_with_holes_look_alike),
        cmocka_unit_test(flat_cells_look_alike),
        cmocka_unit_test(degenerate_cells_look_alike),
        cmocka_unit_test(several_blocks_look_alike),
        cmocka_unit_test(many_bricks_look_alike),
        cmocka_unit_test(rays_along_grid_lines_look_alike),
        cmocka_unit_test(wide_views_from_inside_look_alike),
        cmocka_unit_test(cell_centred_fields_look_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
