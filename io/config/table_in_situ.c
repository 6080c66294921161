#include "in_situ.h"
#include "table.h"

const char *const io_config_trigger_keys[] = {"every", "interval", "times", "when"};

static const io_key_word modes[] = {
    {"real-time", IO_IN_SITU_REAL_TIME}, {"halt", IO_IN_SITU_HALT}, {NULL, 0}};

static const io_key_word givers[] = {{"owner", false}, {"group", true}, {NULL, 0}};

const io_key_word io_config_measures[] = {{"min", IO_LEAST},
                                          {"max", IO_GREATEST},
                                          {"min_x", IO_LEAST_AT},
                                          {"min_y", IO_LEAST_AT + 1},
                                          {"min_z", IO_LEAST_AT + 2},
                                          {"max_x", IO_GREATEST_AT},
                                          {"max_y", IO_GREATEST_AT + 1},
                                          {"max_z", IO_GREATEST_AT + 2},
                                          {"mean", IO_MEAN},
                                          {"integral", IO_INTEGRAL},
                                          {"volume", IO_VOLUME},
                                          {"area", IO_AREA},
                                          {"flux", IO_FLUX},
                                          {"mass_mean", IO_MASS_MEAN},
                                          {"mass_flow", IO_MASS_FLOW},
                                          {"heat_flow", IO_HEAT_FLOW},
                                          {"force_x", IO_FORCE},
                                          {"force_y", IO_FORCE + 1},
                                          {"force_z", IO_FORCE + 2},
                                          {"pressure_force_x", IO_PRESSURE_FORCE},
                                          {"pressure_force_y", IO_PRESSURE_FORCE + 1},
                                          {"pressure_force_z", IO_PRESSURE_FORCE + 2},
                                          {"viscous_force_x", IO_VISCOUS_FORCE},
                                          {"viscous_force_y", IO_VISCOUS_FORCE + 1},
                                          {"viscous_force_z", IO_VISCOUS_FORCE + 2},
                                          {"moment_x", IO_MOMENT},
                                          {"moment_y", IO_MOMENT + 1},
                                          {"moment_z", IO_MOMENT + 2},
                                          {NULL, 0}};

/* Places and fields of a number: those of `karman integrate`. */
#define MEASURED_KEYS(_structure)                                                        \
    {"field", IO_KEY_TEXT, IO_AT(_structure, of.field), .offers = IO_OFFERS_FIELDS,      \
     .help = "the field, which may be derived, or an expression"},                       \
        {"block", IO_KEY_TEXT, IO_AT(_structure, of.block),                              \
         .otherwise = "the whole volume", .help = "over the cells of this block"},       \
        {"plane", IO_KEY_TEXT, IO_AT(_structure, of.plane),                              \
         .help = "over a plane: `x=2`, or a normal and a point, `1,1,0:0.5,0,0`"},       \
        {"faces", IO_KEY_TEXT, IO_AT(_structure, of.faces),                              \
         .help = "over faces of a block by indices: `inlet:0,:,:`"},                     \
        {"wall", IO_KEY_TEXT, IO_AT(_structure, of.wall),                                \
         .help = "over walls: `BLOCK:I,J,K`, with semicolons between several"},          \
        {"walls",                                                                        \
         IO_KEY_BOOL,                                                                    \
         IO_AT(_structure, of.walls),                                                    \
         .fallback = "false",                                                            \
         .flags = IO_KEY_QUIET,                                                          \
         .help = "over all faces that iblank marks as walls"},                           \
        {"pressure", IO_KEY_TEXT, IO_AT(_structure, of.pressure),                        \
         .otherwise = "`pressure`", .help = "of forces: a field or an expression"},      \
        {"viscosity", IO_KEY_TEXT, IO_AT(_structure, of.viscosity),                      \
         .help = "of forces, for friction: a number, a field or an expression"},         \
        {"about",                                                                        \
         IO_KEY_NUMBER,                                                                  \
         IO_FIXED(_structure, of.about, 3),                                              \
         .fallback = "[0, 0, 0]",                                                        \
         .flags = IO_KEY_QUIET,                                                          \
         .kind = "list of 3 numbers",                                                    \
         .help = "of moments: the point"},                                               \
        {"temperature", IO_KEY_TEXT, IO_AT(_structure, of.temperature),                  \
         .otherwise = "`temperature`", .help = "of the heat flow"},                      \
    {                                                                                    \
        "conductivity", IO_KEY_TEXT, IO_AT(_structure, of.conductivity),                 \
            .help = "of the heat flow: a number, a field or an expression"               \
    }

