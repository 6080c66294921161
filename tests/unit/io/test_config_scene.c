/* Settings around the layers: clipping planes, near and far of the camera, annotations.
 */
#include "config_text.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static io_config *accept(const char *from, const char *to)
{
    char *text = config_text_replace(from, to);
    io_config *config = config_text_accept(text, 0, NULL);
    free(text);
    return config;
}

static void a_plain_config_has_none_of_these(void **state)
{
    (void)state;
    io_config *config = config_text_accept(good_text, 0, NULL);
    static const io_annotations_config none;
    assert_int_equal(config->nclips, 0);
    assert_true(config->camera.near == 0.0 && config->camera.far == (double)INFINITY);
    assert_false(config->has_annotations);
    assert_memory_equal(&config->annotations, &none, sizeof none);
    assert_null(strstr(config->canonical, "clip"));
    assert_null(strstr(config->canonical, "annotations"));
    assert_null(strstr(config->canonical, "\"near\""));
    io_config_destroy(&config);
}

static void clipping_planes_and_depths_arrive(void **state)
{
    (void)state;
    io_config *config =
        accept("camera:", "clip:\n  - {point: [1, 2, 3], normal: [0, -2, 0]}\n"
                          "  - {point: [0, 0, 0], normal: [1, 1, 1]}\n"
                          "camera:\n  near: 0.5\n  far: 100");
    assert_int_equal(config->nclips, 2);
    assert_true(config->clips[0].point.v[2] == 3.0);
    assert_true(config->clips[0].normal.v[1] == -2.0);
    assert_true(config->clips[1].normal.v[0] == 1.0);
    assert_true(config->camera.near == 0.5 && config->camera.far == 100.0);
    assert_non_null(strstr(config->canonical, "\"far\":100"));
    assert_non_null(strstr(config->canonical, "\"clip\":[{\"normal\":[0,-2,0]"));
    io_config_destroy(&config);
}

static void wrong_planes_and_depths_are_refused(void **state)
{
    (void)state;
    static const config_text_change changes[] = {
        {"image:", "clip: [{point: [0, 0, 0], normal: [0, 0, 0]}]\nimage:",
         ":3: clip.0.normal must be a direction that is not 0 and not too long"},
        {"image:", "clip: [{normal: [0, 0, 1]}]\nimage:",
         ":3: clip.0 needs point with normal or radius, or box"},
        {"image:", "clip: [{point: [0, 0, 1]}]\nimage:",
         ":3: clip.0 needs point with normal or radius, or box"},
        {"image:", "clip: [{box: [[0, 0, 0], [1, 0, 1]]}]\nimage:",
         ":3: clip.0.box must be a lower and an upper corner, has y from 0 to 0"},
        {"image:", "clip: [{point: [0, 0, 1], radius: 0}]\nimage:",
         ":3: clip.0.radius must be above 0"},
        {"image:", "clip: {point: [0, 0, 1]}\nimage:", "clip: expected a list"},
        {"image:", "clip: []\nimage:", "clip: expected at least 1 entries, found 0"},
        {"image:",
         "clip: [{point: [0, 0, 0], normal: [0, 0, 1]}, {point: [0, 0], normal: [0, 0, "
         "1]}]\nimage:",
         "clip.1.point: expected a list of 3, found 2"},
        {"camera:", "camera:\n  near: -1", ":5: camera.near must be at least 0, is -1"},
        {"camera:", "camera:\n  far: 0", ":5: camera.far must be above 0, is 0"},
        {"camera:", "camera:\n  near: 3\n  far: 2",
         ":6: camera.far must be beyond camera.near, 3, is 2"},
        {"camera:", "camera:\n  far: .inf",
         "camera.far: expected none or a number, found '.inf'"},
    };
    CONFIG_TEXT_REFUSE(changes);
}

static void there_are_at_most_16_planes(void **state)
{
    (void)state;
    char planes[2048] = "clip:\n";
    size_t size = strlen(planes);
    for (int i = 0; i < IO_MAX_CLIPS + 1; i++) {
        size += (size_t)snprintf(planes + size, sizeof planes - size,
                                 "  - {point: [0, 0, 0], normal: [0, 0, 1]}\n");
    }
    snprintf(planes + size, sizeof planes - size, "image:");
    char *text = config_text_replace("image:", planes);
    assert_int_equal(config_text_refuse("17 planes", text, 0, NULL,
                                        "clip: expected at most 16 entries, found 17"),
                     0);
    free(text);
}

/* ---- Annotations ---- */

static void every_annotation_arrives(void **state)
{
    (void)state;
    io_config *config = accept(
        "image:", "annotations:\n"
                  "  scalar_bar: {place: bottom, title: vorticity, ticks: 5, layer: 0}\n"
                  "  axes: true\n  time: \"t = {time:.3f} s\"\n  title: \"Kármán\"\n"
                  "  font_size: 1.5\n  color: [1, 1, 0]\nimage:");
    const io_annotations_config *a = &config->annotations;
    assert_true(config->has_annotations && a->scalar_bar && a->axes && a->has_color);
    assert_int_equal(a->bar.place, IO_BAR_BOTTOM);
    assert_string_equal(a->bar.title, "vorticity");
    assert_true(a->bar.ticks == 5 && a->bar.layer == 0);
    assert_string_equal(a->time_text, "t = {time:.3f} s");
    assert_string_equal(a->title, "Kármán");
    assert_true(a->font_size == 1.5 && a->color[1] == 1.0 && a->color[2] == 0.0);
    io_config_destroy(&config);
}

