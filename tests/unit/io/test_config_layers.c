/* Layers of every kind: the value of each key, and the defaults. */
#include "config_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The config with `entry` as its second layer, behind the volume. */
static io_config *accept(const char *entry)
{
    char layers[2048];
    snprintf(layers, sizeof layers, "  - %s\noutput:", entry);
    char *text = config_text_replace("output:", layers);
    io_config *config = config_text_accept(text, 0, NULL);
    free(text);
    assert_int_equal(config->nlayers, 2);
    assert_int_equal(config->layers[0].kind, IO_LAYER_VOLUME);
    return config;
}

static const io_tool_config *tool_of(const io_config *config, io_layer_kind kind)
{
    const io_layer_config *layer = &config->layers[1];
    assert_int_equal(layer->kind, kind);
    assert_non_null(layer->tool);
    assert_null(layer->volume);
    assert_null(layer->particles);
    return layer->tool;
}

static const io_particles_config *particles_of(const io_config *config)
{
    const io_layer_config *layer = &config->layers[1];
    assert_int_equal(layer->kind, IO_LAYER_PARTICLES);
    assert_non_null(layer->particles);
    assert_null(layer->tool);
    return layer->particles;
}

/* The numbers read are those of strtod, bit for bit. */
static void assert_numbers(int count, const double *found, const double *expected)
{
    for (int i = 0; i < count; i++) {
        if (found[i] != expected[i]) {
            fail_msg("number %d: expected %.17g, found %.17g", i, expected[i], found[i]);
        }
    }
}

static void assert_color(const double found[3], double r, double g, double b)
{
    assert_numbers(3, found, (const double[]){r, g, b});
}

/* ---- Samples ---- */

/* Each kind's sample is a layer of that kind, once there is a field. */
static void test_samples(void **state)
{
    const io_layer_sample *samples = io_config_layer_samples();
    (void)state;
    assert_string_equal(samples[IO_LAYER_VOLUME].kind, "volume");
    for (int kind = IO_LAYER_OBJECT; kind < IO_LAYER_KINDS; kind++) {
        char entry[1024];
        const char *field = strstr(samples[kind].text, "FIELD");
        const int before = (int)(field ? field - samples[kind].text : 0);
        snprintf(entry, sizeof entry, "%.*s%s%s", before, samples[kind].text,
                 field ? "pressure" : "",
                 field ? field + strlen("FIELD") : samples[kind].text);
        io_config *config = accept(entry);
        assert_int_equal(config->layers[1].kind, kind);
        io_config_destroy(&config);
    }
}

/* ---- The grammar of the documentation ---- */

static const char *const documented[] = {
    "volume: {field: vorticity_magnitude, range: [0, 2], opacity: [[0, 0], [1, 0.8]]}",
    "object: {walls: true, color: [0.7, 0.7, 0.72]}",
    "object: {block: wing, k: 0, color_by: pressure, range: [0.8, 1.2], colors: "
    "cool-to-warm, style: both, line_color: [0,0,0]}",
    "object: {block: b1, from: [0, 0, 0], to: [10, 4, 7], color: [1, 0.5, 0], opacity: "
    "0.5}",
    "contour: {field: pressure, k: 3.5, levels: 12, style: lines, line_width: 2}",
    "contour: {field: mach, plane: {point: [2, 0, 0], normal: [1, 0, 0]}, levels: [0.2, "
    "0.4, 0.8], range: [0, 1], colors: turbo, opacity: 0.8}",
    "isosurface: {field: q_criterion, value: 0.3, color_by: velocity_magnitude, range: "
    "auto, opacity: 0.7, shade: {specular: 0.5}}",
    "isosurface: {field: density, values: [0.9, 1.1], colors: viridis}",
    "particles: {seeds: [{line: [[-2, -1, 0.5], [-2, 1, 0.5]], count: 20}], mode: "
    "stream, color_by: velocity_magnitude}",
    "particles: {seeds: [{block: b1, points: [[3, 0, 2.5]]}], mode: path, every: 2, "
    "trail: 20, radius: 0.02, color_by: age}",
    "grid: {block: b1, k: 0, color: [0.4, 0.4, 0.4], line_width: 1}",
    "outline: {color: [0.8, 0.8, 0.8], line_width: 1}",
};

