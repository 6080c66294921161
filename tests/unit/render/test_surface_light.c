/* Normals and light: smooth on spheres, across seams, blocks and ranks. */
#include "test_surface_support.h"

#include "support/random.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = 64, MOST_STORES = 4 };

static const double pi = 3.14159265358979323846;

/* ---- Spheres ----------------------------------------------------------------------- */

/* Around, from pole to pole, outwards from radius 1 to 1.25. Two blocks meet where `i` of
 * the second begins; it goes around the other way. */
static bool sphere_vertex(int block, const int64_t at[3], const int64_t n[3],
                          double xyz[3], double *scalar)
{
    bool is_whole = n[0] == 49;
    int64_t around = is_whole ? at[0] % 48 : block == 0 ? at[0] : (48 - at[0]) % 48;
    double angle = 2.0 * pi * (double)around / 48.0;
    double polar = pi * (double)at[1] / (double)(n[1] - 1);
    bool is_pole = at[1] == 0 || at[1] == n[1] - 1;
    double radius = 1.0 + 0.25 * (double)at[2] / (double)(n[2] - 1);
    xyz[0] = is_pole ? 0.0 : radius * sin(polar) * cos(angle);
    xyz[1] = is_pole ? 0.0 : radius * sin(polar) * sin(angle);
    xyz[2] = radius * cos(polar);
    *scalar = 0.0;
    return true;
}

static const render_shade head_light = {
    .diffuse = 1.0f,
    .shininess = 1,
    .nlights = 1,
    .lights = {{.kind = RENDER_LIGHT_HEAD, .color = {1.0f, 1.0f, 1.0f}}}};

/* Largest difference of |n . v| from that of a sphere where |z| < limit. */
static double worst_light(const render_fragments *drawn, const render_camera *camera,
                          double limit)
{
    double worst = 0.0;
    for (int64_t n = 0; n < surface_total(drawn); n++) {
        const render_fragment *at = &drawn->items[n];
        render_ray ray = render_camera_ray(camera, at->pixel % SIDE, at->pixel / SIDE);
        double along = (double)at->t - surface_distance(camera, at->pixel % SIDE,
                                                        at->pixel / SIDE, ray.origin);
        vec3 point = vec3_add(ray.origin, vec3_scale(ray.direction, along));
        double expected = fabs(vec3_dot(vec3_normalize(point), ray.direction));
        if (fabs(point.v[2]) < limit) {
            worst = fmax(worst, fabs(expected - (double)at->rgba[0]));
        }
    }
    return worst;
}

/* A sphere is met twice or not at all; near its outline anything else. */
static void check_passes(const render_fragments *drawn, const render_camera *camera,
                         uint64_t seed)
{
    int counts[SIDE * SIDE], inside = 0;
    surface_count_pixels(drawn, camera, counts);
    for (int pixel = 0; pixel < SIDE * SIDE; pixel++) {
        render_ray ray = render_camera_ray(camera, pixel % SIDE, pixel / SIDE);
        double away = vec3_length(vec3_cross(ray.origin, ray.direction));
        if (away < 0.97 || away > 1.0001) {
            check_count("times that a sphere is met", seed, away < 1.0 ? 2 : 0,
                        counts[pixel]);
            inside += away < 1.0;
        }
    }
    check_within("pixels of a sphere", seed, SIDE * SIDE / 4, SIDE * SIDE, inside);
}

