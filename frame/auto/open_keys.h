/* The looks that a config leaves open, for the files that find them. */
#ifndef FRAME_AUTO_OPEN_KEYS_H
#define FRAME_AUTO_OPEN_KEYS_H

#include "flow.h"
#include "values.h"
#include "walls.h"

enum { LOOKS_KEY_SIZE = 64 };

/* Ranges that suit layers found just now better than those of a survey. */
typedef struct looks_ranges {
    int count;
    struct {
        int layer;
        double ends[2];
    } of[AUTO_MOST_WALLS + 8];
} looks_ranges;

/* The state while a config is completed. */
typedef struct looks {
    const frame_auto_data *data;
    const frame_auto_values *known;
    frame_auto_values *values;
    const io_config *config;
    /* The field surveyed last. */
    char field[GRID_NAME_SIZE]; /* "": none */
    bool continuous;
    auto_sample *sample;
    bool is_stale; /* another part of the grid counts since the survey */
    auto_flow flow;
    auto_walls walls; /* the walls, once they were searched for */
    bool has_shown;
    box3 shown; /* the box to show, in the file's coordinates, if the layers found one */
    bool has_focus;
    box3 focus;         /* the box in which the volume's field differs from the stream */
    bool is_outer;      /* a volume lies over a body with colours of its own */
    bool is_limited;    /* ranges are those of values in a box */
    box3 limit;         /* that box, relative to the layout's origin */
    bool has_axes;      /* numbers stand beside it */
    bool is_difference; /* found layers show a difference, of two steps or data sets */
    bool has_up;
    vec3 up; /* the upward direction, if the layers found one; of any length but 0 */
    looks_ranges ranges;
} looks;

/* The field whose range the colours of a layer show. */
typedef struct looks_shown {
    int layer;
    const char *field;     /* NULL: none */
    const char *name;      /* name of the key that names the field */
    bool continuous;       /* the layer wants it at vertices */
    bool is_open;          /* its range is open */
    base_scale_kind scale; /* over the range */
} looks_shown;

/* Surveys a field, unless it was the last one. Collective. */
status looks_survey(looks *l, const char *field, bool continuous);

/* Lets only values in a box count in surveys, in the file's coordinates; NULL: all.
 * Local. */
void looks_limit(looks *l, const box3 *box);

/* Cuts off what lies beyond a shown box, but not along the axis `across`, which may be
 * -1: bars and numbers stand beside it. NULL: all of the grid is shown. Local. */
status looks_clip(const looks *l, const char *field, const box3 *shown, int across);

/* The part of a box that is so near to the walls, in diagonals of their bounds. Local. */
box3 looks_near_walls(const looks *l, const box3 *box, double part);

/* Surveys fields until one has different values. *field: its name, or NULL; the fields
 * that cannot be made are passed over. Collective. */
status looks_pick(looks *l, const char *const names[], int count, const char **field);

/* Surveys the field of a layer. A failure names the layer's key. Collective. */
status looks_survey_shown(looks *l, const looks_shown *its);

/* Adds the value known for the same key and field; false: none is known. */
bool looks_reuse(const looks *l, const char *field, const char *key, status *s);

/* The field that a layer shows. Local. */
looks_shown looks_shown_by(const io_config *config, int layer);

/* The name of a layer's key. */
void looks_key(const io_config *config, int layer, const char *name,
               char key[LOOKS_KEY_SIZE]);

/* The least and greatest value at the steps of the data. Collective. */
status looks_find_extremes(const frame_auto_data *data, const looks_shown *its,
                           double range[2]);

/* The box to show, in the file's coordinates. Collective. */
status looks_find_box(looks *l, box3 *box);

/* The axis along which the grid is much thinner than along both others; -1: none. Local.
 */
int looks_flat_axis(const looks *l);

/* The width of thin lines, in pixels: they grow with the letters. Local. */
double looks_line_width(const looks *l);

/* Makes a box of a sheet a plane, so that it is seen from its flat side. Local. */
void looks_flatten(const looks *l, box3 *box);

/* Whether a layer is an axes box that is to stand around what the others draw. Local. */
bool looks_axes_are_open(const io_config *config, int layer);

/* Finds the open values of the camera, and those bounds of axes boxes. Collective. */
status looks_find_camera(looks *l);

/* Completes the camera for a box, with these walls. Local. */
void looks_view(const looks *l, const box3 *box, const box3 *walls,
                io_camera_config *camera);

/* The field that colours a grid without a solution, to which found values belong; "": it
 * has one colour. Local. */
const char *looks_bare_field(const looks *l);

/* Adds the layers of a config without any, and their annotations. Sets the box of the
 * camera. Collective. Errors: STATUS_INPUT, STATUS_MEMORY. */
status looks_find_layers(looks *l);

/*
 * Adds the layers that show a grid without a solution: its walls with the grid's lines,
 * planes of lines behind them, outlines, an axes box, and a title with sizes. Sheets show
 * their flat side; a grid without faces that look like walls shows all of its outer
 * faces. Sets the box and the upward direction of the camera. Collective. Errors:
 * STATUS_INPUT, STATUS_MEMORY.
 */
status looks_find_bare_layers(looks *l);

/* Proposes a range for a layer, which it has if none is known. Local. */
void looks_propose_range(looks *l, int layer, double least, double most);

/* Finds the open ranges of all layers. Collective. */
status looks_find_ranges(looks *l);

#endif
