/* Configs that leave values open, values that are put in later, and printed configs. */
#include "config_text.h"
#include "tests/support/read_config.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* All that a config needs. */
static const char least_text[] = "data: {file: wake.h5}\n"
                                 "output: {frames: wake_%04d.png}\n";

/* The least config with more lines behind it, and one override; NULL: none. */
static io_config *accept(const char *lines, const char *override)
{
    char text[1024];
    snprintf(text, sizeof text, "%s%s", least_text, lines);
    return config_text_accept(text, override != NULL, &override);
}

static void assert_vec(vec3 found, double x, double y, double z)
{
    if (found.v[0] != x || found.v[1] != y || found.v[2] != z) {
        fail_msg("expected [%g, %g, %g], found [%g, %g, %g]", x, y, z, found.v[0],
                 found.v[1], found.v[2]);
    }
}

/* ---- Open settings ----------------------------------------------------------------- */

static void assert_all_open(const io_config *config)
{
    assert_true(config->camera.auto_position);
    assert_true(config->camera.auto_look_at);
    assert_true(config->camera.auto_up);
    assert_int_equal(config->nlayers, 0);
    assert_null(config->volume);
}

static void data_and_output_are_all_that_a_config_needs(void **state)
{
    (void)state;
    io_config *config = accept("", NULL);
    assert_all_open(config);
    assert_int_equal(config->width, 1024);
    assert_false(config->has_annotations);
    assert_false(config->camera.auto_height);
    io_config_destroy(&config);
}

static void the_word_auto_is_as_good_as_no_key(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"", "camera: auto\n"},
        {"", "layers: auto\n"},
        {"", "camera: auto\nlayers: auto\n"},
        {"camera: {fov: 20}\n",
         "camera: {position: auto, look_at: auto, up: auto, fov: 20}\n"},
        {"camera: {projection: orthographic}\n",
         "camera: {projection: orthographic, height: auto}\n"},
        {"layers: [{volume: {}}]\n",
         "layers: [{volume: {field: auto, range: auto, opacity: auto}}]\n"},
        {"layers: [{contour: {k: 0}}]\n",
         "layers: [{contour: {k: 0, field: auto, range: auto}}]\n"},
    };
    for (size_t n = 0; n < sizeof pairs / sizeof pairs[0]; n++) {
        io_config *without = accept(pairs[n][0], NULL), *with = accept(pairs[n][1], NULL);
        const io_camera_config *a = &without->camera, *b = &with->camera;
        assert_int_equal(a->auto_position, b->auto_position);
        assert_int_equal(a->auto_look_at, b->auto_look_at);
        assert_int_equal(a->auto_up, b->auto_up);
        assert_int_equal(a->auto_height, b->auto_height);
        assert_true(a->fov == b->fov);
        assert_int_equal(without->nlayers, with->nlayers);
        io_config_destroy(&without);
        io_config_destroy(&with);
    }
}

static void a_camera_keeps_what_it_has(void **state)
{
    (void)state;
    io_config *config = accept("camera: {fov: 20}\n", NULL);
    assert_true(config->camera.auto_position && config->camera.auto_look_at);
    assert_true(config->camera.fov == 20.0);
    io_config_destroy(&config);
    config = accept("camera: {look_at: [1, 2, 3]}\n", NULL);
    assert_true(config->camera.auto_position && !config->camera.auto_look_at);
    assert_vec(config->camera.look_at, 1.0, 2.0, 3.0);
    io_config_destroy(&config);
}

/* `auto` is no mapping, but takes keys all the same. */
static void keys_go_over_auto(void **state)
{
    (void)state;
    io_config *config = accept("camera: auto\n", "camera.fov=20");
    assert_true(config->camera.fov == 20.0);
    assert_true(config->camera.auto_position);
    io_config_destroy(&config);
    config = accept("camera: {position: [1, 2, 3], look_at: [0, 0, 0]}\n", "camera=auto");
    assert_all_open(config);
    io_config_destroy(&config);
    config = accept("layers: [{volume: {field: p}}]\n", "layers=auto");
    assert_all_open(config);
    io_config_destroy(&config);
    config = accept("layers: auto\n", "layers=[{outline: {}}]");
    assert_int_equal(config->nlayers, 1);
    io_config_destroy(&config);
}

