/* Shadow maps, the optical depths of volumes, the distance cue and rims. */
#include "check.h"
#include "picture.h"
#include "render/light/light.h"
#include "render/light/shadow.h"
#include "render/optical_depth.h"
#include "shape.h"

#include "support/random.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = 64 };

/* ---- Maps -------------------------------------------------------------------------- */

/* A light above, far away, whose map covers x and y of -2 to 2. */
static shadow_map map_from_above(int nhits)
{
    shadow_map map = {.view = {.eye = {{0.0, 0.0, 5.0}},
                               .right = {{1.0, 0.0, 0.0}},
                               .down = {{0.0, -1.0, 0.0}},
                               .forward = {{0.0, 0.0, -1.0}},
                               .scale = {0.25, 0.25}},
                      .width = SIDE,
                      .height = SIDE,
                      .nhits = nhits,
                      .texel = 4.0 / SIDE};
    map.hits = malloc(SIDE * SIDE * (size_t)nhits * sizeof *map.hits);
    for (int n = 0; n < SIDE * SIDE * nhits; n++) {
        map.hits[n] = (shadow_hit){INFINITY, 0.0f};
    }
    return map;
}

/* Draws the plane z = height + slope x where x lies below `end`. */
static void draw_plane(shadow_map *map, double height, double slope, double end,
                       float alpha)
{
    for (int n = 0; n < SIDE * SIDE; n++) {
        const double x = (n % SIDE + 0.5) * map->texel - 2.0;
        if (x < end) {
            const shadow_hit hit = {(float)(5.0 - (height + slope * x)), alpha};
            render_shadow_add(map->nhits, map->hits + (ptrdiff_t)n * map->nhits, hit);
        }
    }
}

static render_shadows shadows_of(const shadow_map *map)
{
    render_shadows shadows = {.strength = 1.0f};
    shadows.lights[0] = *map;
    return shadows;
}

static void planes_do_not_shadow_themselves(void **unused)
{
    (void)unused;
    uint64_t state = 1;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        const double slope = random_between(&state, -4.0, 4.0);
        shadow_map map = map_from_above(1);
        draw_plane(&map, 1.0, slope, INFINITY, 1.0f);
        const render_shadows shadows = shadows_of(&map);
        const vec3 normal = vec3_normalize(vec3_make(-slope, 0.0, 1.0));
        for (int n = 0; n < 20; n++) {
            const double x = random_between(&state, -1.8, 1.8);
            const vec3 at =
                vec3_make(x, random_between(&state, -1.8, 1.8), 1.0 + slope * x);
            check_near("light on a plane", seed, 1.0,
                       render_shadow_of_light(&shadows, 0, at, normal), 1e-12);
        }
        free(map.hits);
    }
}

static void a_shadow_ends_where_its_caster_does(void **unused)
{
    (void)unused;
    shadow_map map = map_from_above(1);
    draw_plane(&map, 2.0, 0.0, 0.0, 1.0f);
    const render_shadows shadows = shadows_of(&map);
    const vec3 up = vec3_make(0.0, 0.0, 1.0);
    double last = 0.0;
    for (double x = -1.0; x < 1.0; x += 0.005) {
        const double light =
            render_shadow_of_light(&shadows, 0, vec3_make(x, 0.3, 1.0), up);
        check_near("light far from the edge", 0, x < 0.0 ? 0.0 : 1.0,
                   fabs(x) > 2.0 * map.texel ? light
                   : x < 0.0                 ? 0.0
                                             : 1.0,
                   1e-12);
        check_near("a rise of light along the edge", 0, 0.0, fmin(light - last, 0.0),
                   1e-12);
        check_near("a step of light", 0, 0.0, fmax(light - last - 0.1, 0.0), 1e-12);
        last = light;
    }
    check_near("light above the caster", 0, 1.0,
               render_shadow_of_light(&shadows, 0, vec3_make(-1.0, 0.0, 2.5), up), 1e-12);
    free(map.hits);
}

