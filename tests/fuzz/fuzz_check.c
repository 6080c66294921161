#include "fuzz_check.h"

#include "fuzz_compare.h"
#include "fuzz_picture.h"

#include "grid/partition/partition.h"
#include "render/kernel/walk.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The promise of docs/design/architecture.md for float channels. */
static const double PROMISE = 1e-5;

const char *fuzz_check_name(fuzz_check check)
{
    static const char *const names[FUZZ_CHECKS] = {
        "drawn",  "lost rays", "range", "kernels",   "threads",  "windows",
        "bricks", "stays",     "cuts",  "triangles", "reference"};
    return names[check];
}

bool fuzz_fail(fuzz_failure *failure, fuzz_check check, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    failure->check = check;
    vsnprintf(failure->text, sizeof failure->text, format, arguments);
    va_end(arguments);
    return false;
}

bool fuzz_fail_status(fuzz_failure *failure, const char *what)
{
    fuzz_fail(failure, FUZZ_DRAWN, "%s failed: %s", what, base_fail_message());
    base_fail_set_message("");
    return false;
}

/* ---- Every picture ----------------------------------------------------------------- */

static bool is_active(const image *img, int column, int row)
{
    pixel_rect r = img->active;
    return column >= r.x0 && column < r.x1 && row >= r.y0 && row < r.y1;
}

/* The most that a colour may be. Colours of lit volumes and of surfaces are not cut off,
 * and folded cells may leave any: they take back what lies in front of a surface. */
static float most_bright(const fuzz_scene *scene)
{
    const bool may_glow = scene->c->shaded || scene->c->layered;
    return may_glow && scene->grid->soundness == FUZZ_FOLDED ? FLT_MAX : 1.0f;
}

static bool check_pixel(const image *img, float most, int column, int row,
                        fuzz_failure *failure)
{
    int64_t index = (int64_t)row * img->width + column;
    bool is_clear = true;
    for (int c = 0; c < 4; c++) {
        float x = img->rgba[4 * index + c];
        is_clear &= x == 0.0f;
        const float limit = c < 3 ? most : 1.0f;
        if (!(x >= 0.0f && x <= limit)) {
            return fuzz_fail(failure, FUZZ_RANGE,
                             "pixel %d, %d, channel %d: expected 0 to %g, actual %.9g",
                             column, row, c, (double)limit, (double)x);
        }
    }
    bool has_depth = isfinite(img->depth[index]);
    if (!is_active(img, column, row) && !(is_clear && !has_depth)) {
        return fuzz_fail(failure, FUZZ_RANGE,
                         "pixel %d, %d: expected nothing outside the active rectangle, "
                         "actual alpha %.9g, depth %.9g",
                         column, row, (double)img->rgba[4 * index + 3],
                         (double)img->depth[index]);
    }
    if (!is_clear && !has_depth) {
        return fuzz_fail(failure, FUZZ_RANGE,
                         "pixel %d, %d: expected a depth, actual %.9g", column, row,
                         (double)img->depth[index]);
    }
    return true;
}

static bool check_picture(const fuzz_scene *scene, const fuzz_picture *p,
                          fuzz_failure *failure)
{
    if (p->counters.lost_rays != 0) {
        return fuzz_fail(failure, FUZZ_LOST, "lost rays: expected 0, actual %lld",
                         (long long)p->counters.lost_rays);
    }
    for (int row = 0; row < p->img->height; row++) {
        for (int column = 0; column < p->img->width; column++) {
            if (!check_pixel(p->img, most_bright(scene), column, row, failure)) {
                return false;
            }
        }
    }
    return true;
}

/* ---- The same bits ----------------------------------------------------------------- */

/* most: largest difference of values; 0 demands the same bits. */
static bool same_pixels(const fuzz_picture *expected, const fuzz_picture *actual,
                        double most, fuzz_check check, const char *what,
                        fuzz_failure *failure)
{
    const image *a = expected->img, *b = actual->img;
    for (int64_t i = 0; i < image_pixel_count(a); i++) {
        for (int c = 0; c < 5; c++) {
            float x = c < 4 ? a->rgba[4 * i + c] : a->depth[i];
            float y = c < 4 ? b->rgba[4 * i + c] : b->depth[i];
            if (memcmp(&x, &y, sizeof x) != 0 && !(fabs((double)(x - y)) <= most)) {
                return fuzz_fail(failure, check,
                                 "%s: pixel %lld, %lld, channel %d (4 is depth): "
                                 "expected %.9g, actual %.9g, %s",
                                 what, (long long)(i % a->width),
                                 (long long)(i / a->width), c, (double)x, (double)y,
                                 most > 0.0 ? "off by more than 1e-5"
                                            : "the same bits are wanted");
            }
        }
    }
    return true;
}

