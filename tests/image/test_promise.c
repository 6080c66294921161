/*
 * The promise: the picture does not depend on the way it was computed.
 *
 *   test_promise DATA_FOLDER OUT_FOLDER [tools] [screen|cost|nodes|dealt]
 *
 * Renders data sets of DATA_FOLDER from several viewpoints on the ranks of this run, with
 * 1 and 2 threads in turns. Data sets are drawn as volumes or, with `tools`, by each tool
 * and by all together. Compares with the pictures of one rank and one thread, which the
 * run on one rank leaves in OUT_FOLDER: float channels within 1e-5, 8-bit pixels within 1
 * count. With `screen`, ranks draw parts of the picture instead of parts of space. With
 * `nodes` and `dealt`, ranks behave as if they ran on nodes of three, with neighbours on
 * one node or on different ones.
 */
#include "base/parallel/nodes.h"
#include "base/parallel/parallel.h"
#include "io/config/config.h"
#include "io/load/load.h"
#include "io/source.h"
#include "library/karman.h"
#include "support/file.h"
#include "support/float_image.h"

#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct promise_data {
    const char *name;  /* NAME.h5 in the data folder */
    const char *field; /* NULL: there is no volume */
    const char *opacity;
    const char *shade;         /* the value of `shade`, or NULL */
    const char *by_gradient;   /* the value of opacity_by_gradient, or NULL */
    const char *scale;         /* that of the volume's colours, or NULL: linear */
    const char *interpolation; /* NULL: the default */
    const char *tag;   /* names the case among those of the data set; NULL: none */
    const char *tools; /* further layers as in a config; CENTER stands for about the
                          middle of the bounds */
} promise_data;

static const promise_data data_sets[] = {
    {.name = "karman",
     .field = "vorticity_magnitude",
     .opacity = "[[0, 0.02], [0.03, 0.6], [0.5, 0.8], [1, 0.9]]"},
    {.name = "annulus", .field = "linear", .opacity = "[[0, 0.2], [0.5, 0], [1, 0.6]]"},
    {.name = "warped-box",
     .field = "blob",
     .opacity = "[[0, 0.1], [0.3, 0.5], [0.31, 0], [1, 0.8]]"},
    {.name = "warped-box", .field = "cell_blob", .opacity = "[[0, 0.1], [1, 0.6]]"},
    {.name = "two-blocks",
     .field = "wave",
     .opacity = "[[0, 0.5], [0.5, 0.1], [1, 0.5]]"},
    {.name = "pole", .field = "wave", .opacity = "[[0, 0.6], [0.5, 0.2], [1, 0.4]]"},
    {.name = "boundary-layer",
     .field = "velocity_magnitude",
     .opacity = "[[0, 0.9], [0.5, 0.1], [1, 0.05]]"},
    {.name = "iblank-sphere", .field = "density", .opacity = "[[0, 0.3], [1, 0.3]]"},
    /* A derived field on an O-grid, cells, adjacent blocks, and overlapping blocks. */
    {.name = "karman",
     .field = "vorticity_magnitude",
     .opacity = "[[0, 0.02], [0.03, 0.6], [0.5, 0.8], [1, 0.9]]",
     .shade = "{}"},
    {.name = "warped-box",
     .field = "cell_blob",
     .opacity = "[[0, 0.1], [1, 0.6]]",
     .shade = "{specular: 0.5, shininess: 60}"},
    {.name = "two-blocks",
     .field = "wave",
     .opacity = "[[0, 0.5], [0.5, 0.1], [1, 0.5]]",
     .shade = "{ambient: 0.1}"},
    {.name = "iblank-sphere",
     .field = "density",
     .opacity = "[[0, 0.3], [1, 0.3]]",
     .shade = "{}"},
    {.name = "overset",
     .field = "wave",
     .opacity = "[[0, 0.1], [0.5, 0.4], [1, 0.6]]",
     .shade = "{diffuse: 1}"},
    /* With those above, each pair of trilinear, shade, a field in cells, and overlapping
     * blocks. */
    {.name = "mismatched",
     .field = "wave",
     .opacity = "[[0, 0.7], [0.5, 0.2], [1, 0.5]]",
     .interpolation = "trilinear"},
    {.name = "overset",
     .field = "wave",
     .opacity = "[[0, 0.6], [0.5, 0.1], [1, 0.4]]",
     .shade = "{specular: 0.4}",
     .interpolation = "trilinear"},
    {.name = "overset",
     .field = "cell_wave",
     .opacity = "[[0, 0.1], [0.5, 0.4], [1, 0.6]]",
     .shade = "{}",
     .interpolation = "trilinear"},
    /* Bends of the scalar: on an O-grid, with light, and on overlapping blocks. */
    {.name = "karman",
     .field = "pressure",
     .opacity = "[[0, 0.02], [0.3, 0.6], [0.5, 0.1], [1, 0.9]]",
     .interpolation = "quadratic"},
    {.name = "overset",
     .field = "wave",
     .opacity = "[[0, 0.6], [0.5, 0.1], [1, 0.4]]",
     .shade = "{specular: 0.4}",
     .interpolation = "quadratic"},
    /* Opacity by gradient: alone, with light, and on overlapping blocks. */
    {.name = "karman",
     .field = "vorticity_magnitude",
     .opacity = "[[0, 0.1], [1, 0.9]]",
     .by_gradient = "[[0.05, 0], [2, 3]]",
     .scale = "log"},
    {.name = "warped-box",
     .field = "blob",
     .opacity = "[[0, 0.1], [0.3, 0.5], [0.31, 0], [1, 0.8]]",
     .shade = "{}",
     .by_gradient = "[[0.2, 0.1], [1, 1.5], [1, 0.2], [3, 0]]",
     .interpolation = "trilinear"},
    {.name = "overset",
     .field = "wave",
     .opacity = "[[0, 0.6], [0.5, 0.1], [1, 0.4]]",
     .by_gradient = "[[0, 0.2], [4, 2]]"},
};

