/* Which quadrilaterals a surface has, and where rays meet them. */
#include "test_surface_support.h"

#include "render/cells/march.h"
#include "support/random.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = 48 };

static int64_t count_quads(const grid_store *store, surface_spec spec)
{
    render_surface *surface = surface_make(store, &spec);
    int64_t quads = render_surface_count(surface).quads;
    render_surface_destroy(&surface);
    assert_null(surface);
    return quads;
}

static int64_t count_range(const test_grid *grid, surface_range range)
{
    return count_quads(grid->store, (surface_spec){.nranges = 1, .ranges = &range});
}

static int64_t count_plane(const test_grid *grid, int axis, double index)
{
    surface_plane plane = {.axis = axis, .index = index};
    memcpy(plane.hi, render_surface_whole_block(grid->layout, 0).hi, sizeof plane.hi);
    return count_quads(grid->store, (surface_spec){.nplanes = 1, .planes = &plane});
}

/* ---- Which there are --------------------------------------------------------------- */

static void ranges_have_each_of_their_faces_once(void **unused)
{
    (void)unused;
    const shape box = {.n = {35, 20, 6}}; /* 3 x 2 bricks */
    test_grid grid = shape_create(&box);
    surface_range all = render_surface_whole_block(grid.layout, 0);
    assert_int_equal(count_range(&grid, all), 2 * (34 * 19 + 19 * 5 + 5 * 34));
    assert_int_equal(count_range(&grid, surface_part(0, 3, 2, 1, 33, 18, 4)),
                     2 * (30 * 16 + 16 * 3 + 3 * 30));
    assert_int_equal(count_range(&grid, surface_part(0, 16, 2, 1, 16, 18, 4)), 16 * 3);
    assert_int_equal(count_range(&grid, surface_part(0, 2, 16, 1, 30, 16, 4)), 28 * 3);
    assert_int_equal(count_range(&grid, surface_part(0, 2, 3, 5, 30, 19, 5)), 28 * 16);
    const surface_range twice[3] = {all, all, surface_part(0, 0, 0, 0, 9, 9, 0)};
    assert_int_equal(
        count_quads(grid.store, (surface_spec){.nranges = 3, .ranges = twice}),
        2 * (34 * 19 + 19 * 5 + 5 * 34));
    assert_int_equal(count_plane(&grid, 0, 32.0), 19 * 5);
    assert_int_equal(count_plane(&grid, 0, 31.5), 19 * 5);
    assert_int_equal(count_plane(&grid, 2, 4.75), 34 * 19);
    assert_int_equal(count_quads(grid.store, (surface_spec){.nranges = 0}), 0);
    test_grid_destroy(&grid);
}

static void blanked_cells_leave_holes(void **unused)
{
    (void)unused;
    const shape box = {.n = {5, 5, 5}, .has_hole = true}; /* cells 1 and 2 are absent */
    test_grid grid = shape_create(&box);
    assert_int_equal(count_plane(&grid, 2, 0.0), 16);
    assert_int_equal(count_plane(&grid, 2, 1.0), 16);
    assert_int_equal(count_plane(&grid, 2, 2.0), 12);
    assert_int_equal(count_plane(&grid, 2, 0.5), 16);
    assert_int_equal(count_plane(&grid, 2, 1.5), 12);
    test_grid_destroy(&grid);
}

/* Makes vertices of all bricks walls. */
static void build_walls(const test_grid *grid, bool wanted(const int64_t at[3]))
{
    for (int64_t s = 0; s < grid->store->nbricks; s++) {
        const grid_brick *brick = &grid->store->bricks[s];
        const int *n = brick->place.n;
        for (int v = 0; v < (n[0] + 1) * (n[1] + 1) * (n[2] + 1); v++) {
            int64_t at[3] = {brick->place.lo[0] + v % (n[0] + 1),
                             brick->place.lo[1] + v / (n[0] + 1) % (n[1] + 1),
                             brick->place.lo[2] + v / (n[0] + 1) / (n[1] + 1)};
            if (wanted(at)) {
                brick->flags[v] |= GRID_WALL;
            }
        }
    }
}

