/*
 * Samples of pixels, and the formats of pictures.
 *
 *   test_samples DATA_FOLDER OUT_FOLDER [edges | light]
 *
 * Draws a scene with a volume, walls, an isosurface, tubes and lines on the ranks of this
 * run: with half of the compositing algorithms, which even and odd numbers of ranks
 * share, and with parts of the picture. Samples, filters and formats take turns, as
 * bytes and as floats. Compares with the pictures of one rank, which the run on one rank
 * leaves in OUT_FOLDER: 8-bit pixels within 1 count, float channels within 1e-5.
 *
 * With `light`, the same for shadows, ambient occlusion, distance cue and silhouettes.
 *
 * With `edges`, compares edges with the mean of 16 x 16 samples: those of an opaque wall
 * with a picture 16 times as large, and the outline of a grid with the reference
 * renderer. Streaks along the flow get no further samples.
 */
#include "base/parallel/parallel.h"
#include "composite/schedule.h"
#include "library/karman.h"
#include "reference/reference.h"
#include "support/file.h"
#include "support/float_image.h"

#include <math.h>
#include <mpi.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 76, HEIGHT = 57, PIXELS = WIDTH * HEIGHT, FINE = 16, PATH = 1024 };

static const char *data_folder, *out_folder;
static int rank, ranks, failures, comparisons;

static void report(const char *stem, const char *what, double expected, double found)
{
    if (failures++ < 20) {
        printf("%s: %s: expected %.9g, found %.9g\n", stem, what, expected, found);
    }
}

/* ---- Pictures ---------------------------------------------------------------------- */

static const char scene[] =
    "  - volume: {field: vorticity_magnitude, range: [0, 3], opacity: [[0, 0], [0.1, 0], "
    "[1, 0.4]]}\n"
    "  - object: {j: 0, color: [0.9, 0.5, 0.2]}\n"
    "  - contour: {field: pressure, k: 0, levels: 8, style: both, lic: {}}\n"
    "  - isosurface: {field: vorticity_magnitude, value: 1.2, color: [0.3, 0.6, 1], "
    "opacity: 0.7}\n"
    "  - particles: {seeds: [{line: [[-1.5, -1, 1], [-1.5, 1, 2]], count: 4}], mode: "
    "stream, radius: 0.1}\n"
    "  - outline: {line_width: 1.5}\n";

/* A volume alone, and shaded. */
static const char volume[] =
    "  - volume: {field: vorticity_magnitude, range: [0, 3], opacity: [[0, 0], [0.1, "
    "0.2], [1, 0.9]]}\n";
static const char lit_volume[] =
    "  - volume: {field: vorticity_magnitude, range: [0, 3], opacity: [[0, 0], [0.1, "
    "0.2], [1, 0.9]], shade: {}}\n";

/* All of it lit, and some of it translucent. The volume's light follows its shadows or
 * its gradient. */
#define LIT_SCENE(_shade)                                                                \
    "  - volume: {field: vorticity_magnitude, range: [0, 3], opacity: [[0, 0], [0.1, "   \
    "0], [1, 0.3]], shade: " _shade "}\n"                                                \
    "  - object: {j: 0, color: [0.9, 0.5, 0.2]}\n"                                       \
    "  - object: {k: 0, color: [0.9, 0.9, 0.9]}\n"                                       \
    "  - isosurface: {field: vorticity_magnitude, value: 1.2, opacity: 0.7}\n"           \
    "  - particles: {seeds: [{line: [[-1.5, -1, 1], [-1.5, 1, 2]], count: 4}], radius: " \
    "0.1}\n"                                                                             \
    "  - outline: {line_width: 1.5}\n"
static const char lit[] = LIT_SCENE("{follows: shadow, diffuse: 1}");
static const char lit_by_gradient[] = LIT_SCENE("{}");
static const char lit_surfaces[] = "  - object: {k: 0, color: [0.9, 0.9, 0.9]}\n"
                                   "  - isosurface: {field: vorticity_magnitude, value: "
                                   "1.2, color: [0.3, 0.6, 1]}\n";

/* Without a volume, and without light: opaque pixels have the same colour. */
static const char wall[] = "  - object: {j: 0, color: [1, 1, 1], lit: false}\n";

/* The position of the camera. */
static double eye[3] = {-1.5, -9.5, 7.5};

/* A picture to draw. */
typedef struct drawing {
    const char *layers;
    const char *image; /* keys of `image` beside its size */
    const char *how;   /* further sections */
    bool has_floats;
} drawing;

