/* Grids and views that break ray casters: no ray may be lost on any of them. */
#include "check.h"
#include "picture.h"
#include "shape.h"

#include "support/random.h"

#include <string.h>

enum { SIDE = 16 };

/* A point of a random cell of the first brick: its lowest corner, the middle of an edge,
 * of a diagonal of a face, or of the cell. */
static vec3 point_of_grid(uint64_t *state, const test_grid *grid)
{
    const grid_brick *brick = &grid->store->bricks[0];
    const int *n = brick->place.n;
    int row = n[0] + 1, plane = row * (n[1] + 1);
    int lowest = random_below(state, n[0]) + row * random_below(state, n[1]) +
                 plane * random_below(state, n[2]);
    int other = lowest;
    switch (random_below(state, 4)) {
    case 0:
        break;
    case 1:
        other += 1;
        break;
    case 2:
        other += 1 + row;
        break;
    default:
        other += 1 + row + plane;
    }
    vec3 point;
    for (int axis = 0; axis < 3; axis++) {
        double a = (double)brick->vertex[lowest][axis],
               b = (double)brick->vertex[other][axis];
        point.v[axis] = 0.5 * (a + b);
    }
    return point;
}

/* A direction along an axis or with small integer components. */
static vec3 even_direction(uint64_t *state)
{
    for (;;) {
        vec3 v = vec3_make(random_below(state, 3) - 1, random_below(state, 3) - 1,
                           random_below(state, 3) - 1);
        if (vec3_length(v) > 0.0) {
            return v;
        }
    }
}

/* One in three any view, one in three from a point of the grid, one in three parallel and
 * even, through a point of the grid in the middle pixel. */
static render_view hostile_view(uint64_t *state, const test_grid *grid)
{
    double radius = shape_radius(grid);
    vec3 at = point_of_grid(state, grid);
    vec3 along = even_direction(state);
    switch (random_below(state, 3)) {
    case 0:
        return picture_view_random(state, shape_center(grid), radius);
    case 1:
        return picture_view_from(at, vec3_add(at, along),
                                 random_between(state, 40.0, 150.0));
    default:
        return picture_view_parallel(vec3_sub(at, vec3_scale(along, 64.0)), at,
                                     SIDE + 1.0);
    }
}

static void check_shape(const shape *wanted, const render_transfer *transfer,
                        uint64_t seed)
{
    uint64_t state = seed;
    test_grid grid = shape_create(wanted);
    for (int n = 0; n < 3; n++) {
        picture p = picture_of(&grid, transfer, hostile_view(&state, &grid), SIDE + 1);
        picture_check_sound(&p, seed);
    }
    test_grid_destroy(&grid);
}

/* Any shape, sound, warped or inverted. */
static shape random_shape(uint64_t seed)
{
    uint64_t state = seed * 31 + 7;
    const double jitters[] = {0.0, 0.3, 1.2, 5.0};
    shape any = {.kind = (shape_kind)random_below(&state, 5),
                 .scalar = (shape_scalar)random_below(&state, 3),
                 .seed = seed,
                 .jitter = jitters[random_below(&state, 4)],
                 .mirrored = random_below(&state, 2) == 0,
                 .has_hole = random_below(&state, 3) == 0};
    for (int axis = 0; axis < 3; axis++) {
        any.n[axis] = 4 + random_below(&state, 3);
    }
    return any;
}

/* ---- Any grid, any view ------------------------------------------------------------ */

static void no_ray_is_lost_on_any_grid(void **unused)
{
    (void)unused;
    render_transfer *transfer = picture_transfer_ramp(0.01, 0.3);
    for (uint64_t seed = 1; seed <= 200; seed++) {
        shape any = random_shape(seed);
        check_shape(&any, transfer, seed);
    }
    render_transfer_destroy(&transfer);
}

static void dense_inverted_grids_stay_finite(void **unused)
{
    (void)unused;
    render_transfer *transfer = picture_transfer_ramp(100.0, 900.0);
    for (uint64_t seed = 1; seed <= 60; seed++) {
        shape any = random_shape(seed);
        any.jitter = 1.2;
        check_shape(&any, transfer, seed);
    }
    render_transfer_destroy(&transfer);
}