static bool is_inner(const int64_t at[3])
{
    return at[0] == 0;
}

static bool is_around_the_hole(const int64_t at[3])
{
    bool near = true;
    for (int axis = 0; axis < 3; axis++) {
        near &= at[axis] >= 1 && at[axis] <= 3;
    }
    return near;
}

static void walls_are_faces_with_a_cell_on_one_side(void **unused)
{
    (void)unused;
    const shape ring = {.kind = SHAPE_RING, .n = {4, 37, 20}};
    test_grid grid = shape_create(&ring);
    assert_int_equal(count_quads(grid.store, (surface_spec){.walls = true}), 0);
    build_walls(&grid, is_inner);
    assert_int_equal(count_quads(grid.store, (surface_spec){.walls = true}), 36 * 19);
    test_grid_destroy(&grid);
    const shape box = {.n = {5, 5, 5}, .has_hole = true};
    grid = shape_create(&box);
    build_walls(&grid, is_around_the_hole);
    assert_int_equal(count_quads(grid.store, (surface_spec){.walls = true}), 24);
    test_grid_destroy(&grid);
}

static void bricks_that_are_not_in_memory_are_as_if_not_there(void **unused)
{
    (void)unused;
    const shape box = {.n = {33, 9, 9}};
    test_grid grid = shape_create(&box);
    surface_range all = render_surface_whole_block(grid.layout, 0);
    float(*vertex)[4] = grid.store->bricks[1].vertex;
    grid.store->bricks[1].vertex = NULL;
    assert_int_equal(count_range(&grid, all), 4 * 16 * 8 + 8 * 8);
    assert_int_equal(count_range(&grid, surface_part(0, 16, 0, 0, 16, 8, 8)), 64);
    grid.store->bricks[1].vertex = vertex;
    test_grid_destroy(&grid);
}

static bool is_any(const int64_t at[3])
{
    return at[0] >= 0;
}

/* Whether there is a cell in a brick that is not in memory, another rank knows. */
static void walls_need_both_sides_to_be_known(void **unused)
{
    (void)unused;
    const shape box = {.n = {33, 9, 9}};
    const surface_spec walls = {.walls = true};
    test_grid grid = shape_create(&box);
    build_walls(&grid, is_any);
    assert_int_equal(count_quads(grid.store, walls), 4 * 32 * 8 + 2 * 64);
    float(*vertex)[4] = grid.store->bricks[1].vertex;
    int32_t cells = grid.layout->bricks[1].cells;
    grid.store->bricks[1].vertex = NULL;
    assert_int_equal(count_quads(grid.store, walls), 4 * 16 * 8 + 64);
    grid.layout->bricks[1].cells = 0;
    assert_int_equal(count_quads(grid.store, walls), 4 * 16 * 8 + 2 * 64);
    grid.layout->bricks[1].cells = cells;
    grid.store->bricks[1].vertex = vertex;
    test_grid_destroy(&grid);
}

/* Takes away each brick that is said not to be needed; returns how many are. */
static int64_t check_needs(const test_grid *grid, surface_spec spec)
{
    const int64_t all = count_quads(grid->store, spec);
    int64_t needed = 0;
    for (int64_t b = 0; b < grid->store->nbricks; b++) {
        grid_brick *brick = &grid->store->bricks[b];
        float(*vertex)[4] = brick->vertex;
        brick->vertex = NULL;
        if (render_surface_needs(grid->layout, &spec, b)) {
            needed++;
        } else {
            check_count("quadrilaterals without a brick that is not needed", (uint64_t)b,
                        all, count_quads(grid->store, spec));
        }
        brick->vertex = vertex;
    }
    return needed;
}

