/* Cuts by planes in space: their places, their scalars, and that nothing is missing. */
#include "test_surface_support.h"

#include "support/random.h"

enum { SIDE = 64 };

static vec3 random_direction(uint64_t *state)
{
    vec3 v;
    do {
        random_three(state, -1.0, 1.0, v.v);
    } while (vec3_length(v) < 0.2);
    return vec3_normalize(v);
}

/* A view of a plane, not edge-on. */
static render_camera camera_for(uint64_t *state, const test_grid *grid, vec3 normal)
{
    vec3 center = shape_center(grid), from;
    double radius = shape_radius(grid);
    do {
        from = random_direction(state);
    } while (fabs(vec3_dot(from, normal)) < 0.3);
    vec3 position = vec3_add(center, vec3_scale(from, 3.0 * radius));
    render_view view = random_below(state, 2)
                           ? picture_view_from(position, center, 40.0)
                           : picture_view_parallel(position, center, 2.0 * radius);
    if (vec3_length(vec3_cross(view.up, from)) < 0.1) {
        view.up = vec3_make(view.up.v[1], view.up.v[2], view.up.v[0]);
    }
    return surface_camera(view, SIDE, SIDE);
}

/* How far a point is inside the box of vertices (0, 0, 0) to n - 1; negative: outside. */
static double depth_in_box(const int64_t n[3], vec3 at)
{
    double depth = INFINITY;
    for (int axis = 0; axis < 3; axis++) {
        depth = fmin(depth, fmin(at.v[axis], (double)(n[axis] - 1) - at.v[axis]));
    }
    return depth;
}

/* Draws a cut of a box that is even outside and warped inside. Every ray that hits the
 * plane in the box has one sample, at the right distance, of the right scalar. */
static void check_cut(const shape *wanted, uint64_t seed)
{
    uint64_t state = seed;
    int counts[SIDE * SIDE], inside = 0;
    test_grid grid = shape_create(wanted);
    surface_cut cut = {.point = shape_center(&grid), .normal = random_direction(&state)};
    for (int axis = 0; axis < 3; axis++) {
        cut.point.v[axis] += random_between(&state, -1.0, 1.0);
    }
    cut.normal = vec3_scale(cut.normal, 7.0);
    render_surface *surface =
        surface_make(grid.store, &(surface_spec){.ncuts = 1, .cuts = &cut});
    render_camera camera = camera_for(&state, &grid, vec3_normalize(cut.normal));
    render_colors *grey = surface_grey(0.0, 2.0);
    surface_look look = surface_white();
    look.fill = SURFACE_COLORED;
    look.smooth = true;
    look.colors = grey;
    const render_fragments *drawn = surface_drawn(surface, &look, &camera, 1);
    surface_count_pixels(drawn, &camera, counts);
    for (int pixel = 0; pixel < SIDE * SIDE; pixel++) {
        int column = pixel % SIDE, row = pixel / SIDE;
        vec3 hit = surface_hit(&camera, column, row, cut.point, cut.normal);
        double depth = depth_in_box(wanted->n, hit);
        if (fabs(depth) < 1e-4) {
            continue;
        }
        check_count("times that a cut is met", seed, depth > 0.0, counts[pixel]);
        if (depth > 0.0) {
            const render_fragment *at = surface_at(drawn, &camera, column, row);
            double scalar = (hit.v[0] + 2.0 * hit.v[1] + 3.0 * hit.v[2]) / 40.0;
            check_near("distance of a cut", seed,
                       surface_distance(&camera, column, row, hit), (double)at->t, 1e-4);
            check_near("scalar of a cut", seed, scalar / 2.0, (double)at->rgba[0], 1e-5);
            inside++;
        }
    }
    check_count("pictures of a cut", seed, 1, inside > SIDE);
    render_colors_destroy(&grey);
    render_surface_destroy(&surface);
    test_grid_destroy(&grid);
}

static void cuts_cover_each_pixel_once(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= 24; seed++) {
        const shape wanted = {.n = {19, 10, 8},
                              .seed = seed,
                              .jitter = seed % 3 == 0 ? 0.0 : 0.15,
                              .boundary_is_even = true,
                              .mirrored = seed % 4 == 1,
                              .split = seed % 2 ? 7 : 0,
                              .turned = seed % 6 == 1};
        check_cut(&wanted, seed);
    }
}