/*
 * The largest difference between pictures that start rays at other points or use other
 * bricks. If blocks overlap, a ray may cross an overlap outside the drawn part with only
 * one of the blocks at hand. It then integrates that block's segments one by one.
 */
static double most_off(const fuzz_scene *scene)
{
    return scene->grid->soundness == FUZZ_OVERLAPPING ? PROMISE : 0.0;
}

/* Pixels and counts. */
static bool same_bits(const fuzz_picture *expected, const fuzz_picture *actual,
                      fuzz_check check, const char *what, fuzz_failure *failure)
{
    if (!same_pixels(expected, actual, 0.0, check, what, failure)) {
        return false;
    }
    if (memcmp(&expected->counters, &actual->counters, sizeof expected->counters) != 0) {
        return fuzz_fail(
            failure, check,
            "%s: crossings: expected %lld, actual %lld; rays: expected %lld, "
            "actual %lld",
            what, (long long)expected->counters.crossings,
            (long long)actual->counters.crossings, (long long)expected->counters.rays,
            (long long)actual->counters.rays);
    }
    return true;
}

static bool draw_and_compare(const fuzz_scene *scene, const fuzz_picture *whole,
                             const fuzz_way *way, fuzz_check check, fuzz_failure *failure)
{
    static const char *const methods[] = {
        [RENDER_RAYCAST] = "raycast", [RENDER_PLANES] = "planes", [RENDER_AUTO] = "auto"};
    char what[64];
    snprintf(what, sizeof what, "kernel %s, %s, %d threads", way->kernel->name,
             methods[way->method], way->threads);
    fuzz_picture p;
    if (fuzz_picture_draw(scene, scene->grid->store, box3_everything(), way, &p) !=
        STATUS_OK) {
        return fuzz_fail_status(failure, what);
    }
    bool same = same_bits(whole, &p, check, what, failure);
    fuzz_picture_clear(&p);
    return same;
}

static bool check_kernels(const fuzz_scene *scene, const fuzz_picture *whole,
                          fuzz_tally *tally, fuzz_failure *failure)
{
    const walk_kernel *const *kernels = render_walk_kernels();
    for (int k = 0; kernels[k]; k++) {
        for (int method = RENDER_RAYCAST; method <= RENDER_AUTO; method++) {
            const fuzz_way way = {kernels[k], (render_method)method, 1, 0, 0};
            if (!draw_and_compare(scene, whole, &way, FUZZ_KERNELS, failure)) {
                return false;
            }
            tally->kernels++;
        }
    }
    return true;
}

static bool check_threads(const fuzz_scene *scene, const fuzz_picture *whole,
                          fuzz_tally *tally, fuzz_failure *failure)
{
    for (int threads = 2; threads <= 3; threads++) {
        const fuzz_way way = {fuzz_kernel_fastest(), RENDER_AUTO, threads, 0, 0};
        if (!draw_and_compare(scene, whole, &way, FUZZ_THREADS, failure)) {
            return false;
        }
        tally->threads++;
    }
    return true;
}

/* Draws rectangles of the picture on their own, as ranks do with a partition of the
 * screen. */
