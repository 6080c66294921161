/* Views that stay: later pictures of a scene are the first one. */
#include "check.h"
#include "picture.h"
#include "render/scene.h"
#include "shape.h"

#include "render/iso.h"
#include "render/kernel/walk.h"
#include "support/random.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = 40, PICTURES = 3 };

/* A scene and a picture of it, of a part of the grid. */
typedef struct series {
    test_grid grid;
    render_transfer *transfer;
    render_scene *scene;
    picture p;
} series;

static void start(const shape *wanted, uint64_t seed, series *s)
{
    uint64_t state = seed;
    s->grid = shape_create(wanted);
    s->transfer = picture_transfer_ramp(0.02, 0.2);
    s->p = picture_of(
        &s->grid, s->transfer,
        picture_view_random(&state, shape_center(&s->grid), 3.0 * shape_radius(&s->grid)),
        SIDE);
    const box3 bounds = s->grid.layout->bounds;
    for (int axis = 0; axis < 3; axis++) {
        const double middle = 0.5 * (bounds.lo.v[axis] + bounds.hi.v[axis]);
        if (seed >> axis & 1u) {
            s->p.clip.lo.v[axis] = middle;
        } else {
            s->p.clip.hi.v[axis] = middle;
        }
    }
    assert_int_equal(render_scene_create(s->grid.store, &s->scene), STATUS_OK);
}

static void end(series *s)
{
    render_scene_destroy(&s->scene);
    render_transfer_destroy(&s->transfer);
    test_grid_destroy(&s->grid);
}

/* Each time another one of those that the processor can run. */
static const walk_kernel *next_kernel(void)
{
    static int number = 0;
    const walk_kernel *const *kernels = render_walk_kernels();
    number = kernels[number + 1] ? number + 1 : 0;
    return kernels[number];
}

/* Draws the picture with the scene; compares it with that of a scene of its own. Returns
 * how many cells were crossed. */
static int64_t draw_and_compare(const series *s, const picture *p, uint64_t seed)
{
    const render_camera camera = picture_camera(p);
    render_counters counters, fresh;
    image *expected = picture_draw(p, &fresh), *found = NULL;
    assert_int_equal(image_create(SIDE, SIDE, true, &found), STATUS_OK);
    assert_int_equal(render_scene_draw(s->scene,
                                       &(render_request){.kernel = next_kernel(),
                                                         .style = &p->style,
                                                         .transfer = p->transfer,
                                                         .camera = &camera,
                                                         .clip = p->clip,
                                                         .threads = p->threads},
                                       found, &counters),
                     STATUS_OK);
    check_count("lost rays", seed, 0, counters.lost_rays);
    picture_compare("a view that stays", seed, expected, found, 0.0);
    for (int64_t i = 0; i < image_pixel_count(found); i++) {
        if (expected->depth[i] != found->depth[i]) {
            fail_msg("depth of pixel %lld (seed %llu)", (long long)i,
                     (unsigned long long)seed);
        }
    }
    image_destroy(&expected);
    image_destroy(&found);
    return counters.crossings;
}

static shape large_shape(uint64_t seed)
{
    const shape_kind kind = seed % 3 == 0 ? SHAPE_RING : SHAPE_BOX;
    return (shape){.kind = kind,
                   .scalar = seed % 4 == 1 ? SHAPE_HOLED : SHAPE_RANDOM,
                   .n = {22, 36, 19},
                   .jitter = 0.15,
                   .split = seed % 2 ? 9 : 0,
                   .turned = seed % 4 == 3,
                   .has_hole = seed % 5 == 0,
                   .seed = seed};
}

static void later_pictures_are_the_first_one(void **unused)
{
    (void)unused;
    static const render_method methods[] = {RENDER_RAYCAST, RENDER_PLANES, RENDER_AUTO};
    for (uint64_t seed = 1; seed <= 24; seed++) {
        const shape wanted = large_shape(seed);
        series s;
        start(&wanted, seed, &s);
        s.p.style.method = methods[seed % 3];
        s.p.threads = 1 + (int)(seed % 3);
        int64_t crossings[PICTURES];
        for (int n = 0; n < PICTURES; n++) {
            crossings[n] = draw_and_compare(&s, &s.p, seed);
        }
        check_count("cells of the second picture", seed, crossings[0], crossings[1]);
        check_count("cells of the third picture", seed, crossings[0], crossings[2]);
        end(&s);
    }
}

