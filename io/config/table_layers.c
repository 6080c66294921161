/* The keys of layers. If a default depends on other keys, a function chooses it. It sees
 * the given keys of the section, and the defaults of keys earlier in the table. */
#include "config.h"
#include "readers.h"
#include "table.h"

#include <string.h>

static bool is_text(const io_section *section, const char *key, const char *word)
{
    const char *text = io_section_text(section, key);
    return text != NULL && strcmp(text, word) == 0;
}

/* ---- Keys of several kinds ---- */

#define WIDEST_LINE    1000 /* pixels */
#define MOST_LIGHT     1000 /* above, pictures are white, and floats lose digits */
#define MOST_SHININESS 1000

#define SHADE_KEYS                                                                       \
    {"ambient",                                                                          \
     IO_KEY_NUMBER,                                                                      \
     IO_AT(io_shade_config, ambient),                                                    \
     IO_WITHIN(0, MOST_LIGHT),                                                           \
     .fallback = "0.3",                                                                  \
     .help = "brightness that needs no light"},                                          \
        {"diffuse",                                                                      \
         IO_KEY_NUMBER,                                                                  \
         IO_AT(io_shade_config, diffuse),                                                \
         IO_WITHIN(0, MOST_LIGHT),                                                       \
         .fallback = "0.7",                                                              \
         .help = "brightness of a surface that faces a light or turns away from it"},    \
        {"specular",                                                                     \
         IO_KEY_NUMBER,                                                                  \
         IO_AT(io_shade_config, specular),                                               \
         IO_WITHIN(0, MOST_LIGHT),                                                       \
         .fallback = "0.2",                                                              \
         .help = "brightness of highlights, which have the colour of the light"},        \
    {                                                                                    \
        "shininess", IO_KEY_INT, IO_AT(io_shade_config, shininess),                      \
            IO_WITHIN(1, MOST_SHININESS),                                                \
            .fallback = "20", .help = "the larger, the smaller highlights are"           \
    }

static const io_key shade_keys[] = {
    SHADE_KEYS,
    {0},
};

static const io_key_word followed[] = {{"gradient", false}, {"shadow", true}, {NULL, 0}};

static const io_key volume_shade_keys[] = {
    SHADE_KEYS,
    {"follows", IO_KEY_CHOICE, IO_AT(io_shade_config, is_even), .words = followed,
     .flags = IO_KEY_QUIET, .fallback = "gradient",
     .help = "what light depends on: the angle to the `gradient`, or the `shadow` alone"},
    {0},
};

static const char *choose_lit(const io_section *section)
{
    return io_section_has(section, "shade") ? "true" : "false";
}

/* Light would darken the colours of a field until its scalar bar lacks them. */
static const char *choose_object_lit(const io_section *section)
{
    return io_section_has(section, "color_by") ? choose_lit(section) : "true";
}

static const char *choose_shade(const io_section *section)
{
    return is_text(section, "lit", "true") ? "{}" : NULL;
}

/* Keys of lit layers. */
#define LIGHT_KEYS(_structure, ...)                                                      \
    {"lit", IO_KEY_BOOL, IO_AT(_structure, paint.lit), __VA_ARGS__,                      \
     .help = "whether lights shine on it"},                                              \
    {                                                                                    \
        "shade", IO_KEY_SECTION, IO_AT(_structure, paint.shade),                         \
            .below = shade_keys, .choose = choose_shade,                                 \
            .otherwise = "the defaults of its keys",                                     \
            .help = "how bright it is where it is lit"                                   \
    }

#define GREY "[0.75, 0.75, 0.75]"

static const char *choose_color(const io_section *section)
{
    return io_section_has(section, "color_by") ? NULL : GREY;
}

/* Several isosurfaces are coloured by their values, and so is a single one with a map or
 * a range. */
static const char *choose_iso_color(const io_section *section)
{
    int values = io_section_value(section, "values");
    const bool has_own = io_document_count(section->document, values) > 1 ||
                         io_section_has(section, "colors") ||
                         io_section_has(section, "range");
    return has_own ? NULL : choose_color(section);
}

/* A layer without a colour has a map, and so has a layer with color_by. */
static bool has_map(const io_section *section)
{
    return io_section_has(section, "color_by") || !io_section_has(section, "color");
}

static const char *choose_colors(const io_section *section)
{
    return has_map(section) ? "viridis" : NULL;
}

