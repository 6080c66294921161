/*
 * Hard grids with known answers.
 *
 *   test_hard_answers DATA_FOLDER OUT_FOLDER
 *
 * In a uniform medium a pixel's alpha is 1 - exp(-extinction * chord). The chord is
 * known: on plane grids cell by cell (hard_chord.h), on others from the shape.
 */
#include "hard.h"
#include "hard_chord.h"

#include "datasets/sets/orientations.h"
#include "support/random.h"

#include <stdio.h>
#include <string.h>

enum { SIDE = 33 };

/* The tolerance of alpha that karman promises for pictures. */
static const double tolerance = 1e-5;

static const char *folder, *scratch;

static double alpha_of(double extinction, double chord)
{
    return -expm1(-extinction * chord);
}

static reference_ray pixel_ray(const reference_camera *camera, int pixel)
{
    return reference_camera_ray(camera, pixel % camera->columns + 0.5,
                                pixel / camera->columns + 0.5);
}

/* Directions that are not along an axis, all around a point. */
static reference_camera random_camera(uint64_t *state, vec3 center, double size)
{
    vec3 away;
    for (int axis = 0; axis < 3; axis++) {
        away.v[axis] = random_between(state, -1.0, 1.0);
    }
    vec3 eye = vec3_add(center, vec3_scale(vec3_normalize(away), size));
    return random_below(state, 2) ? hard_camera_from(eye, center, 50.0, SIDE)
                                  : hard_camera_along(eye, center, size, SIDE);
}

/* ---- Seams ------------------------------------------------------------------------- */

/* The vertex at this place of a data set of one block, at its own size. */
static vec3 own_vertex(const dataset *set, int64_t i, int64_t j, int64_t k)
{
    return set->vertex(set->size, 0, (const int64_t[3]){i, j, k}).position;
}

static void expect_same(vec3 a, vec3 b, const char *what)
{
    if (memcmp(&a, &b, sizeof a) != 0) {
        fail_msg("%s: (%.17g, %.17g, %.17g) and (%.17g, %.17g, %.17g) are not the same",
                 what, a.v[0], a.v[1], a.v[2], b.v[0], b.v[1], b.v[2]);
    }
}

static void seams_close_bit_by_bit(void **unused)
{
    (void)unused;
    const int64_t *c = dataset_c_grid.size, *o = dataset_o_grid.size;
    for (int64_t i = 0; i < c[0]; i++) {
        vec3 one = own_vertex(&dataset_c_grid, i, 0, 1);
        vec3 other = own_vertex(&dataset_c_grid, c[0] - 1 - i, 0, 1);
        if (one.v[0] > 1.0) { /* behind the airfoil */
            expect_same(one, other, "the wake of c-grid");
            check_near("the wake of c-grid", (uint64_t)i, 0.0, one.v[1], 0.0);
        }
    }
    for (int64_t i = 0; i < o[0]; i++) {
        expect_same(own_vertex(&dataset_o_grid, i, 0, 1),
                    own_vertex(&dataset_o_grid, i, o[1] - 1, 1), "the seam of o-grid");
    }
}

/* ---- Plane grids: seams, slits, a wake --------------------------------------------- */

static reference_grid read_plane_grid(const char *name, const char *field)
{
    char path[1024];
    reference_grid grid;
    snprintf(path, sizeof path, "%s/%s.h5", folder, name);
    assert_int_equal(reference_grid_read(path, 0, field, &grid), STATUS_OK);
    for (int b = 0; b < grid.nblocks; b++) {
        assert_true(hard_chord_applies(&grid.blocks[b]));
    }
    return grid;
}

/* Each pixel lies between the value for one cell at each place and the value for all
 * cells. They are the same unless cells overlap. */
static void check_plane_picture(const reference_grid *grid, const hard_picture *picture,
                                double extinction, const char *what, uint64_t seed)
{
    for (int pixel = 0; pixel < SIDE * SIDE; pixel++) {
        hard_chord chord;
        assert_int_equal(
            hard_chord_measure(grid, pixel_ray(&picture->camera, pixel), &chord),
            STATUS_OK);
        check_within(what, seed, alpha_of(extinction, chord.joined) - tolerance,
                     alpha_of(extinction, chord.sum) + tolerance,
                     hard_alpha(picture, pixel));
    }
}

