/* Values found for fields with a known distribution: ranges by volume, the box of a flow
 * in a far field. The same on any number of ranks. */
#include "frame/complete.h"
#include "test_io_support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A block of a file: its vertices, and a field at each. */
typedef struct shape {
    const char *name;
    int n[3];
    void (*place)(const double unit[3], double point[3]); /* of 0..1 along i, j, k */
    double (*field)(const double point[3], int step);
    int (*mark)(const double point[3]); /* iblank; NULL: none */
    bool in_cells;
} shape;

/* One array of a shape, from a field at its vertices or at the centres of its cells;
 * malloc'ed. */
static double *fill(const shape *s, bool cells, int axis, int step)
{
    const int m[3] = {s->n[0] - cells, s->n[1] - cells, s->n[2] - cells};
    double *values = malloc((size_t)(m[0] * m[1] * m[2]) * sizeof *values);
    size_t at = 0;
    for (int k = 0; k < m[2]; k++) {
        for (int j = 0; j < m[1]; j++) {
            for (int i = 0; i < m[0]; i++, at++) {
                const double middle = cells ? 0.5 : 0.0;
                const double unit[3] = {(i + middle) / (s->n[0] - 1),
                                        (j + middle) / (s->n[1] - 1),
                                        (k + middle) / (s->n[2] > 1 ? s->n[2] - 1 : 1)};
                double point[3];
                s->place(unit, point);
                values[at] = axis == 3   ? (double)s->mark(point)
                             : axis >= 0 ? point[axis]
                                         : s->field(point, step);
            }
        }
    }
    return values;
}

static void write_array(hid_t file, const shape *s, const char *path, int axis, int step)
{
    const bool cells = axis < 0 && s->in_cells;
    const hsize_t dims[3] = {(hsize_t)(s->n[2] - cells), (hsize_t)(s->n[1] - cells),
                             (hsize_t)(s->n[0] - cells)};
    double *values = fill(s, cells, axis, step);
    file_write(file, path, axis == 3 ? H5T_STD_I32LE : H5T_IEEE_F64LE, 3, dims, values);
    free(values);
}

/* Writes a file of some shapes with the field f at steps 0, 1, …. Collective. */
static void write_file(const char *name, int count, const shape *shapes, int steps)
{
    char path[64];
    hid_t file = is_root() ? file_create(test_path(name)) : 0;
    for (int n = 0; n < count && is_root(); n++) {
        for (int axis = 0; axis < 3 + (shapes[n].mark != NULL); axis++) {
            snprintf(path, sizeof path, "/grid/%s/%s", shapes[n].name,
                     axis == 3 ? "iblank" : (const char *[]){"x", "y", "z"}[axis]);
            write_array(file, &shapes[n], path, axis, 0);
        }
        for (int step = 0; step < steps; step++) {
            snprintf(path, sizeof path, "/flow/%d/%s/f", step, shapes[n].name);
            write_array(file, &shapes[n], path, -1, step);
        }
    }
    if (is_root()) {
        H5Fclose(file);
    }
    parallel_agree(MPI_COMM_WORLD, STATUS_OK);
}

/* The completed config of a file, with more lines; NULL on failure. Collective. */
static io_config *complete(const char *name, const char *lines)
{
    char text[1024];
    io_config *config = NULL;
    snprintf(text, sizeof text, "data: {file: '%s'}\noutput: {frames: '%%04d.png'}\n%s",
             test_path(name), lines);
    const frame_job_options options = {.text = text};
    check_ok(frame_config_complete(MPI_COMM_WORLD, "test.yaml", &options, NULL, &config),
             lines);
    return config;
}

/* Checks the range of the first layer; each end may be off by `off`. Collective. */
static void check_range(const char *name, const char *lines, const double expected[2],
                        double off)
{
    io_config *config = complete(name, lines);
    if (config) {
        const io_volume_config *volume = config->volume;
        const io_paint_config *paint = volume ? NULL : &config->layers[0].tool->paint;
        const double *range = volume ? volume->range : paint->range;
        check(fabs(range[0] - expected[0]) <= off && fabs(range[1] - expected[1]) <= off,
              "%s, %s: expected the range [%.10g, %.10g] within %g, got [%.10g, %.10g]",
              name, lines, expected[0], expected[1], off, range[0], range[1]);
        check(volume ? !volume->auto_range && volume->nopacities > 0 : !paint->auto_range,
              "%s: something is open still", name);
    }
    io_config_destroy(&config);
}