static bool check_windows(const fuzz_scene *scene, const fuzz_picture *whole,
                          fuzz_tally *tally, fuzz_failure *failure)
{
    const fuzz_way way = {fuzz_kernel_fastest(), RENDER_AUTO, 1, 0, 0};
    const int side = scene->c->side, middle = side / 2 - (int)(scene->c->number % 5);
    bool same = true;
    for (int n = 0; same && n < 2; n++) {
        fuzz_scene part = *scene;
        fuzz_picture p;
        part.camera.window = (pixel_rect){n ? middle : 0, 0, n ? side : middle, side};
        if (fuzz_picture_draw(&part, scene->grid->store, box3_everything(), &way, &p) !=
            STATUS_OK) {
            return fuzz_fail_status(failure, "drawing a window");
        }
        for (int y = 0; same && y < side; y++) {
            for (int x = part.camera.window.x0; same && x < part.camera.window.x1; x++) {
                const float *a = whole->img->rgba + 4 * image_at(whole->img, x, y),
                            *b = p.img->rgba + 4 * image_at(p.img, x, y);
                same = memcmp(a, b, 4 * sizeof *a) == 0 ||
                       fuzz_fail(failure, FUZZ_WINDOWS,
                                 "window %d, pixel %d, %d: expected alpha %.9g, actual "
                                 "%.9g",
                                 n, x, y, (double)a[3], (double)b[3]);
            }
        }
        fuzz_picture_clear(&p);
        tally->windows++;
    }
    return same;
}

/* ---- Parts ------------------------------------------------------------------------- */

/* A picture in double precision. */
typedef struct cut_sum {
    double (*rgba)[4];
    double *depth;
} cut_sum;

/* Blends a picture behind the sum. */
static void add_behind(cut_sum *sum, const image *img)
{
    for (int64_t pixel = 0; pixel < image_pixel_count(img); pixel++) {
        double through = 1.0 - sum->rgba[pixel][3];
        for (int c = 0; c < 4; c++) {
            sum->rgba[pixel][c] += through * (double)img->rgba[4 * pixel + c];
        }
        sum->depth[pixel] = fmin(sum->depth[pixel], (double)img->depth[pixel]);
    }
}

/* Draws a part again and again, as a rank does in a series, without kept ways and with
 * them; compares with the first picture. */
static bool check_stays(const fuzz_scene *scene, const grid_store *store, box3 box,
                        const fuzz_picture *first, fuzz_tally *tally,
                        fuzz_failure *failure)
{
    for (int n = 0; n < 4; n++) {
        const int before = 1 + n % 2;
        const bool keeps = n > 1;
        const fuzz_way way = {.kernel = fuzz_kernel_fastest(),
                              .method = RENDER_AUTO,
                              .threads = before,
                              .before = before,
                              .keep = keeps ? 1 << 30 : 0};
        fuzz_picture p;
        char what[64];
        snprintf(what, sizeof what, "picture %d of a part%s", before + 1,
                 keeps ? " with kept ways" : "");
        if (fuzz_picture_draw(scene, store, box, &way, &p) != STATUS_OK) {
            return fuzz_fail_status(failure, what);
        }
        const bool same =
            same_pixels(first, &p, most_off(scene), FUZZ_STAYS, what, failure);
        tally->stays++;
        if (before == 2 && !keeps) {
            tally->stays_first += first->counters.crossings;
            tally->stays_later += p.counters.crossings;
        }
        fuzz_picture_clear(&p);
        if (!same) {
            return false;
        }
    }
    return true;
}

/* Draws a part as a rank does, from the bricks that meet its box. With `compare`,
 * compares it with the same part drawn from all bricks. */
static bool add_part(const fuzz_scene *scene, box3 box, bool compare, cut_sum *sum,
                     fuzz_tally *tally, fuzz_failure *failure)
{
    const fuzz_way way = {fuzz_kernel_fastest(), RENDER_AUTO, 1, 0, 0};
    grid_store *store = NULL;
    fuzz_picture p = {0}, all = {0};
    status s = fuzz_grid_store(scene->grid, box, &store);
    s = s == STATUS_OK ? fuzz_picture_draw(scene, store, box, &way, &p) : s;
    if (s == STATUS_OK && compare) {
        s = fuzz_picture_draw(scene, scene->grid->store, box, &way, &all);
    }
    bool good = s == STATUS_OK || fuzz_fail_status(failure, "drawing a part");
    good = good && check_picture(scene, &p, failure);
    if (good && compare) {
        good = most_off(scene) > 0.0
                   ? same_pixels(&all, &p, most_off(scene), FUZZ_BRICKS,
                                 "the bricks of a part", failure)
                   : same_bits(&all, &p, FUZZ_BRICKS, "the bricks of a part", failure);
        tally->stores++;
    }
    good = good && check_stays(scene, store, box, &p, tally, failure);
    if (good) {
        add_behind(sum, p.img);
    }
    fuzz_picture_clear(&p);
    fuzz_picture_clear(&all);
    grid_store_destroy(&store);
    return good;
}

