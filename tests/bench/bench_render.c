/*
 * How fast the volume renderers are: cells crossed per second and core, for every kernel
 * and method.
 *
 *     bench_render [--size NIxNJxNK] [--side PIXELS] [--transfer NAME] [--view NAME]
 *                  [--threads N] [--kernel NAME] [--method NAME] [--repeat N]
 *                  [--trilinear] [--quadratic] [--stays]
 *
 * What is not asked for is all tried. The grid is an O-grid around a cylinder with a
 * vortex street, as the data set `karman` has it. Repetitions of kernels and methods
 * alternate, so that a machine that slows down for a while slows all of them down.
 * Seconds are those of processors, added up over all threads, so that a busy machine does
 * not count and crossings per second are those of one core. For instruction counts, which
 * do not depend on the machine's mood, run one case under `valgrind --tool=callgrind`.
 *
 * With --stays, pictures of a view that stays: those with kept ways beside those without,
 * in turns.
 */
#include "base/array.h"
#include "base/system.h"
#include "render/kernel/walk.h"
#include "render/scene.h"
#include "test_grid.h"
#include "tests/support/draw_volume.h"

#include <argp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_REPEATS = 101, MOST_CONTENDERS = 16 };

static const double PI = 3.14159265358979323846;

/* What to try; zero or NULL: everything. */
typedef struct options {
    int64_t size[3];
    int side, threads, repeats;
    bool trilinear, quadratic, stays;
    const char *transfer, *view, *kernel, *method;
} options;

/* A way to draw. */
typedef struct contender {
    const walk_kernel *kernel;
    render_style style;
} contender;

/* One picture to draw again and again. */
typedef struct bench_case {
    const test_grid *grid;
    const render_transfer *transfer;
    const char *transfer_name, *view_name;
    render_camera camera;
    int side, threads, repeats;
    bool stays;
    int ncontenders;
    contender contenders[MOST_CONTENDERS];
} bench_case;

/* ---- The grid ---------------------------------------------------------------------- */

static double vorticity(double x, double y, double z)
{
    double sum = 0.0;
    for (int number = 0; number < 10; number++) {
        double side = number % 2 ? -1.0 : 1.0;
        double dx = x - 1.5 * number - 0.5 - 0.3 * sin(2.0 * z), dy = y - 0.5 * side;
        sum += exp(-(dx * dx + dy * dy) / 0.4);
    }
    return sum < 1.0 ? sum : 1.0;
}

/* Circles that grow and move downstream; cells crowd at the cylinder and in the wake. */
static bool cylinder_vertex(int block, const int64_t at[3], const int64_t n[3],
                            double xyz[3], double *scalar)
{
    (void)block;
    double turn = 2.0 * PI * (double)(at[0] % (n[0] - 1)) / (double)(n[0] - 1);
    double angle = turn - 0.55 * sin(turn);
    double level = (double)at[1] / (double)(n[1] - 1);
    double out = level * (0.25 + 0.75 * level), radius = 0.5 + 8.0 * out;
    xyz[0] = 6.5 * out + radius * cos(angle);
    xyz[1] = -radius * sin(angle);
    xyz[2] = 4.0 * (double)at[2] / (double)(n[2] - 1);
    *scalar = vorticity(xyz[0], xyz[1], xyz[2]);
    return true;
}

/* ---- Transfer functions and views -------------------------------------------------- */

typedef struct named_transfer {
    const char *name;
    double opacities[3][2];
} named_transfer;

static const named_transfer transfers[] = {
    {"clear", {{0.0, 0.0}, {0.5, 0.0}, {1.0, 0.0}}},
    {"wake", {{0.0, 0.0}, {0.3, 0.0}, {1.0, 0.5}}},
    {"translucent", {{0.0, 0.01}, {0.3, 0.1}, {1.0, 0.5}}},
};

typedef struct named_view {
    const char *name;
    double position[3], look_at[3];
} named_view;

static const named_view views[] = {
    {"outside", {3.0, -22.0, 14.0}, {6.0, 0.0, 1.5}},
    {"inside", {9.0, 0.3, 2.1}, {3.0, -0.5, 1.9}},
};

enum {
    TRANSFERS = sizeof transfers / sizeof transfers[0],
    VIEWS = sizeof views / sizeof views[0]
};

