/* Compares smooth cases with the renderer of tests/reference, whose cells are trilinear
 * maps. */
#include "fuzz_compare.h"

#include "reference/difference.h"
#include "reference/reference.h"
#include "support/random.h"

#include <math.h>
#include <string.h>

enum { PIXELS = 16 };

/* In counts of 255, by style. */
static const double MOST_MEAN[FUZZ_STYLES] = {0.2, 0.05, 0.15},
                    MOST_WORST[FUZZ_STYLES] = {2.0, 0.5, 1.5};

/* A picture whose rays the reference can follow. */
typedef struct slow_scene {
    const fuzz_scene *scene;
    reference_grid grid;
    reference_locator *locator;
    reference_scene reference;
} slow_scene;

static status copy_block(const fuzz_block *from, reference_block *to)
{
    memcpy(to->n, from->n, sizeof to->n);
    status s = reference_block_allocate(to, false);
    for (int64_t n = 0; s == STATUS_OK && n < fuzz_block_vertices(from); n++) {
        for (int axis = 0; axis < 3; axis++) {
            to->x[axis][n] = (double)from->vertex[n][axis];
        }
        to->scalar[n] = (double)from->vertex[n][3];
    }
    return s;
}

static void set_transfer(const render_transfer_points *p, reference_transfer *t)
{
    *t = (reference_transfer){.ncolors = p->ncolors,
                              .colors = p->colors,
                              .nopacities = p->nopacities,
                              .opacities = p->opacities,
                              .opacities_are_extinction = p->opacities_are_extinction,
                              .positions_are_data = p->positions_are_data,
                              .range = {p->range[0], p->range[1]},
                              .unit_length = p->unit_length};
}

static status open_slow_scene(const fuzz_scene *scene, slow_scene *slow)
{
    slow->scene = scene;
    status s = reference_grid_create(scene->grid->nblocks, &slow->grid);
    for (int b = 0; s == STATUS_OK && b < scene->grid->nblocks; b++) {
        s = copy_block(&scene->grid->blocks[b], &slow->grid.blocks[b]);
    }
    s = s == STATUS_OK ? reference_locator_create(&slow->grid, &slow->locator) : s;
    slow->reference = (reference_scene){.grid = &slow->grid,
                                        .locator = slow->locator,
                                        .step = scene->grid->diagonal / 400.0};
    set_transfer(&scene->points.points, &slow->reference.transfer);
    return s;
}

static void close_slow_scene(slow_scene *slow)
{
    if (slow->locator) {
        reference_locator_destroy(&slow->locator);
    }
    reference_grid_clear(&slow->grid);
}

static reference_pixel follow(const slow_scene *slow, int64_t pixel)
{
    int side = slow->scene->c->side;
    render_ray ray =
        render_camera_ray(&slow->scene->camera, (int)(pixel % side), (int)(pixel / side));
    return reference_ray_render(&slow->reference,
                                (reference_ray){ray.origin, ray.direction});
}

static double channel(const reference_pixel *p, int c)
{
    return c < 3 ? p->rgb[c] : 1.0 - p->transmittance;
}

/* A ray moved aside by a fraction of a cell. The boundary is a bilinear patch for one
 * renderer and two triangles for the other; they differ by no more than this shift. */
static reference_pixel follow_aside(const slow_scene *slow, int64_t pixel, int n)
{
    const fuzz_scene *scene = slow->scene;
    int side = scene->c->side;
    render_ray ray =
        render_camera_ray(&scene->camera, (int)(pixel % side), (int)(pixel / side));
    double far = 0.004 * scene->grid->diagonal, angle = n * 0.785398163397448310;
    vec3 aside = vec3_add(vec3_scale(scene->camera.right, far * cos(angle)),
                          vec3_scale(scene->camera.up, far * sin(angle)));
    return reference_ray_render(
        &slow->reference, (reference_ray){vec3_add(ray.origin, aside), ray.direction});
}

