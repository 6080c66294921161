/* The keys of a view: camera, lights, lighting, clip, thresholds. */
#include "config.h"
#include "table.h"

#define CAMERA_EXAMPLE "camera: {position: [0, -8, 3], look_at: [2, 0, 0]}"

static const io_key_word projections[] = {
    {"perspective", false}, {"orthographic", true}, {"parallel", true}, {NULL, 0}};

/* With a given position, the traditional direction. */
static const char *choose_up(const io_section *camera)
{
    const int position = io_section_value(camera, "position");
    return io_document_is_sequence(camera->document, position) ? "[0, 0, 1]" : NULL;
}

#define PLACE_OR_AUTO IO_OR("auto", "a list [x, y, z]"), .kind = "[x, y, z] or `auto`"

static const io_key_word views[] = {
    {"auto", IO_VIEW_AUTO},   {"top", IO_VIEW_TOP},   {"bottom", IO_VIEW_BOTTOM},
    {"front", IO_VIEW_FRONT}, {"back", IO_VIEW_BACK}, {"left", IO_VIEW_LEFT},
    {"right", IO_VIEW_RIGHT}, {"iso", IO_VIEW_ISO},   {NULL, 0}};

const io_key io_config_camera_keys[] = {
    {"position", IO_KEY_NUMBER, IO_FIXED(io_camera_config, position.v, 3), PLACE_OR_AUTO,
     .example = CAMERA_EXAMPLE, .otherwise = "`auto`", .unit = "length",
     .help = "place of the eye"},
    {"look_at", IO_KEY_NUMBER, IO_FIXED(io_camera_config, look_at.v, 3), PLACE_OR_AUTO,
     .example = CAMERA_EXAMPLE, .otherwise = "`auto`", .unit = "length",
     .help = "the point in the middle of the picture; not `position`"},
    {"up", IO_KEY_NUMBER, IO_FIXED(io_camera_config, up.v, 3), PLACE_OR_AUTO,
     .choose = choose_up, .otherwise = "[0, 0, 1] with `position`, else `auto`",
     .help = "points to the top of the picture"},
    {"projection", IO_KEY_CHOICE, IO_AT(io_camera_config, orthographic),
     .words = projections, .fallback = "perspective",
     .help = "whether rays meet in the eye or are parallel; `parallel` says it, too"},
    {"fov", IO_KEY_NUMBER, IO_AT(io_camera_config, fov), IO_BETWEEN(0, 180),
     .fallback = "30", .unit = "degrees",
     .help = "full vertical angle of view, for `perspective`"},
    {"height", IO_KEY_NUMBER, IO_AT(io_camera_config, height), IO_ABOVE(0),
     IO_OR("auto", "a number"), .kind = "length or `auto`", .otherwise = "`auto`",
     .unit = "length", .help = "height of the picture, for `orthographic`"},
    {"view", IO_KEY_CHOICE, IO_AT(io_camera_config, view), .words = views,
     .flags = IO_KEY_QUIET, .fallback = "auto",
     .help = "the side from which all is seen, without `position`: `top` from the end of "
             "z, `front` from the beginning of y, `left` from that of x"},
    {"azimuth", IO_KEY_NUMBER, IO_AT(io_camera_config, azimuth), IO_WITHIN(-360, 360),
     .flags = IO_KEY_QUIET, .fallback = "0", .unit = "degrees",
     .help = "turns the given or found eye about `up`, to the right"},
    {"elevation", IO_KEY_NUMBER, IO_AT(io_camera_config, elevation), IO_WITHIN(-90, 90),
     .flags = IO_KEY_QUIET, .fallback = "0", .unit = "degrees",
     .help = "raises the given or found eye"},
    {"zoom", IO_KEY_NUMBER, IO_AT(io_camera_config, zoom), IO_WITHIN(0.001, 1000),
     .flags = IO_KEY_QUIET, .fallback = "1",
     .help = "2 doubles the size of all in the picture"},
    {"near", IO_KEY_NUMBER, IO_AT(io_camera_config, near), IO_FROM(0),
     IO_OR("none", "a number"), .otherwise = "0", .unit = "length",
     .help = "all that is nearer is left out"},
    {"far", IO_KEY_NUMBER, IO_AT(io_camera_config, far), IO_ABOVE(0),
     IO_OR("none", "a number"), .otherwise = "no limit", .unit = "length",
     .help = "all that is farther away is left out"},
    {"path", IO_KEY_SECTION, IO_AT(io_camera_config, path), .below = io_config_path_keys,
     .otherwise = "none", .help = "the camera over the frames of a film"},
    {0},
};

