#include "fuzz_compare.h"

#include "fuzz_triangles.h"

#include "support/random.h"

#include <math.h>

/* The error of the renderer beyond the effect of rounded coordinates: that of a few
 * segments (TRANSFER_LANES_TOLERANCE). */
static const double TOLERANCE = 1e-4;

/* The opacity of a sliver in the case's medium. The start of a ray and the end of a cell
 * are known to the last digit of the largest coordinate. So a picture may show or miss a
 * sliver of that thickness. */
static double sliver(const fuzz_scene *scene)
{
    return 1e-7 * scene->c->light.density;
}

/* The effect of rounding on the flank of a spike. On one that is 1e-4 of the range wide a
 * last digit of a scalar in float32, or of its place in the table, changes extinction by
 * 6e-4 of the spike's height. Opacity then changes by up to 1/e of that: in a cell with a
 * constant scalar, and for a ray whose scalar hardly changes there. */
static double flank(const fuzz_scene *scene)
{
    return scene->c->light.profile == FUZZ_SPIKES ? 2.2e-4 : 0.0;
}

/* Versions of the grid: the given one, and versions with vertices moved by about a
 * rounding error. */
enum { VERSIONS = 4, MOST_VERSIONS = 24, MOST_PIXELS = 24 };

/* The largest number of cells that are tested for one case. */
static const int64_t MOST_TESTS = 120000;

/* A random pixel; visible pixels are more likely. */
static int64_t choose_pixel(const image *whole, uint64_t *state)
{
    int64_t pixel = 0;
    for (int attempt = 0; attempt < 6; attempt++) {
        pixel = random_below(state, (int)image_pixel_count(whole));
        if (whole->rgba[4 * pixel + 3] > 0.0f) {
            return pixel;
        }
    }
    return pixel;
}

static int count_pixels(const fuzz_scene *scene)
{
    int64_t count = MOST_TESTS / (scene->grid->cells + 1);
    return (int)(count < 4 ? 4 : count > MOST_PIXELS ? MOST_PIXELS : count);
}

/* ---- Triangles --------------------------------------------------------------------- */

/* The versions of a grid made so far. */
typedef struct version_list {
    int count;
    fuzz_triangles *items[MOST_VERSIONS];
} version_list;

/* The expected pixel, and the allowed difference. */
typedef struct wanted_pixel {
    double rgba[4], allowed[4];
    double distance;
    bool unclear;
} wanted_pixel;

static double limit(double x)
{
    return fmin(fmax(x, 0.0), 1.0);
}

static status make_versions(const fuzz_scene *scene, int count, version_list *list)
{
    status s = STATUS_OK;
    while (s == STATUS_OK && list->count < count) {
        s = fuzz_triangles_create(scene->grid, list->count, &list->items[list->count]);
        list->count += s == STATUS_OK;
    }
    return s;
}

static void clear_versions(version_list *list)
{
    while (list->count > 0) {
        fuzz_triangles_destroy(&list->items[--list->count]);
    }
}

static status find_wanted(const fuzz_scene *scene, const version_list *versions,
                          const render_ray *ray, wanted_pixel *out)
{
    wanted_pixel wanted = {.distance = 0.0};
    double least = TOLERANCE + sliver(scene) + flank(scene);
    for (int v = 0; v < versions->count; v++) {
        fuzz_sight sight;
        status s =
            fuzz_triangles_follow(versions->items[v], scene->transfer, ray, &sight);
        if (s != STATUS_OK) {
            return s;
        }
        wanted.unclear |= sight.unclear;
        wanted.distance = fmax(wanted.distance, sight.distance);
        for (int c = 0; c < 4; c++) {
            double shown = limit(sight.rgba[c]);
            wanted.rgba[c] = v == 0 ? shown : wanted.rgba[c];
            double spread = 3.0 * fabs(shown - wanted.rgba[c]);
            wanted.allowed[c] = fmax(wanted.allowed[c], least + spread);
        }
    }
    *out = wanted;
    return STATUS_OK;
}

/* Whether some channel differs by more than is allowed. off: [4]. */
static bool is_off(const image *whole, int64_t pixel, const wanted_pixel *wanted,
                   double off[4])
{
    bool far = false;
    for (int c = 0; c < 4; c++) {
        off[c] = fabs((double)whole->rgba[4 * pixel + c] - wanted->rgba[c]);
        far |= !(off[c] <= wanted->allowed[c]);
    }
    return far;
}