static void translucent_casters_take_their_part(void **unused)
{
    (void)unused;
    shadow_map map = map_from_above(SHADOW_MOST_HITS);
    draw_plane(&map, 3.0, 0.0, INFINITY, 0.5f);
    draw_plane(&map, 2.0, 0.0, INFINITY, 0.25f);
    render_shadows shadows = shadows_of(&map);
    const vec3 up = vec3_make(0.0, 0.0, 1.0), down = vec3_make(0.0, 0.0, -1.0);
    const vec3 low = vec3_make(0.1, 0.2, 0.0), middle = vec3_make(0.1, 0.2, 2.5);
    check_near("light below both", 0, 0.375, render_shadow_of_light(&shadows, 0, low, up),
               1e-6);
    check_near("light between", 0, 0.5, render_shadow_of_light(&shadows, 0, middle, down),
               1e-6);
    shadows.strength = 0.5f;
    check_near("half of the shadow", 0, 0.6875,
               render_shadow_of_light(&shadows, 0, low, up), 1e-6);
    free(map.hits);
}

static void the_hits_of_a_union_do_not_depend_on_the_order(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        uint64_t state = seed;
        enum { COUNT = 9 };
        shadow_hit all[COUNT], kept[2][SHADOW_MOST_HITS];
        for (int n = 0; n < COUNT; n++) {
            all[n] = (shadow_hit){(float)floor(random_between(&state, 0.0, 6.0)),
                                  0.25f * (float)(1 + n % 2)};
        }
        for (int way = 0; way < 2; way++) {
            for (int n = 0; n < SHADOW_MOST_HITS; n++) {
                kept[way][n] = (shadow_hit){INFINITY, 0.0f};
            }
            for (int n = 0; n < 2 * COUNT; n++) {
                const int at = n % COUNT;
                render_shadow_add(SHADOW_MOST_HITS, kept[way],
                                  all[way == 0 ? at : COUNT - 1 - at]);
            }
        }
        for (int n = 0; n < SHADOW_MOST_HITS; n++) {
            check_near("a depth", seed, (double)kept[0][n].depth,
                       (double)kept[1][n].depth, 0.0);
            check_near("an alpha", seed, (double)kept[0][n].alpha,
                       (double)kept[1][n].alpha, 0.0);
        }
    }
}

static void grids_are_linear_in_between(void **unused)
{
    (void)unused;
    float values[5 * 4 * 3];
    const shadow_grid grid = {.to = {{2.0f, 0.0f, 0.0f, 1.0f},
                                     {0.0f, 1.0f, 0.0f, 0.5f},
                                     {0.0f, 0.0f, 4.0f, 0.0f}},
                              .n = {5, 4, 3},
                              .values = values};
    for (int n = 0; n < 60; n++) {
        values[n] = (float)(0.25 * (n % 5) - 0.5 * (n / 5 % 4) + n / 20);
    }
    uint64_t state = 3;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        const double u = random_between(&state, 0.0, 4.0),
                     v = random_between(&state, 0.0, 3.0),
                     w = random_between(&state, 0.0, 2.0);
        const vec3 at = vec3_make(0.5 * (u - 1.0), v - 0.5, 0.25 * w);
        check_near("a value", seed, 0.25 * u - 0.5 * v + w,
                   render_shadow_through(&grid, at), 1e-6);
    }
}

/* ---- Volumes ----------------------------------------------------------------------- */

