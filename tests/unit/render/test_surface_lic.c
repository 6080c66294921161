/* Line integral convolution: streaks lie along the flow in the surface, on skewed grids,
 * in thin cells, across seams and on walls; and go straight on beyond edges. */
#include "render/surface/lic.h"
#include "render/surface/lic/trace.h"
#include "support/random.h"
#include "test_surface_support.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = 160, APART = 5 };

typedef void velocity_at(const float point[3], float velocity[3]);

static void along_x(const float point[3], float velocity[3])
{
    (void)point;
    velocity[0] = 3.0f;
    velocity[1] = velocity[2] = 0.0f;
}

/* Out of the plane, too: only the part in the plane counts. */
static void aslant(const float point[3], float velocity[3])
{
    (void)point;
    velocity[0] = 0.003f;
    velocity[1] = 0.004f;
    velocity[2] = 0.02f;
}

static void around_z(const float point[3], float velocity[3])
{
    velocity[0] = -point[1];
    velocity[1] = point[0];
    velocity[2] = 0.0f;
}

static void still(const float point[3], float velocity[3])
{
    (void)point;
    memset(velocity, 0, 3 * sizeof *velocity);
}

/* At the wall z = 0 there is no flow. */
static void above_wall(const float point[3], float velocity[3])
{
    along_x(point, velocity);
    velocity[0] *= point[2] > 0.0f ? 1.0f : 0.0f;
}

/* ---- Grids ------------------------------------------------------------------------- */

static const int64_t sheet_size[1][3] = {{41, 37, 3}};

/* Skewed, with cells that grow from a hundredth to 1 along j. */
static bool skewed_vertex(int block, const int64_t at[3], const int64_t n[3],
                          double xyz[3], double *scalar)
{
    (void)block;
    const double share = (double)at[1] / (double)(n[1] - 1);
    const double y = 20.0 * (exp(5.0 * share) - 1.0) / (exp(5.0) - 1.0);
    xyz[0] = (double)at[0] + 0.7 * y - 27.0;
    xyz[1] = y - 10.0;
    xyz[2] = (double)at[2];
    *scalar = 0.5;
    return true;
}

/* The same with a hole. */
static bool holed_vertex(int block, const int64_t at[3], const int64_t n[3],
                         double xyz[3], double *scalar)
{
    skewed_vertex(block, at, n, xyz, scalar);
    return !(at[0] == 20 && at[1] == 33);
}

/* ---- Pictures ---------------------------------------------------------------------- */

/* A picture of the plane k = 0, and the texture there. */
typedef struct texture {
    test_grid grid;
    render_surface *surface;
    render_lic *lic;
    render_camera camera;
    const render_fragments *fragments;
} texture;

static void set_points(render_lic *lic, int64_t quads)
{
    const size_t count = (size_t)render_lic_count(lic);
    int32_t(*points)[4] = malloc(count * sizeof *points);
    render_lic_tell_points(lic, points);
    for (size_t n = 0; n < count; n++) {
        quads -= points[n][3] == 1;
    }
    assert_int_equal(quads, 0); /* a rank tells of each of its own */
    render_lic_set_points(lic, (const int32_t(*)[4])points);
    free(points);
}

static void set_flow(render_lic *lic, const grid_store *store, velocity_at *flow)
{
    const size_t count = (size_t)render_lic_count(lic);
    float(*velocity)[3] = malloc((size_t)store->nvertices * sizeof *velocity);
    int64_t(*values)[3] = malloc(count * sizeof *values);
    for (int64_t v = 0; v < store->nvertices; v++) {
        flow(store->vertex[v], velocity[v]);
    }
    render_lic_tell_flow(lic, (const float(*)[3])velocity, values);
    render_lic_set_flow(lic, (const int64_t(*)[3])values);
    free(velocity);
    free(values);
}

static surface_look grey_look(const render_lic *lic)
{
    surface_look look = surface_white();
    look.lic = lic;
    for (int c = 0; c < 3; c++) {
        look.color[c] = 0.5f;
    }
    return look;
}

