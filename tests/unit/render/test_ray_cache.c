/* Kept ways: steps of a view that stays are the pictures of new scenes, to the last bit.
 */
#include "check.h"
#include "picture.h"
#include "render/scene.h"
#include "shape.h"

#include "render/iso.h"
#include "support/random.h"

#include <string.h>

enum { SIDE = 40, STEPS = 6, TRANSFERS = 3 };

static const int64_t PLENTY = (int64_t)1 << 30;

/* A scene and its picture, of a part of the grid. */
typedef struct series {
    test_grid grid;
    render_transfer *transfers[TRANSFERS]; /* of the steps, in turns */
    render_transfer *places;               /* of isosurfaces */
    render_iso_look look;
    render_scene *scene, *usual, *surfaces; /* with kept ways, without; of isosurfaces */
    picture p;
    bool has_surfaces, has_depth;
    int64_t keep;
    bool is_ending;
} series;

/* Thin, nearly opaque, and clear below the middle with a thin feature. */
static void make_transfers(series *s)
{
    static const double colors[3][4] = {
        {0.0, 1.0, 0.2, 0.1}, {0.5, 0.1, 0.9, 0.3}, {1.0, 0.2, 0.3, 1.0}};
    static const double opacities[TRANSFERS][4][2] = {
        {{0.0, 0.01}, {0.3, 0.05}, {0.6, 0.02}, {1.0, 0.2}},
        {{0.0, 0.5}, {0.3, 0.99}, {0.6, 0.9}, {1.0, 0.999}},
        {{0.0, 0.0}, {0.5, 0.0}, {0.505, 0.7}, {1.0, 0.1}}};
    for (int n = 0; n < TRANSFERS; n++) {
        const render_transfer_points points = {.ncolors = 3,
                                               .colors = colors,
                                               .nopacities = 4,
                                               .opacities = opacities[n],
                                               .range = {0.0, 1.0},
                                               .unit_length = 1.0};
        assert_int_equal(render_transfer_create(&points, &s->transfers[n]), STATUS_OK);
    }
}

static shape large_shape(uint64_t seed)
{
    return (shape){.kind = seed % 3 == 0 ? SHAPE_RING : SHAPE_BOX,
                   .scalar = seed % 4 == 1 ? SHAPE_HOLED : SHAPE_RANDOM,
                   .n = {22, 36, 19},
                   .jitter = 0.15,
                   /* With warped borders, bends go along patches, and no way is kept. */
                   .boundary_is_even = seed % 2 == 0,
                   .split = seed % 2 ? 9 : 0,
                   .turned = seed % 4 == 3,
                   .has_hole = seed % 5 == 0,
                   .seed = seed};
}

static void start(uint64_t seed, series *s)
{
    const shape wanted = large_shape(seed);
    uint64_t state = seed;
    *s = (series){.grid = shape_create(&wanted), .keep = PLENTY};
    make_transfers(s);
    s->p = picture_of(
        &s->grid, s->transfers[0],
        picture_view_random(&state, shape_center(&s->grid), 2.0 * shape_radius(&s->grid)),
        SIDE);
    const box3 bounds = s->grid.layout->bounds;
    const int axis = (int)(seed % 3);
    s->p.clip.lo.v[axis] = 0.7 * bounds.lo.v[axis] + 0.3 * bounds.hi.v[axis];
    s->p.threads = 1 + (int)(seed % 2);
    s->has_depth = seed % 2;
    s->has_surfaces = seed % 4 > 1;
    s->look = (render_iso_look){
        .nvalues = 2, .values = {0.35f, 0.62f}, .opacity = seed % 8 > 3 ? 1.0f : 0.5f};
    assert_int_equal(render_iso_places(&s->look, &s->places), STATUS_OK);
    assert_int_equal(render_scene_create(s->grid.store, &s->scene), STATUS_OK);
    assert_int_equal(render_scene_create(s->grid.store, &s->usual), STATUS_OK);
    assert_int_equal(render_scene_create(s->grid.store, &s->surfaces), STATUS_OK);
}

