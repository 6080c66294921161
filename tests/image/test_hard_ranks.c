/*
 * The promise on hard grids: the picture does not depend on the number of ranks.
 *
 *   test_hard_ranks DATA_FOLDER OUT_FOLDER
 *
 * Renders every hard data set on the ranks of this run as users do, with a config.
 * Compares with the pictures that the run on one rank has left in OUT_FOLDER. Two of the
 * viewpoints lie, to the last bit, on planes at which the k-d tree of 3 and of 5 ranks
 * cuts. The timings count lost rays; there must be none.
 */
#include "base/parallel/parallel.h"
#include "grid/partition/partition.h"
#include "io/config/config.h"
#include "io/load/load.h"
#include "io/source.h"
#include "library/karman.h"
#include "support/file.h"
#include "support/float_image.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 60, HEIGHT = 45, VIEWS = 5, STEM_SIZE = 900, PATH_SIZE = 1024 };

/* The tolerance of the promise. */
static const double promise = 1e-5;

typedef struct subject {
    const char *name, *field;
    double color_tolerance; /* 0: the promise */
} subject;

/*
 * If cells are folded, segments of a ray overlap, and boxes that cut them change their
 * order: docs/design/architecture.md describes that limit. Opacity keeps the promise.
 */
static const subject subjects[] = {
    {"ball", "wave", 0.0},
    {"c-grid", "cell_wave", 0.0},
    {"o-grid", "wave", 0.0},
    {"orientations", "wave", 0.0},
    {"wall", "speed", 0.0},
    {"far", "wave", 0.0},
    {"inverted", "wave", 1e-4},
    {"mismatched", "wave", 0.0},
    {"overset", "wave", 0.0},
    {"nan-field", "broken", 0.0},
    {"nan-field", "cell_broken", 0.0},
};

typedef struct test_run {
    const char *data_folder, *out_folder;
    int rank, ranks;
    int failures, pictures;
    double worst;
} test_run;

/* A data set, and the camera's parameters in the file's coordinates. */
typedef struct scene {
    const subject *of;
    box3 bounds;
    vec3 plane[2]; /* on cutting planes for 3 and 5 ranks, in the middle of the grid */
    int axis[2];   /* of these planes */
} scene;

typedef struct view {
    const char *name;
    int ranks; /* number of ranks that draw it, 0: any; one rank also draws it, for
                  comparison */
    vec3 position, target;
    double height; /* of parallel rays, 0: in perspective */
} view;

static void stop(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, base_fail_message());
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* ---- Scenes and views -------------------------------------------------------------- */

/* A point on the first plane that cuts the grid for so many ranks. */
static void find_plane(const grid_layout *layout, int ranks, vec3 *point, int *axis)
{
    grid_partition *partition = NULL;
    if (grid_partition_create(layout, ranks, &partition) != STATUS_OK) {
        stop("a partition");
    }
    vec3 at = vec3_scale(vec3_add(layout->bounds.lo, layout->bounds.hi), 0.5);
    int found = -1;
    for (int n = 0; n < 3 * ranks && found < 0; n++) {
        double plane = grid_partition_box(partition, n / 3).hi.v[n % 3];
        if (isfinite(plane)) {
            found = n % 3;
            at.v[found] = plane;
        }
    }
    if (found < 0) {
        stop("no plane cuts the grid");
    }
    *axis = found;
    *point = vec3_add(at, layout->origin);
    grid_partition_destroy(&partition);
}

/* Collective. */
static scene look_at_data(const test_run *run, const subject *of)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s.h5", run->data_folder, of->name);
    io_data_config config = {
        .file = path, .all_steps = true, .terms = {.gamma = 1.4, .gas_constant = 1.0}};
    io_source *source = NULL;
    grid_layout *layout = NULL;
    if (io_source_open(MPI_COMM_WORLD, &config, &source) != STATUS_OK ||
        io_load_layout(MPI_COMM_WORLD, source, &layout) != STATUS_OK) {
        stop(path);
    }
    scene s = {.of = of,
               .bounds = {vec3_add(layout->bounds.lo, layout->origin),
                          vec3_add(layout->bounds.hi, layout->origin)}};
    find_plane(layout, 3, &s.plane[0], &s.axis[0]);
    find_plane(layout, 5, &s.plane[1], &s.axis[1]);
    grid_layout_destroy(&layout);
    io_source_close(&source);
    return s;
}

