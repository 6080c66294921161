/* Wrong layers: each has one message, with its place and a remedy. */
#include "config_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A second layer, on line 12, and the text that the message about it must hold. */
typedef struct wrong_layer {
    const char *entry;
    const char *message;
} wrong_layer;

static void refuse_layers(size_t count, const wrong_layer *layers)
{
    int wrong = 0;
    for (size_t i = 0; i < count; i++) {
        char entry[2048];
        snprintf(entry, sizeof entry, "  - %s\noutput:", layers[i].entry);
        char *text = config_text_replace("output:", entry);
        wrong += config_text_refuse(layers[i].entry, text, 0, NULL, layers[i].message);
        free(text);
    }
    assert_int_equal(wrong, 0);
}

#define REFUSE_LAYERS(layers)                                                            \
    refuse_layers(sizeof(layers) / sizeof((layers)[0]), (layers))

static void unknown_kinds_are_named_with_the_nearest_known_one(void **state)
{
    (void)state;
    static const wrong_layer layers[] = {
        {"isosurfce: {field: p, value: 1}",
         "wake.yaml:12: unknown kind of layer 'isosurfce': did you mean 'isosurface'?"},
        {"slice: {field: p}",
         ":12: unknown kind of layer 'slice': did you mean 'contour'?"},
        {"outline: {}\n    grid: {k: 0}",
         ":13: layers.1 is of the kind outline, and cannot be grid, too: each layer"},
        {"outline: {}\n    walls: true", ":13: unknown key 'walls' in layers.1"},
        {"outline", ":12: layers.1: expected a kind of layer with its keys, such as"},
        {"outline:", ":12: layers.1.outline: expected a mapping of keys, such as"},
        {"particles: 3", ":12: layers.1.particles: expected a mapping of keys, such as"},
    };
    REFUSE_LAYERS(layers);
}

static void there_is_at_most_one_volume(void **state)
{
    (void)state;
    static const wrong_layer layers[] = {
        {"volume: {field: p, opacity: [[0, 1]]}",
         ":12: layers.1.volume is one volume more: there may be at most one"},
    };
    REFUSE_LAYERS(layers);
}

static void messages_name_the_place_of_the_volume(void **state)
{
    (void)state;
    static const config_text_change changes[] = {
        {"  - volume:\n", "  - outline: {}\n  - volume:\n      method: splat\n",
         ":10: layers.1.volume.method: expected auto, raycast, planes, found 'splat'"},
        {"  - volume:\n", "  - outline: {}\n  - volume:\n      unit_length: 0\n",
         ":10: layers.1.volume.unit_length must be above 0, is 0"},
        {"  - volume:\n", "  - outline: {}\n  - volume:\n      colours: grey\n",
         ":10: unknown key 'colours' in layers.1.volume: did you mean 'colors'?"},
        {"  - volume:\n", "  - outline: {}\n  - volume:\n      shade: {ambient: -1}\n",
         ":10: layers.1.volume.shade.ambient must be 0 to 1000, is -1"},
        {"  - volume:\n", "  - outline: {}\n  - volume:\n      extinction: [[0, 1]]\n",
         ":10: layers.1.volume has both opacity and extinction: leave one out"},
        {"output:", "  - outline: {}\n  - grid: {k: [0]}\noutput:",
         ":13: layers.2.grid.k: expected a finite number, found a list"},
    };
    CONFIG_TEXT_REFUSE(changes);
}