static void bricks_that_are_not_needed_change_nothing(void **unused)
{
    (void)unused;
    const shape box = {.n = {65, 33, 17}}; /* 4 x 2 bricks */
    test_grid grid = shape_create(&box);
    const surface_range range = surface_part(0, 20, 0, 3, 30, 16, 3);
    const surface_plane plane = {.index = 31.5, .lo = {0, 18, 0}, .hi = {64, 30, 16}};
    const surface_plane seam = {.index = 32.0, .lo = {0, 18, 0}, .hi = {64, 30, 16}};
    const surface_cut cut = {.point = {{40.0, 0.0, 0.0}}, .normal = {{-2.0, 0.0, 0.0}}};
    assert_int_equal(check_needs(&grid, (surface_spec){.nranges = 1, .ranges = &range}),
                     2);
    assert_int_equal(check_needs(&grid, (surface_spec){.nplanes = 1, .planes = &plane}),
                     1);
    assert_int_equal(check_needs(&grid, (surface_spec){.nplanes = 1, .planes = &seam}),
                     2);
    assert_int_equal(check_needs(&grid, (surface_spec){.ncuts = 1, .cuts = &cut}), 2);
    assert_int_equal(check_needs(&grid, (surface_spec){.walls = true}), 8);
    test_grid_destroy(&grid);
}

static void check_refused(const test_grid *grid, surface_spec spec)
{
    render_surface *surface = NULL;
    assert_int_equal(render_surface_create(grid->store, &spec, &surface), STATUS_USAGE);
    assert_null(surface);
    assert_true(strlen(base_fail_message()) > 0);
    base_fail_set_message("");
}

static void what_is_not_in_the_grid_is_refused(void **unused)
{
    (void)unused;
    const shape box = {.n = {5, 5, 5}};
    test_grid grid = shape_create(&box);
    const surface_range ranges[] = {
        surface_part(1, 0, 0, 0, 4, 4, 4), surface_part(-1, 0, 0, 0, 4, 4, 4),
        surface_part(0, 0, 0, 0, 4, 4, 5), surface_part(0, -1, 0, 0, 4, 4, 4),
        surface_part(0, 3, 0, 0, 2, 4, 4), surface_part(0, 2, 2, 0, 2, 2, 4)};
    for (size_t n = 0; n < sizeof ranges / sizeof *ranges; n++) {
        check_refused(&grid, (surface_spec){.nranges = 1, .ranges = &ranges[n]});
    }
    const surface_plane planes[] = {{.axis = 2, .index = 4.5, .hi = {4, 4, 4}},
                                    {.axis = 2, .index = -0.5, .hi = {4, 4, 4}},
                                    {.axis = 2, .index = NAN, .hi = {4, 4, 4}},
                                    {.axis = 3, .index = 0.5, .hi = {4, 4, 4}},
                                    {.axis = 1, .index = 0.5, .hi = {4, 4, 0}}};
    for (size_t n = 0; n < sizeof planes / sizeof *planes; n++) {
        check_refused(&grid, (surface_spec){.nplanes = 1, .planes = &planes[n]});
    }
    const surface_cut nowhere = {.normal = {{0.0, 0.0, 0.0}}};
    check_refused(&grid, (surface_spec){.ncuts = 1, .cuts = &nowhere});
    test_grid_destroy(&grid);
}

/* ---- Points at which rays meet them ------------------------------------------------ */

static render_camera random_camera(uint64_t *state, const test_grid *grid, double away)
{
    vec3 center = shape_center(grid);
    double radius = shape_radius(grid);
    vec3 from =
        vec3_make(random_between(state, -1.0, 1.0), random_between(state, -1.0, 1.0),
                  random_between(state, 0.1, 1.0));
    vec3 position = vec3_add(center, vec3_scale(vec3_normalize(from), away * radius));
    return surface_camera(random_below(state, 2)
                              ? picture_view_from(position, center, 40.0)
                              : picture_view_parallel(position, center, 2.2 * radius),
                          SIDE, SIDE);
}

/* All rays from outside pass a closed surface an even number of times. */
static void check_closed(const shape *wanted, uint64_t seed)
{
    uint64_t state = seed;
    int counts[SIDE * SIDE];
    test_grid grid = shape_create(wanted);
    surface_range all = render_surface_whole_block(grid.layout, 0);
    render_surface *surface =
        surface_make(grid.store, &(surface_spec){.nranges = 1, .ranges = &all});
    surface_look look = surface_white();
    int64_t met = 0;
    for (int view = 0; view < 4; view++) {
        render_camera camera = random_camera(&state, &grid, 3.0);
        const render_fragments *drawn = surface_drawn(surface, &look, &camera, 1);
        surface_count_pixels(drawn, &camera, counts);
        for (int pixel = 0; pixel < SIDE * SIDE; pixel++) {
            check_count("passes through a closed surface, odd", seed, 0,
                        counts[pixel] % 2);
            met += counts[pixel];
        }
    }
    check_count("pictures in which something is seen", seed, 1, met > 4 * SIDE);
    render_surface_destroy(&surface);
    test_grid_destroy(&grid);
}