static const char *choose_map_range(const io_section *section)
{
    return has_map(section) ? "[0, 1]" : NULL;
}

/* Keys of layers with one colour. */
#define COLOR_KEYS(_structure, ...)                                                      \
    {"color", IO_COLOR(IO_KEY_NUMBER, _structure, paint.color), __VA_ARGS__,             \
     .help = "one colour for all of it"},                                                \
    {                                                                                    \
        "opacity", IO_KEY_NUMBER, IO_AT(_structure, paint.opacity), IO_WITHIN(0, 1),     \
            .fallback = "1", .help = "1 hides what is behind, 0 shows nothing"           \
    }

#define RANGE_KEY(_structure, _member)                                                   \
    {                                                                                    \
        "range", IO_KEY_NUMBER, IO_FIXED(_structure, _member, 2),                        \
            IO_OR("auto min-max step", "a list [lo, hi]"),                               \
            .kind = "[lo, hi], `auto`, `min-max` or `step`", .otherwise = "`auto`",      \
            .help = "values that take the first and the last colour"                     \
    }

static const io_key_word scales[] = {{"linear", BASE_SCALE_LINEAR},
                                     {"log", BASE_SCALE_LOG},
                                     {"symlog", BASE_SCALE_SYMLOG},
                                     {NULL, 0}};

/* How the range spreads over the positions of the map. */
#define SCALE_KEYS(_structure, _scale, _threshold)                                       \
    {"scale",                                                                            \
     IO_KEY_CHOICE,                                                                      \
     IO_AT(_structure, _scale),                                                          \
     .words = scales,                                                                    \
     .flags = IO_KEY_QUIET,                                                              \
     .fallback = "linear",                                                               \
     .help = "how `range` spreads over the map: evenly, or by the logarithm"},           \
    {                                                                                    \
        "threshold", IO_KEY_NUMBER, IO_AT(_structure, _threshold), IO_ABOVE(0),          \
            .otherwise = "1/1000 of the range's greatest magnitude",                     \
            .help = "`symlog`: values nearer to 0 spread evenly"                         \
    }

/* Keys of layers with a colour map. */
#define MAP_KEYS(_structure)                                                             \
    RANGE_KEY(_structure, paint.range),                                                  \
        SCALE_KEYS(_structure, paint.scale, paint.threshold),                            \
        {"colors",                                                                       \
         IO_KEY_NUMBER,                                                                  \
         IO_GROWN(_structure, paint.colors, paint.ncolors),                              \
         .width = 4,                                                                     \
         .choose = choose_colors,                                                        \
         .offers = IO_OFFERS_COLORS,                                                     \
         .kind = "name, file, list of colours, or points [position, colour]",            \
         .otherwise = "`viridis`",                                                       \
         .help = "colour over position, which is 0..1 of `range`"},                      \
        {"map_range",                                                                    \
         IO_KEY_NUMBER,                                                                  \
         IO_FIXED(_structure, paint.part, 2),                                            \
         .choose = choose_map_range,                                                     \
         .kind = "[a, b], 0 ≤ a < b ≤ 1",                                                \
         .otherwise = "[0, 1]",                                                          \
         .help = "the part of the map that is used"},                                    \
        {"nan_color", IO_COLOR(IO_KEY_NUMBER, _structure, paint.nan_color),              \
         .flags = IO_KEY_QUIET, .fallback = "[0.5, 0.5, 0.5]",                           \
         .help = "colour of values that are missing or not finite"},                     \
        {"below_color", IO_COLOR(IO_KEY_NUMBER, _structure, paint.below_color),          \
         .otherwise = "that of the range's end",                                         \
         .help = "colour of values below the range"},                                    \
        {"above_color", IO_COLOR(IO_KEY_NUMBER, _structure, paint.above_color),          \
         .otherwise = "that of the range's end",                                         \
         .help = "colour of values above the range"},                                    \
    {                                                                                    \
        "categories", IO_KEY_SECTION,                                                    \
            IO_GROWN(_structure, paint.categories, paint.ncategories),                   \
            .below = io_config_category_keys, .most = IO_MAX_CATEGORIES,                 \
            .flags = IO_KEY_WHOLE, .kind = "list of at most 60",                         \
            .help = "names of whole numbers, in place of `range`"                        \
    }