static void an_object_is_in_one_place(void **state)
{
    (void)state;
    static const wrong_layer layers[] = {
        {"object: {}", ":12: layers.1.object must have one of walls: true, family or bc, "
                       "from and to, and an index i, j or k, has none"},
        {"object: {walls: false}", "has none"},
        {"object: {walls: true, k: 0}", ":12: layers.1.object must have one of walls: "
                                        "true, family or bc, from and to, and an "
                                        "index i, j or k, has several"},
        {"object: {from: [0, 0, 0], to: [1, 1, 1], i: 1}", "has several"},
        {"object: {walls: true, family: Blade}", "has several"},
        {"object: {bc: wall, k: 0}", "has several"},
        {"object: {from: [0, 0, 0]}",
         ":12: layers.1.object needs both from and to, the first and the last vertex"},
        {"object: {to: [0, 0, 0]}", "layers.1.object needs both from and to"},
        {"object: {from: [0, 5, 0], to: [1, 4, 1]}",
         "layers.1.object.to must not be before from, has 4 after 5"},
        {"object: {from: [0, 0, -2], to: [1, 4, -3]}",
         "layers.1.object.to must not be before from, has -3 after -2"},
        {"object: {from: [0, 0], to: [1, 4, 1]}",
         "layers.1.object.from: expected a list of 3, found 2"},
        {"object: {from: [0, 0, 0.5], to: [1, 4, 1]}",
         "layers.1.object.from.2: expected a whole number, found '0.5'"},
        {"object: {i: 1, k: 2}", "layers.1.object must have one of i, j and k, has 2"},
        {"object: {k: 2.5}",
         ":12: layers.1.object.k must be a whole number, the index of a vertex, is 2.5"},
        {"object: {k: 3e9}", "layers.1.object.k is too large: 3e+09"},
        {"object: {k: first}", "layers.1.object.k: expected a finite number"},
        {"object: {walls: 1}",
         "layers.1.object.walls: expected true, auto, false, found '1'"},
    };
    REFUSE_LAYERS(layers);
}

static void paint_is_checked(void **state)
{
    (void)state;
    static const wrong_layer layers[] = {
        {"object: {k: 0, color: [1, 0, 0], color_by: p}",
         ":12: layers.1.object has both color and color_by: leave one out"},
        {"object: {k: 0, color: [1, 0, 2]}",
         ":12: layers.1.object.color must be r, g, b in 0..1, has 2"},
        {"object: {k: 0, color: {r: 1}}", "layers.1.object.color: expected a colour: [r"},
        {"object: {k: 0, color_by: p, nan_color: [-1, 0, 0]}",
         "layers.1.object.nan_color must be r, g, b in 0..1, has -1"},
        {"object: {k: 0, opacity: 1.5}",
         ":12: layers.1.object.opacity must be 0 to 1, is 1.5"},
        {"object: {k: 0, color_by: p, range: [2, 1]}",
         "layers.1.object.range must ascend, is [2, 1]"},
        {"object: {k: 0, color_by: p, range: all}",
         "layers.1.object.range: expected auto, min-max, step or a list [lo, hi], found "
         "'all'"},
        {"object: {k: 0, color_by: p, categories: [{value: 1, name: a}, {value: 1, name: "
         "b}]}",
         ":12: layers.1.object.categories.1.value is 1: values are whole numbers that "
         "ascend"},
        {"object: {k: 0, color_by: p, range: [0, 1], categories: [{value: 1, name: a}]}",
         ":12: layers.1.object.range has no meaning beside categories: leave out one"},
        {"object: {k: 0, color_by: p, map_range: [0.5, 0.25]}",
         "layers.1.object.map_range must ascend, is [0.5, 0.25]"},
        {"object: {k: 0, color_by: p, map_range: [0.5, 1.25]}",
         "layers.1.object.map_range must lie in 0..1, is [0.5, 1.25]"},
        {"object: {k: 0, color_by: p, colors: virids}",
         ":12: unknown colour map 'virids': did you mean 'viridis'"},
        {"object: {k: 0, color_by: p, colors: [[0, 0, 0, 0], [0.5, 0, 3, 0]]}",
         "layers.1.object.colors must be points [position, r, g, b] with colours in "
         "0..1, point 1 has 3"},
        {"object: {k: 0, color_by: p, colors: [[0, 0, 0, 0], [2, 0, 1, 0]]}",
         "layers.1.object.colors.1 has the position 2, not in 0..1"},
        {"object: {k: 0, lit: bright}", "layers.1.object.lit: expected true or false"},
        {"object: {k: 0, shade: {diffuse: -1}}",
         "layers.1.object.shade.diffuse must be 0 to 1000, is -1"},
        {"object: {k: 0, lit: false, shade: {shininess: 0}}",
         "layers.1.object.shade.shininess must be 1 to 1000, is 0"},
        {"object: {k: 0, style: fringes}",
         "layers.1.object.style: expected surface, wireframe, both, found 'fringes'"},
        {"object: {k: 0, line_width: 0}",
         "layers.1.object.line_width must be above 0 and at most 1000, is 0"},
        {"object: {k: 0, line_color: [0, 0, 9]}",
         "layers.1.object.line_color must be r, g, b in 0..1, has 9"},
        {"object: {k: 0, colour: [0, 0, 1]}",
         ":12: unknown key 'colour' in layers.1.object: did you mean 'color'?"},
        {"object: {k: 0, field: p}", "unknown key 'field' in layers.1.object"},
    };
    REFUSE_LAYERS(layers);
}