/* ---- Distributions ----------------------------------------------------------------- */

static void even(const double unit[3], double point[3])
{
    memcpy(point, unit, 3 * sizeof *point);
}

/* Cells along x grow from a tiny size. */
static void stretched(const double unit[3], double point[3])
{
    memcpy(point, unit, 3 * sizeof *point);
    point[0] = unit[0] * unit[0];
}

/* Half a ring of radii 1 to 3. */
static void ring(const double unit[3], double point[3])
{
    const double radius = 1.0 + 2.0 * unit[1], angle = acos(-1.0) * (1.0 - unit[0]);
    point[0] = radius * cos(angle);
    point[1] = radius * sin(angle);
    point[2] = unit[2];
}

static double take_x(const double point[3], int step)
{
    (void)step;
    return point[0];
}

static double take_radius(const double point[3], int step)
{
    (void)step;
    return hypot(point[0], point[1]);
}

static void ranges_are_those_of_the_volume(void)
{
    static const double one[2] = {0.01, 0.99};
    static const shape shapes[] = {
        {"b", {41, 5, 4}, even, take_x, NULL, false},
        {"b", {41, 5, 4}, stretched, take_x, NULL, false},
        {"b", {41, 5, 4}, even, take_x, NULL, true},
        {"b", {4, 5, 41}, even, take_x, NULL, false},
    };
    /* Widths of cells at the far end. */
    static const double widths[] = {1.0 / 40, 2.0 / 40, 1.0 / 40, 1.0 / 3};
    for (int n = 0; n < 4; n++) {
        write_file("box.h5", 1, &shapes[n], 1);
        check_range("box.h5", "", one, widths[n]);
        check_range("box.h5", "layers: [{volume: {}}]\n", one, widths[n]);
        test_file_remove(test_path("box.h5"));
    }
}

static void ranges_of_a_ring_follow_its_area(void)
{
    static const shape half = {"ring", {31, 81, 3}, ring, take_radius, NULL, false};
    /* A share (r^2 - 1) / 8 of the area between radii 1 and 3 lies within r. */
    const double expected[2] = {sqrt(1.08), sqrt(8.92)};
    write_file("ring.h5", 1, &half, 1);
    check_range("ring.h5", "", expected, 2.0 / 80);
    test_file_remove(test_path("ring.h5"));
}

/* ---- Steps ------------------------------------------------------------------------- */

static double grow(const double point[3], int step)
{
    return point[0] * (1 + step) - step;
}

static void min_max_and_auto_take_all_steps(void)
{
    static const shape box = {"b", {41, 5, 4}, even, grow, NULL, false};
    /* 1 % of the volume of the last step has less than -8.9. The greatest value is 1 at
     * all of them. */
    static const double all[2] = {-9.0, 1.0}, most[2] = {-8.9, 0.99},
                        one[2] = {0.01, 0.99};
    write_file("steps.h5", 1, &box, 10);
    check_range("steps.h5", "layers: [{volume: {range: min-max}}]\n", all, 0.0);
    check_range("steps.h5", "layers: [{volume: {range: min-max, opacity: auto}}]\n", all,
                0.0);
    check_range("steps.h5", "layers: auto\n", most, 0.26);
    test_file_remove(test_path("steps.h5"));
    write_file("step.h5", 1, &box, 1);
    check_range("step.h5", "", one, 1.0 / 40);
    test_file_remove(test_path("step.h5"));
}

/* One of 20 steps is five times as strong. */
static double burst(const double point[3], int step)
{
    return (step == 7 ? 5.0 : 1.0) * point[0];
}

static void a_burst_counts(void)
{
    static const shape box = {"b", {41, 5, 4}, even, burst, NULL, false};
    static const double expected[2] = {0.01, 4.95};
    write_file("burst.h5", 1, &box, 20);
    check_range("burst.h5", "", expected, 5.0 / 40);
    test_file_remove(test_path("burst.h5"));
}

/* ---- Values that do not count ------------------------------------------------------ */

