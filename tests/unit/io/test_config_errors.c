/* Wrong configs: each has one message, with its place and a remedy. */
#include "config_text.h"
#include "tests/support/read_config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void unknown_keys_are_named_with_the_nearest_known_one(void **state)
{
    (void)state;
    static const config_text_change changes[] = {
        {"width", "widht",
         "runs/wake.yaml:3: unknown key 'widht' in image: did you mean 'width'?"},
        {"camera:", "kamera:",
         "wake.yaml:4: unknown key 'kamera' in the config: did you mean 'camera'?"},
        {"  file", "  files",
         "wake.yaml:2: unknown key 'files' in data: did you mean 'file'?"},
        {"look_at", "lookat",
         ":6: unknown key 'lookat' in camera: did you mean 'look_at'?"},
        {"range", "rnage",
         ":10: unknown key 'rnage' in layers.0.volume: did you mean 'range'?"},
        {"field", "variable",
         ":9: unknown key 'variable' in layers.0.volume, which has: field,"},
        {"frames", "frame", ":13: unknown key 'frame' in output: did you mean 'frames'?"},
        {"image:", "partion: object\nimage:", "did you mean 'partition'?"},
        {"file: wake.h5", "file: wake.h5\n  grid: {x: /a, y: /b, z: /c, iblanc: /d}",
         ":3: unknown key 'iblanc' in data.grid: did you mean 'iblank'?"},
        {"width", "a_very_long_key_that_nobody_would_ever_have_meant_to_write_at_all",
         "in image, which has: width, height, scale, background, samples, filter"},
    };
    CONFIG_TEXT_REFUSE(changes);
}

static void missing_keys_are_named(void **state)
{
    (void)state;
    static const config_text_change changes[] = {
        {"data:\n  file: wake.h5\n", "", "runs/wake.yaml: data.file is missing"},
        {"  file: wake.h5\n", "  gamma: 1.4\n", "wake.yaml:2: data.file is missing"},
        {"output:\n  frames: out/wake_%04d.png\n", "", ": output is missing"},
        {"frames: out/wake_%04d.png", "timings: t.json", "output.frames is missing"},
        {"frames: out/wake_%04d.png", "frames:",
         ":13: output.frames is empty: write, for example, 'output: {frames: "
         "out/wake_%04d.png}'"},
        {"file: wake.h5", "file: ''", "wake.yaml:2: data.file must not be empty"},
    };
    CONFIG_TEXT_REFUSE(changes);
}

static void wrong_types_say_what_was_expected_and_found(void **state)
{
    (void)state;
    static const config_text_change changes[] = {
        {"640", "abc", ":3: image.width: expected a whole number, found 'abc'"},
        {"640", "640.5", "image.width: expected a whole number, found '640.5'"},
        {"640", "0640", "image.width: expected a whole number, found '0640'"},
        {"640", "[640]", "image.width: expected a whole number, found a list"},
        {"640", "99999999999", "image.width: 99999999999 is too large"},
        {"640", "99999999999999999999999", "expected a whole number"},
        {"[0, -8, 3]", "here",
         ":5: camera.position: expected auto or a list [x, y, z], found 'here'"},
        {"[0, -8, 3]", "[0, -8]", "camera.position: expected a list of 3, found 2"},
        {"[0, -8, 3]", "[0, -8, 3, 1]", "camera.position: expected a list of 3, found 4"},
        {"[0, -8, 3]", "[0, .nan, 3]",
         "camera.position.1: expected a finite number, found '.nan'"},
        {"[0, -8, 3]", "[0, inf, 3]", "expected a finite number, found 'inf'"},
        {"[0, -8, 3]", "[0, 1e999, 3]", "expected a finite number, found '1e999'"},
        {"[0, -8, 3]", "[0, 0x10, 3]", "expected a finite number, found '0x10'"},
        {"[0, -8, 3]", "[0, {a: 1}, 3]", "expected a finite number, found a mapping"},
        {"{width: 640, height: 480}", "640x480",
         ":3: image: expected a mapping of keys, such as"},
        {"out/wake_%04d.png", "[a]", "output.frames: expected a text, found a list"},
        {"[[0, 0], [1, 0.8]]", "0.5",
         "layers.0.volume.opacity: expected auto or a list of points [position, alpha], "
         "found '0.5'"},
        {"[[0, 0], [1, 0.8]]", "[]", "opacity: expected at least 1 entries, found 0"},
        {"[[0, 0], [1, 0.8]]", "[0, 0, 1, 0.8]",
         "layers.0.volume.opacity.0: expected a list, found '0'"},
        {"[[0, 0], [1, 0.8]]", "[[0, 0], [1, 0.8, 2]]",
         "layers.0.volume.opacity.1: expected a list of 2, found 3"},
        {"[0, 2]", "automatic",
         "range: expected auto, min-max, step or a list [lo, hi], found 'automatic'"},
        {"[0, 2]", "[0, 1, 2]", "range: expected a list of 2, found 3"},
        {"data:\n  file: wake.h5", "data: wake.h5",
         ":1: data: expected a mapping of keys, such as"},
    };
    CONFIG_TEXT_REFUSE(changes);
}