/* The cell of a box of unit cells in which a point lies; -1 near its sides. */
static int cell_of(vec3 at, int cells)
{
    int cell = 0;
    for (int axis = 2; axis >= 0; axis--) {
        double from = floor(at.v[axis]), share = at.v[axis] - from;
        if (share < 1e-3 || share > 1.0 - 1e-3 || from < 0.0 || from >= cells) {
            return -1;
        }
        cell = cells * cell + (int)from;
    }
    return cell;
}

/* Draws a plane through a box of 4 x 4 x 4 unit cells without `smooth`: one colour a
 * cell, between those of its corners. Returns how many cells there are to see. */
static int check_flat(const grid_store *store, const surface_spec *spec, vec3 point,
                      vec3 normal)
{
    enum { CELLS = 4 };
    float red[CELLS * CELLS * CELLS];
    int seen = 0;
    render_surface *surface = surface_make(store, spec);
    render_camera camera = surface_camera(
        picture_view_parallel(vec3_make(3.0, 1.0, 9.0), vec3_make(2.0, 2.0, 2.0), 5.0),
        SIDE, SIDE);
    render_colors *grey = surface_grey(0.0, 1.0);
    surface_look look = surface_white();
    look.fill = SURFACE_COLORED;
    look.colors = grey;
    for (int cell = 0; cell < CELLS * CELLS * CELLS; cell++) {
        red[cell] = -1.0f;
    }
    const render_fragments *drawn = surface_drawn(surface, &look, &camera, 1);
    for (int64_t f = 0; f < surface_total(drawn); f++) {
        const render_fragment *at = &drawn->items[f];
        vec3 hit =
            surface_hit(&camera, at->pixel % SIDE, at->pixel / SIDE, point, normal);
        int cell = cell_of(hit, CELLS);
        if (cell < 0) {
            continue;
        }
        double lowest =
            (floor(hit.v[0]) + 2.0 * floor(hit.v[1]) + 3.0 * floor(hit.v[2])) / 40.0;
        check_near("colour of a cell", (uint64_t)cell, lowest + 3.0 / 40.0,
                   (double)at->rgba[0], 3.0 / 40.0);
        seen += red[cell] < 0.0f;
        check_near("one colour a cell", (uint64_t)cell,
                   (double)(red[cell] < 0.0f ? at->rgba[0] : red[cell]),
                   (double)at->rgba[0], 0.0);
        red[cell] = at->rgba[0];
    }
    render_colors_destroy(&grey);
    render_surface_destroy(&surface);
    return seen;
}

static void planes_without_smooth_have_one_colour_a_cell(void **unused)
{
    (void)unused;
    const shape box = {.n = {5, 5, 5}};
    test_grid grid = shape_create(&box);
    const surface_cut cut = {.point = {{2.0, 2.0, 2.0}}, .normal = {{0.3, 0.2, 1.0}}};
    const surface_plane plane = {.axis = 2, .index = 1.5, .hi = {4, 4, 4}};
    int cells = check_flat(grid.store, &(surface_spec){.ncuts = 1, .cuts = &cut},
                           cut.point, cut.normal);
    check_count("cells of a cut", 0, 1, cells > 16);
    cells = check_flat(grid.store, &(surface_spec){.nplanes = 1, .planes = &plane},
                       vec3_make(0.0, 0.0, 1.5), vec3_make(0.0, 0.0, 1.0));
    check_count("cells of a plane", 0, 16, cells);
    test_grid_destroy(&grid);
}

/* A plane on which vertices lie is drawn once, by the cells below it. */
static void planes_along_grid_planes_are_drawn_once(void **unused)
{
    (void)unused;
    const shape box = {.n = {9, 9, 5}};
    test_grid grid = shape_create(&box);
    surface_look look = surface_white();
    render_camera camera = surface_camera(
        picture_view_parallel(vec3_make(4.1, 4.1, 9.0), vec3_make(4.1, 4.1, 0.0), 6.0),
        SIDE, SIDE);
    for (int side = -1; side <= 1; side += 2) {
        const surface_cut cut = {.point = {{3.0, 3.0, 2.0}},
                                 .normal = {{0.0, 0.0, side}}};
        render_surface *surface =
            surface_make(grid.store, &(surface_spec){.ncuts = 1, .cuts = &cut});
        const render_fragments *drawn = surface_drawn(surface, &look, &camera, 1);
        assert_int_equal(render_surface_count(surface).quads, 64);
        assert_int_equal(surface_total(drawn), SIDE * SIDE);
        vec3 hit = surface_hit(&camera, 5, 6, cut.point, cut.normal);
        check_near("distance", 0, surface_distance(&camera, 5, 6, hit),
                   (double)surface_at(drawn, &camera, 5, 6)->t, 1e-6);
        render_surface_destroy(&surface);
    }
    test_grid_destroy(&grid);
}

