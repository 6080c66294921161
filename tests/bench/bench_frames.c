/*
 * What a picture costs from the start, and what each further one costs.
 *
 *     bench_frames CONFIG [--set KEY=VALUE]... [--threads N] [--views N] [--angle
 * DEGREES]
 *                  [--still N] [--json FILE]
 *     bench_frames CONFIG [--set KEY=VALUE]... --reference FILE [--points N]
 *
 * The first frame is all that `karman render` does for the first step of a config, from
 * reading the config to the picture: its bytes at rank 0, and its PNG in the file. Then
 * the camera moves on by an angle for every frame, around the point that it looks at, and
 * in the end stands still; these frames render, composite and finish, but neither load
 * nor write. Runs under mpiexec, too. FILE gets one line of JSON more.
 *
 * With --reference nothing is measured: the reference renderer draws a lattice of N x N
 * pixels of the picture, and FILE becomes a set of pixels in JSON.
 */
#include "base/array.h"
#include "base/parallel/parallel.h"
#include "base/system.h"
#include "frame/distribution/box.h"
#include "frame/job.h"
#include "frame/job_state.h"
#include "reference/reference.h"
#include "render/view/finish.h"
#include "render/volume.h"
#include "tests/support/read_config.h"

#include <argp.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OVERRIDES = 64, MOST_FRAMES = 1000, MOST_POINTS = 4096, RGB = 3 };

static const double PI = 3.14159265358979323846;

/* What to do. */
typedef struct options {
    const char *config;
    int noverrides;
    const char *overrides[MOST_OVERRIDES];
    int threads; /* 0: those that karman takes by itself */
    int views, still, points;
    double angle; /* degrees from view to view */
    const char *json, *reference;
} options;

/* The first frame; seconds since the job began, bytes summed over ranks. */
typedef struct beginning {
    double mpi;       /* MPI_Init, which comes before the job */
    double prepared;  /* all but what is done for each frame */
    double picture;   /* its bytes are at rank 0 */
    double written;   /* they are in a file */
    double processor; /* processor seconds up to then, all ranks */
    int64_t prepared_memory;
} beginning;

/* Frames of one kind; as rank 0 has them. */
typedef struct series {
    const char *name;
    int count;
    double seconds[MOST_FRAMES], processor[MOST_FRAMES]; /* the latter of all ranks */
    int64_t crossings[MOST_FRAMES], lost_rays;
} series;

/* ---- Over all ranks ---------------------------------------------------------------- */

static int64_t sum_integers(const frame_job *job, int64_t mine)
{
    int64_t sum = 0;
    parallel_allreduce(&mine, &sum, 1, MPI_INT64_T, MPI_SUM, job->scene.comm);
    return sum;
}

static double sum_numbers(const frame_job *job, double mine)
{
    double sum = 0.0;
    parallel_allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, job->scene.comm);
    return sum;
}

/* ---- One frame --------------------------------------------------------------------- */

/* The point turned by so many degrees around the axis through the centre (Rodrigues). */
static vec3 turn_about(vec3 point, vec3 centre, vec3 axis, double degrees)
{
    vec3 unit = vec3_scale(axis, 1.0 / vec3_length(axis));
    vec3 arm = vec3_sub(point, centre);
    double turn = degrees * PI / 180.0;
    vec3 along = vec3_scale(unit, vec3_dot(unit, arm) * (1.0 - cos(turn)));
    vec3 across = vec3_scale(vec3_cross(unit, arm), sin(turn));
    return vec3_add(centre,
                    vec3_add(vec3_scale(arm, cos(turn)), vec3_add(along, across)));
}

/* The config's camera, moved by an angle around what it looks at. */
static status turn_camera(frame_job *job, double degrees)
{
    const io_camera_config *c = &job->scene.config->camera;
    render_view view = {.position = turn_about(c->position, c->look_at, c->up, degrees),
                        .look_at = c->look_at,
                        .up = c->up,
                        .orthographic = c->orthographic,
                        .fov = c->fov,
                        .height = c->height};
    return render_camera_create(&view, job->scene.config->width,
                                job->scene.config->height, job->scene.layout->origin,
                                &job->scene.camera);
}

static void to_rgb(const void *context, int64_t count, const float *rgba,
                   unsigned char *rgb)
{
    const io_config *config = context;
    render_finish_rgb8(count, rgba, config->background, rgb);
}