static const io_key when_keys[] = {
    MEASURED_KEYS(io_condition),
    {"above", IO_KEY_NUMBER, IO_AT(io_condition, above), IO_OR("none", "a number"),
     .help = "its value lies above this"},
    {"below", IO_KEY_NUMBER, IO_AT(io_condition, below), IO_OR("none", "a number"),
     .help = "its value lies below this"},
    {"change", IO_KEY_NUMBER, IO_AT(io_condition, change), IO_ABOVE(0),
     IO_OR("none", "a number"),
     .help = "its value differs from that at the last picture by more than this"},
    {"value", IO_KEY_CHOICE, IO_AT(io_condition, of.what), .words = io_config_measures,
     .otherwise = "`max` with `above`, else `min`", .kind = "a word",
     .help = "the number that counts"},
    {0},
};

static const io_key monitor_keys[] = {
    {"name", IO_KEY_TEXT, IO_AT(io_monitor, name), .flags = IO_KEY_REQUIRED,
     .help = "the name of the column and the curve: letters, digits, `-` and `_`"},
    MEASURED_KEYS(io_monitor),
    {"value", IO_KEY_CHOICE, IO_AT(io_monitor, of.what), .words = io_config_measures,
     .fallback = "mean", .kind = "a word", .help = "the number"},
    {0},
};

/* The keys for times: the section and its pictures have the same. */
#define TRIGGER_KEYS(_structure)                                                         \
    {"every",                                                                            \
     IO_KEY_INT64,                                                                       \
     IO_AT(_structure, trigger.every),                                                   \
     IO_FROM(1),                                                                         \
     IO_OR("none", "a whole number"),                                                    \
     .otherwise = "1 where nothing says when",                                           \
     .help = "at each cycle that is a multiple of it"},                                  \
        {"interval",                                                                     \
         IO_KEY_NUMBER,                                                                  \
         IO_AT(_structure, trigger.interval),                                            \
         IO_ABOVE(0),                                                                    \
         IO_OR("none", "a number"),                                                      \
         .unit = "time",                                                                 \
         .help = "at the first step at or after each multiple of it"},                   \
        {"times",                                                                        \
         IO_KEY_NUMBER,                                                                  \
         IO_GROWN(_structure, trigger.times, trigger.ntimes),                            \
         IO_OR("none", "a list of ascending numbers"),                                   \
         .kind = "ascending numbers, or `none`",                                         \
         .help = "at the first step at or after each of these times"},                   \
    {                                                                                    \
        "when", IO_KEY_SECTION, IO_AT(_structure, trigger.when),                         \
            .below = when_keys, .absent = "none",                                        \
            .help = "only if this condition holds then"                                  \
    }

static const io_key picture_keys[] = {
    {"name", IO_KEY_TEXT, IO_AT(io_in_situ_picture, name), .flags = IO_KEY_REQUIRED,
     .help = "letters, digits, `-` and `_`"},
    TRIGGER_KEYS(io_in_situ_picture),
    {0},
};

const io_key io_config_in_situ_keys[] = {
    {"run", IO_KEY_PATH, IO_AT(io_in_situ, run), .fallback = "karman_run",
     .help = "the run directory: pictures, status, orders"},
    {"mode", IO_KEY_CHOICE, IO_AT(io_in_situ, mode), .words = modes,
     .fallback = "real-time",
     .help = "`halt`: wait for orders at the first `karman_poll_steering`"},
    {"redraw_on_change", IO_KEY_BOOL, IO_AT(io_in_situ, redraw_on_change),
     .fallback = "true",
     .help = "a picture that an order changes is drawn at the next step, at most once a "
             "second and for at most 5 % of the time"},
    {"orders", IO_KEY_CHOICE, IO_AT(io_in_situ, group_orders), .words = givers,
     .fallback = "owner",
     .help = "whose orders are taken: the owner's of the run, or also his group's"},
    {"check", IO_KEY_BOOL, IO_AT(io_in_situ, checks), .fallback = "false",
     .help = "whether values that several ranks have of a vertex are compared in each "
             "step that draws"},
    TRIGGER_KEYS(io_in_situ),
    {"monitors", IO_KEY_SECTION, .many = IO_KEY_GROWN, .most = IO_MAX_MONITORS,
     .offset = offsetof(io_in_situ, monitors), .size = sizeof(io_monitor),
     .count_offset = offsetof(io_in_situ, nmonitors), .below = monitor_keys,
     .kind = "list of up to 64",
     .help = "numbers of fields that are noted as the program runs"},
    {"monitor_every", IO_KEY_INT64, IO_AT(io_in_situ, monitor_every), IO_FROM(1),
     .fallback = "1", .help = "at each cycle that is a multiple of it"},
    {"pictures", IO_KEY_SECTION, .many = IO_KEY_GROWN, .least = 1,
     .most = IO_MAX_PICTURES, .offset = offsetof(io_in_situ, pictures),
     .size = sizeof(io_in_situ_picture), .count_offset = offsetof(io_in_situ, npictures),
     .below = picture_keys, .fallback = "[{name: frame}]", .kind = "list of 1 to 64",
     .help =
         "the pictures, each with keys of the config that go over those of the whole"},
    {0},
};