static void count_sum(const wanted_pixel *wanted, const double off[4], fuzz_tally *tally)
{
    bool is_tight = true;
    for (int c = 0; c < 4; c++) {
        is_tight &= wanted->allowed[c] <= 2.0 * TOLERANCE;
    }
    tally->sums++;
    tally->sums_loose += !is_tight;
    for (int c = 0; is_tight && c < 4; c++) {
        tally->sums_worst = fmax(tally->sums_worst, off[c]);
    }
}

static bool report_pixel(const image *whole, int64_t pixel, const wanted_pixel *wanted,
                         const double off[4], fuzz_failure *failure)
{
    int c = 0;
    while (c < 3 && off[c] <= wanted->allowed[c]) {
        c++;
    }
    return fuzz_fail(failure, FUZZ_SUMS,
                     "pixel %d, %d, channel %d: expected %.9g, actual %.9g, off by %.3g, "
                     "allowed %.3g",
                     (int)(pixel % whole->width), (int)(pixel / whole->width), c,
                     wanted->rgba[c], (double)whole->rgba[4 * pixel + c], off[c],
                     wanted->allowed[c]);
}

/* Compares a pixel. If it is off, more versions show whether rounding may be the cause: a
 * ray through a vertex has many possible paths. */
static bool compare_pixel(const fuzz_scene *scene, const image *whole, int64_t pixel,
                          const version_list *versions, fuzz_tally *tally,
                          fuzz_failure *failure)
{
    render_ray ray = render_camera_ray(&scene->camera, (int)(pixel % whole->width),
                                       (int)(pixel / whole->width));
    wanted_pixel wanted;
    double off[4];
    status s = find_wanted(scene, versions, &ray, &wanted);
    if (s == STATUS_OK && is_off(whole, pixel, &wanted, off)) {
        version_list all = {.count = 0};
        s = make_versions(scene, MOST_VERSIONS, &all);
        s = s == STATUS_OK ? find_wanted(scene, &all, &ray, &wanted) : s;
        clear_versions(&all);
    }
    if (s != STATUS_OK) {
        return fuzz_fail_status(failure, "the sum over all triangles");
    }
    /* With so many folds, floats lose too many digits. */
    bool is_folded = scene->grid->soundness == FUZZ_FOLDED;
    double rgb[3], extinction;
    render_transfer_evaluate(scene->transfer, scene->c->field.low, rgb, &extinction);
    if (wanted.unclear || (is_folded && wanted.distance * extinction > 3.0)) {
        tally->sums_skipped++;
        return true;
    }
    if (is_off(whole, pixel, &wanted, off)) {
        return report_pixel(whole, pixel, &wanted, off, failure);
    }
    count_sum(&wanted, off, tally);
    return true;
}

/* Whether the sum over all triangles is the right answer. Folded cells may contain closed
 * paths that no ray from outside reaches. They add up to nothing in a uniform medium; in
 * others their sum is unknown. */
static bool is_comparable(const fuzz_scene *scene)
{
    if (fuzz_case_style(scene->c) != 0 || scene->c->shaded) {
        return false;
    }
    return scene->grid->soundness != FUZZ_FOLDED ||
           (scene->c->light.profile == FUZZ_CONSTANT && scene->c->field.holes == 0.0);
}

bool fuzz_compare_triangles(const fuzz_scene *scene, const image *whole,
                            fuzz_tally *tally, fuzz_failure *failure)
{
    if (!is_comparable(scene)) {
        return true;
    }
    version_list versions = {.count = 0};
    bool good = make_versions(scene, VERSIONS, &versions) == STATUS_OK ||
                fuzz_fail_status(failure, "the sum over all triangles");
    tally->sums_cases++;
    uint64_t state = fuzz_hash(scene->c->eye.seed, 1, 2, 3);
    for (int n = count_pixels(scene); good && n > 0; n--) {
        good = compare_pixel(scene, whole, choose_pixel(whole, &state), &versions, tally,
                             failure);
    }
    clear_versions(&versions);
    return good;
}
