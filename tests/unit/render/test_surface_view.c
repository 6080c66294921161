/* Data that surfaces keep from picture to picture: the picture is the same without it. */
#include "test_surface_support.h"

#include <string.h>

enum { WIDTH = 75, HEIGHT = 50 };

static const float levels[3] = {0.3f, 0.5f, 0.7f};

static const render_shade one_light = {
    .ambient = 0.2f,
    .diffuse = 0.8f,
    .specular = 0.25f,
    .shininess = 8,
    .nlights = 1,
    .lights = {{.kind = RENDER_LIGHT_HEAD, .color = {1.0f, 0.5f, 1.0f}}}};

static surface_look full_look(const render_colors *colors)
{
    return (surface_look){.colors = colors,
                          .fill = SURFACE_COLORED,
                          .nlevels = 3,
                          .levels = levels,
                          .line_width = 2.0f,
                          .wire_width = 1.0f,
                          .opacity = 0.75f,
                          .smooth = true,
                          .shade = &one_light};
}

static render_camera camera_number(const test_grid *grid, int number)
{
    vec3 center = shape_center(grid);
    vec3 from = vec3_make(20.0 - 9.0 * number, 15.0 + number, 30.0);
    return surface_camera(picture_view_from(vec3_add(center, from), center, 35.0), WIDTH,
                          HEIGHT);
}

static test_grid make_grid(void)
{
    const shape wanted = {
        .scalar = SHAPE_RANDOM, .n = {19, 18, 6}, .seed = 3, .jitter = 0.2};
    return shape_create(&wanted);
}

static render_surface *make_surface(const test_grid *grid)
{
    const surface_range all = render_surface_whole_block(grid->layout, 0);
    const surface_plane plane = {.axis = 2, .index = 2.25, .hi = {18, 17, 5}};
    const surface_cut cut = {.point = shape_center(grid), .normal = {{1.0, 0.5, 0.2}}};
    return surface_make(grid->store, &(surface_spec){.nranges = 1,
                                                     .ranges = &all,
                                                     .nplanes = 1,
                                                     .planes = &plane,
                                                     .ncuts = 1,
                                                     .cuts = &cut});
}

/* Another flow on the same grid. */
static void change_scalars(const grid_store *store)
{
    for (int64_t v = 0; v < store->nvertices; v++) {
        store->vertex[v][3] = 1.0f - 0.75f * store->vertex[v][3];
    }
}

/* Compares the picture of a surface that has drawn before with that of a new one. */
static void check_as_new(const char *what, const test_grid *grid, render_surface *used,
                         const surface_look *look, const render_camera *camera,
                         int threads)
{
    render_surface *fresh = make_surface(grid);
    const render_fragments *expected = surface_drawn(fresh, look, camera, 1);
    assert_true(surface_total(expected) > WIDTH);
    surface_compare(what, expected, surface_drawn(used, look, camera, threads));
    render_surface_destroy(&fresh);
}

static void stable_views_show_the_same_bits_as_new_ones(void **unused)
{
    (void)unused;
    test_grid grid = make_grid();
    render_surface *surface = make_surface(&grid);
    render_colors *grey = surface_grey(0.0, 1.0);
    render_camera camera = camera_number(&grid, 0);
    surface_look look = full_look(grey);
    check_as_new("a first picture", &grid, surface, &look, &camera, 1);
    const render_fragments *before = surface_drawn(surface, &look, &camera, 1);
    const render_fragment *items = before->items;
    for (int step = 0; step < 3; step++) {
        change_scalars(grid.store);
        check_as_new("a new flow", &grid, surface, &look, &camera, 1);
        assert_ptr_equal(surface_drawn(surface, &look, &camera, 1)->items, items);
    }
    camera = camera_number(&grid, 1);
    check_as_new("a new view", &grid, surface, &look, &camera, 1);
    render_colors_destroy(&grey);
    render_surface_destroy(&surface);
    test_grid_destroy(&grid);
}

