#include "table.h"

#include "base/image.h"
#include "colors/color.h"
#include "config.h"
#include "in_situ.h"
#include "readers.h"

#include <string.h>

/* ---- data ---- */

#define DATASET(_name, _member, _flags, _help)                                           \
    {                                                                                    \
        (_name), IO_KEY_TEXT, IO_AT(io_data_config, _member),                            \
            .flags = (_flags), .kind = "data set", .help = (_help)                       \
    }

/* Examples for messages about missing keys, with the values of a wake. */
#define DATA_EXAMPLE   "data: {file: wake.h5}"
#define CAMERA_EXAMPLE "camera: {position: [0, -8, 3], look_at: [2, 0, 0]}"
#define LAYERS_EXAMPLE                                                                   \
    "layers: [{volume: {field: pressure, opacity: [[0, 0], [1, 0.8]]}}]"
#define OUTPUT_EXAMPLE "output: {frames: out/wake_%04d.png}"

static const io_key_word motions[] = {
    {"auto", 0}, {"true", IO_GRID_MOVES}, {"false", IO_GRID_STAYS}, {NULL, 0}};

static const io_key_word rings[] = {{"auto", 0}, {"none", -1}, {"i", 1},
                                    {"j", 2},    {"k", 3},     {NULL, 0}};

static const io_key grid_keys[] = {
    {"file", IO_KEY_PATH, IO_AT(io_data_config, grid_file), .otherwise = "`data.file`",
     .help = "a file of the grid alone"},
    DATASET("x", grid_x, 0, "x of the vertices"),
    DATASET("y", grid_y, 0, "y of the vertices"),
    DATASET("z", grid_z, 0, "z of the vertices; without it the grid is a plane"),
    DATASET("iblank", grid_iblank, 0, "marks of blanked vertices"),
    {"moves", IO_KEY_CHOICE, IO_AT(io_data_config, grid_motion), .words = motions,
     .flags = IO_KEY_QUIET, .fallback = "auto",
     .help = "whether each file of several has a grid of its own"},
    {"closed", IO_KEY_CHOICE, IO_AT(io_data_config, closed), .words = rings,
     .flags = IO_KEY_QUIET, .fallback = "auto",
     .help = "the axis along which the last vertices have the first as neighbours"},
    {0},
};

static const io_key_word mirrors[] = {{"x", 1}, {"y", 2}, {"z", 3}, {NULL, 0}};

static const io_key rotation_keys[] = {
    {"axis", IO_VECTOR(struct grid_rotation, axis), .flags = IO_KEY_REQUIRED,
     .help = "direction of the axis, of any length but 0"},
    {"angle", IO_KEY_NUMBER, IO_AT(struct grid_rotation, angle), .flags = IO_KEY_REQUIRED,
     .unit = "degrees", .help = "right-handed about the axis"},
    {"point", IO_VECTOR(struct grid_rotation, point), .otherwise = "[0, 0, 0]",
     .unit = "length", .help = "a point on the axis"},
    {0},
};

static const io_key transform_keys[] = {
    {"blocks", IO_KEY_TEXT, IO_GROWN(grid_transform, blocks, nblocks),
     .flags = IO_KEY_WRAPPED, .instead = "a name or a list of names",
     .kind = "name, or list of block names", .otherwise = "all blocks",
     .help = "the blocks that it is for"},
    {"scale", IO_KEY_NUMBER, IO_FIXED(grid_transform, scale, 3),
     .kind = "[x, y, z], none of them 0", .otherwise = "[1, 1, 1]",
     .help = "factors of the coordinates"},
    {"reflect", IO_KEY_CHOICE, IO_AT(grid_transform, reflect), .words = mirrors,
     .otherwise = "none", .help = "the coordinate whose sign turns"},
    {"rotate", IO_KEY_SECTION, IO_AT(grid_transform, rotate), .below = rotation_keys,
     .otherwise = "none", .help = "a rotation"},
    {"shift", IO_VECTOR(grid_transform, shift), .otherwise = "[0, 0, 0]",
     .unit = "length", .help = "is added to the coordinates"},
    {0},
};

static const io_key_word plot3d_orders[] = {
    {"auto", 0}, {"little", IO_PLOT3D_LITTLE}, {"big", IO_PLOT3D_BIG}, {NULL, 0}};