static bool add_parts(const fuzz_scene *scene, const grid_partition *partition,
                      cut_sum *sum, fuzz_tally *tally, fuzz_failure *failure)
{
    int parts = grid_partition_count(partition), order[FUZZ_MOST_PARTS];
    grid_partition_order(partition, render_camera_order_point(&scene->camera),
                         !scene->camera.orthographic, order);
    for (int n = 0; n < parts; n++) {
        bool compare = n == (int)(scene->c->number % parts);
        if (!add_part(scene, grid_partition_box(partition, order[n]), compare, sum, tally,
                      failure)) {
            return false;
        }
    }
    return true;
}

static bool check_cut_depth(const fuzz_scene *scene, const image *whole,
                            const cut_sum *sum, int64_t pixel, fuzz_failure *failure)
{
    double expected = (double)whole->depth[pixel], actual = sum->depth[pixel];
    double most = PROMISE * (scene->grid->reach + fabs(expected));
    if (expected == actual || fabs(expected - actual) <= most) {
        return true;
    }
    return fuzz_fail(failure, FUZZ_CUTS,
                     "%d parts: depth of pixel %d, %d: expected %.9g, actual %.9g",
                     scene->c->parts, (int)(pixel % whole->width),
                     (int)(pixel / whole->width), expected, actual);
}

/* The largest error of the parts' sum at a pixel; sets its channel. */
static double worst_channel(const image *whole, const cut_sum *sum, int64_t pixel,
                            int *channel)
{
    double worst = 0.0;
    *channel = 0;
    for (int c = 0; c < 4; c++) {
        double off = fabs(sum->rgba[pixel][c] - (double)whole->rgba[4 * pixel + c]);
        if (!(off <= worst)) {
            worst = off;
            *channel = c;
        }
    }
    return worst;
}

/* Whether a pixel may miss the promised tolerance because folded cells count too much
 * there. */
static bool is_excused(const fuzz_scene *scene, int64_t pixel, fuzz_tally *tally)
{
    if (scene->grid->soundness == FUZZ_FOLDED && fuzz_scene_excess(scene, pixel)) {
        tally->cut_excess++;
        return true;
    }
    return false;
}

static bool check_cut_pixel(const fuzz_scene *scene, const image *whole,
                            const cut_sum *sum, int64_t pixel, fuzz_tally *tally,
                            fuzz_failure *failure)
{
    int c;
    double off = worst_channel(whole, sum, pixel, &c);
    if (off <= PROMISE) {
        tally->cut_worst = fmax(tally->cut_worst, off);
        tally->cut_pixels++;
        return true;
    }
    return is_excused(scene, pixel, tally) ||
           fuzz_fail(
               failure, FUZZ_CUTS,
               "%d parts: pixel %d, %d, channel %d: expected %.9g, actual %.9g, off "
               "by %.3g, allowed %.3g",
               scene->c->parts, (int)(pixel % whole->width), (int)(pixel / whole->width),
               c, (double)whole->rgba[4 * pixel + c], sum->rgba[pixel][c], off, PROMISE);
}

/*
 * Whether karman promises anything of a cut picture. Folded cells take back the amounts
 * that other cells count twice. They do so in each box by itself if the outside of the
 * grid is even and nothing is missing. The sum shows this as long as the medium is
 * uniform.
 */
static bool is_promised(const fuzz_scene *scene)
{
    const fuzz_case *c = scene->c;
    bool is_plain = c->light.profile == FUZZ_CONSTANT && !c->shaded;
    if (scene->grid->soundness != FUZZ_FOLDED) {
        return true;
    }
    const fuzz_shape *s = &c->shape;
    bool is_whole = s->blanked == 0.0 && s->nowhere == 0.0 && c->field.holes == 0.0;
    bool is_even = s->even_boundary && s->overlap == 0.0 &&
                   (s->kind == FUZZ_BOX || s->kind == FUZZ_WEDGE);
    return is_plain && is_even && is_whole;
}

static bool compare_sum(const fuzz_scene *scene, const image *whole, const cut_sum *sum,
                        fuzz_tally *tally, fuzz_failure *failure)
{
    const bool is_known = is_promised(scene);
    tally->cut_known += is_known;
    tally->cut_unknown += !is_known;
    for (int64_t pixel = 0; is_known && pixel < image_pixel_count(whole); pixel++) {
        if (!check_cut_pixel(scene, whole, sum, pixel, tally, failure)) {
            return false;
        }
        if (scene->grid->soundness == FUZZ_SOUND &&
            !check_cut_depth(scene, whole, sum, pixel, failure)) {
            return false;
        }
    }
    return true;
}