static void looks_change_while_the_view_stays(void **unused)
{
    (void)unused;
    test_grid grid = make_grid();
    render_surface *surface = make_surface(&grid);
    render_colors *grey = surface_grey(0.0, 1.0);
    render_camera camera = camera_number(&grid, 0);
    surface_look look = surface_white();
    check_as_new("white", &grid, surface, &look, &camera, 1);
    look.shade = &one_light;
    check_as_new("light on flat faces", &grid, surface, &look, &camera, 1);
    look = full_look(grey);
    check_as_new("everything", &grid, surface, &look, &camera, 1);
    render_shade brighter = one_light;
    brighter.lights[0].color[1] = 2.0f;
    look.shade = &brighter;
    check_as_new("another light", &grid, surface, &look, &camera, 1);
    look.fill = SURFACE_CLEAR;
    look.wire_width = 0.0f;
    check_as_new("lines alone", &grid, surface, &look, &camera, 1);
    look.fill = SURFACE_FRINGES;
    look.nlevels = 2;
    check_as_new("fringes", &grid, surface, &look, &camera, 1);
    render_colors_destroy(&grey);
    render_surface_destroy(&surface);
    test_grid_destroy(&grid);
}

static void threads_make_no_difference(void **unused)
{
    (void)unused;
    test_grid grid = make_grid();
    render_surface *surface = make_surface(&grid);
    render_colors *grey = surface_grey(0.0, 1.0);
    surface_look look = full_look(grey);
    for (int threads = 2; threads <= 5; threads++) {
        render_camera camera = camera_number(&grid, threads);
        check_as_new("several threads", &grid, surface, &look, &camera, threads);
        change_scalars(grid.store);
        check_as_new("several threads, a new flow", &grid, surface, &look, &camera,
                     threads);
    }
    render_colors_destroy(&grey);
    render_surface_destroy(&surface);
    test_grid_destroy(&grid);
}

static double cell_value(const int64_t at[3])
{
    return (double)(at[0] + 32 * at[1]) / 1024.0 + (at[2] == 0 ? 0.0 : 0.5);
}

/* Faces take the value of the cell below, at the lowest plane that of the one above. */
static void faces_have_the_values_of_cells(void **unused)
{
    (void)unused;
    const shape box = {.n = {21, 9, 3}};
    test_grid grid = shape_create(&box);
    test_grid_set_cells(&grid, cell_value);
    render_colors *grey = surface_grey(0.0, 1.0);
    surface_look look = surface_white();
    look.fill = SURFACE_COLORED;
    look.colors = grey;
    render_camera camera =
        surface_camera(picture_view_parallel(vec3_make(10.13, 4.07, 9.0),
                                             vec3_make(10.13, 4.07, 0.0), 5.0),
                       WIDTH, HEIGHT);
    for (int k = 0; k < 3; k++) {
        const surface_range part = surface_part(0, 0, 0, k, 20, 8, k);
        render_surface *surface =
            surface_make(grid.store, &(surface_spec){.nranges = 1, .ranges = &part});
        const render_fragments *drawn = surface_drawn(surface, &look, &camera, 1);
        assert_int_equal(surface_total(drawn), WIDTH * HEIGHT);
        for (int64_t n = 0; n < surface_total(drawn); n++) {
            const render_fragment *at = &drawn->items[n];
            vec3 hit = surface_hit(&camera, at->pixel % WIDTH, at->pixel / WIDTH,
                                   vec3_make(0.0, 0.0, k), vec3_make(0.0, 0.0, 1.0));
            const int64_t cell[3] = {(int64_t)floor(hit.v[0]), (int64_t)floor(hit.v[1]),
                                     k == 2};
            check_near("value of a cell", (uint64_t)n, cell_value(cell),
                       (double)at->rgba[0], 1e-6);
        }
        const render_fragments *none = NULL;
        surface_look lines = look;
        lines.nlevels = 3;
        lines.levels = levels;
        check_count("fringes of cells", 0, WIDTH * HEIGHT,
                    surface_total(surface_drawn(surface, &lines, &camera, 1)));
        lines.line_width = 1.0f;
        assert_int_equal(
            render_surface_draw(surface, &lines,
                                &(render_clip_view){&camera, box3_everything(), NULL}, 1,
                                &none),
            STATUS_USAGE);
        base_fail_set_message("");
        render_surface_destroy(&surface);
    }
    render_colors_destroy(&grey);
    test_grid_destroy(&grid);
}