static void values_out_of_range_are_refused(void **state)
{
    (void)state;
    static const config_text_change changes[] = {
        {"640", "0", ":3: image.width must be 1 to 65535, is 0"},
        {"480", "-5", ":3: image.height must be 1 to 65535, is -5"},
        {"640", "65536", "image.width must be 1 to 65535, is 65536"},
        {"{width: 640, height: 480}", "{width: 65535, height: 65535}",
         ":3: image has 65535 x 65535 pixels, more than the most, 1073741824"},
        {"height: 480", "height: 480, background: [0, 0, 1.5]",
         "image.background must be r, g, b in 0..1, has 1.5"},
        {"height: 480", "height: 480, background: whit",
         "image.background: unknown colour 'whit': did you mean 'white', "
         "'whitesmoke' or 'wheat'?; no colour: none"},
        {"height: 480", "height: 480, samples: 65",
         "image.samples must be 1 to 64, is 65"},
        {"height: 480", "height: 480, samples: many",
         "image.samples: expected adaptive or a whole number, found 'many'"},
        {"height: 480", "height: 700, scale: 100",
         "image.scale makes the picture 64000 x 70000 pixels large"},
        {"height: 480", "height: 480, bits: 12",
         "image.bits: expected 8, 16, found '12'"},
        {"[2, 0, 0]", "[0, -8, 3]", ":6: camera.look_at is where the camera stands"},
        {"[2, 0, 0]", "[0, -8, 9]", "camera.up is parallel to the line from position"},
        {"[2, 0, 0]", "[2, 0, 0]\n  up: [0, 0, 0]", ":7: camera.up must not be zero"},
        {"[2, 0, 0]", "[2, 0, 0]\n  fov: 180",
         ":7: camera.fov must be between 0 and 180 degrees, is 180"},
        {"[2, 0, 0]", "[2, 0, 0]\n  fov: 0", "camera.fov must be between 0 and 180"},
        {"[2, 0, 0]", "[1e308, -1e308, 1e308]", "coordinates that are too large"},
        {"[2, 0, 0]", "[2, 0, 0]\n  projection: orthographic\n  height: 0",
         ":8: camera.height must be above 0, is 0"},
        {"[2, 0, 0]", "[2, 0, 0]\n  projection: isometric",
         ":7: camera.projection: expected perspective, orthographic, parallel, found "
         "'isometric'"},
        {"[0, 2]", "[2, 2]", ":10: layers.0.volume.range must ascend, is [2, 2]"},
        {"[0, 2]", "[0, 2]\n      unit_length: 0",
         ":11: layers.0.volume.unit_length must be above 0, is 0"},
        {"[1, 0.8]", "[1, 1.01]",
         ":11: layers.0.volume.opacity must have values in 0..1"},
        {"[1, 0.8]", "[1, -0.1]", "opacity must have values in 0..1, point 1 has -0.1"},
        {"[1, 0.8]", "[1.5, 0.8]",
         "opacity.1 has the position 1.5, not in 0..1 of range"},
        {"[0, 0], [1, 0.8]", "[0.5, 0], [0.4, 0.8]",
         "opacity.1 has the position 0.4 after 0.5: positions must ascend"},
        {"opacity: [[0, 0], [1, 0.8]]", "extinction: [[0, 0], [1, -1]]",
         "extinction must have values of at least 0, point 1 has -1"},
        {"field:", "colors: [[0, 0, 0, 1], [1, 2, 0, 0]]\n      field:",
         "colors must be points [position, r, g, b] with colours in 0..1, point 1 has 2"},
        {"field:", "colors: [[0, 0, 0, 1], [-1, 0, 0, 0]]\n      field:",
         "colors.1 has the position -1 after 0"},
        {"field:", "opacity: [[0, 1]]\n      extinction: [[0, 1]]\n      field:",
         ":10: layers.0.volume has both opacity and extinction: leave one out"},
        {"field:", "positions: percent\n      field:",
         "positions: expected fraction, data, found 'percent'"},
    };
    CONFIG_TEXT_REFUSE(changes);
}