static void up_is_z_only_beside_a_position(void **state)
{
    (void)state;
    io_config *config = accept("camera: {position: [0, -8, 3]}\n", NULL);
    assert_false(config->camera.auto_up);
    assert_vec(config->camera.up, 0.0, 0.0, 1.0);
    assert_true(config->camera.auto_look_at);
    io_config_destroy(&config);
    config = accept("camera: {look_at: [0, 0, 0]}\n", NULL);
    assert_true(config->camera.auto_up);
    io_config_destroy(&config);
    config = accept("camera: {position: [0, -8, 3], up: auto}\n", NULL);
    assert_true(config->camera.auto_up);
    io_config_destroy(&config);
    config = accept("camera: {up: [0, 1, 0]}\n", NULL);
    assert_false(config->camera.auto_up);
    assert_vec(config->camera.up, 0.0, 1.0, 0.0);
    io_config_destroy(&config);
}

static void a_volume_may_leave_open_all_it_has(void **state)
{
    (void)state;
    static const char *const opens[] = {
        "layers: [{volume: {}}]\n",
        "layers: [{volume: {field: auto, range: auto, opacity: auto}}]\n",
        "layers: [{volume: {range: min-max}}]\n",
    };
    for (size_t n = 0; n < sizeof opens / sizeof opens[0]; n++) {
        io_config *config = accept(opens[n], NULL);
        assert_non_null(config->volume);
        assert_null(config->volume->field);
        assert_true(config->volume->auto_range);
        assert_int_equal(config->volume->nopacities, 0);
        assert_true(config->volume->auto_unit_length);
        io_config_destroy(&config);
    }
    io_config *config =
        accept("layers: [{volume: {field: p, range: [0, 2], unit_length: 3}}]\n", NULL);
    assert_string_equal(config->volume->field, "p");
    assert_false(config->volume->auto_range);
    assert_int_equal(config->volume->nopacities, 0);
    assert_false(config->volume->auto_unit_length);
    io_config_destroy(&config);
}

static void other_layers_leave_open_fields_and_ranges(void **state)
{
    (void)state;
    io_config *config = accept("layers:\n"
                               "  - contour: {k: 0}\n"
                               "  - contour: {k: 0, range: min-max, field: auto}\n"
                               "  - isosurface: {value: 1}\n"
                               "  - object: {k: 0, color_by: p, range: auto}\n",
                               NULL);
    assert_int_equal(config->nlayers, 4);
    for (int n = 0; n < 4; n++) {
        assert_null(config->layers[n].tool->field);
        assert_true(config->layers[n].tool->paint.auto_range);
    }
    io_config_destroy(&config);
}

static void a_scalar_bar_waits_for_open_layers(void **state)
{
    (void)state;
    static const char bar[] = "annotations: {title: wake, scalar_bar: true}\n";
    io_config *config = accept(bar, NULL), *made = NULL;
    assert_true(config->annotations.scalar_bar);
    const char *values[] = {"layers=[{volume: {field: p}}]"};
    assert_int_equal(io_config_override(config, 1, values, &made), STATUS_OK);
    assert_true(made->annotations.scalar_bar);
    io_config_destroy(&made);
    values[0] = "layers=[{outline: {}}]";
    base_fail_set_message("");
    assert_int_equal(config_text_differs(values[0],
                                         io_config_override(config, 1, values, &made),
                                         STATUS_USAGE, "needs a layer with a colour map"),
                     0);
    io_config_destroy(&config);
}

static void words_of_other_keys_are_refused(void **state)
{
    (void)state;
    static const config_text_change changes[] = {
        {"[0, 2]", "minmax",
         ":10: layers.0.volume.range: expected auto, min-max, step or"},
        {"[2, 0, 0]", "min-max", ":6: camera.look_at: expected auto or a list [x, y, z]"},
        {"[2, 0, 0]", "[2, 0, 0]\n  up: none", ":7: camera.up: expected auto or a list"},
        {"[2, 0, 0]", "[2, 0, 0]\n  fov: auto", ":7: camera.fov: expected a finite"},
        {"{width: 640, height: 480}", "auto", ":3: image: expected a mapping of keys"},
    };
    CONFIG_TEXT_REFUSE(changes);
}

