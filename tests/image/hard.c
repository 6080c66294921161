#include "hard.h"

#include "datasets/write.h"

#include <stdio.h>
#include <string.h>

enum { PATH_SIZE = 1024 };

static void expect_done(status s, const char *what)
{
    if (s != STATUS_OK) {
        fail_msg("%s: %s", what, base_fail_message());
    }
}

fast_volume hard_open(const char *folder, const char *name, const char *field)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s.h5", folder, name);
    io_data_config config = {
        .file = path, .terms = {.gamma = 1.4, .gas_constant = 1.0}, .all_steps = true};
    fast_volume volume;
    expect_done(fast_volume_open(&config, field, 0, &volume), path);
    return volume;
}

void hard_write(const dataset *set, const int64_t *size, const char *folder,
                const char *name)
{
    char path[PATH_SIZE];
    dataset_options options = dataset_default_options(set);
    if (size) {
        memcpy(options.size, size, sizeof options.size);
    }
    snprintf(path, sizeof path, "%s/%s.h5", folder, name);
    expect_done(dataset_write(MPI_COMM_SELF, set, &options, path), path);
}

/* ---- Transfer functions and cameras ------------------------------------------------ */

static const double white[1][4] = {{0.0, 1.0, 1.0, 1.0}};

reference_transfer hard_transfer_constant(double extinction)
{
    /* One table for the life of the program; tests run one after the other. */
    static double even[1][2];
    even[0][1] = extinction;
    return (reference_transfer){.ncolors = 1,
                                .colors = white,
                                .nopacities = 1,
                                .opacities = (const double(*)[2])even,
                                .opacities_are_extinction = true,
                                .range = {0.0, 1.0},
                                .unit_length = 1.0};
}

reference_transfer hard_transfer_smooth(double diagonal)
{
    static const double colors[3][4] = {
        {0.0, 0.1, 0.2, 0.9}, {0.5, 0.2, 0.9, 0.4}, {1.0, 0.9, 0.3, 0.1}};
    static const double opacities[3][2] = {{0.0, 0.5}, {0.5, 0.1}, {1.0, 0.4}};
    return (reference_transfer){.ncolors = 3,
                                .colors = colors,
                                .nopacities = 3,
                                .opacities = opacities,
                                .range = {0.0, 1.0},
                                .unit_length = diagonal / 6.0};
}

/* ---- Cameras ----------------------------------------------------------------------- */

/* The axis with the largest angle to the view. */
static vec3 choose_up(vec3 eye, vec3 target)
{
    vec3 along = vec3_sub(target, eye), up = {{0.0, 0.0, 0.0}};
    int least = 0;
    for (int axis = 1; axis < 3; axis++) {
        if (fabs(along.v[axis]) < fabs(along.v[least])) {
            least = axis;
        }
    }
    up.v[least] = 1.0;
    return up;
}

reference_camera hard_camera_from(vec3 eye, vec3 target, double fov, int side)
{
    return (reference_camera){.position = eye,
                              .look_at = target,
                              .up = choose_up(eye, target),
                              .fov = fov,
                              .columns = side,
                              .rows = side};
}

reference_camera hard_camera_along(vec3 eye, vec3 target, double height, int side)
{
    reference_camera camera = hard_camera_from(eye, target, 0.0, side);
    camera.orthographic = true;
    camera.height = height;
    return camera;
}

box3 hard_bounds(const fast_volume *volume)
{
    const grid_layout *layout = volume->layout;
    return (box3){vec3_add(layout->bounds.lo, layout->origin),
                  vec3_add(layout->bounds.hi, layout->origin)};
}

double hard_diagonal(const fast_volume *volume)
{
    return vec3_length(vec3_sub(volume->layout->bounds.hi, volume->layout->bounds.lo));
}

/* ---- Pictures ---------------------------------------------------------------------- */

/* Colours are summed separately, so that rounding may take them a little above alpha. */
static void check_pixel(const float rgba[4], const char *what, uint64_t seed)
{
    double alpha = (double)rgba[3];
    check_within(what, seed, 0.0, 1.0, alpha);
    for (int channel = 0; channel < 3; channel++) {
        check_within(what, seed, -1e-6, alpha + 1e-5, (double)rgba[channel]);
    }
}

hard_picture hard_draw(const fast_volume *volume, const reference_transfer *transfer,
                       const reference_camera *camera, const char *what, uint64_t seed)
{
    hard_picture picture = {.camera = *camera};
    expect_done(
        fast_volume_render(volume, transfer, camera, &picture.img, &picture.counters),
        what);
    if (picture.counters.lost_rays != 0) {
        fail_msg("%s: %lld of %lld rays are lost (seed %llu): eye %.17g %.17g %.17g, "
                 "towards %.17g %.17g %.17g",
                 what, (long long)picture.counters.lost_rays,
                 (long long)picture.counters.rays, (unsigned long long)seed,
                 camera->position.v[0], camera->position.v[1], camera->position.v[2],
                 camera->look_at.v[0], camera->look_at.v[1], camera->look_at.v[2]);
    }
    for (int pixel = 0; pixel < camera->columns * camera->rows; pixel++) {
        check_pixel(picture.img->rgba + (ptrdiff_t)4 * pixel, what, seed);
    }
    return picture;
}

void hard_picture_clear(hard_picture *picture)
{
    image_destroy(&picture->img);
}

double hard_alpha(const hard_picture *picture, int pixel)
{
    return (double)picture->img->rgba[4 * pixel + 3];
}

void hard_compare(const hard_picture *expected, const hard_picture *actual,
                  double tolerance, const char *what, uint64_t seed)
{
    int channels = 4 * expected->img->width * expected->img->height;
    for (int n = 0; n < channels; n++) {
        check_near(what, seed, (double)expected->img->rgba[n],
                   (double)actual->img->rgba[n], tolerance);
    }
}