/* A key for layers that any field can colour. */
#define COLOR_BY_KEY(_structure, _help)                                                  \
    {                                                                                    \
        "color_by", IO_KEY_TEXT, IO_AT(_structure, paint.field),                         \
            .offers = IO_OFFERS_FIELDS, .help = (_help)                                  \
    }
#define ANY_FIELD "the field that colours it, in the file or derived"

#define FIELD_KEY(_structure)                                                            \
    {                                                                                    \
        "field", IO_KEY_TEXT, IO_AT(_structure, field), IO_OR("auto", NULL),             \
            .offers = IO_OFFERS_FIELDS, .kind = "text, or `auto`",                       \
            .otherwise = "`auto`", .help = "the field, in the file or derived"           \
    }

#define BLOCK_KEY(_structure, _help)                                                     \
    {                                                                                    \
        "block", IO_KEY_TEXT, IO_AT(_structure, block), .otherwise = "all blocks",       \
                                                        .help = (_help)                  \
    }

/* An index plane: a layer has at most one of these keys. */
#define INDEX_KEY(_name, _kind, _otherwise)                                              \
    {                                                                                    \
        (_name), IO_KEY_NUMBER, IO_AT(io_tool_config, index),                            \
            .kind = (_kind), .otherwise = (_otherwise),                                  \
            .help = "the index plane at this vertex; negative numbers count from the "   \
                    "end"                                                                \
    }
#define INDEX_KEYS(_kind, _otherwise)                                                    \
    INDEX_KEY("i", _kind, _otherwise), INDEX_KEY("j", _kind, _otherwise),                \
        INDEX_KEY("k", _kind, _otherwise)

#define LINE_WIDTH_KEY(_structure)                                                       \
    {                                                                                    \
        "line_width", IO_KEY_NUMBER, IO_AT(_structure, line_width),                      \
            IO_UP_TO(0, WIDEST_LINE), .fallback = "1.5", .unit = "pixels",               \
                                      .help = "width of lines"                           \
    }

/* Lines and faces of objects and contours. */
#define LINE_KEYS(_otherwise, _smooth)                                                   \
    LINE_WIDTH_KEY(io_tool_config),                                                      \
        {"line_color", IO_COLOR(IO_KEY_NUMBER, io_tool_config, line_color),              \
         .otherwise = (_otherwise), .help = "colour of lines"},                          \
    {                                                                                    \
        "smooth", IO_KEY_BOOL, IO_AT(io_tool_config, smooth), .fallback = "true",        \
                                                              .help = (_smooth)          \
    }

#define VELOCITY_KEY(_structure)                                                         \
    {                                                                                    \
        "velocity", IO_KEY_TEXT, IO_FIXED(_structure, velocity, 3),                      \
            .kind = "three names", .fallback = "[velocity_x, velocity_y, velocity_z]",   \
            .help = "the components of the velocity"                                     \
    }

static const io_key lic_keys[] = {
    VELOCITY_KEY(io_lic_config),
    {"length", IO_KEY_NUMBER, IO_AT(io_lic_config, length), IO_WITHIN(2, 200),
     .fallback = "32", .unit = "pixels", .help = "length of the streaks"},
    {"contrast", IO_KEY_NUMBER, IO_AT(io_lic_config, contrast), IO_WITHIN(0, 1),
     .fallback = "0.6", .help = "0: the plain colour; 1: from black to white"},
    {0},
};

/* A texture along the flow, on index planes and walls. */
#define LIC_KEY                                                                          \
    {                                                                                    \
        "lic", IO_KEY_SECTION, IO_BEHIND(io_tool_config, lic),                           \
            .below = lic_keys, .otherwise = "none",                                      \
            .help = "streaks along the flow in the surface: line integral convolution"   \
    }

/* ---- volume ---- */

static const io_key_word positions[] = {{"fraction", false}, {"data", true}, {NULL, 0}};
static const io_key_word methods[] = {{"auto", IO_METHOD_AUTO},
                                      {"raycast", IO_METHOD_RAYCAST},
                                      {"planes", IO_METHOD_PLANES},
                                      {NULL, 0}};
static const io_key_word interpolations[] = {{"auto", IO_INTERPOLATION_AUTO},
                                             {"linear", IO_LINEAR},
                                             {"quadratic", IO_QUADRATIC},
                                             {"trilinear", IO_TRILINEAR},
                                             {NULL, 0}};

