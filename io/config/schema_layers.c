#include "config.h"
#include "schema.h"

#include <stddef.h>

static const cyaml_schema_value_t number = {CYAML_VALUE_FLOAT(REQUIRED, double)};
static const cyaml_schema_value_t index_number = {CYAML_VALUE_INT(REQUIRED, int64_t)};

/* ---- What several kinds have ---- */

static const cyaml_schema_value_t color_point = {
    CYAML_VALUE_SEQUENCE_FIXED(REQUIRED, double, &number, 4)};

static const cyaml_schema_field_t shade_fields[] = {
    CYAML_FIELD_FLOAT("ambient", REQUIRED, io_shade_config, ambient),
    CYAML_FIELD_FLOAT("diffuse", REQUIRED, io_shade_config, diffuse),
    CYAML_FIELD_FLOAT("specular", REQUIRED, io_shade_config, specular),
    CYAML_FIELD_INT("shininess", REQUIRED, io_shade_config, shininess),
    CYAML_FIELD_END,
};

/* What is lit. */
#define LIGHT_FIELDS(_structure)                                                         \
    CYAML_FIELD_BOOL("lit", REQUIRED, _structure, paint.lit),                            \
        CYAML_FIELD_MAPPING("shade", OPTIONAL, _structure, paint.shade, shade_fields)

/* What has one colour. */
#define COLOR_FIELDS(_structure)                                                         \
    CYAML_FIELD_SEQUENCE_FIXED("color", OPTIONAL, _structure, paint.color, &number, 3),  \
        CYAML_FIELD_FLOAT("opacity", REQUIRED, _structure, paint.opacity)

/* What has a colour map. */
#define MAP_FIELDS(_structure)                                                           \
    CYAML_FIELD_SEQUENCE_FIXED("range", OPTIONAL, _structure, paint.range, &number, 2),  \
        CYAML_FIELD_SEQUENCE_FIXED("map_range", OPTIONAL, _structure, paint.part,        \
                                   &number, 2),                                          \
        CYAML_FIELD_SEQUENCE_COUNT("colors", OPTIONAL | CYAML_FLAG_POINTER, _structure,  \
                                   paint.colors, paint.ncolors, &color_point, 1,         \
                                   CYAML_UNLIMITED),                                     \
        CYAML_FIELD_SEQUENCE_FIXED("nan_color", OPTIONAL, _structure, paint.nan_color,   \
                                   &number, 3)

/* What can be coloured by any field. */
#define FIELD_COLOR_FIELD(_structure)                                                    \
    CYAML_FIELD_STRING_PTR("color_by", OPTIONAL, _structure, paint.field, 1,             \
                           CYAML_UNLIMITED)

/* The vertices of an index plane. */
#define INDEX_FIELDS                                                                     \
    CYAML_FIELD_FLOAT("i", OPTIONAL, io_tool_config, indices[0]),                        \
        CYAML_FIELD_FLOAT("j", OPTIONAL, io_tool_config, indices[1]),                    \
        CYAML_FIELD_FLOAT("k", OPTIONAL, io_tool_config, indices[2])

#define BLOCK_FIELD(_structure)                                                          \
    CYAML_FIELD_STRING_PTR("block", OPTIONAL, _structure, block, 1, CYAML_UNLIMITED)

#define LINE_COLOR_FIELD                                                                 \
    CYAML_FIELD_SEQUENCE_FIXED("line_color", OPTIONAL, io_tool_config, line_color,       \
                               &number, 3)

/* ---- volume ---- */

static const cyaml_schema_value_t opacity_point = {
    CYAML_VALUE_SEQUENCE_FIXED(REQUIRED, double, &number, 2)};

static const cyaml_strval_t positions[] = {{"fraction", false}, {"data", true}};
static const cyaml_strval_t methods[] = {{"auto", IO_METHOD_AUTO},
                                         {"raycast", IO_METHOD_RAYCAST},
                                         {"planes", IO_METHOD_PLANES}};
static const cyaml_strval_t interpolations[] = {{"linear", false}, {"trilinear", true}};

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

/* ---- object ---- */

static const cyaml_strval_t object_styles[] = {{"surface", IO_STYLE_SURFACE},
                                               {"wireframe", IO_STYLE_WIREFRAME},
                                               {"both", IO_STYLE_BOTH}};