/* Absurd values beyond x = 0.8, where there is no flow. */
static double odd(const double point[3], int step)
{
    (void)step;
    return point[0] > 0.81 ? 1e9 : point[1] > 0.9 ? (double)NAN : point[0];
}

static int blank_odd(const double point[3])
{
    return point[0] <= 0.81;
}

static void blanked_cells_and_missing_values_do_not_count(void)
{
    static const shape box = {"b", {41, 11, 4}, even, odd, blank_odd, false};
    static const double expected[2] = {0.008, 0.792}, all[2] = {0.0, (double)0.8f};
    write_file("odd.h5", 1, &box, 1);
    check_range("odd.h5", "", expected, 1.0 / 40);
    check_range("odd.h5", "layers: [{volume: {range: min-max}}]\n", all, 0.0);
    test_file_remove(test_path("odd.h5"));
}

/* ---- Far fields -------------------------------------------------------------------- */

/* A hundred times as wide as the box around 0..1. */
static void far_away(const double unit[3], double point[3])
{
    for (int axis = 0; axis < 3; axis++) {
        point[axis] = 0.5 + 100.0 * (unit[axis] - 0.5);
    }
}

static double rest(const double point[3], int step)
{
    (void)point;
    (void)step;
    return 0.5;
}

static void a_far_field_does_not_bury_the_flow(void)
{
    static const shape shapes[] = {{"flow", {21, 21, 21}, even, take_x, NULL, false},
                                   {"far", {12, 12, 12}, far_away, rest, NULL, false}};
    static const double expected[2] = {0.01, 0.99};
    write_file("far.h5", 2, shapes, 1);
    check_range("far.h5", "", expected, 1.0 / 20);
    io_config *config = complete("far.h5", "");
    for (int axis = 0; axis < 3 && config; axis++) {
        const double middle = config->camera.look_at.v[axis];
        const double eye = config->camera.position.v[axis];
        check(fabs(middle - 0.5) < 0.3, "the picture has %g in its middle", middle);
        check(fabs(eye - 0.5) < 8.0, "the eye is at %g, far from the flow", eye);
    }
    io_config_destroy(&config);
    test_file_remove(test_path("far.h5"));
}

/* ---- Opacity ----------------------------------------------------------------------- */

/* Greatest opacity of the volume. */
static double thickest(const io_config *config)
{
    double most = 0.0;
    for (int n = 0; n < config->volume->nopacities; n++) {
        most = fmax(most, config->volume->opacities[n][1]);
    }
    return most;
}

/* 0 in most of the box; a ball of radius 0.35 in which it grows to 1. */
static double ball(const double point[3], int step)
{
    (void)step;
    const double x = point[0] - 0.5, y = point[1] - 0.5, z = point[2] - 0.5;
    return fmax(1.0 - sqrt(x * x + y * y + z * z) / 0.35, 0.0);
}

static void the_free_stream_is_clear_unless_the_range_is_its(void)
{
    static const shape box = {"b", {33, 33, 33}, even, ball, NULL, false};
    write_file("ball.h5", 1, &box, 1);
    io_config *config = complete("ball.h5", "");
    if (config) {
        const io_volume_config *volume = config->volume;
        check(volume->opacities[0][0] == 0.0 && volume->opacities[0][1] == 0.0,
              "the free stream has the opacity %g", volume->opacities[0][1]);
        check(volume->opacities[volume->nopacities - 1][1] > 0.02,
              "the flow has the opacity %g",
              volume->opacities[volume->nopacities - 1][1]);
        for (int n = 1; n < volume->nopacities; n++) {
            check(volume->opacities[n][0] > volume->opacities[n - 1][0],
                  "point %d of the opacity is there twice", n);
        }
    }
    io_config_destroy(&config);
    config = complete("ball.h5", "layers: [{volume: {range: [0, 0.01]}}]\n");
    check(config && thickest(config) > 0.0, "a range of the free stream shows nothing");
    io_config_destroy(&config);
    test_file_remove(test_path("ball.h5"));
}

/* ---- Fields ------------------------------------------------------------------------ */

/* Writes a field of whole numbers or of another function to step 0 of a file. */
static void add_field(hid_t file, const char *name, bool is_whole, const shape *s)
{
    char path[64];
    const hsize_t dims[3] = {(hsize_t)s->n[2], (hsize_t)s->n[1], (hsize_t)s->n[0]};
    double *values = fill(s, false, -1, 0);
    snprintf(path, sizeof path, "/flow/0/b/%s", name);
    file_write(file, path, is_whole ? H5T_STD_U8LE : H5T_IEEE_F64LE, 3, dims, values);
    free(values);
}