static void what_data_says_is_checked(void **state)
{
    (void)state;
    static const config_text_change changes[] = {
        {"wake.h5", "wake.h5\n  steps: some",
         ":3: data.steps: expected all, first, last, a step's number, [first, last], "
         "[first, last, stride] or {list: [3, 7]}, found 'some'"},
        {"wake.h5", "wake.h5\n  priority: body", "data.priority: expected a list"},
        {"wake.h5", "wake.h5\n  priority: [[body]]", "data.priority.0: expected"},
        {"wake.h5", "wake.h5\n  steps: {first: 1}", "{list: [3, 7]}, found a mapping"},
        {"wake.h5", "wake.h5\n  steps: [1, b]",
         "expected a whole number, first or last, found 'b'"},
        {"wake.h5", "wake.h5\n  steps: [5, 3]",
         ":3: data.steps must end at or after the first"},
        {"wake.h5", "wake.h5\n  steps: [0, 3, 0]",
         "data.steps must have a stride of at least"},
        {"wake.h5", "wake.h5\n  steps: -1", ":3: data.steps must not be negative"},
        {"wake.h5", "wake.h5\n  gamma: 1", ":3: data.gamma must be above 1, is 1"},
        {"wake.h5", "wake.h5\n  gas_constant: 0", "data.gas_constant must be above 0"},
        {"wake.h5", "wake.h5\n  fields: [p]", "data.fields: expected a mapping such as"},
        {"wake.h5", "wake.h5\n  fields: {p: [a]}",
         "data.fields: expected the path of a data"},
        {"wake.h5", "wake.h5\n  fields:\n    p: /p\n    p: /q",
         ":5: the key 'p' is there twice in data.fields"},
        {"wake.h5", "wake.h5\n  grid: {x: x, y: /y, z: /z}\n  fields: {p: /p}",
         ":3: data.grid.x must begin with '/', is 'x'"},
        {"wake.h5", "wake.h5\n  grid: {x: /x, y: /%d/y, z: /z}\n  fields: {p: /p}",
         "data.grid.y must not hold %d: the grid is the same at every step"},
        {"wake.h5", "wake.h5\n  grid: {x: /x, y: /y, z: /z}\n  fields: {p: /%s/%s}",
         ":4: data.fields.p may hold one %d or %0Nd for the step and one %s for the "
         "block, "
         "no other %: '/%s/%s'"},
        {"wake.h5",
         "wake.h5\n  grid: {x: /x, y: /y, z: /z}\n  fields:\n    p: /p\n    q: q",
         ":6: data.fields.q must begin with '/', is 'q'"},
        {"wake.h5", "wake.h5\n  grid: {x: /x, y: /y, z: /z}\n  fields: {p: '/p[x]'}",
         "data.fields.p must end with a component such as [0], with [step] or with both: "
         "'/p[x]'"},
        {"wake.h5",
         "wake.h5\n  grid: {x: /x, y: /y, z: /z}\n  fields: "
         "{a_name_that_is_much_too_long_for_"
         "a_field_of_a_grid_in_this_program_to_have: /p}",
         "data.fields: a name has more than 63 bytes"},
    };
    CONFIG_TEXT_REFUSE(changes);
}

