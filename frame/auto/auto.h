/*
 * Finds values from the data for keys that a config leaves open: fields, layers, ranges,
 * opacity, camera. The values are overrides, so a config with them is an ordinary one.
 * They are the same on any number of ranks and threads.
 */
#ifndef FRAME_AUTO_AUTO_H
#define FRAME_AUTO_AUTO_H

#include "io/config/config.h"
#include "sample.h"

/* A found value. */
typedef struct frame_auto_value {
    char *text;  /* an override, such as "layers.0.volume.range=[0, 3.2]" */
    char *field; /* the field that it belongs to; NULL: none */
} frame_auto_value;

/* All values found for a config, in the order in which they apply. */
typedef struct frame_auto_values {
    int count;
    frame_auto_value *items; /* [count] */
    bool is_field_given;     /* the user named the field */
} frame_auto_values;

void frame_auto_values_clear(frame_auto_values *values);

/* Parts of found values that pictures share. */
typedef enum frame_auto_share {
    AUTO_SHARE_LAYERS, /* found layers, and clips and bars beside them */
    AUTO_SHARE_RANGES, /* known ones of the same key and field are widened */
    AUTO_SHARE_OPACITY
} frame_auto_share;

/* Adds a part of `values` to *known; what is known stays, but for ranges. Local. Errors:
 * STATUS_MEMORY. */
status frame_auto_values_join(const frame_auto_values *values, frame_auto_share what,
                              frame_auto_values *known);

/* Begins the values of another picture whose fields frame_auto_fields has found with
 * `found`: then frame_auto_looks finds its layers. Local. Errors: STATUS_MEMORY. */
status frame_auto_values_begin(const frame_auto_values *found, frame_auto_values *values);

/* The last value of a key, as an override; NULL: none. Borrowed. */
const char *frame_auto_values_last(const frame_auto_values *values, const char *key);

/* Puts `--field NAME`, or that karman found it, in the place of a found value at the
 * beginning of a message: the user never wrote it. field: NULL: not given. Local. */
void frame_auto_blame(const frame_auto_values *values, const char *field);

/* Writes the name and the expression of the difference of a field from that of other
 * data, for `derive`. Local. */
enum { AUTO_DIFFERENCE_SIZE = 192 };
void frame_auto_difference(const char *field, char name[AUTO_DIFFERENCE_SIZE],
                           char text[AUTO_DIFFERENCE_SIZE]);

/*
 * Names the fields that the layers of a config leave open. A config without layers gets a
 * volume of vorticity_magnitude or mach, if one can be derived, otherwise of the first
 * field of the file that is no mark; if all blocks are flat, a contour; without fields,
 * the lines of the grid, for which frame_auto_looks finds others. `wanted`: the field of
 * the volume in any case, or NULL. Adds to *values, and replaces *config by a config with
 * the added values. Does not use data->layout. Local, the same on every rank. Errors:
 * STATUS_INPUT (there is no field), STATUS_USAGE, STATUS_MEMORY.
 */
status frame_auto_fields(const frame_auto_data *data, const char *wanted,
                         frame_auto_values *values, io_config **config);

/*
 * Finds all other values that a config leaves open; its fields have names. These are
 * ranges, opacity and camera. A config that had no layers also gets walls, an outline and
 * a scalar bar; without fields, walls or outer faces, planes behind them, and sizes. A
 * value `known` for the same key and field is kept. Adds to *values, and replaces *config
 * by a config with the added values. Collective. Errors: STATUS_INPUT (no finite value),
 * STATUS_USAGE (impossible camera), STATUS_MEMORY.
 */
status frame_auto_looks(const frame_auto_data *data, const frame_auto_values *known,
                        frame_auto_values *values, io_config **config);

/*
 * Gives the layers with `range: step` the least and the greatest value of their fields at
 * a step. Writes them into the layers of *config, not into its text. Collective. Errors:
 * STATUS_INPUT, STATUS_USAGE (a logarithm without values above 0), STATUS_MEMORY.
 */
status frame_auto_step_ranges(const frame_auto_data *data, int step, io_config *config);

#endif