static texture make_texture(test_grid grid, velocity_at *flow)
{
    texture t = {.grid = grid};
    surface_range plane = render_surface_whole_block(grid.layout, 0);
    plane.hi[2] = 0;
    int64_t count = 0;
    lic_place *places = NULL;
    t.surface = surface_make(
        grid.store, &(surface_spec){.nranges = 1, .ranges = &plane, .has_inner = true});
    assert_int_equal(render_lic_list(t.surface, &count, &places), STATUS_OK);
    assert_int_equal(count, 1);
    assert_int_equal(
        render_lic_create(t.surface, &(lic_look){24.0, 0.8}, count, places, &t.lic),
        STATUS_OK);
    free(places);
    set_points(t.lic, render_surface_count(t.surface).quads);
    set_flow(t.lic, grid.store, flow);
    const vec3 center = vec3_make(0.0, 0.0, 0.0);
    render_view view = picture_view_from(vec3_make(0.0, 0.0, 30.0), center, 35.0);
    view.up = vec3_make(0.0, 1.0, 0.0);
    view.orthographic = true;
    view.height = grid.layout->blocks[0].closed[1] ? 4.0 : 20.0;
    t.camera = surface_camera(view, SIDE, SIDE);
    const surface_look look = grey_look(t.lic);
    t.fragments = surface_drawn(t.surface, &look, &t.camera, 2);
    return t;
}

static texture make_skewed(velocity_at *flow)
{
    return make_texture(test_grid_create(1, sheet_size, skewed_vertex), flow);
}

static void destroy_texture(texture *t)
{
    render_lic_destroy(&t->lic);
    assert_null(t->lic);
    render_surface_destroy(&t->surface);
    test_grid_destroy(&t->grid);
}

/* ---- Correlation ------------------------------------------------------------------- */

/* Sums over pairs of pixels. */
typedef struct pairs {
    int count;
    double a, b, aa, ab, bb;
} pairs;

static void add_pair(const texture *t, const int at[2], const double to[2], pairs *sums)
{
    const int x = (int)lround(to[0]), y = (int)lround(to[1]);
    const bool inside = x >= 0 && y >= 0 && x < SIDE && y < SIDE;
    const render_fragment *one = surface_at(t->fragments, &t->camera, at[0], at[1]);
    const render_fragment *other =
        inside ? surface_at(t->fragments, &t->camera, x, y) : NULL;
    if (one && other) {
        const double a = (double)one->rgba[0], b = (double)other->rgba[0];
        sums->count++;
        sums->a += a;
        sums->b += b;
        sums->aa += a * a;
        sums->ab += a * b;
        sums->bb += b * b;
    }
}

static double correlation(const pairs *sums)
{
    const double n = sums->count;
    assert_true(n > 1000);
    const double ab = sums->ab - sums->a * sums->b / n;
    const double aa = sums->aa - sums->a * sums->a / n;
    const double bb = sums->bb - sums->b * sums->b / n;
    assert_true(aa > 1e-4 * n);
    return ab / sqrt(aa * bb);
}

/* Correlation of pixels APART along a direction of the picture, rows counted from
 * below. */
static double correlation_along(const texture *t, double x, double y)
{
    pairs sums = {0};
    for (int row = 0; row < SIDE; row++) {
        for (int column = 0; column < SIDE; column++) {
            const double to[2] = {column + APART * x, row - APART * y};
            add_pair(t, (const int[2]){column, row}, to, &sums);
        }
    }
    return correlation(&sums);
}

/* The same along circles around the middle, or across them, within `half` an angle of the
 * positive x axis, where the ring's seam is. */
static double correlation_round(const texture *t, bool across, double half)
{
    pairs sums = {0};
    for (int row = 0; row < SIDE; row++) {
        for (int column = 0; column < SIDE; column++) {
            const double x = column - 0.5 * (SIDE - 1), y = 0.5 * (SIDE - 1) - row;
            const double radius = hypot(x, y), angle = atan2(y, x);
            const double far = across ? radius + APART : radius;
            const double turned = across ? angle : angle + APART / radius;
            const double to[2] = {0.5 * (SIDE - 1) + far * cos(turned),
                                  0.5 * (SIDE - 1) - far * sin(turned)};
            if (fabs(angle) < half) {
                add_pair(t, (const int[2]){column, row}, to, &sums);
            }
        }
    }
    return correlation(&sums);
}

/* ---- Tests ------------------------------------------------------------------------- */

static void streaks_lie_along_the_flow_on_a_skewed_grid(void **unused)
{
    (void)unused;
    texture t = make_skewed(along_x);
    assert_true(correlation_along(&t, 1.0, 0.0) > 0.7);
    assert_true(fabs(correlation_along(&t, 0.0, 1.0)) < 0.2);
    destroy_texture(&t);
    t = make_skewed(aslant);
    assert_true(correlation_along(&t, 0.6, 0.8) > 0.7);
    assert_true(fabs(correlation_along(&t, -0.8, 0.6)) < 0.2);
    destroy_texture(&t);
}