static void cuts_leave_out_absent_cells_and_what_they_miss(void **unused)
{
    (void)unused;
    const shape box = {.n = {5, 5, 5}, .has_hole = true};
    test_grid grid = shape_create(&box);
    const surface_cut through = {.point = {{0.0, 0.0, 1.5}}, .normal = {{0.0, 0.0, 1.0}}};
    const surface_cut beyond = {.point = {{0.0, 0.0, 4.5}}, .normal = {{0.0, 0.0, 1.0}}};
    render_surface *surface =
        surface_make(grid.store, &(surface_spec){.ncuts = 1, .cuts = &through});
    /* A square with a point in the middle of each side: four corners, and two halves of
     * the rest, each of which goes with a corner. */
    assert_int_equal(render_surface_count(surface).quads, 12 * 4);
    render_surface_destroy(&surface);
    surface = surface_make(grid.store, &(surface_spec){.ncuts = 1, .cuts = &beyond});
    assert_int_equal(render_surface_count(surface).quads, 0);
    surface_look look = surface_white();
    render_camera camera = surface_camera(
        picture_view_parallel(vec3_make(2.1, 2.1, 9.0), vec3_make(2.1, 2.1, 0.0), 6.0),
        SIDE, SIDE);
    assert_int_equal(surface_total(surface_drawn(surface, &look, &camera, 1)), 0);
    render_surface_destroy(&surface);
    test_grid_destroy(&grid);
}

/* The wireframe of a cut shows where it passes from cell to cell, and no fans. */
static void wires_of_cuts_are_the_borders_of_cells(void **unused)
{
    (void)unused;
    const shape box = {.n = {9, 9, 5}};
    test_grid grid = shape_create(&box);
    const surface_cut cut = {.point = {{0.0, 0.0, 1.25}}, .normal = {{0.0, 0.0, 1.0}}};
    render_surface *surface =
        surface_make(grid.store, &(surface_spec){.ncuts = 1, .cuts = &cut});
    surface_look look = {
        .wire_width = 2.0f, .wire_paint = {.rgb = {1.0f, 1.0f, 1.0f}}, .opacity = 1.0f};
    render_camera camera =
        surface_camera(picture_view_parallel(vec3_make(4.01, 4.02, 9.0),
                                             vec3_make(4.01, 4.02, 0.0), 4.0),
                       SIDE, SIDE);
    const render_fragments *drawn = surface_drawn(surface, &look, &camera, 1);
    for (int pixel = 0; pixel < SIDE * SIDE; pixel++) {
        vec3 hit =
            surface_hit(&camera, pixel % SIDE, pixel / SIDE, cut.point, cut.normal);
        double away = INFINITY;
        for (int axis = 0; axis < 2; axis++) {
            away = fmin(away, fabs(hit.v[axis] - round(hit.v[axis])));
        }
        const render_fragment *at =
            surface_at(drawn, &camera, pixel % SIDE, pixel / SIDE);
        check_near("how much a wire covers", (uint64_t)pixel,
                   surface_coverage(2.0, away * SIDE / 4.0),
                   at ? (double)at->rgba[3] : 0.0, 1e-4);
    }
    render_surface_destroy(&surface);
    test_grid_destroy(&grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cuts_cover_each_pixel_once),
        cmocka_unit_test(planes_without_smooth_have_one_colour_a_cell),
        cmocka_unit_test(planes_along_grid_planes_are_drawn_once),
        cmocka_unit_test(cuts_leave_out_absent_cells_and_what_they_miss),
        cmocka_unit_test(wires_of_cuts_are_the_borders_of_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