/* Each tool, and all of them in one picture. */
static const promise_data tool_sets[] = {
    {.name = "karman",
     .tag = "objects",
     .tools = "  - object: {j: 0, color_by: pressure, range: [-1, 1], colors: plasma}\n"
              "  - object: {from: [3, 1, 2], to: [30, 12, 5], color: [1, 0.6, 0.2], "
              "style: both, opacity: 0.5}\n"
              "  - contour: {field: pressure, k: -1, style: both, opacity: 0.7}\n"
              "  - contour: {field: pressure, plane: {point: [0, 0, 4], normal: [0, 0, "
              "1]}, levels: 5, opacity: 0.8}\n"
              "  - grid: {k: -1, color: [0.3, 0.9, 0.4]}\n"
              "  - outline: {color: [0.9, 0.9, 1], line_width: 2.5}\n"},
    {.name = "annulus",
     .tag = "axes-box",
     .tools =
         "  - axes_box: {titles: [x / m, y / m, z / m], color: [0.9, 0.9, 0.5]}\n"
         "  - isosurface: {field: linear, value: 0.5, color: steelblue, opacity: 0.7}\n"
         "annotations: {scalar_bars: [], marks: [{text: middle, at: CENTER}]}\n"},
    {.name = "warped-box",
     .tag = "objects",
     .tools = "  - object: {i: 7, color: [0.9, 0.8, 0.7]}\n"
              "  - object: {k: -1, color_by: blob, style: wireframe}\n"
              "  - object: {j: 3, color_by: cell_blob, opacity: 0.4, lit: false}\n"},
    {.name = "two-blocks",
     .tag = "contours",
     .tools = "  - contour: {field: wave, k: 2.5, levels: 7}\n"
              "  - contour: {field: wave, i: 1, levels: 9, style: lines, "
              "line_width: 2}\n"
              "  - contour: {field: wave, plane: {point: CENTER, normal: [1, 0.4, 0.2]}, "
              "style: both, opacity: 0.6, lit: true}\n"},
    {.name = "karman",
     .tag = "contours",
     .tools = "  - contour: {field: pressure, k: 3.25, levels: 8, colors: turbo}\n"
              "  - contour: {field: vorticity_magnitude, plane: {point: CENTER, normal: "
              "[0.1, 1, 0.3]}, levels: 12, bands: false, scale: symlog}\n"},
    /* Lines of the flow that cross bricks, the cut of the O-grid, and the picture's rim.
     */
    {.name = "karman",
     .tag = "lic",
     .tools = "  - contour: {field: pressure, k: 1.5, bands: false, lic: {length: 60}}\n"
              "  - object: {j: 0, lic: {contrast: 1}}\n"
              "  - object: {from: [3, 1, 2], to: [30, 12, 5], lic: {length: 15}}\n"
              "  - outline: {line_width: 3}\n"},
    {.name = "boundary-layer",
     .tag = "lic",
     .tools = "  - contour: {field: velocity_magnitude, k: 3, lic: {}}\n"
              "  - object: {j: 0, lic: {}}\n"
              "  - outline: {line_width: 3}\n"},
    {.name = "karman",
     .tag = "isosurface",
     .tools =
         "  - isosurface: {field: vorticity_magnitude, values: [0.7, 1.5], color_by: "
         "pressure, opacity: 0.6}\n"},
    {.name = "overset",
     .tag = "isosurface",
     .tools = "  - isosurface: {field: wave, values: [-0.3, 0.4], opacity: 0.5}\n"},
    {.name = "warped-box",
     .tag = "isosurface",
     .tools = "  - isosurface: {field: cell_blob, value: 0.4, color: [0.5, 0.8, 1]}\n"},
    {.name = "karman",
     .tag = "particles",
     .tools = "  - particles: {seeds: [{plane: [[-1.5, -2, 0.5], [-1.5, 2, 0.5], "
              "[-1.5, -2, 3.5]], count: [8, 6]}], "
              "mode: stream, radius: 0.15, color_by: velocity_magnitude}\n"
              "  - particles: {seeds: [{points: [[-1, 0.2, 1]]}], mode: path, radius: "
              "0.1}\n"
              "  - particles: {seeds: [{box: [[2, -2, 0.5], [8, 2, 3.5]], count: [7, 5, "
              "3]}], style: arrows, duration: 0.6, radius: 0.05, direction: both, color: "
              "orange}\n"},
    {.name = "karman",
     .field = "vorticity_magnitude",
     .opacity = "[[0, 0.02], [0.03, 0.4], [0.5, 0.6], [1, 0.9]]",
     .tag = "all",
     .tools = "  - object: {j: 0, color: [0.8, 0.8, 0.8]}\n"
              "  - contour: {field: pressure, k: 0, levels: 8, opacity: 0.7}\n"
              "  - isosurface: {field: q_criterion, value: 0.5, opacity: 0.5}\n"
              "  - particles: {seeds: [{line: [[-1.5, -1, 1], [-1.5, 1, 2]], count: 5}], "
              "style: lines, color: [1, 1, 1], opacity: 0.8}\n"
              "  - outline: {color: [0.6, 0.6, 0.6]}\n"
              "clip:\n  - {point: CENTER, normal: [0.2, -1, 0.1]}\n"
              "annotations: {scalar_bar: true, axes: true, time: true}\n"},
    {.name = "karman",
     .field = "pressure",
     .opacity = "[[0, 0.4], [1, 0.6]]",
     .tag = "threshold",
     .tools = "  - contour: {field: pressure, k: 5, opacity: 0.7}\n"
              "  - isosurface: {field: vorticity_magnitude, value: 0.8, opacity: 0.4}\n"
              "  - threshold: {field: vorticity_magnitude, above: 0.3, below: 2}\n"},
    {.name = "overset",
     .field = "wave",
     .opacity = "[[0, 0.1], [0.5, 0.4], [1, 0.6]]",
     .tag = "threshold",
     .tools = "  - grid: {k: 0}\n"
              "  - threshold: {field: cell_wave, below: 0.4, cells: true}\n"},
    {.name = "overset",
     .field = "wave",
     .opacity = "[[0, 0.1], [0.5, 0.4], [1, 0.6]]",
     .tag = "all",
     .tools = "  - isosurface: {field: wave, value: 0.2, opacity: 0.6}\n"
              "  - contour: {field: wave, plane: {point: CENTER, normal: [0, 0, 1]}, "
              "opacity: 0.5}\n"
              "  - outline: {line_width: 2}\n"},
};