static const io_key volume_keys[] = {
    FIELD_KEY(io_volume_config),
    RANGE_KEY(io_volume_config, range),
    SCALE_KEYS(io_volume_config, scale, threshold),
    {"colors", IO_KEY_NUMBER, IO_GROWN(io_volume_config, colors, ncolors), .width = 4,
     .offers = IO_OFFERS_COLORS, .fallback = "viridis",
     .kind = "name, file, list of colours, or points [position, colour]",
     .help = "colour over position"},
    /* At most one of the two is given. */
    {"opacity", IO_KEY_NUMBER, IO_GROWN(io_volume_config, opacities, nopacities),
     .width = 2, IO_OR("auto", "a list of points [position, alpha]"),
     .kind = "[[position, alpha], …] or `auto`",
     .otherwise = "`auto` without `extinction`",
     .help = "opacity of a slab of thickness `unit_length`, alpha in 0..1"},
    {"extinction", IO_KEY_NUMBER, IO_GROWN(io_volume_config, opacities, nopacities),
     .width = 2, .kind = "[[position, value], …]", .otherwise = "none",
     .help = "extinction per `unit_length`, at least 0, may exceed 1"},
    {"opacity_by_gradient", IO_KEY_NUMBER,
     IO_GROWN(io_volume_config, gradients, ngradients), .width = 2, .most = 32,
     IO_FROM(0), .kind = "[[magnitude, factor], …], at most 32", .otherwise = "none",
     .help = "the extinction is multiplied by a factor of the gradient's magnitude, in "
             "units of the field per length"},
    {"positions", IO_KEY_CHOICE, IO_AT(io_volume_config, positions_are_data),
     .words = positions, .fallback = "fraction",
     .help = "whether positions are 0..1 of `range`, or values of the field"},
    {"unit_length", IO_KEY_NUMBER, IO_AT(io_volume_config, unit_length), IO_ABOVE(0),
     .otherwise = "1/100 of the diagonal of the grid's bounds", .unit = "length",
     .help = "the length that opacity and extinction refer to"},
    {"interpolation", IO_KEY_CHOICE, IO_AT(io_volume_config, interpolation),
     .words = interpolations, .fallback = "auto",
     .help = "how the field varies within a cell"},
    {"method", IO_KEY_CHOICE, IO_AT(io_volume_config, method), .words = methods,
     .fallback = "auto",
     .help = "the order in which cells are drawn; the picture is the same"},
    {"shade", IO_KEY_SECTION, IO_AT(io_volume_config, shade), .below = volume_shade_keys,
     .otherwise = "not shaded", .help = "lights the volume by the gradient of its field"},
    {0},
};

/* ---- object ---- */

#define MOST_LINES 1.0e9

/* Keys of layers that draw lines of the grid. */
#define EVERY_KEY                                                                        \
    {                                                                                    \
        "every", IO_KEY_INT, IO_AT(io_tool_config, every), IO_WITHIN(1, MOST_LINES),     \
            IO_OR("auto", "a whole number"),                                             \
            .kind = "whole number or `auto`", .fallback = "1",                           \
            .help = "every n-th line of the grid is drawn, and the last; `auto`: as "    \
                    "many as have room in the picture"                                   \
    }

static const io_key_word object_styles[] = {{"surface", IO_STYLE_SURFACE},
                                            {"wireframe", IO_STYLE_WIREFRAME},
                                            {"both", IO_STYLE_BOTH},
                                            {NULL, 0}};

static const io_key_word walls[] = {
    {"true", IO_WALLS_MARKED}, {"auto", IO_WALLS_AUTO}, {"false", 0}, {NULL, 0}};

