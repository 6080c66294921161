/* Messages about the mistakes of a first config. */
#include "config_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void outputs_are_called_by_what_is_in_them(void **state)
{
    (void)state;
    static const config_text_change changes[] = {
        {"wake_%04d.png", "wake.mp4",
         ":13: output.frames is 'out/wake.mp4', a film, and names pictures: write "
         "output.movie: 'out/wake.mp4' instead, or 'out/wake.apng' for pages"},
        {"wake_%04d.png", "wake.GIF", "write output.movie: 'out/wake.mp4' instead"},
        {"wake_%04d.png", "wake_%04d.jpg",
         ":13: output.frames must end in .png, as karman writes PNG pictures, such as "
         "'out/wake_%04d.png', is 'out/wake_%04d.jpg'"},
        {"wake_%04d.png", "wake_%04d.svg", "output.frames must end in .png"},
        {"wake_%04d.png", "wake_%04d", "is 'out/wake_%04d'"},
        {"wake_%04d.png", "wake.d/%04d", "output.frames must end in .png"},
        {"wake_%04d.png", ".png", "output.frames must end in .png"},
        {"wake_%04d.png", "wake_png", "output.frames must end in .png"},
        {"wake_%04d.png", "",
         ":13: output.frames is the folder 'out/': give the name of files in it, such as "
         "'out/wake_%04d.png'"},
        {"frames:", "float: f_%d.png\n  frames:",
         ":13: output.float must end in .h5, as karman writes HDF5 files, such as "
         "'out/wake_%04d.h5', is 'f_%d.png'"},
        {"frames:", "timings: times.csv\n  frames:",
         ":13: output.timings must end in .json, as karman writes JSON, such as "
         "'out/timings.json', is 'times.csv'"},
    };
    CONFIG_TEXT_REFUSE(changes);
}

static void extensions_may_have_capitals(void **state)
{
    (void)state;
    const char *overrides[] = {"output.frames=\"%d.PNG\"", "output.float=f_%d.HDF5",
                               "output.timings=t.Json"};
    io_config *config = config_text_accept(good_text, 3, overrides);
    io_config_destroy(&config);
}

static void lists_of_steps_ascend(void **state)
{
    (void)state;
    static const config_text_change changes[] = {
        {"wake.h5", "wake.h5\n  steps: [1, 5, 3, 7]",
         ":3: data.steps: a list of steps must ascend, has 3 after 5"},
        {"wake.h5", "wake.h5\n  steps: {list: [3, 3]}", "must ascend, has 3 after 3"},
        {"wake.h5", "wake.h5\n  steps: {list: [3, last]}",
         ":3: data.steps: expected a whole number, found 'last'"},
        {"wake.h5", "wake.h5\n  steps: {list: []}", "data.steps: expected all, first"},
        {"wake.h5", "wake.h5\n  steps: {list: [1], of: 3}", "expected all, first"},
        {"wake.h5", "wake.h5\n  steps: []", ":3: data.steps: expected all, first"},
        {"wake.h5", "wake.h5\n  steps: [-3]", "data.steps must not be negative, has -3"},
        {"wake.h5", "wake.h5\n  steps: [last, 3]", "data.steps must end at or after"},
        {"wake.h5", "wake.h5\n  steps: [3, first]", "data.steps must end at or after"},
        {"wake.h5", "wake.h5\n  steps: [0, 3, last]",
         "data.steps: expected a whole number, found 'last'"},
    };
    CONFIG_TEXT_REFUSE(changes);
}

static void a_tab_is_called_a_tab(void **state)
{
    (void)state;
    static const config_text_change changes[] = {
        {"  file", "\tfile",
         "runs/wake.yaml:2: a tab indents this line: YAML wants spaces"},
        {"  look_at", "  \tlook_at", "wake.yaml:6: a tab indents this line"},
        {"      field", "\t\t\tfield", "wake.yaml:9: a tab indents this line"},
        {"  - volume", "\t- volume", "wake.yaml:8: a tab indents this line"},
        {"480}", "480", "wake.yaml:4: not YAML: a ',' or a '}' is missing"},
    };
    CONFIG_TEXT_REFUSE(changes);
}

static void broken_yaml_tells_where_it_begins(void **state)
{
    (void)state;
    static const config_text_change changes[] = {
        {"480}", "480",
         "runs/wake.yaml:4: not YAML: a ',' or a '}' is missing, in what begins "
         "on "
         "line 3"},
        {"look_at:", "look_at",
         "runs/wake.yaml:7: not YAML: a key lacks its ': ', in what begins on "
         "line "
         "6"},
    };
    CONFIG_TEXT_REFUSE(changes);
}

static void a_misspelt_key_is_not_taken_for_a_missing_one(void **state)
{
    (void)state;
    static const config_text_change changes[] = {
        {"opacity", "opacty",
         ":11: unknown key 'opacty' in layers.0.volume: did you mean 'opacity'?"},
        {"output:", "  - isosurface: {field: p, valu: 3}\noutput:",
         ":12: unknown key 'valu' in layers.1.isosurface: did you mean 'value'?"},
    };
    CONFIG_TEXT_REFUSE(changes);
}

