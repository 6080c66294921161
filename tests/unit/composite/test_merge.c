/* Merging layers that lie in memory, against a plain loop. */
#include "composite/pixels/merge.h"
#include "support/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka.h needs the headers above it. */
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LAYERS = 70, GUARD = 0xa5 };

/* ---- Layers to merge --------------------------------------------------------------- */

/* The destination of the result. */
typedef enum place { IN_PLACE, ELSEWHERE, INTO_A_LAYER, BYTES, PLACES } place;

/* A merge that a seed chooses. */
typedef struct trial {
    uint32_t seed;
    uint64_t random;
    composite_operator op;
    place place;
    int width, height, nlayers;
    bool with_depth;
    int64_t pix0, npix;
    image *own;
    image *images[MOST_LAYERS]; /* of the layers */
    composite_layer layers[MOST_LAYERS];
    bool has_opaque; /* images, behind which nothing need be read */
    composite_columns *columns[MOST_LAYERS]; /* of layers, or NULL */
} trial;

static pixel_rect random_rect(trial *t)
{
    pixel_rect r = {0, 0, t->width, t->height};
    const int kind = random_below(&t->random, 8);
    if (kind == 0) {
        return (pixel_rect){0, 0, 0, 0};
    }
    if (kind > 2) {
        r.x0 = random_below(&t->random, t->width);
        r.x1 = r.x0 + random_below(&t->random, t->width - r.x0 + 1);
        r.y0 = random_below(&t->random, t->height);
        r.y1 = r.y0 + random_below(&t->random, t->height - r.y0 + 1);
    }
    return r;
}

/* An image with random pixels, some transparent, in a random rectangle; or opaque. */
static image *make_image(trial *t)
{
    image *img = NULL;
    const bool is_opaque = random_below(&t->random, 4) == 0;
    t->has_opaque |= is_opaque;
    assert_int_equal(image_create(t->width, t->height, t->with_depth, &img), STATUS_OK);
    img->active = random_rect(t);
    for (int y = img->active.y0; y < img->active.y1; y++) {
        for (int x = img->active.x0; x < img->active.x1; x++) {
            const int64_t pixel = (int64_t)y * t->width + x;
            for (int c = 0; c < 4; c++) {
                img->rgba[4 * pixel + c] = (float)random_below(&t->random, 1000) / 999.0f;
            }
            if (is_opaque) {
                img->rgba[4 * pixel + 3] = 1.0f;
            } else if (random_below(&t->random, 4) == 0) {
                memset(img->rgba + 4 * pixel, 0, 4 * sizeof(float));
            }
            if (img->depth && img->rgba[4 * pixel + 3] > 0.0f) {
                img->depth[pixel] = (float)random_below(&t->random, 5);
            }
        }
    }
    return img;
}

/* Columns of an image, for every other one. */
static composite_columns *make_columns(trial *t, const image *img)
{
    if (random_below(&t->random, 2) == 1) {
        return NULL;
    }
    composite_columns *columns = calloc((size_t)img->height, sizeof *columns);
    assert_non_null(columns);
    composite_columns_find(img, 1, columns);
    return columns;
}

/* A layer within the range; some are all of it. */
static composite_layer make_layer(trial *t, const image *img)
{
    composite_layer layer = {.img = img,
                             .active = img->active,
                             .pix0 = t->pix0,
                             .npix = t->npix,
                             .in_front = random_below(&t->random, 2) == 1};
    if (random_below(&t->random, 2) == 1) {
        const int first = random_below(&t->random, (int)t->npix);
        layer.pix0 += first;
        layer.npix = 1 + random_below(&t->random, (int)t->npix - first);
    }
    return layer;
}

static void choose_shape(trial *t)
{
    const int kind = random_below(&t->random, 8);
    t->width = kind == 0   ? 1
               : kind == 1 ? 2100 + random_below(&t->random, 3000)
                           : 1 + random_below(&t->random, 40);
    t->height =
        kind == 1 ? 1 + random_below(&t->random, 3) : 1 + random_below(&t->random, 40);
    const int pixels = t->width * t->height;
    t->pix0 = random_below(&t->random, pixels);
    t->npix = 1 + random_below(&t->random, pixels - (int)t->pix0);
    if (random_below(&t->random, 4) == 0) {
        t->pix0 = 0;
        t->npix = pixels;
    }
}