static void degenerate_lattices_lose_no_ray(void **unused)
{
    (void)unused;
    render_transfer *transfer = picture_transfer_ramp(0.01, 0.3);
    for (uint64_t seed = 1; seed <= 150; seed++) {
        shape lattice = {.kind = SHAPE_LATTICE,
                         .scalar = SHAPE_RANDOM,
                         .n = {2 + (int64_t)(seed % 4), 3, 2 + (int64_t)(seed % 3)},
                         .seed = seed};
        check_shape(&lattice, transfer, seed);
    }
    render_transfer_destroy(&transfer);
}

static bool centered_vertex(int block, const int64_t at[3], const int64_t n[3],
                            double xyz[3], double *scalar)
{
    (void)block;
    for (int axis = 0; axis < 3; axis++) {
        xyz[axis] = (double)(at[axis] - n[axis] / 2);
    }
    *scalar = 0.5;
    return true;
}

static void directions_with_vanishing_components_lose_no_ray(void **unused)
{
    (void)unused;
    render_transfer *transfer = picture_transfer_ramp(0.01, 0.3);
    const int64_t vertices[1][3] = {{5, 5, 5}};
    test_grid grid = test_grid_create(1, vertices, centered_vertex);
    for (uint64_t seed = 1; seed <= 300; seed++) {
        uint64_t state = seed;
        /* Products of such components are below the smallest double. */
        double tiny = pow(10.0, random_between(&state, -320.0, -5.0));
        double x = random_between(&state, -tiny, tiny),
               y = random_between(&state, -tiny, tiny);
        vec3 eye = vec3_make(x, y, random_below(&state, 2) ? 5.0 : -5.0);
        vec3 target = vec3_make(random_between(&state, -tiny, tiny),
                                random_between(&state, -tiny, tiny), 0.0);
        picture p =
            picture_of(&grid, transfer, picture_view_parallel(eye, target, 5.0), 5);
        picture_check_sound(&p, seed);
    }
    test_grid_destroy(&grid);
    render_transfer_destroy(&transfer);
}

/* A box of which some coordinates are random bits, like memory that nobody has written.
 */
static uint64_t wild_state;

static bool wild_vertex(int block, const int64_t at[3], const int64_t n[3], double xyz[3],
                        double *scalar)
{
    centered_vertex(block, at, n, xyz, scalar);
    for (int axis = 0; axis < 3; axis++) {
        const uint32_t bits = (uint32_t)random_bits(&wild_state);
        float any;
        memcpy(&any, &bits, sizeof any);
        if (random_below(&wild_state, 6) == 0) {
            xyz[axis] = (double)any;
        }
    }
    return true;
}

static void memory_that_nobody_has_written_is_drawn_in_the_end(void **unused)
{
    (void)unused;
    render_transfer *transfer = picture_transfer_ramp(0.01, 0.3);
    const int64_t vertices[1][3] = {{9, 9, 9}};
    for (uint64_t seed = 1; seed <= 200; seed++) {
        wild_state = seed;
        test_grid grid = test_grid_create(1, vertices, wild_vertex);
        const vec3 eye = vec3_make(20.0, random_between(&wild_state, -9.0, 9.0), 5.0);
        const vec3 middle = vec3_make(0.0, 0.0, 0.0);
        picture p =
            picture_of(&grid, transfer, picture_view_parallel(eye, middle, 10.0), SIDE);
        picture_check_sound(&p, seed);
        test_grid_destroy(&grid);
    }
    render_transfer_destroy(&transfer);
}

static void an_eye_a_hair_off_a_vertex_loses_no_ray(void **unused)
{
    (void)unused;
    render_transfer *transfer = picture_transfer_ramp(0.01, 0.3);
    const int64_t vertices[1][3] = {{5, 5, 5}};
    test_grid grid = test_grid_create(1, vertices, centered_vertex);
    for (uint64_t seed = 1; seed <= 100; seed++) {
        uint64_t state = seed;
        double tiny = pow(10.0, random_between(&state, -320.0, -5.0));
        vec3 eye = vec3_scale(even_direction(&state), tiny);
        picture p = picture_of(
            &grid, transfer, picture_view_from(eye, even_direction(&state), 100.0), SIDE);
        picture_check_sound(&p, seed);
    }
    test_grid_destroy(&grid);
    render_transfer_destroy(&transfer);
}

