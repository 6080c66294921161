#include "schema.h"

#include "config.h"

#include <stddef.h>

static const cyaml_schema_value_t number = {CYAML_VALUE_FLOAT(REQUIRED, double)};
static const cyaml_schema_value_t number32 = {CYAML_VALUE_FLOAT(REQUIRED, float)};
static const cyaml_schema_value_t integer = {CYAML_VALUE_INT(REQUIRED, int)};

/* ---- data ---- */

static const cyaml_schema_field_t grid_fields[] = {
    CYAML_FIELD_STRING_PTR("x", REQUIRED, io_data_config, grid_x, 1, CYAML_UNLIMITED),
    CYAML_FIELD_STRING_PTR("y", REQUIRED, io_data_config, grid_y, 1, CYAML_UNLIMITED),
    CYAML_FIELD_STRING_PTR("z", REQUIRED, io_data_config, grid_z, 1, CYAML_UNLIMITED),
    CYAML_FIELD_STRING_PTR("iblank", OPTIONAL, io_data_config, grid_iblank, 1,
                           CYAML_UNLIMITED),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t path_fields[] = {
    CYAML_FIELD_STRING_PTR("name", REQUIRED, io_field_path, name, 1, CYAML_UNLIMITED),
    CYAML_FIELD_STRING_PTR("path", REQUIRED, io_field_path, path, 1, CYAML_UNLIMITED),
    CYAML_FIELD_END,
};

static const cyaml_schema_value_t path_value = {
    CYAML_VALUE_MAPPING(REQUIRED, io_field_path, path_fields)};

static const cyaml_schema_field_t steps_fields[] = {
    CYAML_FIELD_BOOL("all", OPTIONAL, io_data_config, all_steps),
    CYAML_FIELD_INT("first", OPTIONAL, io_data_config, step_first),
    CYAML_FIELD_INT("last", OPTIONAL, io_data_config, step_last),
    CYAML_FIELD_INT("stride", OPTIONAL, io_data_config, step_stride),
    CYAML_FIELD_END,
};

static const cyaml_schema_value_t block_name = {
    CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 1, CYAML_UNLIMITED)};

static const cyaml_schema_field_t data_fields[] = {
    CYAML_FIELD_STRING_PTR("file", REQUIRED, io_data_config, file, 1, CYAML_UNLIMITED),
    FIELD_SECTION("steps", REQUIRED, io_data_config, steps_fields),
    FIELD_SECTION("grid", OPTIONAL, io_data_config, grid_fields),
    CYAML_FIELD_SEQUENCE_COUNT("fields", OPTIONAL | CYAML_FLAG_POINTER, io_data_config,
                               fields, nfields, &path_value, 1, CYAML_UNLIMITED),
    CYAML_FIELD_SEQUENCE_COUNT("priority", OPTIONAL | CYAML_FLAG_POINTER, io_data_config,
                               priority, npriority, &block_name, 0, CYAML_UNLIMITED),
    CYAML_FIELD_SEQUENCE_COUNT("fill", OPTIONAL, io_data_config, fills, nfills, &number,
                               1, IO_MOST_FILLS),
    CYAML_FIELD_FLOAT("gamma", REQUIRED, io_data_config, gas.gamma),
    CYAML_FIELD_FLOAT("gas_constant", REQUIRED, io_data_config, gas.gas_constant),
    CYAML_FIELD_END,
};

/* ---- image and camera ---- */

static const cyaml_schema_field_t image_fields[] = {
    CYAML_FIELD_INT("width", REQUIRED, io_config, width),
    CYAML_FIELD_INT("height", REQUIRED, io_config, height),
    CYAML_FIELD_SEQUENCE_FIXED("background", REQUIRED, io_config, background, &number32,
                               3),
    CYAML_FIELD_END,
};

static const cyaml_strval_t projections[] = {{"perspective", false},
                                             {"orthographic", true}};

