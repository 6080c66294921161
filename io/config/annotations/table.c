/* The keys of annotations, and of categories. */
#include "io/config/table.h"
#include "io/config/config.h"
#include "io/config/readers.h"

const io_key io_config_category_keys[] = {
    {"value", IO_KEY_NUMBER, IO_AT(io_category_config, value), .flags = IO_KEY_REQUIRED,
     .help = "the whole number that stands for it"},
    {"name", IO_KEY_TEXT, IO_AT(io_category_config, name), .flags = IO_KEY_REQUIRED,
     .help = "what stands beside the bar"},
    {"color", IO_COLOR(IO_KEY_NUMBER, io_category_config, color),
     .otherwise = "of `colors`, at equal distances", .help = "its colour"},
    {0},
};

static const io_key_word places[] = {{"right", IO_BAR_RIGHT},
                                     {"left", IO_BAR_LEFT},
                                     {"top", IO_BAR_TOP},
                                     {"bottom", IO_BAR_BOTTOM},
                                     {NULL, 0}};

static const io_key_word panels[] = {
    {"auto", IO_PANEL_AUTO}, {"true", IO_PANEL_ON}, {"false", IO_PANEL_OFF}, {NULL, 0}};

static const io_key bar_keys[] = {
    {"place", IO_KEY_CHOICE, IO_AT(io_bar_config, place), .words = places,
     .otherwise = "`right`", .help = "the side of the picture"},
    {"title", IO_KEY_TEXT, IO_AT(io_bar_config, title),
     .otherwise = "the name of the field", .help = "a text beside the bar"},
    {"unit", IO_KEY_TEXT, IO_AT(io_bar_config, unit), .otherwise = "that of the file",
     .help = "stands behind the title, in brackets"},
    {"ticks", IO_KEY_INT, IO_AT(io_bar_config, ticks), IO_WITHIN(2, 50),
     .otherwise = "chosen", .help = "how many numbers stand beside it"},
    {"format", IO_KEY_OTHER, .read = io_config_read_format,
     .release = io_config_release_format, .kind = "text such as `%.2f`",
     .otherwise = "chosen",
     .help =
         "of the numbers, as in printf: `%.Ne`, `%.Nf` or `%.Ng` with 0 to 17 digits"},
    {"layer", IO_KEY_INT, IO_AT(io_bar_config, layer),
     .otherwise = "the first layer with a colour map",
     .help = "the layer whose colours it shows: its place in `layers`, from 0"},
    {"panel", IO_KEY_CHOICE, IO_AT(io_bar_config, panel), .words = panels,
     .otherwise = "`auto`",
     .help = "a panel of the background's colour behind it; `auto`: where the scene is"},
    {"missing", IO_KEY_TEXT, IO_AT(io_bar_config, missing), .otherwise = "none",
     .help = "a text beside a square in the colour of missing values, such as `land`"},
    {0},
};

static const io_key mark_keys[] = {
    {"text", IO_KEY_TEXT, IO_AT(io_mark_config, text), .otherwise = "none",
     .help = "any Unicode text"},
    {"at", IO_VECTOR(io_mark_config, at), .otherwise = "this, or `from` and `to`",
     .unit = "length", .help = "the place of the text"},
    {"from", IO_VECTOR(io_mark_config, from), .unit = "length",
     .help = "the tail of an arrow, where the text stands"},
    {"to", IO_VECTOR(io_mark_config, to), .unit = "length", .help = "the arrow's tip"},
    {"color", IO_COLOR(IO_KEY_NUMBER, io_mark_config, color),
     .otherwise = "that of all annotations", .help = "colour of text and arrow"},
    {"size", IO_KEY_NUMBER, IO_AT(io_mark_config, size), IO_UP_TO(0, 20), .fallback = "1",
     .help = "2 doubles the size of the text"},
    {0},
};

static const io_key_word corners[] = {{"top-left", IO_TOP_LEFT},
                                      {"top", IO_TOP},
                                      {"top-right", IO_TOP_RIGHT},
                                      {"bottom-left", IO_BOTTOM_LEFT},
                                      {"bottom", IO_BOTTOM},
                                      {"bottom-right", IO_BOTTOM_RIGHT},
                                      {NULL, 0}};

static const io_key text_keys[] = {
    {"text", IO_KEY_TEXT, IO_AT(io_text_config, text), .flags = IO_KEY_REQUIRED,
     .help = "any Unicode text; `\\n` in double quotes begins a line"},
    {"place", IO_KEY_CHOICE, IO_AT(io_text_config, place), .words = corners,
     .fallback = "bottom", .help = "the corner or edge of the picture"},
    {"size", IO_KEY_NUMBER, IO_AT(io_text_config, size), IO_UP_TO(0, 20), .fallback = "1",
     .help = "2 doubles the size of the text"},
    {0},
};