static const cyaml_schema_field_t object_fields[] = {
    BLOCK_FIELD(io_tool_config),
    CYAML_FIELD_BOOL("walls", OPTIONAL, io_tool_config, walls),
    CYAML_FIELD_SEQUENCE_FIXED("from", OPTIONAL, io_tool_config, from, &index_number, 3),
    CYAML_FIELD_SEQUENCE_FIXED("to", OPTIONAL, io_tool_config, to, &index_number, 3),
    INDEX_FIELDS,
    CYAML_FIELD_ENUM("style", CYAML_FLAG_STRICT, io_tool_config, style, object_styles,
                     CYAML_ARRAY_LEN(object_styles)),
    CYAML_FIELD_FLOAT("line_width", REQUIRED, io_tool_config, line_width),
    LINE_COLOR_FIELD,
    CYAML_FIELD_BOOL("smooth", REQUIRED, io_tool_config, smooth),
    COLOR_FIELDS(io_tool_config),
    FIELD_COLOR_FIELD(io_tool_config),
    MAP_FIELDS(io_tool_config),
    LIGHT_FIELDS(io_tool_config),
    CYAML_FIELD_END,
};

/* ---- contour ---- */

static const cyaml_strval_t contour_styles[] = {{"fringes", IO_STYLE_FRINGES},
                                                {"lines", IO_STYLE_LINES},
                                                {"both", IO_STYLE_FRINGES_AND_LINES}};