/* From the bricks to the picture's bytes at rank 0. Collective. */
static status draw(frame_job *job, render_counters *counters)
{
    distribution_box *box = job->distribution->own;
    const composite_request request = {.algorithm = job->picture.algorithm,
                                       .params = job->picture.params,
                                       .order = box->order,
                                       .target = COMPOSITE_BYTES,
                                       .format = {.bytes_per_pixel = RGB,
                                                  .convert = to_rgb,
                                                  .context = job->scene.config}};
    composite_result result;
    image_clear(job->picture.img);
    status s = render_scene_draw(job->scene.volume.scene,
                                 &(render_request){.style = &job->scene.style,
                                                   .transfer = job->scene.volume.transfer,
                                                   .camera = &job->scene.camera,
                                                   .clip = job->scene.part.box,
                                                   .threads = job->scene.threads},
                                 job->picture.img, counters);
    grid_partition_order(box->tree, render_camera_order_point(&job->scene.camera),
                         !job->scene.camera.orthographic, box->order);
    return composite_execute(job->picture.executor, &request, job->picture.img, s,
                             &result);
}

/* One more frame of a series. Collective. */
static status measure_frame(frame_job *job, double degrees, series *frames)
{
    render_counters counters = {0};
    MPI_Barrier(job->scene.comm);
    double begin = base_clock(), processor = base_cpu_clock();
    status s = parallel_agree(job->scene.comm, turn_camera(job, degrees));
    s = s == STATUS_OK ? draw(job, &counters) : s;
    if (s != STATUS_OK) {
        return s;
    }
    int n = frames->count++;
    frames->seconds[n] = base_clock() - begin;
    frames->processor[n] = sum_numbers(job, base_cpu_clock() - processor);
    frames->crossings[n] = sum_integers(job, counters.crossings);
    frames->lost_rays += sum_integers(job, counters.lost_rays);
    return STATUS_OK;
}

/* `count` frames, `angle` degrees from one to the next; from *turned, which moves on. */
static status measure_series(frame_job *job, int count, double angle, double *turned,
                             series *frames)
{
    status s = STATUS_OK;
    for (int n = 0; n < count && s == STATUS_OK; n++) {
        *turned += angle;
        s = measure_frame(job, *turned, frames);
    }
    return s;
}

/* The job's first frame, up to its file. Collective. */
static status measure_beginning(const options *o, frame_job **job, beginning *first)
{
    const frame_job_options wanted = {
        .noverrides = o->noverrides, .overrides = o->overrides, .threads = o->threads};
    double begin = base_clock();
    status s = frame_job_create(MPI_COMM_WORLD, o->config, &wanted, job);
    if (s != STATUS_OK) {
        return s;
    }
    frame_result frame;
    first->prepared = base_clock() - begin;
    first->prepared_memory = sum_integers(*job, base_peak_memory());
    s = frame_job_render(*job, 0, &frame);
    first->picture = base_clock() - begin;
    s = s == STATUS_OK ? frame_job_finish(*job) : s;
    first->written = base_clock() - begin;
    first->processor = sum_numbers(*job, base_cpu_clock());
    return s;
}

/* ---- What is printed --------------------------------------------------------------- */

static double median_of(int count, const double *values)
{
    static double sorted[MOST_FRAMES];
    memcpy(sorted, values, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, base_array_compare_doubles);
    return 0.5 * (sorted[(count - 1) / 2] + sorted[count / 2]);
}

/* Crossings of all frames over their seconds, in millions. */
static double millions_a_second(const series *frames, const double *seconds)
{
    double crossings = 0.0, all = 0.0;
    for (int n = 0; n < frames->count; n++) {
        crossings += (double)frames->crossings[n];
        all += seconds[n];
    }
    return all > 0.0 ? 1e-6 * crossings / all : 0.0;
}

static void print_series(const frame_job *job, const series *frames)
{
    if (frames->count == 0) {
        return;
    }
    double least = frames->seconds[0];
    for (int n = 1; n < frames->count; n++) {
        least = fmin(least, frames->seconds[n]);
    }
    int cores = job->scene.ranks * job->scene.threads;
    printf("%-6s %6d %9.4f %9.4f %9.4f %11.2f %8.2f %8.2f %5lld\n", frames->name,
           frames->count, median_of(frames->count, frames->seconds), least,
           median_of(frames->count, frames->processor),
           1e-6 * (double)frames->crossings[0],
           millions_a_second(frames, frames->seconds) / cores,
           millions_a_second(frames, frames->processor), (long long)frames->lost_rays);
}