/* A viewpoint relative to the bounds: position = centre + offset * half extents + along a
 * diagonal, so that it fits any data set. */
typedef struct promise_view {
    const char *name;
    double offset[3]; /* of the position from the centre, in half extents */
    double toward[3]; /* direction of view */
    bool orthographic;
    double size; /* fov in degrees, or height in diagonals */
    const char *algorithm;
} promise_view;

/* The last two look exactly along grid planes, with block faces, the cut of the O-grid
 * and the k-d planes edge-on. */
static const promise_view views[] = {
    {"outside", {1.3, -2.9, 1.7}, {-1.3, 2.9, -1.7}, false, 40, "direct-send"},
    {"inside", {0.1, 0.05, 0.2}, {1, 0.3, -0.1}, false, 95, "binary-swap"},
    {"along-z", {0, 0, 3}, {0, 0, -1}, true, 0.8, "binary-swap"},
    {"along-x", {-3, 0, 0}, {1, 0, 0}, true, 0.6, "direct-send"},
};

enum {
    DATA_SETS = sizeof data_sets / sizeof data_sets[0],
    TOOL_SETS = sizeof tool_sets / sizeof tool_sets[0],
    VIEWS = sizeof views / sizeof views[0],
    WIDTH = 88,
    HEIGHT = 66
};