static trial make_trial(uint32_t seed)
{
    trial t = {.seed = seed, .random = random_start(seed, 0)};
    t.place = (place)random_below(&t.random, PLACES);
    t.with_depth = random_below(&t.random, 2) == 1;
    t.op = t.with_depth && random_below(&t.random, 2) == 1 ? COMPOSITE_NEAREST
                                                           : COMPOSITE_OVER;
    choose_shape(&t);
    t.nlayers =
        random_below(&t.random, 20) == 0 ? MOST_LAYERS : random_below(&t.random, 6);
    if (t.place == INTO_A_LAYER && t.nlayers == 0) {
        t.nlayers = 1;
    }
    t.own = make_image(&t);
    for (int i = 0; i < t.nlayers; i++) {
        t.images[i] = make_image(&t);
        t.layers[i] = make_layer(&t, t.images[i]);
        t.layers[i].columns = t.columns[i] = make_columns(&t, t.images[i]);
    }
    return t;
}

static void destroy_trial(trial *t)
{
    image_destroy(&t->own);
    for (int i = 0; i < t->nlayers; i++) {
        image_destroy(&t->images[i]);
        free(t->columns[i]);
    }
}

static image *copy_image(const image *img)
{
    image *copy = NULL;
    const size_t pixels = (size_t)image_pixel_count(img);
    assert_int_equal(image_create(img->width, img->height, img->depth != NULL, &copy),
                     STATUS_OK);
    copy->active = img->active;
    memcpy(copy->rgba, img->rgba, pixels * 4 * sizeof(float));
    if (img->depth) {
        memcpy(copy->depth, img->depth, pixels * sizeof(float));
    }
    return copy;
}

/* ---- The plain loop ---------------------------------------------------------------- */

/* One pixel in front of another, into `out`, which may be either. */
static void blend_pixel(composite_operator op, const float *front, float front_depth,
                        const float *back, float back_depth, float *out, float *depth)
{
    float result[4];
    const bool is_back = op == COMPOSITE_NEAREST && back_depth < front_depth;
    const float rest = 1.0f - front[3];
    for (int c = 0; c < 4; c++) {
        const float product = rest * back[c];
        result[c] = op == COMPOSITE_OVER ? front[c] + product
                    : is_back            ? back[c]
                                         : front[c];
    }
    memcpy(out, result, sizeof result);
    *depth = fminf(front_depth, back_depth);
}

static bool holds(pixel_rect r, int width, int64_t pixel)
{
    const int x = (int)(pixel % width);
    const int y = (int)(pixel / width);
    return x >= r.x0 && x < r.x1 && y >= r.y0 && y < r.y1;
}

static void merge_pixel(const trial *t, const composite_layer *layer, int64_t pixel,
                        image *all)
{
    float *held = all->rgba + 4 * pixel;
    float unused = INFINITY;
    float *depth = all->depth ? all->depth + pixel : &unused;
    const float *other = layer->img->rgba + 4 * pixel;
    const float other_depth = layer->img->depth ? layer->img->depth[pixel] : INFINITY;
    if (layer->in_front) {
        blend_pixel(t->op, other, other_depth, held, *depth, held, depth);
    } else {
        blend_pixel(t->op, held, *depth, other, other_depth, held, depth);
    }
}

/* Whether a layer says that a pixel of its rectangle may show something. */
static bool may_show(const composite_layer *layer, int width, int64_t pixel)
{
    const int x = (int)(pixel % width);
    const composite_columns *columns = layer->columns;
    return !columns ||
           (x >= columns[pixel / width].begin && x < columns[pixel / width].end);
}