/* Whether a pixel lies between the results of nearby rays, as beside the edge of the
 * grid. */
static bool is_beside_edge(const slow_scene *slow, const image *whole, int64_t pixel)
{
    double lo[4], hi[4];
    for (int n = 0; n < 8; n++) {
        reference_pixel aside = follow_aside(slow, pixel, n);
        for (int c = 0; c < 4; c++) {
            double x = channel(&aside, c);
            lo[c] = n == 0 ? x : fmin(lo[c], x);
            hi[c] = n == 0 ? x : fmax(hi[c], x);
        }
    }
    for (int c = 0; c < 4; c++) {
        double actual = (double)whole->rgba[4 * pixel + c],
               room = MOST_WORST[fuzz_case_style(slow->scene->c)] / 255.0;
        if (!(actual >= lo[c] - room && actual <= hi[c] + room)) {
            return false;
        }
    }
    return true;
}

/* Compares a pixel. Adds to differences, [4], unless the pixel is beside an edge. */
static bool compare_pixel(const slow_scene *slow, const image *whole, int64_t pixel,
                          double *differences, int *count, fuzz_tally *tally,
                          fuzz_failure *failure)
{
    reference_pixel expected = follow(slow, pixel);
    double off[4], worst = 0.0;
    for (int c = 0; c < 4; c++) {
        double actual = (double)whole->rgba[4 * pixel + c];
        off[c] = fabs(actual - channel(&expected, c));
        worst = fmax(worst, off[c]);
    }
    int style = fuzz_case_style(slow->scene->c);
    if (!(255.0 * worst <= MOST_WORST[style])) {
        if (!is_beside_edge(slow, whole, pixel)) {
            return fuzz_fail(
                failure, FUZZ_REFERENCE,
                "pixel %d, %d: expected alpha %.6g, actual %.6g; a channel is "
                "off by %.3g of 255, allowed %.3g",
                (int)(pixel % whole->width), (int)(pixel / whole->width),
                channel(&expected, 3), (double)whole->rgba[4 * pixel + 3], 255.0 * worst,
                MOST_WORST[style]);
        }
        tally->reference_edges[style]++;
        return true;
    }
    memcpy(differences + *count, off, sizeof off);
    *count += 4;
    tally->reference_pixels[style]++;
    return true;
}

static bool compare_pixels(const slow_scene *slow, const image *whole, fuzz_tally *tally,
                           fuzz_failure *failure)
{
    double differences[4 * PIXELS];
    int count = 0;
    uint64_t state = fuzz_hash(slow->scene->c->eye.seed, 4, 5, 6);
    for (int n = 0; n < PIXELS; n++) {
        int64_t pixel = random_below(&state, (int)image_pixel_count(whole));
        if (!compare_pixel(slow, whole, pixel, differences, &count, tally, failure)) {
            return false;
        }
    }
    difference d = difference_summarize(count, differences);
    int style = fuzz_case_style(slow->scene->c);
    tally->references[style]++;
    tally->reference_worst[style] = fmax(tally->reference_worst[style], d.worst);
    tally->reference_mean[style] = fmax(tally->reference_mean[style], d.mean);
    return d.mean <= MOST_MEAN[style] ||
           fuzz_fail(failure, FUZZ_REFERENCE,
                     "mean difference over %d pixels: %.3g of 255, allowed %.3g", PIXELS,
                     d.mean, MOST_MEAN[style]);
}

bool fuzz_compare_reference(const fuzz_scene *scene, const image *whole,
                            fuzz_tally *tally, fuzz_failure *failure)
{
    if (!scene->c->is_smooth || scene->grid->soundness != FUZZ_SOUND) {
        return true;
    }
    slow_scene slow = {0};
    bool good = open_slow_scene(scene, &slow) == STATUS_OK ||
                fuzz_fail_status(failure, "the reference renderer");
    good = good && compare_pixels(&slow, whole, tally, failure);
    close_slow_scene(&slow);
    return good;
}