static void closed_surfaces_are_met_an_even_number_of_times(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        check_closed(&(shape){.n = {21, 9, 7}, .seed = seed, .jitter = 0.4}, seed);
        check_closed(&(shape){.n = {6, 5, 4}, .seed = seed}, seed);
        check_closed(&(shape){.kind = SHAPE_FLAT, .n = {9, 9, 3}, .seed = seed}, seed);
        check_closed(&(shape){.kind = SHAPE_LATTICE, .n = {6, 6, 6}, .seed = seed}, seed);
    }
}

/* Rays that pass exactly through vertices and along grid lines meet a sheet once. */
static void check_sheet(const test_grid *grid, const surface_spec *spec)
{
    render_surface *surface = surface_make(grid->store, spec);
    surface_look look = surface_white();
    int counts[32 * 32], inside = 0;
    /* A pixel is half a unit; rays have whole and half coordinates. */
    render_camera camera =
        surface_camera(picture_view_parallel(vec3_make(4.25, 4.25, 9.0),
                                             vec3_make(4.25, 4.25, 0.0), 16.0),
                       32, 32);
    surface_count_pixels(surface_drawn(surface, &look, &camera, 1), &camera, counts);
    for (int pixel = 0; pixel < 32 * 32; pixel++) {
        vec3 at = surface_hit(&camera, pixel % 32, pixel / 32, vec3_make(0.0, 0.0, 1.0),
                              vec3_make(0.0, 0.0, 1.0));
        double out = fmax(fabs(at.v[0] - 4.0), fabs(at.v[1] - 4.0)) - 4.0;
        if (fabs(out) > 0.1) {
            check_count("times a sheet is met", (uint64_t)pixel, out < 0.0,
                        counts[pixel]);
            inside += out < 0.0;
        }
    }
    assert_int_equal(inside, 15 * 15);
    render_surface_destroy(&surface);
}

static void rays_through_vertices_meet_a_sheet_once(void **unused)
{
    (void)unused;
    const shape box = {.n = {9, 9, 3}};
    test_grid grid = shape_create(&box);
    const surface_range sheet = surface_part(0, 0, 0, 1, 8, 8, 1);
    const surface_plane plane = {.axis = 2, .index = 0.5, .hi = {8, 8, 2}};
    const surface_cut cut = {.point = {{0.0, 0.0, 1.5}}, .normal = {{0.0, 0.0, 2.0}}};
    const surface_cut slope = {.point = {{4.0, 4.0, 1.0}}, .normal = {{0.125, 0.0, 1.0}}};
    check_sheet(&grid, &(surface_spec){.nranges = 1, .ranges = &sheet});
    check_sheet(&grid, &(surface_spec){.nplanes = 1, .planes = &plane});
    check_sheet(&grid, &(surface_spec){.ncuts = 1, .cuts = &cut});
    check_sheet(&grid, &(surface_spec){.ncuts = 1, .cuts = &slope});
    test_grid_destroy(&grid);
}

/* The last row and column of tiles have one pixel of the picture. */
static void surfaces_reach_the_ends_of_a_picture(void **unused)
{
    (void)unused;
    enum { WIDE = 2 * FRAGMENTS_TILE + 1, HIGH = FRAGMENTS_TILE + 1 };
    const shape box = {.n = {9, 9, 3}};
    test_grid grid = shape_create(&box);
    const surface_cut cut = {.point = {{0.0, 0.0, 1.5}}, .normal = {{0.0, 0.0, 2.0}}};
    render_surface *surface =
        surface_make(grid.store, &(surface_spec){.ncuts = 1, .cuts = &cut});
    const surface_look look = surface_white();
    const vec3 at = vec3_make(4.1, 4.2, 0.0), from = vec3_make(4.1, 4.2, 9.0);
    const render_camera camera =
        surface_camera(picture_view_parallel(from, at, 2.0), WIDE, HIGH);
    int counts[WIDE * HIGH];
    surface_count_pixels(surface_drawn(surface, &look, &camera, 1), &camera, counts);
    for (int pixel = 0; pixel < WIDE * HIGH; pixel++) {
        assert_int_equal(counts[pixel], 1);
    }
    render_surface_destroy(&surface);
    test_grid_destroy(&grid);
}

