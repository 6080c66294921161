/* The volume renderer, where the answer is known. */
#include "check.h"
#include "picture.h"
#include "shape.h"

#include "support/random.h"

enum { SIDE = 24 };

/* ---- Chords of boxes --------------------------------------------------------------- */

/* The part of a ray in front of the viewer that lies in the box, from t[0] to t[1]. */
static bool find_chord(const render_ray *ray, box3 box, double t[2])
{
    t[0] = 0.0;
    t[1] = INFINITY;
    for (int axis = 0; axis < 3; axis++) {
        double a = (box.lo.v[axis] - ray->origin.v[axis]) / ray->direction.v[axis];
        double b = (box.hi.v[axis] - ray->origin.v[axis]) / ray->direction.v[axis];
        t[0] = fmax(t[0], fmin(a, b));
        t[1] = fmin(t[1], fmax(a, b));
    }
    return t[0] < t[1];
}

static double chord_length(const render_ray *ray, box3 box)
{
    double t[2];
    return find_chord(ray, box, t) ? t[1] - t[0] : 0.0;
}

/* A box whose inner vertices are jittered: its outside is exact. */
static shape even_box(uint64_t seed)
{
    return (shape){.kind = SHAPE_BOX,
                   .n = {6, 5, 4},
                   .seed = seed,
                   .jitter = 0.3,
                   .boundary_is_even = true};
}

/* The outside of a box; inner vertices may lie beyond it. */
static box3 outside(const shape *box)
{
    return (box3){
        {{0}},
        vec3_make((double)box->n[0] - 1, (double)box->n[1] - 1, (double)box->n[2] - 1)};
}

static void check_alpha_within(const image *img, int column, int row, double depth,
                               uint64_t seed, double tolerance)
{
    const float *pixel = img->rgba + 4 * ((int64_t)row * img->width + column);
    check_near("alpha", seed, -expm1(-depth), (double)pixel[3], tolerance);
}

static void check_alpha(const image *img, int column, int row, double depth,
                        uint64_t seed)
{
    check_alpha_within(img, column, row, depth, seed, 4e-6);
}

/* Draws with this extinction and compares with the chords of a box, less those of the
 * hole where there is one (else NULL). */
static void check_chords(const picture *p, double extinction, box3 box, const box3 *hole,
                         uint64_t seed)
{
    render_counters counters;
    image *img = picture_draw(p, &counters);
    render_camera camera = picture_camera(p);
    for (int row = 0; row < p->height; row++) {
        for (int column = 0; column < p->width; column++) {
            render_ray ray = render_camera_ray(&camera, column, row);
            double length = chord_length(&ray, box);
            length -= hole ? chord_length(&ray, *hole) : 0.0;
            check_alpha(img, column, row, extinction * length, seed);
        }
    }
    check_count("lost rays", seed, 0, counters.lost_rays);
    image_destroy(&img);
}

static void a_constant_field_has_the_opacity_of_the_chord(void **unused)
{
    (void)unused;
    render_transfer *transfer = picture_transfer_constant(0.3);
    for (uint64_t seed = 1; seed <= 30; seed++) {
        uint64_t state = seed;
        shape box = even_box(seed);
        test_grid grid = shape_create(&box);
        render_view view =
            picture_view_random(&state, shape_center(&grid), shape_radius(&grid));
        picture p = picture_of(&grid, transfer, view, SIDE);
        check_chords(&p, 0.3, outside(&box), NULL, seed);
        test_grid_destroy(&grid);
    }
    render_transfer_destroy(&transfer);
}

static void inverted_cells_take_back_what_others_count_twice(void **unused)
{
    (void)unused;
    render_transfer *transfer = picture_transfer_constant(0.3);
    for (uint64_t seed = 1; seed <= 30; seed++) {
        uint64_t state = seed;
        shape box = even_box(seed);
        box.jitter = 1.2;
        test_grid grid = shape_create(&box);
        render_view view =
            picture_view_random(&state, shape_center(&grid), shape_radius(&grid));
        picture p = picture_of(&grid, transfer, view, SIDE);
        check_chords(&p, 0.3, outside(&box), NULL, seed);
        test_grid_destroy(&grid);
    }
    render_transfer_destroy(&transfer);
}