/* ---- Values that are put in -------------------------------------------------------- */

static void values_are_put_over_what_is_open(void **state)
{
    (void)state;
    static const char *const values[] = {
        "layers=[{volume: {field: \"p\"}}, {outline: {}}]",
        "layers.0.volume.range=[0, 3.5]", "layers.0.volume.opacity=[[0, 0], [1, 0.25]]",
        "camera.position=[1, 2, 3]", "camera.look_at=[0, 0, 0]"};
    io_config *config = accept("camera: {fov: 20}\n", NULL), *made = NULL;
    char *before = strdup(config->canonical);
    assert_int_equal(io_config_override(config, 5, values, &made), STATUS_OK);
    assert_int_equal(made->nlayers, 2);
    assert_string_equal(made->volume->field, "p");
    assert_false(made->volume->auto_range);
    assert_true(made->volume->range[1] == 3.5);
    assert_true(made->volume->opacities[1][1] == 0.25);
    assert_vec(made->camera.position, 1.0, 2.0, 3.0);
    assert_false(made->camera.auto_position);
    assert_true(made->camera.fov == 20.0);
    assert_string_equal(made->data.file, config->data.file);
    /* The original stays, and may go first. */
    assert_string_equal(config->canonical, before);
    assert_all_open(config);
    io_config_destroy(&config);
    assert_string_equal(io_config_given(made, "layers.0.volume.field"), "p");
    io_config_destroy(&made);
    free(before);
}

static void a_value_that_cannot_be_is_refused(void **state)
{
    (void)state;
    static const char *const values[] = {"camera.fov=200"};
    io_config *config = accept("", NULL), *made = NULL;
    base_fail_set_message("");
    const status s = io_config_override(config, 1, values, &made);
    assert_int_equal(config_text_differs(values[0], s, STATUS_USAGE,
                                         "--set camera.fov=200: camera.fov must be"),
                     0);
    assert_null(made);
    assert_all_open(config);
    io_config_destroy(&config);
}

static void given_texts_are_those_of_the_config_and_its_overrides(void **state)
{
    (void)state;
    io_config *config = accept("layers: [{volume: {range: min-max}}]\n", "camera.fov=20");
    assert_string_equal(io_config_given(config, "layers.0.volume.range"), "min-max");
    assert_string_equal(io_config_given(config, "camera.fov"), "20");
    assert_string_equal(io_config_given(config, "data.file"), "wake.h5");
    assert_null(io_config_given(config, "layers.0.volume.field"));
    assert_null(io_config_given(config, "layers.7.volume.range"));
    assert_null(io_config_given(config, "layers"));      /* is no scalar */
    assert_null(io_config_given(config, "image.width")); /* has its default */
    io_config_destroy(&config);
}

static void failures_have_the_place_of_the_nearest_key(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"data.file", "runs/wake.yaml:1: data.file: no"},
        {"layers.0.volume.field", "runs/wake.yaml:5: layers.0.volume.field: no"},
        {"layers.0.volume.range", "runs/wake.yaml:5: layers.0.volume.range: no"},
        {"camera.position", "--set camera.fov=20: camera.position: no"},
    };
    io_config *config =
        accept("layers:\n  - volume:\n      range: min-max\n", "camera.fov=20");
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        base_fail_set_message("");
        const status s = io_config_fail(config, cases[n][0], "no %s", "such value");
        assert_int_equal(config_text_differs(cases[n][0], s, STATUS_USAGE, cases[n][1]),
                         0);
    }
    io_config_destroy(&config);
}

/* ---- Printed configs --------------------------------------------------------------- */

/* The printed text of a config; malloc'ed. */
static char *print(const io_config *config, bool has_comments)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    io_config_print(config, has_comments, stream);
    assert_int_equal(fclose(stream), 0);
    return text;
}