/* One cell of side 1 whose corner at i = j = 1 lies 1 higher than the others of its
 * plane; the scalar is x y. */
static bool bent_vertex(int block, const int64_t at[3], const int64_t n[3], double xyz[3],
                        double *scalar)
{
    (void)block;
    (void)n;
    xyz[0] = (double)at[0];
    xyz[1] = (double)at[1];
    xyz[2] = (double)(2 * at[2] + at[0] * at[1]);
    *scalar = xyz[0] * xyz[1];
    return true;
}

/* The same with i turned around. */
static bool turned_vertex(int block, const int64_t at[3], const int64_t n[3],
                          double xyz[3], double *scalar)
{
    bent_vertex(block, at, n, xyz, scalar);
    xyz[0] = 1.0 - xyz[0];
    *scalar = xyz[0] * xyz[1];
    return true;
}

/* Height above k = index, in the middle of a triangle, of a face cut from the point that
 * comes first: (0, 0), or its neighbour that is not across from the high corner. */
static double bent_height(bool turned, double x, double y)
{
    return turned ? fmax(y - x, 0.0) : fmin(x, y);
}

static void check_bent(test_grid_vertex *vertex, double index)
{
    const int64_t n[1][3] = {{2, 2, 2}};
    const bool turned = vertex == turned_vertex;
    test_grid grid = test_grid_create(1, n, vertex);
    const surface_plane plane = {.axis = 2, .index = index, .hi = {1, 1, 1}};
    render_surface *surface =
        surface_make(grid.store, &(surface_spec){.nplanes = 1, .planes = &plane});
    render_colors *grey = surface_grey(0.0, 1.0);
    surface_look look = surface_white();
    look.fill = SURFACE_COLORED;
    look.smooth = true;
    look.colors = grey;
    render_camera camera = surface_camera(
        picture_view_parallel(vec3_make(0.51, 0.5, 9.0), vec3_make(0.51, 0.5, 0.0), 0.9),
        SIDE, SIDE);
    const render_fragments *drawn = surface_drawn(surface, &look, &camera, 1);
    assert_int_equal(surface_total(drawn), SIDE * SIDE);
    for (int64_t f = 0; f < surface_total(drawn); f++) {
        const render_fragment *at = &drawn->items[f];
        vec3 hit = render_camera_ray(&camera, at->pixel % SIDE, at->pixel / SIDE).origin;
        double x = hit.v[0], y = hit.v[1];
        check_near("height of a bent face", (uint64_t)f,
                   2.0 * index + bent_height(turned, x, y), -(double)at->t, 1e-6);
        check_near("bilinear scalar", (uint64_t)f, x * y, (double)at->rgba[0], 1e-6);
    }
    render_colors_destroy(&grey);
    render_surface_destroy(&surface);
    test_grid_destroy(&grid);
}

static void bent_faces_are_cut_from_their_first_point_and_bilinear(void **unused)
{
    (void)unused;
    for (int n = 0; n < 3; n++) {
        check_bent(bent_vertex, 0.5 * n);
        check_bent(turned_vertex, 0.5 * n);
    }
}

/* x and y sheared, z 0 to 2; the scalar is linear in space. */
static bool sheared_vertex(int block, const int64_t at[3], const int64_t n[3],
                           double xyz[3], double *scalar)
{
    (void)block;
    (void)n;
    xyz[0] = (double)at[0] + 0.25 * (double)at[1];
    xyz[1] = (double)at[1] - 0.125 * (double)at[2];
    xyz[2] = 0.5 * (double)at[2] + 0.125 * (double)at[0];
    *scalar = (xyz[0] + 2.0 * xyz[1] + 3.0 * xyz[2]) / 64.0;
    return true;
}