/* Rays that meet patches of faces need entries that rays that meet triangles do not. */
static void other_styles_get_all_entries(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        const shape wanted = large_shape(seed);
        series s;
        start(&wanted, seed, &s);
        picture smooth = s.p;
        smooth.style.trilinear = true;
        draw_and_compare(&s, &smooth, seed);
        draw_and_compare(&s, &smooth, seed);
        const int64_t first = draw_and_compare(&s, &smooth, seed);
        draw_and_compare(&s, &s.p, seed);
        draw_and_compare(&s, &s.p, seed);
        draw_and_compare(&s, &s.p, seed);
        check_count("cells of smooth pictures", seed, first,
                    draw_and_compare(&s, &smooth, seed));
        end(&s);
    }
}

static void other_views_get_all_entries(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        const shape wanted = large_shape(seed);
        series s;
        start(&wanted, seed, &s);
        uint64_t state = seed + 100;
        picture other = s.p;
        if (seed % 2) {
            other.view = picture_view_random(&state, shape_center(&s.grid),
                                             1.5 * shape_radius(&s.grid));
        } else {
            other.clip = box3_everything();
        }
        for (int n = 0; n < PICTURES; n++) {
            draw_and_compare(&s, &s.p, seed);
        }
        for (int n = 0; n < PICTURES; n++) {
            draw_and_compare(&s, &other, seed);
        }
        draw_and_compare(&s, &s.p, seed);
        end(&s);
    }
}

/* Draws with this camera. */
static void draw_sample(const series *s, render_scene *scene, const render_camera *camera,
                        image *img)
{
    render_counters counters;
    assert_int_equal(render_scene_draw(scene,
                                       &(render_request){.kernel = next_kernel(),
                                                         .style = &s->p.style,
                                                         .transfer = s->p.transfer,
                                                         .camera = camera,
                                                         .clip = s->p.clip,
                                                         .threads = s->p.threads},
                                       img, &counters),
                     STATUS_OK);
}

static void compare_sample(const series *s, const render_camera *camera, uint64_t seed)
{
    image *expected = NULL, *found = NULL;
    render_scene *own = NULL;
    assert_int_equal(image_create(SIDE, SIDE, false, &expected), STATUS_OK);
    assert_int_equal(image_create(SIDE, SIDE, false, &found), STATUS_OK);
    assert_int_equal(render_scene_create(s->grid.store, &own), STATUS_OK);
    render_camera plain = *camera;
    plain.slack = 0.0;
    draw_sample(s, own, &plain, expected);
    draw_sample(s, s->scene, camera, found);
    picture_compare("a sample", seed, expected, found, 0.0);
    render_scene_destroy(&own);
    image_destroy(&expected);
    image_destroy(&found);
}

/* The samples of a picture: whole pictures, and few pixels of shifted ones. */
static void samples_share_a_plan(void **unused)
{
    (void)unused;
    static const render_method methods[] = {RENDER_RAYCAST, RENDER_PLANES, RENDER_AUTO};
    for (uint64_t seed = 1; seed <= 12; seed++) {
        const shape wanted = large_shape(seed);
        series s;
        start(&wanted, seed, &s);
        s.p.style.method = methods[seed % 3];
        s.p.style.trilinear = seed % 5 == 0;
        s.p.threads = 1 + (int)(seed % 2);
        uint64_t state = seed;
        uint8_t mask[SIDE * SIDE / 8];
        render_camera camera = picture_camera(&s.p);
        camera.slack = 1.0;
        const int64_t *plan = NULL;
        for (int n = 0; n < 4 * PICTURES; n++) {
            render_camera sample = camera;
            if (n % 4 != 0) {
                for (size_t i = 0; i < sizeof mask; i++) {
                    const uint64_t word = random_word(&state);
                    mask[i] = (uint8_t)(word & word >> 8); /* a quarter of the pixels */
                }
                sample.mask = n % 4 == 3 ? NULL : mask;
                render_camera_shift(&sample,
                                    (const double[2]){random_between(&state, -1.0, 1.0),
                                                      random_between(&state, -1.0, 1.0)});
            }
            compare_sample(&s, &sample, seed);
            plan = plan ? plan : s.scene->plan.first;
            check_count("one plan", seed, true, plan == s.scene->plan.first);
        }
        end(&s);
    }
}

/* If rays may come back into a grid, nothing is known of the cells in front. */
static void folded_grids_stay_as_they_are(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        shape wanted = large_shape(seed);
        wanted.kind = SHAPE_BOX;
        wanted.jitter = 1.2;
        series s;
        start(&wanted, seed, &s);
        const int64_t first = draw_and_compare(&s, &s.p, seed);
        draw_and_compare(&s, &s.p, seed);
        check_count("cells", seed, first, draw_and_compare(&s, &s.p, seed));
        end(&s);
    }
}