/* Checks that a printed text gives the same config again. */
static void assert_same(const io_config *config, const char *text)
{
    io_config *again = NULL;
    base_fail_set_message("");
    if (io_config_parse(config->path, text, strlen(text), 0, NULL, &again) != STATUS_OK) {
        fail_msg("what is printed cannot be read: %s\n%s", base_fail_message(), text);
        return;
    }
    assert_string_equal(again->canonical, config->canonical);
    assert_string_equal(again->output.frames, config->output.frames);
    assert_string_equal(again->data.file, config->data.file);
    io_config_destroy(&again);
}

static void assert_printed_well(const io_config *config)
{
    char *plain = print(config, false), *explained = print(config, true);
    assert_same(config, plain);
    assert_same(config, explained);
    assert_true(strlen(plain) < strlen(explained));
    assert_non_null(strstr(explained, " # "));
    free(plain);
    free(explained);
}

static void printed_configs_are_read_again(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "",
        "camera: auto\nlayers: auto\n",
        "layers: [{volume: {range: min-max, opacity: auto}}, {outline: {}}]\n",
        "annotations: {title: 'a, b: c # d', time: true, axes: true}\n",
        "annotations: {title: \"two\\nlines\\tand \\\\ \\\" \\u00e9\"}\n",
        "annotations:\n  title: it's 5, or [6]\n",
        "annotations:\n  title: \"#1\"\n",
        "clip: [{point: [0, 0, 0], normal: [1, 0, 0]}]\npartition: screen\n",
        "lights:\n  - headlight: true\n  - direction: [1e-3, -2.50, .5]\n",
    };
    for (size_t n = 0; n < sizeof lines / sizeof lines[0]; n++) {
        io_config *config = accept(lines[n], NULL);
        assert_printed_well(config);
        io_config_destroy(&config);
    }
}

/* Lists in lines are printed in brackets, in which commas part. */
static void texts_that_brackets_would_part_stay_whole(void **state)
{
    (void)state;
    static const char text[] = "data:\n"
                               "  file: wake.h5\n"
                               "  priority:\n"
                               "    - a, b\n"
                               "    - c]\n"
                               "    - d {e}\n"
                               "    - it's\n"
                               "output: {frames: wake_%04d.png}\n";
    io_config *config = config_text_accept(text, 0, NULL);
    assert_int_equal(config->data.npriority, 4);
    assert_printed_well(config);
    io_config_destroy(&config);
}

static void names_of_fields_are_printed_so_that_they_stay(void **state)
{
    (void)state;
    static const char text[] =
        "data:\n"
        "  file: wake.h5\n"
        "  grid: {x: '/g/xyz[0]', y: '/g/xyz[1]', z: '/g/xyz[2]'}\n"
        "  fields:\n"
        "    'a: b': /a\n"
        "    '#c': /c\n"
        "    'd e': '/d e'\n"
        "    '%f': /f\n"
        "    \"'g\": '/flow/%04d/g, h'\n"
        "output: {frames: wake_%04d.png}\n";
    io_config *config = config_text_accept(text, 0, NULL);
    assert_int_equal(config->data.nfields, 5);
    assert_printed_well(config);
    io_config_destroy(&config);
}