static void print_result(const frame_job *job, const beginning *first, const series *view,
                         const series *still, int64_t memory)
{
    int64_t vertices = grid_layout_vertices(job->scene.layout);
    printf("%lld vertices, %lld cells, %d x %d pixels, %d ranks, %d threads\n",
           (long long)vertices, (long long)job->scene.layout->census.cells,
           job->scene.config->width, job->scene.config->height, job->scene.ranks,
           job->scene.threads);
    printf("first frame: prepared after %.4f s, picture %.4f s, PNG %.4f s (MPI_Init "
           "before: %.4f s)\n",
           first->prepared, first->picture, first->written, first->mpi);
    printf("frames  count  median s     min s     cpu s   crossings, M  M/s/core"
           "   of cpu  lost\n");
    print_series(job, view);
    print_series(job, still);
    printf("peak memory: %.1f MiB, %.2f bytes a vertex (%.1f MiB when prepared)\n",
           (double)memory / 1048576.0, (double)memory / (double)vertices,
           (double)first->prepared_memory / 1048576.0);
}

static json_t *numbers_json(int count, const double *values)
{
    json_t *list = json_array();
    for (int n = 0; n < count; n++) {
        json_array_append_new(list, json_real(values[n]));
    }
    return list;
}

static json_t *series_json(const series *frames)
{
    json_t *crossings = json_array();
    for (int n = 0; n < frames->count; n++) {
        json_array_append_new(crossings, json_integer(frames->crossings[n]));
    }
    return json_pack("{s:o, s:o, s:o, s:I}", "seconds",
                     numbers_json(frames->count, frames->seconds), "processor",
                     numbers_json(frames->count, frames->processor), "crossings",
                     crossings, "lost_rays", (json_int_t)frames->lost_rays);
}

/* Takes `line`, and adds it to a file. */
static status write_json(json_t *line, const char *path, const char *mode)
{
    FILE *file = line ? fopen(path, mode) : NULL;
    bool good =
        file && json_dumpf(line, file, JSON_COMPACT | JSON_REAL_PRECISION(7)) == 0;
    good = good && fputc('\n', file) != EOF;
    good = (!file || fclose(file) == 0) && good;
    json_decref(line);
    return good ? STATUS_OK
                : base_fail(STATUS_OUTPUT, "%s: cannot be written, name another file",
                            path);
}

static status write_result(const options *o, const frame_job *job, const beginning *first,
                           const series *view, const series *still, int64_t memory)
{
    json_t *line = json_pack(
        "{s:s, s:i, s:i, s:i, s:i, s:I, s:I, s:f, s:f, s:f, s:f, s:f, s:I, "
        "s:I, s:o, s:o}",
        "program", "karman", "ranks", job->scene.ranks, "threads", job->scene.threads,
        "width", job->scene.config->width, "height", job->scene.config->height,
        "vertices", (json_int_t)grid_layout_vertices(job->scene.layout), "cells",
        (json_int_t)job->scene.layout->census.cells, "mpi", first->mpi, "prepared",
        first->prepared, "first", first->picture, "written", first->written,
        "first_processor", first->processor, "prepared_memory",
        (json_int_t)first->prepared_memory, "peak_memory", (json_int_t)memory, "view",
        series_json(view), "still", series_json(still));
    return write_json(line, o->json, "a");
}

static status measure(const options *o, double mpi)
{
    static series view = {.name = "view"}, still = {.name = "still"};
    frame_job *job = NULL;
    beginning first = {.mpi = mpi};
    double turned = 0.0;
    status s = measure_beginning(o, &job, &first);
    s = s == STATUS_OK ? measure_series(job, o->views, o->angle, &turned, &view) : s;
    s = s == STATUS_OK ? measure_series(job, o->still, 0.0, &turned, &still) : s;
    if (s == STATUS_OK) {
        int64_t memory = sum_integers(job, base_peak_memory());
        if (job->scene.rank == 0) {
            print_result(job, &first, &view, &still, memory);
            s = o->json ? write_result(o, job, &first, &view, &still, memory) : s;
        }
        s = parallel_agree(job->scene.comm, s);
    }
    frame_job_destroy(&job);
    return s;
}