static const double TINY = 0x1p-65;

static bool tiny_vertex(int block, const int64_t at[3], const int64_t n[3], double xyz[3],
                        double *scalar)
{
    (void)block;
    (void)n;
    for (int axis = 0; axis < 3; axis++) {
        xyz[axis] = TINY * (double)at[axis];
    }
    *scalar = 0.1 * (double)(at[0] + at[1] * at[2] % 7);
    return true;
}

/* So small that weights on triangles have to be found in double precision. */
static void tiny_grids_stay_as_they_are(void **unused)
{
    (void)unused;
    const int64_t vertices[1][3] = {{10, 9, 8}};
    for (uint64_t seed = 1; seed <= 8; seed++) {
        uint64_t state = seed;
        series s = {.grid = test_grid_create(1, vertices, tiny_vertex),
                    .transfer = picture_transfer_ramp(0.02 / TINY, 0.2 / TINY)};
        const vec3 middle = vec3_scale(vec3_make(4.5, 4.0, 3.5), TINY);
        vec3 from = middle;
        for (int axis = 0; axis < 3; axis++) {
            from.v[axis] += TINY * random_between(&state, 10.0, 30.0);
        }
        s.p = picture_of(&s.grid, s.transfer,
                         picture_view_parallel(from, middle, 10.0 * TINY), SIDE);
        s.p.clip.hi.v[seed % 3] = middle.v[seed % 3] + 0.3 * TINY;
        assert_int_equal(render_scene_create(s.grid.store, &s.scene), STATUS_OK);
        int64_t crossings[PICTURES];
        for (int n = 0; n < PICTURES; n++) {
            crossings[n] = draw_and_compare(&s, &s.p, seed);
        }
        check_count("as many cells later", seed, true,
                    crossings[2] > 1000 && crossings[2] == crossings[0]);
        end(&s);
    }
}

static int compare_fragments(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(render_fragment));
}

/* Those of a tile come in any order. */
static void sort_tiles(render_fragments *f)
{
    for (int64_t tile = 0; tile < (int64_t)f->columns * f->rows; tile++) {
        qsort(f->items + f->first[tile], (size_t)(f->first[tile + 1] - f->first[tile]),
              sizeof *f->items, compare_fragments);
    }
}

static void check_same_fragments(const render_fragments *a, const render_fragments *b,
                                 uint64_t seed)
{
    const int64_t tiles = (int64_t)a->columns * a->rows;
    check_count("fragments", seed, a->first[tiles], b->first[tiles]);
    assert_memory_equal(a->first, b->first, (size_t)(tiles + 1) * sizeof *a->first);
    assert_memory_equal(a->items, b->items, (size_t)a->first[tiles] * sizeof *a->items);
}

static void isosurfaces_stay_as_they_are(void **unused)
{
    (void)unused;
    int64_t found = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        const shape wanted = large_shape(seed - seed % 4 + 2);
        series s;
        start(&wanted, seed, &s);
        const render_camera camera = picture_camera(&s.p);
        const render_iso_look look = {
            .nvalues = 2, .values = {0.3f, 0.6f}, .opacity = seed % 2 ? 1.0f : 0.5f};
        render_transfer *places = NULL;
        render_fragments drawn[PICTURES];
        render_counters counters[PICTURES];
        assert_int_equal(render_iso_places(&look, &places), STATUS_OK);
        for (int n = 0; n < PICTURES; n++) {
            assert_int_equal(render_iso_draw(s.scene, &look,
                                             &(render_request){.transfer = places,
                                                               .camera = &camera,
                                                               .clip = s.p.clip,
                                                               .threads = 2},
                                             &drawn[n], &counters[n]),
                             STATUS_OK);
            sort_tiles(&drawn[n]);
            check_same_fragments(&drawn[0], &drawn[n], seed);
        }
        check_count("cells", seed, counters[0].crossings, counters[2].crossings);
        found += drawn[0].first[drawn[0].columns * drawn[0].rows];
        for (int n = 0; n < PICTURES; n++) {
            render_fragments_clear(&drawn[n]);
        }
        render_transfer_destroy(&places);
        end(&s);
    }
    check_count("enough fragments", 0, true, found > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(later_pictures_are_the_first_one),
        cmocka_unit_test(other_styles_get_all_entries),
        cmocka_unit_test(other_views_get_all_entries),
        cmocka_unit_test(samples_share_a_plan),
        cmocka_unit_test(folded_grids_stay_as_they_are),
        cmocka_unit_test(tiny_grids_stay_as_they_are),
        cmocka_unit_test(isosurfaces_stay_as_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