/* ---- lights and clip ---- */

const io_key io_config_light_keys[] = {
    {"direction", IO_VECTOR(io_light_config, direction),
     .otherwise = "one of these three",
     .help = "parallel light, as of the sun: the direction in which it shines"},
    {"position", IO_VECTOR(io_light_config, position), .otherwise = "one of these three",
     .unit = "length",
     .help = "a light at a point; it does not grow weaker with distance"},
    {"headlight", IO_KEY_BOOL, IO_AT(io_light_config, headlight), .kind = "`true`",
     .otherwise = "one of these three", .help = "a light at the camera"},
    {"color", IO_COLOR(IO_KEY_NUMBER, io_light_config, color), .fallback = "[1, 1, 1]",
     .help = "colour of the light"},
    {"intensity", IO_KEY_NUMBER, IO_AT(io_light_config, intensity), IO_WITHIN(0, 1000),
     .fallback = "1", .help = "the colour is multiplied by it"},
    {0},
};

static const io_key cue_keys[] = {
    {"strength", IO_KEY_NUMBER, IO_AT(io_cue_config, strength), IO_WITHIN(0, 1),
     .fallback = "0.5", .help = "how much of the colour there is at the far end"},
    {"color", IO_COLOR(IO_KEY_NUMBER, io_cue_config, color),
     .otherwise = "the background; white with `none`",
     .help = "the colour that things fade into"},
    {"range", IO_KEY_NUMBER, IO_FIXED(io_cue_config, range, 2), .kind = "[near, far]",
     .otherwise = "the depths of the grid's bounds", .unit = "length",
     .help = "depths between which things fade, along the viewing direction"},
    {0},
};

static const io_key silhouette_keys[] = {
    {"width", IO_KEY_NUMBER, IO_AT(io_silhouette_config, width), IO_UP_TO(0, 100),
     .fallback = "1.5", .unit = "pixels", .help = "width of the rim"},
    {"color", IO_COLOR(IO_KEY_NUMBER, io_silhouette_config, color),
     .fallback = "[0, 0, 0]", .help = "colour of the rim"},
    {0},
};

static const io_key shadow_keys[] = {
    {"strength", IO_KEY_NUMBER, IO_AT(io_shadow_config, strength), IO_WITHIN(0, 1),
     .fallback = "1", .help = "the part of the light that shadows take away"},
    {"softness", IO_KEY_NUMBER, IO_AT(io_shadow_config, softness), IO_WITHIN(0, 30),
     .fallback = "0", .unit = "degrees",
     .help = "how large a light looks: edges of shadows widen with the distance"},
    {"resolution", IO_KEY_INT, IO_AT(io_shadow_config, resolution), IO_WITHIN(16, 8192),
     .fallback = "1024", .unit = "texels",
     .help = "the longer side of a light's map of surfaces"},
    {"volume_resolution", IO_KEY_INT, IO_AT(io_shadow_config, volume_resolution),
     IO_WITHIN(4, 512), .fallback = "96", .unit = "points",
     .help = "the longer side of a light's grid through the volume, and its depth"},
    {0},
};