static void check_sphere(int nblocks, const int64_t n[][3], uint64_t seed)
{
    uint64_t state = seed;
    test_grid grid = test_grid_create(nblocks, n, sphere_vertex);
    surface_range shells[2];
    for (int b = 0; b < nblocks; b++) {
        shells[b] = surface_part(b, 0, 0, 0, n[b][0] - 1, n[b][1] - 1, 0);
    }
    render_surface *surface =
        surface_make(grid.store, &(surface_spec){.nranges = nblocks, .ranges = shells});
    vec3 from =
        vec3_make(random_between(&state, -1.0, 1.0), random_between(&state, -1.0, 1.0),
                  seed % 2 ? random_between(&state, -1.0, 1.0) : 4.0);
    vec3 position = vec3_scale(vec3_normalize(from), 5.0);
    render_camera camera = surface_camera(
        picture_view_from(position, vec3_make(0.0, 0.0, 0.0), 26.0), SIDE, SIDE);
    surface_look look = surface_white();
    look.shade = &head_light;
    look.smooth = true;
    const render_fragments *drawn = surface_drawn(surface, &look, &camera, 1);
    check_passes(drawn, &camera, seed);
    check_within("light of a smooth sphere", seed, 0.0, 0.01,
                 worst_light(drawn, &camera, 0.9));
    /* Towards the poles faces become smaller, and larger ones have more weight. */
    check_within("light of its poles", seed, 0.0, 0.04, worst_light(drawn, &camera, 2.0));
    look.smooth = false;
    check_within("light of a sphere of flat faces", seed, 0.03, 0.2,
                 worst_light(surface_drawn(surface, &look, &camera, 1), &camera, 2.0));
    render_surface_destroy(&surface);
    test_grid_destroy(&grid);
}

static void smooth_spheres_look_round_across_seams_poles_and_blocks(void **unused)
{
    (void)unused;
    const int64_t one[1][3] = {{49, 25, 2}}, two[2][3] = {{17, 25, 3}, {33, 25, 2}};
    for (uint64_t seed = 1; seed <= 8; seed++) {
        check_sphere(1, one, seed);
        check_sphere(2, two, seed);
    }
}

/* The edges of a box are sharper than 60 degrees: each side keeps its own normal. */
static void edges_stay_sharp(void **unused)
{
    (void)unused;
    const shape box = {.n = {9, 9, 9}};
    test_grid grid = shape_create(&box);
    surface_range all = render_surface_whole_block(grid.layout, 0);
    render_surface *surface =
        surface_make(grid.store, &(surface_spec){.nranges = 1, .ranges = &all});
    const render_shade shade = {.ambient = 0.25f,
                                .diffuse = 0.5f,
                                .specular = 0.25f,
                                .shininess = 2,
                                .nlights = 2,
                                .lights = {{.kind = RENDER_LIGHT_DIRECTION,
                                            .at = {0.0f, 0.0f, -1.0f},
                                            .color = {1.0f, 0.5f, 0.0f}},
                                           {.kind = RENDER_LIGHT_POSITION,
                                            .at = {4.0f, 4.0f, 20.0f},
                                            .color = {0.0f, 0.0f, 1.0f}}}};
    surface_look look = surface_white();
    look.shade = &shade;
    look.smooth = true;
    look.opacity = 0.5f;
    render_camera camera = surface_camera(
        picture_view_parallel(vec3_make(4.0, 4.0, 30.0), vec3_make(4.0, 4.0, 0.0), 7.0),
        SIDE, SIDE);
    const render_fragments *drawn = surface_drawn(surface, &look, &camera, 1);
    assert_int_equal(surface_total(drawn), 2 * SIDE * SIDE);
    for (int64_t n = 0; n < surface_total(drawn); n++) {
        const render_fragment *at = &drawn->items[n];
        render_ray ray = render_camera_ray(&camera, at->pixel % SIDE, at->pixel / SIDE);
        vec3 point = vec3_make(ray.origin.v[0], ray.origin.v[1], -(double)at->t);
        vec3 to_light = vec3_normalize(vec3_sub(vec3_make(4.0, 4.0, 20.0), point));
        vec3 half = vec3_normalize(vec3_add(to_light, vec3_make(0.0, 0.0, 1.0)));
        /* The light from behind stands across from the viewer: no half vector. */
        check_near("red", (uint64_t)n, 0.5 * (0.25 + 0.5), (double)at->rgba[0], 1e-6);
        check_near("green", (uint64_t)n, 0.5 * (0.25 + 0.25), (double)at->rgba[1], 1e-6);
        check_near("blue", (uint64_t)n,
                   0.5 * (0.25 + 0.5 * to_light.v[2] + 0.25 * half.v[2] * half.v[2]),
                   (double)at->rgba[2], 1e-5);
        assert_true(at->rgba[3] == 0.5f);
    }
    render_surface_destroy(&surface);
    test_grid_destroy(&grid);
}

