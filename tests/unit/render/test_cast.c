/* The rays of a row of pixels are those of its pixels, to the last bit. */
#include "check.h"
#include "picture.h"

#include "render/cells/cell.h"
#include "render/kernel/walk.h"
#include "support/random.h"

#include <string.h>

enum { SIDE = 100 };

static void check_double(const char *what, uint64_t seed, double expected, double actual)
{
    if (memcmp(&expected, &actual, sizeof actual) != 0) {
        fail_msg("%s: expected %a, actual %a (seed %llu)", what, expected, actual,
                 (unsigned long long)seed);
    }
}

static void check_ray(const walk_row *row, int n, const render_camera *camera, box3 clip,
                      const render_cuts *cuts, int x, int y, uint64_t seed)
{
    const render_ray ray = render_camera_ray(camera, x + n, y);
    const cell_ray sheared = render_cell_ray(ray);
    double t0, t1;
    render_clip_ray(camera, &ray, clip, cuts, &t0, &t1);
    for (int axis = 0; axis < 3; axis++) {
        check_double("origin", seed, ray.origin.v[axis], row->origin[axis][n]);
        check_double("direction", seed, ray.direction.v[axis], row->direction[axis][n]);
    }
    check_double("begin", seed, t0, row->t0[n]);
    check_double("end", seed, t1, row->t1[n]);
    check_count("axis", seed, sheared.axis[2], (int64_t)row->axis[n]);
    check_count("sense", seed, sheared.is_backward, row->forward[n] < 0.0);
    check_double("start", seed, sheared.start, row->start[n]);
    for (int axis = 0; axis < 2; axis++) {
        check_double("sheared origin", seed, (double)sheared.origin[axis],
                     (double)row->sheared[axis][n]);
        check_double("shear", seed, (double)sheared.shear[axis],
                     (double)row->shear[axis][n]);
    }
    check_double("length", seed, (double)sheared.per_unit, (double)row->per_unit[n]);
}

/* A box with some infinite sides; every other time one around the eye's planes, so that
 * rays run within its sides. */
static box3 choose_box(uint64_t *state, const render_camera *camera)
{
    box3 box = box3_everything();
    for (int axis = 0; axis < 3; axis++) {
        const double a = random_between(state, -8.0, 8.0),
                     b = random_between(state, -8.0, 8.0);
        if (random_below(state, 3) > 0) {
            box.lo.v[axis] = random_below(state, 4) ? fmin(a, b) : camera->eye.v[axis];
        }
        if (random_below(state, 3) > 0) {
            box.hi.v[axis] = fmax(fmax(a, b), box.lo.v[axis]);
        }
    }
    return box;
}

static render_cuts choose_cuts(uint64_t *state, const render_camera *camera)
{
    render_cuts cuts = {
        .near = random_below(state, 2) ? random_between(state, 0.0, 9.0) : 0.0,
        .far = random_below(state, 2) ? random_between(state, 10.0, 20.0) : INFINITY,
        .count = random_below(state, 4)};
    for (int n = 0; n < cuts.count; n++) {
        const vec3 normal = random_below(state, 3)
                                ? vec3_make(random_between(state, -1.0, 1.0),
                                            random_between(state, -1.0, 1.0), 1.0)
                                : camera->right; /* along some rays */
        cuts.planes[n] =
            (render_cut){vec3_normalize(normal), random_between(state, -5.0, 5.0)};
    }
    return cuts;
}

static void rows_are_made_of_rays(void **unused)
{
    (void)unused;
    int64_t drawn = 0;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        uint64_t state = seed;
        render_view view = picture_view_random(&state, vec3_make(0.5, -0.25, 1.0), 6.0);
        if (seed % 5 == 0) { /* some rays run along an axis */
            view = picture_view_parallel(vec3_make(-9.0, 2.0, 2.0),
                                         vec3_make(0.0, 2.0, 2.0), 6.0);
        }
        render_camera camera;
        assert_int_equal(render_camera_create(&view, SIDE, SIDE + 1,
                                              vec3_make(0.1, 0.2, 0.3), &camera),
                         STATUS_OK);
        if (seed % 3 == 0) {
            render_camera_shift(&camera, (const double[2]){0.3, -0.8});
        }
        const box3 clip = choose_box(&state, &camera);
        const render_cuts cuts = choose_cuts(&state, &camera);
        const int x = random_below(&state, SIDE - WALK_TILE),
                  y = random_below(&state, SIDE);
        const render_cuts *chosen = seed % 2 ? &cuts : NULL;
        for (const walk_kernel *const *k = render_walk_kernels(); *k; k++) {
            walk_row row;
            (*k)->cast(&(render_clip_view){&camera, clip, chosen}, x, y, &row);
            for (int n = 0; n < WALK_TILE; n++) {
                check_ray(&row, n, &camera, clip, chosen, x, y, seed);
                drawn += row.t0[n] < row.t1[n];
            }
        }
    }
    assert_true(drawn > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_are_made_of_rays)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