static void write_config(const drawing *what, const char *stem)
{
    char path[PATH];
    snprintf(path, sizeof path, "%s.yaml", stem);
    FILE *file = test_file_create(path);
    fprintf(file, "data: {file: '%s/karman.h5', steps: first}\n", data_folder);
    fprintf(file, "image: {width: %d, height: %d, %s}\n", WIDTH, HEIGHT, what->image);
    fprintf(file, "camera: {position: [%g, %g, %g], look_at: [2.6, 0.2, 1.6]}\n", eye[0],
            eye[1], eye[2]);
    fprintf(file, "layers:\n%s%s\noutput: {frames: '%s.png'", what->layers, what->how,
            stem);
    fprintf(file, what->has_floats ? ", float: '%s.h5'}\n" : "}\n", stem);
    fclose(file);
}

/* Collective. */
static bool draw(const drawing *what, const char *stem)
{
    char path[PATH];
    snprintf(path, sizeof path, "%s.yaml", stem);
    if (rank == 0) {
        write_config(what, stem);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    karman_options options = {.threads = 1, .quiet = true};
    const int code = karman_render_config(MPI_COMM_WORLD, path, &options);
    if (code != KARMAN_DONE) {
        report(stem, "an exit code", KARMAN_DONE, code);
        fprintf(stderr, "%s: %s\n", stem, karman_message());
    }
    return code == KARMAN_DONE;
}

/* The pixels of a PNG file as [HEIGHT][WIDTH][4]; false if it has another size. */
static bool read_png(const char *stem, uint8_t *pixels)
{
    char path[PATH];
    snprintf(path, sizeof path, "%s.png", stem);
    png_image png = {.version = PNG_IMAGE_VERSION};
    const bool good = png_image_begin_read_from_file(&png, path) && png.width == WIDTH &&
                      png.height == HEIGHT;
    png.format = PNG_FORMAT_RGBA;
    return good && png_image_finish_read(&png, NULL, pixels, 0, NULL);
}

static image *read_floats(const char *stem)
{
    char path[PATH];
    image *img = NULL;
    snprintf(path, sizeof path, "%s.h5", stem);
    if (test_float_image_read(path, &img) != STATUS_OK) {
        fprintf(stderr, "%s\n", base_fail_message());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return img;
}

/* ---- The promise ------------------------------------------------------------------- */

static void compare_bytes(const char *stem, const char *base)
{
    static uint8_t found[4 * PIXELS], expected[4 * PIXELS];
    int shown = 0;
    if (!read_png(stem, found) || !read_png(base, expected)) {
        report(stem, "a PNG file that libpng reads", 1.0, 0.0);
        return;
    }
    for (int i = 0; i < 4 * PIXELS; i++) {
        /* Divided by a small opacity, colours have no digits. */
        const int most = 1 + 255 / (1 + expected[i / 4 * 4 + 3]);
        if (abs(expected[i] - found[i]) > most) {
            report(stem, "an 8-bit channel", expected[i], found[i]);
        }
        shown += i % 4 == 0 && expected[i] > 30;
    }
    if (shown < PIXELS / 10) {
        report(stem, "pixels that show something", PIXELS / 10, shown);
    }
    comparisons++;
}

static void compare_floats(const char *stem, const char *base)
{
    image *found = read_floats(stem), *expected = read_floats(base);
    for (int i = 0; i < 4 * PIXELS; i++) {
        const double a = (double)expected->rgba[i], b = (double)found->rgba[i];
        if (!(fabs(a - b) <= 1e-5)) {
            report(stem, "a float channel", a, b);
        }
    }
    for (int i = 0; i < PIXELS; i++) {
        const double a = (double)expected->depth[i], b = (double)found->depth[i];
        if (a != b && !(fabs(a - b) <= 1e-5 * fmax(1.0, fabs(a)))) {
            report(stem, "a depth", a, b);
        }
    }
    image_destroy(&found);
    image_destroy(&expected);
}

/* A picture: its layers, keys of `image`, and further sections. */
typedef struct wanted {
    const char *layers, *image, *sections;
} wanted;

enum { IMAGES = 7 };

/* In turns with the ways to draw. */
static const wanted with_samples[IMAGES] = {
    {scene, "samples: 3, filter: tent", ""},
    {scene, "samples: adaptive, background: none", ""},
    {scene, "samples: adaptive, filter: tent", "look: paper\n"},
    {scene, "samples: 5, background: none", ""},
    {scene, "samples: 2, bits: 16, background: [0.2, 0.3, 0.4]", "look: screen\n"},
    {scene, "samples: 1, background: none, bits: 16, dpi: 300", ""},
    {volume, "samples: adaptive", ""}};

#define SUN "lights: [{direction: [0.4, 0.8, -1]}, {headlight: true, intensity: 0.3}]\n"
#define LAMP                                                                             \
    "lights: [{position: [-9, -12, 20], intensity: 0.7}, {direction: [1, 0.2, -0.6], "   \
    "color: [1, 0.8, 0.6]}]\n"
#define SHADOWS   "shadows: {resolution: 128, volume_resolution: 16}"
#define OCCLUSION "occlusion: {directions: 8, resolution: 32, volume_resolution: 8}"

static const wanted with_light[IMAGES] = {
    {lit, "samples: 1", SUN "lighting: {" SHADOWS "}\n"},
    {lit_by_gradient, "samples: adaptive",
     LAMP "lighting: {" SHADOWS ", " OCCLUSION ", distance_cue: {}}\n"},
    {lit_surfaces, "samples: 3, color: linear, background: [0.9, 0.9, 1]",
     SUN "look: dark\nlighting: {shadows: {softness: 6, resolution: 96}, " OCCLUSION
         ", silhouettes: {width: 3}, distance_cue: {color: red}}\n"},
    {lit, "samples: 1, background: none, color: linear",
     SUN "lighting: {" OCCLUSION ", silhouettes: {}}\n"},
    {scene, "samples: 2, bits: 16",
     "lighting: {distance_cue: {strength: 0.8, range: [6, 16]}, silhouettes: {}}\n"},
    {lit_by_gradient, "samples: 2",
     SUN "lighting: {shadows: {strength: 0.7, softness: 2, resolution: 64, "
         "volume_resolution: 12}}\nclip: [{point: [0, 0, 2], normal: [0, 0, -1]}]\n"},
    {lit_volume, "samples: adaptive, filter: tent, background: none",
     "clip: [{point: [0, 0, 2], normal: [0.3, 0.2, -1]}]\n"}};

static const wanted *pictures = with_samples;

static void check_picture(int number, const char *name, const char *how, bool has_floats)
{
    char base[PATH - 8], stem[PATH - 8];
    char sections[2048];
    const wanted *picture = &pictures[number];
    snprintf(sections, sizeof sections, "%s%s", picture->sections, how);
    const drawing what = {picture->layers, picture->image, sections, has_floats};
    snprintf(base, sizeof base, "%s/picture-%d-1", out_folder, number);
    snprintf(stem, sizeof stem, "%s/picture-%d-%d-%s", out_folder, number, ranks, name);
    if (draw(&what, stem) && rank == 0) {
        compare_bytes(stem, base);
        if (has_floats) {
            compare_floats(stem, base);
        }
    }
}

/* On one rank: the pictures to compare with. */
static void draw_bases(void)
{
    for (int number = 0; number < IMAGES; number++) {
        char base[PATH - 8];
        snprintf(base, sizeof base, "%s/picture-%d-1", out_folder, number);
        const wanted *picture = &pictures[number];
        draw(&(drawing){picture->layers, picture->image, picture->sections, true}, base);
    }
}

static void check_promise(void)
{
    const char *names[COMPOSITE_MOST_ALGORITHMS];
    const int count = composite_algorithm_names(names);
    if (ranks == 1) {
        draw_bases();
    }
    for (int n = ranks % 2; n < count; n += 2) {
        char how[128];
        const int number = (n + ranks) % IMAGES;
        snprintf(how, sizeof how, "composite: {algorithm: %s, by_nodes: %s}", names[n],
                 n % 3 == 0 ? "true" : "false");
        check_picture(number, names[n], how, n % 4 == 0);
    }
    for (int number = ranks % 2; number < IMAGES; number += 2) {
        check_picture(number, "screen", "partition: screen", number > 1);
    }
    check_picture(ranks % IMAGES, "cost", "partition: {kind: object, balance: cost}",
                  false);
}

/* ---- Edges ------------------------------------------------------------------------- */

/* The opacity that each pixel should have, [height][width]. */
typedef struct truth {
    int width, height;
    double *opacity;
} truth;

static truth make_truth(int width, int height)
{
    truth t = {width, height, malloc((size_t)width * (size_t)height * sizeof(double))};
    if (!t.opacity) {
        fprintf(stderr, "no memory for a picture\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return t;
}

/* The mean opacity of the FINE x FINE pixels of a large picture in a pixel. */
static double mean_opacity(const image *fine, int x, int y)
{
    double sum = 0.0;
    for (int row = y * FINE; row < (y + 1) * FINE; row++) {
        for (int column = x * FINE; column < (x + 1) * FINE; column++) {
            sum += (double)fine->rgba[4 * ((int64_t)row * fine->width + column) + 3];
        }
    }
    return sum / (FINE * FINE);
}

/* Draws with these keys of `image` and compares its edges: the mean error of their pixels
 * must be at most `most` of the contrast. */
static void check_edges(const char *layers, const char *name, const char *keys,
                        const truth *expected, double most)
{
    char stem[PATH - 8];
    double error = 0.0;
    int edges = 0;
    snprintf(stem, sizeof stem, "%s/edges-%s", out_folder, name);
    if (!draw(&(drawing){layers, keys, "", true}, stem)) {
        return;
    }
    image *img = read_floats(stem);
    for (int n = 0; n < img->width * img->height; n++) {
        if (expected->opacity[n] > 0.0 && expected->opacity[n] < 1.0) {
            error += fabs((double)img->rgba[4 * n + 3] - expected->opacity[n]);
            edges++;
        }
    }
    image_destroy(&img);
    error /= edges > 0 ? edges : 1;
    printf("%s: mean error of %d pixels with edges: 1/%.0f\n", name, edges, 1.0 / error);
    if (edges < 100 || !(error <= most)) {
        report(stem, "the most error of edges", most, error);
    }
}

static void check_wall(void)
{
    char stem[PATH - 8];
    snprintf(stem, sizeof stem, "%s/edges-fine", out_folder);
    if (!draw(&(drawing){wall, "scale: 32", "", true}, stem)) {
        return;
    }
    image *fine = read_floats(stem);
    truth expected = make_truth(2 * WIDTH, 2 * HEIGHT);
    for (int n = 0; n < 4 * PIXELS; n++) {
        expected.opacity[n] = mean_opacity(fine, n % expected.width, n / expected.width);
    }
    check_edges(wall, "8", "scale: 2, samples: 8", &expected, 1.0 / 20.0);
    check_edges(wall, "64", "scale: 2, samples: 64", &expected, 1.0 / 100.0);
    check_edges(wall, "adaptive", "scale: 2, samples: adaptive", &expected, 1.0 / 50.0);
    free(expected.opacity);
    image_destroy(&fine);
}

/* ---- Textures ---------------------------------------------------------------------- */

static const char streaks[] =
    "  - object: {k: 0, color: [0.5, 0.5, 0.5], lit: false, lic: {contrast: 1}}\n";

/* Whether a pixel and those around it are opaque. */
static bool is_within(const image *img, int x, int y)
{
    bool is_opaque = x > 0 && y > 0 && x < img->width - 1 && y < img->height - 1;
    for (int n = 0; is_opaque && n < 9; n++) {
        const int at = (y + n / 3 - 1) * img->width + x + n % 3 - 1;
        is_opaque = img->rgba[4 * at + 3] >= 1.0f;
    }
    return is_opaque;
}

/* Within a surface of one colour, streaks are those of one sample. */
static void check_streaks(void)
{
    char stem[PATH - 8];
    image *img[2];
    for (int n = 0; n < 2; n++) {
        snprintf(stem, sizeof stem, "%s/streaks-%d", out_folder, n);
        const char *keys =
            n == 0 ? "scale: 2, samples: 1" : "scale: 2, samples: adaptive";
        if (!draw(&(drawing){streaks, keys, "", true}, stem)) {
            return;
        }
        img[n] = read_floats(stem);
    }
    int within = 0, streaky = 0, other = 0, smooth = 0;
    for (int n = 0; n < img[0]->width * img[0]->height; n++) {
        const float *one = img[0]->rgba + 4 * n, *more = img[1]->rgba + 4 * n;
        const bool is_same = memcmp(one, more, 4 * sizeof *one) == 0;
        if (is_within(img[0], n % img[0]->width, n / img[0]->width)) {
            within++;
            streaky += fabsf(one[0] - one[-4]) > 0.1f;
            other += !is_same;
        } else {
            smooth += !is_same;
        }
    }
    if (other > 0 || smooth < 50 || streaky < within / 5 || within < PIXELS / 3) {
        report(stem, "pixels within that have further samples", 0.0, other);
        printf("%d of %d pixels within have streaks, %d others further samples\n",
               streaky, within, smooth);
    }
    image_destroy(&img[0]);
    image_destroy(&img[1]);
}

/* ---- The outline of a grid, by the reference renderer ------------------------------ */

/* Opaque wherever the grid is. */
static const char block[] =
    "  - volume: {field: pressure, range: [-9, 9], colors: [[0, 1, "
    "1, 1], [1, 1, 1, 1]], extinction: [[0, 1e9], [1, 1e9]], "
    "unit_length: 1}\n";

/* The share of these points of a picture at which rays meet the grid. */
static double find_share(const reference_scene *of, int count, const double (*points)[2])
{
    reference_pixel pixels[FINE * FINE];
    double sum = 0.0;
    reference_scene_render(of, count, points, pixels);
    for (int n = 0; n < count; n++) {
        sum += pixels[n].runs > 0 ? 1.0 : 0.0;
    }
    return sum / count;
}

/* The share of a pixel that the grid covers, by a lattice of FINE x FINE rays: those of a
 * square one would see little of edges along rows and columns. */
static double find_cover(const reference_scene *of, int x, int y)
{
    const double golden = 0.6180339887498949;
    double points[FINE * FINE][2];
    for (int n = 0; n < FINE * FINE; n++) {
        points[n][0] = x + (n + 0.5) / (FINE * FINE);
        points[n][1] = y + fmod(golden * n, 1.0);
    }
    return find_share(of, FINE * FINE, (const double(*)[2])points);
}

/* A pixel whose corners are alike is taken for one without an edge. */
static void find_outline(const reference_scene *of, truth *expected)
{
    for (int n = 0; n < expected->width * expected->height; n++) {
        const int x = n % expected->width, y = n / expected->width;
        const double corners[4][2] = {{x, y}, {x + 1, y}, {x, y + 1}, {x + 1, y + 1}};
        const double share = find_share(of, 4, corners);
        expected->opacity[n] = share > 0.0 && share < 1.0 ? find_cover(of, x, y) : share;
    }
}

static void check_outline(void)
{
    static const double opaque[2][2] = {{0.0, 1e9}, {1.0, 1e9}},
                        white[2][4] = {{0.0, 1.0, 1.0, 1.0}, {1.0, 1.0, 1.0, 1.0}};
    char path[PATH];
    eye[0] = -1.0; /* from afar, all of the outline is seen */
    eye[1] = -6.0;
    eye[2] = 56.0;
    reference_grid grid = {0};
    reference_locator *locator = NULL;
    snprintf(path, sizeof path, "%s/karman.h5", data_folder);
    if (reference_grid_read(path, 0, "pressure", &grid) != STATUS_OK ||
        reference_locator_create(&grid, &locator) != STATUS_OK) {
        report(path, "a grid that the reference reads", 1.0, 0.0);
        reference_grid_clear(&grid);
        return;
    }
    truth expected = make_truth(WIDTH, HEIGHT);
    const reference_scene solid = {.grid = &grid,
                                   .locator = locator,
                                   .transfer = {.ncolors = 2,
                                                .colors = white,
                                                .nopacities = 2,
                                                .opacities = opaque,
                                                .opacities_are_extinction = true,
                                                .range = {-9.0, 9.0},
                                                .unit_length = 1.0},
                                   .camera = {.position = {{eye[0], eye[1], eye[2]}},
                                              .look_at = {{2.6, 0.2, 1.6}},
                                              .up = {{0.0, 0.0, 1.0}},
                                              .fov = 30.0,
                                              .columns = expected.width,
                                              .rows = expected.height},
                                   .step = 0.02};
    find_outline(&solid, &expected);
    /* The reference misses pieces of rays that are shorter than its step. */
    const double own = 0.003;
    check_edges(block, "outline-8", "samples: 8", &expected, 1.0 / 20.0 + own);
    check_edges(block, "outline-64", "samples: 64", &expected, 1.0 / 100.0 + own);
    check_edges(block, "outline-adaptive", "samples: adaptive", &expected,
                1.0 / 50.0 + own);
    free(expected.opacity);
    reference_locator_destroy(&locator);
    reference_grid_clear(&grid);
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (argc < 3) {
        fprintf(stderr, "usage: test_samples DATA_FOLDER OUT_FOLDER [edges | light]\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    data_folder = argv[1];
    out_folder = argv[2];
    rank = parallel_rank(MPI_COMM_WORLD);
    ranks = parallel_size(MPI_COMM_WORLD);
    const bool is_light = argc > 3 && strcmp(argv[3], "light") == 0;
    pictures = is_light ? with_light : with_samples;
    if (argc > 3 && !is_light) {
        check_wall();
        check_streaks();
        check_outline();
    } else {
        check_promise();
    }
    if (rank == 0) {
        printf("%d ranks: %d pictures compared, %d failures\n", ranks, comparisons,
               failures);
    }
    int all = 0;
    MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return all ? 1 : 0;
}