static void a_contour_is_on_one_plane(void **state)
{
    (void)state;
    static const wrong_layer layers[] = {
        {"contour: {field: p}",
         ":12: layers.1.contour must have one of x, y, z, i, j, k and "
         "plane: {point, normal}, has none"},
        {"contour: {field: p, k: 0, plane: {point: [0, 0, 0], normal: [1, 0, 0]}}",
         "plane: {point, normal}, has several"},
        {"contour: {field: p, i: 0, j: 0}", "must have one of i, j and k, has 2"},
        {"contour: {field: p, k: -0.5}", "layers.1.contour.k must be at least 0, or at "
                                         "most -1, the last vertex, is -0.5"},
        {"contour: {field: p, plane: {point: [0, 0, 0]}}",
         "layers.1.contour.plane.normal is missing"},
        {"contour: {field: p, plane: {point: [0, 0, 0], normal: [0, 0, 0]}}",
         ":12: layers.1.contour.plane.normal must be a direction that is not 0 and not "
         "too long"},
        {"contour: {field: p, plane: {point: [0, 0, 0], normal: [1e200, 1e200, 0]}}",
         "layers.1.contour.plane.normal must be a direction that is not 0 and not too"},
        {"contour: {field: p, plane: x}", "layers.1.contour.plane: expected a mapping"},
        {"contour: {field: p, plane: {point: [0, 0, 0], normal: [1, 0, 0]}, lic: {}}",
         ":12: layers.1.contour.lic needs an index plane: name i, j or k instead of"},
        {"contour: {field: p, k: 0, style: lines, lic: {}}",
         "layers.1.contour.lic needs coloured areas, and the style has only lines"},
        {"contour: {field: p, k: 0, lic: {length: 1}}",
         "layers.1.contour.lic.length must be 2 to 200, is 1"},
        {"isosurface: {field: p, value: 0, lic: {}}",
         "unknown key 'lic' in layers.1.isosurface"},
        {"contour: {field: p, k: 0, color_by: q}",
         "unknown key 'color_by' in layers.1.contour"},
    };
    REFUSE_LAYERS(layers);
}

static void levels_of_a_contour_are_checked(void **state)
{
    (void)state;
    static const wrong_layer layers[] = {
        {"contour: {field: p, k: 0, levels: 0}",
         ":12: layers.1.contour.levels must be 1 to 256, or a list of values, is 0"},
        {"contour: {field: p, k: 0, levels: 257}", "is 257"},
        {"contour: {field: p, k: 0, levels: many}",
         "layers.1.contour.levels: expected a number of levels or a list of values, "
         "found "
         "'many'"},
        {"contour: {field: p, k: 0, levels: {count: 3}}",
         "expected a number of levels or a list of values, found a mapping"},
        {"contour: {field: p, k: 0, levels: []}",
         "layers.1.contour.levels must be 1 to 32 values, has 0"},
        {"contour: {field: p, k: 0, levels: [1, x]}",
         ":12: layers.1.contour.levels.1: expected a finite number, found 'x'"},
        {"contour: {field: p, k: 0, levels: [1, 2, 2]}",
         ":12: layers.1.contour.levels must ascend, has 2 after 2"},
        {"contour: {field: p, k: 0, style: surface}",
         "layers.1.contour.style: expected fringes, lines, both, found 'surface'"},
        {"contour: {field: p, k: 0, bands: 3}", "layers.1.contour.bands: expected true"},
    };
    REFUSE_LAYERS(layers);
}