enum { DOCUMENTED = sizeof documented / sizeof documented[0] };

static const io_layer_kind documented_kinds[DOCUMENTED] = {
    IO_LAYER_VOLUME,    IO_LAYER_OBJECT,    IO_LAYER_OBJECT,     IO_LAYER_OBJECT,
    IO_LAYER_CONTOUR,   IO_LAYER_CONTOUR,   IO_LAYER_ISOSURFACE, IO_LAYER_ISOSURFACE,
    IO_LAYER_PARTICLES, IO_LAYER_PARTICLES, IO_LAYER_GRID,       IO_LAYER_OUTLINE};

/* Makes a config with the documented layers, turned round by so many. */
static char *write_documented(int turn)
{
    char *text = malloc(8192);
    assert_non_null(text);
    int size = snprintf(text, 8192, "%s",
                        "data: {file: wake.h5}\n"
                        "camera: {position: [0, -8, 3], look_at: [2, 0, 0]}\n"
                        "output: {frames: out/wake_%04d.png}\nlayers:\n");
    for (int i = 0; i < DOCUMENTED; i++) {
        size += snprintf(text + size, (size_t)(8192 - size), "  - %s\n",
                         documented[(i + turn) % DOCUMENTED]);
    }
    return text;
}

static void layers_of_all_kinds_come_in_any_order(void **state)
{
    (void)state;
    for (int turn = 0; turn < DOCUMENTED; turn++) {
        char *text = write_documented(turn);
        io_config *config = config_text_accept(text, 0, NULL);
        assert_int_equal(config->nlayers, DOCUMENTED);
        for (int i = 0; i < DOCUMENTED; i++) {
            assert_int_equal(config->layers[i].kind,
                             documented_kinds[(i + turn) % DOCUMENTED]);
        }
        int place = (DOCUMENTED - turn) % DOCUMENTED;
        assert_ptr_equal(config->volume, config->layers[place].volume);
        assert_string_equal(config->volume->field, "vorticity_magnitude");
        io_config_destroy(&config);
        free(text);
    }
}

/* Whether a line of the documentation is a layer that is written on one line. */
static bool is_layer(const char *line)
{
    for (int kind = 0; kind < IO_LAYER_KINDS; kind++) {
        char begin[64];
        snprintf(begin, sizeof begin, "  - %s: {",
                 io_config_kind_name((io_layer_kind)kind));
        if (strncmp(line, begin, strlen(begin)) == 0) {
            return true;
        }
    }
    return false;
}

static void layers_of_the_documentation_are_good(void **state)
{
    (void)state;
    FILE *file = fopen(KARMAN_DOCS "/user/config.md", "r");
    assert_non_null(file);
    char line[1024];
    int seen = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        if (is_layer(line)) {
            char override[1100];
            snprintf(override, sizeof override, "layers=[{%s}]", line + strlen("  - "));
            const char *overrides[] = {override};
            io_config *config = config_text_accept(good_text, 1, overrides);
            assert_int_equal(config->nlayers, 1);
            io_config_destroy(&config);
            seen++;
        }
    }
    fclose(file);
    assert_true(seen >= DOCUMENTED);
}

static void a_picture_may_have_no_volume(void **state)
{
    (void)state;
    const char *override = "layers=[{outline: {}}]";
    io_config *config = config_text_accept(good_text, 1, &override);
    assert_int_equal(config->nlayers, 1);
    assert_null(config->volume);
    io_config_destroy(&config);
}

static void kinds_have_names(void **state)
{
    (void)state;
    assert_string_equal(io_config_kind_name(IO_LAYER_VOLUME), "volume");
    assert_string_equal(io_config_kind_name(IO_LAYER_PARTICLES), "particles");
    assert_string_equal(io_config_kind_name(IO_LAYER_OUTLINE), "outline");
}

/* ---- Tools ---- */