static void a_wrong_method_is_refused(void **state)
{
    (void)state;
    static const config_text_change changes[] = {
        {"field:", "method: splat\n      field:",
         "layers.0.volume.method: expected auto, raycast, planes, found 'splat'"},
        {"field:", "method: planes\n      interpolation: trilinear\n      field:",
         ":9: layers.0.volume.method 'planes' does not draw trilinear cells: use "
         "auto or raycast with interpolation: trilinear"},
        {"field:", "method: planes\n      shade: {}\n      field:",
         ":9: layers.0.volume.method 'planes' does not shade: use auto or raycast with "
         "shade"},
        {"field:",
         "method: planes\n      opacity_by_gradient: [[0, 0], [1, 1]]\n      field:",
         ":9: layers.0.volume.method 'planes' does not weigh opacity by the gradient: "
         "use "
         "auto or raycast with opacity_by_gradient"},
    };
    CONFIG_TEXT_REFUSE(changes);
}

static void shading_out_of_range_is_refused(void **state)
{
    (void)state;
    static const config_text_change changes[] = {
        {"field:", "shade: {ambient: -0.1}\n      field:",
         ":9: layers.0.volume.shade.ambient must be 0 to 1000, is -0.1"},
        {"field:", "shade: {diffuse: 1001}\n      field:",
         ":9: layers.0.volume.shade.diffuse must be 0 to 1000, is 1001"},
        {"field:", "shade: {specular: -1}\n      field:",
         ":9: layers.0.volume.shade.specular must be 0 to 1000, is -1"},
        {"field:", "shade: {shininess: 0}\n      field:",
         ":9: layers.0.volume.shade.shininess must be 1 to 1000, is 0"},
        {"field:", "shade: {shininess: 1001}\n      field:",
         ":9: layers.0.volume.shade.shininess must be 1 to 1000, is 1001"},
        {"field:", "shade: {shininess: 2.5}\n      field:",
         ":9: layers.0.volume.shade.shininess: expected"},
        {"field:", "shade: true\n      field:",
         ":9: layers.0.volume.shade: expected a mapping of keys, such as"},
        {"field:", "shade: {gloss: 1}\n      field:",
         ":9: unknown key 'gloss' in layers.0.volume.shade, which has: ambient,"},
    };
    CONFIG_TEXT_REFUSE(changes);
}

static void wrong_lights_are_refused(void **state)
{
    (void)state;
    static const config_text_change changes[] = {
        {"image:", "lights: [{color: [1, 0, 0]}]\nimage:",
         ":3: lights.0 must have one of direction, position and headlight, has none"},
        {"image:", "lights: [{direction: [0, 0, 1], position: [0, 0, 1]}]\nimage:",
         ":3: lights.0 must have one of direction, position and headlight, has several"},
        {"image:", "lights:\n  - headlight: true\n  - headlight: false\nimage:",
         ":5: lights.1 has headlight: false, which is no light: leave the entry out"},
        {"image:", "lights: [{direction: [0, 0, 0]}]\nimage:",
         ":3: lights.0.direction must be a direction that is not 0 and not too long"},
        {"image:", "lights: [{direction: [0, 1]}]\nimage:",
         ":3: lights.0.direction: expected a list of 3, found 2"},
        {"image:", "lights: [{headlight: true, color: [1, 2, 0]}]\nimage:",
         ":3: lights.0.color must be r, g, b in 0..1, has 2"},
        {"image:", "lights: [{headlight: true, intensity: -1}]\nimage:",
         ":3: lights.0.intensity must be 0 to 1000, is -1"},
        {"image:", "lighting: {shadows: {}}\nimage:",
         ":3: lighting.shadows needs a light with a direction or a position in lights"},
        {"image:", "lighting: {distance_cue: {range: [3, 2]}}\nimage:",
         ":3: lighting.distance_cue.range must ascend, is [3, 2]"},
        {"image:", "lighting: {occlusion: {radius: 0}}\nimage:",
         ":3: lighting.occlusion.radius must be above 0 and at most 1000, is 0"},
        {"image:", "lights: []\nimage:",
         ":3: lights: expected at least 1 entries, found 0"},
        {"image:",
         "lights: [{headlight: true}, {headlight: true}, {headlight: true}, {headlight: "
         "true}, {headlight: true}, {headlight: true}, {headlight: true}, {headlight: "
         "true}, {headlight: true}, {headlight: true}, {headlight: true}, {headlight: "
         "true}, {headlight: true}, {headlight: true}, {headlight: true}, {headlight: "
         "true}, {headlight: true}]\nimage:",
         ":3: lights: expected at most 16 entries, found 17"},
        {"image:", "lights: {headlight: true}\nimage:", ":3: lights: expected a list"},
    };
    CONFIG_TEXT_REFUSE(changes);
}