/* All layers merged with a copy of the own image; counts the pixels of layers. */
static image *merge_plainly(const trial *t, int64_t *count)
{
    image *all = copy_image(t->own);
    *count = 0;
    for (int i = 0; i < t->nlayers; i++) {
        const composite_layer *layer = &t->layers[i];
        for (int64_t p = layer->pix0; p < layer->pix0 + layer->npix; p++) {
            if (holds(layer->active, t->width, p)) {
                merge_pixel(t, layer, p, all);
                *count += may_show(layer, t->width, p);
            }
        }
    }
    return all;
}

/* ---- Comparing --------------------------------------------------------------------- */

static bool same_pixel(const image *a, const image *b, int64_t pixel)
{
    return memcmp(a->rgba + 4 * pixel, b->rgba + 4 * pixel, 4 * sizeof(float)) == 0 &&
           (!a->depth || memcmp(a->depth + pixel, b->depth + pixel, sizeof(float)) == 0);
}

/* Expects `inside` in the range, and `outside` around it. */
static void expect_image(const trial *t, const image *inside, const image *outside,
                         const image *actual)
{
    for (int64_t p = 0; p < image_pixel_count(actual); p++) {
        const bool is_inside = p >= t->pix0 && p < t->pix0 + t->npix;
        const image *expected = is_inside ? inside : outside;
        if (!same_pixel(expected, actual, p)) {
            fail_msg("seed %u, place %d, pixel %lld of [%lld, %lld): expected %g %g, "
                     "actual %g %g",
                     t->seed, (int)t->place, (long long)p, (long long)t->pix0,
                     (long long)(t->pix0 + t->npix), (double)expected->rgba[4 * p],
                     (double)expected->rgba[4 * p + 3], (double)actual->rgba[4 * p],
                     (double)actual->rgba[4 * p + 3]);
        }
    }
}

static void convert(const void *context, int64_t count, const float *rgba,
                    unsigned char *bytes)
{
    const int size = *(const int *)context;
    for (int64_t i = 0; i < count * size; i++) {
        const float *value = rgba + 4 * (i / size) + i % size;
        bytes[i] = (unsigned char)((int)(*value * 4000.0f) + 3);
    }
}

/* Pixels behind an opaque pixel need not be read. */
static void expect_blended(const trial *t, int64_t expected, int64_t count)
{
    if (t->has_opaque ? count > expected : count != expected) {
        fail_msg("seed %u: %lld pixels were blended, not %lld", t->seed, (long long)count,
                 (long long)expected);
    }
}

/* ---- Into an image ----------------------------------------------------------------- */

/* Makes the sink transparent where the merge may write. */
static void erase_range(const trial *t, image *img)
{
    for (int64_t p = t->pix0; p < t->pix0 + t->npix; p++) {
        memset(img->rgba + 4 * p, 0, 4 * sizeof(float));
        if (img->depth) {
            img->depth[p] = INFINITY;
        }
    }
}

/* Gives the last layer, which is also the sink, the range of the merge and the sink's
 * active rectangle: the merge may overwrite all of it. */
static void prepare_layer(trial *t, image *target)
{
    composite_layer *layer = &t->layers[t->nlayers - 1];
    layer->pix0 = t->pix0;
    layer->npix = t->npix;
    layer->active = target->active;
}

static void expect_merge_into_image(trial *t)
{
    image *target = t->place == IN_PLACE       ? t->own
                    : t->place == INTO_A_LAYER ? t->images[t->nlayers - 1]
                                               : make_image(t);
    if (t->place == ELSEWHERE) {
        erase_range(t, target);
    } else if (t->place == INTO_A_LAYER) {
        prepare_layer(t, target);
    }
    int64_t expected_count;
    image *expected = merge_plainly(t, &expected_count);
    image *own = copy_image(t->own);
    image *before = copy_image(target);
    const composite_sink sink = {.img = target};
    const int64_t merged_pixels = composite_merge_layers(
        t->op, t->own, (composite_range){t->pix0, t->pix0 + t->npix}, t->layers,
        t->nlayers, &sink);
    expect_blended(t, expected_count, merged_pixels);
    expect_image(t, expected, before, target);
    assert_memory_equal(&before->active, &target->active, sizeof before->active);
    if (t->place != IN_PLACE) {
        expect_image(t, own, own, t->own);
    }
    if (t->place == ELSEWHERE) {
        image_destroy(&target);
    }
    image_destroy(&expected);
    image_destroy(&own);
    image_destroy(&before);
}