static void values_of_isosurfaces_are_checked(void **state)
{
    (void)state;
    static const wrong_layer layers[] = {
        {"isosurface: {field: p}",
         ":12: layers.1.isosurface needs value, such as 0.5, or values"},
        {"isosurface: {field: p, value: 1, values: [1, 2]}",
         "layers.1.isosurface has both value and values: leave one out"},
        {"isosurface: {field: p, values: [2, 1]}",
         "layers.1.isosurface.values must ascend, has 1 after 2"},
        {"isosurface: {field: p, values: []}",
         "layers.1.isosurface.values: expected at least 1 entries, found 0"},
        {"isosurface: {field: p, value: [1]}",
         "layers.1.isosurface.value: expected a finite number, found a list"},
        {"isosurface: {field: p, value: 1, k: 0}",
         "unknown key 'k' in layers.1.isosurface"},
        {"isosurface: {field: p, value: 1, opacity: -0.5}",
         "layers.1.isosurface.opacity must be 0 to 1, is -0.5"},
    };
    REFUSE_LAYERS(layers);
}

static void lines_of_grids_and_outlines_are_checked(void **state)
{
    (void)state;
    static const wrong_layer layers[] = {
        {"grid: {k: 0.5}", ":12: layers.1.grid.k must be a whole number"},
        {"grid: {i: 0, k: 0}", "layers.1.grid must have one of i, j and k, has 2"},
        {"grid: {line_width: -1}",
         "layers.1.grid.line_width must be above 0 and at most 1000, is -1"},
        {"grid: {lit: true}", "unknown key 'lit' in layers.1.grid"},
        {"outline: {color: [0, 0]}",
         "layers.1.outline.color: expected a list of 3, found 2"},
        {"outline: {color_by: p}", "unknown key 'color_by' in layers.1.outline"},
        {"outline: {block: [b]}",
         "layers.1.outline.block: expected a text, found a list"},
    };
    REFUSE_LAYERS(layers);
}

static void seeds_are_checked(void **state)
{
    (void)state;
    static const wrong_layer layers[] = {
        {"particles: {mode: path}",
         ":12: layers.1.particles needs seeds, such as seeds: [{line"},
        {"particles: {seeds: {points: [[0, 0, 0]]}}",
         "layers.1.particles.seeds: expected a list, whose entries"},
        {"particles: {seeds: [3]}", "seeds.0: expected a mapping of keys, such as"},
        {"particles: {seeds: [{block: b1}]}",
         ":12: layers.1.particles.seeds.0 must have one of points, line, plane and box, "
         "has none"},
        {"particles: {seeds: [{points: [[0, 0, 0]]}, {points: [[0, 0, 0]], line: [[0, 0, "
         "0], [1, 1, 1]]}]}",
         "layers.1.particles.seeds.1 must have one of points, line, plane and box, has "
         "several"},
        {"particles: {seeds: [{points: [0, 0, 0]}]}",
         "seeds.0.points.0: expected a list, found '0'"},
        {"particles: {seeds: [{points: [[0, 0]]}]}",
         "seeds.0.points.0: expected a list of 3, found 2"},
        {"particles: {seeds: [{line: [[0, 0, 0]], count: 3}]}",
         "seeds.0.line: expected a list of 2, found 1"},
        {"particles: {seeds: [{line: [[0, 0, 0], [1, 1, 1]]}]}",
         "seeds.0 needs count, the seeds along the line, such as 20"},
        {"particles: {seeds: [{plane: [[0, 0, 0], [1, 1, 1], [2, 2, 1]], count: 4}]}",
         "seeds.0 needs count, the seeds along the plane, such as [10, 10]"},
        {"particles: {seeds: [{box: [[0, 0, 0], [1, 1, 1]], count: [4, 4]}]}",
         "seeds.0 needs count, the seeds along the box, such as [10, 10, 10]"},
        {"particles: {seeds: [{points: [[0, 0, 0]], count: 4}]}",
         "seeds.0.count is for a line, a plane or a box, not for points"},
        {"particles: {seeds: [{line: [[0, 0, 0], [1, 1, 1]], count: 0}]}",
         ":12: layers.1.particles.seeds.0.count must be 1 to 10000000, is 0"},
        {"particles: {seeds: [{line: [[0, 0, 0], [1, 1, 1]], count: many}]}",
         "seeds.0.count: expected a whole number, found 'many'"},
        {"particles: {seeds: [{box: [[0, 0, 0], [1, 1, 1]], count: [1000, 1000, 1000]}]}",
         "layers.1.particles.seeds has more than 10000000 seeds"},
        {"particles: {seeds: [{ponts: [[0, 0, 0]]}]}",
         "unknown key 'ponts' in layers.1.particles.seeds.0: did you mean 'points'?"},
    };
    REFUSE_LAYERS(layers);
}

