/* Good configs: every value that is read, overrides, the canonical form, patterns. */
#define _XOPEN_SOURCE 700 /* mkdtemp */
#include "config_text.h"
#include "tests/support/read_config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* The number read is that of strtod, bit for bit. */
static void assert_number(double found, double expected)
{
    if (found != expected) {
        fail_msg("expected %.17g, found %.17g", expected, found);
    }
}

static void assert_vec(vec3 found, double x, double y, double z)
{
    assert_number(found.v[0], x);
    assert_number(found.v[1], y);
    assert_number(found.v[2], z);
}

static void a_short_config_takes_its_defaults(void **state)
{
    (void)state;
    io_config *config = config_text_accept(good_text, 0, NULL);
    assert_string_equal(config->path, "runs/wake.yaml");
    assert_string_equal(config->data.file, "runs/wake.h5");
    assert_true(config->data.all_steps);
    assert_null(config->data.grid_x);
    assert_int_equal(config->data.nfields, 0);
    assert_number(config->data.terms.gamma, 1.4);
    assert_number(config->data.terms.gas_constant, 1.0);
    assert_int_equal(config->width, 640);
    assert_int_equal(config->height, 480);
    assert_number(config->background[0], 0.0f);
    assert_vec(config->camera.position, 0.0, -8.0, 3.0);
    assert_vec(config->camera.look_at, 2.0, 0.0, 0.0);
    assert_vec(config->camera.up, 0.0, 0.0, 1.0);
    assert_false(config->camera.orthographic);
    assert_number(config->camera.fov, 30.0);
    assert_string_equal(config->composite.algorithm, "auto");
    assert_int_equal(config->composite.nfactors, 0);
    assert_string_equal(config->output.frames, "runs/out/wake_%04d.png");
    assert_null(config->output.timings);
    assert_false(config->output.tile_costs);
    assert_false(config->output.warm_caches);
    assert_null(config->output.floats);
    io_config_destroy(&config);
    assert_null(config);
}

static void a_volume_takes_its_defaults(void **state)
{
    (void)state;
    io_config *config = config_text_accept(good_text, 0, NULL);
    assert_int_equal(config->nlayers, 1);
    const io_volume_config *volume = config->volume;
    assert_string_equal(volume->field, "pressure");
    assert_false(volume->auto_range);
    assert_number(volume->range[0], 0.0);
    assert_number(volume->range[1], 2.0);
    assert_int_equal(volume->nopacities, 2);
    assert_number(volume->opacities[1][0], 1.0);
    assert_number(volume->opacities[1][1], 0.8);
    assert_false(volume->opacities_are_extinction);
    assert_false(volume->positions_are_data);
    assert_true(volume->auto_unit_length);
    assert_true(volume->ncolors > 8);
    assert_number(volume->colors[0][1], 0.267004); /* viridis begins so */
    io_config_destroy(&config);
}

static const char full_text[] =
    "data:\n"
    "  file: /data/comb.h5\n"
    "  steps: [2, 20, 3]\n"
    "  grid: {x: /grid/x, y: /grid/y, z: '/grid/xyz[2]', iblank: /grid/iblank}\n"
    "  fields:\n"
    "    density: /flow/%04d/density\n"
    "    momentum_x: /flow/%d/momentum[0]\n"
    "  gamma: 1.3\n"
    "  gas_constant: 287\n"
    "  fill: [-999, 1e20]\n"
    "image: {width: 300, height: 200, background: [0.25, 0.5, 1]}\n"
    "camera: {position: [1, 2, 3], look_at: [4, 5, 7], up: [0, 1, 0], fov: 45,\n"
    "         projection: orthographic, height: 2.5}\n"
    "layers:\n"
    "  - volume:\n"
    "      field: density\n"
    "      colors: [[0.19, 0.15, 0.2, 0.95], [0.72, 0.8, 0, 0.1]]\n"
    "      extinction: [[0.1, 0.35], [0.6, 1.2]]\n"
    "      positions: data\n"
    "      unit_length: 0.5\n"
    "      method: planes\n"
    "partition: object\n"
    "composite: {algorithm: radix-k, factors: [4, 2], group: 3, fan_in: 8,\n"
    "            segment: 8192, encoding: raw, tuning: rules.json}\n"
    "output: {frames: /out/f%d.png, timings: t.json, float: 'f%02d.h5'}\n";