static void the_first_field_is_none_of_marks(void)
{
    static const shape box = {"b", {9, 5, 4}, even, take_x, NULL, false};
    write_file("marks.h5", 1, &box, 1);
    if (is_root()) {
        hid_t file = file_open(test_path("marks.h5"));
        add_field(file, "a_phase", true, &box);
        add_field(file, "a_wallMask", false, &box);
        H5Fclose(file);
    }
    parallel_agree(MPI_COMM_WORLD, STATUS_OK);
    io_config *config = complete("marks.h5", "");
    check(config && strcmp(config->layers[0].tool->field, "f") == 0, "expected f, got %s",
          config ? config->layers[0].tool->field : "nothing");
    io_config_destroy(&config);
    test_file_remove(test_path("marks.h5"));
}

static double zero(const double point[3], int step)
{
    (void)point;
    return 0.0 * step;
}

static double two(const double point[3], int step)
{
    (void)point;
    return 2.0 + 0.0 * step;
}

static double ten(const double point[3], int step)
{
    (void)point;
    return 10.0 + 0.0 * step;
}

/* An energy of 0, one that is alike although the momentum varies, and others. */
static void an_energy_that_is_alike_everywhere_gives_no_pressure(void)
{
    static const struct {
        double (*energy)(const double point[3], int step);
        double (*momentum)(const double point[3], int step);
        bool is_void;
    } cases[] = {{zero, take_x, true},
                 {ten, take_x, true},
                 {ten, two, false},
                 {take_x, take_x, false}};
    static const char *const names[] = {"density", "momentum_x", "momentum_y",
                                        "momentum_z", "energy"};
    for (int n = 0; n < 4; n++) {
        shape box = {"b", {9, 5, 4}, even, take_x, NULL, false};
        io_config *config = NULL;
        char text[512];
        write_file("energy.h5", 1, &box, 1);
        hid_t file = is_root() ? file_open(test_path("energy.h5")) : 0;
        for (int f = 0; f < 5 && is_root(); f++) {
            box.field = f == 4 ? cases[n].energy : f > 0 ? cases[n].momentum : two;
            add_field(file, names[f], false, &box);
        }
        if (is_root()) {
            H5Fclose(file);
        }
        parallel_agree(MPI_COMM_WORLD, STATUS_OK);
        snprintf(text, sizeof text, "data: {file: '%s'}\noutput: {frames: 'a.png'}\n",
                 test_path("energy.h5"));
        const frame_job_options options = {.text = text, .field = "mach"};
        status s =
            frame_config_complete(MPI_COMM_WORLD, "test.yaml", &options, NULL, &config);
        check((s != STATUS_OK) == cases[n].is_void, "case %d: %s", n,
              base_fail_message());
        check(!cases[n].is_void ||
                  (strncmp(base_fail_message(), "--field mach: ", 14) == 0 &&
                   strstr(base_fail_message(), "energy has one value everywhere")),
              "case %d: %s", n, base_fail_message());
        base_fail_set_message("");
        io_config_destroy(&config);
        test_file_remove(test_path("energy.h5"));
    }
}

/* ---- Overrides and messages -------------------------------------------------------- */

/* A calm stream, and common values in the box of the flow that are far from 0. */
static double wake(const double point[3], int step)
{
    (void)step;
    const double y = point[1] - 0.5, z = point[2] - 0.5;
    const double r = hypot(y, z);
    return r > 0.3 ? 0.002 * (1.0 - r) : r > 0.1 ? 0.5 + 0.3 * point[0] : 1.0;
}

static void a_calm_stream_is_clear_although_the_flow_is_of_another_value(void)
{
    static const shape box = {"b", {9, 41, 41}, even, wake, NULL, false};
    write_file("wake.h5", 1, &box, 1);
    io_config *config = complete("wake.h5", "");
    check(config && config->volume->opacities[0][1] == 0.0 &&
              config->volume->opacities[1][1] == 0.0,
          "the free stream is not clear");
    io_config_destroy(&config);
    test_file_remove(test_path("wake.h5"));
}