/* ---- Several ranks ----------------------------------------------------------------- */

/* A store of some of the bricks of another. */
static grid_store *copy_bricks(const grid_store *from, const bool *wanted)
{
    int64_t *numbers = malloc((size_t)from->nbricks * sizeof *numbers), count = 0;
    grid_store *store = NULL;
    assert_non_null(numbers);
    for (int64_t s = 0; s < from->nbricks; s++) {
        if (wanted[s]) {
            numbers[count++] = from->bricks[s].number;
        }
    }
    assert_int_equal(grid_store_create(from->layout, count, numbers, false, &store),
                     STATUS_OK);
    for (int64_t s = 0; s < store->nbricks; s++) {
        grid_brick *to = &store->bricks[s];
        const grid_brick *brick = &from->bricks[from->slot[to->number]];
        const int *n = to->place.n;
        size_t vertices = (size_t)(n[0] + 1) * (size_t)(n[1] + 1) * (size_t)(n[2] + 1);
        memcpy(to->vertex, brick->vertex, vertices * sizeof *to->vertex);
        memcpy(to->flags, brick->flags, vertices);
        to->windings = brick->windings;
    }
    free(numbers);
    return store;
}

/* Data of several ranks: stores that overlap, and surfaces of them. */
typedef struct ranks {
    int count;
    grid_store *stores[MOST_STORES];
    render_surface *surfaces[MOST_STORES];
} ranks;

static ranks cut_ranks(uint64_t *state, const grid_store *whole, const surface_spec *spec)
{
    ranks r = {.count = MOST_STORES};
    bool wanted[MOST_STORES][64] = {{false}};
    assert_in_range(whole->nbricks, 2, 64);
    for (int64_t b = 0; b < whole->nbricks; b++) {
        wanted[random_below(state, MOST_STORES)][b] = true;
        wanted[random_below(state, MOST_STORES)][b] = true;
    }
    for (int n = 0; n < r.count; n++) {
        r.stores[n] = copy_bricks(whole, wanted[n]);
        r.surfaces[n] = surface_make(r.stores[n], spec);
    }
    return r;
}

/* Gives every rank the records of all. */
static void exchange(ranks *r)
{
    surface_record *all = NULL;
    int64_t count = 0;
    for (int n = 0; n < r->count; n++) {
        surface_record *records;
        int64_t more;
        assert_int_equal(render_surface_rim(r->surfaces[n], &more, &records), STATUS_OK);
        all = realloc(all, (size_t)(count + more + 1) * sizeof *all);
        assert_non_null(all);
        memcpy(all + count, records, (size_t)more * sizeof *all);
        count += more;
        free(records);
    }
    for (int n = 0; n < r->count; n++) {
        assert_int_equal(render_surface_set_normals(r->surfaces[n], count, all),
                         STATUS_OK);
    }
    free(all);
}

static void destroy_ranks(ranks *r)
{
    for (int n = 0; n < r->count; n++) {
        render_surface_destroy(&r->surfaces[n]);
        grid_store_destroy(&r->stores[n]);
    }
}

static int compare_fragments(const void *a, const void *b)
{
    const render_fragment *x = a, *y = b;
    if (x->pixel != y->pixel) {
        return x->pixel < y->pixel ? -1 : 1;
    }
    return x->t != y->t ? (x->t < y->t ? -1 : 1) : memcmp(x->rgba, y->rgba, 16);
}