static void stop_on_error(status s)
{
    if (s != STATUS_OK) {
        fprintf(stderr, "bench_render: %s\n", base_fail_message());
        exit(EXIT_FAILURE);
    }
}

static render_transfer *make_transfer(const named_transfer *named)
{
    static const double colors[4][4] = {{0.0, 0.1, 0.1, 0.4},
                                        {0.3, 0.1, 0.6, 0.5},
                                        {0.6, 0.6, 0.8, 0.2},
                                        {1, 1, 0.9, 0.1}};
    render_transfer_points points = {.ncolors = 4,
                                     .colors = colors,
                                     .nopacities = 3,
                                     .opacities = named->opacities,
                                     .range = {0.0, 1.0},
                                     .unit_length = 0.5};
    render_transfer *transfer;
    stop_on_error(render_transfer_create(&points, &transfer));
    return transfer;
}

static render_camera make_camera(const named_view *named, int side)
{
    const double *from = named->position, *to = named->look_at;
    render_view view = {.position = vec3_make(from[0], from[1], from[2]),
                        .look_at = vec3_make(to[0], to[1], to[2]),
                        .up = vec3_make(0.0, 0.0, 1.0),
                        .fov = 35.0};
    render_camera camera;
    stop_on_error(
        render_camera_create(&view, side, side, vec3_make(0.0, 0.0, 0.0), &camera));
    return camera;
}

/* ---- Measuring --------------------------------------------------------------------- */

static const char *const method_names[] = {
    [RENDER_RAYCAST] = "raycast", [RENDER_PLANES] = "planes", [RENDER_AUTO] = "auto"};

enum { METHODS = sizeof method_names / sizeof method_names[0] };

static double draw_once(const bench_case *c, const contender *by, image *img,
                        render_counters *counters)
{
    image_clear(img);
    double start = base_cpu_clock();
    stop_on_error(draw_volume(c->grid->store,
                              &(render_request){.kernel = by->kernel,
                                                .style = &by->style,
                                                .transfer = c->transfer,
                                                .camera = &c->camera,
                                                .clip = box3_everything(),
                                                .threads = c->threads},
                              img, counters));
    return base_cpu_clock() - start;
}

static void print_row(const bench_case *c, const contender *by, double *seconds,
                      const render_counters *counters)
{
    qsort(seconds, (size_t)c->repeats, sizeof *seconds, base_array_compare_doubles);
    double best = seconds[0], median = seconds[c->repeats / 2];
    double millions = 1e-6 * (double)counters->crossings;
    printf("%5d %-12s %-8s %7d %-7s %-7s %-9s %9.4f %9.4f %10lld %8.2f %8.2f %5lld\n",
           c->side, c->transfer_name, c->view_name, c->threads, by->kernel->name,
           method_names[by->style.method],
           by->style.quadratic   ? "quadratic"
           : by->style.trilinear ? "trilinear"
                                 : "linear",
           best, median, (long long)counters->crossings, millions / best,
           millions / median, (long long)counters->lost_rays);
    fflush(stdout);
}

static void run_case(const bench_case *c)
{
    static double seconds[MOST_CONTENDERS][MOST_REPEATS];
    render_counters counters[MOST_CONTENDERS];
    image *img;
    /* With depth no brick is left out, so that `clear` measures marching. */
    bool has_depth = strcmp(c->transfer_name, "wake") != 0;
    stop_on_error(image_create(c->side, c->side, has_depth, &img));
    for (int n = 0; n < c->repeats; n++) {
        for (int k = 0; k < c->ncontenders; k++) {
            seconds[k][n] = draw_once(c, &c->contenders[k], img, &counters[k]);
        }
    }
    for (int k = 0; k < c->ncontenders; k++) {
        print_row(c, &c->contenders[k], seconds[k], &counters[k]);
    }
    image_destroy(&img);
}

static bool is_wanted(const char *wanted, const char *name)
{
    return !wanted || strcmp(wanted, name) == 0;
}

/* ---- Views that stay -----------------------------------------------------------------
 */

/* A scene, and the bytes that it may keep. */
typedef struct kept_scene {
    render_scene *scene;
    int64_t keep;
    image *img;
    render_counters counters;
} kept_scene;