#define PARTICLES(keys) "particles: {seeds: [{points: [[0, 0, 0]]}], " keys "}"

static void keys_of_particles_are_checked(void **state)
{
    (void)state;
    static const wrong_layer layers[] = {
        {PARTICLES("mode: smoke"),
         ":12: layers.1.particles.mode: expected path, streak, stream, found 'smoke'"},
        {PARTICLES("style: dots"),
         "style: expected spheres, lines, tubes, arrows, found 'dots'"},
        {PARTICLES("velocity: [u, v]"), "velocity: expected a list of 3, found 2"},
        {PARTICLES("velocity: u"), "velocity: expected a list, found 'u'"},
        {PARTICLES("every: -1"),
         "layers.1.particles.every must be 0 to 2000000000, is -1"},
        {PARTICLES("trail: -1"),
         "layers.1.particles.trail must be 0 to 2000000000, is -1"},
        {PARTICLES("trail: long"),
         "trail: expected all or a number of steps, found 'long'"},
        {PARTICLES("trail: 1.5"), "trail: expected a whole number, found '1.5'"},
        {PARTICLES("direction: up"),
         "direction: expected forward, backward, both, found 'up'"},
        {PARTICLES("length: 0"), "layers.1.particles.length must be above 0, is 0"},
        {PARTICLES("max_steps: 0"), "max_steps must be 1 to 10000000, is 0"},
        {PARTICLES("tolerance: 0"), "tolerance must be above 0 and at most 0.1, is 0"},
        {PARTICLES("tolerance: 1"), "tolerance must be above 0 and at most 0.1, is 1"},
        {PARTICLES("radius: 0"), "layers.1.particles.radius must be above 0, is 0"},
        {PARTICLES("radius: thick"), "radius: expected auto or a length, found 'thick'"},
        {PARTICLES("line_width: 1001"), "line_width must be above 0 and at most 1000"},
        {PARTICLES("color: [0, 0, 1], color_by: age"),
         "layers.1.particles has both color and color_by: leave one out"},
        {PARTICLES("color_by: age, range: [1, 0]"), "range must ascend, is [1, 0]"},
        {PARTICLES("field: p"), "unknown key 'field' in layers.1.particles"},
    };
    REFUSE_LAYERS(layers);
}

static void there_are_at_most_64_layers(void **state)
{
    (void)state;
    char layers[4096] = "";
    size_t size = 0;
    for (int i = 0; i < IO_MAX_LAYERS; i++) {
        size +=
            (size_t)snprintf(layers + size, sizeof layers - size, "  - outline: {}\n");
    }
    snprintf(layers + size, sizeof layers - size, "output:");
    char *text = config_text_replace("output:", layers);
    assert_int_equal(config_text_refuse("65 layers", text, 0, NULL,
                                        "layers: expected at most 64 entries, found 65"),
                     0);
    free(text);
}

/* ---- Damage ---- */