static void texts_are_quoted_where_they_need_it(void **state)
{
    (void)state;
    static const char *const names[][2] = {
        /* as the config has it, and as it is printed */
        {"\"wake.h5\"", "file: wake.h5\n"},
        {"'./a-b/c+d_2.h5'", "file: ./a-b/c+d_2.h5\n"},
        {"'yes'", "file: \"yes\"\n"},
        {"'null'", "file: \"null\"\n"},
        {"'1e5'", "file: \"1e5\"\n"},
        {"'a: b'", "file: \"a: b\"\n"},
        {"'a #b'", "file: \"a #b\"\n"},
        {"' a b '", "file: \" a b \"\n"},
        {"'it''s'", "file: \"it's\"\n"},
        {"'- a'", "file: \"- a\"\n"},
        {"'*a'", "file: \"*a\"\n"},
        {"'%04d.png'", "file: \"%04d.png\"\n"},
        {"'auto'", "file: \"auto\"\n"},
        {"plain name.h5", "file: plain name.h5\n"},
    };
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        char text[256];
        snprintf(text, sizeof text, "data: {file: %s}\noutput: {frames: \"%%04d.png\"}\n",
                 names[n][0]);
        io_config *config = config_text_accept(text, 0, NULL);
        char *printed = print(config, false);
        if (strstr(printed, names[n][1]) == NULL) {
            fail_msg("expected %s in\n%s", names[n][1], printed);
        }
        assert_non_null(strstr(printed, "frames: \"%04d.png\"\n"));
        assert_same(config, printed);
        free(printed);
        io_config_destroy(&config);
    }
}

static void overrides_are_printed_with_the_rest(void **state)
{
    (void)state;
    const char *const overrides[] = {"image.width=320", "data.file='a: b'"};
    io_config *config = config_text_accept(good_text, 2, overrides);
    char *printed = print(config, false);
    assert_string_equal(printed, "data:\n"
                                 "  file: \"a: b\"\n"
                                 "image:\n"
                                 "  width: 320\n"
                                 "  height: 480\n"
                                 "camera:\n"
                                 "  position: [0, -8, 3]\n"
                                 "  look_at: [2, 0, 0]\n"
                                 "layers:\n"
                                 "  - volume:\n"
                                 "      field: pressure\n"
                                 "      range: [0, 2]\n"
                                 "      opacity: [[0, 0], [1, 0.8]]\n"
                                 "output:\n"
                                 "  frames: out/wake_%04d.png\n");
    free(printed);
    assert_printed_well(config);
    io_config_destroy(&config);
}

/* Whether a config is one of the solver or of a running program. */
static bool is_for_programs(void)
{
    return strstr(base_fail_message(), "karman-solver") != NULL ||
           strstr(base_fail_message(), "running program") != NULL;
}

static void shipped_configs_are_printed_well(void **state)
{
    (void)state;
    glob_t found;
    size_t printed = 0;
    assert_int_equal(glob(KARMAN_CONFIGS "/*.yaml", 0, NULL, &found), 0);
    for (size_t n = 0; n < found.gl_pathc; n++) {
        io_config *config = NULL;
        base_fail_set_message("");
        if (read_config(found.gl_pathv[n], 0, NULL, &config) == STATUS_OK) {
            assert_printed_well(config);
            io_config_destroy(&config);
            printed++;
        } else if (!is_for_programs()) {
            fail_msg("%s", base_fail_message());
        }
    }
    assert_true(printed >= 8);
    globfree(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_and_output_are_all_that_a_config_needs),
        cmocka_unit_test(the_word_auto_is_as_good_as_no_key),
        cmocka_unit_test(a_camera_keeps_what_it_has),
        cmocka_unit_test(keys_go_over_auto),
        cmocka_unit_test(up_is_z_only_beside_a_position),
        cmocka_unit_test(a_volume_may_leave_open_all_it_has),
        cmocka_unit_test(other_layers_leave_open_fields_and_ranges),
        cmocka_unit_test(a_scalar_bar_waits_for_open_layers),
        cmocka_unit_test(words_of_other_keys_are_refused),
        cmocka_unit_test(values_are_put_over_what_is_open),
        cmocka_unit_test(a_value_that_cannot_be_is_refused),
        cmocka_unit_test(given_texts_are_those_of_the_config_and_its_overrides),
        cmocka_unit_test(failures_have_the_place_of_the_nearest_key),
        cmocka_unit_test(printed_configs_are_read_again),
        cmocka_unit_test(texts_that_brackets_would_part_stay_whole),
        cmocka_unit_test(names_of_fields_are_printed_so_that_they_stay),
        cmocka_unit_test(texts_are_quoted_where_they_need_it),
        cmocka_unit_test(overrides_are_printed_with_the_rest),
        cmocka_unit_test(shipped_configs_are_printed_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