/* Completes a config of a file without layers; NULL: it fails. */
static io_config *complete_with(const char *name, const char *field, const char *override)
{
    char text[512];
    io_config *config = NULL;
    snprintf(text, sizeof text, "data: {file: '%s'}\noutput: {frames: 'a.png'}\n",
             test_path(name));
    const frame_job_options options = {.text = text,
                                       .field = field,
                                       .noverrides = override ? 1 : 0,
                                       .overrides = &override};
    frame_config_complete(MPI_COMM_WORLD, "test.yaml", &options, NULL, &config);
    return config;
}

static double none(const double point[3], int step)
{
    (void)point;
    (void)step;
    return (double)NAN;
}

static void overrides_change_layers_that_are_found(void)
{
    static const shape box = {"b", {9, 5, 4}, even, take_x, NULL, false};
    write_file("found.h5", 1, &box, 1);
    io_config *config = complete_with("found.h5", NULL, "layers.0.volume.scale=log");
    check(config && config->volume->scale == BASE_SCALE_LOG &&
              config->volume->range[0] > 0.0,
          "no logarithm: %s", base_fail_message());
    io_config_destroy(&config);
    config = complete_with("found.h5", NULL, "layers.7.volume.scale=log");
    check(!config && strstr(base_fail_message(), "--set layers.7.volume.scale=log: '7'"),
          "a layer too many: %s", base_fail_message());
    io_config_destroy(&config);
    base_fail_set_message("");
    test_file_remove(test_path("found.h5"));
}

static void messages_name_the_option_that_was_given(void)
{
    static const shape box = {"b", {9, 5, 4}, even, none, NULL, false};
    write_file("nothing.h5", 1, &box, 1);
    io_config *config = complete_with("nothing.h5", "f", NULL);
    check(!config && strncmp(base_fail_message(), "--field f: ", 11) == 0, "message: %s",
          base_fail_message());
    io_config_destroy(&config);
    base_fail_set_message("");
    config = complete_with("nothing.h5", NULL, NULL);
    check(!config && strncmp(base_fail_message(), "found by karman: ", 17) == 0,
          "message: %s", base_fail_message());
    io_config_destroy(&config);
    base_fail_set_message("");
    test_file_remove(test_path("nothing.h5"));
}

/* ---- Grids alone ------------------------------------------------------------------- */

/* A ring around a cylinder of radius 1, within one of radius 20; cells grow outwards. */
static void around_a_body(const double unit[3], double point[3])
{
    const double radius = pow(20.0, unit[1]), angle = 2.0 * acos(-1.0) * unit[0];
    point[0] = radius * cos(angle);
    point[1] = radius * sin(angle);
    point[2] = unit[2];
}

/* A C-grid of parabolas around a thin body: for |u| above 1 it touches itself. */
static void around_a_nose(const double unit[3], double point[3])
{
    const double u = 2.0 * (2.0 * unit[0] - 1.0);
    const double v = 0.1 * fmax(1.0 - fabs(u), 0.0) + unit[1] * unit[1];
    point[0] = u * u - v * v;
    point[1] = 2.0 * u * v;
    point[2] = unit[2];
}

static void flat_plate(const double unit[3], double point[3])
{
    point[0] = 3.0 * unit[0];
    point[1] = unit[1] * unit[1] * unit[1];
    point[2] = 0.01 * unit[2];
}

static void upper_box(const double unit[3], double point[3])
{
    stretched(unit, point);
    point[1] = 1.0 + unit[1];
}

/* The config of a grid without fields. Collective. */
static io_config *complete_grid(int count, const shape *shapes, const char *lines)
{
    write_file("grid.h5", count, shapes, 0);
    io_config *config = complete("grid.h5", lines);
    test_file_remove(test_path("grid.h5"));
    return config;
}

static const io_tool_config *object_of(const io_config *config, int layer)
{
    return config && layer < config->nlayers &&
                   config->layers[layer].kind == IO_LAYER_OBJECT
               ? config->layers[layer].tool
               : NULL;
}

/* Whether a layer is an object between these vertices. */
static bool is_between(const io_config *config, int layer, const int64_t from[3],
                       const int64_t to[3])
{
    const io_tool_config *object = object_of(config, layer);
    return object && object->has_box &&
           memcmp(object->from, from, 3 * sizeof *from) == 0 &&
           memcmp(object->to, to, 3 * sizeof *to) == 0;
}

