/*
 * Overset blocks: if two of them have cells at a place, one counts.
 *
 *   test_hard_overset DATA_FOLDER
 *
 * In a uniform medium a picture of `overset` is that of the union of its cells: a chord
 * through the fringe counts once. With a field that is the same in both blocks, it is the
 * picture of the reference renderer, which takes the first block that contains a point.
 */
#include "hard.h"
#include "hard_chord.h"

#include "reference/difference.h"
#include "support/random.h"

#include <stdio.h>

enum { SIDE = 41, PIXELS = SIDE * SIDE, VIEWS = 9 };

static const double tolerance = 1e-5;

static const char *folder;

typedef struct overset {
    fast_volume volume;
    reference_grid grid;
    reference_locator *locator;
} overset;

/* The locator keeps the address of o->grid: *o must not be moved. */
static void open_overset(overset *o)
{
    char path[1024];
    o->volume = hard_open(folder, "overset", "wave");
    snprintf(path, sizeof path, "%s/overset.h5", folder);
    assert_int_equal(reference_grid_read(path, 0, "wave", &o->grid), STATUS_OK);
    assert_int_equal(reference_locator_create(&o->grid, &o->locator), STATUS_OK);
    for (int b = 0; b < o->grid.nblocks; b++) {
        assert_true(hard_chord_applies(&o->grid.blocks[b]));
    }
}

static void close_overset(overset *o)
{
    fast_volume_clear(&o->volume);
    reference_locator_destroy(&o->locator);
    reference_grid_clear(&o->grid);
}

/* From the fringe, from the body, along the fringe's rim, and from around. */
static reference_camera overset_camera(int view)
{
    uint64_t state = (uint64_t)view + 1;
    vec3 centre = vec3_make(0.1, 0.05, 0.5);
    switch (view) {
    case 0:
        return hard_camera_from(vec3_make(1.2, 0.1, 0.5), centre, 100.0, SIDE);
    case 1:
        return hard_camera_from(centre, vec3_make(2.0, 0.3, 0.6), 100.0, SIDE);
    case 2:
        return hard_camera_along(vec3_make(-5.0, 1.15, 0.5), vec3_make(0.0, 1.15, 0.5),
                                 1.0, SIDE);
    default:
        break;
    }
    vec3 away;
    for (int axis = 0; axis < 3; axis++) {
        away.v[axis] = random_between(&state, -1.0, 1.0);
    }
    return hard_camera_from(vec3_add(centre, vec3_scale(vec3_normalize(away), 6.0)),
                            centre, 45.0, SIDE);
}

static hard_chord pixel_chord(const overset *o, const reference_camera *camera, int pixel)
{
    hard_chord chord;
    reference_ray ray =
        reference_camera_ray(camera, pixel % SIDE + 0.5, pixel / SIDE + 0.5);
    assert_int_equal(hard_chord_measure(&o->grid, ray, &chord), STATUS_OK);
    return chord;
}

static void a_chord_through_both_blocks_counts_once(void **unused)
{
    (void)unused;
    const double extinction = 0.3;
    overset o;
    open_overset(&o);
    reference_transfer transfer = hard_transfer_constant(extinction);
    int wrong = 0, overlapping = 0;
    double worst = 0.0;
    for (int view = 0; view < VIEWS; view++) {
        reference_camera camera = overset_camera(view);
        hard_picture picture =
            hard_draw(&o.volume, &transfer, &camera, "overset", (uint64_t)view);
        for (int pixel = 0; pixel < PIXELS; pixel++) {
            hard_chord chord = pixel_chord(&o, &camera, pixel);
            double expected = -expm1(-extinction * chord.joined);
            double off = fabs(hard_alpha(&picture, pixel) - expected);
            overlapping += chord.sum > chord.joined + 0.1;
            wrong += !(off <= tolerance);
            worst = fmax(worst, off);
        }
        hard_picture_clear(&picture);
    }
    close_overset(&o);
    printf(
        "%d of %d rays pass through the fringe; %d pixels are wrong, by %.3g at most\n",
        overlapping, VIEWS * PIXELS, wrong, worst);
    check_within("rays through the fringe", 0, VIEWS * PIXELS / 10.0, VIEWS * PIXELS,
                 overlapping);
    if (wrong > 0) {
        fail_msg("%d pixels count the fringe twice or not at all", wrong);
    }
}

static difference compare_view(const overset *o, const reference_scene *scene)
{
    static double points[PIXELS][2], differences[4 * PIXELS];
    static reference_pixel expected[PIXELS];
    for (int p = 0; p < PIXELS; p++) {
        points[p][0] = p % SIDE + 0.5;
        points[p][1] = p / SIDE + 0.5;
    }
    reference_scene_render(scene, PIXELS, (const double(*)[2])points, expected);
    hard_picture picture =
        hard_draw(&o->volume, &scene->transfer, &scene->camera, "overset", 0);
    for (int n = 0; n < 4 * PIXELS; n++) {
        const reference_pixel *e = &expected[n / 4];
        double value = n % 4 < 3 ? e->rgb[n % 4] : 1.0 - e->transmittance;
        differences[n] = (double)picture.img->rgba[n] - value;
    }
    hard_picture_clear(&picture);
    return difference_summarize(4 * (int64_t)PIXELS, differences);
}

static void compare_with_reference(bool trilinear, difference limits)
{
    overset o;
    open_overset(&o);
    o.volume.style.trilinear = trilinear;
    double diagonal = hard_diagonal(&o.volume);
    bool good = true;
    for (int view = 0; view < 5; view++) {
        reference_scene scene = {.grid = &o.grid,
                                 .locator = o.locator,
                                 .transfer = hard_transfer_smooth(diagonal),
                                 .camera = overset_camera(view),
                                 .step = diagonal / 1200.0};
        difference d = compare_view(&o, &scene);
        printf("view %d: mean %.4f, worst %.3f counts\n", view, d.mean, d.worst);
        good = difference_is_within(&d, &limits) && good;
    }
    close_overset(&o);
    assert_true(good);
}

static void overset_blocks_look_as_in_the_reference(void **unused)
{
    (void)unused;
    compare_with_reference(false,
                           (difference){.mean = 0.2, .percentile99 = 2.0, .worst = 2.0});
}

/* The reference is trilinear itself. */
static void trilinear_overset_blocks_look_as_in_the_reference(void **unused)
{
    (void)unused;
    compare_with_reference(
        true, (difference){.mean = 0.005, .percentile99 = 0.1, .worst = 1.0});
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chord_through_both_blocks_counts_once),
        cmocka_unit_test(overset_blocks_look_as_in_the_reference),
        cmocka_unit_test(trilinear_overset_blocks_look_as_in_the_reference),
    };
    if (argc != 2) {
        fprintf(stderr, "usage: test_hard_overset DATA_FOLDER\n");
        return 2;
    }
    folder = argv[1];
    MPI_Init(NULL, NULL);
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    MPI_Finalize();
    return failures;
}