static void partitions_must_be_known(void **state)
{
    (void)state;
    static const config_text_change changes[] = {
        {"image:", "partition: grid\nimage:",
         ":3: partition: expected object, screen or a mapping such as {kind: screen, "
         "balance: area}, found 'grid'"},
        {"image:", "partition: [screen]\nimage:", ":3: partition: expected object"},
        {"image:", "partition: {balance: cost}\nimage:", ":3: partition"},
        {"image:", "partition: {kind: pixels}\nimage:", ":3: partition.kind: expected"},
        {"image:", "partition: {kind: screen, balanse: area}\nimage:",
         "did you mean 'balance'?"},
        {"image:", "partition: {kind: screen, balance: even}\nimage:",
         ":3: partition.balance: expected"},
        {"image:", "partition: {kind: screen, balance: cells}\nimage:",
         ":3: partition.balance must be cost or area with kind: screen"},
        {"image:", "partition: {kind: object, balance: area}\nimage:",
         ":3: partition.balance must be cells or cost with kind: object"},
    };
    CONFIG_TEXT_REFUSE(changes);
}

static void memory_must_be_a_number_with_a_unit(void **state)
{
    (void)state;
    static const config_text_change changes[] = {
        {"image:", "memory: 4\nimage:",
         ":3: memory must be a number above 0 with KiB, MiB, GiB or TiB, such as 4 GiB, "
         "is '4'"},
        {"image:", "memory: 4 GB\nimage:", ":3: memory must be a number"},
        {"image:", "memory: GiB\nimage:", ":3: memory must be a number"},
        {"image:", "memory: 0 GiB\nimage:", ":3: memory must be a number"},
        {"image:", "memory: -1 GiB\nimage:", ":3: memory must be a number"},
        {"image:", "memory: 4 GiB more\nimage:", ":3: memory must be a number"},
        {"image:", "memory: 1e30 TiB\nimage:", ":3: memory must be a number"},
        {"image:", "memory: [4 GiB]\nimage:", ":3: memory: expected"},
    };
    CONFIG_TEXT_REFUSE(changes);
}

static void layers_must_be_a_list_of_kinds(void **state)
{
    (void)state;
    static const char *const overrides[][2] = {
        {"layers=[]", "layers is empty: write, for example, 'layers: [{volume: {field:"},
        {"layers=volume", "layers: expected a list, whose entries begin with '- '"},
        {"layers={volume: {field: p}}",
         "layers: expected a list, whose entries begin with '- '"},
        {"layers=[volume]", "layers.0: expected a kind of layer"},
        {"layers=[{}]", "layers.0: expected a kind of layer"},
        {"layers.0.volume=3", "layers.0.volume: expected a mapping of keys, such as"},
    };
    int wrong = 0;
    for (size_t i = 0; i < sizeof overrides / sizeof overrides[0]; i++) {
        wrong += config_text_refuse(overrides[i][0], good_text, 1, &overrides[i][0],
                                    overrides[i][1]);
    }
    assert_int_equal(wrong, 0);
}