static void end(series *s)
{
    render_scene_destroy(&s->scene);
    render_scene_destroy(&s->usual);
    render_scene_destroy(&s->surfaces);
    for (int n = 0; n < TRANSFERS; n++) {
        render_transfer_destroy(&s->transfers[n]);
    }
    render_transfer_destroy(&s->places);
    test_grid_destroy(&s->grid);
}

/* Gives the vertices the scalars of a step: waves, with a calm part that moves. Missing
 * values stay. */
static void go_to_step(const series *s, int step)
{
    grid_store *store = s->grid.store;
    const vec3 middle = shape_center(&s->grid);
    const double radius = shape_radius(&s->grid);
    for (int64_t n = 0; n < store->nvertices; n++) {
        float *v = store->vertex[n];
        const double x = ((double)v[0] - middle.v[0]) / radius,
                     y = ((double)v[1] - middle.v[1]) / radius;
        const double wave = sin(9.0 * x + step) * cos(11.0 * y + 3.0 * (double)v[2]);
        const double calm = x + y > 0.3 * sin(2.0 * step) ? 0.2 : 1.0;
        v[3] = isfinite(v[3]) ? (float)(0.5 + 0.5 * calm * wave) : v[3];
    }
    for (int64_t slot = 0; slot < store->nbricks; slot++) {
        test_grid_find_range(&store->bricks[slot]);
    }
}

/* Each time another one of those that the processor can run. */
static const walk_kernel *next_kernel(void)
{
    static int number = 0;
    const walk_kernel *const *kernels = render_walk_kernels();
    number = kernels[number + 1] ? number + 1 : 0;
    return kernels[number];
}

static image *draw(const series *s, const picture *p, render_scene *scene, int64_t keep,
                   render_counters *counters)
{
    const render_camera camera = picture_camera(p);
    image *img = NULL;
    assert_int_equal(image_create(SIDE, SIDE, s->has_depth, &img), STATUS_OK);
    assert_int_equal(render_scene_draw(scene,
                                       &(render_request){.kernel = next_kernel(),
                                                         .style = &p->style,
                                                         .transfer = p->transfer,
                                                         .camera = &camera,
                                                         .clip = p->clip,
                                                         .threads = p->threads,
                                                         .keep = keep,
                                                         .is_ending = s->is_ending},
                                       img, counters),
                     STATUS_OK);
    return img;
}

static void compare(const series *s, uint64_t seed, const image *expected,
                    const image *found)
{
    picture_compare("a step of a view that stays", seed, expected, found, 0.0);
    for (int64_t i = 0; s->has_depth && i < image_pixel_count(found); i++) {
        if (expected->depth[i] != found->depth[i]) {
            fail_msg("depth of pixel %lld (seed %llu)", (long long)i,
                     (unsigned long long)seed);
        }
    }
}

/* Draws the picture with kept ways, without, and with a new scene. Kept ways leave out
 * cells in front of the drawn part. is_settled: they are recorded. */
static void draw_and_compare(const series *s, const picture *wanted, bool is_settled,
                             uint64_t seed)
{
    picture p = *wanted;
    render_counters counters, usual, fresh;
    render_fragments fragments = {0};
    const render_fragments *layers[] = {&fragments};
    render_scene *anew = NULL;
    if (s->has_surfaces) {
        const render_camera camera = picture_camera(&p);
        assert_int_equal(render_iso_draw(s->surfaces, &s->look,
                                         &(render_request){.transfer = s->places,
                                                           .camera = &camera,
                                                           .clip = p.clip,
                                                           .threads = 1},
                                         &fragments, &fresh),
                         STATUS_OK);
        p.style.nlayers = 1;
        p.style.layers = layers;
    }
    assert_int_equal(render_scene_create(s->grid.store, &anew), STATUS_OK);
    image *found = draw(s, &p, s->scene, s->keep, &counters);
    image *beside = draw(s, &p, s->usual, 0, &usual);
    image *expected = draw(s, &p, anew, 0, &fresh);
    render_scene_destroy(&anew);
    check_count("lost rays", seed, 0, counters.lost_rays);
    check_count("bytes without kept ways", seed, 0, usual.kept_bytes);
    check_count("bytes at most", seed, true, counters.kept_bytes <= s->keep);
    if (s->has_depth &&
        is_settled) { /* else bricks that have become clear are still passed */
        check_count("no more cells are passed", seed, true,
                    counters.crossings <= usual.crossings);
        check_count("no more missing values", seed, true,
                    counters.nan_cells <= usual.nan_cells);
    }
    compare(s, seed, expected, found);
    compare(s, seed, expected, beside);
    image_destroy(&found);
    image_destroy(&beside);
    image_destroy(&expected);
    render_fragments_clear(&fragments);
}