typedef struct promise_run {
    const char *data_folder, *out_folder;
    int rank, ranks;
    const char *how; /* draws each picture once more with parts of the picture, "screen",
                        or of space by cost, "cost" and "dealt"; NULL and "nodes": by the
                        number of cells */
    int failures, comparisons;
    double worst;
} promise_run;

static bool is_how(const promise_run *run, const char *how)
{
    return run->how && strcmp(run->how, how) == 0;
}

/* Bounds of a data set in the file's coordinates. Collective. */
static box3 find_bounds(const promise_run *run, const promise_data *data)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.h5", run->data_folder, data->name);
    io_data_config config = {
        .file = path, .all_steps = true, .terms = {.gamma = 1.4, .gas_constant = 1.0}};
    io_source *source = NULL;
    grid_layout *layout = NULL;
    if (io_source_open(MPI_COMM_WORLD, &config, &source) != STATUS_OK ||
        io_load_layout(MPI_COMM_WORLD, source, &layout) != STATUS_OK) {
        fprintf(stderr, "%s: %s\n", path, base_fail_message());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    box3 bounds = {vec3_add(layout->bounds.lo, layout->origin),
                   vec3_add(layout->bounds.hi, layout->origin)};
    grid_layout_destroy(&layout);
    io_source_close(&source);
    return bounds;
}

/* Writes the tools of a case, with numbers for CENTER. */
static void write_tools(FILE *file, const char *tools, box3 bounds)
{
    const char *word;
    const vec3 middle = vec3_scale(vec3_add(bounds.lo, bounds.hi), 0.5);
    while ((word = strstr(tools, "CENTER")) != NULL) {
        fprintf(file, "%.*s[%.17g, %.17g, %.17g]", (int)(word - tools), tools,
                middle.v[0] + 0.01, middle.v[1] - 0.02, middle.v[2] + 0.03);
        tools = word + strlen("CENTER");
    }
    fputs(tools, file);
}