static const char many[] =
    "data: {file: wake.h5}\n"
    "camera: {position: [0, -8, 3], look_at: [2, 0, 0], near: 1, far: 9}\n"
    "output: {frames: out/wake_%04d.png}\n"
    "clip: [{point: [0, 0, 0], normal: [0, 1, 0]}]\n"
    "annotations: {scalar_bar: {title: vorticity}, time: true, axes: true}\n"
    "layers:\n"
    "  - object: {from: [0, 0, 0], to: [9, 4, 7], color: [1, 0.5, 0], style: both}\n"
    "  - contour: {field: p, plane: {point: [2, 0, 0], normal: [1, 0, 0]}, levels: [0, "
    "1], "
    "colors: [[0, 0, 0, 0], [1, 1, 1, 1]]}\n"
    "  - contour: {field: p, k: 3.5, levels: 12, color: [0, 0, 0]}\n"
    "  - isosurface: {field: q, values: [1, 2], color_by: u, colors: [[0, 1, 1, 1]]}\n"
    "  - particles: {seeds: [{line: [[0, 0, 0], [1, 1, 1]], count: 20}, {block: b, "
    "points: [[3, 0, 2.5]]}], trail: 20, radius: auto, color: [1, 1, 1]}\n"
    "  - grid: {block: b, k: 0}\n";

/* Parses a copy of exactly so many bytes, so that the sanitizer sees reads beyond it;
 * whether that is refused. */
static bool is_refused(size_t size, const char *bytes)
{
    char *text = malloc(size + 1);
    assert_non_null(text);
    memcpy(text, bytes, size);
    io_config *config = NULL;
    base_fail_set_message("");
    status result = io_config_parse("wake.yaml", text, size, 0, NULL, &config);
    bool has_message = base_fail_message()[0] != '\0';
    if ((result != STATUS_OK && result != STATUS_USAGE) ||
        has_message != (result == STATUS_USAGE) ||
        (config != NULL) != (result == STATUS_OK)) {
        fail_msg("status %d, message '%s' for:\n%.*s", (int)result, base_fail_message(),
                 (int)size, text);
    }
    io_config_destroy(&config);
    free(text);
    return result != STATUS_OK;
}

static void damaged_layers_never_crash(void **state)
{
    (void)state;
    static const char signs[] = "[]{}:,-&*!|>'\"%\n 0\xff";
    int refused = 0, tried = 0;
    assert_false(is_refused(sizeof many - 1, many));
    for (size_t place = 0; place < sizeof many - 1; place++) {
        char text[sizeof many];
        memcpy(text, many, sizeof many);
        for (size_t sign = place % 5; sign < sizeof signs; sign += 5) {
            text[place] = signs[sign];
            refused += is_refused(sizeof many - 1, text) ? 1 : 0;
            tried++;
        }
        is_refused(place, many);
    }
    assert_true(refused > tried / 2);
}

static void misspelt_colours_are_named_with_the_nearest_ones(void **state)
{
    (void)state;
    static const wrong_layer layers[] = {
        {"outline: {color: stealblue}",
         ":12: layers.1.outline.color: unknown colour 'stealblue': did you mean "
         "'steelblue'"},
        {"outline:\n      color: #ff0000", ":13: layers.1.outline.color: expected a "
                                           "colour: [r, g, b], a name such as white, "
                                           "or \"#rrggbb\" in quotes, found nothing"},
        {"outline: {color: '#12345'}", "unknown colour '#12345'"},
        {"contour: {field: p, k: 0, colors: [red, bluee]}",
         ":12: layers.1.contour.colors: unknown colour 'bluee': did you mean 'blue'"},
        {"contour: {field: p, k: 0, colors: [[0, red], [1, 17-2]]}",
         ":12: layers.1.contour.colors: unknown colour '17-2': write [r, g, b], a name"},
        {"contour: {field: p, k: 0, colors: [[0, red], [1, [0, 1]]]}",
         ":12: layers.1.contour.colors: expected a colour: [r, g, b]"},
    };
    REFUSE_LAYERS(layers);
}