/* Ranks with parts of space add up to one rank, and a slab has its known depth. */
static void optical_depths_add_up(void **unused)
{
    (void)unused;
    enum { PLANES = 7, PIXELS = 12 };
    for (uint64_t seed = 1; seed <= 10; seed++) {
        const shape box = {.kind = SHAPE_BOX,
                           .scalar = SHAPE_RANDOM,
                           .n = {6, 5, 4},
                           .jitter = seed % 3 && seed > 1 ? 0.2 : 0.0,
                           .seed = seed};
        render_transfer *transfer = seed == 1 ? picture_transfer_constant(0.25)
                                              : picture_transfer_ramp(0.05, 0.8);
        test_grid grid = shape_create(&box);
        render_scene *scene = NULL;
        assert_int_equal(render_scene_create(grid.store, &scene), STATUS_OK);
        picture p = picture_of(&grid, transfer,
                               picture_view_parallel(vec3_make(-9.0, 2.1, 1.6),
                                                     vec3_make(0.0, 2.0, 1.5), 3.0),
                               PIXELS);
        const render_camera camera = picture_camera(&p);
        const render_planes planes = {PLANES, 8.0, 1.5};
        const render_style style = {.trilinear = seed % 2 == 0};
        render_request request = {.style = &style,
                                  .transfer = transfer,
                                  .camera = &camera,
                                  .clip = p.clip,
                                  .threads = 2};
        int64_t whole[PLANES * PIXELS * PIXELS] = {0},
                                        parts[PLANES * PIXELS * PIXELS] = {0};
        assert_int_equal(render_through_add(scene, &request, &planes, whole), STATUS_OK);
        for (int part = 0; part < 3; part++) {
            request.clip = p.clip;
            if (part > 0) {
                request.clip.lo.v[0] = 2.3;
            } else {
                request.clip.hi.v[0] = 2.3;
            }
            if (part > 0) {
                double *side = part == 1 ? &request.clip.hi.v[1] : &request.clip.lo.v[1];
                *side = 2.05;
            }
            assert_int_equal(render_through_add(scene, &request, &planes, parts),
                             STATUS_OK);
        }
        for (int n = 0; n < PLANES * PIXELS * PIXELS; n++) {
            check_near("an optical depth", seed, (double)whole[n] * RENDER_THROUGH_UNIT,
                       (double)parts[n] * RENDER_THROUGH_UNIT, 2e-5);
            if (n >= PIXELS * PIXELS) {
                check_near("a fall of depth along a ray", seed, 0.0,
                           fmin((double)(whole[n] - whole[n - PIXELS * PIXELS]), 0.0),
                           0.0);
            }
        }
        for (int n = 0; seed == 1 && n < PLANES; n++) {
            /* The box begins at the distance 9 and is 5 thick, along rays that all but
             * follow x. */
            const double way = fmin(fmax(8.0 + 1.5 * n - 9.0, 0.0), 5.0);
            const int middle = PIXELS * PIXELS / 2 + PIXELS / 2;
            check_near("the depth of a slab", (uint64_t)n, 0.25 * way,
                       (double)whole[n * PIXELS * PIXELS + middle] * RENDER_THROUGH_UNIT,
                       2e-3);
        }
        render_scene_destroy(&scene);
        test_grid_destroy(&grid);
        render_transfer_destroy(&transfer);
    }
}

/* ---- Cue and rims ------------------------------------------------------------------ */

static void things_fade_evenly_with_their_depth(void **unused)
{
    (void)unused;
    const render_cue cue = {
        .strength = 0.8f, .color = {1.0f, 0.0f, 0.5f}, .near = 2.0f, .per_length = 0.25f};
    const double depths[] = {1.0, 2.0, 4.0, 6.0, 9.0};
    const double shares[] = {0.0, 0.0, 0.4, 0.8, 0.8};
    for (int n = 0; n < 5; n++) {
        float rgba[4] = {0.1f, 0.2f, 0.3f, 0.5f};
        render_cue_fade(&cue, depths[n], rgba);
        check_near("red", 0, 0.1 + shares[n] * (0.5 - 0.1), (double)rgba[0], 1e-6);
        check_near("green", 0, 0.2 - shares[n] * 0.2, (double)rgba[1], 1e-6);
        check_near("alpha", 0, 0.5, (double)rgba[3], 0.0);
    }
}

/* On a sphere seen from far away, the rim is as wide as it should be. */
static void rims_have_their_width(void **unused)
{
    (void)unused;
    const double radii[] = {20.0, 60.0, 500.0}; /* in pixels */
    for (int n = 0; n < 3; n++) {
        const render_shade shade = {.rim_width = 3.0f, .rim_color = {0.2f, 0.2f, 0.2f}};
        double width = 0.0;
        for (double from_edge = 0.005; from_edge < 0.9 * radii[n]; from_edge += 0.01) {
            const double across = (radii[n] - from_edge) / radii[n];
            surface_light light = {.diffuse = {1.0f, 1.0f, 1.0f}};
            render_light_rim(&shade,
                             &(surface_turn){.facing = sqrt(1.0 - across * across),
                                             .bend = 1.0 / radii[n],
                                             .pixel = 1.0},
                             &light);
            width += 0.01 * (1.0 - (double)light.diffuse[0]);
            check_near("the colour of the rim", 0, 0.2 * (1.0 - (double)light.diffuse[0]),
                       (double)light.specular[0], 1e-6);
        }
        check_near("the width of a rim", 0, 3.0, width, 0.15 * 3.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planes_do_not_shadow_themselves),
        cmocka_unit_test(a_shadow_ends_where_its_caster_does),
        cmocka_unit_test(translucent_casters_take_their_part),
        cmocka_unit_test(the_hits_of_a_union_do_not_depend_on_the_order),
        cmocka_unit_test(grids_are_linear_in_between),
        cmocka_unit_test(optical_depths_add_up),
        cmocka_unit_test(things_fade_evenly_with_their_depth),
        cmocka_unit_test(rims_have_their_width),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
