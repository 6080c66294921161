/*
 * Hard grids with small cells compared with the reference renderer.
 *
 *   test_hard_reference OUT_FOLDER
 *
 * The reference renderer takes cells as trilinear maps and fields as trilinear in them.
 * The renderers differ by terms of second order in the size of the cells, which are small
 * here.
 */
#include "hard.h"

#include "reference/difference.h"
#include "support/random.h"

#include <stdio.h>

enum { SIDE = 36, STRIDE = HARD_STRIDE, PIXELS = (SIDE / STRIDE) * (SIDE / STRIDE) };

static const difference limits = {.mean = 0.2, .percentile99 = 2.0, .worst = 2.0};

/* Steps of the reference along the diagonal. With a quarter of them, it misses pieces of
 * rays that graze the grid, which makes a difference of two counts. */
static const double steps_per_diagonal = 1200.0;

static const char *scratch;

typedef struct contest {
    const char *name, *field;
    int64_t size[3];
    vec3 eye, target; /* of the view from inside */
} contest;

static const contest contests[] = {
    {"c-grid", "wave", {129, 37, 13}, {{1.3, 0.4, 0.45}}, {{-0.5, 0.1, 0.5}}},
    {"o-grid", "wave", {33, 97, 13}, {{1.1, 0.6, 0.45}}, {{-1.0, 0.2, 0.6}}},
    {"o-grid", "cell_wave", {33, 97, 13}, {{1.1, 0.6, 0.45}}, {{-1.0, 0.2, 0.6}}},
    {"orientations", "wave", {11, 10, 12}, {{0.13, 0.2, -0.4}}, {{1.0, 0.5, 0.2}}},
    {"ball", "wave", {21, 49, 97}, {{0.3, 0.2, 0.4}}, {{-0.3, 0.1, -0.2}}},
    {"far",
     "wave",
     {41, 39, 37},
     {{1e6 + 0.3, -1e6 + 0.1, 1e6}},
     {{1e6 - 1.0, -1e6, 1e6}}},
    {"mismatched", "wave", {17, 41, 13}, {{1.0, 0.8, 0.4}}, {{1.2, 0.2, 0.6}}},
    {"wall", "speed", {65, 81, 13}, {{0.2, 0.2, 0.1}}, {{0.9, 0.03, 0.3}}},
};

typedef struct renderers {
    reference_grid grid;
    reference_scene scene;
    reference_locator *locator;
    fast_volume fast;
} renderers;

static void open_both(const contest *c, renderers *both)
{
    char path[1024];
    hard_write(dataset_find(c->name), c->size, scratch, c->name);
    snprintf(path, sizeof path, "%s/%s.h5", scratch, c->name);
    both->fast = hard_open(scratch, c->name, c->field);
    assert_int_equal(reference_grid_read(path, 0, c->field, &both->grid), STATUS_OK);
    assert_int_equal(reference_locator_create(&both->grid, &both->locator), STATUS_OK);
    double diagonal = hard_diagonal(&both->fast);
    both->scene = (reference_scene){.grid = &both->grid,
                                    .locator = both->locator,
                                    .transfer = hard_transfer_smooth(diagonal),
                                    .step = diagonal / steps_per_diagonal};
}

static void close_both(renderers *both)
{
    fast_volume_clear(&both->fast);
    reference_locator_destroy(&both->locator);
    reference_grid_clear(&both->grid);
}

static reference_camera contest_camera(const contest *c, const fast_volume *volume,
                                       int view)
{
    if (view == 1) {
        return hard_camera_from(c->eye, c->target, 75.0, SIDE);
    }
    box3 bounds = hard_bounds(volume);
    vec3 center = vec3_scale(vec3_add(bounds.lo, bounds.hi), 0.5);
    vec3 away = vec3_scale(vec3_make(-0.5, -1.0, 0.7), hard_diagonal(volume));
    return hard_camera_from(vec3_add(center, away), center, 38.0, SIDE);
}

/* The centres of the compared pixels, as arguments of the reference renderer. */
static void list_points(double points[PIXELS][2])
{
    for (int p = 0; p < PIXELS; p++) {
        points[p][0] = p % (SIDE / STRIDE) * STRIDE + 0.5;
        points[p][1] = p / (SIDE / STRIDE) * STRIDE + 0.5;
    }
}

static void subtract(const reference_pixel *expected, const float actual[4],
                     double out[4])
{
    for (int channel = 0; channel < 3; channel++) {
        out[channel] = (double)actual[channel] - expected->rgb[channel];
    }
    out[3] = (double)actual[3] - (1.0 - expected->transmittance);
}

static bool check_view(const contest *c, renderers *both, int view)
{
    static double points[PIXELS][2], differences[4 * PIXELS];
    static reference_pixel expected[PIXELS];
    both->scene.camera = contest_camera(c, &both->fast, view);
    list_points(points);
    reference_scene_render(&both->scene, PIXELS, (const double(*)[2])points, expected);
    hard_picture picture = hard_draw(&both->fast, &both->scene.transfer,
                                     &both->scene.camera, c->name, (uint64_t)view);
    int met = 0;
    for (int p = 0; p < PIXELS; p++) {
        int pixel = (int)points[p][0] + SIDE * (int)points[p][1];
        subtract(&expected[p], picture.img->rgba + (ptrdiff_t)4 * pixel,
                 differences + (ptrdiff_t)4 * p);
        met += expected[p].length > 0.0;
    }
    hard_picture_clear(&picture);
    difference d = difference_summarize(4 * (int64_t)PIXELS, differences);
    printf("%-13s view %d: mean %.4f, 99 %% below %.3f, worst %.3f counts\n", c->name,
           view, d.mean, d.percentile99, d.worst);
    check_within("pixels that show something", (uint64_t)view, PIXELS / 8.0, PIXELS, met);
    return difference_is_within(&d, &limits);
}

static void hard_grids_look_as_in_the_reference(void **unused)
{
    (void)unused;
    bool good = true;
    printf("%-20s limits: mean %.1f, worst %.1f counts\n", "", limits.mean, limits.worst);
    for (size_t n = 0; n < sizeof contests / sizeof contests[0]; n++) {
        renderers both;
        open_both(&contests[n], &both);
        for (int view = 0; view < 2; view++) {
            good = check_view(&contests[n], &both, view) && good;
        }
        close_both(&both);
    }
    assert_true(good);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hard_grids_look_as_in_the_reference),
    };
    if (argc != 2) {
        fprintf(stderr, "usage: test_hard_reference OUT_FOLDER\n");
        return 2;
    }
    scratch = argv[1];
    MPI_Init(NULL, NULL);
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    MPI_Finalize();
    return failures;
}