static void an_object_takes_its_defaults(void **state)
{
    (void)state;
    io_config *config = accept("object: {walls: true}");
    const io_tool_config *tool = tool_of(config, IO_LAYER_OBJECT);
    assert_true(tool->walls && tool->smooth && !tool->has_box && !tool->has_plane);
    assert_null(tool->block);
    assert_int_equal(tool->axis, -1);
    assert_int_equal(tool->style, IO_STYLE_SURFACE);
    assert_true(tool->line_width == 1.5 && !tool->has_line_color);
    const io_paint_config *paint = &tool->paint;
    assert_true(paint->has_color && paint->lit && paint->shade.on);
    assert_color(paint->color, 0.75, 0.75, 0.75);
    assert_true(paint->opacity == 1.0 && paint->field == NULL && paint->ncolors == 0);
    assert_true(paint->shade.ambient == 0.3 && paint->shade.diffuse == 0.7);
    assert_true(paint->shade.specular == 0.2 && paint->shade.shininess == 20);
    io_config_destroy(&config);
}

static void a_coloured_object_is_lit_only_with_shade(void **state)
{
    (void)state;
    io_config *config = accept("object: {k: 0, color_by: pressure}");
    assert_false(tool_of(config, IO_LAYER_OBJECT)->paint.lit);
    io_config_destroy(&config);
    config = accept("object: {k: 0, color_by: pressure, shade: {}}");
    assert_true(tool_of(config, IO_LAYER_OBJECT)->paint.lit);
    io_config_destroy(&config);
}

static void every_key_of_an_object_arrives(void **state)
{
    (void)state;
    io_config *config = accept(
        "object: {block: wing, from: [0, 1, 2], to: [10, -1, 2], color_by: pressure, "
        "range: [0.8, 1.2], map_range: [0.25, 0.75], colors: [[0, 0, 0, 0], [1, 1, 0.5, "
        "0]], nan_color: [1, 0, 1], opacity: 0.5, lit: false, shade: {specular: 0.9}, "
        "style: both, line_color: [0.1, 0.2, 0.3], line_width: 3, smooth: false}");
    const io_tool_config *tool = tool_of(config, IO_LAYER_OBJECT);
    assert_string_equal(tool->block, "wing");
    assert_true(tool->has_box && tool->from[2] == 2 && tool->to[0] == 10);
    assert_true(tool->to[1] == -1 && !tool->walls && tool->axis == -1);
    assert_int_equal(tool->style, IO_STYLE_BOTH);
    assert_true(tool->has_line_color && tool->line_width == 3.0 && !tool->smooth);
    assert_color(tool->line_color, 0.1, 0.2, 0.3);
    const io_paint_config *paint = &tool->paint;
    assert_string_equal(paint->field, "pressure");
    assert_false(paint->has_color || paint->auto_range || paint->lit || paint->shade.on);
    assert_numbers(2, paint->range, (const double[]){0.8, 1.2});
    assert_numbers(2, paint->part, (const double[]){0.25, 0.75});
    assert_int_equal(paint->ncolors, 2);
    assert_numbers(4, paint->colors[1], (const double[]){1.0, 1.0, 0.5, 0.0});
    assert_color(paint->nan_color, 1.0, 0.0, 1.0);
    assert_true(paint->opacity == 0.5 && paint->shade.specular == 0.9);
    io_config_destroy(&config);
}

static void index_planes_have_an_axis_and_an_index(void **state)
{
    (void)state;
    static const struct {
        const char *entry;
        io_layer_kind kind;
        int axis;
        double index;
    } cases[] = {
        {"object: {i: 3}", IO_LAYER_OBJECT, 0, 3.0},
        {"object: {j: -1}", IO_LAYER_OBJECT, 1, -1.0},
        {"grid: {k: 0}", IO_LAYER_GRID, 2, 0.0},
        {"grid: {}", IO_LAYER_GRID, -1, 0.0},
        {"contour: {field: p, k: 3.5}", IO_LAYER_CONTOUR, 2, 3.5},
        {"contour: {field: p, i: -2.25}", IO_LAYER_CONTOUR, 0, -2.25},
    };
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        io_config *config = accept(cases[n].entry);
        const io_tool_config *tool = tool_of(config, cases[n].kind);
        assert_int_equal(tool->axis, cases[n].axis);
        assert_true(tool->index == cases[n].index);
        io_config_destroy(&config);
    }
}