static void a_blanked_vertex_makes_a_hole(void **unused)
{
    (void)unused;
    render_transfer *transfer = picture_transfer_constant(0.3);
    for (uint64_t seed = 1; seed <= 30; seed++) {
        uint64_t state = seed;
        shape box = {.kind = SHAPE_BOX, .n = {7, 6, 5}, .has_hole = true};
        test_grid grid = shape_create(&box);
        vec3 middle = vec3_make(3.0, 3.0, 2.0), cells = vec3_make(1.0, 1.0, 1.0);
        box3 hole = {vec3_sub(middle, cells), vec3_add(middle, cells)};
        render_view view = picture_view_random(&state, middle, shape_radius(&grid));
        if (seed % 3 == 0) {
            view.position = vec3_add(middle, vec3_make(0.1, -0.2, 0.3));
        }
        picture p = picture_of(&grid, transfer, view, SIDE);
        check_chords(&p, 0.3, outside(&box), &hole, seed);
        test_grid_destroy(&grid);
    }
    render_transfer_destroy(&transfer);
}

/* Scalar of SHAPE_LINEAR where a ray is at t. */
static double linear_scalar(const render_ray *ray, double t)
{
    vec3 at = vec3_add(ray->origin, vec3_scale(ray->direction, t));
    return (at.v[0] + 2.0 * at.v[1] + 3.0 * at.v[2]) / 40.0;
}

static void check_linear_field(render_style style, double tolerance)
{
    render_transfer *transfer = picture_transfer_ramp(0.1, 0.7);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        uint64_t state = seed;
        shape box = even_box(seed);
        test_grid grid = shape_create(&box);
        render_view view =
            picture_view_random(&state, shape_center(&grid), shape_radius(&grid));
        picture p = picture_of(&grid, transfer, view, SIDE);
        p.style = style;
        render_counters counters;
        image *img = picture_draw(&p, &counters);
        render_camera camera = picture_camera(&p);
        for (int pixel = 0; pixel < SIDE * SIDE; pixel++) {
            render_ray ray = render_camera_ray(&camera, pixel % SIDE, pixel / SIDE);
            double t[2], depth = 0.0;
            if (find_chord(&ray, grid.layout->bounds, t)) {
                double mean =
                    0.5 * (linear_scalar(&ray, t[0]) + linear_scalar(&ray, t[1]));
                depth = (t[1] - t[0]) * (0.1 + 0.6 * mean);
            }
            check_alpha_within(img, pixel % SIDE, pixel / SIDE, depth, seed, tolerance);
        }
        image_destroy(&img);
        test_grid_destroy(&grid);
    }
    render_transfer_destroy(&transfer);
}

static void a_linear_field_has_the_mean_extinction_of_its_ends(void **unused)
{
    (void)unused;
    /* The scalar is bilinear in the indices of a face, the face itself two triangles:
     * where a face is no parallelogram, that differs a little. */
    check_linear_field((render_style){.trilinear = false}, 1e-2);
    check_linear_field((render_style){.quadratic = true}, 1e-2);
    check_linear_field((render_style){.trilinear = true}, 2e-3);
}