static void check_plane_view(const reference_grid *grid, const fast_volume *volume,
                             const reference_camera *camera, const char *what,
                             uint64_t seed)
{
    double extinction = 1.0 / hard_diagonal(volume);
    reference_transfer transfer = hard_transfer_constant(extinction);
    hard_picture picture = hard_draw(volume, &transfer, camera, what, seed);
    check_plane_picture(grid, &picture, extinction, what, seed);
    hard_picture_clear(&picture);
}

/* Views from all around, from inside, and within the plane y = 0, which contains the
 * wakes. */
static void check_plane_grid(const char *name, const char *field)
{
    reference_grid grid = read_plane_grid(name, field);
    fast_volume volume = hard_open(folder, name, field);
    box3 bounds = hard_bounds(&volume);
    vec3 center = vec3_scale(vec3_add(bounds.lo, bounds.hi), 0.5);
    double diagonal = hard_diagonal(&volume);
    vec3 beside = vec3_make(bounds.hi.v[0] + 1.0, 0.0, center.v[2]);
    vec3 above = vec3_make(0.7 * bounds.hi.v[0], bounds.hi.v[1] + 1.0, center.v[2]);
    vec3 wake = vec3_make(0.7 * bounds.hi.v[0], 0.0, center.v[2]);
    reference_camera special[] = {
        hard_camera_from(beside, wake, 60.0, SIDE),
        hard_camera_along(beside, wake, 0.5 * diagonal, SIDE),
        hard_camera_along(above, wake, 0.2 * diagonal, SIDE),
        hard_camera_from(wake, above, 90.0, SIDE),
    };
    for (size_t n = 0; n < sizeof special / sizeof special[0]; n++) {
        check_plane_view(&grid, &volume, &special[n], name, n);
    }
    for (uint64_t seed = 1; seed <= 5; seed++) {
        uint64_t state = seed;
        reference_camera camera = random_camera(&state, center, 0.8 * diagonal);
        check_plane_view(&grid, &volume, &camera, name, seed);
    }
    fast_volume_clear(&volume);
    reference_grid_clear(&grid);
}

static void a_wake_that_a_c_grid_folds_around_is_invisible(void **unused)
{
    (void)unused;
    check_plane_grid("c-grid", "wave");
    check_plane_grid("c-grid", "cell_wave");
}

static void a_seam_of_an_o_grid_is_invisible(void **unused)
{
    (void)unused;
    check_plane_grid("o-grid", "wave");
    check_plane_grid("annulus", "constant");
}

static void blocks_without_matching_points_show_their_slits_and_no_more(void **unused)
{
    (void)unused;
    check_plane_grid("mismatched", "wave");
}

/* Straight across the plane: each ray crosses the whole thickness, in the plane of the
 * wake, too. */
static void rays_across_a_c_grid_see_its_thickness(void **unused)
{
    (void)unused;
    fast_volume volume = hard_open(folder, "c-grid", "wave");
    reference_transfer transfer = hard_transfer_constant(1.0);
    reference_camera camera =
        hard_camera_along(vec3_make(2.0, 0.0, 5.0), vec3_make(2.0, 0.0, 0.0), 1.5, SIDE);
    hard_picture picture = hard_draw(&volume, &transfer, &camera, "across", 0);
    for (int pixel = 0; pixel < SIDE * SIDE; pixel++) {
        check_near("across", (uint64_t)pixel, alpha_of(1.0, 1.0),
                   hard_alpha(&picture, pixel), tolerance);
    }
    hard_picture_clear(&picture);
    fast_volume_clear(&volume);
}

/* ---- Boxes ------------------------------------------------------------------------- */

/* Length of a ray in front of the eye in the box from -1 to 1. */
static double box_chord(reference_ray ray)
{
    double from = 0.0, to = INFINITY;
    for (int axis = 0; axis < 3; axis++) {
        double a = (-1.0 - ray.origin.v[axis]) / ray.direction.v[axis];
        double b = (1.0 - ray.origin.v[axis]) / ray.direction.v[axis];
        from = fmax(from, fmin(a, b));
        to = fmin(to, fmax(a, b));
    }
    return fmax(0.0, to - from);
}