/* The point at these fractions of the bounds. */
static vec3 place(const scene *s, double x, double y, double z)
{
    const double share[3] = {x, y, z};
    vec3 p;
    for (int axis = 0; axis < 3; axis++) {
        p.v[axis] = s->bounds.lo.v[axis] +
                    share[axis] * (s->bounds.hi.v[axis] - s->bounds.lo.v[axis]);
    }
    return p;
}

/* From within a plane, along an axis that lies in it. */
static view within_plane(const scene *s, int plane, int ranks, const char *name)
{
    view v = {name, ranks, s->plane[plane], s->plane[plane], 0.0};
    v.target.v[(s->axis[plane] + 1) % 3] += 1.0;
    return v;
}

static void list_views(const scene *s, view out[VIEWS])
{
    vec3 middle = place(s, 0.5, 0.5, 0.5);
    double diagonal = vec3_length(vec3_sub(s->bounds.hi, s->bounds.lo));
    vec3 away = vec3_scale(vec3_make(-0.45, -0.8, 0.6), diagonal);
    vec3 up = vec3_make(0.0, 0.0, 2.0 * diagonal);
    out[0] = (view){"outside", 0, vec3_add(middle, away), middle, 0.0};
    out[1] = (view){"inside", 5, place(s, 0.55, 0.75, 0.4), place(s, 0.2, 0.1, 0.6), 0.0};
    out[2] = (view){"along-z", 3, vec3_add(middle, up), middle, 0.8 * diagonal};
    out[3] = within_plane(s, 0, 3, "on-plane-of-3");
    out[4] = within_plane(s, 1, 5, "on-plane-of-5");
}

/* ---- Pictures ---------------------------------------------------------------------- */

static void write_config(const test_run *run, const scene *s, const view *v,
                         const char *stem, const char *path)
{
    FILE *file = test_file_create(path);
    double diagonal = vec3_length(vec3_sub(s->bounds.hi, s->bounds.lo));
    fprintf(file, "data: {file: '%s/%s.h5', steps: 0}\n", run->data_folder, s->of->name);
    fprintf(file, "image: {width: %d, height: %d}\n", WIDTH, HEIGHT);
    fprintf(file,
            "camera: {position: [%.17g, %.17g, %.17g], look_at: [%.17g, %.17g, %.17g], "
            "up: [0.1, 0.3, 0.2], ",
            v->position.v[0], v->position.v[1], v->position.v[2], v->target.v[0],
            v->target.v[1], v->target.v[2]);
    if (v->height > 0.0) {
        fprintf(file, "projection: orthographic, height: %.17g}\n", v->height);
    } else {
        fprintf(file, "fov: 60}\n");
    }
    fprintf(file,
            "layers:\n  - volume: {field: %s, range: [0, 1], colors: viridis, "
            "opacity: [[0, 0.5], [0.5, 0.1], [1, 0.6]], unit_length: %.17g}\n",
            s->of->field, 0.15 * diagonal);
    fprintf(file, "output: {frames: '%s.png', float: '%s.h5', timings: '%s.json'}\n",
            stem, stem, stem);
    test_file_close(file, path);
}

static void report(test_run *run, const char *stem, const char *what, double expected,
                   double found)
{
    run->failures++;
    if (run->failures <= 20) {
        printf("%s: %s: expected %.9g, found %.9g\n", stem, what, expected, found);
    }
}

static image *read_image(const char *stem)
{
    char path[PATH_SIZE];
    image *img = NULL;
    snprintf(path, sizeof path, "%s.h5", stem);
    if (test_float_image_read(path, &img) != STATUS_OK) {
        stop(path);
    }
    return img;
}

/* Compares one channel of all pixels; reports the largest difference if it is above the
 * tolerance. */