static void a_contour_takes_its_defaults(void **state)
{
    (void)state;
    io_config *config = accept("contour: {field: pressure, j: 0}");
    const io_tool_config *tool = tool_of(config, IO_LAYER_CONTOUR);
    assert_string_equal(tool->field, "pressure");
    assert_true(tool->nlevels == 10 && tool->nvalues == 0);
    assert_true(tool->bands && tool->smooth && tool->style == IO_STYLE_FRINGES);
    const io_paint_config *paint = &tool->paint;
    assert_true(!paint->has_color && paint->auto_range && !paint->lit);
    assert_numbers(2, paint->part, (const double[]){0.0, 1.0});
    assert_color(paint->nan_color, 1.0, 0.0, 0.0);
    assert_true(paint->ncolors > 2 && paint->field == NULL);
    io_config_destroy(&config);
}

static void a_contour_has_levels_on_a_plane(void **state)
{
    (void)state;
    io_config *config = accept(
        "contour: {field: mach, plane: {point: [2, 0, -1], normal: [0, 2, 0]}, levels: "
        "[0.2, 0.4, 0.8], style: lines, color: [0, 0, 0], bands: false, shade: {}}");
    const io_tool_config *tool = tool_of(config, IO_LAYER_CONTOUR);
    assert_true(tool->has_plane && tool->axis == -1);
    assert_numbers(3, tool->point.v, (const double[]){2.0, 0.0, -1.0});
    assert_numbers(3, tool->normal.v, (const double[]){0.0, 2.0, 0.0});
    assert_true(tool->nlevels == 0 && tool->nvalues == 3 && !tool->bands);
    assert_numbers(3, tool->values, (const double[]){0.2, 0.4, 0.8});
    assert_int_equal(tool->style, IO_STYLE_LINES);
    assert_true(tool->paint.has_color && tool->paint.lit);
    io_config_destroy(&config);
    config = accept("contour: {field: mach, k: 1, levels: 3, style: both}");
    tool = tool_of(config, IO_LAYER_CONTOUR);
    assert_true(tool->nlevels == 3 && tool->nvalues == 0);
    assert_int_equal(tool->style, IO_STYLE_FRINGES_AND_LINES);
    io_config_destroy(&config);
}

static void one_isosurface_is_grey_and_several_take_the_map(void **state)
{
    (void)state;
    io_config *config = accept("isosurface: {field: density, value: 0.3}");
    const io_tool_config *tool = tool_of(config, IO_LAYER_ISOSURFACE);
    assert_true(tool->nvalues == 1 && tool->values[0] == 0.3);
    assert_true(tool->paint.has_color && tool->paint.color[0] == 0.75);
    assert_true(tool->paint.lit);
    io_config_destroy(&config);

    config = accept("isosurface: {field: density, values: [0.9, 1, 1.1]}");
    tool = tool_of(config, IO_LAYER_ISOSURFACE);
    assert_true(tool->nvalues == 3 && tool->values[1] == 1.0);
    assert_true(!tool->paint.has_color && tool->paint.field == NULL);
    assert_false(tool->paint.auto_range);
    assert_numbers(2, tool->paint.range, (const double[]){0.9, 1.1});
    assert_true(tool->paint.ncolors > 2);
    io_config_destroy(&config);

    config =
        accept("isosurface: {field: density, value: 1, colors: grey, range: [0, 2]}");
    tool = tool_of(config, IO_LAYER_ISOSURFACE);
    assert_true(!tool->paint.has_color && tool->paint.ncolors == 2);
    assert_numbers(2, tool->paint.range, (const double[]){0.0, 2.0});
    io_config_destroy(&config);
}