static bool check_cuts(const fuzz_scene *scene, const fuzz_picture *whole,
                       fuzz_tally *tally, fuzz_failure *failure)
{
    size_t pixels = (size_t)image_pixel_count(whole->img);
    cut_sum sum = {calloc(pixels, sizeof *sum.rgba), malloc(pixels * sizeof *sum.depth)};
    grid_partition *partition = NULL;
    bool good = sum.rgba && sum.depth &&
                grid_partition_create(scene->grid->layout, scene->c->parts, &partition) ==
                    STATUS_OK;
    good = good || fuzz_fail_status(failure, "the partition");
    for (size_t n = 0; good && n < pixels; n++) {
        sum.depth[n] = INFINITY;
    }
    good = good && add_parts(scene, partition, &sum, tally, failure) &&
           compare_sum(scene, whole->img, &sum, tally, failure);
    tally->parts[scene->c->parts]++;
    grid_partition_destroy(&partition);
    free(sum.rgba);
    free(sum.depth);
    return good;
}

/* ---- A case ------------------------------------------------------------------------ */

static void count_case(const fuzz_scene *scene, const fuzz_picture *whole,
                       fuzz_tally *tally)
{
    const fuzz_case *c = scene->c;
    tally->cases++;
    tally->soundnesses[scene->grid->soundness]++;
    tally->kinds[c->shape.kind]++;
    tally->values[c->field.values]++;
    tally->profiles[c->light.profile]++;
    tally->stands[c->eye.stand]++;
    tally->blocks[c->shape.blocks]++;
    tally->in_cells += c->field.in_cells;
    tally->holed += c->field.holes > 0.0;
    tally->filled += c->field.fills > 0.0;
    tally->extreme += c->field.high > 1e37;
    tally->blanked += c->shape.blanked > 0.0 || c->shape.nowhere > 0.0;
    tally->styles[fuzz_case_style(c)]++;
    tally->shaded += c->shaded;
    tally->opaque += c->light.density > 30.0;
    tally->cells += scene->grid->cells;
    tally->bricks += scene->grid->layout->nbricks;
    tally->rays += whole->counters.rays;
    tally->crossings += whole->counters.crossings;
    tally->nan_cells += whole->counters.nan_cells;
    tally->blank += whole->counters.crossings == 0;
    bool left = false;
    for (int b = 0; b < scene->grid->nblocks; b++) {
        left |= scene->grid->layout->blocks[b].left_handed;
    }
    tally->left_handed += left;
}

static bool check_scene(const fuzz_scene *scene, fuzz_tally *tally, fuzz_failure *failure)
{
    fuzz_picture whole;
    const fuzz_case *c = scene->c;
    const fuzz_way way = {fuzz_kernel_fastest(), RENDER_RAYCAST, 1, 0, 0};
    if (fuzz_picture_draw(scene, scene->grid->store, box3_everything(), &way, &whole) !=
        STATUS_OK) {
        return fuzz_fail_status(failure, "drawing");
    }
    count_case(scene, &whole, tally);
    bool good = check_picture(scene, &whole, failure) &&
                check_kernels(scene, &whole, tally, failure) &&
                check_threads(scene, &whole, tally, failure) &&
                check_windows(scene, &whole, tally, failure) &&
                check_cuts(scene, &whole, tally, failure);
    if (!c->layered) {
        good = good && fuzz_compare_triangles(scene, whole.img, tally, failure) &&
               fuzz_compare_reference(scene, whole.img, tally, failure);
    }
    fuzz_picture_clear(&whole);
    return good;
}

bool fuzz_check_case(const fuzz_case *c, fuzz_tally *tally, fuzz_failure *failure)
{
    fuzz_scene *scene = NULL;
    base_fail_set_message("");
    if (fuzz_scene_create(c, &scene) != STATUS_OK) {
        return fuzz_fail_status(failure, "making the case");
    }
    bool good = check_scene(scene, tally, failure);
    fuzz_scene_destroy(&scene);
    return good;
}