static const cyaml_schema_field_t camera_fields[] = {
    CYAML_FIELD_SEQUENCE_FIXED("position", REQUIRED, io_camera_config, position.v,
                               &number, 3),
    CYAML_FIELD_SEQUENCE_FIXED("look_at", REQUIRED, io_camera_config, look_at.v, &number,
                               3),
    CYAML_FIELD_SEQUENCE_FIXED("up", REQUIRED, io_camera_config, up.v, &number, 3),
    CYAML_FIELD_ENUM("projection", CYAML_FLAG_STRICT, io_camera_config, orthographic,
                     projections, CYAML_ARRAY_LEN(projections)),
    CYAML_FIELD_FLOAT("fov", REQUIRED, io_camera_config, fov),
    CYAML_FIELD_FLOAT("height", OPTIONAL, io_camera_config, height),
    CYAML_FIELD_FLOAT("near", OPTIONAL, io_camera_config, near),
    CYAML_FIELD_FLOAT("far", OPTIONAL, io_camera_config, far),
    CYAML_FIELD_END,
};

/* ---- lights ---- */

static const cyaml_schema_field_t light_fields[] = {
    CYAML_FIELD_BOOL("headlight", OPTIONAL, io_light_config, headlight),
    CYAML_FIELD_SEQUENCE_FIXED("direction", OPTIONAL, io_light_config, direction.v,
                               &number, 3),
    CYAML_FIELD_SEQUENCE_FIXED("position", OPTIONAL, io_light_config, position.v, &number,
                               3),
    CYAML_FIELD_SEQUENCE_FIXED("color", REQUIRED, io_light_config, color, &number, 3),
    CYAML_FIELD_FLOAT("intensity", REQUIRED, io_light_config, intensity),
    CYAML_FIELD_END,
};

static const cyaml_schema_value_t light_value = {
    CYAML_VALUE_MAPPING(REQUIRED, io_light_config, light_fields)};

/* ---- clip ---- */

static const cyaml_schema_field_t clip_fields[] = {
    CYAML_FIELD_SEQUENCE_FIXED("point", REQUIRED, io_clip_config, point.v, &number, 3),
    CYAML_FIELD_SEQUENCE_FIXED("normal", REQUIRED, io_clip_config, normal.v, &number, 3),
    CYAML_FIELD_END,
};

static const cyaml_schema_value_t clip_value = {
    CYAML_VALUE_MAPPING(REQUIRED, io_clip_config, clip_fields)};

/* ---- annotations ---- */

static const cyaml_strval_t places[] = {{"right", IO_BAR_RIGHT},
                                        {"left", IO_BAR_LEFT},
                                        {"top", IO_BAR_TOP},
                                        {"bottom", IO_BAR_BOTTOM}};