static void planes_between_vertices_are_exact_on_linear_grids(void **unused)
{
    (void)unused;
    const int64_t n[1][3] = {{20, 18, 5}};
    test_grid grid = test_grid_create(1, n, sheared_vertex);
    const surface_plane plane = {.axis = 2, .index = 1.375, .hi = {19, 17, 4}};
    render_surface *surface =
        surface_make(grid.store, &(surface_spec){.nplanes = 1, .planes = &plane});
    surface_look look = surface_white();
    render_colors *grey = surface_grey(0.0, 1.5);
    look.colors = grey;
    look.fill = SURFACE_COLORED;
    look.smooth = true;
    render_camera camera = surface_camera(
        picture_view_from(vec3_make(5.0, 2.0, 20.0), vec3_make(11.0, 8.0, 1.0), 40.0),
        SIDE, SIDE);
    const render_fragments *drawn = surface_drawn(surface, &look, &camera, 1);
    assert_true(surface_total(drawn) > SIDE * SIDE / 3);
    /* Spanned by the steps of i and j from the vertex (0, 0, 1.375). */
    const vec3 origin = vec3_make(0.0, -0.125 * 1.375, 0.5 * 1.375);
    const vec3 normal = vec3_cross(vec3_make(1.0, 0.0, 0.125), vec3_make(0.25, 1.0, 0.0));
    for (int64_t f = 0; f < surface_total(drawn); f++) {
        const render_fragment *at = &drawn->items[f];
        int column = at->pixel % SIDE, row = at->pixel / SIDE;
        vec3 hit = surface_hit(&camera, column, row, origin, normal);
        double scalar = (hit.v[0] + 2.0 * hit.v[1] + 3.0 * hit.v[2]) / 64.0;
        check_near("distance of a plane", 0, surface_distance(&camera, column, row, hit),
                   (double)at->t, 2e-5);
        check_near("scalar of a plane", 0, scalar / 1.5, (double)at->rgba[0], 2e-6);
    }
    render_colors_destroy(&grey);
    render_surface_destroy(&surface);
    test_grid_destroy(&grid);
}

static bool has_fragment(const render_fragments *drawn, int pixel, float t)
{
    int64_t tile = (int64_t)(pixel / SIDE / FRAGMENTS_TILE) * drawn->columns +
                   pixel % SIDE / FRAGMENTS_TILE;
    bool found = false;
    for (int64_t n = drawn->first[tile]; n < drawn->first[tile + 1]; n++) {
        found |= drawn->items[n].pixel == pixel && drawn->items[n].t == t;
    }
    return found;
}

/* The face of a volume and the surface there are met at the same distance. */
static void boundary_faces_are_where_the_volume_begins(void **unused)
{
    (void)unused;
    uint64_t state = 5;
    const shape box = {.n = {20, 5, 5}, .seed = 5, .jitter = 0.3};
    test_grid grid = shape_create(&box);
    surface_range all = render_surface_whole_block(grid.layout, 0);
    render_surface *surface =
        surface_make(grid.store, &(surface_spec){.nranges = 1, .ranges = &all});
    surface_look look = surface_white();
    render_camera camera = random_camera(&state, &grid, 3.0);
    const render_fragments *drawn = surface_drawn(surface, &look, &camera, 2);
    bool chosen[2] = {true, true};
    march_grid march;
    march_seen_face *faces;
    int64_t count, entries = 0;
    assert_int_equal(render_march_grid_create(grid.store, chosen, NULL, &march),
                     STATUS_OK);
    assert_int_equal(render_march_boundary(&march, &camera,
                                           (pixel_rect){0, 0, SIDE, SIDE}, 1, &count,
                                           &faces),
                     STATUS_OK);
    for (int pixel = 0; pixel < SIDE * SIDE; pixel++) {
        cell_ray ray =
            render_cell_ray(render_camera_ray(&camera, pixel % SIDE, pixel / SIDE));
        for (int64_t f = 0; f < count; f++) {
            march_entry found[2];
            int here = render_march_face_entries(&march, &faces[f].face, &ray, found);
            for (int e = 0; e < here; e++) {
                bool same = has_fragment(drawn, pixel, found[e].crossing.t);
                check_count("entry that the surface has, too", (uint64_t)pixel, 1, same);
                entries++;
            }
        }
    }
    assert_true(entries > 100);
    free(faces);
    render_march_grid_destroy(&march);
    render_surface_destroy(&surface);
    test_grid_destroy(&grid);
}

