#include "picture.h"

#include "check.h"

#include "support/random.h"
#include "tests/support/draw_volume.h"

#include <string.h>

picture picture_of(const test_grid *grid, const render_transfer *transfer,
                   render_view view, int side)
{
    return (picture){.grid = grid,
                     .transfer = transfer,
                     .view = view,
                     .width = side,
                     .height = side,
                     .threads = 1,
                     .clip = box3_everything()};
}

render_camera picture_camera(const picture *p)
{
    render_camera camera;
    status s = render_camera_create(&p->view, p->width, p->height,
                                    p->grid->layout->origin, &camera);
    if (s != STATUS_OK) {
        fail_msg("no camera: %s", base_fail_message());
    }
    return camera;
}

image *picture_draw(const picture *p, render_counters *counters)
{
    render_camera camera = picture_camera(p);
    image *img = NULL;
    assert_int_equal(image_create(p->width, p->height, true, &img), STATUS_OK);
    assert_int_equal(draw_volume(p->grid->store,
                                 &(render_request){.style = &p->style,
                                                   .transfer = p->transfer,
                                                   .camera = &camera,
                                                   .clip = p->clip,
                                                   .threads = p->threads},
                                 img, counters),
                     STATUS_OK);
    return img;
}

static bool is_active(const image *img, int column, int row)
{
    pixel_rect r = img->active;
    return column >= r.x0 && column < r.x1 && row >= r.y0 && row < r.y1;
}

static void check_pixel(const image *img, int column, int row, uint64_t seed)
{
    int64_t index = (int64_t)row * img->width + column;
    const float *pixel = img->rgba + 4 * index;
    check_within("alpha", seed, 0.0, 1.0, (double)pixel[3]);
    for (int c = 0; c < 3; c++) {
        if (!isfinite(pixel[c])) {
            fail_msg("a colour of pixel %d, %d is %g (seed %llu)", column, row,
                     (double)pixel[c], (unsigned long long)seed);
        }
    }
    if (!is_active(img, column, row)) {
        static const float clear[4] = {0};
        assert_memory_equal(pixel, clear, sizeof clear);
        assert_true(isinf(img->depth[index]));
    }
}

int64_t picture_check_sound(const picture *p, uint64_t seed)
{
    render_counters counters;
    image *img = picture_draw(p, &counters);
    check_count("lost rays", seed, 0, counters.lost_rays);
    for (int row = 0; row < p->height; row++) {
        for (int column = 0; column < p->width; column++) {
            check_pixel(img, column, row, seed);
        }
    }
    image_destroy(&img);
    return counters.crossings;
}

void picture_compare(const char *what, uint64_t seed, const image *expected,
                     const image *actual, double tolerance)
{
    int64_t values = 4 * image_pixel_count(expected);
    assert_true(actual->width == expected->width && actual->height == expected->height);
    for (int64_t i = 0; i < values; i++) {
        double wanted = (double)expected->rgba[i], came = (double)actual->rgba[i];
        if (!(fabs(came - wanted) <= tolerance)) {
            fail_msg(
                "%s: pixel %lld, %lld, channel %d: expected %.9g, actual %.9g, off by "
                "%.3g, allowed %.3g (seed %llu)",
                what, (long long)(i / 4 % expected->width),
                (long long)(i / 4 / expected->width), (int)(i % 4), wanted, came,
                came - wanted, tolerance, (unsigned long long)seed);
        }
    }
}

double picture_optical_depth(const image *img, int column, int row)
{
    return -log1p(-(double)img->rgba[4 * ((int64_t)row * img->width + column) + 3]);
}

static render_transfer *create_transfer(int count, const double (*colors)[4],
                                        const double (*extinctions)[2])
{
    render_transfer_points points = {.ncolors = count,
                                     .colors = colors,
                                     .nopacities = count,
                                     .opacities = extinctions,
                                     .opacities_are_extinction = true,
                                     .positions_are_data = true,
                                     .unit_length = 1.0};
    render_transfer *transfer = NULL;
    assert_int_equal(render_transfer_create(&points, &transfer), STATUS_OK);
    return transfer;
}

render_transfer *picture_transfer_constant(double extinction)
{
    const double colors[1][4] = {{0.0, 1.0, 1.0, 1.0}};
    const double extinctions[1][2] = {{0.0, extinction}};
    return create_transfer(1, colors, extinctions);
}

render_transfer *picture_transfer_ramp(double extinction0, double extinction1)
{
    const double colors[2][4] = {{0.0, 0.5, 0.0, 0.0}, {1.0, 0.0, 0.5, 1.0}};
    const double extinctions[2][2] = {{0.0, extinction0}, {1.0, extinction1}};
    return create_transfer(2, colors, extinctions);
}

static vec3 random_direction(uint64_t *state)
{
    for (;;) {
        vec3 v;
        random_three(state, -1.0, 1.0, v.v);
        if (vec3_length(v) > 0.1) {
            return vec3_normalize(v);
        }
    }
}

render_view picture_view_random(uint64_t *state, vec3 center, double radius)
{
    const double distance = radius * random_between(state, 0.2, 3.0);
    vec3 from = vec3_scale(random_direction(state), distance);
    vec3 aside = vec3_scale(random_direction(state), 0.1 * radius);
    return (render_view){.position = vec3_add(center, from),
                         .look_at = vec3_add(center, aside),
                         .up = random_direction(state),
                         .orthographic = random_below(state, 2) == 0,
                         .fov = random_between(state, 30.0, 120.0),
                         .height = radius * random_between(state, 0.5, 2.5)};
}

/* The axis that is farthest from a direction. */
static vec3 choose_up(vec3 direction)
{
    vec3 up = {{0}};
    int least = 0;
    for (int axis = 1; axis < 3; axis++) {
        least = fabs(direction.v[axis]) < fabs(direction.v[least]) ? axis : least;
    }
    up.v[least] = 1.0;
    return up;
}

render_view picture_view_from(vec3 position, vec3 look_at, double fov)
{
    return (render_view){.position = position,
                         .look_at = look_at,
                         .up = choose_up(vec3_sub(look_at, position)),
                         .fov = fov};
}

render_view picture_view_parallel(vec3 position, vec3 look_at, double height)
{
    return (render_view){.position = position,
                         .look_at = look_at,
                         .up = choose_up(vec3_sub(look_at, position)),
                         .orthographic = true,
                         .height = height};
}