static const io_key object_keys[] = {
    BLOCK_KEY(io_tool_config, "the block that it belongs to"),
    {"walls", IO_KEY_CHOICE, IO_AT(io_tool_config, walls), .words = walls,
     .kind = "`true`, `auto`", .otherwise = "one of these places",
     .help = "all walls: outer faces of `iblank` 2; `auto`: these, or if there are none, "
             "those at which the fluid is at rest"},
    {"family", IO_KEY_TEXT, IO_AT(io_tool_config, family),
     .otherwise = "one of these places",
     .help = "faces of the boundary conditions of this family"},
    {"bc", IO_KEY_TEXT, IO_AT(io_tool_config, bc), .otherwise = "one of these places",
     .help = "faces of the boundary conditions of this name or type, such as `wall`"},
    {"from", IO_KEY_INT64, IO_FIXED(io_tool_config, from, 3), .kind = "[i, j, k]",
     .otherwise = "one of these places",
     .help = "the first vertex of a box, whose surface is drawn"},
    {"to", IO_KEY_INT64, IO_FIXED(io_tool_config, to, 3), .kind = "[i, j, k]",
     .otherwise = "one of these places", .help = "the last vertex of the box"},
    INDEX_KEYS("whole number", "one of these places"),
    {"style", IO_KEY_CHOICE, IO_AT(io_tool_config, style), .words = object_styles,
     .fallback = "surface", .help = "faces, their edges, or both"},
    LINE_KEYS("black", "normals and colours vary within a face"),
    EVERY_KEY,
    LIC_KEY,
    COLOR_KEYS(io_tool_config, .choose = choose_color,
               .otherwise = GREY " without `color_by`"),
    COLOR_BY_KEY(io_tool_config, ANY_FIELD),
    MAP_KEYS(io_tool_config),
    LIGHT_KEYS(io_tool_config, .choose = choose_object_lit,
               .otherwise = "`true`; with `color_by` only with `shade`"),
    {0},
};

/* ---- contour ---- */

static const io_key_word contour_styles[] = {{"fringes", IO_STYLE_FRINGES},
                                             {"lines", IO_STYLE_LINES},
                                             {"both", IO_STYLE_FRINGES_AND_LINES},
                                             {NULL, 0}};

#define PLANE_EXAMPLE "plane: {point: [2, 0, 0], normal: [1, 0, 0]}"

#define ACROSS_KEY(_name, _axis)                                                         \
    {                                                                                    \
        (_name), IO_KEY_NUMBER, IO_AT(io_tool_config, point.v[_axis]),                   \
            .otherwise = "one of these places", .unit = "length",                        \
            .help = "a plane across this axis of space"                                  \
    }

static const io_key plane_keys[] = {
    {"point", IO_VECTOR(io_tool_config, point), .flags = IO_KEY_REQUIRED,
     .example = PLANE_EXAMPLE, .unit = "length", .help = "a point on it"},
    {"normal", IO_VECTOR(io_tool_config, normal), .flags = IO_KEY_REQUIRED,
     .example = PLANE_EXAMPLE, .help = "its normal, of any length but 0"},
    {0},
};

static const io_key contour_keys[] = {
    FIELD_KEY(io_tool_config),
    BLOCK_KEY(io_tool_config, "the block that is cut"),
    INDEX_KEYS("number", "one of these places"),
    ACROSS_KEY("x", 0),
    ACROSS_KEY("y", 1),
    ACROSS_KEY("z", 2),
    {"plane", IO_KEY_SECTION, .below = plane_keys, .otherwise = "one of these places",
     .help = "a plane in space"},
    {"levels", IO_KEY_OTHER, .read = io_config_read_levels, .fallback = "10",
     .kind = "1 to 256, or up to 32 values",
     .help = "how many levels, evenly spaced within `range`; or their values"},
    {"style", IO_KEY_CHOICE, IO_AT(io_tool_config, style), .words = contour_styles,
     .fallback = "fringes", .help = "coloured areas, lines at the levels, or both"},
    {"bands", IO_KEY_BOOL, IO_AT(io_tool_config, bands), .fallback = "true",
     .help = "areas have one colour from a level to the next"},
    LINE_KEYS("with `lines` the colour of the level, with `both` black",
              "the field varies within a cell"),
    LIC_KEY,
    COLOR_KEYS(io_tool_config, .otherwise = "coloured by `field`"),
    MAP_KEYS(io_tool_config),
    LIGHT_KEYS(io_tool_config, .choose = choose_lit,
               .otherwise = "`true` with `shade`, else `false`"),
    {0},
};

/* ---- isosurface, grid and outline ---- */

