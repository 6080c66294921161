/* The key in_situ of configs: which pictures are drawn at which cycles, and each
 * picture's config. */
#include "io/config/in_situ.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define BASE                                                                             \
    "camera: {position: [9, -9, 7], look_at: [3, 0, 2], fov: 60}\n"                      \
    "image: {width: 48, height: 36}\n"                                                   \
    "layers: [{volume: {field: p, opacity: [[0, 0.4], [1, 0.6]]}}]\n"

static io_in_situ_text text_of(const char *text)
{
    return (io_in_situ_text){.path = "folder/a.yaml", .text = text, .size = strlen(text)};
}

static void nothing_said_is_a_picture_a_step(void **state)
{
    (void)state;
    io_in_situ *in_situ = NULL;
    io_config *config = NULL;
    const io_in_situ_text text = text_of(BASE);
    assert_int_equal(io_in_situ_parse(&text, &in_situ), STATUS_OK);
    assert_string_equal(in_situ->run, "folder/karman_run");
    assert_int_equal(in_situ->npictures, 1);
    assert_string_equal(in_situ->pictures[0].name, "frame");
    assert_int_equal(in_situ->pictures[0].trigger.every, 1);
    assert_int_equal(io_in_situ_config(&text, 0, 0, NULL, &config), STATUS_OK);
    assert_string_equal(config->output.frames, "folder/karman_run/frames/frame_%06d.png");
    io_config_destroy(&config);
    io_in_situ_destroy(&in_situ);
}

static void pictures_go_over_the_whole_config(void **state)
{
    (void)state;
    const io_in_situ_text text =
        text_of(BASE "data: {file: flow.h5, steps: 3, gamma: 1.3}\n"
                     "in_situ:\n  run: /runs/50%\n  pictures:\n"
                     "    - {name: a, camera: {fov: 20}, image: {width: 64}}\n"
                     "    - {name: b, layers: [{outline: {}}], output: {frames: "
                     "b_%d.png}}\n");
    io_config *a = NULL, *b = NULL;
    assert_int_equal(io_in_situ_config(&text, 0, 0, NULL, &a), STATUS_OK);
    assert_int_equal(io_in_situ_config(&text, 1, 0, NULL, &b), STATUS_OK);
    assert_true(a->camera.fov == 20.0 && a->camera.position.v[0] == 9.0);
    assert_int_equal(a->width, 64);
    assert_int_equal(a->height, 36);
    assert_string_equal(a->output.frames, "/runs/50%%/frames/a_%06d.png");
    assert_true(a->data.all_steps && a->data.terms.gamma == 1.3);
    assert_true(b->camera.fov == 60.0);
    assert_int_equal(b->layers[0].kind, IO_LAYER_OUTLINE);
    assert_null(b->volume);
    assert_string_equal(b->output.frames, "folder/b_%d.png");
    io_config_destroy(&a);
    io_config_destroy(&b);
}

/* A running program draws several frames, so output.frames must hold their number, even
 * if data.steps names a single step of a file. */
static void frames_of_pictures_hold_their_number(void **state)
{
    (void)state;
    const io_in_situ_text text =
        text_of(BASE "data: {steps: 3}\nin_situ: {}\noutput: {frames: front.png}\n");
    io_config *config = NULL;
    base_fail_set_message("");
    assert_int_equal(io_in_situ_config(&text, 0, 0, NULL, &config), STATUS_USAGE);
    assert_non_null(strstr(base_fail_message(), ": output.frames: must hold %d or %0Nd"));
    assert_null(config);
    base_fail_set_message("");
}