static void every_key_of_data_arrives(void **state)
{
    (void)state;
    io_config *config = config_text_accept(full_text, 0, NULL);
    const io_data_config *data = &config->data;
    assert_string_equal(data->file, "/data/comb.h5");
    assert_false(data->all_steps);
    assert_int_equal(data->step_first, 2);
    assert_int_equal(data->step_last, 20);
    assert_int_equal(data->step_stride, 3);
    assert_string_equal(data->grid_x, "/grid/x");
    assert_string_equal(data->grid_y, "/grid/y");
    assert_string_equal(data->grid_z, "/grid/xyz[2]");
    assert_string_equal(data->grid_iblank, "/grid/iblank");
    assert_int_equal(data->nfields, 2);
    assert_string_equal(data->fields[0].name, "density");
    assert_string_equal(data->fields[0].path, "/flow/%04d/density");
    assert_string_equal(data->fields[1].name, "momentum_x");
    assert_string_equal(data->fields[1].path, "/flow/%d/momentum[0]");
    assert_number(data->terms.gamma, 1.3);
    assert_number(data->terms.gas_constant, 287.0);
    assert_int_equal(data->nfills, 2);
    assert_number(data->fills[0], -999.0);
    assert_number(data->fills[1], 1e20);
    io_config_destroy(&config);
}

static void fills_are_numbers(void **state)
{
    (void)state;
    static const config_text_change changes[] = {
        {"wake.h5", "wake.h5\n  fill: {p: 1}",
         ":3: data.fill: expected a number or a list of numbers, found a mapping"},
        {"wake.h5", "wake.h5\n  fill: none", "data.fill: expected a finite number"},
        {"wake.h5", "wake.h5\n  fill: .nan", "data.fill: expected a finite number"},
        {"wake.h5", "wake.h5\n  fill: []", "data.fill: expected"}};
    CONFIG_TEXT_REFUSE(changes);
}

static void a_fill_may_be_one_number(void **state)
{
    (void)state;
    const char *const overrides[] = {"data.fill=-32767"};
    io_config *config = config_text_accept(good_text, 1, overrides);
    assert_int_equal(config->data.nfills, 1);
    assert_number(config->data.fills[0], -32767.0);
    io_config_destroy(&config);
    config = config_text_accept(good_text, 0, NULL);
    assert_int_equal(config->data.nfills, 0);
    io_config_destroy(&config);
}

static void every_key_of_image_camera_composite_and_output_arrives(void **state)
{
    (void)state;
    io_config *config = config_text_accept(full_text, 0, NULL);
    assert_number(config->background[0], 0.25f);
    assert_number(config->background[2], 1.0f);
    assert_true(config->camera.orthographic);
    assert_number(config->camera.height, 2.5);
    assert_number(config->camera.fov, 45.0);
    assert_vec(config->camera.up, 0.0, 1.0, 0.0);
    assert_string_equal(config->composite.algorithm, "radix-k");
    assert_int_equal(config->composite.nfactors, 2);
    assert_int_equal(config->composite.factors[0], 4);
    assert_int_equal(config->composite.factors[1], 2);
    assert_int_equal(config->composite.group, 3);
    assert_int_equal(config->composite.fan_in, 8);
    assert_int_equal(config->composite.segment, 8192);
    assert_int_equal(config->composite.encoding, IO_ENCODING_RAW);
    assert_string_equal(config->composite.tuning, "runs/rules.json");
    assert_string_equal(config->output.frames, "/out/f%d.png");
    assert_string_equal(config->output.timings, "runs/t.json");
    assert_string_equal(config->output.floats, "runs/f%02d.h5");
    io_config_destroy(&config);
}

