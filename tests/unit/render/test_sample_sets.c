/* Samples of a picture that are drawn together are those that are drawn one by one. */
#include "check.h"
#include "picture.h"
#include "shape.h"

#include "render/kernel/walk.h"
#include "render/view/edges.h"
#include "support/random.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = 40, LAYERS = 2, MOST_SAMPLES = 34 };

/* ---- Layers ------------------------------------------------------------------------ */

/* Layers of some samples: fragments at random pixels of random tiles. */
typedef struct layer_lists {
    int nlayers;
    render_fragments fragments[MOST_SAMPLES * LAYERS];
    const render_fragments *list[MOST_SAMPLES * LAYERS];
} layer_lists;

/* What a list is drawn with. */
typedef struct scatter {
    uint64_t seed;
    float near, far; /* along rays */
} scatter;

static void draw_scatter(const void *context, int64_t tile, pixel_rect rect,
                         fragment_list *list)
{
    const scatter *how = context;
    uint64_t state = random_start(how->seed, (uint64_t)tile);
    const int count = random_below(&state, 3) == 0 ? 0 : random_below(&state, 200);
    for (int n = 0; n < count; n++) {
        const int x = rect.x0 + random_below(&state, rect.x1 - rect.x0);
        const int y = rect.y0 + random_below(&state, rect.y1 - rect.y0);
        const float alpha =
            random_below(&state, 3) == 0 ? 1.0f : (float)random_between(&state, 0.0, 1.0);
        const float rgba[4] = {alpha, 0.5f * alpha, 0.2f * alpha, alpha};
        render_fragments_push(
            list, y * SIDE + x,
            (float)random_between(&state, (double)how->near, (double)how->far), rgba);
    }
}

static void make_layers(int samples, float reach, uint64_t seed, layer_lists *out)
{
    out->nlayers = (int)(seed / 3 % (LAYERS + 1));
    for (int n = 0; n < samples * out->nlayers; n++) {
        const scatter how = {100 * seed + (uint64_t)n, -reach, reach};
        assert_int_equal(render_fragments_create(SIDE, SIDE, 1, draw_scatter, &how,
                                                 &out->fragments[n]),
                         STATUS_OK);
        out->list[n] = &out->fragments[n];
    }
}

static void clear_layers(int samples, layer_lists *layers)
{
    for (int n = 0; n < samples * layers->nlayers; n++) {
        render_fragments_clear(&layers->fragments[n]);
    }
}

/* ---- Samples ----------------------------------------------------------------------- */

/* A picture, and the mask of its camera. */
typedef struct setting {
    test_grid grid;
    render_transfer *transfer;
    render_scene *scene;
    picture p;
    render_camera camera;
    uint8_t mask[SIDE * SIDE / 8];
    int32_t before[SIDE * SIDE / 8];
} setting;

static void start(uint64_t seed, setting *s)
{
    static const render_method methods[] = {RENDER_RAYCAST, RENDER_PLANES, RENDER_AUTO};
    const shape wanted = {.kind = seed % 4 == 0 ? SHAPE_RING : SHAPE_BOX,
                          .scalar = seed % 4 == 1 ? SHAPE_HOLED : SHAPE_RANDOM,
                          .n = {17, 26, 14},
                          .jitter = seed % 6 == 0 ? 1.2 : 0.15,
                          .split = seed % 2 ? 9 : 0,
                          .turned = seed % 4 == 3,
                          .has_hole = seed % 5 == 0,
                          .seed = seed};
    uint64_t state = seed;
    s->grid = shape_create(&wanted);
    /* Faces are patches in thick light alone. */
    s->transfer = seed % 4 == 0 ? picture_transfer_ramp(0.02, 0.2)
                                : picture_transfer_ramp(0.001, 0.01);
    assert_int_equal(render_scene_create(s->grid.store, &s->scene), STATUS_OK);
    s->p =
        picture_of(&s->grid, s->transfer,
                   picture_view_random(&state, shape_center(&s->grid),
                                       (seed % 2 ? 1.3 : 3.0) * shape_radius(&s->grid)),
                   SIDE);
    s->p.style.method = methods[seed % 3];
    s->p.style.trilinear = seed % 9 == 0;
    s->p.style.quadratic = !s->p.style.trilinear && seed / 2 % 2;
    s->p.threads = 1 + (int)(seed % 3);
    if (seed % 4 == 0) {
        s->p.clip.hi.v[seed % 3] = shape_center(&s->grid).v[seed % 3];
    }
    s->camera = picture_camera(&s->p);
    s->camera.slack = 1.0;
    s->camera.mask = s->mask;
    if (seed % 7 == 0) {
        s->camera.window = (pixel_rect){7, 3, SIDE - 2, SIDE - 5};
    }
}