static void write_config(const promise_run *run, const promise_data *data, box3 bounds,
                         const promise_view *view, const char *stem, const char *path)
{
    FILE *file = test_file_create(path);
    vec3 extent = vec3_sub(bounds.hi, bounds.lo);
    vec3 position = vec3_scale(vec3_add(bounds.lo, bounds.hi), 0.5), target;
    for (int axis = 0; axis < 3; axis++) {
        position.v[axis] += 0.5 * extent.v[axis] * view->offset[axis];
        double scale = view->orthographic ? 1.0 : 0.5 * extent.v[axis];
        target.v[axis] = position.v[axis] + scale * view->toward[axis];
    }
    fprintf(file, "data: {file: '%s/%s.h5', steps: 0}\n", run->data_folder, data->name);
    fprintf(file, "image: {width: %d, height: %d}\n", WIDTH, HEIGHT);
    fprintf(file,
            "camera: {position: [%.17g, %.17g, %.17g], look_at: [%.17g, %.17g, %.17g], "
            "up: [0.1, 1, 0.2], ",
            position.v[0], position.v[1], position.v[2], target.v[0], target.v[1],
            target.v[2]);
    if (view->orthographic) {
        fprintf(file, "projection: orthographic, height: %.17g}\n",
                view->size * vec3_length(extent));
    } else {
        fprintf(file, "fov: %.17g}\n", view->size);
    }
    fprintf(file, "layers:\n");
    if (data->field) {
        fprintf(file,
                "  - volume: {field: %s, range: auto, colors: viridis, opacity: %s, "
                "unit_length: %.17g%s%s%s%s%s%s%s%s}\n",
                data->field, data->opacity, 0.15 * vec3_length(extent),
                data->interpolation ? ", interpolation: " : "",
                data->interpolation ? data->interpolation : "",
                data->shade ? ", shade: " : "", data->shade ? data->shade : "",
                data->by_gradient ? ", opacity_by_gradient: " : "",
                data->by_gradient ? data->by_gradient : "",
                data->scale ? ", scale: " : "", data->scale ? data->scale : "");
    }
    if (data->tools) {
        write_tools(file, data->tools, bounds);
    }
    if (data->shade) {
        /* A point light inside the grid, a far one, and the viewer's. */
        fprintf(file,
                "lights:\n  - {position: [%.17g, %.17g, %.17g], color: [1, 0.7, 0.4]}\n"
                "  - {direction: [0.3, -1, 0.4], color: [0.3, 0.5, 1], intensity: 0.7}\n"
                "  - {headlight: true, intensity: 0.4}\n",
                0.3 * bounds.lo.v[0] + 0.7 * bounds.hi.v[0],
                0.5 * (bounds.lo.v[1] + bounds.hi.v[1]),
                0.1 * bounds.lo.v[2] + 0.9 * bounds.hi.v[2]);
    }
    fprintf(file, "composite: {algorithm: %s, by_nodes: %s}\n", view->algorithm,
            is_how(run, "nodes") || is_how(run, "dealt") ? "true" : "false");
    if (is_how(run, "cost") || is_how(run, "dealt")) {
        fprintf(file, "partition: {kind: object, balance: cost}\n");
    } else if (is_how(run, "screen")) {
        fprintf(file, "partition: screen\n");
    }
    fprintf(file, "output: {frames: '%s.png', float: '%s.h5'}\n", stem, stem);
    fclose(file);
}

static void report(promise_run *run, const char *stem, const char *what, double expected,
                   double found)
{
    run->failures++;
    if (run->failures <= 20) {
        printf("%s: %s: expected %.9g, found %.9g\n", stem, what, expected, found);
    }
}

static void compare_floats(promise_run *run, const char *stem, const char *base)
{
    const double tolerance = 1e-5;
    char path[1100];
    image *found = NULL, *expected = NULL;
    snprintf(path, sizeof path, "%s.h5", stem);
    status s = test_float_image_read(path, &found);
    snprintf(path, sizeof path, "%s.h5", base);
    if (s != STATUS_OK || test_float_image_read(path, &expected) != STATUS_OK) {
        fprintf(stderr, "%s\n", base_fail_message());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int i = 0; i < 4 * WIDTH * HEIGHT; i++) {
        double a = (double)expected->rgba[i], b = (double)found->rgba[i];
        run->worst = fmax(run->worst, fabs(a - b));
        if (!(fabs(a - b) <= tolerance)) {
            report(run, stem, "a float channel", a, b);
        }
    }
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        double a = (double)expected->depth[i], b = (double)found->depth[i];
        if (a != b && !(fabs(a - b) <= tolerance * fmax(1.0, fabs(a)))) {
            report(run, stem, "a depth", a, b);
        }
    }
    image_destroy(&found);
    image_destroy(&expected);
}

