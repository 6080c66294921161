/*
 * The fast renderer compared with the reference renderer, on a generated data set, from
 * three viewpoints: outside, inside the volume, and orthographic.
 *
 * The fast renderer cuts faces into two triangles, and its field is linear along a cell's
 * segment. The reference has bilinear faces and trilinear fields. So the pictures differ
 * a little everywhere. They differ visibly only if a ray meets a part of the boundary
 * that the other renderer's ray misses. Such silhouette pixels are left out and counted:
 * see is_silhouette.
 */
#include "reference/difference.h"
#include "test_reference_fast.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    COLUMNS = 128,
    ROWS = 96,
    STRIDE = REFERENCE_STRIDE, /* every so many columns and rows a pixel is compared */
    PIXELS = (COLUMNS / STRIDE) * (ROWS / STRIDE)
};

static const difference limits = {.mean = 0.2, .percentile99 = 1.0, .worst = 3.0};

/* Pixels with smaller differences are never left out. */
static const double suspicious = 2.0 / 255.0;

/* Largest share of the pixels that may be left out. */
static const double silhouette_limit = 0.01;

/* Steps of the reference along the diagonal of the grid; three times as many change the
 * mean differences by less than 0.02 counts. */
static const double steps_per_diagonal = 600.0;

/* One data set and field, and its inner viewpoint and direction. */
typedef struct test_case {
    const char *dataset, *field;
    double range[2];
    vec3 eye, target;
    int ngradients; /* of opacity by gradient; 0: none */
    double gradients[3][2];
} test_case;

static const test_case cases[] = {
    {"karman", "pressure", {-1.2, 0.6}, {{4.1, 1.7, 2.7}}, {{0.8, 0.1, 1.6}}, 0, {{0}}},
    {"annulus", "radius", {1.0, 2.0}, {{1.3, 0.45, 0.4}}, {{-0.9, 1.1, 0.6}}, 0, {{0}}},
    {"warped-box",
     "blob",
     {0.0, 1.0},
     {{-0.72, -0.55, 0.43}},
     {{0.3, 0.1, 0.1}},
     0,
     {{0}}},
    {"warped-box",
     "cell_blob",
     {0.0, 1.0},
     {{-0.72, -0.55, 0.43}},
     {{0.3, 0.1, 0.1}},
     0,
     {{0}}},
    {"two-blocks", "wave", {0.0, 1.0}, {{-0.3, 1.4, 0.45}}, {{1.0, 1.0, 0.7}}, 0, {{0}}},
    {"pole", "wave", {0.0, 1.0}, {{0.55, -0.2, 0.6}}, {{-0.3, 0.2, 1.0}}, 0, {{0}}},
    {"boundary-layer",
     "velocity_x",
     {0.0, 1.0},
     {{-0.6, 0.31, 0.2}},
     {{0.6, 0.02, 0.6}},
     0,
     {{0}}},
    {"iblank-sphere",
     "density",
     {0.0, 1.0},
     {{-0.8, -0.61, 0.5}},
     {{0.1, 0.1, -0.1}},
     0,
     {{0}}},
    /* The factor of the extinction lies between those of two points, above, and below. */
    {"annulus",
     "radius",
     {1.0, 2.0},
     {{1.3, 0.45, 0.4}},
     {{-0.9, 1.1, 0.6}},
     2,
     {{0.0, 0.0}, {2.0, 1.0}}},
    {"annulus",
     "radius",
     {1.0, 2.0},
     {{1.3, 0.45, 0.4}},
     {{-0.9, 1.1, 0.6}},
     1,
     {{5.0, 0.3}}},
    {"warped-box",
     "blob",
     {0.0, 1.0},
     {{-0.72, -0.55, 0.43}},
     {{0.3, 0.1, 0.1}},
     3,
     {{0.2, 0.1}, {1.0, 1.5}, {3.0, 0.2}}},
};

static const double colors[4][4] = {{0.0, 0.1, 0.2, 0.9},
                                    {0.4, 0.2, 0.9, 0.6},
                                    {0.7, 0.9, 0.8, 0.2},
                                    {1.0, 0.9, 0.1, 0.1}};
static const double opacities[5][2] = {
    {0.0, 0.1}, {0.3, 0.15}, {0.5, 0.4}, {0.7, 0.1}, {1.0, 0.6}};

/* Both renderers with the same grid and field. */
typedef struct contest {
    reference_grid grid;
    reference_scene scene;
    reference_locator *locator;
    fast_volume fast;
    render_shade shade;
} contest;