/* ---- The reference ----------------------------------------------------------------- */

static status read_grid(const io_config *config, reference_grid *grid)
{
    const io_data_config *data = &config->data;
    const char *field = config->volume->field;
    if (!data->grid_x) {
        return reference_grid_read(data->file, 0, field, grid);
    }
    for (int n = 0; n < data->nfields; n++) {
        if (strcmp(data->fields[n].name, field) == 0) {
            const reference_paths paths = {
                .x = {data->grid_x, data->grid_y, data->grid_z},
                .iblank = data->grid_iblank,
                .scalar = data->fields[n].path};
            return reference_grid_read_paths(data->file, &paths, grid);
        }
    }
    return base_fail(STATUS_USAGE,
                     "%s is not among data.fields: the reference renderer "
                     "draws fields of the file only",
                     field);
}

static reference_transfer transfer_of(const io_volume_config *layer)
{
    return (reference_transfer){
        .ncolors = layer->ncolors,
        .colors = (const double(*)[4])layer->colors,
        .nopacities = layer->nopacities,
        .opacities = (const double(*)[2])layer->opacities,
        .opacities_are_extinction = layer->opacities_are_extinction,
        .positions_are_data = layer->positions_are_data,
        .range = {layer->range[0], layer->range[1]},
        .unit_length = layer->unit_length,
    };
}

static reference_camera camera_of(const io_config *config)
{
    const io_camera_config *c = &config->camera;
    return (reference_camera){.position = c->position,
                              .look_at = c->look_at,
                              .up = c->up,
                              .orthographic = c->orthographic,
                              .fov = c->fov,
                              .height = c->height,
                              .columns = config->width,
                              .rows = config->height};
}

/* The n-th of a lattice's `side` places along `pixels` pixels. */
static int lattice_pixel(int n, int side, int pixels)
{
    return (int)((2 * (int64_t)n + 1) * pixels / (2 * (int64_t)side));
}

/* Adds a row of the lattice. */
static void append_row(json_t *pixels, const io_config *config, int side, int at,
                       const double (*points)[2], const reference_pixel *row)
{
    for (int i = 0; i < side; i++) {
        double rgb[3];
        for (int c = 0; c < 3; c++) {
            rgb[c] = row[i].rgb[c] + row[i].transmittance * config->background[c];
        }
        json_array_append_new(pixels,
                              json_pack("{s:i, s:i, s:o}", "col", (int)points[i][0],
                                        "row", at, "rgb", numbers_json(3, rgb)));
    }
}

/* The set of pixels; NULL where memory is short. */
static json_t *draw_lattice(const io_config *config, const reference_scene *scene,
                            int side)
{
    double(*points)[2] = malloc((size_t)side * sizeof *points);
    reference_pixel *row = malloc((size_t)side * sizeof *row);
    json_t *pixels = points && row ? json_array() : NULL;
    for (int j = 0; pixels && j < side; j++) {
        int at = lattice_pixel(j, side, config->height);
        for (int i = 0; i < side; i++) {
            points[i][0] = 0.5 + lattice_pixel(i, side, config->width);
            points[i][1] = 0.5 + at;
        }
        reference_scene_render(scene, side, (const double(*)[2])points, row);
        append_row(pixels, config, side, at, (const double(*)[2])points, row);
    }
    free(points);
    free(row);
    return pixels ? json_pack("{s:i, s:o}", "image_size", config->width, "pixels", pixels)
                  : NULL;
}

static status write_lattice(const options *o, const io_config *config,
                            const reference_grid *grid)
{
    reference_locator *locator = NULL;
    status s = reference_locator_create(grid, &locator);
    if (s != STATUS_OK) {
        return s;
    }
    box3 bounds = reference_locator_bounds(locator);
    reference_scene scene = {.grid = grid,
                             .locator = locator,
                             .transfer = transfer_of(config->volume),
                             .camera = camera_of(config),
                             .step =
                                 vec3_length(vec3_sub(bounds.hi, bounds.lo)) / 4000.0};
    json_t *lattice = draw_lattice(config, &scene, o->points);
    reference_locator_destroy(&locator);
    return lattice ? write_json(lattice, o->reference, "w")
                   : base_fail_memory(0, "the pixels of the reference");
}