/* The pixels of a PNG file, [height][width][3]. */
static uint8_t *read_png(const char *stem)
{
    char path[1100];
    snprintf(path, sizeof path, "%s.png", stem);
    png_image png = {.version = PNG_IMAGE_VERSION};
    uint8_t *pixels = malloc((size_t)(3 * WIDTH * HEIGHT));
    if (!pixels || !png_image_begin_read_from_file(&png, path) || png.width != WIDTH ||
        png.height != HEIGHT) {
        fprintf(stderr, "%s: %s\n", path, png.message);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    png.format = PNG_FORMAT_RGB;
    png_image_finish_read(&png, NULL, pixels, 0, NULL);
    return pixels;
}

static void compare_bytes(promise_run *run, const char *stem, const char *base)
{
    uint8_t *found = read_png(stem), *expected = read_png(base);
    for (int i = 0; i < 3 * WIDTH * HEIGHT; i++) {
        if (abs(expected[i] - found[i]) > 1) {
            report(run, stem, "an 8-bit channel", expected[i], found[i]);
        }
    }
    free(found);
    free(expected);
}

/* A blank picture would pass any comparison. */
static void check_not_blank(promise_run *run, const char *stem)
{
    uint8_t *pixels = read_png(stem);
    int lit = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        lit += pixels[3 * i] + pixels[3 * i + 1] + pixels[3 * i + 2] > 30;
    }
    free(pixels);
    if (lit < WIDTH * HEIGHT / 50) {
        report(run, stem, "pixels that show something", WIDTH * HEIGHT / 50, lit);
    }
}