static void degenerate_surfaces_are_drawn_without_odd_numbers(void **unused)
{
    (void)unused;
    const shape_kind kinds[] = {SHAPE_POLE, SHAPE_FLAT, SHAPE_LATTICE, SHAPE_RING};
    render_colors *grey = surface_grey(0.0, 1.0);
    const float levels[3] = {0.25f, 0.5f, 0.75f};
    const render_shade shade = {.ambient = 0.2f,
                                .diffuse = 0.7f,
                                .specular = 0.5f,
                                .shininess = 30,
                                .nlights = 1,
                                .lights = {{.kind = RENDER_LIGHT_POSITION,
                                            .at = {0.0f, 0.0f, 0.0f},
                                            .color = {1.0f, 1.0f, 1.0f}}}};
    for (uint64_t seed = 1; seed <= 16; seed++) {
        uint64_t state = seed;
        const shape wanted = {
            .kind = kinds[seed % 4], .scalar = SHAPE_HOLED, .n = {7, 9, 5}, .seed = seed};
        test_grid grid = shape_create(&wanted);
        surface_range all = render_surface_whole_block(grid.layout, 0);
        const surface_plane planes[2] = {{.axis = 0, .index = 0.0, .hi = {6, 8, 4}},
                                         {.axis = 1, .index = 3.5, .hi = {6, 8, 4}}};
        const surface_cut cut = {.point = shape_center(&grid),
                                 .normal = {{0.0, 0.0, 1.0}}};
        render_surface *surface =
            surface_make(grid.store, &(surface_spec){.nranges = 1,
                                                     .ranges = &all,
                                                     .nplanes = 2,
                                                     .planes = planes,
                                                     .ncuts = 1,
                                                     .cuts = &cut});
        for (int view = 0; view < 4; view++) {
            render_camera camera = random_camera(&state, &grid, view % 2 ? 2.0 : 0.3);
            surface_look look = {.colors = grey,
                                 .fill = SURFACE_FRINGES,
                                 .nlevels = 3,
                                 .levels = levels,
                                 .line_width = 1.5f,
                                 .wire_width = 2.0f,
                                 .wire_paint = {.by_scalar = true},
                                 .opacity = 0.5f,
                                 .smooth = view >= 2,
                                 .shade = &shade};
            surface_check_sound("a hostile surface", seed,
                                surface_drawn(surface, &look, &camera, 1 + (view == 0)));
        }
        render_surface_destroy(&surface);
        test_grid_destroy(&grid);
    }
    render_colors_destroy(&grey);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_have_each_of_their_faces_once),
        cmocka_unit_test(blanked_cells_leave_holes),
        cmocka_unit_test(walls_are_faces_with_a_cell_on_one_side),
        cmocka_unit_test(walls_need_both_sides_to_be_known),
        cmocka_unit_test(bricks_that_are_not_in_memory_are_as_if_not_there),
        cmocka_unit_test(bricks_that_are_not_needed_change_nothing),
        cmocka_unit_test(what_is_not_in_the_grid_is_refused),
        cmocka_unit_test(closed_surfaces_are_met_an_even_number_of_times),
        cmocka_unit_test(rays_through_vertices_meet_a_sheet_once),
        cmocka_unit_test(surfaces_reach_the_ends_of_a_picture),
        cmocka_unit_test(planes_between_vertices_are_exact_on_linear_grids),
        cmocka_unit_test(bent_faces_are_cut_from_their_first_point_and_bilinear),
        cmocka_unit_test(boundary_faces_are_where_the_volume_begins),
        cmocka_unit_test(degenerate_surfaces_are_drawn_without_odd_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