static void compare_channel(test_run *run, const char *stem, const image *expected,
                            const image *found, int channel, double tolerance)
{
    double worst = 0.0;
    int at = channel;
    for (int n = channel; n < 4 * WIDTH * HEIGHT; n += 4) {
        double off = fabs((double)expected->rgba[n] - (double)found->rgba[n]);
        if (!(off <= worst)) {
            at = n;
            worst = isnan(off) ? INFINITY : off;
        }
    }
    run->worst = fmax(run->worst, worst);
    if (worst > tolerance) {
        report(run, stem, channel < 3 ? "a colour" : "an alpha",
               (double)expected->rgba[at], (double)found->rgba[at]);
    }
}

static int count_lit(const image *img)
{
    int lit = 0;
    for (int pixel = 0; pixel < WIDTH * HEIGHT; pixel++) {
        lit += img->rgba[4 * pixel + 3] > 0.05F;
    }
    return lit;
}

static void compare(test_run *run, const subject *of, const char *stem, const char *base)
{
    image *expected = read_image(base), *found = read_image(stem);
    for (int channel = 0; channel < 4; channel++) {
        bool looser = channel < 3 && of->color_tolerance > 0.0;
        compare_channel(run, stem, expected, found, channel,
                        looser ? of->color_tolerance : promise);
    }
    if (count_lit(expected) < WIDTH * HEIGHT / 20) {
        report(run, stem, "pixels that show something", WIDTH * HEIGHT / 20.0,
               count_lit(expected));
    }
    image_destroy(&found);
    image_destroy(&expected);
}

static void check_timings(test_run *run, const char *stem)
{
    char path[PATH_SIZE];
    json_error_t error;
    snprintf(path, sizeof path, "%s.json", stem);
    json_t *root = json_load_file(path, 0, &error);
    json_t *frame = json_array_get(json_object_get(root, "frames"), 0);
    const json_t *lost = json_object_get(frame, "lost_rays");
    const json_t *rays = json_object_get(frame, "rays");
    if (!json_is_integer(lost) || json_integer_value(lost) != 0) {
        report(run, stem, "lost rays", 0.0, (double)json_integer_value(lost));
    }
    if (!json_is_integer(rays) || json_integer_value(rays) < WIDTH * HEIGHT / 20) {
        report(run, stem, "rays", WIDTH * HEIGHT / 20.0,
               (double)json_integer_value(rays));
    }
    json_decref(root);
}

/* Collective. */
static void render(test_run *run, const scene *s, const view *v)
{
    char base[STEM_SIZE], stem[STEM_SIZE], config[PATH_SIZE];
    snprintf(base, sizeof base, "%s/%s-%s-%s-1", run->out_folder, s->of->name,
             s->of->field, v->name);
    snprintf(stem, sizeof stem, "%s/%s-%s-%s-%d", run->out_folder, s->of->name,
             s->of->field, v->name, run->ranks);
    snprintf(config, sizeof config, "%s.yaml", stem);
    if (run->rank == 0) {
        write_config(run, s, v, stem, config);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    karman_options options = {.threads = 1, .quiet = true};
    int code = karman_render_config(MPI_COMM_WORLD, config, &options);
    if (code != KARMAN_DONE) {
        report(run, stem, karman_message(), KARMAN_DONE, code);
        return;
    }
    if (run->rank == 0) {
        run->pictures++;
        check_timings(run, stem);
        compare(run, s->of, stem, base);
    }
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (argc != 3) {
        fprintf(stderr, "usage: test_hard_ranks DATA_FOLDER OUT_FOLDER\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    test_run run = {.data_folder = argv[1],
                    .out_folder = argv[2],
                    .rank = parallel_rank(MPI_COMM_WORLD),
                    .ranks = parallel_size(MPI_COMM_WORLD)};
    for (size_t n = 0; n < sizeof subjects / sizeof subjects[0]; n++) {
        view views[VIEWS];
        scene s = look_at_data(&run, &subjects[n]);
        list_views(&s, views);
        for (int v = 0; v < VIEWS; v++) {
            if (run.ranks == 1 || views[v].ranks == 0 || views[v].ranks == run.ranks) {
                render(&run, &s, &views[v]);
            }
        }
    }
    if (run.rank == 0) {
        printf("%d ranks: %d pictures compared with one rank's, largest difference %.3g, "
               "%d failures\n",
               run.ranks, run.pictures, run.worst, run.failures);
    }
    MPI_Bcast(&run.failures, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return run.failures ? 1 : 0;
}