/* Inverted cells count negatively, and their neighbours count this volume twice. */
static void cells_turned_inside_out_take_up_no_more_room_than_others(void **unused)
{
    (void)unused;
    fast_volume volume = hard_open(folder, "inverted", "wave");
    assert_true(volume.layout->census.inverted > 100);
    assert_true(volume.layout->census.zero_volume > 0);
    reference_transfer transfer = hard_transfer_constant(0.3);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        uint64_t state = seed;
        reference_camera camera =
            random_camera(&state, vec3_make(0.0, 0.0, 0.0), 2.0 + 0.1 * (double)seed);
        hard_picture picture = hard_draw(&volume, &transfer, &camera, "inverted", seed);
        for (int pixel = 0; pixel < SIDE * SIDE; pixel++) {
            check_near("inverted", seed,
                       alpha_of(0.3, box_chord(pixel_ray(&camera, pixel))),
                       hard_alpha(&picture, pixel), tolerance);
        }
        hard_picture_clear(&picture);
    }
    fast_volume_clear(&volume);
}

/* Whether a cell is drawn: whether its value, or those of all its corners, are finite. */
static bool is_finite_cell(const reference_block *block, int64_t ci, int64_t cj,
                           int64_t ck)
{
    const int64_t *n = block->n;
    if (block->cell_values) {
        return isfinite(block->scalar[ci + (n[0] - 1) * (cj + (n[1] - 1) * ck)]);
    }
    bool finite = true;
    for (int c = 0; c < 8; c++) {
        int64_t i = ci + (c & 1), j = cj + (c >> 1 & 1), k = ck + (c >> 2);
        finite = finite && isfinite(block->scalar[i + n[0] * (j + n[1] * k)]);
    }
    return finite;
}

/* The number of drawn cells in a column along z. */
static int count_finite(const reference_block *block, int64_t i, int64_t j)
{
    int count = 0;
    for (int64_t k = 0; k < block->n[2] - 1; k++) {
        count += is_finite_cell(block, i, j, k);
    }
    return count;
}

/* One ray for each pixel, through the middle of each column of cells. It meets all eight
 * corners: four at its entry into a cell, and four at its exit. */
static void check_columns(const reference_block *block, const hard_picture *picture,
                          const char *field)
{
    int broken = 0, depth = (int)block->n[2] - 1;
    for (int j = 0; j < (int)block->n[1] - 1; j++) {
        for (int i = 0; i < (int)block->n[0] - 1; i++) {
            int finite = count_finite(block, i, j);
            int pixel = (picture->camera.rows - 1 - j) * picture->camera.columns + i;
            check_near(field, (uint64_t)pixel, alpha_of(0.5, 2.0 * finite / depth),
                       hard_alpha(picture, pixel), tolerance);
            broken += depth - finite;
        }
    }
    check_count("cells without a number", 0, broken, picture->counters.nan_cells);
    check_within("cells without a number", 0, 50.0, 2000.0, broken);
}

/* As many cells along x as along y, so that each column is a pixel. */
static void values_that_are_no_numbers_are_transparent(void **unused)
{
    (void)unused;
    const char *const fields[] = {"broken", "cell_broken"};
    const int64_t size[3] = {21, 21, 17};
    hard_write(&dataset_nan_field, size, scratch, "nan-square");
    for (int f = 0; f < 2; f++) {
        char path[1024];
        reference_grid grid;
        snprintf(path, sizeof path, "%s/nan-square.h5", scratch);
        assert_int_equal(reference_grid_read(path, 0, fields[f], &grid), STATUS_OK);
        fast_volume volume = hard_open(scratch, "nan-square", fields[f]);
        reference_transfer transfer = hard_transfer_constant(0.5);
        reference_camera camera = hard_camera_along(vec3_make(0.0, 0.0, 5.0),
                                                    vec3_make(0.0, 0.0, 0.0), 2.0, 20);
        camera.up = vec3_make(0.0, 1.0, 0.0);
        hard_picture picture = hard_draw(&volume, &transfer, &camera, fields[f], 0);
        check_columns(&grid.blocks[0], &picture, fields[f]);
        hard_picture_clear(&picture);
        fast_volume_clear(&volume);
        reference_grid_clear(&grid);
    }
}

/* ---- Thin cells, a ball, far away -------------------------------------------------- */

