#include "versus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHANNELS = 4, CHECKED = 5 /* every so many pixels the truth is checked */ };

static const char *const names[VERSUS_WAYS] = {"linear", "quadratic", "trilinear",
                                               "tetrahedra"};
static const render_style styles[VERSUS_TETRAHEDRA] = {
    {.trilinear = false}, {.quadratic = true}, {.trilinear = true}};

/* The compared pixels of one view. */
typedef struct comparison {
    const reference_camera *camera;
    int stride, across, count;
    double (*points)[2];    /* [count] */
    reference_pixel *truth; /* [count] */
    bool *is_outline;       /* [count] */
    double *differences;    /* [VERSUS_WAYS][count][CHANNELS] */
} comparison;

static void *claim(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    assert_non_null(memory);
    return memory;
}

static void expect(status s, const char *what)
{
    if (s != STATUS_OK) {
        fail_msg("%s: %s", what, base_fail_message());
    }
}

void versus_prepare(versus *all)
{
    expect(reference_locator_create(&all->grid, &all->locator), "the reference");
    expect(reference_tetrahedra_create(&all->grid, &all->tetrahedra), "tetrahedra");
}

void versus_clear(versus *all)
{
    fast_volume_clear(&all->fast);
    reference_tetrahedra_destroy(&all->tetrahedra);
    reference_locator_destroy(&all->locator);
    reference_grid_clear(&all->grid);
}

/* ---- Pixels ------------------------------------------------------------------------ */

static comparison make_comparison(const reference_camera *camera, int stride)
{
    comparison c = {.camera = camera, .stride = stride};
    c.across = (camera->columns + stride - 1) / stride;
    c.count = c.across * ((camera->rows + stride - 1) / stride);
    c.points = claim((size_t)c.count, sizeof *c.points);
    c.truth = claim((size_t)c.count, sizeof *c.truth);
    c.is_outline = claim((size_t)c.count, sizeof *c.is_outline);
    c.differences =
        claim((size_t)(c.count * VERSUS_WAYS * CHANNELS), sizeof *c.differences);
    for (int p = 0; p < c.count; p++) {
        c.points[p][0] = p % c.across * stride + 0.5;
        c.points[p][1] = p / c.across * stride + 0.5;
    }
    return c;
}

static void clear_comparison(comparison *c)
{
    free(c->points);
    free(c->truth);
    free(c->is_outline);
    free(c->differences);
}

static double *differences_of(const comparison *c, int way, int pixel)
{
    return c->differences + (ptrdiff_t)CHANNELS * (way * c->count + pixel);
}

/* Finds whether the eight pixels around meet other blocks than this one, or in other
 * runs. */
static status find_outline(const versus *all, const reference_camera *camera,
                           const double at[2], bool *out)
{
    reference_meeting middle = {0};
    status s = STATUS_OK;
    *out = false;
    for (int n = 0; n < 9 && s == STATUS_OK; n++) {
        const int step = (n + 4) % 9; /* the middle one first */
        reference_meeting met = {0};
        reference_ray ray =
            reference_camera_ray(camera, at[0] + step % 3 - 1, at[1] + step / 3 - 1);
        s = reference_tetrahedra_meet(all->tetrahedra, ray, &met);
        middle = n == 0 ? met : middle;
        *out = *out || met.runs != middle.runs || met.blocks != middle.blocks;
    }
    return s;
}

static void subtract(const reference_pixel *truth, const double rgba[4],
                     double out[CHANNELS])
{
    for (int channel = 0; channel < 3; channel++) {
        out[channel] = rgba[channel] - truth->rgb[channel];
    }
    out[3] = rgba[3] - (1.0 - truth->transmittance);
}

static void subtract_pixel(const reference_pixel *truth, const reference_pixel *pixel,
                           double out[CHANNELS])
{
    const double rgba[4] = {pixel->rgb[0], pixel->rgb[1], pixel->rgb[2],
                            1.0 - pixel->transmittance};
    subtract(truth, rgba, out);
}

/* ---- The ways to draw -------------------------------------------------------------- */

static void compare_style(versus *all, comparison *c, int way, const char *what)
{
    all->fast.style = styles[way];
    hard_picture picture =
        hard_draw(&all->fast, &all->transfer, c->camera, what, (uint64_t)way);
    for (int p = 0; p < c->count; p++) {
        const int column = p % c->across * c->stride, row = p / c->across * c->stride;
        const float *rgba =
            picture.img->rgba + (ptrdiff_t)CHANNELS * (row * c->camera->columns + column);
        const double actual[4] = {rgba[0], rgba[1], rgba[2], rgba[3]};
        subtract(&c->truth[p], actual, differences_of(c, way, p));
    }
    hard_picture_clear(&picture);
}

static void compare_tetrahedra(const versus *all, comparison *c)
{
    bool has_failed = false;
#pragma omp parallel for schedule(dynamic, 16) reduction(|| : has_failed)
    for (int p = 0; p < c->count; p++) {
        reference_pixel pixel;
        reference_ray ray =
            reference_camera_ray(c->camera, c->points[p][0], c->points[p][1]);
        status s =
            reference_tetrahedra_render(all->tetrahedra, &all->transfer, ray, &pixel);
        subtract_pixel(&c->truth[p], &pixel, differences_of(c, VERSUS_TETRAHEDRA, p));
        s = s == STATUS_OK ? find_outline(all, c->camera, c->points[p], &c->is_outline[p])
                           : s;
        has_failed = has_failed || s != STATUS_OK;
    }
    assert_false(has_failed);
}