static int count_kind(const io_config *config, io_layer_kind kind)
{
    int count = 0;
    for (int n = 0; config && n < config->nlayers; n++) {
        count += config->layers[n].kind == kind;
    }
    return count;
}

static void a_grid_without_walls_shows_its_outer_faces(void)
{
    static const shape box = {"b", {9, 5, 4}, even, take_x, NULL, false};
    io_config *config = complete_grid(1, &box, "");
    check(is_between(config, 0, (const int64_t[3]){0, 0, 0},
                     (const int64_t[3]){-1, -1, -1}),
          "the first layer shows no outer faces");
    check(count_kind(config, IO_LAYER_OBJECT) == 1 &&
              count_kind(config, IO_LAYER_OUTLINE) == 1 &&
              count_kind(config, IO_LAYER_AXES_BOX) == 1,
          "the layers beside them");
    const io_tool_config *object = object_of(config, 0);
    check(object && object->style == IO_STYLE_BOTH && object->every == 0 &&
              object->paint.lit,
          "its look");
    io_config_destroy(&config);
}

static void a_body_in_a_far_field_is_shown_from_near(void)
{
    static const shape body = {"b", {25, 13, 4}, around_a_body, take_x, NULL, false};
    io_config *config = complete_grid(1, &body, "");
    check(
        is_between(config, 0, (const int64_t[3]){0, 0, 0}, (const int64_t[3]){24, 0, 3}),
        "the first layer is not the body");
    check(count_kind(config, IO_LAYER_OBJECT) == 2, "a plane behind the body");
    const vec3 eye = config ? config->camera.position : vec3_make(0, 0, 0);
    check(vec3_length(eye) < 15.0, "the eye is %g from the body", vec3_length(eye));
    io_config_destroy(&config);
}

static void the_wake_of_a_body_is_no_wall(void)
{
    static const shape nose = {"b", {33, 9, 5}, around_a_nose, take_x, NULL, false};
    io_config *config = complete_grid(1, &nose, "");
    check(
        is_between(config, 0, (const int64_t[3]){8, 0, 0}, (const int64_t[3]){24, 0, 4}),
        "the wall is not the body alone");
    io_config_destroy(&config);
}

static void faces_between_blocks_are_no_walls(void)
{
    static const shape two[] = {{"a", {5, 9, 5}, stretched, take_x, NULL, false},
                                {"b", {5, 9, 5}, upper_box, take_x, NULL, false}};
    io_config *config = complete_grid(2, two, "");
    check(is_between(config, 0, (const int64_t[3]){0, 0, 0}, (const int64_t[3]){0, 8, 4}),
          "the first layer is not the lower end of x");
    check(count_kind(config, IO_LAYER_OBJECT) >= 1, "no walls");
    for (int n = 0; config && n < config->nlayers; n++) {
        const io_tool_config *object = object_of(config, n);
        const int64_t joint = object && object->block[0] == 'a' ? 8 : 0;
        check(!object || object->from[1] != joint || object->to[1] != joint,
              "layer %d is between blocks", n);
    }
    io_config_destroy(&config);
}

/* Two planes, as far apart as they are wide. */
static void apart(const double unit[3], double point[3])
{
    for (int axis = 0; axis < 3; axis++) {
        point[axis] = 4.0 * unit[axis];
    }
}

static void sheets_show_their_flat_side(void)
{
    static const shape shapes[] = {{"b", {9, 5, 1}, even, take_x, NULL, false},
                                   {"b", {17, 9, 2}, flat_plate, take_x, NULL, false},
                                   {"b", {25, 17, 2}, apart, take_x, NULL, false}};
    for (int n = 0; n < 3; n++) {
        io_config *config = complete_grid(1, &shapes[n], "");
        const io_tool_config *object = object_of(config, 0);
        check(object && object->axis == 2 && object->index == 0.0 && !object->paint.lit,
              "the sheet %d is no plane of k", n);
        check(count_kind(config, IO_LAYER_GRID) == 1, "sheet %d has no lines", n);
        if (config) {
            const vec3 way = vec3_sub(config->camera.look_at, config->camera.position);
            check(fabs(way.v[0]) < 1e-6 && fabs(way.v[1]) < 1e-6 && way.v[2] < 0.0,
                  "sheet %d is seen along %g, %g, %g", n, way.v[0], way.v[1], way.v[2]);
            check(config->camera.orthographic, "sheet %d is skewed", n);
        }
        io_config_destroy(&config);
    }
}