static void wall_cells_are_of_aspect_ratio_1e4_to_1e6(void **unused)
{
    (void)unused;
    double least = INFINITY, most = 0.0;
    for (int64_t i = 0; i < dataset_wall.size[0] - 1; i++) {
        vec3 at = own_vertex(&dataset_wall, i, 0, 4);
        double length = vec3_length(vec3_sub(own_vertex(&dataset_wall, i + 1, 0, 4), at));
        double height = vec3_length(vec3_sub(own_vertex(&dataset_wall, i, 1, 4), at));
        least = fmin(least, length / height);
        most = fmax(most, length / height);
    }
    check_within("the least aspect ratio", 0, 8e3, 1.2e4, least);
    check_within("the largest aspect ratio", 0, 9e5, 1.5e6, most);
}

/* Down onto the wall, with one pixel for each column of vertices. The length of a ray is
 * the height of the box less that of the wall there. */
static void wall_cells_take_up_the_height_above_the_wall(void **unused)
{
    (void)unused;
    fast_volume volume = hard_open(folder, "wall", "speed");
    reference_transfer transfer = hard_transfer_constant(2.0);
    reference_camera camera = hard_camera_along(
        vec3_make(0.5, 3.0, 0.25), vec3_make(0.5, 0.0, 0.25), 33.0 / 32.0, 33);
    camera.up = vec3_make(0.0, 0.0, 1.0);
    hard_picture picture = hard_draw(&volume, &transfer, &camera, "wall", 0);
    for (int column = 1; column < 32; column++) {
        for (int row = 10; row < 24; row += 2) {
            /* Looking down with z up, x points to the left. */
            vec3 foot = own_vertex(&dataset_wall, 32 - column, 0, (24 - row) / 2);
            check_near("height", (uint64_t)(33 * row + column),
                       alpha_of(2.0, 0.5 - foot.v[1]),
                       hard_alpha(&picture, 33 * row + column), tolerance);
        }
    }
    hard_picture_clear(&picture);
    fast_volume_clear(&volume);
}

static double ball_chord(reference_ray ray, double radius)
{
    double nearest = -vec3_dot(ray.origin, ray.direction);
    vec3 foot = vec3_add(ray.origin, vec3_scale(ray.direction, nearest));
    double square = radius * radius - vec3_dot(foot, foot);
    if (square <= 0.0) {
        return 0.0;
    }
    double half = sqrt(square);
    return fmax(0.0, nearest + half) - fmax(0.0, nearest - half);
}

/* The ball's skin is a polyhedron. It lies between the ball of its vertices and one that
 * is smaller by both sagittas: nothing at the poles or in the middle is missing. */
static void a_ball_has_no_hole_at_its_centre_or_poles(void **unused)
{
    (void)unused;
    const double pi = 3.14159265358979323846;
    fast_volume volume = hard_open(folder, "ball", "wave");
    reference_transfer transfer = hard_transfer_constant(0.5);
    double inner = cos(pi / 36.0) * cos(pi / 36.0);
    for (uint64_t seed = 1; seed <= 16; seed++) {
        uint64_t state = seed;
        vec3 centre = vec3_make(0.0, 0.0, (double)(seed % 3) - 1.0);
        reference_camera camera =
            random_camera(&state, centre, seed % 4 ? 0.5 + 0.2 * (double)seed : 0.6);
        if (seed % 5 == 0) { /* along the axis, and out of the middle */
            camera = hard_camera_from(vec3_make(0.0, 0.0, seed == 10 ? 0.0 : 3.0),
                                      vec3_make(0.0, 0.0, -1.0), 60.0, SIDE);
        }
        hard_picture picture = hard_draw(&volume, &transfer, &camera, "ball", seed);
        for (int pixel = 0; pixel < SIDE * SIDE; pixel++) {
            reference_ray ray = pixel_ray(&camera, pixel);
            check_within("ball", seed, alpha_of(0.5, ball_chord(ray, inner)) - tolerance,
                         alpha_of(0.5, ball_chord(ray, 1.0)) + tolerance,
                         hard_alpha(&picture, pixel));
        }
        hard_picture_clear(&picture);
    }
    fast_volume_clear(&volume);
}

static const vec3 far_centre = {{1e6, -1e6, 1e6}};

static dataset_vertex near_vertex(const int64_t size[3], int block, const int64_t at[3])
{
    dataset_vertex v = dataset_far.vertex(size, block, at);
    v.position = vec3_sub(v.position, far_centre);
    return v;
}