/* ---- Into bytes -------------------------------------------------------------------- */

static void expect_merge_into_bytes(trial *t)
{
    static const int sizes[] = {1, 2, 3, 4};
    const int *size = &sizes[random_below(&t->random, 4)];
    const size_t all = (size_t)(t->width * t->height * *size);
    unsigned char *actual = malloc(all);
    unsigned char *expected = malloc(all);
    assert_true(actual && expected);
    memset(actual, GUARD, all);
    memset(expected, GUARD, all);
    int64_t expected_count;
    image *merged = merge_plainly(t, &expected_count);
    image *own = copy_image(t->own);
    convert(size, t->npix, merged->rgba + 4 * t->pix0, expected + t->pix0 * *size);
    const composite_sink sink = {.bytes = actual, .format = {*size, convert, size}};
    const int64_t merged_pixels = composite_merge_layers(
        t->op, t->own, (composite_range){t->pix0, t->pix0 + t->npix}, t->layers,
        t->nlayers, &sink);
    expect_blended(t, expected_count, merged_pixels);
    for (size_t i = 0; i < all; i++) {
        if (expected[i] != actual[i]) {
            fail_msg("seed %u, byte %zu of %zu: expected %d, actual %d", t->seed, i, all,
                     expected[i], actual[i]);
        }
    }
    expect_image(t, own, own, t->own);
    image_destroy(&merged);
    image_destroy(&own);
    free(actual);
    free(expected);
}

/* ---- The tests --------------------------------------------------------------------- */

static void any_layers_merge_like_in_a_plain_loop(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 4000; seed++) {
        trial t = make_trial(seed);
        if (t.place == BYTES) {
            expect_merge_into_bytes(&t);
        } else {
            expect_merge_into_image(&t);
        }
        destroy_trial(&t);
    }
}

/* Two layers that overlap in the range, seen by hand: 0.5 over 0.5 over 0.5. */
static void layers_merge_in_their_order(void **state)
{
    (void)state;
    image *images[3];
    const float reds[3] = {0.5f, 0.25f, 0.0f};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(image_create(4, 1, false, &images[i]), STATUS_OK);
        images[i]->active = (pixel_rect){0, 0, 4, 1};
        for (int p = 0; p < 4; p++) {
            images[i]->rgba[4 * p] = reds[i];
            images[i]->rgba[4 * p + 3] = 0.5f;
        }
    }
    const composite_layer layers[] = {
        {images[1], images[1]->active, NULL, 0, 3, false},
        {images[2], images[2]->active, NULL, 1, 2, true},
    };
    const composite_sink sink = {.img = images[0]};
    assert_int_equal(composite_merge_layers(COMPOSITE_OVER, images[0],
                                            (composite_range){0, 4}, layers, 2, &sink),
                     5);
    const float reds_expected[4] = {0.625f, 0.3125f, 0.3125f, 0.5f};
    const float alphas[4] = {0.75f, 0.875f, 0.875f, 0.5f};
    for (int p = 0; p < 4; p++) {
        assert_true(images[0]->rgba[4 * p] == reds_expected[p]);
        assert_true(images[0]->rgba[4 * p + 3] == alphas[p]);
    }
    for (int i = 0; i < 3; i++) {
        image_destroy(&images[i]);
    }
}