static void annotations_take_their_defaults(void **state)
{
    (void)state;
    io_config *config = accept("image:", "annotations: {title: wake}\nimage:");
    const io_annotations_config *a = &config->annotations;
    assert_true(config->has_annotations && !a->scalar_bar && !a->axes && !a->has_color);
    assert_null(a->time_text);
    assert_true(a->font_size == 1.0);
    io_config_destroy(&config);

    config = accept("image:", "annotations: {scalar_bar: true, time: true}\nimage:");
    a = &config->annotations;
    assert_true(a->scalar_bar && a->bar.place == IO_BAR_RIGHT && a->bar.ticks == 0);
    assert_int_equal(a->bar.layer, -1);
    assert_null(a->bar.title);
    char *text = io_config_expand_time(a->time_text, 7, 0.25);
    assert_string_equal(text, "step 7, t = 0.25");
    free(text);
    io_config_destroy(&config);

    config = accept("image:", "annotations: {scalar_bar: false, time: false}\nimage:");
    assert_false(config->annotations.scalar_bar);
    assert_null(config->annotations.time_text);
    io_config_destroy(&config);
}

static void wrong_annotations_are_refused(void **state)
{
    (void)state;
    static const config_text_change changes[] = {
        {"image:", "annotations: true\nimage:",
         ":3: annotations: expected a mapping of keys, such as"},
        {"image:", "annotations: {scalar_bar: left}\nimage:",
         ":3: annotations.scalar_bar: expected true, false, auto or a mapping such as "
         "{title: "
         "pressure}, found 'left'"},
        {"image:", "annotations: {scalar_bar: {place: middle}}\nimage:",
         "annotations.scalar_bar.place: expected right, left, top, bottom, found"},
        {"image:", "annotations: {scalar_bar: {ticks: 1}}\nimage:",
         ":3: annotations.scalar_bar.ticks must be 2 to 50, is 1"},
        {"image:", "annotations: {scalar_bar: {layer: 1}}\nimage:",
         "annotations.scalar_bar.layer must be 0 to 0, the place in the list of layers"},
        {"  - volume:", "  - outline: {}\n  - volume:",
         "annotations.scalar_bar.layer is 0, which has one colour: choose a layer with"},
        {"image:", "annotations: {axes: xy}\nimage:",
         "annotations.axes: expected true or false, found 'xy'"},
        {"image:", "annotations: {time: [1]}\nimage:",
         "annotations.time: expected a text"},
        {"image:", "annotations: {time: \"{when}\"}\nimage:",
         ":3: annotations.time may hold {step}, {time} and {time:.3f} (or e, g), and {{ "
         "and }} for braces, is '{when}'"},
        {"image:", "annotations: {font_size: 0}\nimage:",
         "annotations.font_size must be above 0 and at most 20, is 0"},
        {"image:", "annotations: {color: [0, 0, 2]}\nimage:",
         "annotations.color must be r, g, b in 0..1, has 2"},
        {"image:", "annotations: {title: ''}\nimage:",
         "annotations.title must not be empty"},
        {"image:", "annotations: {titel: x}\nimage:",
         "unknown key 'titel' in annotations: did you mean 'title'?"},
    };
    const char *const bar = "annotations={scalar_bar: {layer: 0}}";
    int wrong = 0;
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        char *text = config_text_replace(changes[i].from, changes[i].to);
        bool needs_bar = changes[i].from[0] == ' ';
        wrong += config_text_refuse(changes[i].to, text, needs_bar ? 1 : 0, &bar,
                                    changes[i].message);
        free(text);
    }
    const char *const no_map[] = {bar, "layers=[{outline: {}}]"};
    wrong += config_text_refuse(no_map[1], good_text, 2, no_map,
                                "annotations.scalar_bar needs a layer with a colour map");
    assert_int_equal(wrong, 0);
}

static void texts_of_the_time_expand(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *expected; /* NULL: refused */
    } cases[] = {
        {"", ""},
        {"now", "now"},
        {"step {step}", "step 42"},
        {"{time}", "0.333333"},
        {"{time:.2f} s", "0.33 s"},
        {"{time:.0f}|{time:.12g}", "0|0.333333333333"},
        {"{time:.1e}", "3.3e-01"},
        {"{{{step}}}", "{42}"},
        {"100% of {step}", "100% of 42"},
        {"{step", NULL},
        {"{steps}", NULL},
        {"{time:.3d}", NULL},
        {"{time:.3}", NULL},
        {"{time:.f}", NULL},
        {"{time:.123f}", NULL},
        {"{time:%n}", NULL},
        {"{time:.3", NULL},
        {"{}", NULL},
        {"}", NULL},
        {"{", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *text = io_config_expand_time(cases[i].text, 42, 1.0 / 3.0);
        if (cases[i].expected == NULL) {
            assert_null(text);
        } else {
            assert_non_null(text);
            assert_string_equal(text, cases[i].expected);
        }
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plain_config_has_none_of_these),
        cmocka_unit_test(clipping_planes_and_depths_arrive),
        cmocka_unit_test(wrong_planes_and_depths_are_refused),
        cmocka_unit_test(there_are_at_most_16_planes),
        cmocka_unit_test(every_annotation_arrives),
        cmocka_unit_test(annotations_take_their_defaults),
        cmocka_unit_test(wrong_annotations_are_refused),
        cmocka_unit_test(texts_of_the_time_expand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