static void an_isosurface_is_coloured_by_a_field(void **state)
{
    (void)state;
    io_config *config = accept("isosurface: {field: q, values: [1, 2], color_by: mach, "
                               "range: auto, shade: {specular: 0.5}}");
    const io_tool_config *tool = tool_of(config, IO_LAYER_ISOSURFACE);
    assert_string_equal(tool->field, "q");
    assert_string_equal(tool->paint.field, "mach");
    assert_true(tool->paint.auto_range);
    assert_true(tool->paint.shade.specular == 0.5 && tool->paint.shade.ambient == 0.3);
    io_config_destroy(&config);
}

static void lines_are_not_lit(void **state)
{
    (void)state;
    io_config *config = accept("grid: {block: b1, color_by: pressure, line_width: 2}");
    const io_tool_config *tool = tool_of(config, IO_LAYER_GRID);
    assert_true(!tool->paint.lit && !tool->paint.shade.on && !tool->paint.has_color);
    assert_true(tool->line_width == 2.0);
    io_config_destroy(&config);
    config = accept("outline: {opacity: 0.25}");
    tool = tool_of(config, IO_LAYER_OUTLINE);
    assert_true(!tool->paint.lit && tool->paint.has_color);
    assert_true(tool->paint.opacity == 0.25 && tool->line_width == 1.5);
    io_config_destroy(&config);
}

/* ---- Particles ---- */

static void stream_lines_take_their_defaults(void **state)
{
    (void)state;
    io_config *config = accept("particles: {seeds: [{points: [[1, 2, 3]]}]}");
    const io_particles_config *p = particles_of(config);
    assert_int_equal(p->mode, IO_PARTICLES_STREAM);
    assert_int_equal(p->style, IO_PARTICLES_TUBES);
    assert_string_equal(p->velocity[0], "velocity_x");
    assert_string_equal(p->velocity[2], "velocity_z");
    assert_true(p->direction == 1 && p->max_steps == 2000 && p->tolerance == 1e-6);
    assert_true(p->length == 0.0 && p->radius == 0.0 && p->line_width == 1.5);
    assert_true(p->trail == -1 && p->every == 0);
    assert_int_equal(p->color_what, IO_PAINT_CONSTANT);
    assert_true(p->paint.has_color && p->paint.lit);
    assert_int_equal(p->nseeds, 1);
    assert_int_equal(p->seeds[0].kind, IO_SEED_POINTS);
    assert_int_equal(p->seeds[0].npoints, 1);
    assert_numbers(3, p->seeds[0].points[0], (const double[]){1.0, 2.0, 3.0});
    io_config_destroy(&config);
}

static void defaults_follow_the_mode_of_particles(void **state)
{
    (void)state;
    io_config *config = accept("particles: {seeds: [{points: [[1, 2, 3]]}], mode: path}");
    const io_particles_config *p = particles_of(config);
    assert_int_equal(p->mode, IO_PARTICLES_PATH);
    assert_true(p->style == IO_PARTICLES_SPHERES && p->every == 0);
    io_config_destroy(&config);
    config = accept("particles: {seeds: [{points: [[1, 2, 3]]}], mode: streak}");
    p = particles_of(config);
    assert_int_equal(p->mode, IO_PARTICLES_STREAK);
    assert_true(p->style == IO_PARTICLES_TUBES && p->every == 1);
    io_config_destroy(&config);
}

static void every_key_of_particles_arrives(void **state)
{
    (void)state;
    io_config *config = accept(
        "particles: {seeds: [{points: [[1, 2, 3]]}], velocity: [u, v, w], every: 3, "
        "trail: 20, direction: backward, length: 7.5, max_steps: 99, tolerance: 1e-4, "
        "style: lines, radius: 0.125, line_width: 4, color_by: speed, range: [0, 3], "
        "colors: plasma, opacity: 0.5, lit: false}");
    const io_particles_config *p = particles_of(config);
    assert_string_equal(p->velocity[1], "v");
    assert_true(p->every == 3 && p->trail == 20 && p->direction == -1);
    assert_true(p->length == 7.5 && p->max_steps == 99 && p->tolerance == 1e-4);
    assert_true(p->style == IO_PARTICLES_LINES && p->radius == 0.125);
    assert_true(p->line_width == 4.0 && p->paint.opacity == 0.5 && !p->paint.lit);
    assert_int_equal(p->color_what, IO_PAINT_FIELD);
    assert_string_equal(p->paint.field, "speed");
    assert_true(p->paint.ncolors > 2 && !p->paint.auto_range);
    io_config_destroy(&config);
}