static void scales_need_ranges_that_suit_them(void **state)
{
    (void)state;
    static const wrong_layer layers[] = {
        {"contour: {field: p, k: 0, scale: log, range: [0, 1]}",
         ":12: layers.1.contour.range must lie above 0 with scale: log, is [0, 1] "
         "(scale: "
         "symlog takes any range)"},
        {"object: {k: 0, color_by: p, scale: log, range: [-2, -1]}",
         ":12: layers.1.object.range must lie above 0 with scale: log, is [-2, -1]"},
        {"contour: {field: p, k: 0, threshold: 1}",
         ":12: layers.1.contour.threshold goes with scale: symlog only"},
        {"contour: {field: p, k: 0, scale: symlog, threshold: 0}",
         ":12: layers.1.contour.threshold must be above 0, is 0"},
        {"contour: {field: p, k: 0, scale: logarithmic}",
         ":12: layers.1.contour.scale: expected linear, log, symlog, found "
         "'logarithmic'"},
    };
    REFUSE_LAYERS(layers);
}

static void axes_boxes_are_checked(void **state)
{
    (void)state;
    static const wrong_layer layers[] = {
        {"axes_box: {bounds: [[0, 0, 0], [1, 0, 1]]}",
         ":12: layers.1.axes_box.bounds must be a lower and an upper corner, has y from "
         "0 to "
         "0"},
        {"axes_box: {titles: [x, y]}",
         ":12: layers.1.axes_box.titles: expected a list of 3, found 2"},
        {"axes_box: {color_by: p}", ":12: unknown key 'color_by' in layers.1.axes_box"},
    };
    REFUSE_LAYERS(layers);
}

/* Annotations stand behind the layers of the config. */
static void bars_and_marks_are_checked(void **state)
{
    (void)state;
    static const wrong_layer layers[] = {
        {"outline: {}\nannotations: {scalar_bar: {format: '%s'}}",
         ":13: annotations.scalar_bar.format must be '%.Ne', '%.Nf' or '%.Ng' in quotes, "
         "with 0 to 17 for N, is '%s'"},
        {"outline: {}\nannotations: {scalar_bar: {format: '%.18g'}}", "is '%.18g'"},
        {"outline: {}\nannotations: {scalar_bar: {format: '%.2f%n'}}", "is '%.2f%n'"},
        {"outline: {}\nannotations: {scalar_bars: [{layer: 0}, {layer: 1}]}",
         ":13: annotations.scalar_bars.1.layer is 1, which has one colour"},
        {"outline: {}\nannotations: {scalar_bars: [{layer: 2}]}",
         ":13: annotations.scalar_bars.0.layer must be 0 to 1, the place in the list"},
        {"outline: {}\nannotations: {marks: [{text: a}]}",
         ":13: annotations.marks.0 needs either at, or from and to"},
        {"outline: {}\nannotations: {marks: [{at: [0, 0, 0], to: [1, 1, 1]}]}",
         ":13: annotations.marks.0 needs either at, or from and to"},
        {"outline: {}\nannotations: {marks: [{at: [0, 0, 0]}]}",
         ":13: annotations.marks.0 needs a text"},
    };
    REFUSE_LAYERS(layers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unknown_kinds_are_named_with_the_nearest_known_one),
        cmocka_unit_test(there_is_at_most_one_volume),
        cmocka_unit_test(messages_name_the_place_of_the_volume),
        cmocka_unit_test(an_object_is_in_one_place),
        cmocka_unit_test(paint_is_checked),
        cmocka_unit_test(a_contour_is_on_one_plane),
        cmocka_unit_test(levels_of_a_contour_are_checked),
        cmocka_unit_test(values_of_isosurfaces_are_checked),
        cmocka_unit_test(lines_of_grids_and_outlines_are_checked),
        cmocka_unit_test(seeds_are_checked),
        cmocka_unit_test(keys_of_particles_are_checked),
        cmocka_unit_test(there_are_at_most_64_layers),
        cmocka_unit_test(damaged_layers_never_crash),
        cmocka_unit_test(misspelt_colours_are_named_with_the_nearest_ones),
        cmocka_unit_test(scales_need_ranges_that_suit_them),
        cmocka_unit_test(axes_boxes_are_checked),
        cmocka_unit_test(bars_and_marks_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