static void near_evaluate(vec3 p, double time, double *out)
{
    dataset_far.evaluate(vec3_add(p, far_centre), time, out);
}

static void a_million_lengths_away_looks_like_here(void **unused)
{
    (void)unused;
    dataset here = dataset_far;
    here.vertex = near_vertex;
    here.evaluate = near_evaluate;
    hard_write(&here, NULL, scratch, "near");
    fast_volume near = hard_open(scratch, "near", "wave");
    fast_volume far = hard_open(folder, "far", "wave");
    reference_transfer transfer = hard_transfer_smooth(hard_diagonal(&near));
    for (uint64_t seed = 1; seed <= 6; seed++) {
        uint64_t state = seed;
        reference_camera camera =
            random_camera(&state, vec3_make(0.1, 0.2, 0.0), seed < 3 ? 0.7 : 4.0);
        hard_picture expected = hard_draw(&near, &transfer, &camera, "near", seed);
        camera.position = vec3_add(camera.position, far_centre);
        camera.look_at = vec3_add(camera.look_at, far_centre);
        hard_picture actual = hard_draw(&far, &transfer, &camera, "far", seed);
        hard_compare(&expected, &actual, tolerance, "far", seed);
        hard_picture_clear(&actual);
        hard_picture_clear(&expected);
    }
    fast_volume_clear(&far);
    fast_volume_clear(&near);
}

/* ---- Orientations ------------------------------------------------------------------ */

/* The whole box of `orientations` as one block, with this orientation. */
static dataset_orientation whole_orientation;

static void whole_size(const int64_t size[3], int block, int64_t n[3])
{
    (void)block;
    dataset_orientation_size(&whole_orientation, size, n);
}

static dataset_vertex whole_vertex(const int64_t size[3], int block, const int64_t at[3])
{
    (void)block;
    int64_t place[3];
    dataset_orientation_place(&whole_orientation, size, at, place);
    return (dataset_vertex){.position = dataset_orientations_point(size, place)};
}

static void write_whole(int orientation)
{
    static const char *const names[] = {"whole"};
    int64_t lattice[3];
    dataset whole = dataset_orientations;
    whole.nblocks = 1;
    whole.block_names = names;
    whole.block_size = whole_size;
    whole.vertex = whole_vertex;
    whole_orientation = dataset_orientation_at(orientation);
    dataset_orientations_lattice(dataset_orientations.size, lattice);
    hard_write(&whole, lattice, scratch, "whole");
}

enum { ORIENTED_FIELDS = 2, ORIENTED_VIEWS = 2 };
static const char *const oriented_fields[] = {"wave", "cell_wave"};

static reference_camera oriented_camera(int view)
{
    return view == 0 ? hard_camera_from(vec3_make(2.1, -3.3, 1.4),
                                        vec3_make(0.0, 0.0, 0.0), 38.0, SIDE)
                     : hard_camera_from(vec3_make(0.13, 0.21, -0.4),
                                        vec3_make(1.0, 0.5, 0.2), 100.0, SIDE);
}

/* Pictures of a file of the box: [ORIENTED_FIELDS][ORIENTED_VIEWS]. */
static void draw_oriented(const char *where, const char *name, uint64_t seed,
                          hard_picture out[ORIENTED_FIELDS][ORIENTED_VIEWS])
{
    for (int f = 0; f < ORIENTED_FIELDS; f++) {
        fast_volume volume = hard_open(where, name, oriented_fields[f]);
        reference_transfer transfer = hard_transfer_smooth(hard_diagonal(&volume));
        for (int view = 0; view < ORIENTED_VIEWS; view++) {
            reference_camera camera = oriented_camera(view);
            out[f][view] = hard_draw(&volume, &transfer, &camera, name, seed);
        }
        fast_volume_clear(&volume);
    }
}

static void clear_oriented(hard_picture pictures[ORIENTED_FIELDS][ORIENTED_VIEWS])
{
    for (int n = 0; n < ORIENTED_FIELDS * ORIENTED_VIEWS; n++) {
        hard_picture_clear(&pictures[n / ORIENTED_VIEWS][n % ORIENTED_VIEWS]);
    }
}