/* Rays of the view with kept ways. */
static int64_t count_kept_rays(const series *s)
{
    const render_kept *kept = &s->scene->kept;
    int64_t rays = 0;
    for (int64_t tile = 0; tile < kept->ntiles; tile++) {
        for (int g = 0; g < kept->tiles[tile].ngroups; g++) {
            rays += kept->tiles[tile].groups[g].rays;
        }
    }
    return rays;
}

/* Bytes of the ways alone. */
static int64_t count_kept_bytes(const series *s)
{
    const render_kept *kept = &s->scene->kept;
    int64_t bytes = 0;
    for (int64_t tile = 0; tile < kept->ntiles; tile++) {
        bytes += kept->tiles[tile].bytes;
    }
    return bytes;
}

/* Draws some steps, each with the next transfer function. */
static void draw_steps(series *s, const picture *p, uint64_t seed)
{
    for (int step = 0; step < STEPS; step++) {
        picture now = *p;
        now.transfer = s->transfers[step % TRANSFERS];
        go_to_step(s, step);
        draw_and_compare(s, &now, step >= 2, seed);
    }
}

static void steps_are_those_of_new_scenes(void **unused)
{
    (void)unused;
    int64_t rays = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        series s;
        start(seed, &s);
        draw_steps(&s, &s.p, seed);
        rays += count_kept_rays(&s);
        end(&s);
    }
    check_within("rays with kept ways", 0, 1500, 1e9, (double)rays);
}

/* Whether the scalar bends visibly in the current step. */
static bool bends(const series *s, const picture *p)
{
    render_counters unused;
    picture straight = *p;
    straight.style.quadratic = false;
    image *with = draw(s, p, s->usual, 0, &unused),
          *without = draw(s, &straight, s->usual, 0, &unused);
    const size_t bytes = (size_t)image_pixel_count(with) * 4 * sizeof *with->rgba;
    const bool differs = memcmp(with->rgba, without->rgba, bytes) != 0;
    image_destroy(&with);
    image_destroy(&without);
    return differs;
}

static void steps_with_bends_are_those_of_new_scenes(void **unused)
{
    (void)unused;
    int64_t rays = 0;
    int bent = 0;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        series s;
        start(seed, &s);
        if (seed % 3 == 0) { /* ways without bends are kept first */
            draw_steps(&s, &s.p, seed);
        }
        s.p.style.quadratic = true;
        draw_steps(&s, &s.p, seed);
        rays += count_kept_rays(&s);
        bent += bends(&s, &s.p);
        s.p.style.quadratic = false;
        draw_steps(&s, &s.p, seed);
        end(&s);
    }
    check_within("rays with kept ways", 0, 1500, 1e9, (double)rays);
    check_count("enough pictures that bend", 0, true, bent > 20);
}

static void ways_are_kept_of_all_rays_or_none(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        series s;
        start(seed, &s);
        draw_steps(&s, &s.p, seed);
        const int64_t ways = count_kept_bytes(&s), half = s.scene->kept.bytes - ways / 2;
        check_count("bytes of ways", seed, true, ways > 0);
        end(&s);
        start(seed, &s);
        s.keep = half;
        draw_steps(&s, &s.p, seed);
        check_count("rays with half of the memory", seed, 0, count_kept_rays(&s));
        check_count("bytes with half of the memory", seed, 0, s.scene->kept.bytes);
        end(&s);
    }
}

/* Ways that are there are used to the end, but none are recorded for few pictures. */
static void few_pictures_record_no_ways(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        series s;
        start(seed, &s);
        s.is_ending = true;
        draw_steps(&s, &s.p, seed);
        check_count("rays of few pictures", seed, 0, count_kept_rays(&s));
        s.is_ending = false;
        draw_steps(&s, &s.p, seed);
        const int64_t rays = count_kept_rays(&s);
        s.is_ending = true;
        draw_and_compare(&s, &s.p, false, seed);
        check_count("rays in the last picture", seed, rays, count_kept_rays(&s));
        end(&s);
    }
}