static const cyaml_schema_field_t bar_fields[] = {
    CYAML_FIELD_ENUM("place", OPTIONAL | CYAML_FLAG_STRICT, io_annotations_config,
                     bar_place, places, CYAML_ARRAY_LEN(places)),
    CYAML_FIELD_STRING_PTR("title", OPTIONAL, io_annotations_config, bar_title, 1,
                           CYAML_UNLIMITED),
    CYAML_FIELD_INT("ticks", OPTIONAL, io_annotations_config, bar_ticks),
    CYAML_FIELD_INT("layer", OPTIONAL, io_annotations_config, bar_layer),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t annotation_fields[] = {
    FIELD_SECTION("scalar_bar", OPTIONAL, io_annotations_config, bar_fields),
    CYAML_FIELD_BOOL("axes", REQUIRED, io_annotations_config, axes),
    CYAML_FIELD_STRING_PTR("time", OPTIONAL, io_annotations_config, time_text, 1,
                           CYAML_UNLIMITED),
    CYAML_FIELD_STRING_PTR("title", OPTIONAL, io_annotations_config, title, 1,
                           CYAML_UNLIMITED),
    CYAML_FIELD_FLOAT("font_size", REQUIRED, io_annotations_config, font_size),
    CYAML_FIELD_SEQUENCE_FIXED("color", OPTIONAL, io_annotations_config, color, &number,
                               3),
    CYAML_FIELD_END,
};

/* ---- partition, composite and output ---- */

static const cyaml_strval_t partitions[] = {{"object", IO_PARTITION_OBJECT},
                                            {"screen", IO_PARTITION_SCREEN}};

static const cyaml_strval_t balances[] = {
    {"cells", IO_BALANCE_CELLS}, {"cost", IO_BALANCE_COST}, {"area", IO_BALANCE_AREA}};

static const cyaml_schema_field_t partition_fields[] = {
    CYAML_FIELD_ENUM("kind", CYAML_FLAG_STRICT, io_partition_config, kind, partitions,
                     CYAML_ARRAY_LEN(partitions)),
    CYAML_FIELD_ENUM("balance", OPTIONAL | CYAML_FLAG_STRICT, io_partition_config,
                     balance, balances, CYAML_ARRAY_LEN(balances)),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t composite_fields[] = {
    CYAML_FIELD_STRING_PTR("algorithm", REQUIRED, io_composite_config, algorithm, 1,
                           CYAML_UNLIMITED),
    CYAML_FIELD_SEQUENCE_COUNT("factors", OPTIONAL, io_composite_config, factors,
                               nfactors, &integer, 1, IO_MAX_FACTORS),
    CYAML_FIELD_INT("group", OPTIONAL, io_composite_config, group),
    CYAML_FIELD_INT("fan_in", OPTIONAL, io_composite_config, fan_in),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t output_fields[] = {
    CYAML_FIELD_STRING_PTR("frames", REQUIRED, io_output_config, frames, 1,
                           CYAML_UNLIMITED),
    CYAML_FIELD_STRING_PTR("timings", OPTIONAL, io_output_config, timings, 1,
                           CYAML_UNLIMITED),
    CYAML_FIELD_BOOL("tile_costs", OPTIONAL, io_output_config, tile_costs),
    CYAML_FIELD_BOOL("warm_caches", OPTIONAL, io_output_config, warm_caches),
    CYAML_FIELD_STRING_PTR("float", OPTIONAL, io_output_config, floats, 1,
                           CYAML_UNLIMITED),
    CYAML_FIELD_END,
};

/* ---- The whole ---- */

static const cyaml_schema_field_t config_fields[] = {
    CYAML_FIELD_MAPPING("data", REQUIRED, io_config, data, data_fields),
    FIELD_SECTION("image", REQUIRED, io_config, image_fields),
    CYAML_FIELD_MAPPING("camera", REQUIRED, io_config, camera, camera_fields),
    CYAML_FIELD_SEQUENCE_COUNT("layers", CYAML_FLAG_POINTER, io_config, layers, nlayers,
                               &io_config_layer_schema, 1, IO_MAX_LAYERS),
    CYAML_FIELD_SEQUENCE_COUNT("lights", OPTIONAL, io_config, lights, nlights,
                               &light_value, 1, IO_MAX_LIGHTS),
    CYAML_FIELD_SEQUENCE_COUNT("clip", OPTIONAL, io_config, clips, nclips, &clip_value, 1,
                               IO_MAX_CLIPS),
    CYAML_FIELD_MAPPING("annotations", OPTIONAL, io_config, annotations,
                        annotation_fields),
    CYAML_FIELD_MAPPING("partition", REQUIRED, io_config, partition, partition_fields),
    CYAML_FIELD_STRING_PTR("memory", OPTIONAL, io_config, memory_text, 1,
                           CYAML_UNLIMITED),
    CYAML_FIELD_MAPPING("composite", REQUIRED, io_config, composite, composite_fields),
    CYAML_FIELD_MAPPING("output", REQUIRED, io_config, output, output_fields),
    CYAML_FIELD_END,
};

/* The root must be a pointer: libcyaml allocates it, all zero. */
const cyaml_schema_value_t io_config_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, io_config, config_fields)};