static void compare_oriented(hard_picture a[ORIENTED_FIELDS][ORIENTED_VIEWS],
                             hard_picture b[ORIENTED_FIELDS][ORIENTED_VIEWS],
                             const char *what, uint64_t seed)
{
    for (int n = 0; n < ORIENTED_FIELDS * ORIENTED_VIEWS; n++) {
        int f = n / ORIENTED_VIEWS, view = n % ORIENTED_VIEWS;
        hard_compare(&a[f][view], &b[f][view], tolerance, what, seed);
    }
}

static void all_orientations_of_a_block_look_the_same(void **unused)
{
    (void)unused;
    hard_picture expected[ORIENTED_FIELDS][ORIENTED_VIEWS];
    hard_picture actual[ORIENTED_FIELDS][ORIENTED_VIEWS];
    write_whole(0);
    draw_oriented(scratch, "whole", 0, expected);
    assert_true(hard_alpha(&expected[0][0], SIDE * SIDE / 2) > 0.5);
    for (int orientation = 1; orientation < DATASET_ORIENTATIONS; orientation++) {
        write_whole(orientation);
        draw_oriented(scratch, "whole", (uint64_t)orientation, actual);
        compare_oriented(expected, actual, "an orientation", (uint64_t)orientation);
        clear_oriented(actual);
    }
    clear_oriented(expected);
}

static void blocks_of_all_orientations_look_like_one_block(void **unused)
{
    (void)unused;
    hard_picture expected[ORIENTED_FIELDS][ORIENTED_VIEWS];
    hard_picture actual[ORIENTED_FIELDS][ORIENTED_VIEWS];
    write_whole(0);
    draw_oriented(scratch, "whole", 0, expected);
    draw_oriented(folder, "orientations", 1, actual);
    compare_oriented(expected, actual, "48 blocks", 1);
    clear_oriented(actual);
    clear_oriented(expected);
}

static int sign_of(const dataset_orientation *o)
{
    int sign = 1;
    for (int a = 0; a < 3; a++) {
        sign = o->reversed[a] ? -sign : sign;
        for (int b = 0; b < a; b++) {
            sign = o->along[b] > o->along[a] ? -sign : sign;
        }
    }
    return sign;
}

static void half_of_the_48_orientations_are_right_handed(void **unused)
{
    (void)unused;
    int right = 0, different = 0;
    for (int a = 0; a < DATASET_ORIENTATIONS; a++) {
        dataset_orientation o = dataset_orientation_at(a);
        right += sign_of(&o) > 0;
        for (int b = 0; b < a; b++) {
            dataset_orientation other = dataset_orientation_at(b);
            bool same = memcmp(o.along, other.along, sizeof o.along) == 0 &&
                        memcmp(o.reversed, other.reversed, sizeof o.reversed) == 0;
            different += !same;
        }
    }
    assert_int_equal(right, 24);
    assert_int_equal(different, 48 * 47 / 2);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seams_close_bit_by_bit),
        cmocka_unit_test(a_wake_that_a_c_grid_folds_around_is_invisible),
        cmocka_unit_test(a_seam_of_an_o_grid_is_invisible),
        cmocka_unit_test(blocks_without_matching_points_show_their_slits_and_no_more),
        cmocka_unit_test(rays_across_a_c_grid_see_its_thickness),
        cmocka_unit_test(cells_turned_inside_out_take_up_no_more_room_than_others),
        cmocka_unit_test(values_that_are_no_numbers_are_transparent),
        cmocka_unit_test(wall_cells_are_of_aspect_ratio_1e4_to_1e6),
        cmocka_unit_test(wall_cells_take_up_the_height_above_the_wall),
        cmocka_unit_test(a_ball_has_no_hole_at_its_centre_or_poles),
        cmocka_unit_test(a_million_lengths_away_looks_like_here),
        cmocka_unit_test(half_of_the_48_orientations_are_right_handed),
        cmocka_unit_test(all_orientations_of_a_block_look_the_same),
        cmocka_unit_test(blocks_of_all_orientations_look_like_one_block),
    };
    if (argc != 3) {
        fprintf(stderr, "usage: test_hard_answers DATA_FOLDER OUT_FOLDER\n");
        return 2;
    }
    folder = argv[1];
    scratch = argv[2];
    MPI_Init(NULL, NULL);
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    MPI_Finalize();
    return failures;
}