static const io_key_word plot3d_records[] = {{"auto", 0},
                                             {"fortran", IO_PLOT3D_FORTRAN},
                                             {"none", IO_PLOT3D_PLAIN},
                                             {"text", IO_PLOT3D_TEXT},
                                             {NULL, 0}};
static const io_key_word plot3d_precisions[] = {{"auto", 0},
                                                {"float32", IO_PLOT3D_FLOAT32},
                                                {"float64", IO_PLOT3D_FLOAT64},
                                                {NULL, 0}};
static const io_key_word plot3d_iblanks[] = {
    {"auto", 0}, {"true", IO_PLOT3D_YES}, {"false", IO_PLOT3D_NO}, {NULL, 0}};
static const io_key_word plot3d_blocks[] = {
    {"auto", 0}, {"one", IO_PLOT3D_ONE}, {"several", IO_PLOT3D_SEVERAL}, {NULL, 0}};

#define PLOT3D_FORM(_name, _words, _help)                                                \
    {                                                                                    \
#_name, IO_KEY_CHOICE, IO_AT(io_plot3d_config, _name),                           \
            .words = (_words), .flags = IO_KEY_QUIET, .fallback = "auto",                \
            .help = (_help)                                                              \
    }

static const io_key plot3d_keys[] = {
    {"q", IO_KEY_PATTERN, IO_AT(io_plot3d_config, q),
     .otherwise = "found beside the grid",
     .help = "the q files, with `%d` for the step if there are several"},
    {"function", IO_KEY_PATTERN, IO_AT(io_plot3d_config, function),
     .otherwise = "found beside the grid", .help = "the function files, as for `q`"},
    {"names", IO_KEY_PATH, IO_AT(io_plot3d_config, names),
     .otherwise = "found beside the grid",
     .help = "a text with the name of a function on each line"},
    PLOT3D_FORM(byte_order, plot3d_orders, "the byte order"),
    PLOT3D_FORM(records, plot3d_records,
                "whether Fortran or C wrote the files, or they are text"),
    PLOT3D_FORM(precision, plot3d_precisions, "the type of floating-point numbers"),
    PLOT3D_FORM(iblank, plot3d_iblanks, "whether the grid has iblank"),
    PLOT3D_FORM(blocks, plot3d_blocks, "whether the files begin with a number of blocks"),
    {0},
};

static const io_key_word orders[] = {{"c", false}, {"fortran", true}, {NULL, 0}};

static const io_key other_keys[] = {
    {"file", IO_KEY_PATH, IO_AT(io_other_config, file), .otherwise = "`data.file`",
     .help = "their file, pattern or folder"},
    {"step", IO_KEY_INT64, IO_AT(io_other_config, step), IO_FROM(0),
     .otherwise = "the one of the same number or time, or the only one",
     .help = "their step, beside all steps that are drawn"},
    {0},
};