static double draw_kept(const bench_case *c, const contender *by, kept_scene *s)
{
    image_clear(s->img);
    double start = base_cpu_clock();
    stop_on_error(render_scene_draw(s->scene,
                                    &(render_request){.kernel = by->kernel,
                                                      .style = &by->style,
                                                      .transfer = c->transfer,
                                                      .camera = &c->camera,
                                                      .clip = box3_everything(),
                                                      .threads = c->threads,
                                                      .keep = s->keep},
                                    s->img, &s->counters));
    return base_cpu_clock() - start;
}

static double median(int count, double *seconds)
{
    qsort(seconds, (size_t)count, sizeof *seconds, base_array_compare_doubles);
    return seconds[count / 2];
}

/* Prints the times of pictures with and without kept ways, of the picture that records
 * them, and the bytes that they take. */
static void run_stays(const bench_case *c, const contender *by)
{
    static double seconds[2][MOST_REPEATS];
    kept_scene scenes[2] = {{.keep = 0}, {.keep = INT64_MAX}};
    double recording = 0.0;
    for (int n = 0; n < 2; n++) {
        stop_on_error(render_scene_create(c->grid->store, &scenes[n].scene));
        stop_on_error(image_create(
            c->side, c->side, strcmp(c->transfer_name, "wake") != 0, &scenes[n].img));
        draw_kept(c, by, &scenes[n]);
        recording = draw_kept(c, by, &scenes[n]);
    }
    for (int r = 0; r < c->repeats; r++) {
        for (int n = 0; n < 2; n++) {
            seconds[n][r] = draw_kept(c, by, &scenes[n]);
        }
    }
    const double usual = median(c->repeats, seconds[0]),
                 kept = median(c->repeats, seconds[1]);
    const render_counters *counters = &scenes[1].counters;
    printf("%5d %-12s %-8s %7d %-7s %-7s stays %9.4f kept %9.4f ratio %5.3f recording "
           "%5.2f bytes %11lld: %5.1f a crossing, %6.0f a ray%s\n",
           c->side, c->transfer_name, c->view_name, c->threads, by->kernel->name,
           method_names[by->style.method], usual, kept, kept / usual, recording / usual,
           (long long)counters->kept_bytes,
           (double)counters->kept_bytes / (double)counters->crossings,
           (double)counters->kept_bytes / (double)counters->rays,
           counters->crossings == scenes[0].counters.crossings ? "" : " other crossings");
    fflush(stdout);
    for (int n = 0; n < 2; n++) {
        render_scene_destroy(&scenes[n].scene);
        image_destroy(&scenes[n].img);
    }
}

static void run_all(const bench_case *c)
{
    if (!c->stays) {
        run_case(c);
        return;
    }
    for (int k = 0; k < c->ncontenders; k++) {
        run_stays(c, &c->contenders[k]);
    }
}

static void run_sides_and_threads(const options *o, bench_case *c, const named_view *view)
{
    static const int sides[] = {512, 1024}, threads[] = {1, 2};
    for (int s = 0; s < (o->side ? 1 : 2); s++) {
        c->side = o->side ? o->side : sides[s];
        c->camera = make_camera(view, c->side);
        for (int t = 0; t < (o->threads ? 1 : 2); t++) {
            c->threads = o->threads ? o->threads : threads[t];
            run_all(c);
        }
    }
}

static void list_contenders(const options *o, bench_case *c)
{
    const walk_kernel *const *all = render_walk_kernels();
    for (int k = 0; all[k]; k++) {
        for (int m = 0; m < METHODS && c->ncontenders < MOST_CONTENDERS; m++) {
            if (is_wanted(o->kernel, all[k]->name) &&
                is_wanted(o->method, method_names[m])) {
                const render_style style = {.method = (render_method)m,
                                            .trilinear = o->trilinear};
                c->contenders[c->ncontenders++] = (contender){all[k], style};
                if (o->quadratic && c->ncontenders < MOST_CONTENDERS) {
                    c->contenders[c->ncontenders] = c->contenders[c->ncontenders - 1];
                    c->contenders[c->ncontenders++].style.quadratic = true;
                }
            }
        }
    }
}