static void particles_are_coloured_by_age_and_seed(void **state)
{
    (void)state;
    io_config *config =
        accept("particles: {seeds: [{points: [[1, 2, 3]]}], color_by: age}");
    assert_int_equal(particles_of(config)->color_what, IO_PAINT_AGE);
    assert_null(particles_of(config)->paint.field);
    assert_true(particles_of(config)->paint.ncolors > 0);
    io_config_destroy(&config);
    config = accept("particles: {seeds: [{points: [[1, 2, 3]]}], color_by: seed, "
                    "direction: both, radius: auto, trail: all}");
    assert_int_equal(particles_of(config)->color_what, IO_PAINT_SEED);
    assert_int_equal(particles_of(config)->direction, 0);
    assert_int_equal(particles_of(config)->trail, -1);
    io_config_destroy(&config);
}

static void seeds_are_of_four_kinds(void **state)
{
    (void)state;
    io_config *config = accept(
        "particles: {seeds: [{line: [[0, 0, 0], [1, 0, 0]], count: 20}, {line: [[0, 0, "
        "0], [1, 0, 0]], count: [7]}, {block: b1, plane: [[0, 0, 0], [4, 0, 0], [0, 4.5, "
        "0]], count: [3, 4]}, {box: [[0, 0, 0], [1, 2, 3]], count: [2, 3, 4]}, {points: "
        "[[1, 1, 1], [2, 2, 2]]}]}");
    const io_particles_config *p = particles_of(config);
    static const io_seed_kind kinds[] = {IO_SEED_LINE, IO_SEED_LINE, IO_SEED_PLANE,
                                         IO_SEED_BOX, IO_SEED_POINTS};
    static const int counts[][3] = {
        {20, 0, 0}, {7, 0, 0}, {3, 4, 0}, {2, 3, 4}, {0, 0, 0}};
    static const int npoints[] = {2, 2, 3, 2, 2};
    assert_int_equal(p->nseeds, 5);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(p->seeds[i].kind, kinds[i]);
        assert_int_equal(p->seeds[i].npoints, npoints[i]);
        assert_memory_equal(p->seeds[i].counts, counts[i], sizeof counts[i]);
    }
    assert_string_equal(p->seeds[2].block, "b1");
    assert_null(p->seeds[3].block);
    assert_true(p->seeds[2].points[2][1] == 4.5 && p->seeds[3].points[1][2] == 3.0);
    io_config_destroy(&config);
}

/* ---- Canonical form and overrides ---- */

static void canonical_has_the_defaults_of_each_kind(void **state)
{
    (void)state;
    io_config *config = accept("outline: {block: b1}");
    assert_non_null(strstr(config->canonical,
                           "{\"outline\":{\"block\":\"b1\",\"color\":[0.75,0.75,0.75],"
                           "\"line_width\":1.5,\"opacity\":1}}"));
    io_config_destroy(&config);
    config = accept("contour: {field: p, k: 2.5}");
    assert_non_null(
        strstr(config->canonical,
               "{\"contour\":{\"bands\":true,\"colors\":\"viridis\",\"field\":\"p\","
               "\"k\":2.5,\"levels\":10,\"line_width\":1.5,\"lit\":false,"
               "\"map_range\":[0,1],\"opacity\":1,\"smooth\":true,"
               "\"style\":\"fringes\"}}"));
    io_config_destroy(&config);
}

