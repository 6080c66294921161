/*
 * Values for what a config leaves open, found from the data: fields, layers, ranges,
 * opacity, camera. They are overrides of the config, so that a config with them is an
 * ordinary one; and they are the same on any number of ranks and threads.
 */
#ifndef APP_FRAME_AUTO_AUTO_H
#define APP_FRAME_AUTO_AUTO_H

#include "io/config/config.h"
#include "sample.h"

/* A value that was found. */
typedef struct app_auto_value {
    char *text;  /* an override, such as "layers.0.volume.range=[0, 3.2]" */
    char *field; /* the one that it belongs to; NULL: none */
} app_auto_value;

/* All that was found for a config, in the order in which it is to be applied. */
typedef struct app_auto_values {
    int count;
    int64_t capacity;
    app_auto_value *items; /* [count] */
} app_auto_values;

void app_auto_values_clear(app_auto_values *values);

/*
 * Names the fields that the layers of a config leave open, and makes a volume the layer
 * of a config that has none: vorticity_magnitude or mach, where one can be derived, else
 * the first field of the file. `wanted`: the field of the volume in any case; NULL:
 * nobody says. *config becomes one with what is added to *values. data->layout is not
 * used. Local, the same on every rank. Errors: STATUS_INPUT (there is no field),
 * STATUS_USAGE, STATUS_MEMORY.
 */
status app_auto_fields(const app_auto_data *data, const char *wanted,
                       app_auto_values *values, io_config **config);

/*
 * Finds what else a config leaves open, whose fields have names: ranges, opacity, camera,
 * and walls, outline and scalar bar where it had no layers. What was `known` before, for
 * the same key and field, stays as it was. *config becomes one with what is added to
 * *values. Collective. Errors: STATUS_INPUT (no finite value), STATUS_USAGE (the camera
 * cannot be), STATUS_MEMORY.
 */
status app_auto_looks(const app_auto_data *data, const app_auto_values *known,
                      app_auto_values *values, io_config **config);

#endif
