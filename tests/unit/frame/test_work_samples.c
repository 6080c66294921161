/* Work samples: the places of a picture's work, by which boxes are cut. */
#include "frame/scene/work_samples.h"

#include "picture.h"
#include "tests/support/draw_volume.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>

enum { SIDE = 256 };

/* A slab of 40 x 30 x 3 cells, of which those from i = 24 on may be blanked. */
enum { NI = 40, NJ = 30, NK = 3, FIRST_BLANKED = 24 };

static bool slab(int block, const int64_t at[3], const int64_t n[3], double xyz[3],
                 double *scalar)
{
    (void)block;
    (void)n;
    for (int axis = 0; axis < 3; axis++) {
        xyz[axis] = (double)at[axis];
    }
    *scalar = 0.5;
    return true;
}

static bool blanked_slab(int block, const int64_t at[3], const int64_t n[3],
                         double xyz[3], double *scalar)
{
    slab(block, at, n, xyz, scalar);
    return at[0] <= FIRST_BLANKED;
}

/* Half a ring whose cells grow outwards, each by a fifth. */
static bool ring(int block, const int64_t at[3], const int64_t n[3], double xyz[3],
                 double *scalar)
{
    (void)block;
    const double pi = 3.14159265358979323846;
    const double radius = pow(1.2, (double)at[0]);
    const double angle = pi * (double)at[1] / (double)(n[1] - 1);
    xyz[0] = radius * cos(angle);
    xyz[1] = radius * sin(angle);
    xyz[2] = 2.0 * (double)at[2];
    *scalar = 0.5;
    return true;
}

/* A scene that looks at all of a grid from aside. */
typedef struct look {
    test_grid grid;
    frame_scene scene;
} look;

static void begin(test_grid grid, vec3 middle, double height, look *out)
{
    out->grid = grid;
    out->scene = (frame_scene){.layout = grid.layout, .part = {.box = box3_everything()}};
    const render_view view = picture_view_parallel(
        vec3_add(middle, vec3_make(35.0, -50.0, 80.0)), middle, height);
    assert_int_equal(
        render_camera_create(&view, SIDE, SIDE, grid.layout->origin, &out->scene.camera),
        STATUS_OK);
}

static void begin_slab(test_grid_vertex *vertex, look *out)
{
    const int64_t n[][3] = {{NI + 1, NJ + 1, NK + 1}};
    begin(test_grid_create(1, n, vertex), vec3_make(NI / 2.0, NJ / 2.0, NK / 2.0), 60.0,
          out);
}

/* As points have it for so large grids that cells are grouped. */
static void group_cells(look *l)
{
    l->grid.layout->census.cells = INT64_C(1) << 40;
}

static frame_work_samples find(const look *l)
{
    frame_work_samples samples = {0};
    frame_work_samples_add_cells(&l->scene, l->grid.store, &samples);
    assert_false(samples.failed);
    return samples;
}

static double weight_below(const frame_work_samples *samples, int axis, double plane)
{
    double sum = 0.0;
    for (int64_t n = 0; n < samples->count; n++) {
        const frame_work_sample *p = &samples->items[n];
        sum += (double)p->at[axis] < plane ? (double)p->weight : 0.0;
    }
    return sum;
}

static void check_even(const look *l)
{
    const double size[3] = {NI, NJ, NK};
    frame_work_samples samples = find(l);
    assert_true(samples.sum > 0.0);
    for (int axis = 0; axis < 3; axis++) {
        for (double part = 0.05; part < 1.0; part += 0.05) {
            const double below = weight_below(&samples, axis, part * size[axis]);
            assert_true(fabs(below / samples.sum - part) < 0.01);
        }
    }
    frame_work_samples_clear(&samples);
}

static void work_lies_evenly_between_the_bounds_of_few_layers(void **state)
{
    (void)state;
    look l;
    begin_slab(slab, &l);
    check_even(&l);
    group_cells(&l);
    check_even(&l);
    test_grid_destroy(&l.grid);
}

static void every_cell_counts_in_one_of_two_boxes(void **state)
{
    (void)state;
    look l;
    begin_slab(slab, &l);
    frame_work_samples all = find(&l);
    assert_int_equal(all.count, NI * NJ * NK);
    for (int axis = 0; axis < 3; axis++) {
        for (double plane = 0.25; plane < NK; plane += 0.5) {
            l.scene.part.box = box3_everything();
            l.scene.part.box.hi.v[axis] = plane;
            frame_work_samples lower = find(&l);
            l.scene.part.box = box3_everything();
            l.scene.part.box.lo.v[axis] = plane;
            frame_work_samples upper = find(&l);
            assert_true(lower.count > 0 && upper.count > 0);
            assert_int_equal(lower.count + upper.count, all.count);
            assert_true(fabs(lower.sum + upper.sum - all.sum) < 1e-9 * all.sum);
            frame_work_samples_clear(&lower);
            frame_work_samples_clear(&upper);
        }
    }
    frame_work_samples_clear(&all);
    test_grid_destroy(&l.grid);
}

static void blanked_cells_are_no_work(void **state)
{
    (void)state;
    look whole, part;
    begin_slab(slab, &whole);
    begin_slab(blanked_slab, &part);
    for (int grouped = 0; grouped < 2; grouped++) {
        frame_work_samples all = find(&whole), some = find(&part);
        const double expected = (double)FIRST_BLANKED / NI;
        assert_true(fabs(some.sum / all.sum - expected) < 1e-6);
        frame_work_samples_clear(&all);
        frame_work_samples_clear(&some);
        group_cells(&whole);
        group_cells(&part);
    }
    test_grid_destroy(&whole.grid);
    test_grid_destroy(&part.grid);
}

/* Weights are in cells that rays meet, and one for each cell. */
static void work_is_what_rays_cross(void **state)
{
    (void)state;
    const int64_t n[][3] = {{17, 33, 7}};
    look l;
    begin(test_grid_create(1, n, ring), vec3_make(0.0, 8.0, 6.0), 45.0, &l);
    render_transfer *clear = picture_transfer_constant(1e-3);
    image *img = NULL;
    render_counters counters = {0};
    const render_style style = {0};
    assert_int_equal(image_create(SIDE, SIDE, true, &img), STATUS_OK);
    assert_int_equal(draw_volume(l.grid.store,
                                 &(render_request){.style = &style,
                                                   .transfer = clear,
                                                   .camera = &l.scene.camera,
                                                   .clip = box3_everything(),
                                                   .threads = 1},
                                 img, &counters),
                     STATUS_OK);
    frame_work_samples samples = find(&l);
    const double crossings = samples.sum - 16.0 * 32.0 * 6.0;
    assert_true(counters.crossings > 100000);
    assert_true(fabs(crossings / (double)counters.crossings - 1.0) < 0.02);
    frame_work_samples_clear(&samples);
    image_destroy(&img);
    render_transfer_destroy(&clear);
    test_grid_destroy(&l.grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_lies_evenly_between_the_bounds_of_few_layers),
        cmocka_unit_test(every_cell_counts_in_one_of_two_boxes),
        cmocka_unit_test(blanked_cells_are_no_work),
        cmocka_unit_test(work_is_what_rays_cross),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