static void overrides_reach_into_layers(void **state)
{
    (void)state;
    char *text = config_text_replace(
        "output:", "  - contour: {field: p, k: 2, levels: [1, 2, 3]}\noutput:");
    const char *overrides[] = {"layers.1.contour.levels.1=1.5",
                               ("layers.1.contour.plane={point: [0, 0, 0], normal: "
                                "[1, 1, 1]}"),
                               "layers.0.volume.field=mach"};
    const char *first[] = {overrides[0], overrides[2]};
    io_config *config = config_text_accept(text, 2, first);
    assert_true(config->layers[1].tool->values[1] == 1.5);
    assert_string_equal(config->volume->field, "mach");
    io_config_destroy(&config);
    assert_int_equal(
        config_text_refuse(overrides[1], text, 1, &overrides[1],
                           "layers.1.contour must have one of x, y, z, i, j, k and "
                           "plane: {point, normal}, has several"),
        0);
    free(text);
}

/* A layer that is not shown is checked, and the picture has no volume then. */
static void layers_may_be_hidden(void **state)
{
    (void)state;
    char *text = config_text_replace("output:", "  - {outline: {}, shown: false}\n"
                                                "output:");
    const char *hides[] = {"layers.0.shown=false"};
    const char *wrong[] = {"layers.1.shown=perhaps"};
    io_config *config = config_text_accept(text, 0, NULL);
    assert_true(config->layers[0].shown && !config->layers[1].shown);
    assert_int_equal(io_config_shown(config), 1);
    assert_null(strstr(config->canonical, "\"shown\":true")); /* --resume of before */
    io_config_destroy(&config);
    config = config_text_accept(text, 1, hides);
    assert_null(config->volume);
    assert_non_null(config->layers[0].volume);
    assert_int_equal(io_config_shown(config), 0);
    io_config_destroy(&config);
    config_text_refuse(wrong[0], text, 1, wrong,
                       "layers.1.shown: expected true or false, found 'perhaps'");
    free(text);
    text = config_text_replace("output:", "  - {shown: false, outlin: {}}\noutput:");
    config_text_refuse("outlin", text, 0, NULL,
                       "unknown kind of layer 'outlin': did you mean 'outline'?");
    free(text);
}

/* ---- Colours as texts ---- */

static void colours_may_be_names_and_digits(void **state)
{
    (void)state;
    io_config *config = accept("outline: {color: steelblue}");
    assert_color(tool_of(config, IO_LAYER_OUTLINE)->paint.color, 70 / 255.0, 130 / 255.0,
                 180 / 255.0);
    io_config_destroy(&config);
    config = accept("outline: {color: '#1F77b4'}");
    assert_color(tool_of(config, IO_LAYER_OUTLINE)->paint.color, 31 / 255.0, 119 / 255.0,
                 180 / 255.0);
    io_config_destroy(&config);
    config = accept("outline: {color: '#fA0'}");
    assert_color(tool_of(config, IO_LAYER_OUTLINE)->paint.color, 1.0, 170 / 255.0, 0.0);
    io_config_destroy(&config);
}

static void maps_may_be_lists_of_colours(void **state)
{
    (void)state;
    io_config *config =
        accept("contour: {field: p, k: 0, colors: [navy, White, '#f00']}");
    const io_paint_config *paint = &tool_of(config, IO_LAYER_CONTOUR)->paint;
    assert_int_equal(paint->ncolors, 3);
    assert_numbers(4, paint->colors[0], (const double[]){0.0, 0.0, 0.0, 128 / 255.0});
    assert_numbers(4, paint->colors[1], (const double[]){0.5, 1.0, 1.0, 1.0});
    assert_numbers(4, paint->colors[2], (const double[]){1.0, 1.0, 0.0, 0.0});
    io_config_destroy(&config);
    config = accept("contour: {field: p, k: 0, colors: [[0, lime], [0.2, 1, 1, 0], [1, "
                    "black]]}");
    paint = &tool_of(config, IO_LAYER_CONTOUR)->paint;
    assert_int_equal(paint->ncolors, 3);
    assert_numbers(4, paint->colors[0], (const double[]){0.0, 0.0, 1.0, 0.0});
    assert_numbers(4, paint->colors[1], (const double[]){0.2, 1.0, 1.0, 0.0});
    assert_numbers(4, paint->colors[2], (const double[]){1.0, 0.0, 0.0, 0.0});
    io_config_destroy(&config);
}

/* ---- Annotations and looks ---- */