static void depth_is_where_the_ray_first_meets_the_grid(void **unused)
{
    (void)unused;
    render_transfer *transfer = picture_transfer_constant(0.3);
    for (uint64_t seed = 1; seed <= 10; seed++) {
        uint64_t state = seed;
        shape box = even_box(seed);
        test_grid grid = shape_create(&box);
        render_view view =
            picture_view_random(&state, shape_center(&grid), shape_radius(&grid));
        picture p = picture_of(&grid, transfer, view, SIDE);
        render_counters counters;
        image *img = picture_draw(&p, &counters);
        render_camera camera = picture_camera(&p);
        for (int pixel = 0; pixel < SIDE * SIDE; pixel++) {
            render_ray ray = render_camera_ray(&camera, pixel % SIDE, pixel / SIDE);
            double t[2], along = vec3_dot(ray.direction, camera.forward);
            if (find_chord(&ray, grid.layout->bounds, t)) {
                check_near("depth", seed, t[0] * along, (double)img->depth[pixel], 1e-5);
            } else {
                assert_true(isinf(img->depth[pixel]));
            }
        }
        image_destroy(&img);
        test_grid_destroy(&grid);
    }
    render_transfer_destroy(&transfer);
}

/* ---- Other ways of saying the same ------------------------------------------------- */

static void a_left_handed_block_looks_the_same(void **unused)
{
    (void)unused;
    render_transfer *transfer = picture_transfer_ramp(0.1, 0.7);
    for (uint64_t seed = 1; seed <= 10; seed++) {
        uint64_t state = seed;
        shape one = {
            .kind = SHAPE_BOX, .scalar = SHAPE_RANDOM, .n = {6, 5, 4}, .seed = seed};
        one.jitter = 0.3;
        shape other = one;
        other.mirrored = true;
        test_grid right = shape_create(&one), left = shape_create(&other);
        assert_true(left.layout->blocks[0].left_handed &&
                    !right.layout->blocks[0].left_handed);
        picture p =
            picture_of(&right, transfer,
                       picture_view_random(&state, shape_center(&right), 4.0), SIDE);
        picture q = p;
        q.grid = &left;
        render_counters counters;
        image *a = picture_draw(&p, &counters), *b = picture_draw(&q, &counters);
        picture_compare("left-handed", seed, a, b, 1e-6);
        image_destroy(&a);
        image_destroy(&b);
        test_grid_destroy(&right);
        test_grid_destroy(&left);
    }
    render_transfer_destroy(&transfer);
}

static double cell_value(const int64_t at[3])
{
    return (double)(at[0] + 10 * at[1] + 3 * at[2]) / 64.0;
}

static void values_of_cells_are_constant_within_them(void **unused)
{
    (void)unused;
    shape box = {.kind = SHAPE_BOX, .n = {5, 4, 3}};
    test_grid grid = shape_create(&box);
    test_grid_set_cells(&grid, cell_value);
    render_transfer *transfer = picture_transfer_ramp(0.0, 1.0);
    /* Along x, one ray through the middle of every row of cells. */
    render_view view =
        picture_view_parallel(vec3_make(-2.0, 1.5, 1.5), vec3_make(0.0, 1.5, 1.5), 3.0);
    picture p = picture_of(&grid, transfer, view, 3);
    render_counters counters;
    image *img = picture_draw(&p, &counters);
    render_camera camera = picture_camera(&p);
    for (int pixel = 0; pixel < 9; pixel++) {
        render_ray ray = render_camera_ray(&camera, pixel % 3, pixel / 3);
        double depth = 0.0;
        for (int i = 0; i < 4; i++) {
            int64_t at[3] = {i, (int64_t)floor(ray.origin.v[1]),
                             (int64_t)floor(ray.origin.v[2])};
            depth += at[2] < 2 ? cell_value(at) : 0.0;
        }
        check_alpha(img, pixel % 3, pixel / 3, depth, 0);
    }
    check_count("crossings", 0, 4 * 6, counters.crossings);
    image_destroy(&img);
    render_transfer_destroy(&transfer);
    test_grid_destroy(&grid);
}

/* ---- Scalars that are not numbers -------------------------------------------------- */

static float bad_scalar;

static bool vertex_with_a_bad_scalar(int block, const int64_t at[3], const int64_t n[3],
                                     double xyz[3], double *scalar)
{
    (void)block;
    bool is_bad = at[0] == n[0] - 1;
    for (int axis = 0; axis < 3; axis++) {
        xyz[axis] = (double)at[axis];
    }
    *scalar = is_bad ? (double)bad_scalar : 0.5;
    return true;
}