static void extinction_at_data_positions_needs_no_range(void **state)
{
    (void)state;
    io_config *config = config_text_accept(full_text, 0, NULL);
    const io_volume_config *volume = config->volume;
    assert_true(volume->opacities_are_extinction);
    assert_true(volume->positions_are_data);
    assert_false(volume->auto_range);
    assert_number(volume->range[0], 0.1);
    assert_number(volume->range[1], 0.72);
    assert_int_equal(volume->ncolors, 2);
    assert_number(volume->colors[1][0], 0.72);
    assert_number(volume->opacities[1][1], 1.2);
    assert_false(volume->auto_unit_length);
    assert_number(volume->unit_length, 0.5);
    assert_int_equal(volume->method, IO_METHOD_PLANES);
    io_config_destroy(&config);
}

static void steps_may_be_all_or_a_span(void **state)
{
    (void)state;
    static const struct {
        const char *override;
        bool all;
        int64_t first, last, stride;
    } cases[] = {
        {"data.steps=all", true, 0, 0, 0},
        {"data.steps=first", false, IO_STEP_FIRST, IO_STEP_FIRST, 1},
        {"data.steps=last", false, IO_STEP_LAST, IO_STEP_LAST, 1},
        {"data.steps=[last]", false, IO_STEP_LAST, IO_STEP_LAST, 1},
        {"data.steps=[3, 9]", false, 3, 9, 1},
        {"data.steps=[3, last]", false, 3, IO_STEP_LAST, 1},
        {"data.steps=[first, 9, 2]", false, IO_STEP_FIRST, 9, 2},
        {"data.steps=[first, last, 10]", false, IO_STEP_FIRST, IO_STEP_LAST, 10},
        {"data.steps=[3, last, 20]", false, 3, IO_STEP_LAST, 20},
        {"data.steps=[0, 5000000000, 2]", false, 0, 5000000000, 2},
        {"data.steps=[0, 10, 10]", false, 0, 10, 10},
        {"data.steps=[4, 4, 4]", false, 4, 4, 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        io_config *config = config_text_accept(good_text, 1, &cases[i].override);
        assert_int_equal(config->data.all_steps, cases[i].all);
        assert_int_equal(config->data.nsteps, 0);
        assert_int_equal(config->data.step_first, cases[i].first);
        assert_int_equal(config->data.step_last, cases[i].last);
        assert_int_equal(config->data.step_stride, cases[i].stride);
        io_config_destroy(&config);
    }
}

static void steps_may_be_a_list(void **state)
{
    (void)state;
    static const struct {
        const char *override;
        int count;
        int64_t steps[5];
    } cases[] = {
        {"data.steps=7", 1, {7}},
        {"data.steps=[7]", 1, {7}},
        {"data.steps={list: [7]}", 1, {7}},
        {"data.steps={list: [3, 7]}", 2, {3, 7}},
        {"data.steps={list: [0, 10, 5000000000]}", 3, {0, 10, 5000000000}},
        {"data.steps=[0, 10, 20]", 3, {0, 10, 20}},
        {"data.steps=[1, 2, 4, 8, 16]", 5, {1, 2, 4, 8, 16}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        io_config *config = config_text_accept(good_text, 1, &cases[i].override);
        assert_false(config->data.all_steps);
        assert_int_equal(config->data.nsteps, cases[i].count);
        assert_memory_equal(config->data.steps, cases[i].steps,
                            (size_t)cases[i].count * sizeof(int64_t));
        io_config_destroy(&config);
    }
}

static void no_range_and_auto_mean_the_same(void **state)
{
    (void)state;
    char *without = config_text_replace("      range: [0, 2]\n", "");
    const char *automatic = "layers.0.volume.range=auto";
    io_config *a = config_text_accept(without, 0, NULL);
    io_config *b = config_text_accept(good_text, 1, &automatic);
    assert_true(a->volume->auto_range);
    assert_true(b->volume->auto_range);
    io_config_destroy(&a);
    io_config_destroy(&b);
    free(without);
}

static void a_named_map_is_spread_over_the_range_at_data_positions(void **state)
{
    (void)state;
    const char *overrides[] = {"layers.0.volume.positions=data",
                               "layers.0.volume.range=[-10, 30]",
                               "layers.0.volume.colors=grey"};
    io_config *config = config_text_accept(good_text, 3, overrides);
    const io_volume_config *volume = config->volume;
    assert_int_equal(volume->ncolors, 2);
    assert_number(volume->colors[0][0], -10.0);
    assert_number(volume->colors[1][0], 30.0);
    io_config_destroy(&config);
}

/* How many steps there are is known once the data is open. */
static void a_name_without_a_number_is_left_to_the_data(void **state)
{
    (void)state;
    const char *overrides[] = {"output.frames=wake.png", "output.float=wake_%d.h5"};
    io_config *config = config_text_accept(good_text, 2, overrides);
    assert_string_equal(config->output.frames, "runs/wake.png");
    assert_int_equal(io_config_check_numbered(config), STATUS_USAGE);
    assert_string_equal(
        base_fail_message(),
        "--set output.frames=wake.png: output.frames: must hold %d or %0Nd for the step, "
        "such as %04d, where several steps are drawn, is 'wake.png'");
    base_fail_set_message("");
    io_config_destroy(&config);
    config = config_text_accept(good_text, 0, NULL);
    assert_int_equal(io_config_check_numbered(config), STATUS_OK);
    io_config_destroy(&config);
}

static void overrides_replace_and_add_keys_in_order(void **state)
{
    (void)state;
    const char *overrides[] = {
        "image.width=100",
        "image.width=200",
        "layers.0.volume.opacity.1.1=0.25",
        "layers.0.volume.field=mach",
        "composite.algorithm=direct-send",
        "output.timings=t.json",
        "output.tile_costs=true",
        "output.warm_caches=true",
        "camera={position: [1, 1, 1], look_at: [0, 0, 0]}",
    };
    io_config *config = config_text_accept(good_text, 9, overrides);
    assert_int_equal(config->width, 200);
    assert_int_equal(config->height, 480);
    assert_number(config->volume->opacities[1][1], 0.25);
    assert_string_equal(config->volume->field, "mach");
    assert_string_equal(config->composite.algorithm, "direct-send");
    assert_string_equal(config->output.timings, "runs/t.json");
    assert_true(config->output.tile_costs);
    assert_true(config->output.warm_caches);
    assert_vec(config->camera.position, 1.0, 1.0, 1.0);
    assert_number(config->camera.fov, 30.0);
    io_config_destroy(&config);
}

static void a_quoted_override_may_begin_with_a_percent_sign(void **state)
{
    (void)state;
    const char *override = "output.frames=\"%04d.png\"";
    io_config *config = config_text_accept(good_text, 1, &override);
    assert_string_equal(config->output.frames, "runs/%04d.png");
    io_config_destroy(&config);
}

static void a_file_in_the_working_directory_keeps_short_paths(void **state)
{
    (void)state;
    io_config *config = NULL;
    base_fail_set_message("");
    status result =
        io_config_parse("wake.yaml", good_text, strlen(good_text), 0, NULL, &config);
    assert_int_equal(result, STATUS_OK);
    assert_string_equal(config->data.file, "wake.h5");
    io_config_destroy(&config);
}

static void percent_signs_of_the_folder_are_not_conversions(void **state)
{
    (void)state;
    io_config *config = NULL;
    base_fail_set_message("");
    status result =
        io_config_parse("50%d/wake.yaml", good_text, strlen(good_text), 0, NULL, &config);
    assert_int_equal(result, STATUS_OK);
    assert_string_equal(config->data.file, "50%d/wake.h5");
    char *path = io_config_expand(config->output.frames, 12);
    assert_string_equal(path, "50%d/out/wake_0012.png");
    free(path);
    io_config_destroy(&config);
}

/* The folder has a percent sign, which a pattern writes twice. */
static void paths_above_the_folder_are_as_people_write_them(void **state)
{
    (void)state;
    char folder[] = "50%d_XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/wake.yaml", folder);
    char *text = config_text_replace("out/wake", "../out/wake");
    io_config *config = NULL;
    assert_int_equal(io_config_parse(path, text, strlen(text), 0, NULL, &config),
                     STATUS_OK);
    rmdir(folder);
    assert_string_equal(config->output.frames, "out/wake_%04d.png");
    free(text);
    io_config_destroy(&config);
}

static void partition_has_a_kind_and_a_balance(void **state)
{
    (void)state;
    static const struct {
        const char *set;
        io_partition_kind kind;
        io_balance balance;
    } cases[] = {
        {"partition=object", IO_PARTITION_OBJECT, IO_BALANCE_CELLS},
        {"partition=screen", IO_PARTITION_SCREEN, IO_BALANCE_COST},
        {"partition={kind: object}", IO_PARTITION_OBJECT, IO_BALANCE_CELLS},
        {"partition={kind: object, balance: cells}", IO_PARTITION_OBJECT,
         IO_BALANCE_CELLS},
        {"partition={kind: object, balance: cost}", IO_PARTITION_OBJECT, IO_BALANCE_COST},
        {"partition={kind: screen}", IO_PARTITION_SCREEN, IO_BALANCE_COST},
        {"partition={kind: screen, balance: area}", IO_PARTITION_SCREEN, IO_BALANCE_AREA},
    };
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        io_config *config = config_text_accept(good_text, 1, &cases[n].set);
        assert_int_equal(config->partition.kind, cases[n].kind);
        assert_int_equal(config->partition.balance, cases[n].balance);
        io_config_destroy(&config);
    }
}