/* Points with a NaN scalar have the NaN colour, and no lines. */
static void odd_scalars_have_their_own_colour(void **unused)
{
    (void)unused;
    const shape box = {.n = {9, 9, 3}};
    test_grid grid = shape_create(&box);
    for (int64_t v = 0; v < grid.store->nvertices; v++) {
        grid.store->vertex[v][3] = NAN;
    }
    const surface_range part = surface_part(0, 0, 0, 0, 8, 8, 0);
    render_surface *surface =
        surface_make(grid.store, &(surface_spec){.nranges = 1, .ranges = &part});
    render_colors *grey = surface_grey(0.0, 1.0);
    surface_look look = full_look(grey);
    render_camera camera = surface_camera(
        picture_view_parallel(vec3_make(4.0, 4.0, 9.0), vec3_make(4.0, 4.0, 0.0), 5.0),
        WIDTH, HEIGHT);
    look.shade = NULL;
    look.wire_width = 0.0f;
    for (int n = 0; n < 2; n++) {
        look.fill = n ? SURFACE_FRINGES : SURFACE_COLORED;
        const render_fragments *drawn = surface_drawn(surface, &look, &camera, 1);
        assert_true(surface_total(drawn) > WIDTH);
        for (int64_t f = 0; f < surface_total(drawn); f++) {
            const float red[4] = {0.75f, 0.0f, 0.0f, 0.75f};
            assert_memory_equal(drawn->items[f].rgba, red, sizeof red);
        }
    }
    look.fill = SURFACE_CLEAR;
    const render_fragments *clear = surface_drawn(surface, &look, &camera, 1);
    for (int64_t f = 0; f < surface_total(clear); f++) {
        const float nothing[4] = {0.0f};
        assert_memory_equal(clear->items[f].rgba, nothing, sizeof nothing);
    }
    render_colors_destroy(&grey);
    render_surface_destroy(&surface);
    test_grid_destroy(&grid);
}

static bool lies_in(pixel_rect rect, int32_t pixel)
{
    const int x = pixel % WIDTH, y = pixel / WIDTH;
    return x >= rect.x0 && x < rect.x1 && y >= rect.y0 && y < rect.y1;
}

/* Fails unless `part` has the fragments of `whole` that lie in the rectangle, and no
 * others. */
static void check_part(const render_fragments *whole, const render_fragments *part,
                       pixel_rect rect)
{
    int64_t found = 0;
    for (int64_t f = 0; f < surface_total(whole); f++) {
        if (lies_in(rect, whole->items[f].pixel)) {
            assert_true(found < surface_total(part));
            assert_memory_equal(&part->items[found++], &whole->items[f],
                                sizeof *part->items);
        }
    }
    assert_int_equal(found, surface_total(part));
}

static void parts_of_the_picture_have_the_colours_of_all_of_it(void **unused)
{
    (void)unused;
    test_grid grid = make_grid();
    render_surface *all = make_surface(&grid), *some = make_surface(&grid);
    render_colors *grey = surface_grey(0.0, 1.0);
    const render_camera whole = camera_number(&grid, 0);
    surface_look look = full_look(grey);
    const pixel_rect windows[] = {{20, 12, 41, 30}, {40, 4, 44, 8}, {0, 20, WIDTH, 28}};
    for (int n = 0; n < 6; n++) {
        render_camera camera = whole;
        camera.window = windows[n / 2];
        look.smooth = n % 2 == 0;
        change_scalars(grid.store);
        const render_fragments *expected = surface_drawn(all, &look, &whole, 1);
        const render_fragments *found = surface_drawn(some, &look, &camera, 2);
        assert_true(surface_total(found) > 0);
        check_part(expected, found, camera.window);
    }
    render_colors_destroy(&grey);
    render_surface_destroy(&some);
    render_surface_destroy(&all);
    test_grid_destroy(&grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stable_views_show_the_same_bits_as_new_ones),
        cmocka_unit_test(looks_change_while_the_view_stays),
        cmocka_unit_test(threads_make_no_difference),
        cmocka_unit_test(faces_have_the_values_of_cells),
        cmocka_unit_test(odd_scalars_have_their_own_colour),
        cmocka_unit_test(parts_of_the_picture_have_the_colours_of_all_of_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