static void missing_sections_show_what_to_write(void **state)
{
    (void)state;
    static const config_text_change changes[] = {
        {"data:\n  file: wake.h5\n", "",
         "runs/wake.yaml: data.file is missing: write, for example, 'data: {file: "
         "wake.h5}'"},
        {"data:\n  file: wake.h5\n", "data:\n",
         "runs/wake.yaml:1: data is empty: write, for example, 'data: {file: wake.h5}'"},
        {"  position: [0, -8, 3]\n  look_at: [2, 0, 0]\n", "",
         "runs/wake.yaml:4: camera is empty: write, for example, 'camera: {position: [0, "
         "-8, 3], look_at: [2, 0, 0]}'"},
        {"output:\n  frames: out/wake_%04d.png\n", "",
         "runs/wake.yaml:1: output is missing: write, for example, 'output: {frames: "
         "out/wake_%04d.png}'"},
        {"output:\n  frames: out/wake_%04d.png\n", "output:\n",
         ":12: output is empty: write, for example"},
        {"frames: out/wake_%04d.png", "timings: t.json",
         ":13: output.frames is missing: write, for example, 'output: {frames:"},
    };
    CONFIG_TEXT_REFUSE(changes);
}

static void configs_of_other_programs_are_known(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"grid: {cylinder: {radius: 1}}\nflow: {reynolds: 100}\ntime: {steps: 9}\n",
         "runs/wake.yaml is a config of karman-solver: mpiexec -n 2 karman-solver "
         "runs/wake.yaml"},
        {"grid: {file: g.h5}\ntime: {steps: 9}\nin_situ: pictures.yaml\n",
         "is a config of karman-solver"},
        {"in_situ: {every: 10}\nlayers: [{outline: {}}]\n",
         "runs/wake.yaml: data.file is missing: the config is for a running program, as "
         "it has in_situ; to draw a file, write, for example, 'data: {file: wake.h5}'"},
        {"grid: {x: 1}\ndata: {file: a.h5}\n", "unknown key 'grid' in the config"},
    };
    int wrong = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        wrong += config_text_refuse(cases[i][0], cases[i][0], 0, NULL, cases[i][1]);
    }
    assert_int_equal(wrong, 0);
}

/* The message for a failure of a function that knows no config. */
static const char *blame(const io_config *config, const char *path, status s,
                         const char *message)
{
    base_fail_set_message(message);
    assert_int_equal(io_config_blame(config, path, s), s);
    return base_fail_message();
}

static void what_only_the_data_tells_gets_the_place_of_its_key(void **state)
{
    (void)state;
    const char *override = "memory=4 GiB";
    io_config *c = config_text_accept(good_text, 1, &override);
    const char *field = "layers.0.volume.field";
    assert_string_equal(blame(c, field, STATUS_INPUT, "there is no field 'pressure'"),
                        "runs/wake.yaml:9: layers.0.volume.field: there is no field "
                        "'pressure'");
    assert_string_equal(blame(c, NULL, STATUS_USAGE, "memory: it is too small"),
                        "--set memory=4 GiB: memory: it is too small");
    assert_string_equal(blame(c, "data.file", STATUS_USAGE, "memory: it is too small"),
                        "--set memory=4 GiB: memory: it is too small");
    assert_string_equal(blame(c, "data.file", STATUS_INPUT, "data set 'p' is broken"),
                        "runs/wake.yaml:2: data.file: data set 'p' is broken");
    assert_string_equal(blame(c, "camera.far", STATUS_OUTPUT, "is bad"),
                        "runs/wake.yaml:5: camera.far: is bad");
    assert_string_equal(blame(c, "lights.0", STATUS_USAGE, "is dark"),
                        "runs/wake.yaml: lights.0: is dark");
    /* Those stay. */
    assert_string_equal(blame(c, NULL, STATUS_USAGE, "no key"), "no key");
    assert_string_equal(blame(c, field, STATUS_MEMORY, "no memory"), "no memory");
    assert_string_equal(blame(c, field, STATUS_USAGE, "runs/wake.yaml:3: a"),
                        "runs/wake.yaml:3: a");
    assert_string_equal(blame(c, field, STATUS_USAGE, "--set a=3: a"), "--set a=3: a");
    assert_string_equal(blame(c, field, STATUS_USAGE, ""), "");
    io_config_destroy(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outputs_are_called_by_what_is_in_them),
        cmocka_unit_test(extensions_may_have_capitals),
        cmocka_unit_test(lists_of_steps_ascend),
        cmocka_unit_test(a_tab_is_called_a_tab),
        cmocka_unit_test(broken_yaml_tells_where_it_begins),
        cmocka_unit_test(a_misspelt_key_is_not_taken_for_a_missing_one),
        cmocka_unit_test(missing_sections_show_what_to_write),
        cmocka_unit_test(configs_of_other_programs_are_known),
        cmocka_unit_test(what_only_the_data_tells_gets_the_place_of_its_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