static void bars_have_units_formats_and_panels(void **state)
{
    (void)state;
    io_config *config = accept(
        "outline: {}\nannotations:\n  scalar_bar: true\n  scalar_bars: [{layer: 0, unit: "
        "m/s, format: '%.3e', panel: true, place: left}, {format: '%g'}]\n  marks: "
        "[{text: "
        "a, at: [1, 2, 3]}, {from: [0, 0, 0], to: [1, 0, 0], color: red}]");
    const io_annotations_config *its = &config->annotations;
    assert_true(its->scalar_bar);
    assert_int_equal(its->bar.layer, -1);
    assert_int_equal(its->bar.panel, IO_PANEL_AUTO);
    assert_int_equal(its->nbars, 2);
    assert_string_equal(its->bars[0].unit, "m/s");
    assert_int_equal(its->bars[0].format_letter, 'e');
    assert_int_equal(its->bars[0].format_digits, 3);
    assert_int_equal(its->bars[0].panel, IO_PANEL_ON);
    assert_int_equal(its->bars[0].place, IO_BAR_LEFT);
    assert_int_equal(its->bars[1].layer, -1);
    assert_int_equal(its->bars[1].format_digits, 6);
    assert_int_equal(its->nmarks, 2);
    assert_false(its->marks[0].is_arrow);
    assert_numbers(3, its->marks[0].at.v, (const double[]){1.0, 2.0, 3.0});
    assert_true(its->marks[1].is_arrow && its->marks[1].has_color);
    io_config_destroy(&config);
}

static void looks_fill_what_is_not_given(void **state)
{
    (void)state;
    io_config *config =
        accept("outline: {line_width: 3}\nlook: paper\nannotations: {title: a}");
    const io_tool_config *outline = tool_of(config, IO_LAYER_OUTLINE);
    assert_true(config->background[0] == 1.0f);
    assert_numbers(1, &outline->line_width, (const double[]){3.0});
    assert_color(outline->paint.color, 0.25, 0.25, 0.25);
    assert_true(config->annotations.has_color);
    io_config_destroy(&config);
    config = accept("grid: {color_by: p}\nlook: dark");
    assert_false(tool_of(config, IO_LAYER_GRID)->paint.has_color);
    assert_numbers(1, &tool_of(config, IO_LAYER_GRID)->line_width, (const double[]){1.0});
    io_config_destroy(&config);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layers_of_all_kinds_come_in_any_order),
        cmocka_unit_test(layers_of_the_documentation_are_good),
        cmocka_unit_test(a_picture_may_have_no_volume),
        cmocka_unit_test(kinds_have_names),
        cmocka_unit_test(an_object_takes_its_defaults),
        cmocka_unit_test(a_coloured_object_is_lit_only_with_shade),
        cmocka_unit_test(every_key_of_an_object_arrives),
        cmocka_unit_test(index_planes_have_an_axis_and_an_index),
        cmocka_unit_test(a_contour_takes_its_defaults),
        cmocka_unit_test(a_contour_has_levels_on_a_plane),
        cmocka_unit_test(one_isosurface_is_grey_and_several_take_the_map),
        cmocka_unit_test(an_isosurface_is_coloured_by_a_field),
        cmocka_unit_test(lines_are_not_lit),
        cmocka_unit_test(stream_lines_take_their_defaults),
        cmocka_unit_test(defaults_follow_the_mode_of_particles),
        cmocka_unit_test(every_key_of_particles_arrives),
        cmocka_unit_test(particles_are_coloured_by_age_and_seed),
        cmocka_unit_test(seeds_are_of_four_kinds),
        cmocka_unit_test(canonical_has_the_defaults_of_each_kind),
        cmocka_unit_test(overrides_reach_into_layers),
        cmocka_unit_test(test_samples),
        cmocka_unit_test(layers_may_be_hidden),
        cmocka_unit_test(colours_may_be_names_and_digits),
        cmocka_unit_test(maps_may_be_lists_of_colours),
        cmocka_unit_test(bars_have_units_formats_and_panels),
        cmocka_unit_test(looks_fill_what_is_not_given),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