/* Gives the fast renderer the same opacity by gradient. */
static status thicken(const test_case *c, const io_data_config *config, double diagonal,
                      contest *out)
{
    out->shade = (render_shade){.ambient = 1.0f, .shininess = 1};
    out->shade.per_gradient = render_shade_per_gradient(c->range, diagonal);
    render_shade_set_factors(&out->shade, c->ngradients, c->gradients);
    out->fast.style.shade = &out->shade;
    status s = reference_grid_add_gradients(&out->grid);
    return s == STATUS_OK
               ? fast_volume_add_gradients(&out->fast, c->field, 0, config->terms)
               : s;
}

static status contest_open(const test_case *c, char *file, contest *out)
{
    io_data_config config = {
        .file = file, .terms = {.gamma = 1.4, .gas_constant = 287.0}, .all_steps = true};
    status s = reference_grid_read(file, 0, c->field, &out->grid);
    s = s == STATUS_OK ? reference_locator_create(&out->grid, &out->locator) : s;
    s = s == STATUS_OK ? fast_volume_open(&config, c->field, 0, &out->fast) : s;
    if (s != STATUS_OK) {
        return s;
    }
    box3 bounds = reference_locator_bounds(out->locator);
    double diagonal = vec3_length(vec3_sub(bounds.hi, bounds.lo));
    out->scene = (reference_scene){
        .grid = &out->grid,
        .locator = out->locator,
        .transfer = {.ncolors = 4,
                     .colors = colors,
                     .nopacities = 5,
                     .opacities = opacities,
                     .range = {c->range[0], c->range[1]},
                     .unit_length = diagonal / 10.0},
        .step = diagonal / steps_per_diagonal,
        .ngradients = c->ngradients,
        .gradients = c->gradients,
    };
    return c->ngradients > 0 ? thicken(c, &config, diagonal, out) : STATUS_OK;
}

static void contest_close(contest *c)
{
    fast_volume_clear(&c->fast);
    reference_locator_destroy(&c->locator);
    reference_grid_clear(&c->grid);
}

enum { VIEWS = 3 };
static const char *const view_names[VIEWS] = {"outside", "inside", "orthographic"};

static reference_camera make_camera(const test_case *c, const reference_locator *locator,
                                    int view)
{
    box3 bounds = reference_locator_bounds(locator);
    vec3 middle = vec3_scale(vec3_add(bounds.lo, bounds.hi), 0.5);
    double diagonal = vec3_length(vec3_sub(bounds.hi, bounds.lo));
    reference_camera camera = {
        .look_at = middle, .up = {{0.0, 0.0, 1.0}}, .columns = COLUMNS, .rows = ROWS};
    if (view == 0) {
        vec3 away = vec3_make(-0.55 * diagonal, -1.1 * diagonal, 0.6 * diagonal);
        camera.position = vec3_add(middle, away);
        camera.fov = 27.0;
    } else if (view == 1) {
        camera.position = c->eye;
        camera.look_at = c->target;
        camera.fov = 75.0;
    } else {
        vec3 away = vec3_make(0.8 * diagonal, -0.45 * diagonal, 0.31 * diagonal);
        camera.position = vec3_add(middle, away);
        camera.orthographic = true;
        camera.height = 0.65 * diagonal;
    }
    return camera;
}

/* Column and row of a compared pixel. */
static int pixel_column(int pixel)
{
    return pixel % (COLUMNS / STRIDE) * STRIDE;
}

static int pixel_row(int pixel)
{
    return pixel / (COLUMNS / STRIDE) * STRIDE;
}

/*
 * Whether a pixel is on a silhouette of the grid. It is if the ray through one of its
 * corners meets another number of pieces of the grid than the ray through its centre, or
 * if the lengths of their paths through the grid differ by more than half.
 */
static bool is_silhouette(const reference_scene *scene, int pixel,
                          const reference_pixel *centre)
{
    for (int corner = 0; corner < 4; corner++) {
        double column = pixel_column(pixel) + (corner & 1);
        double row = pixel_row(pixel) + (corner >> 1);
        reference_ray ray = reference_camera_ray(&scene->camera, column, row);
        reference_pixel beside = reference_ray_render(scene, ray);
        if (beside.runs != centre->runs ||
            fabs(beside.length - centre->length) >
                0.5 * fmax(beside.length, centre->length)) {
            return true;
        }
    }
    return false;
}