static status draw_reference(const options *o)
{
    io_config *config = NULL;
    reference_grid grid = {0};
    status s = read_config(o->config, o->noverrides, o->overrides, &config);
    if (s != STATUS_OK) {
        return s;
    }
    const io_volume_config *layer = config->volume;
    if (layer->auto_range || layer->auto_unit_length) {
        s = base_fail(STATUS_USAGE, "the reference renderer needs a config that gives "
                                    "'range' and 'unit_length'");
    }
    s = s == STATUS_OK ? read_grid(config, &grid) : s;
    s = s == STATUS_OK ? write_lattice(o, config, &grid) : s;
    reference_grid_clear(&grid);
    io_config_destroy(&config);
    return s;
}

/* ---- The command line -------------------------------------------------------------- */

static int parse_count(struct argp_state *state, const char *what, const char *text,
                       int least, int most)
{
    char *end;
    long value = strtol(text, &end, 10);
    if (end == text || *end || value < least || value > most) {
        argp_error(state, "%s is %s: it must be a number from %d to %d", what, text,
                   least, most);
    }
    return (int)value;
}

static double parse_angle(struct argp_state *state, const char *text)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !(fabs(value) <= 360.0)) {
        argp_error(state, "--angle is %s: it must be degrees from -360 to 360", text);
    }
    return value;
}

static void add_override(struct argp_state *state, options *o, const char *text)
{
    if (o->noverrides == MOST_OVERRIDES) {
        argp_error(state, "--set is given more than %d times", (int)MOST_OVERRIDES);
    } else {
        o->overrides[o->noverrides++] = text;
    }
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    options *o = state->input;
    switch (key) {
    case 's':
        add_override(state, o, text);
        return 0;
    case 't':
        o->threads = parse_count(state, "--threads", text, 1, 4096);
        return 0;
    case 'n':
        o->views = parse_count(state, "--views", text, 0, MOST_FRAMES);
        return 0;
    case 'l':
        o->still = parse_count(state, "--still", text, 0, MOST_FRAMES);
        return 0;
    case 'a':
        o->angle = parse_angle(state, text);
        return 0;
    case 'j':
        o->json = text;
        return 0;
    case 'r':
        o->reference = text;
        return 0;
    case 'p':
        o->points = parse_count(state, "--points", text, 1, MOST_POINTS);
        return 0;
    case ARGP_KEY_ARG:
        if (o->config) {
            argp_error(state, "'%s' is one config too many", text);
        }
        o->config = text;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "name a config");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static options parse_options(int argc, char **argv)
{
    static const struct argp_option list[] = {
        {"set", 's', "KEY=VALUE", 0, "overrides a key of the config", 0},
        {"threads", 't', "N", 0, "threads of each rank (as karman render)", 0},
        {"views", 'n', "N", 0, "frames with a new view each (10)", 0},
        {"angle", 'a', "DEGREES", 0, "from view to view (3)", 0},
        {"still", 'l', "N", 0, "frames with nothing changed (3)", 0},
        {"json", 'j', "FILE", 0, "adds a line of JSON to FILE", 0},
        {"reference", 'r', "FILE", 0, "writes pixels of the reference renderer", 0},
        {"points", 'p', "N", 0, "N x N of them (64)", 0},
        {0}};
    static const struct argp parser = {.options = list,
                                       .parser = parse_option,
                                       .args_doc = "CONFIG",
                                       .doc = "Measures the frames of a config."};
    options o = {.views = 10, .still = 3, .angle = 3.0, .points = 64};
    argp_parse(&parser, argc, argv, 0, NULL, &o);
    return o;
}

int main(int argc, char **argv)
{
    options o = parse_options(argc, argv);
    double begin = base_clock();
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    double mpi = base_clock() - begin;
    int rank = parallel_rank(MPI_COMM_WORLD);
    status s = STATUS_OK;
    if (!o.reference) {
        s = measure(&o, mpi);
    } else if (rank == 0) {
        s = draw_reference(&o);
    }
    s = parallel_agree(MPI_COMM_WORLD, s);
    if (s != STATUS_OK && rank == 0) {
        fprintf(stderr, "bench_frames: %s\n", base_fail_message());
    }
    MPI_Finalize();
    return base_status_exit_code(s);
}