static const io_key data_keys[] = {
    {"file", IO_KEY_PATH, .many = IO_KEY_GROWN, .least = 1,
     .offset = offsetof(io_data_config, files), .size = sizeof(char *),
     .count_offset = offsetof(io_data_config, nfiles),
     .flags = IO_KEY_REQUIRED | IO_KEY_WRAPPED,
     .kind = "path, pattern, folder or list of paths", .example = DATA_EXAMPLE,
     .instead = "a path or a list of paths",
     .help = "a data file of any format that karman reads, or the grid of PLOT3D; or "
             "several: see below"},
    {"steps", IO_KEY_OTHER, .read = io_config_read_steps,
     .release = io_config_release_steps, .fallback = "all",
     .kind =
         "`all`, `first`, `last`, a number, [first, last], [first, last, stride] or a "
         "list",
     .help = "the steps that are drawn"},
    {"grid", IO_KEY_SECTION, .below = grid_keys, .otherwise = "karman's layout",
     .help = "data sets of the coordinates, in a file of another layout"},
    {"fields", IO_KEY_OTHER, .read = io_config_read_fields,
     .release = io_config_release_fields, .kind = "mapping",
     .otherwise = "karman's layout",
     .help = "data sets of the fields, in a file of another layout"},
    {"time", IO_KEY_TEXT, IO_AT(io_data_config, time), .kind = "data set",
     .otherwise = "the attribute `time` (`Time`, `TIME`, `t`)",
     .help = "times of the steps, in a file of another layout"},
    {"order", IO_KEY_CHOICE, IO_AT(io_data_config, is_fortran), .words = orders,
     .flags = IO_KEY_QUIET, .fallback = "c",
     .help = "`fortran`: HDF5 shows the axes of arrays as [ni][nj][nk]"},
    {"plot3d", IO_KEY_SECTION, IO_BEHIND(io_data_config, plot3d), .below = plot3d_keys,
     .shorthand = "", .kind = "mapping, or `true`", .otherwise = "found from the file",
     .instead = "true or a mapping such as {q: wing.q}",
     .help = "says that the file is a PLOT3D grid, and where its values are"},
    {"base", IO_KEY_TEXT, IO_AT(io_data_config, base),
     .otherwise = "the first with structured zones",
     .help = "the base of a CGNS file that is read"},
    {"transform", IO_KEY_SECTION, IO_GROWN(io_data_config, transforms, ntransforms),
     .below = transform_keys, .flags = IO_KEY_WRAPPED,
     .instead = "a mapping such as {scale: [1, 1, 20]} or a list of them",
     .kind = "mapping, or list of them", .otherwise = "none",
     .help = "a view of the data: scaled, reflected, rotated, shifted"},
    {"copies", IO_KEY_SECTION, IO_GROWN(io_data_config, copies, ncopies),
     .most = GRID_MOST_COPIES, .below = io_config_copies_keys, .flags = IO_KEY_WRAPPED,
     .instead = "a mapping such as {rotate: {axis: x, count: 36}} or a list of them",
     .kind = "mapping, or list of at most 4", .otherwise = "none",
     .help = "turned, reflected or shifted copies: a wheel from one passage"},
    {"other", IO_KEY_SECTION, IO_BEHIND(io_data_config, other), .below = other_keys,
     .shorthand = "file", .kind = "mapping, or path", .otherwise = "none",
     .instead = "a path or a mapping such as {file: before.h5, step: 10}",
     .help = "other data on the same grid, for `other()` of expressions: differences"},
    {"priority", IO_KEY_TEXT, .many = IO_KEY_GROWN,
     .offset = offsetof(io_data_config, priority), .size = sizeof(char *),
     .count_offset = offsetof(io_data_config, npriority), .kind = "list of block names",
     .flags = IO_KEY_STEERABLE,
     .help = "of overlapping blocks, the first of these that has a cell there is drawn"},
    {"fill", IO_KEY_NUMBER, IO_COUNTED(io_data_config, fills, nfills, IO_MOST_FILLS),
     .flags = IO_KEY_WRAPPED | IO_KEY_STEERABLE,
     .instead = "a number or a list of numbers",
     .kind = "number, or a list of at most 16",
     .help = "values of fields that mean \"missing\", beside those that the file names"},
    {"gamma", IO_KEY_NUMBER, IO_AT(io_data_config, terms.gamma), IO_ABOVE(1),
     .flags = IO_KEY_STEERABLE, .fallback = "1.4",
     .help = "ratio of specific heats, for derived fields"},
    {"gas_constant", IO_KEY_NUMBER, IO_AT(io_data_config, terms.gas_constant),
     IO_ABOVE(0), .flags = IO_KEY_STEERABLE, .fallback = "1.0",
     .help = "R in p = ρ R T, for the temperature"},
    {0},
};

/* ---- image ---- */

static const io_key_word depths[] = {{"8", false}, {"16", true}, {NULL, 0}};

static const io_key_word color_spaces[] = {
    {"display", false}, {"linear", true}, {NULL, 0}};

static const io_key_word filters[] = {
    {"box", IO_FILTER_BOX}, {"tent", IO_FILTER_TENT}, {NULL, 0}};

/* Float images are for measuring: each pixel is one ray. */
static const char *choose_samples(const io_section *section)
{
    const io_section root = io_section_root(section->document);
    return io_section_has(&root, "output.float") ? "1" : "adaptive";
}