static const cyaml_schema_field_t plane_fields[] = {
    CYAML_FIELD_SEQUENCE_FIXED("point", REQUIRED, io_tool_config, point.v, &number, 3),
    CYAML_FIELD_SEQUENCE_FIXED("normal", REQUIRED, io_tool_config, normal.v, &number, 3),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t level_fields[] = {
    CYAML_FIELD_INT("count", OPTIONAL, io_tool_config, nlevels),
    CYAML_FIELD_SEQUENCE_COUNT("values", OPTIONAL, io_tool_config, values, nvalues,
                               &number, 1, IO_MAX_VALUES),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t contour_fields[] = {
    CYAML_FIELD_STRING_PTR("field", REQUIRED, io_tool_config, field, 1, CYAML_UNLIMITED),
    BLOCK_FIELD(io_tool_config),
    INDEX_FIELDS,
    FIELD_SECTION("plane", OPTIONAL, io_tool_config, plane_fields),
    FIELD_SECTION("levels", REQUIRED, io_tool_config, level_fields),
    CYAML_FIELD_BOOL("bands", REQUIRED, io_tool_config, bands),
    CYAML_FIELD_ENUM("style", CYAML_FLAG_STRICT, io_tool_config, style, contour_styles,
                     CYAML_ARRAY_LEN(contour_styles)),
    CYAML_FIELD_FLOAT("line_width", REQUIRED, io_tool_config, line_width),
    LINE_COLOR_FIELD,
    CYAML_FIELD_BOOL("smooth", REQUIRED, io_tool_config, smooth),
    COLOR_FIELDS(io_tool_config),
    MAP_FIELDS(io_tool_config),
    LIGHT_FIELDS(io_tool_config),
    CYAML_FIELD_END,
};

/* ---- isosurface, grid and outline ---- */

/* value and values cannot share a member: libcyaml counts the entries of a list. */
static const cyaml_schema_field_t isosurface_fields[] = {
    CYAML_FIELD_STRING_PTR("field", REQUIRED, io_tool_config, field, 1, CYAML_UNLIMITED),
    BLOCK_FIELD(io_tool_config),
    CYAML_FIELD_FLOAT("value", OPTIONAL, io_tool_config, value),
    CYAML_FIELD_SEQUENCE_COUNT("values", OPTIONAL, io_tool_config, values, nvalues,
                               &number, 1, IO_MAX_VALUES),
    COLOR_FIELDS(io_tool_config),
    FIELD_COLOR_FIELD(io_tool_config),
    MAP_FIELDS(io_tool_config),
    LIGHT_FIELDS(io_tool_config),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t grid_fields[] = {
    BLOCK_FIELD(io_tool_config),
    INDEX_FIELDS,
    CYAML_FIELD_FLOAT("line_width", REQUIRED, io_tool_config, line_width),
    COLOR_FIELDS(io_tool_config),
    FIELD_COLOR_FIELD(io_tool_config),
    MAP_FIELDS(io_tool_config),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t outline_fields[] = {
    BLOCK_FIELD(io_tool_config),
    CYAML_FIELD_FLOAT("line_width", REQUIRED, io_tool_config, line_width),
    COLOR_FIELDS(io_tool_config),
    CYAML_FIELD_END,
};

/* ---- particles ---- */

static const cyaml_strval_t modes[] = {{"path", IO_PARTICLES_PATH},
                                       {"streak", IO_PARTICLES_STREAK},
                                       {"stream", IO_PARTICLES_STREAM}};
static const cyaml_strval_t directions[] = {
    {"forward", 1}, {"backward", -1}, {"both", 0}};
static const cyaml_strval_t particle_styles[] = {{"spheres", IO_PARTICLES_SPHERES},
                                                 {"lines", IO_PARTICLES_LINES},
                                                 {"tubes", IO_PARTICLES_TUBES}};

static const cyaml_schema_value_t seed_number = {CYAML_VALUE_INT(REQUIRED, int)};
static const cyaml_schema_value_t seed_point = {
    CYAML_VALUE_SEQUENCE_FIXED(REQUIRED, double, &number, 3)};

/* The points of each kind of seeds have a member of their own: where loading fails,
 * libcyaml frees what each key stands for. */
#define SEED_POINTS(_key, _kind, _min, _max)                                             \
    CYAML_FIELD_SEQUENCE_COUNT(_key, OPTIONAL | CYAML_FLAG_POINTER, io_seed_config,      \
                               loaded[_kind], nloaded[_kind], &seed_point, _min, _max)

static const cyaml_schema_field_t seed_fields[] = {
    BLOCK_FIELD(io_seed_config),
    SEED_POINTS("points", IO_SEED_POINTS, 1, CYAML_UNLIMITED),
    SEED_POINTS("line", IO_SEED_LINE, 2, 2),
    SEED_POINTS("plane", IO_SEED_PLANE, 3, 3),
    SEED_POINTS("box", IO_SEED_BOX, 2, 2),
    CYAML_FIELD_SEQUENCE_COUNT("count", OPTIONAL, io_seed_config, counts, ncounts,
                               &seed_number, 1, 3),
    CYAML_FIELD_END,
};

static const cyaml_schema_value_t seed_value = {
    CYAML_VALUE_MAPPING(REQUIRED, io_seed_config, seed_fields)};
static const cyaml_schema_value_t field_name = {
    CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 1, CYAML_UNLIMITED)};

static const cyaml_schema_field_t particles_fields[] = {
    CYAML_FIELD_SEQUENCE_COUNT("seeds", CYAML_FLAG_POINTER, io_particles_config, seeds,
                               nseeds, &seed_value, 1, IO_MAX_SEED_LISTS),
    CYAML_FIELD_ENUM("mode", CYAML_FLAG_STRICT, io_particles_config, mode, modes,
                     CYAML_ARRAY_LEN(modes)),
    CYAML_FIELD_SEQUENCE_FIXED("velocity", REQUIRED, io_particles_config, velocity,
                               &field_name, 3),
    CYAML_FIELD_INT("every", OPTIONAL, io_particles_config, every),
    CYAML_FIELD_INT("trail", OPTIONAL, io_particles_config, trail),
    CYAML_FIELD_ENUM("direction", OPTIONAL | CYAML_FLAG_STRICT, io_particles_config,
                     direction, directions, CYAML_ARRAY_LEN(directions)),
    CYAML_FIELD_FLOAT("length", OPTIONAL, io_particles_config, length),
    CYAML_FIELD_INT("max_steps", OPTIONAL, io_particles_config, max_steps),
    CYAML_FIELD_FLOAT("tolerance", REQUIRED, io_particles_config, tolerance),
    CYAML_FIELD_ENUM("style", CYAML_FLAG_STRICT, io_particles_config, style,
                     particle_styles, CYAML_ARRAY_LEN(particle_styles)),
    CYAML_FIELD_FLOAT("radius", OPTIONAL, io_particles_config, radius),
    CYAML_FIELD_FLOAT("line_width", REQUIRED, io_particles_config, line_width),
    COLOR_FIELDS(io_particles_config),
    FIELD_COLOR_FIELD(io_particles_config),
    MAP_FIELDS(io_particles_config),
    LIGHT_FIELDS(io_particles_config),
    CYAML_FIELD_END,
};

/* ---- An entry of the list ---- */

/* Each kind of tool has a member of its own, for the reason above. */
#define TOOL(_key, _kind, _fields)                                                       \
    CYAML_FIELD_MAPPING_PTR(_key, OPTIONAL, io_layer_config, loaded[_kind], _fields)

static const cyaml_schema_field_t layer_fields[] = {
    CYAML_FIELD_MAPPING_PTR("volume", OPTIONAL, io_layer_config, volume, volume_fields),
    TOOL("object", IO_LAYER_OBJECT, object_fields),
    TOOL("contour", IO_LAYER_CONTOUR, contour_fields),
    TOOL("isosurface", IO_LAYER_ISOSURFACE, isosurface_fields),
    CYAML_FIELD_MAPPING_PTR("particles", OPTIONAL, io_layer_config, particles,
                            particles_fields),
    TOOL("grid", IO_LAYER_GRID, grid_fields),
    TOOL("outline", IO_LAYER_OUTLINE, outline_fields),
    CYAML_FIELD_END,
};

const cyaml_schema_value_t io_config_layer_schema = {
    CYAML_VALUE_MAPPING(REQUIRED, io_layer_config, layer_fields)};