static void names_of_frames_need_the_step_and_nothing_else(void **state)
{
    (void)state;
    static const config_text_change changes[] = {
        {"wake_%04d", "wake_%d_%d",
         ":13: output.frames must hold one %d or %0Nd for the step"},
        {"wake_%04d", "wake_%s",
         "no other % (%% for a percent sign), is 'out/wake_%s.png'"},
        {"wake_%04d", "wake_%d_%n", "output.frames must hold one %d"},
        {"wake_%04d", "wake_%ld", "output.frames must hold one %d"},
        {"frames:", "tile_costs: true\n  frames:",
         ":13: output.tile_costs is written into the file output.timings"},
        {"frames:", "warm_caches: true\n  frames:",
         ":13: output.warm_caches is for the file output.timings"},
        {"frames:", "float: f_%s.h5\n  frames:", ":13: output.float must hold one %d"},
    };
    CONFIG_TEXT_REFUSE(changes);
}

static void composite_parameters_are_checked(void **state)
{
    (void)state;
    static const char *const overrides[][2] = {
        {"composite.factors=[4, 1]", "composite.factors must be at least 2 each, has 1"},
        {"composite.factors=4", "composite.factors: expected a list, found '4'"},
        {"composite.group=0", "composite.group must be at least 1, is 0"},
        {"composite.fan_in=1", "composite.fan_in must be at least 2, is 1"},
        {"composite.segment=100", "composite.segment must be 1024 to 16777216, is 100"},
        {"composite.encoding=zip", "composite.encoding: expected auto, raw, found 'zip'"},
        {"composite.algoritm=tree", "unknown key 'algoritm' in composite: did you mean"},
        {"composite.factors=[2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,"
         "2,2,2]",
         "composite.factors: expected at most 32 entries, found 33"},
    };
    int wrong = 0;
    for (size_t i = 0; i < sizeof overrides / sizeof overrides[0]; i++) {
        wrong += config_text_refuse(overrides[i][0], good_text, 1, &overrides[i][0],
                                    overrides[i][1]);
    }
    assert_int_equal(wrong, 0);
}

static void keys_that_are_there_twice_are_refused(void **state)
{
    (void)state;
    static const config_text_change changes[] = {
        {"640", "640, width: 320",
         ":3: the key 'width' is there twice in image, first on line 3"},
        {"output:", "image: {}\noutput:",
         ":12: the key 'image' is there twice in the config, first on line 3"},
    };
    CONFIG_TEXT_REFUSE(changes);
}

static void broken_yaml_is_reported_with_its_line(void **state)
{
    (void)state;
    static const config_text_change changes[] = {
        {"480}", "480", "runs/wake.yaml:4: not YAML: a ',' or a '}' is missing"},
        {"  look_at", "\tlook_at", ":6: a tab indents this line: YAML wants spaces"},
        {"look_at:", "look_at: 'x", "not YAML: a quote is not closed"},
        {"pressure", "press\x01ure", ":9: not YAML: control characters are not allowed"},
        {"pressure", "press\xffure", ":9: not YAML: invalid leading UTF-8 octet"},
        {"pressure", "\"press\\0ure\"", ":9: a text holds a zero byte"},
        {"pressure", "*nothing", ":9: aliases (*name) are not supported"},
        {"640", "&w 640, height: *w, depth: 1", "aliases (*name) are not supported"},
        {"layers:\n", "layers: &l [*l]\nmore:\n", "aliases (*name) are not supported"},
        {"640", "640, [a, b]: 3", ":3: a key must be a text, not a list or mapping"},
        {"output:", "---\noutput:", ":12: a second YAML document begins"},
        {"pressure",
         "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
         ":9: lists and mappings are nested too deeply"},
    };
    CONFIG_TEXT_REFUSE(changes);
}

static void what_is_no_mapping_is_no_config(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", "runs/wake.yaml: data.file is missing"},
        {"# nothing\n", "data.file is missing"},
        {"~\n", "data.file is missing"},
        {"---\n...\n", "data.file is missing"},
        {"- a\n- b\n",
         "wake.yaml:1: config: expected a mapping of keys such as 'data:', found a "
         "list"},
        {"words\n", "config: expected a mapping of keys such as 'data:', found 'words'"},
        {"{}\n", "data.file is missing"},
    };
    int wrong = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        wrong += config_text_refuse(cases[i][0], cases[i][0], 0, NULL, cases[i][1]);
    }
    assert_int_equal(wrong, 0);
}