/* Pixels outside of a layer's rectangle are not read; they may hold any bytes. */
static void nothing_outside_a_rectangle_is_read(void **state)
{
    (void)state;
    image *own = NULL;
    image *other = NULL;
    assert_int_equal(image_create(6, 3, true, &own), STATUS_OK);
    assert_int_equal(image_create(6, 3, true, &other), STATUS_OK);
    for (int i = 0; i < 6 * 3 * 4; i++) {
        other->rgba[i] = NAN;
    }
    for (int i = 0; i < 4; i++) {
        other->rgba[4 * 8 + i] = 0.5f;
    }
    const composite_layer layer = {other, {2, 1, 3, 2}, NULL, 0, 18, true};
    const composite_sink sink = {.img = own};
    assert_int_equal(composite_merge_layers(COMPOSITE_OVER, own, (composite_range){0, 18},
                                            &layer, 1, &sink),
                     1);
    for (int p = 0; p < 18; p++) {
        assert_true(own->rgba[4 * p + 3] == (p == 8 ? 0.5f : 0.0f));
    }
    image_destroy(&own);
    image_destroy(&other);
}

/* Nor are pixels beside its columns, or behind an opaque pixel. */
static void nothing_beside_columns_or_behind_is_read(void **state)
{
    (void)state;
    image *own = NULL;
    image *other = NULL;
    composite_columns columns[3] = {{0, 0}, {2, 5}, {0, 0}};
    assert_int_equal(image_create(6, 3, false, &own), STATUS_OK);
    assert_int_equal(image_create(6, 3, false, &other), STATUS_OK);
    for (int i = 0; i < 6 * 3 * 4; i++) {
        other->rgba[i] = NAN;
    }
    for (int p = 8; p < 11; p++) {
        for (int i = 0; i < 4; i++) {
            other->rgba[4 * p + i] = 1.0f;
        }
    }
    composite_layer layer = {other, {0, 0, 6, 3}, columns, 0, 18, false};
    const composite_sink sink = {.img = own};
    assert_int_equal(composite_merge_layers(COMPOSITE_OVER, own, (composite_range){0, 18},
                                            &layer, 1, &sink),
                     3);
    own->active = (pixel_rect){2, 1, 5, 2};
    layer.columns = NULL; /* pixels read before are now NAN, behind opaque ones */
    layer.active = own->active;
    for (int i = 0; i < 6 * 3 * 4; i++) {
        other->rgba[i] = NAN;
    }
    assert_int_equal(composite_merge_layers(COMPOSITE_OVER, own, (composite_range){0, 18},
                                            &layer, 1, &sink),
                     0);
    for (int p = 0; p < 18; p++) {
        assert_true(own->rgba[4 * p + 3] == (p >= 8 && p < 11 ? 1.0f : 0.0f));
    }
    image_destroy(&own);
    image_destroy(&other);
}

/* ---- Cropped images ---------------------------------------------------------------- */

/* The same pixels, in memory for those of its rectangle alone. */
static void make_cropped(image **img)
{
    const image *whole = *img;
    const pixel_rect r = whole->active;
    image *cropped = NULL;
    assert_int_equal(
        image_create(whole->width, whole->height, whole->depth != NULL, &cropped),
        STATUS_OK);
    cropped->may_crop = true;
    image_crop(cropped, r);
    cropped->active = r;
    for (int y = r.y0; y < r.y1 && r.x0 < r.x1; y++) {
        const int64_t from = image_at(whole, r.x0, y), to = image_at(cropped, r.x0, y);
        const size_t pixels = (size_t)(r.x1 - r.x0);
        memcpy(cropped->rgba + 4 * to, whole->rgba + 4 * from,
               4 * pixels * sizeof(float));
        if (whole->depth) {
            memcpy(cropped->depth + to, whole->depth + from, pixels * sizeof(float));
        }
    }
    image_destroy(img);
    *img = cropped;
}

static void merge_into_bytes(const trial *t, int size, unsigned char *bytes)
{
    const composite_sink sink = {.bytes = bytes, .format = {size, convert, &size}};
    composite_merge_layers(t->op, t->own, (composite_range){t->pix0, t->pix0 + t->npix},
                           t->layers, t->nlayers, &sink);
}