/* ---- Rays exactly along grid lines ------------------------------------------------- */

/* Whether the optical depth is that of some whole number of cells' thickness. */
static void check_depth_is_one_of(uint64_t seed, double depth, const double *allowed,
                                  int count)
{
    for (int n = 0; n < count; n++) {
        if (fabs(depth - allowed[n]) < 1e-6) {
            return;
        }
    }
    fail_msg("optical depth %.9g is neither nothing nor the whole grid (view %llu)",
             depth, (unsigned long long)seed);
}

static void rays_along_grid_lines_cross_the_whole_grid(void **unused)
{
    (void)unused;
    render_transfer *transfer = picture_transfer_constant(0.25);
    shape box = {.kind = SHAPE_BOX, .n = {5, 5, 5}};
    test_grid grid = shape_create(&box);
    for (int n = 0; n < 6; n++) {
        vec3 eye = vec3_make(2.0, 2.0, 2.0);
        eye.v[n / 2] = n % 2 ? 20.0 : -20.0;
        /* Half a unit a pixel: every other ray runs along a line of vertices, the others
         * within faces. 9 x 9 rays meet the grid, the outer ones along its boundary. */
        picture p =
            picture_of(&grid, transfer,
                       picture_view_parallel(eye, vec3_make(2.0, 2.0, 2.0), 5.5), 11);
        render_counters counters;
        image *img = picture_draw(&p, &counters);
        for (int row = 0; row < 11; row++) {
            for (int column = 0; column < 11; column++) {
                bool inside = row > 1 && row < 9 && column > 1 && column < 9;
                const double allowed[2] = {1.0, 0.0};
                check_depth_is_one_of((uint64_t)n,
                                      picture_optical_depth(img, column, row), allowed,
                                      inside ? 1 : 2);
            }
        }
        check_count("lost rays", (uint64_t)n, 0, counters.lost_rays);
        image_destroy(&img);
    }
    test_grid_destroy(&grid);
    render_transfer_destroy(&transfer);
}

static void adjacent_grids_share_the_rays_along_their_boundary(void **unused)
{
    (void)unused;
    render_transfer *transfer = picture_transfer_constant(0.25);
    shape whole = {.kind = SHAPE_BOX, .n = {5, 5, 5}};
    shape halves = whole;
    halves.split = 2;
    test_grid grid = shape_create(&halves);
    for (int n = 0; n < 4; n++) { /* along y and z: edge-on to the shared plane */
        vec3 eye = vec3_make(2.0, 2.0, 2.0);
        eye.v[1 + n / 2] = n % 2 ? 20.0 : -20.0;
        picture p =
            picture_of(&grid, transfer,
                       picture_view_parallel(eye, vec3_make(2.0, 2.0, 2.0), 3.5), 7);
        render_counters counters;
        image *img = picture_draw(&p, &counters);
        for (int pixel = 0; pixel < 49; pixel++) {
            check_near("optical depth", (uint64_t)n, 1.0,
                       picture_optical_depth(img, pixel % 7, pixel / 7), 1e-6);
        }
        image_destroy(&img);
    }
    test_grid_destroy(&grid);
    render_transfer_destroy(&transfer);
}

static void every_direction_from_a_vertex_sees_its_chord(void **unused)
{
    (void)unused;
    render_transfer *transfer = picture_transfer_constant(0.25);
    shape box = {.kind = SHAPE_BOX, .n = {5, 5, 5}};
    test_grid grid = shape_create(&box);
    picture p = picture_of(
        &grid, transfer,
        picture_view_from(vec3_make(2.0, 2.0, 2.0), vec3_make(3.0, 2.0, 2.0), 90.0), 41);
    render_counters counters;
    image *img = picture_draw(&p, &counters);
    render_camera camera = picture_camera(&p);
    for (int pixel = 0; pixel < 41 * 41; pixel++) {
        vec3 along = render_camera_ray(&camera, pixel % 41, pixel / 41).direction;
        /* All rays of a right angle leave through the side in front, 2 units away. */
        check_near("optical depth", 0, 0.25 * 2.0 / along.v[0],
                   picture_optical_depth(img, pixel % 41, pixel / 41), 1e-6);
    }
    check_count("lost rays", 0, 0, counters.lost_rays);
    image_destroy(&img);
    test_grid_destroy(&grid);
    render_transfer_destroy(&transfer);
}