static void wrong_overrides_are_named_instead_of_a_line(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"image.width=abc",
         "--set image.width=abc: image.width: expected a whole number, found 'abc'"},
        {"image.widht=5",
         "--set image.widht=5: unknown key 'widht' in image: did you mean"},
        {"imgae.width=5",
         "--set imgae.width=5: unknown key 'imgae' in the config: did you mean"},
        {"image.width=0", "--set image.width=0: image.width must be 1 to 65535, is 0"},
        {"image.width.x=3", "there is nothing below the value before 'x'"},
        {"image.width",
         "--set image.width: expected key=value, such as --set image.width=512"},
        {"=5", "--set =5: expected key=value"},
        {"", "--set : expected key=value"},
        {"image.width=", "--set image.width=: there is no value after '='"},
        {"image.width=[1", "--set image.width=[1: not YAML: a ',' or a ']' is missing"},
        {"output.frames=%d.png", "quote a text that has special characters"},
        {"layers.1.volume.field=p",
         "'1' is no index of a list of 1: they go from 0 to 0"},
        {"layers.x.volume.field=p", "'x' is no index of a list of 1"},
        {"layers.0.surface.field=p",
         "unknown key 'surface' in layers.0: did you mean 'isosurface'?"},
        {"layers.0.volume.range=[3,1]", "range must ascend, is [3, 1]"},
        {"layers.0.volume.opacity.7=[1,1]", "'7' is no index of a list of 2"},
        {"image.width=1\n---\n2", "one value is expected"},
        {"image.width=\"\\0\"", "a text holds a zero byte"},
        {"layers.0.volume.colors=virids",
         "unknown colour map 'virids': did you mean 'viridis' or"},
        {"layers.0.volume.positions=data",
         "with positions: data, the colour map 'viridis' needs range"},
    };
    const char *const no_range = "layers.0.volume.range=auto";
    int wrong = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bool last = i + 1 == sizeof cases / sizeof cases[0];
        const char *overrides[] = {cases[i][0], no_range};
        wrong += config_text_refuse(cases[i][0], good_text, last ? 2 : 1, overrides,
                                    cases[i][1]);
    }
    assert_int_equal(wrong, 0);
}

static void an_override_may_not_nest_without_end(void **state)
{
    (void)state;
    enum { LENGTH = 100000 };
    char *assignment = malloc(LENGTH + 3);
    assert_non_null(assignment);
    for (int i = 0; i < LENGTH; i++) {
        assignment[i] = i % 2 == 0 ? 'a' : '.';
    }
    memcpy(assignment + LENGTH, "=1", sizeof "=1");
    const char *override = assignment;
    assert_int_equal(config_text_refuse("a.a.a.…", good_text, 1, &override,
                                        "the key has too many parts"),
                     0);
    free(assignment);
}

static void files_that_cannot_be_read_are_inputs_that_fail(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"/nowhere/wake.yaml",
         "the config /nowhere/wake.yaml cannot be read: No such file or directory"},
        {"/tmp", "the config /tmp cannot be read: Is a directory"},
    };
    int wrong = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        io_config *config = NULL;
        base_fail_set_message("");
        status result = read_config(cases[i][0], 0, NULL, &config);
        wrong += config_text_differs(cases[i][0], result, STATUS_INPUT, cases[i][1]);
        assert_null(config);
    }
    assert_int_equal(wrong, 0);
}

static void a_file_that_is_too_long_is_no_config(void **state)
{
    (void)state;
    io_config *config = NULL;
    base_fail_set_message("");
    status result = read_config("/dev/zero", 0, NULL, &config);
    assert_int_equal(config_text_differs("/dev/zero", result, STATUS_USAGE,
                                         "/dev/zero has more than 4 MiB"),
                     0);
}