static const io_key image_keys[] = {
    {"width", IO_KEY_INT, IO_AT(io_config, width), IO_WITHIN(1, IMAGE_MAX_SIDE),
     .flags = IO_KEY_STEERABLE, .fallback = "1024", .unit = "pixels",
     .help = "width of the picture"},
    {"height", IO_KEY_INT, IO_AT(io_config, height), IO_WITHIN(1, IMAGE_MAX_SIDE),
     .flags = IO_KEY_STEERABLE, .fallback = "1024", .unit = "pixels",
     .help = "height of the picture"},
    {"scale", IO_KEY_NUMBER, IO_AT(io_config, scale), IO_WITHIN(0.01, 100),
     .flags = IO_KEY_STEERABLE | IO_KEY_QUIET, .fallback = "1",
     .help = "the same picture, larger: factor of width, height, lines and texts"},
    {"background", IO_KEY_FLOAT, IO_FIXED(io_config, background, 3),
     .range = {IO_KEY_COLOR, 0.0, 1.0}, IO_OR("none", IO_COLOR_NOTATIONS),
     .kind = "colour, or `none`", .flags = IO_KEY_STEERABLE, .fallback = "[0, 0, 0]",
     .help = "colour behind everything; `none`: the picture keeps its opacity"},
    {"samples", IO_KEY_INT, IO_AT(io_config, samples), IO_WITHIN(1, 64),
     IO_OR("adaptive", "a whole number"), .kind = "whole number or `adaptive`",
     .flags = IO_KEY_STEERABLE, .choose = choose_samples,
     .otherwise = "`adaptive`; 1 with `output.float`, and in a running program",
     .help = "rays of each pixel, whose mean it shows; `adaptive`: more at edges"},
    {"filter", IO_KEY_CHOICE, IO_AT(io_config, filter), .words = filters,
     .flags = IO_KEY_STEERABLE | IO_KEY_QUIET, .fallback = "box",
     .help = "where samples lie: `box`: in the pixel; `tent`: up to the centres of its "
             "neighbours, dense in the middle"},
    {"color", IO_KEY_CHOICE, IO_AT(io_config, is_linear), .words = color_spaces,
     .flags = IO_KEY_STEERABLE | IO_KEY_QUIET, .fallback = "display",
     .help =
         "numbers that are lit and blended: those of the `display`, or `linear` light"},
    {"bits", IO_KEY_CHOICE, IO_AT(io_config, is_deep), .words = depths,
     .flags = IO_KEY_STEERABLE | IO_KEY_QUIET, .fallback = "8",
     .help = "bits of each channel of the PNG file"},
    {"dpi", IO_KEY_NUMBER, IO_AT(io_config, dpi), IO_WITHIN(1, 100000),
     .flags = IO_KEY_STEERABLE, .otherwise = "not told", .unit = "pixels per inch",
     .help = "resolution in print, which programs read from the PNG file"},
    {0},
};

/* ---- partition and composite ---- */

#define PARTITION_WORD(name, word, kind) {word, IO_PARTITION_##name},
static const io_key_word partitions[] = {IO_DISTRIBUTIONS(PARTITION_WORD){NULL, 0}};

static const io_key_word balances[] = {{"cells", IO_BALANCE_CELLS},
                                       {"cost", IO_BALANCE_COST},
                                       {"area", IO_BALANCE_AREA},
                                       {NULL, 0}};

static const char *choose_balance(const io_section *partition)
{
    const char *kind = io_section_text(partition, "kind");
    return kind != NULL && strcmp(kind, "screen") == 0 ? "cost" : "cells";
}

static const io_key partition_keys[] = {
    {"kind", IO_KEY_CHOICE, IO_AT(io_partition_config, kind), .words = partitions,
     .flags = IO_KEY_REQUIRED, .otherwise = "`object`",
     .help =
         "`object`: each rank draws a part of space; `screen`: a part of the picture"},
    {"balance", IO_KEY_CHOICE, IO_AT(io_partition_config, balance), .words = balances,
     .flags = IO_KEY_QUIET, .choose = choose_balance,
     .otherwise = "`cells`; `cost` for `screen`",
     .help = "the quantity that is divided equally among ranks"},
    {0},
};

static const char *choose_by_nodes(const io_section *composite)
{
    const char *algorithm = io_section_text(composite, "algorithm");
    return algorithm && strcmp(algorithm, "auto") != 0 ? "false" : "true";
}

static const io_key_word encodings[] = {
    {"auto", IO_ENCODING_AUTO}, {"raw", IO_ENCODING_RAW}, {NULL, 0}};