static void streaks_cross_the_seam_of_a_ring(void **unused)
{
    (void)unused;
    const shape ring = {.kind = SHAPE_RING, .n = {9, 33, 3}};
    test_grid grid = shape_create(&ring);
    grid.layout->blocks[0].closed[1] = true;
    texture t = make_texture(grid, around_z);
    const double round = correlation_round(&t, false, 4.0);
    assert_true(round > 0.5); /* less than along x: places are rounded to pixels */
    assert_true(fabs(correlation_round(&t, true, 4.0)) < 0.2);
    check_near("at the seam", 0, round, correlation_round(&t, false, 0.3), 0.1);
    destroy_texture(&t);
}

static void walls_show_the_flow_beside_them(void **unused)
{
    (void)unused;
    texture wall = make_skewed(above_wall), flow = make_skewed(along_x);
    surface_compare("a wall and the flow above it", flow.fragments, wall.fragments);
    destroy_texture(&wall);
    destroy_texture(&flow);
}

static void threads_make_no_difference(void **unused)
{
    (void)unused;
    texture t = make_skewed(around_z), again = make_skewed(around_z);
    const surface_look look = grey_look(again.lic);
    surface_compare("another picture of the same view", t.fragments,
                    surface_drawn(again.surface, &look, &again.camera, 1));
    destroy_texture(&again);
    destroy_texture(&t);
}

/* Another step of the data: the texture of the same view follows. */
static void the_texture_follows_the_flow(void **unused)
{
    (void)unused;
    texture t = make_skewed(along_x), other = make_skewed(aslant);
    const surface_look look = grey_look(t.lic);
    set_flow(t.lic, t.grid.store, aslant);
    surface_compare("another flow", other.fragments,
                    surface_drawn(t.surface, &look, &t.camera, 1));
    destroy_texture(&t);
    destroy_texture(&other);
}

static void the_mean_colour_stays(void **unused)
{
    (void)unused;
    texture t = make_skewed(along_x);
    double sum = 0.0;
    const int64_t count = surface_total(t.fragments);
    for (int64_t n = 0; n < count; n++) {
        sum += (double)t.fragments->items[n].rgba[1];
    }
    check_near("mean of a grey surface", 0, 0.5, sum / (double)count, 0.02);
    surface_check_sound("a texture", 0, t.fragments);
    destroy_texture(&t);
}

static void holes_and_still_flow_do_no_harm(void **unused)
{
    (void)unused;
    texture holed = make_texture(test_grid_create(1, sheet_size, holed_vertex), along_x);
    surface_check_sound("a hole", 0, holed.fragments);
    assert_true(correlation_along(&holed, 1.0, 0.0) > 0.65);
    destroy_texture(&holed);
    texture calm = make_skewed(still);
    surface_check_sound("no flow", 0, calm.fragments);
    destroy_texture(&calm);
    for (uint64_t seed = 0; seed < 4; seed++) {
        texture odd = make_texture(
            shape_create(&(shape){.kind = SHAPE_LATTICE, .n = {9, 9, 3}, .seed = seed}),
            around_z);
        surface_check_sound("degenerate cells", seed, odd.fragments);
        destroy_texture(&odd);
    }
}

/* ---- Lanes ------------------------------------------------------------------------- */

enum { U = 13, V = 11 };

/* A sheet of bent cells with holes and a seam along u; some vertices are not finite. */
typedef struct odd_sheet {
    float vertex[U * V][LIC_VALUES];
    uint8_t present[U * V + 3];
    lic_sheet sheet;
    lic_hit hits[LIC_BATCH];
} odd_sheet;

static void make_odd_sheet(uint64_t seed, odd_sheet *out)
{
    uint64_t state = seed;
    out->sheet = (lic_sheet){.n = {U, V},
                             .closed = {seed % 2 == 0, false},
                             .vertex = out->vertex,
                             .present = out->present};
    for (int n = 0; n < U * V; n++) {
        const double at[3] = {n % U, n / U, 0.0};
        for (int c = 0; c < 3; c++) {
            out->vertex[n][c] = (float)(at[c] + random_between(&state, -0.4, 0.4));
        }
        for (int c = 0; c < 2; c++) {
            out->vertex[n][LIC_FLOW + c] = (float)random_between(&state, -2.0, 2.0);
        }
        out->present[n] = random_between(&state, 0.0, 1.0) > 0.1;
    }
    if (seed % 5 == 0) {
        out->vertex[U * V / 2][1] = NAN;
        out->vertex[U * V / 3][2] = INFINITY;
    }
    for (int n = 0; n < LIC_BATCH; n++) {
        out->hits[n] =
            (lic_hit){.sheet = &out->sheet,
                      .at = {random_between(&state, -0.5, U - 0.5), /* some are outside */
                             random_between(&state, 0.0, V - 1.0)},
                      .pixel = exp2(random_between(&state, -12.0, 1.0))};
    }
}