/* The volume of a cell of stretched cells is 1, 3, …, 15 times that of the first one. */
static void the_quality_of_cells_colours_a_grid(void)
{
    static const shape box = {"b", {9, 5, 4}, stretched, take_x, NULL, false};
    write_file("quality.h5", 1, &box, 0);
    io_config *config = complete_with("quality.h5", "cell_volume", NULL);
    const io_tool_config *object = object_of(config, 0);
    check(object && object->paint.field &&
              strcmp(object->paint.field, "cell_volume") == 0,
          "the grid has no colours of cell_volume: %s", base_fail_message());
    const double least = 1.0 / 64.0 / 12.0;
    check(object && fabs(object->paint.range[0] - least) < 1e-3 * least &&
              fabs(object->paint.range[1] - 15.0 * least) < 1e-2 * least,
          "the range of volumes is %g to %g", object ? object->paint.range[0] : 0.0,
          object ? object->paint.range[1] : 0.0);
    io_config_destroy(&config);
    test_file_remove(test_path("quality.h5"));
}

/* A flat grid with a field is drawn by a contour. */
static void flat_grids_have_contours(void)
{
    static const shape sheet = {"b", {9, 5, 1}, even, take_x, NULL, false};
    write_file("plain.h5", 1, &sheet, 1);
    io_config *config = complete("plain.h5", "");
    check(config && !config->volume && config->nlayers > 0 &&
              config->layers[0].kind == IO_LAYER_CONTOUR,
          "layers of a flat grid");
    io_config_destroy(&config);
    test_file_remove(test_path("plain.h5"));
}

/* ---- Kinds of pictures ---------------------------------------------------------------
 */

/* An O-grid around a cylinder of radius 1, with its joint upstream; cells grow outwards.
 */
static void around_a_cylinder(const double unit[3], double point[3])
{
    const double radius = 1.0 + 19.0 * unit[1] * unit[1] * unit[1];
    const double angle = 2.0 * acos(-1.0) * unit[0];
    point[0] = -radius * cos(angle);
    point[1] = radius * sin(angle);
    point[2] = 2.0 * unit[2];
}

static int wall_at_cylinder(const double point[3])
{
    return hypot(point[0], point[1]) < 1.001 ? 2 : 1;
}

/* Large near the wall, and 0 elsewhere. */
static double near_wall(const double point[3], int step)
{
    (void)step;
    return fmax(1.0 - 2.0 * (hypot(point[0], point[1]) - 1.0), 0.0);
}

/* The same, and behind the cylinder. */
static double behind(const double point[3], int step)
{
    const bool is_behind = point[0] > 0.0 && point[0] < 12.0 && fabs(point[1]) < 1.5;
    return fmax(near_wall(point, step), is_behind ? 0.8 : 0.0);
}

/* Values of all places are as common. */
static void a_field_that_varies_everywhere_has_slices(void)
{
    static const shape box = {"b", {17, 9, 9}, even, take_x, NULL, false};
    write_file("kind.h5", 1, &box, 1);
    io_config *config = complete("kind.h5", "");
    check(config && !config->volume && count_kind(config, IO_LAYER_CONTOUR) == 4 &&
              count_kind(config, IO_LAYER_AXES_BOX) == 1,
          "no slices");
    io_config_destroy(&config);
    test_file_remove(test_path("kind.h5"));
}

static void a_wake_is_a_volume_and_a_layer_at_a_wall_is_not_alone(void)
{
    static const shape wakes[] = {
        {"o", {65, 41, 7}, around_a_cylinder, near_wall, wall_at_cylinder, false},
        {"o", {65, 41, 7}, around_a_cylinder, behind, wall_at_cylinder, false}};
    for (int n = 0; n < 2; n++) {
        write_file("kind.h5", 1, &wakes[n], 1);
        io_config *config = complete("kind.h5", "");
        check(config && config->volume && count_kind(config, IO_LAYER_OBJECT) == 1,
              "flow %d: no volume and wall", n);
        check(count_kind(config, IO_LAYER_CONTOUR) == 1 - n, "flow %d: %d slices", n,
              count_kind(config, IO_LAYER_CONTOUR));
        io_config_destroy(&config);
        test_file_remove(test_path("kind.h5"));
    }
}