static void run_size(const options *o, const int64_t size[3])
{
    test_grid grid = test_grid_create(1, (const int64_t(*)[3])size, cylinder_vertex);
    bench_case c = {.grid = &grid, .repeats = o->repeats, .stays = o->stays};
    list_contenders(o, &c);
    printf("%lld x %lld x %lld vertices\n", (long long)size[0], (long long)size[1],
           (long long)size[2]);
    printf(" side transfer     view     threads kernel  method  scalar       best s  "
           "median s  "
           "crossings"
           "    M/s/core, median  lost\n");
    for (int t = 0; t < TRANSFERS; t++) {
        for (int v = 0; v < VIEWS; v++) {
            if (is_wanted(o->transfer, transfers[t].name) &&
                is_wanted(o->view, views[v].name)) {
                render_transfer *transfer = make_transfer(&transfers[t]);
                c.transfer = transfer;
                c.transfer_name = transfers[t].name;
                c.view_name = views[v].name;
                run_sides_and_threads(o, &c, &views[v]);
                render_transfer_destroy(&transfer);
            }
        }
    }
    test_grid_destroy(&grid);
}

/* ---- The command line -------------------------------------------------------------- */

static int parse_count(struct argp_state *state, const char *what, const char *text,
                       int most)
{
    char *end;
    long value = strtol(text, &end, 10);
    if (*end || value < 1 || value > most) {
        argp_error(state, "%s is %s: it must be a number from 1 to %d", what, text, most);
    }
    return (int)value;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    options *o = state->input;
    long long n[3];
    switch (key) {
    case 's':
        if (sscanf(text, "%lldx%lldx%lld", &n[0], &n[1], &n[2]) != 3 || n[0] < 9 ||
            n[1] < 3 || n[2] < 2) {
            argp_error(state, "--size %s: it must be like 81x41x11", text);
        }
        for (int axis = 0; axis < 3; axis++) {
            o->size[axis] = n[axis];
        }
        return 0;
    case 'p':
        o->side = parse_count(state, "--side", text, IMAGE_MAX_SIDE);
        return 0;
    case 'j':
        o->threads = parse_count(state, "--threads", text, 1024);
        return 0;
    case 'n':
        o->repeats = parse_count(state, "--repeat", text, MOST_REPEATS);
        return 0;
    case 't':
        o->transfer = text;
        return 0;
    case 'v':
        o->view = text;
        return 0;
    case 'k':
        o->kernel = text;
        return 0;
    case 'm':
        o->method = text;
        return 0;
    case 'i':
        o->trilinear = true;
        return 0;
    case 'y':
        o->stays = true;
        return 0;
    case 'q':
        o->quadratic = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int main(int argc, char **argv)
{
    static const struct argp_option list[] = {
        {"size", 's', "NIxNJxNK", 0, "vertices of the grid", 0},
        {"side", 'p', "PIXELS", 0, "pixels along a side of the picture", 0},
        {"threads", 'j', "N", 0, "threads", 0},
        {"repeat", 'n', "N", 0, "pictures of each case and kernel (5)", 0},
        {"transfer", 't', "NAME", 0, "clear, wake or translucent", 0},
        {"view", 'v', "NAME", 0, "outside or inside", 0},
        {"kernel", 'k', "NAME", 0, "plain, four, avx2 or avx512", 0},
        {"method", 'm', "NAME", 0, "raycast, planes or auto", 0},
        {"trilinear", 'i', NULL, 0, "interpolation: trilinear", 0},
        {"stays", 'y', NULL, 0, "a view that stays, with kept ways and without", 0},
        {"quadratic", 'q', NULL, 0, "also interpolation: quadratic, in turns", 0},
        {0}};
    static const struct argp parser = {
        .options = list, .parser = parse_option, .doc = "Measures the volume renderers."};
    static const int64_t sizes[][3] = {{81, 41, 11}, {321, 129, 26}, {513, 257, 33}};
    options o = {.repeats = 5};
    argp_parse(&parser, argc, argv, 0, NULL, &o);
    if (o.size[0] > 0) {
        run_size(&o, o.size);
        return EXIT_SUCCESS;
    }
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        run_size(&o, sizes[s]);
    }
    return EXIT_SUCCESS;
}
