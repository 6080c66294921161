#include "io/config_schema.h"

#include "io/config.h"

#include <stddef.h>

const char io_config_defaults[] =
    "data: {steps: all, gamma: 1.4, gas_constant: 1.0}\n"
    "image: {width: 1024, height: 1024, background: [0, 0, 0]}\n"
    "camera: {up: [0, 0, 1], projection: perspective, fov: 30}\n"
    "partition: object\n"
    "composite: {algorithm: auto}\n";

const char io_config_volume_defaults[] =
    "{colors: viridis, positions: fraction, method: auto, interpolation: linear}\n";

const char io_config_shade_defaults[] =
    "{ambient: 0.3, diffuse: 0.7, specular: 0.2, shininess: 20}\n";

const char io_config_light_defaults[] = "{color: [1, 1, 1], intensity: 1}\n";

enum { REQUIRED = CYAML_FLAG_DEFAULT, OPTIONAL = CYAML_FLAG_OPTIONAL };

/* A mapping whose values lie in the structure around it. */
#define FIELD_SECTION(_key, _flags, _structure, _fields)                                 \
    {                                                                                    \
        .key = (_key), .data_offset = 0,                                                 \
        .value = {                                                                       \
            CYAML_VALUE_MAPPING(_flags, _structure, _fields),                            \
        },                                                                               \
    }

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
    CYAML_FIELD_END,
};

/* ---- layers ---- */

static const cyaml_schema_value_t color_point = {
    CYAML_VALUE_SEQUENCE_FIXED(REQUIRED, double, &number, 4)};
static const cyaml_schema_value_t opacity_point = {
    CYAML_VALUE_SEQUENCE_FIXED(REQUIRED, double, &number, 2)};

static const cyaml_strval_t positions[] = {{"fraction", false}, {"data", true}};
static const cyaml_strval_t methods[] = {{"auto", IO_METHOD_AUTO},
                                         {"raycast", IO_METHOD_RAYCAST},
                                         {"planes", IO_METHOD_PLANES}};
static const cyaml_strval_t interpolations[] = {{"linear", false}, {"trilinear", true}};

static const cyaml_schema_field_t shade_fields[] = {
    CYAML_FIELD_FLOAT("ambient", REQUIRED, io_shade_config, ambient),
    CYAML_FIELD_FLOAT("diffuse", REQUIRED, io_shade_config, diffuse),
    CYAML_FIELD_FLOAT("specular", REQUIRED, io_shade_config, specular),
    CYAML_FIELD_INT("shininess", REQUIRED, io_shade_config, shininess),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t volume_fields[] = {
    CYAML_FIELD_STRING_PTR("field", REQUIRED, io_volume_config, field, 1,
                           CYAML_UNLIMITED),
    CYAML_FIELD_SEQUENCE_FIXED("range", OPTIONAL, io_volume_config, range, &number, 2),
    CYAML_FIELD_SEQUENCE_COUNT("colors", CYAML_FLAG_POINTER, io_volume_config, colors,
                               ncolors, &color_point, 1, CYAML_UNLIMITED),
    /* One of the two is there. They cannot share a member: where loading fails, libcyaml
     * frees what each key stands for. */
    CYAML_FIELD_SEQUENCE_COUNT("opacity", OPTIONAL | CYAML_FLAG_POINTER, io_volume_config,
                               opacities, nopacities, &opacity_point, 1, CYAML_UNLIMITED),
    CYAML_FIELD_SEQUENCE_COUNT("extinction", OPTIONAL | CYAML_FLAG_POINTER,
                               io_volume_config, extinctions, nextinctions,
                               &opacity_point, 1, CYAML_UNLIMITED),
    CYAML_FIELD_ENUM("positions", CYAML_FLAG_STRICT, io_volume_config, positions_are_data,
                     positions, CYAML_ARRAY_LEN(positions)),
    CYAML_FIELD_FLOAT("unit_length", OPTIONAL, io_volume_config, unit_length),
    CYAML_FIELD_ENUM("method", CYAML_FLAG_STRICT, io_volume_config, method, methods,
                     CYAML_ARRAY_LEN(methods)),
    CYAML_FIELD_ENUM("interpolation", CYAML_FLAG_STRICT, io_volume_config, trilinear,
                     interpolations, CYAML_ARRAY_LEN(interpolations)),
    CYAML_FIELD_MAPPING("shade", OPTIONAL, io_volume_config, shade, shade_fields),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t layer_fields[] = {
    CYAML_FIELD_MAPPING_PTR("volume", OPTIONAL, io_layer_config, volume, volume_fields),
    CYAML_FIELD_END,
};

static const cyaml_schema_value_t layer_value = {
    CYAML_VALUE_MAPPING(REQUIRED, io_layer_config, layer_fields)};

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

/* ---- composite and output ---- */

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
                               &layer_value, 1, CYAML_UNLIMITED),
    CYAML_FIELD_SEQUENCE_COUNT("lights", OPTIONAL, io_config, lights, nlights,
                               &light_value, 1, IO_MAX_LIGHTS),
    CYAML_FIELD_IGNORE("partition", CYAML_FLAG_DEFAULT),
    CYAML_FIELD_MAPPING("composite", REQUIRED, io_config, composite, composite_fields),
    CYAML_FIELD_MAPPING("output", REQUIRED, io_config, output, output_fields),
    CYAML_FIELD_END,
};

/* The root must be a pointer: libcyaml allocates it, all zero. */
const cyaml_schema_value_t io_config_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, io_config, config_fields)};