/* Every beginning of a good config is either good or refused with a message. */
static void truncated_configs_never_crash(void **state)
{
    (void)state;
    int refused = 0, wrong = 0;
    for (size_t size = 0; size < sizeof good_text - 1; size++) {
        char *text =
            malloc(size + 1); /* the exact size: the sanitizer sees reads beyond it */
        assert_non_null(text);
        memcpy(text, good_text, size);
        io_config *config = NULL;
        base_fail_set_message("");
        status result = io_config_parse("wake.yaml", text, size, 0, NULL, &config);
        bool has_message = base_fail_message()[0] != '\0';
        if ((result == STATUS_OK) == has_message ||
            (result == STATUS_OK) != (config != NULL)) {
            print_error("after %zu bytes: status %d, message '%s'\n", size, (int)result,
                        base_fail_message());
            wrong++;
        }
        refused += result != STATUS_OK ? 1 : 0;
        io_config_destroy(&config);
        free(text);
    }
    assert_int_equal(wrong, 0);
    /* Only the last bytes, of the name of the frames, can be missing. */
    assert_true(refused > (int)sizeof good_text - 10);
}

/* Puts `sign` in the place of one byte of a good config; whether that is refused. */
static bool is_damage_refused(size_t place, char sign)
{
    const char *plain_colors = "layers.0.volume.colors=[[0, 0, 0, 0], [1, 1, 1, 1]]";
    char text[sizeof good_text];
    memcpy(text, good_text, sizeof good_text);
    text[place] = sign;
    io_config *config = NULL;
    base_fail_set_message("");
    status result =
        io_config_parse("wake.yaml", text, sizeof text - 1, 1, &plain_colors, &config);
    bool has_message = base_fail_message()[0] != '\0';
    if ((result != STATUS_OK && result != STATUS_USAGE) ||
        has_message != (result == STATUS_USAGE)) {
        fail_msg("'%c' at %zu: status %d, message '%s'", sign, place, (int)result,
                 base_fail_message());
    }
    io_config_destroy(&config);
    return result != STATUS_OK;
}

static void damaged_configs_never_crash(void **state)
{
    (void)state;
    static const char signs[] = "[]{}:,-&*!|>'\"%\n 0\xff"; /* and the zero at the end */
    int refused = 0, tried = 0;
    for (size_t place = 0; place < sizeof good_text - 1; place++) {
        for (size_t sign = place % 3; sign < sizeof signs; sign += 3) {
            refused += is_damage_refused(place, signs[sign]) ? 1 : 0;
            tried++;
        }
    }
    assert_true(refused > tried / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unknown_keys_are_named_with_the_nearest_known_one),
        cmocka_unit_test(missing_keys_are_named),
        cmocka_unit_test(wrong_types_say_what_was_expected_and_found),
        cmocka_unit_test(values_out_of_range_are_refused),
        cmocka_unit_test(what_data_says_is_checked),
        cmocka_unit_test(a_wrong_method_is_refused),
        cmocka_unit_test(shading_out_of_range_is_refused),
        cmocka_unit_test(wrong_lights_are_refused),
        cmocka_unit_test(partitions_must_be_known),
        cmocka_unit_test(memory_must_be_a_number_with_a_unit),
        cmocka_unit_test(layers_must_be_a_list_of_kinds),
        cmocka_unit_test(names_of_frames_need_the_step_and_nothing_else),
        cmocka_unit_test(composite_parameters_are_checked),
        cmocka_unit_test(keys_that_are_there_twice_are_refused),
        cmocka_unit_test(broken_yaml_is_reported_with_its_line),
        cmocka_unit_test(what_is_no_mapping_is_no_config),
        cmocka_unit_test(wrong_overrides_are_named_instead_of_a_line),
        cmocka_unit_test(an_override_may_not_nest_without_end),
        cmocka_unit_test(files_that_cannot_be_read_are_inputs_that_fail),
        cmocka_unit_test(a_file_that_is_too_long_is_no_config),
        cmocka_unit_test(truncated_configs_never_crash),
        cmocka_unit_test(damaged_configs_never_crash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