static void cells_whose_scalar_is_not_a_number_are_clear_and_counted(void **unused)
{
    (void)unused;
    render_transfer *transfer = picture_transfer_ramp(0.5, 0.5);
    const float scalars[] = {NAN, INFINITY, -INFINITY};
    for (int n = 0; n < 6; n++) {
        const int64_t vertices[1][3] = {{4, 3, 3}};
        bad_scalar = scalars[n % 3];
        test_grid grid = test_grid_create(1, vertices, vertex_with_a_bad_scalar);
        /* Beside the diagonals of faces, where 0 * infinity would be not a number anyway.
         */
        render_view view = picture_view_parallel(vec3_make(-2.0, 1.1, 1.0),
                                                 vec3_make(0.0, 1.1, 1.0), 2.0);
        picture p = picture_of(&grid, transfer, view, 2);
        p.style.trilinear = n >= 3; /* of several segments a cell, which counts once */
        render_counters counters;
        image *img = picture_draw(&p, &counters);
        check_alpha(img, 0, 0, 0.5 * 2.0, (uint64_t)n);
        check_count("cells that are not numbers", (uint64_t)n, 4, counters.nan_cells);
        image_destroy(&img);
        test_grid_destroy(&grid);
    }
    render_transfer_destroy(&transfer);
}

/* ---- Small and empty pictures ------------------------------------------------------ */

static void one_pixel_of_one_cell_is_drawn(void **unused)
{
    (void)unused;
    shape cell = {.kind = SHAPE_BOX, .n = {2, 2, 2}};
    test_grid grid = shape_create(&cell);
    render_transfer *transfer = picture_transfer_constant(0.7);
    render_view view =
        picture_view_from(vec3_make(0.4, 0.6, -3.0), vec3_make(0.4, 0.6, 0.0), 30.0);
    picture p = picture_of(&grid, transfer, view, 1);
    render_counters counters;
    image *img = picture_draw(&p, &counters);
    check_alpha(img, 0, 0, 0.7, 0);
    check_count("rays", 0, 1, counters.rays);
    check_count("crossings", 0, 1, counters.crossings);
    image_destroy(&img);
    render_transfer_destroy(&transfer);
    test_grid_destroy(&grid);
}

static void nothing_is_seen_with_the_back_to_the_grid(void **unused)
{
    (void)unused;
    shape box = even_box(1);
    test_grid grid = shape_create(&box);
    render_transfer *transfer = picture_transfer_constant(0.7);
    vec3 position = vec3_make(20.0, 2.0, 2.0), away = vec3_make(30.0, 2.0, 2.0);
    render_view views[2] = {picture_view_from(position, away, 90.0),
                            picture_view_parallel(position, away, 6.0)};
    for (int n = 0; n < 2; n++) {
        picture p = picture_of(&grid, transfer, views[n], SIDE);
        render_counters counters;
        image *img = picture_draw(&p, &counters);
        for (int64_t i = 0; i < 4 * image_pixel_count(img); i++) {
            check_near("a channel", 0, 0.0, (double)img->rgba[i], 0.0);
        }
        check_count("crossings", 0, 0, counters.crossings);
        image_destroy(&img);
    }
    render_transfer_destroy(&transfer);
    test_grid_destroy(&grid);
}

static void a_clip_box_beside_the_grid_shows_nothing(void **unused)
{
    (void)unused;
    shape box = even_box(1);
    test_grid grid = shape_create(&box);
    render_transfer *transfer = picture_transfer_constant(0.7);
    picture p = picture_of(
        &grid, transfer,
        picture_view_from(vec3_make(-9.0, 2.0, 2.0), vec3_make(0.0, 2.0, 2.0), 60.0),
        SIDE);
    p.clip.lo.v[0] = 100.0;
    render_counters counters;
    image *img = picture_draw(&p, &counters);
    assert_true(pixel_rect_is_empty(img->active));
    check_count("rays", 0, 0, counters.rays);
    image_destroy(&img);
    render_transfer_destroy(&transfer);
    test_grid_destroy(&grid);
}