static void check_contrasts(const lic_kernel *plain)
{
    for (lic_walk *const *walk = lic_walks(); *walk; walk++) {
        const lic_kernel other = lic_kernel_make(2.0 * plain->length, *walk);
        assert_memory_equal(plain->per_deviation, other.per_deviation,
                            sizeof plain->per_deviation);
    }
}

static void all_widths_give_the_same_bits(void **unused)
{
    (void)unused;
    const lic_kernel plain = lic_kernel_make(24.0, lic_walk_plain);
    int some = 0;
    check_contrasts(&plain);
    for (uint64_t seed = 1; seed <= 100; seed++) {
        odd_sheet odd;
        double expected[LIC_BATCH], actual[LIC_BATCH];
        make_odd_sheet(seed, &odd);
        lic_trace(&plain, LIC_BATCH, odd.hits, expected);
        for (lic_walk *const *walk = lic_walks(); *walk; walk++) {
            lic_kernel kernel = plain;
            kernel.walk = *walk;
            lic_trace(&kernel, LIC_BATCH, odd.hits, actual);
            assert_memory_equal(expected, actual, sizeof expected);
        }
        for (int n = 0; n < LIC_BATCH; n++) {
            assert_true(isfinite(expected[n]));
            some += fabs(expected[n]) > 0.1;
        }
    }
    assert_true(some > 100 * LIC_BATCH / 2);
}

/* A flat sheet of u x v vertices in a flow that turns. */
static lic_sheet make_flat(int64_t u, int64_t v, float (*vertex)[LIC_VALUES],
                           uint8_t *present)
{
    for (int64_t n = 0; n < u * v; n++) {
        const float x = (float)(n % u), y = (float)(n / u), angle = 0.1f * x;
        const float values[LIC_VALUES] = {x, y, 0.0f, cosf(angle), sinf(angle)};
        memcpy(vertex[n], values, sizeof values);
        present[n] = 1;
    }
    return (lic_sheet){.n = {u, v}, .vertex = vertex, .present = present};
}

/* Near the border of two blocks each has nearly the texture of both in one. */
static void streaks_fit_across_the_border_of_blocks(void **unused)
{
    (void)unused;
    float vertex[2][2 * U * V][LIC_VALUES];
    uint8_t present[2][2 * U * V + 3];
    const lic_sheet sheets[2] = {make_flat(2 * U, V, vertex[0], present[0]),
                                 make_flat(U, V, vertex[1], present[1])};
    const lic_kernel kernel = lic_kernel_make(32.0, lic_walks()[0]);
    uint64_t state = 1;
    double off = 0.0, all = 0.0;
    for (int n = 0; n < 4 * LIC_BATCH; n++) {
        lic_hit hit = {.at = {random_between(&state, U - 1.5, U - 1.0),
                              random_between(&state, 3.0, V - 4.0)},
                       .pixel = 0.1};
        double textures[2];
        for (int m = 0; m < 2; m++) {
            hit.sheet = &sheets[m];
            lic_trace(&kernel, 1, &hit, &textures[m]);
        }
        off += (textures[0] - textures[1]) * (textures[0] - textures[1]);
        all += textures[0] * textures[0];
    }
    assert_true(off < 0.01 * all);
}

/* Whichever hits share a vector with it. */
static void a_hit_does_not_depend_on_others(void **unused)
{
    (void)unused;
    const lic_kernel kernel = lic_kernel_make(40.0, lic_walks()[0]);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        odd_sheet odd;
        double together[LIC_BATCH], alone;
        make_odd_sheet(seed, &odd);
        lic_trace(&kernel, LIC_BATCH, odd.hits, together);
        for (int n = 0; n < LIC_BATCH; n++) {
            lic_trace(&kernel, 1, &odd.hits[n], &alone);
            assert_memory_equal(&together[n], &alone, sizeof alone);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streaks_lie_along_the_flow_on_a_skewed_grid),
        cmocka_unit_test(streaks_cross_the_seam_of_a_ring),
        cmocka_unit_test(walls_show_the_flow_beside_them),
        cmocka_unit_test(threads_make_no_difference),
        cmocka_unit_test(the_texture_follows_the_flow),
        cmocka_unit_test(the_mean_colour_stays),
        cmocka_unit_test(holes_and_still_flow_do_no_harm),
        cmocka_unit_test(all_widths_give_the_same_bits),
        cmocka_unit_test(streaks_fit_across_the_border_of_blocks),
        cmocka_unit_test(a_hit_does_not_depend_on_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