/* Differences of the channels of one pixel; returns the largest. */
static double subtract(const reference_pixel *expected, const float actual[4],
                       double differences[4])
{
    double largest = 0.0;
    for (int channel = 0; channel < 4; channel++) {
        double value =
            channel < 3 ? expected->rgb[channel] : 1.0 - expected->transmittance;
        differences[channel] = actual[channel] - value;
        largest = fmax(largest, fabs(differences[channel]));
    }
    return largest;
}

/* The reference renderer's values of the compared pixels. */
typedef struct expectation {
    double points[PIXELS][2];
    reference_pixel pixels[PIXELS];
} expectation;

static void expect_picture(const reference_scene *scene, expectation *e)
{
    for (int p = 0; p < PIXELS; p++) {
        e->points[p][0] = pixel_column(p) + 0.5;
        e->points[p][1] = pixel_row(p) + 0.5;
    }
    reference_scene_render(scene, PIXELS, (const double(*)[2])e->points, e->pixels);
}

/* Collects the differences ([4] each) of all pixels that are not left out; returns the
 * number of pixels left out. */
static int collect_differences(const reference_scene *scene, const expectation *e,
                               const image *img, double *differences)
{
    int count = 0;
    for (int p = 0; p < PIXELS; p++) {
        int64_t at = (int64_t)pixel_row(p) * img->width + pixel_column(p);
        double largest = subtract(&e->pixels[p], img->rgba + 4 * at,
                                  differences + (ptrdiff_t)4 * count);
        bool excepted = largest > suspicious && is_silhouette(scene, p, &e->pixels[p]);
        count += !excepted;
    }
    return count;
}

/* Compares one picture and prints a line of the table. */
static bool judge(const test_case *c, int view, const reference_scene *scene,
                  const expectation *e, const image *img, const render_counters *counters)
{
    double *differences = calloc(PIXELS, 4 * sizeof *differences);
    if (!differences) {
        return false;
    }
    int compared = collect_differences(scene, e, img, differences);
    difference d = difference_summarize((int64_t)compared * 4, differences);
    free(differences);
    double excepted = 1.0 - (double)compared / PIXELS;
    bool good = difference_is_within(&d, &limits) && excepted <= silhouette_limit &&
                counters->lost_rays == 0 && counters->rays > 0;
    printf("%-7s%-15s %-11s %-13s %8.4f %8.4f %8.4f %10.2f %% %6lld\n",
           good ? "ok" : "FAILED", c->dataset, c->field, view_names[view], d.mean,
           d.percentile99, d.worst, 100.0 * excepted, (long long)counters->lost_rays);
    return good;
}

static bool compare_view(const test_case *c, contest *both, int view, expectation *e)
{
    both->scene.camera = make_camera(c, both->locator, view);
    image *img = NULL;
    render_counters counters;
    if (fast_volume_render(&both->fast, &both->scene.transfer, &both->scene.camera, &img,
                           &counters) != STATUS_OK) {
        return false;
    }
    expect_picture(&both->scene, e);
    bool good = judge(c, view, &both->scene, e, img, &counters);
    image_destroy(&img);
    return good;
}

static bool compare_case(const test_case *c, char *file)
{
    contest both = {0};
    expectation *e = malloc(sizeof *e);
    bool good = e && contest_open(c, file, &both) == STATUS_OK;
    bool opened = good;
    for (int view = 0; view < VIEWS && opened; view++) {
        good = compare_view(c, &both, view, e) && good;
    }
    contest_close(&both);
    free(e);
    return good;
}

static int compare_dataset(const char *dataset, char *file)
{
    int found = 0, failed = 0;
    printf("%-7s%-15s %-11s %-13s %8s %8s %8s %12s %6s\n", "", "data set", "field",
           "view", "mean", "p99", "worst", "silhouettes", "lost");
    printf("%-7s%-15s %-11s %-13s %8.4f %8.4f %8.4f %10.2f %% %6d\n", "limit", "", "", "",
           limits.mean, limits.percentile99, limits.worst, 100.0 * silhouette_limit, 0);
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        if (strcmp(cases[n].dataset, dataset) == 0) {
            found++;
            failed += !compare_case(&cases[n], file);
        }
    }
    if (base_fail_message()[0]) {
        fprintf(stderr, "%s: %s\n", dataset, base_fail_message());
    }
    return found > 0 && failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: %s DATASET FILE\n", argv[0]);
        return EXIT_FAILURE;
    }
    MPI_Init(NULL, NULL);
    int code = compare_dataset(argv[1], argv[2]);
    MPI_Finalize();
    return code;
}