static const io_key plot_keys[] = {
    {"fields", IO_KEY_TEXT, IO_AT(io_plot_config, fields), .flags = IO_KEY_REQUIRED,
     .help = "fields or expressions, with commas between them"},
    {"from", IO_VECTOR(io_plot_config, from), .flags = IO_KEY_REQUIRED, .unit = "length",
     .help = "where the line begins"},
    {"to", IO_VECTOR(io_plot_config, to), .flags = IO_KEY_REQUIRED, .unit = "length",
     .help = "where it ends"},
    {"count", IO_KEY_INT, IO_AT(io_plot_config, count), IO_WITHIN(2, 10000),
     .fallback = "200", .help = "points along the line, at equal distances"},
    {"place", IO_KEY_CHOICE, IO_AT(io_plot_config, place), .words = corners,
     .fallback = "bottom-left", .help = "the corner or edge of the picture"},
    {"width", IO_KEY_NUMBER, IO_AT(io_plot_config, width), IO_UP_TO(0, 1),
     .fallback = "0.35", .help = "in parts of the picture's width"},
    {"height", IO_KEY_NUMBER, IO_AT(io_plot_config, height), IO_UP_TO(0, 1),
     .fallback = "0.35", .help = "in parts of the picture's height"},
    {"title", IO_KEY_TEXT, IO_AT(io_plot_config, title), .otherwise = "none",
     .help = "any Unicode text above it"},
    {0},
};

static const io_key logo_keys[] = {
    {"file", IO_KEY_PATH, IO_AT(io_logo_config, file), .flags = IO_KEY_REQUIRED,
     .help = "a PNG file, with or without opacity"},
    {"place", IO_KEY_CHOICE, IO_AT(io_logo_config, place), .words = corners,
     .fallback = "bottom-right", .help = "the corner or edge of the picture"},
    {"height", IO_KEY_NUMBER, IO_AT(io_logo_config, height), IO_UP_TO(0, 1),
     .fallback = "0.1", .help = "in parts of the picture's height"},
    {0},
};

const io_key io_config_annotation_keys[] = {
    {"scalar_bar", IO_KEY_SECTION, IO_AT(io_annotations_config, bar), .below = bar_keys,
     .absent = "false auto", .fallback = "false",
     .kind = "`true`, `false`, `auto` or a mapping", .shorthand = "",
     .instead = "true, false, auto or a mapping such as {title: pressure}",
     .help = "colours of a layer with their values; `auto`: if there is one"},
    {"scalar_bars", IO_KEY_SECTION, .many = IO_KEY_GROWN, .most = IO_MAX_BARS,
     .offset = offsetof(io_annotations_config, bars), .size = sizeof(io_bar_config),
     .count_offset = offsetof(io_annotations_config, nbars), .below = bar_keys,
     .flags = IO_KEY_WHOLE, .kind = "list of at most 8",
     .help = "further bars, each with the keys of `scalar_bar`"},
    {"marks", IO_KEY_SECTION, .many = IO_KEY_GROWN, .most = IO_MAX_MARKS,
     .offset = offsetof(io_annotations_config, marks), .size = sizeof(io_mark_config),
     .count_offset = offsetof(io_annotations_config, nmarks), .below = mark_keys,
     .flags = IO_KEY_WHOLE, .kind = "list of at most 256",
     .help = "texts and arrows at places in space"},
    {"texts", IO_KEY_SECTION, .many = IO_KEY_GROWN, .most = IO_MAX_TEXTS,
     .offset = offsetof(io_annotations_config, texts), .size = sizeof(io_text_config),
     .count_offset = offsetof(io_annotations_config, ntexts), .below = text_keys,
     .flags = IO_KEY_WHOLE, .kind = "list of at most 32",
     .help = "texts at corners and edges of the picture"},
    {"plots", IO_KEY_SECTION, .many = IO_KEY_GROWN, .most = IO_MAX_PLOTS,
     .offset = offsetof(io_annotations_config, plots), .size = sizeof(io_plot_config),
     .count_offset = offsetof(io_annotations_config, nplots), .below = plot_keys,
     .flags = IO_KEY_WHOLE, .kind = "list of at most 4",
     .help = "curves of fields along lines, at corners of the picture"},
    {"logo", IO_KEY_SECTION, IO_AT(io_annotations_config, logo), .below = logo_keys,
     .help = "an image at a corner of the picture"},
    {"axes", IO_KEY_BOOL, IO_AT(io_annotations_config, axes), .fallback = "false",
     .help = "the directions of x, y and z"},
    {"time", IO_KEY_OTHER, .read = io_config_read_time, .release = io_config_release_time,
     .absent = "false", .fallback = "false", .kind = "`true`, `false` or a text",
     .help = "a text in which `{step}` and `{time}` stand for the step and its time"},
    {"title", IO_KEY_TEXT, IO_AT(io_annotations_config, title),
     .help = "any Unicode text"},
    {"font_size", IO_KEY_NUMBER, IO_AT(io_annotations_config, font_size), IO_UP_TO(0, 20),
     .fallback = "1", .help = "2 doubles the size of all texts"},
    {"color", IO_COLOR(IO_KEY_NUMBER, io_annotations_config, color),
     .otherwise = "one that stands out", .help = "colour of texts and lines"},
    {0},
};