static const io_key isosurface_keys[] = {
    FIELD_KEY(io_tool_config),
    BLOCK_KEY(io_tool_config, "the block that it is in"),
    {"value", IO_KEY_NUMBER, IO_AT(io_tool_config, values[0]),
     .otherwise = "this or `values`", .help = "the value on the surface"},
    {"values", IO_KEY_NUMBER, IO_COUNTED(io_tool_config, values, nvalues, IO_MAX_VALUES),
     .kind = "list of at most 32, which ascend", .otherwise = "this or `value`",
     .help = "several surfaces at once"},
    COLOR_KEYS(io_tool_config, .choose = choose_iso_color,
               .otherwise = GREY " for one `value`"),
    COLOR_BY_KEY(io_tool_config, ANY_FIELD),
    MAP_KEYS(io_tool_config),
    LIGHT_KEYS(io_tool_config, .fallback = "true"),
    {0},
};

static const io_key grid_keys[] = {
    BLOCK_KEY(io_tool_config, "the block"),
    INDEX_KEYS("whole number", "the six outer faces"),
    LINE_WIDTH_KEY(io_tool_config),
    EVERY_KEY,
    COLOR_KEYS(io_tool_config, .choose = choose_color,
               .otherwise = GREY " without `color_by`"),
    COLOR_BY_KEY(io_tool_config, ANY_FIELD),
    MAP_KEYS(io_tool_config),
    {0},
};

static const io_key outline_keys[] = {
    BLOCK_KEY(io_tool_config, "the block"),
    LINE_WIDTH_KEY(io_tool_config),
    COLOR_KEYS(io_tool_config, .choose = choose_color, .otherwise = GREY),
    {0},
};

static const io_key axes_box_keys[] = {
    {"bounds", IO_KEY_NUMBER, IO_FIXED(io_tool_config, bounds, 2), .width = 3,
     IO_OR("auto", "a list of two points"), .kind = "two points or `auto`",
     .otherwise = "those of the grid", .unit = "length",
     .help = "its lower and its upper corner; `auto`: around what is drawn"},
    {"titles", IO_KEY_TEXT, IO_FIXED(io_tool_config, titles, 3), .kind = "three texts",
     .otherwise = "[x, y, z]", .help = "texts beside the axes, such as \"x / m\""},
    {"ticks", IO_KEY_INT, IO_AT(io_tool_config, ticks), IO_WITHIN(2, 50),
     .otherwise = "chosen", .help = "most numbers along an axis"},
    {"grid", IO_KEY_BOOL, IO_AT(io_tool_config, has_grid), .fallback = "true",
     .help = "lines at the numbers across the faces at the back"},
    LINE_WIDTH_KEY(io_tool_config),
    COLOR_KEYS(io_tool_config, .choose = choose_color, .otherwise = GREY),
    {0},
};

/* ---- particles ---- */

static const io_key_word modes[] = {{"path", IO_PARTICLES_PATH},
                                    {"streak", IO_PARTICLES_STREAK},
                                    {"stream", IO_PARTICLES_STREAM},
                                    {NULL, 0}};
static const io_key_word directions[] = {
    {"forward", 1}, {"backward", -1}, {"both", 0}, {NULL, 0}};
static const io_key_word particle_styles[] = {{"spheres", IO_PARTICLES_SPHERES},
                                              {"lines", IO_PARTICLES_LINES},
                                              {"tubes", IO_PARTICLES_TUBES},
                                              {"arrows", IO_PARTICLES_ARROWS},
                                              {NULL, 0}};

/* The default depends on the mode of particles. */
static const char *choose_every(const io_section *section)
{
    return is_text(section, "mode", "path")     ? "0"
           : is_text(section, "mode", "streak") ? "1"
                                                : NULL;
}

static bool is_stream(const io_section *section)
{
    return choose_every(section) == NULL;
}

static const char *choose_direction(const io_section *section)
{
    return is_stream(section) ? "forward" : NULL;
}

static const char *choose_max_steps(const io_section *section)
{
    return is_stream(section) ? "2000" : NULL;
}

static const char *choose_style(const io_section *section)
{
    return is_text(section, "mode", "path") ? "spheres" : "tubes";
}

#define MOST_CHANGES 2.0e9 /* steps of the data */