static void end(setting *s)
{
    render_scene_destroy(&s->scene);
    render_transfer_destroy(&s->transfer);
    test_grid_destroy(&s->grid);
}

/* Makes a mask with about this share of the pixels; returns their number. */
static int64_t make_mask(double share, uint64_t *state, setting *s)
{
    memset(s->mask, 0, sizeof s->mask);
    for (int n = 0; n < SIDE * SIDE; n++) {
        s->mask[n / 8] |= (uint8_t)((random_between(state, 0.0, 1.0) < share) << n % 8);
    }
    return render_mask_number(SIDE, SIDE, s->mask, s->before);
}

/* Draws with another kernel each time, of those that the processor can run. */
static void draw(const setting *s, const render_style *style, const render_camera *camera,
                 const render_sample_set *set, image *img, render_counters *counters)
{
    static int number = 0;
    const walk_kernel *const *kernels = render_walk_kernels();
    number = kernels[number + 1] ? number + 1 : 0;
    assert_int_equal(render_scene_draw(s->scene,
                                       &(render_request){.kernel = kernels[number],
                                                         .style = style,
                                                         .transfer = s->p.transfer,
                                                         .camera = camera,
                                                         .clip = s->p.clip,
                                                         .threads = s->p.threads,
                                                         .samples = set},
                                       img, counters),
                     STATUS_OK);
}

/* Compares a sample of the set with a picture; returns how many colours are visible. */
static int64_t compare(const setting *s, const render_sample_set *set, int sample,
                       const image *expected, uint64_t seed)
{
    const float *found = set->rgba + 4 * (int64_t)sample;
    int64_t shown = 0;
    for (int pixel = 0; pixel < SIDE * SIDE; pixel++) {
        if (!render_camera_draws(&s->camera, pixel % SIDE, pixel / SIDE)) {
            continue;
        }
        if (memcmp(expected->rgba + 4 * pixel, found, 4 * sizeof *found) != 0) {
            fail_msg("sample %d of %d, pixel %d (seed %llu)", sample, set->count, pixel,
                     (unsigned long long)seed);
        }
        shown += found[3] > 0.0f;
        found += 4 * (int64_t)set->count;
    }
    return shown;
}

/* Draws the samples of a set together, and one by one. Returns how many colours are
 * visible. */
static int64_t draw_and_compare(const setting *s, render_sample_set *set, uint64_t seed)
{
    image *img = NULL;
    render_counters together, alone;
    render_style style = s->p.style;
    layer_lists layers;
    int64_t rays = 0, shown = 0;
    make_layers(set->count, (float)(4.0 * shape_radius(&s->grid)), seed, &layers);
    style.nlayers = layers.nlayers;
    set->layers = layers.list;
    set->rgba = calloc((size_t)(set->count * set->npixels + 1), 4 * sizeof(float));
    assert_non_null(set->rgba);
    assert_int_equal(image_create(SIDE, SIDE, true, &img), STATUS_OK);
    img->active = (pixel_rect){3, 4, 5, 6};
    draw(s, &style, &s->camera, set, img, &together);
    check_count("the image stays as it is", seed, true,
                img->active.x0 == 3 && img->active.y1 == 6);
    image_destroy(&img);
    for (int n = 0; n < set->count; n++) {
        render_camera camera = s->camera;
        render_camera_shift(&camera, set->shifts[n]);
        style.layers = layers.list + n * layers.nlayers;
        assert_int_equal(image_create(SIDE, SIDE, true, &img), STATUS_OK);
        draw(s, &style, &camera, NULL, img, &alone);
        shown += compare(s, set, n, img, seed);
        rays += alone.rays;
        image_destroy(&img);
    }
    check_count("rays", seed, rays, together.rays);
    check_count("lost rays", seed, 0, together.lost_rays);
    clear_layers(set->count, &layers);
    free(set->rgba);
    return shown;
}

/* Whatever the style, and however many fit into a tile. */
static void samples_are_those_one_by_one(void **unused)
{
    (void)unused;
    static const double shares[] = {0.02, 0.1, 0.4, 1.0};
    int64_t shown = 0;
    for (uint64_t seed = 1; seed <= 36; seed++) {
        uint64_t state = seed;
        setting s;
        start(seed, &s);
        for (int n = 0; n < 3; n++) {
            render_sample_set set = {
                .count = 1 + random_below(&state, MOST_SAMPLES),
                .npixels = make_mask(shares[(seed + (uint64_t)n) % 4], &state, &s),
                .before = s.before};
            for (int sample = 0; sample < set.count; sample++) {
                set.shifts[sample][0] = random_between(&state, -1.0, 1.0);
                set.shifts[sample][1] = random_between(&state, -1.0, 1.0);
            }
            shown += draw_and_compare(&s, &set, seed);
        }
        end(&s);
    }
    check_count("enough is visible", 0, true, shown > 50000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_are_those_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