static const io_key composite_keys[] = {
    {"algorithm", IO_KEY_TEXT, IO_AT(io_composite_config, algorithm), .fallback = "auto",
     .help = "one of the names below"},
    {"factors", IO_KEY_INT,
     IO_COUNTED(io_composite_config, factors, nfactors, IO_MAX_FACTORS), IO_FROM(2),
     .kind = "list of at most 32 whole numbers", .otherwise = "chosen",
     .help = "group sizes of the rounds, for `radix-k`"},
    {"group", IO_KEY_INT, IO_AT(io_composite_config, group), IO_FROM(1),
     .otherwise = "chosen", .unit = "ranks",
     .help = "size of a group of neighbouring ranks, for `tod-tree`; owners of pieces, "
             "for `chain`"},
    {"fan_in", IO_KEY_INT, IO_AT(io_composite_config, fan_in), IO_FROM(2),
     .otherwise = "chosen", .unit = "images",
     .help = "number of images merged at once, for `tree` and `tod-tree`"},
    {"by_nodes", IO_KEY_BOOL, IO_AT(io_composite_config, by_nodes), .flags = IO_KEY_QUIET,
     .choose = choose_by_nodes, .otherwise = "`true` for `auto`, else `false`",
     .help = "whether ranks of a node merge first, then the algorithm runs among nodes"},
    {"segment", IO_KEY_INT, IO_AT(io_composite_config, segment),
     IO_WITHIN(1024, 16777216), .otherwise = "chosen", .unit = "pixels",
     .help = "most pixels of a message: merging begins when the first one is there"},
    {"encoding", IO_KEY_CHOICE, IO_AT(io_composite_config, encoding), .words = encodings,
     .flags = IO_KEY_QUIET, .fallback = "auto",
     .help = "`auto`: a message leaves out transparent pixels if that makes it shorter; "
             "`raw`: none does"},
    {"tuning", IO_KEY_PATH, IO_AT(io_composite_config, tuning),
     .otherwise = "the user's, else the installation's",
     .help = "tuning file, of `karman tune`, with the choices of `auto`"},
    {0},
};

/* ---- output ---- */

static const io_key output_keys[] = {
    {"frames", IO_KEY_PATTERN, IO_AT(io_output_config, frames), .example = OUTPUT_EXAMPLE,
     .otherwise = "required without another kind of picture",
     .help = "PNG files, one a step"},
    {"float", IO_KEY_PATTERN, IO_AT(io_output_config, floats),
     .help = "HDF5 files with the float image and its depth"},
    {"figure", IO_KEY_PATTERN, IO_AT(io_output_config, figure),
     .help = "PDF or SVG files of the picture, with annotations as curves"},
    {"extracts", IO_KEY_PATTERN, IO_AT(io_output_config, extracts),
     .help = "the layers' polygons and lines with their values: .vtm or .csv"},
    {"movie", IO_KEY_PATH, IO_AT(io_output_config, movie),
     .help = "a film of all frames: .mp4, by ffmpeg, or .apng, for pages"},
    {"cinema", IO_KEY_PATH, IO_AT(io_output_config, cinema),
     .help =
         "a Cinema database (specification D): a folder in .cdb that has the pictures "
         "and data.csv"},
    {"timings", IO_KEY_PATH, IO_AT(io_output_config, timings),
     .help = "JSON with times and counts of every frame"},
    {"tile_costs", IO_KEY_BOOL, IO_AT(io_output_config, tile_costs),
     .otherwise = "`false`", .help = "whether the timings include the cost of each tile"},
    {"warm_caches", IO_KEY_BOOL, IO_AT(io_output_config, warm_caches),
     .otherwise = "`false`",
     .help = "for timings: each picture is drawn twice, and the second time counts"},
    {0},
};

/* ---- The whole ---- */

static const io_key_word looks[] = {{"none", IO_LOOK_NONE},
                                    {"paper", IO_LOOK_PAPER},
                                    {"screen", IO_LOOK_SCREEN},
                                    {"dark", IO_LOOK_DARK},
                                    {NULL, 0}};