static double largest(const double differences[CHANNELS])
{
    double most = 0.0;
    for (int channel = 0; channel < CHANNELS; channel++) {
        most = fmax(most, 255.0 * fabs(differences[channel]));
    }
    return most;
}

/* The largest change of some pixels of the truth if its step is halved. */
static double check_truth(const reference_scene *scene, const comparison *c)
{
    reference_scene finer = *scene;
    double most = 0.0;
    finer.step *= 0.5;
    for (int p = 0; p < c->count; p += CHECKED) {
        if (!c->is_outline[p] && c->truth[p].length > 0.0) {
            double off[CHANNELS];
            reference_pixel better = reference_ray_render(
                &finer,
                reference_camera_ray(c->camera, c->points[p][0], c->points[p][1]));
            subtract_pixel(&better, &c->truth[p], off);
            most = fmax(most, largest(off));
        }
    }
    return most;
}

/* ---- Errors ------------------------------------------------------------------------ */

/* Sums up the pixels at the outline, or the others that meet the grid. */
static difference sum_up(const comparison *c, int way, bool outline)
{
    double *some = claim((size_t)(c->count * CHANNELS), sizeof *some);
    int count = 0;
    for (int p = 0; p < c->count; p++) {
        if (c->is_outline[p] == outline && (outline || c->truth[p].length > 0.0)) {
            memcpy(some + (ptrdiff_t)CHANNELS * count, differences_of(c, way, p),
                   CHANNELS * sizeof *some);
            count++;
        }
    }
    difference d = difference_summarize((int64_t)CHANNELS * count, some);
    free(some);
    return d;
}

static void find_worst(const comparison *c, int way, int worst[2])
{
    double most = -1.0;
    for (int p = 0; p < c->count; p++) {
        const double off = largest(differences_of(c, way, p));
        if (!c->is_outline[p] && off > most) {
            most = off;
            worst[0] = (int)c->points[p][0];
            worst[1] = (int)c->points[p][1];
        }
    }
}

versus_errors versus_measure(versus *all, const reference_camera *camera, int stride,
                             const char *what)
{
    comparison c = make_comparison(camera, stride);
    reference_scene scene = {.grid = &all->grid,
                             .locator = all->locator,
                             .transfer = all->transfer,
                             .camera = *camera,
                             .step = all->step,
                             .exact_steps = true};
    versus_errors errors = {0};
    reference_scene_render(&scene, c.count, (const double(*)[2])c.points, c.truth);
    compare_tetrahedra(all, &c);
    errors.own = check_truth(&scene, &c);
    for (int way = 0; way < VERSUS_WAYS; way++) {
        if (way != VERSUS_TETRAHEDRA) {
            compare_style(all, &c, way, what);
        }
        errors.inside[way] = sum_up(&c, way, false);
        errors.outline[way] = sum_up(&c, way, true);
        find_worst(&c, way, errors.worst[way]);
    }
    for (int p = 0; p < c.count; p++) {
        errors.outline_pixels += c.is_outline[p];
        errors.pixels += !c.is_outline[p] && c.truth[p].length > 0.0;
    }
    clear_comparison(&c);
    return errors;
}

void versus_print_heading(void)
{
    printf("%-13s %-11s %-10s %25s %34s\n%-36s %8s %8s %8s  %-10s %8s %8s %8s\n", "grid",
           "view", "way", "off the outline of blocks", "within a pixel of the outline",
           "", "mean", "99 %", "worst", "at", "mean", "99 %", "worst");
}

void versus_print(const char *const grid_and_view[2], const versus_errors *errors)
{
    const char *grid = grid_and_view[0], *view = grid_and_view[1];
    for (int way = 0; way < VERSUS_WAYS; way++) {
        const difference *in = &errors->inside[way], *out = &errors->outline[way];
        char at[32];
        snprintf(at, sizeof at, "%d,%d", errors->worst[way][0], errors->worst[way][1]);
        printf("%-13s %-11s %-10s %8.4f %8.3f %8.3f  %-10s %8.4f %8.3f %8.3f\n", grid,
               view, names[way], in->mean, in->percentile99, in->worst, at, out->mean,
               out->percentile99, out->worst);
    }
    printf("%-13s %-11s %d and %d pixels; the truth is sure to %.4f\n", grid, view,
           errors->pixels, errors->outline_pixels, errors->own);
}

bool versus_is_better(const versus_errors *errors, const versus_limits *limits)
{
    const difference *ours = &errors->inside[VERSUS_QUADRATIC],
                     *theirs = &errors->inside[VERSUS_TETRAHEDRA];
    return errors->pixels > 0 && ours->mean <= theirs->mean + limits->mean &&
           ours->percentile99 <= theirs->percentile99 + limits->percentile99 &&
           ours->worst <= limits->worst;
}

bool versus_is_nearest(const versus_errors *errors, int way)
{
    const difference *best = &errors->inside[way];
    bool is_nearest = errors->pixels > 0;
    for (int other = 0; other < VERSUS_WAYS; other++) {
        is_nearest = is_nearest && best->mean <= errors->inside[other].mean &&
                     best->percentile99 <= errors->inside[other].percentile99;
    }
    return is_nearest;
}