/* So faint that no scalar bends visibly. */
static render_transfer *make_faint(void)
{
    static const double colors[1][4] = {{0.0, 1.0, 1.0, 1.0}},
                        opacities[2][2] = {{0.0, 0.0}, {1.0, 1e-7}};
    const render_transfer_points points = {.ncolors = 1,
                                           .colors = colors,
                                           .nopacities = 2,
                                           .opacities = opacities,
                                           .range = {0.0, 1.0},
                                           .unit_length = 1.0};
    render_transfer *faint;
    assert_int_equal(render_transfer_create(&points, &faint), STATUS_OK);
    return faint;
}

/* Draws the current step. Returns the number of cells with bends that there is room for.
 */
static int64_t draw_bent(const series *s, const render_transfer *transfer, uint64_t seed)
{
    picture now = s->p;
    now.transfer = transfer;
    now.style.quadratic = true;
    draw_and_compare(s, &now, false, seed);
    return s->scene->kept.capacity;
}

static void ways_go_if_cells_with_bends_do_not_fit(void **unused)
{
    (void)unused;
    render_transfer *faint = make_faint();
    int grown = 0;
    for (uint64_t seed = 2; seed <= 12; seed += 2) {
        series s;
        start(seed, &s);
        int64_t few = 0;
        for (int n = 0; n < 3; n++) {
            few = draw_bent(&s, faint, seed);
        }
        check_count("rays with few bends", seed, true, count_kept_rays(&s) > 0);
        s.keep = s.scene->kept.bytes; /* not enough for more cells */
        if (few < draw_bent(&s, s.transfers[1], seed)) {
            fail_msg("cells beyond the limit (seed %llu)", (unsigned long long)seed);
        }
        grown += count_kept_rays(&s) == 0;
        end(&s);
    }
    render_transfer_destroy(&faint);
    check_count("enough views with more bends", 0, true, grown > 2);
}

static void other_views_and_styles_drop_kept_ways(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        series s;
        start(seed, &s);
        s.has_surfaces = false;
        uint64_t state = seed + 100;
        picture other = s.p;
        switch (seed % 3) {
        case 0:
            other.view = picture_view_random(&state, shape_center(&s.grid),
                                             1.5 * shape_radius(&s.grid));
            break;
        case 1:
            other.clip = box3_everything();
            break;
        default:
            other.style.trilinear = true;
        }
        draw_steps(&s, &s.p, seed);
        for (int n = 0; n < 3; n++) {
            go_to_step(&s, n);
            draw_and_compare(&s, &other, false, seed);
        }
        if (other.style.trilinear) {
            check_count("rays of other styles", seed, 0, count_kept_rays(&s));
        }
        draw_steps(&s, &s.p, seed);
        end(&s);
    }
}

/* Rays may come back into folded grids. */
static void folded_grids_keep_nothing(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        series s;
        start(seed, &s);
        test_grid_destroy(&s.grid);
        shape wanted = large_shape(seed);
        wanted.kind = SHAPE_BOX;
        wanted.jitter = 1.2;
        s.grid = shape_create(&wanted);
        s.p.grid = &s.grid;
        s.has_surfaces = false;
        render_scene_destroy(&s.scene);
        render_scene_destroy(&s.usual);
        assert_int_equal(render_scene_create(s.grid.store, &s.scene), STATUS_OK);
        assert_int_equal(render_scene_create(s.grid.store, &s.usual), STATUS_OK);
        draw_steps(&s, &s.p, seed);
        check_count("rays with kept ways", seed, 0, count_kept_rays(&s));
        end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_those_of_new_scenes),
        cmocka_unit_test(steps_with_bends_are_those_of_new_scenes),
        cmocka_unit_test(ways_are_kept_of_all_rays_or_none),
        cmocka_unit_test(few_pictures_record_no_ways),
        cmocka_unit_test(ways_go_if_cells_with_bends_do_not_fit),
        cmocka_unit_test(other_views_and_styles_drop_kept_ways),
        cmocka_unit_test(folded_grids_keep_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