const io_key io_config_keys[] = {
    {"data", IO_KEY_SECTION, IO_AT(io_config, data), .below = data_keys,
     .flags = IO_KEY_REQUIRED, .fallback = "{}", .example = DATA_EXAMPLE,
     .help = "the data that is drawn"},
    {"derive", IO_KEY_OTHER, .read = io_config_read_definitions,
     .release = io_config_release_definitions, .flags = IO_KEY_STEERABLE,
     .kind = "mapping of names to expressions",
     .help = "fields that are computed from others"},
    {"image", IO_KEY_SECTION, .below = image_keys, .fallback = "{}",
     .help = "size and background of the picture"},
    {"look", IO_KEY_CHOICE, IO_AT(io_config, look), .words = looks, .absent = "auto",
     .flags = IO_KEY_STEERABLE | IO_KEY_QUIET, .fallback = "none",
     .help = "colours of the background, of texts and of lines, and widths of lines, "
             "where they are not given"},
    {"camera", IO_KEY_SECTION, IO_AT(io_config, camera), .below = io_config_camera_keys,
     .flags = IO_KEY_STEERABLE, .fallback = "{}", .example = CAMERA_EXAMPLE,
     .kind = "mapping, `auto`, or a word of `view`", .otherwise = "`auto`",
     .instead = "auto, a view such as front, or a mapping such as {fov: 20}",
     .help = "the view"},
    {"film", IO_KEY_SECTION, IO_AT(io_config, film), .below = io_config_film_keys,
     .flags = IO_KEY_QUIET, .fallback = "{}", .otherwise = "one picture a step",
     .help = "the frames of a film; names of pictures then have their numbers, from 0"},
    {"keys", IO_KEY_OTHER, .read = io_config_read_film_keys,
     .release = io_config_release_film_keys,
     .kind = "mapping of keys to lists of [place, value]",
     .help = "other keys over the frames: numbers are interpolated"},
    {"pictures", IO_KEY_OTHER, .read = io_config_read_pictures,
     .release = io_config_release_pictures, .kind = "list of 1 to 64",
     .help = "several pictures of each step, from one load of the data, with files of "
             "their own"},
    {"layers", IO_KEY_SECTION, .many = IO_KEY_GROWN, .least = 1, .most = IO_MAX_LAYERS,
     .offset = offsetof(io_config, layers), .size = sizeof(io_layer_config),
     .count_offset = offsetof(io_config, nlayers), .below = io_config_layer_keys,
     .flags = IO_KEY_STEERABLE, .kind = "list of 1 to 64, or `auto`",
     .example = LAYERS_EXAMPLE, .otherwise = "`auto`",
     .help = "the things that are drawn"},
    {"clip", IO_KEY_SECTION, IO_COUNTED(io_config, clips, nclips, IO_MAX_CLIPS),
     .below = io_config_clip_keys, .flags = IO_KEY_STEERABLE,
     .kind = "list of 1 to 16, or `none`", .absent = "none",
     .help = "planes, boxes and spheres that cut off parts of all layers"},
    {"annotations", IO_KEY_SECTION, IO_AT(io_config, annotations),
     .below = io_config_annotation_keys, .flags = IO_KEY_STEERABLE,
     .help = "bars and texts over the picture"},
    {"partition", IO_KEY_SECTION, IO_AT(io_config, partition), .below = partition_keys,
     .fallback = "object", .kind = "`object`, `screen` or a mapping", .shorthand = "kind",
     .instead = "object, screen or a mapping such as {kind: screen, balance: area}",
     .help = "how ranks share the work"},
    {"memory", IO_KEY_OTHER, .read = io_config_read_memory,
     .kind = "number with `KiB`, `MiB`, `GiB` or `TiB`", .otherwise = "no limit",
     .help = "limit for the memory of a rank's bricks"},
    {"lights", IO_KEY_SECTION, IO_COUNTED(io_config, lights, nlights, IO_MAX_LIGHTS),
     .below = io_config_light_keys, .flags = IO_KEY_STEERABLE | IO_KEY_QUIET,
     .fallback = "[{headlight: true}]", .kind = "list of 1 to 16",
     .help = "lights on layers that are lit, and on shaded volumes"},
    {"lighting", IO_KEY_SECTION, IO_AT(io_config, lighting),
     .below = io_config_lighting_keys, .flags = IO_KEY_STEERABLE, .otherwise = "none",
     .help = "shadows, ambient occlusion, distance cue, silhouettes"},
    {"composite", IO_KEY_SECTION, IO_AT(io_config, composite), .below = composite_keys,
     .fallback = "{}", .help = "how the images of the ranks become one"},
    {"output", IO_KEY_SECTION, IO_AT(io_config, output), .below = output_keys,
     .flags = IO_KEY_REQUIRED, .example = OUTPUT_EXAMPLE,
     .help = "the files that are written"},
    {"in_situ", IO_KEY_SECTION, .below = io_config_in_situ_keys, .flags = IO_KEY_APART,
     .help = "pictures that a running program draws of itself"},
    {0},
};