/* ---- Cost of tiles ----------------------------------------------------------------- */

/* Whether some pixel of a tile of the picture shows something. */
static bool tile_shows(const image *img, int column, int row)
{
    for (int y = row * FRAGMENTS_TILE; y < (row + 1) * FRAGMENTS_TILE; y++) {
        for (int x = column * FRAGMENTS_TILE; x < (column + 1) * FRAGMENTS_TILE; x++) {
            if (y < img->height && x < img->width &&
                img->rgba[4 * ((int64_t)y * img->width + x) + 3] > 0.0f) {
                return true;
            }
        }
    }
    return false;
}

static void check_tiles(const picture *p, const image *img, const double *seconds,
                        uint64_t seed)
{
    const int columns = (p->width + FRAGMENTS_TILE - 1) / FRAGMENTS_TILE;
    int shown = 0;
    for (int row = 0; row < columns; row++) {
        for (int column = 0; column < columns; column++) {
            const bool shows = tile_shows(img, column, row);
            shown += shows;
            if (shows != (seconds[row * columns + column] > 0.0)) {
                fail_msg("tile %d, %d: expected %s, but it took %.9g s (seed %llu)",
                         column, row, shows ? "some time" : "nothing",
                         seconds[row * columns + column], (unsigned long long)seed);
            }
        }
    }
    check_within("tiles that show something", seed, 1, columns * columns - 1, shown);
}

/* The grid moves over the picture, so that the window in which it lies begins anywhere
 * within a tile; a rank's box may begin anywhere, too. */
static void tiles_with_rays_take_time_and_others_none(void **unused)
{
    (void)unused;
    const int side = 7 * FRAGMENTS_TILE + 5;
    const shape box = {.kind = SHAPE_BOX, .n = {5, 5, 5}};
    test_grid grid = shape_create(&box);
    render_transfer *transfer = picture_transfer_constant(0.7);
    for (int n = 0; n < 34; n++) {
        double seconds[64] = {0.0};
        const double shift = 0.05 + 4.0 * n / side;
        picture p =
            picture_of(&grid, transfer,
                       picture_view_parallel(vec3_make(2.0 + shift, 1.0, 20.0),
                                             vec3_make(2.0 + shift, 1.0, 0.0), 16.0),
                       side);
        p.threads = 1 + n % 3;
        render_counters counters;
        image *plain = picture_draw(&p, &counters);
        p.style.seconds = seconds;
        image *timed = picture_draw(&p, &counters);
        picture_compare("a picture whose tiles are timed", (uint64_t)n, plain, timed,
                        0.0);
        check_tiles(&p, timed, seconds, (uint64_t)n);
        image_destroy(&plain);
        image_destroy(&timed);
    }
    render_transfer_destroy(&transfer);
    test_grid_destroy(&grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_constant_field_has_the_opacity_of_the_chord),
        cmocka_unit_test(inverted_cells_take_back_what_others_count_twice),
        cmocka_unit_test(a_blanked_vertex_makes_a_hole),
        cmocka_unit_test(a_linear_field_has_the_mean_extinction_of_its_ends),
        cmocka_unit_test(depth_is_where_the_ray_first_meets_the_grid),
        cmocka_unit_test(a_left_handed_block_looks_the_same),
        cmocka_unit_test(values_of_cells_are_constant_within_them),
        cmocka_unit_test(cells_whose_scalar_is_not_a_number_are_clear_and_counted),
        cmocka_unit_test(one_pixel_of_one_cell_is_drawn),
        cmocka_unit_test(nothing_is_seen_with_the_back_to_the_grid),
        cmocka_unit_test(a_clip_box_beside_the_grid_shows_nothing),
        cmocka_unit_test(tiles_with_rays_take_time_and_others_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
