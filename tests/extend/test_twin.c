/* A kernel that is one file and one line more is among the kernels, and draws the bits of
 * the fastest one. */
#include "tests/unit/render/picture.h"
#include "tests/unit/render/shape.h"

#include "render/kernel/walk.h"
#include "tests/support/draw_volume.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const walk_kernel *find_twin(void)
{
    const walk_kernel *twin = NULL;
    for (const walk_kernel *const *k = render_walk_kernels(); *k; k++) {
        twin = strcmp((*k)->name, "twin") == 0 ? *k : twin;
    }
    return twin;
}

static image *draw_with(const walk_kernel *kernel, const picture *p)
{
    render_camera camera = picture_camera(p);
    render_counters counters;
    image *img = NULL;
    assert_int_equal(image_create(p->width, p->height, true, &img), STATUS_OK);
    assert_int_equal(draw_volume(p->grid->store,
                                 &(render_request){.kernel = kernel,
                                                   .style = &p->style,
                                                   .transfer = p->transfer,
                                                   .camera = &camera,
                                                   .clip = p->clip,
                                                   .threads = p->threads},
                                 img, &counters),
                     STATUS_OK);
    assert_true(counters.crossings > 0);
    return img;
}

static void the_twin_draws_the_bits_of_the_fastest_kernel(void **unused)
{
    (void)unused;
    assert_non_null(find_twin());
    render_transfer *transfer = picture_transfer_ramp(0.1, 1.0);
    for (uint64_t seed = 1; seed <= 6; seed++) {
        uint64_t state = seed;
        const shape box = {.scalar = SHAPE_RANDOM,
                           .n = {20, 6, 5},
                           .seed = seed,
                           .jitter = 0.3 * (double)(seed % 3),
                           .has_hole = true};
        test_grid grid = shape_create(&box);
        const render_view view = picture_view_random(&state, shape_center(&grid), 8.0);
        const picture p = picture_of(&grid, transfer, view, 40);
        image *expected = draw_with(render_walk_fastest(), &p);
        image *actual = draw_with(find_twin(), &p);
        picture_compare("twin", seed, expected, actual, 0.0);
        image_destroy(&expected);
        image_destroy(&actual);
        test_grid_destroy(&grid);
    }
    render_transfer_destroy(&transfer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_twin_draws_the_bits_of_the_fastest_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