/* ---- Cells without thickness ------------------------------------------------------- */

static void flat_cells_are_seen_in_their_true_thickness(void **unused)
{
    (void)unused;
    render_transfer *transfer = picture_transfer_constant(1e5);
    shape flat = {.kind = SHAPE_FLAT, .n = {6, 6, 6}};
    test_grid grid = shape_create(&flat);
    for (int n = 0; n < 5; n++) {
        vec3 middle = vec3_make(2.6, 2.4, 0.0);
        vec3 eye = vec3_add(middle, vec3_make(0.5 * n, 0.3 * n, 3.0));
        picture p =
            picture_of(&grid, transfer, picture_view_parallel(eye, middle, 1.0), SIDE);
        render_counters counters;
        image *img = picture_draw(&p, &counters);
        vec3 along = picture_camera(&p).forward;
        for (int pixel = 0; pixel < SIDE * SIDE; pixel++) {
            /* Coordinates near 1e-6 have float precision, and t that of doubles near 3.
             */
            check_near("optical depth", (uint64_t)n, 1e5 * 5e-6 / fabs(along.v[2]),
                       picture_optical_depth(img, pixel % SIDE, pixel / SIDE), 1e-6);
        }
        check_count("lost rays", (uint64_t)n, 0, counters.lost_rays);
        image_destroy(&img);
    }
    test_grid_destroy(&grid);
    render_transfer_destroy(&transfer);
}

static bool pinched_vertex(int block, const int64_t at[3], const int64_t n[3],
                           double xyz[3], double *scalar)
{
    (void)block;
    (void)n;
    for (int axis = 0; axis < 3; axis++) {
        xyz[axis] = (double)at[axis];
    }
    if (at[0] == 1 && at[1] == 1) {
        xyz[1] = 0.0; /* onto the vertex below: two of each plane are the same point */
    }
    *scalar = 0.0;
    return true;
}

static void a_cell_with_vertices_in_one_place_is_a_wedge(void **unused)
{
    (void)unused;
    render_transfer *transfer = picture_transfer_constant(0.5);
    const int64_t n[1][3] = {{2, 2, 2}};
    test_grid grid = test_grid_create(1, n, pinched_vertex);
    /* Along y: the wedge is as thick as x is far from 1. */
    picture p = picture_of(
        &grid, transfer,
        picture_view_parallel(vec3_make(0.5, -5.0, 0.5), vec3_make(0.5, 0.0, 0.5), 1.0),
        SIDE);
    render_counters counters;
    image *img = picture_draw(&p, &counters);
    render_camera camera = picture_camera(&p);
    for (int pixel = 0; pixel < SIDE * SIDE; pixel++) {
        vec3 from = render_camera_ray(&camera, pixel % SIDE, pixel / SIDE).origin;
        check_near("optical depth", 0, 0.5 * (1.0 - from.v[0]),
                   picture_optical_depth(img, pixel % SIDE, pixel / SIDE), 1e-6);
    }
    check_count("lost rays", 0, 0, counters.lost_rays);
    image_destroy(&img);
    test_grid_destroy(&grid);
    render_transfer_destroy(&transfer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_ray_is_lost_on_any_grid),
        cmocka_unit_test(dense_inverted_grids_stay_finite),
        cmocka_unit_test(degenerate_lattices_lose_no_ray),
        cmocka_unit_test(directions_with_vanishing_components_lose_no_ray),
        cmocka_unit_test(memory_that_nobody_has_written_is_drawn_in_the_end),
        cmocka_unit_test(an_eye_a_hair_off_a_vertex_loses_no_ray),
        cmocka_unit_test(rays_along_grid_lines_cross_the_whole_grid),
        cmocka_unit_test(adjacent_grids_share_the_rays_along_their_boundary),
        cmocka_unit_test(every_direction_from_a_vertex_sees_its_chord),
        cmocka_unit_test(flat_cells_are_seen_in_their_true_thickness),
        cmocka_unit_test(a_cell_with_vertices_in_one_place_is_a_wedge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