static void memory_is_counted_in_bytes(void **state)
{
    (void)state;
    static const struct {
        const char *set;
        int64_t bytes;
    } cases[] = {
        {"memory=1 KiB", 1024},
        {"memory=1.5KiB", 1536},
        {"memory=3 MiB", INT64_C(3) << 20},
        {"memory=4 GiB", INT64_C(4) << 30},
        {"memory=0.5 TiB", INT64_C(1) << 39},
    };
    io_config *config = config_text_accept(good_text, 0, NULL);
    assert_int_equal(config->memory, 0);
    io_config_destroy(&config);
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        config = config_text_accept(good_text, 1, &cases[n].set);
        assert_int_equal(config->memory, cases[n].bytes);
        io_config_destroy(&config);
    }
}

static void canonical_is_one_line_with_sorted_keys_and_no_output(void **state)
{
    (void)state;
    io_config *config = config_text_accept(good_text, 0, NULL);
    assert_string_equal(
        config->canonical,
        "{\"camera\":{\"fov\":30,\"look_at\":[2,0,0],\"position\":[0,-8,3],"
        "\"projection\":\"perspective\",\"up\":[0,0,1]},"
        "\"composite\":{\"algorithm\":\"auto\"},"
        "\"data\":{\"file\":\"wake.h5\",\"gamma\":1.4,\"gas_constant\":1,\"steps\":"
        "\"all\"},"
        "\"image\":{\"background\":[0,0,0],\"height\":480,\"samples\":\"adaptive\","
        "\"width\":640},"
        "\"layers\":[{\"volume\":{\"colors\":\"viridis\",\"field\":\"pressure\","
        "\"interpolation\":\"auto\",\"method\":\"auto\",\"opacity\":[[0,0],[1,0.8]],"
        "\"positions\":\"fraction\","
        "\"range\":[0,2]}}],\"partition\":\"object\"}");
    io_config_destroy(&config);
}