/* Sorts fragments and drops those that are there twice. */
static int64_t unify(int64_t count, render_fragment *items)
{
    int64_t kept = 0;
    qsort(items, (size_t)count, sizeof *items, compare_fragments);
    for (int64_t n = 0; n < count; n++) {
        if (kept == 0 || compare_fragments(&items[n], &items[kept - 1]) != 0) {
            items[kept++] = items[n];
        }
    }
    return kept;
}

static render_fragment *append(render_fragment *to, int64_t *count,
                               const render_fragments *from)
{
    int64_t more = surface_total(from);
    to = realloc(to, (size_t)(*count + more + 1) * sizeof *to);
    assert_non_null(to);
    memcpy(to + *count, from->items, (size_t)more * sizeof *to);
    *count += more;
    return to;
}

/* Draws in one piece and in several, and compares all that is shown bit by bit. */
static void check_ranks(const test_grid *grid, const surface_spec *spec, uint64_t seed)
{
    uint64_t state = seed;
    const float levels[3] = {0.25f, 0.5f, 0.75f};
    render_colors *grey = surface_grey(0.0, 1.0);
    const surface_look look = {.colors = grey,
                               .fill = SURFACE_COLORED,
                               .nlevels = 3,
                               .levels = levels,
                               .line_width = 1.5f,
                               .wire_width = 1.0f,
                               .opacity = 1.0f,
                               .smooth = true,
                               .shade = &head_light};
    render_camera camera = surface_camera(
        picture_view_random(&state, shape_center(grid), shape_radius(grid)), SIDE, SIDE);
    render_surface *whole = surface_make(grid->store, spec);
    ranks r = cut_ranks(&state, grid->store, spec);
    render_fragment *expected = NULL, *actual = NULL;
    int64_t nexpected = 0, nactual = 0;
    exchange(&r);
    expected = append(expected, &nexpected, surface_drawn(whole, &look, &camera, 2));
    for (int n = 0; n < r.count; n++) {
        actual =
            append(actual, &nactual, surface_drawn(r.surfaces[n], &look, &camera, 1));
    }
    nexpected = unify(nexpected, expected);
    nactual = unify(nactual, actual);
    check_count("fragments of several ranks", seed, nexpected, nactual);
    for (int64_t n = 0; n < nexpected; n++) {
        check_count("fragment that differs", seed, 0,
                    compare_fragments(&expected[n], &actual[n]));
    }
    free(expected);
    free(actual);
    destroy_ranks(&r);
    render_surface_destroy(&whole);
    render_colors_destroy(&grey);
}

static void ranks_show_the_same_bits_as_one(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        const shape wanted = {.kind = seed % 3 == 0 ? SHAPE_RING : SHAPE_BOX,
                              .scalar = SHAPE_RANDOM,
                              .n = {36, 35, 20},
                              .seed = seed,
                              .jitter = 0.2,
                              .split = seed % 2 ? 15 : 0,
                              .turned = seed % 4 == 1,
                              .has_hole = seed % 3 == 1};
        test_grid grid = shape_create(&wanted);
        surface_range parts[2] = {render_surface_whole_block(grid.layout, 0)};
        parts[1] = parts[0];
        parts[1].lo[0] = parts[1].hi[0] = 7;
        const surface_plane plane = {
            .axis = 1, .index = 8.5, .hi = {9, 0, grid.layout->blocks[0].n[2] - 1}};
        const surface_cut cut = {.point = shape_center(&grid),
                                 .normal = {{0.3, -0.5, 0.8}}};
        const surface_spec spec = {.nranges = 2,
                                   .ranges = parts,
                                   .nplanes = 1,
                                   .planes = &plane,
                                   .ncuts = 1,
                                   .cuts = &cut};
        check_ranks(&grid, &spec, seed);
        test_grid_destroy(&grid);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smooth_spheres_look_round_across_seams_poles_and_blocks),
        cmocka_unit_test(edges_stay_sharp),
        cmocka_unit_test(ranks_show_the_same_bits_as_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