static const io_key particles_keys[] = {
    {"seeds", IO_KEY_SECTION, .many = IO_KEY_GROWN, .most = IO_MAX_SEED_LISTS,
     .offset = offsetof(io_particles_config, seeds), .size = sizeof(io_seed_config),
     .count_offset = offsetof(io_particles_config, nseeds), .below = io_config_seed_keys,
     .flags = IO_KEY_WHOLE, .kind = "list of at most 64, or `auto`", .absent = "auto",
     .otherwise = "`auto` for `stream`, else required",
     .help = "starts of the particles; 10 million at most; `[]`: none"},
    {"mode", IO_KEY_CHOICE, IO_AT(io_particles_config, mode), .words = modes,
     .fallback = "stream",
     .help = "lines along the velocity of one step, or paths from step to step"},
    VELOCITY_KEY(io_particles_config),
    {"every", IO_KEY_INT, IO_AT(io_particles_config, every), IO_WITHIN(0, MOST_CHANGES),
     .choose = choose_every, .otherwise = "0 for `path`, 1 for `streak`",
     .help = "steps of the file, in situ of the program, from one release of particles "
             "to the next; 0: at the first step only"},
    {"trail", IO_KEY_INT, IO_AT(io_particles_config, trail), IO_WITHIN(0, MOST_CHANGES),
     IO_OR("all", "a number of steps"), .fallback = "all",
     .help = "`path`: steps of its way that are drawn behind a particle"},
    {"direction", IO_KEY_CHOICE, IO_AT(io_particles_config, direction),
     .words = directions, .choose = choose_direction, .otherwise = "`forward`",
     .help = "`stream`: along the velocity or against it"},
    {"length", IO_KEY_NUMBER, IO_AT(io_particles_config, length), IO_ABOVE(0),
     .otherwise = "no limit", .unit = "length", .help = "`stream`: the longest line"},
    {"duration", IO_KEY_NUMBER, IO_AT(io_particles_config, duration), IO_ABOVE(0),
     .otherwise = "no limit",
     .help = "`stream`: the longest time along a line; so lines are as long as the "
             "velocity is large"},
    {"max_steps", IO_KEY_INT, IO_AT(io_particles_config, max_steps),
     IO_WITHIN(1, 10000000), .choose = choose_max_steps, .otherwise = "2000",
     .help = "`stream`: most steps of the integration, in each direction"},
    {"tolerance", IO_KEY_NUMBER, IO_AT(io_particles_config, tolerance), IO_UP_TO(0, 0.1),
     .fallback = "1e-6", .help = "relative error of a step of the integration"},
    {"style", IO_KEY_CHOICE, IO_AT(io_particles_config, style), .words = particle_styles,
     .choose = choose_style, .otherwise = "`tubes`; `spheres` for `path`",
     .help = "how they look"},
    {"radius", IO_KEY_NUMBER, IO_AT(io_particles_config, radius), IO_ABOVE(0),
     IO_OR("auto", "a length"), .fallback = "auto",
     .otherwise = "`auto`: 1/400 of the diagonal of the grid's bounds", .unit = "length",
     .help = "of tubes and spheres"},
    LINE_WIDTH_KEY(io_particles_config),
    COLOR_KEYS(io_particles_config, .choose = choose_color,
               .otherwise = GREY " without `color_by`"),
    COLOR_BY_KEY(io_particles_config,
                 "`age`: time since the seed; `seed`: its number; else a field"),
    MAP_KEYS(io_particles_config),
    LIGHT_KEYS(io_particles_config, .fallback = "true"),
    {0},
};

/* ---- An entry of the list ---- */

/* In the order of io_layer_kind; all tools are one structure. */
#define LAYER_KEY(name, word, member, keys, kind, meaning, sample)                       \
    {word, IO_KEY_SECTION, IO_BEHIND(io_layer_config, member), .below = (keys),          \
     .help = (meaning)},
const io_key io_config_layer_keys[] = {
    {"volume", IO_KEY_SECTION, IO_BEHIND(io_layer_config, volume), .below = volume_keys,
     .help = "a field as a cloud of colour and opacity"},
    IO_LAYERS(LAYER_KEY) /* then the keys of a layer of any kind */
    {"shown", IO_KEY_BOOL, IO_AT(io_layer_config, shown), .flags = IO_KEY_QUIET,
     .fallback = "true",
     .help = "whether it is drawn; beside the kind: `{volume: {…}, shown: false}`"},
    {"whole", IO_KEY_BOOL, IO_AT(io_layer_config, whole), .flags = IO_KEY_QUIET,
     .fallback = "false",
     .help = "thresholds do not cut it; beside the kind: `{object: {…}, whole: true}`"},
    {0},
};