static void changes_go_over_the_picture(void **state)
{
    (void)state;
    const io_in_situ_text text =
        text_of(BASE "in_situ: {pictures: [{name: a, camera: {fov: 20}}]}\n");
    const char *const changes[] = {"camera.fov=33", "layers.0.volume.range=[0, 2]"};
    const char *const wrong[] = {"camera.fov=333"};
    io_config *config = NULL;
    assert_int_equal(io_in_situ_config(&text, 0, 2, changes, &config), STATUS_OK);
    assert_true(config->camera.fov == 33.0 && config->volume->range[1] == 2.0);
    io_config_destroy(&config);
    base_fail_set_message("");
    assert_int_equal(io_in_situ_config(&text, 0, 1, wrong, &config), STATUS_USAGE);
    assert_non_null(strstr(base_fail_message(), "camera.fov"));
    assert_null(config);
}

static void triggers_are_inherited_or_replaced(void **state)
{
    (void)state;
    const io_in_situ_text text =
        text_of(BASE "in_situ:\n  every: 7\n  when: {field: p, below: 2}\n  pictures:\n"
                     "    - {name: a}\n    - {name: b, times: [1, 2]}\n"
                     "    - {name: c, when: {field: q, above: 1, value: min}}\n");
    io_in_situ *in_situ = NULL;
    assert_int_equal(io_in_situ_parse(&text, &in_situ), STATUS_OK);
    const io_trigger *a = &in_situ->pictures[0].trigger;
    const io_trigger *b = &in_situ->pictures[1].trigger;
    const io_trigger *c = &in_situ->pictures[2].trigger;
    assert_true(a->every == 7 && a->when.has_below && a->when.of.what == IO_LEAST);
    assert_true(b->every == 0 && b->ntimes == 2 && !b->when.of.field);
    assert_true(c->every == 1 && c->when.has_above && c->when.of.what == IO_LEAST);
    io_in_situ_destroy(&in_situ);
}

static void mistakes_are_found_with_their_line(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {BASE "in_situ:\n  evry: 3\n", "folder/a.yaml:5: unknown key 'evry'"},
        {BASE "in_situ:\n  evry: 3\n", "did you mean 'every'?"},
        {BASE "in_situ: {every: x}\n", "in_situ.every: expected"},
        {BASE "in_situ: {times: [2, 1]}\n", "in_situ.times must ascend"},
        {BASE "in_situ:\n  when: {field: p}\n", "needs above, below or change"},
        {BASE "in_situ:\n  pictures:\n    - {name: a}\n    - {name: a}\n",
         "folder/a.yaml:7"},
        {BASE "in_situ: 3\n", "in_situ: expected a mapping"},
        {BASE "in_situ: {pictures: [3]}\n", "in_situ.pictures"},
        {BASE "in_situ: {pictures: []}\n", "in_situ.pictures"},
        {BASE "in_situ: {every: -3}\n", "at least 1"},
    };
    for (size_t n = 0; n < sizeof wrong / sizeof wrong[0]; n++) {
        const io_in_situ_text text = text_of(wrong[n][0]);
        io_in_situ *in_situ = NULL;
        base_fail_set_message("");
        assert_int_equal(io_in_situ_parse(&text, &in_situ), STATUS_USAGE);
        if (!strstr(base_fail_message(), wrong[n][1])) {
            fail_msg("expected '%s', found '%s'", wrong[n][1], base_fail_message());
        }
        assert_null(in_situ);
    }
}

static void files_are_drawn_without_the_key(void **state)
{
    (void)state;
    static const char text[] = BASE "data: {file: flow.h5}\noutput: {frames: a_%d.png}\n"
                                    "in_situ: {every: 3}\n";
    io_config *config = NULL;
    assert_int_equal(io_config_parse("a.yaml", text, sizeof text - 1, 0, NULL, &config),
                     STATUS_OK);
    assert_null(strstr(config->canonical, "in_situ"));
    io_config_destroy(&config);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_said_is_a_picture_a_step),
        cmocka_unit_test(pictures_go_over_the_whole_config),
        cmocka_unit_test(frames_of_pictures_hold_their_number),
        cmocka_unit_test(changes_go_over_the_picture),
        cmocka_unit_test(triggers_are_inherited_or_replaced),
        cmocka_unit_test(mistakes_are_found_with_their_line),
        cmocka_unit_test(files_are_drawn_without_the_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