static void render(promise_run *run, const promise_data *data, box3 bounds,
                   const promise_view *view, int threads)
{
    char base[900], stem[1000], config[1100];
    const char *smooth = data->interpolation ? data->interpolation : "";
    const char *lit = data->by_gradient
                          ? data->shade ? "-lit-by-gradient" : "-by-gradient"
                      : data->shade ? "-lit"
                                    : "";
    const char *what = data->tag ? data->tag : data->field;
    snprintf(base, sizeof base, "%s/%s-%s%s%s-%s-1-1", run->out_folder, data->name, what,
             smooth, lit, view->name);
    snprintf(stem, sizeof stem, "%s/%s-%s%s%s-%s-%d-%d%s", run->out_folder, data->name,
             what, smooth, lit, view->name, run->ranks, threads,
             run->how ? run->how : "");
    snprintf(config, sizeof config, "%s.yaml", stem);
    if (run->rank == 0) {
        write_config(run, data, bounds, view, stem, config);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    karman_options options = {.threads = threads, .quiet = true};
    int code = karman_render_config(MPI_COMM_WORLD, config, &options);
    if (code != KARMAN_DONE) {
        report(run, stem, "an exit code", KARMAN_DONE, code);
        fprintf(stderr, "%s: %s\n", stem, karman_message());
        return;
    }
    if (run->rank == 0) {
        run->comparisons++;
        check_not_blank(run, stem);
        compare_floats(run, stem, base);
        compare_bytes(run, stem, base);
    }
}

/* The same command run twice gives the same bytes. */
static void check_repeats(promise_run *run, const promise_data *data, box3 bounds)
{
    char first[1000], second[1000], config[1100], path[1100];
    const char *how = run->how ? run->how : "";
    snprintf(first, sizeof first, "%s/repeat-%d%s-first", run->out_folder, run->ranks,
             how);
    snprintf(second, sizeof second, "%s/repeat-%d%s-second", run->out_folder, run->ranks,
             how);
    const char *stems[] = {first, second};
    for (int n = 0; n < 2; n++) {
        snprintf(config, sizeof config, "%s.yaml", stems[n]);
        if (run->rank == 0) {
            write_config(run, data, bounds, &views[1], stems[n], config);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        karman_options options = {.threads = 2, .quiet = true};
        if (karman_render_config(MPI_COMM_WORLD, config, &options) != KARMAN_DONE) {
            report(run, stems[n], "an exit code", KARMAN_DONE, KARMAN_FAILED);
            return;
        }
    }
    if (run->rank == 0) {
        char other[1100];
        snprintf(path, sizeof path, "%s.png", first);
        snprintf(other, sizeof other, "%s.png", second);
        if (!test_file_same(path, other)) {
            report(run, second, "the bytes of a second run", 0.0, 1.0);
        }
    }
}

/* Whether this run draws view v of data set d. Two of the four views of tools are drawn
 * on 3 ranks and the others on 8; with screen the other way round. With nodes, two are
 * drawn on 5 ranks and the others on 8. On 5 and 8 ranks, and once more on nodes and by
 * screen, only every PROMISE_STRIDE-th of these. */
static bool has_turn(const promise_run *run, bool tools, int d, int v)
{
    const int by_screen = is_how(run, "screen");
    const int stride = (tools || is_how(run, "nodes") ? 2 : 1) *
                       (run->ranks >= 5 || run->how ? PROMISE_STRIDE : 1);
    return run->ranks == 1 || (d + v + run->ranks + by_screen) % stride == 0;
}

/* Whether this run draws data set d twice. With more than one rank, each data set is
 * drawn on one of 2, 3, 5 and 8 ranks; tools on one of 3 and 8. */
static bool has_turn_to_repeat(const promise_run *run, bool tools, int d)
{
    if (run->ranks == 1) {
        return true;
    }
    return run->how ? d == 0 : (d + run->ranks) % (tools ? 2 : 4) == 0;
}

/* One rank draws with 1 and 2 threads, for comparison. Of larger runs, even numbers of
 * ranks draw with 1 thread the views that odd numbers draw with 2, and the reverse. */
static void draw_view(promise_run *run, const promise_data *data, box3 bounds, int d,
                      int v)
{
    for (int threads = 1; threads <= 2; threads++) {
        if (run->ranks == 1 || (d + v / 2 + run->ranks) % 2 == threads - 1) {
            render(run, data, bounds, &views[v], threads);
        }
    }
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    const bool tools = argc > 3 && strcmp(argv[3], "tools") == 0;
    if (argc < 3 || argc > 4 + tools) {
        fprintf(stderr, "usage: test_promise DATA_FOLDER OUT_FOLDER [tools] "
                        "[screen|cost|nodes|dealt]\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    promise_run run = {.data_folder = argv[1],
                       .out_folder = argv[2],
                       .how = argc == 4 + tools ? argv[argc - 1] : NULL,
                       .rank = parallel_rank(MPI_COMM_WORLD),
                       .ranks = parallel_size(MPI_COMM_WORLD)};
    parallel_test_node_size = is_how(&run, "nodes") ? 4 : is_how(&run, "dealt") ? 3 : 0;
    parallel_test_node_dealt = is_how(&run, "dealt");
    const promise_data *sets = tools ? tool_sets : data_sets;
    for (int d = 0; d < (tools ? TOOL_SETS : DATA_SETS); d++) {
        box3 bounds = find_bounds(&run, &sets[d]);
        if (has_turn_to_repeat(&run, tools, d)) {
            check_repeats(&run, &sets[d], bounds);
        }
        for (int v = 0; v < VIEWS; v++) {
            if (has_turn(&run, tools, d, v)) {
                draw_view(&run, &sets[d], bounds, d, v);
            }
        }
    }
    if (run.rank == 0) {
        printf("%d ranks: %d pictures compared with one rank's, largest difference %.3g, "
               "%d failures\n",
               run.ranks, run.comparisons, run.worst, run.failures);
    }
    MPI_Bcast(&run.failures, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return run.failures ? 1 : 0;
}