/* A sheet of three planes, of which the far field has most; its picture is cut off near
 * the body. */
static void a_sheet_shows_its_body(void)
{
    static const shape sheet = {"o",         {65, 41, 3}, around_a_cylinder,
                                take_radius, NULL,        false};
    write_file("kind.h5", 1, &sheet, 1);
    io_config *config = complete("kind.h5", "");
    check(config && !config->volume && config->layers[0].kind == IO_LAYER_CONTOUR &&
              config->layers[0].tool->axis == 2,
          "no contour of k");
    check(config && config->camera.orthographic, "the sheet is skewed");
    check(config && config->nclips == 4, "%d planes cut it off",
          config ? config->nclips : 0);
    check(config && config->camera.height < 25.0, "the picture is %g high",
          config ? config->camera.height : 0.0);
    check(config && config->camera.up.v[1] == 1.0, "y is not upwards");
    io_config_destroy(&config);
    test_file_remove(test_path("kind.h5"));
}

/* Cells of which the centres lie on a line are seen whole. */
static void two_cells_are_seen_whole(void)
{
    static const shape two = {"b", {3, 2, 2}, even, take_x, NULL, true};
    write_file("kind.h5", 1, &two, 1);
    io_config *config = complete("kind.h5", "");
    const vec3 eye = config ? config->camera.position : vec3_make(0, 0, 0);
    check(vec3_length(vec3_sub(eye, vec3_make(0.5, 0.5, 0.5))) > 1.5,
          "the eye is at %g %g %g, in the grid", eye.v[0], eye.v[1], eye.v[2]);
    io_config_destroy(&config);
    test_file_remove(test_path("kind.h5"));
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    test_folder_create("test_auto");
    run_test("ranges are those of the volume", ranges_are_those_of_the_volume);
    run_test("ranges of a ring follow its area", ranges_of_a_ring_follow_its_area);
    run_test("min-max and auto take all steps", min_max_and_auto_take_all_steps);
    run_test("a burst counts", a_burst_counts);
    run_test("blanked cells and missing values do not count",
             blanked_cells_and_missing_values_do_not_count);
    run_test("a far field does not bury the flow", a_far_field_does_not_bury_the_flow);
    run_test("the free stream is clear, unless the range is its",
             the_free_stream_is_clear_unless_the_range_is_its);
    run_test("the first field is none of marks", the_first_field_is_none_of_marks);
    run_test("an energy that is alike everywhere gives no pressure",
             an_energy_that_is_alike_everywhere_gives_no_pressure);
    run_test("a calm stream is clear, although the flow is of another value",
             a_calm_stream_is_clear_although_the_flow_is_of_another_value);
    run_test("overrides change layers that are found",
             overrides_change_layers_that_are_found);
    run_test("messages name the option that was given",
             messages_name_the_option_that_was_given);
    run_test("a grid without walls shows its outer faces",
             a_grid_without_walls_shows_its_outer_faces);
    run_test("a body in a far field is shown from near",
             a_body_in_a_far_field_is_shown_from_near);
    run_test("the wake of a body is no wall", the_wake_of_a_body_is_no_wall);
    run_test("faces between blocks are no walls", faces_between_blocks_are_no_walls);
    run_test("sheets show their flat side", sheets_show_their_flat_side);
    run_test("the quality of cells colours a grid", the_quality_of_cells_colours_a_grid);
    run_test("flat grids have contours", flat_grids_have_contours);
    run_test("a field that varies everywhere has slices",
             a_field_that_varies_everywhere_has_slices);
    run_test("a wake is a volume, and a layer at a wall is not alone",
             a_wake_is_a_volume_and_a_layer_at_a_wall_is_not_alone);
    run_test("a sheet shows its body", a_sheet_shows_its_body);
    run_test("two cells are seen whole", two_cells_are_seen_whole);
    test_folder_remove();
    int code = finish_tests();
    MPI_Finalize();
    return code;
}