/* The result does not depend on the place of the images' pixels in memory. */
static void cropped_images_merge_like_whole_ones(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 600; seed++) {
        trial t = make_trial(seed);
        const int size = 1 + (int)(seed % COMPOSITE_MOST_BYTES);
        const size_t bytes = (size_t)(image_pixel_count(t.own) * size);
        unsigned char *expected = calloc(bytes, 1), *actual = calloc(bytes, 1);
        assert_true(expected && actual);
        merge_into_bytes(&t, size, expected);
        make_cropped(&t.own);
        for (int i = 0; i < t.nlayers; i++) {
            make_cropped(&t.images[i]);
            t.layers[i].img = t.images[i];
        }
        merge_into_bytes(&t, size, actual);
        if (memcmp(expected, actual, bytes) != 0) {
            fail_msg("seed %u: cropped images merge to something else", seed);
        }
        free(expected);
        free(actual);
        destroy_trial(&t);
    }
}

/* ---- Columns ----------------------------------------------------------------------- */

/* Columns are the smallest that hold all that shows: alpha, colour or depth alone. */
static void columns_hold_what_shows(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 500; seed++) {
        trial t = make_trial(seed);
        image *img = t.own;
        composite_columns *columns = calloc((size_t)img->height, sizeof *columns);
        assert_non_null(columns);
        if (!pixel_rect_is_empty(img->active)) {
            const int64_t first = (int64_t)img->active.y0 * img->width + img->active.x0;
            memset(img->rgba + 4 * first, 0, 4 * sizeof(float));
            img->rgba[4 * first] = seed % 2 ? 0.5f : 0.0f; /* it may glow */
        }
        composite_columns_find(img, 1 + (int)(seed % 2), columns);
        for (int y = img->active.y0; y < img->active.y1; y++) {
            int begin = img->active.x1, end = img->active.x0;
            for (int x = img->active.x0; x < img->active.x1; x++) {
                const int64_t pixel = (int64_t)y * img->width + x;
                bool shows = img->depth && img->depth[pixel] != INFINITY;
                for (int c = 0; c < 4; c++) {
                    shows = shows || img->rgba[4 * pixel + c] != 0.0f;
                }
                begin = shows && x < begin ? x : begin;
                end = shows ? x + 1 : end;
            }
            const int count = end > begin ? end - begin : 0;
            assert_int_equal(columns[y].end - columns[y].begin, count);
            assert_true(count == 0 || columns[y].begin == begin);
        }
        free(columns);
        destroy_trial(&t);
    }
}

/* The renderer of an image may know its columns; these are then used unchecked. */
static void columns_of_an_image_are_taken(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 100; seed++) {
        trial t = make_trial(seed);
        image *img = t.own;
        const size_t rows = (size_t)img->height;
        composite_columns *known = malloc(rows * sizeof *known);
        composite_columns *columns = malloc(rows * sizeof *columns);
        assert_true(known && columns);
        for (size_t y = 0; y < rows; y++) {
            known[y] = (composite_columns){(uint16_t)random_below(&t.random, 5),
                                           (uint16_t)random_below(&t.random, 9)};
            columns[y] = (composite_columns){77, 78};
        }
        img->columns = known;
        composite_columns_find(img, 1 + (int)(seed % 2), columns);
        for (int y = 0; y < img->height; y++) {
            const bool is_found = y >= img->active.y0 && y < img->active.y1;
            assert_int_equal(columns[y].begin, is_found ? known[y].begin : 77);
            assert_int_equal(columns[y].end, is_found ? known[y].end : 78);
        }
        img->columns = NULL;
        free(known);
        free(columns);
        destroy_trial(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layers_merge_in_their_order),
        cmocka_unit_test(nothing_outside_a_rectangle_is_read),
        cmocka_unit_test(nothing_beside_columns_or_behind_is_read),
        cmocka_unit_test(columns_hold_what_shows),
        cmocka_unit_test(columns_of_an_image_are_taken),
        cmocka_unit_test(cropped_images_merge_like_whole_ones),
        cmocka_unit_test(any_layers_merge_like_in_a_plain_loop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