static void canonical_does_not_depend_on_how_the_same_is_written(void **state)
{
    (void)state;
    char *other = config_text_replace(
        "image: {width: 640, height: 480}\n",
        "# the size\nimage:\n  height: 480\n  background: [0.0, 0, 0e0]\n  width: 100\n");
    const char *overrides[] = {"image.width=640", "output.frames=elsewhere_%d.png"};
    io_config *a = config_text_accept(good_text, 0, NULL);
    io_config *b = config_text_accept(other, 2, overrides);
    assert_string_equal(a->canonical, b->canonical);
    io_config_destroy(&a);
    io_config_destroy(&b);
    free(other);
}

static void canonical_changes_with_the_picture(void **state)
{
    (void)state;
    const char *override = "layers.0.volume.range=[0, 2.5]";
    io_config *a = config_text_accept(good_text, 0, NULL);
    io_config *b = config_text_accept(good_text, 1, &override);
    assert_string_not_equal(a->canonical, b->canonical);
    io_config_destroy(&a);
    io_config_destroy(&b);
}

static void patterns_expand_steps_and_percent_signs(void **state)
{
    (void)state;
    static const struct {
        const char *pattern;
        int64_t step;
        const char *expected; /* NULL: refused */
    } cases[] = {
        {"a.png", 3, "a.png"},
        {"a_%d.png", 3, "a_3.png"},
        {"a_%04d.png", 3, "a_0003.png"},
        {"%02d", 12345, "12345"},
        {"%012d", 1, "000000000001"},
        {"%d", 9007199254740993, "9007199254740993"},
        {"/flow/%d/p_%03d", 7, "/flow/7/p_007"},
        {"100%%_%d", 5, "100%_5"},
        {"", 5, ""},
        {"%s", 5, NULL},
        {"%n", 5, NULL},
        {"%4d", 5, NULL},
        {"%-4d", 5, NULL},
        {"%0d", 5, NULL},
        {"%0999d", 5, NULL},
        {"%ld", 5, NULL},
        {"a%", 5, NULL},
        {"a%0", 5, NULL},
        {"%d%x", 5, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *path = io_config_expand(cases[i].pattern, cases[i].step);
        if (cases[i].expected == NULL) {
            assert_null(path);
        } else {
            assert_non_null(path);
            assert_string_equal(path, cases[i].expected);
        }
        free(path);
    }
}

static void a_file_reads_like_its_text(void **state)
{
    (void)state;
    char path[] = "/tmp/karman_config_XXXXXX";
    int handle = mkstemp(path);
    assert_true(handle >= 0);
    size_t size = strlen(good_text);
    assert_int_equal(write(handle, good_text, size), (ssize_t)size);
    close(handle);
    io_config *config = NULL;
    base_fail_set_message("");
    status result = read_config(path, 0, NULL, &config);
    unlink(path);
    assert_int_equal(result, STATUS_OK);
    assert_string_equal(config->data.file, "/tmp/wake.h5");
    io_config_destroy(&config);
}

static void the_shipped_configs_are_good(void **state)
{
    (void)state;
    static const char *const names[] = {"karman.yaml",
                                        "benchmark.yaml",
                                        "combustor.yaml",
                                        "shaded.yaml",
                                        "gallery/airfoil.yaml",
                                        "gallery/airfoil-grid.yaml",
                                        "gallery/arrows.yaml",
                                        "gallery/boundary-layer.yaml",
                                        "gallery/combustor.yaml",
                                        "gallery/combustor-planes.yaml",
                                        "gallery/overset.yaml",
                                        "gallery/ring.yaml",
                                        "gallery/vortex-street.yaml",
                                        "gallery/wake-slices.yaml",
                                        "gallery/wake-streamlines.yaml",
                                        "gallery/wake-volume.yaml",
                                        "gallery/wake-vortices.yaml"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", KARMAN_CONFIGS, names[i]);
        io_config *config = NULL;
        base_fail_set_message("");
        if (read_config(path, 0, NULL, &config) != STATUS_OK) {
            fail_msg("expected a good config, found: %s", base_fail_message());
        }
        io_config_destroy(&config);
    }
}

static void volumes_are_shaded_where_the_key_is_there(void **state)
{
    (void)state;
    char *text = config_text_replace("field:", "shade: {diffuse: 0.5}\n      field:");
    io_config *plain = config_text_accept(good_text, 0, NULL);
    io_config *lit = config_text_accept(text, 0, NULL);
    assert_false(plain->volume->shade.on);
    assert_true(strstr(plain->canonical, "lights") == NULL);
    const io_shade_config *shade = &lit->volume->shade;
    assert_true(shade->on);
    assert_true(shade->ambient == 0.3 && shade->diffuse == 0.5);
    assert_true(shade->specular == 0.2 && shade->shininess == 20);
    assert_int_equal(lit->nlights, 1);
    assert_int_equal(lit->lights[0].kind, IO_LIGHT_HEAD);
    assert_true(lit->lights[0].intensity == 1.0 && lit->lights[0].color[2] == 1.0);
    free(text);
    io_config_destroy(&plain);
    io_config_destroy(&lit);
}

static void lights_are_of_three_kinds(void **state)
{
    (void)state;
    char *text =
        config_text_replace("image:", "lights:\n"
                                      "  - {direction: [0, 0, -2], color: [1, 0.5, 0]}\n"
                                      "  - {position: [1, 2, 3], intensity: 2.5}\n"
                                      "  - headlight: true\n"
                                      "image:");
    io_config *config = config_text_accept(text, 0, NULL);
    const io_light_config *lights = config->lights;
    assert_int_equal(config->nlights, 3);
    assert_int_equal(lights[0].kind, IO_LIGHT_DIRECTION);
    assert_true(lights[0].direction.v[2] == -2.0 && lights[0].color[1] == 0.5);
    assert_int_equal(lights[1].kind, IO_LIGHT_POSITION);
    assert_true(lights[1].position.v[1] == 2.0 && lights[1].intensity == 2.5);
    assert_int_equal(lights[2].kind, IO_LIGHT_HEAD);
    assert_true(lights[2].color[0] == 1.0 && lights[2].intensity == 1.0);
    free(text);
    io_config_destroy(&config);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_short_config_takes_its_defaults),
        cmocka_unit_test(a_volume_takes_its_defaults),
        cmocka_unit_test(every_key_of_data_arrives),
        cmocka_unit_test(a_fill_may_be_one_number),
        cmocka_unit_test(fills_are_numbers),
        cmocka_unit_test(every_key_of_image_camera_composite_and_output_arrives),
        cmocka_unit_test(extinction_at_data_positions_needs_no_range),
        cmocka_unit_test(steps_may_be_all_or_a_span),
        cmocka_unit_test(steps_may_be_a_list),
        cmocka_unit_test(no_range_and_auto_mean_the_same),
        cmocka_unit_test(a_named_map_is_spread_over_the_range_at_data_positions),
        cmocka_unit_test(a_name_without_a_number_is_left_to_the_data),
        cmocka_unit_test(overrides_replace_and_add_keys_in_order),
        cmocka_unit_test(a_quoted_override_may_begin_with_a_percent_sign),
        cmocka_unit_test(a_file_in_the_working_directory_keeps_short_paths),
        cmocka_unit_test(percent_signs_of_the_folder_are_not_conversions),
        cmocka_unit_test(paths_above_the_folder_are_as_people_write_them),
        cmocka_unit_test(partition_has_a_kind_and_a_balance),
        cmocka_unit_test(memory_is_counted_in_bytes),
        cmocka_unit_test(canonical_is_one_line_with_sorted_keys_and_no_output),
        cmocka_unit_test(canonical_does_not_depend_on_how_the_same_is_written),
        cmocka_unit_test(canonical_changes_with_the_picture),
        cmocka_unit_test(patterns_expand_steps_and_percent_signs),
        cmocka_unit_test(a_file_reads_like_its_text),
        cmocka_unit_test(the_shipped_configs_are_good),
        cmocka_unit_test(volumes_are_shaded_where_the_key_is_there),
        cmocka_unit_test(lights_are_of_three_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