static const io_key occlusion_keys[] = {
    {"strength", IO_KEY_NUMBER, IO_AT(io_occlusion_config, strength), IO_WITHIN(0, 1),
     .fallback = "1", .help = "the part of the light that is taken away"},
    {"radius", IO_KEY_NUMBER, IO_AT(io_occlusion_config, radius), IO_UP_TO(0, 1000),
     .fallback = "0.3",
     .help = "reach of surfaces, over the diagonal of the grid's bounds"},
    {"directions", IO_KEY_INT, IO_AT(io_occlusion_config, directions), IO_WITHIN(6, 512),
     .fallback = "96", .help = "how many directions light comes from"},
    {"resolution", IO_KEY_INT, IO_AT(io_occlusion_config, resolution),
     IO_WITHIN(16, 2048), .fallback = "96", .unit = "texels",
     .help = "the longer side of the map of surfaces from a direction"},
    {"volume_resolution", IO_KEY_INT, IO_AT(io_occlusion_config, volume_resolution),
     IO_WITHIN(4, 256), .fallback = "48", .unit = "points",
     .help = "the longer sides of grids through the volume"},
    {0},
};

const io_key io_config_lighting_keys[] = {
    {"shadows", IO_KEY_SECTION, IO_AT(io_lighting_config, shadows), .below = shadow_keys,
     .otherwise = "none", .help = "lights cast shadows of what is lit"},
    {"occlusion", IO_KEY_SECTION, IO_AT(io_lighting_config, occlusion),
     .below = occlusion_keys, .otherwise = "none",
     .help = "ambient light is weaker where little of it comes in"},
    {"distance_cue", IO_KEY_SECTION, IO_AT(io_lighting_config, cue), .below = cue_keys,
     .otherwise = "none", .help = "things fade into a colour with their depth"},
    {"silhouettes", IO_KEY_SECTION, IO_AT(io_lighting_config, silhouettes),
     .below = silhouette_keys, .otherwise = "none",
     .help = "dark rims where smooth surfaces turn away from the view"},
    {0},
};

const io_key io_config_clip_keys[] = {
    {"point", IO_VECTOR(io_clip_config, point), .otherwise = "required but for `box`",
     .unit = "length", .help = "a point on the plane, or the middle of the sphere"},
    {"normal", IO_VECTOR(io_clip_config, normal), .otherwise = "one of these three",
     .help = "points to the side of a plane that stays; of any length but 0"},
    {"box", IO_KEY_NUMBER, IO_FIXED(io_clip_config, box, 2), .width = 3,
     .kind = "two points", .otherwise = "one of these three", .unit = "length",
     .help = "the lower and the upper corner of a box, whose inside stays"},
    {"radius", IO_KEY_NUMBER, IO_AT(io_clip_config, radius), IO_ABOVE(0),
     .otherwise = "one of these three", .unit = "length",
     .help = "of a sphere around `point`, whose inside stays"},
    {0},
};

/* ---- threshold ---- */

const io_key io_config_threshold_keys[] = {
    {"field", IO_KEY_TEXT, IO_AT(io_tool_config, field), .offers = IO_OFFERS_FIELDS,
     .otherwise = "none", .help = "the field that has limits, in the file or derived"},
    {"above", IO_KEY_NUMBER, IO_AT(io_tool_config, limits.above), .otherwise = "no limit",
     .help = "the least value of the field that is drawn"},
    {"below", IO_KEY_NUMBER, IO_AT(io_tool_config, limits.below), .otherwise = "no limit",
     .help = "its greatest value that is drawn"},
    {"cells", IO_KEY_BOOL, IO_AT(io_tool_config, limits.whole_cells), .fallback = "false",
     .help = "whole cells: those of which all vertices have such values; `false`: cells "
             "are cut where the field takes the limits"},
    {"block", IO_KEY_TEXT, IO_AT(io_tool_config, block), .otherwise = "all blocks",
     .help = "the block of which cells are drawn; others are not"},
    {"from", IO_KEY_INT64, IO_FIXED(io_tool_config, from, 3), .kind = "[i, j, k]",
     .otherwise = "all cells", .help = "the first vertex of a box of cells"},
    {"to", IO_KEY_INT64, IO_FIXED(io_tool_config, to, 3), .kind = "[i, j, k]",
     .otherwise = "all cells", .help = "the last vertex of the box"},
    {0},
};
